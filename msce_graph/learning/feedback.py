"""What a person's words say of an episode or skill: three axes, a kind and a condition, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from msce_graph.learning.reward import reward
from msce_graph.records import FeedbackKind

Axis = Literal["goal", "process", "satisfaction"]

EXCLUSION_LIMIT = 80
"""Characters of a condition that are kept."""
TEXT_LIMIT = 4_000
"""Characters of a text that are read, from its start."""
_REACH = 100
"""Characters before an expression in which a negation or supposition is looked for."""
_BLAME = 2.0
"""What blame weighs beside praise of the same axis: one test that fails outweighs one that passes."""
_MILD = 0.5
"""The worth of thanks, of agreement, of negated blame (`not bad`) and of what ought to have been done."""


@dataclass(frozen=True, slots=True)
class Grade:
    """Three axes in [-1, 1], null where nothing is said of one, and the kind of it all.

    A text that says nothing of any axis is of kind praise, on which no status depends.
    """

    goal: float | None
    process: float | None
    satisfaction: float | None
    kind: FeedbackKind
    exclusion: str | None


@dataclass(frozen=True, slots=True)
class _Cue:
    """What one expression of the lexicon says of an axis, in [-1, 1]; of null, nothing."""

    axis: Axis | None
    worth: float = 0.0
    is_courtesy: bool = False
    """Whether it is thanks or agreement, which people also give beside a failure and before the work is done."""
    is_trouble: bool = False
    """Whether it names what can also be solved, found or asked about: it counts where its clause says nothing else."""
    refuses: bool = False
    is_final: bool = False
    """Whether it is said of how things stand in the end, whatever was before."""


def grade(text: str) -> Grade:
    """Return what a text says of goal completion, process quality and satisfaction (D3.4), by a lexicon and rules.

    An axis is the mean of what is said of it, in which blame weighs double. Questions, conditions, wishes, quotations
    and code say nothing; thanks say nothing beside blame or a request. Words that refuse the work are a rejection; a
    correction says what should be otherwise, or that the work was done badly; blame of the result alone is a
    rejection. Irony is taken at its word.
    """
    said = _plain(text)
    clauses = list(_clauses(said))
    cues = [cue for clause in clauses for cue in _cues(clause)]
    condition = exclusion(text)
    is_corrected = condition is not None or any(_REMEDY.search(clause) for clause in clauses)
    if is_corrected:
        cues.append(_Cue("process", -_MILD))
    if _REQUEST.search(said) or any(cue.worth < 0 for cue in cues):
        cues = [cue for cue in cues if not cue.is_courtesy]
    goal, process, satisfaction = _mean(cues, "goal"), _mean(cues, "process"), _mean(cues, "satisfaction")
    worth = reward(feedback={"goal": goal, "process": process, "satisfaction": satisfaction}).reward
    kind: FeedbackKind = "praise"
    if any(cue.refuses for cue in cues):
        kind = "rejection"
    elif is_corrected:
        kind = "correction"
    elif worth is not None and worth <= 0:
        kind = "correction" if process is not None and process < 0 else "rejection"
    return Grade(goal, process, satisfaction, kind, condition)


def _mean(cues: list[_Cue], axis: Axis) -> float | None:
    """Return the mean worth of the cues of an axis to two places, from the last that tells how things stand on."""
    found = [cue for cue in cues if cue.axis == axis]
    last = max((place for place, cue in enumerate(found) if cue.is_final), default=0)
    weighed = [(cue.worth, _BLAME if cue.worth < 0 else 1.0) for cue in found[last:]]
    if not weighed:
        return None
    return round(sum(worth * weight for worth, weight in weighed) / sum(weight for _, weight in weighed), 2)


# Clauses ------------------------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """Return a text without code, quotations and addresses, in lower case, with short forms spelled one way."""
    plain = _FOREIGN.sub(" ", text[:TEXT_LIMIT].replace("’", "'")).lower()
    return _UNMARKED.sub(r"\1n't", plain)


def _clauses(said: str) -> Iterator[str]:
    """Yield the clauses of a plain text that state something: no question and nothing about its own beginnings."""
    for sentence in _SENTENCE.findall(said):
        parts = [part.strip() for part in _CLAUSE_END.split(sentence) if part and part.strip()]
        if not parts or (_ASKED.search(sentence) and _TAG.fullmatch(parts[-1])):
            continue
        if _ASKED.search(sentence):
            parts.pop()
        yield from (part for part in parts if not _ASKS.match(part) and not _AT_FIRST.search(part))


def _cues(clause: str) -> Iterator[_Cue]:
    """Yield what the expressions of a clause say, turned where they are negated, none that is only supposed."""
    found = [(clause[: match.start()][-_REACH:], _CUES[str(match.lastgroup)]) for match in _LEXICON.finditer(clause)]
    has_verdict = any(cue.axis and not cue.is_trouble and not cue.is_courtesy for _, cue in found)
    for before, cue in found:
        if cue.axis is None or _SUPPOSED.search(before) or (cue.is_trouble and has_verdict):
            continue
        if _NEGATED.search(before):
            if cue.is_courtesy or cue.refuses:
                continue
            cue = replace(cue, worth=-1.0 if cue.worth > 0 else _MILD)
        elif _HEDGED.search(before):
            cue = replace(cue, worth=cue.worth * _MILD)
        yield replace(cue, is_final=bool(_IN_THE_END.search(clause)))


# Conditions ---------------------------------------------------------------------------------------------------------


def exclusion(text: str) -> str | None:
    """Return the condition under which a correction says that it does not hold, if it names one.

    It is in the person's words, at most 80 characters of them, and so data. Of a condition that must hold (`only if`,
    `只有...才`) the absence is returned: `unless ...`, `除非...`.
    """
    sentences = _SENTENCE.findall(_FENCED.sub(" ", text[:TEXT_LIMIT]).replace("’", "'"))
    said = "\n".join(sentence for sentence in sentences if not _NOT_ABOUT_IT.search(sentence))
    for pattern, lead in _EXCLUSIONS:
        for match in pattern.finditer(said):
            condition = " ".join(match["condition"].strip(_MARKS).split())
            if condition and not _NO_CONDITION.match(condition):
                return _cut(lead + condition)
    return None


def _cut(words: str) -> str:
    return words if len(words) <= EXCLUSION_LIMIT else f"{words[: EXCLUSION_LIMIT - 1]}…"


_MARKS = " \t\n,.;:!，。；：！、\"'`“”‘’"
_FENCED = re.compile(r"```.*?(?:```|\Z)|^\s*>.*$", re.DOTALL | re.MULTILINE)
_NOT_ABOUT_IT = re.compile(
    r"[?？]|[吗么]\W*$|\b(?:i|we)(?:'d|'ll| will| would| won't| can't| cannot| could| need)\b", re.IGNORECASE
)
"""Questions, and what the speaker would or could do."""
_NO_CONDITION = re.compile(
    r"(?:(?:at all )?possible|needed|necessary|not|so|me|us|you|everyone|now|sure|that|it|long|a while)$"
    r"|(?:i|we|you) (?:\w+ )?(?:tried|try|ran|run|checked|check|looked|asked|opened|used|can|could|want|like)\b",
    re.IGNORECASE,
)
"""What stands after `if`, `when` or `for` and is no property of a situation."""

_INDIRECT = "".join(
    rf"(?<!\b{word} )"
    for word in (
        *("even", "as", "know", "sure", "matter", "care", "check", "checked", "ask", "asked", "verify", "verified"),
        *("confirm", "confirmed", "see", "say", "clear", "wonder", "tell me", "look", "looked", "understand"),
    )
)
_HERE = r"[^.,;!\n。，；！]{0,120}?"
"""Words of the same clause."""
_CONDITION = (
    r"(?P<condition>[^.,;!\n。，；！—]{1,200}?)"
    r"(?=\s*(?:[.,;!\n。，；！—]|$|\b(?:because|since|but|so|please|then|do not|don't|never)\b))"
)
_FORBIDS = r"\b(?:do not|don't|never|must not|mustn't|should not|shouldn't|cannot|can't|avoid|stop|not to)\b"
_FAULT = (
    rf"(?:{_FORBIDS}|\b(?:not|doesn't|didn't|won't|isn't|wasn't|wrong|incorrect|fails?|failed|breaks?|broken"
    r"|useless|bad|mistake)\b)"
)
_WHERE = r"(?:if|when|whenever|where|in case|once)"
_HOLDS = r"(?:works?|working|appl(?:y|ies)|fit|(?:use|do|run|apply) (?:this|it|that))"
_ZH_CONDITION = r"(?P<condition>[^，。；！,.;!\n]{1,80}?)"
_ZH_FORBIDS = r"(?:不要|不能|不该|不应|不可|不得|不准|禁止|请勿|切勿|千万别|别)"
_ZH_FAULT = rf"(?:{_ZH_FORBIDS}|不行|不对|不适用|不成立|不管用|无效|没用|无法|失败|出错|报错|是?错的?)"
_ZH_IF = r"(?:如果|要是|假如|假设|倘若|若(?!干)|一旦|每当|(?<![应适])当(?![前然中])|遇到|碰到|凡是|对于)"
_ZH_WHEN = r"(?:的时候|的情况下|的场合|的话|时)"

_EXCLUSIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), lead)
    for pattern, lead in (
        # forbidden, but for ...
        (rf"{_FAULT}{_HERE},?\s+(?:unless|until|except (?:{_WHERE}|for))\s+{_CONDITION}", "unless "),
        (rf"\bunless\s+{_CONDITION},\s*{_HERE}{_FAULT}", "unless "),
        # where ..., it is wrong
        (rf"\b{_INDIRECT}{_WHERE}\s+{_CONDITION},?\s*(?:then\s+)?{_FORBIDS}", ""),
        (rf"\b{_INDIRECT}{_WHERE}\s+{_CONDITION},\s*{_HERE}(?:{_FAULT}|\binstead\b)", ""),
        # it is wrong where ...
        (rf"{_FAULT}{_HERE}\b{_INDIRECT}{_WHERE}\s+{_CONDITION}", ""),
        (rf"{_FORBIDS}{_HERE}\b(?=(?:after|during|while)\b){_CONDITION}", ""),
        (rf"(?:{_FAULT}{_HERE}\b{_HOLDS}|\bnot|\bwrong|\bfails?) (?:for|to)\s+{_CONDITION}", ""),
        (rf"(?:{_FAULT}{_HERE}\b{_HOLDS}|\bfails?) (?=(?:in|on|with)\b){_CONDITION}", ""),
        # it holds only where ..., and not where ...
        (rf"(?<!not )\bonly (?:\w+ (?:this |it |that )?)?{_INDIRECT}{_WHERE}\s+{_CONDITION}", "unless "),
        (rf"(?<!not )\bonly (?:\w+ (?:this |it |that )?)?(?=(?:after|for|in|on|with) ){_CONDITION}", "unless "),
        (rf"\b(?:except|with the exception of)(?: {_WHERE}| for)? (?!that\b){_CONDITION}", ""),
        (rf"\bunless\s+{_CONDITION}", ""),
        (rf"{_ZH_FORBIDS}[^。；！\n]{{0,80}}?除非{_ZH_CONDITION}(?=[，。；！,.;!\n]|$)", "除非"),
        (rf"除非{_ZH_CONDITION}[，,]?\s*(?:否则)?[^，。；！\n]{{0,80}}?{_ZH_FORBIDS}", "除非"),
        (rf"除非{_ZH_CONDITION}(?=[，。；！,.;!\n]|$)", ""),
        (rf"只有{_ZH_CONDITION}{_ZH_WHEN}?(?:才会?{_ZH_FAULT})", ""),
        (rf"只有{_ZH_CONDITION}{_ZH_WHEN}?[，,]?\s*才", "除非"),
        (rf"(?:只能?|仅|应?只)在{_ZH_CONDITION}(?:{_ZH_WHEN}|[之以]?后)", "除非"),
        (rf"(?:只|仅)(?:能|限|适用|能?用)于?{_ZH_CONDITION}(?=[，。；！,.;!\n]|$)", "除非"),
        (rf"{_ZH_IF}{_ZH_CONDITION}{_ZH_WHEN}?[，,]?\s*(?:就|都|则|请|也|这样|它|会)*{_ZH_FAULT}", ""),
        (rf"(?:不要|不能|不该|不应|别|勿)在{_ZH_CONDITION}(?:{_ZH_WHEN}|期间)", ""),
        (rf"(?:不适用于|不适合|不能用于|不要用于|别用于|不可用于){_ZH_CONDITION}(?=[，。；！,.;!\n]|$)", ""),
        (rf"(?:^|[，。；！,.;!\n]){_ZH_CONDITION}{_ZH_WHEN}[，,]?\s*(?:就|都|则|请|也|会)*{_ZH_FAULT}", ""),
        (rf"除了?{_ZH_CONDITION}(?:以外|之外|外)?(?=[，,都]|(?<=外))(?![，,]?\s*(?:还|也))", ""),
        (rf"(?:^|[，。；！,.;!\n]){_ZH_CONDITION}除外", ""),
    )
)
"""What names a condition, the exact before the general, and what the condition is told with."""


# Words --------------------------------------------------------------------------------------------------------------

_LISTS: tuple[tuple[_Cue, str], ...] = (
    (
        _Cue(None),
        r"""
        no (doubt|wonder|matter), not to mention, ^well$, to be (clear|fair|honest),
        (it is|it's) (clear|right|good) (that|to), good (morning|afternoon|evening|day|luck|night|question),
        have an? (\w+ )?(good|great|nice|wonderful|lovely) \w+, happy to \w+, i guess, clear up,
        right (now|away|after|before|there), all right, alright, clean up, error (message|code|handling)*,
        thanks? in advance, thanks to, for good, quick (question|note), you(r|'re| are) (right|welcome), that's right,
        as well, well as,
        不仅, 不但, 不光, 不只, 不得不, 没想到, 不愧, 不少, 不久, 差不多, 误差, 差异, 差别, 差价, 差额, 时差,
        错误信息, 报错信息, 快递, 快照, 快捷, 尽快, 快要, 麻烦(你|您), 好处, 好吧, 问题不大, 请问
        """,
    ),
    (
        _Cue("satisfaction", 1.0),
        r"""
        (can't|cannot) (complain|thank you enough), could(n't| not) (be|have been) \w+, no complaints?, well done,
        never been (happier|better), would (\w+ )?(recommend|use (it|this) again),
        (good|great|nice|excellent) (job|work),
        没话说, 没得说, 挑不出毛病, 干得(好|漂亮), 做得(很|非常|真|太)?好
        """,
    ),
    (
        _Cue("goal", 1.0),
        r"""
        no longer (broken|fails?|crash*|failing), not (only|just|merely) (works?|fixed|solved),
        没错, 不再(报错|出错|崩溃|失败)
        """,
    ),
    (
        _Cue("goal", _MILD),
        r"""
        (no|zero|without|without any) (\w+ )?(problem|error|issue|bug|mistake|fault|failure)s?, all set,
        nothing (is |was |went |to )?(wrong|fix), (that's|that is|that was) (all|everything) (i|we) (needed|wanted),
        没有?(任何|什么|出|发现)*(问题|毛病|错误|报错|差错), 无误
        """,
    ),
    (
        _Cue("goal", -_MILD),
        r"""
        transfer me, connect me (to|with),
        (speak|talk) (to|with) (an? |your |the )?(human|supervisor|manager|someone else),
        转人工, 人工客服, 找(你们)?(领导|经理|主管)
        """,
    ),
    (
        _Cue("goal", -1.0, refuses=True),
        r"""
        reject, rejected, undo, revert, roll (it |this |that )?back, start over, scrap (it|this|that), unacceptable,
        unusable, (completely|totally|entirely|utterly) (wrong|useless|broken), throw (it|this|that) away,
        waste of \w+, (delete|remove) this skill,
        (do not|don't|never|stop) (ever )?(use|using) (it|this|that)( skill)?( again| any ?more)?$,
        拒绝, 撤(销|回), 回滚, 推倒重来, 重新来过, 重做, 从头再来, (完全|彻底)(是)?(错|不对|没用), 不(能|可)接受,
        作废, (别|不要|不准)再用, 停用, 弃用
        """,
    ),
    (
        _Cue("goal", -1.0),
        r"""
        fail, fails, failed, failing, broken?, breaks, wrong*, incorrect*, inaccurate, invalid, useless, incomplete,
        unfinished, unresolved, unsolved, missing, (it|you|agent) missed, (gave|gives) up, buggy, ignored, ignores,
        forgot, forgets, hallucinat*, made (it |that |this )?up, invented, misunderst*,
        (lost|deleted|overwrote) (my|our|all),
        NOT (work|solve|fix|resolve|complete|finish|succeed|pass|compile|run|build),
        NOT (load|open|start|match|add up|make sense), NOT (do|change) (what|anything|the),
        (never|unable to) (work|solve|fix|resolve|complete|finish)*, stopped working,
        (is|are|was)(n't| not) (enough|done|ready|there),
        not (\w+ )?(what|the one|as) (i|we) (\w+ )?(asked|wanted|needed)*,
        nothing (has )?(happened|changed|happens|changes), no (effect|success|result|progress),
        still (the same|waiting), needs? (to be )?(fix|redo|correct)*, half[- ]done, omit*, omitted,
        never (arrived|came|happened), (can't|cannot) (log in|open|use|find),
        (solved|fixed|changed|did|achieved|helped|resolved) (nothing|none|neither),
        失败, (搞|弄|做|算|写|填|改|选|订|答|看)错, 错了, 是错的?, 有错, 不对, 不行, 不通过, 坏了, 坏的, 漏(了|掉),
        缺(少|失|了), 不完整, 不准确, 不正确, 不能(用|打开|运行|访问|登录), 用不了,
        (解决|处理|完成|修复|登录|运行)不(了|好), 打不开, 跑不(起来|通|动), 不工作, 不起作用, 不管用, 不准(?!备),
        没法(用|看), (一直|还|仍|仍然|依然)(没|未), 没有?(效果|反应|变化|动静|下文|结果|成功|生效), 没用(?!到),
        没(做|弄|搞|写|修|改|办)(完|到|好), 无效, 答非所问, 不是我(想|所)?(要|需要|说|问)的?, 编造, 瞎编, 胡说,
        文不对题, 忘了, 忘记, 还是(老样子|原样|一样|坏)
        """,
    ),
    (
        _Cue("process", -1.0),
        r"""
        too (long|many|much|slow*|verbose|wordy|complicated|complex|late|hast*|fast|quick*|eager*|aggressive*), slow,
        slowly, slower, forever, took (ages|hours|so long), unnecessar*, wast(e|ed|es|ing|eful), inefficient*,
        redundant*, repetitive, again and again, over and over, careless*, slopp*, mess, messy, clums*, convoluted,
        overcomplicated, complicated, roundabout, risky, dangerous*, unsafe, reckless*, confusing, verbose, tedious,
        hasty, hastily, guess, guessed, guessing,
        without (asking|permission|confirm*|check*|verif*|consent|warning|reading|testing|being asked), in circles,
        NOT (ask|check|verify|confirm|read|follow|listen|explain|test|look|wait|warn),
        (twice|\w+ times) as (long|many),
        never (asked|checked|verified|confirmed|read|followed|listened|explained|tested|looked|waited|warned),
        had to (ask|repeat|explain|tell|remind|correct|redo|push), stuck in, unprompted,
        kept (asking|repeating|changing), made me (repeat|wait|ask|explain),
        (could|might) (have been|be) (\w+ )?(better|faster|quicker|clearer|shorter|simpler|more \w+|less \w+),
        太(慢|久|长|啰嗦|复杂|乱|急|随意|绕|多(步|次|问|废|余)), 慢, 拖(沓|拉|延), 半天, 啰嗦, 冗长, 繁琐, 麻烦, 多余,
        绕(弯|远|路|圈), 兜圈, 浪费, 低效, 效率(太|很|比较)?低, 费时, 费劲, 粗心, 马虎, 草率, 混乱,
        乱(来|改|动|删|七八糟), 擅自, 自作主张, 未经, 危险, 冒险,
        没有?(先|事先|跟我|和我|向我)*(问|确认|检查|核对|验证|核实|测试|征求), 不(先)?(问|检查|核对|确认|验证)就,
        反复(问|试|改), 重复(问|执行|操作), 瞎猜, 让我(重复|反复|等), 乱猜, 不够(仔细|清楚|快|简洁), 一遍又一遍
        """,
    ),
    (
        _Cue("satisfaction", -1.0),
        r"""
        bad, badly, too bad, terribl*, awful*, horribl*, poor, poorly, disappoint*, unhappy, dissatisfied, unsatisf*,
        frustrat*, annoy*, angry, upset, ridiculous, hate, hated, worst, worse, unhelpful, rubbish, garbage, disaster,
        pathetic, lousy, nightmare, regret, fed up, NOT (like|help|enjoy),
        👎, 失望, 糟, 差劲, 差评, (很|太|真|非常|极|特别)差, 烂, 垃圾, 生气, 恼火, 气死, 讨厌, 不满(?!足),
        烦(死|人|躁), 无语, 离谱, 太坑, 受不了, 难用, 不好(?!意思), 不靠谱, 敷衍, 后悔
        """,
    ),
    (
        _Cue("process", 1.0),
        r"""
        quick, quickly, quicker, fast, faster, prompt, promptly, efficient*, careful, carefully, thorough*, diligent*,
        clean, cleanly, concise*, clear, clearly, smooth, smoothly, straightforward, to the point, patient, patiently,
        patience, tidy, tidily, methodical*, professional*, in no time, elegant*, no detours,
        well[- ](explained|structured|organi[sz]ed),
        (asked|checked|confirmed|verified|tested) (\w+ )?(first|before \w+),
        很快, 真快, 快速, 这么快, 快(?=了?$|又|且), 迅速, 高效, 效率(很|真|挺|非常)?高, 仔细, 认真, 细致, 细心, 简洁,
        清晰, 清楚, 有条理, 流畅, 顺利, 耐心, 及时, 利落, 周到, 规范, 专业, 一步到位
        """,
    ),
    (
        _Cue("goal", 1.0),
        r"""
        works, worked, working, (does|did) work, solved, solves, fixed, fixes, resolved, succeeds, succeeded,
        success*, completed, finished, accomplished, achieved,
        (is|are|was|it's|that's|everything|all) (now )?(complete|done),
        got (it|this|that|everything) (done|right|working), correct, correctly, right, accurate, accurately,
        up and running, as (i )?(expected|requested|asked|wanted),
        (exactly|just) (what|as) (i|we) (asked|wanted|needed)*, nailed, spot on, green, flawless*,
        (tests?|checks?|build|everything|all)( \w+)? (pass|passes|passed), (did|does) the (job|trick), fixing,
        solving, resolving,
        解决, 搞定, 修好, 修复, 成功, 完成, 正确, (是|很|都|全|完全)对的?, 可以(了|用), 能用, 能跑, 跑通, 通过,
        正是(我|所), 就是我(想|所)?要, 符合(要求|预期|需求), 达到(了)?(目的|要求|预期|目标), 满足(了)?(要求|需求),
        办(好|妥|成), 生效, 准确, 恢复(正常|了), 正常(了|运行|工作), 起作用, 管用, 一次就(成|过|对)
        """,
    ),
    (
        _Cue("satisfaction", _MILD, is_courtesy=True),
        r"""
        thanks?, thank you, thx, cheers, appreciate, appreciated, grateful, fine, ok, okay,
        (sounds|looks|that's|that is) (good|great|fine|perfect|ok|okay),
        谢谢, 感谢, 多谢, 谢了, 辛苦, 好的
        """,
    ),
    (
        _Cue("satisfaction", 1.0),
        r"""
        good, excellent*, perfect, perfectly, awesome, amazing*, wonderful*, great, brilliant*, fantastic, superb,
        outstanding, lovely, love, loved, i (really |do |quite )?like, liked, happy, happier, pleased, satisfied,
        satisfying, impress*, helpful, helps, helped, nice, nicely,
        (works?|worked|working|did|handled|written|very|really|so) well, glad, delighted, enjoyed, recommend,
        reliable, best,
        👍, 满意, 喜欢, (很|真|挺|非常|太|蛮|特别)好, 棒, 不错, 优秀, 完美, 厉害, 赞, 给力, 开心, 高兴, 好评, 出色,
        贴心, 有帮助, 帮了?我?(的|很)?大忙, 好用, 理想, 靠谱, 惊喜
        """,
    ),
    (
        _Cue("goal", -1.0, is_trouble=True),
        r"""
        errors?, bugs?, problems?, issues?(?! (the|an?|me|you)), mistakes?, failures?, crash*,
        错误, 报错, 出错, 崩溃, 问题, 毛病, 故障, 缺陷, 漏洞
        """,
    ),
)
"""What expressions say, by commas apart: `*` is any ending, NOT a negated auxiliary. Of two that begin at one place the
earlier list's counts."""


def _pattern(expressions: str) -> str:
    """Return the pattern of a list: English expressions stand at word boundaries, Chinese has none."""
    found = filter(None, (" ".join(expression.split()) for expression in expressions.split(",")))
    return "|".join(_english(expression) if expression.isascii() else expression for expression in found)


def _english(expression: str) -> str:
    spelled = _ENDING.sub(lambda _: r"\w*", expression).replace("NOT ", _NOT)
    return rf"\b(?:{spelled})(?!\w)"


_ENDING = re.compile(r"(?<=[a-z)])\*")
_NOT = r"(?:do|does|did|wo|ca|could|would)(?:n't| ?not)(?: (?:even|quite|just|\w+ly))? "
_LEXICON = re.compile("|".join(f"(?P<list_{place}>{_pattern(listed)})" for place, (_, listed) in enumerate(_LISTS)))
_CUES = MappingProxyType({f"list_{place}": cue for place, (cue, _) in enumerate(_LISTS)})

_FOREIGN = re.compile(
    r"```.*?(?:```|\Z)|^\s*>.*$|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|\bhttps?://\S+",
    re.DOTALL | re.MULTILINE,
)
_UNMARKED = re.compile(r"\b(do|does|did|is|are|was|were|could|should|would|has|have|had|ca|wo)nt\b")
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|(?<=\d)\.(?=\d))+[.!?。！？]*")
_CLAUSE_END = re.compile(
    r"(?<!\d),|,(?!\d)|[.!?;:…。！？；：，、()（）]+|\s[-–—]+\s|——+"
    r"|\b(?=(?:but|however|although|though|whereas|except)\b)|(?<!over )(?<!again )\b(?=and\b)"
    r"|(?<!不)(?=但(?!愿))|(?=不过|可是|然而|虽然|尽管|而且|并且|以及)"
)
_ASKED = re.compile(r"[?？][.!?。！？]*$|[吗么呢]\s*[.。!！]*$")
_TAG = re.compile(r"(?:right|correct|yes|no|ok|\w+n't (?:it|they|he|she|you)|对吗|是吗|好吗|对吧|是吧|是不是)\W*")
_ASKS = re.compile(
    r"(?:(?:and|but|so) )?(?:(?:can|could|would|will|do|did|have) (?:you|we|i|it)\b|(?:is|are) (?:there|it|this|that)\b"
    r"|(?:how|why|what|who|where|which) )|(?:为什么|为何|怎么|是否|能不能|可不可以|请问)"
)
_AT_FIRST = re.compile(
    r"\b(?:at first|initially|originally|on the first (?:try|attempt))\b|一开始|起初|刚开始|原本|本来以为"
)
_IN_THE_END = re.compile(
    r"\b(?:now|finally|eventually|in the end|at last|then|after (?:that|all))\b|现在|终于|最后|最终|后来|总算"
)
_REQUEST = re.compile(
    r"\b(?:please|(?:can|could|would) (?:you|we|i)|go ahead|proceed|i'd (?:like|prefer|appreciate)|let's|transfer me"
    r"|i (?:would (?:like|prefer|appreciate)|need|want|still need))\b|[?？]|请(?!问题)|麻烦(?:你|您|帮)|能否|能不能"
)

_SUPPOSED = re.compile(
    r"\b(?:if|whether|until|unless|in case|let me know when|tell me when|once)\b"
    r"|\b(?:hope|hoping|hopefully|wish|would|should|could|might|may|want|wanted|need|needs|needed|expect|expected"
    r"|supposed|try|tried|trying|rather|looking for|to be|promise|promised|claims?|claimed|says?|said|i'll|i'd|we'd"
    r"|maybe|perhaps|must)\b"
    r"(?:\W+\w+){0,3}\W*$"
    r"|如果|要是|假如|若(?!干)|是否|有没有|除非|希望|但愿|最好|声称|(?:说(?!明)|以为|据说)[^，]{0,4}$"
)
"""What makes the words after it a condition, a wish, a plan or a claim."""
_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|none|nothing|nobody|neither|nor|hardly|barely|without|cannot|lacks?|lacking|far from|almost"
    r"|nearly|anything but|failed to|fails to|unable to|\w+n't)\b)(?!\s+(?:only|just|merely))(?:\W+\w+){0,3}\W*$"
    r"|(?:没有?|没能|未能?|无法|并非|从未|几乎没|差点|差一点)[^，。]{0,8}$|(?:不(?![过仅但光只错少久]|得不)|毫无|难以|谈不上|算不上|称不上)[^，。]{0,3}$"
)
_HEDGED = re.compile(
    r"\b(?:a (?:bit|little)|slightly|somewhat|partly|partially|mostly|fairly|rather|(?:kind|sort) of)\b(?:\W+\w+)?\W*$"
    r"|(?:有点|有些|稍微?|略微?|部分|基本上?|大致|勉强|比较|还算)[^，。]{0,2}$"
)
_REMEDY = re.compile(
    r"^(?:(?:and|but|so|please|also|next time|in (?:the )?future|you (?:must|should)) )*"
    r"(?:do not|don't|never|avoid|stop \w+ing|always|make sure|be sure to|remember to)\b(?! (?:worry|mind|bother|know))"
    r"|(?<!\bi )(?<!\bwe )\b(?:should(?:n't| not)? have|ought to have|must(?:n't| not)|shouldn't|should not)\b"
    r"|\b(?:you|it|this|the agent) (?:should|must|has to|needs? to|ought to)\b"
    r"|\bnext time,? (?!i\b|we\b)\w+|\b(?:in (?:the )?future|from now on),? (?!i\b|we\b)\w+"
    r"|\binstead(?: of)?\b|\brather than\b|\bnot \w+(?: \w+){0,2} but\b|\b(?:it|that) should be\b"
    r"|^(?:请)?(?:不要|别(?![的人处])|千万别|勿|切勿|不能再)|再也?别|不该|不应|应该?(?=先|是|用|在|为|改|问|要|把|检)|应当|应为|理应"
    r"|要先|先[^，]{1,12}再|必须|务必|下次(?![我还再会见])|以后(?:要|请|别|不|应|记)|而不是|改成|改为|换成|记得"
)
"""Words that say what should be done otherwise."""
