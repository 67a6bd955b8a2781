"""How far a skill can be relied on, and which episodes try it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msce_graph.learning.alignment import embeds


@dataclass(frozen=True, slots=True)
class Use:
    """What a scored episode had to do with a skill."""

    tools: tuple[str, ...]
    """Of its tool steps in order, from the one that met the trigger on."""
    trigger_met: bool
    was_offered: bool
    declared_used: bool
    is_after_publication: bool
    """Whether it was scored after the skill was published."""
    built_it: bool
    """Whether the skill cites it or its policy rests on it."""
    solved: bool


def reliability(passes: int, trials: int) -> float:
    """Return the smoothed success rate of a skill, in (0, 1): Laplace's rule of succession (MSCE, eta)."""
    if not 0 <= passes <= trials:
        raise ValueError(f"{passes} passes in {trials} trials")
    return (passes + 1) / (trials + 2)


def trial(required: Sequence[str], use: Use) -> bool | None:
    """Return whether a trial was passed, null where the use is none (D6.6).

    It is a trial if the skill was offered and declared used, or if its trigger was met and the first half, rounded up,
    of its required tools followed in order, others between allowed.
    """
    if use.built_it or not use.is_after_publication:
        return None
    half = required[: (len(required) + 1) // 2]
    has_followed = use.trigger_met and bool(half) and embeds(half, use.tools)
    return use.solved if has_followed or (use.was_offered and use.declared_used) else None
