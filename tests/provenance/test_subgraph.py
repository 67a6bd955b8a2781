from __future__ import annotations

import pytest

from msce_graph.provenance.subgraph import Subgraph, to_networkx
from tests.provenance.samples import bakery, edge, node

EGG = node("kitchen/egg", "Tool", "egg")


def test_a_graph_for_networkx_keeps_every_node_edge_and_property():
    subgraph = bakery(steps=4)

    graph = to_networkx(subgraph)

    assert set(graph) == {node.key for node in subgraph.nodes}
    assert graph.number_of_edges() == len(subgraph.edges)
    assert graph.nodes["kitchen/policy"] == {
        "label": "Policy",
        "title": "Knead before baking",
        "status": "active",
        "gain": 0.31,
    }
    assert graph.graph["omitted"] == [{"parent": "kitchen/policy", "label": "Evidence", "count": 41}]


def test_two_edges_of_one_type_between_two_steps_are_both_kept():
    steps = (node("kitchen/a", "Evidence", "a"), node("kitchen/b", "Evidence", "b"))
    edges = tuple(edge("kitchen/b", "DERIVES_FROM", "kitchen/a", argument=name) for name in ("flour", "water"))

    graph = to_networkx(Subgraph(root="kitchen/b", nodes=steps, edges=edges))

    assert [told["argument"] for _, _, told in graph.edges(data=True)] == ["flour", "water"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"root": "kitchen/ham"}, "kitchen/ham"),
        ({"edges": (edge("kitchen/egg", "USES", "kitchen/ham"),)}, "kitchen/ham"),
        ({"omitted": {("kitchen/ham", "Evidence"): 1}}, "kitchen/ham"),
        ({"nodes": (EGG, EGG)}, "shown twice"),
    ],
)
def test_a_subgraph_names_only_what_it_shows_and_shows_it_once(given, said):
    with pytest.raises(ValueError, match=said):
        Subgraph(**{"root": "kitchen/egg", "nodes": (EGG,), **given})
