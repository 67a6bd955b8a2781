"""The boundary's test against the worked cases."""

from __future__ import annotations

import pytest

from msce_graph.learning.boundary import Counts, Try, contrast, count, judge
from msce_graph.learning.context import Feature
from msce_graph.settings import Settings
from tests.support import cases

SETTINGS = Settings()


def counts_of(given):
    """Return the counts that a case gives, or that its episodes lead to, by feature."""
    if "features" in given:
        return {
            Feature(row["kind"], row["feature"]): Counts(
                row["counter"], given["counter_tasks"], row["support"], given["support_tasks"]
            )
            for row in given["features"]
        }
    return count(tries_of(given))


def tries_of(given):
    return [
        Try(
            task_key=row["task_key"],
            side=row["side"],
            evidence=f"e{place}",
            earlier_tools=frozenset(),
            features=frozenset(Feature(given["kinds"][name], name) for name in row["features"]),
        )
        for place, row in enumerate(given["episodes"])
    ]


@pytest.mark.parametrize(("given", "expect"), cases("boundary"))
def test_what_is_claimed_is_the_worked_one(given, expect):
    counts = counts_of(given)

    verdicts = judge(counts, SETTINGS)

    assert {feature.name for feature in counts} == set(expect["features"])
    for feature, seen in counts.items():
        wanted = expect["features"][feature.name]
        verdict = verdicts.get(feature)
        assert (verdict is not None and verdict.is_claimed) == wanted["claimed"], feature
        assert (verdict is not None) == ("p" in wanted), feature
        if verdict is not None:
            assert (verdict.p, verdict.q) == pytest.approx((wanted["p"], wanted["q"]), abs=1e-9), feature
        if "counter_tasks" in wanted:
            assert (seen.counter_tasks, seen.support_tasks) == (wanted["counter_tasks"], wanted["support_tasks"])


@pytest.mark.parametrize(
    ("given", "expect"), [case for case in cases("boundary") if case.values[0] and "episodes" in case.values[0]]
)
def test_contrast_claims_from_episodes_what_the_case_claims(given, expect):
    claims = contrast(tries_of(given), SETTINGS)

    assert {claim.name for claim in claims} == {
        name for name, wanted in expect["features"].items() if wanted["claimed"]
    }
