"""The reward of an episode and whether it was solved, from the source's outcome or from feedback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from msce_graph.records import RewardBasis

FEEDBACK_WEIGHTS: Mapping[str, float] = MappingProxyType({"goal": 0.45, "process": 0.30, "satisfaction": 0.25})
"""What goal completion, process quality and user satisfaction weigh (D3.4)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """R in [-1, 1], whether the task was solved, and what both rest on; all null where nothing is known."""

    reward: float | None
    solved: bool | None
    basis: RewardBasis | None


UNKNOWN = Outcome(None, None, None)


def reward(
    *,
    score: float | None = None,
    passed: bool | None = None,
    feedback: Mapping[str, float | None] | None = None,
    solved_at: float = 1.0,
) -> Outcome:
    """Return the outcome of an episode (D3.4).

    A score s in 0..1 gives R = 2 s - 1 and is solved from `solved_at` on; the source's own pass or fail scores 1 or 0
    where it stands alone, and decides `solved` where it is given. Either wins over feedback: the weighted mean of the
    axes that are known, each in [-1, 1], solved where R > 0. Raises ValueError for a number out of range and for an
    unknown axis.
    """
    if score is None and passed is not None:
        score = float(passed)
    if score is None:
        return _of_feedback(feedback or {})
    if not 0 <= score <= 1:
        raise ValueError(f"a score of {score} is not in [0, 1]")
    return Outcome(2 * score - 1, score >= solved_at if passed is None else passed, "score")


def _of_feedback(feedback: Mapping[str, float | None]) -> Outcome:
    known = {axis: value for axis, value in feedback.items() if value is not None}
    for axis, value in known.items():
        if axis not in FEEDBACK_WEIGHTS:
            raise ValueError(f"feedback on {axis!r}: the axes are {', '.join(FEEDBACK_WEIGHTS)}")
        if not -1 <= value <= 1:
            raise ValueError(f"feedback of {value} on {axis} is not in [-1, 1]")
    if not known:
        return UNKNOWN
    weight = sum(FEEDBACK_WEIGHTS[axis] for axis in known)
    mean = sum(FEEDBACK_WEIGHTS[axis] * value for axis, value in known.items()) / weight
    bounded = max(-1.0, min(1.0, mean))  # round-off must not leave the range
    return Outcome(bounded, bounded > 0, "feedback")
