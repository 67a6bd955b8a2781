"""Files, their order and names, and the JSON values in them."""

from __future__ import annotations

import gzip
import hashlib
import json
import tracemalloc

import pytest

from msce_graph.errors import SourceError
from msce_graph.sources import files, read
from msce_graph.sources.reading import Value, parse, sha256, values
from tests.sources.logs import GAME, written


def test_the_files_of_a_folder_come_sorted_with_their_path_below_it(tmp_path):
    for name in ("b/one.jsonl", "a.json", "b/a.json.gz", ".hidden/c.json", "b/readme.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")

    assert [source for _, source in files([tmp_path])] == ["a.json", "b/a.json.gz", "b/one.jsonl"]


def test_a_file_given_itself_is_named_by_its_name_whatever_that_is(tmp_path):
    path = tmp_path / "deep" / "trace.txt"
    path.parent.mkdir()
    path.write_text("{}")

    assert list(files([path])) == [(path, "trace.txt")]


@pytest.mark.parametrize("name", ["absent", "absent.json"])
def test_a_missing_path_is_an_error_that_names_it(tmp_path, name):
    with pytest.raises(SourceError, match=name):
        list(files([tmp_path / name]))


def test_a_folder_without_logs_is_an_error_that_says_what_was_looked_for(tmp_path):
    with pytest.raises(SourceError, match=r"\.jsonl"):
        list(files([tmp_path]))


def test_the_hash_is_of_the_bytes_as_they_lie_there(tmp_path):
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}\n", mtime=0))

    assert sha256(path) == hashlib.sha256(path.read_bytes()).hexdigest()


def test_each_line_is_a_value_with_its_number_blank_ones_left_out(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\n\n{"b": 2}\r\n3')

    assert list(values(path)) == [Value(1, {"a": 1}), Value(3, {"b": 2}), Value(4, 3)]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_document_is_one_value_on_one_line_or_on_many(tmp_path, indent):
    path = tmp_path / "log"
    path.write_text(json.dumps([{"a": [1, 2]}, {}], indent=indent))

    assert [one.value for one in values(path)] == [[{"a": [1, 2]}, {}]]


def test_what_gzip_compressed_is_read_whatever_its_name(tmp_path):
    path = tmp_path / "log.txt"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"a": 2}\n'))

    assert [one.value for one in values(path)] == [{"a": 1}, {"a": 2}]


def test_a_broken_line_is_told_with_its_number_and_the_others_are_read(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b'{"a": 1}\n{"a": \n{"a": "\xff"}\n{"a": NaN}\n{"a": 5}\n')

    first, *broken, last = values(path)

    assert (first, last) == (Value(1, {"a": 1}), Value(5, {"a": 5}))
    assert [error.line for error in broken] == [2, 3, 4]
    assert all(error.file == str(path) for error in broken)


def test_a_broken_first_line_does_not_hide_the_others(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b'{"a": tru\n{"a": 2}\n{"a": 3}\n')

    broken, *others = values(path)

    assert broken.line == 1
    assert [one.value for one in others] == [{"a": 2}, {"a": 3}]


def test_a_broken_document_is_told_with_the_line_of_the_fault(tmp_path):
    path = tmp_path / "log"
    path.write_text('{\n "a": 1,\n "b": oops\n}\n')

    (broken,) = values(path)

    assert broken.line == 3


def test_a_line_over_the_limit_is_an_error_and_the_next_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("msce_graph.sources.reading.LINE_LIMIT", 1000)
    path = written(tmp_path, "x" * 990, "x" * 5000, "y")

    first, broken, last = values(path)

    assert (first.value, last) == ("x" * 990, Value(3, "y"))
    assert (broken.line, "1000" in broken.reason) == (2, True)


def test_a_document_on_one_long_line_is_no_line_over_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("msce_graph.sources.reading.LINE_LIMIT", 1000)

    assert list(values(written(tmp_path, "x" * 5000))) == [Value(None, "x" * 5000)]


def test_a_document_over_its_limit_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("msce_graph.sources.reading.DOCUMENT_LIMIT", 1000)
    path = tmp_path / "log"
    path.write_text(json.dumps(["x"] * 500, indent=1))

    (broken,) = values(path)

    assert "1000" in broken.reason


def test_a_cut_gzip_file_gives_what_stands_before_the_cut_and_an_error(tmp_path):
    path = tmp_path / "log.gz"
    hashes = (hashlib.sha256(b"%d" % index).hexdigest() for index in range(9000))
    lines = "".join(json.dumps({"a": index, "hash": digest}) + "\n" for index, digest in enumerate(hashes))
    packed = gzip.compress(lines.encode())
    path.write_bytes(packed[: len(packed) // 2])

    *before, broken = values(path)

    assert before[0].value["a"] == 0
    assert "cannot be read on" in broken.reason


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "[1e999]", "[" * 100_000, "9" * 5000, "{", ""])
def test_what_is_no_json_or_no_finite_number_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"\w"):
        parse(text)


def test_half_of_a_surrogate_pair_becomes_the_replacement_character():
    assert parse(r'{"\ud800": ["\uDFFF", "\ud83d\ude00"]}') == {"\ufffd": ["\ufffd", "😀"]}


def test_json_lines_of_fifty_megabytes_are_read_in_less_than_twenty(tmp_path):
    path = tmp_path / "log.jsonl"
    look = "> go to crate 1\n" + "The crate 1 is open and holds a pear 2. " * 40 + "\n"
    with path.open("w") as file:
        for index in range(1000):
            file.write(json.dumps(GAME | {"name": f"pick-{index}/trial", "traj": GAME["traj"] + look * 30}) + "\n")
    assert path.stat().st_size > 48_000_000
    tracemalloc.start()

    try:
        steps = sum(len(episode.steps) for episode in read(path, source="log"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert steps == 1000 * 33
    assert peak < 20_000_000
