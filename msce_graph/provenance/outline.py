"""A subgraph told as nested lists, for those who read or hear it rather than see it."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass

from msce_graph.provenance import vocabulary
from msce_graph.provenance.subgraph import ProvenanceNode, Subgraph


@dataclass(frozen=True, slots=True)
class Group:
    """The nodes that stand in one relation to another, and what was left out beside it."""

    words: str
    entries: tuple[Entry, ...]
    omitted: tuple[tuple[str, int], ...] = ()
    """Label and count."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A node, and under it what was first reached through it."""

    node: ProvenanceNode
    groups: tuple[Group, ...]


def outline(subgraph: Subgraph) -> Entry:
    """Return the root with every shown node below it exactly once, each where the fewest edges lead to it."""
    nodes = {node.key: node for node in subgraph.nodes}
    below = _tree(subgraph, nodes)
    reached = {child for children in below.values() for _, child in children}
    below[subgraph.root] += [("also shown", key) for key in nodes if key not in reached and key != subgraph.root]
    return _entry(subgraph, subgraph.root, nodes, below)


def _tree(subgraph: Subgraph, nodes: dict[str, ProvenanceNode]) -> dict[str, list[tuple[str, str]]]:
    """Return for each node the words and key of each neighbour that is reached through it, breadth first."""
    place = {key: position for position, key in enumerate(nodes)}
    order = {type_: position for position, type_ in enumerate(vocabulary.PHRASES)}
    neighbours: dict[str, list[tuple[str, bool, str]]] = defaultdict(list)
    for edge in subgraph.edges:
        neighbours[edge.source].append((edge.type, True, edge.target))
        neighbours[edge.target].append((edge.type, False, edge.source))

    def rank(neighbour: tuple[str, bool, str]) -> tuple[object, ...]:
        type_, is_outgoing, key = neighbour
        return _rank(nodes[key]), order.get(type_, len(order)), type_, is_outgoing, place[key]

    below: dict[str, list[tuple[str, str]]] = defaultdict(list)
    seen, waiting = {subgraph.root}, deque([subgraph.root])
    while waiting:
        key = waiting.popleft()
        for type_, is_outgoing, other in sorted(neighbours[key], key=rank):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
                below[key].append((vocabulary.phrase(type_, is_outgoing=is_outgoing), other))
    return below


def _entry(
    subgraph: Subgraph, key: str, nodes: dict[str, ProvenanceNode], below: dict[str, list[tuple[str, str]]]
) -> Entry:
    grouped: dict[str, list[Entry]] = {}
    for words, child in below[key]:
        grouped.setdefault(words, []).append(_entry(subgraph, child, nodes, below))
    groups = [Group(words, tuple(entries)) for words, entries in grouped.items()]
    omitted = tuple((label, count) for (parent, label), count in sorted(subgraph.omitted.items()) if parent == key)
    if omitted:
        groups.append(Group("not shown", (), omitted))
    return Entry(nodes[key], tuple(groups))


def _rank(node: ProvenanceNode) -> tuple[bool, int]:
    """Return what sorts decisions and the like last, the rest as the picture's columns stand."""
    column = vocabulary.label(node.label).column
    return column == 0, column
