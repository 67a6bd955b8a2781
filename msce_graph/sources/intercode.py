"""Results of InterCode: an object of index to `{environment, dataset, task_id, query, turn_history, summary}`."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from pydantic import JsonValue, model_validator

from msce_graph.records import Kind, RecordedEpisode, RecordedStep
from msce_graph.sources.format import Excerpt, Format, Found, Place, Score, each, has

_MODEL = re.compile(r"gpt-\d[\d.]*|[a-z]+-\d+b", re.IGNORECASE)


class _Language(NamedTuple):
    """How the actions of an environment are read."""

    language: Literal["shell", "sql", "verb"] | None = None
    dialect: str | None = None
    kind: Kind | None = None


_LANGUAGES = {"ic_bash": _Language("shell"), "ic_sql": _Language("sql", "mysql")}
_PLAIN = _Language(kind="text")
_VERB = _Language("verb")


class _Turns(Excerpt):
    thoughts: tuple[str | None, ...] | None = None
    actions: tuple[str, ...]
    observations: tuple[JsonValue, ...]
    valid_action: tuple[bool | None, ...]

    @model_validator(mode="after")
    def _one_length(self) -> _Turns:
        lists = (self.actions, self.observations, self.valid_action, self.thoughts)
        lengths = [len(turns) for turns in lists if turns is not None]
        if len(set(lengths)) > 1:
            raise ValueError(f"lists of different lengths {lengths}")
        return self


class _Summary(Excerpt):
    max_reward: Score | None = None


class _Run(Excerpt):
    environment: str
    dataset: str
    task_id: int | str
    query: str
    turn_history: _Turns
    summary: _Summary


def _recognises(value: JsonValue) -> bool:
    names = _Run.model_fields
    return isinstance(value, dict) and any(has(entry, *names) for entry in value.values())


def _read(value: JsonValue, place: Place) -> Found:
    if not isinstance(value, dict):
        raise ValueError("not an object of index to episode")
    return each(value.items(), _episode, place)


def _episode(key: str, entry: JsonValue, place: Place) -> RecordedEpisode:
    run = _Run.model_validate(entry)
    score = run.summary.max_reward
    return RecordedEpisode(
        coordinates=(place.source, key),
        task=run.query,
        task_key=f"{run.dataset}#{run.task_id}",
        domain=f"{run.environment}/{PurePosixPath(run.dataset).stem}",
        agent=_agent(place.path),
        score=score,
        outcome=None if score is None else f"max_reward {score:g}",
        source_format=FORMAT.name,
        source=place.source,
        source_sha256=place.sha256,
        line=place.line,
        steps=_steps(run),
    )


def _steps(run: _Run) -> tuple[RecordedStep, ...]:
    turns = run.turn_history
    seen = [text if isinstance(text, str) else json.dumps(text, ensure_ascii=False) for text in turns.observations]
    states = [run.query, *seen]
    made = []
    for index, action in enumerate(turns.actions):
        spoken = _VERB if action.strip() == "submit" else _LANGUAGES.get(run.environment, _PLAIN)
        made.append(
            RecordedStep(
                turn=index,
                state=states[index],
                action=action,
                language=spoken.language,
                dialect=spoken.dialect,
                kind=spoken.kind,
                observation=turns.observations[index],
                is_error=turns.valid_action[index] is False or seen[index].startswith("Error"),
                reflection=(turns.thoughts[index] if turns.thoughts else None) or "",
            )
        )
    return tuple(made)


def _agent(path: Path) -> str | None:
    """Return the agent that the file's folder names, `.../bash/gpt-4/run.json`; null where the file names another."""
    folder = path.resolve().parent
    if folder.parent.name not in {"bash", "sql", "python"}:
        return None
    named = {name.lower() for name in _MODEL.findall(path.stem)}
    return folder.name if named <= {folder.name.lower()} else None


FORMAT = Format(
    "intercode",
    "an object of index to {environment, dataset, task_id, query, turn_history, summary} (InterCode)",
    _recognises,
    _read,
)
