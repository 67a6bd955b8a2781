"""kill -9 of a client or of its server amid `msce ingest` or `msce evolve`, and what is there afterwards."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from msce_graph.store import embedded, open_store
from msce_graph.store.fingerprint import fingerprint
from tests.store_fixture import NOW

Command = Literal["ingest", "evolve"]
Victim = Literal["client", "server"]

COMMANDS: tuple[Command, ...] = ("ingest", "evolve")
VICTIMS: tuple[Victim, ...] = ("client", "server")
NAMESPACE = "crash"
PATIENCE = 120.0
"""Seconds that a client whose server came back has to end."""


class Ground(Protocol):
    """A store that can be emptied, and whose server can be killed."""

    location: str
    environment: dict[str, str]
    comes_back: bool
    """Whether a client finds the server again at the same address after it was killed."""

    def empty(self) -> None:
        """Leave nothing in the store."""

    def kill_server(self) -> None:
        """End the server with SIGKILL; the next client finds one."""


class EmbeddedGround:
    """A folder of the embedded engine."""

    environment: dict[str, str] = {}
    comes_back = False

    def __init__(self, folder: Path) -> None:
        self.location = str(folder)

    def empty(self) -> None:
        """Delete the folder, and start a server of a new store."""
        embedded.stop(Path(self.location))
        shutil.rmtree(self.location, ignore_errors=True)
        _run(self, "stats")

    def kill_server(self) -> None:
        """Kill the server process; the next client starts another."""
        served = embedded.status(Path(self.location))
        assert served.pid is not None, f"no server has {self.location}"
        os.kill(served.pid, signal.SIGKILL)


class ServerGround:
    """A Neo4j server; `restart` is a shell command that ends it with SIGKILL and starts it again at its address."""

    comes_back = True

    def __init__(self, uri: str, username: str, password: str, restart: str | None) -> None:
        self.location = uri
        self.environment = {"NEO4J_USERNAME": username, "NEO4J_PASSWORD": password}
        self._user = (username, password)
        self._restart = restart

    def empty(self) -> None:
        """Delete all nodes of the namespace, and leave the schema."""
        username, password = self._user
        with open_store(
            self.location, namespace=NAMESPACE, username=username, password=password, now=lambda: NOW
        ) as store:
            delete = "MATCH (n {namespace: $namespace}) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS deleted"
            while store.query(delete, write=True)[0]["deleted"]:
                pass
        _run(self, "stats")

    def kill_server(self) -> None:
        """Run the command that kills and starts the server."""
        assert self._restart is not None, "nobody said how to start the server again"
        subprocess.run(self._restart, shell=True, check=True, stdout=subprocess.DEVNULL)


@dataclass(frozen=True)
class Undisturbed:
    """A run that nobody killed: its graph, and how many seconds each command took."""

    fingerprint: str
    seconds: dict[Command, float]


@dataclass(frozen=True)
class Outcome:
    """What one kill did."""

    command: Command
    victim: Victim
    moment: float
    """Seconds from the start of the client to the kill."""
    was_running: bool
    """Whether the client had not ended before."""
    acknowledged: int
    """Episodes printed by the client that was disturbed."""
    lost: tuple[str, ...]
    """Keys of acknowledged episodes that are not there, whole, afterwards."""
    seconds_again: float
    """How long the same command took when it was run again."""
    is_equal: bool
    """Whether the graph is then that of the undisturbed run."""


def undisturbed(ground: Ground, log: Path) -> Undisturbed:
    """Return what both commands do to an empty store, each timed in its own process."""
    ground.empty()
    seconds: dict[Command, float] = {}
    for command in COMMANDS:
        started = time.monotonic()
        _run(ground, *_arguments(command, log))
        seconds[command] = time.monotonic() - started
    return Undisturbed(_fingerprint(ground), seconds)


def disturbed(
    ground: Ground, log: Path, expected: Undisturbed, command: Command, victim: Victim, share: float
) -> Outcome:
    """Return what is there after a kill when `share` of the command's time had passed, and the same command again."""
    ground.empty()
    if command == "evolve":
        _run(ground, *_arguments("ingest", log))
    moment = share * expected.seconds[command]
    with _client(ground, command, log) as client:
        time.sleep(moment)
        was_running = client.poll() is None
        if victim == "client":
            client.kill()
        else:
            ground.kill_server()
        printed = _printed(client, may_go_on=victim == "server" and ground.comes_back)
    acknowledged = _acknowledged(printed) if command == "ingest" else {}
    lost = _missing(ground, acknowledged)
    started = time.monotonic()
    _run(ground, *_arguments(command, log))
    seconds_again = time.monotonic() - started
    if command == "ingest":
        _run(ground, *_arguments("evolve", log))
    return Outcome(
        command=command,
        victim=victim,
        moment=moment,
        was_running=was_running,
        acknowledged=len(acknowledged),
        lost=lost,
        seconds_again=seconds_again,
        is_equal=_fingerprint(ground) == expected.fingerprint,
    )


def _arguments(command: Command, log: Path) -> list[str]:
    return ["ingest", "--json", str(log)] if command == "ingest" else ["evolve", "--json"]


def _msce(ground: Ground, *arguments: str) -> list[str]:
    place = ["--store", ground.location, "--namespace", NAMESPACE]
    return [sys.executable, "-m", "msce_graph.cli", *place, *arguments]


def _run(ground: Ground, *arguments: str) -> str:
    """Return what a command printed; raise where it failed."""
    ended = subprocess.run(
        _msce(ground, *arguments), env=os.environ | ground.environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, f"{arguments} ended with {ended.returncode}: {ended.stderr[-2000:]}"
    return ended.stdout


@contextmanager
def _client(ground: Ground, command: Command, log: Path) -> Iterator[subprocess.Popen[str]]:
    client = subprocess.Popen(
        _msce(ground, *_arguments(command, log)),
        env=os.environ | ground.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with client:
        yield client


def _printed(client: subprocess.Popen[str], *, may_go_on: bool) -> str:
    """Return all that a client printed; one that can never reach its server again is killed too."""
    if not may_go_on:
        client.kill()
    return client.communicate(timeout=PATIENCE)[0]


def _acknowledged(printed: str) -> dict[str, int]:
    """Return the number of steps of each episode that was printed, by key; a line that was cut off is none."""
    whole = printed[: printed.rfind("\n") + 1]
    return {line["key"]: line["steps"] for line in map(json.loads, whole.splitlines())}


def _missing(ground: Ground, acknowledged: dict[str, int]) -> tuple[str, ...]:
    steps = "MATCH (e:Episode {namespace: $namespace})-[:HAS_STEP]->(s:Evidence) RETURN e.key AS key, count(s) AS steps"
    stored = {row["key"]: row["steps"] for row in json.loads(_run(ground, "query", "--json", steps))}
    return tuple(sorted(key for key, count in acknowledged.items() if stored.get(key) != count))


def _fingerprint(ground: Ground) -> str:
    username, password = ground.environment.get("NEO4J_USERNAME"), ground.environment.get("NEO4J_PASSWORD")
    with open_store(
        ground.location, namespace=NAMESPACE, username=username, password=password, now=lambda: NOW
    ) as store:
        return fingerprint(store)
