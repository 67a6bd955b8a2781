"""How the command behaves as a process: what goes to which stream and when, terminals, closed pipes, and signals."""

from __future__ import annotations

import json
import os
import pty
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from msce_graph.store import embedded
from tests.cli.running import answer, bakery, msce, process, written

EPISODES = 1200


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log that takes some seconds to ingest."""
    return written(tmp_path_factory.mktemp("log") / "bakery.jsonl", bakery(tasks=EPISODES // 2))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("streams") / "store"
    few = written(folder.parent / "few.jsonl", bakery(tasks=4))
    assert msce("--store", folder, "ingest", few).exit_code == 0
    yield folder
    embedded.stop(folder)


def on_terminal(*arguments: str | Path, stream: str) -> tuple[str, str]:
    """Return what the command writes to a terminal that stands for one stream, and to a file that is the other."""
    ours, theirs = pty.openpty()
    other = "stderr" if stream == "stdout" else "stdout"
    with TemporaryFile("w+", encoding="utf-8") as file:
        with process(*arguments, **{stream: theirs, other: file}):
            os.close(theirs)
            seen = b"".join(blocks(ours))
        file.seek(0)
        return seen.decode().replace("\r\n", "\n"), file.read()


def blocks(terminal: int) -> Iterator[bytes]:
    """Yield what is written to a terminal until nobody has it open, and close it."""
    try:
        while block := os.read(terminal, 65536):
            yield block
    except OSError:  # Linux's way to say that nobody has it open
        pass
    finally:
        os.close(terminal)


def test_each_episode_is_printed_once_it_is_committed_and_outlives_a_kill(store, log):
    with process("--store", store, "--namespace", "killed", "ingest", log, "--json") as running:
        printed = [running.stdout.readline()]
        running.kill()
        printed += running.stdout.readlines()

    acknowledged = [json.loads(line)["key"] for line in printed if line.endswith("\n")]
    rows = answer("--store", store, "--namespace", "killed", "query", "MATCH (e:Episode) RETURN e.key AS key")
    assert 0 < len(acknowledged) < EPISODES
    assert set(acknowledged) <= {row["key"] for row in rows}


def test_an_interrupted_ingest_ends_with_130_and_goes_on_where_it_was(store, log):
    place = ("--store", store, "--namespace", "interrupted")
    with process(*place, "ingest", log, "--json") as running:
        first = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        printed, told = [first, *running.stdout.readlines()], running.stderr.read()

    again = [json.loads(line)["result"] for line in msce(*place, "ingest", log, "--json").stdout.splitlines()]
    assert running.returncode == 130
    assert told.splitlines() == ["Interrupted: what was committed is kept; the same command goes on from there."]
    assert len(printed) < EPISODES
    assert set(again[: len(printed)]) == {"unchanged"}
    assert again[-1] == "stored"
    assert len(again) == EPISODES


def test_a_closed_pipe_is_quiet(store):
    with process(
        "--store", store, "query", "UNWIND range(1, 20000) AS n RETURN n, 'a loaf of bread' AS item"
    ) as running:
        assert running.stdout.readline().split() == ["n", "item"]
        running.stdout.close()
        told = running.stderr.read()

    assert told == ""


def test_a_terminal_gets_lines_of_its_width_and_no_markup_of_logs(store):
    seen, _ = on_terminal(
        "--store", store, "query", "MATCH (t:Task) RETURN t.key AS key, t.text AS text", stream="stdout"
    )

    assert "\x1b[1m" in seen  # our own header is bold
    assert all(len(line.replace("\x1b[1m", "").replace("\x1b[0m", "")) <= 80 for line in seen.splitlines())
    assert "[link=https://x.test]" in seen
    assert "[bold]" in seen
    assert not any(sign in seen for sign in ("\x1b]8", "\x1b[31m", "\x9b", "\u202e"))


def test_progress_is_seen_on_a_terminal_only(store, log):
    seen, lines = on_terminal("--store", store, "--namespace", "seen", "ingest", log, "--json", stream="stderr")
    with process("--store", store, "--namespace", "seen", "evolve") as running:
        answered, told = running.communicate()

    assert "ingest" in seen
    assert [json.loads(line)["result"] for line in lines.splitlines()] == ["stored"] * EPISODES
    assert told == ""
    assert answered.startswith(f"Learned from {EPISODES} episodes")


def test_the_installed_command_is_this_one():
    assert msce("--version").stdout.startswith("msce, version ")
    with process("--version") as running:
        assert running.communicate()[0].startswith("msce, version ")
