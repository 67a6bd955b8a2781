"""Live recording: an episode that is written step by step while an agent runs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from itertools import count
from threading import Lock
from types import TracebackType
from typing import Literal, Self

from pydantic import JsonValue

from msce_graph.embedding import Embedder
from msce_graph.errors import MemoryGraphError, UnknownKey
from msce_graph.learning.normalise import Normalised, normalise
from msce_graph.pipeline.ingest import embed, lock, numbered, put
from msce_graph.records import Call, Evidence, Origin, RecordedEpisode, RecordedStep
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows


class EpisodeRecorder:
    """One episode as it happens: enter it, record its steps, tell its outcome, leave it.

    Each step is committed when `step` returns. Threads may share it. An exception within it, or a process that dies,
    leaves the episode as it was, marked incomplete; its outcome stays unknown unless it was told before.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        settings: Settings,
        *,
        task: str,
        domain: str,
        id: str | None,
        task_key: str | None,
        agent: str | None,
        model: str | None,
        origin: Origin,
    ) -> None:
        self._store, self._embedder, self._settings = store, embedder, settings
        self._started_at = store.now()
        self._origin = origin
        self._task = RecordedEpisode(
            coordinates=(id or _id(task, self._started_at),),
            task=task,
            task_key=task_key,
            domain=domain,
            agent=agent,
            model=model,
            started_at=self._started_at,
            is_complete=False,
            source_format="live",
            source="live",
            steps=(),
        )
        self._outcome: dict[str, float | bool] = {}
        self._own = secrets.token_hex(8)  # two recorders of one episode never share a key
        self._calls = count()
        self._turn = Lock()  # threads wait here, which costs less than transactions that run into each other
        self.key = self._normalised(self._task).episode.key
        """The key of the episode, for `recall(episode=...)`."""

    def __enter__(self) -> Self:
        """Create the episode, or go on with the one of this id; raise MemoryGraphError where that is another."""
        self._store.write(self._begin)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep outcome and values; an exception leaves the episode incomplete."""
        self._store.write(lambda tx: self._end(tx, is_complete=kind is None))

    def step(
        self,
        action: str = "",
        *,
        tool: str | None = None,
        arguments: Mapping[str, JsonValue] | None = None,
        language: Literal["shell", "sql", "verb"] | None = None,
        observation: JsonValue = "",
        is_error: bool = False,
        reflection: str = "",
        state: str = "",
        turn: int | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """Record one step and return its key.

        Give `tool` with `arguments` for a function call, or `action` with its `language`; an action without language is
        talk. `turn` counts what the agent did before it next saw an answer (null: a turn of its own). A key that was
        used before writes nothing and returns the step it wrote. Raises UnknownKey where the episode is not there,
        MemoryGraphError where its outcome is known, and ValueError for a turn that goes back.
        """
        recorded = RecordedStep(
            turn=0 if turn is None else turn,
            state=state,
            action=action,
            call=None if tool is None else Call(name=tool, arguments=dict(arguments or {})),
            language=language,
            is_action=tool is not None or language is not None,
            observation=observation,
            is_error=is_error,
            reflection=reflection,
            occurred_at=self._store.now(),
        )
        given = idempotency_key or f"{self._own}/{next(self._calls)}"
        with self._turn:
            return self._store.write(lambda tx: self._record(tx, recorded, given, is_own_turn=turn is None))

    def used(self, skill: str) -> None:
        """Declare that the agent used a skill that recall gave it in this episode, by its key: that makes it a trial.

        Without it, taking the first half of the skill's required steps does. Raises UnknownKey for a skill that recall
        did not give.
        """
        key = skill if skill.startswith(f"{self._store.namespace}/") else f"{self._store.namespace}/{skill}"
        [row] = self._store.write(lambda tx: tx.run("recording/declare_used", episode=self.key, skill=key))
        if not row["written"]:
            raise UnknownKey("skill offered to the episode", skill)

    def outcome(self, *, score: float | None = None, passed: bool | None = None) -> None:
        """Tell how it went: a score in 0..1, or pass or fail; it is kept when the episode is left."""
        if score is None and passed is None:
            raise ValueError("an outcome is a score in 0..1 or passed")
        if score is not None and not 0 <= score <= 1:
            raise ValueError(f"a score of {score} is not in 0..1")
        given = {"score": score, "passed": passed}
        self._outcome = {name: value for name, value in given.items() if value is not None}

    def _begin(self, tx: Transaction) -> None:
        if not (found := tx.run("episode/get", key=self.key)):
            put(tx, [self._normalised(self._task)])
            return
        stored, own = rows.episode(found[0]), self._normalised(self._task).episode
        for name in ("task", "task_key", "domain", "source_format"):
            if getattr(stored, name) != getattr(own, name):
                raise MemoryGraphError(
                    f"{self.key} is stored with another {name} ({getattr(stored, name)!r}): record under another id"
                )
        self._origin = stored.origin
        self._task = self._task.model_copy(update={"started_at": stored.started_at})

    def _record(self, tx: Transaction, recorded: RecordedStep, idempotency_key: str, *, is_own_turn: bool) -> str:
        if not tx.run("recording/lock", key=self.key):
            raise UnknownKey("episode", self.key)
        if known := tx.run("recording/find_step", key=self.key, idempotency_key=idempotency_key):
            return str(known[0]["step"])
        if rows.episode(tx.run("episode/get", key=self.key)[0]).sequence is not None:
            raise MemoryGraphError(f"{self.key} has its outcome already: record under another id")
        before = self._steps(tx)
        if not is_own_turn and before and recorded.turn < before[-1].turn:
            raise ValueError(f"turn {recorded.turn} comes after turn {before[-1].turn}: turns do not go back")
        if is_own_turn:
            recorded = recorded.model_copy(update={"turn": before[-1].turn + 1 if before else 0})
        steps = (*(_recorded(step) for step in before), recorded)
        whole = self._normalised(self._task.model_copy(update={"steps": steps}))
        [written] = embed(self._embedder, [_last_step(whole)])
        put(tx, [written])
        key = written.evidence[-1].key
        tx.run(
            "recording/mark_step",
            episode=self.key,
            step=key,
            idempotency_key=idempotency_key,
        )
        return key

    def _end(self, tx: Transaction, *, is_complete: bool) -> None:
        lock(tx)
        if not tx.run("recording/lock", key=self.key):
            raise UnknownKey("episode", self.key)
        stored = rows.episode(tx.run("episode/get", key=self.key)[0])
        if stored.reward is not None and (stored.reward_basis != "feedback" or not self._outcome):
            if self._outcome:
                raise MemoryGraphError(f"{self.key} has its outcome already")
            return
        recorded = self._task.model_copy(
            update={
                **self._outcome,
                "steps": tuple(_recorded(step) for step in self._steps(tx)),
                "started_at": stored.started_at,
                "ended_at": self._store.now(),
                "is_complete": is_complete,
            }
        )
        put(tx, numbered(tx, embed(self._embedder, [self._normalised(recorded)])))

    def _steps(self, tx: Transaction) -> list[Evidence]:
        return [rows.evidence(row) for row in tx.run("evidence/of_episode", key=self.key)]

    def _normalised(self, recorded: RecordedEpisode) -> Normalised:
        return normalise(
            recorded,
            namespace=self._store.namespace,
            origin=self._origin,
            settings=self._settings,
            now=self._started_at,
        )


def _id(task: str, started_at: datetime) -> str:
    name = sha256(f"{task}\n{started_at.isoformat()}\n{os.getpid()}".encode()).hexdigest()[:12]
    return f"live/{started_at:%Y%m%dT%H%M%S}-{name}"


def _recorded(step: Evidence) -> RecordedStep:
    """Return a stored step as a source would tell it; normalising it again changes nothing."""
    return RecordedStep(
        turn=step.turn,
        state=step.state,
        action=step.action,
        is_action=step.tool is not None or bool(step.arguments),
        observation=step.observation,
        is_error=step.is_error,
        reflection=step.reflection,
        occurred_at=step.occurred_at,
        tool=step.tool,
        kind=step.kind,
        arguments=step.arguments,
        mentions=step.mentions,
    )


def _last_step(entry: Normalised) -> Normalised:
    """Return the rows that the last step brings; its episode's stay as they are."""
    last = entry.evidence[-1]
    return replace(
        entry,
        evidence=entry.evidence[-1:],
        derivations=tuple(edge for edge in entry.derivations if edge.step == last.index),
    )
