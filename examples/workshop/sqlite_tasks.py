"""Tasks in an SQLite database: tables to rebuild, to rid of duplicates, to index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from examples.workshop.agent import Agent, Kind
from examples.workshop.project import Project
from examples.workshop.task import Task


@dataclass(frozen=True, kw_only=True)
class TableTask(Task):
    """A task on one table of shop.db."""

    kind: ClassVar[Kind] = "sql"
    table: str

    @property
    @override
    def looks(self) -> tuple[str, ...]:
        return (f"PRAGMA table_info({self.table})", "PRAGMA user_version", "VACUUM")

    def _begun(self, agent: Agent) -> bool:
        """Return whether the agent began a transaction."""
        is_safe = agent.careful()
        if is_safe:
            agent.sql("BEGIN", f"What goes wrong with {self.table} must be undone: begin a transaction.")
        return is_safe

    def _conclude(self, agent: Agent, looks_wrong: Callable[[], bool], redo: Callable[[], None]) -> None:
        """End the transaction; mostly after a look, and after doing it anew where that finds it wrong."""
        if agent.careful(0.25) and looks_wrong():
            agent.sql("ROLLBACK", f"That is not what {self.table} should hold: take it all back.")
            agent.sql("BEGIN", "Once more, in a transaction.")
            redo()
            looks_wrong()
        agent.sql("COMMIT", f"{self.table} is as it should be: keep it.")


@dataclass(frozen=True, kw_only=True)
class RebuildTable(TableTask):
    """A column that must become NOT NULL although some rows have none: SQLite needs a new table for that."""

    family: ClassVar[str] = "rebuild-table"
    column: str
    rows: int
    unknown: tuple[int, ...]
    """The ids of the rows without a value."""

    @property
    @override
    def text(self) -> str:
        return (
            f"Rebuild the table {self.table} of shop.db so that {self.column} is TEXT NOT NULL, '' where unknown. "
            "Every row must be kept."
        )

    @override
    def prepare(self, project: Project) -> None:
        values = ["NULL" if number in self.unknown else f"'v{number}'" for number in range(1, self.rows + 1)]
        rows = ", ".join(f"({number}, 'n{number}', {value})" for number, value in enumerate(values, start=1))
        project.load(
            f"CREATE TABLE {self.table} (id INTEGER PRIMARY KEY, name TEXT, {self.column} TEXT);"
            f"INSERT INTO {self.table} VALUES {rows};"
        )

    @override
    def attempt(self, agent: Agent) -> None:
        knows = agent.careful()
        if knows:
            agent.sql(
                f"SELECT count(*), count({self.column}) FROM {self.table}", f"How many rows have no {self.column} yet?"
            )
        has_begun = self._begun(agent)
        self._rebuild(agent, fills_gaps=knows and agent.happens(0.5))
        if has_begun:
            self._conclude(agent, lambda: self._lost_rows(agent), lambda: self._rebuild(agent, fills_gaps=True))

    @override
    def score(self, project: Project) -> float:
        found = project.rows(f"SELECT id, {self.column} FROM {self.table} ORDER BY id")
        wanted = [(n, "" if n in self.unknown else f"v{n}") for n in range(1, self.rows + 1)]
        columns = project.rows(f"SELECT name FROM pragma_table_info('{self.table}') WHERE \"notnull\" = 1")
        return float(found == wanted and columns == [(self.column,)])

    def _rebuild(self, agent: Agent, *, fills_gaps: bool) -> None:
        self._create(agent)
        self._fill(agent, fills_gaps=fills_gaps)
        agent.sql(f"DROP TABLE {self.table}", f"The old {self.table} is copied and can go.")
        agent.sql(f"ALTER TABLE {self.table}_new RENAME TO {self.table}", f"The new table takes the name {self.table}.")

    def _lost_rows(self, agent: Agent) -> bool:
        counted = agent.sql(f"SELECT count(*) FROM {self.table}", f"Are all rows in the new {self.table}?")
        return counted.lines[-1] != str(self.rows)

    def _create(self, agent: Agent) -> None:
        agent.sql(
            f"CREATE TABLE {self.table}_new (id INTEGER PRIMARY KEY, name TEXT, {self.column} TEXT NOT NULL)",
            f"A new table with {self.column} as it shall be.",
        )

    def _fill(self, agent: Agent, *, fills_gaps: bool) -> None:
        into, select = f"INSERT INTO {self.table}_new", f"SELECT id, name, {self.column} FROM {self.table}"
        whole = f"{into} SELECT id, name, coalesce({self.column}, '') FROM {self.table}"
        if fills_gaps:
            agent.sql(whole, f"Rows without {self.column} get ''.")
        elif agent.sql(f"{into} {select}", f"Copy the rows of {self.table}.").is_error:
            if agent.careful(-0.3):
                agent.sql(whole, f"Some rows have no {self.column}: give them ''.")
            else:
                agent.sql(f"{into.replace('INSERT', 'INSERT OR IGNORE')} {select}", "Leave out what does not fit.")


@dataclass(frozen=True, kw_only=True)
class RemoveDuplicates(TableTask):
    """Rows that repeat an address, of which the newest by date must stay; a higher id is not always newer."""

    family: ClassVar[str] = "remove-duplicates"
    is_shuffled: bool
    """Whether ids and dates disagree."""
    has_capitals: bool
    """Whether some addresses differ in capitals alone."""

    @property
    @override
    def text(self) -> str:
        return (
            f"The table {self.table} of shop.db holds some addresses twice (capitals do not count). "
            "Of each address keep the newest row by the column seen."
        )

    @override
    def prepare(self, project: Project) -> None:
        rows = ", ".join(str(row) for row in self._rows())
        project.load(
            f"CREATE TABLE {self.table} (id INTEGER PRIMARY KEY, email TEXT, seen TEXT);"
            f"INSERT INTO {self.table} VALUES {rows};"
        )

    @override
    def attempt(self, agent: Agent) -> None:
        before: list[str] = []
        if agent.careful():
            before = self._newest(agent, "Which addresses occur twice, and what is the newest date of each?")
        has_begun = self._begun(agent)
        self._delete(agent, is_exact=bool(before) and agent.happens(0.4))
        if has_begun:
            self._conclude(agent, lambda: self._lost_newest(agent, before), lambda: self._delete(agent, is_exact=True))

    @override
    def score(self, project: Project) -> float:
        newest: dict[str, tuple[int, str, str]] = {}
        for row in self._rows():
            best = newest.get(row[1].lower())
            newest[row[1].lower()] = row if best is None or row[2] > best[2] else best
        return float(project.rows(f"SELECT id, email, seen FROM {self.table} ORDER BY id") == sorted(newest.values()))

    def _delete(self, agent: Agent, *, is_exact: bool) -> None:
        table = self.table
        older = f"SELECT 1 FROM {table} b WHERE lower(b.email) = lower({table}.email) AND b.seen > {table}.seen"
        if is_exact:
            agent.sql(
                f"DELETE FROM {self.table} WHERE EXISTS ({older})", "Delete rows that have a newer one beside them."
            )
        else:
            kept = f"SELECT max(id) FROM {self.table} GROUP BY email"
            agent.sql(f"DELETE FROM {self.table} WHERE id NOT IN ({kept})", "Keep the highest id of each email.")

    def _newest(self, agent: Agent, thought: str) -> list[str]:
        """Return one line an address: the address, its newest date and its number of rows."""
        select = f"SELECT lower(email) AS address, max(seen) AS newest, count(*) AS times FROM {self.table}"
        return agent.sql(f"{select} GROUP BY lower(email)", thought).lines[1:]

    def _lost_newest(self, agent: Agent, before: list[str]) -> bool:
        after = self._newest(agent, "Is each address there once, and with the newest date?")
        is_older = bool(before) and _dates(before) != _dates(after)
        return is_older or not all(line.endswith("| 1") for line in after)

    def _rows(self) -> list[tuple[int, str, str]]:
        rows = [(number, f"{self.variation}{number}@example.org", f"2025-06-{number + 10}") for number in range(1, 9)]
        for number, first in enumerate((2, 4, 7), start=9):
            email = f"{self.variation}{first}@example.org"
            day = f"2025-06-0{first}" if self.is_shuffled and number != 11 else f"2025-06-{number + 17}"
            rows.append((number, email.upper() if self.has_capitals and first == 4 else email, day))
        return rows


def _dates(lines: list[str]) -> list[str]:
    return [line.split(" | ")[1] for line in lines]


@dataclass(frozen=True, kw_only=True)
class RaisePrices(TableTask):
    """Prices of one category to raise; it may be written in capitals, and another one may begin with its name."""

    family: ClassVar[str] = "raise-prices"
    category: str
    others: tuple[str, ...]
    """Other categories, each in as many rows."""
    amount: int
    has_capitals: bool

    @property
    @override
    def text(self) -> str:
        return (
            f"In the table {self.table} of shop.db raise every price of the category {self.category} by {self.amount}, "
            "however its capitals are written. No other category may change."
        )

    @override
    def prepare(self, project: Project) -> None:
        rows = ", ".join(str(row) for row in self._rows())
        project.load(
            f"CREATE TABLE {self.table} (id INTEGER PRIMARY KEY, category TEXT, price INTEGER);"
            f"INSERT INTO {self.table} VALUES {rows};"
        )

    @override
    def attempt(self, agent: Agent) -> None:
        knows = agent.careful()
        if knows:
            self._sums(agent, "Which categories are there, and how are they written?")
        has_begun = self._begun(agent)
        self._raise(agent, is_exact=knows and agent.happens(0.25))
        if has_begun:
            self._conclude(agent, lambda: self._missed(agent), lambda: self._raise(agent, is_exact=True))

    @override
    def score(self, project: Project) -> float:
        wanted = [
            (number, category, price + self.amount * (category.lower() == self.category))
            for number, category, price in self._rows()
        ]
        return float(project.rows(f"SELECT id, category, price FROM {self.table} ORDER BY id") == wanted)

    def _raise(self, agent: Agent, *, is_exact: bool) -> None:
        update = f"UPDATE {self.table} SET price = price + {self.amount} WHERE"
        if is_exact:
            agent.sql(f"{update} lower(category) = '{self.category}'", "Compare the whole name, in small letters.")
        else:
            where = agent.pick((f"category = '{self.category}'", f"category LIKE '{self.category}%'"))
            agent.sql(f"{update} {where}", f"Raise the prices of {self.category}.")

    def _sums(self, agent: Agent, thought: str) -> dict[str, int]:
        """Return the sum of the prices of each category, as it is written."""
        found = agent.sql(f"SELECT category, sum(price) FROM {self.table} GROUP BY category", thought)
        return {category: int(total) for category, total in (line.split(" | ") for line in found.lines[1:])}

    def _missed(self, agent: Agent) -> bool:
        sums = self._sums(agent, f"All prices were whole hundreds: are those of {self.category} alone raised?")
        raised = {category for category, total in sums.items() if total % 100}
        return raised != {category for category in sums if category.lower() == self.category}

    def _rows(self) -> list[tuple[int, str, int]]:
        own = (self.category, self.category.title() if self.has_capitals else self.category)
        categories = (*own, *self.others) * 3
        return [(number, name, 100 * (1 + number % 7)) for number, name in enumerate(categories, start=1)]


@dataclass(frozen=True, kw_only=True)
class AddIndex(TableTask):
    """A slow query that needs an index; a plain one on its column is often one that SQLite cannot use."""

    family: ClassVar[str] = "add-index"
    condition: str
    column: str
    expression: str
    """What the index must be on."""

    @property
    def query(self) -> str:
        """The query to speed up."""
        return f"SELECT id FROM {self.table} WHERE {self.condition}"

    @property
    @override
    def text(self) -> str:
        return f"This query on shop.db is slow: {self.query}. Add one index that it uses."

    @override
    def prepare(self, project: Project) -> None:
        rows = ", ".join(f"({number}, 'word{number}', {number % 13})" for number in range(1, 41))
        project.load(
            f"CREATE TABLE {self.table} (id INTEGER PRIMARY KEY, {self.column} TEXT, amount INTEGER);"
            f"INSERT INTO {self.table} VALUES {rows};"
        )

    @override
    def attempt(self, agent: Agent) -> None:
        is_expert = agent.careful(-0.35)
        self._create(agent, self.expression if is_expert else self.column)
        if agent.careful():
            plan = agent.sql(f"EXPLAIN QUERY PLAN {self.query}", f"Does the query use the index on {self.table}?")
            if "SEARCH" not in plan.text and agent.careful(0.3):
                agent.sql(
                    f"DROP INDEX {self.table}_{self.column}", f"It still scans {self.table}: that index is of no use."
                )
                self._create(agent, self.expression)
                agent.sql(f"EXPLAIN QUERY PLAN {self.query}", "Is the new one used?")

    @override
    def score(self, project: Project) -> float:
        plan = project.rows(f"EXPLAIN QUERY PLAN {self.query}")
        return float(any("SEARCH" in str(row[-1]) and "INDEX" in str(row[-1]) for row in plan))

    def _create(self, agent: Agent, subject: str) -> None:
        agent.sql(
            f"CREATE INDEX {self.table}_{self.column} ON {self.table} ({subject})",
            f"The query looks for {self.column}: index {subject}.",
        )


TASKS: tuple[Task, ...] = (
    RebuildTable(variation="people", table="people", column="phone", rows=14, unknown=(3, 9)),
    RebuildTable(variation="books", table="books", column="isbn", rows=20, unknown=(5,)),
    RebuildTable(variation="rooms", table="rooms", column="floor", rows=9, unknown=(1, 2, 8)),
    RebuildTable(variation="plants", table="plants", column="latin", rows=17, unknown=()),
    RebuildTable(variation="boats", table="boats", column="harbour", rows=12, unknown=(12,)),
    RebuildTable(variation="bands", table="bands", column="label", rows=16, unknown=(4, 6, 11, 15)),
    RebuildTable(variation="shops", table="shops", column="street", rows=11, unknown=(7, 10)),
    RemoveDuplicates(variation="reader", table="readers", is_shuffled=True, has_capitals=False),
    RemoveDuplicates(variation="member", table="members", is_shuffled=False, has_capitals=True),
    RemoveDuplicates(variation="guest", table="guests", is_shuffled=True, has_capitals=True),
    RemoveDuplicates(variation="buyer", table="buyers", is_shuffled=False, has_capitals=False),
    RemoveDuplicates(variation="pupil", table="pupils", is_shuffled=True, has_capitals=False),
    RemoveDuplicates(variation="donor", table="donors", is_shuffled=True, has_capitals=True),
    RemoveDuplicates(variation="voter", table="voters", is_shuffled=False, has_capitals=True),
    RaisePrices(
        variation="tea", table="drinks", category="tea", others=("coffee", "teapot"), amount=7, has_capitals=True
    ),
    RaisePrices(
        variation="oil", table="goods", category="oil", others=("oilcan", "salt"), amount=15, has_capitals=False
    ),
    RaisePrices(
        variation="ink", table="paper", category="ink", others=("inkwell", "glue"), amount=3, has_capitals=True
    ),
    RaisePrices(
        variation="bus", table="fares", category="bus", others=("train", "ferry"), amount=11, has_capitals=True
    ),
    RaisePrices(
        variation="pen", table="stock", category="pen", others=("pencil", "ruler"), amount=2, has_capitals=False
    ),
    RaisePrices(variation="cat", table="food", category="cat", others=("cattle", "dog"), amount=9, has_capitals=True),
    RaisePrices(variation="sun", table="hats", category="sun", others=("sunset", "rain"), amount=6, has_capitals=True),
    AddIndex(
        variation="orders", table="orders", column="city", condition="lower(city) = 'word7'", expression="lower(city)"
    ),
    AddIndex(
        variation="songs", table="songs", column="title", condition="upper(title) = 'WORD7'", expression="upper(title)"
    ),
    AddIndex(variation="cars", table="cars", column="plate", condition="plate = 'word7'", expression="plate"),
    AddIndex(
        variation="films",
        table="films",
        column="name",
        condition="name = 'WORD7' COLLATE NOCASE",
        expression="name COLLATE NOCASE",
    ),
    AddIndex(
        variation="hosts", table="hosts", column="label", condition="length(label) = 5", expression="length(label)"
    ),
    AddIndex(
        variation="teams", table="teams", column="motto", condition="trim(motto) = 'word7'", expression="trim(motto)"
    ),
    AddIndex(
        variation="towns",
        table="towns",
        column="code",
        condition="substr(code, 5) = '7'",
        expression="substr(code, 5)",
    ),
)
