from __future__ import annotations

import subprocess
import sys

import pytest

from msce_graph.errors import EmbeddingMismatch, NewerStore, StoreError
from msce_graph.store import Store, migrate, migrations, rows, state
from msce_graph.store.engine import TEXT_INDEXES, VECTOR_INDEXES
from tests.store.samples import step
from tests.store_fixture import DIMENSIONS, EMBEDDER, Place


def indexes(store: Store) -> list[dict[str, str]]:
    return store.read(lambda tx: tx.run("schema/indexes"))


def test_an_empty_database_gets_the_whole_schema_and_says_which(bare: Place):
    with bare.open() as store:
        assert state(store) is None

        after = migrate(store, embedder=EMBEDDER, dimensions=DIMENSIONS, settings={"gamma": 0.5})

        assert after == migrations.State(migrations.VERSION, EMBEDDER, DIMENSIONS, {"gamma": 0.5}, 0) == state(store)
        assert {*VECTOR_INDEXES, *TEXT_INDEXES} <= {index["name"] for index in indexes(store)}
        assert {index["state"] for index in indexes(store)} == {"ONLINE"}


def test_two_processes_that_open_a_fresh_database_at_once_both_go_on(bare: Place):
    program = (
        "import sys\n"
        "from tests.store_fixture import Place\n"
        "with Place(*(part or None for part in sys.argv[1:])).migrated() as store:\n"
        "    store.write(lambda tx: tx.run('store/next_sequences', count=1))\n"
    )
    where = [bare.engine, bare.location, bare.username or "", bare.password or ""]
    running = [subprocess.Popen([sys.executable, "-c", program, *where]) for _ in range(2)]

    assert [each.wait(100) for each in running] == [0, 0]
    with bare.open() as store:
        found = state(store)
        assert found is not None
        assert found.sequence == 2


def test_a_migration_that_was_killed_before_its_version_was_recorded_is_run_again(place: Place, store):
    store.query("MATCH (n:Store) SET n.schema_version = 0", write=True)

    with place.migrated() as again:
        assert state(again).schema_version == migrations.VERSION


def test_migrating_again_changes_no_node(place: Place, store):
    nodes = "MATCH (n) RETURN properties(n) AS properties"
    before = store.query(nodes)

    with place.migrated() as again:
        assert again.query(nodes) == before


def test_a_store_of_a_later_schema_is_refused_with_both_versions(store):
    store.query("MATCH (n:Store) SET n.schema_version = 99", write=True)

    with pytest.raises(NewerStore, match=rf"99.* knows {migrations.VERSION}"):
        migrate(store, embedder=EMBEDDER, dimensions=DIMENSIONS, settings={})


def test_a_store_of_another_model_is_refused_with_the_command_that_embeds_again(store):
    with pytest.raises(EmbeddingMismatch, match="hashing vectors, not minilm: run `msce embed --model minilm`"):
        migrate(store, embedder="minilm", dimensions=DIMENSIONS, settings={})


def test_a_store_of_another_size_is_refused(store):
    with pytest.raises(EmbeddingMismatch, match=f"{DIMENSIONS}-dimensional.* not 256"):
        migrate(store, embedder=EMBEDDER, dimensions=256, settings={})


def test_a_second_namespace_of_another_size_is_refused_before_anything_is_written(place: Place, store):
    with place.open("other") as other:
        with pytest.raises(StoreError, match=f"namespace test .* {DIMENSIONS} numbers"):
            migrate(other, embedder=EMBEDDER, dimensions=256, settings={})

        assert state(other) is None


def test_nodes_of_another_program_under_our_labels_are_refused_unless_the_database_is_shared(place: Place, store):
    store.query("CREATE (:Tool {name: 'hammer'}), (:Planet {name: 'Mars'})", write=True)

    with place.open("other") as other:
        with pytest.raises(StoreError, match=r"1 Tool.*--shared"):
            migrate(other, embedder=EMBEDDER, dimensions=DIMENSIONS, settings={})
        assert migrate(other, embedder=EMBEDDER, dimensions=DIMENSIONS, settings={}, shared=True).sequence == 0


def test_nodes_of_other_labels_are_nobodys_business(place: Place, store):
    store.query("CREATE (:Planet {name: 'Mars'})", write=True)

    with place.migrated("other") as other:
        assert state(other) is not None


def test_vectors_of_another_size_find_room_once_the_indexes_are_made_again(bare: Place):
    with bare.migrated() as store:
        store.write(lambda tx: tx.put("evidence/put", [rows.put_row(step("egg", 0, embedding=(1.0,) * DIMENSIONS))]))

        migrations.drop_vector_indexes(store, 3)
        again = rows.put_row(step("egg", 0, embedding=(1.0, 0.5, 0.25)))
        store.write(lambda tx: tx.put("evidence/put", [again]))
        migrations.create_vector_indexes(store, 3)

        near = (
            "CALL db.index.vector.queryNodes('evidence_embedding', 1, [1.0, 0.5, 0.25]) YIELD node RETURN node.id AS id"
        )
        assert store.query(near) == [{"id": "egg#0"}]
        migrations.drop_vector_indexes(store, DIMENSIONS)
        store.query("MATCH (n:Evidence) DELETE n", write=True)
        migrations.create_vector_indexes(store, DIMENSIONS)
