"""Another embedding model over a real graph."""

from __future__ import annotations

import numpy as np
import pytest

from msce_graph import MemoryGraph, embedding
from msce_graph.embedding import embedder
from msce_graph.embedding.hashing import HashingEmbedder
from msce_graph.errors import EmbeddingMismatch, StoreError
from msce_graph.pipeline import opening, reembed
from msce_graph.pipeline.opening import Location
from msce_graph.settings import Settings
from msce_graph.store import migrate
from tests.pipeline.workbench import kitchen, log, told
from tests.store_fixture import NOW


class Other(HashingEmbedder):
    """A model of another name: its vectors are those of the default one, the other way round."""

    name = "other"
    fails_after: int | None = None

    def embed(self, texts):
        """Return the vectors, or fail as a process does that is killed."""
        if self.fails_after is not None:
            self.fails_after -= 1
            if self.fails_after < 0:
                raise KeyboardInterrupt
        return [tuple(reversed(vector)) for vector in super().embed(texts)]


class Smaller(HashingEmbedder):
    """A model of another size."""

    name, dimensions = "smaller", 128

    def embed(self, texts):
        """Return the vectors, folded to a third and of length 1 again."""
        folded = np.array(super().embed(texts)).reshape(len(texts), 3, 128).sum(axis=1)
        lengths = np.linalg.norm(folded, axis=1, keepdims=True)
        return [tuple(map(float, row)) for row in (folded / lengths).astype(np.float32)]


@pytest.fixture
def models(monkeypatch):
    """Models that the test may name, beside the real ones."""
    known = {"other": Other(), "smaller": Smaller()}
    monkeypatch.setattr(embedding, "embedder", lambda name: known.get(name) or embedder(name))
    return known


@pytest.fixture
def learned(memory, tmp_path):
    """A memory that has learned."""
    list(memory.ingest(log(tmp_path, kitchen(16))))
    memory.evolve()
    return memory


def test_another_model_and_back_gives_the_same_graph(learned, models):
    before = told(learned)

    count = learned.embed("other")
    between = told(learned)
    learned.embed("hashing")

    assert count == 48
    assert between != before
    assert told(learned) == before
    assert [one.name for one in learned.doctor() if one.state != "ok"] == []


def test_the_store_knows_its_new_model_and_refuses_the_old_one(learned, store, models):
    learned.embed("other")

    with pytest.raises(EmbeddingMismatch, match="msce embed --model hashing"):
        migrate(store, embedder="hashing", dimensions=384, settings={})
    assert learned.recall("make dish 3").evidence


def test_a_store_whose_own_model_is_gone_can_be_given_another(place, learned, models, monkeypatch):
    before = told(learned)
    learned.embed("other")
    monkeypatch.delitem(models, "other")

    def opened(**more):
        location = Location(place.location, "argument", place.username, place.password)
        return MemoryGraph(*opening.opened(location, "test", {}, None, shared=False, now=lambda: NOW, **more))

    with pytest.raises(ValueError, match="no embedding model 'other'"):
        opened()
    with opened(moving_to="hashing") as memory:
        memory.embed("hashing")
    with opened() as memory:
        assert told(memory) == before


def test_killed_half_way_and_run_again_it_gives_the_graph_of_an_undisturbed_run(learned, models, monkeypatch):
    learned.embed("other")
    undisturbed = told(learned)
    learned.embed("hashing")
    monkeypatch.setattr(reembed, "STEPS_A_BATCH", 10)
    models["other"].fails_after = 2

    with pytest.raises(KeyboardInterrupt):
        learned.embed("other")
    models["other"].fails_after = None
    learned.embed("other")

    assert told(learned) == undisturbed


def test_steps_without_a_vector_are_named_with_what_to_do(learned, tmp_path):
    list(learned.ingest(log(tmp_path, kitchen(18))))
    learned.query("MATCH (e:Evidence) WHERE e.key STARTS WITH 'test/e17#' SET e.embedding = null", write=True)

    with pytest.raises(StoreError, match=r"test/e17#0 has no vector: `msce embed`"):
        learned.evolve()


def test_progress_counts_every_step(learned, models):
    seen = []

    learned.embed("other", progress=lambda done, total: seen.append((done, total)))

    assert seen[-1] == (48, 48)


def test_a_model_of_another_size_gets_indexes_of_its_size(bare, models, tmp_path):
    with bare.migrated() as store:
        memory = MemoryGraph(store, embedder("hashing"), Settings(exact_below=0))
        list(memory.ingest(log(tmp_path, kitchen(6))))
        memory.embed("smaller")

        found = memory.recall("make dish 3")
        [row] = store.query("MATCH (e:Evidence) RETURN e.embedding AS vector LIMIT 1")
        health = memory.doctor()
        memory.embed("hashing")  # other tests share the database, which has one size

        by_vector = [why for item in found.evidence for why in item.why if why.startswith("vector")]
        assert by_vector
        assert not any("exact" in why for why in by_vector)
        assert len(row["vector"]) == 128
        assert [one.name for one in health if one.state == "problem"] == []
        assert memory.recall("make dish 3").evidence
