"""That a format is recognised by content alone, and that no input does worse than a SourceError."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msce_graph.errors import SourceError
from msce_graph.records import RecordedEpisode
from msce_graph.sources import FORMATS, read, recognise
from tests.sources.logs import CONVERSATION, GAME, LOGS, NATIVE, SIMULATION, outcomes, written


@pytest.mark.parametrize("name", LOGS)
def test_a_format_is_recognised_by_content_whatever_the_name(tmp_path, name):
    path = written(tmp_path, LOGS[name], name="notes.txt")

    assert recognise(path).name == name


def test_every_format_has_a_log_here_and_a_summary():
    assert [one.name for one in FORMATS] == list(LOGS)
    assert all(one.summary for one in FORMATS)


@pytest.mark.parametrize("value", [{}, [], 3, None, {"messages": []}, {"log": {"entries": []}}])
def test_what_no_reader_claims_is_an_error_that_names_what_was_looked_for(tmp_path, value):
    with pytest.raises(SourceError) as refused:
        recognise(written(tmp_path, value))

    assert all(one.name in refused.value.reason for one in FORMATS)


def test_what_two_readers_claim_is_an_error_that_names_both(tmp_path):
    with pytest.raises(SourceError, match=r"2 readers claim it, native: .*; openai: "):
        recognise(written(tmp_path, NATIVE | {"messages": CONVERSATION}))


@pytest.mark.parametrize(
    "foreign",
    [
        {"trajectory_format": "mini-swe-agent-1", "info": {}, "messages": CONVERSATION},
        {"schema_version": "ATIF-v1.4", "id": "x", "task": "y", "steps": []},
    ],
)
def test_a_format_that_is_not_read_is_not_mistaken_for_one_that_is(tmp_path, foreign):
    with pytest.raises(SourceError, match="no reader claims it"):
        recognise(written(tmp_path, foreign))


def test_a_format_given_by_name_is_not_looked_for(tmp_path):
    (broken,) = outcomes(written(tmp_path, {"a": 1}), format="alfworld")

    assert "name: Field required" in broken.reason


def test_an_unknown_format_is_an_error_that_names_the_known_ones(tmp_path):
    with pytest.raises(SourceError, match=r"'xml'.*tau_bench"):
        read(written(tmp_path, NATIVE), source="log", format="xml")


def test_an_empty_file_is_an_error(tmp_path):
    path = tmp_path / "log.jsonl"
    path.touch()

    with pytest.raises(SourceError, match="is empty"):
        read(path, source="log")


def test_a_file_that_is_not_there_is_an_error_before_anything_is_read(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        read(tmp_path / "absent.jsonl", source="log")


def test_a_broken_line_stands_between_the_episodes_around_it(tmp_path):
    path = tmp_path / "log.jsonl"
    lines = [json.dumps(GAME), "{", json.dumps({"name": "x"}), json.dumps(GAME | {"name": "other"})]
    path.write_text("\n".join(lines))

    first, cut, alien, last = outcomes(path)

    assert [one.line for one in (first, cut, alien, last)] == [1, 2, 3, 4]
    assert isinstance(cut, SourceError)
    assert isinstance(alien, SourceError)
    assert last.coordinates == ("other",)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def _paths(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Return the path of every value inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(deeper for name, inner in items for deeper in _paths(inner, (*path, name)))]


def _with(value: object, path: tuple[object, ...], replacement: object) -> object:
    if not path:
        return replacement
    name, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[name] = _with(copy[name], tuple(rest), replacement)
    return copy


@st.composite
def _spoilt(draw: st.DrawFn) -> tuple[str, object]:
    """Return a log in which one value is any JSON value, and the name of its format."""
    name = draw(st.sampled_from([*LOGS, "simulation"]))
    log = LOGS.get(name, SIMULATION)
    spoilt = _with(log, draw(st.sampled_from(_paths(log))), draw(_JSON))
    return ("tau2" if name == "simulation" else name), spoilt


_QUICK = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def _reads(path: Path, **options: str) -> None:
    try:
        found = list(read(path, source="log", **options))
    except SourceError:
        return
    assert all(isinstance(one, RecordedEpisode | SourceError) for one in found)


@_QUICK
@given(content=st.binary(max_size=300))
def test_no_bytes_do_worse_than_a_source_error(tmp_path, content):
    (tmp_path / "log").write_bytes(content)

    _reads(tmp_path / "log")
    _reads(tmp_path / "log", format="native")


@_QUICK
@given(value=_JSON, name=st.sampled_from(list(LOGS)))
def test_no_json_does_worse_than_a_source_error(tmp_path, value, name):
    path = written(tmp_path, value)

    _reads(path)
    _reads(path, format=name)


@settings(_QUICK, max_examples=600)
@given(spoilt=_spoilt())
def test_no_spoilt_log_does_worse_than_a_source_error(tmp_path, spoilt):
    name, log = spoilt

    _reads(written(tmp_path, log), format=name)


@pytest.mark.parametrize("name", LOGS)
def test_a_log_nested_too_deeply_is_an_error(tmp_path, name):
    path = tmp_path / "log"
    path.write_text(json.dumps(LOGS[name]).replace('"task"', '"deep": ' + "[" * 9000 + "]" * 9000 + ', "task"', 1))

    _reads(path, format=name)


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_no_utc_can_hold_is_an_error_of_its_line(tmp_path, time):
    (broken,) = outcomes(written(tmp_path, NATIVE | {"started_at": time}))

    assert isinstance(broken, SourceError)
