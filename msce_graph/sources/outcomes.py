"""Outcomes that stand beside the logs: a file that says of episodes how they went."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from msce_graph.errors import SourceError
from msce_graph.records import RecordedEpisode, Remark
from msce_graph.sources.format import Excerpt, Score, reason
from msce_graph.sources.reading import Value, values

COLUMNS = "id, or task and trial; score in 0..1, or passed; feedback"
"""What a row of the file may say."""

_WORDS = {"pass": True, "passed": True, "fail": False, "failed": False}


def _text(value: object) -> object:
    """Return a name as text: files write numbers for tasks and trials."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _verdict(value: object) -> object:
    return _WORDS.get(value.strip().lower(), value) if isinstance(value, str) else value


Name = Annotated[str, BeforeValidator(_text), StringConstraints(min_length=1)]


class Outcome(Excerpt):
    """How one episode went, named by its id, or by the source's own task and trial; without trial, all of the task."""

    model_config = ConfigDict(frozen=True, extra="ignore", validate_by_name=True)

    id: Name | None = Field(
        default=None, validation_alias=AliasChoices("id", "episode", "instance_id", "session_id", "trace_id")
    )
    task: Name | None = Field(default=None, validation_alias=AliasChoices("task", "task_id"))
    trial: Name | None = None
    score: Score | None = None
    passed: Annotated[bool | None, BeforeValidator(_verdict)] = Field(
        default=None, validation_alias=AliasChoices("passed", "resolved", "solved", "success")
    )
    feedback: str = ""
    """What a person said of it."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if (self.id is None) == (self.task is None):
            raise ValueError(f"name an episode by its id, or by task and trial; columns: {COLUMNS}")
        if self.id is not None and self.trial is not None:
            raise ValueError("an id needs no trial")
        if self.score is None and self.passed is None and not self.feedback.strip():
            raise ValueError(f"it says nothing of the outcome; columns: {COLUMNS}")
        return self

    @property
    def name(self) -> tuple[str, ...]:
        """What it names: an id, a task, or a task and a trial."""
        return ("id", self.id) if self.id is not None else ("task", self.task or "", *filter(None, [self.trial]))


class Outcomes:
    """The outcomes of a file, and which of them have found an episode."""

    def __init__(self, path: Path) -> None:
        """Read the file: CSV with a header, JSON lines, an array, or an object by id. Raises SourceError."""
        self.path = path
        self._found: dict[tuple[str, ...], tuple[Outcome, int | None]] = {}
        self._used: set[tuple[str, ...]] = set()
        for place, told in _told(path):
            if told.name in self._found:
                raise SourceError(str(path), f"a second outcome of {' '.join(told.name)}", line=place)
            self._found[told.name] = told, place
        if not self._found:
            raise SourceError(str(path), "it holds no outcome")

    def applied(self, recorded: RecordedEpisode) -> RecordedEpisode:
        """Return the episode with the outcome that the file gives it, which goes before the log's own."""
        names = [name for name in _names(recorded) if name in self._found]
        if not names:
            return recorded
        self._used.update(names)
        told, _ = self._found[names[0]]
        said = told.feedback.strip()
        given: dict[str, object] = {"remark": Remark(text=said, author=self.path.name)} if said else {}
        if told.score is not None or told.passed is not None:
            given |= {"score": told.score, "passed": told.passed, "reward": None, "reward_basis": None, "solved": None}
        return recorded.model_copy(update=given)

    def check(self) -> None:
        """Raise SourceError where none of the outcomes has found an episode."""
        if not self._used:
            raise next(self.unused())

    def unused(self) -> Iterator[SourceError]:
        """Yield an error for each outcome that no episode was found for, in the file's order."""
        for name, (_, place) in self._found.items():
            if name not in self._used:
                yield SourceError(str(self.path), f"no episode of these logs is {' '.join(name)}", line=place)


def _names(recorded: RecordedEpisode) -> Iterator[tuple[str, ...]]:
    """Yield what may name an episode in a file of outcomes, the most telling first."""
    *_, last = recorded.coordinates
    yield "id", "/".join(recorded.coordinates)
    yield "id", last
    if len(recorded.coordinates) > 2:
        _, task, trial = recorded.coordinates
        yield "task", task, trial
        yield "task", task
    yield "task", last
    if recorded.task_key is not None:
        yield "task", recorded.task_key


def _told(path: Path) -> Iterator[tuple[int | None, Outcome]]:
    for value in _rows(path):
        if isinstance(value, SourceError):
            raise value
        try:
            yield value.line, Outcome.model_validate(value.value)
        except ValueError as error:
            raise SourceError(str(path), reason(error), line=value.line) from error


def _rows(path: Path) -> Iterator[Value | SourceError]:
    """Yield the rows of a file, each with its line."""
    if not _is_json(path):
        yield from _csv_rows(path)
        return
    for value in values(path):
        if isinstance(value, SourceError):
            yield value
        else:
            yield from (Value(value.line, row) for row in _spread(value.value))


def _spread(value: JsonValue) -> list[JsonValue]:
    """Return the rows of an array, of an object of objects by id, or the one row that the value is."""
    if isinstance(value, list):
        return value
    by_id = value if isinstance(value, dict) else {}
    rows: list[JsonValue] = [{**row, "id": id} for id, row in by_id.items() if isinstance(row, dict)]
    return rows if rows and len(rows) == len(by_id) else [value]


def _is_json(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(1024).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[", b"\x1f")
    except OSError as error:
        raise SourceError(str(path), f"cannot be read: {error}") from error


def _csv_rows(path: Path) -> Iterator[Value | SourceError]:
    try:
        text = path.read_text("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        for row in reader:
            yield Value(reader.line_num, _filled(row))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        yield SourceError(str(path), f"cannot be read as CSV: {error}")


def _filled(row: Mapping[str | None, object]) -> dict[str, JsonValue]:
    """Return the cells of a row that hold something."""
    return {
        name.strip().lower(): value.strip()
        for name, value in row.items()
        if isinstance(name, str) and isinstance(value, str) and value.strip()
    }
