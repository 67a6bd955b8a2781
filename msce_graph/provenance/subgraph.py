"""What a node of the graph rests on, as a value: the nodes shown, the edges between them and what was left out."""

from __future__ import annotations

from collections import Counter
from typing import Self

import networkx as nx
from pydantic import Field, model_validator

from msce_graph.records import Record

Scalar = str | int | float | bool


class ProvenanceNode(Record):
    """A node of the graph: its label in the vocabulary of the graph, a title for people, and its properties."""

    key: str
    label: str
    title: str
    details: dict[str, Scalar] = Field(default_factory=dict)


class ProvenanceEdge(Record):
    """An edge between two keys, with the properties it carries."""

    source: str
    target: str
    type: str
    details: dict[str, Scalar] = Field(default_factory=dict)


class Subgraph(Record):
    """The provenance of `root`, in a fixed order; `omitted` counts the neighbours of (parent key, label) not shown.

    Raises ValueError for a key given twice, and for a root, an edge or a count that names a node not shown.
    """

    root: str
    nodes: tuple[ProvenanceNode, ...]
    edges: tuple[ProvenanceEdge, ...] = ()
    omitted: dict[tuple[str, str], int] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_closed(self) -> Self:
        if repeated := [key for key, times in Counter(node.key for node in self.nodes).items() if times > 1]:
            raise ValueError(f"shown twice: {repeated}")
        named = [self.root, *(end for edge in self.edges for end in (edge.source, edge.target))]
        if absent := set(named).union(parent for parent, _ in self.omitted) - {node.key for node in self.nodes}:
            raise ValueError(f"named but not shown: {sorted(absent)}")
        return self


def to_networkx(subgraph: Subgraph) -> nx.MultiDiGraph:
    """Return the subgraph for networkx: keys as nodes; label, title, type and details as attributes.

    The graph's attributes are `root` and `omitted`, a list of parent, label and count.
    """
    graph = nx.MultiDiGraph(root=subgraph.root, omitted=omissions(subgraph))
    nodes = sorted(subgraph.nodes, key=lambda node: node.key)
    graph.add_nodes_from((node.key, {**node.details, "label": node.label, "title": node.title}) for node in nodes)
    graph.add_edges_from(
        (edge.source, edge.target, {**edge.details, "type": edge.type}) for edge in ordered(subgraph.edges)
    )
    return graph


def ordered(edges: tuple[ProvenanceEdge, ...]) -> list[ProvenanceEdge]:
    """Return the edges by source, target, type and details."""
    return sorted(edges, key=lambda edge: (edge.source, edge.target, edge.type, repr(sorted(edge.details.items()))))


def omissions(subgraph: Subgraph) -> list[dict[str, str | int]]:
    """Return what was left out as parent, label and count, by parent and label."""
    return [
        {"parent": parent, "label": label, "count": count}
        for (parent, label), count in sorted(subgraph.omitted.items())
    ]
