"""The six checks of a skill over the graph as it is, each with its witnesses (D6.4)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from msce_graph.learning.gain import gain
from msce_graph.learning.lifecycle import gate_1_reasons
from msce_graph.learning.significance import false_discovery_rates
from msce_graph.learning.significance import test as significance
from msce_graph.learning.tally import Pool, Sums, Tally, TaskTally
from msce_graph.learning.verification import CitedStep, commands_seen, trajectories_followed
from msce_graph.pipeline.domain import scored
from msce_graph.records import ProcedureStep, Record
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


def verified(tx: Transaction, settings: Settings, key: str, trusted: OverTrusted | None = None) -> Verification:
    """Run the six checks on a skill within a transaction: four by the graph, two over the steps that it cites.

    `trusted` is of its domain, where several skills are checked over one graph.
    """
    [skill] = tx.run("skill/checked", key=key)
    trusted = trusted or OverTrusted(tx, skill["domain"], settings)
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
            gate_1_over_trusted=trusted.passes(skill["policy"]),
        ),
        "tools_whitelisted": tx.run("skill/check_tools_whitelisted", key=key),
    }
    witnesses: dict[str, Sequence[str]] = {
        **{name: tuple(row["witness"] for row in found) for name, found in graph.items()},
        "commands_seen": commands_seen(procedure, cited),
        "trajectories_followed": trajectories_followed(procedure, cited),
    }
    return Verification(skill=key, checks=tuple(Check(name=name, witnesses=tuple(witnesses[name])) for name in CHECKS))


class OverTrusted:
    """Gate 1 where only the trusted episodes of a domain count (D6.4); they are read once, when it is first asked."""

    def __init__(self, tx: Transaction, domain: str, settings: Settings) -> None:
        self._tx, self._domain, self._settings = tx, domain, settings

    def passes(self, policy: str) -> bool:
        """Whether gate 1 holds for a policy."""
        [measured] = self._tx.run("policy/gate", id=policy)
        if self._numbers is not None:
            gain_, q, support = self._numbers.get(policy, (None, None, 0))
        else:
            gain_, q, support = measured["gain"], measured["q"], measured["support"]
        return not gate_1_reasons(
            status=measured["status"],
            stance=measured["stance"],
            gain=gain_,
            q=q,
            evidence_valid=support > 0,
            settings=self._settings,
        )

    @cached_property
    def _numbers(self) -> dict[str, tuple[float | None, float | None, int]] | None:
        """Gain, q and support of each policy to follow over trusted episodes; null where there are no others."""
        [untrusted] = self._tx.run("pool/untrusted", domain=self._domain)
        if not untrusted["episodes"]:
            return None
        episodes = self._tx.run("pool/trusted", domain=self._domain)
        pool = Pool()
        for row in episodes:
            pool = pool.plus(scored(row))
        support = Counter(policy for row in episodes for policy in row["supported"])
        sums = {policy: _sums(episodes, policy, pool) for policy in sorted(support)}
        family = [policy for policy in sums if support[policy] >= self._settings.n_min]
        rates = false_discovery_rates([significance(pool, sums[policy]).p("follow") for policy in family])
        q = dict(zip(family, rates, strict=True))
        baseline = self._settings.baseline_episodes
        return {
            policy: (gain(pool, of_policy, baseline_episodes=baseline).gain, q.get(policy), support[policy])
            for policy, of_policy in sums.items()
        }


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
