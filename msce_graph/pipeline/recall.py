"""What is known about a situation: three channels over four kinds of knowledge, each item with its reasons."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest
from typing import Literal

from msce_graph.embedding import Embedder
from msce_graph.errors import EmbedderUnavailable, StoreError, UnknownKey
from msce_graph.learning import ranking
from msce_graph.learning.fencing import fence
from msce_graph.learning.normalise import vector_text
from msce_graph.learning.recalled import gain_told, policy_told, skill_told, step_told
from msce_graph.learning.redaction import redact, redact_value
from msce_graph.learning.signature import error_signature
from msce_graph.learning.wording import counted, told
from msce_graph.pipeline.diagnosis import unusable_indexes
from msce_graph.records import Record, Stance, Vector
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows, search

Tier = Literal["skill", "policy", "evidence"]

CANDIDATES = 2
"""Items asked of a channel for each one wanted, since some are dropped by worth, stance or likeness."""
CLOSE = 3
"""Items read for each one wanted, among which those unlike each other are chosen."""


STANCES: tuple[Stance, ...] = ("follow", "avoid")

EVERY = 2**31 - 1
"""Vectors under which search is exact where it must be: the largest limit that every engine takes."""


class Basis(Record):
    """The figures that an item rests on; null where a figure is none of its kind."""

    domain: str
    status: str | None = None
    version: int | None = None
    policy: str | None = None
    """Key of the policy that a skill was drafted from."""
    support: int | None = None
    gain: float | None = None
    gain_low: float | None = None
    gain_high: float | None = None
    p: float | None = None
    q: float | None = None
    reliability: float | None = None
    passes: int | None = None
    trials: int | None = None
    value: float | None = None
    reward: float | None = None
    solved: bool | None = None
    happened_at: datetime | None = None
    episodes: tuple[str, ...] = ()
    """Keys of the episodes that are shown for it."""


class Item(Record):
    """One thing recalled: what it says, why it is here and what it rests on."""

    key: str
    label: Literal["Skill", "Policy", "Evidence"]
    title: str
    text: str
    """Fenced: what recall gave is recognised when it comes back in a log."""
    why: tuple[str, ...]
    """Channels with the item's rank in each."""
    score: float
    """Fused ranks, for evidence times its worth; comparable within a tier."""
    rests_on: str
    basis: Basis
    is_trial: bool = False
    """A skill that has not yet proven itself."""


class Recall(Record):
    """What is known, by tier, the best first; notes say what is missing or degraded."""

    query: str
    skills: tuple[Item, ...]
    policies: tuple[Item, ...]
    """To follow; one that a given skill was drafted from is left out."""
    avoid: tuple[Item, ...]
    """What went badly, and what went well instead."""
    evidence: tuple[Item, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as the channels take it; `vector` is null where there is no embedder, and its channel then silent."""

    words: str
    vector: Vector | None
    domain: str | None
    tools: tuple[str, ...]
    signature: str | None
    limit: int
    failures: bool
    now: datetime
    settings: Settings
    unusable: frozenset[str] = frozenset()
    """Indexes that are missing or not ready."""


@dataclass(slots=True)
class _Places:
    """The ranks that items have in the channels, and why."""

    ranks: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    why: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, channel: str, keys: Iterable[str], detail: Callable[[int], str] = lambda place: "") -> None:
        """Rank keys, the best first."""
        for place, key in enumerate(dict.fromkeys(keys)):
            self.ranks[key].append(place + 1)
            self.why[key].append(f"{channel} {place + 1}{detail(place)}")

    def take(self, other: _Places, keys: Iterable[str]) -> None:
        """Rank some keys as another ranking does."""
        for key in keys:
            self.ranks[key], self.why[key] = other.ranks[key], other.why[key]

    def scores(self, settings: Settings) -> dict[str, float]:
        """Return the fused score of every key."""
        return {key: ranking.fused(ranks, constant=settings.rank_constant) for key, ranks in self.ranks.items()}


def recall(
    store: Store,
    embedder: Embedder,
    settings: Settings,
    query: str,
    *,
    domain: str | None,
    tool: str | None,
    error: str | None,
    limit: int | None,
    budget: int | None,
    failures: bool,
    episode: str | None,
) -> Recall:
    """Return what is known about a situation (D7): `MemoryGraph.recall` says what the options mean.

    `tool` and `error` (the text of an error just met) open the channel of signatures and restrict nothing; `domain`
    restricts. A missing index or embedder silences its channel and is told in the notes. Raises UnknownKey for an
    episode that is not there, and ValueError for an empty query and for a limit or budget under 1.
    """
    if not query.strip():
        raise ValueError("the query is empty: say what the situation is")
    if (limit is not None and limit < 1) or (budget is not None and budget < 1):
        raise ValueError(f"limit {limit} and budget {budget}: both count from 1")
    signature = None if error is None else error_signature(error)
    vector, notes = _embedded(embedder, vector_text(query, tool or "", (), signature or ""))
    asked = _Asked(
        words=" ".join(filter(None, [query, tool, signature])),
        vector=vector,
        domain=domain,
        tools=_tools(tool),
        signature=signature,
        limit=limit or settings.recall_limit,
        failures=failures,
        now=store.now(),
        settings=settings,
    )
    skills, policies, avoid, evidence, degraded = _answered(store, asked)
    tiers, left_out = _within(budget, (skills, policies, avoid, evidence))
    if left_out:
        notes.append(f"{counted(left_out, 'item')} left out by a budget of {budget} characters")
    if not any(tiers) and not left_out:
        notes.append(_nothing(store, domain))
    if episode is not None:
        notes += _offered(store, episode, [item.key for item in tiers[0]])
    return Recall(
        query=query,
        skills=tiers[0],
        policies=tiers[1],
        avoid=tiers[2],
        evidence=tiers[3],
        notes=(*degraded, *notes),
    )


def _embedded(embedder: Embedder, text: str) -> tuple[Vector | None, list[str]]:
    try:
        return embedder.embed([text])[0], []
    except EmbedderUnavailable as error:
        return None, [f"without the vector channel: {error}"]


def _tools(tool: str | None) -> tuple[str, ...]:
    """Return the names that a tool may have in the graph: `git commit` is `shell:git commit` there."""
    if tool is None:
        return ()
    return (tool,) if ":" in tool else (tool, f"shell:{tool}", f"sql:{tool}")


# Finding ------------------------------------------------------------------------------------------------------------


_Tiers = tuple[list[Item], list[Item], list[Item], list[Item]]


def _answered(store: Store, asked: _Asked) -> tuple[list[Item], list[Item], list[Item], list[Item], list[str]]:
    """Return the items of each tier and what was degraded; indexes are looked at only after a query failed."""
    try:
        return (*store.read(lambda tx: _found(tx, asked)), [])
    except StoreError:
        unusable = unusable_indexes(store)
        if not unusable:
            raise
    without = replace(asked, unusable=frozenset(unusable))
    notes = [f"index {name} is {state}: see `msce doctor`" for name, state in sorted(unusable.items())]
    return (*store.read(lambda tx: _found(tx, without)), notes)


def _found(tx: Transaction, asked: _Asked) -> _Tiers:
    known = _by_signature(tx, asked)
    skills = _skills(tx, asked, [row["skill"] for row in known if row["skill"] is not None])
    follow, avoid = _policies(tx, asked, [row["policy"] for row in known])
    given = {item.basis.policy for item in skills}
    return (
        skills,
        [item for item in follow if item.key not in given][: asked.limit],
        avoid,
        _evidence(tx, asked, list(dict.fromkeys(row["policy"] for row in known))),
    )


def _by_signature(tx: Transaction, asked: _Asked) -> list[rows.Row]:
    if asked.tools:
        return tx.run("recall/by_tool", tools=list(asked.tools), domain=asked.domain, error_signature=asked.signature)
    if asked.signature is not None:
        return tx.run("recall/by_error", domain=asked.domain, error_signature=asked.signature)
    return []


def _places(tx: Transaction, tier: Tier, asked: _Asked, k: int, **filters: search.Filter) -> _Places:
    """Return the ranks of the tier's items by vector and full text."""
    places = _Places()
    if asked.vector is not None:
        exact_below = EVERY if f"{tier}_embedding" in asked.unusable else asked.settings.exact_below
        near = search.nearest(tx, tier, asked.vector, k, exact_below=exact_below, domain=asked.domain, **filters)
        exact = ", exact" if near.way == "exact" else ""
        places.add("vector", [key for key, _ in near.items], lambda place: f" ({near.items[place][1]:.2f}{exact})")
    if f"{tier}_text" not in asked.unusable:
        matched = search.matching(tx, tier, asked.words, k, domain=asked.domain, **filters)
        places.add("full text", [key for key, _ in matched.items])
    return places


def _skills(tx: Transaction, asked: _Asked, by_signature: Sequence[str]) -> list[Item]:
    places = _places(tx, "skill", asked, CANDIDATES * asked.limit, statuses=["active", "trial"])
    places.add("signature", by_signature)
    found = {row["key"]: row for row in tx.run("recall/skills", keys=sorted(places.ranks))}
    return [
        _skill_item(found[key], places, asked)
        for key in _chosen(found, places.scores(asked.settings), asked.limit, asked)
    ]


def _policies(tx: Transaction, asked: _Asked, by_signature: Sequence[str]) -> tuple[list[Item], list[Item]]:
    """Return the policies to follow, more than wanted, since some may have a skill, and those to avoid."""
    places, stances = _policy_places(tx, asked, by_signature)
    scores = places.scores(asked.settings)
    best = {
        stance: sorted((key for key in scores if stances[key] == stance), key=lambda key: (-scores[key], key))
        for stance in STANCES
    }
    read = sorted(key for keys in best.values() for key in keys[: CLOSE * asked.limit])
    found = {row["key"]: row for row in tx.run("recall/policies", keys=read)}
    of_stance = {stance: {key: found[key] for key in best[stance] if key in found} for stance in STANCES}
    follow = _chosen(of_stance["follow"], scores, 2 * asked.limit, asked)
    avoid = _chosen(of_stance["avoid"], scores, asked.limit, asked)
    return (
        [_policy_item(found[key], places, asked) for key in follow],
        [_policy_item(found[key], places, asked) for key in avoid],
    )


def _policy_places(tx: Transaction, asked: _Asked, by_signature: Sequence[str]) -> tuple[_Places, dict[str, Stance]]:
    """Return the ranks of active policies, and their stances; many of one stance crowd out none of the other."""
    k = 4 * CANDIDATES * asked.limit
    places = _places(tx, "policy", asked, k, statuses=["active"])
    is_cut = len(places.ranks) >= k
    places.add("signature", by_signature)
    stances = _stances(tx, places)
    for stance in STANCES:
        if is_cut and sum(of == stance for of in stances.values()) < asked.limit:
            apart = _places(tx, "policy", asked, asked.limit, statuses=["active"], stance=stance)
            new = [key for key in apart.ranks if key not in stances]
            places.take(apart, new)
            stances |= dict.fromkeys(new, stance)
    return places, stances


def _stances(tx: Transaction, places: _Places) -> dict[str, Stance]:
    return {row["key"]: row["stance"] for row in tx.run("recall/stances", keys=sorted(places.ranks))}


def _evidence(tx: Transaction, asked: _Asked, policies: Sequence[str]) -> list[Item]:
    """Return the steps that went well, or with `failures` badly, by value and age."""
    k, sign, worth = CANDIDATES * asked.limit, -1 if asked.failures else 1, "bad" if asked.failures else "good"
    places = _places(tx, "evidence", asked, k, worth=worth)
    if policies:
        near = tx.run("recall/evidence_of", policies=list(policies), sign=sign, limit=k)
        places.add("signature", [row["key"] for row in near])
    scores = _weighed(tx, places.scores(asked.settings), sign, asked)
    best = sorted(scores, key=lambda key: (-scores[key], key))[: CLOSE * asked.limit]
    found = {row["key"]: row for row in tx.run("recall/evidence", keys=sorted(best))}
    return [_evidence_item(found[key], places, scores[key]) for key in _chosen(found, scores, asked.limit, asked)]


def _weighed(tx: Transaction, fused: Mapping[str, float], sign: int, asked: _Asked) -> dict[str, float]:
    return {
        row["key"]: fused[row["key"]] * worth
        for row in tx.run("recall/worth", keys=sorted(fused))
        for worth in [
            ranking.weight(
                sign * row["value"], row["happened_at"], asked.now, half_life_days=asked.settings.half_life_days
            )
        ]
        if worth > 0
    }


def _chosen(found: Mapping[str, rows.Row], scores: Mapping[str, float], most: int, asked: _Asked) -> list[str]:
    vectors = {key: row["embedding"] or () for key, row in found.items()}
    return ranking.diversified({key: scores[key] for key in found}, vectors, most, relevance=asked.settings.diversity)


# Telling ------------------------------------------------------------------------------------------------------------


def _skill_item(row: rows.Row, places: _Places, asked: _Asked) -> Item:
    skill, q_max = rows.skill(row), asked.settings.q_max
    tried = f"passed {skill.passes} of {counted(skill.trials, 'trial')}" if skill.trials else "not tried yet"
    rests_on = (
        f"{skill.status}, {tried} (reliability {skill.reliability:.2f}); drafted from {row['policy']}: "
        f"{counted(row['support'], 'episode')} for it, "
        f"{gain_told(row['gain'], row['gain_low'], row['gain_high'], row['q'], q_max=q_max)}"
    )
    basis = _basis(row, "domain", "status", "version", "policy", *_GAIN, "reliability", "passes", "trials")
    return Item(
        key=skill.key,
        label="Skill",
        title=redact(skill.title),
        text=fence(skill.key, redact(skill_told(skill))),
        why=tuple(places.why[skill.key]),
        score=places.scores(asked.settings)[skill.key],
        rests_on=rests_on,
        basis=basis.model_copy(update={"episodes": tuple(sorted(row["episodes"]))}),
        is_trial=skill.status == "trial",
    )


def _policy_item(row: rows.Row, places: _Places, asked: _Asked) -> Item:
    policy, q_max = rows.policy(row), asked.settings.q_max
    return Item(
        key=policy.key,
        label="Policy",
        title=redact(policy.title),
        text=fence(policy.key, redact(policy_told(policy))),
        why=tuple(places.why[policy.key]),
        score=places.scores(asked.settings)[policy.key],
        rests_on=f"{counted(policy.support, 'episode')} for it, "
        f"{gain_told(policy.gain, policy.gain_low, policy.gain_high, policy.q, q_max=q_max)}",
        basis=_basis(row, "domain", "status", *_GAIN),
    )


def _evidence_item(row: rows.Row, places: _Places, score: float) -> Item:
    how = "solved" if row["solved"] else "not solved"
    what = told(row["tool"]) if row["tool"] else "What was said"
    text = step_told(  # redacted before it is cut, so that no half of a secret stays
        task=redact(row["task"]),
        tool=row["tool"],
        arguments=redact_value(json.loads(row["arguments"])),
        action=redact(row["action"]),
        reflection=redact(row["reflection"]),
        observation=redact_value(json.loads(row["observation"])),
    )
    basis = _basis(row, "domain", "value", "reward", "solved", "happened_at")
    return Item(
        key=row["key"],
        label="Evidence",
        title=redact(f"{what} at step {row['index']} of an episode that was {how}"),
        text=fence(row["key"], redact(text), is_log=True),
        why=tuple(places.why[row["key"]]),
        score=score,
        rests_on=f"value {row['value']:+.2f} in {row['episode']}, {how} (R {row['reward']:+.2f}), "
        f"{row['happened_at']:%Y-%m-%d}",
        basis=basis.model_copy(update={"episodes": (row["episode"],)}),
    )


_GAIN = ("support", "gain", "gain_low", "gain_high", "p", "q")


def _basis(row: rows.Row, *names: str) -> Basis:
    return Basis(**{name: row[name] for name in names})


def _within(budget: int | None, tiers: Sequence[Sequence[Item]]) -> tuple[tuple[tuple[Item, ...], ...], int]:
    """Return the items whose titles and texts fit a budget of characters, and how many do not.

    The best of every tier come before the second of any, skills first; one too long does not keep a shorter out.
    """
    if budget is None:
        return tuple(tuple(tier) for tier in tiers), 0
    left, kept = budget, set[str]()
    for rank in zip_longest(*tiers):
        for item in rank:
            if item is not None and len(item.title) + len(item.text) <= left:
                left -= len(item.title) + len(item.text)
                kept.add(item.key)
    fitting = tuple(tuple(item for item in tier if item.key in kept) for tier in tiers)
    return fitting, sum(map(len, tiers)) - sum(map(len, fitting))


def _nothing(store: Store, domain: str | None) -> str:
    known = [row["domain"] for row in store.read(lambda tx: tx.run("evolve/all_domains"))]
    if not known:
        return "this store holds no episodes yet: `msce ingest PATH` reads logs"
    if domain is not None and domain not in known:
        more = f" and {len(known) - 8} more" if len(known) > 8 else ""
        return f"no domain {domain!r} in this store, only {', '.join(known[:8])}{more}"
    return "nothing here answers this: no step has a value yet that speaks for it, and nothing has been learned"


# Offering -----------------------------------------------------------------------------------------------------------


def _offered(store: Store, episode: str, skills: Sequence[str]) -> list[str]:
    """Write that skills were given to the agent of an episode, unless its outcome is known already."""
    key = episode if episode.startswith(f"{store.namespace}/") else f"{store.namespace}/{episode}"
    return store.write(lambda tx: _offer(tx, key, skills))


def _offer(tx: Transaction, key: str, skills: Sequence[str]) -> list[str]:
    if not tx.run("recording/lock", key=key):
        raise UnknownKey("episode", key)
    [found] = tx.run("episode/find", keys=[key])
    if found["sequence"] is not None:
        return [f"{key} has its outcome already: nothing is noted as offered to it"]
    tx.put("recall/offer", [{"key": key, "to": skill} for skill in skills])
    return []
