from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from neo4j.exceptions import Neo4jError

from msce_graph.errors import IncompleteWrite, StoreError
from msce_graph.store import Store, open_store, rows
from msce_graph.store.fingerprint import fingerprint
from tests.store.samples import episode, put, step, tool
from tests.store_fixture import NOW, Place

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def count(store: Store, label: str) -> int:
    found = {row["label"]: row["nodes"] for row in store.read(lambda tx: tx.run("statistics/nodes_by_label"))}
    return found.get(label, 0)


def edges(store: Store) -> dict[str, int]:
    return {row["type"]: row["edges"] for row in store.read(lambda tx: tx.run("statistics/edges_by_type"))}


# Values -------------------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    arguments=st.dictionaries(TEXT, JSON, max_size=3),
    observation=JSON,
    action=TEXT,
    mentions=st.lists(TEXT, max_size=3).map(tuple),
    value=st.none() | st.floats(-1, 1),
    occurred_at=st.none() | st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
)
def test_a_step_is_read_back_as_it_was_written(store, arguments, observation, action, mentions, value, occurred_at):
    written = step(
        "egg",
        0,
        arguments=arguments,
        observation=observation,
        action=action,
        mentions=mentions,
        value=value,
        occurred_at=occurred_at,
        embedding=(0.5, 0.25, *[0.0] * 382),
    )

    store.write(lambda tx: put(tx, episode("egg"), [written]))

    [row] = store.read(lambda tx: tx.run("evidence/of_episode", key="test/egg"))
    assert rows.evidence(row) == written


def test_an_episode_is_read_back_as_it_was_written(store):
    written = episode("egg", reward=0.5, reward_basis="score", started_at=NOW, cost=0.25, tokens=7, solved=True)

    store.write(lambda tx: put(tx, written, []))

    assert rows.episode(store.read(lambda tx: tx.run("episode/get", key="test/egg"))[0]) == written


def test_times_of_any_zone_come_back_as_utc_and_compare_as_moments(store):
    there = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=8)))
    store.query("CREATE (:Run {key: 'test/run', ended_at: $there})", {"there": there}, write=True)

    [found] = store.query(
        "MATCH (n:Run) RETURN n.ended_at AS ended_at, n.ended_at = $here AS is_same, n.ended_at < $later AS is_before",
        {"here": there.astimezone(UTC), "later": there.astimezone(UTC) + timedelta(microseconds=1)},
    )

    assert found == {"ended_at": there, "is_same": True, "is_before": True}
    assert found["ended_at"].tzinfo is UTC


def test_what_a_record_no_longer_has_is_gone_from_its_node(store):
    store.write(lambda tx: put(tx, episode("egg", reward=1.0, outcome="boiled"), []))
    store.write(lambda tx: put(tx, episode("egg"), []))

    [row] = store.read(lambda tx: tx.run("episode/get", key="test/egg"))
    assert (row["reward"], row["outcome"]) == (None, None)


def test_a_vector_without_direction_counts_as_none():
    assert rows.properties(step("egg", 0, embedding=(0.0, 0.0)))["embedding"] is None


# Writing ------------------------------------------------------------------------------------------------------------


def test_a_node_that_is_written_again_keeps_its_edges_and_its_time_of_creation(store):
    steps = [step("egg", 0), step("egg", 1)]
    store.write(lambda tx: put(tx, episode("egg"), steps))
    before = edges(store)
    later = [each.model_copy(update={"state": "hot", "created_at": NOW + timedelta(days=1)}) for each in steps]

    store.write(lambda tx: put(tx, episode("egg"), later))

    found = store.read(lambda tx: tx.run("evidence/of_episode", key="test/egg"))
    assert [(row["state"], row["created_at"]) for row in found] == [("hot", NOW), ("hot", NOW)]
    assert edges(store) == before == {"HAS_STEP": 2, "NEXT": 1}


def test_an_edge_to_a_node_that_is_not_there_is_an_error_and_leaves_nothing(store):
    def work(tx):
        put(tx, episode("egg"), [step("egg", 0)])
        tx.put("evidence/link_tools", [{"key": "test/egg#0", "to": "test/never"}])

    with pytest.raises(IncompleteWrite, match=r"evidence/link_tools wrote 0 of 1"):
        store.write(work)

    assert count(store, "Episode") == 0


def test_a_failed_transaction_leaves_no_trace(store):
    def work(tx):
        put(tx, episode("egg"), [step("egg", 0)])
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        store.write(work)

    assert count(store, "Evidence") == 0


def test_an_argument_from_two_paths_and_from_a_text_gives_one_edge_each_however_often_it_is_written(store):
    links = [
        {"key": "test/egg#1", "to": "test/egg#0", "argument": "water", "path": path} for path in (None, "pot.id", "id")
    ]

    def work(tx):
        put(tx, episode("egg"), [step("egg", 0), step("egg", 1)])
        tx.put("evidence/link_derivations", links)

    store.write(work)
    store.write(work)

    found = store.query("MATCH (:Evidence)-[edge:DERIVES_FROM]->() RETURN edge.path AS path ORDER BY path")
    assert [row["path"] for row in found] == ["id", "pot.id", None]


def test_more_than_one_message_of_rows_is_written_whole(store):
    steps = [step("egg", index, state="water " * 100_000) for index in range(30)]

    store.write(lambda tx: tx.put("evidence/put", map(rows.put_row, steps)))

    assert count(store, "Evidence") == 30


def test_nothing_to_write_asks_the_engine_nothing(store):
    assert store.write(lambda tx: tx.put("evidence/put", [])) == 0


def test_steps_are_deleted_with_their_edges(store):
    store.write(lambda tx: put(tx, episode("egg"), [step("egg", 0), step("egg", 1)]))

    assert store.write(lambda tx: tx.run("episode/delete_steps", key="test/egg")) == [{"deleted": 2}]
    assert (count(store, "Evidence"), count(store, "Episode"), edges(store)) == (0, 1, {})


def test_a_query_that_is_given_what_it_does_not_take_says_what_it_takes(store):
    with pytest.raises(ValueError, match="episode/get takes namespace, key"):
        store.read(lambda tx: tx.run("episode/get", name="egg"))


# Tenants ------------------------------------------------------------------------------------------------------------


def test_tenants_do_not_see_each_other(place: Place, store):
    store.write(lambda tx: put(tx, episode("egg"), [step("egg", 0)]))

    with place.migrated("other") as other:
        assert other.read(lambda tx: tx.run("episode/get", key="test/egg")) == []
        assert count(other, "Evidence") == 0
        with pytest.raises(ValueError, match="'test/egg'"):
            other.write(lambda tx: put(tx, episode("egg"), []))


# Concurrency --------------------------------------------------------------------------------------------------------


def test_writers_of_the_same_nodes_at_once_lose_nothing_and_double_nothing(store):
    def work(number: int) -> None:
        name = f"egg{number}"

        def write(tx):
            tx.put("tool/put", [tool("heat"), tool("cool")])
            put(tx, episode(name), [step(name, 0)])
            tx.put("evidence/link_tools", [{"key": f"test/{name}#0", "to": "test/heat"}])

        store.write(write)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(12)))

    assert (count(store, "Tool"), count(store, "Episode"), edges(store)) == (2, 12, {"CALLED": 12, "HAS_STEP": 12})


def test_sequences_reserved_at_once_are_all_different_and_have_no_gap(store):
    with ThreadPoolExecutor(4) as pool:
        first = list(
            pool.map(lambda _: store.write(lambda tx: tx.run("store/next_sequences", count=2))[0]["first"], range(12))
        )

    assert sorted(first) == list(range(1, 25, 2))


def test_processes_that_write_at_once_lose_nothing(place: Place, store):
    program = (
        "import sys\n"
        "from tests.store.samples import episode, put, step\n"
        "from tests.store_fixture import Place\n"
        "place, name = Place(*(part or None for part in sys.argv[1:5])), sys.argv[5]\n"
        "with place.open() as store:\n"
        "    for number in range(5):\n"
        "        one = f'{name}{number}'\n"
        "        store.write(lambda tx: put(tx, episode(one), [step(one, 0)]))\n"
    )
    where = [place.engine, place.location, place.username or "", place.password or ""]
    running = [subprocess.Popen([sys.executable, "-c", program, *where, name]) for name in ("fried", "boiled")]

    assert [each.wait(60) for each in running] == [0, 0]
    assert (count(store, "Episode"), edges(store)) == (10, {"HAS_STEP": 10})


def test_a_lease_is_one_holders_until_it_is_given_back_or_runs_out(store):
    def take(holder: str, now: datetime) -> bool:
        until = now + timedelta(minutes=1)
        return bool(store.write(lambda tx: tx.run("lease/take", holder=holder, now=now, until=until)))

    assert take("first", NOW)
    assert not take("second", NOW)
    assert take("second", NOW + timedelta(minutes=2))
    assert not store.write(lambda tx: tx.run("lease/renew", holder="first", until=NOW))
    assert store.write(lambda tx: tx.run("lease/release", holder="second")) == [{"released": 1}]
    assert take("first", NOW)


# Opening ------------------------------------------------------------------------------------------------------------


def test_a_server_that_is_not_there_is_named():
    with pytest.raises(StoreError, match=r"bolt://127\.0\.0\.1:9"):
        open_store("bolt://127.0.0.1:9", namespace="test", now=lambda: NOW)


def test_a_scheme_that_is_no_graphs_is_refused_with_those_that_are():
    with pytest.raises(StoreError, match=r"neo4j\+s"):
        open_store("https://example.org", namespace="test", now=lambda: NOW)


# Fingerprint --------------------------------------------------------------------------------------------------------


def test_equal_graphs_have_one_fingerprint_in_whatever_order_they_were_written(place: Place, store):
    first, second = (episode("egg"), [step("egg", 0)]), (episode("tea"), [step("tea", 0), step("tea", 1)])
    store.write(lambda tx: [put(tx, *first), put(tx, *second)])
    before = fingerprint(store)

    place.empty()
    with place.migrated(now=NOW + timedelta(days=1)) as again:
        again.write(lambda tx: put(tx, *second))
        again.write(lambda tx: put(tx, first[0], [each.model_copy(update={"created_at": NOW}) for each in first[1]]))
        again.write(lambda tx: tx.run("lease/take", holder="me", now=NOW, until=NOW))

        assert fingerprint(again) == before


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ("MATCH (n:Evidence) SET n.value = n.value + 1e-12", True),
        ("MATCH (n:Evidence) SET n.value = n.value + 1e-8", False),
        ("MATCH (n:Evidence) SET n.state = 'hot'", False),
        ("MATCH (n:Evidence) SET n.created_at = datetime()", True),
        ("MATCH (:Episode)-[edge:HAS_STEP]->() DELETE edge", False),
        ("MATCH (e:Episode)-[edge:HAS_STEP]->() SET edge.share = 0.5", False),
        ("CREATE (:Run {key: 'test/run', namespace: 'test', id: 'run'})", True),
    ],
)
def test_a_fingerprint_changes_with_what_counts_and_with_nothing_else(store, change, is_same):
    store.write(lambda tx: put(tx, episode("egg"), [step("egg", 0, value=0.25)]))
    before = fingerprint(store)

    store.query(change, write=True)

    assert (fingerprint(store) == before) is is_same


def test_a_password_in_a_uri_is_refused_and_not_told():
    with pytest.raises(StoreError, match="a URI holds no user") as refused:
        open_store("bolt://ann:hush-hush@127.0.0.1:9", namespace="test", now=lambda: NOW)

    assert "hush" not in str(refused.value)


@pytest.mark.parametrize("way", ["read", "write"])
def test_a_record_that_went_between_index_and_reading_is_a_lost_race_on_the_engine_where_that_happens(store, way):
    asked = []

    def work(tx):
        asked.append(tx)
        if len(asked) == 1:
            tx.run("store/get")
            raise Neo4jError._hydrate_neo4j(
                code="Neo.DatabaseError.General.UnknownError", message="Record #5:100 not found"
            )
        return tx.run("store/get")

    if store.engine.name == "embedded":
        assert len(getattr(store, way)(work)) == 1
        assert len(asked) == 2
    else:
        with pytest.raises(StoreError, match="not found"):
            getattr(store, way)(work)
