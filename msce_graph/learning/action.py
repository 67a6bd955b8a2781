"""What an action really did: the tool that it is evidence about, its kind, its arguments and what it touches."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from msce_graph.learning.shell import read_shell
from msce_graph.learning.sql import read_sql
from msce_graph.records import Kind

Language = Literal["shell", "sql", "verb"]

MENTIONS = 20
"""Names kept of what an action touches."""

_SHELL_FUNCTIONS = re.compile(
    r"bash|sh|shell|terminal|local_shell|shell_command|container\.exec|exec_command|run_in_terminal|run_terminal(_cmd)?"
    r"|(run|execute)_(bash|shell|command|shell_command|bash_command)",
    re.IGNORECASE,
)
_SHELL_ARGUMENTS = ("command", "cmd", "script", "code")
_SQL_FUNCTIONS = re.compile(
    r"sql|sql_query|sql_db_query|query_database|(run|execute)_(sql|query|sql_query)|(read|write)_query", re.IGNORECASE
)
_SQL_ARGUMENTS = ("query", "sql", "statement", "command")

_EXECUTE = re.compile(r"\s*execute\s*\[(?P<inner>.*)", re.DOTALL | re.IGNORECASE)
_BRACKETED = re.compile(r"(?P<verb>[A-Za-z][\w-]*)\s*\[(?P<argument>[^\n]*?)\]?")
_CLOSED = re.compile(r"(?P<verb>[A-Za-z][\w-]*)\[(?P<argument>[^\[\]\n]*)\]")
_VERB = re.compile(r"(?P<verb>[A-Za-z][\w-]*)(?:\s+(?P<rest>\S.*))?")
_ROLES = {
    "to": "destination",
    "from": "source",
    "in/on": "place",
    "in": "place",
    "on": "place",
    "into": "place",
    "onto": "place",
    "inside": "place",
    "at": "target",
    "with": "instrument",
    "using": "instrument",
}
_MARK = re.compile(r"\[redacted [^\]\n]*\]")
_NO_BREAK = "\u00a0"
_NAME = re.compile(r"[^\n]{1,80}")
_LETTER = re.compile(r"[^\W\d_]")
_SHELL_NAME = re.compile(r"[\w./~@:+*?%,=-]{2,}")


@dataclass(frozen=True, slots=True)
class Action:
    """A named action. It may be shared between equal actions, so its arguments are read, never changed."""

    tool: str | None
    """Null where no grammar reads the action; it then has kind text and takes no part in L2."""
    kind: Kind
    arguments: dict[str, JsonValue]
    mentions: tuple[str, ...]
    """Names that the action touches, at most 20, those of its own arguments first."""


def read_call(name: str, arguments: dict[str, JsonValue] | str) -> Action:
    """Return what a function call did: the call itself, or the command that a shell or SQL runner was given.

    Arguments may be JSON text; text that is no JSON object is kept as the argument `text`.
    """
    given = arguments_of(arguments) if isinstance(arguments, str) else arguments
    command = _command_of(name, given)
    if command is not None:
        return read_text(*command)
    return Action(name, "function", given, named(given))


def named(arguments: dict[str, JsonValue]) -> tuple[str, ...]:
    """Return the names among the texts of a call's arguments, at most 20, in document order."""
    return _names(_strings(arguments.values()))


def read_text(text: str, language: Language | None, dialect: str | None = None) -> Action:
    """Return what a raw action did, read by the grammar of its language.

    shell: `shell:PROGRAM` with the arguments that `shell.ShellCommand` describes. sql: `sql:VERB` with `tables`,
    `columns` and `values`. verb: the verb, with `argument` for `verb[argument]`; `take apple 1 from countertop 2` has
    an `object`, and what stands after a preposition by its role (`destination`, `source`, `place`, `target`,
    `instrument`). Without a language only a closed `verb[argument]` is an action, since any sentence begins with a
    word. `execute[...]`, closed or not, is what it executes. What is not read keeps its text as the argument `text`.
    """
    inner = _executed(text)
    if inner is not None and language != "verb":
        return _read(inner, language, dialect) or _unread(text)
    return _read(text, language, dialect) or _unread(text)


def _read(text: str, language: Language | None, dialect: str | None) -> Action | None:
    match language:
        case "shell":
            return _shell(text)
        case "sql":
            return _sql(text, dialect)
        case "verb":
            return _bracketed(text, _BRACKETED) or _phrase(text)
        case None:
            return _bracketed(text, _CLOSED)


def _unread(text: str) -> Action:
    return Action(None, "text", {"text": text}, ())


# Function calls -----------------------------------------------------------------------------------------------------


def arguments_of(text: str) -> dict[str, JsonValue]:
    """Return the arguments that a call gives as text: its JSON object, else the text as the argument `text`."""
    if not text.strip():
        return {}
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    return parsed if isinstance(parsed, dict) else {"text": text}


def _command_of(name: str, arguments: dict[str, JsonValue]) -> tuple[str, Language] | None:
    """Return the command and the language of a function that is itself a shell or an SQL runner."""
    if _SHELL_FUNCTIONS.fullmatch(name):
        command = next((arguments[key] for key in _SHELL_ARGUMENTS if key in arguments), None)
        if isinstance(command, list) and all(isinstance(word, str) for word in command):
            command = shlex.join(str(word) for word in command)
        return (command, "shell") if isinstance(command, str) else None
    if _SQL_FUNCTIONS.fullmatch(name):
        statement = next((arguments[key] for key in _SQL_ARGUMENTS if key in arguments), None)
        return (statement, "sql") if isinstance(statement, str) else None
    return None


# Raw actions --------------------------------------------------------------------------------------------------------


def _executed(text: str) -> str | None:
    """Return what an `execute[...]` holds, up to its last bracket; all of the rest where that was never closed."""
    found = _EXECUTE.fullmatch(text)
    if found is None:
        return None
    inner = found["inner"]
    end = inner.rfind("]")
    after = inner[end + 1 :]
    is_closed = end >= 0 and inner.count("]") > inner.count("[") and (not after.strip() or after.lstrip(" ")[0] == "\n")
    return inner[:end] if is_closed else inner


def _shell(text: str) -> Action | None:
    one_word = _MARK.sub(lambda mark: mark[0].replace(" ", _NO_BREAK), text)  # where a secret stood, one word stood
    try:
        read = read_shell(one_word)
    except RecursionError:  # brackets nested a thousand deep
        return None
    if read is None:
        return None
    command, others = read
    arguments = command.arguments if one_word == text else {k: _spaced(v) for k, v in command.arguments.items()}
    mentions = (word for word in (*command.operands, *others) if _SHELL_NAME.fullmatch(word))
    return Action(f"shell:{command.program}", "shell", arguments, _names(mentions))


def _spaced(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_spaced(each) for each in value]
    return value.replace(_NO_BREAK, " ") if isinstance(value, str) else value


def _sql(text: str, dialect: str | None) -> Action | None:
    statement = read_sql(text, dialect)
    if statement is None:
        return None
    return Action(f"sql:{statement.verb}", "sql", statement.arguments, _names(statement.tables))


def _bracketed(text: str, form: re.Pattern[str]) -> Action | None:
    found = form.fullmatch(text.strip())
    if found is None:
        return None
    argument = found["argument"].strip()
    return Action(found["verb"].lower(), "verb", {"argument": argument} if argument else {}, _names([argument]))


def _phrase(text: str) -> Action | None:
    """Return a `verb argument` action; words before the first preposition are its object."""
    found = _VERB.fullmatch(text.strip())
    if found is None:
        return None
    phrases: dict[str, list[str]] = {}
    role = "object"
    for word in (found["rest"] or "").split():
        following = _ROLES.get(word.lower())
        if following is not None and following not in phrases:
            role = following
            phrases[role] = []
        else:
            phrases.setdefault(role, []).append(word)
    named: dict[str, str] = {role: " ".join(words) for role, words in phrases.items() if words}
    return Action(found["verb"].lower(), "verb", dict(named), _names(named.values()))


# Names that an action touches ---------------------------------------------------------------------------------------


def _strings(values: Iterable[JsonValue]) -> Iterator[str]:
    """Return the strings among nested values, in document order."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from _strings(value)
        elif isinstance(value, dict):
            yield from _strings(value.values())


def _names(words: Iterable[str]) -> tuple[str, ...]:
    """Return the first different words that could name something: one line of at most 80 characters with a letter."""
    names: dict[str, None] = {}
    for word in words:
        if _NAME.fullmatch(word) and _LETTER.search(word):
            names[word] = None
        if len(names) == MENTIONS:
            break
    return tuple(names)
