"""When the fold looks at the boundaries of policies again, and what follows for them (D4.6, D4.9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from msce_graph.learning.boundary import Try, claim_text, conditions, contrast
from msce_graph.learning.context import Act, Context, context
from msce_graph.learning.fold import Changes, DomainState, PolicyState, Ruling, ScoredEpisode
from msce_graph.learning.lifecycle import relation
from msce_graph.records import Claim
from msce_graph.settings import Settings

_LEADING_BITS = 3


def is_due(episodes: int) -> bool:
    """Whether boundaries are looked at once a domain's pool has this many episodes: 1 to 8, 10, 12, 14, 16, 20 and on.

    Each look reads all evidence; as the numbers grow by an eighth to a quarter, its cost an episode stays the same.
    """
    return episodes % (1 << max(0, episodes.bit_length() - _LEADING_BITS)) == 0


def contrasted(state: DomainState) -> tuple[str, ...]:
    """Return the policies that have evidence on both sides, in the order of their ids."""
    return tuple(sorted(p.id for p in state.policies.values() if p.support and p.contradicting))


def contexts(episode: ScoredEpisode, settings: Settings) -> dict[str, Context]:
    """Return what was so when an episode first met each signature with a value that counts, by the key of the step."""
    acts = [Act(step.tool, step.arguments, step.observation, step.is_error) for step in episode.steps]
    found: dict[tuple[str, str], int] = {}
    for place, step in enumerate(episode.steps):
        if relation("follow", step.value, settings.v_min) != "BORDERS":
            found.setdefault((step.tool, step.error_signature), place)
    return {episode.steps[place].evidence: context(acts[place], acts[:place], episode.task) for place in found.values()}


def bounded(
    state: DomainState, tries: Mapping[str, Sequence[Try]], sequence: int, settings: Settings
) -> tuple[DomainState, Changes]:
    """Return the state after contrast over the tries of some policies, and what changed.

    Other conditions than before make a new revision, which nothing has fitted yet (D4.9).
    """
    policies = dict(state.policies)
    rulings: list[Ruling] = []
    moved: list[str] = []
    for policy_id, given in sorted(tries.items()):
        policy, claims = policies[policy_id], contrast(given, settings)
        if claims == policy.claims:
            continue
        moved.append(policy_id)
        after = replace(policy, claims=claims)
        if conditions(claims) != conditions(policy.claims):
            after = replace(after, revision=policy.revision + 1, stable_for=0)
            rulings.append(_ruling(after, policy.claims, sequence))
        policies[policy_id] = after
    return replace(state, policies=policies), Changes(rulings=tuple(rulings), bounded=tuple(moved))


def _ruling(after: PolicyState, before: Iterable[Claim], sequence: int) -> Ruling:
    known, now = conditions(before), conditions(after.claims)
    new = [claim for claim in after.claims if not conditions([claim]) <= known]
    gone = [claim for claim in before if not conditions([claim]) <= now]
    parts = [f"contrast claims: {claim_text(claim, after.stance).rstrip('.')}" for claim in new]
    parts += [f"no longer: {claim_text(claim, after.stance).rstrip('.')}" for claim in gone]
    return Ruling(
        after.id,
        sequence,
        "bound",
        "; ".join(parts),
        f"revision {after.revision - 1}",
        f"revision {after.revision}",
    )
