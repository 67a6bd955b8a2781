from __future__ import annotations

import base64
import hashlib
import io
import json
import random
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msce_graph.provenance.drawing import text_of
from msce_graph.provenance.formats import FORMATS, render
from msce_graph.provenance.plain import plain
from msce_graph.provenance.subgraph import Subgraph, to_networkx
from tests.provenance.samples import HOSTILE, SHOWN, bakery

TEXTS = st.one_of(
    st.text(max_size=80),
    st.sampled_from(
        [
            HOSTILE,
            "<!--<script>",
            "]]>",
            '" onload="alert(1)',
            "{{ 7 * 7 }}{% raw %}",
            "</style><img src=x>",
            "\u2028&lt;",
            '\\N\\"];a->b[',
        ]
    ),
)


class Page(HTMLParser):
    """The tags of a page with their attributes, and the text within each script and style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.raw.append(data)
        else:
            self.text += data

    def shape(self) -> set[tuple[str, str]]:
        return {(tag, name) for tag, attributes in self.tags for name in ["", *attributes]}

    def data(self) -> dict:
        [text] = [text for text in self.raw if text.startswith("{")]
        return json.loads(text)


@pytest.mark.parametrize("format_", FORMATS)
def test_the_same_subgraph_gives_the_same_text(format_):
    assert render(bakery(), format_) == render(bakery(), format_)


@pytest.mark.parametrize("format_", ["json", "graphml", "dot"])
def test_the_order_in_which_nodes_were_found_changes_nothing(format_):
    subgraph = bakery()
    nodes, edges = list(subgraph.nodes), list(subgraph.edges)
    random.Random(7).shuffle(nodes)
    random.Random(7).shuffle(edges)
    other = Subgraph(root=subgraph.root, nodes=tuple(nodes), edges=tuple(edges), omitted=subgraph.omitted)

    assert render(other, format_) == render(subgraph, format_)


@pytest.mark.parametrize("format_", FORMATS)
def test_what_was_left_out_is_told(format_):
    text = render(bakery(), format_)

    assert "and 41 more evidence" in text or re.search(r'"count": 41|<data key="omitted_Evidence">41</data>', text)


def test_an_unknown_format_is_refused_with_those_that_are_known():
    with pytest.raises(ValueError, match="'pdf' is none of html, svg, dot, graphml, json"):
        render(bakery(), "pdf")


@given(TEXTS)
def test_json_gives_the_graph_again(text):
    subgraph = bakery(text=text, steps=2)

    written = render(subgraph, "json")

    read = nx.node_link_graph(json.loads(written), edges="edges")
    assert nx.utils.graphs_equal(read, to_networkx(subgraph))
    assert written.isascii()
    assert plain(written) == written


@settings(max_examples=40)
@given(TEXTS)
def test_graphml_is_read_back_with_its_text_made_plain(text):
    subgraph = bakery(text=text, steps=2)

    read = nx.read_graphml(io.BytesIO(render(subgraph, "graphml").encode()))

    assert read.number_of_edges() == len(subgraph.edges)
    assert (read.nodes["kitchen/published"].get("reason") or "") == plain(text)


@settings(max_examples=40)
@given(TEXTS)
def test_svg_is_xml_that_loads_and_runs_nothing_whatever_the_log_says(text):
    root = ElementTree.fromstring(render(bakery(text=text, steps=2), "svg"))

    names = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert names <= {"svg", "title", "style", "rect", "defs", "marker", "g", "path", "text"}
    assert not [name for name in attributes if name.startswith("on") or name.endswith("href")]


@settings(max_examples=40)
@given(TEXTS)
def test_the_page_has_the_same_tags_whatever_the_log_says(text):
    page = Page(render(bakery(text=text, steps=2), "html"))

    assert page.shape() == Page(render(bakery(text="knead the dough", steps=2), "html")).shape()
    assert [tag for tag, _ in page.tags].count("script") == 2
    details = {node["key"]: dict(node["details"]) for node in page.data()["nodes"]}
    assert details["kitchen/published"]["reason"] == plain(text)


@given(TEXTS)
def test_every_line_of_dot_is_one_statement_whatever_the_log_says(text):
    string = r'"(?:[^"\\]|\\.)*"'
    statement = (
        rf"  {string}(?: -> {string})? \[label={string}, [^\]\"]*\];|  {string} -> {string} \[style=dotted, .*\];"
    )

    first, attributes, *lines, last = render(bakery(text=text, steps=2), "dot").removesuffix("\n").split("\n")

    assert (first, attributes[:9], last) == ("digraph provenance {", "  graph [", "}")
    assert [line for line in lines if not re.fullmatch(statement, line)] == []


def test_a_page_loads_nothing_and_its_policy_allows_its_own_style_and_script_alone():
    page = Page(render(bakery(), "html"))

    [policy] = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    hashes = {base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in page.raw}
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert set(re.findall(r"'sha256-([^']+)'", policy)) < hashes
    assert "unsafe" not in policy
    links = [a[name] for _, a in page.tags for name in ("src", "href", "style", "action") if name in a]
    assert links == ["#outline"]


def test_a_page_shows_log_text_with_what_would_steer_it_made_visible():
    page = Page(render(bakery(), "html"))

    assert SHOWN in page.text
    assert not re.search("[\x00-\x08\x1b\u202e]", page.text + "".join(page.raw))


def test_a_page_of_300_nodes_of_long_chinese_markup_stays_under_a_megabyte():
    subgraph = bakery(steps=196, text="<揉面&发酵>" * 600)

    page = render(subgraph, "html")

    assert len(subgraph.nodes) >= 299
    assert len(page.encode()) < 1_000_000


def test_a_short_page_cuts_no_detail():
    text = "knead " * 300

    details = Page(render(bakery(text=text), "html")).data()["nodes"][2]["details"]

    assert details == [["reason", text]]


@pytest.mark.parametrize("is_dark", [False, True])
def test_colours_stand_out_from_what_they_lie_on(is_dark):
    light, dark = (dict(re.findall(r"--([a-z]+): (#\w{6});", part)) for part in text_of("drawing.css").split("@media"))
    colours = dark if is_dark else light
    text = {"ink", "soft"}
    marks = {
        "for",
        "against",
        "neutral",
        "strong",
        "decision",
        "skill",
        "policy",
        "tool",
        "evidence",
        "episode",
        "task",
    }

    for ground in ("ground", "paper"):
        for name in text:
            assert _contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        for name in marks:
            assert _contrast(colours[name], colours[ground]) >= 3, (name, ground)


def _contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2 between two colours, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
