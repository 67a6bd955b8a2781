"""Recalled items in their order: fusion, worth by age, and unlikeness."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.ranking import aged_value, contenders, diversified, fused

NOW = datetime(2026, 1, 2, tzinfo=UTC)
KEYS = st.text("abcdefgh", min_size=1, max_size=2)
SCORES = st.dictionaries(KEYS, st.integers(1, 100), max_size=8)


def test_an_item_found_by_two_channels_comes_before_one_that_either_ranks_a_little_higher():
    assert fused([3, 3], constant=60) > fused([1], constant=60)


def test_the_first_of_one_channel_counts_one_over_61():
    assert fused([1], constant=60) == pytest.approx(1 / 61)


def test_evidence_loses_half_of_its_value_in_a_half_life():
    old = aged_value(0.8, NOW - timedelta(days=30), NOW, half_life_days=30)

    assert old == pytest.approx(0.4)


@pytest.mark.parametrize("value", [None, 0.0, -0.7])
def test_evidence_that_is_worth_nothing_counts_nothing(value):
    assert aged_value(value, NOW, NOW, half_life_days=30) == 0


def test_evidence_from_the_future_counts_no_more_than_what_is_new():
    assert aged_value(0.5, NOW + timedelta(days=9), NOW, half_life_days=30) == 0.5


def test_a_copy_of_the_best_comes_after_something_else():
    scores = {"best": 1.0, "copy": 0.95, "other": 0.7, "last": 0.1}
    likeness = {"best": {"copy": 1.0, "other": 0.0}}

    assert diversified(scores, likeness, 2, relevance=0.7) == ["best", "other"]


@given(SCORES, st.integers(0, 10))
def test_relevance_alone_gives_the_best_scores_in_order(scores, most):
    likeness = {key: dict.fromkeys(scores, 1.0) for key in scores}

    chosen = diversified(scores, likeness, most, relevance=1.0)

    assert chosen == sorted(scores, key=lambda key: (-scores[key], key))[:most]


@given(SCORES, st.integers(0, 10))
def test_each_key_is_chosen_once_and_as_many_as_there_are(scores, most):
    chosen = diversified(scores, {}, most, relevance=0.7)

    assert len(chosen) == len(set(chosen)) == min(most, len(scores))


@given(
    st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.floats(0, 1), max_size=12),
    st.integers(0, 4),
    st.sampled_from([0.5, 0.7, 1.0]),
    st.randoms(use_true_random=False),
)
def test_only_contenders_can_be_chosen_however_alike_they_are(scores, most, relevance, random):
    likeness = {key: {other: random.uniform(-1, 1) for other in scores} for key in scores}
    known = contenders(scores, most, relevance=relevance)

    chosen = diversified(scores, likeness, most, relevance=relevance)

    assert chosen == diversified(scores, {key: likeness[key] for key in known}, most, relevance=relevance)
    assert set(chosen) <= set(known)
