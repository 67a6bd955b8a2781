"""Results of tau-bench v1: an array of `{task_id, reward, info, traj}`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, JsonValue

from msce_graph.records import RecordedEpisode
from msce_graph.sources.format import Excerpt, Format, Found, Place, Score, each, has, listed
from msce_graph.sources.messages import Message, steps, task


class _Info(Excerpt):
    reward_info: Annotated[bool, BeforeValidator(bool)] = True
    """Whether there is any, as in every run but those that were cut; what it says is a reference answer."""


class _Run(Excerpt):
    task_id: int | str
    trial: int | str = 0
    reward: Score | None
    info: _Info = _Info()
    traj: tuple[Message, ...]


def _recognises(value: JsonValue) -> bool:
    return any(has(entry, "task_id", "reward", "info", "traj") for _, entry in listed(value))


def _read(value: JsonValue, place: Place) -> Found:
    return each(listed(value), _episode, place)


def _episode(_: str, entry: JsonValue, place: Place) -> RecordedEpisode:
    run = _Run.model_validate(entry)
    return RecordedEpisode(
        coordinates=(place.source, str(run.task_id), str(run.trial)),
        task=task(run.traj),
        task_key=str(run.task_id),
        score=run.reward,
        outcome=None if run.reward is None else f"reward {run.reward:g}",
        is_complete=run.info.reward_info,
        source_format=FORMAT.name,
        source=place.source,
        source_sha256=place.sha256,
        line=place.line,
        steps=steps(run.traj),
    )


FORMAT = Format(
    "tau_bench", "an array of objects with task_id, reward, info and traj (tau-bench v1)", _recognises, _read
)
