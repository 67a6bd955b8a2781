"""Logs in: read, normalise, embed, and write each batch of episodes in one transaction."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from msce_graph import sources
from msce_graph.embedding import Embedder
from msce_graph.errors import EpisodeConflict, SourceError
from msce_graph.learning.inference import inferred
from msce_graph.learning.normalise import Normalised, is_extension, normalise, step_hashes, vector_text
from msce_graph.learning.reward import reward
from msce_graph.learning.value import values
from msce_graph.pipeline.rewarding import keep_remark, reward_by_feedback
from msce_graph.records import Episode, Evidence, Origin, Record, RecordedEpisode, RewardBasis
from msce_graph.settings import Settings
from msce_graph.sources.outcomes import Outcomes
from msce_graph.store import Store, Transaction, rows

Result = Literal["stored", "unchanged", "extended", "replaced", "failed", "unmatched"]

_STANDING: Mapping[RewardBasis | None, int] = MappingProxyType(
    {None: 0, "inferred": 1, "feedback": 2, "self_reported": 3, "score": 3}
)
"""Which basis of a reward goes before which: the higher one takes the place of the lower."""

Batch = list[Normalised | SourceError]
"""What is read of one transaction's episodes, and what could not be read between them."""

EPISODES_A_BATCH = 50
STEPS_A_BATCH = 1000


class Ingested(Record):
    """What became of one episode of a log; a failed one has no key and a reason, as has an outcome of no episode."""

    result: Result
    file: str
    line: int | None = None
    key: str | None = None
    steps: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """How the logs of one call are read: null means that the format says."""

    format: str | None = None
    domain: str | None = None
    source: str | None = None
    origin: Origin = "own"
    outcomes: Path | None = None
    """A file that says how the episodes went."""
    infers_outcome: bool = False
    """Whether an episode without an outcome gets the one that its user's words make."""


def ingest(
    store: Store,
    embedder: Embedder,
    paths: Sequence[Path],
    log: Log,
    *,
    replace: bool,
    keep_going: bool,
    settings: Settings,
) -> Iterator[Ingested]:
    """Yield what became of each episode, in the order of the log, once its transaction is committed.

    Without `keep_going` all paths are read once before anything is stored, and the first record that cannot be read
    raises its SourceError; an episode that is stored with other content raises EpisodeConflict. With it, both are
    yielded as failed and the others are kept. Outcomes of episodes that the logs do not hold come last, as unmatched;
    a file of which none matches is a SourceError.
    """
    outcomes = None if log.outcomes is None else Outcomes(log.outcomes)
    if not keep_going:
        for found in _read(paths, log, outcomes):
            if isinstance(found, SourceError):
                raise found
        if outcomes is not None:
            outcomes.check()
    batches = _batches(_read(paths, log, outcomes), store.namespace, log, settings, store.now())
    made = (_embedded(embedder, batch) for batch in batches)
    write_batch = partial(_stored, store, gamma=settings.gamma, replace=replace, keep_going=keep_going)
    for batch, stored in _written(write_batch, made):
        results = iter(stored)
        for entry in batch:
            if isinstance(entry, SourceError):
                yield Ingested(result="failed", file=entry.file, line=entry.line, reason=entry.reason)
            else:
                yield next(results)
    for error in () if outcomes is None else outcomes.unused():
        yield Ingested(result="unmatched", file=error.file, line=error.line, reason=error.reason)


def write(
    tx: Transaction,
    episodes: Sequence[Normalised],
    *,
    gamma: float,
    now: datetime,
    replace: bool = False,
    keep_going: bool = False,
) -> list[Ingested]:
    """Write embedded episodes, each by its key, and return what became of each; all or nothing of this call.

    `gamma` discounts the values of an episode whose reward is what people said of it.
    """
    lock(tx)
    known = {row["key"]: row for row in tx.run("episode/find", keys=sorted(e.episode.key for e in episodes))}
    results: list[Ingested] = []
    written: list[Normalised] = []
    for entry in episodes:
        stored = known.get(entry.episode.key)
        try:
            result = _result(tx, entry, stored, replace=replace)
        except EpisodeConflict as conflict:
            if not keep_going:
                raise
            results.append(_told(entry, "failed", str(conflict)))
            continue
        results.append(_told(entry, result))
        if result != "unchanged":
            written.append(_following(entry, stored, result, gamma))
            _withdraw(tx, entry, stored, result)
    put(tx, numbered(tx, written))
    for entry in written:
        if (
            entry.episode.sequence is not None and _STANDING[entry.episode.reward_basis] < _STANDING["feedback"]
        ):  # what people said of it still holds
            reward_by_feedback(tx, entry.episode, gamma=gamma, sequence=entry.episode.sequence)
    for entry, done in zip(episodes, results, strict=True):
        if entry.remark is not None and done.result != "failed":
            keep_remark(tx, entry.episode.key, entry.remark, gamma=gamma, now=now)
    return results


def lock(tx: Transaction) -> None:
    """Make writers of this namespace wait for each other until the transaction ends."""
    tx.run("store/next_sequences", count=0)


def _written(
    write_batch: Callable[[Batch], list[Ingested]], batches: Iterable[Batch]
) -> Iterator[tuple[Batch, list[Ingested]]]:
    """Yield each batch with what became of its episodes; one is made while a thread writes the one before.

    The engine works in another process. An interrupt reaches this thread alone: within an answer it would leave the
    driver's connection unusable.
    """
    with ThreadPoolExecutor(max_workers=1) as writer:
        writing: tuple[Batch, Future[list[Ingested]]] | None = None
        for batch in batches:
            if writing is not None:
                yield writing[0], writing[1].result()
            writing = batch, writer.submit(write_batch, batch)
        if writing is not None:
            yield writing[0], writing[1].result()


def _stored(store: Store, batch: Batch, *, gamma: float, replace: bool, keep_going: bool) -> list[Ingested]:
    episodes = [entry for entry in batch if isinstance(entry, Normalised)]
    if not episodes:
        return []
    return store.write(
        lambda tx: write(tx, episodes, gamma=gamma, now=store.now(), replace=replace, keep_going=keep_going)
    )


def _embedded(embedder: Embedder, batch: Batch) -> Batch:
    """Return a batch with its episodes embedded, in its order."""
    episodes = iter(embed(embedder, [entry for entry in batch if isinstance(entry, Normalised)]))
    return [next(episodes) if isinstance(entry, Normalised) else entry for entry in batch]


def embed(embedder: Embedder, episodes: Sequence[Normalised]) -> list[Normalised]:
    """Return the episodes with a vector on every step that calls a tool; equal texts are embedded once."""
    texts = [[_vector_text(entry, step) for step in entry.evidence] for entry in episodes]
    distinct = sorted({text for row in texts for text in row if text is not None})
    vectors = dict(zip(distinct, embedder.embed(distinct), strict=True))
    return [
        dataclasses.replace(
            entry,
            evidence=tuple(
                step if text is None else step.model_copy(update={"embedding": vectors[text]})
                for step, text in zip(entry.evidence, row, strict=True)
            ),
        )
        for entry, row in zip(episodes, texts, strict=True)
    ]


def _vector_text(entry: Normalised, step: Evidence) -> str | None:
    if step.tool is None:
        return None
    return vector_text(entry.episode.task, step.tool, sorted(step.arguments), step.error_signature)


def _read(paths: Sequence[Path], log: Log, outcomes: Outcomes | None) -> Iterator[RecordedEpisode | SourceError]:
    for path, below in sources.files(paths):
        for found in sources.read(path, source=log.source or below, format=log.format):
            if isinstance(found, SourceError):
                yield found
            else:
                told = found if outcomes is None else outcomes.applied(found)
                yield _in_range(_with_inferred(told) if log.infers_outcome else told)


def _with_inferred(recorded: RecordedEpisode) -> RecordedEpisode:
    """Return the episode, where nobody says how it went, with what is inferred from its user's words."""
    if recorded.score is not None or recorded.passed is not None or recorded.reward is not None or recorded.remark:
        return recorded
    outcome = inferred(recorded.steps)
    return recorded.model_copy(
        update={"reward": outcome.reward, "solved": outcome.solved, "reward_basis": outcome.basis}
    )


def _in_range(recorded: RecordedEpisode) -> RecordedEpisode | SourceError:
    """Return the episode, or why its outcome cannot be."""
    try:
        reward(score=recorded.score, passed=recorded.passed)
    except ValueError as error:
        return SourceError(recorded.source, str(error), line=recorded.line)
    return recorded


def _batches(
    found: Iterable[RecordedEpisode | SourceError], namespace: str, log: Log, settings: Settings, now: datetime
) -> Iterator[Batch]:
    """Yield entries in batches of bounded size, none with two episodes of one key.

    An episode with a remark has a batch of its own: both are inputs, and take their places in the log's order.
    """
    batch: Batch = []
    keys: set[str] = set()
    steps = 0
    is_remarked = False
    for recorded in found:
        entry = (
            _normalised(recorded, namespace, log, settings, now) if isinstance(recorded, RecordedEpisode) else recorded
        )
        if isinstance(entry, Normalised):
            is_full = len(batch) >= EPISODES_A_BATCH or steps >= STEPS_A_BATCH
            if batch and (is_full or is_remarked or entry.remark is not None or entry.episode.key in keys):
                yield batch
                batch, keys, steps = [], set(), 0
            is_remarked = entry.remark is not None
            keys.add(entry.episode.key)
            steps += len(entry.evidence)
        batch.append(entry)
    if batch:
        yield batch


def _normalised(recorded: RecordedEpisode, namespace: str, log: Log, settings: Settings, now: datetime) -> Normalised:
    return normalise(
        recorded.model_copy(update={"domain": log.domain or recorded.domain}),
        namespace=namespace,
        origin=log.origin,
        settings=settings,
        now=now,
    )


def _result(tx: Transaction, entry: Normalised, stored: rows.Row | None, *, replace: bool) -> Result:
    """Return how an episode relates to what is stored under its key; raise EpisodeConflict where neither holds more."""
    episode = entry.episode
    if stored is None:
        return "stored"
    if stored["content_sha256"] == episode.content_sha256:
        return "unchanged"
    if replace:
        return "replaced"
    if _says_the_same(episode, stored):
        return "unchanged"
    before = [rows.evidence(row) for row in tx.run("evidence/of_episode", key=episode.key)]
    awaits_outcome = _STANDING[episode.reward_basis] > _STANDING[stored["reward_basis"]]
    got_its_outcome = awaits_outcome and step_hashes(before) == step_hashes(entry.evidence)
    if is_extension(before, entry.evidence) or got_its_outcome:
        return "extended"
    raise EpisodeConflict(episode.key, episode.source)


def _says_the_same(episode: Episode, stored: rows.Row) -> bool:
    """Return whether the steps are those that are stored, and the outcome is the one that is known, or a weaker one."""
    if episode.trajectory_sha256 != stored["trajectory_sha256"]:
        return False
    now, before = _STANDING[episode.reward_basis], _STANDING[stored["reward_basis"]]
    is_equal = (episode.reward, episode.solved) == (stored["reward"], stored["solved"])
    return now < before or (now == before and is_equal)


def _told(entry: Normalised, result: Result, reason: str = "") -> Ingested:
    return Ingested(
        result=result,
        file=entry.episode.source,
        key=entry.episode.key,
        steps=len(entry.evidence),
        reason=reason,
    )


def _following(entry: Normalised, stored: rows.Row | None, result: Result, gamma: float) -> Normalised:
    """Return the episode with what is known of it beside its log.

    That is the sequence that it was first scored with, the origin that a person gave it, and the score of what has
    only grown where the log has none.
    """
    if stored is None:
        return entry
    kept = {"sequence": stored["sequence"]}
    evidence = entry.evidence
    if stored["is_trust_decided"]:
        kept["origin"] = stored["origin"]
    is_weaker = _STANDING[entry.episode.reward_basis] < _STANDING[stored["reward_basis"]]
    if result == "extended" and is_weaker and stored["reward_basis"] not in ("inferred", "feedback"):
        kept |= {name: stored[name] for name in ("reward", "solved", "reward_basis")}
        worth = values(stored["reward"], [step.alpha for step in evidence], gamma)
        evidence = tuple(step.model_copy(update={"value": value}) for step, value in zip(evidence, worth, strict=True))
    return dataclasses.replace(entry, episode=entry.episode.model_copy(update=kept), evidence=evidence)


def _withdraw(tx: Transaction, entry: Normalised, stored: rows.Row | None, result: Result) -> None:
    """Take back what rests on an episode that changes: its domain is folded anew at the next evolve."""
    if stored is None:
        return
    key = entry.episode.key
    if stored["is_learned"]:
        for domain in sorted({stored["domain"], entry.episode.domain}):
            tx.run("evolve/unlearn", domain=domain)
    if left := [row["task"] for row in tx.run("episode/leave_tasks", key=key, task=_task_key(entry))]:
        tx.run("task/delete_unattempted", keys=left)
    if result == "replaced":
        called = [row["tool"] for row in tx.run("episode/tools", key=key)]
        tx.run("language/forget", key=key)
        tx.run("episode/delete_steps", key=key)
        tx.run("tool/delete_uncalled", keys=called)


def numbered(tx: Transaction, episodes: Sequence[Normalised]) -> list[Normalised]:
    """Return the episodes with the next sequence on each that is scored for the first time."""
    first_scored = [e for e in episodes if e.episode.reward is not None and e.episode.sequence is None]
    [reserved] = tx.run("store/next_sequences", count=len(first_scored))
    numbers = {entry.episode.key: reserved["first"] + place for place, entry in enumerate(first_scored)}
    return [
        dataclasses.replace(entry, episode=entry.episode.model_copy(update={"sequence": numbers[entry.episode.key]}))
        if entry.episode.key in numbers
        else entry
        for entry in episodes
    ]


def put(tx: Transaction, episodes: Sequence[Normalised]) -> None:
    """Write the nodes and edges of episodes."""
    tx.put("tool/put", _tools(episodes).values())
    tx.put("task/put", _tasks(episodes).values())
    tx.put("episode/put", [rows.put_row(entry.episode) for entry in episodes])
    tx.put("episode/link_task", [{"key": entry.episode.key, "to": _task_key(entry)} for entry in episodes])
    tx.put("evidence/put", [rows.put_row(step) for entry in episodes for step in entry.evidence])
    tx.put("evidence/link_steps", [row for entry in episodes for row in _steps(entry)])
    tx.put(
        "evidence/link_tools",
        [
            {"key": step.key, "to": f"{step.namespace}/{step.tool}"}
            for entry in episodes
            for step in entry.evidence
            if step.tool is not None
        ],
    )
    tx.put("evidence/link_derivations", [row for entry in episodes for row in _derivations(entry)])


def _tools(episodes: Sequence[Normalised]) -> dict[str, dict[str, Any]]:
    return {
        key: _node(key, step.namespace, step.tool, step.created_at, name=step.tool, kind=step.kind)
        for entry in episodes
        for step in entry.evidence
        if step.tool is not None
        for key in [f"{step.namespace}/{step.tool}"]
    }


def _tasks(episodes: Sequence[Normalised]) -> dict[str, dict[str, Any]]:
    """Return the tasks' rows by key, each as its first episode tells it."""
    found: dict[str, dict[str, Any]] = {}
    for entry in episodes:
        episode = entry.episode
        found.setdefault(
            _task_key(entry),
            _node(
                _task_key(entry),
                episode.namespace,
                f"{episode.domain}/{episode.task_key}",
                episode.created_at,
                task_key=episode.task_key,
                domain=episode.domain,
                text=episode.task,
            ),
        )
    return found


def _node(key: str, namespace: str, id_: str, created_at: datetime, **properties: object) -> dict[str, Any]:
    return {
        "key": key,
        "created_at": created_at,
        "properties": {"key": key, "namespace": namespace, "id": id_, **properties},
    }


def _task_key(entry: Normalised) -> str:
    return f"{entry.episode.namespace}/{entry.episode.domain}/{entry.episode.task_key}"


def _steps(entry: Normalised) -> Iterator[dict[str, Any]]:
    for step in entry.evidence:
        previous = _step_key(entry, step.index - 1) if step.index else None
        yield {"key": step.key, "to": entry.episode.key, "previous": previous}


def _derivations(entry: Normalised) -> Iterator[dict[str, Any]]:
    for derivation in entry.derivations:
        yield {
            "key": _step_key(entry, derivation.step),
            "to": _step_key(entry, derivation.source),
            "argument": derivation.argument,
            "path": derivation.path,
        }


def _step_key(entry: Normalised, index: int) -> str:
    return f"{entry.episode.key}#{index}"
