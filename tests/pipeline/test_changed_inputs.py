"""Inputs that change after they were taken in: the graph is then the one that never saw what they were."""

from __future__ import annotations

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.errors import LeaseHeld
from msce_graph.pipeline import evolve as evolving
from msce_graph.pipeline import lease, revaluing
from msce_graph.settings import Settings
from tests.pipeline.workbench import BAD, GOOD, episode, kitchen, log, told, wiped


def learned(memory, folder, episodes, **options):
    """Ingest and evolve, and return the fingerprint."""
    list(memory.ingest(log(folder, episodes), **options))
    memory.evolve()
    return told(memory)


def test_a_replaced_episode_leaves_no_task_and_no_tool_of_its_own_behind(memory, tmp_path):
    episodes = kitchen(12)
    expected = learned(memory, tmp_path, episodes)
    wiped(memory)
    odd = episode(7, ("find", "flambe"), solved=True, task="a dish of its own")
    learned(memory, tmp_path, [*episodes[:7], odd, *episodes[8:]])

    assert learned(memory, tmp_path, [episodes[7]], replace=True) == expected


def test_an_episode_that_moves_to_another_domain_is_forgotten_where_it_was(memory, tmp_path):
    episodes = kitchen(12)
    moved = episode(7, BAD, solved=True, domain="bakery")
    expected = learned(memory, tmp_path, [*episodes[:7], moved, *episodes[8:]])
    wiped(memory)
    learned(memory, tmp_path, episodes)

    assert learned(memory, tmp_path, [moved], replace=True) == expected


def test_nothing_stays_learned_in_a_domain_that_all_its_inputs_have_left(memory, tmp_path):
    episodes = [episode(number, GOOD, solved=True) for number in range(6)]
    moved = [episode(number, BAD, solved=True, domain="bakery") for number in range(6)]
    expected = learned(memory, tmp_path, moved)
    wiped(memory)
    learned(memory, tmp_path, episodes)

    assert learned(memory, tmp_path, moved, replace=True) == expected
    assert {policy.domain for policy in memory.policies()} == {"bakery"}


def test_an_outcome_that_is_taken_back_unlearns_its_episode(memory, tmp_path):
    unknown = [episode(number, GOOD, solved=None) for number in range(6)]
    learned(memory, tmp_path, [episode(number, GOOD, solved=True) for number in range(6)])

    learned(memory, tmp_path, unknown, replace=True)

    assert memory.policies() == ()
    assert memory.query("MATCH (n:Pattern|Decision) RETURN count(n) AS nodes") == [{"nodes": 0}]
    assert memory.query("MATCH (t:Task) WHERE t.episodes > 0 RETURN count(t) AS tasks") == [{"tasks": 0}]


@pytest.mark.parametrize("after", range(1, 8))
def test_a_refold_that_ends_while_it_clears_is_taken_up_by_the_next(memory, tmp_path, monkeypatch, after):
    expected = learned(memory, tmp_path, kitchen(20))
    cleared, calls = evolving._cleared, []

    def end_in_time(*given, **more):
        if len(calls) == after:
            raise RuntimeError("stop")
        calls.append(given)
        return cleared(*given, **more)

    monkeypatch.setattr(evolving, "_cleared", end_in_time)
    with pytest.raises(RuntimeError, match="stop"):
        memory.evolve(rebuild=True)
    monkeypatch.undo()
    memory.evolve()

    assert told(memory) == expected


def test_a_log_that_ended_with_words_to_a_user_goes_on_with_what_the_user_said(memory, tmp_path):
    def chat(*observations):
        row = episode(1, ("find", "tell"), solved=None)
        row["steps"][1] |= {"action": "Which dish?", "kind": "text", "tool": None, "arguments": {}}
        row["steps"] = row["steps"][: len(observations)]
        for step, observation in zip(row["steps"], observations, strict=True):
            step["observation"] = observation
        return row

    list(memory.ingest(log(tmp_path, [chat("found", "")])))
    [grown] = memory.ingest(log(tmp_path, [chat("found", "the soup")]))

    assert grown.result == "extended"
    assert memory.query("MATCH (e:Evidence) RETURN e.observation AS seen ORDER BY e.index")[1] == {"seen": '"the soup"'}


def test_a_score_that_comes_after_feedback_wins_over_it(memory, tmp_path):
    list(memory.ingest(log(tmp_path, [episode(1, GOOD, solved=None)])))
    memory.feedback("e1", "Wrong, it is still broken.", author="Ada")
    [later] = memory.ingest(log(tmp_path, [episode(1, GOOD, solved=True)]))

    assert later.result == "extended"
    assert memory.query("MATCH (e:Episode) RETURN e.reward_basis AS basis, e.reward AS reward") == [
        {"basis": "score", "reward": 1.0}
    ]


def test_what_people_said_of_an_episode_outlives_its_growth(memory, tmp_path):
    grown = episode(1, GOOD, solved=None)
    list(memory.ingest(log(tmp_path, [{**grown, "steps": grown["steps"][:2]}])))
    memory.feedback("e1", "Wrong, it is still broken.", author="Ada")

    list(memory.ingest(log(tmp_path, [grown])))

    values = memory.query("MATCH (e:Evidence) RETURN e.value AS value ORDER BY e.index DESC")
    assert len(values) == 3
    assert all(row["value"] < 0 for row in values)


def test_a_rebuild_with_other_parameters_waits_for_its_turn_and_changes_nothing_meanwhile(memory, store, tmp_path):
    before = learned(memory, tmp_path, kitchen(12))

    with lease.held(store), pytest.raises(LeaseHeld):
        memory.evolve(rebuild=True, settings={"n_min": 4})

    assert told(memory) == before


def test_a_rebuild_with_other_parameters_that_was_interrupted_is_ended_by_the_next_evolve(
    memory, store, tmp_path, monkeypatch
):
    elsewhere = [episode(100 + n, GOOD, solved=bool(n % 2), domain="bakery") for n in range(12)]
    learned(memory, tmp_path, [*kitchen(12), *elsewhere])
    memory.evolve(rebuild=True, settings={"n_min": 4, "gamma": 0.5})
    expected = told(memory)
    memory.evolve(rebuild=True, settings={"n_min": 3, "gamma": 0.9})

    with monkeypatch.context() as patched:
        patched.setattr(revaluing, "_revalue", interrupted_after(revaluing._revalue, 5))
        with pytest.raises(KeyboardInterrupt):
            memory.evolve(rebuild=True, settings={"n_min": 4, "gamma": 0.5})
    again = MemoryGraph(store, embedder("hashing"), Settings(n_min=4, gamma=0.5))
    again.evolve()

    assert told(again) == expected


def interrupted_after(work, times):
    left = [times]

    def wrapped(*given, **named):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return work(*given, **named)

    return wrapped


@pytest.mark.parametrize("score", [0.45, 0.55])
def test_scores_at_the_threshold_give_one_graph_in_one_batch_and_one_by_one(memory, tmp_path, score):
    episodes = [
        episode(n, GOOD, solved=False, task_key=f"t{n}") | {"reward": 2 * score - 1, "solved": False} for n in range(6)
    ]
    for number in range(6):
        learned(memory, tmp_path, episodes[: number + 1])
    one_by_one = told(memory)
    wiped(memory)

    assert learned(memory, tmp_path, episodes) == one_by_one
