"""What an SQL statement does, and the tables, columns and values that it names, by an SQL parser."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from pydantic import JsonValue
from sqlglot import ErrorLevel, exp, parse_one, tokenize
from sqlglot.errors import SqlglotError

logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of each statement that it reads only in part

_NO_STATEMENT = (exp.Condition, exp.Alias, exp.Tuple)
_FRAMES = frozenset({"BEGIN", "START", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"})
_ONE_WORD = {"DESC": "DESCRIBE"}
_PRAGMA_OF_A_TABLE = re.compile(r"table_x?info|index_list|foreign_key_list", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its verb in capitals, and what it names, each sorted and without repeats."""

    verb: str
    tables: tuple[str, ...]
    columns: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    @property
    def arguments(self) -> dict[str, JsonValue]:
        """The tables, always, and columns and values where there are any."""
        named: dict[str, JsonValue] = {"tables": list(self.tables)}
        if self.columns:
            named["columns"] = list(self.columns)
        if self.values:
            named["values"] = list(self.values)
        return named


@lru_cache(maxsize=4096)
def read_sql(text: str, dialect: str | None = None) -> Statement | None:
    """Return the last statement of a text that does not merely frame a transaction; null where it is no SQL.

    The verb is the first word of the statement proper, after comments, parentheses and common table expressions.
    """
    try:
        statements = list(_statements(text, dialect))
    except (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, LookupError):
        return None  # the parser itself meets any of these in text that is no SQL
    if not statements or None in statements:
        return None
    read = [statement for statement in statements if statement is not None]
    return next((each for each in reversed(read) if each.verb not in _FRAMES), read[-1])


def _statements(text: str, dialect: str | None) -> Iterator[Statement | None]:
    """Return the statements of a text, null for one that is an expression only."""
    for first, statement in _split(text, dialect):
        if first == "REPLACE":  # SQLite's and MySQL's other name of an insert, which the parser does not know
            statement = "INSERT" + statement[len(first) :]
        tree = parse_one(statement, read=dialect, error_level=ErrorLevel.RAISE)
        yield None if isinstance(tree, _NO_STATEMENT) else _statement(tree, _ONE_WORD.get(first, first))


def _split(text: str, dialect: str | None) -> Iterator[tuple[str, str]]:
    """Return the first word in capitals and the text of each statement, without the comments around it."""
    tokens = tokenize(text, read=dialect)
    for is_end, group in groupby(tokens, key=lambda token: token.token_type.name == "SEMICOLON"):
        if not is_end:
            first, *rest = group
            yield first.text.upper(), text[first.start : (rest or [first])[-1].end + 1]


def _statement(tree: exp.Expr, first_word: str) -> Statement:
    """Return what a parsed statement names."""
    verb = first_word
    if first_word == "WITH" or isinstance(tree, exp.Query):
        verb = "SELECT" if isinstance(tree, exp.Query) else tree.key.upper()
    asked = _asked_about(tree)
    if asked is not None:
        return Statement(verb, _sorted({asked}))
    tables: set[str] = set()
    expressions: set[str] = set()
    columns: set[str] = set()
    values: set[str] = set()
    for node in tree.walk():
        if isinstance(node, exp.CTE):
            expressions.add(node.alias)
        elif isinstance(node, exp.Table):
            tables.add(".".join(part.name for part in node.parts if isinstance(part, exp.Identifier)))
        elif isinstance(node, exp.Column) and node.name:
            columns.add(node.name)
        elif isinstance(node, exp.Literal):
            values.add(node.name)
    return Statement(verb, _sorted(tables - expressions), _sorted(columns), _sorted(values))


def _asked_about(tree: exp.Expr) -> str | None:
    """Return the table that a MySQL SHOW or an SQLite PRAGMA asks about, empty for none; null for other statements."""
    if isinstance(tree, exp.Show):
        return tree.text("target")
    if isinstance(tree, exp.Pragma):
        named = tree.find(exp.Column, exp.Literal)
        return named.name if named is not None and _PRAGMA_OF_A_TABLE.search(tree.sql()) else ""
    return None


def _sorted(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names - {""}))
