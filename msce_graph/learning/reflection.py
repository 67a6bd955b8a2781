"""The deterministic grade of a reflection: what it adds to its state, action and observation, in two languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pydantic import JsonValue

_GROUNDED = 0.2
"""The share of its words that a reflection must find in its context; under it, it speaks of something else."""
_FAITHFUL = 0.4
"""The share from which a reflection counts as wholly about its context: a remedy brings words of its own."""
_ADDED = 0.25
"""The share of words beyond the action (and beyond the observation) from which it is no mere telling of it."""
_NAMED = 2.5
"""Different words of the context whose naming makes a reflection wholly specific."""


@dataclass(frozen=True, slots=True)
class Grade:
    """Four axes in [0, 1], the weight alpha in [0, 1] that they give, and why, in words."""

    faithful: float
    specific: float
    causal: float
    transferable: float
    alpha: float
    reason: str


def grade(
    reflection: str,
    *,
    state: str,
    tool: str | None,
    arguments: Mapping[str, JsonValue],
    observation: JsonValue,
) -> Grade:
    """Return the grade of a reflection by its local context alone (D3.5).

    alpha = faithful * (0.2 specific + 0.4 causal + 0.4 transferable); 0 for a reflection without content, one that says
    the action or the observation again, and one that speaks of what the context does not contain. Words are counted
    once, so that neither length nor repetition earns anything.
    """
    named = _all_words(tool or "")
    action = named.union(*(_all_words(text) for text in _texts(dict(arguments))))
    answer = frozenset[str]().union(*(_all_words(text) for text in _texts(observation)))
    words = _words(reflection, named)
    context = action | answer | _all_words(state)
    denies = bool(_DENIAL.search(reflection))  # what denies or replaces the action cannot be the action again
    nothing = _fault(words, action=frozenset() if denies else action, answer=answer, context=context)
    if nothing:
        return Grade(0.0, 0.0, 0.0, 0.0, 0.0, nothing)
    # A connective in a sentence about nothing here explains nothing.
    parts = [part.strip() for part in _SENTENCE_END.split(" ".join(reflection.split()))]
    sentences = [part for part in parts if _words(part, named) & context]
    causal, cause = _cause(sentences)
    transferable, rule = _rule(sentences)
    if causal < 1 and not transferable and not denies and words <= action | answer:
        return Grade(0.0, 0.0, 0.0, 0.0, 0.0, "it says the action and the observation again")
    found = words & context
    share = _size(found) / _size(words)
    faithful = min(1.0, share / _FAITHFUL)
    # What the action names itself is half as telling as what was seen beside it.
    named_size = _size(found - action) + 0.5 * _size(found & action)
    added = min(_size(words - action), _size(words - answer)) / _size(words)
    specific = min(1.0, named_size / _NAMED) * min(1.0, added / _ADDED)
    reason = (
        f"faithful {faithful:.2f} ({share:.0%} of its words are in the context), specific {specific:.2f}, "
        f"causal {causal:.2f} ({cause or 'no cause'}), transferable {transferable:.2f} ({rule or 'no rule'})"
    )
    return Grade(faithful, specific, causal, transferable, alpha(faithful, specific, causal, transferable), reason)


def alpha(faithful: float, specific: float, causal: float, transferable: float) -> float:
    """Return how far a reflection with these axes, each in [0, 1], is believed (D3.5), to 6 places."""
    return round(faithful * (0.2 * specific + 0.4 * causal + 0.4 * transferable), 6)


def _fault(words: frozenset[str], *, action: frozenset[str], answer: frozenset[str], context: frozenset[str]) -> str:
    """Return why a reflection of these words weighs nothing, whatever connects them; empty where it may weigh."""
    if not words:
        return "it says nothing of its own"
    if _size(words & context) < _GROUNDED * _size(words):
        return "it speaks of what its context does not contain"
    told = [name for name, source in (("action", action), ("observation", answer)) if words <= source]
    return f"it says the {' and the '.join(told)} again" if told else ""


def _cause(sentences: list[str]) -> tuple[float, str]:
    """Return how far the sentences give a cause, with the words that do.

    What only leads to the agent's own next step (`so I will look`) is half a cause. Where a relative clause says what
    something has not (`files that do not end in .py`), nothing is missing.
    """
    told = [_RELATIVE.sub(" ", sentence) for sentence in sentences]
    plans = [one for one in told if _PLAN.search(one)]
    degree, cause = _strongest([_STEP_REASON.sub(" ", one) if one in plans else one for one in told], _CAUSES)
    return (degree, cause) if degree else _strongest(plans, ((0.5, _STEP_REASON),))


def _rule(sentences: list[str]) -> tuple[float, str]:
    """Return how far the sentences give a rule, with the words that do; the agent's plan for this step is none."""
    degree, rule = _strongest(sentences, _GENERAL)
    return (degree, rule) if degree else _strongest([one for one in sentences if not _PLAN.search(one)], _RULES)


def _strongest(sentences: list[str], degrees: tuple[tuple[float, re.Pattern[str]], ...]) -> tuple[float, str]:
    """Return the highest degree whose pattern stands in one of the sentences, with the words that matched."""
    for degree, pattern in degrees:
        for sentence in sentences:
            match = pattern.search(sentence)
            if match:
                return degree, " ".join(match[0].lower().split())
    return 0.0, ""


# Words --------------------------------------------------------------------------------------------------------------


def _texts(value: JsonValue) -> Iterator[str]:
    """Yield the names and leaves of a value as text."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif value is not None:
        yield str(value)


def _size(words: frozenset[str]) -> float:
    """Return how many words there are; a pair of Chinese characters is half of one, since they overlap."""
    return sum(0.5 if _HAN.match(word) else 1.0 for word in words)


def _words(text: str, named: frozenset[str]) -> frozenset[str]:
    """Return the different words that say something: no filler, unless it is what the tool is named."""
    bare = _CHINESE_FILLER.sub(" ", _ABSENT.sub(" absent ", text)) if _HAN.search(text) else text
    return _parts(bare) - (_FILLER - named)


@lru_cache(maxsize=512)  # one step's observation is the next one's state
def _all_words(text: str) -> frozenset[str]:
    if "\\u" in text:  # JSON text whose writer escaped all but ASCII
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    return _parts(text)


def _parts(text: str) -> frozenset[str]:
    """Return the stems of words, parts of names and numbers of two characters and more, flags, pairs of Han characters.

    That something is not there is one word, however it is said.
    """
    spelled = _ABSENT.sub(" absent ", _HUMP.sub(" ", text).lower())
    stems = {_stem(word) for word in set(_WORD.findall(spelled))}
    stems.update(_FLAG.findall(text))
    if not _HAN.search(text):
        return frozenset(stems)
    return frozenset(
        stems.union(first + second for run in _HAN_RUN.findall(spelled) for first, second in pairwise(run))
    )


@lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    """Return the word without its English ending, the same for all its forms: `cancel`, `cancelled`, `cancels`."""
    for ending in ("ing", "ed", "es", "s"):
        base = word.removesuffix(ending)
        if base != word and len(base) > 2 and not word.endswith("ss") and base.isalpha():
            word = base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "aeiouls" else base
            word = word[:-1] if len(word) > 4 and word.endswith("ll") else word
            break
    if word.endswith(("ie", "y")) and len(word) > 3:
        return f"{word.removesuffix('ie').removesuffix('y')}i"
    return word.removesuffix("e") if len(word) > 3 else word


_HAN_CHARACTERS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN = re.compile(f"[{_HAN_CHARACTERS}]")
_HAN_RUN = re.compile(f"[{_HAN_CHARACTERS}]{{2,}}")
_WORD = re.compile(rf"[^\W_{_HAN_CHARACTERS}]{{2,}}")
_FLAG = re.compile(r"-(?<![\w-]-)[A-Za-z0-9](?![\w-])")
_ABSENT = re.compile(
    r"\b(?:no such|none of [^.!?;]{0,40}\bavailable|unknown|unavailable|nonexistent|missing|never found"
    r"|(?:not|isn't|aren't|wasn't) (?:found|available|present|installed|defined)"
    r"|(?:do|does|did)(?: not|n't) exist|(?:cannot|can't|couldn't|could not) (?:find|be found))\b"
    r"|不存在|找不到|没有?找到|未找到|没有这样的|缺少"
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_SENTENCE_END = re.compile(r"[.!?;]+(?=\s|$)|[。！？；]+")

# Grammar; telling of calls and results; thinking aloud; praise and blame; what kind of thing a name is.
_FILLER_WORDS = """
a about after again all also am an and any anything are around as at back be because been before being both but by came
can cannot could did do does doing done don down during each either else even ever every everything few for from get
gets getting got had has have having he hence her here his how however if in instead into is isn it its itself just
like ll let lets many may maybe me might more most much must my myself need needed needs neither never next no nor not
nothing now of off on once one only onto or other otherwise our out over own per perhaps please put quite rather re
really s same shall she should simply since so some somehow something somewhat still such than that the their them then
there therefore these they thing things this those though through thus to together too two under unless until up upon
us ve very via want wants was way ways we well were what whatever when whenever where whether which while who whom whose
why will with within without would yes yet you your always although already actually currently finally first last
far put words say see script scripts test tests testing
action actions answer answers argument arguments call called calling calls command commands execute executed executes
executing function functions given gives invoke invoked invoking issue issued message messages observation observations
observe observed output outputs parameter parameters perform performed print printed prints receive received report
reported reports request result results return returned returning returns run running runs said saying says seen set
show showed showing shown shows step steps tell tells tool tools try tried trying use used uses using value values
able assume believe careful carefully check checked checking closely consider continue decide expect expected figure
guess happen happened happens hope know look looked looking looks make makes making mean means proceed see seem seems
start starting sure think thinking thought understand going go goes
amazing awesome bad best better brilliant correct correctly excellent error errors fail failed fails failure fine
fantastic good great incorrect job keep nice ok okay perfect perfectly problem problems progress right success
successful successfully unexpected wonderful work worked working works wrong
column columns database directories directory entries entry field fields file files folder folders item items list
object objects place places query queries record records row rows table tables task tasks
"""
_FILLER = frozenset(_stem(word) for word in _FILLER_WORDS.split())

_CHINESE_FILLER_WORDS = """
之所以 换句话说 说到底 看起来 事实上 实际上 也就是说 做得 非常 继续 加油 太棒了 很好 不错 顺利 成功 失败 错误 出错
报错 问题 不对 哪里 好像 似乎 也许 可能 大概 有点 再看看 看看 再看 再试 试试 现在 其实 本身 这里 那里 这个 那个 这些
那些 一个 一些 一下 什么 怎么 因为 由于 所以 因此 于是 导致 以后 之后 之前 以前 必须 应该 应当 需要 可以 才可以 不能
不会 只能 凡是 每次 总是 如果 那么 否则 而且 而不是 但是 不过 已经 首先 然后 接着 最后 改为 使用 调用 执行 运行 显示
返回 观察 结果 输出 参数 函数 工具 命令 动作 操作 我要 我们 你们 他们 它们 就是 还是 都要 并且 并 应 先 再 才 的 了 是
在 和 与 就 都 也 很 这 那 我 你 他 她 它 们 要 会 能 说 吧 吗 呢 啊 且 为 有 不 没 无 把 被 用
"""
_CHINESE_FILLER = re.compile("|".join(sorted(_CHINESE_FILLER_WORDS.split(), key=lambda word: (-len(word), word))))

_CAUSES = (
    (
        1.0,
        re.compile(
            r"\b(?:because|since|therefore|thus|hence|due to|caused? by|causing|as a result|owing to|leads? to"
            r"|resulted in|resulting in|(?:that|this|which) is why|the reason|turns out"
            r"|(?:problem|issue|fault|mistake) is (?:\w+ )?that)\b|\bso\b(?! (?:far|many|much|long|on|that)\b)"
            r"|因为|由于|所以|因此|因而|于是|导致|之所以|原因|造成|引起",
            re.IGNORECASE,
        ),
    ),
    (
        0.5,
        re.compile(
            r"\b(?:but|however|although|even though|instead|rather than|means that|which means|implies|in order to"
            r"|so that|cannot|can't|(?:do|does|did|is|are|was|were) not|(?:do|does|did|is|are|was|were)n't"
            r"|no \w+ (?:\w+ )?found|not found|missing|none of|(?:has|have|had) no)\b"
            r"|但是|可是|然而|不过|而不是|为了|说明|意味着",
            re.IGNORECASE,
        ),
    ),
)
"""Words that give a cause, and those that set one thing against another, say what is missing or give a purpose."""
_PLAN = re.compile(
    r"\b(?:i|we)(?:'ll|'d| will| would| can| could| should| need to| must| might| may| want to| have to"
    r"|(?:'m|'re| am| are) going to) |\blet(?:'s| me| us)\b|我(?:们)?(?:再|先|来|要|想|应该?|需要|必须)",
    re.IGNORECASE,
)
"""What the agent itself is about to do."""
_STEP_REASON = re.compile(
    r"\bsince\b|\bso\b(?=,? (?:i|we|let)\b(?! ?(?:am |are )?(?:cannot|can't|not)))", re.IGNORECASE
)
"""What leads to the agent's own next step; `so I cannot` leads to none."""
_RELATIVE = re.compile(
    r"(?<!,) (?:that|which|who|whose) (?:(?:do|does|did|is|are|was|were|have|has)(?:n't| not)|cannot|can't)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:instead of|rather than|never|cannot|(?:has|have|had|is|are|was|were|do|does|did) (?:no|not))\b"
    r"|n't\b|没有|不是|不在",
    re.IGNORECASE,
)
_GENERAL = (
    (
        1.0,
        re.compile(
            r"\b(?:whenever|always|never|every time|each time|in general|generally|in (?:the )?future|next time"
            r"|from now on|can only|only (?:if|when|after|once)|unless)\b"
            r"|凡是|每次|每当|总是|一律|以后|今后|下次|只能|只有|除非|之前(?:都|应|必须|要|先)|一般|通常|从不|绝不",
            re.IGNORECASE,
        ),
    ),
)
"""Words that make a rule beyond this step, whoever is meant to keep it."""
_OBLIGED = r"\b(?:must|should|has to|have to|needs? to|required|ought to|check|read|verify|confirm|look|ask)\b"
_NOT_MINE = "".join(rf"(?<!\b{word} )" for word in ("to", "is", "did", "not", "can", "will", "would", "could"))
_RULES = (
    (
        1.0,
        re.compile(
            r"(?:^|[,:] (?:and |so |but )?)(?:before|after|when) \w+ing\b[^,]*, "
            rf"|{_OBLIGED}[^.]*\bbefore \w+ing\b"
            r"|\ban? \w+ (?:must|should|cannot|has to|needs to)\b|\bif (?:an?|one|you)\b",
            re.IGNORECASE,
        ),
    ),
    (
        0.5,
        re.compile(
            r"\b(?:instead|rather|needs to be|remember to|(?<!to )make sure|(?<!to )be sure to|ought to|has to|have to"
            r"|(?<!which )should(?! (?:now|work|fix|contain|help|allow|preserve|print|have)\b)"
            r"(?! be (?:helpful|fine|ok|able|the|safe|fixed)\b)"
            r"|must(?! (?:have|be (?:in|the|an?))\b)"
            rf"|{_NOT_MINE}(?:use(?! of)|avoid|prefer|quote|verify|replace))\b"
            r"|应|必须|需要先|要先|改为|改用|最好|不要|务必",
            re.IGNORECASE,
        ),
    ),
)
"""What makes a rule in a sentence that is no plan: for a kind of case, and for what would have been better here."""
