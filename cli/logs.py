"""The commands that take logs in, and tell how logs must look."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import words
from .options import with_new_memory
from .output import Table, emit, emit_line, progress, say
from .verbs import Verb, wants_json

if TYPE_CHECKING:
    from msce_graph.memory import MemoryGraph
    from msce_graph.pipeline.ingest import Ingested
    from msce_graph.records import Origin


@click.command(
    cls=Verb,
    examples=[
        "msce ingest runs.jsonl",
        "msce ingest logs/ --domain shop --keep-going",
        "msce ingest sessions/ --outcomes graded.csv",
        "msce ingest runs.jsonl --json | tee stored.jsonl",
    ],
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--format", help="Format of the logs (see `msce formats`); else recognised by their content.")
@click.option("--domain", help="What the tasks belong to; else as the format says, else the file's name.")
@click.option("--source", help="Name of the source in the ids of episodes; else the file's path below PATH.")
@click.option(
    "--origin",
    type=click.Choice(["own", "imported", "untrusted"]),
    default="own",
    show_default=True,
    help="How far the logs are trusted.",
)
@click.option(
    "--outcomes",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="How the episodes went: CSV or JSON with id, or task and trial; score in 0..1, or passed; feedback.",
)
@click.option(
    "--infer-outcome",
    is_flag=True,
    help="Where nobody says how it went, infer it from the user's words after the work.",
)
@click.option("--replace", is_flag=True, help="Put an episode in the place of one with other content.")
@click.option("--keep-going", is_flag=True, help="Store what can be read; exit code 1 where some could not.")
@with_new_memory
def ingest(
    memory: MemoryGraph,
    paths: tuple[Path, ...],
    format: str | None,
    domain: str | None,
    source: str | None,
    origin: Origin,
    outcomes: Path | None,
    infer_outcome: bool,
    replace: bool,
    keep_going: bool,
) -> None:
    """Store the episodes of logs.

    A PATH is a file, or a folder with all files in it. Ingesting again changes nothing; an episode that has grown is
    extended. With --json each episode is one line, printed once it is committed.
    """
    results: Counter[str] = Counter()
    unmatched: list[Ingested] = []
    steps = 0
    try:
        with progress("ingest") as show:
            for episode in memory.ingest(
                paths,
                format=format,
                domain=domain,
                source=source,
                origin=origin,
                outcomes=outcomes,
                infer_outcome=infer_outcome,
                replace=replace,
                keep_going=keep_going,
            ):
                if episode.result == "unmatched":
                    unmatched.append(episode)
                    continue
                results[episode.result] += 1
                steps += episode.steps
                show(results.total(), None)
                if wants_json():
                    emit_line(episode)
                elif episode.result == "failed":
                    say(words.failure(episode))
    finally:
        if results and not wants_json():
            emit(results, lambda _: words.ingested(results, steps))
        for line in words.unmatched(unmatched):
            say(line)
    if failed := results["failed"]:
        raise click.ClickException(f"{failed} of {words.counted(results.total(), 'episode')} failed")


@click.command(cls=Verb, examples=["msce formats"])
def formats() -> None:
    """List the formats of logs that can be read."""
    from msce_graph.sources import FORMATS

    known = [{"name": known.name, "summary": known.summary} for known in FORMATS]
    emit(known, lambda _: [Table([(one["name"], one["summary"]) for one in known], header=("format", "what it is"))])


@click.command(cls=Verb, examples=["msce schema > episode.schema.json"])
def schema() -> None:
    """Print the JSON Schema of the native format."""
    from msce_graph.sources import native

    emit(native.schema(), words.as_json)


COMMANDS = (ingest, formats, schema)
