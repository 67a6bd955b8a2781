"""The commands that keep a store in order: what rests on what, whom to trust, and what to forget."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from . import words
from .options import author, reason, with_memory
from .output import emit
from .verbs import Verb

if TYPE_CHECKING:
    from msce_graph.memory import MemoryGraph
    from msce_graph.records import Origin


def _selection(command: Callable[..., None]) -> Callable[..., None]:
    """Add the argument and options that choose episodes."""
    for option in (
        click.option("--before", type=click.DateTime(), help="Those that ended before this time, in UTC."),
        click.option("--domain", help="Those of this domain."),
        click.option("--source", help="Those that were read from this source."),
        click.argument("episodes", metavar="[EPISODE...]", nargs=-1),
    ):
        command = option(command)
    return command


@click.command(cls=Verb, examples=["msce impact runs.jsonl/task-7", "msce impact 3f1c2ab4d5e6f708"])
@click.argument("key")
@with_memory
def impact(memory: MemoryGraph, key: str) -> None:
    """Say what rests on a node: policies, skills and statements."""
    emit(memory.impact(key), words.impact)


@click.command(
    cls=Verb,
    examples=[
        "msce forget runs.jsonl/task-7",
        "msce forget --source runs.jsonl --apply",
        "msce forget --domain shop --before 2026-01-01 --apply",
    ],
)
@_selection
@click.option("--apply", is_flag=True, help="Do it; without, it is only told what would change.")
@with_memory
def forget(memory: MemoryGraph, /, apply: bool, **selection: Any) -> None:
    """Forget episodes, by key, source, domain or time: all that is given must fit.

    What rested on them is learned again at once, and no word of them is left. Without --apply nothing changes.
    """
    emit(memory.forget(*_keys(selection), **selection, dry_run=not apply), words.forgotten)


@click.command(
    cls=Verb,
    examples=[
        "msce trust --source runs.jsonl --reason 'our own agents, recorded by us'",
        "msce trust runs.jsonl/task-7 --origin untrusted --reason 'the page it read was poisoned'",
    ],
)
@_selection
@click.option(
    "--origin",
    type=click.Choice(["own", "imported", "untrusted"]),
    default="own",
    show_default=True,
    help="How far they are trusted from now on.",
)
@reason
@author
@with_memory
def trust(memory: MemoryGraph, /, origin: Origin, reason: str, author: str, **selection: Any) -> None:
    """Give episodes another origin, and learn again what rests on them.

    Only what is `own` can be shown in a skill, and carry it through gate 1.
    """
    done = memory.trust(*_keys(selection), **selection, origin=origin, reason=reason, author=author)
    emit(done, words.trusted)


def _keys(selection: dict[str, Any]) -> tuple[str, ...]:
    """Take the keys out of a selection, put its time into UTC, and refuse one that names nothing."""
    keys: tuple[str, ...] = selection.pop("episodes")
    before: datetime | None = selection["before"]
    selection["before"] = None if before is None else before.replace(tzinfo=UTC)
    if not keys and not any(selection.values()):
        raise click.UsageError("Name episodes, or give --source, --domain or --before.")
    return keys


COMMANDS = (impact, trust, forget)
