"""MemoryGraph: the one door to a store, with the verbs of the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from msce_graph import pipeline
from msce_graph.embedding import Embedder
from msce_graph.errors import UnknownKey
from msce_graph.language import configured
from msce_graph.pipeline.opening import Location
from msce_graph.records import (
    EnvEntity,
    EnvEntityKind,
    EnvEntityStatus,
    Episode,
    Feedback,
    Origin,
    Policy,
    PolicyStatus,
    Skill,
    SkillStatus,
)
from msce_graph.settings import Settings
from msce_graph.store import Store, rows

if TYPE_CHECKING:
    from msce_graph.learning.difference import SkillDifference
    from msce_graph.pipeline.checking import Verification
    from msce_graph.pipeline.diagnosis import Finding, Statistics
    from msce_graph.pipeline.evolve import Evolved
    from msce_graph.pipeline.explain import Explanation
    from msce_graph.pipeline.forget import Forgotten
    from msce_graph.pipeline.impact import Impact
    from msce_graph.pipeline.ingest import Ingested
    from msce_graph.pipeline.recall import Recall
    from msce_graph.pipeline.recording import EpisodeRecorder
    from msce_graph.pipeline.reports import Act
    from msce_graph.pipeline.selection import Selection
    from msce_graph.pipeline.trust import Trusted
    from msce_graph.provenance.subgraph import Subgraph


def utc_now() -> datetime:
    """Return the present time in UTC."""
    return datetime.now(UTC)


class MemoryGraph:
    """An open store, seen through one namespace. Use it as a context manager; it is safe to share between threads.

    The core is synchronous: from asyncio, call it with `asyncio.to_thread`.
    """

    def __init__(self, store: Store, embedder: Embedder, settings: Settings) -> None:
        self._store, self._embedder, self.settings = store, embedder, settings

    @classmethod
    def open(
        cls,
        store: str | Path | None = None,
        *,
        namespace: str = "default",
        settings: Mapping[str, Any] | None = None,
        embedder: str | None = None,
        shared: bool = False,
        now: Callable[[], datetime] = utc_now,
        moving_to: str | None = None,
    ) -> Self:
        """Open a store, and create what is not there.

        `store` is a folder of the embedded engine or a server's URI; without it MSCE_STORE, NEO4J_URI or ./msce-store.
        `settings` holds parameters of `Settings` by name; one that another store was built with is refused with a
        SettingsError. `embedder` is hashing or minilm; null takes the one that the store was built with. `shared`
        accepts a database with foreign nodes under our labels. `moving_to` names the model that `embed` is to give the
        store at once: its own may be gone. Raises StoreError, EmbeddingMismatch and EmbedderUnavailable.
        """
        place, given = pipeline.opening.locate(store, os.environ), dict(settings or {})
        return cls(
            *pipeline.opening.opened(place, namespace, given, embedder, shared=shared, now=now, moving_to=moving_to)
        )

    def close(self) -> None:
        """Close the connections; the embedded engine's server stops by itself once nobody uses it."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # In

    def ingest(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        format: str | None = None,
        domain: str | None = None,
        source: str | None = None,
        origin: Origin = "own",
        outcomes: str | Path | None = None,
        infer_outcome: bool = False,
        replace: bool = False,
        keep_going: bool = False,
    ) -> Iterator[Ingested]:
        """Read logs, and yield what became of each episode once it is committed.

        `outcomes` is a file (CSV, JSON or JSON lines) that says how episodes went, each named by `id` or by the
        source's own `task` and `trial`: a `score` in 0..1 or `passed`, and `feedback` in words. It goes before what
        the logs say. With `infer_outcome` an episode that nobody scored gets the reward that its user's words after
        the work make; it is marked `inferred`, and what rests on such alone stays on trial.

        Nothing happens until the iterator is consumed. Raises SourceError or EpisodeConflict unless `keep_going`;
        SourceError always where the outcomes cannot be read.
        """
        given = [paths] if isinstance(paths, str | Path) else paths
        beside = None if outcomes is None else Path(outcomes)
        return pipeline.ingest.ingest(
            self._store,
            self._embedder,
            [Path(path) for path in given],
            pipeline.ingest.Log(
                format=format,
                domain=domain,
                source=source,
                origin=origin,
                outcomes=beside,
                infers_outcome=infer_outcome,
            ),
            replace=replace,
            keep_going=keep_going,
            settings=self.settings,
        )

    def episode(
        self,
        task: str,
        *,
        domain: str,
        id: str | None = None,
        task_key: str | None = None,
        agent: str | None = None,
        model: str | None = None,
        origin: Origin = "own",
    ) -> EpisodeRecorder:
        """Return a context manager that records one episode step by step; its `id` is made of task and time if null."""
        return pipeline.recording.EpisodeRecorder(
            self._store,
            self._embedder,
            self.settings,
            task=task,
            domain=domain,
            id=id,
            task_key=task_key,
            agent=agent,
            model=model,
            origin=origin,
        )

    # Learn

    def evolve(
        self,
        *,
        rebuild: bool = False,
        settings: Mapping[str, Any] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Evolved:
        """Take in all scored episodes that are not yet, or with `rebuild` all there are.

        `settings` gives the store other parameters, which only a rebuild can. Where MSCE_LLM_MODEL configures a
        language model, it words what was learned, and with `reflection=llm` grades reflections before. Raises
        LeaseHeld, SettingsError and LanguageModelUnavailable.
        """
        if settings:
            self.settings = pipeline.revaluing.rebuilt_with(self._store, self.settings, dict(settings), rebuild=rebuild)
        model = configured(os.environ, self.settings)
        pipeline.revaluing.revalue(self._store, self.settings)
        pipeline.forget.finish(self._store, self.settings)
        graded = pipeline.language.grade(self._store, model, self.settings, anew=bool(settings))
        done = pipeline.evolve.evolve(self._store, self.settings, rebuild=rebuild, progress=progress)
        worded = pipeline.language.word(self._store, model, self.settings)
        return done.model_copy(update={"graded": graded, "worded": worded})

    def embed(self, model: str, *, progress: Callable[[int, int], None] | None = None) -> int:
        """Give every vector of the namespace another embedding model, and return how many there are."""
        self._embedder, count = pipeline.reembed.reembed(self._store, model, progress=progress)
        return count

    # Correct

    def archive(self, key: str, *, reason: str, author: str) -> Skill:
        """Archive a skill for good; only a new version of it can come. Raises UnknownKey and MemoryGraphError."""
        return self._acted(key, "archive", reason, author)

    def approve(self, key: str, *, reason: str, author: str) -> Skill:
        """Approve a skill, which `require_approval` asks for besides three passes in a row; raise as `archive`."""
        return self._acted(key, "approve", reason, author)

    def pin(self, key: str, *, reason: str, author: str) -> Skill:
        """Keep trials from archiving a skill; raise as `archive`."""
        return self._acted(key, "pin", reason, author)

    def retire(self, key: str, *, reason: str, author: str) -> Policy:
        """Retire a policy for good, and suspend its skill; raise UnknownKey."""
        pipeline.reports.act(self._store, self.settings, self._full(key), "retire", reason=reason, author=author)
        return self.policy(key)

    def trial(self, key: str, *, passed: bool, reason: str, author: str, episode: str | None = None) -> Skill:
        """Report how one use of a skill went; raise as `archive`."""
        pipeline.reports.report_trial(
            self._store,
            self.settings,
            self._full(key),
            passed=passed,
            reason=reason,
            author=author,
            episode=None if episode is None else self._full(episode),
        )
        return self.skill(key)

    def feedback(self, key: str, text: str, *, author: str) -> Feedback:
        """Keep what a person said of an episode or a skill, in English or Chinese, and let it count.

        A correction or rejection of a skill is a failed trial; of an episode that no score decides, what was said gives
        the reward. Raises UnknownKey, and MemoryGraphError for an archived skill.
        """
        return pipeline.reports.feedback(self._store, self.settings, self._full(key), text, author=author)

    def outcome(
        self, key: str, *, score: float | None = None, passed: bool | None = None, reason: str = "", author: str
    ) -> Episode:
        """Keep how an episode went, a score in 0..1 or pass or fail, and learn again what rests on it.

        It takes the place of what was known, and a Decision keeps both. Raises UnknownKey, and ValueError for a score
        out of range.
        """
        return pipeline.reports.tell_outcome(
            self._store, self.settings, self._full(key), score=score, passed=passed, reason=reason, author=author
        )

    def _acted(self, key: str, action: Act, reason: str, author: str) -> Skill:
        pipeline.reports.act(self._store, self.settings, self._full(key), action, reason=reason, author=author)
        return self.skill(key)

    # Ask

    def recall(
        self,
        query: str,
        *,
        domain: str | None = None,
        tool: str | None = None,
        error: str | None = None,
        limit: int | None = None,
        budget: int | None = None,
        failures: bool = False,
        episode: str | None = None,
    ) -> Recall:
        """Return what is known about a situation: skills, policies, evidence and what to avoid, each with why.

        `limit` counts items a tier, `budget` characters of all text; `failures` asks for evidence that went badly.
        With `episode`, the key of the episode that asks, the skills given are written as OFFERED to it.
        """
        return pipeline.recall.recall(
            self._store,
            self._embedder,
            self.settings,
            query,
            domain=domain,
            tool=tool,
            error=error,
            limit=limit,
            budget=budget,
            failures=failures,
            episode=episode,
        )

    def policies(self, *, domain: str | None = None, status: PolicyStatus | None = None) -> tuple[Policy, ...]:
        """Return the policies, by domain, stance and falling gain."""
        found = self._store.read(lambda tx: tx.run("policy/list", domain=domain, status=status))
        return tuple(rows.policy(row) for row in found)

    def policy(self, key: str) -> Policy:
        """Return one policy; raise UnknownKey."""
        return rows.policy(self._one("policy", key))

    def skills(self, *, domain: str | None = None, status: SkillStatus | None = None) -> tuple[Skill, ...]:
        """Return the skills, by domain, name and version."""
        found = self._store.read(lambda tx: tx.run("skill/list", domain=domain, status=status))
        return tuple(rows.skill(row) for row in found)

    def skill(self, key: str) -> Skill:
        """Return one skill; raise UnknownKey."""
        return rows.skill(self._one("skill", key))

    def diff(self, key: str, *, against: str | None = None) -> SkillDifference:
        """Say how a skill differs from the version that it supersedes, or from another; raise UnknownKey."""
        from msce_graph.learning.difference import difference

        newer = self.skill(key)
        found = self._store.read(lambda tx: tx.run("skill/superseded", key=newer.key)) if against is None else []
        if against is None and not found:
            raise UnknownKey("earlier version of skill", key)
        return difference(self.skill(against or found[0]["key"]), newer)

    def verify(self, key: str) -> Verification:
        """Run the six checks on a skill and return their witnesses; raise UnknownKey."""
        return pipeline.checking.verify(self._store, self.settings, self.skill(key).key)

    def environment(
        self,
        *,
        domain: str | None = None,
        kind: EnvEntityKind | None = None,
        status: EnvEntityStatus | None = None,
    ) -> tuple[EnvEntity, ...]:
        """Return what is known of environments, by domain, status, kind and falling support."""
        return pipeline.environment.entities(self._store, domain=domain, kind=kind, status=status)

    def environment_entity(self, key: str) -> EnvEntity:
        """Return one statement about an environment; raise UnknownKey."""
        return pipeline.environment.entity(self._store, self._full(key))

    def environment_graph(self, domain: str) -> Subgraph:
        """Return which tools of a domain depend on which, and what constrains them."""
        return pipeline.environment.graph(self._store, domain)

    def explain(self, key: str) -> Explanation:
        """Say in words why a node is what it is; raise UnknownKey."""
        return pipeline.explain.explain(self._store, self.settings, self._full(key))

    def provenance(self, key: str, *, budget: int = 300) -> Subgraph:
        """Return what a node rests on, at most `budget` nodes; raise UnknownKey."""
        return pipeline.provenance.provenance(self._store, self._full(key), budget=budget)

    def query(
        self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> list[dict[str, Any]]:
        """Run Cypher and return its rows; raise QueryRefused for anything but reading the graph unless `write`."""
        return self._store.query(cypher, dict(parameters or {}), write=write)

    # Keep

    def forget(
        self,
        *episodes: str,
        source: str | None = None,
        domain: str | None = None,
        before: datetime | None = None,
        dry_run: bool = True,
    ) -> Forgotten:
        """Forget episodes, by key, source, domain or the time before which they ended: all that is given must fit.

        A dry run says what would change. Otherwise what rested on them is learned again at once, and the graph is the
        one that never saw them. Raises UnknownKey, ValueError where nothing is named, LeaseHeld.
        """
        selection = self._selection(episodes, source, domain, before)
        work = pipeline.forget.forecast if dry_run else pipeline.forget.forget
        return work(self._store, self.settings, selection)

    def trust(
        self,
        *episodes: str,
        source: str | None = None,
        domain: str | None = None,
        before: datetime | None = None,
        origin: Origin = "own",
        reason: str,
        author: str,
    ) -> Trusted:
        """Give episodes, chosen as for `forget`, an origin, and learn again what rests on them.

        Only what is `own` can be shown in a skill, and carry it through gate 1. Raises UnknownKey and ValueError.
        """
        selection = self._selection(episodes, source, domain, before)
        return pipeline.trust.trust(self._store, self.settings, selection, origin, reason=reason, author=author)

    def impact(self, key: str) -> Impact:
        """Say what rests on a node: policies, skills and statements; raise UnknownKey."""
        return pipeline.impact.impact(self._store, self._full(key))

    def stats(self) -> Statistics:
        """Count what is there, and fingerprint it: equal graphs have equal fingerprints."""
        return pipeline.diagnosis.statistics(self._store)

    def doctor(self) -> tuple[Finding, ...]:
        """Say how engine, schema, indexes, embedder and learning stand, each with what to do."""
        return pipeline.diagnosis.doctor(self._store, self._embedder, self.settings)

    def _selection(
        self, episodes: Sequence[str], source: str | None, domain: str | None, before: datetime | None
    ) -> Selection:
        return pipeline.selection.Selection(tuple(map(self._full, episodes)) or None, source, domain, before)

    def _full(self, key: str) -> str:
        """Return a key with its namespace."""
        return key if key.startswith(f"{self._store.namespace}/") else f"{self._store.namespace}/{key}"

    def _one(self, kind: str, key: str) -> rows.Row:
        found = self._store.read(lambda tx: tx.run(f"{kind}/get", key=self._full(key)))
        if not found:
            raise UnknownKey(kind, key)
        return found[0]


__all__ = ["Location", "MemoryGraph"]
