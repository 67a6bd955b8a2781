"""The life of policies and skills: which status follows from the evidence, the trials and what a person decides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from msce_graph.learning.reliability import reliability
from msce_graph.records import PolicyStatus, Relation, SkillStatus, Stance
from msce_graph.settings import Settings

Reason = Literal["policy", "gate_1", "checks"]
"""What suspends a skill: its policy is not active, gate 1 fails over it, or one of the six checks fails."""

Told = Literal["pass", "fail", "correction", "rejection", "praise", "archive", "approve", "pin"]
"""Trials, and what a person says or does; a correction or rejection is a failed trial, praise is none."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The event that something a skill rests on fails, or holds again."""

    reason: Reason
    holds: bool


Event = Told | Condition


@dataclass(frozen=True, slots=True)
class SkillLife:
    """What a skill's status follows from. `returns_to` is the status that it has, or comes back to when suspended."""

    returns_to: SkillStatus = "trial"
    suspended_for: frozenset[Reason] = frozenset()
    passes: int = 0
    trials: int = 0
    consecutive_passes: int = 0
    consecutive_failures: int = 0
    proven: bool = False
    """Whether it ever passed three times in a row."""
    pinned: bool = False
    approved: bool = False

    @property
    def status(self) -> SkillStatus:
        """Suspended while any reason stands, unless it is archived."""
        return "suspended" if self.suspended_for and self.returns_to != "archived" else self.returns_to

    @property
    def reliability(self) -> float:
        """The smoothed success rate, in (0, 1)."""
        return reliability(self.passes, self.trials)


# Policies -----------------------------------------------------------------------------------------------------------


def relation(stance: Stance, value: float, v_min: float) -> Relation:
    """Return the edge of evidence with a value in [-1, 1] to a policy of that stance (D4.1)."""
    if _reaches(abs(value), v_min):
        return "SUPPORTS" if (value > 0) == (stance == "follow") else "CONTRADICTS"
    return "BORDERS"


def policy_status(
    status: PolicyStatus | None,
    stance: Stance,
    *,
    support: int,
    gain: float | None,
    q: float | None,
    settings: Settings,
) -> PolicyStatus:
    """Return the status after one more input, at most one change away; `status` is null for a new policy (D4.9)."""
    if stance == "avoid":
        return (
            "active" if support >= settings.n_min and q is not None and not _reaches(q, settings.q_max) else "retired"
        )
    if support == 0 or (gain is not None and not _reaches(gain, settings.retire_below)):
        return "retired"
    is_good = support >= settings.n_min and gain is not None and _reaches(gain, settings.activate_at)
    if is_good:
        return "candidate" if status == "retired" else "active"
    return status or "candidate"


def gate_1_reasons(
    *,
    status: PolicyStatus,
    stance: Stance,
    gain: float | None,
    q: float | None,
    evidence_valid: bool,
    settings: Settings,
) -> tuple[str, ...]:
    """Return why a policy fails gate 1, each with its numbers; empty where it passes (D6.1)."""
    reasons = []
    if stance != "follow":
        reasons.append(f"its stance is {stance}")
    if status != "active":
        reasons.append(f"it is {status}, not active")
    if not evidence_valid:
        reasons.append("its supporting evidence is no longer valid")
    if gain is None or _reaches(settings.theta_gain, gain):
        reasons.append(f"gain {number_told(gain)} is not above {settings.theta_gain:g}")
    if not settings.trust_gain and (q is None or _reaches(q, settings.q_max)):
        reasons.append(f"q {number_told(q)} is not below {settings.q_max:g}")
    return tuple(reasons)


# Skills -------------------------------------------------------------------------------------------------------------


def advance(life: SkillLife, event: Event, settings: Settings) -> SkillLife:
    """Return the life of a skill after one event (D6.5); nothing revives an archived one."""
    if life.returns_to == "archived" or event == "praise":
        return life
    if isinstance(event, Condition):
        others = life.suspended_for - {event.reason}
        return replace(life, suspended_for=others if event.holds else others | {event.reason})
    if event == "archive":
        return replace(life, returns_to="archived")
    if event == "pin":
        return replace(life, pinned=True)
    if event == "approve":
        return _promoted(replace(life, approved=True), settings)
    return _after_pass(life, settings) if event == "pass" else _after_failure(life, settings)


def _after_pass(life: SkillLife, settings: Settings) -> SkillLife:
    run = life.consecutive_passes + 1
    passed = replace(
        life,
        passes=life.passes + 1,
        trials=life.trials + 1,
        consecutive_passes=run,
        consecutive_failures=0,
        proven=life.proven or run >= settings.trial_run,
    )
    return _promoted(passed, settings)


def _promoted(life: SkillLife, settings: Settings) -> SkillLife:
    """Return the life, active if its passes prove it and a person approved it where that is asked for."""
    is_approved = life.approved or not settings.require_approval
    return replace(life, returns_to="active") if life.proven and is_approved else life


def _after_failure(life: SkillLife, settings: Settings) -> SkillLife:
    failed = replace(
        life, trials=life.trials + 1, consecutive_passes=0, consecutive_failures=life.consecutive_failures + 1
    )
    return replace(failed, returns_to="archived") if _is_spent(failed, settings) and not life.pinned else failed


def _is_spent(life: SkillLife, settings: Settings) -> bool:
    """Whether failures bury it: a run that is no bad luck at its reliability before the run, or too little reliability.

    Three in a row would bury a good skill in a hard domain, so that only ends one on trial (D6.5).
    """
    run = life.consecutive_failures
    bad_luck = (1 - reliability(life.passes, life.trials - run)) ** run
    is_beaten = run >= settings.trial_run and (
        life.returns_to == "trial" or not _reaches(bad_luck, settings.run_chance)
    )
    is_unreliable = life.trials >= settings.archive_trials and not _reaches(life.reliability, settings.archive_below)
    return is_beaten or is_unreliable


def _reaches(value: float, threshold: float) -> bool:
    """Whether a value is at least the threshold, to 12 digits: a sum of floats must not miss it by its last bit."""
    return round(value, 12) >= round(threshold, 12)


def number_told(value: float | None) -> str:
    """Return a number to 4 places, or that it is unknown; the last bit of a sum of floats makes no difference."""
    return "unknown" if value is None else f"{round(value, 9):.4f}"
