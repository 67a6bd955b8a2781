"""ALFWorld games as KnowAgent writes them: JSON lines of `{name, result, traj}`."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import JsonValue, StrictBool

from msce_graph.records import RecordedEpisode, RecordedStep
from msce_graph.sources.format import Excerpt, Format, Found, Place, each, has

VERBS = frozenset({"go", "open", "take", "put", "use", "close", "clean", "heat", "cool", "examine"})
"""The game's commands; another first word is text."""

_OPENING = "You are in the middle of a room"
_TASK = re.compile(r"^Your task is to: *(.*)$", re.MULTILINE)
_PROMPT = re.compile(r"^> ?", re.MULTILINE)
_THOUGHT = re.compile(r"(?:Think|ActionPath): *(.*)")
_NO_EFFECT = "Nothing happens."


class _Game(Excerpt):
    name: str
    result: StrictBool | Literal[0, 1] | None
    traj: str


def _recognises(value: JsonValue) -> bool:
    return isinstance(value, dict) and has(value, "name", "result", "traj") and str(value["traj"]).startswith(_OPENING)


def _read(value: JsonValue, place: Place) -> Found:
    return each([("", value)], _episode, place)


def _episode(_: str, entry: JsonValue, place: Place) -> RecordedEpisode:
    game = _Game.model_validate(entry)
    opening, *moves = _PROMPT.split(game.traj)
    asked = _TASK.search(opening)
    if not asked:
        raise ValueError("no line `Your task is to: ..`")
    return RecordedEpisode(
        coordinates=(game.name,),
        task=asked[1].strip(),
        task_key=game.name.split("/")[0],
        domain=game.name.split("-")[0],
        passed=None if game.result is None else bool(game.result),
        outcome=None if game.result is None else f"result {str(bool(game.result)).lower()}",
        source_format=FORMAT.name,
        source=place.source,
        source_sha256=place.sha256,
        line=place.line,
        steps=_steps(opening[: asked.start()].strip(), moves),
    )


def _steps(room: str, moves: list[str]) -> tuple[RecordedStep, ...]:
    """Return the steps of the moves, each a line that the agent wrote and the lines that answered it."""
    made: list[RecordedStep] = []
    thoughts: list[str] = []
    state = room
    for move in moves:
        written, _, answered = move.partition("\n")
        if thought := _THOUGHT.match(written):
            thoughts.append(thought[1].strip())
            continue
        made.append(_step(len(made), state, written.strip(), answered.strip(), thoughts))
        thoughts, state = [], answered.strip()
    if made and thoughts:
        last = made[-1]
        made[-1] = last.model_copy(update={"reflection": "\n".join(filter(None, [last.reflection, *thoughts]))})
    return tuple(made)


def _step(turn: int, state: str, action: str, observation: str, thoughts: list[str]) -> RecordedStep:
    is_command = action.split(" ")[0] in VERBS
    return RecordedStep(
        turn=turn,
        state=state,
        action=action,
        language="verb" if is_command else None,
        kind=None if is_command else "text",
        observation=observation,
        is_error=observation == _NO_EFFECT,
        reflection="\n".join(filter(None, thoughts)),
    )


FORMAT = Format(
    "alfworld", "JSON lines of {name, result, traj}, traj a game of ALFWorld (KnowAgent)", _recognises, _read
)
