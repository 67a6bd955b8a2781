from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from msce_graph.provenance.layout import HEIGHT, WIDTH, layout
from msce_graph.provenance.outline import Entry, outline
from msce_graph.provenance.subgraph import Subgraph
from msce_graph.provenance.vocabulary import LABELS
from tests.provenance.samples import bakery, edge, node


@st.composite
def subgraphs(draw):
    labels = draw(st.lists(st.sampled_from([*LABELS, "Unheard"]), min_size=1, max_size=60))
    keys = [f"kitchen/{place}" for place in range(len(labels))]
    ends = st.tuples(st.sampled_from(keys), st.sampled_from(["SUPPORTS", "USES", "UNHEARD"]), st.sampled_from(keys))
    return Subgraph(
        root=draw(st.sampled_from(keys)),
        nodes=tuple(node(key, label, key) for key, label in zip(keys, labels, strict=True)),
        edges=tuple(edge(*given) for given in draw(st.lists(ends, max_size=80))),
        omitted=draw(
            st.dictionaries(st.tuples(st.sampled_from(keys), st.sampled_from([*LABELS])), st.just(7), max_size=4)
        ),
    )


@given(subgraphs())
def test_every_node_and_every_count_has_a_place_of_its_own_within_the_picture(subgraph):
    placed = layout(subgraph)

    assert sorted(card.key for card in placed.cards if card.node) == sorted(node.key for node in subgraph.nodes)
    assert sum(card.node is None for card in placed.cards) == len(subgraph.omitted)
    for card in placed.cards:
        assert 0 <= card.left <= placed.width - WIDTH
        assert 0 <= card.top <= placed.height - HEIGHT
    for column in {card.left for card in placed.cards}:
        tops = sorted(card.top for card in placed.cards if card.left == column)
        assert all(below - above > HEIGHT for above, below in pairwise(tops))


@given(subgraphs())
def test_the_outline_tells_every_node_once(subgraph):
    def keys(entry: Entry) -> list[str]:
        return [entry.node.key, *(key for group in entry.groups for child in group.entries for key in keys(child))]

    told = keys(outline(subgraph))

    assert told[0] == subgraph.root
    assert sorted(told) == sorted(node.key for node in subgraph.nodes)


def test_what_was_learned_stands_left_of_what_it_was_learned_from():
    placed = layout(bakery())

    lefts = {card.label: card.left for card in placed.cards}

    assert lefts["Decision"] < lefts["Skill"] < lefts["Policy"] < lefts["Evidence"] < lefts["Episode"] < lefts["Task"]


def test_a_column_too_tall_is_broken_so_that_the_picture_keeps_its_proportion():
    placed = layout(bakery(steps=240))

    assert 1 < placed.width / placed.height < 2.5


def test_the_outline_says_support_before_contradiction():
    policy = outline(bakery()).groups[0].entries[0]

    words = [group.words for group in policy.groups]

    assert words.index("supported by") < words.index("contradicted by") < words.index("bordered by")
    assert policy.groups[-1].omitted == (("Evidence", 41),)
