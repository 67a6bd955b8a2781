"""The two checks of a skill that read procedures and arguments, over the steps of the episodes it cites (D6.4)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from msce_graph.learning.alignment import embeds, required_tools
from msce_graph.learning.procedure import canonical
from msce_graph.records import ProcedureStep

Role = Literal["example", "counterexample"]


@dataclass(frozen=True, slots=True)
class CitedStep:
    """One step of an episode that a skill cites; `role` and `is_shown` are of the step's own citation."""

    evidence: str
    episode: str
    tool: str | None
    arguments: Mapping[str, JsonValue]
    is_trusted: bool
    role: Role | None = None
    is_shown: bool = False
    """Whether it is rendered as an example."""


def commands_seen(procedure: Sequence[ProcedureStep], cited: Sequence[CitedStep]) -> tuple[str, ...]:
    """Return the values that a procedure's constants or a shown example hold and no trusted trajectory used.

    A value is used where a step of the same tool gave it to the same argument. Without untrusted citations every
    trajectory is a trusted one.
    """
    seen = {use for step in cited if step.is_trusted for use in _uses(step.tool, step.arguments)}
    held = {use for step in procedure for use in _uses(step.tool, step.constants)}
    held |= {use for step in cited if step.is_shown for use in _uses(step.tool, step.arguments)}
    return tuple(sorted({_told(value) for _, _, value in held - seen}))


def trajectories_followed(procedure: Sequence[ProcedureStep], cited: Sequence[CitedStep]) -> tuple[str, ...]:
    """Return the episodes cited as example that do not follow the required steps in order, if they are the more part.

    `cited` is in the order of each episode's steps.
    """
    examples = {step.episode for step in cited if step.role == "example"}
    tools: defaultdict[str, list[str]] = defaultdict(list)
    for step in cited:
        if step.tool is not None:
            tools[step.episode].append(step.tool)
    required = required_tools(procedure)
    astray = sorted(episode for episode in examples if not embeds(required, tools[episode]))
    return tuple(astray) if 2 * len(astray) > len(examples) else ()


def _uses(tool: str | None, arguments: Mapping[str, JsonValue]) -> set[tuple[str | None, str, str]]:
    return {(tool, name, canonical(value)) for name, value in arguments.items()}


def _told(value: str) -> str:
    """Return a canonical value as a reader knows it: text without its quotes."""
    loaded: JsonValue = json.loads(value)
    return loaded if isinstance(loaded, str) else value
