"""The commands that show what environments are like."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from msce_graph.provenance.formats import FORMATS
from msce_graph.store import embedded
from tests.cli.running import HOSTILE, answer, msce, written
from tests.pipeline.test_environment import refund

STEERS = ("\x1b", "\x9b", "\u202e")


def hostile(number: int) -> dict[str, object]:
    """Return an episode of the shop in which every error says something that would steer a terminal."""
    found = refund(number)
    for step in found["steps"]:
        step["observation"] = f"Error: {HOSTILE} order" if step["is_error"] else step["observation"]
    return found


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("shop") / "store"
    log = written(folder.parent / "shop.jsonl", map(hostile, range(40)))
    assert msce("--store", folder, "ingest", log).exit_code == 0
    assert msce("--store", folder, "evolve").exit_code == 0
    yield folder
    embedded.stop(folder)


def test_statements_are_listed_by_what_is_asked_for(shop):
    every = answer("--store", shop, "environment", "list")
    constraints = answer("--store", shop, "environment", "list", "--kind", "constraint", "--domain", "shop")

    assert {one["kind"] for one in constraints} == {"constraint"}
    assert len(constraints) < len(every)
    assert answer("--store", shop, "environment", "list", "--domain", "elsewhere") == []


def test_one_statement_is_shown_with_its_numbers(shop):
    [first, *_] = answer("--store", shop, "environment", "list", "--kind", "dependency")

    shown = answer("--store", shop, "environment", "show", first["id"])
    told = msce("--store", shop, "environment", "show", first["id"]).stdout

    assert shown == first
    assert first["statement"] in told
    assert f"{first['support']} episodes" in told


def test_a_key_that_is_not_there_ends_with_one_line_that_names_it(shop):
    result = msce("--store", shop, "environment", "show", "nothing-such")

    assert result.exit_code == 1
    assert "nothing-such" in result.stderr


def test_where_nothing_is_known_it_says_what_would_change_that(shop):
    result = msce("--store", shop, "environment", "list", "--domain", "elsewhere")

    assert result.exit_code == 0
    assert result.stdout == ""
    assert "msce evolve" in result.stderr


@pytest.mark.parametrize("format", FORMATS)
def test_a_domain_is_drawn_in_every_format_with_its_tools(shop, tmp_path, format):
    file = tmp_path / "drawing"

    result = msce("--store", shop, "environment", "graph", "shop", "--format", format, "--output", file)

    assert result.exit_code == 0
    assert {"refund", "find_order"} <= {name for name in ("refund", "find_order") if name in file.read_text("utf-8")}


def test_nothing_that_a_log_says_steers_the_terminal(shop):
    for arguments in (["environment", "list"], ["environment", "graph", "shop", "--format", "svg"]):
        result = msce("--store", shop, *arguments)

        assert result.exit_code == 0
        assert not any(sign in result.stdout for sign in STEERS)
