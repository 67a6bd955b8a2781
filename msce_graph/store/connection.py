"""The one way to the graph: managed transactions over the neo4j driver, on a server or on the embedded engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from neo4j import ManagedTransaction, Session
from neo4j.exceptions import Neo4jError

from msce_graph.errors import IncompleteWrite
from msce_graph.store import guard, queries, rows
from msce_graph.store.engine import Engine, connect

T = TypeVar("T")

_ROWS_A_MESSAGE = 1_000
_BYTES_A_MESSAGE = 7_000_000
"""Under the 8 MB that every engine takes, with room for names and types."""
_ATTEMPTS = 5
"""Tries of a transaction that lost a race for a unique key; the driver retries the rest itself, for 30 s."""


class Transaction:
    """The queries of `cypher/` within one transaction and one namespace."""

    def __init__(self, driver: ManagedTransaction, namespace: str, counted: dict[tuple[str, int], int]) -> None:
        self._driver = driver
        self.namespace = namespace
        self.counted = counted
        """Of a tier and a number of vectors: 1 where it holds more, else minus the searches until they are counted."""

    def run(self, query: str, **parameters: object) -> list[rows.Row]:
        """Run `cypher/QUERY.cypher` with $namespace and these parameters, and return its rows."""
        return list(self.stream(query, **parameters))

    def stream(self, query: str, **parameters: object) -> Iterator[rows.Row]:
        """Run a query like `run`, and yield its rows as the engine sends them."""
        known = queries.load(query)
        given = {"namespace": self.namespace, **parameters}
        bound = {name: rows.parameter(value) for name, value in given.items() if name in known.params}
        if missing := set(known.params) ^ set(bound) | set(parameters) - set(known.params):
            raise ValueError(f"{query} takes {', '.join(known.params)}: {', '.join(sorted(missing))} does not fit")
        yield from map(rows.of_record, self._driver.run(known.statement, bound))

    def put(self, query: str, given: Iterable[Mapping[str, Any]], **parameters: object) -> int:
        """Run a query that UNWINDs $rows, in messages of bounded size and sorted order, and return what it wrote.

        Each row names a `key`, and `to` where it joins that node to another: the order in which locks are taken.
        Raises IncompleteWrite when the query reports fewer rows `written` than it was given, and ValueError for a key
        of another namespace.
        """
        ordered = sorted(given, key=lambda row: (row["key"], row.get("to") or ""))
        if foreign := [row["key"] for row in ordered if not row["key"].startswith(f"{self.namespace}/")]:
            raise ValueError(f"{query} in namespace {self.namespace} was given the key {foreign[0]!r}")
        total = 0
        for batch in _batches(ordered):
            [answer] = self.run(query, rows=batch, **parameters)
            if answer["written"] != len(batch):
                raise IncompleteWrite(query, len(batch), answer["written"])
            total += len(batch)
        return total


class Store:
    """An open graph, seen through one namespace; safe to share between threads. Use it as a context manager."""

    def __init__(self, engine: Engine, namespace: str, now: Callable[[], datetime]) -> None:
        self.engine = engine
        self.namespace = namespace
        self.now = now
        self._counted: dict[tuple[str, int], int] = {}

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Return what the function reads in one transaction; it may be called again after a lost connection or race."""
        with self._session() as session:
            return self._again(lambda: session.execute_read(self._work(work)))

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Return what the function returns, once all it wrote is committed; nothing is written when it raises.

        The function is called again after a deadlock, a lost connection or a lost race for a unique key. Raises
        StoreError when the engine refuses or cannot be reached; the transaction may then have been committed.
        """
        with self._session() as session:
            return self._again(lambda: session.execute_write(self._work(work)))

    def _work(self, work: Callable[[Transaction], T]) -> Callable[[ManagedTransaction], T]:
        return lambda tx: work(Transaction(tx, self.namespace, self._counted))

    def _again(self, run: Callable[[], T]) -> T:
        """Return what the function returns, tried again where it lost a race that the driver does not know of."""
        for attempt in range(_ATTEMPTS):
            try:
                return run()
            except (IncompleteWrite, Neo4jError) as error:  # the embedded engine shows what another may take back
                is_race = isinstance(error, IncompleteWrite) or self.engine.lost_a_race(error)
                if attempt == _ATTEMPTS - 1 or not is_race:
                    raise
                time.sleep(0.05 * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> list[rows.Row]:
        """Return the rows of a person's own query; $namespace is this store's unless it is given.

        Raises QueryRefused where a query that was not said to `write` would do more than read the graph, and StoreError
        where the engine cannot run it.
        """
        return guard.query(self.engine, cypher, {"namespace": self.namespace, **(parameters or {})}, write=write)

    def close(self) -> None:
        """Close the connections; the embedded engine stops by itself once nobody uses it."""
        self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with self.engine.translating(), self.engine.session() as session:
            yield session


def open_store(
    location: str | Path,
    *,
    namespace: str,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
    now: Callable[[], datetime],
) -> Store:
    """Open the graph at a server's URI or, where the location has no scheme, in a folder of the embedded engine.

    Raises StoreError when it cannot be reached or refuses the user.
    """
    return Store(connect(location, username, password, database), namespace, now)


def _batches(given: list[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    batch: list[Mapping[str, Any]] = []
    size = 0
    for row in given:
        taken = _size(row)
        if batch and (len(batch) == _ROWS_A_MESSAGE or size + taken > _BYTES_A_MESSAGE):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += taken
    if batch:
        yield batch


def _size(value: object) -> int:
    """Return an upper bound of the bytes that a value takes in a message."""
    if isinstance(value, str):
        return 5 + 4 * len(value) if not value.isascii() else 5 + len(value)
    if value is None or isinstance(value, (int, float)):  # before mappings, which are slow to tell
        return 9
    if isinstance(value, dict | Mapping):
        return 5 + sum(map(_size, value)) + sum(map(_size, value.values()))
    if isinstance(value, list | tuple):
        return 5 + (9 * len(value) if value and isinstance(value[0], float) else sum(map(_size, value)))
    return 32
