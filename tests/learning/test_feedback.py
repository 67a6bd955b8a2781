from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.feedback import EXCLUSION_LIMIT, exclusion, grade

# What a person would say of each: the signs of goal, process and satisfaction (0: nothing), and the kind.
ENGLISH = [
    ("It worked.", "+00", "praise"),
    ("It did not work.", "-00", "rejection"),
    ("It didn't work at all!", "-00", "rejection"),
    ("Thanks, that solved it.", "+0+", "praise"),
    ("Thanks, but it is still broken.", "-00", "rejection"),
    ("It worked but took far too long.", "+-0", "praise"),
    ("Not bad.", "00+", "praise"),
    ("Not good.", "00-", "rejection"),
    ("Great job, very thorough.", "0++", "praise"),
    ("The total is wrong: it should be 40, not 35.", "--0", "correction"),
    ("You should have asked me before you cancelled the booking.", "0-0", "correction"),
    ("Next time check the stock first.", "0-0", "correction"),
    ("Undo this.", "-00", "rejection"),
    ("This is useless, I want my money back.", "-00", "rejection"),
    ("I am very disappointed.", "00-", "rejection"),
    ("All tests pass now, thank you!", "+0+", "praise"),
    ("Tests pass, but the output is incorrect.", "-00", "rejection"),
    ("At first it failed, but now it works.", "+00", "praise"),
    ("It worked yesterday and now it crashes.", "-00", "rejection"),
    ("No problems, quick and clean.", "++0", "praise"),
    ("There are still two errors in the log.", "-00", "rejection"),
    ("Every bug is fixed.", "+00", "praise"),
    ("It fixed the bug, but way too slowly.", "+-0", "praise"),
    ("It solved nothing and wasted an hour.", "--0", "correction"),
    ("Could you also add a row for Sunday?", "000", "praise"),
    ("Did it work?", "000", "praise"),
    ("Let me know when it is fixed.", "000", "praise"),
    ("I hope it works.", "000", "praise"),
    ("If it fails, call me.", "000", "praise"),
    ("The order has 3 items, 2 of 5 are blue.", "000", "praise"),
    ("Yes, please go ahead. Thank you!", "000", "praise"),
    ('It printed "success", then nothing happened.', "-00", "rejection"),
    ("The call `fail_fast()` is in line 12.", "000", "praise"),
    ("Careless: it deleted my notes without asking.", "--0", "correction"),
    ("I couldn't be happier.", "00+", "praise"),
    ("I can't thank you enough!", "00+", "praise"),
    ("Nothing works.", "-00", "rejection"),
    ("Nothing wrong with it.", "+00", "praise"),
    ("It is not only correct but also fast.", "++0", "praise"),
    ("It almost worked.", "-00", "rejection"),
    ("It asked the same thing over and over.", "0-0", "correction"),
    ("Never book before I have confirmed.", "0-0", "correction"),
    ("It took a bit too long.", "0-0", "correction"),
    ("That's exactly what I needed.", "+00", "praise"),
    ("That is not what I asked for.", "-00", "rejection"),
    ("doesnt work, still the same", "-00", "rejection"),
    ("I love it, but it should never touch the config.", "0-+", "correction"),
    ("Have a great day!", "000", "praise"),
    ("Use the blue form instead of the red one.", "0-0", "correction"),
    ("It can't open the file.", "-00", "rejection"),
    ("I don't think it worked.", "-00", "rejection"),
    ("Works great, except for group bookings.", "+-+", "correction"),
    ("The answer was confusing and unhelpful.", "0--", "correction"),
    ("Completely wrong.", "-00", "rejection"),
    ("Honestly it's a mess.", "0-0", "correction"),
    ("Booked the wrong date!", "-00", "rejection"),
    ("Everything was cancelled as requested, and quickly too.", "++0", "praise"),
    ("You forgot to attach the invoice.", "-00", "rejection"),
    ("Wonderful experience, will definitely use again.", "00+", "praise"),
    ("The refund never arrived.", "-00", "rejection"),
    ("This made things worse.", "00-", "rejection"),
    ("Why did you delete the folder?", "000", "praise"),
    ("My issue was not resolved and I am frustrated.", "-0-", "rejection"),
    ("Super helpful agent!", "00+", "praise"),
    ("Please don't touch the production database again.", "0-0", "correction"),
    ("It compiles, but two unit tests fail.", "-00", "rejection"),
    ("The fix is correct although the code is hard to read.", "+00", "praise"),
    ("Spot on.", "+00", "praise"),
    ("It hallucinated a table that does not exist.", "-00", "rejection"),
    ("Fast, accurate, friendly.", "++0", "praise"),
    ("It should have read the docs before guessing.", "0-0", "correction"),
    ("The summary omits the key finding.", "-00", "rejection"),
    ("That did the trick, cheers!", "+0+", "praise"),
    ("I still can't log in.", "-00", "rejection"),
    ("Not impressed.", "00-", "rejection"),
    ("Well explained, easy to follow, and the answer was right.", "++0", "praise"),
    ("The agent kept asking me for information I had already given.", "0-0", "correction"),
    ("I appreciate the effort, but the result is unusable.", "-00", "rejection"),
    ("Working as expected.", "+00", "praise"),
    ("Partially done: the header is right, the footer is missing.", "-00", "rejection"),
    ("Response was okay.", "00+", "praise"),
    ("You made me repeat my order number three times.", "0-0", "correction"),
    ("Exactly right, no complaints.", "+0+", "praise"),
    ("Stop adding comments everywhere.", "0-0", "correction"),
    ("I wanted a window seat rather than an aisle seat.", "0-0", "correction"),
    ("It deleted the wrong branch and force-pushed without asking.", "--0", "correction"),
    ("The build is green again.", "+00", "praise"),
]
CHINESE = [
    ("解决了。", "+00", "praise"),
    ("没有解决。", "-00", "rejection"),
    ("问题还没有解决", "-00", "rejection"),
    ("问题解决了，谢谢！", "+0+", "praise"),
    ("谢谢，但是还是不行。", "-00", "rejection"),
    ("不错", "00+", "praise"),
    ("很好，我很满意。", "00+", "praise"),
    ("不太好", "00-", "rejection"),
    ("我不满意。", "00-", "rejection"),
    ("可以用了，不过太慢了。", "+-0", "praise"),
    ("结果是对的，就是步骤太多余了", "+-0", "praise"),
    ("答案错了。", "-00", "rejection"),
    ("答案不对，应该是四十。", "--0", "correction"),
    ("你应该先问我再取消。", "0-0", "correction"),
    ("下次先检查库存。", "0-0", "correction"),
    ("请撤销这次修改。", "-00", "rejection"),
    ("完全没用，重做！", "-00", "rejection"),
    ("太失望了", "00-", "rejection"),
    ("测试全部通过，非常仔细。", "++0", "praise"),
    ("测试通过了，但输出不正确。", "-00", "rejection"),
    ("一开始失败了，后来成功了。", "+00", "praise"),
    ("昨天还正常，现在崩溃了。", "-00", "rejection"),
    ("没问题，又快又好。", "++0", "praise"),
    ("还有两个报错。", "-00", "rejection"),
    ("又报错了", "-00", "rejection"),
    ("所有的错误都修复了。", "+00", "praise"),
    ("修好了，就是慢了点。", "+-0", "praise"),
    ("能不能再加一行？", "000", "praise"),
    ("解决了吗？", "000", "praise"),
    ("修好之后告诉我一声，好吗？", "000", "praise"),
    ("希望能成功。", "000", "praise"),
    ("如果失败就告诉我。", "000", "praise"),
    ("订单里有三件，其中两件是蓝色的。", "000", "praise"),
    ("好的，请继续，谢谢。", "000", "praise"),
    ("它显示“成功”，但文件没有变化。", "-00", "rejection"),
    ("没确认就擅自删了我的文件，太马虎了。", "0-0", "correction"),
    ("干得漂亮！", "00+", "praise"),
    ("不仅正确，而且很快。", "++0", "praise"),
    ("差一点就成功了。", "-00", "rejection"),
    ("反复问同一个问题，很烦人。", "0--", "correction"),
    ("不要再改配置文件了。", "0-0", "correction"),
    ("有点慢", "0-0", "correction"),
    ("这正是我想要的。", "+00", "praise"),
    ("这不是我要的。", "-00", "rejection"),
    ("打不开文件", "-00", "rejection"),
    ("帮了我大忙，太棒了", "00+", "praise"),
    ("答非所问，浪费时间。", "--0", "correction"),
    ("改用蓝色的表格，而不是红色的。", "0-0", "correction"),
    ("差不多吧", "000", "praise"),
    ("挺好用的，没什么毛病", "+0+", "praise"),
    ("不能接受这样的结果。", "-00", "rejection"),
    ("说明很清楚，谢谢。", "0++", "praise"),
    ("脚本跑通了，报告也是我想要的。", "+00", "praise"),
    ("乱七八糟的。", "0-0", "correction"),
    ("日期订错了！", "-00", "rejection"),
    ("按要求全部取消了，速度也快。", "0+0", "praise"),
    ("你忘了附上发票。", "-00", "rejection"),
    ("体验非常好，下次还会用。", "00+", "praise"),
    ("退款一直没到账。", "-00", "rejection"),
    ("越改越糟。", "00-", "rejection"),
    ("为什么删掉我的文件夹？", "000", "praise"),
    ("我的问题没得到解决，很恼火。", "-0-", "rejection"),
    ("客服很耐心，帮我把票改好了。", "0+0", "praise"),
    ("请不要再动生产数据库。", "0-0", "correction"),
    ("能编译，但是有两个测试没通过。", "-00", "rejection"),
    ("修改是对的，不过代码很难读。", "+00", "praise"),
    ("它编造了一个不存在的表。", "-00", "rejection"),
    ("又快又准，态度也好。", "0+0", "praise"),
    ("动手之前应该先看文档。", "0-0", "correction"),
    ("摘要漏掉了最重要的结论。", "-00", "rejection"),
    ("搞定了，多谢！", "+0+", "praise"),
    ("我还是登录不了。", "-00", "rejection"),
    ("讲得清楚，答案也正确。", "++0", "praise"),
    ("一直让我重复提供已经给过的信息。", "0-0", "correction"),
    ("运行正常，符合预期。", "+00", "praise"),
    ("别到处加注释。", "0-0", "correction"),
    ("没问我就强行推送，还删错了分支。", "--0", "correction"),
    ("构建恢复正常了。", "+00", "praise"),
    ("效率低，问了半天也没结果。", "--0", "correction"),
    ("谢谢你的耐心解答，问题都清楚了。", "0++", "praise"),
    ("不够理想", "00-", "rejection"),
    ("价格算得不准。", "-00", "rejection"),
    ("服务太差了，不会再用。", "00-", "rejection"),
    ("感谢，但这不是我想问的。", "-00", "rejection"),
]
CONDITIONS = [
    ("Don't do this when the reservation is basic economy.", "the reservation is basic economy"),
    ("Wrong when the order has shipped already.", "the order has shipped already"),
    ("Never use the fast lane if the parcel is fragile, it breaks.", "the parcel is fragile"),
    ("If the reservation is basic economy, do not cancel it.", "the reservation is basic economy"),
    ("When the table is empty it is fine, but where it has no key, this fails.", "it has no key"),
    ("Good, except for group bookings.", "group bookings"),
    ("It works, except when the user has two accounts.", "the user has two accounts"),
    ("Use it only if the user has confirmed.", "unless the user has confirmed"),
    ("This only works when the cache is warm.", "unless the cache is warm"),
    ("Do not refund unless a manager agrees.", "unless a manager agrees"),
    ("Fine, unless the flight has left.", "the flight has left"),
    ("Not for international orders.", "international orders"),
    ("It does not work on Windows.", "on Windows"),
    ("This does not apply to minors.", "minors"),
    ("Do not restart after a migration.", "after a migration"),
    ("It fails only when the name has a space.", "the name has a space"),
    ("如果舱位是基础经济舱，不要取消。", "舱位是基础经济舱"),
    ("订单已发货的时候不要退款。", "订单已发货"),
    ("当表是空的时，别执行删除", "表是空的"),
    ("除非用户确认，否则不要付款。", "除非用户确认"),
    ("不要付款，除非用户确认。", "除非用户确认"),
    ("可以这样做，除非航班已经起飞。", "航班已经起飞"),
    ("只有经理同意才能退款。", "除非经理同意"),
    ("除了团体票，都可以用。", "团体票"),
    ("不适用于国际订单。", "国际订单"),
    ("不要在迁移期间重启。", "迁移"),
    ("遇到重名的文件会出错", "重名的文件"),
    ("仅适用于国内航班。", "除非国内航班"),
    ("It worked, thank you.", None),
    ("It failed.", None),
    ("It failed when I tried it.", None),
    ("Does it fail when the list is empty?", None),
    ("I don't know if the order has shipped.", None),
    ("It did not check if the user is a member.", None),
    ("It didn't work for me.", None),
    ("Please tell me when it is done.", None),
    ("If the total is over 200 I will not be able to pay.", None),
    ("Use it when the cache is warm.", None),
    ("Fails even when the list is short.", None),
    ("很好，谢谢。", None),
    ("没有解决。", None),
    ("如果列表是空的会失败吗？", None),
    ("除了慢以外还很乱。", None),
]


def signs(text):
    graded = grade(text)
    axes = (graded.goal, graded.process, graded.satisfaction)
    return "".join("0" if not axis else "+" if axis > 0 else "-" for axis in axes), graded.kind


@pytest.mark.parametrize(("text", "axes", "kind"), [*ENGLISH, *CHINESE])
def test_a_text_is_graded_as_a_person_would(text, axes, kind):
    assert signs(text) == (axes, kind)


@pytest.mark.parametrize(("text", "condition"), CONDITIONS)
def test_a_correction_gives_the_condition_that_it_names(text, condition):
    assert exclusion(text) == condition


@pytest.mark.parametrize("text", [text for text, condition in CONDITIONS if condition])
def test_what_names_a_condition_is_a_correction(text):
    graded = grade(text)

    assert graded.kind in ("correction", "rejection")
    assert graded.exclusion == exclusion(text)


@given(
    st.text(max_size=120)
    | st.lists(st.sampled_from([text for text, *_ in ENGLISH + CHINESE]), max_size=4).map(" ".join)
)
def test_every_axis_is_null_or_lies_between_minus_one_and_one(text):
    graded = grade(text)

    axes = (graded.goal, graded.process, graded.satisfaction)
    assert all(axis is None or -1 <= axis <= 1 for axis in axes)
    assert graded.kind in ("praise", "correction", "rejection")
    assert any(axis is not None for axis in axes) or graded.kind == "praise"


@given(st.sampled_from([text for text, *_ in ENGLISH + CHINESE]), st.text(alphabet="a `.\n错好", max_size=20))
def test_code_says_nothing(text, code):
    code = code.replace("`", "")

    assert grade(f"{text}\n```\n{code} failed\n```") == grade(text)


@given(st.sampled_from([text for text, *_ in ENGLISH]))
def test_capitals_and_typed_apostrophes_say_nothing(text):
    assert signs(text.upper().replace("'", "’")) == signs(text)


@given(
    st.text(max_size=60), st.sampled_from([text for text, condition in CONDITIONS if condition]), st.text(max_size=60)
)
def test_a_condition_is_short_and_one_line_of_the_persons_words(before, text, after):
    condition = exclusion(f"{before}{text}{after}")

    if condition:
        said = condition.removeprefix("unless ").removeprefix("除非").removesuffix("…")
        assert len(condition) <= EXCLUSION_LIMIT
        assert said in " ".join(f"{before}{text}{after}".replace("’", "'").split())


def test_a_long_condition_is_cut():
    condition = exclusion(f"Do not refund when {'the parcel is late and ' * 6}lost.")

    assert len(condition) == EXCLUSION_LIMIT
    assert condition.startswith("the parcel is late")
    assert condition.endswith("…")


def test_hedged_blame_weighs_less():
    assert grade("It is a bit slow.").process > grade("It is slow.").process


def test_one_failure_outweighs_one_success():
    assert grade("The first part is right. The second part is wrong.").goal < 0


def test_thanks_before_the_work_is_done_say_nothing():
    assert grade("Thank you.").satisfaction > 0
    assert grade("Could you cancel it? Thank you.").satisfaction is None


@pytest.mark.parametrize("text", ["", "  \n", "12345", "👀", "ok" * 5000, "> it failed\n> it is wrong"])
def test_what_says_nothing_grades_nothing_and_changes_no_status(text):
    graded = grade(text)

    assert (graded.goal, graded.process, graded.satisfaction, graded.exclusion) == (None, None, None, None)
    assert graded.kind == "praise"


def test_words_that_merely_contain_a_verdict_are_none():
    assert grade("The workshop is in Goodwin, badge 12, at the failover site.") == grade("")
