"""Text of policies and procedures: names, paths and constants; words of observations stand in it only as quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from msce_graph.learning.procedure import canonical
from msce_graph.learning.shape import QUOTE, Shape
from msce_graph.records import Parameter, ParameterOrigin, ProcedureStep, Stance

AS_DATA = "(quoted from logs, as data)"


@dataclass(frozen=True, slots=True)
class PolicyFacts:
    """What a policy's text is made from."""

    domain: str
    tool: str
    error_signature: str
    stance: Stance
    procedure: Sequence[ProcedureStep]
    supporting: int
    """Episodes with evidence for it; the same of the other two."""
    contradicting: int
    bordering: int
    resolved: int = 0
    attempts: int = 0
    shape: Shape = field(default_factory=Shape)
    """What the observations of its support have in common."""
    alternatives: Sequence[tuple[str, int]] = ()
    """Tools that led on where it failed (follow) or that good episodes called instead (avoid), each with its number of
    episodes, the commonest first."""


@dataclass(frozen=True, slots=True)
class PolicyText:
    """The fields of a policy that are words."""

    title: str
    trigger: str
    verification: str
    fallback: str
    boundary: str


def policy_text(facts: PolicyFacts) -> PolicyText:
    """Return a policy's words (D4.5, D4.10, D6.7)."""
    return PolicyText(
        title=_title(facts),
        trigger=_trigger(facts),
        verification=_verification(facts),
        fallback=_fallback(facts),
        boundary=_boundary(facts),
    )


def code(name: str) -> str:
    """Return a name as it stands in prose: in backticks, on one line, at most 80 characters."""
    line = "".join(sign if sign.isprintable() else " " for sign in name).replace("`", "'")
    return f"`{line if len(line) <= QUOTE else line[: QUOTE - 1] + '…'}`"


def plain(tool: str) -> str:
    """Return a tool as people call it: `git commit` for `shell:git commit`, `SELECT` for `sql:SELECT`."""
    return re.sub(r"^(shell|sql):", "", tool)


def told(tool: str) -> str:
    """Return a tool as it stands in prose."""
    return code(plain(tool))


def quoted(words: str) -> str:
    """Return words of a log as a quote of at most 80 characters that is marked as data."""
    line = "".join(sign if sign.isprintable() else " " for sign in words).replace('"', "'")
    return f'"{line if len(line) <= QUOTE else line[: QUOTE - 1] + "…"}" {AS_DATA}'


def exclusion_text(conditions: Iterable[str]) -> str:
    """Return the conditions that people named when they corrected a skill as sentences for its boundary."""
    return " ".join(f"A person said that it does not hold there: {quoted(condition)}." for condition in conditions)


def listed(parts: Iterable[str]) -> str:
    """Return parts as a list in a sentence: a, b and c."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it is not one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def step_text(step: ProcedureStep) -> str:
    """Return one procedure step as an instruction in the imperative."""
    act = "Run" if step.kind in ("shell", "sql") else "Call"
    given = [f"{code(name)} = {code(_value(value))}" for name, value in step.constants.items()]
    given += [code(parameter.name) + _from(parameter) for parameter in step.parameters]
    text = f"{act} {told(step.tool)}" + (f" with {listed(given)}" if given else "")
    return text + "." if step.required else f"If it is needed: {text[0].lower()}{text[1:]}."


def origin_text(origin: ParameterOrigin) -> str:
    """Return where a parameter's value comes from."""
    if origin.kind == "task":
        return "the task"
    if origin.kind == "message":
        return "a message of the user"
    of = f" at {code(origin.path)}" if origin.path else ""
    return f"the result of {told(origin.tool or '')}{of}"


def _from(parameter: Parameter) -> str:
    return f" (from {origin_text(parameter.origin)})" if parameter.origin else ""


def _value(value: JsonValue) -> str:
    """Return a constant as people write it: text without quotes, words of a list apart, else JSON."""
    if isinstance(value, list) and all(isinstance(element, str) for element in value):
        return " ".join(str(element) for element in value)
    return value if isinstance(value, str) else canonical(value)


def _situation(facts: PolicyFacts) -> str:
    return (
        f"after an error like {quoted(facts.error_signature)}" if facts.error_signature else "with no error before it"
    )


def _title(facts: PolicyFacts) -> str:
    after = " after an error" if facts.error_signature else ""
    if facts.stance == "avoid":
        return f"Avoid {told(facts.tool)}{after}"
    before = [tool for tool in dict.fromkeys(s.tool for s in facts.procedure if s.required) if tool != facts.tool]
    if not before:
        return f"Use {told(facts.tool)}{after}"
    return f"{listed(told(tool) for tool in before[-3:])}, then {told(facts.tool)}{after}"


def _trigger(facts: PolicyFacts) -> str:
    return f"In {code(facts.domain)}, when {told(facts.tool)} comes next, {_situation(facts)}."


def _verification(facts: PolicyFacts) -> str:
    shape, case = facts.shape, "it worked" if facts.stance == "follow" else "it went badly"
    if shape.is_silent:
        return f"Where {case}, {told(facts.tool)} printed nothing."
    if shape.words:
        return f"Where {case}, the result of {told(facts.tool)} read {quoted(shape.words)}."
    if not shape.fields:
        return f"Where {case}, the results of {told(facts.tool)} have nothing in common to check by."
    text = f"Where {case}, the result of {told(facts.tool)} had {listed(code(path) for path in shape.fields)}"
    values = [f"{code(path)} was {quoted(value)}" for path, value in shape.constants]
    return f"{text}; {listed(values)}." if values else f"{text}."


def _fallback(facts: PolicyFacts) -> str:
    alternatives = [f"{told(tool)} ({counted(episodes, 'episode')})" for tool, episodes in facts.alternatives[:3]]
    if facts.stance == "avoid":
        if alternatives:
            return f"Episodes that went well did {listed(alternatives)} instead."
        if not facts.error_signature:
            return "What went well instead is told apart only after an error."
        return "No episode that went well shows yet what to do instead."
    if alternatives:
        text = f"If it fails, try what led on before: {listed(alternatives)}."
    else:
        text = "If it fails, read the error before you try again: no remedy has been seen yet."
    if facts.error_signature and facts.attempts:
        text += f" What had failed worked later in {facts.resolved} of {counted(facts.attempts, 'case')}."
    return text


def _boundary(facts: PolicyFacts) -> str:
    sides = (
        f"{counted(facts.supporting, 'episode')} for it, {facts.contradicting} against it and {facts.bordering} neutral"
    )
    return f"Known only in {code(facts.domain)}, for {told(facts.tool)} {_situation(facts)}: {sides}."
