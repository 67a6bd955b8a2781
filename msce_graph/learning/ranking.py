"""How recalled items are ordered: fused over channels, weighted by worth and age, and unlike each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

_DAY = timedelta(days=1)


def fused(ranks: Iterable[int], *, constant: int) -> float:
    """Return the fusion of an item's ranks, 1 the best: the sum of 1 / (constant + rank) (Cormack 2009)."""
    return sum(1 / (constant + rank) for rank in ranks)


def weight(value: float | None, happened_at: datetime, now: datetime, *, half_life_days: float) -> float:
    """Return `max(V, 0) 0.5^(age / half-life)`, in [0, 1]: what evidence of value V in [-1, 1] counts (D7).

    Evidence without a value counts nothing; one from the future is as good as new.
    """
    age = max((now - happened_at) / _DAY, 0.0)
    return float(max(value or 0.0, 0.0) * 0.5 ** (age / half_life_days))


def diversified(
    scores: Mapping[str, float], vectors: Mapping[str, Sequence[float]], most: int, *, relevance: float
) -> list[str]:
    """Return at most `most` of the keys by maximal marginal relevance (Carbonell and Goldstein 1998), ties by key.

    Each next one has the largest `relevance * score - (1 - relevance) * its largest cosine to one chosen`, where the
    scores are stretched to 0 for the least and 1 for the best, since fused ranks lie close together. What has no vector
    is like nothing else.
    """
    waiting = sorted(scores)
    if not waiting or most < 1:
        return []
    least, best = min(scores.values()), max(scores.values())
    shares = np.array([(scores[key] - least) / ((best - least) or 1.0) for key in waiting])
    cosines = _cosines([vectors.get(key, ()) for key in waiting])
    nearest = np.zeros(len(waiting))
    chosen: list[str] = []
    open_ = np.ones(len(waiting), dtype=bool)
    while open_.any() and len(chosen) < most:
        merit = np.where(open_, relevance * shares - (1 - relevance) * nearest, -np.inf)
        place = int(np.argmax(np.round(merit, 9)))
        chosen.append(waiting[place])
        open_[place] = False
        nearest = np.maximum(nearest, cosines[place])
    return chosen


def _cosines(vectors: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Return the cosine of each two vectors; 0 where one has no length."""
    size = max(map(len, vectors))
    rows = np.array([[*vector] if len(vector) else [0.0] * size for vector in vectors], dtype=np.float64)
    rows = rows.reshape(len(vectors), size)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    cosines: NDArray[np.float64] = unit @ unit.T
    return cosines
