"""The format of the project's own: JSON lines, each an Episode's properties with `steps`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator

from msce_graph.records import (
    Call,
    Episode,
    Evidence,
    Kind,
    Origin,
    Record,
    RecordedEpisode,
    RecordedStep,
    Reward,
    RewardBasis,
    UtcTime,
)
from msce_graph.sources.format import Format, Found, Place, each, has

Computed = Annotated[JsonValue, Field(default=None, description="Computed anew: accepted, and not read.")]


class NativeStep(Record):
    """One decision: a tool called with arguments, an action of some kind, or where neither is told, mere talk."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    turn: Annotated[int, Field(ge=0)] | None = None
    """The same for all that the agent did before it next saw an answer; never falls. Null: the step's place."""
    state: str = ""
    """What the agent had just been given: the user message or observation before the action."""
    action: str = ""
    """What the agent did or said: a command, a statement, a verb with its object, or words."""
    tool: Annotated[str, Field(min_length=1)] | None = None
    """The name of the function called, or with `kind` the tool as it is kept, such as `shell:git commit`."""
    kind: Kind | None = None
    """How it is meant. With a tool: the tool's name stands as it is. Without: an action of kind shell, sql or verb is
    read by its grammar, one of kind text is kept as it is."""
    arguments: dict[str, JsonValue] | None = None
    """The arguments of the tool."""
    observation: JsonValue = ""
    """What came back: text or structure."""
    is_error: bool = False
    """Whether what came back is an error."""
    reflection: str = ""
    """What the agent thought beside the action."""
    mentions: tuple[str, ...] | None = None
    """The names that the action touches. Null: read from the action."""
    occurred_at: UtcTime | None = None
    """When it was done; without a zone in UTC."""

    key: Computed
    namespace: Computed
    id: Computed
    created_at: Computed
    episode: Computed
    index: Computed
    error_signature: Computed
    alpha: Computed
    value: Computed
    told: Computed
    text: Computed
    embedding: Computed

    @model_validator(mode="after")
    def _names_its_function(self) -> Self:
        if self.kind == "function" and self.tool is None:
            raise ValueError("a step of kind function needs its tool")
        return self

    def recorded(self, place: int) -> RecordedStep:
        """Return the step as any source tells one; `place` is its index among the steps."""
        is_call = self.tool is not None and self.kind is None
        return RecordedStep(
            turn=place if self.turn is None else self.turn,
            state=self.state,
            action=self.action,
            call=Call(name=self.tool, arguments=self.arguments or {}) if is_call and self.tool else None,
            language=self.kind if self.tool is None and self.kind in ("shell", "sql", "verb") else None,
            is_action=self.tool is not None or self.kind is not None,
            observation=self.observation,
            is_error=self.is_error,
            reflection=self.reflection,
            occurred_at=self.occurred_at,
            tool=None if is_call else self.tool,
            kind=self.kind,
            arguments=None if is_call else self.arguments,
            mentions=self.mentions,
        )


class NativeEpisode(Record):
    """One line: a run from goal to outcome."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: Annotated[str, Field(min_length=1)]
    """Names the episode in its namespace."""
    task: str
    """The goal, in words."""
    steps: tuple[NativeStep, ...]
    """The agent's decisions in order."""
    task_key: str | None = None
    """The same for all tries of one task. Null: a hash of the task."""
    domain: str | None = None
    """What the task belongs to. Null: the name of the file."""
    agent: str | None = None
    """Who acted."""
    model: str | None = None
    """The language model behind the agent."""
    started_at: UtcTime | None = None
    """When the run began; without a zone in UTC."""
    ended_at: UtcTime | None = None
    """When the run ended; without a zone in UTC."""
    tokens: int | None = None
    """Tokens that the run took."""
    cost: float | None = None
    """What the run cost."""
    outcome: str | None = None
    """What the source calls the outcome, for people; without `reward` or `solved` it counts for nothing."""
    solved: bool | None = None
    """Whether the goal was reached."""
    reward: Reward | None = None
    """R: -1 is the worst, 1 the best. Null: unknown, and nothing is learned from the episode."""
    reward_basis: RewardBasis | None = None
    """What the reward rests on; goes with `reward`."""
    origin: Origin | None = None
    """How far it is trusted. Null: as the command says."""
    is_complete: bool = True
    """Whether the run ended by itself; false where it was cut."""
    source_format: str | None = None
    """The format that it was first read from. Null: this one."""
    source: str | None = None
    """The source that it was first read from. Null: this file."""
    source_sha256: str | None = None
    """The hash of the file that it was first read from. Null: this one's."""

    key: Computed
    namespace: Computed
    created_at: Computed
    sequence: Computed
    step_count: Computed
    tool_steps: Computed
    content_sha256: Computed
    trajectory_sha256: Computed
    is_learned: Computed

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if (self.reward is None) != (self.reward_basis is None):
            raise ValueError("reward and reward_basis (score, feedback, inferred or self_reported) go together")
        turns = [place if step.turn is None else step.turn for place, step in enumerate(self.steps)]
        if turns != sorted(turns):
            raise ValueError("the turns of the steps go back")
        return self


def dump(episode: Episode, evidence: Sequence[Evidence]) -> str:
    """Return the line, without its end, that reads back as this episode; `evidence` is in the order of the steps."""
    steps = [step.model_dump(mode="json", exclude={"embedding", "graded_by"}) for step in evidence]
    return json.dumps({**episode.model_dump(mode="json"), "steps": steps}, ensure_ascii=False, allow_nan=False)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a line."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **NativeEpisode.model_json_schema()}


def _recognises(value: JsonValue) -> bool:
    return has(value, "id", "task", "steps") and not has(value, "schema_version")


def _read(value: JsonValue, place: Place) -> Found:
    return each([("", value)], _episode, place)


def _episode(_: str, entry: JsonValue, place: Place) -> RecordedEpisode:
    told = NativeEpisode.model_validate(entry)
    return RecordedEpisode(
        coordinates=(told.id,),
        task=told.task,
        task_key=told.task_key,
        domain=told.domain,
        agent=told.agent,
        model=told.model,
        started_at=told.started_at,
        ended_at=told.ended_at,
        tokens=told.tokens,
        cost=told.cost,
        reward=told.reward,
        reward_basis=told.reward_basis,
        solved=told.solved,
        passed=told.solved if told.reward is None else None,
        outcome=told.outcome,
        origin=told.origin,
        is_complete=told.is_complete,
        source_format=told.source_format or FORMAT.name,
        source=told.source or place.source,
        source_sha256=told.source_sha256 or place.sha256,
        line=place.line,
        steps=tuple(step.recorded(index) for index, step in enumerate(told.steps)),
    )


FORMAT = Format("native", "JSON lines, each an episode with id, task and steps (`msce schema`)", _recognises, _read)
