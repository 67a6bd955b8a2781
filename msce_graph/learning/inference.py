"""The outcome of an episode that nobody scored, inferred from what its user said after the work (D3.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msce_graph.learning.feedback import grade
from msce_graph.learning.fencing import unfence
from msce_graph.learning.reward import UNKNOWN, Outcome, reward
from msce_graph.records import RecordedStep

UNRESOLVED = -0.5
"""Process quality, at most, where the work ended in an error: the mildest blame of the lexicon."""


def inferred(steps: Sequence[RecordedStep]) -> Outcome:
    """Return the outcome that a user's words make, of basis `inferred`; unknown where they say nothing of it.

    What answers the agent after its last action is read, and of each axis what was said last counts. Words before are
    about the task. An error that nothing followed lowers process quality.
    """
    acts = [place for place, step in enumerate(steps) if _is_act(step)]
    if not acts:
        return UNKNOWN
    axes: dict[str, float | None] = {}
    for step in steps[acts[-1] + 1 :]:
        if isinstance(step.observation, str):
            said = grade(unfence(step.observation))
            told = {"goal": said.goal, "process": said.process, "satisfaction": said.satisfaction}
            axes |= {axis: value for axis, value in told.items() if value is not None}
    if not axes:
        return UNKNOWN
    if steps[acts[-1]].is_error:
        axes["process"] = min(axes.get("process") or UNRESOLVED, UNRESOLVED)
    outcome = reward(feedback=axes)
    return Outcome(outcome.reward, outcome.solved, "inferred")


def _is_act(step: RecordedStep) -> bool:
    """Return whether a step did something, where others only say something."""
    return step.is_action and not (step.call is None and step.tool is None and step.language is None)
