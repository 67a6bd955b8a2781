"""Results of tau2-bench: `{info, tasks, simulations}`, or one simulation a file."""

from __future__ import annotations

from functools import partial

from pydantic import JsonValue

from msce_graph.records import RecordedEpisode, UtcTime
from msce_graph.sources.format import Excerpt, Format, Found, Place, Score, each, has
from msce_graph.sources.messages import Message, steps, task

_ENDED = frozenset({None, "user_stop", "agent_stop"})
"""How a run ends that nothing cut."""


class _Environment(Excerpt):
    domain_name: str | None = None


class _Agent(Excerpt):
    implementation: str | None = None
    llm: str | None = None


class _Info(Excerpt):
    environment_info: _Environment = _Environment()
    agent_info: _Agent = _Agent()


class _Results(Excerpt):
    info: _Info
    simulations: list[JsonValue]


class _Reward(Excerpt):
    reward: Score | None = None


class _Simulation(Excerpt):
    id: str
    task_id: int | str
    start_time: UtcTime | None = None
    end_time: UtcTime | None = None
    termination_reason: str | None = None
    agent_cost: float | None = None
    reward_info: _Reward | None = None
    messages: tuple[Message, ...]


def _recognises(value: JsonValue) -> bool:
    return has(value, "info", "tasks", "simulations") or has(value, "id", "task_id", "messages", "reward_info")


def _read(value: JsonValue, place: Place) -> Found:
    if not has(value, "simulations"):
        return each([("", value)], partial(_episode, _Info()), place)
    results = _Results.model_validate(value)
    entries = ((str(index), entry) for index, entry in enumerate(results.simulations))
    return each(entries, partial(_episode, results.info), place)


def _episode(info: _Info, _: str, entry: JsonValue, place: Place) -> RecordedEpisode:
    run = _Simulation.model_validate(entry)
    reward = run.reward_info.reward if run.reward_info else None
    return RecordedEpisode(
        coordinates=(run.id,),
        task=task(run.messages),
        task_key=str(run.task_id),
        domain=info.environment_info.domain_name,
        agent=info.agent_info.implementation,
        model=info.agent_info.llm,
        started_at=run.start_time,
        ended_at=run.end_time,
        cost=run.agent_cost,
        score=reward,
        outcome=None if reward is None else f"reward {reward:g}",
        is_complete=run.termination_reason in _ENDED,
        source_format=FORMAT.name,
        source=place.source,
        source_sha256=place.sha256,
        line=place.line,
        steps=steps(run.messages),
    )


FORMAT = Format(
    "tau2", "an object with info, tasks and simulations (tau2-bench), or one simulation", _recognises, _read
)
