"""What a person's own Cypher may do: nothing but read the graph, unless writing is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neo4j import ManagedTransaction
from neo4j.exceptions import Forbidden

from msce_graph.errors import QueryRefused
from msce_graph.store import rows
from msce_graph.store.engine import Engine


def query(engine: Engine, cypher: str, parameters: Mapping[str, Any], *, write: bool) -> list[rows.Row]:
    """Return the rows of a query; raise QueryRefused where it would do more than read and is not said to `write`."""
    bound = {name: rows.parameter(value) for name, value in parameters.items()}

    def run(tx: ManagedTransaction) -> list[rows.Row]:
        return [rows.of_record(record) for record in tx.run(cypher, bound)]

    with engine.translating():
        if write:
            with engine.session() as session:
                return session.execute_write(run)
        try:
            if reason := engine.more_than_reading(cypher, bound):
                raise QueryRefused(_refusal(reason))
            with engine.reading_session() as session:
                return session.execute_read(run)
        except Forbidden as error:
            raise QueryRefused(_refusal(str(error.message))) from error


def _refusal(reason: str) -> str:
    return f"this query would do more than read the graph ({reason}): give --write if that is meant"
