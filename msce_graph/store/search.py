"""The stored items nearest to a vector or matching a text best, of one namespace and passing filters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from msce_graph.store import queries, rows
from msce_graph.store.connection import Transaction

VectorTier = Literal["evidence", "policy", "skill", "environment"]
TextTier = Literal["evidence", "policy", "skill", "episode"]
Filter = str | list[str] | None
Scored = tuple[str, float]

_OVERFETCH = 8
"""Candidates asked of an index for each one wanted: what a quantised index ranks too low is still among them."""
_LEAST = 64
_MOST = 4096
"""Candidates after which filters leave so few that looking at all that pass them is cheaper than widening on."""
_WIDEN = 4
_PAGE = 512
_LONGEST = 1000
"""Characters of a query that are looked for: each may become one clause, and engines take 1,024."""
_OPERATORS = re.compile(r'[+\-&|!(){}\[\]^"~*?:\\/<>=@#]')


@dataclass(frozen=True, slots=True)
class Found:
    """Keys with their scores, best first, and whether they come from an index or from looking at all."""

    items: list[Scored]
    way: Literal["index", "exact"]


def nearest(
    tx: Transaction, tier: VectorTier, vector: Iterable[float], k: int, *, exact_below: int, **filters: Filter
) -> Found:
    """Return the k items of the tier nearest to the vector by cosine (in [-1, 1], rounded to 6 places), ties by key.

    Filters are those that `cypher/search/nearest_TIER.cypher` takes; one left out does not restrict. The index is asked
    for more than k, the vectors it names are compared exactly, and it is asked for more again until k of them pass the
    filters. A namespace of fewer than `exact_below` vectors, and filters that leave few, are searched exactly.
    """
    asked = np.asarray(list(vector), dtype=np.float64)
    given = _filters(f"search/nearest_{tier}", filters)
    if not asked.any() or k < 1:
        return Found([], "exact")
    if tx.run(f"search/count_{tier}", limit=exact_below)[0]["vectors"] >= exact_below:
        found = _by_index(tx, tier, asked, k, given)
        if found is not None:
            return Found(found, "index")
    return Found(_exact(tx, tier, asked, k, given), "exact")


def matching(tx: Transaction, tier: TextTier, text: str, k: int, **filters: Filter) -> Found:
    """Return the k items of the tier whose text matches any word of the query best, by the engine's own score (BM25).

    Filters are those that `cypher/search/matching_TIER.cypher` takes; one left out does not restrict.
    """
    given = _filters(f"search/matching_{tier}", filters)
    words = plain_words(text)
    if not words or k < 1:
        return Found([], "index")

    def ask(fetch: int) -> list[rows.Row]:
        return tx.run(f"search/matching_{tier}", fetch=fetch, text=words, **given)

    found, _ = _widened(ask, k, most=None)
    return Found([(row["key"], row["score"]) for row in found[:k]], "index")


def plain_words(text: str) -> str:
    """Return a text as a full-text query that looks for its words: operators are escaped, AND, OR and NOT lower-cased.

    Of a very long text the first 1,000 characters are looked for.
    """
    words = dict.fromkeys(text[:_LONGEST].split())
    return " ".join(_plain(word) for word in words if any(map(str.isalnum, word)))


def _plain(word: str) -> str:
    return word.lower() if word in {"AND", "OR", "NOT", "TO"} else _OPERATORS.sub(r"\\\g<0>", word)


def _filters(query: str, given: dict[str, Filter]) -> dict[str, Filter]:
    """Return every filter of the query, null where none is given; raise ValueError for one that it has not."""
    known = set(queries.load(query).params) - {"namespace", "fetch", "vector", "text"}
    if unknown := given.keys() - known:
        raise ValueError(f"{query} has no filter {', '.join(sorted(unknown))}: {', '.join(sorted(known))}")
    return {name: given.get(name) for name in known}


def _by_index(
    tx: Transaction, tier: str, asked: NDArray[np.float64], k: int, given: dict[str, Filter]
) -> list[Scored] | None:
    """Return the k nearest that pass, or null where the index was widened to the limit without finding k."""
    vector = asked.tolist()

    def ask(fetch: int) -> list[rows.Row]:
        return tx.run(f"search/nearest_{tier}", fetch=fetch, vector=vector, **given)

    found, is_all = _widened(ask, k, most=_MOST)
    return _best(_scored(asked, found), k) if is_all or len(found) >= k else None


def _widened(ask: Callable[[int], list[rows.Row]], k: int, most: int | None) -> tuple[list[rows.Row], bool]:
    """Return the rows that pass the filters, of at least k where so many are found, and whether none is left."""
    fetch = max(_LEAST, _OVERFETCH * k)
    while True:
        answered = ask(fetch)
        found = [row for row in answered if row["key"] is not None]
        is_all = len(answered) < fetch
        if is_all or len(found) >= k or (most is not None and fetch >= most):
            return found, is_all
        fetch *= _WIDEN


def _exact(tx: Transaction, tier: str, asked: NDArray[np.float64], k: int, given: dict[str, Filter]) -> list[Scored]:
    stream = tx.stream(f"search/vectors_of_{tier}", **given)
    best: list[Scored] = []
    while page := list(islice(stream, _PAGE)):
        best = _best([*best, *_scored(asked, page)], k)
    return best


def _scored(asked: NDArray[np.float64], found: list[rows.Row]) -> list[Scored]:
    if not found:
        return []
    vectors = np.array([row["embedding"] for row in found], dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(asked)
    cosines = np.divide(vectors @ asked, lengths, out=np.zeros(len(found)), where=lengths > 0)
    return [(row["key"], round(float(cosine), 6)) for row, cosine in zip(found, cosines, strict=True)]


def _best(scored: list[Scored], k: int) -> list[Scored]:
    return nsmallest(k, scored, key=lambda item: (-item[1], item[0]))
