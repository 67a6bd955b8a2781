"""A domain between the graph and the fold: what an input touches is read, what changed is written."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from msce_graph.errors import StoreError
from msce_graph.learning.alignment import AlignedStep
from msce_graph.learning.fold import (
    WINDOW,
    Answer,
    Changes,
    DomainState,
    Input,
    ObservedTrial,
    Occurrence,
    PolicyState,
    PublishedSkill,
    Report,
    Ruling,
    ScoredEpisode,
    Seen,
    Step,
    Support,
    Supporting,
    Waiting,
)
from msce_graph.learning.gain import Gain
from msce_graph.learning.lifecycle import SkillLife
from msce_graph.learning.signature import pattern_id
from msce_graph.learning.tally import Pool, Scored, Sides, Stratum, Sums, Tally, TaskTally
from msce_graph.learning.wording import exclusion_text
from msce_graph.records import Decision, Stance, Trial
from msce_graph.settings import Settings
from msce_graph.store import Transaction, rows

Row = rows.Row
NO_VECTOR = np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A domain's state, and what of it was read: the rest is read when an input touches it."""

    state: DomainState
    windows: frozenset[str] = frozenset()
    tasks: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()


# Reading ------------------------------------------------------------------------------------------------------------


def pending(tx: Transaction, domain: str, limit: int) -> list[Input]:
    """Return the next inputs of a domain, in order: scored episodes with their tool steps, and reports."""
    reports = [Report(**row) for row in tx.run("evolve/reports", domain=domain)]
    episodes = _with_steps(tx, domain, tx.run("evolve/pending", domain=domain, limit=limit))
    return _ordered(episodes, reports)[:limit]


def inputs(tx: Transaction, domain: str, *, without: Collection[str]) -> list[Input]:
    """Return all inputs of a domain, in order, but for some episodes and the uses of skills that were seen in them."""
    left_out = sorted(without)
    episodes = _with_steps(tx, domain, tx.run("evolve/all_inputs", domain=domain, without=left_out))
    reports = [Report(**row) for row in tx.run("evolve/all_reports", domain=domain, without=left_out)]
    return _ordered(episodes, reports)


def _ordered(episodes: Sequence[Input], reports: Sequence[Input]) -> list[Input]:
    return sorted((*episodes, *reports), key=lambda one: one.sequence)


def _with_steps(tx: Transaction, domain: str, found: Sequence[Row]) -> list[ScoredEpisode]:
    """Return the episodes of some rows with their tool steps."""
    keys = sorted(row["key"] for row in found)
    steps: defaultdict[str, list[Step]] = defaultdict(list)
    for row in tx.stream("evolve/steps", episodes=keys):
        if row["embedding"] is None:
            raise StoreError(f"{row['key']} has no vector: `msce embed` was interrupted; run it again")
        steps[row["episode"]].append(
            Step(
                evidence=row["key"],
                turn=row["turn"],
                tool=row["tool"],
                is_error=row["is_error"],
                error_signature=row["error_signature"],
                value=row["value"],
                vector=np.array(row["embedding"], dtype=np.float32),
            )
        )
    offers: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for row in tx.run("evolve/offers", episodes=keys):
        offers[row["episode"]][row["skill"]] = row["declared_used"]
    return [
        ScoredEpisode(
            key=row["key"],
            sequence=row["sequence"],
            domain=domain,
            scored=scored(row),
            trajectory=row["trajectory"],
            steps=tuple(steps[row["key"]]),
            offered=offers[row["key"]],
            is_trusted=row["is_trusted"],
            is_inferred=row["is_inferred"],
        )
        for row in found
    ]


def scored(row: Mapping[str, Any]) -> Scored:
    """Return the outcome of an episode's row."""
    return Scored(row["task_key"], row["reward"], bool(row["solved"]), row["tool_steps"], row["agent"], row["model"])


def opened(tx: Transaction, domain: str) -> Loaded:
    """Return a domain's state without what only inputs need."""
    policies: dict[str, PolicyState] = {}
    by_pattern: defaultdict[str, dict[Stance, str]] = defaultdict(dict)
    skills = {row["policy"]: row for row in tx.run("policy/skills", domain=domain)}  # the newest version comes last
    for row in tx.run("policy/states", domain=domain):
        policies[row["id"]] = _policy(row, skills.get(row["id"]))
        by_pattern[row["pattern"]][row["stance"]] = row["id"]
    return Loaded(DomainState(domain, _pool(tx, domain), policies, dict(by_pattern)))


def touching(tx: Transaction, loaded: Loaded, episodes: Sequence[ScoredEpisode], settings: Settings) -> Loaded:
    """Return the state with all that these inputs touch read."""
    state, namespace = loaded.state, tx.namespace
    patterns = {pattern_id(state.domain, step.tool, step.error_signature) for e in episodes for step in e.steps}
    fresh = patterns - loaded.patterns
    answered = {step.error_signature for e in episodes for step in e.steps}
    known = {policy for pattern in fresh for policy in state.by_pattern.get(pattern, {}).values()}
    known = (known | told_by_others(state, answered)) - loaded.windows
    state = replace(
        state,
        policies={**state.policies, **_windows(tx, state.policies, known)},
        waiting={**state.waiting, **_waiting(tx, [f"{namespace}/{pattern}" for pattern in sorted(fresh)], settings)},
    )
    touched = Loaded(state, loaded.windows | known, loaded.tasks, loaded.patterns | fresh)
    return knowing(tx, touched, {episode.scored.task_key for episode in episodes})


def supported(tx: Transaction, loaded: Loaded, policies: Collection[str]) -> Loaded:
    """Return the state with the supporting episodes of some policies read; what inputs changed must be written."""
    unread = {policy for policy in policies if not loaded.state.policies[policy].window} - loaded.windows
    state = replace(loaded.state, policies={**loaded.state.policies, **_windows(tx, loaded.state.policies, unread)})
    return replace(loaded, state=state, windows=loaded.windows | unread)


def told_by_others(state: DomainState, answered: set[str]) -> set[str]:
    """Return the policies to avoid after any of these errors: their words say what went well instead."""
    return {
        policy.id
        for policy in state.policies.values()
        if policy.stance == "avoid" and policy.error_signature and policy.error_signature in answered
    }


def knowing(tx: Transaction, loaded: Loaded, tasks: set[str]) -> Loaded:
    """Return the state with the tallies of these tasks read; what inputs changed of others must be written already."""
    state, new = loaded.state, tasks - loaded.tasks
    state = replace(
        state,
        pool=replace(state.pool, tasks={**state.pool.tasks, **_tasks(tx, state.domain, new)}),
        measured={**state.measured, **_measured(tx, state.domain, new)},
    )
    return replace(loaded, state=state, tasks=loaded.tasks | new)


def history(tx: Transaction, pattern: str) -> tuple[Seen, ...]:
    """Return all evidence of a signature by episode, in order."""
    episodes: dict[str, list[Row]] = {}
    for row in tx.stream("pattern/history", pattern=f"{tx.namespace}/{pattern}"):
        episodes.setdefault(row["episode"], []).append(row)
    return tuple(
        Seen(
            episode,
            found[0]["sequence"],
            scored(found[0]),
            found[0]["trajectory"],
            tuple(
                Occurrence(
                    row["key"],
                    row["value"],
                    np.array(row["embedding"], dtype=np.float32),
                    tuple(row["segment"]),
                    row["resolved"],
                )
                for row in found
            ),
        )
        for episode, found in episodes.items()
    )


def _pool(tx: Transaction, domain: str) -> Pool:
    [totals] = tx.run("pool/totals", domain=domain)
    lengths: defaultdict[str, Stratum] = defaultdict(Stratum)
    runners: defaultdict[str, Stratum] = defaultdict(Stratum)
    for row in tx.run("pool/strata", domain=domain):
        one = Scored("", 0.0, False, row["tool_steps"], row["agent"], row["model"])
        for strata, name in ((lengths, one.length), (runners, one.runner)):
            there = strata[name]
            strata[name] = Stratum(there.episodes + row["episodes"], there.solved + row["solved"])
    return Pool(
        episodes=totals["episodes"] or 0,
        total=totals["total"] or 0.0,
        adjusted=totals["adjusted"] or 0.0,
        ease=float(totals["tasks"]),
        square_constant=totals["square_constant"] or 0.0,
        square_linear=totals["square_linear"] or 0.0,
        square_quadratic=totals["square_quadratic"] or 0.0,
        singles=Stratum(totals["singles"] or 0, totals["singles_solved"] or 0),
        lengths=dict(lengths),
        runners=dict(runners),
    )


def _policy(row: Row, skill: Row | None) -> PolicyState:
    tally = json.loads(row["tally"])
    return PolicyState(
        id=row["id"],
        pattern=row["pattern"],
        tool=row["tool"],
        error_signature=row["error_signature"],
        stance=row["stance"],
        mean=NO_VECTOR,
        status=row["status"],
        revision=row["revision"],
        stable_for=row["stable_for"],
        support=row["support"],
        supports=tally["supports"],
        contradicting=tally["contradicting"],
        bordering=tally["bordering"],
        resolved=row["resolved"],
        attempts=row["attempts"],
        steps=tuple(
            AlignedStep(step["tool"], step["share"], step["required"]) for step in json.loads(row["procedure"])
        ),
        sums=_sums(tally["sums"]),
        gain=Gain(row["gain"], row["gain_low"], row["gain_high"], row["episodes_with"], row["episodes_without"]),
        p=row["p"],
        q=row["q"],
        skill=None if skill is None else _skill(skill, tally["skill"]),
        tried=tally["tried"],
        gives_way_to=tally["gives_way_to"],
        settled=row["settled"],
        dismissed=tally["dismissed"],
    )


def _skill(row: Row, kept: Mapping[str, Any]) -> PublishedSkill:
    life = SkillLife(**{**kept["life"], "suspended_for": frozenset(kept["life"]["suspended_for"])})
    required = tuple(step["tool"] for step in json.loads(row["procedure"]) if step["required"])
    return PublishedSkill(row["id"], row["version"], kept["revision"], required, tuple(kept["exclusions"]), life)


def _tasks(tx: Transaction, domain: str, tasks: Iterable[str]) -> dict[str, TaskTally]:
    keys = [f"{tx.namespace}/{domain}/{task}" for task in sorted(tasks)]
    return {
        row["task_key"]: TaskTally(row["episodes"], row["total"], row["squares"], row["solved"])
        for row in tx.run("pool/tasks", tasks=keys)
    }


def _measured(tx: Transaction, domain: str, tasks: Iterable[str]) -> dict[str, dict[str, Tally]]:
    keys = [f"{tx.namespace}/{domain}/{task}" for task in sorted(tasks)]
    found: defaultdict[str, dict[str, Tally]] = defaultdict(dict)
    for row in tx.run("policy/measured", tasks=keys):
        found[row["task_key"]][row["policy"]] = Tally(
            row["episodes"],
            row["solved"],
            row["total"],
            row["offered"],
            row["offered_solved"],
            row["offered_total"],
        )
    return dict(found)


def _windows(tx: Transaction, policies: Mapping[str, PolicyState], touched: Iterable[str]) -> dict[str, PolicyState]:
    keys = [f"{tx.namespace}/{policy}" for policy in sorted(touched)]
    windows: defaultdict[str, list[Supporting]] = defaultdict(list)
    for row in tx.run("policy/window", policies=keys, limit=WINDOW):
        supports = sorted(row["segments"], key=lambda segment: int(segment["index"]))
        windows[row["policy"]].append(
            Supporting(
                row["sequence"],
                row["task_key"],
                row["episode"],
                tuple(Support(segment["evidence"], tuple(segment["segment"])) for segment in supports),
            )
        )
    return {
        row["id"]: replace(
            policies[row["id"]],
            window=tuple(windows[row["id"]]),
            mean=np.array(row["embedding"], dtype=np.float32),
        )
        for row in tx.run("policy/vectors", policies=keys)
    }


def _waiting(tx: Transaction, patterns: Sequence[str], settings: Settings) -> dict[str, Waiting]:
    found: defaultdict[str, dict[Stance, frozenset[str]]] = defaultdict(dict)
    for row in tx.run("pattern/waiting", patterns=patterns, v_min=settings.v_min):
        found[row["pattern"]]["follow" if row["is_positive"] else "avoid"] = frozenset(row["trajectories"])
    for row in tx.run("pattern/contradicted", patterns=patterns):
        found[row["pattern"]]["avoid" if row["stance"] == "follow" else "follow"] = frozenset(row["trajectories"])
    return {pattern: Waiting(trajectories) for pattern, trajectories in found.items()}


# Writing ------------------------------------------------------------------------------------------------------------


def put_changes(tx: Transaction, changes: Sequence[Changes], state: DomainState, now: datetime) -> None:
    """Write the edges, buckets and decisions that inputs brought; the policies are there already."""
    namespace = tx.namespace
    candidates = {row.evidence: row for change in changes for row in change.candidates}
    patterns = {
        policy.pattern: (policy.tool, policy.error_signature)
        for change in changes
        for policy in (state.policies[new] for new in change.induced)
    } | {row.pattern: (row.tool, row.error_signature) for row in candidates.values()}
    tx.put("pattern/put", [_pattern_row(namespace, state.domain, *item, now) for item in patterns.items()])
    tx.put(
        "pattern/wait",
        [
            {
                "key": row.evidence,
                "to": f"{namespace}/{row.pattern}",
                "segment": list(row.segment),
                "resolved": row.resolved,
            }
            for row in candidates.values()
        ],
    )
    induced = [state.policies[policy] for change in changes for policy in change.induced]
    tx.put(
        "policy/induced_from",
        [{"key": f"{namespace}/{policy.id}", "to": f"{namespace}/{policy.pattern}"} for policy in induced],
    )
    edges = [edge for change in changes for edge in change.edges]
    for relation in ("SUPPORTS", "CONTRADICTS", "BORDERS"):
        tx.put(
            f"policy/{relation.lower()}",
            [
                {
                    "key": edge.evidence,
                    "to": f"{namespace}/{edge.policy}",
                    "similarity": edge.similarity,
                    "segment": list(edge.segment),
                    "resolved": edge.resolved,
                }
                for edge in edges
                if edge.relation == relation
            ],
        )
    if induced:
        tx.run("pattern/drain", patterns=sorted(f"{namespace}/{policy.pattern}" for policy in induced))
    tx.put("trial/put", [_trial_row(namespace, trial, now) for change in changes for trial in change.trials])
    tx.put(
        "skill/exclude",
        [
            {"key": f"{namespace}/{added.skill}", "sentence": exclusion_text([added.condition])}
            for change in changes
            for added in change.exclusions
        ],
    )
    put_rulings(tx, [ruling for change in changes for ruling in change.rulings], now)


def put_answers(tx: Transaction, answers: Sequence[Answer]) -> None:
    """Mark reports as taken in, with what came of them."""
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for answer in answers:
        found[answer.kind].append({"key": answer.report, "before": answer.before, "after": answer.after})
    for kind, given in found.items():
        tx.put(f"evolve/answer_{kind}", given)


def _trial_row(namespace: str, trial: ObservedTrial, now: datetime) -> Row:
    record = Trial(
        namespace=namespace,
        id=f"{trial.skill}/{trial.episode.removeprefix(f'{namespace}/')}",
        created_at=now,
        sequence=trial.sequence,
        passed=trial.passed,
        basis="observed",
    )
    return {**rows.put_row(record), "skill": f"{namespace}/{trial.skill}", "to": trial.episode}


def put_rulings(tx: Transaction, rulings: Sequence[Ruling], now: datetime, author: str = "msce_graph") -> None:
    """Write decisions, each about the policy or skill that it names."""
    namespace = tx.namespace
    decisions = [
        Decision(
            namespace=namespace,
            id=f"{ruling.subject}/{ruling.sequence}/{ruling.action}",
            created_at=now,
            subject=f"{namespace}/{ruling.subject}",
            sequence=ruling.sequence,
            action=ruling.action,
            reason=ruling.reason,
            before=ruling.before,
            after=ruling.after,
            author=author,
            occurred_at=now,
        )
        for ruling in rulings
    ]
    tx.put("decision/put", [rows.put_row(decision) for decision in decisions])
    links = [
        (ruling.is_about_skill, {"key": decision.key, "to": decision.subject})
        for ruling, decision in zip(rulings, decisions, strict=True)
    ]
    tx.put("decision/about_policies", [link for is_about_skill, link in links if not is_about_skill])
    tx.put("decision/about_skills", [link for is_about_skill, link in links if is_about_skill])


def put_tallies(tx: Transaction, before: DomainState, after: DomainState) -> None:
    """Write the tallies of the tasks and policies that inputs moved."""
    prefix = f"{tx.namespace}/{after.domain}"
    tx.put(
        "pool/put_tasks",
        [
            {
                "key": f"{prefix}/{task}",
                "episodes": tally.episodes,
                "total": tally.total,
                "squares": tally.squares,
                "solved": tally.solved,
            }
            for task, tally in after.pool.tasks.items()
            if before.pool.tasks.get(task) != tally
        ],
    )
    tx.put(
        "policy/measure",
        [
            {
                "key": f"{tx.namespace}/{policy}",
                "to": f"{prefix}/{task}",
                "episodes": tally.episodes,
                "solved": tally.solved,
                "sum": tally.total,
                "offered": tally.offered,
                "offered_solved": tally.offered_solved,
                "offered_sum": tally.offered_total,
            }
            for task, tallies in after.measured.items()
            for policy, tally in tallies.items()
            if before.measured.get(task, {}).get(policy) != tally
        ],
    )


def numbers(policy: PolicyState) -> Row:
    """Return the properties of a policy that every input may move."""
    skill = policy.skill
    return {
        "support": policy.support,
        "gain": policy.gain.gain,
        "gain_low": policy.gain.low,
        "gain_high": policy.gain.high,
        "p": policy.p,
        "q": policy.q,
        "episodes_with": policy.gain.episodes_with,
        "episodes_without": policy.gain.episodes_without,
        "resolved": policy.resolved,
        "attempts": policy.attempts,
        "status": policy.status,
        "revision": policy.revision,
        "stable_for": policy.stable_for,
        "settled": policy.settled,
        "tally": rows.json_text(
            {
                "supports": policy.supports,
                "contradicting": policy.contradicting,
                "bordering": policy.bordering,
                "tried": policy.tried,
                "gives_way_to": policy.gives_way_to,
                "dismissed": policy.dismissed,
                "skill": None if skill is None else _skill_json(skill),
                "sums": _sums_json(policy.sums),
            }
        ),
    }


def _skill_json(skill: PublishedSkill) -> dict[str, Any]:
    life = {**asdict(skill.life), "suspended_for": sorted(skill.life.suspended_for)}
    return {"revision": skill.revision, "exclusions": list(skill.exclusions), "life": life}


def _pattern_row(namespace: str, domain: str, pattern: str, named: tuple[str, str], now: datetime) -> Row:
    key = f"{namespace}/{pattern}"
    return {
        "key": key,
        "created_at": now,
        "properties": {
            "key": key,
            "namespace": namespace,
            "id": pattern,
            "domain": domain,
            "tool": named[0],
            "error_signature": named[1],
        },
    }


def _sums_json(sums: Sums) -> dict[str, Any]:
    return {
        "numbers": [
            sums.episodes,
            sums.solved,
            sums.adjusted,
            sums.ease,
            sums.offered,
            sums.offered_adjusted,
            sums.offered_ease,
            sums.expected,
            sums.variance,
        ],
        "singles": _pair(sums.singles),
        "singles_shift": _pair(sums.singles_shift),
        "lengths": {name: _pair(sides.used) + _pair(sides.offered) for name, sides in sums.lengths.items()},
        "runners": {name: _pair(sides.used) + _pair(sides.offered) for name, sides in sums.runners.items()},
    }


def _sums(kept: Mapping[str, Any]) -> Sums:
    names = (
        "episodes",
        "solved",
        "adjusted",
        "ease",
        "offered",
        "offered_adjusted",
        "offered_ease",
        "expected",
        "variance",
    )
    return Sums(
        **dict(zip(names, kept["numbers"], strict=True)),
        singles=Stratum(*kept["singles"]),
        singles_shift=Stratum(*kept["singles_shift"]),
        lengths=_strata(kept["lengths"]),
        runners=_strata(kept["runners"]),
    )


def _strata(kept: Mapping[str, list[int]]) -> dict[str, Sides]:
    return {name: Sides(Stratum(*counts[:2]), Stratum(*counts[2:])) for name, counts in kept.items()}


def _pair(stratum: Stratum) -> list[int]:
    return [stratum.episodes, stratum.solved]
