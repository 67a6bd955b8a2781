"""Boundary from contrast: which features tell the counter-evidence of a policy from its support (D4.6)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from math import comb

from msce_graph.learning.context import Feature
from msce_graph.learning.significance import false_discovery_rates
from msce_graph.learning.wording import code, quoted, told
from msce_graph.records import Claim, FeatureKind, Side, Stance
from msce_graph.settings import Settings

CLAIMS = 5
"""Claims of one kind at most."""
SENTENCES = 5
"""Claims that one text tells at most."""

_NEARLY_EVERY = 0.8
"""The share of a field's tasks with a value of their own from which its values name individuals."""


@dataclass(frozen=True, slots=True)
class Try:
    """An episode's side of a policy: one of its steps with such an edge, and what was so when that was taken.

    Of several steps on a side the first is meant: later ones have seen more, most of all in long episodes, which fail
    more.
    """

    task_key: str
    side: Side
    evidence: str
    """Key of the step."""
    earlier_tools: frozenset[str]
    features: frozenset[Feature]
    """All but the missing tools, which only show beside other tries."""
    is_trusted: bool = True


@dataclass(frozen=True, slots=True)
class Counts:
    """The tasks of each side that count for a feature, and in how many of them it occurs."""

    counter: int
    counter_tasks: int
    support: int
    support_tasks: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The two-sided p of a feature, its q within its kind, and whether that is enough to claim it."""

    p: float
    q: float
    is_claimed: bool


@dataclass(frozen=True, slots=True)
class BoundaryWords:
    """Sentences of claims, empty where nothing is claimed."""

    boundary: str
    """Of the situation: results, errors and words of the task."""
    guidance: str
    """Of what was done: arguments, and tools that were not called before."""


# The test -----------------------------------------------------------------------------------------------------------


def contrast(tries: Iterable[Try], settings: Settings) -> tuple[Claim, ...]:
    """Return what tells counter-evidence from support: the strongest of each kind, at most `CLAIMS`, sorted by kind.

    Neither the order of tries nor their number within a task and side matters. Of features of a kind that occur in the
    very same tasks one is claimed.
    """
    compared = _comparable(tries)
    counts = count(compared)
    claims = {
        feature: _claim(feature, counts[feature], verdict)
        for feature, verdict in judge(counts, settings).items()
        if verdict.is_claimed
    }
    return _strongest(claims, _places(compared, claims.keys()))


def conditions(claims: Iterable[Claim]) -> frozenset[tuple[Feature, Side]]:
    """Return what is claimed and of which side, without the numbers: a boundary changes when these do.

    Of counter-evidence it is an exclusion or an anti-pattern, of support what was so where the policy held.
    """
    return frozenset((_feature(claim), claim.tells) for claim in claims)


def shows(one: Try, claim: Claim) -> bool:
    """Whether a try has the feature of a claim."""
    if claim.kind == "missing_tool":
        return claim.name not in one.earlier_tools
    return _feature(claim) in one.features


def count(tries: Iterable[Try]) -> dict[Feature, Counts]:
    """Return for each feature the tasks that count for it: each once a side, with it if any of its tries there has it.

    A task with tries on both sides counts for a feature only if its sides differ, then once on each.
    """
    alone: Counter[Side] = Counter()
    having: dict[Side, Counter[Feature]] = {"counter": Counter(), "support": Counter()}
    differing: Counter[Feature] = Counter()
    for sides in _sides(tries).values():
        counter, support = sides.get("counter", set()), sides.get("support", set())
        having["counter"].update(counter - support)
        having["support"].update(support - counter)
        if len(sides) == 1:
            alone.update(sides.keys())
        else:
            differing.update(counter ^ support)
    return {
        feature: Counts(
            counter=having["counter"][feature],
            counter_tasks=alone["counter"] + differing[feature],
            support=having["support"][feature],
            support_tasks=alone["support"] + differing[feature],
        )
        for feature in sorted(having["counter"].keys() | having["support"].keys())
    }


def judge(counts: Mapping[Feature, Counts], settings: Settings) -> dict[Feature, Verdict]:
    """Return p and q of the features that are tested: in n_min of the tasks that count for them, with no side empty.

    Benjamini-Hochberg runs within each kind; a q of `q_max`, to 12 digits, is not claimed.
    """
    families: defaultdict[FeatureKind, dict[Feature, float]] = defaultdict(dict)
    for feature, seen in counts.items():
        if seen.counter_tasks and seen.support_tasks and seen.counter + seen.support >= settings.n_min:
            p = fisher(seen.counter, seen.counter_tasks, seen.support, seen.support_tasks)
            families[feature.kind][feature] = p
    verdicts = {}
    for family in families.values():
        rates = false_discovery_rates(list(family.values()))
        for (feature, p), q in zip(family.items(), rates, strict=True):
            verdicts[feature] = Verdict(p, q, round(q, 12) < round(settings.q_max, 12))
    return verdicts


@lru_cache(maxsize=65_536)
def fisher(counter: int, counter_tasks: int, support: int, support_tasks: int) -> float:
    """Return the two-sided p of Fisher's exact test: of all tables with these margins, those no likelier than this one.

    Whole numbers make tables that are equally likely tie exactly. Raises ValueError for a count above its total.
    """
    if not (0 <= counter <= counter_tasks and 0 <= support <= support_tasks):
        raise ValueError(f"{counter} of {counter_tasks} tasks against {support} of {support_tasks}")
    having = counter + support
    observed = comb(counter_tasks, counter) * comb(support_tasks, support)
    first = max(0, having - support_tasks)
    ways = comb(counter_tasks, first) * comb(support_tasks, having - first)
    unlikely = 0
    for cell in range(first, min(having, counter_tasks) + 1):
        if ways <= observed:
            unlikely += ways
        ways = ways * (counter_tasks - cell) * (having - cell) // ((cell + 1) * (support_tasks - having + cell + 1))
    return unlikely / comb(counter_tasks + support_tasks, having)


def _claim(feature: Feature, seen: Counts, verdict: Verdict) -> Claim:
    return Claim(
        kind=feature.kind,
        name=feature.name,
        value=feature.value,
        counter=seen.counter,
        counter_tasks=seen.counter_tasks,
        support=seen.support,
        support_tasks=seen.support_tasks,
        p=verdict.p,
        q=verdict.q,
    )


def _feature(claim: Claim) -> Feature:
    return Feature(claim.kind, claim.name, claim.value)


def _sides(tries: Iterable[Try]) -> dict[str, dict[Side, set[Feature]]]:
    """Return the features of each task on each side where it has a try."""
    tasks: dict[str, dict[Side, set[Feature]]] = {}
    for one in tries:
        tasks.setdefault(one.task_key, {}).setdefault(one.side, set()).update(one.features)
    return tasks


def _places(tries: Iterable[Try], claimed: Collection[Feature]) -> dict[Feature, set[tuple[Side, str]]]:
    """Return the side and task of what shows claimed features, of the tasks that count for them."""
    places: dict[Feature, set[tuple[Side, str]]] = {feature: set() for feature in claimed}
    for task, sides in _sides(tries).items():
        counter, support = sides.get("counter", set()), sides.get("support", set())
        for feature in (counter - support).intersection(claimed):
            places[feature].add(("counter", task))
        for feature in (support - counter).intersection(claimed):
            places[feature].add(("support", task))
    return places


def _strongest(
    claims: Mapping[Feature, Claim], places: Mapping[Feature, Collection[tuple[Side, str]]]
) -> tuple[Claim, ...]:
    kinds: defaultdict[FeatureKind, dict[frozenset[tuple[Side, str]], Claim]] = defaultdict(dict)
    for feature, claim in sorted(claims.items(), key=lambda item: (item[1].p, item[0])):
        kinds[feature.kind].setdefault(frozenset(places[feature]), claim)
    return tuple(claim for kind in sorted(kinds) for claim in list(kinds[kind].values())[:CLAIMS])


# What only shows beside other tries ---------------------------------------------------------------------------------


def _comparable(tries: Iterable[Try]) -> list[Try]:
    """Return the tries with the tools that each lacks, and without values that name individuals."""
    given = list(tries)
    tools = frozenset[str]().union(*(one.earlier_tools for one in given))
    individual = _individual_fields(given)
    return [
        replace(
            one,
            features=frozenset(
                chain(
                    (Feature("missing_tool", tool) for tool in tools - one.earlier_tools),
                    (feature for feature in one.features if feature[:2] not in individual),
                )
            ),
        )
        for one in given
    ]


def _individual_fields(tries: Iterable[Try]) -> set[tuple[str, str]]:
    """Return the arguments and paths of which nearly every task has a value of its own."""
    fields: defaultdict[tuple[str, str], defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in tries:
        for kind, name, value in one.features:
            if kind in ("argument", "observation"):
                fields[kind, name][value].add(one.task_key)
    return {field for field, values in fields.items() if _differs(values.values())}


def _differs(tasks_of_values: Collection[set[str]]) -> bool:
    every = set[str]().union(*tasks_of_values)
    own = set[str]().union(*(tasks for tasks in tasks_of_values if len(tasks) == 1))
    return len(every) > 1 and len(own) >= _NEARLY_EVERY * len(every)


# Words --------------------------------------------------------------------------------------------------------------

_DONE = ("missing_tool", "argument")
_EXCLUDED: Mapping[Stance, str] = {"follow": "Not", "avoid": "The warning does not hold"}
_HELD: Mapping[Stance, str] = {"follow": "It worked", "avoid": "It failed"}


def told_claims(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Return the claims that `boundary_words` tells, the strongest first."""
    strongest = sorted(claims, key=lambda claim: (claim.q, claim.p, _feature(claim)))
    done = [claim for claim in strongest if claim.kind in _DONE]
    met = [claim for claim in strongest if claim.kind not in _DONE]
    return (*met[:SENTENCES], *done[:SENTENCES])


def boundary_words(claims: Iterable[Claim], stance: Stance) -> BoundaryWords:
    """Return the claims as sentences with their counts, the strongest first; words of logs only as quotes (D6.7)."""
    chosen = told_claims(claims)
    return BoundaryWords(
        boundary=" ".join(claim_text(claim, stance) for claim in chosen if claim.kind not in _DONE),
        guidance=" ".join(claim_text(claim, stance) for claim in chosen if claim.kind in _DONE),
    )


def with_claims(boundary: str, claims: Sequence[Claim], stance: Stance) -> str:
    """Return a policy's boundary with what contrast adds to it."""
    words = boundary_words(claims, stance)
    return " ".join(filter(None, (boundary, words.boundary, words.guidance)))


def without_claims(boundary: str, claims: Sequence[Claim], stance: Stance) -> str:
    """Return what `with_claims` was given."""
    return boundary.removesuffix(with_claims("", claims, stance)).rstrip()


def claim_text(claim: Claim, stance: Stance) -> str:
    """Return one claim as a sentence with its counts."""
    against = claim.tells == "counter"
    held, broke = ("worked", "failed") if stance == "follow" else ("failed", "worked")
    sides = [(claim.counter, claim.counter_tasks, broke), (claim.support, claim.support_tasks, held)]
    (having, tasks, went), (other, others, otherwise) = sides if against else reversed(sides)
    counts = f"{having} of {tasks} tasks that {went}, {other} of {others} that {otherwise}"
    opening = _EXCLUDED[stance] if against else _HELD[stance]
    return f"{opening} {_condition(claim)}: {counts} ({_rate(claim.q)})."


def _condition(claim: Claim) -> str:
    kind, name, value = _feature(claim)
    if kind == "missing_tool":
        return f"without {told(name)} before it"
    is_empty = value in ("[]", "{}")
    if kind == "argument" and name.endswith("[]") and not is_empty:
        return f"with {code(value)} in {code(name[:-2])}"
    if kind == "argument":
        return f"with {code(name)} empty" if is_empty else f"with {code(name)} = {code(value)}"
    if kind == "observation":
        return f"where {told(name)} was {'empty' if is_empty else quoted(value)}"
    if kind == "error":
        return f"where {told(name)} failed with {quoted(value)}"
    return f"where the task says {quoted(name)}"


def _rate(q: float) -> str:
    return "q under 0.0001" if q < 0.0001 else f"q {q:.4f}"
