from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from msce_graph.learning.drafting import Example, draft
from msce_graph.learning.shape import Observed, Shape, common_shape
from msce_graph.learning.wording import AS_DATA, PolicyFacts, policy_text, quoted, step_text
from msce_graph.records import Parameter, ParameterOrigin, Policy, ProcedureStep
from msce_graph.settings import Settings

SETTINGS = Settings()
RESULT = ParameterOrigin(kind="result", tool="find_order", path="orders[].id")


def step(tool, *, kind="function", required=True, constants=None, **origins):
    parameters = tuple(Parameter(name=name, origin=origin) for name, origin in origins.items())
    return ProcedureStep(
        tool=tool, kind=kind, required=required, share=1.0, constants=constants or {}, parameters=parameters
    )


PROCEDURE = (
    step("find_order", email=ParameterOrigin(kind="message")),
    step("check_stock", required=False),
    step("refund", order=RESULT, reason=None, constants={"notify": True}),
)


def facts(**changes):
    given = {
        "domain": "shop",
        "tool": "refund",
        "error_signature": "",
        "stance": "follow",
        "procedure": PROCEDURE,
        "supporting": 12,
        "contradicting": 3,
        "bordering": 1,
    }
    return PolicyFacts(**{**given, **changes})


def policy(**changes):
    told = policy_text(facts())
    given = {
        "namespace": "n",
        "id": "p",
        "created_at": datetime(2026, 1, 1, tzinfo=UTC),
        "domain": "shop",
        "tool": "refund",
        "error_signature": "",
        "stance": "follow",
        "title": told.title,
        "trigger": told.trigger,
        "procedure": PROCEDURE,
        "verification": told.verification,
        "fallback": told.fallback,
        "boundary": told.boundary,
        "support": 12,
        "gain": 0.3,
        "gain_low": 0.1,
        "gain_high": 0.5,
        "p": 0.01,
        "q": 0.02,
        "episodes_with": 16,
        "episodes_without": 9,
        "resolved": 0,
        "attempts": 0,
        "status": "active",
        "revision": 1,
        "stable_for": 3,
    }
    return Policy(**{**given, **changes})


def example(name, value=0.5, *, trusted=True):
    return Example(name, name.split("#")[0], "refund", {}, value, trusted)


# Words of a policy --------------------------------------------------------------------------------------------------


def test_a_policy_to_follow_reads_as_an_engineer_would_write_it():
    told = policy_text(facts(shape=Shape(fields=("status",), constants=(("status", "refunded"),))))

    assert told.title == "`find_order`, then `refund`"
    assert told.trigger == "In `shop`, when `refund` comes next, with no error before it."
    assert told.verification == (
        f'Where it worked, the result of `refund` had `status`; `status` was "refunded" {AS_DATA}.'
    )
    assert told.boundary == (
        "Known only in `shop`, for `refund` with no error before it: 12 episodes for it, 3 against it and 1 neutral."
    )


def test_a_shell_tool_is_named_as_people_type_it():
    told = policy_text(facts(tool="shell:git commit", procedure=(step("shell:git commit", kind="shell"),)))

    assert told.title == "Use `git commit`"
    assert "shell:" not in "".join([told.title, told.trigger, told.verification, told.fallback, told.boundary])


def test_an_avoid_policy_says_what_it_led_to_and_what_was_done_instead():
    told = policy_text(
        facts(stance="avoid", shape=Shape(words="I am … human agent"), alternatives=[("refund", 5), ("find_order", 1)])
    )

    assert told.title == "Avoid `refund`"
    assert told.verification.startswith("Where it went badly, the result of `refund` read")
    assert told.fallback == "Episodes that went well did `refund` (5 episodes) and `find_order` (1 episode) instead."


def test_where_observations_share_nothing_the_verification_says_so():
    assert "nothing in common" in policy_text(facts()).verification


def test_an_error_is_quoted_as_data_and_counts_what_worked_later():
    told = policy_text(facts(error_signature="no such order", resolved=4, attempts=6))

    assert f'after an error like "no such order" {AS_DATA}' in told.trigger
    assert told.fallback.endswith("What had failed worked later in 4 of 6 cases.")


def test_a_step_is_an_instruction_with_its_constants_and_the_origins_of_its_parameters():
    optional = step("check_stock", required=False)
    commit = step("shell:git commit", kind="shell", constants={"options": ["-q"]}, message=None)

    assert step_text(PROCEDURE[2]) == (
        "Call `refund` with `notify` = `true`, `order` (from the result of `find_order` at `orders[].id`) and `reason`."
    )
    assert step_text(optional) == "If it is needed: call `check_stock`."
    assert step_text(commit) == "Run `git commit` with `options` = `-q` and `message`."


@given(st.text(max_size=300))
def test_a_quote_is_one_line_of_at_most_80_characters_and_marked(words):
    quote = quoted(words)

    assert quote.isprintable()
    assert quote.endswith(AS_DATA)
    assert len(quote) <= 80 + len(AS_DATA) + 3
    assert quote.removesuffix(AS_DATA).count('"') == 2


# What observations share --------------------------------------------------------------------------------------------


def observed(*observations, tasks=3):
    return [Observed(f"t{n % tasks}", observation) for n, observation in enumerate(observations)]


def test_common_words_leave_out_what_differs_and_every_number():
    shape = common_shape(
        observed("You put 7 eggs on the shelf", "You put 7 cups on the table", "You put 7 pans on the stove"), tasks=3
    )

    assert shape.words == "You put … on the …"


def test_common_fields_come_with_the_values_that_are_equal_everywhere():
    shape = common_shape(
        observed(
            {"status": "paid", "id": "A1", "lines": [{"sku": "x"}], "total": 5, "is_new": False},
            {"status": "paid", "id": "B2", "lines": [{"sku": "y"}], "total": 5, "is_new": False},
            {"status": "paid", "id": "C3", "lines": [{"sku": "z"}], "total": 5, "is_new": False, "note": "late"},
        ),
        tasks=3,
    )

    assert shape.fields == ("id", "is_new", "status", "total", "lines[].sku")
    assert shape.constants == (("is_new", "false"), ("status", "paid"))


def test_an_error_among_them_does_not_hide_what_the_others_share():
    worked = observed("saved the file", "saved the draft", "saved the note")

    assert common_shape([*worked, Observed("t9", "boom", is_error=True)], tasks=3).words == "saved the …"


def test_silence_is_something_to_share():
    assert common_shape(observed("", " ", ""), tasks=3) == Shape(is_silent=True)


def test_what_only_few_tasks_saw_is_not_told():
    assert common_shape(observed("saved the file", "saved the file", "saved the file", tasks=2), tasks=3) == Shape()


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=60)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(json_values, max_size=6))
def test_a_shape_quotes_little_and_no_digit(observations):
    shape = common_shape(observed(*observations), tasks=1)

    assert len(shape.words) <= 80
    assert not any(sign.isdigit() for sign in shape.words + "".join(value for _, value in shape.constants))


# Drafts -------------------------------------------------------------------------------------------------------------


def test_a_draft_says_what_must_be_known_and_where_values_come_from():
    drafted = draft(policy(), [example("e1#2")], [example("f1#0", -0.5)], (), SETTINGS)

    assert drafted.name == "shop-refund"
    assert drafted.description == ("How to get to `refund` in `shop`: `find_order`, `check_stock` if needed, `refund`.")
    assert drafted.preconditions == (
        "`find_order`, `check_stock` and `refund` can be used.",
        "`email` of `find_order` is known from a message of the user.",
        "`reason` of `refund` is known.",
    )
    assert drafted.decision_guidance == (
        "Do not go straight to `refund`: take the required steps first, in order. "
        "Take optional steps only where they are needed: `check_stock`. "
        "From the result of `find_order` at `orders[].id` take `order` of `refund`; do not guess. "
        "It went badly in 1 episode and well in 12, and nothing tells the two apart yet: "
        "check the result as the verification says."
    )
    assert drafted.tools == ("check_stock", "find_order", "refund")


def test_names_are_unique_and_short_enough():
    taken = {"shop-refund", "shop-refund-2"}
    long = policy(domain="d" * 100)

    assert draft(policy(), [], [], taken, SETTINGS).name == "shop-refund-3"
    first = draft(long, [], [], (), SETTINGS).name
    assert len(first) == len(draft(long, [], [], {first}, SETTINGS).name) == 64


def test_a_chinese_domain_keeps_its_name():
    assert draft(policy(domain="退款 流程"), [], [], (), SETTINGS).name == "退款-流程-refund"


def test_only_trusted_examples_are_shown_and_they_are_cited_first():
    examples = [example("u1#0", 0.9, trusted=False), *(example(f"e{n}#0", n / 10) for n in range(1, 5))]

    cites = draft(policy(), examples, [], (), SETTINGS).cites

    assert [(cite.evidence, cite.is_shown) for cite in cites] == [
        ("e4#0", True),
        ("e3#0", True),
        ("e2#0", True),
        ("e1#0", False),
        ("u1#0", False),
    ]


examples = st.lists(
    st.builds(
        lambda episode, index, value, trusted: example(f"e{episode}#{index}", value, trusted=trusted),
        st.integers(0, 12),
        st.integers(0, 3),
        st.floats(0.1, 1),
        st.booleans(),
    ),
    max_size=30,
    unique_by=lambda one: one.evidence,
)


@given(examples, st.randoms(use_true_random=False))
def test_an_episode_is_cited_once_and_the_order_given_changes_nothing(given, shuffler):
    other = list(given)
    shuffler.shuffle(other)

    cites = draft(policy(), given, [], (), SETTINGS).cites

    assert len({cite.evidence.split("#")[0] for cite in cites}) == len(cites) <= SETTINGS.cited_examples
    assert draft(policy(), other, [], (), SETTINGS).cites == cites
