"""Does it help? How well policies tell which of the left-out episodes were solved, beside a regression.

    python -m benchmarks.predict [--corpus tau_bench_airline ...] [--seed 0] [--splits 3] [--draws 1000]

In five folds by task, split in several ways, policies are learned from four folds by the product's own fold, in memory
and without reflections, and each episode of the fifth is scored by how far it followed them. Beside it in the same
folds: the number of steps; steps and errors, by a regression of their own; and an L2 logistic regression over which
tools and tool-error pairs an episode used, with steps and errors and without. Tasks whose key hashes even and odd are
also told apart; both are learned from.

AUC over all compares a solved episode with any other of its fold, AUC within the same task with one of its task. Bounds
are the 2.5 and 97.5 percentiles over draws of tasks with replacement. `behind` is by how much an AUC over all falls
short of the regression's, over the same draws.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import log1p
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from benchmarks.folding import CORPORA, normalised, scored_episode
from msce_graph.learning.fold import DomainState, ScoredEpisode
from msce_graph.learning.normalise import Normalised
from msce_graph.learning.replay import replayed
from msce_graph.learning.signature import error_signature, pattern_id
from msce_graph.settings import Settings
from tests.support import CORPUS

SETTINGS = Settings(reflection="none")
FOLDS = 5
INNER_FOLDS = 3
C = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Inverse strengths of the regression's penalty, over standardised features."""
REFERENCE = "regression"

Floats = NDArray[np.float64]
Task = tuple[str, str]
"""Domain and task key."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One scored episode: what a policy and what a regression can see of it."""

    episode: ScoredEpisode
    features: Mapping[str, float]
    """1 for each tool and each pair of a tool and the signature of its own error."""
    size: Mapping[str, float]
    """Logarithms of the numbers of steps and of errors, talk included."""
    taken: frozenset[str]
    """Patterns of its tool steps."""
    worked: frozenset[str]
    """Patterns of those that did not themselves fail."""

    @property
    def task(self) -> Task:
        """What it tried, among all domains."""
        return self.episode.domain, self.episode.scored.task_key

    @property
    def solved(self) -> bool:
        """Whether it went well."""
        return self.episode.scored.solved

    @property
    def is_even(self) -> bool:
        """Whether the key of its task hashes even."""
        return sha256(self.episode.scored.task_key.encode()).digest()[0] % 2 == 0


HALVES: Mapping[str, Callable[[Attempt], bool]] = {
    "even": lambda one: one.is_even,
    "odd": lambda one: not one.is_even,
    "all": lambda _: True,
}
"""Whose episodes are compared: design was decided on the even tasks, so the odd ones say what it is worth."""

Scorer = Callable[[Sequence[Attempt], Sequence[Attempt]], list[float]]
"""From the episodes to learn from and the left-out ones to a score of each of these: the higher, the better."""


def main() -> None:
    """Learn, score and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, default=CORPORA)
    parser.add_argument("--seed", type=int, default=0, help="of folds and draws")
    parser.add_argument("--splits", type=int, default=3, help="into five folds")
    parser.add_argument("--draws", type=int, default=1000)
    given = parser.parse_args()
    for corpus in given.corpus:
        started = time.monotonic()
        lines = report(read(CORPUS / corpus), seed=given.seed, splits=given.splits, draws=given.draws)
        print(f"{corpus}, {time.monotonic() - started:.0f} s", *lines, "", sep="\n", flush=True)


def report(attempts: Sequence[Attempt], *, seed: int, splits: int, draws: int) -> list[str]:
    """Return a line for each way to score each half of the tasks, and all of them."""
    fold_of = [folds([one.task for one in attempts], seed + split) for split in range(splits)]
    found = [all_scores(attempts, each) for each in fold_of]
    lines = [f"{'':<32} {'AUC over all':<22} {'within the same task':<22} behind"]
    for half, is_in in HALVES.items():
        chosen = [place for place, one in enumerate(attempts) if is_in(one)]
        if chosen:
            weights = np.tile(resampled([attempts[place].task for place in chosen], draws, seed), splits)
            scores = {name: np.concatenate([split[name][chosen] for split in found]) for name in found[0]}
            lines += _compared(half, [attempts[place] for place in chosen], fold_of, scores, weights)
    return lines


def _compared(
    half: str,
    attempts: Sequence[Attempt],
    fold_of: Sequence[Mapping[Task, int]],
    scores: Mapping[str, Floats],
    weights: Floats,
) -> list[str]:
    """Return a heading and the lines of some episodes; scores and weights hold all of them once a split."""
    keys = [one.task for one in attempts]
    solved = np.array([one.solved for one in attempts])
    over_all = Comparison([(split, each[key]) for split, each in enumerate(fold_of) for key in keys], solved, weights)
    within = Comparison([(split, key) for split, _ in enumerate(fold_of) for key in keys], solved, weights, once=True)
    auc = {name: over_all.auc(score) for name, score in scores.items()}
    pairs = within.pairs // len(fold_of)
    return [f"  {half} tasks: {len(keys)} episodes, {solved.sum()} solved, {pairs} pairs of one"] + [
        f"    {name:<28} {_told(auc[name])} {_told(within.auc(score))} {_told(auc[REFERENCE] - auc[name])}"
        for name, score in scores.items()
    ]


# Episodes -----------------------------------------------------------------------------------------------------------


def read(folder: Path) -> list[Attempt]:
    """Return the episodes of a folder with an outcome, in the order of its files."""
    scored = (entry for entry in normalised(folder, SETTINGS) if entry.episode.reward is not None)
    return [attempt(entry, place) for place, entry in enumerate(scored, start=1)]


def attempt(entry: Normalised, sequence: int) -> Attempt:
    """Return what is seen of an episode with an outcome."""
    steps = [(e, pattern_id(entry.episode.domain, e.tool, e.error_signature)) for e in entry.evidence if e.tool]
    failed = {f"{e.tool}\n{error_signature(e.observation)}" for e, _ in steps if e.is_error}
    return Attempt(
        scored_episode(entry, sequence),
        features=dict.fromkeys(sorted(failed | {str(e.tool) for e, _ in steps}), 1.0),
        size={"steps": log1p(len(entry.evidence)), "errors": log1p(sum(e.is_error for e in entry.evidence))},
        taken=frozenset(pattern for _, pattern in steps),
        worked=frozenset(pattern for e, pattern in steps if not e.is_error),
    )


def folds(tasks: Iterable[Task], seed: int) -> dict[Task, int]:
    """Return the fold of each task, dealt out at random."""
    names = sorted(set(tasks))
    random.Random(seed).shuffle(names)
    return {name: place % FOLDS for place, name in enumerate(names)}


def all_scores(attempts: Sequence[Attempt], fold_of: Mapping[Task, int]) -> dict[str, Floats]:
    """Return the scores of all episodes by the name of what scores them: the higher, the better."""
    gains = left_out(attempts, fold_of, by_gain)
    return {
        "steps": -np.array([one.size["steps"] for one in attempts]),
        "steps and errors": left_out(attempts, fold_of, by_size),
        REFERENCE: left_out(attempts, fold_of, by_all),
        "regression without steps": left_out(attempts, fold_of, by_features),
        "policies": per_step(gains, attempts),
        "policies without steps": gains,
    }


def left_out(attempts: Sequence[Attempt], fold_of: Mapping[Task, int], scorer: Scorer) -> Floats:
    """Return the score of each episode by what was learned from the other folds."""
    scores = np.zeros(len(attempts))
    for fold in range(FOLDS):
        outside = [place for place, attempt in enumerate(attempts) if fold_of[attempt.task] == fold]
        learned_from = [attempt for attempt in attempts if fold_of[attempt.task] != fold]
        scores[outside] = scorer(learned_from, [attempts[place] for place in outside])
    return scores


# Scorers ------------------------------------------------------------------------------------------------------------


def learned(attempts: Sequence[Attempt]) -> dict[str, DomainState]:
    """Return the state of each domain after the episodes."""
    inputs: defaultdict[str, list[ScoredEpisode]] = defaultdict(list)
    for attempt in attempts:
        inputs[attempt.episode.domain].append(attempt.episode)
    return {domain: replayed(domain, episodes, SETTINGS) for domain, episodes in inputs.items()}


def followed_gain(attempt: Attempt, state: DomainState) -> float:
    """Return the gain of the active policies that an episode followed, less that of those it did not avoid.

    It followed one where a step of its signature did not itself fail; it did not avoid one where it took such a step.
    """
    total = 0.0
    for policy in state.policies.values():
        if policy.status != "active" or policy.gain.gain is None:
            continue
        if policy.stance == "follow" and policy.pattern in attempt.worked:
            total += policy.gain.gain
        if policy.stance == "avoid" and policy.pattern in attempt.taken:
            total -= abs(policy.gain.gain)
    return total


def by_gain(learn: Sequence[Attempt], score: Sequence[Attempt]) -> list[float]:
    """Score by the gain followed alone, however long the episode."""
    states = learned(learn)
    return [followed_gain(one, states.get(one.episode.domain, DomainState(""))) for one in score]


def per_step(gains: Floats, attempts: Sequence[Attempt]) -> Floats:
    """Return (gain + 1) / (tool steps + 2), a step's share of what was followed, by Laplace's rule of succession.

    So a step that no policy speaks for counts against an episode, as does a step taken again. One without a tool step
    followed nothing and gets 0.
    """
    steps = np.array([len(one.episode.steps) for one in attempts])
    return np.where(steps == 0, 0.0, (gains + 1) / (steps + 2))


def by_size(learn: Sequence[Attempt], score: Sequence[Attempt]) -> list[float]:
    """Score by the numbers of steps and of errors."""
    return _regression(learn, score, lambda one: one.size)


def by_features(learn: Sequence[Attempt], score: Sequence[Attempt]) -> list[float]:
    """Score by which tools and tool-error pairs were used."""
    return _regression(learn, score, lambda one: one.features)


def by_all(learn: Sequence[Attempt], score: Sequence[Attempt]) -> list[float]:
    """Score by tools, tool-error pairs and the numbers of steps and of errors."""
    return _regression(learn, score, lambda one: {**one.features, **one.size})


def _regression(
    learn: Sequence[Attempt], score: Sequence[Attempt], seen: Callable[[Attempt], Mapping[str, float]]
) -> list[float]:
    """Return log-odds by an L2 logistic regression whose C has the least loss within folds by task of `learn`."""
    places = {task: place for place, task in enumerate(sorted({one.task for one in learn}))}
    standard = make_pipeline(DictVectorizer(sparse=False), StandardScaler())
    search = GridSearchCV(
        LogisticRegression(max_iter=1000), {"C": C}, scoring="neg_log_loss", cv=GroupKFold(INNER_FOLDS)
    )
    with threadpool_limits(1):  # of matrices this small the threads take longer than the sums
        search.fit(
            standard.fit_transform([seen(one) for one in learn]),
            [one.solved for one in learn],
            groups=[places[one.task] for one in learn],
        )
        odds = search.decision_function(standard.transform([seen(one) for one in score]))
    return [float(each) for each in odds]


# AUC ----------------------------------------------------------------------------------------------------------------


class Comparison:
    """Pairs of a solved episode and one that was not, in one group, as they are and over draws of tasks.

    `weights` has a row a draw and a column an episode; `solved` is repeated where there are more of these. With
    `once`, a group is drawn as a whole: a pair weighs as much as its group, not as the product of two episodes.
    """

    def __init__(
        self, groups: Sequence[Hashable], solved: NDArray[np.bool_], weights: Floats, *, once: bool = False
    ) -> None:
        solved = np.resize(solved, len(groups))
        members: defaultdict[Hashable, list[int]] = defaultdict(list)
        for place, group in enumerate(groups):
            members[group].append(place)
        self._sides = [
            (ours[solved[ours]], ours[~solved[ours]])
            for ours in (np.array(places) for places in members.values())
            if 0 < solved[ours].sum() < len(ours)
        ]
        self._weights = weights
        self._once = once
        self.pairs = sum(len(good) * len(bad) for good, bad in self._sides)

    def auc(self, scores: Floats) -> Floats:
        """Return the share of pairs in which the solved one has the higher score, ties half: as it is, then by draw.

        It is NaN without a pair.
        """
        won, total = np.zeros(len(self._weights)), np.zeros(len(self._weights))
        for good, bad in self._sides:
            gap = scores[good][:, None] - scores[bad]
            wins = np.where(gap > 0, 1.0, np.where(gap == 0, 0.5, 0.0))
            left = self._weights[:, good]
            right = np.ones((len(left), len(bad))) if self._once else self._weights[:, bad]
            won += ((left @ wins) * right).sum(axis=1)
            total += left.sum(axis=1) * right.sum(axis=1)
        return np.asarray(np.divide(won, total, out=np.full(len(won), np.nan), where=total > 0), dtype=np.float64)


def resampled(tasks: Sequence[Task], draws: int, seed: int) -> Floats:
    """Return how often each episode counts: once, then as often as a draw of tasks with replacement holds its task."""
    names = sorted(set(tasks))
    place = {name: at for at, name in enumerate(names)}
    drawn = np.random.default_rng(seed).multinomial(len(names), [1 / len(names)] * len(names), size=draws)
    counts = np.vstack([np.ones(len(names)), drawn])
    return np.asarray(counts[:, [place[task] for task in tasks]], dtype=np.float64)


def _told(values: Floats) -> str:
    """Return a value with its bounds: the first as it is, the others by draw; a dash without a value."""
    if np.isnan(values[0]):
        return f"{'-':<22}"
    low, high = np.nanpercentile(values[1:], [2.5, 97.5])
    return f"{f'{values[0]:.3f} [{low:.3f}, {high:.3f}]':<22}"


if __name__ == "__main__":
    main()
