"""What a fault looks like wherever it occurs, whose error a step answers, and the pattern that both belong to."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pydantic import JsonValue

SIGNATURE_LIMIT = 200
"""Characters of an error signature at most."""
NO_MESSAGE = "no message"
"""The signature of an error that says nothing."""

_LINE_LIMIT = 1000
_TRACEBACK = "Traceback (most recent call last)"
_CUT_MARKER = re.compile(r"\[\.\.\. \d+ characters cut \.\.\.\]")
_SAYS_FAULT = re.compile(
    r"error|exception|fail|fatal|denied|cannot|can't|could not|unable|not found|no such|invalid|illegal|unknown"
    r"|unexpected|unrecognized|undefined|missing|refused|timed? ?out|nothing happens"
    r"|错误|异常|失败|无法|不存在|没有|拒绝|超时",
    re.IGNORECASE,
)
_SUFFIXES = (
    "bak|bin|c|cc|cfg|class|conf|cpp|css|csv|dat|db|doc|docx|env|gif|go|gz|h|hpp|html?|ini|ipynb|jar|java|jpe?g|jsx?|json|jsonl"
    "|lock|log|md|o|out|parquet|pdf|php|png|pyc?|rb|rs|rst|sh|so|sql|sqlite3?|svg|tar|tgz|tmp|toml|tsx?|txt|xlsx?|xml|ya?ml|zip"
)
_REMOVED = tuple(
    re.compile(pattern)
    for pattern in (
        r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>（），。；]+",  # addresses
        r"[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
        r"(?<=right syntax to use near ).*",  # MySQL quotes text that has quotes in it
        r"^.*(?=: -c: line \d)",  # bash repeats the script it was given by -c
        r"`(?:'|[^`'\n]+)?['`]",  # quoted text, the GNU way first
        r"“[^”\n]*”|‘[^’\n]*’|「[^」\n]*」|『[^』\n]*』|《[^》\n]*》|«[^»\n]*»",
        r'"(?:[^"\\\n]|\\.)*"',
        r"(?<![A-Za-z0-9])'(?:[^'\n]|(?<=[A-Za-z0-9])'(?=[A-Za-z0-9]))*'(?![A-Za-z0-9])",
        r"(?<![A-Za-z0-9_.~])(?:[A-Za-z]:(?=\\))?(?:~|\.{1,2})?(?:[\\/]+[A-Za-z0-9_.@%+~*-]+)+[\\/]?",  # paths
        r"(?<![A-Za-z0-9_])[A-Za-z0-9_.@+-]+(?:/[A-Za-z0-9_.@+*-]+)+/?",
        rf"(?<![A-Za-z0-9_])[A-Za-z0-9_*-]+\.(?:{_SUFFIXES})(?![A-Za-z0-9_])",
        r"(?<![A-Za-z0-9])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![A-Za-z0-9])",  # ids and IPv6 without a digit
        r"\[?(?<![A-Za-z0-9:])(?=[0-9A-Fa-f:]*\d)[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![A-Za-z0-9])\]?",
        r"[-+$€£¥]?[A-Za-z0-9_]*\d[A-Za-z0-9_]*(?:[.,:+-][A-Za-z0-9_]*\d[A-Za-z0-9_]*)*%?",  # whatever holds a digit
        r"(?:(?<=no such table: )|(?<=no such column: )|(?<=no such function: ))[\w.]+",  # SQLite quotes no names
    )
)
_RUN = re.compile(r"\*(?:[\s+:,./@-]*\*)+")


@lru_cache(maxsize=4096)
def _of_text(text: str) -> str:
    """Return the signature of an error that is text."""
    lines: dict[str, None] = {}
    for line in _fault_lines(_CUT_MARKER.sub(" ", text)):
        lines[_normalised(line)] = None
    return " ".join(" ".join(lines).split())[:SIGNATURE_LIMIT].rstrip() or NO_MESSAGE


def error_signature(observation: JsonValue) -> str:
    """Return what is left of an error without quoted text, numbers, paths, ids, addresses and times (D4.2).

    Each that is removed leaves a `*`. A traceback's fault is its final exception; of a longer text the lines that speak
    of a fault count, each once; of a JSON body the names and the texts inside. Never empty, at most 200 characters.
    """
    parsed = _body(observation) if isinstance(observation, str) else observation
    if isinstance(parsed, dict | list):
        return _of_text("\n".join(_members(parsed)))
    return _of_text(str(observation))


def answers(turns: Sequence[int], tools: Sequence[str | None], errors: Sequence[bool]) -> list[int | None]:
    """Return for each step whose error it answers: that of the last tool step of an earlier turn, if it failed (D4.2).

    The three sequences hold a step each, in order; turns do not decrease.
    """
    answered: list[int | None] = []
    before: int | None = None
    last: int | None = None
    for index, (turn, tool) in enumerate(zip(turns, tools, strict=True)):
        if index and turn != turns[index - 1]:
            before = last
        answered.append(before if before is not None and errors[before] else None)
        if tool is not None:
            last = index
    return answered


def pattern_id(domain: str, tool: str, signature: str) -> str:
    """Return the id of a pattern: SHA-256 over domain, tool and error signature, 32 hexadecimal digits."""
    named = json.dumps([domain, tool, signature], ensure_ascii=True)
    return hashlib.sha256(named.encode("ascii")).hexdigest()[:32]


def _body(text: str) -> JsonValue:
    """Return the JSON object or list that a text is, else null."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        parsed: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed


def _members(body: JsonValue) -> Iterator[str]:
    """Return the texts inside a JSON value in document order, each on a line with its name."""
    waiting = [("", body)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting += reversed(value.items())
        elif isinstance(value, list):
            waiting += [(name, inner) for inner in reversed(value)]
        elif isinstance(value, str):
            yield f"{name}: {value}" if name else value


def _fault_lines(text: str) -> list[str]:
    """Return the lines of a text that tell its fault."""
    if _TRACEBACK in text:
        after = text.rsplit(_TRACEBACK, 1)[1].splitlines()[1:]
        final = next((line for line in after if line and not line[0].isspace()), None)
        if final is not None:
            return [final]
    lines = [line for line in text.splitlines() if line.strip()]
    return [line for line in lines if _SAYS_FAULT.search(line)] or lines


def _normalised(line: str) -> str:
    line = line[:_LINE_LIMIT]  # some patterns take time by the square of the length
    for pattern in _REMOVED:
        line = pattern.sub("*", line)
    return _RUN.sub("*", line)
