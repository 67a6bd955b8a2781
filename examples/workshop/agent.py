"""A scripted agent: what it does is fixed by its task, how carefully is drawn anew at every decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, Literal, TypeVar

from examples.workshop.project import Answer, Project

T = TypeVar("T")
Kind = Literal["shell", "sql"]
Language = Literal["en", "zh"]

PRUDENCE = {"careful": 0.63, "hasty": 0.40}
"""The probability with which each agent takes the careful way at one decision."""
WANDERING = {"careful": 0.5, "hasty": 0.65}
"""The probability of one more look around."""
VAGUE = {
    "en": ("Let me continue.", "Next step.", "This should do it.", "Let me try this."),
    "zh": ("继续。", "下一步。", "应该可以了。", "试试这个。"),
}
THOUGHT_SHARE, VAGUE_SHARE = 0.7, 0.15
"""Shares of steps with a thought about the matter and with a vague one; the rest come without."""


class Agent:
    """One run of an agent in a project; `steps` holds what it did, as native records of evidence."""

    def __init__(self, name: str, project: Project, rng: Random, task: str, *, language: Language = "en") -> None:
        self.name, self.project, self.language = name, project, language
        self.steps: list[dict[str, Any]] = []
        self._rng = rng
        self._state = task

    @property
    def now(self) -> datetime:
        """The time on the project's clock."""
        return self.project.now

    def careful(self, lean: float = 0.0) -> bool:
        """Whether it takes the careful way at this decision; `lean` is added to its probability."""
        return self._rng.random() < PRUDENCE[self.name] + lean

    def happens(self, share: float) -> bool:
        """Whether something happens that has nothing to do with care: a slip, a whim."""
        return self._rng.random() < share

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[int(self._rng.random() * len(choices))]

    def shell(self, command: str, thought: str = "") -> Answer:
        """Run a shell command."""
        return self._step("shell", command, thought, self.project.shell)

    def sql(self, statement: str, thought: str = "") -> Answer:
        """Run an SQL statement."""
        return self._step("sql", statement, thought, self.project.sql)

    def wander(self, looks: Sequence[str], kind: Kind) -> None:
        """Take some of the looks around, or none; nothing follows from what they show."""
        for look in self._rng.sample(looks, len(looks)):
            if not self.happens(WANDERING[self.name]):
                return
            (self.shell if kind == "shell" else self.sql)(look)

    def _step(self, kind: Kind, action: str, thought: str, run: Callable[[str], Answer]) -> Answer:
        reflection = self._worded(thought)
        self.project.now += timedelta(seconds=4 + int(self._rng.random() * 40))
        answer = run(action)
        self.steps.append(
            {
                "turn": len(self.steps),
                "state": self._state,
                "action": action,
                "kind": kind,
                "reflection": reflection,
                "observation": answer.text,
                "is_error": answer.is_error,
                "occurred_at": stamp(self.now),
            }
        )
        self._state = answer.text
        return answer

    def _worded(self, thought: str) -> str:
        mood = self._rng.random()
        if mood < THOUGHT_SHARE:
            return thought
        return self.pick(VAGUE[self.language]) if mood < THOUGHT_SHARE + VAGUE_SHARE else ""


def stamp(time: datetime) -> str:
    """Return the time as ISO 8601 in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")
