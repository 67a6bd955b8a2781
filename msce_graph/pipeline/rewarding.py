"""The reward that feedback gives an episode which no score decides, and the values that follow."""

from __future__ import annotations

from msce_graph.learning.reward import reward
from msce_graph.learning.value import values
from msce_graph.records import Episode
from msce_graph.store import Transaction, rows


def reward_by_feedback(tx: Transaction, episode: Episode, *, gamma: float, sequence: int) -> None:
    """Give an episode that no score decides the reward that all feedback on it makes: what was said last counts.

    `sequence` is its place among the inputs where it is scored for the first time. What had been learned from it is
    taken back, so that the next evolve folds its domain anew.
    """
    if episode.reward_basis not in (None, "feedback"):
        return
    axes: dict[str, float | None] = {}
    for row in tx.run("feedback/of_episode", key=episode.key):
        axes |= {axis: value for axis, value in row.items() if value is not None}
    outcome = reward(feedback=axes)
    if outcome.reward == episode.reward:
        return
    tx.run(
        "episode/set_outcome",
        key=episode.key,
        reward=outcome.reward,
        solved=outcome.solved,
        reward_basis=outcome.basis,
        sequence=sequence if episode.sequence is None else episode.sequence,
    )
    steps = [rows.evidence(row) for row in tx.run("evidence/of_episode", key=episode.key)]
    worth = values(outcome.reward, [step.alpha for step in steps], gamma)
    tx.put(
        "evidence/set_values",
        [{"key": step.key, "alpha": step.alpha, "value": value} for step, value in zip(steps, worth, strict=True)],
    )
    if episode.is_learned:
        tx.run("evolve/unlearn", domain=episode.domain)
