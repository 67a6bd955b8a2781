"""The pass that learns: scored episodes in their order, through the fold, into policies and skills."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from msce_graph.learning.fold import (
    Changes,
    DomainState,
    Input,
    Report,
    ScoredEpisode,
    advance,
    advance_report,
    checked,
    inductions,
    lacks_skill,
    ready,
)
from msce_graph.pipeline import domain as graph
from msce_graph.pipeline import environment, lease, policies, publish
from msce_graph.pipeline.domain import Loaded
from msce_graph.pipeline.language import Asked
from msce_graph.pipeline.runs import Run
from msce_graph.records import Record
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction

INPUTS_A_TRANSACTION = 100
NODES_A_DELETE = 1000

Progress = Callable[[int, int], None]
"""Told how many inputs were taken in, of how many."""


class Evolved(Record):
    """What one pass did."""

    run: str
    episodes: int
    """Taken in by this pass."""
    reports: int
    """Trials, feedback and decisions of people, taken in by this pass."""
    unscored: int
    """Stored episodes without an outcome, which teach nothing."""
    domains: tuple[str, ...]
    refolded: tuple[str, ...]
    """Domains folded anew, since one of their inputs had changed."""
    induced: int
    published: int
    discarded: int
    graded: Asked = Asked()
    """What a language model was asked of reflections before, where one is configured."""
    worded: Asked = Asked()
    """What it was asked to word afterwards."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What one transaction did to a domain."""

    loaded: Loaded
    episodes: int
    reports: int
    last: int | None
    """Sequence of the last episode taken in so far."""
    induced: int = 0
    published: int = 0
    discarded: int = 0


class _InputChangedError(Exception):
    """An input that was taken in has been taken back, by an ingest at the same time."""


@dataclass(frozen=True, slots=True)
class _Domain:
    """A domain with inputs that are not taken in yet."""

    name: str
    pending: int
    first_pending: int
    last_learned: int | None
    """Sequence of the last episode taken in."""


def evolve(
    store: Store,
    settings: Settings,
    *,
    rebuild: bool = False,
    only: Collection[str] | None = None,
    progress: Progress | None = None,
) -> Evolved:
    """Take in all inputs that are not yet, or with `rebuild` all there are, and return what was done.

    Inputs are scored episodes and what was told of skills and policies. Each transaction takes in some of one domain,
    whole. `only` names the domains to look at; null is all. Raises LeaseHeld while another pass runs.
    """
    with lease.held(store) as holder:
        if rebuild:
            for row in store.read(lambda tx: tx.run("evolve/all_domains")):
                clear(store, row["domain"], holder)
        refolded = [name for name in store.read(_changed) if only is None or name in only]
        for name in refolded:
            clear(store, name, holder)
        domains = [one for one in store.read(_waiting) if only is None or one.name in only]
        total = sum(one.pending for one in domains)
        run = Run.begun(store, "evolve", settings)
        done: list[_Done] = []
        for one in domains:
            for step in _folded(store, one.name, one.last_learned, holder, run, settings):
                done.append(step)
                if progress is not None:
                    progress(sum(d.episodes + d.reports for d in done), total)
        run.ended(store)
        [without] = store.read(lambda tx: tx.run("evolve/unscored"))
    return Evolved(
        run=run.key,
        episodes=sum(d.episodes for d in done),
        reports=sum(d.reports for d in done),
        unscored=without["episodes"],
        domains=tuple(one.name for one in domains),
        refolded=tuple(refolded),
        induced=sum(d.induced for d in done),
        published=sum(d.published for d in done),
        discarded=sum(d.discarded for d in done),
    )


def _changed(tx: Transaction) -> list[str]:
    """Return the domains of which an input was taken back, or comes before one that was taken in."""
    taken_back = {row["domain"] for row in tx.run("evolve/taken_back")}
    overtaken = {
        one.name for one in _waiting(tx) if one.last_learned is not None and one.first_pending < one.last_learned
    }
    return sorted(taken_back | overtaken)


def _waiting(tx: Transaction) -> list[_Domain]:
    """Return the domains with inputs that are not taken in, by name."""
    found = {
        row["domain"]: _Domain(row["domain"], row["pending"], row["first_pending"], row["last_learned"])
        for row in tx.run("evolve/domains")
    }
    for row in tx.run("evolve/reported_domains"):
        name, sequence = row["domain"], row["sequence"]
        one = found.get(name) or _Domain(name, 0, sequence, _last_learned(tx, name))
        found[name] = replace(one, pending=one.pending + 1, first_pending=min(one.first_pending, sequence))
    return [found[name] for name in sorted(found)]


def _last_learned(tx: Transaction, domain: str) -> int | None:
    [row] = tx.run("evolve/last_learned", domain=domain)
    return row["sequence"] if row["sequence"] is None else int(row["sequence"])


def _folded(store: Store, domain: str, last: int | None, holder: str, run: Run, settings: Settings) -> Iterator[_Done]:
    """Yield what each transaction did until no scored episode of the domain is left.

    `last` is the sequence of the last input taken in. Where one that was taken in changes meanwhile, all start again.
    """
    loaded: Loaded | None = None
    while True:
        try:
            done = store.write(partial(_take_in, domain, loaded, last, holder, run, settings, store.now()))
        except _InputChangedError:
            clear(store, domain, holder)
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
    inputs = graph.pending(tx, domain, INPUTS_A_TRANSACTION)
    if not inputs:
        return None
    episodes = [one for one in inputs if isinstance(one, ScoredEpisode)]
    loaded = graph.touching(tx, loaded or graph.opened(tx, domain), episodes, settings)
    written = _Written(tx, loaded.state, run, settings, now)
    state = loaded.state
    done = _Done(
        loaded, len(episodes), len(inputs) - len(episodes), max((one.sequence for one in episodes), default=last)
    )
    is_mixed = _is_mixed(tx, domain)
    for one in inputs:
        if isinstance(one, Report):
            state, changes = advance_report(state, one, settings)
        else:
            wanted = inductions(state, one, settings)
            if wanted:
                written.flush(state)  # so that the history of a signature holds the inputs of this transaction
            histories = {(pattern, stance): graph.history(tx, pattern) for pattern, stance in wanted}
            tasks = {past.scored.task_key for history in histories.values() for past in history}
            loaded = graph.knowing(tx, replace(loaded, state=state), tasks)
            state, changes = advance(loaded.state, one, histories, settings)
            is_mixed = is_mixed or bool(one.steps and not one.is_trusted)
        written.add(changes, one)
        done = replace(done, induced=done.induced + len(changes.induced))
        if is_mixed and (held := publish.with_skill(state)):
            written.flush(state)
            state, rulings = checked(state, publish.hold(tx, state, held, settings), one.sequence, settings)
            written.add(Changes(rulings=rulings), None)
        drafted = [policy for policy in ready(state, settings) if lacks_skill(state.policies[policy])]
        if drafted:
            written.flush(state)
            loaded = graph.supported(tx, replace(loaded, state=state), drafted)
            state = loaded.state
            written.tell(state, drafted)
            state, outcome = publish.publish(tx, state, drafted, one.sequence, run, settings, now)
            done = replace(
                done, published=done.published + outcome.published, discarded=done.discarded + outcome.discarded
            )
    written.flush(state)
    written.tell(state)
    if len(inputs) < INPUTS_A_TRANSACTION or not graph.pending(tx, domain, 1):
        environment.refresh(tx, domain, settings, run, now)  # of the end state alone, so not after each transaction
    return replace(done, loaded=replace(loaded, state=state))


def _is_mixed(tx: Transaction, domain: str) -> bool:
    """Whether some episodes that were taken in are not trusted: gate 1 over trusted ones alone is another question."""
    [row] = tx.run("pool/untrusted", domain=domain)
    return bool(row["episodes"])


class _Written:
    """What of a transaction's inputs is in the graph already, so that a query between two inputs sees the first."""

    def __init__(self, tx: Transaction, state: DomainState, run: Run, settings: Settings, now: datetime) -> None:
        self._tx, self._run, self._settings, self._now = tx, run, settings, now
        self._state = state
        self._changes: list[Changes] = []
        self._inputs: list[Input] = []
        self._untold: set[str] = set()

    def add(self, changes: Changes, one: Input | None) -> None:
        """Take note of what an input changed, or what came of it later."""
        self._changes.append(changes)
        self._inputs += [one] if one is not None else []

    def flush(self, state: DomainState) -> None:
        """Write all that the inputs since the last flush have changed, but for procedures and words."""
        policies.put(self._tx, self._state, state, self._changes, self._now)
        graph.put_changes(self._tx, self._changes, state, self._now)
        graph.put_tallies(self._tx, self._state, state)
        episodes = [one for one in self._inputs if isinstance(one, ScoredEpisode)]
        self._tx.put("evolve/learned", [{"key": episode.key} for episode in episodes])
        graph.put_answers(self._tx, [answer for change in self._changes for answer in change.answers])
        self._untold |= policies.untold(state, self._changes)
        self._state, self._changes, self._inputs = state, [], []

    def tell(self, state: DomainState, only: Sequence[str] | None = None) -> None:
        """Write the procedures and words of all policies whose evidence changed, or of some; all must be flushed."""
        told = sorted(self._untold if only is None else only)  # all of them: a language model may have worded some
        policies.put_words(
            self._tx, [state.policies[policy] for policy in told], state.domain, self._settings, self._now
        )
        self._run.generated(self._tx, policies=[f"{self._tx.namespace}/{policy}" for policy in told])


def clear(store: Store, domain: str, holder: str) -> None:
    """Take back all that was learned in a domain, so that its inputs are folded anew."""
    for query in ("unlearn", "unlearn_trials", "unlearn_feedback", "unlearn_decisions", "clear_tasks"):
        _cleared(store, f"evolve/{query}", holder, domain=domain)
    _cleared(store, "environment/clear_tools", holder, domain=domain)
    for query in (
        "environment/clear_decisions",
        "environment/clear",
        "evolve/clear_decisions",
        "evolve/clear_trials",
        "evolve/clear_skills",
        "evolve/clear_policies",
    ):
        while _cleared(store, query, holder, domain=domain, limit=NODES_A_DELETE):
            pass
    for query in ("strip_skills", "strip_policies"):
        _cleared(store, f"evolve/{query}", holder, domain=domain)
    while _cleared(store, "evolve/clear_patterns", holder, domain=domain, limit=NODES_A_DELETE):
        pass  # patterns last: they tell that this is not finished


def _cleared(store: Store, query: str, holder: str, **given: object) -> int:
    def work(tx: Transaction) -> int:
        lease.renew(tx, holder, store.now())
        [row] = tx.run(query, **given)
        return int(row["written"])

    return store.write(work)
