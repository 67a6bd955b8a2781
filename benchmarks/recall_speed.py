"""Recall against the bare index queries that it needs, on one store (D12: p95 at most 1.5 times theirs).

    python -m benchmarks.recall_speed [URI] [--log PATH ...] [--queries N]

The logs (by default those of examples/workshop) are ingested and learned first. A query is the task of a stored episode
without its last word; every other one names a tool besides. Bare are one query for each tier (skills, policies, steps,
environment; episodes by full text alone) and channel (vector, full text and, where a tool is named, signature), k 10,
key and score only, in one transaction of the same driver, the vector given. Both sides answer each query in turn, and
the first tenth, which warms up, does not count. What recall takes to embed the query is part of its time, and shown
apart. Ends with 1 where p95 is more than 1.5 times as long.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from neo4j import ManagedTransaction, Session

from benchmarks.record import LOG, opened_place, session_of
from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.records import Vector
from msce_graph.store.search import plain_words

ALLOWED = 1.5
NAMESPACE = "record-recall"
BY_VECTOR = "CALL db.index.vector.queryNodes($index, 10, $vector) YIELD node, score RETURN node.key AS key, score"
BY_TEXT = (
    "CALL db.index.fulltext.queryNodes($index, $text, {limit: 10}) YIELD node, score RETURN node.key AS key, score"
)
BY_TOOL = (
    "MATCH (:Tool {key: $tool})<-[:USES]-(:Policy)<-[:CRYSTALLIZED_FROM]-(n:Skill) "
    "RETURN n.key AS key, n.reliability AS score LIMIT 10",
    "MATCH (:Tool {key: $tool})<-[:USES]-(n:Policy) RETURN n.key AS key, n.gain AS score LIMIT 10",
    "MATCH (:Tool {key: $tool})<-[:CALLED]-(n:Evidence) RETURN n.key AS key, n.value AS score LIMIT 10",
)
VECTORS = ("skill_embedding", "policy_embedding", "evidence_embedding", "environment_embedding")
TEXTS = ("skill_text", "policy_text", "evidence_text", "environment_text", "episode_text")


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked; `vector` is that of its text."""

    text: str
    tool: str | None
    vector: Vector


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("uri", nargs="?", help="of a Neo4j server; else the embedded engine")
    parser.add_argument("--log", type=Path, nargs="+", default=[LOG])
    parser.add_argument("--queries", type=int, default=300)
    given = parser.parse_args()
    with (
        opened_place(given.uri) as place,
        MemoryGraph.open(place, namespace=NAMESPACE) as memory,
        session_of(place) as session,
    ):
        for _ in memory.ingest(given.log):
            pass
        memory.evolve()
        asked = _queries(memory, given.queries)
        ours, theirs = _measured(memory, session, asked)
        [stored] = memory.query("MATCH (s:Evidence {namespace: $namespace}) RETURN count(s) AS steps")
    ratio = _p95(ours) / _p95(theirs)
    print(f"{given.uri or 'embedded'}: {stored['steps']} steps, {len(ours)} queries, milliseconds")
    print(f"{'':<20} {'p50':>7} {'p95':>7}")
    for name, seconds in (("recall", ours), ("bare index queries", theirs)):
        print(f"{name:<20} {1000 * median(seconds):>7.1f} {1000 * _p95(seconds):>7.1f}")
    print(f"{'ratio':<20} {median(ours) / median(theirs):>7.2f} {ratio:>7.2f}   (p95 at most {ALLOWED})")
    return int(ratio > ALLOWED)


def _queries(memory: MemoryGraph, count: int) -> list[Query]:
    """Return queries after the tasks and tools of the store, in an order of their own, as often as needed."""
    tasks = [row["task"] for row in memory.query("MATCH (e:Episode) RETURN DISTINCT e.task AS task ORDER BY task")]
    tools = [row["name"] for row in memory.query("MATCH (t:Tool) RETURN t.name AS name ORDER BY name")]
    texts = [" ".join(task.split()[:-1]) or task for task in tasks]
    named = itertools.cycle(tool for name in tools for tool in (None, name))
    chosen = list(itertools.islice(zip(itertools.cycle(texts), named, strict=False), count))
    vectors = embedder("hashing").embed([text for text, _ in chosen])
    return [Query(text, tool, vector) for (text, tool), vector in zip(chosen, vectors, strict=True)]


def _measured(memory: MemoryGraph, session: Session, asked: Sequence[Query]) -> tuple[list[float], list[float]]:
    """Return the seconds of each query by recall and by the bare index queries."""
    ours: list[float] = []
    theirs: list[float] = []
    for number, query in enumerate(asked):
        sides = [
            (ours, partial(memory.recall, query.text, tool=query.tool)),
            (theirs, partial(session.execute_read, partial(_bare, query))),
        ]
        for seconds, answer in sides if number % 2 else reversed(sides):
            started = time.perf_counter()
            answer()
            seconds.append(time.perf_counter() - started)
    warm = len(asked) // 10
    return ours[warm:], theirs[warm:]


def _bare(query: Query, tx: ManagedTransaction) -> None:
    vector, text = list(query.vector), plain_words(query.text)
    for index in VECTORS:
        list(tx.run(BY_VECTOR, index=index, vector=vector))
    for index in TEXTS:
        list(tx.run(BY_TEXT, index=index, text=text))
    if query.tool is not None:
        for statement in BY_TOOL:
            list(tx.run(statement, tool=f"{NAMESPACE}/{query.tool}"))


def _p95(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=20)[-1]


if __name__ == "__main__":
    sys.exit(main())
