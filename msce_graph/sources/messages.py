"""The walk over a conversation of OpenAI messages, shared by every format that holds one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AliasChoices, BeforeValidator, Field, JsonValue, field_validator, model_validator

from msce_graph.records import Call, RecordedStep, UtcTime
from msce_graph.sources.format import Excerpt
from msce_graph.sources.reading import parse

THOUGHTS = frozenset({"think"})
"""Functions that do nothing but think: no step, but the reflection of the next one."""

_TEXTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
_MEDIA = frozenset({"image_url", "input_image", "input_audio", "audio", "file", "input_file"})


def _text(content: JsonValue) -> JsonValue:
    """Return the text of a content: null is empty, of a list the texts of its parts, media by their type."""
    if content is None:
        return ""
    return "\n".join(_part(part) for part in content) if isinstance(content, list) else content


def _part(part: JsonValue) -> str:
    if isinstance(part, str):
        return part
    kind = part.get("type") if isinstance(part, dict) else None
    if isinstance(part, dict) and isinstance(kind, str):
        text = part.get(_TEXTS.get(kind, ""))
        if isinstance(text, str):
            return text
        if kind in _MEDIA:
            return f"[{kind}]"
    raise ValueError(f"a content part of unknown type {kind!r}")


def _or_none(value: JsonValue) -> JsonValue:
    return [] if value is None else value


Content = Annotated[str, BeforeValidator(_text)]


class ToolCall(Excerpt):
    """One call of a message, with its function's name and arguments beside the id or, as OpenAI has it, one below."""

    id: str | int | None = None
    name: str
    arguments: dict[str, JsonValue] | str = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: JsonValue) -> JsonValue:
        function = value.get("function") if isinstance(value, dict) else None
        return {**value, **function} if isinstance(value, dict) and isinstance(function, dict) else value

    @field_validator("arguments", mode="before")
    @classmethod
    def _structure(cls, value: JsonValue) -> JsonValue:
        """Return the object that the arguments are or spell; what spells none stays text."""
        if value is None or value == "":
            return {}
        if not isinstance(value, str):
            return value if isinstance(value, dict) else json.dumps(value, ensure_ascii=False)
        try:
            parsed = parse(value)
        except ValueError:
            return value
        return parsed if isinstance(parsed, dict) else value

    def __str__(self) -> str:
        """Return the call as a line of text."""
        return f"{self.name}({json.dumps(self.arguments, ensure_ascii=False)})"

    @property
    def thought(self) -> str:
        """What a call of `think` says."""
        if isinstance(self.arguments, str):
            return self.arguments
        return "\n".join(said for said in self.arguments.values() if isinstance(said, str))


class Message(Excerpt):
    """One message: of OpenAI's chat, or of tau2 with its `error`, `requestor` and `timestamp`."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Content = ""
    reasoning_content: Content = ""
    tool_calls: Annotated[tuple[ToolCall, ...], BeforeValidator(_or_none)] = ()
    call_id: str | int | None = Field(default=None, validation_alias=AliasChoices("tool_call_id", "id"))
    error: bool | None = None
    requestor: str | None = None
    timestamp: UtcTime | None = None

    @property
    def is_error(self) -> bool:
        """Whether a tool's answer is an error: as it says itself, else by its first word."""
        return self.content.startswith("Error") if self.error is None else self.error


def task(messages: Sequence[Message]) -> str:
    """Return the first user message; raise ValueError where there is none."""
    for message in messages:
        if message.role == "user":
            return message.content
    raise ValueError("no user message, so no task")


def steps(messages: Sequence[Message]) -> tuple[RecordedStep, ...]:
    """Return the agent's steps: one a call, and one a message without calls, which the user's reply observes.

    System messages are not read: they may hold the very rules that induced policies are scored against.
    """
    walk = _Walk()
    for message in messages:
        if message.role == "assistant":
            walk.decide(message)
        elif message.role == "tool":
            walk.answer(message)
        elif message.role == "user":
            walk.hear(message)
    return walk.finish()


@dataclass(slots=True)
class _Step:
    """A step whose observation may still come."""

    turn: int
    state: str
    thoughts: list[str]
    occurred_at: datetime | None
    call: Call | None = None
    said: str = ""
    observations: list[str] = field(default_factory=list)
    is_error: bool = False

    def recorded(self) -> RecordedStep:
        return RecordedStep(
            turn=self.turn,
            state=self.state,
            action=self.said,
            call=self.call,
            is_action=self.call is not None,
            observation="\n".join(self.observations),
            is_error=self.is_error,
            reflection="\n".join(self.thoughts),
            occurred_at=self.occurred_at,
        )


@dataclass(slots=True, eq=False)
class _Open:
    """A call that waits for its result; a thought's has no step."""

    message: int
    id: str | int | None
    step: _Step | None


class _Walk:
    """What is known half-way through a conversation."""

    def __init__(self) -> None:
        self.steps: list[_Step] = []
        self.open: list[_Open] = []
        self.thoughts: list[str] = []
        self.given: list[str] = []
        self.state = ""
        self.decisions = 0
        self.is_answered = False

    def decide(self, message: Message) -> None:
        """Take an assistant message: its steps, and its thoughts as their reflection or that of the next step."""
        self.decisions += 1
        if self.given:
            self.state, self.given = "\n".join(self.given), []
        self.thoughts += self._beside(message)
        made = [self._step(message, call) for call in message.tool_calls]
        if not message.tool_calls and message.content:
            made.append(self._step(message, None))
        self.open += [
            _Open(self.decisions, call.id, step) for call, step in zip(message.tool_calls, made, strict=False)
        ]
        new = [step for step in made if step]
        if new:
            self.steps += new
            self.thoughts, self.is_answered = [], False

    def answer(self, message: Message) -> None:
        """Take a tool's result: the observation of its call, or no more than state where the agent called none."""
        call = None if message.requestor == "user" else self._called(message.call_id)
        if call:
            self.open.remove(call)
            if not call.step:
                return
            call.step.observations.append(message.content)
            call.step.is_error = message.is_error
        self._give(message.content)

    def hear(self, message: Message) -> None:
        """Take a user's message, with the calls that a simulated user makes."""
        text = "\n".join(filter(None, [message.content, *map(str, message.tool_calls)]))
        if self.steps and self.steps[-1].call is None:
            self.steps[-1].observations.append(text)
        self._give(text)

    def finish(self) -> tuple[RecordedStep, ...]:
        """Return the steps; thoughts that no step followed are added to the last one."""
        if self.steps:
            self.steps[-1].thoughts = self.steps[-1].thoughts + self.thoughts
        return tuple(step.recorded() for step in self.steps)

    def _give(self, text: str) -> None:
        self.given.append(text)
        self.is_answered = True

    def _beside(self, message: Message) -> list[str]:
        thoughts = [message.reasoning_content, message.content if message.tool_calls else ""]
        thoughts += [call.thought for call in message.tool_calls if call.name in THOUGHTS]
        return [thought for thought in thoughts if thought]

    def _step(self, message: Message, call: ToolCall | None) -> _Step | None:
        """Return the step of a call, or of what a message without calls says; null for a thought."""
        if call and call.name in THOUGHTS:
            return None
        return _Step(
            turn=self.steps[-1].turn + self.is_answered if self.steps else 0,
            state=self.state,
            thoughts=self.thoughts,
            occurred_at=message.timestamp,
            call=Call(name=call.name, arguments=call.arguments) if call else None,
            said="" if call else message.content,
        )

    def _called(self, id: str | int | None) -> _Open | None:
        """Return the call that a result belongs to.

        Ids repeat within a conversation, so the calls of the message just before come first: the one of this id. Then
        an earlier one of this id, the latest first; then the first that the message just before left open.
        """
        just_before = [call for call in self.open if call.message == self.decisions]
        same_id = [call for call in just_before if call.id == id] or [c for c in reversed(self.open) if c.id == id]
        return next(iter(same_id or just_before), None)
