"""Which files a path holds, the hash of each, and the JSON values in it, read in bounded memory."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn, cast

from pydantic import JsonValue

from msce_graph.errors import SourceError

LINE_LIMIT = 64 * 2**20
"""Bytes of a line of JSON lines at most."""
DOCUMENT_LIMIT = 2**30
"""Bytes of a file that is one JSON document at most: it is read whole."""
SUFFIXES = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
"""The files of a folder that are taken for logs; a file that is named itself is read whatever its name."""

_GZIP = b"\x1f\x8b"
_CHUNK = 2**20
_PEEKED_LINES = 5
_SURROGATE = re.compile("[\ud800-\udfff]")


class Value(NamedTuple):
    """One JSON value of a file and the line it stands in; the line is null where the file is one document."""

    line: int | None
    value: JsonValue


def files(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield each log file with its source name: the path below the one given, or the name of a file given itself.

    The files of a folder come in the order of their names, hidden ones left out. Raise SourceError where a path is
    missing or a folder holds no log.
    """
    for path in paths:
        if path.is_dir():
            yield from _folder(path)
        elif path.exists():
            yield path, path.name
        else:
            raise SourceError(str(path), "there is no such file or folder")


def sha256(path: Path) -> str:
    """Return the SHA-256 of the file's bytes as they lie there; raise SourceError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        raise SourceError(str(path), f"cannot be read: {error}") from error


def values(path: Path) -> Iterator[Value | SourceError]:
    """Yield the JSON values of a file, one a line or the one that it is, and a SourceError for each line that is none.

    What gzip compressed is read as what it holds. Of JSON lines one is held at a time; a document is held whole.
    """
    try:
        with _open(path) as file:
            is_lines = _holds_lines(file)
            file.seek(0)
            yield from _lines(path, file) if is_lines else _document(path, file)
    except (OSError, EOFError, zlib.error) as error:
        yield SourceError(str(path), f"cannot be read on: {error}")


def parse(text: str | bytes) -> JsonValue:
    """Return the JSON value of a text; raise ValueError where it is none, is not UTF-8 or holds no finite number.

    Half of a surrogate pair is no character and becomes U+FFFD: no database could store it.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    try:
        value: JsonValue = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error
    return _whole(value) if "\\ud" in text or "\\uD" in text else value


def _folder(folder: Path) -> Iterator[tuple[Path, str]]:
    found = sorted(
        (path.relative_to(folder).as_posix(), path)
        for path in folder.rglob("*")
        if path.name.lower().endswith(SUFFIXES) and path.is_file()
    )
    shown = [(path, name) for name, path in found if not any(part.startswith(".") for part in name.split("/"))]
    if not shown:
        raise SourceError(str(folder), f"the folder holds no log: looked for {', '.join(SUFFIXES)}")
    yield from shown


@contextmanager
def _open(path: Path) -> Iterator[BinaryIO]:
    with path.open("rb") as file:
        is_compressed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        yield cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_compressed else file


def _holds_lines(file: BinaryIO) -> bool:
    """Return whether the first line is a value, or is broken and one soon after it is an object."""
    lines = _bounded_lines(file)
    _, first = next(lines, (0, b""))
    if first is None:  # too long for a line: one value that is the whole file, or the first of several
        return next(lines, None) is not None
    if _parsed(first) is not None:
        return True
    if first.rstrip().endswith((b"[", b"{", b",", b":")):
        return False
    return any(isinstance(_parsed(line or b""), dict) for _, line in islice(lines, _PEEKED_LINES))


def _lines(path: Path, file: BinaryIO) -> Iterator[Value | SourceError]:
    for number, line in _bounded_lines(file):
        if line is None:
            yield SourceError(str(path), f"a line of more than {LINE_LIMIT} bytes", line=number)
            continue
        try:
            found: Value | SourceError = Value(number, parse(line))
        except ValueError as error:
            found = SourceError(str(path), f"not JSON: {error}", line=number)
        yield found


def _document(path: Path, file: BinaryIO) -> Iterator[Value | SourceError]:
    content = file.read(DOCUMENT_LIMIT + 1)
    if len(content) > DOCUMENT_LIMIT:
        yield SourceError(str(path), f"a JSON document of more than {DOCUMENT_LIMIT} bytes: give JSON lines")
        return
    try:
        yield Value(None, parse(content))
    except json.JSONDecodeError as error:
        yield SourceError(str(path), f"not JSON: {error.msg}" if content.strip() else "is empty", line=error.lineno)
    except ValueError as error:
        yield SourceError(str(path), f"not JSON: {error}")


def _bounded_lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines that are not blank with their numbers from 1; null in place of one over the limit."""
    number = 0
    while line := file.readline(LINE_LIMIT + 1):
        number += 1
        if len(line) > LINE_LIMIT and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = file.readline(_CHUNK)
            yield number, None
        elif not line.isspace():
            yield number, line


def _parsed(line: bytes) -> JsonValue:
    try:
        return parse(line)
    except ValueError:
        return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(f"{number} is out of range")
    return value


def _whole(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", name): _whole(item) for name, item in value.items()}
    return value
