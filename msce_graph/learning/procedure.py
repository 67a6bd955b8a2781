"""Anti-unification: what the supporting cases of a procedure have in common, and where the rest of it comes from."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from msce_graph.learning.alignment import AlignedStep, matches
from msce_graph.records import Kind, Parameter, ParameterOrigin, ProcedureStep

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Source:
    """An earlier step whose observation shows an argument's value."""

    tool: str
    path: str | None
    """Dots for fields, [] for any element; null where the observation is text."""
    position: int | None
    """Index of that step in the case; null where it lies before the case begins."""


@dataclass(frozen=True, slots=True)
class CaseStep:
    """One tool step of a case, with what is known of where its arguments came from (D3.7)."""

    tool: str
    kind: Kind
    arguments: Mapping[str, JsonValue]
    derived: Mapping[str, Sequence[Source]] = field(default_factory=dict)
    """For a list, a source for each element that has one."""
    told: Mapping[str, Literal["message", "task"]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """A segment with its content: the steps that led to one supporting step, which is the last."""

    episode: str
    task_key: str
    share: float
    """1 for an episode, shared equally over its cases."""
    steps: tuple[CaseStep, ...]


@dataclass(frozen=True, slots=True)
class _Use:
    """A case's step that stands for a step of the procedure."""

    task_key: str
    share: float
    position: int
    step: CaseStep


def generalise(
    steps: Sequence[AlignedStep], cases: Sequence[Case], *, constant_tasks: int
) -> tuple[ProcedureStep, ...]:
    """Return the aligned steps with their arguments, by anti-unification over the cases that took them (D4.5).

    An argument that at least half of a step's cases give is kept: as a constant where all give the same value and
    `constant_tasks` different tasks are among them (so that nothing of a single task is told, D6.7), else as a
    parameter. A parameter's origin is claimed where at least half of the cases that give it show it; an earlier result
    goes before a user message, and that before the task; of results the nearest, of two paths in one the commoner.
    """
    if not steps:
        raise ValueError("a procedure has at least the step of its evidence")
    return tuple(
        _generalised(step, uses or _calls(step.tool, cases), constant_tasks)
        for step, uses in zip(steps, _uses(steps, cases), strict=True)
    )


def _uses(steps: Sequence[AlignedStep], cases: Sequence[Case]) -> list[list[_Use]]:
    """Return for each step the cases' steps that stand for it; of a repeated call the last, the one that led on."""
    uses: list[list[_Use]] = [[] for _ in steps]
    backwards = [step.tool for step in reversed(steps)]
    shares = [step.share for step in reversed(steps)]
    for case in _in_order(cases):
        tools = [step.tool for step in reversed(case.steps)]
        for row, column in matches(tools, backwards, shares):
            position = len(tools) - 1 - row
            use = _Use(case.task_key, case.share, position, case.steps[position])
            uses[len(steps) - 1 - column].append(use)
    return uses


def _calls(tool: str, cases: Sequence[Case]) -> list[_Use]:
    """Return all calls of a tool, for a step of an order that every case with the tool departs from elsewhere."""
    return [
        _Use(case.task_key, case.share, position, step)
        for case in _in_order(cases)
        for position, step in enumerate(case.steps)
        if step.tool == tool
    ]


def _in_order(cases: Sequence[Case]) -> list[Case]:
    """Return the cases in an order of their own, so that sums of shares do not depend on the caller's."""
    return sorted(cases, key=lambda case: (case.episode, len(case.steps), case.share))


def _generalised(step: AlignedStep, uses: Sequence[_Use], constant_tasks: int) -> ProcedureStep:
    """Return one procedure step."""
    if not uses:
        raise ValueError(f"no case took {step.tool}")
    constants: dict[str, JsonValue] = {}
    parameters = []
    for name in sorted({name for use in uses for name in use.step.arguments}):
        given = [use for use in uses if name in use.step.arguments]
        if not _is_half(given, uses):
            continue
        values = {canonical(use.step.arguments[name]) for use in given}
        if len(given) == len(uses) and len(values) == 1 and len({use.task_key for use in given}) >= constant_tasks:
            constants[name] = given[0].step.arguments[name]
        else:
            parameters.append(Parameter(name=name, origin=_origin(name, given)))
    kinds = Counter(use.step.kind for use in uses)
    return ProcedureStep(
        tool=step.tool,
        kind=min(kinds, key=lambda kind: (-kinds[kind], kind)),
        required=step.required,
        share=step.share,
        constants=constants,
        parameters=tuple(parameters),
    )


def canonical(value: JsonValue) -> str:
    """Return the JSON text by which two values are the same: sorted keys, and true is not 1."""
    return _ENCODER.encode(value)


def _origin(name: str, given: Sequence[_Use]) -> ParameterOrigin | None:
    """Return where at least half of the cases have the argument from."""
    return _result(name, given) or _told(name, given)


def _told(name: str, given: Sequence[_Use]) -> ParameterOrigin | None:
    """Return the message or the task, if at least half of the cases were told the value there."""
    kinds: tuple[Literal["message", "task"], ...] = ("message", "task")
    for kind in kinds:
        if _is_half([use for use in given if use.step.told.get(name) == kind], given):
            return ParameterOrigin(kind=kind)
    return None


def _result(name: str, given: Sequence[_Use]) -> ParameterOrigin | None:
    """Return the earlier tool, and path, that at least half of the cases have the value from."""
    from_tool: defaultdict[str, list[_Use]] = defaultdict(list)
    from_path: defaultdict[tuple[str, str], list[_Use]] = defaultdict(list)
    gaps: defaultdict[str, list[float]] = defaultdict(list)
    for use in given:
        sources = use.step.derived.get(name, ())
        for tool in sorted({source.tool for source in sources}):
            from_tool[tool].append(use)
            gaps[tool].append(min(_gap(use, source) for source in sources if source.tool == tool))
        for tool_path in sorted({(source.tool, source.path) for source in sources if source.path is not None}):
            from_path[tool_path].append(use)
    claimed = [tool for tool, uses in from_tool.items() if _is_half(uses, given)]
    if not claimed:
        return None
    tool = min(claimed, key=lambda tool: (sum(gaps[tool]) / len(gaps[tool]), tool))
    paths = [path for (of, path), uses in from_path.items() if of == tool and _is_half(uses, given)]
    path = min(paths, key=lambda path: (-_share(from_path[tool, path]), path), default=None)
    return ParameterOrigin(kind="result", tool=tool, path=path)


def _gap(use: _Use, source: Source) -> float:
    """Return how many steps lie between a value's source and its use; before the case is farther than all in it."""
    return use.position - (-1 if source.position is None else source.position)


def _is_half(some: Sequence[_Use], of: Sequence[_Use]) -> bool:
    """Whether some of the uses weigh at least half of all."""
    return round(2 * _share(some), 12) >= round(_share(of), 12)


def _share(uses: Sequence[_Use]) -> float:
    return sum(use.share for use in uses)
