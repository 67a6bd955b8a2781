from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.reflection import grade
from tests.support import cases

STATE = "Print the heaviest parcel. Tables: parcel(id, grams, depot_id), depot(id, town)."
CONTEXT = {
    "state": STATE,
    "tool": "sql:SELECT",
    "arguments": {"tables": ["parcel"], "columns": ["weight"]},
    "observation": "Unknown column 'weight' in 'field list'",
}
GOOD = (
    "The SELECT failed because parcel stores grams and knows no weight; before naming a column, read it in the schema."
)
REFLECTIONS = [
    GOOD,
    "parcel has grams, so ask for it",
    "Look at depot next.",
    "重量这一列不在 parcel 表里，因为它叫 grams。",
]


def alpha(reflection, **changes):
    return grade(reflection, **{**CONTEXT, **changes}).alpha


@pytest.mark.parametrize(("given_step", "expect"), cases("reflection"))
def test_a_case_grades_as_it_says(given_step, expect):
    grades = {
        name: grade(
            reflection,
            state=given_step["state"],
            tool=given_step["action"]["tool"],
            arguments=given_step["action"]["arguments"],
            observation=given_step["observation"],
        ).alpha
        for name, reflection in given_step["reflections"].items()
    }

    assert [grades[name] for name in expect.get("zero", [])] == [0.0] * len(expect.get("zero", []))
    assert all(grades[higher] > grades[lower] for higher, lower in expect.get("order", []))
    assert all(abs(grades[one] - grades[other]) <= 0.1 for one, other in expect.get("close", []))


@given(
    st.text(max_size=80) | st.sampled_from(REFLECTIONS),
    st.text(max_size=80),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
        max_leaves=6,
    ),
)
def test_every_grade_lies_between_zero_and_one_and_says_why(reflection, state, observation):
    graded = grade(reflection, state=state, tool=None, arguments={"of": observation}, observation=observation)

    axes = dataclasses.astuple(graded)[:5]
    assert all(0 <= axis <= 1 for axis in axes)
    assert graded.reason


@given(st.sampled_from(REFLECTIONS), st.integers(2, 6))
def test_repetition_earns_nothing(reflection, times):
    assert alpha(" ".join([reflection] * times)) == alpha(reflection)


@given(st.text(alphabet=" \t\n.,;!?…。，！", max_size=30))
def test_marks_and_blanks_weigh_nothing(reflection):
    assert alpha(reflection) == 0


@pytest.mark.parametrize(
    ("reflection", "reason"),
    [
        ("Great, perfect, keep going!", "nothing of its own"),
        ("The answer is: Unknown column weight.", "observation again"),
        ("Now I will run a SELECT of weight on parcel.", "action again"),
        ("I call SELECT on parcel and it says unknown weight, field list.", "action and the observation again"),
        ("The violin sounds flat because its strings are old, so always tune it.", "does not contain"),
        ("小提琴走音是因为琴弦旧了，所以每次都要先调音。", "does not contain"),
    ],
)
def test_what_weighs_nothing_says_why(reflection, reason):
    graded = grade(reflection, **CONTEXT)

    assert graded.alpha == 0
    assert reason in graded.reason


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (GOOD, "The parcel table has grams, because it says so."),
        ("parcel has no weight, because it stores grams.", "I should look at grams of parcel and depot."),
        ("A depot must be joined by its id, so the town of a parcel is there.", "Next I join depot and parcel by id."),
        ("parcel stores grams; use grams instead of weight.", "parcel stores grams and a depot."),
        ("因为 parcel 里只有 grams，所以查询失败；以后应先看 grams。", "我看看 parcel 和 grams 吧。"),
    ],
)
def test_a_cause_and_a_rule_weigh_more_than_a_plan(better, worse):
    assert alpha(better) > alpha(worse)


def test_what_the_agent_is_about_to_do_is_no_rule():
    assert grade("I should use grams of the depot.", **CONTEXT).transferable == 0
    assert grade("One should use grams of the depot.", **CONTEXT).transferable > 0


def test_a_cause_in_a_sentence_about_something_else_does_not_count():
    assert grade("The depot knows grams. Violins squeak because of age.", **CONTEXT).causal == 0


def test_the_forms_of_a_word_and_the_parts_of_a_name_are_the_same_word():
    named = {"state": "cancelReservation: cancelled bookings", "tool": None, "arguments": {}, "observation": ""}

    assert grade("cancelling a reservation, because of the booking", **named).faithful == 1


def test_escaped_json_is_read_like_any_text():
    escaped = '{"\\u8231\\u4f4d": "\\u7ecf\\u6d4e\\u8231"}'

    assert alpha("因为舱位是经济舱，所以应先核对保险。", observation=escaped) > 0.5


def test_a_word_is_no_filler_where_the_tool_is_named_so():
    step = {"state": "", "arguments": {}, "observation": "Nothing happens."}
    reflection = "put needs an open drawer because a shut one takes nothing"

    assert grade(reflection, tool="put", **step).alpha > grade(reflection, tool="close", **step).alpha


# What was learned from reading reflections of agents that play, query, edit, shop and serve. ------------------------


@pytest.mark.parametrize(
    "reflection",
    [
        "The depot does not exist. I should add the depot first.",
        "The depot cannot be found, I'll look for another depot.",
        "depot 不存在，我先建一个 depot。",
    ],
)
def test_a_fault_told_in_other_words_is_in_the_context(reflection):
    step = {"state": "load: no such depot", "tool": "add", "arguments": {"what": "bay"}, "observation": "bay 3"}

    assert grade(reflection, **step).alpha > 0


def test_a_flag_is_a_word():
    step = {"state": "", "tool": "shell:pack", "arguments": {"options": ["-q"]}, "observation": "packed"}

    assert grade("The silence comes from -q.", **step).faithful > 0


@pytest.mark.parametrize(
    "reflection",
    ["I should SELECT parcel instead of weight.", "The parcel has no weight.", "Never SELECT weight of a parcel."],
)
def test_what_denies_or_replaces_the_action_does_not_say_it_again(reflection):
    assert alpha(reflection) > 0
    assert alpha("I should SELECT weight of a parcel.") == 0


@pytest.mark.parametrize(
    "reflection", ["Now run the tests.", "Running the test script again.", "Now run the depot script."]
)
def test_naming_what_is_run_says_the_action_again(reflection):
    step = {"state": "The town needs a depot.", "arguments": {"command": "python run_depot.py"}, "observation": "ok"}

    assert grade(reflection, tool="shell:python", **step).alpha == 0


@pytest.mark.parametrize(
    "reflection",
    [
        "I need to find a parcel, then use the depot.",
        "I will read the depot again to make sure that parcel is right.",
        "The change should fix the parcel of the depot.",
        "The parcel must be in the depot table.",
        "Let's verify grams of the parcel.",
        "I can use grams of the parcel and replace the depot.",
        "I will list grams of parcel before joining depot.",
        "It catches the unknown field when reading weight of a parcel, as depot does.",
        "Nothing came back after joining depot and parcel by id.",
        "A list of parcels that do not use grams.",
    ],
)
def test_a_plan_an_expectation_and_a_telling_are_no_rule(reflection):
    assert grade(reflection, **CONTEXT).transferable == 0


@pytest.mark.parametrize(
    "reflection",
    [
        "Before naming weight, read the parcel table.",
        "It failed on weight. Before joining depot, check grams of the parcel.",
        "From now on I will read grams of the parcel first.",
        "Never guess weight of a parcel.",
        "A parcel must be joined by depot_id.",
    ],
)
def test_what_holds_for_other_steps_is_a_rule(reflection):
    assert grade(reflection, **CONTEXT).transferable == 1


@pytest.mark.parametrize(
    ("reflection", "causal"),
    [
        ("The depot has the town, so I will join depot.", 0.5),
        ("Since the depot has the town, I will join depot.", 0.5),
        ("The parcel has no weight, so the SELECT had to fail.", 1.0),
        ("The parcel has no weight, so I cannot print the heaviest.", 1.0),
        ("The issue is that parcel stores grams.", 1.0),
        ("Naming weight leads to an unknown column of parcel.", 1.0),
        ("It holds the depot that does not own a parcel.", 0.0),
        ("The parcel does not own weight.", 0.5),
    ],
)
def test_a_reason_for_the_next_step_is_half_a_cause(reflection, causal):
    assert grade(reflection, **CONTEXT).causal == causal
