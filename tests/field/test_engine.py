"""Faults of schema and engine that were seen elsewhere: threads, names of databases, nested values, times, growth."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from msce_graph.cli.root import root
from msce_graph.errors import StoreError
from msce_graph.store import embedded, open_store, queries, rows
from tests.field.world import environment, everything
from tests.pipeline.workbench import GOOD, episode, kitchen, log
from tests.store_fixture import NOW

NESTED = {
    "order": {"lines": [{"dish": "egg", "extras": [{"salt": 2}, {"pepper": None}]}, {"dish": "茶", "extras": []}]},
    "matrix": [[1, 2.5], [], [[True]]],
    "empty": {},
}


def test_threads_and_event_loops_share_one_memory_at_once(memory, tmp_path):
    logs = [log(tmp_path, [episode(number, GOOD, solved=True)], f"{number}.jsonl") for number in range(8)]

    async def several() -> list[list[str]]:
        return await asyncio.gather(*(asyncio.to_thread(stored, memory, path) for path in logs[4:]))

    with ThreadPoolExecutor(3) as pool:
        by_threads = [pool.submit(stored, memory, path) for path in logs[:2]]
        by_loop = pool.submit(asyncio.run, several())
        keys = [key for done in by_threads for key in done.result()] + [
            key for done in by_loop.result() for key in done
        ]
    keys += [key for path in logs[2:4] for key in asyncio.run(asyncio.to_thread(stored, memory, path))]

    assert sorted(keys) == sorted(f"test/e{number}" for number in range(8))
    found = memory.query("MATCH (e:Episode)-[:HAS_STEP]->(s) RETURN e.key AS key, count(s) AS steps ORDER BY key")
    assert found == [{"key": key, "steps": len(GOOD)} for key in sorted(keys)]


def test_every_event_loop_gets_the_answer_that_a_thread_gets(memory, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen(12))))
    memory.evolve()
    alone = memory.recall("make dish 3", domain="kitchen")

    async def asked() -> list[object]:
        return await asyncio.gather(
            *(asyncio.to_thread(memory.recall, "make dish 3", domain="kitchen") for _ in range(3))
        )

    with ThreadPoolExecutor(2) as pool:
        answers = [answer for loop in pool.map(lambda _: asyncio.run(asked()), range(2)) for answer in loop]

    assert alone.evidence
    assert answers == [alone] * 6


def test_a_database_is_named_to_the_session_and_never_to_a_statement(place, store):
    served = embedded.open(Path(place.location)) if place.engine == "embedded" else None
    uri, username, password = (
        (served.uri, served.username, served.password) if served else (place.location, place.username, place.password)
    )

    def stores_of(database: str) -> list[str]:
        with open_store(
            uri, namespace="test", username=username, password=password, database=database, now=lambda: NOW
        ) as there:
            return [row["embedder"] for row in there.read(lambda tx: tx.run("store/get"))]

    try:
        assert stores_of("neo4j") == ["hashing"]
        with pytest.raises(StoreError, match="nowhere"):
            stores_of("nowhere")
    finally:
        if served is not None:
            served.close()
    assert [name for name in queries.names() if "database" in queries.load(name).params] == []


def test_nested_arguments_and_observations_are_json_text_and_read_back_equal(memory, store, tmp_path):
    logged = episode(1, ("order",), solved=True)
    logged["steps"][0] |= {"arguments": NESTED, "observation": [NESTED, {"ok": True}]}
    list(memory.ingest(log(tmp_path, [logged])))
    with memory.episode("order an egg", domain="kitchen", id="live") as recorder:
        recorder.step(tool="order", arguments=NESTED, observation=[NESTED, {"ok": True}])

    kept = memory.query("MATCH (s:Evidence) RETURN s.arguments AS arguments, s.observation AS observation")
    assert [(json.loads(row["arguments"]), json.loads(row["observation"])) for row in kept] == [
        (NESTED, [NESTED, {"ok": True}])
    ] * 2
    for key in ("test/e1", "test/live"):
        [row] = store.read(lambda tx, key=key: tx.run("evidence/of_episode", key=key))
        assert rows.evidence(row).arguments == NESTED
        assert rows.evidence(row).observation == [NESTED, {"ok": True}]


def test_times_of_the_engine_are_iso_8601_in_utc_once_they_are_json(place, store, monkeypatch):
    for name, value in environment(place).items():
        monkeypatch.setenv(name, value)
    cypher = (
        "RETURN datetime('2026-03-01T12:00:00+08:00') AS there, localdatetime('2026-03-01T12:00:00') AS local, "
        "date('2026-03-01') AS day, [{at: datetime('2026-03-01T12:00:00Z')}] AS nested"
    )

    answer = CliRunner().invoke(root, ["--store", place.location, "--namespace", "test", "query", cypher, "--json"])

    assert answer.exit_code == 0, answer.stderr
    [row] = json.loads(answer.stdout)
    assert datetime.fromisoformat(row["there"]) == datetime(2026, 3, 1, 4, tzinfo=UTC)
    assert row["there"].endswith("Z")
    assert row["local"] == row["nested"][0]["at"] == "2026-03-01T12:00:00Z"
    assert row["day"] == "2026-03-01"


def test_the_schema_asks_for_nothing_that_the_community_edition_lacks():
    statements = {name: queries.load(name).statement.upper() for name in queries.names()}
    constraints = [text for text in statements.values() if text.startswith("CREATE CONSTRAINT")]

    assert constraints
    assert [text for text in constraints if not text.endswith("IS UNIQUE")] == []
    assert [name for name, text in statements.items() if "CREATE DATABASE" in text or "APOC." in text] == []


def test_no_node_of_a_learned_graph_holds_a_list_that_grows_with_its_evidence(memory, store, tmp_path):
    few = kitchen(20)
    list(memory.ingest(log(tmp_path, few)))
    memory.evolve()
    longest = _longest_lists(store)

    list(memory.ingest(log(tmp_path, kitchen(60), "more.jsonl")))
    memory.evolve()

    assert _longest_lists(store) == longest
    supports = memory.query("MATCH (:Evidence)-[edge:SUPPORTS]->(:Policy) RETURN count(edge) AS edges")[0]["edges"]
    assert supports > 60


def _longest_lists(store) -> dict[str, int]:
    """Return the length of the longest list of each label and property, in JSON text too."""
    longest: dict[str, int] = {}
    for node in everything(store)[0]:
        for name, value in node["properties"].items():
            for found in _lists(json.loads(value) if name in rows.NESTED else value):
                place = f"{node['labels'][0]}.{name}"
                longest[place] = max(longest.get(place, 0), len(found))
    return longest


def _lists(value):
    if isinstance(value, list):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _lists(inner)


def stored(memory, path) -> list[str]:
    return [one.key for one in memory.ingest(path)]
