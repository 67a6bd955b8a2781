"""The six checks of a skill over the graph as it is, each with its witnesses (D6.4)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msce_graph.learning.gain import gain
from msce_graph.learning.lifecycle import gate_1_reasons
from msce_graph.learning.significance import false_discovery_rates
from msce_graph.learning.significance import test as significance
from msce_graph.learning.tally import Pool, Sums, Tally, TaskTally
from msce_graph.learning.verification import CitedStep, commands_seen, trajectories_followed
from msce_graph.pipeline.domain import scored
from msce_graph.records import PolicyStatus, ProcedureStep, Record
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows

CHECKS = (
    "fields_complete",
    "evidence_in_support",
    "evidence_valid",
    "tools_whitelisted",
    "commands_seen",
    "trajectories_followed",
)


class Check(Record):
    """One check and what speaks against it; it holds without witnesses."""

    name: str
    witnesses: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.witnesses


class Verification(Record):
    """All six checks of one skill."""

    skill: str
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether every check holds."""
        return all(check.holds for check in self.checks)


def verify(store: Store, settings: Settings, key: str) -> Verification:
    """Run the six checks on a skill, by its full key."""
    return store.read(lambda tx: verified(tx, settings, key))


def verified(tx: Transaction, settings: Settings, key: str) -> Verification:
    """Run the six checks on a skill within a transaction: four by the graph, two over the steps that it cites."""
    [skill] = tx.run("skill/checked", key=key)
    procedure = tuple(ProcedureStep.model_validate(step) for step in json.loads(skill["procedure"]))
    cited = tuple(
        CitedStep(
            evidence=row["evidence"],
            episode=row["episode"],
            tool=row["tool"],
            arguments=json.loads(row["arguments"]),
            is_trusted=row["trusted"],
            role=row["role"],
            is_shown=row["is_shown"],
        )
        for row in tx.run("skill/cited", key=key)
    )
    graph = {
        "fields_complete": tx.run("skill/check_fields_complete", key=key),
        "evidence_in_support": tx.run("skill/check_evidence_in_support", key=key),
        "evidence_valid": tx.run(
            "skill/check_evidence_valid",
            key=key,
            v_min=settings.v_min,
            n_min=settings.n_min,
            gate_1_over_trusted=passes_over_trusted(tx, skill["domain"], skill["policy"], settings),
        ),
        "tools_whitelisted": tx.run("skill/check_tools_whitelisted", key=key),
    }
    witnesses: dict[str, Sequence[str]] = {
        **{name: tuple(row["witness"] for row in found) for name, found in graph.items()},
        "commands_seen": commands_seen(procedure, cited),
        "trajectories_followed": trajectories_followed(procedure, cited),
    }
    return Verification(skill=key, checks=tuple(Check(name=name, witnesses=tuple(witnesses[name])) for name in CHECKS))


def passes_over_trusted(tx: Transaction, domain: str, policy: str, settings: Settings) -> bool:
    """Whether gate 1 holds for a policy where only the trusted episodes of its domain count (D6.4)."""
    [measured] = tx.run("policy/gate", id=policy)
    [untrusted] = tx.run("pool/untrusted", domain=domain)
    if not untrusted["episodes"]:
        return not gate_1_reasons(
            status=measured["status"],
            stance=measured["stance"],
            gain=measured["gain"],
            q=measured["q"],
            evidence_valid=measured["support"] > 0,
            settings=settings,
        )
    return _passes_within(tx.run("pool/trusted", domain=domain), policy, measured["status"], settings)


def _passes_within(episodes: Sequence[rows.Row], policy: str, status: PolicyStatus, settings: Settings) -> bool:
    """Whether gate 1 holds for a policy to follow over these episodes, whose rows name the policies of each."""
    pool = Pool()
    for row in episodes:
        pool = pool.plus(scored(row))
    follow = sorted({member for row in episodes for member in row["supported"]} | {policy})
    support = {member: sum(member in row["supported"] for row in episodes) for member in follow}
    sums = {member: _sums(episodes, member, pool) for member in follow}
    family = [member for member in follow if support[member] >= settings.n_min]
    rates = false_discovery_rates([significance(pool, sums[member]).p("follow") for member in family])
    found = gain(pool, sums[policy], baseline_episodes=settings.baseline_episodes)
    q = dict(zip(family, rates, strict=True)).get(policy)
    return not gate_1_reasons(
        status=status,
        stance="follow",
        gain=found.gain,
        q=q,
        evidence_valid=support[policy] > 0,
        settings=settings,
    )


def _sums(episodes: Sequence[rows.Row], policy: str, pool: Pool) -> Sums:
    sums, tallies = Sums(), dict[str, Tally]()
    for row in episodes:
        offered = policy in row["offered"]
        if offered or policy in row["policies"]:
            one = scored(row)
            tallies[one.task_key] = tallies.get(one.task_key, Tally()).plus(one, offered=offered)
            sums = sums.plus(one, offered=offered)
    for task, tally in sorted(tallies.items()):
        sums = sums.moved(Tally(), TaskTally(), tally, pool.tasks[task])
    return sums
