"""Forgetting: the graph is then the one that never saw what was forgotten, and nothing of its words is left."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from msce_graph.errors import LeaseHeld, UnknownKey
from msce_graph.pipeline import forget as forgetting
from msce_graph.pipeline import lease
from tests.pipeline.workbench import GOOD, episode, kitchen, log, told, wiped

PLANTED = "xyzzyplugh"
WHO = {"reason": "it was looked at", "author": "Ada"}


def learned(memory, folder, episodes):
    list(memory.ingest(log(folder, episodes)))
    memory.evolve()
    return told(memory)


def holding(memory, words):
    """Return the labels of all nodes of which any property holds some words."""
    rows = memory.query("MATCH (n) RETURN labels(n)[0] AS label, properties(n) AS properties")
    return sorted({row["label"] for row in rows if words in str(row["properties"])})


def with_own_words(number):
    """Return an episode whose task, tool, arguments, observations, error and reflection hold the planted phrase."""
    row = episode(number, GOOD, solved=True, task=f"make {PLANTED}")
    for step in row["steps"]:
        step["arguments"]["sauce"] = PLANTED
        step["observation"] = f"Error: no {PLANTED}"
        step["reflection"] = f"the sauce {PLANTED} is missing, so it has to be made first"
        step["is_error"] = True
    row["steps"][1]["tool"] = PLANTED
    return row


@pytest.mark.parametrize("forgotten", [0, 17, 39])
def test_the_graph_is_the_one_that_never_saw_the_episode(memory, tmp_path, forgotten):
    episodes = kitchen()
    expected = learned(memory, tmp_path, episodes[:forgotten] + episodes[forgotten + 1 :])
    wiped(memory)
    learned(memory, tmp_path, episodes)

    memory.forget(f"e{forgotten}", dry_run=False)

    assert told(memory) == expected


def test_what_people_said_keeps_its_place_when_an_earlier_episode_is_forgotten(memory, tmp_path):
    def lived(episodes):
        learned(memory, tmp_path, episodes)
        [skill] = memory.skills()
        memory.pin(skill.key, **WHO)
        memory.trial(skill.key, passed=False, **WHO)
        memory.feedback(skill.key, "Thanks, that worked.", author="Ada")
        return told(memory)

    episodes = kitchen()
    expected = lived(episodes[:4] + episodes[5:])
    wiped(memory)
    lived(episodes)

    memory.forget("e4", dry_run=False)

    assert told(memory) == expected


def test_another_domain_is_left_as_it_would_be(memory, tmp_path):
    elsewhere = [episode(100 + n, GOOD, solved=bool(n % 2), domain="bakery") for n in range(12)]
    episodes = kitchen(20)
    expected = learned(memory, tmp_path, [*episodes[1:10], *elsewhere, *episodes[10:]])
    wiped(memory)
    learned(memory, tmp_path, [*episodes[:10], *elsewhere, *episodes[10:]])

    memory.forget("e0", dry_run=False)

    assert told(memory) == expected


def test_no_property_keeps_a_word_of_what_was_forgotten(memory, tmp_path):
    learned(memory, tmp_path, [*kitchen(), *[with_own_words(100 + n) for n in range(6)]])
    memory.feedback("e100", f"Wrong: never use {PLANTED} when guests are there.", author="Ada")
    assert {"Policy", "Feedback", "Tool", "Task"} <= set(holding(memory, PLANTED))

    memory.forget(*[f"e{100 + n}" for n in range(6)], dry_run=False)

    assert holding(memory, PLANTED) == []


def test_one_of_several_that_were_trusted_at_once_leaves_the_others_their_place(memory, tmp_path):
    def lived(episodes, keys):
        learned(memory, tmp_path, episodes)
        memory.trust(*keys, origin="imported", **WHO)
        list(memory.ingest(log(tmp_path, [episode(30, GOOD, solved=True)])))
        memory.evolve()
        return told(memory)

    expected = lived(kitchen(8)[1:], ["e1"])
    wiped(memory)
    lived(kitchen(8), ["e0", "e1"])

    memory.forget("e0", dry_run=False)

    assert told(memory) == expected


def test_a_source_that_is_not_there_is_named(memory, tmp_path):
    learned(memory, tmp_path, kitchen(4))

    with pytest.raises(UnknownKey, match=r"nosuch\.jsonl"):
        memory.forget(source="nosuch.jsonl", dry_run=False)


def test_nothing_dangles(memory, tmp_path):
    learned(memory, tmp_path, [*kitchen(), *[with_own_words(100 + n) for n in range(6)]])

    memory.forget(domain="kitchen", dry_run=False)

    assert (
        memory.query("MATCH (n) WHERE NOT n:Store AND NOT n:Run RETURN labels(n)[0] AS label, count(*) AS nodes") == []
    )


def test_a_dry_run_changes_nothing_and_foretells_what_will_change(memory, tmp_path):
    before = learned(memory, tmp_path, kitchen())
    gone = [f"e{n}" for n in range(1, 25, 2)]

    foretold = memory.forget(*gone)
    after_dry_run = told(memory)
    done = memory.forget(*gone, dry_run=False)

    assert after_dry_run == before
    assert foretold.is_dry_run
    assert foretold.policies
    assert done.model_copy(update={"is_dry_run": True}) == foretold


def test_episodes_are_chosen_by_source_domain_and_time(memory, tmp_path):
    old = {"ended_at": "2025-01-01T00:00:00Z"}
    list(memory.ingest(log(tmp_path, [episode(1, GOOD, solved=True, **old), episode(2, GOOD, solved=True)], "a.jsonl")))
    list(memory.ingest(log(tmp_path, [episode(3, GOOD, solved=True, domain="bakery", **old)], "b.jsonl")))

    chosen = [
        memory.forget(source="a.jsonl").episodes,
        memory.forget(domain="bakery").episodes,
        memory.forget(before=datetime(2025, 6, 1, tzinfo=UTC)).episodes,
        memory.forget(before=datetime(2025, 6, 1, tzinfo=UTC), source="a.jsonl").episodes,
    ]

    assert chosen == [("test/e1", "test/e2"), ("test/e3",), ("test/e1", "test/e3"), ("test/e1",)]


def test_what_is_not_there_cannot_be_forgotten(memory, tmp_path):
    learned(memory, tmp_path, kitchen(4))

    with pytest.raises(UnknownKey, match="e99"):
        memory.forget("e1", "e99", dry_run=False)

    assert memory.query("MATCH (e:Episode) RETURN count(e) AS episodes") == [{"episodes": 4}]


def test_a_selection_names_something(memory):
    with pytest.raises(ValueError, match="name episodes"):
        memory.forget()


@pytest.mark.parametrize("at", ["clear", "_delete_steps", "_delete", "evolve", "_end"])
def test_a_forgetting_that_was_interrupted_is_ended_by_the_next_evolve(memory, tmp_path, monkeypatch, at):
    episodes = kitchen(20)
    expected = learned(memory, tmp_path, episodes[1:])
    wiped(memory)
    learned(memory, tmp_path, episodes)

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(forgetting, at, interrupted)
        with pytest.raises(KeyboardInterrupt):
            memory.forget("e0", dry_run=False)
    memory.evolve()

    assert told(memory) == expected


def test_while_another_learns_forgetting_begins_and_the_next_evolve_ends_it(memory, store, tmp_path):
    episodes = kitchen(20)
    expected = learned(memory, tmp_path, episodes[1:])
    wiped(memory)
    learned(memory, tmp_path, episodes)

    with lease.held(store), pytest.raises(LeaseHeld, match="the next `msce evolve` ends it"):
        memory.forget("e0", dry_run=False)
    memory.evolve()

    assert told(memory) == expected


def test_a_task_says_what_its_remaining_episodes_say(memory, tmp_path):
    first = episode(1, GOOD, solved=True, task_key="soup") | {"task": f"make soup with {PLANTED}"}
    second = episode(2, GOOD, solved=True, task_key="soup") | {"task": "make soup"}
    learned(memory, tmp_path, [first, second])

    memory.forget("e1", dry_run=False)

    assert memory.query("MATCH (t:Task) RETURN t.text AS text") == [{"text": "make soup"}]
