"""Bare conversations of OpenAI messages: an array of them, or `{messages}`."""

from __future__ import annotations

import hashlib
import json
from typing import get_args

from pydantic import JsonValue, TypeAdapter

from msce_graph.records import RecordedEpisode
from msce_graph.sources.format import Format, Found, Place, each
from msce_graph.sources.messages import Message, steps, task

_ROLES = get_args(Message.model_fields["role"].annotation)
_OTHERS = ("reward_info", "trajectory_format")
"""What tells an object with messages as another format's."""
_MESSAGES = TypeAdapter(tuple[Message, ...])


def _recognises(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return not any(name in value for name in _OTHERS) and _is_conversation(value.get("messages"))
    return _is_conversation(value)


def _is_conversation(value: JsonValue) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) and item.get("role") in _ROLES for item in value)


def _read(value: JsonValue, place: Place) -> Found:
    return each([("", value.get("messages") if isinstance(value, dict) else value)], _episode, place)


def _episode(_: str, entry: JsonValue, place: Place) -> RecordedEpisode:
    messages = _MESSAGES.validate_python(entry)
    return RecordedEpisode(
        coordinates=(_content_hash(entry),),
        task=task(messages),
        source_format=FORMAT.name,
        source=place.source,
        source_sha256=place.sha256,
        line=place.line,
        steps=steps(messages),
    )


def _content_hash(conversation: JsonValue) -> str:
    """Return 32 hexadecimal digits that tell one conversation from another; it has no other name."""
    return hashlib.sha256(json.dumps(conversation, sort_keys=True).encode()).hexdigest()[:32]


FORMAT = Format(
    "openai", "an array of {role, content} messages, or an object with them as `messages`", _recognises, _read
)
