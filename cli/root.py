"""`msce`: the options before the command, all commands, and how failures end."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper
from typing import Any

import click

from msce_graph.errors import MemoryGraphError

from . import asking, environment, keeping, learning, logs, stores
from .options import Options, settings
from .output import shown
from .verbs import Verbs

INTERRUPTED = 130
"""The exit code of what Ctrl-C ended: 128 and the number of the signal."""


class Root(Verbs):
    """The group that all begins with: a failure ends with one line on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and turn what a user can act on into a message."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _leave(ctx)
        except Exception as error:
            if _interrupts:  # within an answer of the store the driver makes errors of its own of it
                _leave(ctx)
            if isinstance(error, MemoryGraphError | OSError) and not isinstance(error, BrokenPipeError):
                raise click.ClickException(shown(str(error))) from error
            raise  # a closed pipe click ends in silence


_interrupts: list[int] = []
"""The signals that this process was interrupted by."""


def _interrupt(number: int, _: object) -> None:
    _interrupts.append(number)
    raise KeyboardInterrupt


def _leave(ctx: click.Context) -> None:
    click.echo("Interrupted: what was committed is kept; the same command goes on from there.", err=True)
    ctx.exit(INTERRUPTED)


@click.group(
    cls=Root,
    context_settings={"help_option_names": ["-h", "--help"]},
    examples=[
        "msce ingest logs/ --domain shop",
        "msce evolve",
        'msce recall "cancel an order that has shipped"',
        "msce --store bolt://localhost:7687 skill list",
    ],
)
@click.option("--store", metavar="PATH-or-URI", help="Folder or server; else MSCE_STORE, NEO4J_URI, ./msce-store.")
@click.option("--namespace", default="default", show_default=True, help="Tenant within the store: a-z, 0-9, _ and -.")
@click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, callback=settings, help="A parameter; can be repeated."
)
@click.option("--embedder", type=click.Choice(["hashing", "minilm"]), help="Embedding model; else the store's own.")
@click.version_option(package_name="msce_graph", prog_name="msce")
@click.pass_context
def root(ctx: click.Context, store: str | None, namespace: str, settings: dict[str, Any], embedder: str | None) -> None:
    """Turn logs of AI agents into evidence, policies and verified skills, in one property graph.

    A server's user, password and database are NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE. Answers go to
    stdout, talk to stderr. Exit codes: 0 done, 1 failed, 2 wrongly called, 130
    interrupted.
    """
    ctx.obj = Options(store=store, namespace=namespace, settings=settings, embedder=embedder)


for command in (
    *(*stores.COMMANDS, *logs.COMMANDS, *learning.COMMANDS),
    *(*environment.COMMANDS, *asking.COMMANDS, *keeping.COMMANDS),
):
    root.add_command(command)


def main() -> None:
    """Run the command line of this process."""
    signal.signal(signal.SIGINT, _interrupt)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8 still gets its answer
    root(prog_name="msce")
