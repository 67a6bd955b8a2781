"""What people say of skills, policies and episodes: kept as an input, and taken in by the fold at once."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Literal

from msce_graph.errors import LeaseHeld, MemoryGraphError, UnknownKey
from msce_graph.learning.lifecycle import number_told
from msce_graph.learning.redaction import redact
from msce_graph.learning.reward import UNKNOWN, Outcome, reward
from msce_graph.pipeline.evolve import evolve
from msce_graph.pipeline.rewarding import give, graded, reward_by_feedback
from msce_graph.records import Decision, Episode, Feedback, Policy, Skill, Trial, TrialBasis
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows

Act = Literal["archive", "approve", "pin", "retire"]

OWN = "msce_graph"
"""The author of decisions that learning makes: no person has this name."""
ATTEMPTS = 30
"""Tries, a second apart, of learning while another process learns."""


def act(store: Store, settings: Settings, key: str, action: Act, *, reason: str, author: str) -> None:
    """Keep what a person decided of a skill, or of a policy to `retire`, and let it take effect.

    `key` is full. Raises UnknownKey, ValueError without a reason or an author, and MemoryGraphError for an archived
    skill, which nothing revives.
    """
    check_said(reason, author)

    def work(tx: Transaction) -> str:
        subject = _policy(tx, key) if action == "retire" else _living(tx, key)
        decision = Decision(
            namespace=tx.namespace,
            id=f"{subject.id}/{(sequence := next_sequence(tx))}/{action}",
            created_at=store.now(),
            subject=key,
            sequence=sequence,
            action=action,
            reason=clean(reason),
            before="",
            after="",
            author=clean(author),
            occurred_at=store.now(),
        )
        tx.put("decision/put", [_pending(rows.put_row(decision))])
        about = "decision/about_policies" if action == "retire" else "decision/about_skills"
        tx.put(about, [{"key": decision.key, "to": key}])
        return subject.domain

    take_in(store, settings, [store.write(work)])


def report_trial(
    store: Store,
    settings: Settings,
    key: str,
    *,
    passed: bool,
    reason: str,
    author: str,
    basis: TrialBasis = "user",
    episode: str | None = None,
) -> None:
    """Keep how one use of a skill went, and let it count. Raises UnknownKey, ValueError and MemoryGraphError as `act`.

    `episode` is the full key of the episode it was seen in, if it is stored.
    """
    check_said(reason, author)

    def work(tx: Transaction) -> str:
        subject = _living(tx, key)
        sequence = next_sequence(tx)
        trial = Trial(
            namespace=tx.namespace,
            id=f"{subject.id}/{sequence}",
            created_at=store.now(),
            sequence=sequence,
            passed=passed,
            basis=basis,
            author=clean(author),
            reason=clean(reason),
            occurred_at=store.now(),
        )
        tx.put("trial/report", [{**_pending(rows.put_row(trial)), "to": key}])
        if episode is not None:
            _episode(tx, episode)
            tx.put("trial/link_episode", [{"key": trial.key, "to": episode}])
        return subject.domain

    take_in(store, settings, [store.write(work)])


def feedback(store: Store, settings: Settings, key: str, text: str, *, author: str) -> Feedback:
    """Keep what a person said of an episode or a skill, by its full key, and let it count.

    Of a skill, a correction or rejection is a failed trial, and a condition that it names narrows the boundary. Of an
    episode without a score it gives the reward. Raises UnknownKey, ValueError for an empty text, and MemoryGraphError
    for an archived skill.
    """
    check_said(text, author)
    kept: list[Feedback] = []

    def work(tx: Transaction) -> str:
        is_of_skill = bool(tx.run("skill/get", key=key))
        subject: Skill | Episode = _living(tx, key) if is_of_skill else _episode(tx, key)
        sequence = next_sequence(tx)
        found = graded(subject, text, sequence=sequence, author=author, now=store.now())
        kept[:] = [found]
        row = rows.put_row(found)
        tx.put("feedback/put", [_pending(row) if is_of_skill else row])
        tx.put(f"feedback/about_{'skills' if is_of_skill else 'episodes'}", [{"key": found.key, "to": key}])
        if isinstance(subject, Episode):
            reward_by_feedback(tx, subject, gamma=settings.gamma, sequence=sequence)
        return subject.domain

    take_in(store, settings, [store.write(work)])
    return kept[0]


def tell_outcome(
    store: Store, settings: Settings, key: str, *, score: float | None, passed: bool | None, reason: str, author: str
) -> Episode:
    """Keep how an episode went, by its full key, in the place of what was known of it, and let it count.

    Raises UnknownKey, and ValueError for a score out of range, where neither is given, and without an author.
    """
    check_author(author)
    outcome = reward(score=score, passed=passed, solved_at=settings.solved_at)
    if outcome == UNKNOWN:
        raise ValueError("an outcome is a score in 0..1, or passed")

    def work(tx: Transaction) -> str:
        episode = _episode(tx, key)
        if outcome == (before := Outcome(episode.reward, episode.solved, episode.reward_basis)):
            return episode.domain
        sequence = next_sequence(tx)
        decision = Decision(
            namespace=tx.namespace,
            id=f"{episode.id}/{sequence}/outcome",
            created_at=store.now(),
            subject=key,
            sequence=sequence,
            action="outcome",
            reason=clean(reason),
            before=outcome_told(before),
            after=outcome_told(outcome),
            author=clean(author),
            occurred_at=store.now(),
        )
        tx.put("decision/put", [rows.put_row(decision)])
        tx.put("decision/about_episodes", [{"key": decision.key, "to": key}])
        give(tx, episode, outcome, gamma=settings.gamma, sequence=sequence)
        return episode.domain

    take_in(store, settings, [store.write(work)])
    return store.read(lambda tx: _episode(tx, key))


def outcome_told(outcome: Outcome) -> str:
    """Return an outcome in words; empty where none is known."""
    if outcome.reward is None:
        return ""
    return f"R {number_told(outcome.reward)}, {'solved' if outcome.solved else 'not solved'}"


def take_in(store: Store, settings: Settings, domains: Collection[str]) -> None:
    """Learn from what was kept of some domains; where another process learns, wait for it, which may take it in."""
    for attempt in range(ATTEMPTS):
        try:
            evolve(store, settings, only=domains)
            return
        except LeaseHeld as error:
            if attempt == ATTEMPTS - 1:
                raise LeaseHeld(f"{error}; what was said is kept, and `msce evolve` takes it in") from error
            time.sleep(1)


def _living(tx: Transaction, key: str) -> Skill:
    found = tx.run("skill/get", key=key)
    if not found:
        raise UnknownKey("skill", key)
    skill = rows.skill(found[0])
    if skill.status == "archived":
        raise MemoryGraphError(f"{key} is archived: nothing revives it; only a new version of its policy's skill can")
    return skill


def _policy(tx: Transaction, key: str) -> Policy:
    found = tx.run("policy/get", key=key)
    if not found:
        raise UnknownKey("policy", key)
    return rows.policy(found[0])


def _episode(tx: Transaction, key: str) -> Episode:
    found = tx.run("episode/get", key=key)
    if not found:
        raise UnknownKey("episode", key)
    return rows.episode(found[0])


def next_sequence(tx: Transaction) -> int:
    """Return the place among the inputs of one that comes now."""
    [row] = tx.run("store/next_sequences", count=1)
    return int(row["first"])


def _pending(row: rows.Row) -> rows.Row:
    return {**row, "properties": {**row["properties"], "is_pending": True}}


def clean(text: str) -> str:
    """Return what a person said as it is kept: without secrets."""
    return redact(text.strip())


def check_said(text: str, author: str) -> None:
    """Raise ValueError where nothing is said, or by nobody."""
    if not text.strip():
        raise ValueError("say why, or what: the text is empty")
    check_author(author)


def check_author(author: str) -> None:
    """Raise ValueError for nobody, and for the name that decisions of learning bear."""
    if author.strip() in ("", OWN):
        raise ValueError(f"{author!r} is no author: name a person or program")
