"""The formats that a subgraph can be written in."""

from __future__ import annotations

from collections.abc import Callable

from msce_graph.provenance.drawing import svg
from msce_graph.provenance.interchange import as_json, dot, graphml
from msce_graph.provenance.page import html
from msce_graph.provenance.subgraph import Subgraph

FORMATS: dict[str, Callable[[Subgraph], str]] = {
    "html": html,
    "svg": svg,
    "dot": dot,
    "graphml": graphml,
    "json": as_json,
}


def render(subgraph: Subgraph, format_: str) -> str:
    """Return the subgraph in one of FORMATS; raise ValueError for another."""
    if format_ not in FORMATS:
        raise ValueError(f"{format_!r} is none of {', '.join(FORMATS)}")
    return FORMATS[format_](subgraph)
