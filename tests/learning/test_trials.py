import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.reliability import Use, trial
from tests.support import cases


@pytest.mark.parametrize(("given", "expect"), cases("trials"))
def test_the_case_holds(given, expect):
    skill, episode = given["skill"], given["episode"]
    required = [step["tool"] for step in skill["procedure"] if step["required"]]
    use = Use(
        tools=tuple(episode["tools"]),
        trigger_met=episode["trigger_met"],
        was_offered=episode["offered"],
        declared_used=episode["declared_used"],
        is_after_publication=episode["scored_after_publication"],
        built_it=episode["id"] in skill["built_from"],
        solved=episode["solved"],
    )

    passed = trial(required, use)

    assert {"trial": passed is not None, "passed": passed} == expect


def following(*tools, solved=True):
    return Use(
        tools=tools,
        trigger_met=True,
        was_offered=False,
        declared_used=False,
        is_after_publication=True,
        built_it=False,
        solved=solved,
    )


def test_meeting_the_trigger_of_a_skill_without_required_steps_is_no_trial():
    assert trial((), following("go")) is None


tools = st.lists(st.sampled_from("abc"), max_size=8)


@given(tools, tools, st.booleans())
def test_more_steps_never_undo_a_trial(required, taken, solved):
    if trial(required, following(*taken, solved=solved)) is not None:
        assert trial(required, following("c", *taken, "a", solved=solved)) is solved
