import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.signature import answers
from tests.support import cases


@pytest.mark.parametrize(("trajectory", "expect"), cases("answers"))
def test_a_step_answers_the_error_that_stands_open(trajectory, expect):
    steps = trajectory["steps"]

    found = answers([s["turn"] for s in steps], [s["tool"] for s in steps], [s["is_error"] for s in steps])

    assert found == expect["answers"]


steps = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([None, "read", "list"]), st.booleans()), max_size=20)


@given(steps)
def test_what_is_answered_is_a_failed_tool_step_of_an_earlier_turn_with_none_between(drawn):
    turns, turn = [], 0
    for step, _, _ in drawn:
        turn += step
        turns.append(turn)
    tools = [tool for _, tool, _ in drawn]
    errors = [is_error for _, _, is_error in drawn]

    for index, answered in enumerate(answers(turns, tools, errors)):
        earlier = [i for i in range(index) if turns[i] < turns[index] and tools[i] is not None]
        assert answered == (earlier[-1] if earlier and errors[earlier[-1]] else None)
