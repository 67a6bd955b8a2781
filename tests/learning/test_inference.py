"""Outcomes that are inferred from what a user says after the work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.fencing import fence
from msce_graph.learning.inference import inferred
from msce_graph.learning.reward import UNKNOWN
from msce_graph.records import Call, RecordedStep


def call(*, is_error=False, observation="done"):
    return RecordedStep(turn=0, call=Call(name="book", arguments={}), observation=observation, is_error=is_error)


def talk(answer):
    return RecordedStep(turn=1, action="It is booked.", is_action=False, observation=answer)


@pytest.mark.parametrize(
    ("answer", "solved"),
    [
        ("Perfect, that is exactly what I needed.", True),
        ("No, this is wrong. You booked the wrong day.", False),
        ("太好了，问题解决了", True),
        ("不对，日期错了", False),
    ],
)
def test_what_the_user_says_after_the_work_is_the_outcome(answer, solved):
    found = inferred([call(), talk(answer)])

    assert (found.solved, found.basis) == (solved, "inferred")


def test_words_before_the_last_action_are_about_the_task():
    assert inferred([talk("Great, that worked. Now book the flight."), call(), talk("My name is Ada.")]) == UNKNOWN


@pytest.mark.parametrize("steps", [[], [call()], [talk("Perfect, thanks!")], [call(), talk("I live in Rome.")]])
def test_without_work_or_words_about_it_nothing_is_inferred(steps):
    assert inferred(steps) == UNKNOWN


def test_of_two_answers_the_last_one_counts():
    found = inferred([call(), talk("That is wrong."), talk("Oh, now I see: it is correct, it works.")])

    assert found.solved


def test_an_error_at_the_end_makes_praise_worth_less():
    praise = "Perfect, that worked."

    assert inferred([call(is_error=True), talk(praise)]).reward < inferred([call(), talk(praise)]).reward


def test_what_a_tool_says_is_no_word_of_the_user():
    assert inferred([call(observation="Perfect, it worked."), talk("My id is 7.")]) == UNKNOWN


def test_what_recall_gave_is_no_word_of_the_user():
    assert inferred([call(), talk(fence("default/e1#3", "Perfect, that worked."))]) == UNKNOWN


@given(st.lists(st.builds(talk, st.text()) | st.builds(call, is_error=st.booleans())))
def test_any_log_gives_a_reward_in_range_or_none(steps):
    found = inferred(steps)

    assert found == UNKNOWN or (-1 <= found.reward <= 1 and found.solved == (found.reward > 0))
