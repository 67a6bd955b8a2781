"""The embedded engine as a server process: who starts it, who may use it, and when it ends."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from neo4j import Driver, GraphDatabase
from neo4j.exceptions import Neo4jError

from msce_graph.errors import StoreError
from msce_graph.store import embedded, supervisor
from msce_graph.store.embedded import Served

WRITER = """
import sys
from pathlib import Path
from neo4j import GraphDatabase
from msce_graph.store import embedded

folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with embedded.open(folder, idle_seconds=2) as served:
    with GraphDatabase.driver(served.uri, auth=(served.username, served.password)) as driver:
        for number in range(count):
            driver.execute_query("CREATE (:Note {name: $name, number: $number})", name=name, number=number)
            print(number, flush=True)
    if count == 1:
        sys.stdin.read()
"""


def login(served: Served) -> Driver:
    return GraphDatabase.driver(served.uri, auth=(served.username, served.password))


def note(served: Served, name: str) -> None:
    with login(served) as driver:
        driver.execute_query("CREATE (:Note {name: $name})", name=name)


def notes(served: Served) -> list[str]:
    with login(served) as driver:
        answer = driver.execute_query("MATCH (n:Note) RETURN n.name AS name ORDER BY name")
        return [record["name"] for record in answer.records]


def put_record(folder: Path, record: supervisor.Record) -> None:
    (folder / supervisor.RECORD).write_text(json.dumps(dataclasses.asdict(record)))


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), name, str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def within(seconds: float, claim: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not claim() and time.monotonic() < deadline:
        time.sleep(0.05)
    return claim()


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    store = tmp_path / "store"
    yield store
    embedded.stop(store)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    store = tmp_path_factory.mktemp("served") / "store"
    yield store
    embedded.stop(store)


@pytest.fixture(scope="module")
def served(home: Path) -> Iterator[Served]:
    with embedded.open(home, idle_seconds=1) as opened:
        note(opened, "kept")
        yield opened


@pytest.fixture(scope="module")
def reader(served: Served) -> Iterator[Driver]:
    with GraphDatabase.driver(served.uri, auth=(served.reader_username, served.reader_password)) as driver:
        yield driver


def test_a_served_store_is_attached_to_in_a_fifth_of_a_second(served: Served, home: Path) -> None:
    took = []
    for _ in range(5):  # the least is what it costs; the others tell how busy the machine is
        start = time.monotonic()
        with embedded.open(home) as attached:
            took.append(time.monotonic() - start)
            assert attached.pid == served.pid

    assert min(took) < 0.2


def test_three_processes_at_once_open_one_store_and_all_write(folder: Path) -> None:
    processes = [writer(folder, name, 20) for name in "abc"]
    for process in processes:
        process.communicate(timeout=120)

    assert [process.returncode for process in processes] == [0, 0, 0]
    with embedded.open(folder) as opened:
        assert notes(opened) == sorted("abc" * 20)


def test_a_killed_client_leaves_nothing_locked_and_an_idle_server_ends(folder: Path) -> None:
    with writer(folder, "last words", 1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        server = embedded.status(folder)
        process.kill()

    assert server.has_clients
    assert server.pid is not None
    with embedded.open(folder) as opened:
        assert opened.pid == server.pid
        assert notes(opened) == ["last words"]
    assert within(30, lambda: is_gone(opened.pid))
    assert not embedded.status(folder).is_running


def test_a_server_stays_while_a_client_is_there(served: Served) -> None:
    time.sleep(2)

    assert notes(served) == ["kept"]


def test_a_killed_server_is_replaced_and_what_it_acknowledged_is_there(folder: Path) -> None:
    with embedded.open(folder) as first:
        note(first, "acknowledged")
        os.kill(first.pid, signal.SIGKILL)
        assert within(30, lambda: is_gone(first.pid))
        with embedded.open(folder) as second:
            assert second.pid != first.pid
            assert notes(second) == ["acknowledged"]


def test_a_server_killed_while_it_starts_is_replaced(folder: Path) -> None:
    with writer(folder, "late", 1) as process:
        assert within(30, lambda: (folder / supervisor.LOG).exists())
        found = subprocess.run(["pgrep", "-f", f"{folder} 2 --detached"], capture_output=True, text=True, check=True)
        starting = [int(pid) for pid in found.stdout.split()]
        for pid in starting:
            os.kill(pid, signal.SIGKILL)

        assert len(starting) == 1
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        process.communicate("")


def test_a_store_that_was_deleted_under_its_server_is_made_anew_at_its_path(folder: Path) -> None:
    with embedded.open(folder) as first:
        note(first, "lost")
        shutil.rmtree(folder)
        with embedded.open(folder) as second:
            assert notes(second) == []
            assert within(30, lambda: is_gone(first.pid))
            note(second, "kept")
            assert notes(second) == ["kept"]


def test_stop_ends_the_server_and_says_whether_there_was_one(folder: Path) -> None:
    assert not embedded.stop(folder)
    with embedded.open(folder) as opened:
        assert embedded.status(folder).pid == opened.pid
        assert embedded.stop(folder)

        assert within(30, lambda: is_gone(opened.pid))
        assert not embedded.status(folder).is_running
        assert not embedded.stop(folder)


def test_a_server_outlives_an_interrupt_of_its_clients_terminal(served: Served) -> None:
    assert os.getsid(served.pid) != os.getsid(0)
    assert os.getpgid(served.pid) != os.getpgid(0)


def test_a_port_that_another_process_owns_gets_no_password(served: Served, home: Path) -> None:
    honest = supervisor.record(home)
    assert honest is not None
    with socket.create_server(("127.0.0.1", 0)) as impostor:
        impostor.settimeout(0.1)
        put_record(home, dataclasses.replace(honest, bolt_port=impostor.getsockname()[1]))
        try:
            with pytest.raises(StoreError, match=f"process {served.pid} does not own"):
                embedded.open(home, wait_seconds=0.5)
            with pytest.raises(TimeoutError):
                impostor.accept()
        finally:
            put_record(home, honest)


def test_the_record_of_a_dead_server_is_not_believed(folder: Path) -> None:
    with embedded.open(folder) as first:
        left = supervisor.record(folder)
    embedded.stop(folder)
    assert left is not None
    put_record(folder, dataclasses.replace(left, pid=os.getpid()))

    assert not embedded.status(folder).is_running
    with embedded.open(folder) as second:
        assert second.pid not in (first.pid, os.getpid())
        assert second.password != first.password


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_the_owner_of_a_port_is_told_from_any_other_process(
    served: Served, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (shutil.which("lsof") if platform == "darwin" else Path("/proc/net").exists()):
        pytest.skip("only on machines with /proc, or with lsof")
    monkeypatch.setattr(sys, "platform", platform)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours, theirs = listener.getsockname()[1], int(served.uri.rpartition(":")[2])

        assert supervisor.owns(os.getpid(), ours)
        assert supervisor.owns(served.pid, theirs)
        assert not supervisor.owns(os.getpid(), theirs)
        assert not supervisor.owns(served.pid, ours)
        assert not supervisor.owns(2**22 + 1, ours)
    assert not supervisor.owns(os.getpid(), ours)


def test_nobody_else_can_read_a_store(served: Served, home: Path) -> None:
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [home, *home.rglob("*")]}

    assert modes[home] == 0o700
    assert {path: mode for path, mode in modes.items() if mode & 0o077} == {}


def test_the_passwords_are_on_no_command_line_and_in_no_environment_or_log(served: Served, home: Path) -> None:
    seen = [path.read_bytes() for path in (home / "log").iterdir()]
    if sys.platform == "linux":
        seen += [Path(f"/proc/{served.pid}/{name}").read_bytes() for name in ("cmdline", "environ")]
    seen.append(repr(served).encode())

    for password in (served.password, served.reader_password):
        assert not any(password.encode() in text for text in seen)


def test_the_reader_can_match(reader: Driver) -> None:
    answer = reader.execute_query("MATCH (n:Note) RETURN n.name AS name")

    assert [record["name"] for record in answer.records] == ["kept"]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE (:Note {name: 'new'})",
        "MATCH (n:Note) SET n.name = 'other'",
        "MATCH (n:Note) DETACH DELETE n",
        "MERGE (:Note {name: 'merged'})",
        "CREATE (:Unheard)",
        "MATCH (n:Note) /* read */ CALL { CREATE (:Note {name: 'hidden'}) } RETURN n.name",
        "RETURN 1 AS x UNION CREATE (n:Note {name: 'united'}) RETURN 1 AS x",
        "CREATE INDEX note_name IF NOT EXISTS FOR (n:Note) ON (n.name)",
    ],
)
def test_the_reader_can_change_nothing(served: Served, reader: Driver, statement: str) -> None:
    with pytest.raises(Neo4jError):
        reader.execute_query(statement)

    assert notes(served) == ["kept"]


@pytest.mark.parametrize("user", ["reader", "owner"])
def test_nobody_can_load_a_file_of_the_machine(served: Served, reader: Driver, user: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("word\n")
    with login(served) as owner:
        driver = {"reader": reader, "owner": owner}[user]

        with pytest.raises(Neo4jError, match=r"LOAD CSV .* disabled|not allowed"):
            driver.execute_query(f"LOAD CSV FROM 'file://{secret}' AS row RETURN row")


def test_sql_answers_with_rows_and_makes_indexes(served: Served) -> None:
    embedded.sql(served, "CREATE VERTEX TYPE Reading IF NOT EXISTS")
    embedded.sql(served, "CREATE PROPERTY Reading.embedding IF NOT EXISTS ARRAY_OF_FLOATS")
    embedded.sql(
        served,
        "CREATE INDEX reading_embedding IF NOT EXISTS ON Reading (embedding) "
        'LSM_VECTOR METADATA {"dimensions": 3, "similarity": "COSINE"}',
    )

    with login(served) as driver:
        driver.execute_query("CREATE (:Reading {name: 'north', embedding: [1.0, 0.0, 0.0]})")
        answer = driver.execute_query(
            "CALL db.index.vector.queryNodes('reading_embedding', 1, $near) YIELD node RETURN node.name AS name",
            near=[1.0, 0.1, 0.0],
        )
    assert [record["name"] for record in answer.records] == ["north"]
    assert embedded.sql(served, "SELECT name FROM Note") == [{"name": "kept"}]


def test_sql_that_is_wrong_is_a_store_error(served: Served) -> None:
    with pytest.raises(StoreError, match="SELEKT"):
        embedded.sql(served, "SELEKT 1")


def test_a_message_of_over_16_mib_is_taken(served: Served) -> None:
    with login(served) as driver:
        answer = driver.execute_query("RETURN size($texts) AS count", texts=["x" * 1_000_000] * 24)

    assert answer.records[0]["count"] == 24


def test_two_stores_are_served_at_once_and_apart(served: Served, folder: Path) -> None:
    with embedded.open(folder) as other:
        note(other, "elsewhere")

        assert notes(other) == ["elsewhere"]
        assert notes(served) == ["kept"]


def test_an_engine_that_does_not_start_says_why(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSCE_ENGINE_MEMORY", "1k")

    with pytest.raises(StoreError, match=r"does not answer[^$]*heap"):
        embedded.open(folder)
    monkeypatch.setenv("MSCE_ENGINE_MEMORY", "much")
    with pytest.raises(StoreError, match=r"^MSCE_ENGINE_MEMORY='much': give a number"):
        embedded.open(folder)
    assert not embedded.status(folder).is_running


def test_a_folder_that_is_a_file_or_holds_other_files_is_refused_untouched(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    before = stat.S_IMODE(tmp_path.stat().st_mode)

    with pytest.raises(StoreError, match="holds other files"):
        embedded.open(tmp_path)
    with pytest.raises(StoreError, match="cannot hold a store"):
        embedded.open(tmp_path / "notes.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert stat.S_IMODE(tmp_path.stat().st_mode) == before
