from __future__ import annotations

import io
import unicodedata
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from msce_graph.provenance.plain import plain
from tests.provenance.samples import HOSTILE, SHOWN


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("over\rwritten", "over\\x0dwritten"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("\u2028", "\\u2028"),
        ("\U000e0041", "\\U000e0041"),
        ("\ufffe", "\\ufffe"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("面包 🍞 naïve", "面包 🍞 naïve"),
    ],
)
def test_what_steers_or_hides_is_written_as_its_escape(text, shown):
    assert plain(text) == shown


def test_one_line_folds_white_space():
    assert plain(" a \n\n\tb\r\nc ", one_line=True) == "a b c"


@given(st.text())
def test_nothing_that_steers_or_hides_is_left(text):
    left = {unicodedata.category(character) for character in plain(text) if character not in "\n\t"}

    assert not left & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"])))
def test_visible_text_stays_as_it_is(text):
    assert plain(text) == text


@given(st.text())
def test_plain_text_is_plain(text):
    assert plain(plain(text)) == plain(text)


@given(st.text(st.characters(codec=None)))
def test_xml_takes_what_is_left(text):
    read = ElementTree.fromstring(f"<a>{escape(plain(text))}</a>").text or ""

    assert read == plain(text)


def test_a_terminal_shows_log_text_and_obeys_nothing_in_it():
    out = io.StringIO()

    Console(file=out, force_terminal=True, width=200, highlight=False).print(Text(plain(HOSTILE)))

    assert out.getvalue() == SHOWN + "\n"
