"""Another embedding model for a namespace: every vector anew, and all that was learned from vectors folded anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

from msce_graph import embedding
from msce_graph.embedding import Embedder
from msce_graph.learning.normalise import vector_text
from msce_graph.pipeline import evolve, lease
from msce_graph.pipeline.diagnosis import unusable_indexes
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows, state
from msce_graph.store.engine import TEXT_INDEXES, VECTOR_INDEXES
from msce_graph.store.migrations import create_vector_indexes, drop_vector_indexes

STEPS_A_BATCH = 500
NODES_A_BATCH = 5000

Progress = Callable[[int, int], None]
"""Told how many steps have their vector, of how many."""


def reembed(store: Store, model: str, *, progress: Progress | None = None) -> tuple[Embedder, int]:
    """Give every step a vector of the model, learn from them, and return the model and how many vectors steps have.

    With the model that the store has, only what is missing is made: vectors, and the indexes of vectors and text.
    Killed at any moment and run again it ends the same, since old vectors go before the model is recorded, and steps
    without a vector are what is left to do. Raises LeaseHeld while somebody learns, and StoreError where another
    namespace of the database holds vectors of another size.
    """
    embedder = embedding.embedder(model)
    before = state(store)
    assert before is not None, "an open store has its Store node"
    is_other = (before.embedder, before.dimensions) != (embedder.name, embedder.dimensions)
    with lease.held(store):
        if is_other or store.read(lambda tx: tx.run("doctor/vectors"))[0]["lacking"]:
            _unlearn(store)
        if is_other:
            _forget_vectors(store, embedder, is_other_size=before.dimensions != embedder.dimensions)
        count = _embed(store, embedder, progress)
        _restore_indexes(store, embedder)
    evolve.evolve(store, Settings.of(before.settings))
    return embedder, count


def _unlearn(store: Store) -> None:
    """Let the next evolve fold every domain anew."""
    for row in store.read(lambda tx: tx.run("evolve/all_domains")):
        store.write(partial(_unlearn_domain, row["domain"]))


def _unlearn_domain(domain: str, tx: Transaction) -> None:
    tx.run("evolve/unlearn", domain=domain)


def _forget_vectors(store: Store, embedder: Embedder, *, is_other_size: bool) -> None:
    """Take away the old vectors, then record the model."""
    if is_other_size:
        drop_vector_indexes(store, embedder.dimensions)
    while store.write(lambda tx: tx.run("embed/clear", limit=NODES_A_BATCH))[0]["written"]:
        pass
    name, dimensions = embedder.name, embedder.dimensions
    store.write(lambda tx: tx.run("store/set_embedder", embedder=name, dimensions=dimensions))


def _embed(store: Store, embedder: Embedder, progress: Progress | None) -> int:
    """Give every step that calls a tool and has no vector its own; return how many such steps there are."""
    [counted] = store.read(lambda tx: tx.run("doctor/vectors"))
    total = counted["embedded"] + counted["lacking"]
    done, after = 0, ""
    while page := _page(store, after):
        _put(store, embedder, [row for row in page if not row["is_embedded"]])
        done, after = done + len(page), page[-1]["key"]
        if progress is not None:
            progress(done, total)
    return done


def _page(store: Store, after: str) -> list[rows.Row]:
    return store.read(lambda tx: tx.run("embed/page", after=after, limit=STEPS_A_BATCH))


def _put(store: Store, embedder: Embedder, steps: Sequence[rows.Row]) -> None:
    texts = [
        vector_text(row["task"], row["tool"], sorted(json.loads(row["arguments"])), row["error_signature"])
        for row in steps
    ]
    distinct = sorted(set(texts))
    vectors = dict(zip(distinct, embedder.embed(distinct), strict=True))
    given = [{"key": row["key"], "embedding": list(vectors[text])} for row, text in zip(steps, texts, strict=True)]
    store.write(lambda tx: tx.put("embed/put", given))


def _restore_indexes(store: Store, embedder: Embedder) -> None:
    unusable = unusable_indexes(store)
    if unusable.keys() & VECTOR_INDEXES.keys():
        drop_vector_indexes(store, embedder.dimensions)  # one that failed is there, and of no use
    with store.engine.translating():
        for index in unusable.keys() & TEXT_INDEXES.keys():
            store.engine.define_text(index)
    create_vector_indexes(store, embedder.dimensions)
