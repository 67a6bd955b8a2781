import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.verification import CitedStep, commands_seen, trajectories_followed
from msce_graph.records import ProcedureStep
from tests.support import cases

CHECKS = ("fields_complete", "evidence_in_support", "evidence_valid", "tools_whitelisted")

EPISODES = """
UNWIND $trajectories AS t
CREATE (ep:Episode {key: $namespace + '/' + t.episode, namespace: $namespace, id: t.episode, origin: t.origin})
WITH t, ep
UNWIND t.steps AS s
MERGE (tool:Tool {key: $namespace + '/' + s.tool, namespace: $namespace, id: s.tool, name: s.tool})
CREATE (e:Evidence {key: $namespace + '/' + s.id, namespace: $namespace, id: s.id, index: s.index, tool: s.tool,
                    arguments: s.arguments, value: s.value})
CREATE (e)-[:CALLED]->(tool)
CREATE (ep)-[:HAS_STEP]->(e)
"""
POLICY = """
CREATE (p:Policy {key: $namespace + '/p', namespace: $namespace, id: 'p', stance: 'follow'})
CREATE (s:Skill {key: $namespace + '/s', namespace: $namespace, id: 's'})
CREATE (s)-[:CRYSTALLIZED_FROM]->(p)
SET s += $fields
"""
SUPPORTS = """
MATCH (p:Policy {key: $namespace + '/p'})
UNWIND $ids AS id
MATCH (e:Evidence {key: $namespace + '/' + id})
CREATE (e)-[:SUPPORTS]->(p)
"""
CONTRADICTS = SUPPORTS.replace("SUPPORTS", "CONTRADICTS")
CITES = """
MATCH (s:Skill {key: $namespace + '/s'})
UNWIND $cites AS cite
MATCH (e:Evidence {key: $namespace + '/' + cite.evidence})
CREATE (s)-[:CITES {role: cite.role, is_shown: cite.is_shown}]->(e)
"""
REQUIRES = """
MATCH (s:Skill {key: $namespace + '/s'})
UNWIND $tools AS tool
MERGE (t:Tool {key: $namespace + '/' + tool, namespace: $namespace, id: tool, name: tool})
CREATE (s)-[:REQUIRES]->(t)
"""
FORGET = """
UNWIND $ids AS id
MATCH (:Episode)-[r:HAS_STEP]->(:Evidence {key: $namespace + '/' + id})
DELETE r
"""


def procedure_of(draft):
    return tuple(
        ProcedureStep(
            tool=step["tool"],
            kind="function",
            required=step.get("required", True),
            share=1.0,
            constants=step["constants"],
            parameters=tuple({"name": name} for name in step["parameters"]),
        )
        for step in draft["procedure"]
    )


def write_case(store, given):
    """Write a case as the graph that a skill's publication leaves."""
    draft = given["draft"]
    shown = {example["evidence"] for example in draft["examples"]}
    steps = [{**step, "episode": t["episode"]} for t in given["trajectories"] for step in t["steps"]]
    writes = [
        (
            EPISODES,
            {
                "trajectories": [
                    {
                        "episode": t["episode"],
                        "origin": "own" if t["trusted"] else "untrusted",
                        "steps": [
                            {
                                "id": step["id"],
                                "index": index,
                                "tool": step["tool"],
                                "arguments": json.dumps(step["arguments"]),
                                "value": step["value"],
                            }
                            for index, step in enumerate(t["steps"])
                        ],
                    }
                    for t in given["trajectories"]
                ]
            },
        ),
        (
            POLICY,
            {
                "fields": {
                    **{name: value for name, value in draft.items() if isinstance(value, str)},
                    "preconditions": draft["preconditions"],
                    "procedure": json.dumps([step.model_dump() for step in procedure_of(draft)]),
                }
            },
        ),
        (SUPPORTS, {"ids": given["supporting"]}),
        (CONTRADICTS, {"ids": given["contradicting"]}),
        (
            CITES,
            {
                "cites": [
                    {**cite, "is_shown": cite["role"] == "example" and cite["evidence"] in shown}
                    for cite in draft["cites"]
                ]
            },
        ),
        (REQUIRES, {"tools": sorted({*draft["tools"], *(step["tool"] for step in draft["procedure"])})}),
        (FORGET, {"ids": [step["id"] for step in steps if step["forgotten"]]}),
    ]
    for text, parameters in writes:
        if all(value for value in parameters.values()):  # the embedded engine cannot infer the type of an empty list
            store.query(text, parameters={"namespace": store.namespace, **parameters}, write=True)


def failing(store, given):
    """Return the witnesses of each failing check, as a set."""
    key = f"{store.namespace}/s"
    thresholds = {"v_min": 0.1, "n_min": 3, "gate_1_over_trusted": given.get("gate_1_over_trusted", True)}
    found = {}
    for check in CHECKS:
        parameters = {"key": key, **(thresholds if check == "evidence_valid" else {})}
        rows = store.write(lambda tx, check=check, parameters=parameters: tx.run(f"skill/check_{check}", **parameters))
        found[check] = [row["witness"] for row in rows]
    rows = store.write(lambda tx: tx.run("skill/cited", key=key))
    cited = [
        CitedStep(
            evidence=row["evidence"],
            episode=row["episode"],
            tool=row["tool"],
            arguments=json.loads(row["arguments"]),
            is_trusted=row["trusted"],
            role=row["role"],
            is_shown=row["is_shown"],
        )
        for row in rows
    ]
    procedure = procedure_of(given["draft"])
    found["commands_seen"] = commands_seen(procedure, cited)
    found["trajectories_followed"] = trajectories_followed(procedure, cited)
    return {
        check: {witness.removeprefix(f"{store.namespace}/") for witness in witnesses}
        for check, witnesses in found.items()
        if witnesses
    }


@pytest.mark.parametrize(("given", "expect"), cases("verification"))
def test_the_case_holds(store, given, expect):
    write_case(store, given)

    assert failing(store, given) == {check: set(witnesses) for check, witnesses in expect["fails"].items()}


# The checks that need no graph --------------------------------------------------------------------------------------


def cited(episode, *steps, trusted=True, role="example", shown=True):
    """Return an episode's steps, given as (tool, arguments), whose last is cited."""
    return [
        CitedStep(f"{episode}#{n}", episode, tool, arguments, trusted, role if last else None, shown and last)
        for n, (tool, arguments) in enumerate(steps)
        for last in [n == len(steps) - 1]
    ]


def required(tool, **constants):
    return ProcedureStep(tool=tool, kind="function", required=True, share=1.0, constants=constants)


def test_a_value_that_another_tool_used_was_not_seen():
    steps = cited("e", ("shell:ls", {"path": "/"}), ("shell:rm", {"path": "build"}))

    assert commands_seen([required("shell:rm", path="/")], steps) == ("/",)
    assert commands_seen([required("shell:ls", path="/")], steps) == ()


def test_a_witness_that_is_no_text_is_told_as_json():
    steps = cited("e", ("book", {"bags": 1, "paid": True}))

    assert commands_seen([required("book", bags=2, paid=[1, 2])], steps) == ("2", "[1,2]")


def test_true_is_not_seen_where_one_was_used():
    assert commands_seen([required("book", bags=True)], cited("e", ("book", {"bags": 1}))) == ("true",)


def test_a_counterexample_need_not_follow():
    steps = [*cited("e", ("find", {}), ("book", {})), *cited("f", ("book", {}), role="counterexample", shown=False)]

    assert trajectories_followed([required("find"), required("book")], steps) == ()


arguments = st.dictionaries(st.sampled_from(["a", "b"]), st.one_of(st.booleans(), st.integers(0, 2)), max_size=2)
trajectories = st.lists(st.tuples(st.sampled_from(["find", "book"]), arguments), min_size=1, max_size=5)


@given(st.lists(trajectories, min_size=1, max_size=5))
def test_what_trusted_trajectories_did_is_always_seen(found):
    steps = [step for n, trajectory in enumerate(found) for step in cited(f"e{n}", *trajectory)]
    procedure = [required(tool, **given) for tool, given in found[0]]

    assert commands_seen(procedure, steps) == ()


@given(st.lists(trajectories, min_size=1, max_size=5), trajectories)
def test_the_witnesses_are_the_more_part_or_none(found, wanted):
    steps = [step for n, trajectory in enumerate(found) for step in cited(f"e{n}", *trajectory)]

    astray = trajectories_followed([required(tool) for tool, _ in wanted], steps)

    assert not astray or 2 * len(astray) > len(found)
