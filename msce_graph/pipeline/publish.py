"""Skills out: a draft of each policy that passes both gates, checked and published or discarded in one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from msce_graph.learning.alignment import begins, required_tools
from msce_graph.learning.drafting import Example, SkillDraft, draft
from msce_graph.learning.fold import DomainState, PolicyState, PublishedSkill, Ruling, ready, skill_id
from msce_graph.learning.lifecycle import SkillLife, number_told
from msce_graph.learning.wording import exclusion_text
from msce_graph.pipeline.checking import OverTrusted, Verification, verified
from msce_graph.pipeline.domain import numbers, put_rulings
from msce_graph.pipeline.runs import Run
from msce_graph.records import Skill
from msce_graph.settings import Settings
from msce_graph.store import Transaction, rows

EVIDENCE = 256
"""Steps of a policy, newest first, among which those that a skill cites are chosen."""


_APART = frozenset({"cites", "tools", "boundary"})
"""Fields of a draft that are no properties of its skill, or not as they stand."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many drafts became skills and how many were discarded."""

    published: int
    discarded: int


def publish(
    tx: Transaction,
    state: DomainState,
    drafted: Sequence[str],
    sequence: int,
    run: Run,
    settings: Settings,
    now: datetime,
) -> tuple[DomainState, Outcome]:
    """Draft and check a skill of each policy named, which is written already; return the state that knows what became.

    A draft whose required steps only begin another candidate's, in mostly the same episodes, gives way to it (D6.3).
    """
    longer = _longer(tx, state, drafted, settings)
    policies = dict(state.policies)
    published = 0
    rulings = []
    for policy in drafted:
        before = policies[policy]
        if policy in longer:
            policies[policy] = replace(before, gives_way_to=longer[policy], tried=before.supports)
            if before.gives_way_to != longer[policy]:
                reason = f"in mostly the same episodes its required steps only begin those of {longer[policy]}"
                rulings.append(Ruling(policy, sequence, "give way", reason, "draft", "discarded"))
            continue
        policies[policy], is_published = _published(tx, before, sequence, run, settings, now)
        published += is_published
    put_rulings(tx, rulings, now)
    tx.put(
        "policy/put",
        [
            {"key": f"{tx.namespace}/{policy}", "created_at": None, "properties": numbers(policies[policy])}
            for policy in drafted
        ],
    )
    outcome = Outcome(published, len(drafted) - len(longer) - published)
    return replace(state, policies=policies), outcome


def _longer(tx: Transaction, state: DomainState, drafted: Sequence[str], settings: Settings) -> dict[str, str]:
    """Return the policies of which only the longer one is to be drafted, each with that one."""
    candidates = [state.policies[policy] for policy in ready(state, settings)]
    pairs = [
        (state.policies[shorter], longer)
        for shorter in drafted
        for longer in candidates
        if begins(state.policies[shorter].steps, longer.steps)
    ]
    prefix = f"{tx.namespace}/"
    given = [{"shorter": prefix + shorter.id, "longer": prefix + longer.id} for shorter, longer in pairs]
    shared = {(row["shorter"], row["longer"]): row["episodes"] for row in tx.run("policy/shared_episodes", pairs=given)}
    found: dict[str, str] = {}
    for shorter, longer in pairs:
        episodes = shared.get((prefix + shorter.id, prefix + longer.id), 0)
        if 2 * episodes > max(shorter.support, longer.support):
            found.setdefault(shorter.id, longer.id)
    return found


def _published(
    tx: Transaction,
    policy: PolicyState,
    sequence: int,
    run: Run,
    settings: Settings,
    now: datetime,
) -> tuple[PolicyState, bool]:
    """Return the policy with its new skill, or as tried where a check failed."""
    key = f"{tx.namespace}/{policy.id}"
    [row] = tx.run("policy/get", key=key)
    taken = [row["name"] for row in tx.run("skill/names", policy=policy.id)]
    drafted = draft(
        rows.policy(row),
        _examples(tx.run("policy/supporting", key=key, limit=EVIDENCE)),
        _examples(tx.run("policy/contradicting", key=key, limit=EVIDENCE)),
        taken,
        settings,
    )
    before = policy.skill
    skill = _next_version(policy)
    _write(tx, skill, drafted, policy, now)
    checks = verified(tx, settings, f"{tx.namespace}/{skill.id}")
    if not checks.holds:
        for query in ("skill/discard", "skill/strip"):
            tx.run(query, key=f"{tx.namespace}/{skill.id}")
        put_rulings(tx, [Ruling(policy.id, sequence, "discard", _failures(checks), "draft", "discarded")], now)
        return replace(policy, tried=policy.supports), False
    rulings = [Ruling(skill.id, sequence, "publish", _passes(policy), "draft", "trial", is_about_skill=True)]
    if before is not None:
        tx.put("skill/supersede", [{"key": f"{tx.namespace}/{skill.id}", "to": f"{tx.namespace}/{before.id}"}])
        if before.life.status != "archived":
            tx.put("skill/set_life", [{"key": f"{tx.namespace}/{before.id}", "properties": {"status": "archived"}}])
            reason = f"version {skill.version} was drafted from revision {policy.revision} of its policy"
            rulings.append(
                Ruling(before.id, sequence, "archive", reason, before.life.status, "archived", is_about_skill=True)
            )
    put_rulings(tx, rulings, now)
    run.generated(tx, skills=[f"{tx.namespace}/{skill.id}"])
    return replace(policy, skill=skill), True


def _next_version(policy: PolicyState) -> PublishedSkill:
    """Return the skill of a policy's revision: exclusions and a pin outlive a version, an approval does not."""
    before = policy.skill
    version = before.version + 1 if before else 1
    return PublishedSkill(
        skill_id(policy.id, version),
        version,
        policy.revision,
        required_tools(policy.steps),
        before.exclusions if before else (),
        SkillLife(pinned=before.life.pinned if before else False),
    )


def with_skill(state: DomainState) -> list[str]:
    """Return the policies that have a skill which is not archived."""
    return sorted(
        policy.id
        for policy in state.policies.values()
        if policy.skill is not None and policy.skill.life.status != "archived"
    )


def hold(tx: Transaction, state: DomainState, policies: Sequence[str], settings: Settings) -> dict[str, bool]:
    """Run the six checks on the skills of some policies, which are written already, and return where all hold."""
    skills = {policy: state.policies[policy].skill for policy in policies}
    trusted = OverTrusted(tx, state.domain, settings)
    return {
        policy: verified(tx, settings, f"{tx.namespace}/{skill.id}", trusted).holds
        for policy, skill in skills.items()
        if skill is not None
    }


def _write(tx: Transaction, skill: PublishedSkill, drafted: SkillDraft, policy: PolicyState, now: datetime) -> None:
    record = Skill(
        namespace=tx.namespace,
        id=skill.id,
        created_at=now,
        version=skill.version,
        status=skill.life.status,
        reliability=skill.life.reliability,
        pinned=skill.life.pinned,
        embedding=tuple(map(float, policy.mean)),
        boundary=" ".join(filter(None, (drafted.boundary, exclusion_text(skill.exclusions)))),
        **{name: getattr(drafted, name) for name in SkillDraft.__dataclass_fields__ if name not in _APART},
    )
    tx.put("skill/put", [rows.put_row(record)])
    tx.put("skill/crystallized_from", [{"key": record.key, "to": f"{tx.namespace}/{policy.id}"}])
    tx.put(
        "skill/cite",
        [
            {"key": record.key, "to": cited.evidence, "role": cited.role, "is_shown": cited.is_shown}
            for cited in drafted.cites
        ],
    )
    tx.put("skill/require", [{"key": record.key, "to": f"{tx.namespace}/{tool}"} for tool in drafted.tools])


def _examples(found: Sequence[rows.Row]) -> list[Example]:
    return [
        Example(
            row["evidence"],
            row["episode"],
            row["tool"],
            json.loads(row["arguments"]),
            row["value"],
            row["is_trusted"],
        )
        for row in found
    ]


def _failures(checks: Verification) -> str:
    """Return which checks failed, each with at most three of its witnesses."""
    return "; ".join(
        f"{check.name} fails: {', '.join(check.witnesses[:3])}"
        + (f" and {len(check.witnesses) - 3} more" if len(check.witnesses) > 3 else "")
        for check in checks.checks
        if not check.holds
    )


def _passes(policy: PolicyState) -> str:
    return (
        f"gate 1: gain {number_told(policy.gain.gain)}, q {number_told(policy.q)}; gate 2: the evidence of the last "
        f"{policy.stable_for} episodes fits; all six checks hold"
    )
