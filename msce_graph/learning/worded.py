"""Whether words of a language model may stand in place of a deterministic draft, and its grades in place of ours.

A draft goes out with marks like {1} where it has quotes of logs and numbers, and they are put back afterwards. So words
of an observation never reach the model, and its words serve as long as only counts change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from msce_graph.learning.reflection import Grade, alpha
from msce_graph.learning.wording import AS_DATA, quoted

Language = Literal["English", "Chinese"]

_SUMMARIES = frozenset({"title", "description"})
"""Fields that may leave out some of what their draft names and counts: other fields say it too."""
_LONGER = 2
_ROOM = 80
"""Characters that a field may have beyond `_LONGER` times its draft."""
_RUN = 5
"""Words in a row that count as a copy."""
_HAN_RUN = 8
"""The same in Chinese characters."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The fields of a draft with marks in place of quotes and numbers, and what the marks stand for, in order."""

    fields: Mapping[str, str]
    kept: tuple[str, ...]


def draft(fields: Mapping[str, str]) -> Draft:
    """Return a deterministic text as it goes to a language model."""
    kept: list[str] = []

    def mark(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"{{{len(kept)}}}"

    marked = {}
    for name, text in fields.items():
        without_quotes = _QUOTE.sub(mark, text)
        marked[name] = _outside_code(without_quotes, lambda part: _NUMBER.sub(mark, part))
    return Draft(marked, tuple(kept))


def restored(words: Mapping[str, str], kept: Sequence[str]) -> dict[str, str]:
    """Return accepted words with what their marks stand for; marks inside of names are none."""
    return {
        name: _outside_code(_one_line(text), lambda part: _MARK.sub(lambda found: kept[int(found[1]) - 1], part))
        for name, text in words.items()
    }


def language(texts: Iterable[str]) -> Language:
    """Return the language of texts: Chinese where they have as many Chinese characters as other words."""
    han = words = 0
    for text in texts:
        han += len(_HAN.findall(text))
        words += len(_LATIN_WORD.findall(text))
    return "Chinese" if han and han >= words else "English"


def graded(*, faithful: float, specific: float, causal: float, transferable: float, by: str) -> Grade:
    """Return the grade that a model's four axes give, by the formula of D3.5.

    Raises ValueError for an axis out of [0, 1].
    """
    axes = {"faithful": faithful, "specific": specific, "causal": causal, "transferable": transferable}
    for name, value in axes.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{name} is {value}, which is not in [0, 1]")
    reason = f"{', '.join(f'{name} {value:.2f}' for name, value in axes.items())}, by {by}"
    return Grade(**axes, alpha=alpha(**axes), reason=reason)


# Refusing -----------------------------------------------------------------------------------------------------------


def refusal(
    before: Draft,
    words: Mapping[str, str],
    *,
    wanted: Language,
    facts: Iterable[str] = (),
    logs: Iterable[str] = (),
) -> str:
    """Return why a model's words may not stand in place of a draft; empty where they may (D6.7).

    `facts` are further texts whose names it may use, the steps of the procedure; `logs` is what was observed, of which
    nothing may be copied.
    """
    if words.keys() != before.fields.keys():
        return "it has other fields than the draft"
    texts = {name: _one_line(text) for name, text in words.items()}
    known = _Known.of([*before.fields.values(), *facts])
    checks: tuple[Callable[[str, str, str], str], ...] = (
        _length,
        lambda name, old, new: _names(name, old, new, known.codes),
        _marks,
        lambda _name, _old, new: _signs(new),
        lambda _name, _old, new: _strange(new, known.words),
        _sense,
        lambda _name, _old, new: _other_language(new, wanted),
    )
    for name, old in before.fields.items():
        for check in checks:
            if reason := check(name, old, texts[name]):
                return f"its {name} {reason}"
    copied = _copied(texts.values(), before.fields.values(), logs)
    return f"it copies {quoted(copied)}" if copied else ""


@dataclass(frozen=True, slots=True)
class _Known:
    """What a model may name: names in backticks, and the words that they and the draft are made of."""

    codes: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> _Known:
        given = list(texts)
        return cls(
            frozenset(code for text in given for code in _CODE.findall(text)),
            frozenset(word.lower() for text in given for word in _LATIN_WORD.findall(text)),
        )


def _length(_: str, old: str, new: str) -> str:
    if not new:
        return "is empty"
    most = _LONGER * len(old) + _ROOM
    return f"has {len(new)} characters, more than {most}" if len(new) > most else ""


def _names(name: str, old: str, new: str, known: frozenset[str]) -> str:
    """Hold names in backticks to those that are known, and to all of the field's own."""
    if new.count("`") % 2:
        return "leaves a backtick open"
    given = _CODE.findall(new)
    if strange := sorted(set(given) - known):
        return f"names {quoted(strange[0])}, which the draft does not"
    left_out = sorted(set(_CODE.findall(old)) - set(given))
    return f"leaves out {left_out[0]}" if left_out and name not in _SUMMARIES else ""


def _marks(name: str, old: str, new: str) -> str:
    wanted, given = (Counter(_MARK.findall(_prose(text))) for text in (old, new))
    is_right = given <= wanted if name in _SUMMARIES else given == wanted
    return "" if is_right else "does not keep the numbers and quotes of the draft"


def _signs(new: str) -> str:
    """Allow letters and the marks of prose alone: digits, paths, options, addresses, code and quotes need others."""
    found = _SIGN.search(_MARK.sub(" ", _prose(new)))
    return f"holds {quoted(found[0])} outside of names" if found else ""


def _strange(new: str, known: frozenset[str]) -> str:
    """Refuse what is written like a name, counts, or speaks to programs, people and models, unless the draft has it."""
    prose = _MARK.sub(" ", _prose(new))
    for pattern, what in _STRANGE:
        for found in pattern.finditer(prose):
            if found[0].lower() not in known:
                return f"{what} {quoted(found[0])}, which the draft does not"
    return ""


def _sense(name: str, old: str, new: str) -> str:
    """Hold a text to the draft's: what is not to be stays so, and what is to be does not turn into its opposite."""
    was, is_now = _denies(old), _denies(new)
    if was and not is_now and (name not in _SUMMARIES or _AVOID.match(old)):
        return "leaves out what is not to be"
    if is_now and not was and (name in _SUMMARIES or not _WENT_BADLY.search(old)):
        return "says no where the draft does not"
    return ""


def _denies(text: str) -> bool:
    return bool(_NO.search(_NO_NO.sub(" ", _prose(text))))


def _other_language(new: str, wanted: Language) -> str:
    prose = _prose(new)
    has_han, has_words = bool(_HAN.search(prose)), bool(_LATIN_WORD.search(prose))
    if wanted == "Chinese":
        return "is not in Chinese" if has_words and not has_han else ""
    return "is not in English" if has_han else ""


def _copied(new: Iterable[str], old: Iterable[str], logs: Iterable[str]) -> str:
    """Return words in a row that stand in the logs and not in the draft; empty where there are none."""
    given = dict.fromkeys(run for text in new for run in _runs(_prose(text)))
    for text in old:
        for run in _runs(_prose(text)):
            given.pop(run, None)
    if not given:
        return ""
    seen = frozenset(chain.from_iterable(map(_runs, logs)))
    return next((run for run in given if run in seen), "")


def _runs(text: str) -> Iterator[str]:
    """Yield all rows of as many words, and of as many Chinese characters, as count as a copy."""
    words = _LATIN_WORD.findall(text.lower())
    yield from (" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
    han = "".join(_HAN.findall(text))
    yield from (han[at : at + _HAN_RUN] for at in range(len(han) - _HAN_RUN + 1))


# Text ---------------------------------------------------------------------------------------------------------------


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _prose(text: str) -> str:
    """Return a text without its names in backticks."""
    return _CODE.sub(" ", text)


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a text of which all but the names in backticks is changed."""
    parts = _CODE_APART.split(text)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


_HAN_CHARACTERS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN = re.compile(f"[{_HAN_CHARACTERS}]")
_LATIN_WORD = re.compile(rf"[^\W\d_{_HAN_CHARACTERS}]+")
_CODE = re.compile(r"`[^`]*`")
_CODE_APART = re.compile(r"(`[^`]*`)")
_MARK = re.compile(r"\{(\d+)\}")
_QUOTE = re.compile(rf'"[^"]*" {re.escape(AS_DATA)}')
_NUMBER = re.compile(r"(?<![\w.{])[+-]?\d+(?:[.,]\d+)*(?: ?%)?(?![\w}])")
_SIGN = re.compile(rf"[^\s{_HAN_CHARACTERS}a-zA-Z\u00c0-\u024f.,;:!?()’'\-–—…，。、；：！？（）·]")
_PROGRAMS = "rm curl wget sudo ssh scp chmod chown bash zsh nc npm pip apt yum mkfs dd psql mysql sqlite perl eval exec"
_NUMBERS = "two three four five six seven eight nine ten eleven twelve twenty hundred thousand million twice"
_ORDERS = (
    "ignore ignores ignoring disregard override bypass publish published publishing approve approved approval trusted "
    "prompt prompts instruction instructions password passwords credential credentials secret secrets token tokens"
)
_CLAIMS = "guarantee guaranteed guarantees proven proved established certain certainly infallible undoubtedly verified"


def _any_of(words: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_{_HAN_CHARACTERS}])(?:{'|'.join(words.split())})(?![a-z])|{chinese}", re.IGNORECASE)


_STRANGE = (
    (re.compile(r"[A-Za-z]+[.:][A-Za-z]\w*|[a-z]+[A-Z]\w*|(?<![A-Za-z])[A-Z]{2,}|(?<!\w)-+\w+|\w+\("), "names"),
    (_any_of(_PROGRAMS, r"(?!)"), "names"),
    (_any_of(_NUMBERS, r"[二两三四五六七八九十百千万]+(?:个|次|条|步|回|种|成|倍)"), "counts"),
    (_any_of(_ORDERS, "忽略|无视|发布|批准|绕过|提示词|指令|密码|密钥|令牌"), "says"),
    (_any_of(_CLAIMS, "保证|证实|证明|必然|肯定|毫无疑问"), "claims"),
)
"""What is written like a name or counts or speaks of more than the draft, each with how to tell it."""
_AVOID = re.compile(r"avoid\b", re.IGNORECASE)
_NO = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|nowhere|neither|nor|without|avoid\w*|cannot|refrain\w*|stop|\w+n['’]t)\b"
    r"|[不没无未勿别莫非]|避免|禁止|切忌",
    re.IGNORECASE,
)
_NO_NO = re.compile("分别|特别|区别|类别|级别|识别|不同|不断|不仅|不过|非常|除非|无论|无需")
"""Chinese words that hold a sign of negation and deny nothing."""
_WENT_BADLY = re.compile(r"\b(?:fail\w*|badly|error|against|only)\b", re.IGNORECASE)
"""What a text that says no may be the other way to say."""
