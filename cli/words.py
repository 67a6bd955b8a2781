"""Answers told to people: which lines and tables each kind of answer becomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .output import Line, Table, json_text, say

if TYPE_CHECKING:
    from msce_graph.learning.difference import SkillDifference
    from msce_graph.pipeline.checking import Verification
    from msce_graph.pipeline.diagnosis import Finding, Statistics
    from msce_graph.pipeline.evolve import Evolved
    from msce_graph.pipeline.explain import Explanation
    from msce_graph.pipeline.forget import Forgotten
    from msce_graph.pipeline.impact import Impact
    from msce_graph.pipeline.ingest import Ingested
    from msce_graph.pipeline.recall import Item, Recall
    from msce_graph.pipeline.trust import Trusted
    from msce_graph.records import Episode, Feedback, Policy, ProcedureStep, Skill

Parts = Iterable[Line | Table]

_HEADING = "bold"
_STYLES = {"ok": "green", "warning": "yellow", "problem": "red"}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it is not one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def as_json(answer: object) -> Parts:
    """Tell an answer that is JSON by nature."""
    yield Line(json_text(answer, indent=2), verbatim=True)


# Stores


def foundation(found: Statistics) -> Parts:
    """Tell what a store was built with."""
    yield Table(list(_foundation(found).items()))


def statistics(found: Statistics) -> Parts:
    """Tell what a store holds."""
    pending = f"{found.episodes_pending} not yet (`msce evolve`)" if found.episodes_pending else "none waiting"
    yield Table(
        [
            *_foundation(found).items(),
            ("nodes", _counts(found.nodes)),
            ("edges", _counts(found.edges)),
            ("episodes", f"{found.episodes_scored} scored: {found.episodes_learned} learned from, {pending}"),
            ("policies", _counts(found.policies)),
            ("skills", _counts(found.skills)),
            ("fingerprint", found.fingerprint),
        ]
    )


def findings(found: Sequence[Finding]) -> Parts:
    """Tell what was looked at, each in the colour of its state and with what to do."""
    rows = [(one.state, one.name, f"{one.found}: {one.remedy}" if one.remedy else one.found) for one in found]
    yield Table(rows, styles=[_STYLES[one.state] for one in found])


def _foundation(found: Statistics) -> dict[str, str]:
    return {
        "store": found.location,
        "namespace": found.namespace,
        "engine": found.engine,
        "schema": f"version {found.schema_version}",
        "embedder": f"{found.embedder}, {found.dimensions} dimensions",
    }


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items()) if number) or "none"


# Logs


def failure(episode: Ingested) -> str:
    """Return why an episode is not stored."""
    where = episode.file if episode.line is None else f"{episode.file}, line {episode.line}"
    return f"{where}: {episode.reason}"


def ingested(results: Mapping[str, int], steps: int) -> Parts:
    """Tell what became of all episodes."""
    yield Line(f"{counted(sum(results.values()), 'episode')} with {counted(steps, 'step')}: {_counts(results)}.")


def unmatched(outcomes: Sequence[Ingested]) -> Iterator[str]:
    """Tell which outcomes belong to no episode of the logs: the first, and how many more."""
    if outcomes:
        more = f" (and {len(outcomes) - 1} more outcomes of other episodes)" if len(outcomes) > 1 else ""
        yield f"{failure(outcomes[0])}{more}"


# Learning


def evolved(done: Evolved) -> Parts:
    """Tell what one pass did."""
    said = f" and {counted(done.reports, 'report')}" if done.reports else ""
    yield Line(
        f"Learned from {counted(done.episodes, 'episode')}{said} of {counted(len(done.domains), 'domain')}. "
        f"Policies induced: {done.induced}; skills published: {done.published}; drafts discarded: {done.discarded}."
    )
    if done.unscored:
        yield Line(
            f"Left out: {counted(done.unscored, 'episode')} without an outcome. Give them with "
            "`msce ingest LOG --outcomes FILE`, or one with `msce outcome EPISODE SCORE`."
        )
    if done.refolded:
        yield Line(f"Learned anew, since an earlier input had changed: {', '.join(done.refolded)}.")


def policies(found: Sequence[Policy]) -> Parts:
    """Tell policies, one a row."""
    if not found:
        say("No policies: `msce evolve` learns them from scored episodes.")
        return
    yield Table(
        [
            (policy.id, policy.status, str(policy.support), _signed(policy.gain), _figure(policy.q), policy.title)
            for policy in found
        ],
        header=("key", "status", "support", "gain", "q", "title"),
    )


def policy(found: Policy) -> Parts:
    """Tell one policy."""
    yield Line(found.title, style=_HEADING)
    yield Table(
        [
            ("key", found.key),
            ("status", f"{found.status}, to {found.stance}; revision {found.revision}, {_stable(found)}"),
            ("when", found.trigger),
            *_procedure(found.procedure),
            ("check", found.verification),
            ("boundary", found.boundary),
            ("fallback", found.fallback),
            ("gain", _gain(found)),
            ("test", _test(found)),
            ("support", counted(found.support, "episode")),
            *([("resolved", f"{found.resolved} of {found.attempts} errors")] if found.attempts else []),
        ]
    )


def skills(found: Sequence[Skill]) -> Parts:
    """Tell skills, one a row."""
    if not found:
        say("No skills: `msce evolve` publishes them, and `msce explain` a policy says what it lacks.")
        return
    yield Table(
        [(skill.id, skill.status, _reliability(skill), f"{skill.name}: {skill.title}") for skill in found],
        header=("key", "status", "reliability", "skill"),
    )


def skill(found: Skill) -> Parts:
    """Tell one skill."""
    yield Line(f"{found.name}: {found.title}", style=_HEADING)
    pinned = ", pinned" if found.pinned else ""
    yield Table(
        [
            ("key", found.key),
            ("status", f"{found.status}, version {found.version}{pinned} ({found.drafted_by} draft)"),
            ("what", found.description),
            ("when", found.trigger),
            *_numbered("before", found.preconditions, numbered=False),
            *_procedure(found.procedure),
            ("check", found.verification),
            ("mind", found.decision_guidance),
            ("boundary", found.boundary),
            ("fallback", found.fallback),
            ("reliability", _reliability(found)),
        ]
    )


def difference(found: SkillDifference) -> Parts:
    """Tell what a version of a skill says that another does not."""
    yield Line(f"{found.older} -> {found.newer}", style=_HEADING)
    if not found.changes:
        yield Line("They say the same.")
    for change in found.changes:
        yield Line(change.field, style=_HEADING)
        for part in change.removed:
            yield Line(f"- {part}", indent=2, style=_STYLES["problem"])
        for part in change.added:
            yield Line(f"+ {part}", indent=2, style=_STYLES["ok"])


def outcome(found: Episode) -> Parts:
    """Tell what an episode's outcome is now."""
    assert found.reward is not None, "an outcome was given just now"
    yield Line(f"{found.key}: {'solved' if found.solved else 'not solved'}, R {found.reward:.4g}.")


def feedback(found: Feedback) -> Parts:
    """Tell how what a person said was read."""
    yield Table(
        [
            ("key", found.key),
            ("kind", found.kind),
            ("goal", _axis(found.goal)),
            ("process", _axis(found.process)),
            ("satisfaction", _axis(found.satisfaction)),
            *([("not where", found.exclusion)] if found.exclusion else []),
        ]
    )


def _axis(number: float | None) -> str:
    return "nothing said" if number is None else f"{number:+.2f}"


def verification(found: Verification) -> Parts:
    """Tell the six checks, each with what speaks against it."""
    rows = [("holds" if check.holds else "FAILS", check.name, ", ".join(check.witnesses)) for check in found.checks]
    yield Table(rows, styles=[_STYLES["ok" if check.holds else "problem"] for check in found.checks])


def _procedure(steps: Sequence[ProcedureStep]) -> Iterator[tuple[str, str]]:
    from msce_graph.learning.wording import step_text

    return _numbered("steps", [step_text(step) for step in steps])


def _numbered(name: str, texts: Sequence[str], *, numbered: bool = True) -> Iterator[tuple[str, str]]:
    for place, text in enumerate(texts, start=1):
        yield ("" if place > 1 else name, f"{place}. {text}" if numbered else text)


def _stable(found: Policy) -> str:
    return f"unchanged for {counted(found.stable_for, 'supporting episode')}"


def _gain(found: Policy) -> str:
    if found.gain is None:
        return "not known yet"
    return (
        f"{_signed(found.gain)} ({_signed(found.gain_low)} to {_signed(found.gain_high)} with 90 % confidence), of "
        f"{counted(found.episodes_with, 'episode')} with it and {found.episodes_without} without; "
        "a heuristic signal, not a causal effect"
    )


def _test(found: Policy) -> str:
    return f"p {_figure(found.p)}, q {_figure(found.q)}"


def _reliability(found: Skill) -> str:
    return f"{found.reliability:.2f} ({found.passes} of {counted(found.trials, 'trial')} passed)"


def _signed(number: float | None) -> str:
    return "-" if number is None else f"{number:+.3f}"


def _figure(number: float | None) -> str:
    return "-" if number is None else f"{number:.4f}"


# Keeping


def impact(found: Impact) -> Parts:
    """Tell what rests on a node."""
    yield Line(f"{found.label} {found.key}", style=_HEADING)
    if not found.resting:
        yield Line("Nothing rests on it.")
        return
    yield Table(
        [(one.label, one.key, one.status, one.how, one.title) for one in found.resting],
        header=("what", "key", "status", "by", "title"),
    )


def forgotten(found: Forgotten) -> Parts:
    """Tell what was forgotten, or would be."""
    done, kept = ("Would forget", "would learn") if found.is_dry_run else ("Forgot", "learned")
    yield Line(
        f"{done} {counted(len(found.episodes), 'episode')} with {counted(found.steps, 'step')}, {found.feedback} "
        f"feedback and {counted(found.trials, 'trial')}, and {kept} again: {', '.join(found.domains) or 'nothing'}."
    )
    if found.policies:
        yield Table(
            [
                (
                    f"{one.domain}: {one.stance} {one.tool}{' after an error' if one.error_signature else ''}",
                    f"{one.before or '-'} -> {one.after or 'gone'}",
                    f"{one.support_before} -> {one.support_after}",
                    f"{_signed(one.gain_before)} -> {_signed(one.gain_after)}",
                )
                for one in found.policies
            ],
            header=("policy", "status", "support", "gain"),
        )
    if found.skills:
        yield Table(
            [
                (one.before or "-", one.status_before or "-", one.after or "gone", one.status_after or "-")
                for one in found.skills
            ],
            header=("skill", "status", "becomes", "status"),
        )
    say("Nothing was changed: --apply does it." if found.is_dry_run else found.remains)


def trusted(found: Trusted) -> Parts:
    """Tell which episodes got another origin."""
    learned = f"; learned again: {', '.join(found.domains)}" if found.domains else ""
    yield Line(f"{counted(len(found.episodes), 'episode')} now of origin {found.origin}{learned}.")


# Answers


def recalled(found: Recall) -> Parts:
    """Tell what was recalled, tier by tier; the texts stand between the marks by which they are known again."""
    tiers = {
        "Skills": found.skills,
        "Policies": found.policies,
        "To avoid": found.avoid,
        "Past steps": found.evidence,
        "Environment": found.environment,
    }
    for name, items in tiers.items():
        if items:
            yield Line(name, style=_HEADING)
        for item in items:
            yield from _item(item)
    if not any(tiers.values()):
        say("Nothing is known about this.")
    for note in found.notes:
        say(note)


def _item(item: Item) -> Parts:
    trial = " (on trial)" if item.is_trial else ""
    yield Line(f"{item.title}{trial}", indent=2)
    yield Line(f"why: {', '.join(item.why)}; rests on: {item.rests_on}", indent=4)
    yield Line(item.text, indent=4, verbatim=True)


def explanation(found: Explanation) -> Parts:
    """Tell why a node is what it is, line by line."""
    yield Line(f"{found.label} {found.key}: {found.title}", style=_HEADING)
    for line in found.lines:
        yield Line(line)


def rows(found: Sequence[Mapping[str, Any]]) -> Parts:
    """Tell the rows of a query."""
    if not found:
        say("No rows.")
        return
    yield Table([tuple(map(_value, row.values())) for row in found], header=tuple(found[0]))


def _value(value: object) -> str:
    return value if isinstance(value, str) else json_text(value)
