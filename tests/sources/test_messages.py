"""The walk over OpenAI messages, on conversations that real logs lack."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from msce_graph.records import Call
from msce_graph.sources.messages import Message, steps, task
from tests.sources.logs import call, calling, result, said, system, user


def walked(*messages):
    return steps([Message.model_validate(message) for message in messages])


def test_a_call_takes_the_user_message_before_it_as_state_and_the_text_beside_it_as_reflection():
    (step,) = walked(user("Find a pear"), calling(call("find", {"fruit": "pear"}), content="Start."), result("in 3"))

    assert (step.state, step.reflection, step.action) == ("Find a pear", "Start.", "")
    assert (step.call, step.observation) == (Call(name="find", arguments={"fruit": "pear"}), "in 3")
    assert step.is_action


def test_a_message_without_a_call_is_talk_that_the_users_reply_observes():
    (step,) = walked(user("Hello"), said("What do you need?"), user("A pear"))

    assert (step.action, step.observation, step.call) == ("What do you need?", "A pear", None)
    assert not step.is_action


def test_parallel_calls_are_steps_of_one_turn_with_the_same_state_and_reflection():
    first, second, later = walked(
        user("Both please"),
        calling(call("find", {"n": 1}, "a"), call("find", {"n": 2}, "b"), content="Two at once."),
        result("one", "a"),
        result("two", "b"),
        calling(call("stop", {})),
    )

    assert (first.turn, first.state, first.reflection) == (second.turn, second.state, second.reflection)
    assert (first.observation, second.observation) == ("one", "two")
    assert (later.turn, later.state) == (1, "one\ntwo")


def test_results_out_of_order_reach_the_call_of_their_id():
    first, second = walked(
        user("Both"), calling(call("find", {}, "a"), call("find", {}, "b")), result("of b", "b"), result("of a", "a")
    )

    assert (first.observation, second.observation) == ("of a", "of b")


def test_an_id_that_repeats_means_the_call_just_before():
    first, second = walked(
        user("Go"), calling(call("find", {"n": 1})), result("one"), calling(call("find", {"n": 2})), result("two")
    )

    assert (first.observation, second.observation) == ("one", "two")


def test_an_id_that_repeats_after_an_unanswered_call_means_the_call_just_before():
    first, second = walked(user("Go"), calling(call("find", {"n": 1})), calling(call("find", {"n": 2})), result("two"))

    assert (first.observation, second.observation) == ("", "two")


def test_one_id_for_two_calls_of_a_message_answers_them_in_order():
    first, second = walked(
        user("Go"), calling(call("find", {}, "x"), call("find", {}, "x")), result("one", "x"), result("two", "x")
    )

    assert (first.observation, second.observation) == ("one", "two")


def test_a_late_result_reaches_the_earlier_call_of_its_id():
    first, second = walked(
        user("Go"),
        calling(call("slow", {}, "a")),
        calling(call("fast", {}, "b")),
        result("slow is done", "a"),
        result("fast is done", "b"),
    )

    assert (first.observation, second.observation) == ("slow is done", "fast is done")


def test_results_without_ids_are_matched_by_position():
    first, second = walked(
        user("Go"), calling(call("f", {}, None), call("g", {}, None)), result("f", None), result("g", None)
    )

    assert (first.observation, second.observation) == ("f", "g")


def test_a_result_that_no_call_asked_for_is_state_alone():
    (step,) = walked(user("Go"), result("out of the blue"), said("I see."))

    assert (step.state, step.observation) == ("Go\nout of the blue", "")


def test_messages_that_nothing_answered_share_a_turn():
    first, second, third = walked(
        user("Go"), said("One moment."), calling(call("find", {})), result("it"), said("Done")
    )

    assert (first.turn, second.turn, third.turn) == (0, 0, 1)
    assert first.state == second.state == "Go"


def test_a_thought_is_no_step_but_the_reflection_of_the_next():
    (step,) = walked(
        user("Go"),
        calling(call("think", {"thought": "Where could it be?"}), content="Let me think."),
        result(""),
        calling(call("find", {}), content="I look."),
    )

    assert step.reflection == "Let me think.\nWhere could it be?\nI look."
    assert (step.state, step.turn) == ("Go", 0)


def test_a_thought_that_no_step_follows_is_added_to_the_last():
    (step,) = walked(
        user("Go"), calling(call("find", {}), content="I look."), result("it"), calling(call("think", "All done"))
    )

    assert step.reflection == "I look.\nAll done"


def test_a_thought_beside_calls_reflects_on_all_of_them():
    first, second = walked(
        user("Go"), calling(call("f", {}, "a"), call("think", {"thought": "Two."}, "b"), call("g", {}, "c"))
    )

    assert first.reflection == second.reflection == "Two."


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ('{"n": [1, {"m": null}]}', {"n": [1, {"m": None}]}),
        ('{"n": 1', '{"n": 1'),
        ("[1, 2]", "[1, 2]"),
        ('{"n": NaN}', '{"n": NaN}'),
        ("", {}),
    ],
)
def test_arguments_become_structure_and_what_does_not_parse_stays_text(told, kept):
    (step,) = walked(user("Go"), calling(call("find", told)))

    assert step.call == Call(name="find", arguments=kept)


def test_the_texts_of_content_parts_are_joined_and_media_named():
    parts = [{"type": "text", "text": "This"}, {"type": "image_url", "image_url": {"url": "x"}}, "and that"]

    (step,) = walked(user(parts), said(parts))

    assert step.state == step.action == "This\n[image_url]\nand that"


def test_a_content_part_of_another_format_is_refused_and_not_lost():
    with pytest.raises(ValidationError, match="tool_use"):
        Message.model_validate(said([{"type": "tool_use", "name": "find", "input": {}}]))


@pytest.mark.parametrize(
    ("answer", "is_error"),
    [
        (result("Error: not found"), True),
        (result("No Error: all well"), False),
        (result("Error is in the title", error=False), False),
        (result("gone", error=True), True),
    ],
)
def test_a_result_is_an_error_as_it_says_itself_else_by_its_first_word(answer, is_error):
    (step,) = walked(user("Go"), calling(call("find", {})), answer)

    assert step.is_error is is_error


def test_the_simulated_users_own_calls_are_state_and_no_step():
    talk, step = walked(
        user("My line is dead"),
        said("Please restart it."),
        {"role": "user", "tool_calls": [{"id": "u", "name": "restart", "arguments": {}, "requestor": "user"}]},
        result("restarted", "u", requestor="user"),
        user("Done"),
        calling(call("check_line", {}, "u")),
        result("alive", "u"),
    )

    assert talk.observation == "restart({})\nDone"
    assert step.state == "restart({})\nrestarted\nDone"
    assert step.observation == "alive"


def test_system_messages_reach_no_step():
    (step,) = walked(system("the rules"), user("Go"), {"role": "developer", "content": "more rules"}, said("Gone"))

    assert "rules" not in step.model_dump_json()


def test_a_conversation_without_a_user_has_no_task():
    with pytest.raises(ValueError, match="no user message"):
        task([Message.model_validate(said("Hello?"))])


_CALLS = st.lists(st.tuples(st.sampled_from(["find", "think"]), st.sampled_from(["a", "b", None])), max_size=3)
_MESSAGES = st.one_of(
    st.text(max_size=5).map(user),
    st.text(max_size=5).map(said),
    _CALLS.map(lambda calls: calling(*(call(name, {}, id) for name, id in calls))),
    st.sampled_from(["a", "b", None]).map(lambda id: result("it", id)),
)


@given(st.lists(_MESSAGES, max_size=12))
def test_every_call_but_a_thought_is_one_step_and_turns_never_go_back(messages):
    found = walked(*messages)

    called = [spoken for message in messages for spoken in message.get("tool_calls", ())]
    assert sum(step.call is not None for step in found) == sum(c["function"]["name"] != "think" for c in called)
    turns = [step.turn for step in found]
    assert turns == sorted(turns)
    assert sum(step.observation == "it" for step in found) <= sum(message["role"] == "tool" for message in messages)
