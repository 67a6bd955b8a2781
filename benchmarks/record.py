"""Recording: from file to acknowledged, against the bare driver given finished rows (D12: at least half as fast).

    python -m benchmarks.record [URI] [--log PATH] [--rounds N]

Without URI an embedded store in a temporary folder; a server's user is in NEO4J_USERNAME and NEO4J_PASSWORD, and its
namespaces that begin with `record-` are emptied. Both sides write the same nodes, edges and properties under the same
indexes, in transactions of the same episodes; the bare side runs one UNWIND for each kind of node and edge, and neither
reads, normalises, embeds nor looks for what is there. The first round warms the engine up and does not count. Prints
medians; ends with 1 where the ratio is under a half.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from neo4j import GraphDatabase, ManagedTransaction, Session

from msce_graph import MemoryGraph, sources
from msce_graph.embedding import embedder
from msce_graph.learning.normalise import Normalised, normalise
from msce_graph.pipeline import ingest
from msce_graph.records import RecordedEpisode
from msce_graph.settings import Settings
from msce_graph.store import embedded, rows

LOG = Path(__file__).parent.parent / "examples" / "workshop" / "episodes.jsonl.gz"
NEEDED = 0.5
T = TypeVar("T")

Batch = Mapping[str, Sequence[rows.Row]]
"""Finished rows of one transaction, by what they write."""

STATEMENTS = {
    "tool/put": "UNWIND $rows AS row MERGE (n:Tool {key: row.key}) ON CREATE SET n += row.properties",
    "task/put": "UNWIND $rows AS row MERGE (n:Task {key: row.key}) ON CREATE SET n += row.properties",
    "episode/put": "UNWIND $rows AS row CREATE (n:Episode) SET n = row.properties",
    "episode/link_task": "UNWIND $rows AS row MATCH (a:Episode {key: row.key}) MATCH (b:Task {key: row.to}) "
    "CREATE (a)-[:ATTEMPTS]->(b)",
    "evidence/put": "UNWIND $rows AS row CREATE (n:Evidence) SET n = row.properties",
    "evidence/link_steps": "UNWIND $rows AS row MATCH (a:Episode {key: row.to}) MATCH (b:Evidence {key: row.key}) "
    "CREATE (a)-[:HAS_STEP]->(b)",
    "next": "UNWIND $rows AS row MATCH (a:Evidence {key: row.previous}) MATCH (b:Evidence {key: row.key}) "
    "CREATE (a)-[:NEXT]->(b)",
    "evidence/link_tools": "UNWIND $rows AS row MATCH (a:Evidence {key: row.key}) MATCH (b:Tool {key: row.to}) "
    "CREATE (a)-[:CALLED]->(b)",
    "evidence/link_derivations": "UNWIND $rows AS row MATCH (a:Evidence {key: row.key}) "
    "MATCH (b:Evidence {key: row.to}) CREATE (a)-[:DERIVES_FROM {argument: row.argument, path: row.path}]->(b)",
}


class Finished:
    """Takes what a transaction would be given to put, and keeps it as rows that a driver takes."""

    def __init__(self) -> None:
        self.rows: dict[str, list[rows.Row]] = {}

    def put(self, query: str, given: Iterable[Mapping[str, Any]]) -> None:
        """Keep the rows of one query, in the order in which they would be sent."""
        self.rows[query] = [_finished(row) for row in sorted(given, key=lambda row: (row["key"], row.get("to") or ""))]
        if query == "evidence/link_steps":
            self.rows["next"] = [row for row in self.rows[query] if row["previous"] is not None]


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("uri", nargs="?", help="of a Neo4j server; else the embedded engine")
    parser.add_argument("--log", type=Path, default=LOG)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with opened_place(given.uri) as place:
        product, bare = [], []
        for number in range(given.rounds + 1):
            sides = [(product, _product), (bare, _bare)]
            for seconds, side in sides if number % 2 else reversed(sides):
                seconds.append(side(place, f"record-{number}-{side.__name__.strip('_')}", given.log))
    counts, parts = _parts(given.log)
    ours, theirs = median(product[1:]), median(bare[1:])
    print(f"{given.uri or 'embedded'}: {given.log.name}, {counts}, median of {given.rounds}")
    print(f"msce ingest, file to acknowledged {ours:6.2f} s")
    print(f"bare driver, finished rows        {theirs:6.2f} s")
    print(f"speed against the bare driver     {theirs / ours:6.2f}   (at least {NEEDED})")
    print("apart: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in parts.items()))
    return int(theirs / ours < NEEDED)


def _product(place: str, namespace: str, log: Path) -> float:
    """Return the seconds that an ingest takes, from the file to the last episode's commit."""
    with MemoryGraph.open(place, namespace=namespace) as memory:
        started = time.perf_counter()
        for _ in memory.ingest(log):
            pass
        return time.perf_counter() - started


def _bare(place: str, namespace: str, log: Path) -> float:
    """Return the seconds in which the bare driver writes the same graph from finished rows."""
    batches = _batches(log, namespace)
    with MemoryGraph.open(place, namespace=namespace), session_of(place) as session:  # the memory makes the schema
        started = time.perf_counter()
        for batch in batches:
            session.execute_write(partial(_write, batch))
        return time.perf_counter() - started


def _write(batch: Batch, tx: ManagedTransaction) -> None:
    for name, statement in STATEMENTS.items():
        tx.run(statement, rows=batch[name]).consume()


def _batches(log: Path, namespace: str) -> list[Batch]:
    """Return what an ingest of the log would write, transaction by transaction."""
    model = embedder("hashing")
    numbers = itertools.count(1)
    batches: list[Batch] = []
    for entries in _cut(normalised(read(log), namespace)):
        finished = Finished()
        ingest.put(finished, [_numbered(entry, numbers) for entry in ingest.embed(model, entries)])
        batches.append(finished.rows)
    return batches


def _parts(log: Path) -> tuple[str, dict[str, float]]:
    """Return what the log holds, and the seconds of each part of an ingest that needs no store."""
    parts: dict[str, float] = {}
    model = embedder("hashing")
    recorded = _timed(parts, "parsing", lambda: read(log))
    entries = _timed(parts, "normalising", lambda: normalised(recorded, "record"))
    embedded_entries = _timed(
        parts, "embedding", lambda: [e for cut in _cut(entries) for e in ingest.embed(model, cut)]
    )
    _timed(parts, "rows", lambda: ingest.put(Finished(), embedded_entries))
    return f"{len(entries)} episodes, {sum(len(entry.evidence) for entry in entries)} steps", parts


def _timed(parts: dict[str, float], name: str, work: Callable[[], T]) -> T:
    started = time.perf_counter()
    result = work()
    parts[name] = time.perf_counter() - started
    return result


def read(log: Path) -> list[RecordedEpisode]:
    """Return what can be read of a log."""
    found = (one for path, below in sources.files([log]) for one in sources.read(path, source=below))
    return [one for one in found if isinstance(one, RecordedEpisode)]


def normalised(recorded: Iterable[RecordedEpisode], namespace: str) -> list[Normalised]:
    """Return episodes as an ingest would keep them."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return [normalise(one, namespace=namespace, origin="own", settings=Settings(), now=now) for one in recorded]


def _cut(entries: Iterable[Normalised]) -> Iterator[list[Normalised]]:
    """Yield the episodes of one transaction after the other, as an ingest cuts them."""
    batch: list[Normalised] = []
    steps = 0
    for entry in entries:
        if len(batch) == ingest.EPISODES_A_BATCH or steps >= ingest.STEPS_A_BATCH:
            yield batch
            batch, steps = [], 0
        batch.append(entry)
        steps += len(entry.evidence)
    yield batch


def _numbered(entry: Normalised, numbers: Iterator[int]) -> Normalised:
    if entry.episode.reward is None:
        return entry
    return replace(entry, episode=entry.episode.model_copy(update={"sequence": next(numbers)}))


def _finished(row: Mapping[str, Any]) -> rows.Row:
    """Return a row as the driver takes it, its time of creation among its properties."""
    finished: rows.Row = rows.parameter(row)
    if "properties" in finished:
        finished["properties"]["created_at"] = finished["created_at"]
    return finished


@contextmanager
def opened_place(uri: str | None, prefix: str = "record-") -> Iterator[str]:
    """Yield where a store is: the server, with nothing in the namespaces of this prefix, or a temporary folder."""
    if uri is not None:
        with session_of(uri) as session:
            session.run(
                "MATCH (n) WHERE n.namespace STARTS WITH $prefix "
                "CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS",
                prefix=prefix,
            ).consume()
        yield uri
        return
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        try:
            yield str(store)
        finally:
            embedded.stop(store)


@contextmanager
def session_of(place: str) -> Iterator[Session]:
    """Yield a session of the driver alone."""
    if "://" in place:
        user = os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]
        with GraphDatabase.driver(place, auth=user) as driver, driver.session() as session:
            yield session
        return
    with (
        embedded.open(Path(place)) as served,
        GraphDatabase.driver(served.uri, auth=(served.username, served.password)) as driver,
        driver.session() as session,
    ):
        yield session


if __name__ == "__main__":
    sys.exit(main())
