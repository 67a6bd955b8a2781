"""What is known about a situation: three channels over five kinds of knowledge, each item with its reasons."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from typing import Literal, TypedDict, TypeVar, Unpack

from pydantic import TypeAdapter

from msce_graph.embedding import Embedder
from msce_graph.errors import EmbedderUnavailable, StoreError, UnknownKey
from msce_graph.learning import ranking
from msce_graph.learning.fencing import fence
from msce_graph.learning.normalise import vector_text
from msce_graph.learning.recalled import gain_told, policy_told, skill_told, step_told
from msce_graph.learning.redaction import redact, redact_value
from msce_graph.learning.signature import error_signature
from msce_graph.learning.wording import counted, listed, told
from msce_graph.pipeline.diagnosis import unusable_indexes
from msce_graph.records import Node, Policy, ProcedureStep, Record, Skill, Stance, Vector
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows
from msce_graph.store.search import Found, Search, Tier, found

N = TypeVar("N", bound=Node)

CANDIDATES = 2
"""Items asked of a channel for each one wanted, since some are dropped by worth, stance or likeness."""
CLOSE = 3
"""Items read for each one wanted, among which those unlike each other are chosen."""
MOST = 100
"""Items of a tier that can be asked for."""

STANCES: tuple[Stance, ...] = ("follow", "avoid")

EVERY = 2**31 - 1
"""Vectors under which search is exact where it must be: the largest limit that every engine takes."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PROCEDURE = TypeAdapter(tuple[ProcedureStep, ...])


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
    confidence: float | None = None
    policies: tuple[str, ...] = ()
    """Keys of the policies that a statement about the environment was abstracted from."""


class Item(Record):
    """One thing recalled: what it says, why it is here and what it rests on."""

    key: str
    label: Literal["Skill", "Policy", "Evidence", "EnvEntity"]
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
    """Past steps, found by themselves or as the best of an episode of a like task."""
    environment: tuple[Item, ...]
    """What this environment is like."""
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

    @property
    def sign(self) -> Literal[1, -1]:
        """Of what steps were worth, that which is asked for."""
        return -1 if self.failures else 1


class _Filters(TypedDict, total=False):
    statuses: tuple[str, ...]
    stance: Stance
    sign: Literal[1, -1]


@dataclass(slots=True)
class _Places:
    """The ranks that items have in the channels, and why; and what the channels told of them besides."""

    ranks: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    why: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    facts: dict[str, rows.Row] = field(default_factory=dict)

    def add(self, channel: str, found: Mapping[str, rows.Row], detail: Callable[[int], str] = lambda place: "") -> None:
        """Rank keys, the best first, of which the channel tells some facts."""
        for place, (key, facts) in enumerate(found.items()):
            self.ranks[key].append(place + 1)
            self.why[key].append(f"{channel} {place + 1}{detail(place)}")
            self.facts.setdefault(key, facts)

    def take(self, other: _Places) -> None:
        """Rank as another ranking does what this one does not."""
        for key in other.ranks.keys() - self.ranks.keys():
            self.ranks[key], self.why[key], self.facts[key] = other.ranks[key], other.why[key], other.facts[key]

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
    episode that is not there, and ValueError for an empty query, a limit not from 1 to 100 and a budget under 1.
    """
    if not query.strip():
        raise ValueError("the query is empty: say what the situation is")
    if limit is not None and not 1 <= limit <= MOST:
        raise ValueError(f"limit {limit}: from 1 to {MOST} items of each kind can be asked for")
    if budget is not None and budget < 1:
        raise ValueError(f"budget {budget}: characters are counted from 1")
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
    found_tiers, degraded = _answered(store, asked)
    tiers, left_out = _within(budget, found_tiers)
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
        environment=tiers[4],
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


_Name = Literal["skill", "follow", "avoid", "evidence", "environment"]
_Tiers = tuple[list[Item], ...]
"""By the order of these names."""


def _answered(store: Store, asked: _Asked) -> tuple[_Tiers, list[str]]:
    """Return the items of each tier and what was degraded; indexes are looked at only after a query failed."""
    try:
        return _searched(store, asked), []
    except StoreError:
        unusable = unusable_indexes(store)
        if not unusable:
            raise
    without = replace(asked, unusable=frozenset(unusable))
    notes = [f"index {name} is {state}: see `msce doctor`" for name, state in sorted(unusable.items())]
    return _searched(store, without), notes


def _searched(store: Store, asked: _Asked) -> _Tiers:
    """Return the items of each tier; a thread asks for words meanwhile, which takes as long as all else together."""
    searches = _searches(asked)
    with ThreadPoolExecutor(max_workers=1) as beside:
        texts = [search for search in searches if search.channel == "text"]
        asking = beside.submit(store.read, lambda tx: found(tx, texts, text=asked.words))
        return store.read(lambda tx: _items(tx, asked, searches, lambda: zip(texts, asking.result(), strict=True)))


def _items(
    tx: Transaction, asked: _Asked, searches: Sequence[Search], by_text: Callable[[], Iterable[tuple[Search, Found]]]
) -> _Tiers:
    vectors = [search for search in searches if search.channel == "vector"]
    answers = dict(zip(vectors, found(tx, vectors, vector=asked.vector or ()), strict=True))
    known = _by_signature(tx, asked)
    answers |= dict(by_text())
    places = _ranked((search, answers[search]) for search in searches)
    _add_policies(tx, asked, places["policy"], known)
    places["skill"].add("signature", {row["skill"]: {} for row in known if row["skill"] is not None})
    _add_evidence(tx, asked, places["evidence"], known)
    scores = _scores(places, asked)
    chosen = _chosen(tx, scores, asked)
    skills = [_skill_item(row, places["skill"], scores["skill"], asked) for row in chosen["skill"]]
    given = {item.basis.policy for item in skills}
    follow = [row for row in chosen["follow"] if row["key"] not in given][: asked.limit]
    return (
        skills,
        [_policy_item(row, places["policy"], scores["follow"], asked) for row in follow],
        [_policy_item(row, places["policy"], scores["avoid"], asked) for row in chosen["avoid"]],
        [_evidence_item(row, places["evidence"], scores["evidence"]) for row in chosen["evidence"]],
        [_environment_item(row, places["environment"], scores["environment"]) for row in chosen["environment"]],
    )


def _searches(asked: _Asked) -> list[Search]:
    """Return a search for each tier and channel; many policies, since those of one stance may crowd out the other's."""
    k = CANDIDATES * asked.limit
    return [
        *_both(asked, "skill", k, statuses=("active", "trial")),
        *_both(asked, "policy", 4 * k, statuses=("active",)),
        *_both(asked, "evidence", k, sign=asked.sign),
        *_by_text(asked, "episode", k, sign=asked.sign),
        *_both(asked, "environment", k, statuses=("current",)),
    ]


def _both(asked: _Asked, tier: Tier, k: int, **filters: Unpack[_Filters]) -> list[Search]:
    """Return the searches of a tier by vector and by text, as far as they can be made."""
    by_text = _by_text(asked, tier, k, **filters)
    if asked.vector is None:
        return by_text
    exact_below = EVERY if f"{tier}_embedding" in asked.unusable else asked.settings.exact_below
    return [Search(tier, "vector", k, domain=asked.domain, exact_below=exact_below, **filters), *by_text]


def _by_text(asked: _Asked, tier: Tier, k: int, **filters: Unpack[_Filters]) -> list[Search]:
    return [] if f"{tier}_text" in asked.unusable else [Search(tier, "text", k, domain=asked.domain, **filters)]


def _ranked(answers: Iterable[tuple[Search, Found]]) -> dict[Tier, _Places]:
    """Return the ranks that searches gave to the items of each tier; an episode's best step has its rank."""
    places: dict[Tier, _Places] = {tier: _Places() for tier in ("skill", "policy", "evidence", "environment")}
    for search, answer in answers:
        if search.tier == "episode":
            best = [answer.facts[key] for key, _ in answer.items]
            places["evidence"].add("task", {step["key"]: step for step in best if step["key"] is not None})
        else:
            places[search.tier].add(*_channel(search, answer))
    return places


def _channel(search: Search, answer: Found) -> tuple[str, dict[str, rows.Row], Callable[[int], str]]:
    """Return how a channel is called, the facts of its keys, the best first, and what is told of each place."""
    facts = {key: answer.facts.get(key, {}) for key, _ in answer.items}
    if search.channel == "text":
        return "full text", facts, lambda place: ""
    exact = ", exact" if answer.way == "exact" else ""
    return "vector", facts, lambda place: f" ({answer.items[place][1]:.2f}{exact})"


def _by_signature(tx: Transaction, asked: _Asked) -> list[rows.Row]:
    if asked.tools:
        return tx.run("recall/by_tool", tools=list(asked.tools), domain=asked.domain, error_signature=asked.signature)
    if asked.signature is not None:
        return tx.run("recall/by_error", domain=asked.domain, error_signature=asked.signature)
    return []


def _add_policies(tx: Transaction, asked: _Asked, places: _Places, known: Sequence[rows.Row]) -> None:
    """Add what the signature tells, and of a stance of which few were among so many, those of it alone."""
    is_cut = len(places.ranks) >= 4 * CANDIDATES * asked.limit
    places.add("signature", {row["policy"]: {"stance": row["stance"]} for row in known})
    stances = Counter(fact["stance"] for fact in places.facts.values())
    few = [stance for stance in STANCES if is_cut and stances[stance] < asked.limit]
    apart = [one for stance in few for one in _both(asked, "policy", asked.limit, statuses=("active",), stance=stance)]
    if apart:
        answers = found(tx, apart, vector=asked.vector or (), text=asked.words)
        places.take(_ranked(zip(apart, answers, strict=True))["policy"])


def _add_evidence(tx: Transaction, asked: _Asked, places: _Places, known: Sequence[rows.Row]) -> None:
    """Add the evidence of the policies that the signature tells of."""
    policies = list(dict.fromkeys(row["policy"] for row in known))
    if policies:
        k = CANDIDATES * asked.limit
        places.add(
            "signature",
            {row["key"]: row for row in tx.run("recall/evidence_of", policies=policies, sign=asked.sign, limit=k)},
        )


def _scores(places: Mapping[Tier, _Places], asked: _Asked) -> dict[_Name, dict[str, float]]:
    """Return the scores of what may be told, by key: of policies and evidence the best alone."""
    policies, stances = places["policy"].scores(asked.settings), places["policy"].facts
    evidence = _weighed(places["evidence"], asked)
    return {
        "skill": places["skill"].scores(asked.settings),
        "follow": _best({key: of for key, of in policies.items() if stances[key]["stance"] == "follow"}, asked),
        "avoid": _best({key: of for key, of in policies.items() if stances[key]["stance"] == "avoid"}, asked),
        "evidence": _best(evidence, asked),
        "environment": places["environment"].scores(asked.settings),
    }


def _weighed(places: _Places, asked: _Asked) -> dict[str, float]:
    """Return the scores of steps by value and age, of those that went as is asked for."""
    half_life = asked.settings.half_life_days
    return {
        key: score * worth
        for key, score in places.scores(asked.settings).items()
        for step in [places.facts[key]]
        for worth in [ranking.aged_value(asked.sign * step["value"], _time(step), asked.now, half_life_days=half_life)]
        if worth > 0
    }


def _time(step: rows.Row) -> datetime:
    return _EPOCH + timedelta(microseconds=step["at"])


def _best(scores: Mapping[str, float], asked: _Asked) -> dict[str, float]:
    best = sorted(scores, key=lambda key: (-scores[key], key))
    return {key: scores[key] for key in best[: CLOSE * asked.limit]}


def _chosen(tx: Transaction, scores: Mapping[_Name, Mapping[str, float]], asked: _Asked) -> dict[_Name, list[rows.Row]]:
    """Return the rows of those that are told, unlike each other; to follow some more, since they may have a skill."""
    most = {name: 2 * asked.limit if name == "follow" else asked.limit for name in scores}
    relevance = asked.settings.diversity
    wanted = {name: ranking.contenders(of, most[name], relevance=relevance) for name, of in scores.items()}
    read = tx.run(
        "recall/told",
        skills=wanted["skill"],
        policies=sorted({*wanted["follow"], *wanted["avoid"]}),
        steps=wanted["evidence"],
        statements=wanted["environment"],
    )
    known = {item["key"]: item for tier in read for item in tier["told"]}
    likeness = {key: of for tier in read for key, of in _likeness(tier["told"], tier["likeness"]).items()}
    return {
        name: [known[key] for key in ranking.diversified(of, likeness, most[name], relevance=relevance) if key in known]
        for name, of in scores.items()
    }


def _likeness(items: Sequence[rows.Row], cosines: Sequence[Sequence[float | None]]) -> dict[str, dict[str, float]]:
    """Return the cosine of each two items by their keys, to the places that engines agree on; none without a vector."""
    keys = [item["key"] for item in items]
    return {
        key: {other: round(cosine, 6) for other, cosine in zip(keys, row, strict=True) if cosine is not None}
        for key, row in zip(keys, cosines, strict=True)
    }


# Telling ------------------------------------------------------------------------------------------------------------


def _skill_item(row: rows.Row, places: _Places, scores: Mapping[str, float], asked: _Asked) -> Item:
    key, q_max = row["key"], asked.settings.q_max
    tried = f"passed {row['passes']} of {counted(row['trials'], 'trial')}" if row["trials"] else "not tried yet"
    rests_on = (
        f"{row['status']}, {tried} (reliability {row['reliability']:.2f}); drafted from {row['policy']}: "
        f"{counted(row['support'], 'episode')} for it, "
        f"{gain_told(row['gain'], row['gain_low'], row['gain_high'], row['q'], q_max=q_max)}"
    )
    respected = sorted(row["respects"], key=lambda constraint: str(constraint["key"]))
    texts = [
        fence(key, redact(skill_told(_written(Skill, row)))),
        *(fence(of["key"], redact(f"Respect: {of['statement']}"), is_log=True) for of in respected),
    ]
    return Item(
        key=key,
        label="Skill",
        title=redact(row["title"]),
        text="\n".join(texts),
        why=tuple(places.why[key]),
        score=scores[key],
        rests_on=rests_on,
        basis=_basis(row | {"episodes": sorted(set(row["episodes"]))}, *_OF_SKILLS),
        is_trial=row["status"] == "trial",
    )


def _policy_item(row: rows.Row, places: _Places, scores: Mapping[str, float], asked: _Asked) -> Item:
    key, q_max = row["key"], asked.settings.q_max
    return Item(
        key=key,
        label="Policy",
        title=redact(row["title"]),
        text=fence(key, redact(policy_told(_written(Policy, row)))),
        why=tuple(places.why[key]),
        score=scores[key],
        rests_on=f"{counted(row['support'], 'episode')} for it, "
        f"{gain_told(row['gain'], row['gain_low'], row['gain_high'], row['q'], q_max=q_max)}",
        basis=_basis(row, "domain", "status", *_GAIN),
    )


def _written(model: type[N], row: rows.Row) -> N:
    """Return what a row holds of a record, which was checked when it was written and is not again."""
    given = {name: value for name, value in row.items() if name in model.model_fields}
    return model.model_construct(**given | {"procedure": _PROCEDURE.validate_json(row["procedure"])})


def _evidence_item(row: rows.Row, places: _Places, scores: Mapping[str, float]) -> Item:
    key, happened_at = row["key"], _time(places.facts[row["key"]])
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
    told_besides = {"happened_at": happened_at, "episodes": (row["episode"],)}
    return Item(
        key=key,
        label="Evidence",
        title=redact(f"{what} at step {row['index']} of an episode that was {how}"),
        text=fence(key, redact(text), is_log=True),
        why=tuple(places.why[key]),
        score=scores[key],
        rests_on=f"value {row['value']:+.2f} in {row['episode']}, {how} (R {row['reward']:+.2f}), "
        f"{happened_at:%Y-%m-%d}",
        basis=_basis(row | told_besides, "domain", "value", "reward", "solved", "happened_at", "episodes"),
    )


def _environment_item(row: rows.Row, places: _Places, scores: Mapping[str, float]) -> Item:
    key = row["key"]
    policies = sorted(row["policies"])
    of = f", abstracted from {listed(policies)}" if policies else ""
    return Item(
        key=key,
        label="EnvEntity",
        title=redact(f"{row['kind']}: {row['name']}"),
        text=fence(key, redact(row["statement"]), is_log=True),
        why=tuple(places.why[key]),
        score=scores[key],
        rests_on=f"seen in {counted(row['support'], 'episode')}, confidence {row['confidence']:.2f}{of}",
        basis=_basis(row | {"policies": policies}, "domain", "status", "support", "confidence", "policies"),
    )


_GAIN = ("support", "gain", "gain_low", "gain_high", "p", "q")
_OF_SKILLS = ("domain", "status", "version", "policy", *_GAIN, "reliability", "passes", "trials", "episodes")


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
