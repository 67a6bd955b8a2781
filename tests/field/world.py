"""What the tests of the field's faults share: a whole graph as plain values, and how a test server is named."""

from __future__ import annotations

from typing import Any

from msce_graph.store import Store
from tests.store_fixture import Place


def everything(store: Store) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return every node and every edge of the database with all properties, in the order of their keys."""
    nodes = store.query(
        "MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties ORDER BY labels(n)[0], n.key", write=True
    )
    edges = store.query(
        "MATCH (a)-[edge]->(b) RETURN a.key AS start, type(edge) AS type, b.key AS end, properties(edge) AS properties",
        write=True,
    )
    return nodes, sorted(edges, key=repr)


def environment(place: Place) -> dict[str, str]:
    """Return the variables by which a command finds the credentials of the test server."""
    given = {"NEO4J_USERNAME": place.username, "NEO4J_PASSWORD": place.password}
    return {name: value for name, value in given.items() if value is not None}
