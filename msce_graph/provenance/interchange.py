"""A subgraph for other programs: JSON, GraphML and DOT."""

from __future__ import annotations

import json

import networkx as nx

from msce_graph.provenance import vocabulary
from msce_graph.provenance.drawing import omission, title
from msce_graph.provenance.plain import plain, shortened
from msce_graph.provenance.subgraph import Scalar, Subgraph, ordered, to_networkx

_DOT_SHAPES = {"Skill": "star", "Policy": "house", "Evidence": "ellipse", "Episode": "box", "Task": "triangle"}
_DOT_STYLES = {"for": "solid", "against": "dashed", "neutral": "dotted", "strong": "bold", "faint": "solid"}
_DOT_TITLE = 60


def as_json(subgraph: Subgraph) -> str:
    """Return networkx' node-link JSON, sorted, and in ASCII so that it steers no terminal."""
    graph = nx.node_link_data(to_networkx(subgraph), edges="edges")
    return json.dumps(graph, indent=1, sort_keys=True) + "\n"


def graphml(subgraph: Subgraph) -> str:
    """Return GraphML; characters that XML forbids, and those that do not show, stand as escapes."""
    given = to_networkx(subgraph)
    graph = nx.MultiDiGraph(root=plain(subgraph.root))
    graph.add_nodes_from((plain(key), _plain(values)) for key, values in given.nodes(data=True))
    graph.add_edges_from(
        (plain(source), plain(target), _plain(values)) for source, target, values in given.edges(data=True)
    )
    for (parent, label), count in sorted(subgraph.omitted.items()):
        graph.nodes[plain(parent)][f"omitted_{plain(label)}"] = count
    return "\n".join(nx.generate_graphml(graph, named_key_ids=True)) + "\n"


def dot(subgraph: Subgraph) -> str:
    """Return a Graphviz digraph, laid out from left to right."""
    lines = ["digraph provenance {", '  graph [rankdir=LR, fontname="sans-serif"];']
    for node in sorted(subgraph.nodes, key=lambda node: node.key):
        name = f"{vocabulary.label(node.label).name}\n{shortened(title(node), _DOT_TITLE)}"
        shape = _DOT_SHAPES.get(node.label, "diamond")
        pen = 3 if node.key == subgraph.root else 1
        lines.append(f"  {_quoted(node.key)} [label={_quoted(name)}, shape={shape}, penwidth={pen}];")
    for (parent, label), count in sorted(subgraph.omitted.items()):
        rest = _quoted(f"{parent} {label} omitted")
        lines.append(f"  {rest} [label={_quoted(omission(label, count))}, shape=plaintext];")
        lines.append(f"  {_quoted(parent)} -> {rest} [style=dotted, arrowhead=none];")
    lines += [
        f"  {_quoted(edge.source)} -> {_quoted(edge.target)} "
        f"[label={_quoted(edge.type)}, style={_DOT_STYLES[vocabulary.emphasis(edge.type)]}];"
        for edge in ordered(subgraph.edges)
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _plain(values: dict[str, Scalar]) -> dict[str, Scalar]:
    return {plain(name): plain(value) if isinstance(value, str) else value for name, value in values.items()}


def _quoted(text: str) -> str:
    r"""Return a DOT string; a backslash is doubled, since Graphviz reads `\N` and the like in labels."""
    escaped = plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
