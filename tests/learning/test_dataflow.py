import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from msce_graph.learning.dataflow import derivations, told
from tests.support import cases


@dataclass(frozen=True)
class Step:
    turn: int
    arguments: dict[str, JsonValue] = field(default_factory=dict)
    observation: JsonValue = ""


def edges(*steps):
    return [(e.step, e.argument, e.source, e.path) for e in derivations(steps)]


@pytest.mark.parametrize(("trajectory", "expect"), cases("dataflow"))
def test_an_argument_leads_to_the_nearest_observation_that_shows_it(trajectory, expect):
    steps = [Step(turn, step["arguments"], step["observation"]) for turn, step in enumerate(trajectory["steps"])]

    found = [{"from": e.step, "argument": e.argument, "to": e.source, "path": e.path} for e in derivations(steps)]

    assert sorted(found, key=str) == sorted(expect["edges"], key=str)


def test_parallel_calls_do_not_feed_each_other():
    assert edges(Step(0, observation={"id": "k_77"}), Step(0, {"id": "k_77"}), Step(1, {"id": "k_77"})) == [
        (2, "id", 0, "id")
    ]


def test_each_element_of_a_list_leads_to_its_own_source():
    parcels = Step(0, observation={"parcels": ["P-100", "P-200"]})
    depot = Step(1, observation="depot D-300 is open")

    assert edges(parcels, depot, Step(2, {"stops": ["P-200", "D-300", "P-100"]})) == [
        (2, "stops", 0, "parcels[]"),
        (2, "stops", 1, None),
    ]


def test_what_is_nested_has_the_name_of_its_argument():
    assert edges(Step(0, observation={"card": {"id": "c_55"}}), Step(1, {"pay": {"with": ["c_55"]}})) == [
        (1, "pay", 0, "card.id")
    ]


def test_the_name_of_a_field_counts_with_the_path_of_its_parent():
    assert edges(Step(0, observation={"rooms": {"attic": {"size": 9}}}), Step(1, {"room": "attic"})) == [
        (1, "room", 0, "rooms")
    ]


def test_the_first_place_of_a_value_is_its_path():
    observation = {"first": "lamp", "second": ["lamp"]}

    assert edges(Step(0, observation=observation), Step(1, {"item": "lamp"})) == [(1, "item", 0, "first")]


def test_a_number_is_found_as_number_and_as_text():
    assert edges(Step(0, observation={"total": 1250}), Step(1, {"amount": 1250}), Step(2, {"amount": "1250"})) == [
        (1, "amount", 0, "total"),
        (2, "amount", 0, "total"),
    ]


def test_a_value_inside_a_text_of_a_structure_has_the_path_of_that_text():
    observation = {"content": [{"type": "text", "text": "ticket T-88 was opened"}]}

    assert edges(Step(0, observation=observation), Step(1, {"ticket": "T-88"})) == [(1, "ticket", 0, "content[].text")]


def test_a_part_of_a_word_is_no_occurrence():
    assert edges(Step(0, observation="order ORD1234 and preORD12"), Step(1, {"order": "ORD12"})) == []


def test_a_value_in_chinese_text_needs_no_space_around_it():
    assert edges(Step(0, observation="客户张小明的订单"), Step(1, {"name": "张小明"})) == [(1, "name", 0, None)]


@pytest.mark.parametrize("value", ["---", "true", "null", "ab"])
def test_what_identifies_nothing_gives_no_edge(value):
    assert edges(Step(0, observation=f"x {value} y"), Step(1, {"a": value})) == []


def test_a_value_that_the_user_said_was_told_in_a_message_before_it_was_in_the_task():
    arguments = {"id": "R-10", "city": "Oslo", "note": "by hand", "on": True}

    assert told(arguments, ["R-10, please"], "go to Oslo with R-10") == {"id": "message", "city": "task"}


def test_a_list_was_told_only_if_all_of_it_was():
    assert told({"ids": ["A-100", "B-200"]}, ["A-100"], "A-100 B-200") == {"ids": "task"}
    assert told({"ids": ["A-100", "B-200"]}, ["A-100", "then B-200"], "") == {"ids": "message"}


words = st.sampled_from(["abc", "u_417", "x y z", "张小明", "T-1", "12", "a.b"])
values = st.recursive(words | st.integers(0, 2000), lambda inner: st.lists(inner, max_size=3), max_leaves=5)
observations = st.one_of(
    st.text(), st.lists(words).map(" ".join), st.dictionaries(words, values, max_size=3), values.map(json.dumps)
)
steps = st.builds(Step, st.integers(0, 1), st.dictionaries(words, values, max_size=2), observations)


@settings(deadline=None)
@given(st.lists(steps, max_size=8))
def test_an_edge_always_leads_to_an_earlier_turn_that_shows_something(drawn):
    turn = 0
    trajectory = []
    for step in drawn:
        turn += step.turn
        trajectory.append(Step(turn, step.arguments, step.observation))

    for edge in derivations(trajectory):
        source = trajectory[edge.source]
        assert source.turn < trajectory[edge.step].turn
        assert edge.argument in trajectory[edge.step].arguments
        assert source.observation


@pytest.mark.timeout(10)
def test_a_thousand_steps_with_long_observations_are_linked_in_time():
    steps = [
        Step(n, {"id": f"u_{n // 2}", "note": "other words"}, f"seen u_{n} and plain other words " * 60)
        for n in range(1000)
    ]

    assert len(derivations(steps)) == 2 * 999
