"""A subgraph as an SVG picture, in light or dark as the viewer prefers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from importlib import resources
from itertools import accumulate

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from msce_graph.provenance import vocabulary
from msce_graph.provenance.layout import HEIGHT, WIDTH, Card, layout
from msce_graph.provenance.plain import plain, shortened
from msce_graph.provenance.subgraph import ProvenanceEdge, ProvenanceNode, Scalar, Subgraph, ordered

TEMPLATES = Environment(
    loader=PackageLoader("msce_graph.provenance", "."),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TITLE_CELLS = 20
"""Latin letters that fit on a line of a card."""
_TITLE_LIMIT, _LINE_LIMIT = 100, 24
"""Characters of a title in full, and of titles and values in the words of a line."""
_DENSE = 160
"""Edges from which a picture is dense."""
_LABELS = {"value": "V", "gain": "G", "reward": "R"}
_FACTS = {"Skill": ("status",), "Policy": ("status", "gain"), "Evidence": ("value",), "Episode": ("reward",)}
"""What a card says of a node besides its title."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card in words."""

    card: Card
    shape: str
    """Its outline as an SVG path."""
    caption: str
    title: tuple[str, ...]
    """One or two lines."""
    name: str
    """Label and title, for those who hear it."""
    place: int
    """Of its node, or of the node that it stands beside, among the nodes."""
    is_root: bool


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as an SVG path with its words."""

    path: str
    emphasis: str
    words: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A label or a kind of line that occurs in the picture."""

    words: str
    count: int
    kind: str
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """All that a template needs to draw."""

    width: float
    height: float
    card_width: int
    card_height: int
    is_dense: bool
    """Whether lines step back until a card is chosen."""
    cards: tuple[DrawnCard, ...]
    lines: tuple[Line, ...]
    name: str


def svg(subgraph: Subgraph) -> str:
    """Return the subgraph as one SVG document that loads nothing; text of logs stands in it as text."""
    style = Markup(text_of("drawing.css"))  # noqa: S704 - the package's own file
    return TEMPLATES.get_template("drawing.html").render(drawing=draw(subgraph), style=style).lstrip() + "\n"


def draw(subgraph: Subgraph) -> Drawing:
    """Return the cards and lines of a subgraph."""
    placed = layout(subgraph)
    cards = {card.key: card for card in placed.cards if card.node}
    titles = {node.key: title(node) for node in subgraph.nodes}
    places = {node.key: place for place, node in enumerate(subgraph.nodes)}
    short = {key: shortened(text, _LINE_LIMIT) for key, text in titles.items()}
    return Drawing(
        width=placed.width,
        height=placed.height,
        card_width=WIDTH,
        card_height=HEIGHT,
        is_dense=len(subgraph.edges) > _DENSE,
        cards=tuple(
            _drawn(card, titles[card.key], places[card.key], is_root=card.key == subgraph.root) for card in placed.cards
        ),
        lines=tuple(_line(edge, cards, short) for edge in ordered(subgraph.edges)),
        name=f"Provenance of {titles[subgraph.root]}",
    )


def legend(subgraph: Subgraph) -> tuple[tuple[LegendEntry, ...], tuple[LegendEntry, ...]]:
    """Return the labels in the order of their columns, and the kinds of lines, each with how often it occurs."""
    labels = Counter(node.label for node in subgraph.nodes)
    lines = Counter(edge.type for edge in subgraph.edges if edge.type in vocabulary.EMPHASIS)
    shown = sorted(labels, key=lambda name: (vocabulary.label(name).column, name))
    told = [name for name in vocabulary.EMPHASIS if name in lines]
    known = {name: vocabulary.label(name) for name in shown}
    return (
        tuple(LegendEntry(known[name].plural, labels[name], name, known[name].outline) for name in shown),
        tuple(
            LegendEntry(vocabulary.phrase(name, is_outgoing=True), lines[name], vocabulary.EMPHASIS[name])
            for name in told
        ),
    )


def title(node: ProvenanceNode) -> str:
    """Return the title of a node on one line, or its key where it has none, cut to 100 characters."""
    return shortened(plain(node.title, one_line=True) or plain(node.key, one_line=True), _TITLE_LIMIT)


def number(value: Scalar) -> str:
    """Return a value for people: numbers with at most four significant decimals, truth as yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def omission(label: str, count: int) -> str:
    """Return how what was left out is said: and 41 more evidence."""
    known = vocabulary.label(label)
    return f"and {count:,} more {(known.name if count == 1 else known.plural).lower()}"


def carried(edge: ProvenanceEdge) -> list[str]:
    """Return what an edge carries, each as a name and a value cut to 24 characters, by name."""
    return [
        f"{name} {shortened(plain(number(value), one_line=True), _LINE_LIMIT)}"
        for name, value in sorted(edge.details.items())
    ]


def text_of(name: str) -> str:
    """Return a file of this package as text."""
    return resources.files("msce_graph.provenance").joinpath(name).read_text(encoding="utf-8")


def _drawn(card: Card, full: str, place: int, *, is_root: bool) -> DrawnCard:
    known = vocabulary.label(card.label)
    if card.node is None:
        words = omission(card.label, card.count)
        name = f"{words}, not shown, beside {full}"
        return DrawnCard(card, known.outline, "not shown", (words,), name, place, is_root=False)
    caption = " · ".join([plain(known.name), *_facts(card.node)])
    return DrawnCard(card, known.outline, caption, _wrapped(full, _TITLE_CELLS), f"{caption}: {full}", place, is_root)


def _facts(node: ProvenanceNode) -> list[str]:
    return [_fact(name, node.details[name]) for name in _FACTS.get(node.label, ()) if name in node.details]


def _fact(name: str, value: Scalar) -> str:
    if isinstance(value, float | int) and name in _LABELS:
        return f"{_LABELS[name]} {value:+.2f}".replace("-", "\N{MINUS SIGN}")
    return plain(str(value), one_line=True)


def _wrapped(text: str, cells: int) -> tuple[str, ...]:
    """Return a text in at most two lines of so many cells; a wide (Chinese) character takes two."""
    end = _fitting(text, cells)
    if end == len(text):
        return (text,)
    space = text.rfind(" ", cells // 3, end + 1)
    first, rest = (text[:end], text[end:]) if space < 0 else (text[:space], text[space + 1 :])
    end = _fitting(rest, cells)
    return first, rest if end == len(rest) else rest[: end - 1].rstrip() + "…"


def _fitting(text: str, cells: int) -> int:
    """Return how many characters of a text fit in so many cells."""
    widths = accumulate(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
    return sum(1 for width in widths if width <= cells)


def _line(edge: ProvenanceEdge, cards: dict[str, Card], titles: dict[str, str]) -> Line:
    words = vocabulary.phrase(edge.type, is_outgoing=True)
    return Line(
        path=_curve(cards[edge.source], cards[edge.target]),
        emphasis=vocabulary.emphasis(edge.type),
        words=", ".join([f"{titles[edge.source]} {words} {titles[edge.target]}", *carried(edge)]),
        source=edge.source,
        target=edge.target,
    )


def _curve(source: Card, target: Card) -> str:
    """Return a curve between the facing sides of two cards, or around the right of two in one column."""
    if source.left == target.left:
        bend = source.right + 34
        return (
            f"M{source.right:g} {source.middle:g}C{bend:g} {source.middle:g} {bend:g} {target.middle:g} "
            f"{target.right:g} {target.middle:g}"
        )
    rightwards = source.left < target.left
    start, end = (source.right, target.left) if rightwards else (source.left, target.right)
    reach = max(30, abs(end - start) / 2) * (1 if rightwards else -1)
    return (
        f"M{start:g} {source.middle:g}C{start + reach:g} {source.middle:g} {end - reach:g} {target.middle:g} "
        f"{end:g} {target.middle:g}"
    )
