import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msce_graph.learning.signature import NO_MESSAGE, SIGNATURE_LIMIT, error_signature, pattern_id
from tests.support import cases

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@pytest.mark.parametrize(("texts", "expect"), cases("signature"))
def test_the_same_fault_has_the_same_signature(texts, expect):
    groups = [[error_signature(text) for text in group] for group in texts["groups"]]

    assert expect == {"same_within": True, "different_across": True}
    assert [len(set(group)) for group in groups] == [1] * len(groups)
    assert len({group[0] for group in groups}) == len(groups)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sort: cannot read: prices.csv: No such file", "sort: cannot read: staff.xlsx: No such file"),
        ("bill@shop.example is unknown", "eve.adams@mail.example.org is unknown"),
        ("Error: no such table: parcels", "Error: no such table: stock_2"),
        ("grep: lib/a: Is a directory\ngrep: lib/b: Is a directory", "grep: src/x: Is a directory"),
        ("row 1\nrow 2\nfatal: bad object", "other output\nfatal: bad object"),
        ("C:\\Users\\ann\\x.ini is missing", "D:\\y is missing"),
        ({"error": "Seat 12A is taken", "code": 409}, '{"error": "Seat 7F is taken", "code": 410}'),
    ],
)
def test_names_of_things_do_not_tell_faults_apart(one, other):
    assert error_signature(one) == error_signature(other)


def test_of_a_chain_of_tracebacks_the_last_exception_is_the_fault():
    frames = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n'
    chain = (
        f"{frames}KeyError: 'a'\n\nDuring handling of it another exception occurred:\n\n{frames}OSError: disk full\n"
    )

    assert error_signature(chain) == "OSError: disk full"


@pytest.mark.parametrize("nothing", ["", " \n ", {}, []])
def test_an_error_without_words_has_a_signature_too(nothing):
    assert error_signature(nothing) == NO_MESSAGE


@settings(deadline=None)
@given(json_values)
def test_any_observation_has_a_short_signature_of_one_line(observation):
    signature = error_signature(observation)

    assert 0 < len(signature) <= SIGNATURE_LIMIT
    assert signature == " ".join(signature.split())
    assert signature == error_signature(observation)


@settings(deadline=None)
@given(st.text(st.characters(codec="ascii")))
def test_no_digit_is_left_in_a_signature(text):
    assert not any(character.isdigit() for character in error_signature(text))


@pytest.mark.timeout(10)
@pytest.mark.parametrize("unit", ["a/", "'a", "a.", ":", "1:", "`", '"\\', "a-", "/", "no such table: "])
def test_a_long_text_of_one_pattern_is_read_in_time(unit):
    assert error_signature(unit * 20_000)


def test_a_pattern_is_named_by_domain_tool_and_signature():
    assert pattern_id("shop", "pay", "declined") == pattern_id("shop", "pay", "declined")
    assert len({pattern_id("a", "b", "c"), pattern_id("a", "bc", ""), pattern_id("ab", "", "c")}) == 3
    assert len(pattern_id("店", "pay", "")) == 32
