"""Forgetting: episodes go, and what rested on them is learned again without them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from msce_graph.errors import LeaseHeld
from msce_graph.learning.fold import DomainState, PolicyState
from msce_graph.learning.replay import replayed
from msce_graph.pipeline import domain as graph
from msce_graph.pipeline import language, lease
from msce_graph.pipeline.evolve import NODES_A_DELETE, clear, evolve
from msce_graph.pipeline.selection import Selection, learned_domains, selected
from msce_graph.records import Record
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction

REMAINS = (
    "Backups, and the engine's own log until it is renewed, may still hold the bytes; so may the log files that the "
    "episodes were read from, and a log that is ingested again brings them back."
)


class PolicyChange(Record):
    """What becomes of one policy: status, support in episodes and gain, before and after; null where there is none."""

    tool: str
    error_signature: str
    stance: str
    domain: str
    before: str | None
    after: str | None
    support_before: int
    support_after: int
    gain_before: float | None
    gain_after: float | None


class SkillChange(Record):
    """What becomes of the newest skill of a policy: its id and status before and after; null where there is none."""

    before: str | None
    status_before: str | None
    after: str | None
    status_after: str | None


class Forgotten(Record):
    """What was forgotten, or would be: a dry run leaves everything as it is."""

    is_dry_run: bool
    episodes: tuple[str, ...]
    """Keys."""
    steps: int
    feedback: int
    trials: int
    domains: tuple[str, ...]
    """Those that something was learned in from these episodes."""
    policies: tuple[PolicyChange, ...]
    skills: tuple[SkillChange, ...]
    remains: str = REMAINS


def forecast(store: Store, settings: Settings, selection: Selection) -> Forgotten:
    """Return what forgetting would change, by folding the other inputs in memory: exact but for the checks of drafts.

    Raises UnknownKey for an episode that is not there.
    """

    def work(tx: Transaction) -> Forgotten:
        found = selected(tx, selection)
        keys = sorted(row["key"] for row in found)
        domains = learned_domains(found)
        states = [
            (graph.opened(tx, name).state, replayed(name, graph.inputs(tx, name, without=keys), settings))
            for name in domains
        ]
        return _told(tx, found, states, is_dry_run=True)

    return store.read(work)


def forget(store: Store, settings: Settings, selection: Selection) -> Forgotten:
    """Forget episodes with all that was said of them, learn their domains again, and return what changed.

    Interrupted, it is ended by `finish`, which the next evolve begins with. Raises UnknownKey for an episode that is
    not there, and LeaseHeld while another pass learns.
    """
    finish(store, settings)

    def begin(tx: Transaction) -> tuple[list[DomainState], Forgotten]:
        found = selected(tx, selection)
        domains = learned_domains(found)
        before = [graph.opened(tx, name).state for name in domains]
        told = _told(tx, found, (), is_dry_run=False)
        tx.put("forget/mark", [{"key": key} for key in told.episodes])
        tx.run("forget/begin", domains=sorted({row["domain"] for row in found}))
        return before, told.model_copy(update={"domains": tuple(domains)})

    before, told = store.write(begin)
    try:
        finish(store, settings)
    except LeaseHeld as error:
        raise LeaseHeld(f"{error}; the forgetting has begun, and the next `msce evolve` ends it") from error
    after = store.read(lambda tx: [graph.opened(tx, state.domain).state for state in before])
    policies, skills = _changes(list(zip(before, after, strict=True)))
    return told.model_copy(update={"policies": policies, "skills": skills})


def finish(store: Store, settings: Settings) -> None:
    """End a forgetting that has begun: every step of it can be repeated."""
    domains = store.read(_open)
    if not domains:
        return
    with lease.held(store) as holder:
        marked = store.read(partial(_marked, domains=domains))
        for name in sorted({row["domain"] for row in marked if row["sequence"] is not None}):
            clear(store, name, holder)  # first, so that no derived text outlives its evidence
        for row in marked:
            store.write(partial(language.forget, key=row["key"]))
            while store.write(partial(_delete_steps, key=row["key"])):
                pass
        store.write(partial(_delete, domains=domains))
    evolve(store, settings, only=domains)
    store.write(partial(_end, domains=domains))


def _told(
    tx: Transaction, found: list[graph.Row], states: Sequence[tuple[DomainState, DomainState]], *, is_dry_run: bool
) -> Forgotten:
    keys = sorted(row["key"] for row in found)
    [said] = tx.run("forget/said", keys=keys)
    policies, skills = _changes(states)
    return Forgotten(
        is_dry_run=is_dry_run,
        episodes=tuple(keys),
        steps=sum(row["step_count"] for row in found),
        feedback=said["feedback"],
        trials=said["trials"],
        domains=tuple(learned_domains(found)),
        policies=policies,
        skills=skills,
    )


# Comparing ----------------------------------------------------------------------------------------------------------


def _changes(
    states: Sequence[tuple[DomainState, DomainState]],
) -> tuple[tuple[PolicyChange, ...], tuple[SkillChange, ...]]:
    """Return what differs between the states of domains, each before and after."""
    policies: list[PolicyChange] = []
    skills: list[SkillChange] = []
    for before, after in states:
        old, new = _by_signature(before), _by_signature(after)
        for signature in sorted(old.keys() | new.keys()):
            was, becomes = old.get(signature), new.get(signature)
            change = _policy_change(before.domain, signature, was, becomes)
            if (change.before, change.support_before, change.gain_before) != (
                change.after,
                change.support_after,
                change.gain_after,
            ):
                policies.append(change)
            of_skill = _skill_change(was, becomes)
            if (of_skill.before, of_skill.status_before) != (of_skill.after, of_skill.status_after):
                skills.append(of_skill)
    return tuple(policies), tuple(skills)


def _by_signature(state: DomainState) -> dict[tuple[str, str, str], PolicyState]:
    return {(one.tool, one.error_signature, one.stance): one for one in state.policies.values()}


def _policy_change(
    domain: str, signature: tuple[str, str, str], was: PolicyState | None, becomes: PolicyState | None
) -> PolicyChange:
    tool, error_signature, stance = signature
    return PolicyChange(
        tool=tool,
        error_signature=error_signature,
        stance=stance,
        domain=domain,
        before=was.status if was else None,
        after=becomes.status if becomes else None,
        support_before=was.support if was else 0,
        support_after=becomes.support if becomes else 0,
        gain_before=_rounded(was),
        gain_after=_rounded(becomes),
    )


def _skill_change(was: PolicyState | None, becomes: PolicyState | None) -> SkillChange:
    old, new = was.skill if was else None, becomes.skill if becomes else None
    return SkillChange(
        before=old.id if old else None,
        status_before=old.life.status if old else None,
        after=new.id if new else None,
        status_after=new.life.status if new else None,
    )


def _rounded(policy: PolicyState | None) -> float | None:
    """Return a gain to 9 digits: beyond, sums of floats differ by the order in which they were made."""
    gain = policy.gain.gain if policy else None
    return None if gain is None else round(gain, 9)


# Deleting -----------------------------------------------------------------------------------------------------------


def _open(tx: Transaction) -> list[str]:
    [row] = tx.run("forget/open")
    return sorted(row["domains"])


def _marked(tx: Transaction, domains: Collection[str]) -> list[graph.Row]:
    return tx.run("forget/marked", domains=sorted(domains))


def _delete_steps(tx: Transaction, key: str) -> int:
    """Delete some steps of an episode, and the tools that nobody calls any more; return how many steps."""
    [row] = tx.run("forget/delete_steps", key=key, limit=NODES_A_DELETE)
    tx.run("tool/delete_uncalled", keys=row["tools"])
    return int(row["written"])


def _delete(tx: Transaction, domains: Collection[str]) -> None:
    """Delete the marked episodes with what was said of them, and close the gaps that they leave among the inputs."""
    rows = _marked(tx, domains)
    keys = [row["key"] for row in rows]
    said = [row for of in ("feedback", "trials", "decisions") for row in tx.run(f"forget/delete_{of}", keys=keys)]
    tx.run("forget/delete_episodes", keys=keys)
    tasks = sorted({task for row in rows for task in row["tasks"]})
    tx.run("task/delete_unattempted", keys=tasks)
    tx.run("forget/retell_tasks", keys=tasks)
    _close_gaps(tx, [row["sequence"] for row in rows + said])


def _end(tx: Transaction, domains: Collection[str]) -> None:
    """Delete what was told of skills and policies that do not follow any more, and note that all is done."""
    for name in domains:
        gone = tx.run("forget/bereft", domain=name)
        tx.run("forget/delete_bereft_reports", domain=name)
        tx.run("forget/delete_bereft", domain=name)
        _close_gaps(tx, [row["sequence"] for row in gone])
    tx.run("forget/end")


def _held(tx: Transaction) -> set[int]:
    """Return the places that decisions of people still have: those of one call share one."""
    return {row["sequence"] for row in tx.run("forget/held")}


def _close_gaps(tx: Transaction, sequences: Sequence[int | None]) -> None:
    """Number the inputs as if those with these sequences had never been."""
    gone = sorted({sequence for sequence in sequences if sequence is not None} - _held(tx))
    if gone:
        for of in ("episodes", "trials", "feedback", "decisions"):
            tx.run(f"forget/renumber_{of}", gone=gone, first=gone[0])
        tx.run("forget/last_sequence", gone=len(gone))
