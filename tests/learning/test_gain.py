"""Gain and its test from sums, against the worked cases and against the formulas written out."""

from __future__ import annotations

import math
from collections import defaultdict
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.gain import gain
from msce_graph.learning.significance import false_discovery_rates
from msce_graph.learning.significance import test as significance
from msce_graph.learning.tally import Pool, Scored, Sums, Tally, TaskTally, length_bin
from tests.support import cases


def folded(rows: list[tuple[Scored, bool, bool]]) -> tuple[Pool, Sums]:
    """Fold episodes (scored, has the policy, was offered its skill) one by one, as evolve does."""
    pool, sums, tallies = Pool(), Sums(), defaultdict(Tally)
    for scored, uses, offered in rows:
        before = pool.tasks.get(scored.task_key, TaskTally())
        pool = pool.plus(scored)
        tally = tallies[scored.task_key]
        after = tally.plus(scored, offered=offered) if uses or offered else tally
        sums = sums.moved(tally, before, after, pool.tasks[scored.task_key])
        if uses or offered:
            sums = sums.plus(scored, offered=offered)
        tallies[scored.task_key] = after
    return pool, sums


@pytest.mark.parametrize(("given_", "expect"), cases("gain"))
def test_gain_is_the_worked_one(given_, expect):
    rows = [
        (
            Scored(row["task_key"], row["reward"], row["reward"] == 1, row.get("tool_steps", 1)),
            row["id"] in given_["with"],
            row["id"] in given_.get("offered", ()),
        )
        for row in given_["pool"]
        if row["reward"] is not None and row.get("tool_steps", 1)
    ]

    found = gain(*folded(rows), baseline_episodes=5)

    assert (found.episodes_with, found.episodes_without) == (expect["n_with"], expect["n_without"])
    for name, value in (("gain", found.gain), ("gain_low", found.low), ("gain_high", found.high)):
        assert value == (None if expect[name] is None else pytest.approx(expect[name], abs=1e-9)), name


@pytest.mark.parametrize(("given_", "expect"), cases("significance"))
def test_significance_is_the_worked_one(given_, expect):
    if "policies" in given_:
        check_families(given_["policies"], expect)
        return
    rows = [
        (
            Scored(
                row["task_key"],
                2.0 * row["solved"] - 1,
                row["solved"],
                row["tool_steps"],
                row.get("agent"),
                row.get("model"),
            ),
            row["uses"],
            row.get("offered", False),
        )
        for row in given_["pool"]
        for _ in range(row.get("episodes", 1))
    ]

    found = significance(*folded(rows))

    for stance in ("follow", "avoid"):
        for name in ("by_task", "by_length", "by_agent"):
            assert getattr(found, name).p(stance) == pytest.approx(expect[stance][name], abs=1e-9), (stance, name)
        assert found.p(stance) == pytest.approx(expect[stance]["p"], abs=1e-9)


def check_families(policies, expect):
    families = defaultdict(list)
    for policy in policies:
        if policy["support"] >= 3:
            families[policy.get("domain"), policy.get("stance")].append(policy)
    for family in families.values():
        for policy, q in zip(family, false_discovery_rates([row["p"] for row in family]), strict=True):
            assert q == pytest.approx(expect[policy["policy"]]["q"], abs=1e-9)
            assert (round(q, 12) < 0.1) == expect[policy["policy"]]["passes"]


scored = st.builds(
    Scored,
    task_key=st.sampled_from("abcd"),
    reward=st.sampled_from([-1.0, -0.4, 0.0, 0.34, 1.0]),
    solved=st.booleans(),
    tool_steps=st.integers(1, 40),
    agent=st.sampled_from([None, "swift", "plain"]),
)


@given(st.lists(st.tuples(scored, st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_sums_give_the_gain_that_the_formula_gives_written_out(rows):
    found = gain(*folded(rows), baseline_episodes=5)

    pool = [row[0] for row in rows]
    mean = sum(s.reward for s in pool) / len(pool)
    by_task = defaultdict(list)
    for s in pool:
        by_task[s.task_key].append(s.reward)
    adjusted = [s.reward - (sum(by_task[s.task_key]) - s.reward + mean) / len(by_task[s.task_key]) for s in pool]
    with_it = [a for a, (_, uses, offered) in zip(adjusted, rows, strict=True) if uses and not offered]
    without = [a for a, (_, uses, offered) in zip(adjusted, rows, strict=True) if not uses and not offered]
    if not with_it:
        assert found.gain is None
        return
    expected = sum(with_it) / len(with_it) - sum(without) / (len(without) + 5)
    spread = 1 / len(with_it) + (len(without) / (len(without) + 5) ** 2)
    half = 1.645 * (stdev(adjusted) if len(pool) > 1 else 0) * math.sqrt(spread)
    assert found.gain == pytest.approx(expected, abs=1e-9)
    assert found.high - found.gain == pytest.approx(half, abs=1e-6)


@given(st.integers(1, 5000))
def test_every_length_lies_in_its_bin(steps):
    low, _, high = length_bin(steps).partition("-")

    assert int(low) <= steps <= int(high or low)
