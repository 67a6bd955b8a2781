import random
import re
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.alignment import AlignedStep, Segment, align, embeds, matches, required_tools
from msce_graph.learning.procedure import Case, CaseStep, Source, generalise
from msce_graph.records import ParameterOrigin
from msce_graph.settings import Settings
from tests.support import cases

SETTINGS = Settings()


def paths(observation, path=""):
    """Yield the values of a structured observation with their paths."""
    if isinstance(observation, dict):
        for name, inner in observation.items():
            yield from paths(inner, f"{path}.{name}" if path else name)
    elif isinstance(observation, list):
        for inner in observation:
            yield from paths(inner, f"{path}[]")
    else:
        yield observation, path


def case_of(number, segment):
    """Return a segment of the cases, with the data flow that its observations show."""
    steps = []
    for position, step in enumerate(segment["steps"]):
        derived = {}
        for name, value in step["arguments"].items():
            shown = [
                Source(earlier["tool"], path, place)
                for place, earlier in enumerate(segment["steps"][:position])
                for found, path in paths(earlier["observation"])
                if found == value and path and len(str(value)) >= 3
            ]
            derived[name] = shown[-1:]
        words = re.findall(r"\w+", segment["task"])
        told = {name: "task" for name, value in step["arguments"].items() if value in words}
        steps.append(CaseStep(step["tool"], "function", step["arguments"], derived, told))
    return Case(f"e{number}", f"task {number}", 1.0, tuple(steps))


def in_words(origin):
    if origin is None:
        return None
    return {"task": True} if origin.kind == "task" else {"tool": origin.tool, "path": origin.path}


@pytest.mark.parametrize(("given", "expect"), cases("consensus"))
def test_the_case_holds(given, expect):
    found = [case_of(number, segment) for number, segment in enumerate(given["segments"])]
    segments = [Segment(case.episode, tuple(step.tool for step in case.steps)) for case in found]

    procedure = generalise(align(segments, (), SETTINGS), found, constant_tasks=2)

    assert [
        {
            "tool": step.tool,
            "constants": step.constants,
            "parameters": {parameter.name: in_words(parameter.origin) for parameter in step.parameters},
        }
        for step in procedure
    ] == expect["steps"]


# Alignment ----------------------------------------------------------------------------------------------------------


def segments(*told):
    return [Segment(f"e{number}", tuple(text.split())) for number, text in enumerate(told)]


def shown(steps):
    return " ".join(step.tool if step.required else f"({step.tool})" for step in steps)


def test_searching_in_several_places_is_one_step_of_the_procedure():
    steps = align(
        segments(
            "go go go take go clean go put",
            "go open take go clean go put",
            "go open go open take go clean go open put",
            "go take go clean go put",
            "go open go go take go clean go put",
        ),
        (),
        SETTINGS,
    )

    assert shown(steps) == "go (open) take go clean go put"


def test_two_rare_places_of_a_tool_are_one_step_once_what_parts_them_is_gone():
    steps = align(segments("look go end", "go peek end", "go stare end", "glance go end"), (), SETTINGS)

    assert shown(steps) == "go end"


def test_where_two_orders_are_equally_frequent_neither_tool_stands_twice():
    steps = align(segments("lint test push", "lint test push", "test lint push", "test lint push"), (), SETTINGS)

    assert sorted(step.tool for step in steps) == ["lint", "push", "test"]


def test_an_episode_that_repeats_itself_weighs_no_more_than_another():
    often = [Segment("e0", ("peek", "close"))] * 9
    steps = align([*often, *(Segment(f"e{n}", ("close",)) for n in (1, 2))], (), SETTINGS)

    assert steps == (AlignedStep("close", 1.0, True),)


def test_a_step_becomes_required_at_two_thirds_and_stays_so_until_it_is_left_out():
    two_of_three = segments("check end", "check end", "end")
    half = segments("check end", "check end", "end", "end")
    fewer = segments("check end", "end", "end")

    steps = align(two_of_three, (), SETTINGS)
    later = align(half, steps, SETTINGS)

    assert required_tools(steps) == required_tools(later) == ("check", "end")
    assert required_tools(align(half, (), SETTINGS)) == ("end",)
    assert required_tools(align(fewer, later, SETTINGS)) == ("end",)
    assert shown(align(half, align(fewer, later, SETTINGS), SETTINGS)) == "(check) end"


@pytest.mark.parametrize("given", [[], [Segment("e", ())], segments("go put", "go take")])
def test_segments_without_a_common_last_tool_are_refused(given):
    with pytest.raises(ValueError, match="last tool"):
        align(given, (), SETTINGS)


tools = st.lists(st.sampled_from("abcd"), max_size=11).map(tuple)
walks = st.lists(st.tuples(st.integers(0, 9), tools), min_size=1, max_size=12).map(
    lambda rows: [Segment(f"e{episode}", (*tools, "z")) for episode, tools in rows]
)


@given(walks, st.randoms(use_true_random=False))
def test_the_order_of_the_segments_changes_nothing(given, shuffler):
    other = list(given)
    shuffler.shuffle(other)

    assert align(other, (), SETTINGS) == align(given, (), SETTINGS)


@given(walks)
def test_every_step_is_shared_and_no_step_repeats_its_neighbour(given):
    steps = align(given, (), SETTINGS)

    assert steps[-1] == AlignedStep("z", 1.0, True)
    assert all(SETTINGS.keep_share <= step.share <= 1 for step in steps)
    assert all(left.tool != right.tool for left, right in pairwise(steps))


@given(tools)
def test_one_path_is_its_own_consensus_without_its_repeats(path):
    steps = align([Segment("e", (*path, "z"))], (), SETTINGS)

    collapsed = [tool for place, tool in enumerate(path) if place == 0 or path[place - 1] != tool]
    assert [step.tool for step in steps] == [*collapsed, "z"]


@given(tools, tools)
def test_matches_are_in_order_and_embed(rows, columns):
    pairs = matches(rows, columns, [1] * len(columns))

    assert all(rows[i] == columns[j] for i, j in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    assert embeds([rows[i] for i, _ in pairs], columns)
    assert (len(pairs) == len(rows)) == embeds(rows, columns)


def test_a_consensus_of_32_different_paths_takes_a_few_milliseconds():
    chance = random.Random(1)
    given = [Segment(f"e{n}", (*(chance.choice("abcdefgh") for _ in range(11)), "z")) for n in range(32)]

    started = time.perf_counter()
    for _ in range(10):
        align(given, (), SETTINGS)

    assert (time.perf_counter() - started) / 10 < 0.02


# Anti-unification ---------------------------------------------------------------------------------------------------


def step(tool, arguments, derived=None, told=None, kind="function"):
    return CaseStep(tool, kind, arguments, derived or {}, told or {})


def generalised(*paths, task_keys=None, constant_tasks=2, required=("end",)):
    """Return the procedure of cases given as lists of steps, whose every tool is in the consensus."""
    tools = list(dict.fromkeys(step.tool for path in paths for step in path))
    found = [Case(f"e{n}", task_keys[n] if task_keys else f"t{n}", 1.0, tuple(path)) for n, path in enumerate(paths)]
    return generalise(
        [AlignedStep(tool, 1.0, tool in required) for tool in tools], found, constant_tasks=constant_tasks
    )


def only_origin(procedure):
    return procedure[-1].parameters[0].origin


def test_what_only_tries_of_one_task_say_alike_is_no_constant():
    tries = [[step("end", {"order": "A-17"})] for _ in range(3)]

    of_one_task = generalised(*tries, task_keys=["t"] * 3, constant_tasks=3)
    of_three = generalised(*tries, constant_tasks=3)

    assert (of_one_task[0].constants, of_one_task[0].parameters[0].name) == ({}, "order")
    assert (of_three[0].constants, of_three[0].parameters) == ({"order": "A-17"}, ())


def test_an_argument_that_some_leave_out_is_a_parameter_and_one_that_most_leave_out_is_none():
    (end,) = generalised(
        [step("end", {"size": 1, "note": "x"})], [step("end", {"size": 1})], [step("end", {"force": True})]
    )

    assert (end.constants, [parameter.name for parameter in end.parameters]) == ({}, ["size"])


def test_true_and_one_are_different_values_and_key_order_makes_none():
    differing = generalised([step("end", {"all": True})], [step("end", {"all": 1})])
    equal = generalised([step("end", {"all": {"a": 1, "b": 2}})], [step("end", {"all": {"b": 2, "a": 1}})])

    assert differing[0].constants == {}
    assert equal[0].constants == {"all": {"a": 1, "b": 2}}


def test_the_last_of_repeated_calls_gives_the_arguments():
    retried = [step("end", {"page": 9}), step("end", {"page": 1})]

    (end,) = generalised(retried, [step("end", {"page": 1})])

    assert end.constants == {"page": 1}


def test_of_two_results_that_show_a_value_the_nearer_is_its_origin():
    paths = [
        [
            step("far", {}),
            step("near", {}),
            step("end", {"id": f"v{n}"}, {"id": [Source("far", "id", 0), Source("near", "owner", 1)]}),
        ]
        for n in range(2)
    ]

    assert only_origin(generalised(*paths)) == ParameterOrigin(kind="result", tool="near", path="owner")


def test_a_result_goes_before_a_message_and_a_message_before_the_task():
    def ends(derived, told):
        return [[step("end", {"id": f"v{n}"}, derived, told)] for n in range(2)]

    result = {"id": [Source("find", "id", None)]}

    assert only_origin(generalised(*ends(result, {"id": "message"}))).kind == "result"
    assert only_origin(generalised(*ends({}, {"id": "message"}))).kind == "message"
    assert only_origin(generalised(*ends({}, {"id": "task"}))).kind == "task"
    assert only_origin(generalised(*ends({}, {}))) is None


def test_a_text_result_and_a_result_whose_paths_differ_give_the_step_alone():
    in_text = [[step("end", {"id": f"v{n}"}, {"id": [Source("find", None, None)]})] for n in range(3)]
    scattered = [[step("end", {"id": f"v{n}"}, {"id": [Source("find", f"hits.{n}", None)]})] for n in range(3)]

    assert only_origin(generalised(*in_text)) == ParameterOrigin(kind="result", tool="find", path=None)
    assert only_origin(generalised(*scattered)) == ParameterOrigin(kind="result", tool="find", path=None)


def test_each_element_of_a_list_has_its_own_source():
    sources = [Source("cart", "items[].id", None), Source("search", "hits[].id", None)]
    paths = [
        [step("end", {"ids": ["a11", "b22"]}, {"ids": sources})],
        [step("end", {"ids": ["c33", "d44"]}, {"ids": sources[:1]})],
        [step("end", {"ids": ["e55"]}, {"ids": sources[:1]})],
    ]

    assert only_origin(generalised(*paths)) == ParameterOrigin(kind="result", tool="cart", path="items[].id")


values = st.one_of(
    st.booleans(), st.integers(0, 2), st.sampled_from(["x", "y"]), st.lists(st.integers(0, 1), max_size=2)
)
given_arguments = st.lists(st.dictionaries(st.sampled_from(["a", "b"]), values, max_size=2), min_size=1, max_size=6)


@given(given_arguments)
def test_a_constant_was_given_by_every_case_and_nothing_is_both(rows):
    (end,) = generalised(*([step("end", row)] for row in rows), constant_tasks=1)

    assert all(name in row and row[name] == value for name, value in end.constants.items() for row in rows)
    assert end.constants.keys().isdisjoint(parameter.name for parameter in end.parameters)
    assert all(2 * sum(p.name in row for row in rows) >= len(rows) for p in end.parameters)


@given(walks)
def test_every_step_of_a_consensus_can_be_generalised(given):
    found = [Case(one.episode, one.episode, 1.0, tuple(step(tool, {}) for tool in one.tools)) for one in given]
    steps = align(given, (), SETTINGS)

    procedure = generalise(steps, found, constant_tasks=1)

    assert [(s.tool, s.share, s.required) for s in procedure] == [(s.tool, s.share, s.required) for s in steps]


def test_orders_that_exclude_each_other_still_give_a_procedure():
    given = segments("d a a end", "a b a a b end")
    found = [
        Case(one.episode, one.episode, 1.0, tuple(step(tool, {"of": tool}) for tool in one.tools)) for one in given
    ]

    procedure = generalise(align(given, (), SETTINGS), found, constant_tasks=1)

    assert all(s.constants == {"of": s.tool} for s in procedure)
