"""What is understood, what is refused as wrongly used, and what the help promises."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msce_graph.cli.output import Table, in_pipe, json_text
from msce_graph.cli.root import root
from msce_graph.cli.verbs import Taught
from msce_graph.embedding import MODELS
from msce_graph.provenance.formats import FORMATS
from msce_graph.provenance.plain import plain
from msce_graph.records import Origin, PolicyStatus, SkillStatus
from tests.cli.running import msce

HEAVY = ("neo4j", "numpy", "pydantic", "networkx", "rich", "sqlglot", "jinja2")


def commands(group: click.Group = root, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, group
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = [pytest.param(path, command, id=" ".join(path) or "msce") for path, command in commands()]
EXAMPLES = [example for _, command in commands() if isinstance(command, Taught) for example in command.examples]


def test_help_imports_nothing_heavy_and_takes_less_than_three_tenths_of_a_second():
    script = (
        "import sys, time; from msce_graph.cli.root import root; root(['--help'], standalone_mode=False); "
        f"print(time.process_time(), [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )

    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    seconds, heavy = ended.stderr.split(" ", 1)
    assert heavy.strip() == "[]"
    assert float(seconds) < 0.3


@pytest.mark.parametrize(("path", "command"), COMMANDS)
def test_every_help_ends_with_an_example_of_its_own(path, command):
    result = msce(*path, "--help")

    assert result.exit_code == 0
    last = result.stdout.rstrip().split("Examples:\n")[1].splitlines()
    assert all(line.startswith("  msce ") and " ".join(path[-1:]) in line for line in last)


@pytest.mark.parametrize(("path", "command"), [one for one in COMMANDS if not isinstance(one.values[1], click.Group)])
def test_every_command_gives_json(path, command):
    assert "--json" in [option for parameter in command.params for option in parameter.opts]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_help_is_understood(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("logs", "sessions"):
        Path(folder).mkdir()
    for file in ("runs.jsonl", "graded.csv"):
        Path(file).touch()
    words = shlex.split(example.replace("bolt://localhost:7687", "nowhere://").partition(" | ")[0].partition(" > ")[0])

    result = msce(*words[1:], MSCE_STORE="nowhere://")

    assert result.exit_code in (0, 1), result.stderr
    assert result.exit_code == 0 or "nowhere://" in result.stderr


@pytest.mark.parametrize(
    ("path", "option", "known"),
    [
        ("", "embedder", MODELS),
        ("embed", "model", MODELS),
        ("ingest", "origin", get_args(Origin)),
        ("provenance", "format", tuple(FORMATS)),
        ("policy list", "status", get_args(PolicyStatus)),
        ("skill list", "status", get_args(SkillStatus)),
    ],
)
def test_the_choices_of_an_option_are_all_that_the_package_knows(path, option, known):
    [command] = [command for found, command in commands() if " ".join(found) == path]
    [kind] = [parameter.type for parameter in command.params if parameter.name == option]

    assert tuple(kind.choices) == known


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--set", "gama=0.5", "stats"], "gamma"),
        (["--set", "gamma=5", "stats"], "less than or equal to 1"),
        (["--set", "gamma", "stats"], "NAME=VALUE"),
        (["evolve", "--rebuild", "--set", "gama=0.5"], "gamma"),
        (["query", "RETURN 1", "--param", "=3"], "NAME=VALUE"),
        (["--namespace", "No Blanks", "stats"], "--namespace"),
        (["--embedder", "psychic", "stats"], "hashing"),
        (["ingest"], "PATH"),
        (["ingest", "not-there.jsonl"], "not-there.jsonl"),
        (["provenance", "x", "--format", "crayon"], "graphml"),
        (["recall", "x", "--limit", "0"], "--limit"),
        (["recall", "x", "--limit", "101"], "--limit"),
        (["forgive"], "forgive"),
    ],
)
def test_a_wrong_call_ends_with_2_and_says_what_is_wrong(arguments, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    result = msce(*arguments)

    assert result.exit_code == 2
    assert named in result.stderr
    assert result.stdout == ""
    assert not any(tmp_path.iterdir())


def test_formats_and_schema_need_no_store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    formats, schema = msce("formats", "--json"), msce("schema")

    assert {"native", "openai", "tau2"} <= {known["name"] for known in json.loads(formats.stdout)}
    assert json.loads(schema.stdout)["properties"]["steps"]
    assert not any(tmp_path.iterdir())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_json_reads_back_and_shows_every_character(value):
    text = json_text(value, indent=2)

    assert json.loads(text) == value
    assert text.replace("\n", "").isprintable()


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=9))
def test_a_table_in_a_pipe_has_one_printable_line_a_row(cells):
    lines = in_pipe(Table(cells, header=("one", "other"))).split("\n")

    assert len(lines) == 1 + len(cells)
    assert all(plain(line) == line for line in lines)
