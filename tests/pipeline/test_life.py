"""The life of a skill: every status is reached from inputs, and comes out the same however they are folded."""

from __future__ import annotations

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.errors import MemoryGraphError, UnknownKey
from msce_graph.settings import Settings
from tests.pipeline.workbench import GOOD, episode, kitchen, log, told

PUBLISHED_AFTER = 16
"""Episodes of the kitchen after which its skill is published."""
WITHOUT = ("stir", "cook")
"""Tools of an episode that tries no skill."""
WHO = {"reason": "it was looked at", "author": "Ada"}


def learned(memory, folder, episodes):
    list(memory.ingest(log(folder, episodes)))
    return memory.evolve()


def published(memory, folder):
    """Return the one skill of the kitchen right after its publication, on trial, and how many episodes made it."""
    episodes = kitchen()[:PUBLISHED_AFTER]
    learned(memory, folder, episodes)
    [skill] = memory.skills()
    return skill, len(episodes)


def following(number, *, solved, tools=GOOD):
    return episode(number, tools, solved=solved)


def tried(memory, folder, first, outcomes):
    """Let episodes that follow the skill go well or badly, one at a time."""
    for place, solved in enumerate(outcomes):
        learned(memory, folder, [following(first + place, solved=solved)])


def decisions(memory, key):
    rows = memory.query(
        "MATCH (d:Decision)-[:ABOUT]->({key: $key}) RETURN d.action AS action, d.author AS author, d.before AS before, "
        "d.after AS after ORDER BY d.sequence, d.action",
        {"key": key},
    )
    return [(row["action"], row["author"], row["before"], row["after"]) for row in rows]


# Trials -------------------------------------------------------------------------------------------------------------


def test_the_episodes_that_built_a_skill_are_no_trials_of_it(memory, tmp_path):
    skill, _ = published(memory, tmp_path)

    assert (skill.status, skill.trials, skill.reliability) == ("trial", 0, 0.5)
    assert memory.query("MATCH (t:Trial) RETURN count(t) AS trials") == [{"trials": 0}]


def test_three_passes_in_a_row_make_a_skill_active(memory, tmp_path):
    skill, seen = published(memory, tmp_path)

    tried(memory, tmp_path, seen + 100, [True, True, True])

    after = memory.skill(skill.key)
    assert (after.status, after.passes, after.trials, after.reliability) == ("active", 3, 3, 0.8)
    assert ("activate", "msce_graph", "trial", "active") in decisions(memory, skill.key)


def test_a_skill_that_rests_on_inferred_outcomes_alone_stays_on_trial_until_scored_episodes_try_it(memory, tmp_path):
    inferred = {"reward_basis": "inferred"}
    learned(memory, tmp_path, [{**row, **inferred} for row in kitchen()])
    [skill] = memory.skills()
    told_of_it = "\n".join(memory.explain(skill.key).lines)

    tried(memory, tmp_path, 200, [True, True, True])

    assert (skill.status, skill.trials) == ("trial", 0)
    assert "an outcome that was only inferred from words, so its skill stays on trial" in told_of_it
    assert memory.skill(skill.key).status == "active"


def test_each_trial_leads_to_its_episode_and_its_skill(memory, tmp_path):
    skill, seen = published(memory, tmp_path)

    tried(memory, tmp_path, seen + 100, [True, False])

    rows = memory.query(
        "MATCH (e:Episode)<-[:IN]-(t:Trial)-[:OF]->(s:Skill) RETURN e.id AS episode, t.passed AS passed, "
        "t.basis AS basis, s.key AS skill ORDER BY t.sequence"
    )
    assert rows == [
        {"episode": f"e{seen + 100}", "passed": True, "basis": "observed", "skill": skill.key},
        {"episode": f"e{seen + 101}", "passed": False, "basis": "observed", "skill": skill.key},
    ]


def test_an_episode_that_took_none_of_its_steps_tries_no_skill(memory, tmp_path):
    skill, seen = published(memory, tmp_path)

    learned(memory, tmp_path, [following(seen + 100, solved=True, tools=WITHOUT)])

    assert memory.skill(skill.key).trials == 0


def test_three_failures_in_a_row_archive_a_skill_on_trial_and_nothing_revives_it(memory, tmp_path):
    skill, _ = published(memory, tmp_path)

    for _ in range(3):
        memory.trial(skill.key, passed=False, **WHO)

    assert memory.skill(skill.key).status == "archived"
    with pytest.raises(MemoryGraphError, match="nothing revives it"):
        memory.approve(skill.key, **WHO)


def test_an_active_skill_outlives_three_failures_that_may_be_bad_luck(memory, tmp_path):
    skill, _ = published(memory, tmp_path)
    for passed in (True, True, True, False, False, True, False, False, False):
        memory.trial(skill.key, passed=passed, **WHO)

    assert memory.skill(skill.key).status == "active"


def test_an_active_skill_is_archived_once_its_failures_are_no_bad_luck(memory, tmp_path):
    skill, _ = published(memory, tmp_path)
    for passed in (*[True] * 6, *[False] * 3):
        memory.trial(skill.key, passed=passed, **WHO)

    assert memory.skill(skill.key).status == "archived"


def test_a_skill_that_was_offered_and_declared_used_is_tried_whatever_its_steps(memory, tmp_path):
    skill, _ = published(memory, tmp_path)
    with memory.episode("make dish 5", domain="kitchen", id="live") as running:
        memory.recall("make dish 5", tool="check", episode=running.key)
        running.used(skill.key)
        running.step(tool="stir", arguments={"dish": "dish-5"}, observation="ok")
        running.outcome(passed=True)
    memory.evolve()

    assert (memory.skill(skill.key).trials, memory.skill(skill.key).passes) == (1, 1)


def test_a_skill_that_is_offered_and_never_reported_blocks_nothing(memory, tmp_path):
    skill, seen = published(memory, tmp_path)
    for number in range(3):
        with memory.episode("make dish 5", domain="kitchen", id=f"live-{number}") as running:
            memory.recall("make dish 5", tool="check", episode=running.key)
            running.step(tool="stir", arguments={"dish": "dish-5"}, observation="ok")
    memory.evolve()

    tried(memory, tmp_path, seen + 100, [True] * 3)

    assert (memory.skill(skill.key).status, memory.skill(skill.key).trials) == ("active", 3)


def test_a_skill_that_was_not_offered_cannot_be_declared_used(memory, tmp_path):
    skill, _ = published(memory, tmp_path)

    with (
        memory.episode("make dish 5", domain="kitchen", id="live") as running,
        pytest.raises(UnknownKey, match="offered"),
    ):
        running.used(skill.key)


# Suspension ---------------------------------------------------------------------------------------------------------


def test_a_skill_whose_policy_loses_its_gain_is_suspended_and_returns_as_it_was(memory, tmp_path):
    skill, seen = published(memory, tmp_path)
    tried(memory, tmp_path, seen + 100, [True] * 3)
    assert memory.skill(skill.key).status == "active"

    learned(memory, tmp_path, [following(200 + n, solved=True, tools=WITHOUT) for n in range(40)])
    suspended = memory.skill(skill.key)
    learned(memory, tmp_path, [following(300 + n, solved=False, tools=WITHOUT) for n in range(60)])
    returned = memory.skill(skill.key)

    assert suspended.status == "suspended"
    assert returned.status == "active"
    assert [d[0] for d in decisions(memory, skill.key)][-2:] == ["suspend", "return"]


def test_a_suspended_skill_is_not_recalled(memory, tmp_path):
    skill, _ = published(memory, tmp_path)
    [policy] = memory.query("MATCH (:Skill)-[:CRYSTALLIZED_FROM]->(p:Policy) RETURN p.key AS key")

    memory.retire(policy["key"], **WHO)

    assert memory.skill(skill.key).status == "suspended"
    assert memory.recall("make dish 3", tool="check").skills == ()


# People -------------------------------------------------------------------------------------------------------------


def test_what_a_person_archives_stays_archived_whatever_comes(memory, tmp_path):
    skill, seen = published(memory, tmp_path)

    after = memory.archive(skill.key, **WHO)
    tried(memory, tmp_path, seen + 100, [True] * 4)

    assert after.status == memory.skill(skill.key).status == "archived"
    assert decisions(memory, skill.key)[-1] == ("archive", "Ada", "trial", "archived")


def test_a_pinned_skill_is_archived_by_a_person_alone(memory, tmp_path):
    skill, _ = published(memory, tmp_path)
    memory.pin(skill.key, **WHO)

    for _ in range(6):
        memory.trial(skill.key, passed=False, **WHO)
    by_trials = memory.skill(skill.key).status
    by_person = memory.archive(skill.key, **WHO).status

    assert (by_trials, by_person) == ("trial", "archived")


@pytest.mark.parametrize("first", ["approval", "passes"])
def test_where_approval_is_asked_for_it_and_three_passes_make_a_skill_active_in_either_order(store, tmp_path, first):
    memory = MemoryGraph(store, embedder("hashing"), Settings(require_approval=True))
    skill, _ = published(memory, tmp_path)

    def passes():
        for _ in range(3):
            memory.trial(skill.key, passed=True, **WHO)

    steps = [lambda: memory.approve(skill.key, **WHO), passes]
    for step in steps if first == "approval" else reversed(steps):
        assert memory.skill(skill.key).status == "trial"
        step()

    assert memory.skill(skill.key).status == "active"


def test_a_policy_that_a_person_retires_stays_retired(memory, tmp_path):
    _, seen = published(memory, tmp_path)
    [policy] = memory.query("MATCH (:Skill)-[:CRYSTALLIZED_FROM]->(p:Policy) RETURN p.key AS key")

    after = memory.retire(policy["key"], **WHO)
    tried(memory, tmp_path, seen + 100, [True] * 4)

    assert after.status == memory.policy(policy["key"]).status == "retired"
    assert decisions(memory, policy["key"])[-1] == ("retire", "Ada", "active", "retired")


@pytest.mark.parametrize("said", [{"reason": " ", "author": "Ada"}, {"reason": "so", "author": "msce_graph"}])
def test_a_decision_needs_a_reason_and_a_person(memory, tmp_path, said):
    skill, _ = published(memory, tmp_path)

    with pytest.raises(ValueError, match=r"empty|no author"):
        memory.archive(skill.key, **said)

    assert memory.skill(skill.key).status == "trial"


def test_a_skill_that_is_not_there_is_named(memory):
    with pytest.raises(UnknownKey, match=r"nothing\.v1"):
        memory.archive("nothing.v1", **WHO)


# The same from any order of folding ---------------------------------------------------------------------------------


def test_a_rebuild_gives_the_same_life_again(memory, tmp_path):
    skill, seen = published(memory, tmp_path)
    memory.pin(skill.key, **WHO)
    memory.trial(skill.key, passed=False, **WHO)
    tried(memory, tmp_path, seen + 100, [True, False, True])
    with memory.episode("make dish 5", domain="kitchen", id="live") as running:
        memory.recall("make dish 5", tool="check", episode=running.key)
        for tool in GOOD:
            running.step(tool=tool, arguments={"dish": "dish-5"}, observation="ok")
        running.outcome(passed=True)
    memory.evolve()
    before = told(memory)

    memory.evolve(rebuild=True)

    assert told(memory) == before
    assert memory.query("MATCH (:Episode)-[o:OFFERED]->(:Skill) RETURN count(o) AS offers") == [{"offers": 1}]
    assert memory.skill(skill.key).trials == 5


def test_inputs_one_by_one_and_in_one_batch_give_one_graph(memory, tmp_path):
    episodes = [*kitchen(), *[following(100 + n, solved=n % 3 > 0) for n in range(9)]]
    for number in range(len(episodes)):
        learned(memory, tmp_path, episodes[: number + 1])
    one_by_one = told(memory)
    memory.query("MATCH (n) WHERE NOT n:Store DETACH DELETE n RETURN count(*) AS deleted", write=True)
    memory.query("MATCH (s:Store) SET s.sequence = 0 RETURN s.sequence AS sequence", write=True)

    learned(memory, tmp_path, episodes)

    assert told(memory) == one_by_one
    assert any(skill.trials for skill in memory.skills())
