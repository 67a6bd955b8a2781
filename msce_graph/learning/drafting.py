"""A skill drafted from a policy: its words, the steps it cites and the tools it needs (D6.3)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from msce_graph.learning.verification import Role
from msce_graph.learning.wording import code, counted, listed, origin_text, plain, quoted, told
from msce_graph.records import Policy, ProcedureStep
from msce_graph.settings import Settings

NAME = 64
"""Characters of a skill's name at most."""


@dataclass(frozen=True, slots=True)
class Example:
    """A step that a skill may cite, with its value in [-1, 1]."""

    evidence: str
    episode: str
    tool: str
    arguments: Mapping[str, JsonValue]
    value: float
    is_trusted: bool


@dataclass(frozen=True, slots=True)
class Citation:
    """A CITES edge; what is shown is rendered as an example at reading."""

    evidence: str
    role: Role
    is_shown: bool


@dataclass(frozen=True, slots=True)
class SkillDraft:
    """The drafted fields of a Skill, with its citations and the tools that it REQUIRES."""

    name: str
    title: str
    domain: str
    trigger: str
    description: str
    preconditions: tuple[str, ...]
    procedure: tuple[ProcedureStep, ...]
    fallback: str
    verification: str
    boundary: str
    decision_guidance: str
    cites: tuple[Citation, ...]
    tools: tuple[str, ...]


def draft(
    policy: Policy,
    examples: Sequence[Example],
    counterexamples: Sequence[Example],
    taken_names: Collection[str],
    settings: Settings,
) -> SkillDraft:
    """Return the deterministic draft of a policy's skill.

    At most `cited_examples` episodes are cited as example, trusted ones first, then by value, and half as many as
    counterexample. Of the trusted examples n_min are shown.
    """
    chosen = _one_an_episode(examples, settings.cited_examples, sign=1)
    against = _one_an_episode(counterexamples, settings.cited_examples // 2, sign=-1)
    shown = [example.evidence for example in chosen if example.is_trusted][: settings.n_min]
    return SkillDraft(
        name=_name(policy, taken_names),
        title=policy.title,
        domain=policy.domain,
        trigger=policy.trigger,
        description=_description(policy),
        preconditions=_preconditions(policy),
        procedure=policy.procedure,
        fallback=policy.fallback,
        verification=policy.verification,
        boundary=f"{policy.boundary.rstrip('.')}, when it was drafted.",
        decision_guidance=_guidance(policy, len({example.episode for example in counterexamples})),
        cites=(
            *(Citation(example.evidence, "example", example.evidence in shown) for example in chosen),
            *(Citation(example.evidence, "counterexample", False) for example in against),
        ),
        tools=tuple(sorted({step.tool for step in policy.procedure})),
    )


def _one_an_episode(examples: Sequence[Example], most: int, *, sign: int) -> list[Example]:
    """Return the best steps (by value times `sign`), one of each episode, of trusted episodes first."""
    ranked = sorted(examples, key=lambda one: (not one.is_trusted, -sign * one.value, one.evidence))
    of_episode: dict[str, Example] = {}
    for example in ranked:
        of_episode.setdefault(example.episode, example)
    return list(of_episode.values())[:most]


def _name(policy: Policy, taken: Collection[str]) -> str:
    """Return domain and tool as a slug that no skill of the namespace has."""
    words = f"{policy.domain} {plain(policy.tool)}{' after error' if policy.error_signature else ''}"
    slug = re.sub(r"[\W_]+", "-", words.lower()).strip("-")
    name, number = slug[:NAME].rstrip("-"), 1
    while name in taken:
        number += 1
        ending = f"-{number}"
        name = slug[: NAME - len(ending)].rstrip("-") + ending
    return name


def _description(policy: Policy) -> str:
    steps = [told(step.tool) if step.required else f"{told(step.tool)} if needed" for step in policy.procedure]
    after = " after an error" if policy.error_signature else ""
    return f"How to get to {told(policy.tool)}{after} in {code(policy.domain)}: {', '.join(steps)}."


def _preconditions(policy: Policy) -> tuple[str, ...]:
    """Return what must be so before the first step: the tools, the error, and what must be known."""
    tools = dict.fromkeys(told(step.tool) for step in policy.procedure)
    found = [f"{listed(tools)} can be used."]
    if policy.error_signature:
        found.append(f"The step before ended in an error like {quoted(policy.error_signature)}.")
    for step in policy.procedure:
        for parameter in step.parameters:
            if parameter.origin is None or parameter.origin.kind != "result":
                source = f" from {origin_text(parameter.origin)}" if parameter.origin else ""
                found.append(f"{code(parameter.name)} of {told(step.tool)} is known{source}.")
    return tuple(dict.fromkeys(found))


def _guidance(policy: Policy, against: int) -> str:
    """Return what to mind on the way: order, optional steps, where values come from, and what went badly."""
    required = [told(step.tool) for step in policy.procedure if step.required]
    optional = dict.fromkeys(told(step.tool) for step in policy.procedure if not step.required)
    found = []
    if len(required) > 1:
        found.append(f"Do not go straight to {required[-1]}: take the required steps first, in order.")
    if optional:
        found.append(f"Take optional steps only where they are needed: {listed(optional)}.")
    for source, arguments in _from_results(policy.procedure).items():
        found.append(f"From {source} take {listed(arguments)}; do not guess.")
    found.append(_warning(policy, against))
    return " ".join(found)


def _from_results(procedure: Sequence[ProcedureStep]) -> dict[str, list[str]]:
    """Return the results that arguments come from, each with the arguments, in the order of the procedure."""
    found: dict[str, dict[str, None]] = {}
    for step in procedure:
        for parameter in step.parameters:
            if parameter.origin is not None and parameter.origin.kind == "result":
                argument = f"{code(parameter.name)} of {told(step.tool)}"
                found.setdefault(origin_text(parameter.origin), {})[argument] = None
    return {source: list(arguments) for source, arguments in found.items()}


def _warning(policy: Policy, against: int) -> str:
    if not against:
        return (
            f"No episode had gone badly when it was drafted, among {counted(policy.support, 'episode')}; "
            "stay within the boundary."
        )
    return (
        f"It went badly in {counted(against, 'episode')} and well in {policy.support}, and nothing tells the two apart "
        "yet: check the result as the verification says."
    )
