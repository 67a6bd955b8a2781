"""Numbered, repeatable steps from an empty database to the schema that this package reads and writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from msce_graph.errors import EmbeddingMismatch, NewerStore, StoreError
from msce_graph.store import rows
from msce_graph.store.connection import Store, Transaction
from msce_graph.store.engine import TEXT_INDEXES, VECTOR_INDEXES

_KEYS = (
    *("store_key", "episode_key", "task_key", "evidence_key", "tool_key", "pattern_key", "policy_key", "skill_key"),
    *("environment_key", "trial_key", "feedback_key", "decision_key", "run_key"),
)
_LOOKUPS = (  # never of the namespace alone: the embedded engine would take that one before the unique key
    *("episode_sequence", "episode_domain", "tool_name", "pattern_domain", "policy_domain", "environment_domain"),
    *("skill_domain", "skill_name", "decision_subject"),
)


@dataclass(frozen=True, slots=True)
class State:
    """What the Store node of a namespace says: the schema, the vectors and the parameters that it was built with."""

    schema_version: int
    embedder: str
    dimensions: int
    settings: dict[str, Any]
    sequence: int


def state(store: Store) -> State | None:
    """Return what this namespace was built with, or None where it is new; raise NewerStore for a later schema."""
    found = store.read(lambda tx: tx.run("store/get"))
    if not found:
        return None
    stored = State(**{**found[0], "settings": json.loads(found[0]["settings"])})
    if stored.schema_version > VERSION:
        raise NewerStore(stored.schema_version, VERSION)
    return stored


def migrate(store: Store, *, embedder: str, dimensions: int, settings: dict[str, Any], shared: bool = False) -> State:
    """Bring a namespace to the schema of this package and return its state; what is there already is left as it is.

    `settings` become those of a new namespace only. Every step can be repeated, and the version is recorded last, so
    a killed run is simply run again, and two at once do no harm. Raises EmbeddingMismatch where other vectors are
    stored, NewerStore where a later package has been, and StoreError where nodes of another program carry our labels
    and the database is not said to be `shared`.
    """
    before = state(store)
    if before is None:
        _refuse_foreign(store, shared=shared)
        _refuse_other_size(store, dimensions)
    version = 0 if before is None else before.schema_version
    for number, steps in enumerate(_MIGRATIONS[version:], start=version + 1):
        for step in steps:
            step(store, dimensions)
        store.write(
            partial(_record, number, now=store.now(), embedder=embedder, dimensions=dimensions, settings=settings)
        )
    after = state(store)
    assert after is not None, "the Store node has just been written"
    if after.embedder != embedder:
        raise EmbeddingMismatch(after.embedder, embedder)
    if after.dimensions != dimensions:
        stored, given = (f"{size}-dimensional {embedder}" for size in (after.dimensions, dimensions))
        raise EmbeddingMismatch(stored, given, model=embedder)
    return after


def drop_vector_indexes(store: Store, dimensions: int) -> None:
    """Make room for vectors of another size; raise StoreError where another namespace holds some of its own size."""
    _refuse_other_size(store, dimensions)
    with store.engine.translating():
        for index in VECTOR_INDEXES:
            store.engine.drop_vectors(index)


def create_vector_indexes(store: Store, dimensions: int) -> None:
    """Create the vector indexes that are not there, and wait until they can be used."""
    with store.engine.translating():
        for index in VECTOR_INDEXES:
            store.engine.define_vectors(index, dimensions)
        store.engine.await_indexes()


def _create_keys(store: Store, _: int) -> None:
    with store.engine.translating():
        for key in _KEYS:
            store.engine.define(key)
        store.engine.prepare()


def _create_lookups(store: Store, _: int) -> None:
    with store.engine.translating():
        for index in _LOOKUPS:
            store.engine.define(index)
        for index in TEXT_INDEXES:
            store.engine.define_text(index)


def _create_answers(store: Store, _: int) -> None:
    with store.engine.translating():
        store.engine.define("answer_key")


def _create_environment_text(store: Store, _: int) -> None:
    with store.engine.translating():
        store.engine.define_text("environment_text")
        store.engine.await_indexes()


_MIGRATIONS: tuple[tuple[Callable[[Store, int], None], ...], ...] = (
    (_create_keys, _create_lookups, create_vector_indexes),
    (_create_answers,),
    (_create_environment_text,),
)
VERSION = len(_MIGRATIONS)
"""The schema that this package reads and writes."""


def _record(
    version: int, tx: Transaction, *, now: datetime, embedder: str, dimensions: int, settings: dict[str, Any]
) -> None:
    text = rows.json_text(settings)
    tx.run("store/create", now=now, embedder=embedder, dimensions=dimensions, settings=text)
    tx.run("store/set_version", version=version)


def _refuse_foreign(store: Store, *, shared: bool) -> None:
    if shared:
        return
    if found := store.read(lambda tx: tx.run("schema/foreign")):
        counts = ", ".join(f"{row['nodes']} {row['label']}" for row in found)
        raise StoreError(
            f"{store.engine.location} holds nodes of another program under our labels ({counts}): "
            "give --shared to use it all the same, or another database"
        )


def _refuse_other_size(store: Store, dimensions: int) -> None:
    if found := store.read(lambda tx: tx.run("store/of_other_size", dimensions=dimensions)):
        other = found[0]
        raise StoreError(
            f"namespace {other['other']} of this database holds {other['embedder']} vectors of {other['dimensions']} "
            f"numbers, and one database holds one size: use that size, not {dimensions}, or another database"
        )
