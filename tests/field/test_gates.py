"""Gates that shut for good, and gates that say nothing: each threshold can be passed and failed, with its numbers."""

from __future__ import annotations

import pytest

from tests.pipeline.workbench import GOOD, episode, kitchen, log


def learned(memory, tmp_path, episodes, **options):
    list(memory.ingest(log(tmp_path, episodes), **options))
    return memory.evolve()


def follow(memory, tool: str):
    [found] = [one for one in memory.policies() if (one.tool, one.stance) == (tool, "follow")]
    return found


def told(memory, key: str) -> str:
    return "\n".join(memory.explain(key).lines)


def rewarded(scale: float) -> list[dict]:
    """Return the kitchen's episodes with rewards of plus or minus `scale`."""
    return [{**one, "reward": one["reward"] * scale} for one in kitchen()]


def graded(difference: float) -> list[dict]:
    """Return episodes that all go well, and by `difference` less well where nobody checked."""
    return [
        {**one, "reward": 1.0 if number % 2 else 1.0 - difference, "solved": bool(number % 2)}
        for number, one in enumerate(kitchen())
    ]


# Each threshold, passed and failed ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1.0, 0.5, 0.25])
def test_rewards_of_a_smaller_scale_pass_every_gate_as_well(memory, tmp_path, scale):
    learned(memory, tmp_path, rewarded(scale))

    assert [skill.status for skill in memory.skills()] == ["active"]


def test_rewards_too_small_to_count_either_way_induce_nothing(memory, tmp_path):
    learned(memory, tmp_path, rewarded(0.09))

    assert memory.policies() == ()
    assert memory.query("MATCH (s:Evidence)-[:CANDIDATE_FOR]->(:Pattern) RETURN count(s) AS steps") == [{"steps": 120}]


@pytest.mark.parametrize(("steps_after", "is_induced"), [(21, True), (22, False)])
def test_a_step_counts_until_its_value_has_faded_below_the_smallest(memory, tmp_path, steps_after, is_induced):
    learned(memory, tmp_path, [episode(n, ("first", *["then"] * steps_after), solved=True) for n in range(3)])

    assert ("first" in {policy.tool for policy in memory.policies()}) is is_induced


@pytest.mark.parametrize(("episodes", "is_induced"), [(2, False), (3, True)])
def test_a_policy_needs_the_smallest_number_of_episodes_and_no_more(memory, tmp_path, episodes, is_induced):
    learned(memory, tmp_path, [episode(n, GOOD, solved=True) for n in range(episodes)])

    assert bool(memory.policies()) is is_induced


@pytest.mark.parametrize(
    ("difference", "tool", "status", "is_published"),
    [
        (0.01, "check", "candidate", False),
        (0.08, "check", "active", False),
        (0.3, "check", "active", True),
        (0.3, "stir", "retired", False),
    ],
)
def test_gains_lie_on_every_side_of_every_threshold(memory, tmp_path, difference, tool, status, is_published):
    learned(memory, tmp_path, graded(difference))

    policy = follow(memory, tool)
    assert policy.status == status
    published = memory.query("MATCH (:Skill)-[:CRYSTALLIZED_FROM]->(p:Policy) RETURN p.key AS key")
    assert ({"key": policy.key} in published) is is_published


@pytest.mark.parametrize(("episodes", "stance", "status"), [(10, "avoid", "retired"), (40, "avoid", "active")])
def test_what_went_badly_is_warned_of_once_luck_would_not_explain_it(memory, tmp_path, episodes, stance, status):
    learned(memory, tmp_path, kitchen(episodes))

    [policy] = [one for one in memory.policies() if (one.tool, one.stance) == ("stir", stance)]
    assert policy.status == status
    assert (policy.q < memory.settings.q_max) is (status == "active")


# Why there is no skill ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("episodes", "tool", "reasons"),
    [
        (
            kitchen(10),
            "check",
            ("Gate 1: fails, since q {q:.4f} is not below 0.1.", "Gate 2: fails", "the last 2 ", "3 are"),
        ),
        (graded(0.08), "check", ("Gate 1: fails, since gain {gain:.4f} is not above 0.1.",)),
        (
            graded(0.01),
            "check",
            ("Gate 1: fails, since it is candidate, not active; gain {gain:.4f} is not above 0.1",),
        ),
        (kitchen(), "find", ("Gate 1: fails, since it is retired, not active; gain {gain:.4f} ", "q {q:.4f} is not")),
    ],
    ids=["too few", "too little gain", "hardly any gain", "no gain"],
)
def test_a_policy_without_a_skill_says_which_gate_it_fails_by_how_much(memory, tmp_path, episodes, tool, reasons):
    learned(memory, tmp_path, episodes)

    policy = follow(memory, tool)
    lines = told(memory, policy.key)
    assert [reason for reason in reasons if reason.format(gain=policy.gain, q=policy.q) not in lines] == []
    assert "Skill: none" in lines


def test_a_signature_without_a_policy_says_how_many_episodes_it_has_and_how_many_it_needs(memory, tmp_path):
    learned(memory, tmp_path, kitchen(3))

    [cook] = memory.query("MATCH (p:Pattern {tool: 'cook'}) RETURN p.key AS key")
    assert "2 different episodes that went well and 1 that went badly; 3 of one side induce a policy" in told(
        memory, cook["key"]
    )


def test_a_discarded_draft_leaves_a_decision_with_the_checks_that_failed_and_their_witnesses(memory, tmp_path):
    evolved = learned(memory, tmp_path, kitchen(), origin="untrusted")

    assert (evolved.published, memory.skills()) == (0, ())
    decisions = memory.query(
        "MATCH (d:Decision {action: 'discard'})-[:ABOUT]->(p:Policy) RETURN d.reason AS reason, p.tool AS tool"
    )
    assert len(decisions) == evolved.discarded > 0
    assert all("evidence_valid fails: test/e1#1" in row["reason"] for row in decisions)
    assert "evidence_valid fails: test/e1#1" in told(memory, follow(memory, "check").key)


def test_an_episode_of_which_nothing_is_learned_says_why(memory, tmp_path):
    learned(memory, tmp_path, [episode(1, GOOD, solved=None)])
    list(memory.ingest(log(tmp_path, [episode(2, GOOD, solved=True)], "later.jsonl")))

    assert "outcome is unknown" in told(memory, "e1")
    assert "waits to be taken in by `msce evolve`" in told(memory, "e2")
    [finding] = [finding for finding in memory.doctor() if finding.name == "learning"]
    assert "0 of 1 scored episode learned; 1 without an outcome" in finding.found
    assert finding.state == "warning"
