"""Files of outcomes: how they are read, and which episodes they name."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.errors import SourceError
from msce_graph.records import RecordedEpisode
from msce_graph.sources.outcomes import Outcomes


def recorded(*coordinates, **more):
    return RecordedEpisode(
        coordinates=coordinates, task="do it", source_format="openai", source="runs.jsonl", steps=(), **more
    )


def read(folder, text, name="outcomes"):
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Outcomes(file)


def outcome(found, *coordinates, **more):
    applied = found.applied(recorded(*coordinates, **more))
    return applied.score, applied.passed


@pytest.mark.parametrize(
    "text",
    [
        "id,passed\na,yes\nb,fail\n",
        "\ufeffEpisode , Solved\na,TRUE\nb,False\n",
        '{"id": "a", "passed": true}\n{"id": "b", "passed": false}\n',
        '[{"episode": "a", "success": true}, {"episode": "b", "success": false}]',
        '{"a": {"resolved": true, "tests_status": {}}, "b": {"resolved": false}}',
    ],
)
def test_csv_json_lines_arrays_and_objects_by_id_say_the_same(tmp_path, text):
    found = read(tmp_path, text)

    assert outcome(found, "a") == (None, True)
    assert outcome(found, "b") == (None, False)
    assert outcome(found, "c") == (None, None)


def test_an_id_goes_before_task_and_trial_and_these_before_the_task_alone(tmp_path):
    found = read(tmp_path, "id,task,trial,score\n,7,,0.1\n,7,1,0.2\nruns/7/2,,,0.3\n")

    assert outcome(found, "runs", "7", "0") == (0.1, None)
    assert outcome(found, "runs", "7", "1") == (0.2, None)
    assert outcome(found, "runs", "7", "2") == (0.3, None)


def test_a_task_may_be_named_by_a_number_and_by_the_key_that_the_log_gives_it(tmp_path):
    found = read(tmp_path, '[{"task": 7, "trial": 0, "score": 0.5}, {"task": "tie", "score": 1}]')

    assert outcome(found, "runs", "7", "0") == (0.5, None)
    assert outcome(found, "x", task_key="tie") == (1.0, None)


def test_the_file_goes_before_what_the_log_says(tmp_path):
    found = read(tmp_path, "id,passed\na,fail\n").applied(recorded("a", reward=1.0, reward_basis="score", solved=True))

    assert (found.passed, found.reward, found.solved) == (False, None, None)


def test_words_alone_leave_the_outcome_of_the_log(tmp_path):
    found = read(tmp_path, "id,feedback\na,well done\n").applied(recorded("a", passed=True))

    assert (found.passed, found.remark.text, found.remark.author) == (True, "well done", "outcomes")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("id,score\na,2\n", 2, "score"),
        ("id,score\na,\n", 2, "nothing of the outcome"),
        ("name,score\na,1\n", 2, "name an episode"),
        ("id,task,score\na,b,1\n", 2, "name an episode"),
        ("id,trial,score\na,1,1\n", 2, "an id needs no trial"),
        ("id,passed\na,perhaps\n", 2, "passed"),
        ("id,passed\na,yes\nb,no\na,no\n", 4, "a second outcome of id a"),
        ('{"id": "a", "score": 1}\n{"id": "b", "score": NaN}\n', 2, "not JSON|NaN"),
        ("[1, 2]", 1, "Input should be"),
        ("", None, "holds no outcome"),
        ("[]", None, "holds no outcome"),
        (b"id,score\n\xff,1\n", None, "CSV"),
    ],
)
def test_a_row_that_cannot_be_says_where_and_why(tmp_path, text, line, reason):
    with pytest.raises(SourceError, match=reason) as error:
        read(tmp_path, text)
    assert error.value.line == line


def test_outcomes_without_an_episode_are_named_in_the_order_of_the_file(tmp_path):
    found = read(tmp_path, "id,task,trial,score\nz,,,1\n,t,1,1\na,,,1\n")
    found.applied(recorded("a"))

    assert [(error.line, error.reason) for error in found.unused()] == [
        (2, "no episode of these logs is id z"),
        (3, "no episode of these logs is task t 1"),
    ]


@given(st.recursive(st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(), st.lists) | st.binary())
def test_any_file_is_read_or_refused_with_its_name(tmp_path_factory, content):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    file = tmp_path_factory.mktemp("any") / "any"
    file.write_bytes(data)
    with pytest.raises(SourceError) as error:
        raise next(Outcomes(file).unused())
    assert error.value.file == str(file)
