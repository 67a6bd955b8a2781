"""What was so when a step was taken: the features by which contrast may tell two sides apart (D4.6)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from pydantic import JsonValue

from msce_graph.learning.dataflow import SHORTEST
from msce_graph.learning.procedure import canonical
from msce_graph.learning.shape import QUOTE
from msce_graph.learning.signature import error_signature
from msce_graph.records import FeatureKind

_LARGEST_COUNT = 9
"""Whole numbers up to this count something; larger ones are prices, sizes or ids."""
_MOST_DIGITS = 2
"""Digits of a text at most that names no individual."""


class Feature(NamedTuple):
    """What may tell two sides apart, by kind, name and value.

    A missing tool: its name. An argument: its path and value. An observation: a tool, the path in its result, and the
    value there. An error: the tool that failed and the signature. A word of the task. In paths dots stand for fields,
    [] for any element, * for a field that is named after an individual.
    """

    kind: FeatureKind
    name: str
    value: str = ""


@dataclass(frozen=True)
class Act:
    """One tool step, as far as contrast looks at it."""

    tool: str
    arguments: Mapping[str, JsonValue]
    observation: JsonValue
    """Structure where it was JSON, as normalising leaves it."""
    is_error: bool = False

    @cached_property
    def given(self) -> frozenset[Feature]:
        """The values of its arguments."""
        return frozenset(Feature("argument", path, value) for path, value in _values(dict(self.arguments)))

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """The values of its arguments that can be told from a coincidence."""
        texts = (str(value) for _, value in _leaves(dict(self.arguments), "") if isinstance(value, str | int | float))
        return frozenset(text for text in texts if len(text) >= SHORTEST and text.lower() not in ("true", "false"))

    @cached_property
    def result(self) -> frozenset[Feature] | None:
        """The values of its structured result; null where it has none."""
        if self.is_error or not isinstance(self.observation, dict | list):
            return None
        return frozenset(
            Feature("observation", _within(self.tool, path), value) for path, value in _values(self.observation)
        )

    @cached_property
    def error(self) -> frozenset[Feature]:
        """The error that it ended in, if it did."""
        if not self.is_error:
            return frozenset()
        return frozenset([Feature("error", self.tool, error_signature(self.observation))])


@dataclass(frozen=True, slots=True)
class Context:
    """What was so when a step was taken."""

    tools: frozenset[str]
    """Called earlier in the episode."""
    features: frozenset[Feature]
    """All but the missing tools, which only show beside other episodes."""

    def as_text(self) -> str:
        """Return it as canonical JSON."""
        features: list[JsonValue] = [list(one) for one in sorted(self.features)]
        return canonical({"tools": list[JsonValue](sorted(self.tools)), "features": features})


def read_context(text: str) -> Context:
    """Return the context that `Context.as_text` wrote."""
    kept = json.loads(text)
    return Context(frozenset(kept["tools"]), frozenset(Feature(*one) for one in kept["features"]))


def context(step: Act, earlier: Sequence[Act], task: str) -> Context:
    """Return what was so when a step was taken; `earlier` are the tool steps of its episode before it, in order.

    Of each tool the latest structured result counts, among calls that share an argument's value with the step where
    there are any: of the reservations that were read, the one that it cancels. Errors are those before it and its own.
    """
    features = set(step.given)
    for result in _results(step, earlier):
        features |= result
    for act in (*earlier, step):
        features |= act.error
    features.update(Feature("task_word", word) for word in _words(task))
    return Context(frozenset(act.tool for act in earlier), frozenset(features))


def _within(tool: str, path: str) -> str:
    return f"{tool}.{path}" if path and not path.startswith("[") else tool + path


def _results(step: Act, earlier: Iterable[Act]) -> Collection[frozenset[Feature]]:
    """Return the structured result of each earlier tool that bears on a step."""
    found: dict[str, tuple[bool, frozenset[Feature]]] = {}
    for act in earlier:
        if act.result is None:
            continue
        bears = not step.identifiers.isdisjoint(act.identifiers)
        if bears or act.tool not in found or not found[act.tool][0]:
            found[act.tool] = (bears, act.result)
    return [result for _, result in found.values()]


def _values(structure: JsonValue) -> Iterator[tuple[str, str]]:
    """Yield the values that name no individual, as text, each with its path; numbers of elements are theirs alone."""
    for path, value in _leaves(structure, ""):
        text = value if isinstance(value, str) else canonical(value)
        is_element_number = "[]" in path and _NUMBER.fullmatch(text)
        if not is_element_number and not _holds_individuals(path) and _is_common(text):
            yield path, text


def _leaves(structure: JsonValue, path: str) -> Iterator[tuple[str, JsonValue]]:
    """Yield what a structure holds, each with its path; an empty list or object is a value too."""
    if isinstance(structure, dict) and structure:
        for name, inner in structure.items():
            part = name if _is_common(name) else "*"
            yield from _leaves(inner, f"{path}.{part}" if path else part)
    elif isinstance(structure, list) and structure:
        for inner in structure:
            yield from _leaves(inner, f"{path}[]")
    else:
        yield path, structure


@lru_cache(maxsize=16_384)
def _holds_individuals(path: str) -> bool:
    """Whether the last name of a path says that ids, people, prices, dates or times stand there."""
    name = path.rpartition(".")[2].replace("[]", "")
    words = _HUMP.sub(" ", name).replace("_", " ").replace("-", " ").lower().split()
    return (
        not _INDIVIDUAL.isdisjoint(words[-1:])
        or " ".join(words[-2:]) in _PERSONAL_NAMES
        or name.endswith(_CHINESE_INDIVIDUAL)
    )


@lru_cache(maxsize=16_384)
def _is_common(text: str) -> bool:
    """Whether a value or a name may be many individuals' own: no id, price, date, time, address or free text."""
    if not text or len(text) > QUOTE // 2 or not text.isprintable():
        return False
    if _NUMBER.fullmatch(text):
        return text.lstrip("-").isdecimal() and abs(int(text)) <= _LARGEST_COUNT
    return sum(sign.isdigit() for sign in text) <= _MOST_DIGITS and not _INDIVIDUAL_TEXT.search(text)


@lru_cache(maxsize=1024)
def _words(task: str) -> frozenset[str]:
    """Return the words of a task; of scripts without spaces the pairs of characters; none that every task has."""
    found: set[str] = set()
    for run in _WORD.findall(unicodedata.normalize("NFKC", task).casefold()):
        if _UNSPACED.match(run):
            found.update(
                first + second
                for first, second in pairwise(run)
                if first not in _COMMON_CHARACTERS and second not in _COMMON_CHARACTERS
            )
        elif len(run) >= SHORTEST and run not in _COMMON:
            found.add(run)
    return frozenset(found)


_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_INDIVIDUAL_NAMES = """
id ids uuid guid hash token email mail phone telephone mobile zip postcode dob birthday birthdate date time
datetime timestamp address url uri price prices amount cost surname username
"""
_INDIVIDUAL = frozenset(_INDIVIDUAL_NAMES.split())
_PERSONAL_NAMES = frozenset(
    {"first name", "last name", "full name", "middle name", "given name", "family name", "user name"}
)
_CHINESE_INDIVIDUAL = ("姓名", "电话", "手机", "手机号", "邮箱", "日期", "时间", "地址", "编号", "价格", "金额")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?")
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
_INDIVIDUAL_TEXT = re.compile(
    r"@|://|[$€£¥]\s*\d|\d\s*(?:usd\b|eur\b|cny\b|元|美元)"
    r"|\d[:/.-]\d|\d\s*(?:[年月日点时号]|[ap]\.?m\b)"
    rf"|\b{_MONTH}\b\.?\s+\d|\d(?:st|nd|rd|th)?\s+{_MONTH}\b"
    r"|(?-i:\b(?=[A-Z]*\d)[A-Z0-9]{4,}\b)",
    re.IGNORECASE,
)
_CHARACTERS_WITHOUT_SPACES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_UNSPACED = re.compile(f"[{_CHARACTERS_WITHOUT_SPACES}]")
_WORD = re.compile(rf"[{_CHARACTERS_WITHOUT_SPACES}]+|[^\W\d_{_CHARACTERS_WITHOUT_SPACES}]+")
_COMMON_WORDS = """
about after all also and any are been before but can could did does don for from get had has have hello her
here him his how into its just like may more most need not now off one only other our out over please she
should some such than thank thanks that the their them then there these they this those too under was were
what when where which while who whose why will with would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_COMMON_CHARACTERS = frozenset("的了是在和与就都也很这那个我你他她它们要会可以有把被对从到给让请吗呢吧之其")
