"""What the README shows is what the package does: its example runs as it stands, its commands are understood."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from msce_graph import MemoryGraph
from msce_graph.cli.root import root
from msce_graph.store import embedded
from tests.cli.running import msce
from tests.support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCED = FENCE.findall(README)
PROSE = FENCE.sub("", README)
EXAMPLE = next(text for language, text in FENCED if language == "python")
INLINE = re.findall(r"`([^`\n]+)`", PROSE)


def blocks() -> Iterator[str]:
    """Yield the lines of code that are no Python: fenced or indented, without what a comment says."""
    indented = re.findall(r"^ {4}(.+)$", PROSE, re.MULTILINE)
    for line in (*indented, *(line for language, text in FENCED if language != "python" for line in text.splitlines())):
        yield line.partition(" #")[0].strip().removeprefix("$ ")


SHOWN = [line for line in blocks() if line.startswith("msce ")]
NAMED = [code for code in INLINE if code.startswith("msce ")]


def test_it_starts_with_the_two_commands_that_set_everything_up():
    first = [line for line in blocks() if line][:2]

    assert first == ["make demo", "make test"]
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"demo", "test"} <= set(targets)


def test_the_python_example_runs_as_it_stands(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MSCE_", "NEO4J_"))}
    try:
        ended = subprocess.run(
            [sys.executable, "-W", "error", "-c", EXAMPLE],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env=environment,
        )
    finally:
        for store in tmp_path.iterdir():
            embedded.stop(store)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(ended.stdout.splitlines()) >= EXAMPLE.count("print(")


def test_every_python_block_is_python():
    for language, text in FENCED:
        if language == "python":
            compile(text, "README.md", "exec")


@pytest.mark.parametrize("line", SHOWN)
def test_a_command_of_a_block_is_understood(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()

    result = msce(*shlex.split(line)[1:], MSCE_STORE="nowhere://")

    assert result.exit_code in (0, 1), result.stderr
    assert result.exit_code == 0 or "nowhere://" in result.stderr


@pytest.mark.parametrize("line", sorted({*SHOWN, *NAMED}))
def test_a_command_that_is_named_has_a_help_with_the_options_shown(line):
    words = shlex.split(line)[1:]
    path, command = found(words)

    assert path
    assert msce(*path, "--help").exit_code == 0
    known = {option for one in (root, command) for parameter in one.params for option in parameter.opts} | {"--help"}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known


def test_every_option_that_is_named_is_one_of_some_command():
    named = {word for code in INLINE for word in code.split() if word.startswith("--")}

    known = {option for command in commands(root) for parameter in command.params for option in parameter.opts}
    assert named <= known | {"--help"}


def test_every_verb_of_python_that_is_named_is_there():
    verbs = set(re.findall(r"\bmemory\.(\w+)", README))

    assert verbs
    assert {verb for verb in verbs if not hasattr(MemoryGraph, verb)} == set()


def test_every_file_that_is_linked_or_named_is_there():
    linked = re.findall(r"\]\(([^)#:]+)\)", README) + [
        code for code in INLINE if re.fullmatch(r"[\w-]+/[\w./-]+\w", code)
    ]

    assert linked
    assert [name for name in linked if not (ROOT / name).exists()] == []


def found(words: list[str]) -> tuple[list[str], click.Command]:
    """Return the command that words name, and the words that name it."""
    command: click.Command = root
    path: list[str] = []
    for word in words:
        if not isinstance(command, click.Group) or word not in command.commands:
            break
        command = command.commands[word]
        path.append(word)
    return path, command


def commands(group: click.Group) -> Iterator[click.Command]:
    yield group
    for command in group.commands.values():
        yield from commands(command) if isinstance(command, click.Group) else (command,)
