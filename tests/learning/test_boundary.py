from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from msce_graph.learning.boundary import (
    CLAIMS,
    SENTENCES,
    Counts,
    Try,
    boundary_words,
    conditions,
    contrast,
    count,
    fisher,
    judge,
    shows,
)
from msce_graph.learning.context import Act, Feature, context, read_context
from msce_graph.records import Claim
from msce_graph.settings import Settings

SETTINGS = Settings()
OTHER = {"counter": "support", "support": "counter"}


def one_try(task, side, *features, evidence=None, earlier=()):
    return Try(
        task_key=task,
        side=side,
        evidence=evidence or f"{task}#{side}",
        earlier_tools=frozenset(earlier),
        features=frozenset(features),
    )


def looked(step, *earlier, task=""):
    return context(step, earlier, task)


def feature(claim):
    return Feature(claim.kind, claim.name, claim.value)


def shown(seen, kind):
    return {(one.name, one.value) for one in seen.features if one.kind == kind}


# Counting and testing -------------------------------------------------------------------------------------------------

LATE = Feature("argument", "delivery", "late")
NOISE = [
    Feature("argument", "delivery", "early"),
    Feature("argument", "colour", "red"),
    Feature("observation", "read_order.state", "open"),
    Feature("task_word", "parcel"),
]


@st.composite
def tries(draw):
    """Draw tries of a few tasks, in most of which one feature follows the side."""
    found = []
    for place in range(draw(st.integers(0, 24))):
        side = draw(st.sampled_from(["counter", "support"]))
        features = set(draw(st.lists(st.sampled_from(NOISE), max_size=3)))
        if (side == "counter") != draw(st.sampled_from([False] * 7 + [True])):
            features.add(LATE)
        task = f"t{draw(st.integers(0, 15))}"
        earlier = draw(st.lists(st.sampled_from(["read_order", "find_client"]), max_size=2))
        found.append(one_try(task, side, *features, evidence=f"e{place}", earlier=earlier))
    return found


@st.composite
def tables(draw):
    counter_tasks, support_tasks = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    return draw(st.integers(0, counter_tasks)), counter_tasks, draw(st.integers(0, support_tasks)), support_tasks


@given(tries(), st.randoms(use_true_random=False))
def test_the_order_of_tries_changes_no_claim(found, random):
    shuffled = random.sample(found, len(found))

    assert contrast(shuffled, SETTINGS) == contrast(found, SETTINGS)


@given(tries(), st.integers(1, 3))
def test_tries_told_again_change_no_claim(found, times):
    assert contrast(found + found[::2] * times, SETTINGS) == contrast(found, SETTINGS)


@given(tries())
def test_another_try_of_a_task_like_one_that_is_there_moves_no_number(found):
    again = [replace(one, evidence=f"{one.evidence}-again") for one in found]

    assert contrast(found + again, SETTINGS) == contrast(found, SETTINGS)


@given(tries(), st.sampled_from(["counter", "support"]))
def test_nothing_is_claimed_where_a_side_is_empty(found, side):
    assert contrast([one for one in found if one.side == side], SETTINGS) == ()


@given(tries())
def test_sides_that_are_exchanged_exchange_what_claims_tell(found):
    claims = contrast([replace(one, side=OTHER[one.side]) for one in found], SETTINGS)

    assert [(feature(c), c.p, c.q, OTHER[c.tells], c.support, c.counter) for c in claims] == [
        (feature(c), c.p, c.q, c.tells, c.counter, c.support) for c in contrast(found, SETTINGS)
    ]


@given(tries())
def test_counts_are_those_of_the_rule_written_out(found):
    for feature, seen in count(found).items():
        totals = {"counter": 0, "support": 0}
        having = {"counter": 0, "support": 0}
        for task in {one.task_key for one in found}:
            sides = {
                side: any(feature in one.features for one in found if (one.task_key, one.side) == (task, side))
                for side in {one.side for one in found if one.task_key == task}
            }
            if len(sides) == 2 and sides["counter"] == sides["support"]:
                continue
            for side, has_it in sides.items():
                totals[side] += 1
                having[side] += has_it
        assert (seen.counter, seen.counter_tasks) == (having["counter"], totals["counter"])
        assert (seen.support, seen.support_tasks) == (having["support"], totals["support"])


@given(tries())
def test_each_claim_occurs_in_n_min_tasks_and_steps_show_it(found):
    for claim in contrast(found, SETTINGS):
        assert claim.counter + claim.support >= SETTINGS.n_min
        for side in OTHER:
            assert len({one.task_key for one in found if one.side == side and shows(one, claim)}) >= getattr(
                claim, side
            )


@given(tables())
def test_p_is_the_same_from_either_side(table):
    counter, counter_tasks, support, support_tasks = table

    assert fisher(*table) == fisher(support, support_tasks, counter, counter_tasks)


@given(tables())
def test_p_is_that_of_scipy(table):
    counter, counter_tasks, support, support_tasks = table
    expected = fisher_exact([[counter, counter_tasks - counter], [support, support_tasks - support]]).pvalue

    assert fisher(*table) == pytest.approx(expected, abs=1e-9)


def test_tables_that_are_equally_likely_tie_whatever_the_round_off():
    # mirror images of one another: both tails count whole
    assert fisher(150, 200, 100, 200) == fisher(50, 200, 100, 200)
    assert fisher(3, 256, 0, 256) == pytest.approx(2 * 256 * 255 * 254 / (512 * 511 * 510), rel=1e-12)


def test_a_count_above_its_total_is_refused():
    with pytest.raises(ValueError, match="4 of 3 tasks against 0 of 3"):
        fisher(4, 3, 0, 3)


def test_a_q_of_one_tenth_is_not_claimed_though_a_sum_of_floats_falls_short_of_it():
    counts = {LATE: Counts(3, 3, 0, 3)}

    for q_max in (0.1, 0.1 + 1e-14, 0.1 - 1e-14):
        assert not judge(counts, SETTINGS.model_copy(update={"q_max": q_max}))[LATE].is_claimed
    assert judge(counts, SETTINGS.model_copy(update={"q_max": 0.1001}))[LATE].is_claimed


def test_values_of_an_argument_that_differ_in_nearly_every_task_are_not_tested():
    found = [
        one_try(
            f"{side}{place}", side, Feature("argument", "client", "Ada" if place < 3 and side == "counter" else owner)
        )
        for side in ("counter", "support")
        for place in range(20)
        for owner in [f"{side} client {chr(97 + place)}"]
    ]

    assert contrast(found, SETTINGS) == ()


def test_a_missing_tool_is_told_from_tools_that_other_tries_called():
    found = [one_try(f"c{place}", "counter", earlier=["find_client"]) for place in range(5)]
    found += [one_try(f"s{place}", "support", earlier=["find_client", "read_order"]) for place in range(6)]

    (claim,) = contrast(found, SETTINGS)

    assert conditions([claim]) == {(Feature("missing_tool", "read_order"), "counter")}
    assert (claim.counter, claim.counter_tasks, claim.support, claim.support_tasks) == (5, 5, 0, 6)
    assert [one.side for one in found if shows(one, claim)] == ["counter"] * 5


def test_of_features_in_the_very_same_tasks_one_is_claimed():
    twins = Feature("argument", "a", "x"), Feature("argument", "b", "y")
    found = [one_try(f"c{place}", "counter", *twins) for place in range(5)]
    found += [one_try(f"s{place}", "support") for place in range(5)]

    assert [feature(claim) for claim in contrast(found, SETTINGS)] == [twins[0]]


def test_the_strongest_claims_of_a_kind_are_kept_in_order():
    found = [one_try(f"s{place}", "support") for place in range(30)]
    for place in range(30):
        words = [Feature("task_word", chr(97 + number)) for number in range(CLAIMS + 3) if place >= 2 * number]
        found.append(one_try(f"c{place}", "counter", *words))

    assert [claim.name for claim in contrast(found, SETTINGS)] == list("abcdefgh"[:CLAIMS])


# Features of one try --------------------------------------------------------------------------------------------------


def test_arguments_and_results_are_read_with_their_paths():
    order = {"state": "open", "gift": True, "note": None, "lines": [{"size": "small", "count": 2}], "returns": []}

    seen = looked(
        Act("ship_order", {"speed": "fast", "boxes": 3, "tags": ["fragile", "cold"]}, ""),
        Act("read_order", {}, order),
        Act("list_shops", {}, [{"town": "Ghent"}]),
    )

    assert shown(seen, "argument") == {("speed", "fast"), ("boxes", "3"), ("tags[]", "fragile"), ("tags[]", "cold")}
    assert shown(seen, "observation") == {
        ("read_order.state", "open"),
        ("read_order.gift", "true"),
        ("read_order.note", "null"),
        ("read_order.lines[].size", "small"),
        ("read_order.returns", "[]"),
        ("list_shops[].town", "Ghent"),
    }
    assert seen.tools == {"read_order", "list_shops"}


@pytest.mark.parametrize(
    "value",
    [
        *("2031-04-05", "5 May", "May 5", "12:30", "5月6日", "9am", "$7", "7 元", "3.5", "1e9", "120", "-44"),
        *("ann@example.org", "https://example.org", "K7QX2A", "order_20931", "a" * 60, "two\nlines", ""),
        *(12, 0.5, -30),
    ],
)
def test_a_value_that_looks_like_an_individual_is_no_feature(value):
    seen = looked(Act("ship_order", {"what": value}, ""), Act("read_order", {}, {"what": value}))

    assert not seen.features


@pytest.mark.parametrize(
    "name", ["order_id", "orderId", "ids", "email", "first_name", "lastName", "created date", "total_price", "客户姓名"]
)
def test_a_field_named_for_individuals_holds_no_features(name):
    assert not looked(Act("ship_order", {name: "something"}, ""), Act("read_order", {}, {name: ["some"]})).features


def test_fields_named_after_individuals_share_a_path():
    seen = looked(Act("ship_order", {}, ""), Act("read_client", {}, {"cards": {"card_4417": {"brand": "blue"}}}))

    assert shown(seen, "observation") == {("read_client.cards.*.brand", "blue")}


def test_of_a_tool_called_often_the_result_that_bears_on_the_step_counts():
    reads = [
        Act("read_order", {"order_id": name}, {"state": state}) for name, state in [("ab1", "open"), ("cd2", "shut")]
    ]

    assert shown(looked(Act("ship_order", {"order_id": "ab1"}, ""), *reads), "observation") == {
        ("read_order.state", "open")
    }
    assert shown(looked(Act("ship_order", {}, ""), *reads), "observation") == {("read_order.state", "shut")}


def test_errors_are_those_before_a_step_and_its_own():
    seen = looked(Act("ship_order", {}, "Error: depot 17 is shut", True), Act("read_order", {}, {"e": "no such"}, True))

    assert shown(seen, "error") == {("ship_order", "Error: depot * is shut"), ("read_order", "e: no such")}
    assert not shown(seen, "observation")


def test_words_of_the_task_leave_out_what_any_task_says():
    seen = looked(Act("ship_order", {}, ""), task="Please SEND the parcels to him, 12 of them.")

    assert shown(seen, "task_word") == {("send", ""), ("parcels", "")}


def test_words_of_a_chinese_task_are_pairs_of_characters():
    seen = looked(Act("ship_order", {}, ""), task="请取消我的订单 ABC")

    assert shown(seen, "task_word") == {("取消", ""), ("订单", ""), ("abc", "")}


def test_a_chinese_word_can_be_claimed():
    ship = Act("ship_order", {}, "")
    found = [
        one_try(f"{side}{place}", side, *looked(ship, task=task).features)
        for side, task in (("counter", "退款"), ("support", "发货"))
        for place in range(5)
    ]

    claims = contrast(found, SETTINGS)

    assert conditions(claims) == {
        (Feature("task_word", "退款"), "counter"),
        (Feature("task_word", "发货"), "support"),
    }


def test_what_was_so_is_read_back_as_it_was_kept():
    seen = looked(Act("ship_order", {"speed": "fast"}, ""), Act("read_order", {}, {"state": "open"}), task="Ship 退款")

    assert read_context(seen.as_text()) == seen


# Words ----------------------------------------------------------------------------------------------------------------


def claim(kind, name, value="", *, counts=(9, 12, 1, 20), q=0.00414):
    counter, counter_tasks, support, support_tasks = counts
    return Claim(
        kind=kind,
        name=name,
        value=value,
        counter=counter,
        counter_tasks=counter_tasks,
        support=support,
        support_tasks=support_tasks,
        p=q / 2,
        q=q,
    )


def test_nothing_is_said_where_nothing_is_claimed():
    words = boundary_words((), "follow")

    assert (words.boundary, words.guidance) == ("", "")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            claim("observation", "read_order.state", "shut"),
            'Not where `read_order.state` was "shut" (quoted from logs, as data)',
        ),
        (claim("observation", "list_shops", "[]"), "Not where `list_shops` was empty"),
        (claim("task_word", "refund"), 'Not where the task says "refund" (quoted from logs, as data)'),
        (
            claim("error", "sql:SELECT", "no such column *"),
            'Not where `SELECT` failed with "no such column *" (quoted from logs, as data)',
        ),
    ],
)
def test_a_situation_becomes_a_sentence_of_the_boundary(found, told):
    words = boundary_words([found], "follow")

    assert words.boundary == f"{told}: 9 of 12 tasks that failed, 1 of 20 that worked (q 0.0041)."
    assert words.guidance == ""


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (claim("argument", "speed", "fast"), "Not with `speed` = `fast`"),
        (claim("argument", "tags[]", "cold"), "Not with `cold` in `tags`"),
        (claim("argument", "tags", "[]"), "Not with `tags` empty"),
        (claim("missing_tool", "sql:SHOW"), "Not without `SHOW` before it"),
    ],
)
def test_what_was_done_becomes_a_sentence_of_the_guidance(found, told):
    words = boundary_words([found], "follow")

    assert words.guidance == f"{told}: 9 of 12 tasks that failed, 1 of 20 that worked (q 0.0041)."
    assert words.boundary == ""


def test_what_support_has_and_a_warning_are_told_their_own_way():
    helps = claim("task_word", "refund", counts=(0, 12, 9, 20), q=1e-6)
    spared = claim("task_word", "refund")

    assert boundary_words([helps], "follow").boundary.startswith('It worked where the task says "refund"')
    assert boundary_words([helps], "follow").boundary.endswith(
        ": 9 of 20 tasks that worked, 0 of 12 that failed (q under 0.0001)."
    )
    assert boundary_words([helps], "avoid").boundary.startswith('It failed where the task says "refund"')
    assert boundary_words([spared], "avoid").boundary.startswith(
        'The warning does not hold where the task says "refund"'
    )
    assert boundary_words([spared], "avoid").boundary.endswith(
        ": 9 of 12 tasks that worked, 1 of 20 that failed (q 0.0041)."
    )


def test_texts_tell_the_strongest_claims_whatever_their_order():
    found = [claim("task_word", name, q=0.01 * place) for place, name in enumerate("abcdefgh", start=1)]

    boundary = boundary_words(reversed(found), "follow").boundary

    assert boundary.count("Not where") == SENTENCES
    assert boundary.index('"a"') < boundary.index('"b"')
    assert '"f"' not in boundary


@given(st.text(max_size=200), st.sampled_from(["observation", "error", "task_word"]))
def test_words_of_logs_stand_in_a_boundary_as_one_short_quote(text, kind):
    if text in ("[]", "{}"):
        return
    found = claim(kind, text if kind == "task_word" else "read_order", "" if kind == "task_word" else text)

    boundary = boundary_words([found], "follow").boundary

    assert boundary.count('"') == 2
    assert len(boundary.split('"')[1]) <= 80
    assert boundary.split('"')[2].startswith(" (quoted from logs, as data): ")
    assert boundary.isprintable()
