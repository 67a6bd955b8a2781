"""The commands that learn, and show what was learned: policies and skills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from . import words
from .options import author, given, reason, said, settings, with_memory
from .output import emit, progress, say
from .verbs import Verb, Verbs

if TYPE_CHECKING:
    from msce_graph.memory import MemoryGraph
    from msce_graph.records import PolicyStatus, SkillStatus


@click.command(cls=Verb, examples=["msce evolve", "msce evolve --rebuild --set reflection=none"])
@click.option("--rebuild", is_flag=True, help="Learn all anew from the stored episodes.")
@click.option(
    "--set",
    "other",
    metavar="NAME=VALUE",
    multiple=True,
    callback=settings,
    help="With --rebuild: another parameter of the store; can be repeated.",
)
def evolve(rebuild: bool, other: dict[str, Any]) -> None:
    """Learn policies and skills from new episodes.

    All scored episodes are taken in that are not yet.
    """
    options = given()
    of_store, changed = ({}, {**options.settings, **other}) if rebuild else (options.settings, other)
    with options.memory(settings=of_store) as memory, progress("evolve") as show:
        done = memory.evolve(rebuild=rebuild, settings=changed, progress=show)
    emit(done, words.evolved)
    for asked in (done.graded, done.worded):
        if asked.stopped:
            say(f"The language model was asked no more: {asked.stopped}.")


@click.group(cls=Verbs, examples=["msce policy list --status active", "msce policy show 3f1c2ab4d5e6f708"])
def policy() -> None:
    """List and show policies: what to do, or avoid, when."""


@policy.command("list", examples=["msce policy list", "msce policy list --domain shop --status active"])
@click.option("--domain", help="Only of this domain.")
@click.option("--status", type=click.Choice(["candidate", "active", "retired"]), help="Only of this status.")
@with_memory
def list_policies(memory: MemoryGraph, domain: str | None, status: PolicyStatus | None) -> None:
    """List the policies by domain, stance and falling gain."""
    emit(memory.policies(domain=domain, status=status), words.policies)


@policy.command("show", examples=["msce policy show 3f1c2ab4d5e6f708"])
@click.argument("key")
@with_memory
def show_policy(memory: MemoryGraph, key: str) -> None:
    """Show one policy: when, its steps, its gain and the test of it."""
    emit(memory.policy(key), words.policy)


@policy.command("retire", examples=["msce policy retire 3f1c2ab4d5e6f708 --reason 'the API it uses is gone'"])
@click.argument("key")
@reason
@author
@with_memory
def retire_policy(memory: MemoryGraph, key: str, reason: str, author: str) -> None:
    """Retire a policy for good, and suspend its skill."""
    emit(memory.retire(key, reason=reason, author=author), words.policy)


@click.group(cls=Verbs, examples=["msce skill list", "msce skill verify 3f1c2ab4d5e6f708.v1"])
def skill() -> None:
    """List, show and verify skills."""


@skill.command("list", examples=["msce skill list", "msce skill list --status active --json"])
@click.option("--domain", help="Only of this domain.")
@click.option("--status", type=click.Choice(["trial", "active", "suspended", "archived"]), help="Only of this status.")
@with_memory
def list_skills(memory: MemoryGraph, domain: str | None, status: SkillStatus | None) -> None:
    """List the skills by domain, name and version."""
    emit(memory.skills(domain=domain, status=status), words.skills)


@skill.command("show", examples=["msce skill show 3f1c2ab4d5e6f708.v1"])
@click.argument("key")
@with_memory
def show_skill(memory: MemoryGraph, key: str) -> None:
    """Show one skill: when, its steps, how to check them, and how reliable it is."""
    emit(memory.skill(key), words.skill)


@skill.command("verify", examples=["msce skill verify 3f1c2ab4d5e6f708.v1"])
@click.argument("key")
@with_memory
def verify_skill(memory: MemoryGraph, key: str) -> None:
    """Run the six checks on a skill, and name what speaks against it.

    Exit code 1 where a check fails.
    """
    found = memory.verify(key)
    emit(found, words.verification)
    if failed := sum(not check.holds for check in found.checks):
        raise click.ClickException(f"{failed} of {words.counted(len(found.checks), 'check')} failed")


@skill.command("diff", examples=["msce skill diff 3f1c2ab4d5e6f708.v2"])
@click.argument("key")
@click.option("--against", metavar="KEY", help="Another version than the one that it supersedes.")
@with_memory
def diff_skill(memory: MemoryGraph, key: str, against: str | None) -> None:
    """Show what a version of a skill says that the one before does not."""
    emit(memory.diff(key, against=against), words.difference)


@skill.command("archive", examples=["msce skill archive 3f1c2ab4d5e6f708.v1 --reason 'refunds are made by hand now'"])
@click.argument("key")
@reason
@author
@with_memory
def archive_skill(memory: MemoryGraph, key: str, reason: str, author: str) -> None:
    """Archive a skill for good; only a new version of it can come."""
    emit(memory.archive(key, reason=reason, author=author), words.skill)


@skill.command("approve", examples=["msce skill approve 3f1c2ab4d5e6f708.v1 --reason 'read and tried'"])
@click.argument("key")
@reason
@author
@with_memory
def approve_skill(memory: MemoryGraph, key: str, reason: str, author: str) -> None:
    """Approve a skill, which `require_approval` asks for besides three passes in a row."""
    emit(memory.approve(key, reason=reason, author=author), words.skill)


@skill.command("pin", examples=["msce skill pin 3f1c2ab4d5e6f708.v1 --reason 'the runbook depends on it'"])
@click.argument("key")
@reason
@author
@with_memory
def pin_skill(memory: MemoryGraph, key: str, reason: str, author: str) -> None:
    """Keep trials from archiving a skill."""
    emit(memory.pin(key, reason=reason, author=author), words.skill)


@skill.command("trial", examples=["msce skill trial 3f1c2ab4d5e6f708.v1 pass --reason 'worked on staging'"])
@click.argument("key")
@click.argument("outcome", type=click.Choice(["pass", "fail"]))
@reason
@author
@click.option("--episode", metavar="KEY", help="The stored episode that it was seen in.")
@with_memory
def report_trial(memory: MemoryGraph, key: str, outcome: str, reason: str, author: str, episode: str | None) -> None:
    """Report how one use of a skill went."""
    passed = outcome == "pass"
    emit(memory.trial(key, passed=passed, reason=reason, author=author, episode=episode), words.skill)


@click.command(
    cls=Verb,
    examples=[
        'msce feedback runs.jsonl/task-7 "It worked, but took far too long."',
        'msce feedback 3f1c2ab4d5e6f708.v1 "Wrong when the order has shipped already."',
    ],
)
@click.argument("key")
@click.argument("text", callback=said)
@author
@with_memory
def feedback(memory: MemoryGraph, key: str, text: str, author: str) -> None:
    """Keep what a person says of an episode or a skill, in English or Chinese.

    A correction or rejection of a skill is a failed trial, and a condition that it names narrows the skill's boundary.
    Of an episode without a score, what is said gives the reward.
    """
    emit(memory.feedback(key, text, author=author), words.feedback)


def _outcome(_: click.Context, __: click.Parameter, value: str) -> dict[str, float | bool]:
    """Return the score or the verdict by its name."""
    if value in ("pass", "fail"):
        return {"passed": value == "pass"}
    try:
        score = float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a score in 0..1 nor pass nor fail") from None
    if not 0 <= score <= 1:
        raise click.BadParameter(f"a score of {value} is not in 0..1")
    return {"score": score}


@click.command(
    cls=Verb, examples=["msce outcome runs.jsonl/task-7 0.8", "msce outcome runs.jsonl/task-7 pass --author ci"]
)
@click.argument("episode")
@click.argument("score", metavar="SCORE|pass|fail", callback=_outcome)
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept with the decision.")
@author
@with_memory
def outcome(memory: MemoryGraph, episode: str, score: dict[str, Any], reason: str, author: str) -> None:
    """Say how an episode went, where its log did not or was wrong: a score in 0..1, or pass or fail.

    The values of its steps are filled back, and what rests on it is learned again.
    """
    emit(memory.outcome(episode, **score, reason=reason, author=author), words.outcome)


COMMANDS = (evolve, policy, skill, outcome, feedback)
