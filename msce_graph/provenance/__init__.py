"""What a node rests on, as a value, a networkx graph and texts: HTML, SVG, DOT, GraphML and JSON."""

from __future__ import annotations

from collections.abc import Callable

from msce_graph.provenance.drawing import svg
from msce_graph.provenance.interchange import as_json, dot, graphml
from msce_graph.provenance.page import html
from msce_graph.provenance.plain import plain
from msce_graph.provenance.subgraph import ProvenanceEdge, ProvenanceNode, Scalar, Subgraph, to_networkx

__all__ = [
    "FORMATS",
    "ProvenanceEdge",
    "ProvenanceNode",
    "Scalar",
    "Subgraph",
    "plain",
    "render",
    "to_networkx",
]

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
