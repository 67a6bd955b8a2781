"""The commands that ask: what is known about a situation, why, what it rests on, and any question in Cypher."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import words
from .options import parameters, with_memory
from .output import emit, say
from .verbs import Verb, wants_json

if TYPE_CHECKING:
    from msce_graph.memory import MemoryGraph


@click.command(
    cls=Verb,
    examples=[
        'msce recall "cancel an order that has shipped" --domain shop',
        "msce recall \"push was refused\" --tool 'shell:git push' --error 'rejected (non-fast-forward)'",
    ],
)
@click.argument("text")
@click.option("--domain", help="Only of this domain.")
@click.option("--tool", help="The tool that is about to be used.")
@click.option("--error", help="The error that was just seen.")
@click.option("--limit", type=click.IntRange(1, 100), help="Items of each kind at most, 1 to 100.")
@click.option("--budget", type=click.IntRange(min=1), help="Characters of all texts at most.")
@click.option("--failures", is_flag=True, help="Past steps that went badly, not those that went well.")
@click.option("--episode", help="Key of the episode that asks: what it is given is kept with it.")
@with_memory
def recall(
    memory: MemoryGraph,
    text: str,
    domain: str | None,
    tool: str | None,
    error: str | None,
    limit: int | None,
    budget: int | None,
    failures: bool,
    episode: str | None,
) -> None:
    """Tell what is known about a situation.

    Skills, policies, what to avoid, past steps and what the environment is like, each with why it is told and what it
    rests on.
    """
    if not text.strip():
        raise click.UsageError("TEXT is empty: say what the situation is.")
    found = memory.recall(
        text, domain=domain, tool=tool, error=error, limit=limit, budget=budget, failures=failures, episode=episode
    )
    emit(found, words.recalled)


@click.command(cls=Verb, examples=["msce explain 3f1c2ab4d5e6f708", "msce explain 'runs.jsonl/task-7#2'"])
@click.argument("key")
@with_memory
def explain(memory: MemoryGraph, key: str) -> None:
    """Say in words why a node is what it is.

    Values with their formula, gain with its counts, gates and checks with what speaks against them.
    """
    emit(memory.explain(key), words.explanation)


@click.command(
    cls=Verb,
    examples=[
        "msce provenance 3f1c2ab4d5e6f708.v1 --output skill.html",
        "msce provenance 3f1c2ab4d5e6f708 --format dot | dot -Tpdf -o policy.pdf",
    ],
)
@click.argument("key")
@click.option(
    "--format",
    type=click.Choice(["html", "svg", "dot", "graphml", "json"]),
    help="html by default, json with --json.",
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write this file, not stdout.")
@click.option("--budget", type=click.IntRange(min=1), default=300, show_default=True, help="Nodes at most.")
@with_memory
def provenance(memory: MemoryGraph, key: str, format: str | None, output: Path | None, budget: int) -> None:
    """Draw what a node rests on, down to the logged steps."""
    from msce_graph.provenance.formats import render

    text = render(memory.provenance(key, budget=budget), format or ("json" if wants_json() else "html"))
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")
        say(f"Wrote {output}.")


@click.command(
    cls=Verb,
    examples=[
        "msce query 'MATCH (p:Policy) RETURN p.title, p.gain ORDER BY p.gain DESC LIMIT 5'",
        "msce query 'MATCH (t:Task {domain: $domain}) RETURN t.text' --param domain=shop --json",
    ],
)
@click.argument("cypher")
@click.option(
    "--param",
    "values",
    metavar="NAME=VALUE",
    multiple=True,
    callback=parameters,
    help="A parameter of the query, as JSON or text; can be repeated. $namespace is given.",
)
@click.option("--write", is_flag=True, help="Let the query change the graph.")
@with_memory
def query(memory: MemoryGraph, cypher: str, values: dict[str, Any], write: bool) -> None:
    """Run Cypher, and print the rows.

    Without --write a query can do nothing but read the graph.
    """
    emit(memory.query(cypher, values, write=write), words.rows)


COMMANDS = (recall, explain, provenance, query)
