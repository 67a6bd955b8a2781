"""The pass that learns: scored episodes in their order, through the fold, into policies and skills."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from msce_graph.learning.fold import Changes, DomainState, ScoredEpisode, advance, inductions, lacks_skill, ready
from msce_graph.pipeline import domain as graph
from msce_graph.pipeline import lease, policies, publish
from msce_graph.pipeline.domain import Loaded
from msce_graph.pipeline.runs import Run
from msce_graph.records import Record
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction

EPISODES_A_TRANSACTION = 100
NODES_A_DELETE = 1000

Progress = Callable[[int, int], None]
"""Told how many episodes were taken in, of how many."""


class Evolved(Record):
    """What one pass did."""

    run: str
    episodes: int
    """Taken in by this pass."""
    unscored: int
    """Stored episodes without an outcome, which teach nothing."""
    domains: tuple[str, ...]
    refolded: tuple[str, ...]
    """Domains folded anew, since one of their inputs had changed."""
    induced: int
    published: int
    discarded: int


@dataclass(frozen=True, slots=True)
class _Done:
    """What one transaction did to a domain."""

    loaded: Loaded
    episodes: int
    last: int
    """Sequence of the last one."""
    induced: int = 0
    published: int = 0
    discarded: int = 0


class _InputChangedError(Exception):
    """An input that was taken in has been taken back, by an ingest at the same time."""


def evolve(store: Store, settings: Settings, *, rebuild: bool = False, progress: Progress | None = None) -> Evolved:
    """Take in all scored episodes that are not yet, or with `rebuild` all there are, and return what was done.

    Each transaction takes in some episodes of one domain, whole. Raises LeaseHeld while another pass runs.
    """
    with lease.held(store) as holder:
        if rebuild:
            for row in store.read(lambda tx: tx.run("evolve/all_domains")):
                _clear(store, row["domain"], holder)
        refolded = store.read(_changed)
        for name in refolded:
            _clear(store, name, holder)
        domains = store.read(lambda tx: tx.run("evolve/domains"))
        total = sum(row["pending"] for row in domains)
        run = Run.begun(store, "evolve", settings)
        done: list[_Done] = []
        for row in domains:
            for step in _folded(store, row["domain"], row["last_learned"], holder, run, settings):
                done.append(step)
                if progress is not None:
                    progress(sum(d.episodes for d in done), total)
        run.ended(store)
        [without] = store.read(lambda tx: tx.run("evolve/unscored"))
    return Evolved(
        run=run.key,
        episodes=sum(d.episodes for d in done),
        unscored=without["episodes"],
        domains=tuple(row["domain"] for row in domains),
        refolded=tuple(refolded),
        induced=sum(d.induced for d in done),
        published=sum(d.published for d in done),
        discarded=sum(d.discarded for d in done),
    )


def _changed(tx: Transaction) -> list[str]:
    """Return the domains of which an input was taken back, or comes before one that was taken in."""
    taken_back = {row["domain"] for row in tx.run("evolve/taken_back")}
    overtaken = {
        row["domain"]
        for row in tx.run("evolve/domains")
        if row["learned"] and row["first_pending"] < row["last_learned"]
    }
    return sorted(taken_back | overtaken)


def _folded(store: Store, domain: str, last: int | None, holder: str, run: Run, settings: Settings) -> Iterator[_Done]:
    """Yield what each transaction did until no scored episode of the domain is left.

    `last` is the sequence of the last input taken in. Where one that was taken in changes meanwhile, all start again.
    """
    loaded: Loaded | None = None
    while True:
        try:
            done = store.write(partial(_take_in, domain, loaded, last, holder, run, settings, store.now()))
        except _InputChangedError:
            _clear(store, domain, holder)
            loaded, last = None, None
            continue
        if done is None:
            return
        loaded, last = done.loaded, done.last
        yield done


def _take_in(
    domain: str,
    loaded: Loaded | None,
    last: int | None,
    holder: str,
    run: Run,
    settings: Settings,
    now: datetime,
    tx: Transaction,
) -> _Done | None:
    """Fold the next episodes of a domain in one transaction; null where none is left."""
    lease.renew(tx, holder, now)
    if last is not None and not tx.run("evolve/is_learned", domain=domain, sequence=last):
        raise _InputChangedError
    episodes = graph.pending(tx, domain, EPISODES_A_TRANSACTION)
    if not episodes:
        return None
    loaded = graph.touching(tx, loaded or graph.opened(tx, domain), episodes, settings)
    written = _Written(tx, loaded.state, run, settings, now)
    state = loaded.state
    done = _Done(loaded, len(episodes), episodes[-1].sequence)
    for episode in episodes:
        wanted = inductions(state, episode, settings)
        if wanted:
            written.flush(state)  # so that the history of a signature holds the inputs of this transaction
        histories = {(pattern, stance): graph.history(tx, pattern) for pattern, stance in wanted}
        tasks = {past.scored.task_key for history in histories.values() for past in history}
        loaded = graph.knowing(tx, replace(loaded, state=state), tasks)
        state, changes = advance(loaded.state, episode, histories, settings)
        written.add(changes, episode)
        done = replace(done, induced=done.induced + len(changes.induced))
        drafted = [policy for policy in ready(state, settings) if lacks_skill(state.policies[policy])]
        if drafted:
            written.flush(state)
            written.tell(state, drafted)
            state, outcome = publish.publish(tx, state, drafted, episode.sequence, run, settings, now)
            done = replace(
                done, published=done.published + outcome.published, discarded=done.discarded + outcome.discarded
            )
    written.flush(state)
    written.tell(state)
    return replace(done, loaded=replace(loaded, state=state))


class _Written:
    """What of a transaction's inputs is in the graph already, so that a query between two inputs sees the first."""

    def __init__(self, tx: Transaction, state: DomainState, run: Run, settings: Settings, now: datetime) -> None:
        self._tx, self._run, self._settings, self._now = tx, run, settings, now
        self._state = state
        self._changes: list[Changes] = []
        self._episodes: list[ScoredEpisode] = []
        self._untold: set[str] = set()

    def add(self, changes: Changes, episode: ScoredEpisode) -> None:
        """Take note of what an input changed."""
        self._changes.append(changes)
        self._episodes.append(episode)

    def flush(self, state: DomainState) -> None:
        """Write all that the inputs since the last flush have changed, but for procedures and words."""
        policies.put(self._tx, self._state, state, self._changes, self._now)
        graph.put_changes(self._tx, self._changes, state, self._now)
        graph.put_tallies(self._tx, self._state, state)
        self._tx.put("evolve/learned", [{"key": episode.key} for episode in self._episodes])
        self._untold |= policies.untold(state, self._changes)
        self._state, self._changes, self._episodes = state, [], []

    def tell(self, state: DomainState, only: Sequence[str] | None = None) -> None:
        """Write the procedures and words of all policies whose evidence changed, or of some; all must be flushed."""
        told = sorted(self._untold if only is None else self._untold & set(only))
        policies.put_words(
            self._tx, [state.policies[policy] for policy in told], state.domain, self._settings, self._now
        )
        self._run.generated(self._tx, policies=[f"{self._tx.namespace}/{policy}" for policy in told])


def _clear(store: Store, domain: str, holder: str) -> None:
    """Take back all that was learned in a domain, so that its inputs are folded anew."""
    _cleared(store, "evolve/unlearn", holder, domain=domain)
    _cleared(store, "evolve/clear_tasks", holder, domain=domain)
    for query in ("decisions", "skills", "policies", "patterns"):  # patterns last: they tell that this is not finished
        while _cleared(store, f"evolve/clear_{query}", holder, domain=domain, limit=NODES_A_DELETE):
            pass


def _cleared(store: Store, query: str, holder: str, **given: object) -> int:
    def work(tx: Transaction) -> int:
        lease.renew(tx, holder, store.now())
        [row] = tx.run(query, **given)
        return int(row["written"])

    return store.write(work)
