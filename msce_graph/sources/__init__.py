"""Text in, episodes out: one module a format of agent logs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from msce_graph.errors import SourceError
from msce_graph.records import RecordedEpisode
from msce_graph.sources import alfworld, intercode, native, openai, tau2, tau_bench
from msce_graph.sources.format import Format, Found, Place, reason
from msce_graph.sources.reading import Value, files, sha256, values

__all__ = ["FORMATS", "Format", "files", "native", "read", "recognise"]

FORMATS: tuple[Format, ...] = (
    native.FORMAT,
    openai.FORMAT,
    tau_bench.FORMAT,
    tau2.FORMAT,
    intercode.FORMAT,
    alfworld.FORMAT,
)

_HEAD = 10
"""Values of a file that are looked at to recognise its format: the first may be broken, or a stranger."""


def recognise(path: Path) -> Format:
    """Return the one format that claims the file by its content; raise SourceError where none or several do."""
    return _claim(path, values(path))[0]


def read(path: Path, *, source: str, format: str | None = None) -> Iterator[RecordedEpisode | SourceError]:
    """Yield the episodes of a file in its order, and a SourceError in place of each line or episode that is broken.

    `source` is the name under which the file's episodes are known; a `format` given by name is not looked for. Raise
    SourceError at once where the file cannot be read at all, or its format is unknown.
    """
    digest = sha256(path)
    found = values(path)
    chosen, seen = _claim(path, found) if format is None else (_named(path, format), [])
    return _episodes(chosen, chain(seen, found), path, source, digest)


def _episodes(chosen: Format, found: Iterator[Value | SourceError], path: Path, source: str, digest: str) -> Found:
    for value in found:
        if isinstance(value, SourceError):
            yield value
            continue
        place = Place(path, source, digest, value.line)
        try:
            yield from chosen.read(value.value, place)
        except ValueError as error:
            yield place.error(reason(error))


def _claim(path: Path, found: Iterator[Value | SourceError]) -> tuple[Format, list[Value | SourceError]]:
    """Return the format of the first value that any claims, and the values taken from the iterator for it."""
    seen: list[Value | SourceError] = []
    for value in islice(found, _HEAD):
        seen.append(value)
        claims = [] if isinstance(value, SourceError) else [one for one in FORMATS if one.recognises(value.value)]
        if len(claims) == 1:
            return claims[0], seen
        if claims:
            raise SourceError(str(path), f"{len(claims)} readers claim it, {_looked_for(claims)}: name the format")
    broken = [value for value in seen if isinstance(value, SourceError)]
    if broken and len(broken) == len(seen):
        raise broken[0]
    raise SourceError(str(path), f"no reader claims it; looked for {_looked_for(FORMATS)}")


def _named(path: Path, name: str) -> Format:
    for one in FORMATS:
        if one.name == name:
            return one
    raise SourceError(str(path), f"no format {name!r}: there are {', '.join(one.name for one in FORMATS)}")


def _looked_for(formats: tuple[Format, ...] | list[Format]) -> str:
    return "; ".join(f"{one.name}: {one.summary}" for one in formats)
