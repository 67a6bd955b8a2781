"""Learning as a fold: one function from a domain's state and one scored episode to the next state (D4.11).

`advance` associates an episode's steps with policies, induces new ones, measures every policy of the domain, observes
trials of skills, moves statuses, and says what changed; `advance_report` does so for what a person told of a skill or
policy. Neither looks anything up: what a state lacks, its caller loads before. So the same inputs in the same order
give the same state, however they are cut into transactions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from msce_graph.learning import lifecycle
from msce_graph.learning.alignment import AlignedStep, Segment, align, embeds, required_tools
from msce_graph.learning.gain import Gain, gain
from msce_graph.learning.lifecycle import (
    Condition,
    Event,
    SkillLife,
    Told,
    gate_1_reasons,
    number_told,
    policy_status,
    relation,
)
from msce_graph.learning.reliability import Use, trial
from msce_graph.learning.signature import answers, pattern_id
from msce_graph.learning.significance import false_discovery_rates
from msce_graph.learning.significance import test as significance
from msce_graph.learning.tally import Pool, Scored, Sums, Tally, TaskTally
from msce_graph.records import PolicyStatus, Relation, Stance
from msce_graph.settings import Settings

STANCES: tuple[Stance, ...] = ("follow", "avoid")

WINDOW = 256
"""Supporting episodes, newest first, among which those of a procedure are chosen."""

Floats = NDArray[np.float32]
NO_GAIN = Gain(None, None, None, 0, 0)
_T = TypeVar("_T")


# Inputs -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One tool step of a scored episode, in order; `vector` is its embedding."""

    evidence: str
    turn: int
    tool: str
    is_error: bool
    error_signature: str
    value: float
    vector: Floats


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One step seen as evidence about its signature."""

    evidence: str
    value: float
    vector: Floats
    segment: tuple[str, ...]
    """Tools that lead to it: from the episode's start or the step before it that counts the same way."""
    resolved: bool | None
    """Whether the tool whose error it answers worked later; null where it answers none."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An episode's occurrences of one signature."""

    episode: str
    sequence: int
    scored: Scored
    trajectory: str
    occurrences: tuple[Occurrence, ...]


@dataclass(frozen=True, slots=True)
class ScoredEpisode:
    """One input of the fold: an episode with an outcome, and its tool steps."""

    key: str
    sequence: int
    domain: str
    scored: Scored
    trajectory: str
    """Hash of task and steps: the same for copies of one episode."""
    steps: tuple[Step, ...]
    offered: Mapping[str, bool] = field(default_factory=dict)
    """Ids of the skills that recall gave its agent, each with whether the agent declared having used it."""
    is_trusted: bool = True
    """Whether its origin is trusted and its reward is more than its agent's own word (D6.4)."""
    is_inferred: bool = False
    """Whether its reward was only inferred from what a user said: nobody scored it, so it tries no skill."""


@dataclass(frozen=True, slots=True)
class Report:
    """One input of the fold: what a person or an agent told of a skill, or of a policy."""

    key: str
    """Of its node."""
    kind: Literal["trials", "feedback", "decisions"]
    sequence: int
    subject: str
    """Id of the skill or policy."""
    told: Told | Literal["retire"]
    exclusion: str = ""
    """The condition that a correction names, in the person's words."""


Input = ScoredEpisode | Report


# State --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Support:
    """One supporting step and the tools that lead to it, its own last."""

    evidence: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Supporting:
    """A supporting episode of a policy, with its supporting steps in order."""

    sequence: int
    task_key: str
    episode: str
    supports: tuple[Support, ...]


@dataclass(frozen=True, slots=True)
class PublishedSkill:
    """The newest skill of a policy, the revision that it was drafted from, and its life."""

    id: str
    version: int
    revision: int
    required: tuple[str, ...] = ()
    """Tools of its required steps, in order."""
    exclusions: tuple[str, ...] = ()
    """Conditions that people named when they corrected it or a version before."""
    life: SkillLife = field(default_factory=SkillLife)


@dataclass(frozen=True, slots=True)
class PolicyState:
    """What one policy carries from input to input."""

    id: str
    pattern: str
    tool: str
    error_signature: str
    stance: Stance
    mean: Floats
    status: PolicyStatus | None = None
    revision: int = 1
    stable_for: int = 0
    support: int = 0
    supports: int = 0
    contradicting: int = 0
    bordering: int = 0
    resolved: int = 0
    attempts: int = 0
    steps: tuple[AlignedStep, ...] = ()
    window: tuple[Supporting, ...] = ()
    sums: Sums = field(default_factory=Sums)
    gain: Gain = NO_GAIN
    p: float | None = None
    q: float | None = None
    settled: bool = False
    """Whether it ever was active and stable, so that cognition of the environment may rest on it (D5)."""
    dismissed: bool = False
    """Whether a person retired it, which lasts."""
    skill: PublishedSkill | None = None
    tried: int = 0
    """Supports that the last discarded draft was made from: it is not made again from the same."""
    gives_way_to: str | None = None
    """The policy whose longer procedure its own only begins, so that only that one is drafted."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Different trajectories that a signature's evidence comes from, by what they would induce."""

    trajectories: Mapping[Stance, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DomainState:
    """A domain before the next input; it holds at least the tasks, windows and waiting signatures that inputs touch."""

    domain: str
    pool: Pool = field(default_factory=Pool)
    policies: Mapping[str, PolicyState] = field(default_factory=dict)
    by_pattern: Mapping[str, Mapping[Stance, str]] = field(default_factory=dict)
    waiting: Mapping[str, Waiting] = field(default_factory=dict)
    measured: Mapping[str, Mapping[str, Tally]] = field(default_factory=dict)
    """Task key to policy id to tally."""


# Changes ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edge:
    """A SUPPORTS, CONTRADICTS or BORDERS edge that arose."""

    evidence: str
    policy: str
    relation: Relation
    similarity: float
    segment: tuple[str, ...]
    resolved: bool | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Evidence that waits in its signature's bucket."""

    evidence: str
    pattern: str
    tool: str
    error_signature: str
    segment: tuple[str, ...]
    resolved: bool | None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A change of status and the numbers it rests on: becomes a Decision."""

    subject: str
    """Id of a policy or skill."""
    sequence: int
    action: str
    reason: str
    before: str
    after: str
    is_about_skill: bool = False


@dataclass(frozen=True, slots=True)
class ObservedTrial:
    """A use of a skill that an episode shows."""

    skill: str
    episode: str
    sequence: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a report: the status of its subject before and after."""

    report: str
    kind: Literal["trials", "feedback", "decisions"]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A condition to add to the boundary of a skill."""

    skill: str
    condition: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What one input did to the graph, apart from the policies' own numbers."""

    edges: tuple[Edge, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    induced: tuple[str, ...] = ()
    trials: tuple[ObservedTrial, ...] = ()
    answers: tuple[Answer, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()


# The fold -----------------------------------------------------------------------------------------------------------


def advance(
    state: DomainState,
    episode: ScoredEpisode,
    histories: Mapping[tuple[str, Stance], Sequence[Seen]],
    settings: Settings,
) -> tuple[DomainState, Changes]:
    """Return the state after one more scored episode, and what changed.

    `histories` holds, for each (pattern, stance) that `inductions` names, the signature's earlier episodes in order.
    """
    if not episode.steps:
        return state, Changes()
    seen = sightings(episode, settings)
    edges: list[Edge] = []
    candidates: list[Candidate] = []
    used: set[str] = set()
    policies = dict(state.policies)
    for (pattern, tool, error), sight in seen.items():
        known = state.by_pattern.get(pattern, {})
        for policy_id in known.values():
            policies[policy_id], new = _associate(policies[policy_id], sight, settings)
            edges += new
            if new:
                used.add(policy_id)
        if not known:
            candidates += [
                Candidate(o.evidence, pattern, tool, error, o.segment, o.resolved) for o in sight.occurrences
            ]
    after = _measure(replace(state, policies=policies), episode.scored, used, _offered_policies(episode))
    after, induced, new_edges = _induce(after, episode, seen, histories, settings)
    after = _remember(after, seen, settings)
    after, trials, of_trials = _observe(after, episode, settings)
    after, of_policies = _judge(after, episode.sequence, induced, settings)
    return after, Changes(
        edges=(*edges, *new_edges),
        candidates=tuple(candidates),
        rulings=(*of_trials, *of_policies),
        induced=induced,
        trials=trials,
    )


def advance_report(state: DomainState, report: Report, settings: Settings) -> tuple[DomainState, Changes]:
    """Return the state after what was told of a skill or policy, and what changed.

    Of a skill that is no longer its policy's newest version nothing changes: it is archived.
    """
    policy = state.policies.get(policy_of(report.subject) if report.told != "retire" else report.subject)
    if policy is None:
        return state, Changes(answers=(Answer(report.key, report.kind, "", ""),))
    if report.told == "retire":
        return _dismissed(state, policy, report, settings)
    skill = policy.skill
    if skill is None or skill.id != report.subject:
        return state, Changes(answers=(Answer(report.key, report.kind, "archived", "archived"),))
    after, rulings = _lived(policy, skill, report.told, report.sequence, settings)
    if report.told in PERSONAL:
        rulings = []  # the person's own Decision says it
    changes = Changes(
        rulings=tuple(rulings), answers=(Answer(report.key, report.kind, skill.life.status, _status(after)),)
    )
    if report.exclusion and report.exclusion not in skill.exclusions:
        after = replace(after, skill=replace(_known(after.skill), exclusions=(*skill.exclusions, report.exclusion)))
        changes = replace(changes, exclusions=(Exclusion(skill.id, report.exclusion),))
    return replace(state, policies={**state.policies, policy.id: after}), changes


def checked(
    state: DomainState, holds: Mapping[str, bool], sequence: int, settings: Settings
) -> tuple[DomainState, tuple[Ruling, ...]]:
    """Return the state after the six checks of some policies' skills were run again, and the changes of status."""
    policies = dict(state.policies)
    rulings: list[Ruling] = []
    for policy_id, all_hold in sorted(holds.items()):
        policy = policies[policy_id]
        reason = "all six checks hold again" if all_hold else "a check fails: see `msce skill verify`"
        policies[policy_id], new = _conditioned(
            policy, _known(policy.skill), [Condition("checks", all_hold)], reason, sequence, settings
        )
        rulings += new
    return replace(state, policies=policies), tuple(rulings)


def inductions(state: DomainState, episode: ScoredEpisode, settings: Settings) -> tuple[tuple[str, Stance], ...]:
    """Return the (pattern, stance) pairs whose evidence, with this episode, comes from n_min different trajectories."""
    return tuple(
        (pattern, stance)
        for (pattern, _, _), sight in sightings(episode, settings).items()
        for stance in STANCES
        if stance not in state.by_pattern.get(pattern, {})
        and _counts_for(stance, sight, settings)
        and len(_trajectories(state, pattern, stance) | {sight.trajectory}) >= settings.n_min
    )


def ready(state: DomainState, settings: Settings) -> tuple[str, ...]:
    """Return the policies that pass both gates (D6.1, D6.2), in the order of their ids."""
    return tuple(sorted(p.id for p in state.policies.values() if _is_ready(p, settings)))


def lacks_skill(policy: PolicyState) -> bool:
    """Whether a ready policy has no skill of its revision, and no draft was discarded over the same evidence."""
    is_published = policy.skill is not None and policy.skill.revision == policy.revision
    return not is_published and policy.tried != policy.supports


def recent(window: Sequence[Supporting], settings: Settings) -> tuple[Supporting, ...]:
    """Return the supporting episodes that a procedure is drawn from: the most recent, one a task first (D4.5)."""
    rounds: dict[str, int] = {}
    ranked = []
    for supporting in window:
        ranked.append((rounds.get(supporting.task_key, 0), -supporting.sequence, supporting))
        rounds[supporting.task_key] = rounds.get(supporting.task_key, 0) + 1
    ranked.sort(key=lambda row: row[:2])
    return tuple(supporting for _, _, supporting in ranked[: settings.procedure_episodes])


def policy_of(skill: str) -> str:
    """Return the id of the policy that a skill was crystallized from, by the skill's id."""
    return skill.rpartition(".v")[0]


def skill_id(policy: str, version: int) -> str:
    """Return the id of a version of a policy's skill (D2)."""
    return f"{policy}.v{version}"


def policy_id(pattern: str, evidence: str, stance: Stance) -> str:
    """Return the id of the policy that the arrival of this evidence, by its id, induced (D2)."""
    return sha256(f"{pattern}\n{evidence}\n{stance}".encode()).hexdigest()[:16]


# Association --------------------------------------------------------------------------------------------------------


def sightings(episode: ScoredEpisode, settings: Settings) -> dict[tuple[str, str, str], Seen]:
    """Return an episode's occurrences by (pattern, tool, error signature), in the order of their first step."""
    steps = episode.steps
    answered = answers([s.turn for s in steps], [s.tool for s in steps], [s.is_error for s in steps])
    found: dict[tuple[str, str, str], list[Occurrence]] = {}
    starts: dict[tuple[str, str, str, Relation], int] = {}
    for place, step in enumerate(steps):
        key = (pattern_id(episode.domain, step.tool, step.error_signature), step.tool, step.error_signature)
        counts_as = relation("follow", step.value, settings.v_min)
        start = max(starts.get((*key, counts_as), 0), place + 1 - settings.segment_steps)
        starts[*key, counts_as] = place + 1
        failed = answered[place]
        found.setdefault(key, []).append(
            Occurrence(
                evidence=step.evidence,
                value=step.value,
                vector=step.vector,
                segment=tuple(s.tool for s in steps[start : place + 1]),
                resolved=None
                if failed is None
                else any(s.tool == steps[failed].tool and not s.is_error for s in steps[place:]),
            )
        )
    return {
        key: Seen(episode.key, episode.sequence, episode.scored, episode.trajectory, tuple(occurrences))
        for key, occurrences in found.items()
    }


def _associate(policy: PolicyState, seen: Seen, settings: Settings) -> tuple[PolicyState, list[Edge]]:
    """Return the policy with one more episode of its signature, and the edges of that episode's steps."""
    near = [o for o in seen.occurrences if _is_near(policy, o, settings)]
    if not near:
        return policy, []
    relations = [relation(policy.stance, o.value, settings.v_min) for o in near]
    mean, supports = policy.mean, policy.supports
    given = []
    for occurrence, kind in zip(near, relations, strict=True):
        if kind == "SUPPORTS":
            supports += 1
            mean = (mean + (occurrence.vector - mean) / np.float32(supports)).astype(np.float32)
            given.append(Support(occurrence.evidence, occurrence.segment))
    answering = [o.resolved for o in near if o.resolved is not None]
    after = replace(
        policy,
        mean=mean,
        supports=supports,
        support=policy.support + ("SUPPORTS" in relations),
        contradicting=policy.contradicting + ("CONTRADICTS" in relations),
        bordering=policy.bordering + ("BORDERS" in relations),
        resolved=policy.resolved + sum(answering),
        attempts=policy.attempts + len(answering),
    )
    if given:
        after = _with_support(
            after, Supporting(seen.sequence, seen.scored.task_key, seen.episode, tuple(given)), settings
        )
    return after, [
        Edge(o.evidence, policy.id, kind, _cosine(mean, o.vector), o.segment, o.resolved)
        for o, kind in zip(near, relations, strict=True)
    ]


def _with_support(policy: PolicyState, supporting: Supporting, settings: Settings) -> PolicyState:
    """Return the policy whose procedure takes one more supporting episode in (D4.9: revision and stability)."""
    window = (supporting, *policy.window)[:WINDOW]
    steps = _consensus(window, policy.steps, settings)
    if required_tools(steps) != required_tools(policy.steps):
        return replace(policy, window=window, steps=steps, revision=policy.revision + 1, stable_for=0)
    fits = any(embeds(required_tools(steps), support.tools) for support in supporting.supports)
    return replace(policy, window=window, steps=steps, stable_for=policy.stable_for + fits)


def _consensus(
    window: Sequence[Supporting], previous: Sequence[AlignedStep], settings: Settings
) -> tuple[AlignedStep, ...]:
    segments = [
        Segment(supporting.episode, support.tools)
        for supporting in recent(window, settings)
        for support in supporting.supports
    ]
    return align(segments, previous, settings)


def _is_near(policy: PolicyState, occurrence: Occurrence, settings: Settings) -> bool:
    floor = settings.association_floor
    return floor == 0 or not policy.supports or _cosine(policy.mean, occurrence.vector) >= floor


def _cosine(mean: Floats, vector: Floats) -> float:
    """Return the cosine of two vectors to 6 places, so that engines agree; 0 where one has no length."""
    left, right = mean.astype(np.float64), vector.astype(np.float64)
    length = float(np.sqrt(left @ left) * np.sqrt(right @ right))
    return round(float(left @ right) / length, 6) if length else 0.0


# Measuring ----------------------------------------------------------------------------------------------------------


def _measure(state: DomainState, scored: Scored, used: set[str], offered: frozenset[str]) -> DomainState:
    """Return the state with the episode in the pool and in the sums of all policies measured on its task."""
    task = scored.task_key
    before = state.pool.tasks.get(task, TaskTally())
    pool = state.pool.plus(scored)
    after = pool.tasks[task]
    tallies = dict(state.measured.get(task, {}))
    policies = dict(state.policies)
    offered = offered & policies.keys()
    for policy_id in sorted(used | offered | tallies.keys()):
        was = tallies.get(policy_id, Tally())
        sums = policies[policy_id].sums
        if policy_id in used or policy_id in offered:
            tallies[policy_id] = was.plus(scored, offered=policy_id in offered)
            sums = sums.plus(scored, offered=policy_id in offered)
        sums = sums.moved(was, before, tallies[policy_id], after)
        policies[policy_id] = replace(policies[policy_id], sums=sums)
    return replace(state, pool=pool, policies=policies, measured={**state.measured, task: tallies})


def _offered_policies(episode: ScoredEpisode) -> frozenset[str]:
    """Return the ids of the policies of which a skill was offered to an episode."""
    return frozenset(policy_of(skill) for skill in episode.offered)


def _measured_from(
    state: DomainState, policy: PolicyState, episodes: Iterable[Scored]
) -> tuple[PolicyState, dict[str, dict[str, Tally]]]:
    """Return a new policy's sums over the episodes that have an edge to it, and its tallies by task."""
    tallies: dict[str, Tally] = {}
    sums = policy.sums
    for scored in episodes:
        tallies[scored.task_key] = tallies.get(scored.task_key, Tally()).plus(scored, offered=False)
        sums = sums.plus(scored, offered=False)
    for task, tally in tallies.items():
        sums = sums.moved(Tally(), TaskTally(), tally, state.pool.tasks[task])
    return replace(policy, sums=sums), {task: {policy.id: tally} for task, tally in tallies.items()}


# Induction ----------------------------------------------------------------------------------------------------------


def _induce(
    state: DomainState,
    episode: ScoredEpisode,
    seen: Mapping[tuple[str, str, str], Seen],
    histories: Mapping[tuple[str, Stance], Sequence[Seen]],
    settings: Settings,
) -> tuple[DomainState, tuple[str, ...], list[Edge]]:
    """Return the state with the policies that this episode induces, their ids, and the edges of all their evidence."""
    policies, by_pattern, measured = dict(state.policies), dict(state.by_pattern), dict(state.measured)
    induced: list[str] = []
    edges: list[Edge] = []
    for pattern, stance in inductions(state, episode, settings):
        tool, error = next((tool, error) for (known, tool, error) in seen if known == pattern)
        sight = seen[pattern, tool, error]
        history = (*histories[pattern, stance], sight)
        trigger = next(o.evidence for o in sight.occurrences if _counts(stance, o.value, settings))
        policy = PolicyState(
            id=policy_id(pattern, trigger.partition("/")[2], stance),
            pattern=pattern,
            tool=tool,
            error_signature=error,
            stance=stance,
            mean=np.zeros_like(sight.occurrences[0].vector),
        )
        policy, new_edges = _from_history(policy, history, settings)
        policy, tallies = _measured_from(state, policy, [past.scored for past in history])
        policies[policy.id] = policy
        by_pattern[pattern] = {**by_pattern.get(pattern, {}), stance: policy.id}
        for task, tally in tallies.items():
            measured[task] = {**measured.get(task, {}), **tally}
        induced.append(policy.id)
        edges += new_edges
    return (
        replace(state, policies=policies, by_pattern=by_pattern, measured=measured),
        tuple(induced),
        edges,
    )


def _from_history(policy: PolicyState, history: Sequence[Seen], settings: Settings) -> tuple[PolicyState, list[Edge]]:
    """Return a new policy with all evidence of its signature, as one look at it: revision 1, stable for nothing yet."""
    edges: list[Edge] = []
    for past in history:
        policy, associated = _associate(policy, past, settings)
        edges += associated
    vectors = {o.evidence: o.vector for past in history for o in past.occurrences}
    edges = [replace(edge, similarity=_cosine(policy.mean, vectors[edge.evidence])) for edge in edges]
    steps = _consensus(policy.window, (), settings)
    return replace(policy, steps=steps, revision=1, stable_for=0), edges


def _counts(stance: Stance, value: float, settings: Settings) -> bool:
    return relation(stance, value, settings.v_min) == "SUPPORTS"


def _counts_for(stance: Stance, seen: Seen, settings: Settings) -> bool:
    return any(_counts(stance, o.value, settings) for o in seen.occurrences)


def _trajectories(state: DomainState, pattern: str, stance: Stance) -> frozenset[str]:
    return state.waiting.get(pattern, Waiting()).trajectories.get(stance, frozenset())


def _remember(state: DomainState, seen: Mapping[tuple[str, str, str], Seen], settings: Settings) -> DomainState:
    """Return the state that knows this episode's trajectory for the stances that its signatures have no policy of."""
    waiting = dict(state.waiting)
    for (pattern, _, _), sight in seen.items():
        known = state.by_pattern.get(pattern, {})
        trajectories = {
            stance: _trajectories(state, pattern, stance) | ({sight.trajectory} if counts else frozenset())
            for stance in STANCES
            if stance not in known
            for counts in [_counts_for(stance, sight, settings)]
        }
        waiting[pattern] = Waiting(trajectories)
    return replace(state, waiting=waiting)


# Judging ------------------------------------------------------------------------------------------------------------


def _judge(
    state: DomainState, sequence: int, induced: Sequence[str], settings: Settings
) -> tuple[DomainState, tuple[Ruling, ...]]:
    """Return the state with gain, test and status of every policy of the domain, and the changes of status."""
    policies = {
        policy.id: replace(
            policy,
            gain=gain(state.pool, policy.sums, baseline_episodes=settings.baseline_episodes),
            p=significance(state.pool, policy.sums).p(policy.stance),
            q=None,
        )
        for policy in state.policies.values()
    }
    for stance in STANCES:
        family = sorted(p.id for p in policies.values() if p.stance == stance and p.support >= settings.n_min)
        rates = false_discovery_rates([_known(policies[member].p) for member in family])
        for member, q in zip(family, rates, strict=True):
            policies[member] = replace(policies[member], q=q)
    rulings: list[Ruling] = []
    for member in sorted(policies):
        policies[member], new = _ruled(policies[member], sequence, member in induced, settings)
        rulings += new
    return replace(state, policies=policies), tuple(rulings)


def _ruled(policy: PolicyState, sequence: int, is_new: bool, settings: Settings) -> tuple[PolicyState, list[Ruling]]:
    rulings = []
    before = policy.status
    if is_new:
        rulings.append(Ruling(policy.id, sequence, "induce", _induction_reason(policy, settings), "", "candidate"))
        before = "candidate" if policy.stance == "follow" else None
    after = policy_status(
        before, policy.stance, support=policy.support, gain=policy.gain.gain, q=policy.q, settings=settings
    )
    if policy.dismissed:
        after = "retired"
    if after != before:
        rulings.append(Ruling(policy.id, sequence, _ACTIONS[after], _numbers(policy), before or "candidate", after))
    is_settled = after == "active" and policy.stable_for >= settings.stable_episodes
    policy = replace(policy, status=after, settled=policy.settled or is_settled)
    if policy.skill is not None:
        policy, change = _skill_ruled(policy, policy.skill, sequence, settings)
        rulings += change
    return policy, rulings


def _skill_ruled(
    policy: PolicyState, skill: PublishedSkill, sequence: int, settings: Settings
) -> tuple[PolicyState, list[Ruling]]:
    """Suspend a skill at once when its policy is not active or fails gate 1; bring it back when both hold (D6.5)."""
    reasons = _gate_1_reasons(policy, settings)
    conditions = [Condition("policy", policy.status == "active"), Condition("gate_1", not reasons)]
    reason = "; ".join(reasons) or f"gate 1 holds again: {_numbers(policy)}"
    return _conditioned(policy, skill, conditions, reason, sequence, settings)


def _conditioned(
    policy: PolicyState,
    skill: PublishedSkill,
    conditions: Sequence[Condition],
    reason: str,
    sequence: int,
    settings: Settings,
) -> tuple[PolicyState, list[Ruling]]:
    """Return the policy with its skill suspended or returned as what it rests on says."""
    life = skill.life
    for condition in conditions:
        life = lifecycle.advance(life, condition, settings)
    policy = replace(policy, skill=replace(skill, life=life))
    if life.status == skill.life.status:
        return policy, []
    action = "suspend" if life.status == "suspended" else "return"
    ruling = Ruling(skill.id, sequence, action, reason, skill.life.status, life.status, is_about_skill=True)
    return policy, [ruling]


# Trials and reports -------------------------------------------------------------------------------------------------


def _observe(
    state: DomainState, episode: ScoredEpisode, settings: Settings
) -> tuple[DomainState, tuple[ObservedTrial, ...], list[Ruling]]:
    """Return the state after the trials that an episode shows of the skills published before it (D6.6)."""
    if episode.is_inferred:
        return state, (), []
    policies = dict(state.policies)
    trials: list[ObservedTrial] = []
    rulings: list[Ruling] = []
    for policy in sorted(state.policies.values(), key=lambda one: one.id):
        if policy.skill is None or policy.skill.life.status == "archived":
            continue
        passed = trial(policy.skill.required, _use(policy, policy.skill, episode))
        if passed is None:
            continue
        trials.append(ObservedTrial(policy.skill.id, episode.key, episode.sequence, passed))
        told: Told = "pass" if passed else "fail"
        policies[policy.id], new = _lived(policy, policy.skill, told, episode.sequence, settings)
        rulings += new
    return replace(state, policies=policies), tuple(trials), rulings


def _use(policy: PolicyState, skill: PublishedSkill, episode: ScoredEpisode) -> Use:
    """Return how an episode used a skill: its tools from where the skill's trigger is first met.

    Without an error in its signature a skill is for the domain's tasks, so its trigger is met from the start.
    """
    met = [place for place, step in enumerate(episode.steps) if policy.error_signature in ("", step.error_signature)]
    return Use(
        tools=tuple(step.tool for step in episode.steps[met[0] :]) if met else (),
        trigger_met=bool(met),
        was_offered=skill.id in episode.offered,
        declared_used=episode.offered.get(skill.id, False),
        is_after_publication=True,
        built_it=False,
        solved=episode.scored.solved,
    )


def _lived(
    policy: PolicyState, skill: PublishedSkill, event: Event, sequence: int, settings: Settings
) -> tuple[PolicyState, list[Ruling]]:
    """Return the policy after an event in its skill's life, and the change of status, if any."""
    life = lifecycle.advance(skill.life, event, settings)
    policy = replace(policy, skill=replace(skill, life=life))
    if life.returns_to == skill.life.returns_to:
        return policy, []
    action = "archive" if life.returns_to == "archived" else "activate"
    ruling = Ruling(
        skill.id, sequence, action, _life_numbers(life), skill.life.status, life.status, is_about_skill=True
    )
    return policy, [ruling]


def _dismissed(
    state: DomainState, policy: PolicyState, report: Report, settings: Settings
) -> tuple[DomainState, Changes]:
    """Return the state with a policy that a person retired."""
    after = replace(policy, dismissed=True, status="retired")
    rulings: list[Ruling] = []
    if after.skill is not None:
        after, rulings = _skill_ruled(after, after.skill, report.sequence, settings)
    answer = Answer(report.key, report.kind, policy.status or "", "retired")
    return replace(state, policies={**state.policies, policy.id: after}), Changes(
        rulings=tuple(rulings), answers=(answer,)
    )


def _status(policy: PolicyState) -> str:
    return _known(policy.skill).life.status


def _life_numbers(life: SkillLife) -> str:
    """Return the numbers that a skill's status rests on."""
    run = f"{life.consecutive_passes} passes" if life.consecutive_passes else f"{life.consecutive_failures} failures"
    return f"{run} in a row; {life.passes} of {life.trials} trials passed, reliability {number_told(life.reliability)}"


PERSONAL: frozenset[str] = frozenset({"archive", "approve", "pin"})
"""What only a person does; it is its own Decision."""
_ACTIONS: Mapping[PolicyStatus, str] = {"active": "activate", "retired": "retire", "candidate": "reconsider"}


def _is_ready(policy: PolicyState, settings: Settings) -> bool:
    return policy.stable_for >= settings.stable_episodes and not _gate_1_reasons(policy, settings)


def _gate_1_reasons(policy: PolicyState, settings: Settings) -> tuple[str, ...]:
    return gate_1_reasons(
        status=_known(policy.status),
        stance=policy.stance,
        gain=policy.gain.gain,
        q=policy.q,
        evidence_valid=policy.support > 0,
        settings=settings,
    )


def _induction_reason(policy: PolicyState, settings: Settings) -> str:
    what = "worked" if policy.stance == "follow" else "failed"
    return f"it {what} in {policy.support} episodes, at least {settings.n_min} of them different"


def _numbers(policy: PolicyState) -> str:
    """Return the numbers that a status rests on, to 4 places."""
    numbers: list[tuple[str, Any]] = [("gain", policy.gain.gain), ("p", policy.p), ("q", policy.q)]
    told = ", ".join(f"{name} {number_told(value)}" for name, value in numbers if value is not None)
    return f"support {policy.support} episodes, {told or 'no gain'}"


def _known(value: _T | None) -> _T:
    assert value is not None
    return value
