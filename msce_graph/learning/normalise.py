"""What a source says of an episode, made into the records that are kept: redacted, cut, named, linked and valued."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Protocol

from pydantic import JsonValue

from msce_graph.learning.action import MENTIONS, Action, arguments_of, named, read_call, read_text
from msce_graph.learning.dataflow import derivations, told
from msce_graph.learning.fencing import unfence
from msce_graph.learning.redaction import redact, redact_value
from msce_graph.learning.reflection import grade
from msce_graph.learning.reward import Outcome, reward
from msce_graph.learning.signature import answers, error_signature
from msce_graph.learning.value import values
from msce_graph.records import Derivation, Episode, Evidence, Origin, RecordedEpisode, RecordedStep, Remark
from msce_graph.settings import Settings

_HEAD = 0.55
_DEEPEST = 32
_LONGEST_NAME = 500
"""Characters of a name that is a key or part of one: an index of Neo4j takes 8,000 bytes."""
_ARGUMENTS = 4
_SHARES = (0.9, 0.5, 0.25)
_TRUST: tuple[Origin, ...] = ("own", "imported", "untrusted")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_SEEN = {"task": 250, "arguments": 300, "reflection": 400, "observation": 250}


class Graded(Protocol):
    """What a grader says of a reflection."""

    @property
    def alpha(self) -> float:
        """How much the reflection weighs, in [0, 1]."""


class Grader(Protocol):
    """Grades a reflection by its local context (D3.5)."""

    def __call__(
        self,
        reflection: str,
        *,
        state: str,
        tool: str | None,
        arguments: Mapping[str, JsonValue],
        observation: JsonValue,
    ) -> Graded:
        """Return the grade of a reflection that is not empty."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """An episode with its steps in order and the edges between them."""

    episode: Episode
    evidence: tuple[Evidence, ...]
    derivations: tuple[Derivation, ...]
    remark: Remark | None = None


def normalise(
    recorded: RecordedEpisode,
    *,
    namespace: str,
    origin: Origin,
    settings: Settings,
    now: datetime,
    grade: Grader = grade,
) -> Normalised:
    """Return the records of an episode, without embeddings (D3).

    Secrets go first, then text is cut, so that no half of a secret stays; the tool is read from what is whole. The
    episode is trusted as far as both `origin` and the source's own word allow. Raises ValueError for a score out of
    range.
    """
    task = _kept(recorded.task, settings.state_limit)
    steps = [_Step.of(step, settings) for step in recorded.steps]
    outcome = _outcome(recorded, settings)
    id = _name(_CONTROL.sub("", "/".join(recorded.coordinates)))
    evidence = _evidence(
        steps, outcome, task=task, namespace=namespace, episode=id, settings=settings, now=now, grade=grade
    )
    said = None if recorded.outcome is None else _kept(recorded.outcome, settings.observation_limit)
    trajectory: list[JsonValue] = [task, *step_hashes(evidence)]
    return Normalised(
        Episode(
            namespace=namespace,
            id=id,
            created_at=now,
            task=task,
            task_key=_name(recorded.task_key) if recorded.task_key is not None else _sha256(task)[:16],
            domain=_name(recorded.domain or _stem(recorded.source)),
            agent=recorded.agent,
            model=recorded.model,
            started_at=recorded.started_at,
            ended_at=recorded.ended_at,
            step_count=len(evidence),
            tool_steps=sum(step.tool is not None for step in evidence),
            tokens=recorded.tokens,
            cost=recorded.cost,
            outcome=said,
            solved=outcome.solved,
            reward=outcome.reward,
            reward_basis=outcome.basis,
            source_format=recorded.source_format,
            source=_said(recorded.source),
            source_sha256=recorded.source_sha256,
            content_sha256=_sha256([trajectory, outcome.reward, outcome.solved, outcome.basis, said]),
            trajectory_sha256=_sha256(trajectory),
            origin=max(origin, recorded.origin or origin, key=_TRUST.index),
            is_complete=recorded.is_complete,
        ),
        evidence,
        derivations(evidence),
        recorded.remark,
    )


def cut(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters: 55 % head, 45 % tail, and between them how much was cut."""
    if len(text) <= limit:
        return text
    room = limit - len(_marker(len(text)))
    if room <= 0:
        return text[:limit]
    head = int(room * _HEAD)
    return text[:head] + _marker(len(text) - room) + text[len(text) - room + head :]


def step_hashes(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Return a hash of each step over what was normalised of it, the same for the same step of any episode."""
    return tuple(
        _sha256([e.state, e.action, e.tool, e.arguments, e.observation, e.is_error, e.reflection]) for e in evidence
    )


def is_extension(stored: Sequence[Evidence], new: Sequence[Evidence]) -> bool:
    """Return whether the new steps only go on where the stored ones end (D3.3).

    The stored ones are a strict prefix, or would be if the last had seen its answer: a log that grows ends before it.
    """
    before, after = step_hashes(stored), step_hashes(new[: len(stored)])
    if before == after:
        return len(stored) < len(new)
    if not stored or len(after) < len(before) or stored[-1].observation != "":
        return False
    unanswered = new[len(stored) - 1].model_copy(update={"observation": "", "is_error": stored[-1].is_error})
    return (*after[:-1], *step_hashes([unanswered])) == before


def vector_text(task: str, tool: str, arguments: Iterable[str], signature: str) -> str:
    """Return what is embedded of a step: task, tool, names of its arguments and error signature (D4.3)."""
    return "\n".join(filter(None, [task, tool, " ".join(arguments), signature]))


# One step -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Step:
    """A step that is redacted, cut and named, before it is seen among the others."""

    recorded: RecordedStep
    state: str
    text: str
    action: Action
    arguments: dict[str, JsonValue]
    observation: JsonValue
    reflection: str

    @classmethod
    def of(cls, recorded: RecordedStep, settings: Settings) -> _Step:
        text = redact(_said(recorded.action))
        action, call = _action(recorded, text)
        limit = settings.observation_limit
        return cls(
            recorded=recorded,
            state=_kept(recorded.state, settings.state_limit),
            text=cut(text or call, limit),
            action=replace(action, tool=action.tool and _short(action.tool)),
            arguments=_bounded_arguments(action.arguments, limit),
            observation=_bounded_observation(recorded.observation, limit),
            reflection=_kept(recorded.reflection, limit),
        )

    @property
    def is_talk(self) -> bool:
        """Whether the step only said something, which a user's message answers."""
        return self.action.kind == "text" and not self.arguments


def _action(recorded: RecordedStep, text: str) -> tuple[Action, str]:
    """Return what a step did, read from its redacted text or call, and the call as text."""
    if not recorded.is_action:
        return Action(None, "text", {}, ()), ""
    if recorded.call is not None:
        given = recorded.call.arguments
        arguments = _redacted_arguments(arguments_of(given) if isinstance(given, str) else given)
        name = _said(recorded.call.name)
        return read_call(name, arguments), f"{name}({_json(arguments)})"
    if recorded.tool is None and recorded.kind != "text":
        return read_text(text, recorded.language, recorded.dialect), ""
    arguments = {"text": text} if recorded.arguments is None else _redacted_arguments(recorded.arguments)
    if recorded.tool is None:
        return Action(None, "text", arguments, _redacted_mentions(recorded.mentions or ())), ""
    mentions = named(arguments) if recorded.mentions is None else _redacted_mentions(recorded.mentions)
    return Action(_said(recorded.tool), recorded.kind or "function", arguments, mentions), ""


def _redacted_arguments(arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    redacted = redact_value(_plain(arguments))
    return redacted if isinstance(redacted, dict) else {}


def _redacted_mentions(mentions: Sequence[str]) -> tuple[str, ...]:
    return tuple(redact(_said(mention)) for mention in mentions[:MENTIONS])


def _bounded_arguments(arguments: dict[str, JsonValue], limit: int) -> dict[str, JsonValue]:
    """Return arguments with their texts cut; all of them as one text where they are still beyond four limits."""
    bounded = {name: _cut_inside(value, limit) for name, value in arguments.items()}
    text = _json(bounded)
    return bounded if len(text) <= _ARGUMENTS * limit else {"text": cut(text, limit)}


def _bounded_observation(observation: JsonValue, limit: int) -> JsonValue:
    """Return an observation redacted and within the limit: as structure where cutting texts is enough, else as text."""
    structure = _structure(observation)
    if isinstance(structure, str):
        return cut(redact(_said(structure)), limit)
    whole = redact_value(_plain(structure))
    text = _json(whole)
    if len(text) <= limit:
        return whole
    shares = (_cut_inside(whole, int(limit * share)) for share in _SHARES)
    return next((bounded for bounded in shares if len(_json(bounded)) <= limit), _structure(cut(text, limit)))


# The steps of an episode --------------------------------------------------------------------------------------------


def _evidence(
    steps: Sequence[_Step],
    outcome: Outcome,
    *,
    task: str,
    namespace: str,
    episode: str,
    settings: Settings,
    now: datetime,
    grade: Grader,
) -> tuple[Evidence, ...]:
    """Return the steps as evidence: with what they answer, how much their reflection weighs and what they are worth."""
    answered = answers(
        [step.recorded.turn for step in steps],
        [step.action.tool for step in steps],
        [step.recorded.is_error for step in steps],
    )
    alphas = [_alpha(step, task, settings, grade) for step in steps]
    worth = values(outcome.reward, alphas, settings.gamma)
    messages = _messages(steps, task)
    evidence = []
    for index, step in enumerate(steps):
        error = answered[index]
        signature = "" if error is None else error_signature(steps[error].observation)
        evidence.append(
            Evidence(
                namespace=namespace,
                id=f"{episode}#{index}",
                created_at=now,
                episode=episode,
                index=index,
                turn=step.recorded.turn,
                state=step.state,
                action=step.text,
                tool=step.action.tool,
                kind=step.action.kind,
                arguments=step.arguments,
                observation=step.observation,
                is_error=step.recorded.is_error,
                error_signature=signature,
                reflection=step.reflection,
                alpha=alphas[index],
                value=worth[index],
                mentions=step.action.mentions,
                told=told(step.arguments, [said for at, said in messages if at <= index], task),
                text=_search_text(step, task, signature),
                occurred_at=step.recorded.occurred_at,
            )
        )
    return tuple(evidence)


def local_context(task: str, state: str) -> str:
    """Return what a reflection is held against beside action and observation: the task, and what was given last."""
    return state if task in state else f"{task}\n{state}"


def _alpha(step: _Step, task: str, settings: Settings, grade: Grader) -> float:
    if settings.reflection == "none" or not step.reflection.strip():
        return 0.0
    graded = grade(
        step.reflection,
        state=local_context(task, step.state),
        tool=step.action.tool,
        arguments=step.arguments,
        observation=step.observation,
    )
    return graded.alpha


def _messages(steps: Sequence[_Step], task: str) -> list[tuple[int, str]]:
    """Return what users said but for the task, each with the first step that it came before: the state after talk."""
    said: list[tuple[int, str]] = []
    before: _Step | None = None
    for index, step in enumerate(steps):
        if index and step.recorded.turn != steps[index - 1].recorded.turn:
            before = steps[index - 1]
        is_first = index == 0 or step.state != steps[index - 1].state
        if is_first and step.state not in ("", task) and (before is None or before.is_talk):
            said.append((index, step.state))
    return said


def _search_text(step: _Step, task: str, signature: str) -> str:
    """Return what full-text search and people see of a step, at most some 1,500 characters."""
    seen = {
        "task": task,
        "arguments": _json(step.arguments) if step.action.tool else step.text,
        "reflection": step.reflection,
        "observation": step.observation if isinstance(step.observation, str) else _json(step.observation),
    }
    short = {name: cut(text, _SEEN[name]) for name, text in seen.items()}
    parts = [
        short["task"],
        (step.action.tool or "").replace(":", " "),  # an analyser takes shell:git for one word
        short["arguments"],
        signature,
        short["reflection"],
        short["observation"],
    ]
    return "\n".join(part for part in parts if part.strip())


def _outcome(recorded: RecordedEpisode, settings: Settings) -> Outcome:
    """Return the outcome: R where the source gives it (native records alone do), else by score, pass or fail."""
    if recorded.reward is None:
        return reward(score=recorded.score, passed=recorded.passed, solved_at=settings.solved_at)
    basis = recorded.reward_basis or "score"
    by_reward = (recorded.reward + 1) / 2 >= settings.solved_at if basis == "score" else recorded.reward > 0
    return Outcome(recorded.reward, by_reward if recorded.solved is None else recorded.solved, basis)


# Values -------------------------------------------------------------------------------------------------------------


def _kept(text: str, limit: int) -> str:
    return cut(redact(_said(text)), limit)


def _name(text: str) -> str:
    """Return what names an episode, a task or a domain, without secrets and short enough for an index."""
    return _short(redact(_said(text)))


def _short(name: str) -> str:
    """Return a name that an index can hold: of a long one its beginning and a hash of all of it."""
    if len(name) <= _LONGEST_NAME:
        return name
    digest = _sha256(name)[:16]
    return f"{name[: _LONGEST_NAME - len(digest) - 1]}~{digest}"


def _marker(characters: int) -> str:
    return f"[... {characters} characters cut ...]"


def _stem(source: str) -> str:
    """Return the name of a source file without its suffix, nor that of its compression (`runs.jsonl.gz`: runs)."""
    return PurePosixPath(source.removesuffix(".gz")).stem or "unknown"


def _said(text: str) -> str:
    """Return a text without what recall gave, which is no evidence, in signs that UTF-8 can hold.

    Half a surrogate pair, which JSON allows, becomes a question mark.
    """
    return unfence(text).encode("utf-8", "replace").decode("utf-8")


def _structure(observation: JsonValue) -> JsonValue:
    """Return the JSON object or list that a text is; anything else as it stands."""
    if not isinstance(observation, str) or observation.lstrip()[:1] not in ("{", "["):
        return observation
    try:
        parsed: JsonValue = json.loads(observation)
    except (ValueError, RecursionError):
        return observation
    return parsed


def _plain(value: JsonValue, depth: int = 0) -> JsonValue:
    """Return a value that any JSON reader takes: texts in UTF-8, finite numbers, 32 levels, what is deeper as text."""
    if isinstance(value, str):
        return _said(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if depth == _DEEPEST and isinstance(value, dict | list):
        return _said(_json(value))
    if isinstance(value, dict):
        return {_said(key): _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, depth + 1) for inner in value]
    return value


def _cut_inside(value: JsonValue, limit: int) -> JsonValue:
    """Return a value with each text inside cut to the limit."""
    if isinstance(value, str):
        return cut(value, limit)
    if isinstance(value, dict):
        return {key: _cut_inside(inner, limit) for key, inner in value.items()}
    if isinstance(value, list):
        return [_cut_inside(inner, limit) for inner in value]
    return value


def _json(value: JsonValue) -> str:
    """Return a value as JSON text, its fields in their own order, in which people read them."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "[... nested too deep ...]"


def _sha256(value: JsonValue) -> str:
    """Return the SHA-256 of a value as canonical JSON: fields sorted, ASCII, no spaces."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
