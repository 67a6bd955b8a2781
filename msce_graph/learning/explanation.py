"""Why values, gains and gates are what they are, in words and with the numbers that they follow from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msce_graph.learning.fold import PolicyState
from msce_graph.learning.lifecycle import gate_1_reasons
from msce_graph.learning.reflection import Grade
from msce_graph.learning.reliability import reliability
from msce_graph.learning.significance import test as significance
from msce_graph.learning.tally import Pool
from msce_graph.learning.wording import counted
from msce_graph.records import Skill
from msce_graph.settings import Settings

CAVEAT = "The gain is a heuristic signal, not a causal effect."


def value_told(
    value: float | None, *, reward: float | None, alpha: float, following: float | None, gamma: float
) -> str:
    """Return how a step's value comes about; `following` is the value of the next step, null at the last one (D3.6)."""
    if value is None or reward is None:
        return "V is unknown, since the outcome of its episode is: nothing is learned from it"
    if following is None:
        return f"V = R = {reward:.4f}, since it is the last step"
    sums = filled_back(value, reward=reward, alpha=alpha, following=following, gamma=gamma)
    return f"V = alpha R + (1 - alpha) {gamma:g} V_next = {sums}"


def filled_back(value: float, *, reward: float, alpha: float, following: float, gamma: float) -> str:
    """Return the sum that a step's value is."""
    return f"{alpha:.4f} * {reward:.4f} + {1 - alpha:.4f} * {gamma:g} * {following:.4f} = {value:.4f}"


def kind_told(value: float | None, v_min: float) -> str:
    """Return what kind of evidence a value makes a step (D4.1)."""
    if value is None:
        return "no evidence yet"
    if round(abs(value), 12) < v_min:
        return f"neutral: |V| is under {v_min:g}"
    return f"positive: V is at least {v_min:g}" if value > 0 else f"counter-evidence: V is at most -{v_min:g}"


def grade_told(grade: Grade) -> str:
    """Return a reflection's weight by its four axes (D3.5)."""
    return f"alpha {grade.alpha:.4f}: {grade.reason}" + ("" if grade.alpha else "; all four axes are 0")


def gain_told(policy: PolicyState, pool: Pool, settings: Settings) -> list[str]:
    """Return how a policy's gain comes about (D4.7)."""
    gain, sums = policy.gain, policy.sums
    if gain.gain is None or gain.low is None or gain.high is None:
        return ["Gain: none, since no episode has the policy."]
    mean = pool.mean
    used = (sums.adjusted - mean * sums.ease) / sums.episodes
    lines = [
        f"Gain: {gain.gain:+.4f}, with 90 % confidence {gain.low:+.4f} to {gain.high:+.4f}. {CAVEAT}",
        f"  With it: {counted(sums.episodes, 'episode')}, whose reward is {used:+.4f} above what their task gives "
        "without them.",
    ]
    unused = gain.episodes_without
    if unused:
        everybody = pool.adjusted - mean * pool.ease
        offered = sums.offered_adjusted - mean * sums.offered_ease
        without = (everybody - used * sums.episodes - offered) / unused
        lines.append(
            f"  Without it: {counted(unused, 'episode')}, {without:+.4f}, which weigh "
            f"{unused} / ({unused} + {settings.baseline_episodes:g}); "
            f"G = {used:+.4f} - {unused / (unused + settings.baseline_episodes):.4f} * {without:+.4f}."
        )
    if sums.offered:
        lines.append(f"  On neither side: {counted(sums.offered, 'episode')} to which its skill was offered.")
    return lines


def test_told(policy: PolicyState, pool: Pool, family: int, settings: Settings) -> list[str]:
    """Return a policy's p and q with what they compare (D4.8); `family` counts the policies that q corrects for."""
    tested = significance(pool, policy.sums)
    tail = "more" if policy.stance == "follow" else "fewer"
    parts = {
        "of the same task": tested.by_task,
        "of like length": tested.by_length,
        "of the same agent and model": tested.by_agent,
    }
    told = ", ".join(f"{name} {excess.p(policy.stance):.4f}" for name, excess in parts.items())
    lines = [
        f"p: {tested.p(policy.stance):.4f}, the largest of three tests that {tail} of its episodes are solved than of "
        f"the others: {told}."
    ]
    if policy.q is None:
        lines.append(f"q: none, since fewer than {settings.n_min} episodes support it.")
    else:
        lines.append(
            f"q: {policy.q:.4f}, p corrected for the {'1 policy' if family == 1 else f'{family} policies'} to "
            f"{policy.stance} of the domain that enough episodes support; a claim needs less than {settings.q_max:g}."
        )
    return lines


def status_told(policy: PolicyState, settings: Settings) -> str:
    """Return which status a policy has, and what its numbers or a person ask for (D4.9)."""
    if policy.dismissed:
        return "It is retired for good: a person said so."
    if policy.stance == "avoid":
        return (
            f"It is {policy.status}: one to avoid is active while {settings.n_min} or more episodes support it and q "
            f"is under {settings.q_max:g}, else retired."
        )
    return (
        f"It is {policy.status}: one to follow is active from {settings.n_min} supporting episodes and a gain of "
        f"{settings.activate_at:g}, and retired under {settings.retire_below:g}."
    )


def gates_told(policy: PolicyState, settings: Settings) -> list[str]:
    """Return gate by gate whether a policy passes (D6.1, D6.2)."""
    if policy.stance == "avoid":
        return ["Skill: none, since what is to be avoided is recalled as guidance and never becomes a skill."]
    assert policy.status is not None, "a policy that is read has its status"
    failed = gate_1_reasons(
        status=policy.status,
        stance=policy.stance,
        gain=policy.gain.gain,
        q=policy.q,
        evidence_valid=policy.support > 0,
        settings=settings,
    )
    stable, needed = policy.stable_for, settings.stable_episodes
    passed = f"gain {policy.gain.gain or 0:.4f} is above {settings.theta_gain:g}" + (
        "" if settings.trust_gain or policy.q is None else f" and q {policy.q:.4f} below {settings.q_max:g}"
    )
    return [
        f"Gate 1: {'fails, since ' + '; '.join(failed) if failed else 'passes: ' + passed}.",
        f"Gate 2: {'passes' if stable >= needed else 'fails'}: the steps of revision {policy.revision} fitted the last "
        f"{counted(stable, 'supporting episode')} in a row, and {needed} are asked for.",
    ]


def draft_told(policy: PolicyState, *, is_ready: bool) -> str:
    """Return what became of the draft of a policy's skill."""
    if policy.gives_way_to is not None and policy.skill is None:
        return f"Skill: none, since its steps only begin those of {policy.gives_way_to}, in mostly the same episodes."
    if policy.skill is not None:
        life = policy.skill.life
        return f"Skill: {policy.skill.id}, {life.status}, drafted from revision {policy.skill.revision}."
    if policy.tried:
        again = "" if policy.tried == policy.supports else "; there is new evidence to draft it from since"
        return f"Skill: none, since a check failed over its draft from {counted(policy.tried, 'step')}{again}."
    return (
        "Skill: none yet, though both gates are passed."
        if is_ready
        else "Skill: none, since not both gates are passed."
    )


def trials_told(skill: Skill, settings: Settings) -> str:
    """Return a skill's reliability with the trials that it follows from (D6.5)."""
    rate = reliability(skill.passes, skill.trials)
    return (
        f"Reliability {rate:.4f} = ({skill.passes} + 1) / ({skill.trials} + 2): passed {skill.passes} of "
        f"{counted(skill.trials, 'trial')}, {skill.consecutive_passes} in a row now{_to_come(skill, settings)}."
    )


def _to_come(skill: Skill, settings: Settings) -> str:
    """Return what makes a skill on trial active."""
    if skill.status != "trial":
        return ""
    approval = " once a person has approved it" if settings.require_approval else ""
    passes = "1 pass makes" if settings.trial_run == 1 else f"{settings.trial_run} passes in a row make"
    return f"; {passes} it active{approval}"


def back_fill_told(steps: Sequence[tuple[str, float, float]], reward: float, gamma: float) -> list[str]:
    """Return a line a step, each given by name, value and alpha, from the first to the last."""
    lines = []
    for (name, value, alpha), (_, following, _) in pairwise(steps):
        lines.append(f"  {name}: {filled_back(value, reward=reward, alpha=alpha, following=following, gamma=gamma)}")
    return [*lines, *(f"  {name}: R = {value:.4f}" for name, value, _ in steps[-1:])]
