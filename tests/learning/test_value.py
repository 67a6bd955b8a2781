import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.value import values
from tests.support import cases

shares = st.floats(0, 1)


@pytest.mark.parametrize(("episode", "expect"), cases("value"))
def test_the_outcome_flows_back_to_each_step(episode, expect):
    found = values(episode["reward"], episode["alphas"], episode["gamma"])

    if episode["reward"] is None:
        assert list(found) == expect["values"]
    else:
        assert list(found) == pytest.approx(expect["values"], abs=1e-9)


@given(st.floats(-1, 1), st.lists(shares, max_size=30), shares)
def test_a_value_has_the_sign_of_the_reward_and_is_never_larger(reward, alphas, gamma):
    found = values(reward, alphas, gamma)

    assert len(found) == len(alphas)
    assert all(abs(value) <= abs(reward) + 1e-12 and value * reward >= 0 for value in found)


@pytest.mark.parametrize(
    ("reward", "alphas", "gamma", "quoted"), [(1.5, [0], 0.9, "1.5"), (1, [0, 0], -0.1, "-0.1"), (1, [2, 0], 0.9, "2")]
)
def test_a_number_out_of_range_is_quoted(reward, alphas, gamma, quoted):
    with pytest.raises(ValueError, match=quoted):
        values(reward, alphas, gamma)
