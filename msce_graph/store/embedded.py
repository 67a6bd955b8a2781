"""The embedded engine seen from a client: its server process is started, attached to, asked and stopped by folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from msce_graph.errors import StoreError
from msce_graph.store import supervisor
from msce_graph.store.supervisor import DATABASE, READER, USER, Record

_STARTS = 3  # a port can be lost between being chosen and being bound, and a server met can be one that is stopping
_POLL = 0.02
_SQL_SECONDS = 600.0
_OURS = {supervisor.SERVER_LOCK, supervisor.CLIENTS_LOCK, "databases"}


@dataclass(frozen=True)
class Served:
    """A store as one client sees it, until `close`; the server stays while any client is there."""

    uri: str
    username: str
    password: str = field(repr=False)
    reader_username: str
    reader_password: str = field(repr=False)
    http_url: str
    pid: int
    _record: Record = field(repr=False)
    _presence: BinaryIO = field(repr=False)

    def close(self) -> None:
        """Detach from the server; the end of the process does the same."""
        self._presence.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class Status:
    """What can be said of a store from outside; all but `is_running` is null or false where no server answers."""

    is_running: bool
    pid: int | None = None
    version: str | None = None
    bolt_port: int | None = None
    http_port: int | None = None
    has_clients: bool = False


def open(folder: Path, *, idle_seconds: float = 60.0, wait_seconds: float = 60.0) -> Served:
    """Attach to the server of the store in the folder, creating the store and starting the server where there is none.

    The first client's `idle_seconds` is how long that server stays after its last client. Before the passwords are
    used, the process that wrote them is checked to be alive, by its lock, and to own the ports, by the system's tables.
    The heap of a server that is started is MSCE_ENGINE_MEMORY, 512m by default.
    Raise StoreError, with the last lines of the log, where the server does not start or not answer in `wait_seconds`.
    """
    if sys.platform == "win32":
        raise StoreError("the embedded engine needs Linux or macOS: name a Neo4j server by its URI instead")
    store = folder.resolve()
    with _translated(folder), ExitStack() as undone:
        presence = undone.enter_context(_presence(store))
        record = _started(store, idle_seconds, time.monotonic() + wait_seconds)
        undone.pop_all()
    return Served(
        uri=f"bolt://127.0.0.1:{record.bolt_port}",
        username=USER,
        password=record.password,
        reader_username=READER,
        reader_password=record.reader_password,
        http_url=f"http://127.0.0.1:{record.http_port}",
        pid=record.pid,
        _record=record,
        _presence=presence,
    )


def stop(folder: Path, *, wait_seconds: float = 60.0) -> bool:
    """Stop the server of the store, whoever uses it, and wait until it has gone; return whether one was there.

    Raise StoreError where it is still there after `wait_seconds`.
    """
    store = folder.resolve()
    deadline = time.monotonic() + wait_seconds
    with _translated(folder):
        if not _is_store(store) or (record := _awaited(store, deadline)) is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(record.pid, signal.SIGTERM)
        while supervisor.is_served(store):
            if time.monotonic() > deadline:
                raise StoreError(f"process {record.pid} was told to stop and still has {store}: ask again later")
            time.sleep(_POLL)
    return True


def status(folder: Path) -> Status:
    """Return whether a server has the store, and what it says of itself once it serves."""
    store = folder.resolve()
    with _translated(folder):
        if not _is_store(store) or not supervisor.is_served(store):
            return Status(is_running=False)
        record = _true_record(store)
        if record is None:
            return Status(is_running=True)
        has_clients = supervisor.has_clients(store)
    return Status(True, record.pid, record.version, record.bolt_port, record.http_port, has_clients)


def sql(served: Served, command: str) -> list[dict[str, Any]]:
    """Run a command in the engine's own SQL, for what its Cypher lacks; raise StoreError where it is refused."""
    try:
        answer = served._record.post(
            f"command/{DATABASE}", {"language": "sql", "command": command}, timeout=_SQL_SECONDS
        )
    except urllib.error.HTTPError as error:
        raise StoreError(f"the engine refuses {command!r}: {error.read().decode(errors='replace')}") from error
    except (OSError, HTTPException) as error:
        raise StoreError(f"the embedded engine does not answer at {served.http_url}: {error}") from error
    rows: list[dict[str, Any]] = answer["result"]
    return rows


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{folder} cannot hold a store: {error}: name a folder that you can write to") from error


def _presence(store: Path) -> BinaryIO:
    """Make the folder a store that only its owner can read, and return the lock that says that a client is there."""
    store.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = {path.name for path in store.iterdir()}
    if found and found.isdisjoint(_OURS):
        raise StoreError(f"{store} holds other files and no store: name an empty or a new folder")
    store.chmod(0o700)
    presence = supervisor.hold(store / supervisor.CLIENTS_LOCK, shared=True, wait=True)
    assert presence is not None  # waiting ends with the lock
    return presence


def _is_store(store: Path) -> bool:
    return (store / supervisor.SERVER_LOCK).exists()


def _started(store: Path, idle_seconds: float, deadline: float) -> Record:
    """Return the record of the server that serves the store, once it does, having started it where there was none."""
    printed = ""
    for _ in range(_STARTS):
        if record := _awaited(store, deadline):
            return record
        try:
            supervisor.memory()
        except ValueError as error:
            raise StoreError(str(error)) from error
        printed = _start(store, idle_seconds)
    if record := _awaited(store, deadline):
        return record
    raise StoreError(_failure(store, _log(store) + printed))


def _awaited(store: Path, deadline: float) -> Record | None:
    """Return the record of the server once it serves, or None once no server has the store."""
    while supervisor.is_served(store):
        if record := _true_record(store):
            return record
        _pause(store, deadline)
    return None


def _pause(store: Path, deadline: float) -> None:
    """Wait a moment; raise StoreError past the deadline."""
    time.sleep(_POLL)
    if time.monotonic() > deadline:
        record = supervisor.record(store)
        if record is None or record.is_true():
            raise StoreError(_failure(store, _log(store)))
        raise StoreError(
            f"{store}: process {record.pid} does not own the ports {record.bolt_port} and {record.http_port} that "
            f"{supervisor.RECORD} names, so the password was not sent: end that process, and open the store again"
        )


def _true_record(store: Path) -> Record | None:
    record = supervisor.record(store)
    return record if record is not None and record.is_true() else None


def _start(store: Path, idle_seconds: float) -> str:
    """Start a server process, and return what it printed until it had the store, met another one there, or failed."""
    command = [sys.executable, "-P", supervisor.__file__, str(store), str(idle_seconds)]
    ended = subprocess.run(  # noqa: S603 the interpreter and a file of ours
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return ended.stdout.decode(errors="replace")


def _failure(store: Path, printed: str) -> str:
    free = shutil.disk_usage(store).free // 2**20
    last = "\n".join(printed.splitlines()[-8:]) or "(nothing)"
    return f"the server of {store} does not answer ({free} MiB are free on its disk); it printed last:\n{last}"


def _log(store: Path) -> str:
    log = store / supervisor.LOG
    return log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
