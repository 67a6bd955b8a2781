"""Contrast between the graph and the fold: what was so at a step is kept with it, and read again by policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msce_graph.learning.boundary import Try
from msce_graph.learning.bounding import bounded, contexts
from msce_graph.learning.context import read_context
from msce_graph.learning.fold import Changes, DomainState, ScoredEpisode
from msce_graph.settings import Settings
from msce_graph.store import Transaction, rows


def put_contexts(tx: Transaction, episodes: Iterable[ScoredEpisode], settings: Settings) -> None:
    """Keep with the first step of each signature what was so when it was taken."""
    tx.put(
        "evidence/set_contexts",
        [
            {"key": evidence, "context": found.as_text()}
            for episode in episodes
            for evidence, found in contexts(episode, settings).items()
        ],
    )


def looked(
    tx: Transaction, state: DomainState, policies: Sequence[str], sequence: int, settings: Settings
) -> tuple[DomainState, Changes]:
    """Return the state after a look at the boundaries of some policies, whose evidence is written already."""
    return bounded(state, {policy: tries(tx, f"{tx.namespace}/{policy}") for policy in policies}, sequence, settings)


def tries(tx: Transaction, policy: str) -> list[Try]:
    """Return each episode's side of a policy, by its full key, with what was so then."""
    return [_try(row) for row in tx.stream("policy/tries", key=policy)]


def anchors(tx: Transaction, skill: str) -> list[Try]:
    """Return what a skill, by its full key, cites of its policy's evidence."""
    return [_try(row) for row in tx.run("skill/anchors", key=skill)]


def _try(row: rows.Row) -> Try:
    seen = read_context(row["context"])
    return Try(
        task_key=row["task_key"],
        side="support" if row["relation"] == "SUPPORTS" else "counter",
        evidence=row["evidence"],
        earlier_tools=seen.tools,
        features=seen.features,
        is_trusted=row["is_trusted"],
    )
