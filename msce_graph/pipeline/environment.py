"""Environment cognition between the graph and its words: counted in Cypher, told, and the difference written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import numpy as np

from msce_graph.errors import UnknownKey
from msce_graph.learning import cognition
from msce_graph.learning.cognition import Facts, Names, Seen, Statement, Subject, Tried
from msce_graph.learning.fold import WINDOW
from msce_graph.pipeline.runs import Run
from msce_graph.provenance.subgraph import Subgraph
from msce_graph.provenance.tool_graph import ToolDependency, ToolLink, tool_graph
from msce_graph.records import Decision, EnvEntity, EnvEntityKind, EnvEntityStatus, Vector
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows

_SETTLED, _ACTIVE, _FIRST = 0, 1, 2
"""What a count is of: all episodes, those of active policies, and from the third number on those of one policy."""
_ANSWER_CHARACTERS, _ANSWER_WORDS = 120, 3
"""Of an observation: what is looked at of its beginning, and what tells it from others."""

_NAMED: dict[str, Names] = {
    "calls": ("tool",),
    "flows": ("tool", "argument", "source", "path"),
    "firsts": ("tool", "before"),
    "given": ("tool", "name"),
    "answers": ("tool", "answer"),
    "errors": ("tool", "error"),
    "remedies": ("tool", "error", "remedy"),
    "mentions": ("name", "tool"),
    "columns": ("part", "whole"),
    "tables": ("part", "whole"),
    "joins": ("part", "whole"),
    "places": ("part", "whole"),
    "fields": ("part", "whole"),
}
"""The aggregations, each with the columns that say what its counts are about."""

_OF_SQL = frozenset({"columns", "tables", "joins"})

_LINKS = {
    "ABSTRACTED_FROM": "environment/abstracted_from",
    "FROM_TOOL": "environment/from_tool",
    "TO_TOOL": "environment/to_tool",
    "DEPENDS_ON": "environment/depends_on",
    "PART_OF": "environment/part_of",
}
_CONSTRAINS = {"Tool": "environment/constrains_tools", "Policy": "environment/constrains_policies"}


@dataclass(frozen=True, slots=True)
class Counts:
    """What a refresh left, and what it changed."""

    current: int = 0
    withdrawn: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class _Edge:
    """An edge of a statement, with the query that writes it."""

    key: str
    type: str
    to: str
    query: str


def refresh(tx: Transaction, domain: str, settings: Settings, run: Run, now: datetime) -> Counts:
    """Make the statements about a domain's environment those that its policies now bear out, and say what changed.

    What is written follows from the policies and their evidence alone, not from the statements that were there. A
    statement is current while two policies or more that are active and stable bear it, withdrawn while only such that
    once were do, and gone where none remain. Of each policy the 256 most recent episodes count.
    """
    found = tx.run("environment/policies", domain=domain, stable_for=settings.stable_episodes)
    stored = {row["key"]: row for row in tx.run("environment/states", domain=domain)}
    if len(found) < cognition.FEWEST_POLICIES and not stored:
        return Counts()
    settled = [Subject(row["id"], row["tool"], row["error_signature"]) for row in found]
    active = [subject for subject, row in zip(settled, found, strict=True) if row["is_current"]]
    current, lasting = _told(tx, domain, settled, active, settings)
    records = [
        *_records(tx, current, "current", now),
        *_records(tx, lasting, "withdrawn", now),
    ]
    told_before = tx.run("environment/decisions", domain=domain)  # asked while the statements are there
    counts = _write(tx, domain, (*current, *lasting), records, stored, run)
    _rule(tx, told_before, lasting, {subject.id for subject in active}, now)
    return counts


def entities(
    store: Store,
    *,
    domain: str | None = None,
    kind: EnvEntityKind | None = None,
    status: EnvEntityStatus | None = None,
) -> tuple[EnvEntity, ...]:
    """Return the statements about environments, by domain, status, kind and falling support."""
    found = store.read(lambda tx: tx.run("environment/list", domain=domain, kind=kind, status=status))
    return tuple(rows.environment_entity(row) for row in found)


def entity(store: Store, key: str) -> EnvEntity:
    """Return one statement about an environment; raise UnknownKey."""
    found = store.read(lambda tx: tx.run("environment/get", key=key))
    if not found:
        raise UnknownKey("statement", key)
    return rows.environment_entity(found[0])


def graph(store: Store, domain: str) -> Subgraph:
    """Return which tools of a domain depend on which, and what constrains them, under a root that is the domain."""
    return store.read(partial(_graph, domain))


def _graph(domain: str, tx: Transaction) -> Subgraph:
    found = tx.run("environment/list", domain=domain, kind=None, status="current")
    links = [
        ToolLink(row["key"], row["type"], row["to"])
        for row in tx.run("environment/edges", domain=domain)
        if row["label"] == "Tool"
    ]
    depending = [
        ToolDependency(row["key"], row["to"], row["support"], row["confidence"])
        for row in tx.run("environment/tools", domain=domain)
    ]
    return tool_graph(domain, [rows.environment_entity(row) for row in found], links, depending)


# Counting -----------------------------------------------------------------------------------------------------------


def _told(
    tx: Transaction, domain: str, settled: Sequence[Subject], active: Sequence[Subject], settings: Settings
) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """Return what the active policies bear out, and what only the settled ones do."""
    if len(settled) < cognition.FEWEST_POLICIES:
        return (), ()
    numbers = {subject.id: number for number, subject in enumerate(settled, start=_FIRST)}
    episodes = _episodes(tx, numbers, {subject.id for subject in active})
    found = _rows(tx, episodes, settings)

    def borne(all_: int, subjects: Sequence[Subject]) -> tuple[Statement, ...]:
        policies = {numbers[subject.id]: subject.id for subject in subjects}
        return cognition.statements(domain, _facts(found, episodes, all_, policies), subjects, settings)

    current = borne(_ACTIVE, active)
    return current, () if len(active) == len(settled) else cognition.lasting(current, borne(_SETTLED, settled))


def _episodes(tx: Transaction, numbers: Mapping[str, int], active: Collection[str]) -> list[rows.Row]:
    """Return the episodes that count, each with what it counts for: settled policies, active ones, each by number."""
    found: defaultdict[str, set[int]] = defaultdict(lambda: {_SETTLED})
    keys = [f"{tx.namespace}/{policy}" for policy in numbers]
    for row in tx.run("environment/window", policies=keys, limit=WINDOW):
        found[row["episode"]] |= {numbers[row["policy"]]} | ({_ACTIVE} if row["policy"] in active else set())
    return [{"key": key, "policies": sorted(policies)} for key, policies in sorted(found.items())]


def _rows(tx: Transaction, episodes: Sequence[rows.Row], settings: Settings) -> dict[str, list[rows.Row]]:
    """Return what each aggregation finds in some episodes."""
    fewest = {"fewest": settings.n_min}
    given: dict[str, dict[str, int]] = {
        "answers": {**fewest, "characters": _ANSWER_CHARACTERS, "words": _ANSWER_WORDS},
        **dict.fromkeys(("mentions", "given", "columns"), fewest),
    }
    calls = tx.run("environment/calls", episodes=episodes)
    kinds = {row["tool"].partition(":")[0] for row in calls}
    asked = [query for query in _NAMED if query != "calls" and ("sql" in kinds or query not in _OF_SQL)]
    return {"calls": calls} | {
        query: tx.run(f"environment/{query}", episodes=episodes, **given.get(query, {})) for query in asked
    }


def _facts(
    found: Mapping[str, Sequence[rows.Row]], episodes: Sequence[rows.Row], all_: int, policies: Mapping[int, str]
) -> Facts:
    """Return the counts over the episodes of all settled policies, or of all active ones."""

    def seen(query: str) -> dict[Names, Seen]:
        return _seen(found.get(query, ()), _NAMED[query], all_, policies)

    def tried(query: str) -> dict[Names, Tried]:
        worked, failed = (
            _seen([row for row in found.get(query, ()) if row["worked"] is outcome], _NAMED[query], all_, policies)
            for outcome in (True, False)
        )
        return {names: Tried(worked.get(names, Seen()), failed.get(names, Seen())) for names in worked | failed}

    return Facts(
        episodes=sum(all_ in episode["policies"] for episode in episodes),
        calls=tried("calls"),
        flows=seen("flows"),
        firsts=tried("firsts"),
        given=seen("given"),
        answers=seen("answers"),
        errors=seen("errors"),
        remedies=tried("remedies"),
        mentions=seen("mentions"),
        columns=tried("columns"),
        tables=tried("tables"),
        joins=tried("joins"),
        places=tried("places"),
        fields=seen("fields"),
    )


def _seen(found: Iterable[rows.Row], columns: Names, all_: int, policies: Mapping[int, str]) -> dict[Names, Seen]:
    """Return the counts of an aggregation by what they are about, with the policies in whose episodes it was seen."""
    totals: dict[Names, tuple[int, int]] = {}
    bearing: defaultdict[Names, list[str]] = defaultdict(list)
    for row in found:
        names = tuple(_name(row[column]) for column in columns)
        if row["policy"] == all_:
            totals[names] = row["episodes"], row["tasks"]
        elif row["policy"] in policies:
            bearing[names].append(policies[row["policy"]])
    return {names: Seen(*counts, tuple(bearing[names])) for names, counts in totals.items()}


def _name(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)


# Writing ------------------------------------------------------------------------------------------------------------


def _records(tx: Transaction, found: Sequence[Statement], status: EnvEntityStatus, now: datetime) -> list[EnvEntity]:
    borne_by = sorted({f"{tx.namespace}/{policy}" for one in found for policy in one.policies})
    vectors = {row["id"]: row["embedding"] for row in tx.run("policy/vectors", policies=borne_by)}
    return [
        EnvEntity(
            namespace=tx.namespace,
            id=one.id,
            created_at=now,
            kind=one.kind,
            name=one.name,
            statement=one.text,
            domain=one.domain,
            confidence=one.confidence,
            support=one.support,
            status=status,
            embedding=_mean([vectors[policy] for policy in one.policies if vectors[policy]]),
        )
        for one in found
    ]


def _mean(vectors: Sequence[Sequence[float]]) -> Vector:
    """Return the mean of the vectors of the policies that a statement was abstracted from, as float32."""
    if not vectors:
        return ()
    mean = np.mean(np.array(vectors, dtype=np.float32).astype(np.float64), axis=0)
    return tuple(map(float, mean.astype(np.float32)))


def _write(
    tx: Transaction,
    domain: str,
    found: Sequence[Statement],
    records: Sequence[EnvEntity],
    stored: Mapping[str, rows.Row],
    run: Run,
) -> Counts:
    """Write what differs from the stored statements and their edges."""
    dependent = tx.run("environment/tools", domain=domain)  # asked while the statements that lead to them are there
    joined: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in tx.run("environment/edges", domain=domain):
        joined[row["key"]].add((row["type"], row["to"]))
    edges: defaultdict[str, list[_Edge]] = defaultdict(list)
    for edge in (edge for one in found for edge in _edges(tx.namespace, one)):
        edges[edge.key].append(edge)
    added = [record for record in records if record.key not in stored]
    moved = [record for record in records if record.key in stored and _differs(record, stored[record.key])]
    gone = sorted(stored.keys() - {record.key for record in records})
    rejoined = [record.key for record in records if joined[record.key] != {(e.type, e.to) for e in edges[record.key]}]
    tx.put("environment/delete", [{"key": key} for key in gone])
    tx.put("environment/put", [rows.put_row(record) for record in (*added, *moved)])
    if stripped := [key for key in rejoined if joined[key]]:
        tx.run("environment/strip", keys=stripped)
    _link(tx, [edge for key in rejoined for edge in edges[key]])
    _depend(tx, domain, dependent, [one for one, record in zip(found, records, strict=True) if _is_current(record)])
    for query in ("environment/disregard", "environment/respect"):
        tx.run(query, domain=domain)
    changed = {*(record.key for record in moved), *rejoined}.difference(record.key for record in added)
    _generated(tx, run, [*(record.key for record in added), *changed])
    withdrawn = sum(not _is_current(record) for record in records)
    return Counts(len(records) - withdrawn, withdrawn, len(added), len(changed), len(gone))


def _is_current(record: EnvEntity) -> bool:
    return record.status == "current"


def _differs(record: EnvEntity, stored: rows.Row) -> bool:
    """Whether the numbers, the status or the vector of a statement are other than stored."""
    if any(stored[name] != getattr(record, name) for name in ("support", "confidence", "status")):
        return True
    before, after = (np.array(vector or (), dtype=np.float32) for vector in (stored["embedding"], record.embedding))
    return not np.array_equal(before, after)


def _edges(namespace: str, one: Statement) -> list[_Edge]:
    """Return the edges of a statement."""
    ends = {
        "ABSTRACTED_FROM": one.policies,
        "FROM_TOOL": () if one.from_tool is None else (one.from_tool,),
        "TO_TOOL": () if one.to_tool is None else (one.to_tool,),
        "DEPENDS_ON": one.depends_on,
        "PART_OF": one.part_of,
    }
    links = [(type_, query, end) for type_, query in _LINKS.items() for end in ends[type_]]
    links += [("CONSTRAINS", _CONSTRAINS["Tool"], tool) for tool in one.constrained_tools]
    links += [("CONSTRAINS", _CONSTRAINS["Policy"], policy) for policy in one.constrained_policies]
    return [_Edge(f"{namespace}/{one.id}", type_, f"{namespace}/{end}", query) for type_, query, end in links]


def _link(tx: Transaction, edges: Iterable[_Edge]) -> None:
    by_query: defaultdict[str, list[rows.Row]] = defaultdict(list)
    for edge in edges:
        by_query[edge.query].append({"key": edge.key, "to": edge.to})
    for query in (*_LINKS.values(), *_CONSTRAINS.values()):
        tx.put(query, by_query[query])


def _depend(tx: Transaction, domain: str, stored: Sequence[rows.Row], found: Iterable[Statement]) -> None:
    """Let tools depend on tools as the strongest current dependency of each pair says."""
    wanted: dict[tuple[str, str], tuple[int, float]] = {}
    for one in found:
        if one.from_tool is not None and one.to_tool is not None:
            pair = f"{tx.namespace}/{one.from_tool}", f"{tx.namespace}/{one.to_tool}"
            wanted[pair] = max(wanted.get(pair, (0, 0.0)), (one.support, one.confidence))
    known = {(row["key"], row["to"]): (row["support"], row["confidence"]) for row in stored}
    tx.put("environment/undepend", [{"key": a, "to": b} for a, b in known.keys() - wanted.keys()], domain=domain)
    tx.put(
        "environment/depend",
        [
            {"key": a, "to": b, "support": strength[0], "confidence": strength[1]}
            for (a, b), strength in wanted.items()
            if known.get((a, b)) != strength
        ],
        domain=domain,
    )


def _rule(
    tx: Transaction, before: Sequence[rows.Row], withdrawn: Sequence[Statement], active: Collection[str], now: datetime
) -> None:
    """Let a Decision tell of each withdrawn statement why, and of no other: one that returns has none.

    Its place among the inputs is the last one that changed the status of a policy that bore the statement, so that it
    follows from the policies alone, however many inputs were taken in at once.
    """
    bearing = sorted({f"{tx.namespace}/{policy}" for one in withdrawn for policy in one.policies})
    latest = {row["policy"]: row["sequence"] for row in tx.run("environment/latest", policies=bearing)}
    decisions = [_withdrawal(tx.namespace, one, latest, active, now) for one in withdrawn]
    wanted = {decision.key: decision.reason for decision in decisions}
    known = {row["key"]: row["reason"] for row in before}
    tx.put("environment/revoke", [{"key": key} for key in sorted(known.keys() - wanted.keys())])
    fresh = [decision for decision in decisions if known.get(decision.key) != decision.reason]
    tx.put("decision/put", [rows.put_row(decision) for decision in fresh])
    tx.put("environment/decided", [{"key": decision.key, "to": decision.subject} for decision in fresh])


def _withdrawal(
    namespace: str, one: Statement, latest: Mapping[str, int], active: Collection[str], now: datetime
) -> Decision:
    sequence = max(latest[policy] for policy in one.policies)
    standing = sum(policy in active for policy in one.policies)
    needed = cognition.FEWEST_POLICIES
    return Decision(
        namespace=namespace,
        id=f"{one.id}/{sequence}/withdraw",
        created_at=now,
        subject=f"{namespace}/{one.id}",
        sequence=sequence,
        action="withdraw",
        reason=(
            f"of the {len(one.policies)} policies that bore it {standing} {'is' if standing == 1 else 'are'} active "
            f"and stable, and {needed} are needed"
            if standing < needed
            else "in the episodes of the policies that are active and stable it is not seen often enough"
        ),
        before="current",
        after="withdrawn",
        author="msce_graph",
        occurred_at=now,
    )


def _generated(tx: Transaction, run: Run, keys: Sequence[str]) -> None:
    if keys:
        tx.put("run/put", [run.row])
        tx.put("environment/generated", [{"key": key, "to": run.key} for key in keys])
