"""The stored items nearest to a vector or matching a text best, of one namespace and passing filters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from msce_graph.records import Stance
from msce_graph.store import rows
from msce_graph.store.connection import Transaction

Tier = Literal["skill", "policy", "evidence", "environment", "episode"]
Channel = Literal["vector", "text"]
Scored = tuple[str, float]

_OVERFETCH = 16
"""Candidates asked of an index for each one wanted: what a quantised index ranks too low is still among them."""
_LEAST = 64
_FILTERED = 512
"""Candidates asked of an index at least where a filter on worth may drop most: asking again takes longer than more."""
_TEXT_OVERFETCH = 4
"""Candidates asked of a full-text index for each one wanted: it ranks rightly, and only filters take from it."""
_MOST = 1024
"""Candidates after which filters leave so few that comparing all that pass them is cheaper than widening on."""
_WIDEN = 4
_SEARCHES_A_COUNT = 64
_FOR_GOOD = 1
_LONGEST = 1000
"""Characters of a text that are looked for: each may become one clause, and engines take 1,024."""
_SPECIAL = re.compile(r'[+\-&|!(){}\[\]^"~*?:\\/]')
_OPERATORS = frozenset({"AND", "OR", "NOT", "TO"})
_FILTERS: dict[Tier, frozenset[str]] = {
    "skill": frozenset({"domain", "statuses"}),
    "policy": frozenset({"domain", "statuses", "stance"}),
    "evidence": frozenset({"domain", "sign"}),
    "environment": frozenset({"domain", "statuses"}),
    "episode": frozenset({"domain", "sign"}),
}


@dataclass(frozen=True, slots=True)
class Search:
    """The k items of a tier nearest to the vector, or holding the words of the text best; a null filter lets all pass.

    `sign` 1 lets pass what has a value (of an episode, a reward) above 0, and -1 what has one below. A namespace of
    fewer than `exact_below` vectors is compared one by one. Raises ValueError for a filter that the tier has not, and
    for episodes by vector: they have none.
    """

    tier: Tier
    channel: Channel
    k: int
    domain: str | None = None
    statuses: tuple[str, ...] | None = None
    stance: Stance | None = None
    sign: Literal[1, -1] | None = None
    exact_below: int = 0

    def __post_init__(self) -> None:
        """Refuse what would silently find too much."""
        if (self.tier, self.channel) == ("episode", "vector"):
            raise ValueError("episodes have no vectors")
        given = {name for name in ("domain", "statuses", "stance", "sign") if getattr(self, name) is not None}
        known = _FILTERS[self.tier]
        if unknown := given - known:
            raise ValueError(
                f"the tier {self.tier} has no filter {', '.join(sorted(unknown))}, only {', '.join(sorted(known))}"
            )


@dataclass(frozen=True, slots=True)
class Found:
    """Keys with their scores, best first, and whether they come from an index or from comparing all.

    A score by vector is a cosine, in [-1, 1], rounded to 6 places, one by text the engine's own; ties by key.
    """

    items: list[Scored]
    way: Literal["index", "exact"]
    facts: Mapping[str, rows.Row] = field(default_factory=dict)
    """By key, what is told besides: `stance` of a policy; of a step `value` and `at`, the microseconds since 1970 of
    when it happened; of an episode the same and the `key` of its best step for the sign, null where it has none."""


@dataclass(frozen=True, slots=True)
class _Ask:
    """A search as the engine is asked for it, with as many candidates as are fetched at first."""

    search: Search
    way: Literal["nearest", "exact", "matching"]
    fetch: int


def found(tx: Transaction, searches: Sequence[Search], *, vector: Iterable[float] = (), text: str = "") -> list[Found]:
    """Return what each search finds; all are asked in one statement.

    An index is asked for more than k, what it names is compared exactly, and it is asked for more again until k of them
    pass the filters; where filters leave few, all are compared. Nothing is near a vector without a direction, all
    zeros, and nothing matches a text without a word.
    """
    asked, words = [float(x) for x in vector], plain_words(text)
    has = {"vector": any(asked), "text": bool(words)}
    answers = [Found([], "exact" if search.channel == "vector" else "index") for search in searches]
    waiting = {
        number: _first(tx, search) for number, search in enumerate(searches) if search.k >= 1 and has[search.channel]
    }
    while waiting:
        answered = {row["number"]: row for row in _run(tx, waiting, asked, words)}
        wider: dict[int, _Ask] = {}
        for number, ask in waiting.items():
            row = answered.get(number, _NOTHING)
            if (more := _more(ask, row)) is not None:
                wider[number] = more
            else:
                answers[number] = _best(ask, row)
        waiting = wider
    return answers


_NOTHING: rows.Row = {"answered": 0, "keys": [], "scores": [], "facts": None}
"""How it is taken that an engine gives no row where it finds no candidate."""


def _first(tx: Transaction, search: Search) -> _Ask:
    least = _LEAST if search.sign is None else _FILTERED
    if search.channel == "text":
        return _Ask(search, "matching", max(least, _TEXT_OVERFETCH * search.k))
    is_large = _is_large(tx, search.tier, search.exact_below)
    return _Ask(search, "nearest" if is_large else "exact", max(least, _OVERFETCH * search.k))


def _run(tx: Transaction, asks: Mapping[int, _Ask], vector: list[float], words: str) -> list[rows.Row]:
    lists: dict[str, list[rows.Row]] = {name: [] for name in _LISTS}
    for number, ask in asks.items():
        lists[f"{ask.way}_{ask.search.tier}"].append(
            {
                "number": number,
                "fetch": ask.fetch,
                "k": ask.search.k,
                "domain": ask.search.domain,
                "statuses": ask.search.statuses,
                "stance": ask.search.stance,
                "sign": ask.search.sign,
            }
        )
    return tx.run("search/candidates", vector=vector, opposite=[-x for x in vector], text=words, **lists)


_LISTS = (
    *(f"{way}_{tier}" for way in ("nearest", "exact", "matching") for tier in _FILTERS if tier != "episode"),
    "matching_episode",
)


def _more(ask: _Ask, row: rows.Row) -> _Ask | None:
    """Return how to ask on, or None where k pass the filters or no candidate is left."""
    if ask.way == "exact" or row["answered"] < ask.fetch or len(row["keys"]) >= ask.search.k:
        return None
    if ask.way == "nearest" and ask.fetch >= _MOST:
        return replace(ask, way="exact")
    return replace(ask, fetch=_WIDEN * ask.fetch)


def _best(ask: _Ask, row: rows.Row) -> Found:
    scored = [(key, round(score, 6)) for key, score in zip(row["keys"], row["scores"], strict=True)]
    items = sorted(scored, key=lambda item: (-item[1], item[0]))[: ask.search.k]
    facts = {} if row["facts"] is None else dict(zip(row["keys"], row["facts"], strict=True))
    return Found(items, "exact" if ask.way == "exact" else "index", facts)


def plain_words(text: str) -> str:
    """Return a text as a full-text query for its words: special characters escaped, AND, OR, NOT and TO lower-cased.

    Of a long text the first 1,000 characters are looked for.
    """
    words = dict.fromkeys(text[:_LONGEST].split())
    return " ".join(_plain(word) for word in words if any(map(str.isalnum, word)))


def _plain(word: str) -> str:
    return word.lower() if word in _OPERATORS else _SPECIAL.sub(r"\\\g<0>", word)


def _is_large(tx: Transaction, tier: str, exact_below: int) -> bool:
    """Whether the tier has `exact_below` vectors, as counted some searches ago at most.

    Once it has, it is not counted again while the store is open. Until it is seen to have, all are compared, which is
    right whatever their number.
    """
    seen = (tier, exact_below)
    left = tx.counted.get(seen, 0)
    if left == 0:
        [row] = tx.run(f"search/count_{tier}", limit=exact_below)
        left = _FOR_GOOD if row["vectors"] >= exact_below else -_SEARCHES_A_COUNT
    tx.counted[seen] = left + (left < 0)
    return left > 0
