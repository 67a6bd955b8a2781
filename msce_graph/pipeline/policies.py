"""Policies as records: their numbers after every input, procedure and words after those that touched them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msce_graph.learning.fold import Changes, DomainState, PolicyState, Supporting, recent
from msce_graph.learning.procedure import Case, CaseStep, Source, generalise
from msce_graph.learning.shape import Observed, Shape, common_shape
from msce_graph.learning.wording import PolicyFacts, policy_text
from msce_graph.pipeline.domain import numbers, told_by_others
from msce_graph.records import Policy, ProcedureStep
from msce_graph.settings import Settings
from msce_graph.store import Transaction, rows

ALTERNATIVES = 3
"""Tools named at most where a policy says what to do instead."""


def put(
    tx: Transaction,
    before: DomainState,
    after: DomainState,
    changes: Sequence[Changes],
    now: datetime,
) -> None:
    """Write the numbers of the policies that inputs moved, and the new ones as far as edges need them."""
    induced = {policy for change in changes for policy in change.induced}
    _put_numbers(tx, before, after)
    _put_new(tx, [after.policies[policy] for policy in sorted(induced)], after.domain, now)


def untold(state: DomainState, changes: Sequence[Changes]) -> set[str]:
    """Return the policies whose procedure and words may differ after these changes.

    Those with new evidence; and those to avoid after an error that was answered anew, since they say what went well
    instead.
    """
    touched = {edge.policy for change in changes for edge in change.edges}
    answered = {row.error_signature for change in changes for row in change.candidates}
    answered |= {state.policies[policy].error_signature for policy in touched}
    return touched | told_by_others(state, answered)


def put_words(tx: Transaction, states: Sequence[PolicyState], domain: str, settings: Settings, now: datetime) -> None:
    """Write the procedure and the words of policies, whose edges are there already."""
    procedures = _procedures(tx, states, settings)
    shapes = _shapes(tx, states, settings)
    instead = _alternatives(tx, states)
    tx.put(
        "policy/put",
        [
            rows.put_row(
                _record(tx.namespace, domain, state, procedures[state.id], shapes[state.id], instead[state.id], now)
            )
            for state in states
        ],
    )
    used = {state.id: {state.tool, *(step.tool for step in procedures[state.id])} for state in states}
    _put_uses(tx, {policy: sorted(f"{tx.namespace}/{tool}" for tool in tools) for policy, tools in used.items()})


def _put_uses(tx: Transaction, tools: Mapping[str, Sequence[str]]) -> None:
    """Let policies use exactly these tools, given by their keys."""
    tx.run("policy/unuse", rows=[{"key": f"{tx.namespace}/{policy}", "tools": keys} for policy, keys in tools.items()])
    tx.put(
        "policy/use",
        [{"key": f"{tx.namespace}/{policy}", "to": key} for policy, keys in tools.items() for key in keys],
    )


def _put_numbers(tx: Transaction, before: DomainState, after: DomainState) -> None:
    moved = [
        policy
        for policy in after.policies.values()
        if policy.id in before.policies and numbers(policy) != numbers(before.policies[policy.id])
    ]
    tx.put(
        "policy/put",
        [{"key": f"{tx.namespace}/{policy.id}", "created_at": None, "properties": numbers(policy)} for policy in moved],
    )
    tx.put(
        "skill/set_life",
        [
            {"key": f"{tx.namespace}/{policy.skill.id}", "properties": skill_numbers(policy)}
            for policy in moved
            if policy.skill is not None
        ],
    )


def skill_numbers(policy: PolicyState) -> rows.Row:
    """Return the properties of a policy's skill that the fold moves."""
    assert policy.skill is not None
    life = policy.skill.life
    return {
        "status": life.status,
        "passes": life.passes,
        "trials": life.trials,
        "consecutive_passes": life.consecutive_passes,
        "consecutive_failures": life.consecutive_failures,
        "reliability": life.reliability,
        "pinned": life.pinned,
    }


def _put_new(tx: Transaction, states: Iterable[PolicyState], domain: str, now: datetime) -> None:
    tx.put(
        "policy/put",
        [
            {
                "key": f"{tx.namespace}/{state.id}",
                "created_at": now,
                "properties": {
                    "key": f"{tx.namespace}/{state.id}",
                    "namespace": tx.namespace,
                    "id": state.id,
                    "domain": domain,
                    "tool": state.tool,
                    "error_signature": state.error_signature,
                    "stance": state.stance,
                    **numbers(state),
                },
            }
            for state in states
        ],
    )


def _record(
    namespace: str,
    domain: str,
    state: PolicyState,
    procedure: tuple[ProcedureStep, ...],
    shape: Shape,
    alternatives: Sequence[tuple[str, int]],
    now: datetime,
) -> Policy:
    facts = PolicyFacts(
        domain=domain,
        tool=state.tool,
        error_signature=state.error_signature,
        stance=state.stance,
        procedure=procedure,
        supporting=state.support,
        contradicting=state.contradicting,
        bordering=state.bordering,
        resolved=state.resolved,
        attempts=state.attempts,
        shape=shape,
        alternatives=alternatives,
    )
    text = policy_text(facts)
    moving = numbers(state)
    return Policy(
        namespace=namespace,
        id=state.id,
        created_at=now,
        domain=domain,
        tool=state.tool,
        error_signature=state.error_signature,
        stance=state.stance,
        title=text.title,
        trigger=text.trigger,
        procedure=procedure,
        verification=text.verification,
        fallback=text.fallback,
        boundary=text.boundary,
        embedding=tuple(map(float, state.mean)),
        **{**moving, "tally": json.loads(moving["tally"])},
    )


def _procedures(
    tx: Transaction, states: Sequence[PolicyState], settings: Settings
) -> dict[str, tuple[ProcedureStep, ...]]:
    chosen = {state.id: recent(state.window, settings) for state in states}
    episodes: defaultdict[str, list[rows.Row]] = defaultdict(list)
    for row in tx.stream("policy/cases", episodes=_episodes(chosen.values())):
        episodes[row["episode"]].append(row)
    return {
        state.id: generalise(state.steps, _cases(chosen[state.id], episodes), constant_tasks=settings.n_min)
        for state in states
    }


def _episodes(chosen: Iterable[Sequence[Supporting]]) -> list[str]:
    return sorted({supporting.episode for group in chosen for supporting in group})


def _cases(chosen: Sequence[Supporting], episodes: Mapping[str, Sequence[rows.Row]]) -> list[Case]:
    cases = []
    for supporting in chosen:
        steps = episodes[supporting.episode]
        places = {row["key"]: place for place, row in enumerate(steps)}
        for support in supporting.supports:
            end = places[support.evidence] + 1
            cases.append(
                Case(
                    supporting.episode,
                    supporting.task_key,
                    1 / len(supporting.supports),
                    _case_steps(steps[end - len(support.tools) : end]),
                )
            )
    return cases


def _case_steps(steps: Sequence[rows.Row]) -> tuple[CaseStep, ...]:
    places = {row["index"]: place for place, row in enumerate(steps)}
    found = []
    for row in steps:
        derived: defaultdict[str, list[Source]] = defaultdict(list)
        for edge in row["derived"]:
            if edge["argument"] is not None and edge["tool"] is not None:  # talk is told as a message
                derived[edge["argument"]].append(Source(edge["tool"], edge["path"], places.get(edge["index"])))
        found.append(
            CaseStep(
                row["tool"],
                row["kind"],
                json.loads(row["arguments"]),
                {name: sorted(sources, key=_order) for name, sources in sorted(derived.items())},
                json.loads(row["told"]),
            )
        )
    return tuple(found)


def _order(source: Source) -> tuple[int, str, str]:
    return (-1 if source.position is None else source.position, source.tool, source.path or "")


def _shapes(tx: Transaction, states: Sequence[PolicyState], settings: Settings) -> dict[str, Shape]:
    wanted = {
        state.id: {
            supporting.supports[-1].evidence: supporting.task_key for supporting in recent(state.window, settings)
        }
        for state in states
    }
    keys = sorted({key for of_policy in wanted.values() for key in of_policy})
    seen = {
        row["key"]: (json.loads(row["observation"]), row["is_error"])
        for row in tx.stream("evidence/observations", keys=keys)
    }
    return {
        policy: common_shape([Observed(task, *seen[key]) for key, task in of_policy.items()], tasks=settings.n_min)
        for policy, of_policy in wanted.items()
    }


def _alternatives(tx: Transaction, states: Sequence[PolicyState]) -> dict[str, list[tuple[str, int]]]:
    """Return what led on where a policy to follow met an error, and what went well instead of one to avoid."""
    found: dict[str, list[tuple[str, int]]] = {state.id: [] for state in states}
    for query, stance in (("policy/resolved_by", "follow"), ("policy/instead", "avoid")):
        keys = [
            f"{tx.namespace}/{state.id}"
            for state in states
            if state.stance == stance and (stance == "follow" or state.error_signature)
        ]
        for row in tx.run(query, policies=keys):
            if len(found[row["policy"]]) < ALTERNATIVES:
                found[row["policy"]].append((row["tool"], row["episodes"]))
    return found
