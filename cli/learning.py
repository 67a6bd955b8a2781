"""The commands that learn, and show what was learned: policies and skills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from . import words
from .options import given, settings, with_memory
from .output import emit, progress
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


COMMANDS = (evolve, policy, skill)
