"""Real logs in memory, normalised and ready for the fold, without a store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from msce_graph import sources
from msce_graph.learning.fold import ScoredEpisode, Step
from msce_graph.learning.normalise import Normalised, normalise
from msce_graph.learning.tally import Scored
from msce_graph.records import RecordedEpisode
from msce_graph.settings import Settings

CORPORA = ("tau_bench_airline", "alfworld_knowagent", "intercode_bash", "intercode_sql")
"""Folders of the corpus with tools and outcomes enough to learn from."""

NO_VECTOR = np.zeros(1, dtype=np.float32)
"""Vectors rank recall and decide nothing in the fold."""


def normalised(folder: Path, settings: Settings) -> Iterator[Normalised]:
    """Yield the episodes of a folder, in the order of its files; what cannot be read is left out."""
    for path, below in sources.files([folder]):
        for recorded in sources.read(path, source=below):
            if isinstance(recorded, RecordedEpisode):
                yield normalise(
                    recorded,
                    namespace="benchmark",
                    origin="own",
                    settings=settings,
                    now=datetime(2026, 1, 1, tzinfo=UTC),
                )


def scored(entry: Normalised) -> Scored:
    """Return what an episode is in its pool; raise ValueError where its outcome is unknown."""
    episode = entry.episode
    if episode.reward is None:
        raise ValueError(f"{episode.key} has no outcome")
    return Scored(
        episode.task_key, episode.reward, bool(episode.solved), episode.tool_steps, episode.agent, episode.model
    )


def tool_steps(entry: Normalised) -> tuple[Step, ...]:
    """Return the tool steps of an episode with their values, 0 where the outcome is unknown."""
    return tuple(
        Step(e.key, e.turn, e.tool, e.is_error, e.error_signature, e.value or 0.0, NO_VECTOR)
        for e in entry.evidence
        if e.tool is not None
    )


def scored_episode(entry: Normalised, sequence: int) -> ScoredEpisode:
    """Return an episode as an input of the fold."""
    return ScoredEpisode(
        key=entry.episode.key,
        sequence=sequence,
        domain=entry.episode.domain,
        scored=scored(entry),
        trajectory=entry.episode.trajectory_sha256,
        steps=tool_steps(entry),
    )
