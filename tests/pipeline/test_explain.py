"""Explanations over a real graph: every number is told with what it follows from."""

from __future__ import annotations

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.errors import UnknownKey
from msce_graph.settings import Settings
from tests.pipeline.workbench import kitchen, log


@pytest.fixture(scope="module")
def kept(place, tmp_path_factory):
    """A memory that has learned; no test of this module empties it."""
    place.empty()
    with place.migrated("told") as store:
        memory = MemoryGraph(store, embedder("hashing"), Settings())
        episodes = kitchen()
        episodes[1]["steps"][1]["reflection"] = "Because dish-1 must be cooked safely, I check it before the cooking."
        list(memory.ingest(log(tmp_path_factory.mktemp("told"), episodes)))
        memory.evolve()
        yield memory


def policy(memory, stance="follow", *, has_skill):
    with_skill = {skill.id.rpartition(".v")[0] for skill in memory.skills()}
    return next(p for p in memory.policies() if p.stance == stance and (p.id in with_skill) == has_skill)


def test_a_step_tells_its_value_by_the_formula_and_its_reflection_by_four_axes(kept):
    text = "\n".join(kept.explain("e1#1").lines)

    assert "V = alpha R + (1 - alpha) 0.9 V_next" in text
    assert all(axis in text for axis in ("faithful", "specific", "causal", "transferable"))
    assert f"= {evidence(kept, 'told/e1#1')['value']:.4f}" in text


def evidence(memory, key):
    [row] = memory.query("MATCH (e:Evidence {key: $key}) RETURN e.value AS value, e.alpha AS alpha", {"key": key})
    return row


def test_an_episode_tells_the_back_fill_step_by_step(kept):
    lines = kept.explain("told/e3").lines

    assert "  #2 `cook`: R = 1.0000" in lines
    assert any(line.startswith("  #1 `check`: ") and line.endswith("= 0.9000") for line in lines)


def test_a_policy_tells_its_gain_with_the_counts_of_both_sides(kept):
    one = policy(kept, has_skill=True)

    text = "\n".join(kept.explain(one.key).lines)

    assert f"With it: {one.episodes_with} episodes" in text
    assert f"Without it: {one.episodes_without} episodes" in text
    assert f"Gain: {one.gain:+.4f}" in text
    assert "not a causal effect" in text
    assert f"p: {one.p:.4f}" in text


def test_every_policy_to_follow_says_which_gates_it_passes_by_its_numbers(kept):
    passed = {True: 0, False: 0}
    for one in kept.policies():
        if one.stance == "avoid":
            continue
        text = "\n".join(kept.explain(one.key).lines)
        is_strong = one.status == "active" and one.gain > 0.1 and one.q is not None and one.q < 0.1
        passed[is_strong] += 1
        assert f"Gate 1: {'passes' if is_strong else 'fails'}" in text
        assert f"Gate 2: {'passes' if one.stable_for >= 3 else 'fails'}" in text
        assert (f"it is {one.status}, not active" in text) == (one.status != "active")
        assert (f"gain {one.gain:.4f} is not above 0.1" in text) == (one.gain <= 0.1)

    assert all(passed.values())


def test_a_policy_to_avoid_says_that_it_never_becomes_a_skill(kept):
    assert any(
        "never becomes a skill" in line for line in kept.explain(policy(kept, "avoid", has_skill=False).key).lines
    )


def test_a_skill_tells_its_checks_and_the_decisions_about_it(kept):
    [skill, *_] = kept.skills()

    lines = kept.explain(skill.key).lines

    assert sum(line.startswith("Check ") and line.endswith("holds.") for line in lines) == 6
    assert any("publish, draft to trial" in line for line in lines)


def test_a_check_that_fails_is_told_with_its_witnesses(kept):
    [skill, *_] = kept.skills()
    [cited] = kept.query("MATCH (:Skill {key: $key})-[:CITES]->(e) RETURN e.key AS key LIMIT 1", {"key": skill.key})
    value = evidence(kept, cited["key"])["value"]
    kept.query("MATCH (e:Evidence {key: $key}) SET e.value = 0.0", cited, write=True)

    lines = kept.explain(skill.key).lines

    kept.query("MATCH (e:Evidence {key: $key}) SET e.value = $value", {**cited, "value": value}, write=True)
    assert f"Check evidence_valid fails: {cited['key']}." in lines


OF_EACH = {
    "Decision": ("RETURN n.key AS key, n.reason AS words", "Reason: {}."),
    "Pattern": (
        "MATCH (p:Policy)-[:INDUCED_FROM]->(n) RETURN n.key AS key, p.key AS words",
        "The policy {} was induced",
    ),
    "Task": ("MATCH (n)<-[:ATTEMPTS]-(e) RETURN n.key AS key, count(e) AS words", "{}"),
    "Tool": ("MATCH (n)<-[:USES]-(p:Policy) RETURN n.key AS key, p.title AS words", "{}"),
    "Run": (
        "MATCH (n)<-[:WAS_GENERATED_BY]-(p:Policy) RETURN n.key AS key, count(p) AS words",
        "It wrote {} of the policies",
    ),
}
"""How a node of each label is asked for, with what its explanation must tell, and in which words."""


@pytest.mark.parametrize("label", OF_EACH)
def test_every_other_node_is_told_with_what_the_graph_says_of_it(kept, label):
    asked, words = OF_EACH[label]
    [row] = kept.query(f"MATCH (n:{label} {{namespace: 'told'}}) {asked} ORDER BY key, words LIMIT 1")

    told = kept.explain(row["key"])

    assert (told.key, told.label) == (row["key"], label)
    assert words.format(row["words"]) in "\n".join(told.lines)


def test_an_episode_without_an_outcome_says_that_nothing_is_learned_from_it(kept):
    with kept.episode("make tea", domain="kitchen", id="open") as recorder:
        key = recorder.step(tool="boil", arguments={"water": "1 l"})

        assert any("outcome is unknown" in line for line in kept.explain("open").lines)
        assert any("V is unknown" in line for line in kept.explain(key).lines)


def test_an_unknown_key_is_an_error_that_names_it(kept):
    with pytest.raises(UnknownKey, match="nobody"):
        kept.explain("nobody")
