"""The sums that gain and test follow from, kept so that one more episode costs the same however many are stored.

With R of an episode as v, S and n the sum and number of a task's episodes, m the mean of the pool (D4.7):
`a = v - (S - v + m) / n = v (1 + 1/n) - S/n - m/n`. So the sum of `a` over a group of episodes is `adjusted - m ease`,
where `adjusted` sums `v (1 + 1/n) - S/n` and `ease` sums `1/n`; both change only in the tasks that an episode touches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

NOBODY = "unknown"


@dataclass(frozen=True, slots=True)
class Scored:
    """One scored episode of a pool: its R in [-1, 1], whether it was solved, and what it is compared within."""

    task_key: str
    reward: float
    solved: bool
    tool_steps: int
    agent: str | None = None
    model: str | None = None

    @property
    def length(self) -> str:
        """The bin of its number of tool steps."""
        return length_bin(self.tool_steps)

    @property
    def runner(self) -> str:
        """Agent and model as one stratum; unknown is one."""
        return f"{self.agent or NOBODY}|{self.model or NOBODY}"


@dataclass(frozen=True, slots=True)
class TaskTally:
    """All pool episodes of one task."""

    episodes: int = 0
    total: float = 0.0
    squares: float = 0.0
    solved: int = 0

    def plus(self, scored: Scored) -> TaskTally:
        """Return the tally with one more episode."""
        return TaskTally(
            self.episodes + 1,
            self.total + scored.reward,
            self.squares + scored.reward * scored.reward,
            self.solved + scored.solved,
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """The episodes of one task that have an edge to a policy, and those to which a skill of it was offered."""

    episodes: int = 0
    solved: int = 0
    total: float = 0.0
    offered: int = 0
    offered_solved: int = 0
    offered_total: float = 0.0

    def plus(self, scored: Scored, *, offered: bool) -> Tally:
        """Return the tally with one more episode, on the side of the offered or of those with the policy."""
        if offered:
            return replace(
                self,
                offered=self.offered + 1,
                offered_solved=self.offered_solved + scored.solved,
                offered_total=self.offered_total + scored.reward,
            )
        return replace(
            self,
            episodes=self.episodes + 1,
            solved=self.solved + scored.solved,
            total=self.total + scored.reward,
        )


@dataclass(frozen=True, slots=True)
class Stratum:
    """Episodes of one stratum and how many of them were solved."""

    episodes: int = 0
    solved: int = 0

    def plus(self, solved: bool, by: int = 1) -> Stratum:
        """Return the stratum with `by` more episodes of one outcome."""
        return Stratum(self.episodes + by, self.solved + (by if solved else 0))


@dataclass(frozen=True, slots=True)
class Sides:
    """One stratum's episodes with a policy, and those that were offered a skill of it."""

    used: Stratum = Stratum()
    offered: Stratum = Stratum()


@dataclass(frozen=True, slots=True)
class Pool:
    """The scored episodes of a domain with a tool step; `tasks` holds at least those that the next inputs touch."""

    tasks: Mapping[str, TaskTally] = field(default_factory=dict)
    episodes: int = 0
    total: float = 0.0
    adjusted: float = 0.0
    ease: float = 0.0
    square_constant: float = 0.0
    square_linear: float = 0.0
    square_quadratic: float = 0.0
    singles: Stratum = Stratum()
    lengths: Mapping[str, Stratum] = field(default_factory=dict)
    runners: Mapping[str, Stratum] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Mean R of the pool, m."""
        return self.total / self.episodes if self.episodes else 0.0

    def plus(self, scored: Scored) -> Pool:
        """Return the pool with one more episode."""
        before = self.tasks.get(scored.task_key, TaskTally())
        after = before.plus(scored)
        old, new = _squares(before), _squares(after)
        return Pool(
            tasks={**self.tasks, scored.task_key: after},
            episodes=self.episodes + 1,
            total=self.total + scored.reward,
            adjusted=self.adjusted - old[3] + new[3],
            ease=self.ease + (before.episodes == 0),
            square_constant=self.square_constant - old[0] + new[0],
            square_linear=self.square_linear - old[1] + new[1],
            square_quadratic=self.square_quadratic - old[2] + new[2],
            singles=_singles(self.singles, before, after),
            lengths=_counted(self.lengths, scored.length, scored.solved),
            runners=_counted(self.runners, scored.runner, scored.solved),
        )


@dataclass(frozen=True, slots=True)
class Sums:
    """What one policy's gain and test need of all its tasks."""

    episodes: int = 0
    solved: int = 0
    adjusted: float = 0.0
    ease: float = 0.0
    offered: int = 0
    offered_adjusted: float = 0.0
    offered_ease: float = 0.0
    expected: float = 0.0
    variance: float = 0.0
    singles: Stratum = Stratum()
    """Its episodes that are their task's only one on either side."""
    singles_shift: Stratum = Stratum()
    """What the offered episodes change in the pool's single ones, seen from this policy."""
    lengths: Mapping[str, Sides] = field(default_factory=dict)
    runners: Mapping[str, Sides] = field(default_factory=dict)

    def moved(self, before: Tally, task_before: TaskTally, after: Tally, task_after: TaskTally) -> Sums:
        """Return the sums after one task's tallies went from `before` to `after`."""
        old, new = _contribution(before, task_before), _contribution(after, task_after)
        return replace(
            self,
            adjusted=self.adjusted - old.adjusted + new.adjusted,
            ease=self.ease - old.ease + new.ease,
            offered_adjusted=self.offered_adjusted - old.offered_adjusted + new.offered_adjusted,
            offered_ease=self.offered_ease - old.offered_ease + new.offered_ease,
            expected=self.expected - old.expected + new.expected,
            variance=self.variance - old.variance + new.variance,
            singles=_difference(self.singles, old.singles, new.singles),
            singles_shift=_difference(self.singles_shift, old.singles_shift, new.singles_shift),
        )

    def plus(self, scored: Scored, *, offered: bool) -> Sums:
        """Return the sums with one more episode in its strata of length and runner (its task is `moved`)."""
        return replace(
            self,
            episodes=self.episodes + (not offered),
            solved=self.solved + (scored.solved and not offered),
            offered=self.offered + offered,
            lengths=_sided(self.lengths, scored.length, scored.solved, offered=offered),
            runners=_sided(self.runners, scored.runner, scored.solved, offered=offered),
        )


def length_bin(steps: int) -> str:
    """Return the bin of a number of tool steps: 1, 2, 3, 4, 5-6, 7-8, 9-12, 13-16, 17-24, 25-32, 33-48, ... (D4.8)."""
    low, high, width = 1, 1, 1
    while steps > high:
        if high >= 4 and high & (high - 1) == 0:
            width = high // 2
        low, high = high + 1, high + width
    return str(low) if low == high else f"{low}-{high}"


def _contribution(tally: Tally, task: TaskTally) -> Sums:
    """Return what one task adds to a policy's sums."""
    if not (tally.episodes or tally.offered):
        return Sums()
    share = 1 / task.episodes
    common = task.total * share
    episodes, solved = task.episodes - tally.offered, task.solved - tally.offered_solved
    is_stratum = episodes > 1
    variance = 0.0
    if is_stratum:
        variance = stratum_variance(tally.episodes, episodes, solved)
    single = Stratum(episodes, solved) if episodes == 1 else Stratum()
    pooled = Stratum(task.episodes, task.solved) if task.episodes == 1 else Stratum()
    return Sums(
        adjusted=tally.total * (1 + share) - tally.episodes * common,
        ease=tally.episodes * share,
        offered_adjusted=tally.offered_total * (1 + share) - tally.offered * common,
        offered_ease=tally.offered * share,
        expected=tally.episodes * solved / episodes if is_stratum else 0.0,
        variance=variance,
        singles=Stratum(tally.episodes, tally.solved) if episodes == 1 else Stratum(),
        singles_shift=Stratum(single.episodes - pooled.episodes, single.solved - pooled.solved),
    )


def stratum_variance(used: int, episodes: int, solved: int) -> float:
    """Return the hypergeometric variance of the solved among `used` of a stratum; 0 for one episode."""
    if episodes < 2:
        return 0.0
    unused, failed = episodes - used, episodes - solved
    return used * unused * solved * failed / (episodes * episodes * (episodes - 1))


def _squares(task: TaskTally) -> tuple[float, float, float, float]:
    """Return what a task adds to the sum of a^2 as a polynomial in m, and to the pool's `adjusted`."""
    if not task.episodes:
        return 0.0, 0.0, 0.0, 0.0
    share = 1 / task.episodes
    constant = (1 + share) ** 2 * task.squares - (share + 2 * share**2) * task.total**2
    return constant, -2 * share**2 * task.total, share, task.total * share


def _singles(singles: Stratum, before: TaskTally, after: TaskTally) -> Stratum:
    if before.episodes == 0:
        return Stratum(singles.episodes + 1, singles.solved + after.solved)
    if before.episodes == 1:
        return Stratum(singles.episodes - 1, singles.solved - before.solved)
    return singles


def _difference(total: Stratum, old: Stratum, new: Stratum) -> Stratum:
    return Stratum(total.episodes - old.episodes + new.episodes, total.solved - old.solved + new.solved)


def _counted(strata: Mapping[str, Stratum], name: str, solved: bool) -> dict[str, Stratum]:
    return {**strata, name: strata.get(name, Stratum()).plus(solved)}


def _sided(strata: Mapping[str, Sides], name: str, solved: bool, *, offered: bool) -> dict[str, Sides]:
    sides = strata.get(name, Sides())
    if offered:
        return {**strata, name: Sides(sides.used, sides.offered.plus(solved))}
    return {**strata, name: Sides(sides.used.plus(solved), sides.offered)}
