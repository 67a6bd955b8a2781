"""Which store is meant, what it was built with, and whether that fits what is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from msce_graph import embedding
from msce_graph.embedding import Embedder
from msce_graph.errors import SettingsError
from msce_graph.records import NAMESPACE
from msce_graph.settings import Settings
from msce_graph.store import Store, migrate, open_store, rows, state

DEFAULT_STORE = "msce-store"
DEFAULT_EMBEDDER = "hashing"


@dataclass(frozen=True, slots=True)
class Location:
    """A store's folder or URI, who said so, and the credentials of a server."""

    store: str
    said_by: str
    username: str | None = None
    password: str | None = None
    database: str | None = None


def locate(store: str | Path | None, environment: Mapping[str, str]) -> Location:
    """Return the store that is meant: the given one, else MSCE_STORE, else NEO4J_URI, else ./msce-store."""
    server = (
        environment.get("NEO4J_USERNAME"),
        environment.get("NEO4J_PASSWORD"),
        environment.get("NEO4J_DATABASE"),
    )
    if store is not None:
        return Location(str(store), "argument", *server)
    if environment.get("MSCE_STORE"):
        return Location(environment["MSCE_STORE"], "MSCE_STORE", *server)
    if environment.get("NEO4J_URI"):
        return Location(environment["NEO4J_URI"], "NEO4J_URI", *server)
    return Location(DEFAULT_STORE, "default", *server)


def opened(
    place: Location,
    namespace: str,
    given: dict[str, Any],
    embedder: str | None,
    *,
    shared: bool,
    now: Callable[[], datetime],
    moving_to: str | None = None,
) -> tuple[Store, Embedder, Settings]:
    """Open and migrate a store; raise SettingsError or EmbeddingMismatch where it was built otherwise.

    One that is `moving_to` another model needs its own no more, which may be gone.
    """
    if not re.fullmatch(NAMESPACE, namespace):
        raise ValueError(f"namespace {namespace!r} is not 1 to 64 of a-z, 0-9, _ and -")
    wanted = Settings.of(given)
    store = open_store(
        place.store,
        namespace=namespace,
        username=place.username,
        password=place.password,
        database=place.database,
        now=now,
    )
    try:
        before = state(store)
        model = embedding.embedder(moving_to or embedder or (before.embedder if before else DEFAULT_EMBEDDER))
        name, dimensions = (model.name, model.dimensions)
        if before is not None and moving_to is not None:
            name, dimensions = before.embedder, before.dimensions
        after = migrate(store, embedder=name, dimensions=dimensions, settings=wanted.stored(), shared=shared)
        return store, model, _agreed(store, after.settings, wanted, given)
    except BaseException:
        store.close()
        raise


def _agreed(store: Store, stored: Mapping[str, Any], wanted: Settings, given: Mapping[str, Any]) -> Settings:
    """Return the settings of the store with those of this call; an empty store takes all that is given."""
    of_store = {name: value for name, value in wanted.stored().items() if name in given}
    other = {name: value for name, value in of_store.items() if stored.get(name) != value}
    if other:
        if store.read(lambda tx: tx.run("episode/any")):
            told = " ".join(f"--set {name}={json.dumps(value)}" for name, value in sorted(other.items()))
            was = ", ".join(f"{name}={json.dumps(stored.get(name))}" for name in sorted(other))
            raise SettingsError(
                f"this store was built with {was}: `msce evolve --rebuild {told}` learns it all anew, or leave it out"
            )
        stored = {**stored, **other}
        store.write(lambda tx: tx.run("store/set_settings", settings=rows.json_text(dict(stored))))
    of_call = {name: value for name, value in wanted.model_dump().items() if name not in wanted.stored()}
    return Settings.of({**stored, **of_call})
