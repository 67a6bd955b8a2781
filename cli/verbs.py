"""What all commands share: `--json`, and a help that ends with examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

_JSON = "msce_graph.cli.json"


class Taught(click.Command):
    """A command whose help ends with examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each on its own line."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")


class Verb(Taught):
    """A command that gives an answer, as JSON where that is asked for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(["--json"], is_flag=True, expose_value=False, callback=_remember, help="Print JSON on stdout.")
        )


class Verbs(Taught, click.Group):
    """A group whose commands are verbs."""

    command_class = Verb
    group_class = type


def wants_json() -> bool:
    """Whether the running command was given `--json`."""
    return bool(click.get_current_context().meta.get(_JSON))


def _remember(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.meta[_JSON] = value
