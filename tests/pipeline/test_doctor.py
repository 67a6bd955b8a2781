"""Health over a real graph: what is well, what is not, and that nothing is well by default."""

from __future__ import annotations

from datetime import timedelta

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.pipeline import lease
from msce_graph.settings import Settings
from msce_graph.store.fingerprint import fingerprint
from msce_graph.store.migrations import VERSION
from tests.pipeline.workbench import episode, kitchen, log
from tests.store_fixture import NOW


@pytest.fixture(scope="module")
def kept(place, tmp_path_factory):
    """A memory that has learned; every test of this module leaves it as it was."""
    place.empty()
    with place.migrated("well") as store:
        memory = MemoryGraph(store, embedder("hashing"), Settings())
        list(memory.ingest(log(tmp_path_factory.mktemp("well"), kitchen(12))))
        memory.evolve()
        yield memory


def finding(memory, name):
    return next(found for found in memory.doctor() if found.name == name)


def test_all_that_was_looked_at_is_well_in_a_store_that_has_learned(kept):
    found = kept.doctor()

    assert [one.name for one in found if one.state != "ok"] == []
    assert all(one.found for one in found)


@pytest.mark.parametrize(
    ("index", "query"),
    [("evidence_embedding", None), ("episode_domain", "DROP INDEX episode_domain IF EXISTS")],
)
def test_a_missing_index_is_a_problem_with_what_to_do(kept, index, query):
    engine = kept._store.engine
    if query is None:
        engine.drop_vectors(index)
    else:
        kept.query(query, write=True)

    found = finding(kept, "indexes")

    kept.embed("hashing")
    engine.define("episode_domain")
    engine.await_indexes()
    assert (found.state, finding(kept, "indexes").state) == ("problem", "ok")
    assert f"{index} is missing" in found.found
    assert "msce embed" in found.remedy or "CREATE INDEX episode_domain" in found.remedy


def test_a_server_that_takes_no_writes_is_a_problem(kept, monkeypatch):
    engine = kept._store.engine

    def session():
        only_reading = engine.reading_session()
        only_reading.execute_write = only_reading.execute_read
        return only_reading

    monkeypatch.setattr(engine, "session", session)

    assert finding(kept, "writing").state == "problem"
    assert finding(kept, "indexes").state == "ok"


def test_episodes_that_wait_to_be_learned_are_told_with_their_domain(kept, tmp_path):
    list(kept.ingest(log(tmp_path, [episode(500, ("find",), solved=True)])))

    found = finding(kept, "learning")

    kept.evolve()
    assert found.state == "warning"
    assert "kitchen (1)" in found.found
    assert found.remedy.startswith("`msce evolve`")


def test_a_lease_is_told_with_who_holds_it_and_one_that_ran_out_is_a_warning(kept):
    store = kept._store
    with lease.held(store) as holder:
        held = finding(kept, "lease")
        store.write(lambda tx: tx.run("lease/renew", holder=holder, until=NOW - timedelta(hours=1)))
        over = finding(kept, "lease")

    assert (held.state, over.state) == ("ok", "warning")
    assert holder in held.found


def test_a_step_without_its_vector_is_a_problem(kept):
    [row] = kept.query("MATCH (e:Evidence {key: 'well/e1#1'}) RETURN e.embedding AS embedding")
    kept.query("MATCH (e:Evidence {key: 'well/e1#1'}) REMOVE e.embedding", write=True)

    found = finding(kept, "vectors")

    kept._store.write(lambda tx: tx.put("embed/put", [{"key": "well/e1#1", **row}]))
    assert found.state == "problem"
    assert "1 of" in found.found


def test_an_embedder_that_the_store_was_not_built_with_is_a_problem(kept, monkeypatch):
    monkeypatch.setattr(type(kept._embedder), "name", "other")

    found = finding(kept, "embedder")

    assert found.state == "problem"
    assert "hashing" in found.remedy


def test_statistics_count_what_is_there(kept):
    counted = kept.stats()

    assert counted.nodes["Episode"] == counted.episodes_scored == counted.episodes_learned
    assert counted.episodes_pending == 0
    assert sum(counted.policies.values()) == counted.nodes["Policy"] == len(kept.policies())
    assert counted.edges["HAS_STEP"] == counted.nodes["Evidence"]
    assert counted.fingerprint == fingerprint(kept._store)
    assert (counted.embedder, counted.dimensions, counted.schema_version) == ("hashing", 384, VERSION)
