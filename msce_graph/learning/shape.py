"""What observations have in common: fields, constant values, or the words that every text has in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from msce_graph.learning.alignment import matches
from msce_graph.learning.procedure import canonical

QUOTE = 80
"""Characters of an observation that derived text may quote (D6.7)."""
_WORDS = 24
_FIELDS = 5
_GAP = "…"


@dataclass(frozen=True, slots=True)
class Observed:
    """What one step saw, as structure where it is JSON."""

    task_key: str
    observation: JsonValue
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What all observations share; empty where they share nothing."""

    fields: tuple[str, ...] = ()
    """Paths that every structured observation has: dots for fields, [] for any element."""
    constants: tuple[tuple[str, str], ...] = ()
    """Paths whose value is the same short text or truth value everywhere, and that value."""
    words: str = ""
    """The words that every text has in order, a mark where others stand between; at most 80 characters."""
    is_silent: bool = False
    """Whether every observation is empty."""


def common_shape(observed: Sequence[Observed], *, tasks: int) -> Shape:
    """Return what the observations share, errors left out; nothing if they are of fewer than `tasks` tasks (D6.7).

    Numbers are never part of it: they name individuals, prices or times.
    """
    worked = [one for one in observed if not one.is_error]
    if len({one.task_key for one in worked}) < tasks:
        return Shape()
    seen = [one.observation for one in worked]
    if all(isinstance(value, dict | list) and value for value in seen):
        return _common_fields([dict(_leaves(value, "")) for value in seen])
    texts = [value for value in seen if isinstance(value, str)]
    if len(texts) < len(seen):
        return Shape()
    if not any(text.strip() for text in texts):
        return Shape(is_silent=True)
    return Shape(words=_common_words(texts))


def _leaves(value: JsonValue, path: str) -> Iterator[tuple[str, JsonValue]]:
    """Yield the scalars of a structure with their paths; of a list the last element decides a path's value."""
    if isinstance(value, dict):
        for name in sorted(value):
            yield from _leaves(value[name], f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for element in value:
            yield from _leaves(element, f"{path}[]")
    else:
        yield path, value


def _common_fields(seen: Sequence[dict[str, JsonValue]]) -> Shape:
    shared = set(seen[0]).intersection(*seen)
    fields = sorted(shared, key=lambda path: (path.count(".") + path.count("[]"), path))[:_FIELDS]
    constants = [
        (path, str(value) if isinstance(value, str) else canonical(value))
        for path, value in ((path, seen[0][path]) for path in fields)
        if "[]" not in path and _is_sayable(value) and len({canonical(one[path]) for one in seen}) == 1
    ]
    return Shape(fields=tuple(fields), constants=tuple(constants))


def _is_sayable(value: JsonValue) -> bool:
    """Whether a value may be quoted: a truth value, or one short line without digits."""
    if isinstance(value, str):
        return 0 < len(value) <= QUOTE // 2 and value.isprintable() and not any(sign.isdigit() for sign in value)
    return isinstance(value, bool)


def _common_words(texts: Sequence[str]) -> str:
    """Return the common subsequence of the texts' first words as one quotable line; empty if it is no two words."""
    told = sorted({tuple(text.split(maxsplit=_WORDS)[:_WORDS]) for text in texts})
    common = [word for word in told[0] if not any(sign.isdigit() for sign in word)]
    for words in told[1:]:
        common = [common[i] for i, _ in matches(common, words, [1] * len(words))]
    gaps: set[int] = set()
    for words in told:
        places = [-1, *(j for _, j in matches(common, words, [1] * len(words))), len(words)]
        gaps.update(i for i in range(len(common) + 1) if places[i + 1] > places[i] + 1)
    if sum(any(sign.isalpha() for sign in word) for word in common) < 2:
        return ""
    line = " ".join(f"{_GAP} {word}" if i in gaps else word for i, word in enumerate((*common, ""))).rstrip()
    line = "".join(sign if sign.isprintable() else " " for sign in line)
    return line if len(line) <= QUOTE else line[: QUOTE - 1] + _GAP
