"""Where the arguments of a step came from: an earlier observation, a user message or the task."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, Protocol

from pydantic import JsonValue

from msce_graph.records import Derivation

SHORTEST = 3
"""Characters that a value has at least, to be told from a coincidence."""

_TRUTHS = frozenset({"true", "false", "null", "none"})
_WORD = re.compile(r"[A-Za-z0-9_]+")


class Step(Protocol):
    """What the data flow needs of a step."""

    @property
    def turn(self) -> int:
        """Number of the turn; it does not decrease from step to step."""

    @property
    def arguments(self) -> Mapping[str, JsonValue]:
        """The action's arguments."""

    @property
    def observation(self) -> JsonValue:
        """What the step saw: structure, JSON written as text, or text."""


def derivations(steps: Sequence[Step]) -> tuple[Derivation, ...]:
    """Return where arguments took their values from, in the order of steps and arguments (D3.7).

    A value of 3 characters or more leads to the nearest step of an earlier turn whose observation shows it: as a value
    or the name of a field, with the path of the first such place (dots for fields, [] for any element), or at word
    boundaries inside a text, with the path of that text, null where it is the whole observation. Each element of a
    list counts by itself; what is nested has the name of its argument.
    """
    shown = _Shown()
    pending = 0
    found: dict[Derivation, None] = {}
    for index, step in enumerate(steps):
        while pending < index and steps[pending].turn < step.turn:
            shown.add(pending, steps[pending].observation)
            pending += 1
        for argument, value in step.arguments.items():
            for leaf in _leaves(value):
                place = shown.nearest(leaf)
                if place is not None:
                    found[Derivation(step=index, argument=argument, source=place.step, path=place.path)] = None
    return tuple(found)


def told(
    arguments: Mapping[str, JsonValue], messages: Sequence[str], task: str
) -> dict[str, Literal["message", "task"]]:
    """Return the arguments whose values all stand in one of the user messages, or else in the task.

    `messages` are those that came before the action. Of a list or a nested value every part of 3 characters or more
    must be said.
    """
    said: dict[str, Literal["message", "task"]] = {}
    for argument, value in arguments.items():
        leaves = list(_leaves(value))
        if not leaves:
            continue
        if all(any(_stands_in(leaf, message) for message in messages) for leaf in leaves):
            said[argument] = "message"
        elif all(_stands_in(leaf, task) for leaf in leaves):
            said[argument] = "task"
    return said


@dataclass(frozen=True, slots=True)
class _Place:
    step: int
    path: str | None


class _Shown:
    """The observations so far, by the values and the words that they show."""

    def __init__(self) -> None:
        self._exact: dict[str, _Place] = {}
        self._texts: dict[int, list[tuple[str, str | None]]] = {}
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._in_text: dict[str, tuple[int, _Place | None]] = {}

    def add(self, step: int, observation: JsonValue) -> None:
        """Take in the observation of a step later than all that were added."""
        structure = _structure(observation)
        if isinstance(structure, str):
            self._add_text(step, structure, None)
            return
        first: dict[str, str] = {}
        for value, path, is_name in _places(structure):
            first.setdefault(value, path)
            if not is_name and any(character.isspace() for character in value):
                self._add_text(step, value, path)
        for value, path in first.items():
            self._exact[value] = _Place(step, path)

    def _add_text(self, step: int, text: str, path: str | None) -> None:
        self._texts.setdefault(step, []).append((text, path))
        for word in dict.fromkeys(_WORD.findall(text)):
            steps = self._by_word[word]
            if not steps or steps[-1] != step:
                steps.append(step)

    def nearest(self, value: str) -> _Place | None:
        """Return the place of a value in the latest observation that shows it, an exact one before one in a text."""
        exact, inside = self._exact.get(value), self._inside(value)
        if exact is None or inside is None:
            return exact or inside
        return inside if inside.step > exact.step else exact

    def _inside(self, value: str) -> _Place | None:
        """Return the place of a value in the latest text; what was searched before is not searched again."""
        searched, place = self._in_text.get(value, (-1, None))
        candidates = self._candidates(value)
        for step in takewhile(lambda step: step > searched, reversed(candidates)):
            found = next((_Place(step, path) for text, path in self._texts[step] if _stands_in(value, text)), None)
            if found is not None:
                place = found
                break
        self._in_text[value] = (candidates[-1] if candidates else -1, place)
        return place

    def _candidates(self, value: str) -> Sequence[int]:
        """Return the steps whose texts could hold a value: those with its longest word as a word."""
        words = _WORD.findall(value)
        return self._by_word.get(max(words, key=len), ()) if words else list(self._texts)


def _structure(observation: JsonValue) -> JsonValue:
    """Return the JSON object or list that a text is; anything else as it stands, but no bare number or truth value."""
    if isinstance(observation, str):
        if observation.lstrip()[:1] in ("{", "["):
            try:
                parsed: JsonValue = json.loads(observation)
            except (ValueError, RecursionError):
                return observation
            return parsed
        return observation
    return observation if isinstance(observation, dict | list) else _scalar(observation)


def _places(structure: JsonValue) -> Iterator[tuple[str, str, bool]]:
    """Return the values and the names of fields below a value, with their path and whether it is a name, in order."""
    waiting: list[tuple[JsonValue, str, bool]] = [(structure, "", False)]
    while waiting:
        value, path, is_name = waiting.pop()
        if isinstance(value, dict):
            for key, inner in reversed(value.items()):
                waiting += [(inner, f"{path}.{key}" if path else key, False), (key, path, True)]
        elif isinstance(value, list):
            waiting += [(inner, f"{path}[]", False) for inner in reversed(value)]
        else:
            yield _scalar(value), path, is_name


def _leaves(value: JsonValue) -> Iterator[str]:
    """Return the values inside an argument that identify something, as text."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif _identifies(text := _scalar(value)):
        yield text


def _identifies(text: str) -> bool:
    """Return whether a value can be told from a coincidence."""
    return len(text) >= SHORTEST and text.lower() not in _TRUTHS and any(map(str.isalnum, text))


def _scalar(value: JsonValue) -> str:
    """Return a text or a number as text; of a truth value or null nothing."""
    return "" if value is None or isinstance(value, bool) else str(value)


def _stands_in(value: str, text: str) -> bool:
    """Return whether a value stands in a text and no letter or digit of ASCII continues it on either side."""
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if not _joined(text, at) and not _joined(text, end):
            return True
        at = text.find(value, at + 1)
    return False


def _joined(text: str, at: int) -> bool:
    """Return whether the characters on both sides of a position belong to one word."""
    return 0 < at < len(text) and bool(_WORD.fullmatch(text[at - 1 : at + 1]))
