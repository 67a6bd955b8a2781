"""What recall says of a skill, a policy or a step."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pydantic import JsonValue

from msce_graph.learning.normalise import cut
from msce_graph.learning.wording import counted, step_text
from msce_graph.records import Policy, ProcedureStep, Skill

_SEEN = {"Task": 300, "Did": 600, "Thought": 400, "Saw": 600}
"""Characters of a step's parts that are told."""


def skill_told(skill: Skill) -> str:
    """Return a skill as an agent reads it: when, what must be so, the steps, how to check and what to mind."""
    return "\n".join(
        [
            skill.trigger,
            *(f"Before: {condition}" for condition in skill.preconditions),
            *_steps(skill.procedure),
            f"Check: {skill.verification}",
            f"Mind: {skill.decision_guidance}",
            skill.fallback,
            skill.boundary,
        ]
    )


def policy_told(policy: Policy) -> str:
    """Return a policy as an agent reads it: what to do, or what was done before it went badly, and how that shows."""
    if policy.stance == "avoid":
        lead = f"It went badly in {counted(policy.support, 'episode')} that did this:"
        return "\n".join(
            [policy.trigger, lead, *_steps(policy.procedure), policy.verification, policy.fallback, policy.boundary]
        )
    return "\n".join(
        [
            policy.trigger,
            *_steps(policy.procedure),
            f"Check: {policy.verification}",
            policy.fallback,
            policy.boundary,
        ]
    )


def step_told(
    *,
    task: str,
    tool: str | None,
    arguments: JsonValue,
    action: str,
    reflection: str,
    observation: JsonValue,
) -> str:
    """Return a step of a log: its task, what was done, what the agent thought and what came of it, each cut."""
    did = f"{tool} {json.dumps(arguments, ensure_ascii=False)}" if tool else action
    saw = observation if isinstance(observation, str) else json.dumps(observation, ensure_ascii=False)
    parts = {"Task": task, "Thought": reflection, "Did": did, "Saw": saw}
    return "\n".join(f"{name}: {cut(text, _SEEN[name])}" for name, text in parts.items() if text.strip())


def gain_told(gain: float | None, low: float | None, high: float | None, q: float | None, *, q_max: float) -> str:
    """Return a gain with its bounds, and what it is not; a claim is told from luck by q < q_max."""
    if gain is None or low is None or high is None:
        return "its gain is not known yet"
    told = f"gain {gain:+.3f} ({low:+.3f} to {high:+.3f} with 90 % confidence; a heuristic signal, not a causal effect)"
    luck = "" if q is not None and q < q_max else ", not told from luck"
    return f"{told}, q {'unknown' if q is None else f'{q:.4f}'}{luck}"


def _steps(procedure: Iterable[ProcedureStep]) -> list[str]:
    return [f"{number}. {step_text(step)}" for number, step in enumerate(procedure, start=1)]
