"""The server process of one embedded store: it runs the engine within itself, and ends when no client is alive.

Two locks of the operating system say who is alive, and a killed process gives up its own: the server alone holds
`server.lock`, the clients share `clients.lock`. What the server wrote to `server.json` counts only while it holds its
lock. The file is run by its path, apart from the package, so that a start imports nothing but the engine.
"""

from __future__ import annotations

import base64
import importlib.metadata
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

if sys.platform != "win32":  # where embedded.open refuses
    import fcntl

SERVER_LOCK, CLIENTS_LOCK, RECORD, LOG = "server.lock", "clients.lock", "server.json", "log/start.log"
DATABASE, USER, READER = "neo4j", "root", "reader"

_DETACHED = "--detached"
_PATIENCE = 1.0  # seconds to try for the server's lock, which clients hold for an instant to see whether it is free

_JVM_ARGUMENTS = (
    "-Xrs",  # leave SIGTERM to Python, which first withdraws the record
    "-Djava.util.logging.config.file=config/logging.properties",
    f"-Darcadedb.bolt.maxMessageSize={128 * 1024 * 1024}",
    "-Darcadedb.txWalFlush=2",
    "-Darcadedb.opencypher.loadCsv.allowFileUrls=false",
    "-Darcadedb.opencypher.loadCsv.allowRemoteUrls=false",
)
_LOGGING = """\
handlers = java.util.logging.FileHandler
.level = WARNING
com.arcadedb.level = INFO
java.util.logging.FileHandler.pattern = log/server.%g.log
java.util.logging.FileHandler.encoding = UTF-8
java.util.logging.FileHandler.limit = 1000000
java.util.logging.FileHandler.count = 2
java.util.logging.FileHandler.formatter = com.arcadedb.log.LogFormatter
"""
_GROUPS = {
    "version": 2,
    "databases": {
        "*": {
            "groups": {
                "admin": {
                    "resultSetLimit": -1,
                    "readTimeout": -1,
                    "access": ["updateSecurity", "updateSchema", "updateDatabaseSettings"],
                    "types": {"*": {"access": ["createRecord", "readRecord", "updateRecord", "deleteRecord"]}},
                },
                READER: {
                    "resultSetLimit": -1,
                    "readTimeout": -1,
                    "access": [],
                    "types": {"*": {"access": ["readRecord"]}},
                },
            }
        }
    },
}


# Who is alive -------------------------------------------------------------------------------------------------------


def hold(path: Path, *, shared: bool, wait: bool = False) -> BinaryIO | None:
    """Return the file, created if need be, with its lock held until it is closed; None where another one holds it."""
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        file.close()
        return None
    return file


def is_served(folder: Path) -> bool:
    """Whether a server process has the store, be it starting, serving or stopping."""
    return _is_held(folder / SERVER_LOCK, shared=True)


def has_clients(folder: Path) -> bool:
    """Whether a client of the store is alive."""
    return _is_held(folder / CLIENTS_LOCK, shared=False)


def _is_held(path: Path, *, shared: bool) -> bool:
    file = hold(path, shared=shared)
    if file is not None:
        file.close()
    return file is None


def owns(pid: int, port: int) -> bool:
    """Whether the process listens on the port of 127.0.0.1: by /proc on Linux, elsewhere by lsof, which macOS has."""
    if sys.platform != "linux":
        command = ["lsof", "-nP", "-a", f"-p{pid}", f"-iTCP:{port}", "-sTCP:LISTEN", "-t"]
        found = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 two numbers vary
        return found.stdout.split() == [str(pid)]
    sockets = set(_listening(port))
    try:
        return any(os.readlink(descriptor) in sockets for descriptor in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # the process is gone, or is another user's
        return False


def _listening(port: int) -> Iterator[str]:
    """Yield the sockets that listen on the port of 127.0.0.1, named as the links in /proc/PID/fd are."""
    addresses = {f"{host}:{port:04X}" for host in ("0100007F", "0000000000000000FFFF00000100007F")}
    for table in filter(Path.exists, (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))):
        for line in table.read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            if fields[1] in addresses and fields[3] == "0A":
                yield f"socket:[{fields[9]}]"


# What the server says of itself -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """How a running server is reached; its passwords are new at each start and end with it."""

    pid: int
    version: str
    bolt_port: int
    http_port: int
    password: str = field(repr=False)
    reader_password: str = field(repr=False)

    def is_true(self) -> bool:
        """Whether the process that it names owns both ports, so that the password may be sent there."""
        return owns(self.pid, self.bolt_port) and owns(self.pid, self.http_port)

    def post(self, path: str, body: dict[str, Any], *, timeout: float) -> dict[str, Any]:
        """Return the engine's answer to an HTTP request of its owner; raise what urllib raises."""
        credentials = base64.b64encode(f"{USER}:{self.password}".encode()).decode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.http_port}/api/v1/{path}",
            json.dumps(body).encode(),
            {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"},
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=timeout) as answer:
            found: dict[str, Any] = json.load(answer)
        return found


def record(folder: Path) -> Record | None:
    """Return what the server of the store last wrote of itself, or None where there is nothing to read."""
    try:
        return Record(**json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def _publish(folder: Path, written: Record) -> None:
    new = folder / f"{RECORD}.new"
    new.write_text(json.dumps(asdict(written)), encoding="utf-8")
    new.replace(folder / RECORD)


def _withdraw(folder: Path) -> None:
    (folder / RECORD).unlink(missing_ok=True)


# The server's life --------------------------------------------------------------------------------------------------


def serve(folder: Path, lock: BinaryIO, idle_seconds: float) -> None:
    """Serve the store, whose lock this process holds, until it is idle or told to stop; raise why it cannot start."""
    _withdraw(folder)  # the record of a server that was killed
    _log_to(folder / LOG)
    told = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: told.set())
    with _engine(folder) as running:
        _publish(folder, running)
        try:
            _until_idle(folder, lock, running, idle_seconds, told)
        finally:
            _withdraw(folder)


def _server_lock(folder: Path) -> BinaryIO | None:
    deadline = time.monotonic() + _PATIENCE
    while (lock := hold(folder / SERVER_LOCK, shared=False)) is None and time.monotonic() < deadline:
        time.sleep(0.005)
    return lock


def _log_to(path: Path) -> None:
    """Send all that this process prints to a new file; closing the pipe tells the client that the lock is taken."""
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)


def _until_idle(folder: Path, lock: BinaryIO, running: Record, idle_seconds: float, told: threading.Event) -> None:
    deadline = time.monotonic() + idle_seconds
    while not told.wait(min(0.5, idle_seconds / 4)):
        if not _is_in_place(folder, lock):
            os._exit(0)  # a store that was deleted needs no end, and another one may lie at its path by now
        if has_clients(folder):
            deadline = time.monotonic() + idle_seconds
        elif time.monotonic() > deadline:
            _withdraw(folder)
            if not has_clients(folder):  # clients make themselves known first, and read the record then
                return
            _publish(folder, running)


def _is_in_place(folder: Path, lock: BinaryIO) -> bool:
    try:
        return os.path.samestat(os.fstat(lock.fileno()), (folder / SERVER_LOCK).stat())
    except FileNotFoundError:
        return False


@contextmanager
def _engine(folder: Path) -> Iterator[Record]:
    """Run the engine on two free ports; raise ArcadeDBError or OSError where it does not start."""
    from arcadedb_embedded.server import ArcadeDBServer

    _configure(folder / "config")
    running = Record(
        pid=os.getpid(),
        version=importlib.metadata.version("arcadedb-embedded"),
        bolt_port=_free_port(),
        http_port=_free_port(),
        password=secrets.token_urlsafe(32),
        reader_password=secrets.token_urlsafe(32),
    )
    server = ArcadeDBServer(
        str(folder),
        running.password,
        {
            "host": "127.0.0.1",
            "http_port": running.http_port,
            "bolt_port": running.bolt_port,
            "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        },
        {"heap_size": memory(), "jvm_args": _JVM_ARGUMENTS},
    )
    server.start()
    try:
        server.create_database(DATABASE)
        if not running.is_true():
            raise OSError(f"another process took port {running.bolt_port} or {running.http_port}")
        _create_reader(running)
        yield running
    finally:
        server.stop()


def _configure(folder: Path) -> None:
    """Write the engine's settings; its list of users goes, so that it takes the new passwords."""
    folder.mkdir(exist_ok=True)
    (folder / "logging.properties").write_text(_LOGGING, encoding="utf-8")
    (folder / "server-groups.json").write_text(json.dumps(_GROUPS), encoding="utf-8")
    (folder / "server-users.jsonl").unlink(missing_ok=True)


def _create_reader(running: Record) -> None:
    user = {"name": READER, "password": running.reader_password, "databases": {DATABASE: [READER]}}
    running.post("server", {"command": f"create user {json.dumps(user)}"}, timeout=60)


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def memory() -> str:
    """Return the largest heap of the engine, as MSCE_ENGINE_MEMORY gives it; raise ValueError where it is none."""
    given = os.environ.get("MSCE_ENGINE_MEMORY", "512m")
    if not re.fullmatch(r"[1-9]\d*[kmg]", given):
        raise ValueError(f"MSCE_ENGINE_MEMORY={given!r}: give a number with k, m or g, such as 512m")
    return given


def main() -> None:
    """Serve the folder of the command line from a process of its own that outlives its parent and its terminal."""
    folder, idle_seconds, *options = sys.argv[1:]
    if _DETACHED not in options:
        command = [sys.executable, "-P", __file__, folder, idle_seconds, _DETACHED]
        subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 as given to this process
        return
    os.umask(0o077)
    os.chdir(folder)
    lock = _server_lock(Path(folder))
    if lock is None:  # another process serves the store
        return
    try:
        serve(Path(folder), lock, float(idle_seconds))
    except Exception:
        traceback.print_exc()
    finally:
        # Only this gives up the lock: not before the log is complete, and even if a thread of the engine does not end.
        os._exit(0)


if __name__ == "__main__":
    main()
