"""Multiple sequence alignment of the tools that lead to a policy's evidence, and the steps most episodes share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import lcm

from msce_graph.records import ProcedureStep
from msce_graph.settings import Settings

_START = ""
"""Stands before the first tool where the beginnings of two paths are compared."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The tool steps of one episode up to and including one supporting step."""

    episode: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlignedStep:
    """A step of the consensus; `share` in [0, 1] is the share of episodes that took it."""

    tool: str
    share: float
    required: bool


@dataclass(frozen=True, slots=True)
class _Path:
    """What leads to the evidence, immediate repeats as one, and how much the segments that went this way weigh."""

    tools: tuple[str, ...]
    units: int


@dataclass(slots=True)
class _Column:
    """A column of the alignment: one tool, and what the paths that have it there weigh together."""

    tool: str
    units: int


def align(
    segments: Sequence[Segment], previous: Sequence[AlignedStep | ProcedureStep], settings: Settings
) -> tuple[AlignedStep, ...]:
    """Return the steps that at least `keep_share` of the episodes share, in the order most share (D4.5).

    Every segment ends with the tool of its evidence, which is the last step and always there. An episode weighs 1,
    shared equally over its segments; their order changes nothing. A tool stands in the consensus at most as often as
    `keep_share` of the episodes called it. A step is required from `require_share`; one that was required in `previous`
    stays so as long as it is kept (D4.9).
    """
    if not segments or any(not segment.tools or segment.tools[-1] != segments[0].tools[-1] for segment in segments):
        raise ValueError(f"no segments, or not of one last tool: {segments!r}")
    last = segments[0].tools[-1]
    paths = _typical_first(_paths(segments))
    total = sum(path.units for path in paths)
    least = settings.keep_share * total
    most = _calls_of_most(paths, least)
    columns = _progressive(paths)
    for floor in (
        least / 2,
        least,
    ):  # two rare columns of one tool may be one common step, once what parts them is gone
        while len(common := _common(columns, floor, most)) < len(columns):
            columns = _realigned(common, paths)
    shares = [(column.tool, round(column.units / total, 12)) for column in columns]
    if shares and shares[-1][0] == last:
        shares.pop()
    return _required([*shares, (last, 1.0)], previous, settings)


def required_tools(steps: Iterable[AlignedStep | ProcedureStep]) -> tuple[str, ...]:
    """Return the tools of the required steps in order."""
    return tuple(step.tool for step in steps if step.required)


def begins(shorter: Iterable[AlignedStep | ProcedureStep], longer: Iterable[AlignedStep | ProcedureStep]) -> bool:
    """Whether the required steps of one procedure are the first of another's, which has more."""
    first, whole = required_tools(shorter), required_tools(longer)
    return len(first) < len(whole) and whole[: len(first)] == first


def embeds(required: Iterable[str], tools: Iterable[str]) -> bool:
    """Whether the required tools occur among the tools in order, others between allowed."""
    rest = iter(tools)
    return all(tool in rest for tool in required)


def matches(rows: Sequence[str], columns: Sequence[str], weights: Sequence[float]) -> tuple[tuple[int, int], ...]:
    """Return the pairs (row, column) of equal tools, in order, whose columns weigh most together; of ties the earliest.

    A longest common subsequence with weights, by dynamic programming in len(rows) x len(columns) steps.
    """
    height, width = len(rows), len(columns)
    best: list[list[float]] = [[0.0] * (width + 1)]
    known = set(columns)
    for tool in reversed(rows):
        below = best[-1]
        if tool not in known:
            best.append(below)
            continue
        row, most = [0.0] * (width + 1), 0.0
        for j in range(width - 1, -1, -1):
            if below[j] > most:
                most = below[j]
            if columns[j] == tool and below[j + 1] + weights[j] > most:
                most = below[j + 1] + weights[j]
            row[j] = most
        best.append(row)
    best.reverse()
    pairs = []
    i = j = 0
    while i < height and j < width:
        if rows[i] == columns[j] and best[i][j] == best[i + 1][j + 1] + weights[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            i += 1
    return tuple(pairs)


def _paths(segments: Sequence[Segment]) -> list[_Path]:
    """Return the different paths without the last tool, which all share; units are whole numbers: sums are exact."""
    of_episode = Counter(segment.episode for segment in segments)
    unit = lcm(*of_episode.values())
    units: defaultdict[tuple[str, ...], int] = defaultdict(int)
    for segment in segments:
        tools = tuple(tool for tool, _ in groupby(segment.tools))[:-1]
        units[tools] += unit // of_episode[segment.episode]
    return [_Path(tools, of_path) for tools, of_path in units.items()]


def _typical_first(paths: Iterable[_Path]) -> list[_Path]:
    """Return the paths, first those whose neighbouring pairs of tools most others have too.

    A progressive alignment keeps the mistakes of its beginning, so it begins with what is beyond doubt.
    """
    pairs = {path: set(pairwise((_START, *path.tools))) for path in paths}
    common: Counter[tuple[str, str]] = Counter()
    for path, found in pairs.items():
        common.update(dict.fromkeys(found, path.units))

    def typicality(path: _Path) -> float:
        return sum(common[pair] for pair in pairs[path]) / max(1, len(pairs[path]))

    return sorted(pairs, key=lambda path: (-typicality(path), path.tools))


def _progressive(paths: Iterable[_Path]) -> list[_Column]:
    """Return the columns of all paths, each aligned in turn to those before it; a step that fits none opens its own."""
    columns: list[_Column] = []
    for path in paths:
        merged: list[_Column] = []
        row = position = 0
        for i, j in (*_to_columns(path, columns), (len(path.tools), len(columns))):
            merged += columns[position:j]
            merged += [_Column(tool, path.units) for tool in path.tools[row:i]]
            for column in columns[j : j + 1]:
                merged.append(_Column(column.tool, column.units + path.units))
            row, position = i + 1, j + 1
        columns = merged
    return columns


def _realigned(columns: Sequence[_Column], paths: Iterable[_Path]) -> list[_Column]:
    """Return the columns with the paths aligned to them alone, free of the columns that were dropped."""
    fresh = [_Column(column.tool, 0) for column in columns]
    for path in paths:
        for _, j in _to_columns(path, columns):
            fresh[j].units += path.units
    return fresh


def _to_columns(path: _Path, columns: Sequence[_Column]) -> tuple[tuple[int, int], ...]:
    return matches(path.tools, [column.tool for column in columns], [column.units for column in columns])


def _common(columns: Iterable[_Column], floor: float, most: Mapping[str, int]) -> list[_Column]:
    """Return the columns that weigh `floor` or more, neighbours of one tool as one, the heaviest `most` of a tool."""
    heavy = [column for column in columns if column.units >= floor]
    merged = [max(same, key=lambda column: column.units) for _, same in groupby(heavy, key=lambda column: column.tool)]
    by_units = sorted(range(len(merged)), key=lambda j: (-merged[j].units, j))
    chosen: Counter[str] = Counter()
    kept = set()
    for j in by_units:
        chosen[merged[j].tool] += 1
        if chosen[merged[j].tool] <= most.get(merged[j].tool, 0):
            kept.add(j)
    return [column for j, column in enumerate(merged) if j in kept]


def _calls_of_most(paths: Iterable[_Path], least: float) -> dict[str, int]:
    """Return how often, for each tool, the paths that weigh `least` together call it."""
    units_of: Counter[tuple[str, int]] = Counter()
    for path in paths:
        for tool, calls in Counter(path.tools).items():
            units_of.update(dict.fromkeys(((tool, number) for number in range(1, calls + 1)), path.units))
    return dict(sorted(call for call, units in units_of.items() if units >= least))


def _required(
    shares: Sequence[tuple[str, float]], previous: Sequence[AlignedStep | ProcedureStep], settings: Settings
) -> tuple[AlignedStep, ...]:
    """Return the steps, required by their share or because the step of `previous` that they stand for was."""
    was = dict(matches([tool for tool, _ in shares], [step.tool for step in previous], [1] * len(previous)))
    return tuple(
        AlignedStep(tool, share, share >= round(settings.require_share, 12) or (i in was and previous[was[i]].required))
        for i, (tool, share) in enumerate(shares)
    )
