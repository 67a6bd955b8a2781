"""How recalled items are ordered: fused over channels, weighted by worth and age, and unlike each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

_DAY = timedelta(days=1)
_MARGIN = 1e-6
"""More than what rounding moves a merit by."""


def fused(ranks: Iterable[int], *, constant: int) -> float:
    """Return the fusion of an item's ranks, 1 the best: the sum of 1 / (constant + rank) (Cormack 2009)."""
    return sum(1 / (constant + rank) for rank in ranks)


def aged_value(value: float | None, happened_at: datetime, now: datetime, *, half_life_days: float) -> float:
    """Return `max(V, 0) 0.5^(age / half-life)`, in [0, 1]: what evidence of value V in [-1, 1] counts (D7).

    Evidence without a value counts nothing; one from the future is as good as new.
    """
    age = max((now - happened_at) / _DAY, 0.0)
    return float(max(value or 0.0, 0.0) * 0.5 ** (age / half_life_days))


def contenders(scores: Mapping[str, float], most: int, *, relevance: float) -> list[str]:
    """Return the keys, sorted, that `diversified` could choose however alike they are.

    Likeness takes at most `1 - relevance` from an item, so one that is more than that behind `most` others comes after
    all of them.
    """
    if not scores or most < 1:
        return []
    least, best = min(scores.values()), max(scores.values())
    width = (best - least) or 1.0
    last = sorted(scores.values(), reverse=True)[:most][-1]
    allowed = 1 - relevance + _MARGIN
    return sorted(key for key, score in scores.items() if relevance * (last - score) / width <= allowed)


def diversified(
    scores: Mapping[str, float], likeness: Mapping[str, Mapping[str, float]], most: int, *, relevance: float
) -> list[str]:
    """Return at most `most` of the keys by maximal marginal relevance (Carbonell and Goldstein 1998), ties by key.

    Each next one has the largest `relevance * score - (1 - relevance) * its largest likeness to one chosen`, where the
    scores are stretched to 0 for the least and 1 for the best, since fused ranks lie close together. `likeness` holds
    the cosine of two keys, in [-1, 1], under either; what it does not hold is like nothing else.
    """
    if not scores or most < 1:
        return []
    least, best = min(scores.values()), max(scores.values())
    shares = {key: (score - least) / ((best - least) or 1.0) for key, score in scores.items()}
    nearest = dict.fromkeys(scores, 0.0)
    waiting, chosen = sorted(scores), list[str]()
    while waiting and len(chosen) < most:
        place = max(waiting, key=lambda key: round(relevance * shares[key] - (1 - relevance) * nearest[key], 9))
        chosen.append(place)
        waiting.remove(place)
        for key in waiting:
            nearest[key] = max(nearest[key], likeness.get(place, {}).get(key, 0.0))
    return chosen
