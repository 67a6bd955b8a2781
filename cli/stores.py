"""The commands that make a store, look after it and stop its server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import words
from .options import given, with_memory
from .output import Line, emit, progress
from .verbs import Verb

if TYPE_CHECKING:
    from msce_graph.memory import MemoryGraph


@click.command(cls=Verb, examples=["msce init", "msce --store bolt://localhost:7687 --embedder minilm init --shared"])
@click.option("--shared", is_flag=True, help="Use a database that holds nodes of other programs under our labels.")
def init(shared: bool) -> None:
    """Make a store, and say what it is built with.

    One that is there already stays as it is.
    """
    with given().memory(shared=shared, creates=True) as memory:
        emit(memory.stats(), words.foundation)


@click.command(cls=Verb, examples=["msce stats", "msce stats --json"])
@with_memory
def stats(memory: MemoryGraph) -> None:
    """Count what is in the store, and fingerprint it.

    Equal graphs have equal fingerprints.
    """
    emit(memory.stats(), words.statistics)


@click.command(cls=Verb, examples=["msce doctor", "msce --store bolt://localhost:7687 doctor --json"])
@with_memory
def doctor(memory: MemoryGraph) -> None:
    """Say whether the store is well, and what to do.

    Looks at engine, schema, indexes, embedder and what is not learned yet. Exit code 1 where there is a problem.
    """
    findings = memory.doctor()
    emit(findings, words.findings)
    if problems := sum(finding.state == "problem" for finding in findings):
        raise click.ClickException(f"{words.counted(problems, 'problem')} found")


@click.command(cls=Verb, examples=["msce embed --model minilm"])
@click.option("--model", type=click.Choice(["hashing", "minilm"]), required=True, help="The new model.")
def embed(model: str) -> None:
    """Change the embedding model, and embed all anew; the old one need not be there any more."""
    with given().memory(moving_to=model) as memory, progress("embed") as show:
        count = memory.embed(model, progress=show)
    emit({"model": model, "vectors": count}, lambda _: [Line(f"{words.counted(count, 'vector')} of {model} stored.")])


@click.command(cls=Verb, examples=["msce stop", "msce --store /srv/agents/memory stop"])
def stop() -> None:
    """Stop the server process of a store's folder.

    It stops whoever uses it, and also by itself when idle.
    """
    from msce_graph.store import embedded

    store = given().location.store
    if "://" in store:
        raise click.ClickException(f"{store} is a server: only a folder's server process can be stopped")
    was_running = embedded.stop(Path(store))
    told = f"Stopped the server of {store}." if was_running else f"No server of {store} was running."
    emit({"store": store, "stopped": was_running}, lambda _: [Line(told)])


COMMANDS = (init, stats, doctor, embed, stop)
