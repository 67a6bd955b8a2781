"""Whether a policy's effect is more than luck, ease or length: Mantel-Haenszel under three stratifications (D4.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import erfc, sqrt

from msce_graph.learning.tally import Pool, Sides, Stratum, Sums, stratum_variance
from msce_graph.records import Stance

_ROUND_OFF = 1e-10
"""A sum of variances under this is the round-off of none: a stratum of n episodes that varies gives about 1/n."""


@dataclass(frozen=True, slots=True)
class Excess:
    """Solved episodes beyond what the strata expect, and the variance of that number."""

    solved: float
    variance: float

    def p(self, stance: Stance) -> float:
        """Return the one-sided p, with continuity correction 1/2: upper tail to follow, lower to avoid.

        It is 1 without variance.
        """
        if self.variance < _ROUND_OFF:
            return 1.0
        sign = 1 if stance == "follow" else -1
        return 0.5 * erfc((sign * self.solved - 0.5) / sqrt(2 * self.variance))


@dataclass(frozen=True, slots=True)
class Test:
    """The excess under each of the three stratifications."""

    by_task: Excess
    by_length: Excess
    by_agent: Excess

    def p(self, stance: Stance) -> float:
        """Return the largest of the three p."""
        return max(self.by_task.p(stance), self.by_length.p(stance), self.by_agent.p(stance))


def test(pool: Pool, sums: Sums) -> Test:
    """Return the test of a policy's episodes against the pool's others, those offered a skill of it left out."""
    return Test(
        by_task=_by_task(pool, sums),
        by_length=_by_strata(sums.solved, pool.lengths, sums.lengths),
        by_agent=_by_strata(sums.solved, pool.runners, sums.runners),
    )


def false_discovery_rates(p: Sequence[float]) -> tuple[float, ...]:
    """Return q for each p by Benjamini and Hochberg's step-up, in the order given."""
    order = sorted(range(len(p)), key=lambda index: (-p[index], index))
    rates = [0.0] * len(p)
    smallest = 1.0
    for place, index in enumerate(order):
        smallest = min(smallest, p[index] * len(p) / (len(p) - place))
        rates[index] = smallest
    return tuple(rates)


def _by_task(pool: Pool, sums: Sums) -> Excess:
    singles = Stratum(
        pool.singles.episodes + sums.singles_shift.episodes, pool.singles.solved + sums.singles_shift.solved
    )
    expected, variance = sums.expected, sums.variance
    if singles.episodes:
        expected += sums.singles.episodes * singles.solved / singles.episodes
        variance += stratum_variance(sums.singles.episodes, singles.episodes, singles.solved)
    return Excess(sums.solved - expected, variance)


def _by_strata(solved: int, pool: Mapping[str, Stratum], sums: Mapping[str, Sides]) -> Excess:
    expected = variance = 0.0
    for used, episodes, solved_there in _strata(pool, sums):
        expected += used * solved_there / episodes
        variance += stratum_variance(used, episodes, solved_there)
    return Excess(solved - expected, variance)


def _strata(pool: Mapping[str, Stratum], sums: Mapping[str, Sides]) -> Iterable[tuple[int, int, int]]:
    """Yield the episodes with the policy, all episodes and the solved of each stratum that has any with it."""
    for name in sorted(sums):
        sides = sums[name]
        if sides.used.episodes:
            yield (
                sides.used.episodes,
                pool[name].episodes - sides.offered.episodes,
                pool[name].solved - sides.offered.solved,
            )
