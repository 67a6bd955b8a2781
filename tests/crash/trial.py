"""kill -9 of a client or of its server amid `msce ingest` or `msce evolve`, and what is there afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msce_graph.memory import MemoryGraph, utc_now
from msce_graph.pipeline.opening import Location, opened
from msce_graph.store import embedded

Command = Literal["ingest", "evolve"]
Victim = Literal["client", "server"]

COMMANDS: tuple[Command, ...] = ("ingest", "evolve")
VICTIMS: tuple[Victim, ...] = ("client", "server")
NAMESPACE = "crash"
PATIENCE = 120.0
"""Seconds that a client whose server came back has to end."""


class Ground:
    """An embedded store in a folder, whose server can be killed; the next client starts another, at another address."""

    comes_back = False
    """Whether a client finds the server again, at the same address, after it was killed."""

    def __init__(self, location: str, username: str | None = None, password: str | None = None) -> None:
        self.place = Location(location, "argument", username, password)

    def memory(self) -> MemoryGraph:
        """Return the open memory."""
        return MemoryGraph(*opened(self.place, NAMESPACE, {}, None, shared=True, now=utc_now))

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of a client."""
        place = ["--store", self.place.store, "--namespace", NAMESPACE]
        return [sys.executable, "-m", "msce_graph.cli", *place, *arguments]

    @property
    def can_kill_server(self) -> bool:
        """Whether it is known how to end the server with SIGKILL."""
        return True

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a client."""
        given = {"NEO4J_USERNAME": self.place.username, "NEO4J_PASSWORD": self.place.password}
        return os.environ | {name: value for name, value in given.items() if value is not None}

    def kill_server(self) -> None:
        """End the server with SIGKILL, and wait until it is gone: for an instant it still has its lock and ports."""
        store = Path(self.place.store)
        served = embedded.status(store)
        assert served.pid is not None, f"no server has {store}"
        os.kill(served.pid, signal.SIGKILL)
        while embedded.status(store).is_running:
            time.sleep(0.01)


class ServerGround(Ground):
    """A Neo4j server; `restart` is a shell command that ends it with SIGKILL and starts it again at its address."""

    comes_back = True

    def __init__(self, location: str, username: str | None, password: str | None, restart: str | None) -> None:
        super().__init__(location, username, password)
        self._restart = restart

    @property
    def can_kill_server(self) -> bool:
        """Whether somebody gave the command."""
        return self._restart is not None

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
    _empty(ground)
    seconds = {command: _run(ground, command, log) for command in COMMANDS}
    with ground.memory() as memory:
        return Undisturbed(memory.stats().fingerprint, seconds)


def disturbed(
    ground: Ground, log: Path, expected: Undisturbed, command: Command, victim: Victim, share: float
) -> Outcome:
    """Return what is there after a kill when `share` of the command's time had passed, and the same command again.

    Where the command had ended by then, since the machine was less busy than before, a kill at half the time counts.
    """
    while not (outcome := _disturbed(ground, log, expected, command, victim, share)).was_running:
        share /= 2
    return outcome


def _disturbed(
    ground: Ground, log: Path, expected: Undisturbed, command: Command, victim: Victim, share: float
) -> Outcome:
    _empty(ground)
    if command == "evolve":
        _run(ground, "ingest", log)
    moment = share * expected.seconds[command]
    with subprocess.Popen(
        ground.command(*_arguments(command, log)),
        env=ground.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as client:
        time.sleep(moment)
        was_running = client.poll() is None
        if victim == "server":
            ground.kill_server()
        if victim == "client" or not ground.comes_back:  # one that can never reach its server again is of no more use
            client.kill()
        printed, _ = client.communicate(timeout=PATIENCE)
    acknowledged = _acknowledged(printed) if command == "ingest" else {}
    with ground.memory() as memory:
        lost = _lost(memory, acknowledged)
    seconds_again = _run(ground, command, log)
    with ground.memory() as memory:
        if command == "ingest":
            memory.evolve()
        is_equal = memory.stats().fingerprint == expected.fingerprint
    return Outcome(command, victim, moment, was_running, len(acknowledged), lost, seconds_again, is_equal)


def _empty(ground: Ground) -> None:
    """Leave nothing in the store but its schema."""
    with ground.memory() as memory:
        delete = "MATCH (n {namespace: $namespace}) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS deleted"
        while memory.query(delete, write=True)[0]["deleted"]:
            pass
    ground.memory().close()


def _run(ground: Ground, command: Command, log: Path) -> float:
    """Run a command to its end and return how many seconds it took; raise where it failed."""
    started = time.monotonic()
    subprocess.run(
        ground.command(*_arguments(command, log)), env=ground.environment, check=True, stdout=subprocess.DEVNULL
    )
    return time.monotonic() - started


def _arguments(command: Command, log: Path) -> list[str]:
    return ["ingest", "--json", str(log)] if command == "ingest" else ["evolve", "--json"]


def _acknowledged(printed: str) -> dict[str, int]:
    """Return the number of steps of each episode that was printed, by key; a line that was cut off is none."""
    whole = printed[: printed.rfind("\n") + 1]
    return {line["key"]: line["steps"] for line in map(json.loads, whole.splitlines())}


def _lost(memory: MemoryGraph, acknowledged: dict[str, int]) -> tuple[str, ...]:
    """Return the keys of the acknowledged episodes that are not there with all their steps."""
    steps = "MATCH (e:Episode {namespace: $namespace})-[:HAS_STEP]->(s:Evidence) RETURN e.key AS key, count(s) AS steps"
    stored = {row["key"]: row["steps"] for row in memory.query(steps)}
    return tuple(sorted(key for key, count in acknowledged.items() if stored.get(key) != count))
