"""The reward that an episode gets after it is stored, from feedback or a score, and the values that follow."""

from __future__ import annotations

from datetime import datetime

from msce_graph.learning import feedback
from msce_graph.learning.redaction import redact
from msce_graph.learning.reward import Outcome, reward
from msce_graph.learning.value import values
from msce_graph.records import Episode, Feedback, Remark, Skill
from msce_graph.store import Transaction, rows


def reward_by_feedback(tx: Transaction, episode: Episode, *, gamma: float, sequence: int) -> None:
    """Give an episode that no score decides the reward that all feedback on it makes: what was said last counts.

    It takes the place of one that was only inferred. `sequence` is its place among the inputs where it is scored for
    the first time.
    """
    if episode.reward_basis not in (None, "inferred", "feedback"):
        return
    axes: dict[str, float | None] = {}
    for row in tx.run("feedback/of_episode", key=episode.key):
        axes |= {axis: value for axis, value in row.items() if value is not None}
    if episode.reward_basis == "inferred" and not axes:
        return
    give(tx, episode, reward(feedback=axes), gamma=gamma, sequence=sequence)


def give(tx: Transaction, episode: Episode, outcome: Outcome, *, gamma: float, sequence: int) -> None:
    """Give an episode an outcome and fill the values of its steps back from it.

    What had been learned from it is taken back, so that the next evolve folds its domain anew.
    """
    if outcome == Outcome(episode.reward, episode.solved, episode.reward_basis):
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


def keep_remark(tx: Transaction, key: str, remark: Remark, *, gamma: float, now: datetime) -> None:
    """Keep what a file beside the log says of an episode, once, and let it count as feedback does."""
    if tx.run("feedback/said", key=key, text=redact(remark.text), author=remark.author):
        return
    episode = rows.episode(tx.run("episode/get", key=key)[0])
    [place] = tx.run("store/next_sequences", count=1)
    said = graded(episode, remark.text, sequence=place["first"], author=remark.author, now=now)
    tx.put("feedback/put", [rows.put_row(said)])
    tx.put("feedback/about_episodes", [{"key": said.key, "to": key}])
    reward_by_feedback(tx, episode, gamma=gamma, sequence=said.sequence)


def graded(subject: Episode | Skill, text: str, *, sequence: int, author: str, now: datetime) -> Feedback:
    """Return what was said of an episode or a skill, without secrets and graded."""
    said = redact(text.strip())
    grade = feedback.grade(said)
    return Feedback(
        namespace=subject.namespace,
        id=f"{subject.id}/{sequence}/feedback",
        created_at=now,
        sequence=sequence,
        kind=grade.kind,
        text=said,
        goal=grade.goal,
        process=grade.process,
        satisfaction=grade.satisfaction,
        exclusion=grade.exclusion or "",
        author=redact(author.strip()),
        occurred_at=now,
    )
