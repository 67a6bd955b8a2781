"""Several writers at once, threads and processes: nothing lost, nothing doubled, on each engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from msce_graph.embedding import embedder
from msce_graph.errors import LeaseHeld
from msce_graph.memory import MemoryGraph
from msce_graph.pipeline import evolve as evolving
from msce_graph.settings import Settings
from tests.pipeline.workbench import GOOD, episode, kitchen, log, told


@pytest.fixture
def other(place, store):
    """The same memory as another client opens it."""
    with place.open() as again:
        yield MemoryGraph(again, embedder("hashing"), Settings())


def test_two_threads_that_ingest_at_once_lose_nothing_and_double_nothing(memory, other, tmp_path):
    episodes = kitchen(30)
    logs = [log(tmp_path, episodes[:20], "first.jsonl"), log(tmp_path, episodes[10:], "second.jsonl")]

    results = at_once(lambda: list(memory.ingest(logs[0])), lambda: list(other.ingest(logs[1])))

    assert sum(row.result == "stored" for result in results for row in result) == 30
    assert_whole(memory, 30)


def test_threads_that_share_one_memory_ingest_at_once(memory, tmp_path):
    episodes = kitchen(40)
    logs = [log(tmp_path, episodes[at::4], f"{at}.jsonl") for at in range(4)]

    at_once(*(lambda path=path: list(memory.ingest(path)) for path in logs))

    assert_whole(memory, 40)


def test_three_processes_that_ingest_at_once_lose_nothing_and_double_nothing(place, memory, tmp_path):
    episodes = kitchen(90)
    logs = [log(tmp_path, episodes[at * 25 : at * 25 + 40], f"{at}.jsonl") for at in range(3)]

    printed = processes(place, *(["ingest", "--json", str(path)] for path in logs))

    stored = [
        row["key"] for lines in printed for row in map(json.loads, lines.splitlines()) if row["result"] == "stored"
    ]
    assert len(stored) == len(set(stored)) == 90
    assert_whole(memory, 90)


def test_two_processes_that_open_a_fresh_store_at_once_both_go_on(bare, tmp_path):
    logs = [log(tmp_path, kitchen(20)[at::2], f"{at}.jsonl") for at in range(2)]

    processes(bare, *(["ingest", "--json", str(path)] for path in logs))

    with bare.open() as store:
        assert_whole(MemoryGraph(store, embedder("hashing"), Settings()), 20)


def test_of_two_threads_that_evolve_at_once_each_has_its_turn_or_is_told_to_wait(memory, other, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen())))
    memory.evolve()
    alone = told(memory)
    memory.query("MATCH (e:Episode) SET e.is_learned = false RETURN count(e) AS episodes", write=True)

    taken = at_once(lambda: evolved(memory), lambda: evolved(other))

    assert sum(taken) == 40
    assert told(memory) == alone


def test_of_two_processes_that_evolve_at_once_each_has_its_turn_or_is_told_to_wait(place, memory, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen(60))))
    memory.evolve()
    alone = told(memory)
    memory.query("MATCH (e:Episode) SET e.is_learned = false RETURN count(e) AS episodes", write=True)

    printed = processes(place, ["evolve", "--json"], ["evolve", "--json"], may_fail="is learning in namespace test")

    assert sum(json.loads(answer)["episodes"] for answer in printed if answer) == 60
    assert told(memory) == alone


def test_a_lease_of_a_thread_is_none_of_another_thread_of_its_process(memory, other, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen(10))))
    refused = []

    def evolve_within(done, total):
        with pytest.raises(LeaseHeld, match="is learning"):
            other.evolve()
        refused.append(done)

    memory.evolve(progress=evolve_within)

    assert refused


def test_an_evolve_that_failed_leaves_the_way_free(memory, other, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen(10))))

    def fail(done, total):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        memory.evolve(progress=fail)

    assert other.evolve().episodes == 0


def test_what_comes_in_while_evolve_runs_is_learned_as_if_it_had_come_before(memory, other, tmp_path, monkeypatch):
    monkeypatch.setattr(evolving, "INPUTS_A_TRANSACTION", 10)
    list(memory.ingest(log(tmp_path, kitchen(20))))
    more = log(tmp_path, kitchen(40)[20:], "more.jsonl")

    memory.evolve(progress=lambda done, total: list(other.ingest(more)))
    interleaved = told(memory)
    memory.evolve(rebuild=True)

    assert told(memory) == interleaved
    assert memory.query("MATCH (e:Episode) WHERE e.is_learned RETURN count(e) AS learned") == [{"learned": 40}]


def test_an_input_that_changes_while_evolve_runs_gives_the_graph_that_never_saw_what_it_was(
    memory, other, tmp_path, monkeypatch
):
    monkeypatch.setattr(evolving, "INPUTS_A_TRANSACTION", 10)
    list(memory.ingest(log(tmp_path, kitchen())))
    changed = log(tmp_path, [episode(6, GOOD, solved=True)], "changed.jsonl")

    memory.evolve(progress=lambda done, total: list(other.ingest(changed, source="kitchen.jsonl", replace=True)))
    interleaved = told(memory)
    memory.evolve(rebuild=True)

    assert told(memory) == interleaved


def test_ingest_and_evolve_of_two_processes_do_not_keep_each_other_from_ending(place, memory, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen(100))))
    more = log(tmp_path, kitchen(300)[100:], "more.jsonl")

    processes(place, ["evolve", "--json"], ["ingest", "--json", str(more)])
    memory.evolve()

    assert_whole(memory, 300)
    interleaved = told(memory)
    memory.evolve(rebuild=True)
    assert told(memory) == interleaved


def test_ten_threads_that_record_steps_of_one_episode_give_ten_indexes_and_an_unbroken_chain(memory):
    with memory.episode("make dish 1", domain="kitchen", id="live") as recorder:
        keys = at_once(
            *(lambda at=at: recorder.step(tool=f"tool_{at}", arguments={"dish": f"dish-{at}"}) for at in range(10))
        )
        recorder.outcome(passed=True)

    assert sorted(keys) == sorted(f"test/live#{index}" for index in range(10))
    assert_whole(memory, 1)
    assert memory.query("MATCH (e:Episode) RETURN e.step_count AS steps") == [{"steps": 10}]


def test_a_repeated_idempotency_key_writes_once_however_many_threads_repeat_it(memory):
    with memory.episode("make dish 1", domain="kitchen", id="live") as recorder:
        keys = at_once(*(lambda: recorder.step(tool="stir", idempotency_key="one") for _ in range(6)))

    assert set(keys) == {"test/live#0"}
    assert memory.query("MATCH (s:Evidence) RETURN count(s) AS steps") == [{"steps": 1}]


def test_two_clients_that_record_one_episode_at_once_share_its_indexes(memory, other):
    with (
        memory.episode("make dish 1", domain="kitchen", id="live") as one,
        other.episode("make dish 1", domain="kitchen", id="live") as two,
    ):
        keys = at_once(*(lambda recorder=recorder: recorder.step(tool="stir") for recorder in [one, two] * 4))

    assert sorted(keys) == [f"test/live#{index}" for index in range(8)]
    assert_whole(memory, 1)


def at_once(*work):
    """Return what each function returned, all started at the same moment in threads."""
    ready = Barrier(len(work))

    def started(function):
        ready.wait()
        return function()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(started, work))


def evolved(memory):
    """Return how many episodes were taken in, none where another one has the lease."""
    try:
        return memory.evolve().episodes
    except LeaseHeld:
        return 0


def processes(place, *commands, may_fail=None):
    """Return what each command printed, all run at the same time in processes of their own."""
    user = {"NEO4J_USERNAME": place.username, "NEO4J_PASSWORD": place.password}
    environment = os.environ | {name: value for name, value in user.items() if value is not None}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "msce_graph.cli", "--store", place.location, "--namespace", "test", *command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for command in commands
    ]
    ended = [(process.communicate(), process.returncode) for process in started]
    for (_, complaint), code in ended:
        assert code == 0 or (may_fail is not None and may_fail in complaint), complaint
    return [printed for (printed, _), _ in ended]


def assert_whole(memory, episodes):
    """Check that each episode has its steps once, in one unbroken chain, and each scored one its own sequence."""
    rows = memory.query(
        "MATCH (e:Episode) OPTIONAL MATCH (e)-[h:HAS_STEP]->(s:Evidence) OPTIONAL MATCH (s)-[n:NEXT]->(t:Evidence) "
        "WITH e, s, count(DISTINCT h) AS owned, collect(t.index) AS following ORDER BY s.index "
        "RETURN e.key AS key, e.step_count AS steps, e.sequence AS sequence, collect(s.index) AS indexes, "
        "collect(owned) AS owned, collect(following) AS following"
    )
    assert len(rows) == episodes
    for row in rows:
        assert row["indexes"] == list(range(row["steps"])), row
        assert row["following"] == [*([index] for index in range(1, row["steps"])), []], row
        assert set(row["owned"]) == {1}, row
    sequences = [row["sequence"] for row in rows if row["sequence"] is not None]
    assert sorted(sequences) == list(range(1, len(sequences) + 1))
