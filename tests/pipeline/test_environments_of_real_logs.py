"""What real logs tell of their environments: the things that a person would say first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.records import EnvEntity
from msce_graph.settings import Settings
from msce_graph.store import Store
from tests.support import corpus


@pytest.fixture
def memory(store: Store) -> MemoryGraph:
    """A memory that spends no time on reflections, of which cognition of the environment makes nothing."""
    return MemoryGraph(store, embedder("hashing"), Settings(reflection="none"))


def learn(memory: MemoryGraph, log: Path) -> None:
    list(memory.ingest(log))
    memory.evolve()


def current(memory: MemoryGraph, domain: str) -> dict[str, EnvEntity]:
    return {one.statement: one for one in memory.environment(domain=domain, status="current")}


def test_a_reservation_is_changed_by_what_was_read_of_it_and_of_its_owner(memory):
    learn(memory, corpus("tau_bench_airline"))

    depends = memory.query("MATCH (a:Tool)-[:DEPENDS_ON]->(b:Tool) RETURN a.name AS tool, b.name AS source")
    assert {
        ("get_reservation_details", "get_user_details"),
        ("update_reservation_flights", "get_reservation_details"),
        ("cancel_reservation", "get_reservation_details"),
    } <= {(row["tool"], row["source"]) for row in depends}
    names = {one.name for one in memory.environment(kind="entity")}
    assert "economy" in names
    assert not any(len(name) == 6 and name.isupper() for name in names), "a reservation is no entity"


def test_a_thing_is_cleaned_at_a_sink_cooled_in_a_fridge_and_heated_in_a_microwave(memory, tmp_path):
    [log] = corpus("alfworld_knowagent").rglob("*.jsonl")
    told = ("pick_clean", "pick_cool", "pick_heat")
    rows = [line for line in log.read_text("utf-8").splitlines() if json.loads(line)["name"].startswith(told)]
    (tmp_path / log.name).write_text("\n".join(rows), "utf-8")

    learn(memory, tmp_path / log.name)

    for verb, where in (("clean", "sinkbasin"), ("cool", "fridge"), ("heat", "microwave")):
        known = current(memory, f"pick_{verb}_then_place_in_recep")
        assert f"Wherever `{verb}` worked, it was given `{where}`." in known
        assert f"`{verb}` works only after `take`." in known


def test_a_database_tells_its_tables_their_columns_and_which_of_them_join(memory, tmp_path):
    [log] = corpus("intercode_sql").rglob("*.json")
    runs = json.loads(log.read_text("utf-8"))
    (tmp_path / log.name).write_text(json.dumps(dict(list(runs.items())[:FIRST])), "utf-8")

    learn(memory, tmp_path / log.name)

    known = current(memory, "ic_sql/dev_spider")
    assert {
        "`car_1` is a database.",
        "`cars_data` is a table of `car_1`.",
        "`Horsepower` is a column of `cars_data`.",
        "`car_makers` and `countries` can be joined.",
        "`DESCRIBE` takes `tables` from the result of `SHOW`.",
    } <= known.keys()
    assert any("doesn't exist" in text and text.endswith("`SHOW` lifts it.") for text in known)


FIRST = 250
"""Runs of the SQL log, which is sorted by database, that the first databases need."""
