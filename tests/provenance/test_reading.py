from __future__ import annotations

import json

import pytest

from msce_graph.errors import UnknownKey
from msce_graph.pipeline.provenance import provenance
from msce_graph.provenance.formats import FORMATS, render

NODES = """
UNWIND $rows AS row
CREATE (n:%s) SET n = row
"""
EDGES = """
UNWIND $rows AS row
MATCH (a:%s {key: row.source}), (b:%s {key: row.target})
CREATE (a)-[edge:%s]->(b) SET edge += row.carried
"""
EPISODES = 12


@pytest.fixture
def kitchen(store):
    """A store with one skill, whose policy 12 episodes of 2 steps support or contradict, and three of them cited."""
    space = store.namespace

    def add(label: str, *rows: dict) -> None:
        named = [{"key": f"{space}/{row['id']}", "namespace": space, **row} for row in rows]
        store.query(NODES % label, {"rows": named}, write=True)

    def join(source: str, type_: str, target: str, *pairs: tuple) -> None:
        rows = [
            {"source": f"{space}/{a}", "target": f"{space}/{b}", "carried": carried[0] if carried else {}}
            for a, b, *carried in pairs
        ]
        store.query(EDGES % (source, target, type_), {"rows": rows}, write=True)

    episodes = [f"bread-{number}" for number in range(EPISODES)]
    kneads, bakes = [f"{name}#0" for name in episodes], [f"{name}#1" for name in episodes]
    values = {key: round((1 if place % 3 else -1) * (0.95 - 0.05 * place), 2) for place, key in enumerate(bakes)}
    procedure = [
        {"tool": "knead", "required": True, "constants": {"minutes": 10}, "parameters": []},
        {"tool": "bake", "required": False, "constants": {}, "parameters": [{"name": "degrees", "origin": None}]},
    ]
    add("Skill", {"id": "loaf-1", "title": "Bake a loaf", "status": "trial"}, {"id": "loaf-0", "title": "Old loaf"})
    add("Policy", {"id": "policy", "title": "Bake what was kneaded", "gain": 0.25, "procedure": json.dumps(procedure)})
    add("Pattern", {"id": "pattern", "tool": "bake", "error_signature": "dough is flat", "domain": "kitchen"})
    add("Tool", {"id": "knead", "name": "knead"}, {"id": "bake", "name": "bake"})
    add("Task", {"id": "task", "text": "Bake a loaf of bread"})
    add("Run", {"id": "run", "stage": "evolve"})
    add("EnvEntity", {"id": "warm", "kind": "constraint", "statement": "The oven must be warm"})
    add("Trial", {"id": "trial", "passed": True, "basis": "observed"})
    add("Feedback", {"id": "praise", "kind": "praise", "text": "tasty"})
    changes = [f"decision-{number}" for number in range(30)]
    add(
        "Decision",
        *(
            {"id": name, "sequence": place, "action": "activate", "before": "candidate", "after": "active"}
            for place, name in enumerate(changes)
        ),
    )
    add("Episode", *({"id": name, "sequence": place, "reward": 1.0} for place, name in enumerate(episodes)))
    add("Evidence", *({"id": key, "action": f"knead {key}", "value": 0.5, "index": 0} for key in kneads))
    add(
        "Evidence",
        *(
            {
                "id": key,
                "action": f"bake {key}",
                "value": values[key],
                "index": 1,
                "arguments": '{"degrees":220}',
                "observation": '"brown\\ncrust"',
                "mentions": ["oven", "tin"],
                "text": "words for search",
            }
            for key in bakes
        ),
    )
    join("Episode", "ATTEMPTS", "Task", *((name, "task") for name in episodes))
    join("Episode", "HAS_STEP", "Evidence", *((key.split("#")[0], key) for key in kneads + bakes))
    join("Evidence", "NEXT", "Evidence", *zip(kneads, bakes, strict=True))
    join("Evidence", "CALLED", "Tool", *((key, "knead") for key in kneads), *((key, "bake") for key in bakes))
    join(
        "Evidence",
        "DERIVES_FROM",
        "Evidence",
        *((b, a, {"argument": "dough"}) for a, b in zip(kneads, bakes, strict=True)),
    )
    similar = {"similarity": 0.9}
    join("Evidence", "SUPPORTS", "Policy", *((key, "policy", similar) for key in bakes if values[key] > 0))
    join("Evidence", "CONTRADICTS", "Policy", *((key, "policy", similar) for key in bakes if values[key] < 0))
    join("Policy", "INDUCED_FROM", "Pattern", ("policy", "pattern"))
    join("Policy", "USES", "Tool", ("policy", "bake"))
    join("Policy", "MEASURED_ON", "Task", ("policy", "task", {"episodes": 12, "solved": 8, "sum": 4.0}))
    join("Policy", "WAS_GENERATED_BY", "Run", ("policy", "run"))
    join("EnvEntity", "ABSTRACTED_FROM", "Policy", ("warm", "policy"))
    join("Skill", "RESPECTS", "EnvEntity", ("loaf-1", "warm"))
    join("Skill", "CRYSTALLIZED_FROM", "Policy", ("loaf-1", "policy"), ("loaf-0", "policy"))
    join("Skill", "SUPERSEDES", "Skill", ("loaf-1", "loaf-0"))
    join("Skill", "REQUIRES", "Tool", ("loaf-1", "bake"))
    join("Skill", "CITES", "Evidence", *(("loaf-1", key, {"role": "example"}) for key in bakes[-3:]))
    join("Trial", "OF", "Skill", ("trial", "loaf-1"))
    join("Trial", "IN", "Episode", ("trial", "bread-3"))
    join("Feedback", "ABOUT", "Skill", ("praise", "loaf-1"))
    join("Decision", "ABOUT", "Policy", *((name, "policy") for name in changes))
    return store


def keys(subgraph, label=None):
    return {node.key.split("/", 1)[1] for node in subgraph.nodes if label in (None, node.label)}


def of(store, name):
    return f"{store.namespace}/{name}"


def test_a_skill_leads_to_its_policy_evidence_episodes_tasks_tools_and_decisions(kitchen):
    shown = provenance(kitchen, of(kitchen, "loaf-1"))

    assert keys(shown, "Policy") == {"policy"}
    assert keys(shown, "Evidence") == {f"bread-{number}#1" for number in range(EPISODES)}
    assert keys(shown, "Episode") == {f"bread-{number}" for number in range(EPISODES)}
    assert keys(shown) >= {"task", "bake", "pattern", "run", "warm", "trial", "praise", "loaf-0", "decision-29"}
    assert shown.omitted == {}


def test_every_edge_between_shown_nodes_is_there_but_the_order_of_steps(kitchen):
    shown = provenance(kitchen, of(kitchen, "loaf-1"))

    types = {edge.type for edge in shown.edges}
    measured = next(edge for edge in shown.edges if edge.type == "MEASURED_ON")
    cited = [edge for edge in shown.edges if edge.type == "CITES"]
    assert types >= {"SUPPORTS", "CONTRADICTS", "CITES", "HAS_STEP", "CALLED", "ATTEMPTS", "ABOUT", "USES", "OF", "IN"}
    assert "NEXT" not in types
    assert measured.details == {"episodes": 12, "solved": 8, "sum": 4.0}
    assert [edge.details for edge in cited] == [{"role": "example"}] * 3


def test_a_budget_keeps_cited_evidence_then_the_largest_values_and_counts_the_rest(kitchen):
    shown = provenance(kitchen, of(kitchen, "loaf-1"), budget=24)

    steps = keys(shown, "Evidence")
    assert len(shown.nodes) <= 24
    assert steps >= {"bread-9#1", "bread-10#1", "bread-11#1"}
    assert steps - {"bread-9#1", "bread-10#1", "bread-11#1"} == {f"bread-{place}#1" for place in range(len(steps) - 3)}
    assert shown.omitted[of(kitchen, "policy"), "Evidence"] == EPISODES - len(steps)
    assert shown.omitted[of(kitchen, "policy"), "Decision"] == 30 - len(keys(shown, "Decision"))
    assert (of(kitchen, "loaf-1"), "Evidence") not in shown.omitted


def test_the_latest_decisions_are_shown_and_leave_room_for_evidence(kitchen):
    shown = provenance(kitchen, of(kitchen, "policy"), budget=40)

    assert keys(shown, "Decision") == {f"decision-{number}" for number in range(24, 30)}
    assert len(keys(shown, "Evidence")) == EPISODES


@pytest.mark.parametrize("budget", [1, 2, 3, 7, 15])
def test_no_budget_is_exceeded_and_every_step_shown_has_its_episode(kitchen, budget):
    shown = provenance(kitchen, of(kitchen, "loaf-1"), budget=budget)

    held = {edge.target for edge in shown.edges if edge.type == "HAS_STEP"}
    assert len(shown.nodes) <= budget
    assert {node.key for node in shown.nodes if node.label == "Evidence"} <= held
    assert sum(shown.omitted.values()) > 0


@pytest.mark.parametrize(
    ("root", "shown"),
    [
        ("bread-3#1", {"bread-3#1", "bread-3#0", "bread-3", "task", "bake", "knead"}),
        ("bread-3#0", {"bread-3#0", "bread-3", "task", "knead"}),
        ("bread-3", {"bread-3", "bread-3#0", "bread-3#1", "task", "bake", "knead", "trial"}),
        ("task", {"task", "trial", *(f"bread-{number}" for number in range(EPISODES))}),
    ],
)
def test_steps_episodes_and_tasks_rest_on_what_was_recorded(kitchen, root, shown):
    assert keys(provenance(kitchen, of(kitchen, root))) == shown


@pytest.mark.parametrize(
    ("root", "label"),
    [
        ("bake", "Evidence"),
        ("pattern", "Policy"),
        ("run", "Policy"),
        ("warm", "Evidence"),
        ("trial", "Skill"),
        ("praise", "Skill"),
        ("decision-4", "Policy"),
    ],
)
def test_every_kind_of_node_has_a_provenance(kitchen, root, label):
    shown = provenance(kitchen, of(kitchen, root))

    assert shown.nodes[0].key == of(kitchen, root)
    assert keys(shown, label)
    for format_ in FORMATS:
        assert render(shown, format_)


def test_details_are_what_people_can_read(kitchen):
    shown = {node.key: node for node in provenance(kitchen, of(kitchen, "loaf-1")).nodes}

    step, policy = shown[of(kitchen, "bread-1#1")], shown[of(kitchen, "policy")]
    assert step.title == "bake bread-1#1"
    assert step.details["observation"] == "brown\ncrust"
    assert step.details["arguments"] == '{"degrees": 220}'
    assert step.details["mentions"] == "oven\ntin"
    assert "text" not in step.details
    assert policy.details["procedure"] == "1. knead(minutes=10)\n2. bake(degrees) (optional)"
    assert shown[of(kitchen, "pattern")].title == "bake after dough is flat"
    assert shown[of(kitchen, "decision-29")].title == "activate: candidate → active"


def test_reading_twice_gives_the_same(kitchen):
    assert provenance(kitchen, of(kitchen, "loaf-1")) == provenance(kitchen, of(kitchen, "loaf-1"))


def test_a_key_that_is_not_there_is_an_error_that_names_it(kitchen):
    with pytest.raises(UnknownKey, match="kitchen/ham"):
        provenance(kitchen, "kitchen/ham")


def test_a_node_of_another_namespace_is_not_there(kitchen):
    kitchen.query("CREATE (:Tool {key: 'cellar/wine', namespace: 'cellar', id: 'wine', name: 'wine'})", write=True)

    with pytest.raises(UnknownKey, match="cellar/wine"):
        provenance(kitchen, "cellar/wine")


def test_a_budget_of_nothing_is_refused(kitchen):
    with pytest.raises(ValueError, match="a budget of 0 nodes"):
        provenance(kitchen, of(kitchen, "loaf-1"), budget=0)
