import itertools
import math
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import predict
from benchmarks.predict import Comparison
from msce_graph.learning.fold import DomainState, PolicyState
from msce_graph.learning.gain import Gain
from msce_graph.learning.normalise import normalise
from msce_graph.records import RecordedEpisode, RecordedStep

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SOUPS = 20


def cooked(actions, *, task="leek soup", passed=True, sequence=1):
    """Return an attempt; an action that ends in ! fails."""
    steps = [
        RecordedStep(
            turn=turn,
            action=action.removesuffix("!"),
            language="verb",
            observation="Error: it burns" if action.endswith("!") else "done",
            is_error=action.endswith("!"),
        )
        for turn, action in enumerate(actions)
    ]
    recorded = RecordedEpisode(
        coordinates=(f"{task}-{sequence}",),
        task=f"Cook a {task}",
        task_key=task,
        domain="kitchen",
        passed=passed,
        source_format="invented",
        source="kitchen.jsonl",
        steps=tuple(steps),
    )
    entry = normalise(recorded, namespace="test", origin="own", settings=predict.SETTINGS, now=NOW)
    return predict.attempt(entry, sequence)


def soups():
    """Return two tries of each soup: the one that simmers succeeds, the one that boils does not."""
    tries = [(["wash pot", "simmer leek"], True), (["wash pot", "boil leek!"], False)]
    return [
        cooked(actions, task=f"soup {soup}", passed=passed, sequence=2 * soup + place + 1)
        for soup in range(SOUPS)
        for place, (actions, passed) in enumerate(tries)
    ]


def kitchen(attempt, verb, stance, *, gain, status="active"):
    """Return a domain with one policy, of the signature that the attempt's step with a verb has."""
    step = next(step for step in attempt.episode.steps if step.tool == verb)
    pattern = predict.pattern_id("kitchen", step.tool, step.error_signature)
    policy = PolicyState(
        "one", pattern, verb, "", stance, np.zeros(1), status=status, gain=Gain(gain, gain, gain, 3, 3)
    )
    return DomainState("kitchen", policies={"one": policy})


def naive_auc(scores, solved, groups):
    pairs = [
        (scores[good], scores[bad])
        for good, bad in itertools.permutations(range(len(scores)), 2)
        if solved[good] and not solved[bad] and groups[good] == groups[bad]
    ]
    return sum(1 if a > b else 0.5 if a == b else 0 for a, b in pairs) / len(pairs) if pairs else math.nan


# What an episode followed -------------------------------------------------------------------------------------------


def test_the_gain_of_an_active_policy_is_followed_by_an_episode_that_took_its_step():
    simmered, boiled = cooked(["simmer leek"]), cooked(["boil leek"])
    state = kitchen(simmered, "simmer", "follow", gain=0.4)

    assert predict.followed_gain(simmered, state) == 0.4
    assert predict.followed_gain(boiled, state) == 0


def test_a_step_that_failed_itself_follows_nothing():
    burnt = cooked(["simmer leek!"])

    assert predict.followed_gain(burnt, kitchen(burnt, "simmer", "follow", gain=0.4)) == 0


@pytest.mark.parametrize("action", ["boil leek", "boil leek!"])
def test_what_was_to_be_avoided_costs_its_gain_whether_it_failed_or_not(action):
    boiled = cooked([action])

    assert predict.followed_gain(boiled, kitchen(boiled, "boil", "avoid", gain=-0.3)) == -0.3


@pytest.mark.parametrize("status", ["candidate", "retired"])
def test_a_policy_that_is_not_active_says_nothing(status):
    simmered = cooked(["simmer leek"])

    assert predict.followed_gain(simmered, kitchen(simmered, "simmer", "follow", gain=0.4, status=status)) == 0


def test_a_step_beyond_those_followed_lowers_the_score():
    short, long = cooked(["simmer leek"]), cooked(["simmer leek", "wash pot"])

    scores = predict.per_step(np.array([0.4, 0.4]), [short, long])

    assert scores == pytest.approx([1.4 / 3, 1.4 / 4])


def test_an_episode_of_talk_alone_follows_nothing():
    assert predict.per_step(np.array([0.0]), [cooked([])]) == [0]


def test_a_domain_of_which_nothing_was_learned_follows_nothing():
    assert predict.by_gain([], [cooked(["simmer leek"])]) == [0]


# Folds --------------------------------------------------------------------------------------------------------------


def test_tries_of_one_task_are_never_on_both_sides_of_a_fold():
    attempts = soups()
    fold_of = predict.folds([one.task for one in attempts], seed=0)
    sides = []

    def watch(learn, score):
        sides.append(({one.task for one in learn}, {one.task for one in score}))
        return [0.0] * len(score)

    predict.left_out(attempts, fold_of, watch)

    assert len(sides) == predict.FOLDS
    assert all(not learned & left for learned, left in sides)
    assert set().union(*(left for _, left in sides)) == set(fold_of)


def test_another_seed_gives_other_folds_and_the_same_seed_the_same():
    tasks = [("kitchen", f"soup {soup}") for soup in range(SOUPS)]

    assert predict.folds(tasks, 1) == predict.folds(reversed(tasks), 1)
    assert predict.folds(tasks, 1) != predict.folds(tasks, 2)


# AUC ----------------------------------------------------------------------------------------------------------------

SCORED = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 2)), min_size=1, max_size=12)


@given(SCORED)
def test_auc_is_the_share_of_pairs_of_a_group_that_are_in_order(rows):
    scores, solved, groups = zip(*rows, strict=True)
    comparison = Comparison(groups, np.array(solved), np.ones((1, len(rows))))

    (auc,) = comparison.auc(np.array(scores, dtype=float))

    assert auc == pytest.approx(naive_auc(scores, solved, groups), nan_ok=True)


@given(SCORED, st.data())
def test_an_episode_of_weight_two_counts_as_two_of_them(rows, data):
    repeats = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    scores, solved, groups = zip(*rows, strict=True)
    copies = [row for row, times in zip(rows, repeats, strict=True) for _ in range(times)]

    (auc,) = Comparison(groups, np.array(solved), np.array([repeats], dtype=float)).auc(np.array(scores, dtype=float))

    assert auc == pytest.approx(naive_auc(*zip(*copies, strict=True)) if copies else math.nan, nan_ok=True)


def test_a_task_drawn_twice_counts_its_own_pairs_twice():
    scores = np.array([1.0, 0.0, 0.0, 1.0])
    solved = np.array([True, False, True, False])
    weights = np.array([[1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 1.0, 1.0]])

    auc = Comparison(["leek", "leek", "pea", "pea"], solved, weights, once=True).auc(scores)

    assert auc == pytest.approx([1 / 2, 2 / 3])


def test_a_draw_of_tasks_holds_all_tries_of_a_task_equally_often():
    tasks = [("kitchen", f"soup {place // 2}") for place in range(2 * SOUPS)]

    weights = predict.resampled(tasks, draws=50, seed=3)

    assert (weights[0] == 1).all()
    assert (weights[:, ::2] == weights[:, 1::2]).all()
    assert (weights[:, ::2].sum(axis=1) == SOUPS).all()
    assert (weights == predict.resampled(tasks, draws=50, seed=3)).all()


# The whole ----------------------------------------------------------------------------------------------------------


def test_every_task_is_even_or_odd_by_its_key_alone():
    attempts = soups()

    halves = {(one.task, one.is_even) for one in attempts}

    assert len(halves) == SOUPS
    assert {is_even for _, is_even in halves} == {True, False}


def test_policies_and_regression_both_see_what_decides_in_an_invented_kitchen():
    lines = predict.report(soups(), seed=0, splits=1, draws=20)

    headings = [line for line in lines if line.startswith("  ") and line[2].isalpha()]
    rows = [line for line in lines if line.startswith("    ") and line[4].isalpha()]
    within = {row[4:32].strip(): row.split("]")[1].split()[0] for row in rows[-6:]}
    assert [heading.split()[0] for heading in headings] == ["even", "odd", "all"]
    assert headings[-1].split(": ")[1] == f"{2 * SOUPS} episodes, {SOUPS} solved, {SOUPS} pairs of one"
    assert within == {
        "steps": "0.500",
        "steps and errors": "1.000",
        "regression": "1.000",
        "regression without steps": "1.000",
        "policies": "1.000",
        "policies without steps": "1.000",
    }
