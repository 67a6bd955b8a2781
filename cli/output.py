"""Answers on stdout, as JSON or for people, and talk on stderr; text of logs never steers the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .verbs import wants_json

if TYPE_CHECKING:
    from rich.console import RenderableType

T = TypeVar("T")

_UNTOLD = frozenset({"embedding", "tally"})
"""Fields of records that are for machines only, and that lists do not even read."""
_DERIVED = ("key", "holds")
"""Properties of records that stand in JSON like fields."""
_WIDEST = 60
"""Columns to which a cell is filled up where there is no terminal to fold it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an answer; the newlines of one that is `verbatim` stay."""

    text: str
    indent: int = 0
    style: str = ""
    verbatim: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One or more rows of cells in columns, under a header where there is one; a style a row where rows have styles."""

    rows: Sequence[Sequence[str]]
    header: Sequence[str] = ()
    styles: Sequence[str] = ()


def emit(answer: T, told: Callable[[T], Iterable[Line | Table]]) -> None:
    """Print an answer: as JSON where that is asked for, else as `told` tells it to people."""
    if wants_json():
        click.echo(json_text(answer, indent=2))
        return
    for part in told(answer):
        click.echo(on_terminal(part) if sys.stdout.isatty() else in_pipe(part))


def emit_line(answer: object) -> None:
    """Print an answer as one line of JSON, at once."""
    click.echo(json_text(answer))


def say(text: str) -> None:
    """Tell something that is no answer, on stderr."""
    click.echo(shown(text), err=True)


def shown(text: str, *, verbatim: bool = False) -> str:
    """Return text as a terminal may have it: controls made visible, on one line unless it is `verbatim`."""
    from msce_graph.provenance.plain import plain

    return plain(text, one_line=not verbatim)


@contextmanager
def progress(work: str) -> Iterator[Callable[[int, int | None], None]]:
    """Give a function that takes what is done, and of how much, and shows it on stderr where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    would_mix = wants_json() and sys.stdout.isatty()
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        disable=would_mix or not console.is_terminal,
        transient=True,
        redirect_stdout=False,  # it may go elsewhere
    ) as bar:
        task = bar.add_task(work, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def json_text(value: object, *, indent: int | None = None) -> str:
    """Return a value as JSON text in which every character that is not plainly visible stands as its escape."""
    text = json.dumps(jsonable(value), ensure_ascii=False, allow_nan=False, indent=indent)
    return text if text.isprintable() else "".join(map(_visible, text))


def jsonable(value: object) -> Any:
    """Return a value, of records too, as JSON has it: times in ISO 8601, no embeddings, null for what is no number."""
    from pydantic import BaseModel
    from pydantic_core import to_jsonable_python

    if isinstance(value, BaseModel):
        derived = {name: getattr(value, name) for name in _DERIVED if hasattr(value, name)}
        fields = {name: getattr(value, name) for name in type(value).model_fields if name not in _UNTOLD}
        return jsonable({**derived, **fields})
    if isinstance(value, Mapping):
        return {str(name): jsonable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    return to_jsonable_python(value, bytes_mode="base64", inf_nan_mode="null")


def _visible(character: str) -> str:
    if character == "\n" or character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def on_terminal(part: Line | Table) -> str:
    """Return a part of an answer folded to the width of the terminal, each line under its own beginning."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(_renderable(part))
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _renderable(part: Line | Table) -> RenderableType:
    from rich.padding import Padding
    from rich.table import Table as Grid
    from rich.text import Text

    if isinstance(part, Line):
        text = Text(shown(part.text, verbatim=part.verbatim), style=part.style, overflow="fold")
        return Padding(text, (0, 0, 0, part.indent), expand=False)
    grid = Grid(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=bool(part.header), header_style="bold")
    for name in part.header or ("",) * len(part.rows[0]):
        grid.add_column(Text(shown(name)), overflow="fold")
    for row, style in zip_longest(part.rows, part.styles):
        grid.add_row(*(Text(shown(cell), overflow="fold") for cell in row), style=style)
    return grid


def in_pipe(part: Line | Table) -> str:
    """Return a part of an answer with one line a row, whatever its width, so that other programs can pick lines."""
    from rich.cells import cell_len

    if isinstance(part, Line):
        lines = shown(part.text, verbatim=part.verbatim).split("\n")
        return "\n".join(f"{' ' * part.indent}{line}".rstrip() for line in lines)
    rows = [[shown(cell) for cell in row] for row in (part.header, *part.rows) if row]
    widths = [min(max(map(cell_len, column)), _WIDEST) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
