"""Records as rows of properties and back, and values as the driver takes and gives them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from neo4j import Record
from neo4j.graph import Node as GraphNode
from neo4j.graph import Path as GraphPath
from neo4j.graph import Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time

from msce_graph.records import Decision, EnvEntity, Episode, Evidence, Node, Policy, Skill

Row = dict[str, Any]
N = TypeVar("N", bound=Node)

NESTED = frozenset({"arguments", "observation", "told", "procedure", "tally"})
"""Fields of unknown or nested shape, which a property holds as JSON text."""

_PLAIN = frozenset({str, int, float, bool})

_UTC = ZoneInfo("UTC")  # the embedded engine forgets the zone of a fixed offset
_SCALARS = (str, int, float, type(None))


def properties(node: Node) -> Row:
    """Return every property of a node: key, scalars and lists of them, JSON text for what is nested.

    Null stays, so that writing the row removes what the record no longer has. A vector that is empty or all zeros has
    no direction and counts as none: engines refuse to compare it.
    """
    row: Row = {"key": node.key}
    for name, value in node.model_dump().items():
        row[name] = json_text(value) if name in NESTED else value
    if "embedding" in row:
        row["embedding"] = list(row["embedding"]) if any(row["embedding"]) else None
    return row


def episode(row: Mapping[str, Any]) -> Episode:
    """Return the episode of a row; columns that are no field of it are left out."""
    return _record(Episode, row)


def evidence(row: Mapping[str, Any]) -> Evidence:
    """Return the step of a row; columns that are no field of it are left out."""
    return _record(Evidence, row)


def policy(row: Mapping[str, Any]) -> Policy:
    """Return the policy of a row; columns that are no field of it are left out."""
    return _record(Policy, row)


def skill(row: Mapping[str, Any]) -> Skill:
    """Return the skill of a row; columns that are no field of it are left out."""
    return _record(Skill, row)


def environment_entity(row: Mapping[str, Any]) -> EnvEntity:
    """Return the statement about an environment of a row; columns that are no field of it are left out."""
    return _record(EnvEntity, row)


def decision(row: Mapping[str, Any]) -> Decision:
    """Return the decision of a row; columns that are no field of it are left out."""
    return _record(Decision, row)


def put_row(node: Node) -> Row:
    """Return what a `put` query takes of a node: its key, its time of creation and its properties without that time.

    The time stands apart because it is set only when the node is created.
    """
    row = properties(node)
    return {"key": node.key, "created_at": row.pop("created_at"), "properties": row}


def json_text(value: object) -> str:
    """Return a JSON value as canonical text: sorted names, no spaces, no escapes beyond what JSON asks for."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def parameter(value: object) -> Any:
    """Return a value as the driver is to send it: every time in the one form of UTC that engines compare alike."""
    if isinstance(value, _SCALARS):  # first: most values are, and mappings are slow to tell
        return value
    if isinstance(value, datetime):
        return value.astimezone(_UTC)
    if isinstance(value, dict | Mapping):  # a dict is told at once
        return {name: parameter(item) for name, item in value.items()}
    if isinstance(value, list | tuple) and not (value and isinstance(value[0], float)):  # vectors hold no times
        return [parameter(item) for item in value]
    return value


def result(value: object) -> Any:
    """Return a value that the driver gave as plain Python: times in UTC, nodes, edges and paths as mappings."""
    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, list):
        return value if value and isinstance(value[0], float) else [result(item) for item in value]
    if isinstance(value, dict):
        return {name: result(item) for name, item in value.items()}
    if isinstance(value, DateTime | Date | Time):
        return _time(value)
    if isinstance(value, Duration):
        return value.iso_format()
    if isinstance(value, Point):
        return {"srid": value.srid, "coordinates": list(value)}
    if isinstance(value, GraphNode | Relationship | GraphPath):
        return _graph(value)
    return value


def of_record(record: Record) -> Row:
    """Return a record of the driver as plain Python, column by column."""
    return {name: result(value) for name, value in dict(record).items()}


def _time(value: DateTime | Date | Time) -> datetime | date | time:
    native = value.to_native()
    if isinstance(native, datetime):
        return native.replace(tzinfo=UTC) if native.tzinfo is None else native.astimezone(UTC)
    return native


def _graph(value: GraphNode | Relationship | GraphPath) -> Row:
    if isinstance(value, GraphNode):
        return {"labels": sorted(value.labels), "properties": result(dict(value.items()))}
    if isinstance(value, Relationship):
        ends = [None if node is None else node.get("key") for node in value.nodes]
        return {"type": value.type, "from": ends[0], "to": ends[1], "properties": result(dict(value.items()))}
    return {"nodes": [result(node) for node in value.nodes], "edges": [result(edge) for edge in value.relationships]}


def _record(model: type[N], row: Mapping[str, Any]) -> N:
    given = {name: value for name, value in row.items() if name in model.model_fields}
    kept = {n: v for n, v in given.items() if v is not None or model.model_fields[n].is_required()}
    return model.model_validate({n: json.loads(v) if n in NESTED and v is not None else v for n, v in kept.items()})
