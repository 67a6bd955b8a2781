"""Inputs that change after they were taken in: the graph is then the one that never saw what they were."""

from __future__ import annotations

import pytest

from msce_graph.pipeline import evolve as evolving
from tests.pipeline.workbench import BAD, GOOD, episode, kitchen, log, told

WIPE = "MATCH (n) WHERE NOT n:Store DETACH DELETE n RETURN count(*) AS deleted"


def learned(memory, folder, episodes, **options):
    """Ingest and evolve, and return the fingerprint."""
    list(memory.ingest(log(folder, episodes), **options))
    memory.evolve()
    return told(memory)


def wiped(memory):
    memory.query(WIPE, write=True)
    memory.query("MATCH (s:Store) SET s.sequence = 0 RETURN s.sequence AS sequence", write=True)


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
