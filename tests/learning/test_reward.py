import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.reward import FEEDBACK_WEIGHTS, reward
from tests.support import cases

axis = st.one_of(st.none(), st.floats(-1, 1))


@pytest.mark.parametrize(("outcome", "expect"), cases("reward"))
def test_an_outcome_gives_the_reward_and_whether_it_was_solved(outcome, expect):
    if "error" in expect:
        with pytest.raises(ValueError, match="not in"):
            reward(**outcome)
        return

    found = reward(**outcome)

    assert found.reward == (None if expect["reward"] is None else pytest.approx(expect["reward"], abs=1e-9))
    assert found.solved == expect["solved"]


@pytest.mark.parametrize(
    ("outcome", "basis"),
    [({"score": 0.3}, "score"), ({"passed": False}, "score"), ({"feedback": {"goal": 1}}, "feedback"), ({}, None)],
)
def test_an_outcome_says_what_it_rests_on(outcome, basis):
    assert reward(**outcome).basis == basis


def test_a_score_beside_a_pass_gives_the_reward_and_the_pass_says_whether_it_was_solved():
    found = reward(score=0.6, passed=True)

    assert found.reward == pytest.approx(0.2)
    assert found.solved


@given(st.fixed_dictionaries(dict.fromkeys(FEEDBACK_WEIGHTS, axis)))
def test_feedback_never_leaves_the_range_of_its_axes(feedback):
    known = [value for value in feedback.values() if value is not None]

    found = reward(feedback=feedback)

    if known:
        assert min(known) - 1e-12 <= found.reward <= max(known) + 1e-12
        assert -1 <= found.reward <= 1
    else:
        assert found.reward is None


def test_feedback_on_an_unknown_axis_is_an_error():
    with pytest.raises(ValueError, match="'speed'"):
        reward(feedback={"speed": 1})


def test_a_score_that_is_no_number_is_an_error():
    with pytest.raises(ValueError, match="nan"):
        reward(score=float("nan"))
