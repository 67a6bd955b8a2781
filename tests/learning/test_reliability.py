import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.reliability import reliability


def test_an_untried_skill_is_as_likely_to_pass_as_to_fail():
    assert reliability(0, 0) == 0.5


@pytest.mark.parametrize(("passes", "trials"), [(2, 1), (-1, 3), (1, -1)])
def test_impossible_counts_are_refused_and_quoted(passes, trials):
    with pytest.raises(ValueError, match=f"{passes} passes in {trials} trials"):
        reliability(passes, trials)


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_reliability_is_never_certain_and_grows_with_a_pass(passes, failures):
    eta = reliability(passes, passes + failures)

    assert 0 < eta < 1
    assert reliability(passes + 1, passes + failures + 1) > eta > reliability(passes, passes + failures + 1)
