"""What a reader of one format is, and what all readers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from msce_graph.errors import SourceError
from msce_graph.records import RecordedEpisode

Score = Annotated[float, Field(ge=0, le=1)]


class Excerpt(BaseModel):
    """The fields of a format that are read. All others, reference answers among them, are dropped unseen."""

    model_config = ConfigDict(frozen=True, extra="ignore")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: its file, the file's source name and hash, and the line where the file has lines."""

    path: Path
    source: str
    sha256: str
    line: int | None

    def error(self, reason: str) -> SourceError:
        """Return the error that names this place."""
        return SourceError(str(self.path), reason, line=self.line)


Found = Iterator[RecordedEpisode | SourceError]


@dataclass(frozen=True, slots=True)
class Format:
    """One format of logs.

    `recognises` tells whether a JSON value of a file is of this format and raises on none. `read` yields the value's
    episodes, with a SourceError in place of each broken one, or raises ValueError where the value as a whole is broken.
    """

    name: str
    summary: str
    recognises: Callable[[JsonValue], bool]
    read: Callable[[JsonValue, Place], Found]


def each(
    entries: Iterable[tuple[str, JsonValue]], build: Callable[[str, JsonValue, Place], RecordedEpisode], place: Place
) -> Found:
    """Yield the episode of each named entry, or the SourceError that says why it is none."""
    for name, entry in entries:
        try:
            found: RecordedEpisode | SourceError = build(name, entry, place)
        except (ValueError, OverflowError, RecursionError) as error:
            found = place.error(f"episode {name}: {reason(error)}" if name else reason(error))
        yield found


def listed(value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Yield the entries of an array, named by their index; the value itself, without a name, where it is no array."""
    if isinstance(value, list):
        yield from ((str(index), entry) for index, entry in enumerate(value))
    else:
        yield "", value


def has(value: JsonValue, *names: str) -> bool:
    """Return whether the value is an object with all of these names."""
    return isinstance(value, dict) and all(name in value for name in names)


def reason(error: Exception) -> str:
    """Return what is wrong in one line, without the value that is wrong: it may be one that must not be read."""
    if not isinstance(error, ValidationError):
        return str(error)
    first, *others = error.errors(include_url=False, include_input=False)
    where = ".".join(str(part) for part in first["loc"])
    also = f" (and {len(others)} more)" if others else ""
    return f"{where}: {first['msg']}{also}" if where else f"{first['msg']}{also}"
