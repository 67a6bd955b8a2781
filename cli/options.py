"""Which store a command means, how it is opened, and values given as NAME=VALUE."""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import click

from .output import say

if TYPE_CHECKING:
    from msce_graph.memory import Location, MemoryGraph

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Options:
    """The options before the command: what is null is left to MemoryGraph."""

    store: str | None
    namespace: str
    settings: dict[str, Any]
    embedder: str | None

    @property
    def location(self) -> Location:
        """The store that is meant."""
        from msce_graph.pipeline.opening import locate

        return locate(self.store, os.environ)

    def memory(
        self,
        *,
        settings: dict[str, Any] | None = None,
        shared: bool = False,
        creates: bool = False,
        moving_to: str | None = None,
    ) -> MemoryGraph:
        """Open the store, and say on stderr which it is where the command line does not tell, or that it is new.

        `settings` stand in for those before the command. A namespace that cannot be one is a usage error. Raises
        StoreError where a command that `creates` nothing names a folder without a store.
        """
        from msce_graph.errors import StoreError
        from msce_graph.memory import MemoryGraph

        _check_namespace(self.namespace)
        place = self.location
        if place.said_by == "NEO4J_URI":
            say(f"The store is {place.store}, as NEO4J_URI says.")
        is_new = _is_new(place.store)
        if is_new and not creates:
            raise StoreError(f"there is no store in {place.store}: `msce init` or `msce ingest` makes one")
        memory = MemoryGraph.open(
            self.store,
            namespace=self.namespace,
            settings=self.settings if settings is None else settings,
            embedder=self.embedder,
            shared=shared,
            moving_to=moving_to,
        )
        if is_new:
            say(f"Made a new store in {place.store}.")
        return memory


def said(_: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse a text that says nothing."""
    if not value.strip():
        raise click.BadParameter("it is empty", param=parameter)
    return value


def _somebody(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse the name by which learning itself decides."""
    if value.strip() == "msce_graph":
        raise click.BadParameter("msce_graph is no author: name a person or program", param=parameter)
    return said(context, parameter, value)


reason = click.option(
    "--reason", required=True, metavar="TEXT", callback=said, help="Why; it is kept with the decision."
)
"""The option that says why a person decides."""

author = click.option(
    "--author", default=getpass.getuser, metavar="NAME", callback=_somebody, help="Who says so; else the user's name."
)
"""The option that says who decides."""


def given() -> Options:
    """Return the options of the running command line."""
    found = click.get_current_context().find_object(Options)
    assert found is not None, "the root command sets them"
    return found


def with_memory(command: Callable[Concatenate[MemoryGraph, P], None]) -> Callable[P, None]:
    """Give a command the open memory as its first argument, and close it behind it."""
    return _opening(command, creates=False)


def with_new_memory(command: Callable[Concatenate[MemoryGraph, P], None]) -> Callable[P, None]:
    """Give a command the open memory like `with_memory`, and make the store where there is none."""
    return _opening(command, creates=True)


def _opening(command: Callable[Concatenate[MemoryGraph, P], None], *, creates: bool) -> Callable[P, None]:
    @wraps(command)
    def opened(*args: P.args, **kwargs: P.kwargs) -> None:
        with given().memory(creates=creates) as memory:
            command(memory, *args, **kwargs)

    return opened


def settings(ctx: click.Context, param: click.Parameter, values: Iterable[str]) -> dict[str, Any]:
    """Return parameters typed as `Settings` types them; an unknown one is a usage error that lists the names."""
    texts = dict(_assigned(ctx, param, value) for value in values)
    if not texts:
        return {}
    from msce_graph.errors import SettingsError
    from msce_graph.settings import Settings

    try:
        typed = Settings.of(texts)
    except SettingsError as error:
        raise click.BadParameter(str(error), ctx, param) from error
    return {name: getattr(typed, name) for name in texts}


def parameters(ctx: click.Context, param: click.Parameter, values: Iterable[str]) -> dict[str, Any]:
    """Return the parameters of a query: each value is JSON, or else text."""
    return {name: _json_or_text(text) for name, text in (_assigned(ctx, param, value) for value in values)}


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _assigned(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, str]:
    name, sign, text = value.partition("=")
    if not name or not sign:
        raise click.BadParameter(f"{value!r} is no NAME=VALUE", ctx, param)
    return name, text


def _check_namespace(name: str) -> None:
    from pydantic import TypeAdapter, ValidationError

    from msce_graph.records import Namespace

    try:
        TypeAdapter(Namespace).validate_python(name)
    except ValidationError as error:
        raise click.BadParameter(
            f"{name!r} is none: 1 to 64 of a-z, 0-9, _ and -", param_hint="'--namespace'"
        ) from error


def _is_new(store: str) -> bool:
    """Whether opening will make the store: a folder that is not there or holds nothing."""
    folder = Path(store)
    return "://" not in store and not (folder.is_dir() and any(folder.iterdir()))
