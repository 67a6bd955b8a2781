"""An empty store for each test, on the embedded engine and, where a test server is to be had, on Neo4j too."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from msce_graph.store import Store, embedded, migrate, open_store

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EMBEDDER, DIMENSIONS = "hashing", 384
PREFIX = "MSCE_TEST_NEO4J_"
URI = f"{PREFIX}URI"
IMAGE = "neo4j:5.26-community"


@dataclass(frozen=True)
class Place:
    """Where a store can be opened, as often as a test likes."""

    engine: str
    location: str
    username: str | None = None
    password: str | None = None

    def open(self, namespace: str = "test", now: datetime = NOW) -> Store:
        """Return the store there, of whatever schema it has."""
        return open_store(
            self.location, namespace=namespace, username=self.username, password=self.password, now=lambda: now
        )

    def migrated(self, namespace: str = "test", now: datetime = NOW) -> Store:
        """Return the store there, with the schema of this package."""
        store = self.open(namespace, now)
        migrate(store, embedder=EMBEDDER, dimensions=DIMENSIONS, settings={})
        return store

    def empty(self) -> None:
        """Delete every node of every namespace; the schema stays."""
        with self.open() as store:
            delete = "MATCH (n) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS deleted"
            while store.query(delete, write=True)[0]["deleted"]:
                pass


def _docker_answers() -> bool:
    if "DOCKER_HOST" not in os.environ:
        with socket.socket(socket.AF_UNIX) as probe:  # asked first, since docker's own client leaves a socket open
            if probe.connect_ex("/var/run/docker.sock"):
                return False
    try:
        import docker

        with closing(docker.from_env(timeout=2)) as client:
            client.ping()
    except Exception:  # whatever is wrong with Docker or its client, there is none to be had
        return False
    return True


def _engines() -> list[str]:
    if named := os.environ.get("MSCE_TEST_ENGINES"):
        return named.split(",")
    return ["embedded", "neo4j"] if URI in os.environ or _docker_answers() else ["embedded"]


ENGINES = _engines()
"""The engines to test on: MSCE_TEST_ENGINES, else the embedded one, and Neo4j where it is to be had."""


def pytest_report_header() -> str:
    """Say where the tests of the store run, and what they would need to run elsewhere."""
    if "neo4j" in ENGINES:
        return f"store: {', '.join(ENGINES)} ({os.environ.get(URI, f'{IMAGE} in a container')})"
    return f"store: embedded alone; for Neo4j set {URI} to an empty database, or start Docker"


@pytest.fixture(scope="session", params=ENGINES)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One server for all tests of an engine."""
    if request.param == "embedded":
        with _embedded(tmp_path_factory.mktemp("embedded") / "store") as place:
            yield place
    else:
        with _named() if URI in os.environ else _container() as place:
            _refuse_full(place)
            yield place
            place.empty()


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """A fresh store with nothing in it but its own node."""
    place.empty()
    with place.migrated() as store:
        yield store


@pytest.fixture
def bare(place: Place, tmp_path: Path) -> Iterator[Place]:
    """A database without any schema."""
    if place.engine == "embedded":
        with _embedded(tmp_path / "bare") as fresh:
            yield fresh
    else:
        place.empty()
        _drop_schema(place)
        yield place


@contextmanager
def _embedded(folder: Path) -> Iterator[Place]:
    try:
        yield Place("embedded", str(folder))
    finally:
        embedded.stop(folder)


@contextmanager
def _named() -> Iterator[Place]:
    yield Place("neo4j", os.environ[URI], os.environ.get(f"{PREFIX}USERNAME"), os.environ.get(f"{PREFIX}PASSWORD"))


@contextmanager
def _container() -> Iterator[Place]:
    from testcontainers.community.neo4j import Neo4jContainer

    with Neo4jContainer(IMAGE) as container:
        yield Place("neo4j", container.get_connection_url(), container.username, container.password)


def _refuse_full(place: Place) -> None:
    with place.open() as store:
        if store.query("MATCH (n) RETURN count(n) AS nodes")[0]["nodes"]:
            pytest.exit(f"{place.location} is not empty, and tests delete everything: name another database", 1)


def _drop_schema(place: Place) -> None:
    with place.open() as store, store.engine.session() as session:
        for kind, all_of_it in (
            ("CONSTRAINT", "CONSTRAINTS"),
            ("INDEX", "INDEXES"),
        ):  # in this order: an index of a constraint goes with it
            for rule in session.run(f"SHOW {all_of_it} YIELD name, type WHERE type <> 'LOOKUP' RETURN name").data():
                session.run(f"DROP {kind} `{rule['name']}`").consume()
