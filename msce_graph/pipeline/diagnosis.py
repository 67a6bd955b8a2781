"""What is in a store, and whether it is well: nothing is called ok that was not looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

from msce_graph.embedding import Embedder
from msce_graph.errors import MemoryGraphError
from msce_graph.learning.wording import counted
from msce_graph.records import Record
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, queries, state
from msce_graph.store.engine import TEXT_INDEXES, VECTOR_INDEXES
from msce_graph.store.fingerprint import fingerprint
from msce_graph.store.migrations import VERSION

State = Literal["ok", "warning", "problem"]
Index = str

OLDEST_NEO4J = (5, 26)
TIERS = ("evidence", "policy", "skill", "environment")

KEY = re.compile(r"CREATE CONSTRAINT (\w+) IF NOT EXISTS FOR \(n:(\w+)\)")
"""How the schema makes the unique key of a label; the embedded engine names its index `LABEL[key]`."""
INDEX = re.compile(r"CREATE (?:\w+ )?INDEX (\w+) IF NOT EXISTS FOR \(n:(\w+)\)")


class Statistics(Record):
    """What a namespace holds."""

    namespace: str
    engine: str
    location: str
    schema_version: int
    embedder: str
    dimensions: int
    settings: dict[str, Any]
    """Those that belong to the store, as it was built with them."""
    nodes: dict[str, int]
    """By label."""
    edges: dict[str, int]
    """By type."""
    episodes_scored: int
    """With an outcome."""
    episodes_learned: int
    """Taken in by the fold."""
    episodes_pending: int
    """With an outcome, and not taken in yet."""
    policies: dict[str, int]
    """By stance and status: `follow active`."""
    skills: dict[str, int]
    """By status."""
    fingerprint: str
    """Equal for equal graphs."""


class Finding(Record):
    """One thing that was looked at: how it stands, what was found and what to do."""

    name: str
    state: State
    found: str
    remedy: str = ""


def statistics(store: Store) -> Statistics:
    """Return the counts of a namespace and its fingerprint."""
    stored = state(store)
    assert stored is not None, "an open store has its Store node"
    counts = store.read(_counts)
    return Statistics(
        namespace=store.namespace,
        engine=f"{store.engine.name} ({store.engine.version})",
        location=store.engine.location,
        schema_version=stored.schema_version,
        embedder=stored.embedder,
        dimensions=stored.dimensions,
        settings=stored.settings,
        fingerprint=fingerprint(store),
        **counts,
    )


def doctor(store: Store, embedder: Embedder, settings: Settings) -> tuple[Finding, ...]:
    """Look at engine, schema, indexes, embedder and learning; what cannot be looked at is a problem."""
    checks: dict[str, Callable[[], Finding]] = {
        "engine": lambda: _engine(store),
        "writing": lambda: _writing(store),
        "schema": lambda: _schema(store),
        "indexes": lambda: _indexes(store, embedder),
        "embedder": lambda: _embedder(store, embedder),
        "vectors": lambda: _vectors(store, embedder),
        "search": lambda: _search(store, settings),
        "learning": lambda: _learning(store),
        "lease": lambda: _lease(store),
    }
    return tuple(_looked(name, check) for name, check in checks.items())


def unusable_indexes(store: Store) -> dict[Index, str]:
    """Return the indexes and constraints of the schema that are missing or not ready, each with its state."""
    states = {row["name"]: row["state"] for row in store.read(lambda tx: tx.run("schema/indexes"))}
    found = {name: states.get(name) or states.get(f"{label}[key]", "missing") for name, label in _expected(KEY).items()}
    found |= {name: states.get(name, "missing") for name in _expected(INDEX)}
    return {name: at.lower() for name, at in found.items() if at != "ONLINE"}


def _expected(form: re.Pattern[str]) -> dict[Index, str]:
    """Return the name of every constraint or index of the schema with its label."""
    statements = [queries.load(name).statement for name in queries.names() if name.startswith("schema/")]
    return {found[1]: found[2] for text in statements if (found := form.search(text))}


# Counting -----------------------------------------------------------------------------------------------------------


def _counts(tx: Transaction) -> dict[str, Any]:
    [episodes] = tx.run("doctor/episodes")
    return {
        "nodes": {row["label"]: row["nodes"] for row in tx.run("statistics/nodes_by_label")},
        "edges": {row["type"]: row["edges"] for row in tx.run("statistics/edges_by_type")},
        "episodes_scored": episodes["scored"],
        "episodes_learned": episodes["learned"],
        "episodes_pending": episodes["scored"] - episodes["learned"],
        "policies": {f"{row['stance']} {row['status']}": row["policies"] for row in tx.run("doctor/policies")},
        "skills": {row["status"]: row["skills"] for row in tx.run("doctor/skills")},
    }


# Looking ------------------------------------------------------------------------------------------------------------


def _looked(name: str, check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except MemoryGraphError as error:
        remedy = "see the message; when it is dealt with, run `msce doctor` again"
        return Finding(name=name, state="problem", found=str(error), remedy=remedy)


def _engine(store: Store) -> Finding:
    found = f"{store.engine.name} ({store.engine.version}) at {store.engine.location}"
    number = re.search(r"(\d+)\.(\d+)", store.engine.version)
    if number is None:
        remedy = "msce_graph is tested with Neo4j 5.26, 2026.x and its embedded engine"
        return Finding(name="engine", state="warning", found=f"{found}: of unknown version", remedy=remedy)
    if store.engine.name == "neo4j" and tuple(map(int, number.groups())) < OLDEST_NEO4J:
        return Finding(name="engine", state="problem", found=found, remedy="use Neo4j 5.26 or newer")
    return Finding(name="engine", state="ok", found=found)


def _writing(store: Store) -> Finding:
    try:
        store.write(lambda tx: tx.run("store/next_sequences", count=0))
    except MemoryGraphError as error:
        remedy = "what is there can be asked; to ingest and evolve, give a user and a server that take writes"
        return Finding(name="writing", state="problem", found=f"nothing can be written: {error}", remedy=remedy)
    return Finding(name="writing", state="ok", found="a write was taken")


def _schema(store: Store) -> Finding:
    stored = state(store)
    version = 0 if stored is None else stored.schema_version
    if version != VERSION:
        found = f"version {version}, and this msce_graph writes {VERSION}"
        return Finding(name="schema", state="problem", found=found, remedy="`msce init` completes it")
    foreign = store.read(lambda tx: tx.run("schema/foreign"))
    if foreign:
        counts = ", ".join(f"{row['nodes']} {row['label']}" for row in foreign)
        found = f"version {version}; nodes of another program carry our labels ({counts})"
        remedy = "keep them apart: give msce_graph a database of its own"
        return Finding(name="schema", state="warning", found=found, remedy=remedy)
    return Finding(name="schema", state="ok", found=f"version {version}")


def _indexes(store: Store, embedder: Embedder) -> Finding:
    unusable, expected = unusable_indexes(store), len(_expected(KEY) | _expected(INDEX))
    if not unusable:
        return Finding(name="indexes", state="ok", found=f"{expected} of {expected} are online")
    told = ", ".join(f"{name} is {at}" for name, at in sorted(unusable.items()))
    found = f"{expected - len(unusable)} of {expected} are online; {told}"
    return Finding(name="indexes", state="problem", found=found, remedy=_made_again(sorted(unusable), embedder))


def _made_again(unusable: Sequence[Index], embedder: Embedder) -> str:
    remedies = [
        f"`msce query --write '{queries.load(f'schema/{name}').statement}'`"
        for name in unusable
        if name not in VECTOR_INDEXES and name not in TEXT_INDEXES
    ]
    if len(remedies) < len(unusable):
        remedies.append(f"`msce embed --model {embedder.name}` makes the vector and full-text indexes again")
    return "; ".join(remedies)


def _embedder(store: Store, embedder: Embedder) -> Finding:
    stored = state(store)
    assert stored is not None, "an open store has its Store node"
    [vector] = embedder.embed(["a word"])
    found = f"{embedder.name} gives {len(vector)} numbers; the store holds {stored.dimensions} of {stored.embedder}"
    if (embedder.name, len(vector)) != (stored.embedder, stored.dimensions):
        remedy = f"open the store with {stored.embedder}, or run `msce embed --model {embedder.name}`"
        return Finding(name="embedder", state="problem", found=found, remedy=remedy)
    return Finding(name="embedder", state="ok", found=found)


def _vectors(store: Store, embedder: Embedder) -> Finding:
    [row] = store.read(lambda tx: tx.run("doctor/vectors"))
    if row["lacking"]:
        found = f"{row['lacking']} of {counted(row['embedded'] + row['lacking'], 'step')} have no vector"
        remedy = f"`msce embed --model {embedder.name}` gives every step its vector"
        return Finding(name="vectors", state="problem", found=found, remedy=remedy)
    unembedded = store.read(lambda tx: tx.run("doctor/unembedded"))
    if unembedded:
        counts = [f"{one['nodes']} {one['label']}" for one in unembedded]
        found = f"without a vector: {', '.join(counts)}"
        return Finding(name="vectors", state="problem", found=found, remedy="`msce evolve --rebuild` makes them anew")
    return Finding(
        name="vectors", state="ok", found=f"{counted(row['embedded'], 'step')} that call a tool have one each"
    )


def _search(store: Store, settings: Settings) -> Finding:
    """Say which way vectors are searched; an index that cannot be used is what the search for it falls back from."""
    unusable = unusable_indexes(store)
    ways, state = [], "ok"
    for tier in TIERS:
        [row] = store.read(lambda tx, tier=tier: tx.run(f"search/count_{tier}", limit=settings.exact_below))  # type: ignore[misc]
        if row["vectors"] < settings.exact_below:
            ways.append(f"{tier} exactly ({counted(row['vectors'], 'vector')})")
        elif f"{tier}_embedding" in unusable:
            ways.append(f"{tier} exactly, since its index is {unusable[f'{tier}_embedding']}")
            state = "warning"
        else:
            ways.append(f"{tier} by index")
    silent = [tier for tier in ("evidence", "policy", "skill") if f"{tier}_text" in unusable]
    if silent:
        ways.append(f"no full text of {', '.join(silent)}")
        state = "warning"
    remedy = "see indexes" if state == "warning" else ""
    return Finding(name="search", state=state, found="; ".join(ways), remedy=remedy)  # type: ignore[arg-type]


def _learning(store: Store) -> Finding:
    [row] = store.read(lambda tx: tx.run("doctor/episodes"))
    pending = store.read(lambda tx: tx.run("evolve/domains"))
    found = f"{row['learned']} of {counted(row['scored'], 'scored episode')} learned"
    unscored = row["episodes"] - row["scored"]
    if unscored:
        found += f"; {unscored} without an outcome, of which nothing is learned"
    if pending:
        waiting = ", ".join(f"{one['domain']} ({one['pending']})" for one in pending)
        anew = [one["domain"] for one in pending if one["learned"] and one["first_pending"] < one["last_learned"]]
        found += f"; waiting: {waiting}" + (f"; to be folded anew: {', '.join(anew)}" if anew else "")
        return Finding(name="learning", state="warning", found=found, remedy="`msce evolve` takes them in")
    if row["episodes"] and not row["scored"]:
        remedy = "ingest logs that tell how each episode ended"
        return Finding(name="learning", state="warning", found=found, remedy=remedy)
    return Finding(name="learning", state="ok", found=found)


def _lease(store: Store) -> Finding:
    held = store.read(lambda tx: tx.run("lease/held"))
    if not held:
        return Finding(name="lease", state="ok", found="nobody is learning")
    found = f"held by {held[0]['holder']} until {held[0]['until']:%Y-%m-%d %H:%M:%S} UTC"
    if held[0]["until"] < store.now():
        remedy = "that process has ended: the next `msce evolve` takes over"
        return Finding(name="lease", state="warning", found=found, remedy=remedy)
    return Finding(name="lease", state="ok", found=found)
