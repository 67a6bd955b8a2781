from __future__ import annotations

import re
from typing import Any

import pytest

from msce_graph.store import Store, queries

ALL = queries.names()
SCHEMA = [name for name in ALL if name.startswith("schema/")]
OTHERS = [name for name in ALL if name not in SCHEMA]
NUMBERS = {"limit", "k", "fetch", "count", "version", "dimensions"}
VECTORS = {"vector", "opposite"}


def parameters(query: queries.Query) -> dict[str, Any]:
    """Return values of the right shape, so that a plan can be made."""
    values: dict[str, Any] = dict.fromkeys(query.params)
    values |= {name: 1 for name in NUMBERS if name in values}
    return values | {name: [0.5] * 384 for name in VECTORS if name in values}


def final_columns(statement: str) -> list[str]:
    """Return the names of the columns that a statement's last RETURN gives."""
    found = [match for match in re.finditer(r"\bRETURN\b", statement) if _depth(statement[: match.start()]) == 0]
    if not found:
        return []
    clause = re.split(r"\b(?:ORDER BY|SKIP|LIMIT)\b", statement[found[-1].end() :])[0]
    clause = clause.strip().removeprefix("DISTINCT ")
    items, start = [], 0
    for place, letter in enumerate(clause):
        if letter == "," and _depth(clause[:place]) == 0:
            items.append(clause[start:place])
            start = place + 1
    return [item.split(" AS ")[-1].strip() for item in [*items, clause[start:]]]


def _depth(text: str) -> int:
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


@pytest.mark.parametrize("name", ALL)
def test_a_header_names_what_the_statement_takes_and_returns(name):
    query = queries.load(name)

    assert sorted(query.params) == sorted(set(re.findall(r"\$(\w+)", query.statement)))
    assert list(query.returns) == final_columns(query.statement)


@pytest.mark.parametrize("name", OTHERS)
def test_a_query_is_bound_to_a_namespace(name):
    assert "namespace" in queries.load(name).params


@pytest.mark.parametrize("name", ALL)
def test_a_query_returns_columns_and_no_whole_nodes(name):
    assert all(re.fullmatch(r"[a-z_][a-z_0-9]*", column) for column in queries.load(name).returns)


def test_every_query_can_be_planned(store: Store):
    with store.engine.session() as session:
        for name in OTHERS:
            query = queries.load(name)
            session.run(f"EXPLAIN {query.statement}", parameters(query)).consume()


def test_no_index_of_the_namespace_alone_hides_the_unique_keys(store: Store):
    with store.engine.session() as session:
        indexes = session.run("SHOW INDEXES YIELD name, properties RETURN name, properties").data()

    assert [index["name"] for index in indexes if index["properties"] == ["namespace"]] == []


def test_a_query_that_is_not_there_is_named():
    with pytest.raises(LookupError, match="episode/invent"):
        queries.load("episode/invent")


def test_a_file_without_its_header_is_refused():
    with pytest.raises(ValueError, match="episode/bare"):
        queries.Query.parse("episode/bare", "MATCH (n) RETURN n.key AS key")
