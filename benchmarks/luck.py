"""What luck alone would teach: real episodes with their rewards permuted, and tags that mean nothing.

    python -m benchmarks.luck [--draws 25] [--corpus tau_bench_airline ...]

Permuted: within each domain the outcomes change hands at random, and values follow. A domain-draw publishes when any
policy passes gates 1 and 2 after any of its inputs; the draft and its six checks come after them, so no more would be
published than is counted here. Random tags: the steps of every episode are replaced by tags, as many and as frequent as
the real signatures, that came to their episodes by chance, or to their steps (so that long episodes have more); the
outcomes are the real ones. A tag is claimed when it becomes a policy to avoid or passes gate 1. A tag without support
of n_min episodes can do neither and is not counted. "Ever" looks after every input, "last" after the last alone.

The fold is the product's own, run in memory over all inputs of a domain. Ends with 1 where more than a tenth of the
domain-draws publish, or of the tags is claimed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from benchmarks.folding import CORPORA, NO_VECTOR, normalised, scored, tool_steps
from msce_graph.learning.fold import DomainState, PolicyState, ScoredEpisode, Step, ready
from msce_graph.learning.lifecycle import gate_1_reasons
from msce_graph.learning.normalise import Normalised
from msce_graph.learning.replay import Replay
from msce_graph.learning.tally import Scored
from msce_graph.learning.value import values
from msce_graph.settings import Settings
from tests.support import CORPUS

TOLERATED = 0.1
SETTINGS = Settings()

Kind = Literal["real", "permuted", "tags by episode", "tags by step"]
RANDOM: tuple[Kind, ...] = ("permuted", "tags by episode", "tags by step")


@dataclass(frozen=True, slots=True)
class Run:
    """One scored episode with a tool step: its outcome, and the weight of each step's reflection."""

    key: str
    domain: str
    trajectory: str
    scored: Scored
    steps: tuple[Step, ...]
    positions: tuple[int, ...]
    """Place of each tool step among all steps, of which there are as many as `alphas`."""
    alphas: tuple[float, ...]

    def rewarded(self, reward: float, solved: bool, sequence: int) -> ScoredEpisode:
        """Return the input that the episode would have been with this outcome."""
        worth = values(reward, self.alphas, SETTINGS.gamma)
        return ScoredEpisode(
            key=self.key,
            sequence=sequence,
            domain=self.domain,
            scored=replace(self.scored, reward=reward, solved=solved),
            trajectory=self.trajectory,
            steps=tuple(
                replace(step, value=worth[place] or 0.0) for step, place in zip(self.steps, self.positions, strict=True)
            ),
        )


@dataclass(frozen=True, slots=True)
class Found:
    """What one pass over a domain claimed: policies by id."""

    policies: frozenset[str]
    """Those with support of n_min episodes, of either stance."""
    published: frozenset[str]
    """Passed gates 1 and 2 after some input."""
    claimed: frozenset[str]
    """Became a policy to avoid or passed gate 1 after some input."""
    published_last: frozenset[str]
    claimed_last: frozenset[str]


def main() -> int:
    """Draw, print, and return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=25, help="of each kind a corpus")
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, default=CORPORA)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print(f"{'corpus':<20} {'kind':<16} {'draws':>5} {'of':>5} {'ever':>6} {'last':>6} {'share ever':>10}  seconds")
    worst = 0.0
    for corpus in given.corpus:
        domains = _domains(CORPUS / corpus)
        for kind in ("real", *RANDOM):
            worst = max(worst, _line(corpus, kind, domains, 1 if kind == "real" else given.draws, given.seed))
    return int(worst > TOLERATED)


def _line(corpus: str, kind: Kind, domains: Mapping[str, Sequence[Run]], draws: int, seed: int) -> float:
    """Print one line of the table and return the share that luck gives; 0 for the real outcomes."""
    started = time.monotonic()
    tasks = [(runs, f"{seed} {corpus} {domain} {draw}") for domain, runs in domains.items() for draw in range(draws)]
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(partial(_drawn, kind), *zip(*tasks, strict=True)))
    if kind in ("real", "permuted"):
        of = len(found)
        ever, last = (
            sum(map(bool, each)) for each in zip(*((f.published, f.published_last) for f in found), strict=True)
        )
    else:
        of = sum(len(f.policies) for f in found)
        ever, last = (sum(map(len, each)) for each in zip(*((f.claimed, f.claimed_last) for f in found), strict=True))
    share = ever / of if of else 0.0
    seconds = time.monotonic() - started
    print(f"{corpus:<20} {kind:<16} {draws:>5} {of:>5} {ever:>6} {last:>6} {share:>10.1%}  {seconds:.0f}", flush=True)
    return 0.0 if kind == "real" else share


def _drawn(kind: Kind, runs: Sequence[Run], seed: str) -> Found:
    """Return what the fold finds in one domain."""
    chance = random.Random(f"{seed} {kind}")
    outcomes = [(run.scored.reward, run.scored.solved) for run in runs]
    if kind == "permuted":
        chance.shuffle(outcomes)
    if kind == "tags by episode":
        runs = _tagged_by_episode(runs, chance)
    if kind == "tags by step":
        runs = _tagged_by_step(runs, chance)
    return _folded(
        [
            run.rewarded(*outcome, place)
            for place, (run, outcome) in enumerate(zip(runs, outcomes, strict=True), start=1)
        ]
    )


# Inputs -------------------------------------------------------------------------------------------------------------


def _domains(folder: Path) -> dict[str, list[Run]]:
    """Return the scored episodes with a tool step of a folder, by domain, in the order of its files."""
    domains: defaultdict[str, list[Run]] = defaultdict(list)
    for entry in normalised(folder, SETTINGS):
        if entry.episode.reward is not None and entry.episode.tool_steps:
            domains[entry.episode.domain].append(_run(entry))
    return dict(domains)


def _run(entry: Normalised) -> Run:
    return Run(
        key=entry.episode.key,
        domain=entry.episode.domain,
        trajectory=entry.episode.trajectory_sha256,
        scored=scored(entry),
        steps=tool_steps(entry),
        positions=tuple(place for place, e in enumerate(entry.evidence) if e.tool is not None),
        alphas=tuple(e.alpha for e in entry.evidence),
    )


def _tagged_by_episode(runs: Sequence[Run], chance: random.Random) -> list[Run]:
    """Return the episodes with a tag for each real signature, in as many of them, at a step that has it by chance."""
    tags: list[dict[int, list[str]]] = [{} for _ in runs]
    for number, count in enumerate(_frequencies(runs)):
        for place in chance.sample(range(len(runs)), count):
            tags[place].setdefault(chance.randrange(len(runs[place].steps)), []).append(f"tag-{number}")
    return [_tagged(run, tag) for run, tag in zip(runs, tags, strict=True)]


def _tagged_by_step(runs: Sequence[Run], chance: random.Random) -> list[Run]:
    """Return the episodes with their signatures dealt out anew over all steps of the domain."""
    names = [name for run in runs for name in _signatures(run)]
    chance.shuffle(names)
    dealt = iter(names)
    return [_tagged(run, {place: [" ".join(next(dealt))] for place in range(len(run.steps))}) for run in runs]


def _frequencies(runs: Sequence[Run]) -> list[int]:
    """Return in how many episodes each signature occurs."""
    counts: defaultdict[tuple[str, str], int] = defaultdict(int)
    for run in runs:
        for signature in set(_signatures(run)):
            counts[signature] += 1
    return [counts[signature] for signature in sorted(counts)]


def _signatures(run: Run) -> list[tuple[str, str]]:
    return [(step.tool, step.error_signature) for step in run.steps]


def _tagged(run: Run, tags: Mapping[int, Sequence[str]]) -> Run:
    """Return the episode with tags as its steps, by the place of the tool step that each is at; its length stays."""
    steps, positions = [], []
    for place, names in sorted(tags.items()):
        for name in names:
            step = run.steps[place]
            steps.append(Step(f"{step.evidence}/{name}", step.turn, name, False, "", 0.0, NO_VECTOR))
            positions.append(run.positions[place])
    return replace(run, steps=tuple(steps), positions=tuple(positions))


# The fold in memory -------------------------------------------------------------------------------------------------


def _folded(episodes: Iterable[ScoredEpisode]) -> Found:
    """Return what the fold claims on the way and at the end."""
    replay = Replay("", SETTINGS)
    published: set[str] = set()
    claimed: set[str] = set()
    for episode in episodes:
        replay.take_in(episode)
        published |= set(ready(replay.state, SETTINGS))
        claimed |= _claimed(replay.state)
    state = replay.state
    return Found(
        frozenset(p.id for p in state.policies.values() if p.support >= SETTINGS.n_min),
        frozenset(published),
        frozenset(claimed),
        frozenset(ready(state, SETTINGS)),
        frozenset(_claimed(state)),
    )


def _claimed(state: DomainState) -> set[str]:
    return {policy.id for policy in state.policies.values() if _is_claimed(policy)}


def _is_claimed(policy: PolicyState) -> bool:
    if policy.stance == "avoid":
        return policy.status == "active"
    assert policy.status is not None
    return not gate_1_reasons(
        status=policy.status,
        stance=policy.stance,
        gain=policy.gain.gain,
        q=policy.q,
        evidence_valid=policy.support > 0,
        settings=SETTINGS,
    )


if __name__ == "__main__":
    sys.exit(main())
