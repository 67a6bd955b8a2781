"""What a domain's environment is like: five kinds of statements, from counts over what its policies rest on (D5)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb

from msce_graph.learning.dataflow import SHORTEST
from msce_graph.learning.signature import NO_MESSAGE
from msce_graph.learning.significance import false_discovery_rates
from msce_graph.learning.wording import code, listed, quoted, told
from msce_graph.records import EnvEntityKind
from msce_graph.settings import Settings

ANY = "*"
"""In place of a tool, a path or a part: whichever it is."""

FEWEST_POLICIES = 2
"""Policies that bear a statement at least: what rests on one alone is that policy's own affair."""
MOST = 300
"""Statements of one kind about one domain: those with the most support."""

MOST_TOOLS = 3
"""Tools that a statement about a name tells at most: those that touch it in the most episodes."""

_LIKELY, _SURE = 0.5, 0.9
"""Confidence from which something is told as what mostly holds, and as what always does."""


@dataclass(frozen=True, slots=True)
class Seen:
    """In how many episodes and tasks something was seen, and the ids of the policies that have evidence there."""

    episodes: int = 0
    tasks: int = 0
    policies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """Episodes in which something worked, and others in which it was tried and did not."""

    worked: Seen = field(default_factory=Seen)
    failed: Seen = field(default_factory=Seen)

    @property
    def episodes(self) -> int:
        """Episodes in which it was tried."""
        return self.worked.episodes + self.failed.episodes


Names = tuple[str, ...]
Counted = Mapping[Names, Seen]
Tested = Mapping[Names, Tried]


@dataclass(frozen=True, slots=True)
class Facts:
    """What was counted over the episodes that a domain's policies have evidence in, by the names that it is about."""

    episodes: int
    calls: Tested = field(default_factory=dict)
    """Tool."""
    flows: Counted = field(default_factory=dict)
    """Tool, argument, the tool whose earlier result it came from, and the path there: ANY, or empty for a text."""
    firsts: Tested = field(default_factory=dict)
    """The first call of a tool: the tool, and another that had worked before, or ANY."""
    given: Counted = field(default_factory=dict)
    """Tool, and a name that each call of it touched that worked."""
    answers: Counted = field(default_factory=dict)
    """Tool, and how at least half of its answers begin."""
    errors: Counted = field(default_factory=dict)
    """Tool, and the signature of an error that it met."""
    remedies: Tested = field(default_factory=dict)
    """The next call of a tool after an error: tool, error signature, and the tool that was called first thereafter."""
    mentions: Counted = field(default_factory=dict)
    """A name, and the tool that touched it, or ANY."""
    columns: Tested = field(default_factory=dict)
    """Column, table."""
    tables: Tested = field(default_factory=dict)
    """Table, or ANY, and database."""
    joins: Tested = field(default_factory=dict)
    """Two tables."""
    places: Tested = field(default_factory=dict)
    """A thing, and where it was looked for."""
    fields: Counted = field(default_factory=dict)
    """A path, or ANY, in the result of a tool that later steps took a value from."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A policy that statements may rest on and constrain."""

    id: str
    tool: str
    error_signature: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that is so in an environment, with the ids of what it is joined to."""

    kind: EnvEntityKind
    name: str
    text: str
    about: Names
    """What it tells something of, by name: of one thing only one statement of a kind is current."""
    domain: str
    support: int
    """Episodes in which it was seen."""
    confidence: float
    policies: tuple[str, ...]
    """Those that it was abstracted from."""
    from_tool: str | None = None
    """Of a dependency: the tool that depends."""
    to_tool: str | None = None
    """Of a dependency: the tool that it depends on."""
    constrained_tools: tuple[str, ...] = ()
    constrained_policies: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    """Statements; the same of the next."""
    part_of: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """SHA-256 over kind, domain and text, 32 hexadecimal digits."""
        named = json.dumps([self.kind, self.domain, self.text], ensure_ascii=True)
        return hashlib.sha256(named.encode("ascii")).hexdigest()[:32]


def confidence(seen: int, possible: int) -> float:
    """Return the smoothed rate at which something was seen where it could have been, in (0, 1): (k + 1) / (n + 2)."""
    if not 0 <= seen <= possible:
        raise ValueError(f"seen in {seen} of {possible} episodes")
    return (seen + 1) / (possible + 2)


def statements(domain: str, facts: Facts, subjects: Sequence[Subject], settings: Settings) -> tuple[Statement, ...]:
    """Return what is so in a domain's environment, by kind, falling support and text.

    Each is seen in at least n_min episodes and as many tasks, and borne by two policies or more. An entity comes before
    what is part of it or depends on it, so that edges lead to statements that are there.
    """
    found = _Domain(domain, facts, subjects, settings)
    entities = _nested(_strongest([*found.names(), *found.databases(), *found.results()]))
    by_name = {one.name: one.id for one in entities}
    tables = _strongest(found.tables(by_name))
    structures = [
        *tables,
        *found.columns(by_name, _by_table(tables)),
        *found.joins(by_name),
        *found.places(by_name),
        *found.fields(by_name),
    ]
    dependencies = [*found.flows(), *found.orders(), *found.needs(by_name)]
    kinds = (entities, structures, dependencies, found.regularities(), found.constraints())
    kept = [one for kind in kinds for one in _strongest(kind)]
    ids = {one.id for one in kept}
    return tuple(
        replace(one, depends_on=_among(ids, one.depends_on), part_of=_among(ids, one.part_of))
        for one in sorted(kept, key=_order)
    )


def lasting(current: Sequence[Statement], settled: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the statements of policies that once were active and stable which those that still are do not bear.

    A withdrawn statement says what it rested on and constrains nothing.
    """
    known = {(one.kind, one.about) for one in current}
    return tuple(
        replace(one, constrained_tools=(), constrained_policies=(), depends_on=(), part_of=())
        for one in settled
        if (one.kind, one.about) not in known
    )


@dataclass(frozen=True, slots=True)
class _Domain:
    """The facts of one domain on their way into words."""

    domain: str
    facts: Facts
    subjects: Sequence[Subject]
    settings: Settings

    # Dependencies: a tool works only with, or after, something else

    def flows(self) -> Iterator[Statement]:
        for (tool, argument, source, path), seen in self.facts.flows.items():
            possible = self.facts.calls[(tool,)].episodes
            if path == ANY and self._holds(seen, possible, _LIKELY):
                of = self._path(tool, argument, source, seen)
                yield self._statement(
                    "dependency",
                    f"{tool} needs {source}",
                    f"{told(tool)} takes {code(argument)} from {of}the result of {told(source)}.",
                    ("flow", tool, argument, source),
                    seen,
                    possible,
                    from_tool=tool,
                    to_tool=source,
                )

    def _path(self, tool: str, argument: str, source: str, seen: Seen) -> str:
        """Return the path that most of a flow came from, where it is the same in most episodes."""
        paths = {
            key[3]: of_path
            for key, of_path in self.facts.flows.items()
            if key[:3] == (tool, argument, source) and key[3] not in ("", ANY) and _is_general(key[3])
        }
        best = min(paths, key=lambda path: (-paths[path].episodes, path), default="")
        is_common = best and 2 * paths[best].episodes >= seen.episodes and paths[best].tasks >= self.settings.n_min
        return f"{code(best)} of " if is_common else ""

    def orders(self) -> Iterator[Statement]:
        """Yield what works only after something else, where trying it before fails more than by chance."""
        tests = []
        for (tool, before), after in sorted(self.facts.firsts.items()):
            whole = self.facts.firsts[tool, ANY]
            failed_before = whole.failed.episodes - after.failed.episodes
            if before == ANY or failed_before < self.settings.n_min:
                continue
            if self._holds(after.worked, whole.worked.episodes, _SURE):
                tests.append((tool, before, after.worked, whole, _luck(after, whole)))
        rates = false_discovery_rates([p for *_, p in tests])
        for (tool, before, worked, whole, _), rate in zip(tests, rates, strict=True):
            if round(rate, 12) < self.settings.q_max:
                yield self._statement(
                    "dependency",
                    f"{tool} after {before}",
                    f"{told(tool)} works only after {told(before)}.",
                    ("order", tool, before),
                    worked,
                    whole.worked.episodes,
                    from_tool=tool,
                    to_tool=before,
                )

    def needs(self, entities: Mapping[str, str]) -> Iterator[Statement]:
        for (tool, name), seen in self.facts.given.items():
            possible = self.facts.calls[(tool,)].worked.episodes
            if name in entities and self._holds(seen, possible, _SURE):
                yield self._statement(
                    "dependency",
                    f"{tool} with {name}",
                    f"Wherever {told(tool)} worked, it was given {code(name)}.",
                    ("need", tool, name),
                    seen,
                    possible,
                    from_tool=tool,
                    depends_on=(entities[name],),
                )

    # Regularities: an action and the answer it gets

    def regularities(self) -> Iterator[Statement]:
        for (tool, answer), seen in self.facts.answers.items():
            possible = self.facts.calls[(tool,)].episodes
            words = answer_text(answer)
            if words is not None and self._holds(seen, possible, _LIKELY):
                says = f"with words that begin {quoted(words)}" if words else "with nothing"
                yield self._statement(
                    "regularity", tool, f"{told(tool)} is answered {says}.", (tool, words), seen, possible
                )

    # Constraints: an error, and what lifts it

    def constraints(self) -> Iterator[Statement]:
        for (tool, error), seen in self.facts.errors.items():
            possible = self.facts.calls[(tool,)].episodes
            if self._holds(seen, possible, 0.0):
                yield self._statement(
                    "constraint",
                    tool,
                    f"{told(tool)} can fail {_fault(error)}; {self._remedy(tool, error)}.",
                    (tool, error),
                    seen,
                    possible,
                    constrained_tools=(tool,),
                    constrained_policies=tuple(
                        sorted(one.id for one in self.subjects if tool == one.tool or error == one.error_signature)
                    ),
                )

    def _remedy(self, tool: str, error: str) -> str:
        """Return what lifts an error most often, of what is called first after it and mostly followed by success."""
        tried = {
            key[2]: test
            for key, test in self.facts.remedies.items()
            if key[:2] == (tool, error) and test.episodes >= self.settings.n_min
        }
        lifting = {
            remedy: test.worked.episodes
            for remedy, test in tried.items()
            if self._is_seen(test.worked) and confidence(test.worked.episodes, test.episodes) >= _LIKELY
        }
        if lifting:
            best = min(lifting, key=lambda remedy: (-lifting[remedy], remedy))
            return "calling it again lifts it" if best == tool else f"{told(best)} lifts it"
        return "nothing that was tried lifts it more often than not" if tried else "no remedy has been seen yet"

    # Entities and structures: what recurs, and what is part of what

    def names(self) -> Iterator[Statement]:
        tools: dict[str, dict[str, Seen]] = {}
        for (name, tool), seen in self.facts.mentions.items():
            if tool != ANY:
                tools.setdefault(name, {})[tool] = seen
        for (name, tool), seen in self.facts.mentions.items():
            if tool == ANY and _is_name(name, tools[name]):
                yield from self._entity(name, self._recurring(name, tools[name]), seen)

    def _recurring(self, name: str, tools: Mapping[str, Seen]) -> str:
        """Return what a name is: a table, or what the tools are given that touch it most."""
        if all(tool.startswith("sql:") for tool in tools):
            return f"{code(name)} is a table."
        often = [tool for tool in tools if self._is_seen(tools[tool])]
        most = sorted(often, key=lambda tool: (-tools[tool].episodes, tool))[:MOST_TOOLS]
        if not most:
            return f"{code(name)} recurs in what tools are given."
        by = listed(told(tool) for tool in sorted(most))
        return f"{code(name)} recurs in what {by} {'is' if len(most) == 1 else 'are'} given."

    def databases(self) -> Iterator[Statement]:
        for (table, database), test in self.facts.tables.items():
            if table == ANY:
                yield from self._entity(database, f"{code(database)} is a database.", test.worked)

    def results(self) -> Iterator[Statement]:
        for (path, tool), seen in self.facts.fields.items():
            if path == ANY:
                text = f"Later steps take values from the result of {told(tool)}."
                yield from self._entity(_result(tool), text, seen, self.facts.calls[(tool,)].episodes)

    def _entity(self, name: str, text: str, seen: Seen, possible: int | None = None) -> Iterator[Statement]:
        of = self.facts.episodes if possible is None else possible
        if self._holds(seen, of, 0.0):
            yield self._statement("entity", name, text, (name,), seen, of)

    def tables(self, entities: Mapping[str, str]) -> Iterator[Statement]:
        for (table, database), test in self.facts.tables.items():
            if table != ANY:
                text = f"{code(table)} is a table of {code(database)}."
                yield from self._structure(f"{database}.{table}", text, test, _named(entities, database))

    def columns(self, entities: Mapping[str, str], tables: Mapping[str, Names]) -> Iterator[Statement]:
        for (column, table), test in self.facts.columns.items():
            text = f"{code(column)} is a column of {code(table)}."
            wholes = tables.get(table) or _named(entities, table)
            yield from self._structure(f"{table}.{column}", text, test, wholes)

    def joins(self, entities: Mapping[str, str]) -> Iterator[Statement]:
        for pair, test in self.facts.joins.items():
            text = f"{code(pair[0])} and {code(pair[1])} can be joined."
            for one in self._structure(" + ".join(pair), text, test, ()):
                yield replace(one, depends_on=tuple(sorted(key for name in pair for key in _named(entities, name))))

    def places(self, entities: Mapping[str, str]) -> Iterator[Statement]:
        for (thing, place), test in self.facts.places.items():
            text = f"{code(thing)} can be taken from {code(place)}."
            yield from self._structure(f"{place}: {thing}", text, test, _named(entities, place))

    def fields(self, entities: Mapping[str, str]) -> Iterator[Statement]:
        for (path, tool), seen in self.facts.fields.items():
            possible = self.facts.calls[(tool,)].episodes
            if path != ANY and _is_general(path) and self._holds(seen, possible, 0.0):
                text = f"The result of {told(tool)} holds {code(path)}, which later steps use."
                yield self._statement(
                    "structure",
                    f"{tool}: {path}",
                    text,
                    (tool, path),
                    seen,
                    possible,
                    part_of=_named(entities, _result(tool)),
                )

    def _structure(self, name: str, text: str, test: Tried, wholes: Names) -> Iterator[Statement]:
        if self._holds(test.worked, test.episodes, _LIKELY):
            yield self._statement("structure", name, text, (name,), test.worked, test.episodes, part_of=wholes)

    # All kinds

    def _holds(self, seen: Seen, possible: int, least: float) -> bool:
        """Whether something was seen often enough, and by enough policies, to be told with this confidence or more."""
        return (
            self._is_seen(seen)
            and len(seen.policies) >= FEWEST_POLICIES
            and confidence(seen.episodes, possible) >= least
        )

    def _is_seen(self, seen: Seen) -> bool:
        return seen.episodes >= self.settings.n_min and seen.tasks >= self.settings.n_min

    def _statement(
        self,
        kind: EnvEntityKind,
        name: str,
        text: str,
        about: Names,
        seen: Seen,
        possible: int,
        *,
        from_tool: str | None = None,
        to_tool: str | None = None,
        constrained_tools: Names = (),
        constrained_policies: Names = (),
        depends_on: Names = (),
        part_of: Names = (),
    ) -> Statement:
        return Statement(
            kind=kind,
            name=name,
            text=text,
            about=about,
            domain=self.domain,
            support=seen.episodes,
            confidence=confidence(seen.episodes, possible),
            policies=tuple(sorted(seen.policies)),
            from_tool=from_tool,
            to_tool=to_tool,
            constrained_tools=constrained_tools,
            constrained_policies=constrained_policies,
            depends_on=depends_on,
            part_of=part_of,
        )


def answer_text(answer: str) -> str | None:
    """Return the words that answers begin with, as text without quotes; empty for silence, null for what is no words.

    `answer` is how observations begin in JSON text, without words that hold digits. Structure tells nothing, nor does a
    single word.
    """
    if answer == '""':
        return ""
    if not answer.startswith('"') or answer[1:2] in ("", "[", "{", "("):
        return None
    words = [word for word in answer.strip('"').split(" ") if word and "\\" not in word]
    return " ".join(words) if sum(any(sign.isalpha() for sign in word) for word in words) >= 2 else None


def _fault(error: str) -> str:
    return "without a message" if error == NO_MESSAGE else f"with an error like {quoted(error)}"


def _luck(after: Tried, whole: Tried) -> float:
    """Return Fisher's one-sided p that first calls after something work as often only by chance."""
    worked, failed = after.worked.episodes, after.failed.episodes
    all_worked, all_failed, drawn = whole.worked.episodes, whole.failed.episodes, worked + failed
    most = min(all_worked, drawn)
    as_good = sum(comb(all_worked, k) * comb(all_failed, drawn - k) for k in range(worked, most + 1))
    return as_good / comb(all_worked + all_failed, drawn)


def _is_name(name: str, tools: Iterable[str]) -> bool:
    """Whether a word names something that lasts: of those with digits only paths and what SQL names, others are ids."""
    if len(name) < SHORTEST or not any(sign.isalpha() for sign in name):
        return False
    is_numbered = any(sign.isdigit() for sign in name)
    return not is_numbered or "/" in name or any(tool.startswith("sql:") for tool in tools)


def _is_general(path: str) -> bool:
    """Whether a path names no individual, as `payment_methods.card_4711.id` does."""
    return bool(path) and not any(sign.isdigit() for sign in path)


def _result(tool: str) -> str:
    return f"result of {tool}"


def _named(entities: Mapping[str, str], name: str) -> Names:
    return (entities[name],) if name in entities else ()


def _among(ids: Collection[str], wanted: Names) -> Names:
    return tuple(sorted(one for one in wanted if one in ids))


def _by_table(tables: Iterable[Statement]) -> dict[str, Names]:
    """Return the ids of the statements about each table, one a database that has it."""
    found: dict[str, Names] = {}
    for one in tables:
        table = one.name.partition(".")[2]
        found[table] = (*found.get(table, ()), one.id)
    return found


def _nested(entities: Sequence[Statement]) -> list[Statement]:
    """Return the entities with each path as part of the nearest path above it that is an entity, too."""
    by_name = {one.name: one.id for one in entities}
    found = []
    for one in entities:
        above = [name for name in by_name if name != one.name and one.name.startswith(f"{name.rstrip('/')}/")]
        nearest = max(above, key=len, default=None)
        found.append(one if nearest is None else replace(one, part_of=(by_name[nearest],)))
    return found


def _strongest(found: Iterable[Statement]) -> list[Statement]:
    """Return the statements with the most support, each once and not beyond the bound."""
    once: dict[str, Statement] = {}
    for one in sorted(found, key=_order):
        once.setdefault(one.id, one)
    return list(once.values())[:MOST]


def _order(one: Statement) -> tuple[str, int, float, str]:
    return one.kind, -one.support, -one.confidence, one.text
