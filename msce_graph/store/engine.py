"""What differs between the engines: how they are reached, how their indexes are made, and who may only read."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from neo4j import READ_ACCESS, Driver, GraphDatabase, ManagedTransaction, ResultSummary, Session
from neo4j.exceptions import AuthError, ClientError, ConstraintError, DriverError, Neo4jError, ServiceUnavailable

from msce_graph.errors import StoreError
from msce_graph.store import embedded, queries

VECTOR_INDEXES = {
    "evidence_embedding": "Evidence",
    "policy_embedding": "Policy",
    "skill_embedding": "Skill",
    "environment_embedding": "EnvEntity",
}
"""Each vector index with the label whose `embedding` it holds."""

TEXT_INDEXES = {
    "evidence_text": ("Evidence", ("text",)),
    "policy_text": ("Policy", ("title", "trigger")),
    "skill_text": ("Skill", ("title", "description")),
    "episode_text": ("Episode", ("task",)),
    "environment_text": ("EnvEntity", ("name", "statement")),
}
"""Each full-text index with its label and properties. Both engines' default analyser keeps stop words, so that AND is
found as a word, and takes each Chinese character as one."""

RELATIONSHIPS = (
    *("ATTEMPTS", "HAS_STEP", "NEXT", "CALLED", "DERIVES_FROM", "CANDIDATE_FOR", "INDUCED_FROM", "SUPPORTS"),
    *("CONTRADICTS", "BORDERS", "MEASURED_ON", "USES", "ABSTRACTED_FROM", "FROM_TOOL", "TO_TOOL", "CONSTRAINS"),
    *("DEPENDS_ON", "PART_OF", "CRYSTALLIZED_FROM", "CITES", "REQUIRES", "RESPECTS", "SUPERSEDES", "OFFERED", "OF"),
    *("IN", "ABOUT", "WAS_GENERATED_BY"),
)

PROCEDURES = frozenset(
    {
        "db.index.fulltext.queryNodes",
        "db.index.vector.queryNodes",
        "db.labels",
        "db.propertyKeys",
        "db.relationshipTypes",
        "db.schema.nodeTypeProperties",
        "db.schema.relTypeProperties",
        "db.schema.visualization",
    }
)
"""What a query that only reads may call."""

_FUNCTIONS = frozenset({"date", "datetime", "duration", "localdatetime", "localtime", "point", "time", "vector"})
"""Families of the language's own functions; every other name with a dot is plugged in."""
_CALL = re.compile(r"((?:\w+|`[^`]*`)(?:\.(?:\w+|`[^`]*`))+)\(")
_GONE = re.compile(r"^Record #\d+:\d+ not found")
_ASIDE = re.compile(r"(?P<name>`[^`]*`)|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|//[^\n\r]*|/\*.*?\*/", re.DOTALL)
"""What of a query's text is no part of its syntax, and quoted names, in which the like may stand."""
_CALL_IN_TEXT = re.compile(r"\bCALL\s+(\w+(?:\s*\.\s*\w+)*)", re.IGNORECASE)
_FUNCTION_IN_TEXT = re.compile(r"(\w+(?:\s*\.\s*\w+)+)\s*\(")
_RACES = 5
"""How often a rule is made again that was being made elsewhere, and a server looked for that was met while it went."""
_PAUSE = 0.3
"""Seconds between two looks for a server."""
_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_EXISTS = (
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
    "Neo.ClientError.Schema.IndexAlreadyExists",
    "Neo.ClientError.Schema.ConstraintAlreadyExists",
)
"""What a process is told whose rule another one made at the same moment: the rule is there, which is all it wanted."""


class Engine:
    """A Neo4j server, reached by its driver."""

    name = "neo4j"

    def __init__(self, driver: Driver, location: str, database: str | None) -> None:
        self.location = location
        self._driver, self._database = driver, database
        self._bookmarks = GraphDatabase.bookmark_manager()

    @property
    def version(self) -> str:
        """What the server says that it is."""
        return str(self._driver.get_server_info().agent)

    def verify(self) -> None:
        """Return once the database answers; raise the driver's error, without its retries, where it does not."""
        with self.reading_session() as session:
            session.run("RETURN 1").consume()

    def session(self) -> Session:
        """Return a session that reads what earlier sessions of this engine wrote, on clusters too."""
        return self._driver.session(database=self._database, bookmark_manager=self._bookmarks)

    def reading_session(self) -> Session:
        """Return a session in which nothing can be written."""
        return self._driver.session(
            database=self._database, bookmark_manager=self._bookmarks, default_access_mode=READ_ACCESS
        )

    def more_than_reading(self, cypher: str, parameters: dict[str, Any]) -> str | None:
        """Return what a query would do beyond reading the graph, by the plan that the server made of it, or None.

        A READ session alone would let it read files (LOAD CSV), read and end other people's transactions, and call
        procedures and plugged-in functions that reach the network.
        """
        summary = self._explained(cypher, parameters)
        if summary.plan is None or summary.query_type != "r":
            return "its statement type is not plain reading"
        for operator in _operators(summary.plan):
            name = str(operator["operatorType"]).partition("@")[0]
            if name == "LoadCSV" or name.startswith(("Show", "Terminate")):
                return name
            calls = _CALL.findall(str(operator.get("args", {}).get("Details", "")))
            if refused := [call for call in calls if not _is_allowed(call.replace("`", ""))]:
                return f"call of {refused[0]}"
        return None

    def prepare(self) -> None:
        """Make what must be there before the first constraint: nothing on Neo4j."""

    def define(self, statement: str, **parameters: object) -> None:
        """Run `cypher/schema/STATEMENT.cypher` in its own transaction; a rule that is there already is as good."""
        text = queries.load(f"schema/{statement}").statement

        def run(tx: ManagedTransaction) -> None:
            tx.run(text, parameters).consume()

        try:
            with self.session() as session:
                session.execute_write(run)
        except ClientError as error:
            if error.code not in _EXISTS:
                raise

    def define_vectors(self, index: str, dimensions: int) -> None:
        """Create a vector index for cosine, unless it is there."""
        config = {"vector.dimensions": dimensions, "vector.similarity_function": "cosine"}
        self.define(index, options={"indexConfig": config})

    def drop_vectors(self, index: str) -> None:
        """Remove a vector index, if it is there."""
        self.define(f"drop/{index}")

    def define_text(self, index: str) -> None:
        """Create a full-text index, unless it is there."""
        self.define(index)

    def await_indexes(self) -> None:
        """Return once every index can be used; raise after five minutes."""
        self.define("await", seconds=300)

    @contextmanager
    def translating(self) -> Iterator[None]:
        """Turn the driver's errors into a StoreError that says where and what."""
        try:
            yield
        except AuthError as error:
            raise StoreError(f"{self.location} refuses the user: check NEO4J_USERNAME and NEO4J_PASSWORD") from error
        except ServiceUnavailable as error:
            raise StoreError(f"{self.location} does not answer: is the server there and running? ({error})") from error
        except Neo4jError as error:
            raise StoreError(f"{self.location}: {error.message or error}") from error
        except DriverError as error:
            raise StoreError(f"{self.location}: {error}") from error

    def lost_a_race(self, error: Neo4jError) -> bool:
        """Return whether an error came of another transaction at the same time, and trying again may do."""
        return isinstance(error, ConstraintError)

    def close(self) -> None:
        """Close the connections."""
        self._driver.close()

    def _explained(self, cypher: str, parameters: dict[str, Any]) -> ResultSummary:
        with self.reading_session() as session:
            return session.execute_read(lambda tx: tx.run(f"EXPLAIN {cypher}", parameters).consume())


class EmbeddedEngine(Engine):
    """The embedded engine's server process: Bolt as on Neo4j, index DDL in its own SQL, a user who may only read."""

    name = "embedded"

    def __init__(self, served: embedded.Served, location: str) -> None:
        super().__init__(_driver(served.uri, served.username, served.password), location, None)
        self._reader = _driver(served.uri, served.reader_username, served.reader_password)
        self._served = served

    def reading_session(self) -> Session:
        """Return a session of the user who can only read."""
        return self._reader.session()

    def lost_a_race(self, error: Neo4jError) -> bool:
        """Return whether a unique key was taken meanwhile, or a record gone that an index had just named."""
        return super().lost_a_race(error) or _GONE.search(error.message or "") is not None

    def more_than_reading(self, cypher: str, parameters: dict[str, Any]) -> str | None:
        """Return what a query would do beyond reading the graph, of what the user who can only read may still do.

        That user can neither write nor load files; this keeps them from commands, which have no plan, and from
        procedures not listed and plugged-in functions, by the text without its literals and comments, since plans do
        not show those within subqueries.
        """
        if self._explained(cypher, parameters).plan is None:
            return "it is a command"
        syntax = _ASIDE.sub(lambda found: re.sub(r"\W", "_", found["name"][1:-1]) if found["name"] else " ", cypher)
        called = ["".join(call.split()) for call in _CALL_IN_TEXT.findall(syntax)]
        used = ["".join(call.split()) for call in _FUNCTION_IN_TEXT.findall(syntax)]
        refused = [call for call in called if call not in PROCEDURES] + [call for call in used if not _is_allowed(call)]
        return f"call of {refused[0]}" if refused else None

    def define(self, statement: str, **parameters: object) -> None:
        """Run `cypher/schema/STATEMENT.cypher` in its own transaction, again where another process was in its way."""
        _repeat(lambda: super(EmbeddedEngine, self).define(statement, **parameters))

    def prepare(self) -> None:
        """Make the type of every relationship: two first writers at once would both make it."""
        for relationship in RELATIONSHIPS:
            self._sql(f"CREATE EDGE TYPE {relationship} IF NOT EXISTS")

    def define_vectors(self, index: str, dimensions: int) -> None:
        """Create a vector index for cosine, unless it is there."""
        label = VECTOR_INDEXES[index]
        config = json.dumps({"dimensions": dimensions, "similarity": "COSINE"})
        self._sql(f"CREATE PROPERTY {label}.embedding IF NOT EXISTS ARRAY_OF_FLOATS")
        self._sql(f"CREATE INDEX {index} IF NOT EXISTS ON {label} (embedding) LSM_VECTOR METADATA {config}")

    def drop_vectors(self, index: str) -> None:
        """Remove a vector index, if it is there."""
        self._sql(f"DROP INDEX {index} IF EXISTS")

    def define_text(self, index: str) -> None:
        """Create a full-text index, unless it is there."""
        label, names = TEXT_INDEXES[index]
        properties = [f"`{name}`" for name in names]  # `trigger` is a word of its SQL
        for name in properties:
            self._sql(f"CREATE PROPERTY {label}.{name} IF NOT EXISTS STRING")
        self._sql(f"CREATE INDEX {index} IF NOT EXISTS ON {label} ({', '.join(properties)}) FULL_TEXT")

    def await_indexes(self) -> None:
        """Return at once: here an index is ready when it is made."""

    def close(self) -> None:
        """Close the connections and leave the server process, which stops once nobody uses it."""
        self._reader.close()
        super().close()
        self._served.close()

    def _sql(self, command: str) -> None:
        _repeat(lambda: embedded.sql(self._served, command))


def connect(location: str | Path, username: str | None, password: str | None, database: str | None) -> Engine:
    """Return the engine at a server's URI or in a folder, once it answers; raise StoreError where it does not."""
    if not isinstance(location, str) or "://" not in location:
        return _embedded(Path(location))
    parts = urlsplit(location)
    if "@" in parts.netloc:
        safe = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        raise StoreError(f"{safe}: a URI holds no user: give NEO4J_USERNAME and NEO4J_PASSWORD in the environment")
    if parts.scheme not in _SCHEMES:
        raise StoreError(f"{location}: the scheme of a server is one of {', '.join(_SCHEMES)}")
    engine = Engine(_driver(location, username, password), location, database)
    try:
        with engine.translating():
            engine.verify()
    except StoreError:
        engine.close()
        raise
    return engine


def _embedded(folder: Path) -> EmbeddedEngine:
    """Return the engine of a folder, once it answers: a server that is killed may be met while it goes."""
    for attempt in range(_RACES):
        engine = EmbeddedEngine(embedded.open(folder), str(folder))
        try:
            engine.verify()
        except (AuthError, DriverError) as error:
            engine.close()
            if attempt == _RACES - 1:
                raise StoreError(f"the server of {folder} does not answer: {error}") from error
            time.sleep(_PAUSE)
        else:
            return engine
    raise AssertionError("the last attempt returns or raises")


def _repeat(make: Callable[[], object]) -> None:
    """Make what another process may be making at this moment, which IF NOT EXISTS does not cover."""
    for _ in range(_RACES):
        try:
            make()
        except (StoreError, Neo4jError) as error:
            if "already exists" not in str(error):
                raise
        else:
            return
    make()


def _operators(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("children", []):
        yield from _operators(child)


def _is_allowed(call: str) -> bool:
    return call in PROCEDURES or call.partition(".")[0] in _FUNCTIONS


def _driver(uri: str, username: str | None, password: str | None) -> Driver:
    auth = None if username is None else (username, password or "")
    return GraphDatabase.driver(uri, auth=auth, notifications_min_severity="OFF")
