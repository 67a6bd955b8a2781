"""A subgraph as one HTML page that loads nothing: the picture, an outline of the same, search and details."""

from __future__ import annotations

import base64
import hashlib
import json

from markupsafe import Markup

from msce_graph.provenance import vocabulary
from msce_graph.provenance.drawing import TEMPLATES, carried, draw, legend, number, omission, text_of, title
from msce_graph.provenance.outline import outline
from msce_graph.provenance.plain import plain, shortened
from msce_graph.provenance.subgraph import ProvenanceNode, Subgraph, ordered

_PAGE_BYTES = 1_000_000
_DETAIL_LIMITS = (4_000, 2_000, 1_000, 500, 250, 120, 60)
"""Characters kept of one detail: the first that keeps the page within its bytes."""


def html(subgraph: Subgraph) -> str:
    """Return the page; text of logs stands in it as text, and its policy lets nothing be loaded or sent.

    Long details are cut so that a page of 300 nodes stays under 1 MB; JSON and GraphML hold them whole.
    """
    style = text_of("drawing.css") + text_of("page.css")
    script = text_of("page.js")
    labels, lines = legend(subgraph)
    template = TEMPLATES.get_template("page.html")
    words = {
        "content_policy": _content_policy(style, script),
        "style": Markup(style),  # noqa: S704 - the package's own file
        "script": Markup(script),  # noqa: S704 - the package's own file
        "root": subgraph.root,
        "titles": {node.key: title(node) for node in subgraph.nodes},
        "kinds": {node.key: vocabulary.label(node.label).name for node in subgraph.nodes},
        "places": {node.key: place for place, node in enumerate(subgraph.nodes)},
        "key": plain(subgraph.root, one_line=True),
        "drawn": draw(subgraph),
        "outline": outline(subgraph),
        "omission": omission,
        "labels": labels,
        "lines": lines,
        "counts": _counts(subgraph),
    }
    room = _PAGE_BYTES - len(template.render(words, data="").encode())
    sizes = (_data(subgraph, limit) for limit in _DETAIL_LIMITS[:-1])
    data = next((data for data in sizes if len(data.encode()) < room), None) or _data(subgraph, _DETAIL_LIMITS[-1])
    return template.render(words, data=data).lstrip() + "\n"


def _counts(subgraph: Subgraph) -> str:
    nodes, edges, omitted = len(subgraph.nodes), len(subgraph.edges), sum(subgraph.omitted.values())
    told = f"{nodes:,} node{'s' * (nodes != 1)}, {edges:,} edge{'s' * (edges != 1)}"
    return f"{told}, {omitted:,} not shown" if omitted else told


def _content_policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(subgraph: Subgraph, limit: int) -> Markup:
    """Return what the script reads, as JSON that no HTML parser takes for markup."""
    text = json.dumps(_told(subgraph, limit), ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - escaped above


def _told(subgraph: Subgraph, limit: int) -> dict[str, object]:
    """Return nodes with details, and edges as source and target place, words from either end, and details."""
    place = {node.key: position for position, node in enumerate(subgraph.nodes)}
    return {
        "root": place[subgraph.root],
        "nodes": [
            {
                "key": plain(node.key, one_line=True),
                "label": node.label,
                "kind": plain(vocabulary.label(node.label).name),
                "shape": vocabulary.label(node.label).outline,
                "title": title(node),
                "details": _details(node, limit),
            }
            for node in subgraph.nodes
        ],
        "edges": [
            [place[edge.source], place[edge.target], edge.type, ", ".join(carried(edge))]
            for edge in ordered(subgraph.edges)
        ],
        "phrases": {
            type_: [vocabulary.phrase(type_, is_outgoing=True), vocabulary.phrase(type_, is_outgoing=False)]
            for type_ in sorted({edge.type for edge in subgraph.edges})
        },
        "omitted": [
            [place[parent], omission(label, count)] for (parent, label), count in sorted(subgraph.omitted.items())
        ],
    }


def _details(node: ProvenanceNode, limit: int) -> list[list[str]]:
    """Return names and values in words, without what the title says already."""
    told = [[name.replace("_", " "), shortened(plain(number(value)), limit)] for name, value in node.details.items()]
    return [[name, value] for name, value in told if value != title(node)]
