import json
from time import perf_counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msce_graph.learning.action import MENTIONS, Action, read_call, read_text
from tests.support import cases


def read(given_action):
    if "call" in given_action:
        return read_call(given_action["call"]["name"], given_action["call"]["arguments"])
    return read_text(given_action["text"], given_action["language"], given_action.get("dialect"))


def strings(value):
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in values for text in strings(each)]


@pytest.mark.parametrize(("given_action", "expect"), cases("tool"))
def test_an_action_is_named_for_what_it_did(given_action, expect):
    action = read(given_action)

    accepted = expect.get("tool")
    assert action.tool in ([accepted] if isinstance(accepted, str) or accepted is None else accepted)
    assert action.kind == expect["kind"]
    if "arguments" in expect:
        assert action.arguments == expect["arguments"]
    if "tables" in expect:
        assert set(action.arguments["tables"]) == set(expect["tables"])
    if "raw" in expect:
        assert action.arguments == {"text": expect["raw"]}
    assert set(expect.get("mentions", [])) <= set(strings(action.arguments))
    if action.kind == "verb":
        assert set(expect["mentions"]) == set(action.mentions)
