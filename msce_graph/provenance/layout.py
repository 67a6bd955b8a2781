"""Places for the nodes of a subgraph: columns from what was learned to what it was learned from, with few crossings."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass

from msce_graph.provenance import vocabulary
from msce_graph.provenance.subgraph import ProvenanceNode, Subgraph

WIDTH, HEIGHT = 190, 64
"""Of a node's card, in pixels."""
MARGIN = 24
_GAP_X, _GAP_Y = 58, 14
_GAP_WITHIN = 22
"""Between the parts of a column that was too tall for one."""
_WIDEST = 1.75
"""The proportion of width to height at which columns are no longer broken."""
_FEWEST_ROWS = 10

_RELATIONS = {"SUPPORTS": 0, "CONTRADICTS": 1, "BORDERS": 2}


@dataclass(frozen=True, slots=True)
class Card:
    """A place; `left` and `top` in pixels. Without a node it stands for `count` neighbours of `key` left out."""

    left: float
    top: float
    node: ProvenanceNode | None
    key: str
    label: str
    count: int

    @property
    def right(self) -> float:
        """Its right side."""
        return self.left + WIDTH

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return self.top + HEIGHT / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """Cards by column, left to right and top to bottom, in a picture of this size."""

    width: float
    height: float
    cards: tuple[Card, ...]


_Place = tuple[str, str]
"""A node's key and an empty label, or the parent and label of what was left out."""


def layout(subgraph: Subgraph) -> Layout:
    """Return the places of all nodes and of one card for each count left out; the same subgraph, the same places."""
    nodes = {node.key: node for node in subgraph.nodes}
    columns = [column for _, column in sorted(_columns(subgraph).items())]
    rows = _rows([len(column) for column in columns])
    height = 2 * MARGIN + _extent(min(rows, max(map(len, columns))), HEIGHT, _GAP_Y)
    cards: list[Card] = []
    left: float = MARGIN
    for column in columns:
        parts = math.ceil(len(column) / rows)
        tall = math.ceil(len(column) / parts)
        for part in range(parts):
            places = column[part * tall : (part + 1) * tall]
            top = (height - _extent(len(places), HEIGHT, _GAP_Y)) / 2
            for row, (key, label) in enumerate(places):
                node = None if label else nodes[key]
                count = subgraph.omitted.get((key, label), 0)
                cards.append(Card(left, top + row * (HEIGHT + _GAP_Y), node, key, label or nodes[key].label, count))
            left += WIDTH + (_GAP_X if part == parts - 1 else _GAP_WITHIN)
    return Layout(width=left - _GAP_X + MARGIN, height=height, cards=tuple(cards))


def natural(key: str) -> list[tuple[int, str]]:
    """Return what sorts a key with its numbers as numbers: step 9 before step 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", key)]


def _columns(subgraph: Subgraph) -> dict[int, list[_Place]]:
    """Return the places of each column, ordered so that neighbours in other columns stand at the same height."""
    columns: dict[int, list[_Place]] = defaultdict(list)
    for node in subgraph.nodes:
        columns[vocabulary.label(node.label).column].append((node.key, ""))
    for parent, label in subgraph.omitted:
        columns[vocabulary.label(label).column].append((parent, label))
    start = max(columns, key=lambda column: (len(columns[column]), column))
    relation = _relations(subgraph)
    columns[start].sort(key=lambda place: (bool(place[1]), relation.get(place[0], 3), natural(place[0]), place[1]))
    heights = _heights(columns[start])
    neighbours = _neighbours(subgraph)

    def beside(place: _Place) -> tuple[object, ...]:
        return bool(place[1]), _mean_height(place, neighbours, heights), natural(place[0]), place[1]

    rightwards = sorted(column for column in columns if column > start)
    leftwards = sorted((column for column in columns if column < start), reverse=True)
    for column in [*rightwards, *leftwards]:
        columns[column].sort(key=beside)
        heights |= _heights(columns[column])
    return columns


def _relations(subgraph: Subgraph) -> dict[str, int]:
    """Return for each step the first of its relations to a policy, so that support stands together."""
    found: dict[str, int] = {}
    for edge in subgraph.edges:
        if edge.type in _RELATIONS:
            found[edge.source] = min(_RELATIONS[edge.type], found.get(edge.source, 3))
    return found


def _neighbours(subgraph: Subgraph) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for edge in subgraph.edges:
        found[edge.source].append(edge.target)
        found[edge.target].append(edge.source)
    return found


def _heights(column: list[_Place]) -> dict[str, float]:
    """Return where in a column, in 0..1, each node stands."""
    return {key: (row + 0.5) / len(column) for row, (key, label) in enumerate(column) if not label}


def _mean_height(place: _Place, neighbours: dict[str, list[str]], heights: dict[str, float]) -> float:
    known = [heights[key] for key in neighbours.get(place[0], ()) if key in heights]
    return round(sum(known) / len(known), 9) if known else 1.0


def _rows(lengths: list[int]) -> int:
    """Return the rows at which the longest columns are broken: the fewest that keep the picture in proportion."""
    for rows in range(_FEWEST_ROWS, max(_FEWEST_ROWS, *lengths) + 1):
        parts = [math.ceil(length / rows) for length in lengths]
        width = sum(count * (WIDTH + _GAP_WITHIN) for count in parts) + len(parts) * (_GAP_X - _GAP_WITHIN)
        if width <= _WIDEST * _extent(rows, HEIGHT, _GAP_Y):
            return rows
    return max(_FEWEST_ROWS, *lengths)


def _extent(count: int, size: int, gap: int) -> int:
    return count * (size + gap) - gap
