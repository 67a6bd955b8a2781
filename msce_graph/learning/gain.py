"""The gain of a policy, adjusted for how hard each task is (D4.7): a heuristic signal, not a causal effect."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from msce_graph.learning.tally import Pool, Sums

Z_90 = 1.645
"""The two-sided 90 % quantile of the normal distribution, as D4.7 rounds it."""

_ROUND_OFF = 1e-12
"""A variance of rewards under this is the round-off of equal ones."""


@dataclass(frozen=True, slots=True)
class Gain:
    """A difference of mean adjusted rewards with its 90 % bounds, all null where no episode has the policy."""

    gain: float | None
    low: float | None
    high: float | None
    episodes_with: int
    episodes_without: int


def gain(pool: Pool, sums: Sums, *, baseline_episodes: float) -> Gain:
    """Return `mean_W(a) - n_U mean_U(a) / (n_U + N0)` and its bounds; `baseline_episodes` is N0."""
    used = sums.episodes
    unused = pool.episodes - used - sums.offered
    if not used:
        return Gain(None, None, None, 0, unused)
    mean = pool.mean
    with_it = sums.adjusted - mean * sums.ease
    offered = sums.offered_adjusted - mean * sums.offered_ease
    everybody = pool.adjusted - mean * pool.ease
    value = with_it / used
    spread = 1 / used
    if unused:
        value -= (everybody - with_it - offered) / (unused + baseline_episodes)
        spread += unused / (unused + baseline_episodes) ** 2
    half = Z_90 * deviation(pool) * sqrt(spread)
    return Gain(value, value - half, value + half, used, unused)


def deviation(pool: Pool) -> float:
    """Return the sample deviation of `a` over the pool; 0 with one episode."""
    if pool.episodes < 2:
        return 0.0
    mean = pool.mean
    squares = pool.square_constant + mean * (pool.square_linear + mean * pool.square_quadratic)
    total = pool.adjusted - mean * pool.ease
    variance = (squares - total * total / pool.episodes) / (pool.episodes - 1)
    return sqrt(variance) if variance > _ROUND_OFF else 0.0
