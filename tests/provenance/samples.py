"""A subgraph made by hand: a skill, its policy, steps for and against, and text that would like to be markup."""

from __future__ import annotations

from itertools import pairwise

from msce_graph.provenance.subgraph import ProvenanceEdge, ProvenanceNode, Subgraph

HOSTILE = "</script><script>title='owned'</script> [link=//x.test]a[/link] \x1b[31mred\x07 \u202egnp.exe"
SHOWN = "</script><script>title='owned'</script> [link=//x.test]a[/link] \\x1b[31mred\\x07 \\u202egnp.exe"


def node(key: str, label: str, title: str, **details: str | int | float | bool) -> ProvenanceNode:
    return ProvenanceNode(key=key, label=label, title=title, details=details)


def edge(source: str, type_: str, target: str, **details: str | int | float | bool) -> ProvenanceEdge:
    return ProvenanceEdge(source=source, target=target, type=type_, details=details)


def bakery(*, steps: int = 6, text: str = HOSTILE) -> Subgraph:
    """Return the provenance of a skill of baking, one episode for each two steps; `text` is what the log said."""
    evidence = [f"kitchen/bread-{number // 2}#{number}" for number in range(steps)]
    episodes = list(dict.fromkeys(key.split("#")[0] for key in evidence))
    relations = ("SUPPORTS", "CONTRADICTS", "BORDERS")
    return Subgraph(
        root="kitchen/skill",
        nodes=(
            node("kitchen/skill", "Skill", "Bake bread", status="active", reliability=0.8333333),
            node("kitchen/policy", "Policy", "Knead before baking", status="active", gain=0.31),
            node("kitchen/published", "Decision", "publish: → trial", reason=text),
            node("kitchen/oven", "Tool", "oven"),
            node("kitchen/loaf", "Task", "Bake a loaf"),
            *(node(key, "Episode", key, reward=1.0, solved=True) for key in episodes),
            *(node(key, "Evidence", text, value=0.9, observation=f"{text}\nsecond line") for key in evidence),
        ),
        edges=(
            edge("kitchen/skill", "CRYSTALLIZED_FROM", "kitchen/policy"),
            edge("kitchen/published", "ABOUT", "kitchen/skill"),
            edge("kitchen/policy", "USES", "kitchen/oven"),
            *(edge(key, "ATTEMPTS", "kitchen/loaf") for key in episodes),
            *(edge(key.split("#")[0], "HAS_STEP", key) for key in evidence),
            *(edge(key, "CALLED", "kitchen/oven") for key in evidence),
            *(edge(key, relations[place % 3], "kitchen/policy", similarity=0.75) for place, key in enumerate(evidence)),
            *(edge(b, "DERIVES_FROM", a, argument=text) for a, b in pairwise(evidence)),
            *(edge(b, "DERIVES_FROM", a, argument="other") for a, b in pairwise(evidence)),
        ),
        omitted={("kitchen/policy", "Evidence"): 41},
    )
