"""What every task has: a text, a folder to start from, a way to attempt it and a check of what came out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from examples.workshop.agent import Agent, Kind, Language
from examples.workshop.project import Project


@dataclass(frozen=True, kw_only=True)
class Task(ABC):
    """One variation of a family of tasks."""

    family: ClassVar[str]
    language: ClassVar[Language] = "en"
    kind: ClassVar[Kind] = "shell"
    """What the agent looks around with."""
    variation: str

    @property
    def key(self) -> str:
        """`family/variation`: the same for all tries."""
        return f"{self.family}/{self.variation}"

    @property
    @abstractmethod
    def text(self) -> str:
        """What the agent is told."""

    @property
    def looks(self) -> tuple[str, ...]:
        """What an agent may do before and after, to no effect."""
        return ("pwd", "ls", "uname -s", "printenv TZ")

    @abstractmethod
    def prepare(self, project: Project) -> None:
        """Build what the agent finds."""

    @abstractmethod
    def attempt(self, agent: Agent) -> None:
        """Let the agent do it, in its better or worse way."""

    @abstractmethod
    def score(self, project: Project) -> float:
        """Return what share, in 0..1, of what was asked the project shows now."""
