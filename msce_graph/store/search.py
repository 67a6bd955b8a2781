"""The stored items nearest to a vector or matching a text best, of one namespace and passing filters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from msce_graph.store import queries, rows
from msce_graph.store.connection import Transaction

VectorTier = Literal["evidence", "policy", "skill", "environment"]
TextTier = Literal["evidence", "policy", "skill", "episode"]
Filter = str | list[str] | None
Scored = tuple[str, float]

_OVERFETCH = 8
"""Candidates asked of an index for each one wanted: what a quantised index ranks too low is still among them."""
_LEAST = 64
_TEXT_OVERFETCH = 2
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


@dataclass(frozen=True, slots=True)
class Found:
    """Keys with their scores, best first, and whether they come from an index or from comparing all."""

    items: list[Scored]
    way: Literal["index", "exact"]


def nearest(
    tx: Transaction, tier: VectorTier, vector: Iterable[float], k: int, *, exact_below: int, **filters: Filter
) -> Found:
    """Return the k items of the tier nearest to the vector by cosine (in [-1, 1], rounded to 6 places), ties by key.

    Filters are those that `cypher/search/nearest_TIER.cypher` takes; one left out does not restrict. The index is asked
    for more than k, what it names is compared exactly, and it is asked for more again until k of them pass the filters.
    A namespace of fewer than `exact_below` vectors, and filters that leave few, are compared one by one.
    A vector of zeros has no direction: nothing is near it.
    """
    asked = [float(x) for x in vector]
    wanted = _filters(f"search/nearest_{tier}", filters)
    if k < 1 or not any(asked):
        return Found([], "exact")
    given = {"k": k, "vector": asked, "opposite": [-x for x in asked], **wanted}
    if _is_large(tx, tier, exact_below):
        first = max(_LEAST, _OVERFETCH * k)
        found, is_all = _widened(
            lambda fetch: tx.run(f"search/nearest_{tier}", fetch=fetch, **given), k, first, most=_MOST
        )
        if is_all or len(found) >= k:
            return Found(_scored(found, k), "index")
    return Found(_scored(tx.run(f"search/exact_{tier}", **given), k), "exact")


def matching(tx: Transaction, tier: TextTier, text: str, k: int, **filters: Filter) -> Found:
    """Return the k items of the tier that hold the words of the text best, by the engine's own score, ties by key.

    Filters are those that `cypher/search/matching_TIER.cypher` takes; one left out does not restrict.
    """
    wanted = _filters(f"search/matching_{tier}", filters)
    words = plain_words(text)
    if k < 1 or not words:
        return Found([], "index")
    given = {"k": k, "text": words, **wanted}
    first = max(_LEAST, _TEXT_OVERFETCH * k)
    found, _ = _widened(lambda fetch: tx.run(f"search/matching_{tier}", fetch=fetch, **given), k, first, most=None)
    return Found(_scored(found, k), "index")


def plain_words(text: str) -> str:
    """Return a text as a full-text query for its words: special characters escaped, AND, OR, NOT and TO lower-cased.

    Of a long text the first 1,000 characters are looked for.
    """
    words = dict.fromkeys(text[:_LONGEST].split())
    return " ".join(_plain(word) for word in words if any(map(str.isalnum, word)))


def _plain(word: str) -> str:
    return word.lower() if word in _OPERATORS else _SPECIAL.sub(r"\\\g<0>", word)


def _filters(query: str, given: dict[str, Filter]) -> dict[str, Filter]:
    """Return every filter of the query, null where none is given; raise ValueError for one that it has not."""
    known = set(queries.load(query).params) - {"namespace", "fetch", "vector", "opposite", "text", "k"}
    if unknown := given.keys() - known:
        raise ValueError(f"{query} has no filter {', '.join(sorted(unknown))}, only {', '.join(sorted(known))}")
    return {name: given.get(name) for name in known}


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


def _widened(ask: Callable[[int], list[rows.Row]], k: int, fetch: int, most: int | None) -> tuple[list[rows.Row], bool]:
    """Return the rows that pass the filters, at least k where so many are found, and whether none is left.

    `fetch` candidates are asked for at first.
    """
    while True:
        [row] = ask(fetch)
        found = [{"key": key, "score": score} for key, score in zip(row["keys"], row["scores"], strict=True)]
        is_all = row["answered"] < fetch
        if is_all or len(found) >= k or (most is not None and fetch >= most):
            return found, is_all
        fetch *= _WIDEN


def _scored(found: list[rows.Row], k: int) -> list[Scored]:
    scored = [(row["key"], round(row["score"], 6)) for row in found]
    return sorted(scored, key=lambda item: (-item[1], item[0]))[:k]
