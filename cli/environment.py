"""The commands that show what environments are like: statements, and a drawing of a domain's tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import with_memory
from .output import Line, Table, emit, say
from .verbs import Verbs, wants_json
from .words import Parts, counted

if TYPE_CHECKING:
    from msce_graph.memory import MemoryGraph
    from msce_graph.records import EnvEntity, EnvEntityKind, EnvEntityStatus

KINDS = ("dependency", "entity", "structure", "regularity", "constraint")


@click.group(
    cls=Verbs,
    examples=[
        "msce environment list --domain shop --kind constraint",
        "msce environment graph shop --output shop.html",
    ],
)
def environment() -> None:
    """Show what environments are like: what depends on what, recurs, answers and fails."""


@environment.command(
    "list", examples=["msce environment list", "msce environment list --kind dependency --status current --json"]
)
@click.option("--domain", help="Only of this domain.")
@click.option("--kind", type=click.Choice(KINDS), help="Only of this kind.")
@click.option("--status", type=click.Choice(["current", "withdrawn"]), help="Only of this status.")
@with_memory
def list_statements(
    memory: MemoryGraph, domain: str | None, kind: EnvEntityKind | None, status: EnvEntityStatus | None
) -> None:
    """List the statements by domain, status, kind and falling support."""
    emit(memory.environment(domain=domain, kind=kind, status=status), _statements)


@environment.command("show", examples=["msce environment show 3f1c2ab4d5e6f7083f1c2ab4d5e6f708"])
@click.argument("key")
@with_memory
def show_statement(memory: MemoryGraph, key: str) -> None:
    """Show one statement, how often it was seen, and whether it still holds."""
    emit(memory.environment_entity(key), _statement)


@environment.command(
    "graph",
    examples=["msce environment graph shop --output shop.html", "msce environment graph shop --format dot | dot -Tpdf"],
)
@click.argument("domain")
@click.option(
    "--format",
    type=click.Choice(["html", "svg", "dot", "graphml", "json"]),
    help="html by default, json with --json.",
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write this file, not stdout.")
@with_memory
def draw_tools(memory: MemoryGraph, domain: str, format: str | None, output: Path | None) -> None:
    """Draw which tools of a domain depend on which, and what constrains them."""
    from msce_graph.provenance.formats import render

    text = render(memory.environment_graph(domain), format or ("json" if wants_json() else "html"))
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")
        say(f"Wrote {output}.")


def _statements(found: Sequence[EnvEntity]) -> Parts:
    if not found:
        say(
            "Nothing is known of an environment: `msce evolve` learns it where a domain has two policies or more that "
            "are active and stable."
        )
        return
    yield Table(
        [(one.id, one.domain, one.kind, str(one.support), _rate(one), _told(one)) for one in found],
        header=("key", "domain", "kind", "support", "confidence", "statement"),
    )


def _statement(found: EnvEntity) -> Parts:
    yield Line(found.statement, style="bold")
    yield Table(
        [
            ("key", found.key),
            ("kind", found.kind),
            ("domain", found.domain),
            ("status", found.status),
            ("support", counted(found.support, "episode")),
            ("confidence", f"{_rate(found)}, the smoothed rate at which it was seen where it could have been"),
            ("rests on", f"`msce provenance {found.id}` draws the policies"),
        ]
    )


def _rate(one: EnvEntity) -> str:
    return f"{one.confidence:.2f}"


def _told(one: EnvEntity) -> str:
    return one.statement if one.status == "current" else f"(withdrawn) {one.statement}"


COMMANDS = (environment,)
