"""A folder that an agent works in: commands really run there, and answer the same on every machine."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SHOWN_ROOT = "/home/dev"
TEXT_LIMIT = 700
ROW_LIMIT = 12
ANSWERS_BY_STATUS = ("grep", "diff")
"""Programs whose status 1 is an answer and no failure."""

_GIT_SETTINGS = """\
[user]
    name = Dev
    email = dev@example.org
[init]
    defaultBranch = main
[core]
    abbrev = 7
    autocrlf = false
    pager = cat
[color]
    ui = false
[gc]
    auto = 0
[advice]
    statusHints = false
    detachedHead = false
"""


@dataclass(frozen=True)
class Answer:
    """What a command or statement printed, and whether it failed."""

    text: str
    is_error: bool = False

    @property
    def lines(self) -> list[str]:
        """The printed lines."""
        return self.text.splitlines()


class Project:
    """A git-capable folder `project` below a root that is shown as /home/dev, with one SQLite file at most."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.folder = self.root / "project"
        self.folder.mkdir()
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self._database: sqlite3.Connection | None = None
        (self.root / ".gitconfig").write_text(_GIT_SETTINGS)

    def write(self, name: str, text: str, *, executable: bool = False) -> None:
        """Create or replace a file below the folder, with its parents."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        path.chmod(0o755 if executable else 0o644)

    def read(self, name: str) -> str | None:
        """Return a file's text with its line ends as they are, or None where there is none."""
        path = self.folder / name
        return path.read_bytes().decode() if path.is_file() else None

    def shell(self, command: str) -> Answer:
        """Return what bash prints for the command in the folder, both streams in one, without git's hints."""
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", command],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        lines = done.stdout.decode().replace(str(self.root), SHOWN_ROOT).removesuffix("\n").split("\n")
        # git's hints change from version to version
        text = "\n".join(line for line in lines if not line.startswith("hint:"))
        is_answer = done.returncode == 1 and command.startswith(ANSWERS_BY_STATUS)
        return Answer(_shortened(text), is_error=done.returncode != 0 and not is_answer)

    def must(self, command: str) -> str:
        """Return what the command prints; raise RuntimeError where it fails."""
        answer = self.shell(command)
        if answer.is_error:
            raise RuntimeError(f"{command}: {answer.text}")
        return answer.text

    def commit(self, message: str) -> None:
        """Commit everything in the folder, after creating the repository where there is none."""
        if not (self.folder / ".git").exists():
            self.must("git init -q --template=")
        self.must(f"git add -A && git commit -qm '{message}'")

    def sql(self, statement: str) -> Answer:
        """Return a statement's rows as text, its count of changed rows, or its error."""
        try:
            cursor = self._connection().execute(statement)
            rows = cursor.fetchall()
        except sqlite3.Error as error:
            return Answer(f"Error: {error}", is_error=True)
        if cursor.description:
            return Answer(_table([column[0] for column in cursor.description], rows))
        return Answer(f"{cursor.rowcount} rows changed" if cursor.rowcount >= 0 else "done")

    def load(self, script: str) -> None:
        """Run many statements at once, to set the database up."""
        self._connection().executescript(script)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return what the query finds in the committed database; nothing where it fails."""
        with closing(sqlite3.connect(self._file)) as connection:
            try:
                return connection.execute(query).fetchall()
            except sqlite3.Error:
                return []

    def close(self) -> None:
        """Close the database as a client does that goes away: what is not committed is lost."""
        if self._database is not None:
            self._database.close()
            self._database = None

    @property
    def _file(self) -> Path:
        return self.folder / "shop.db"

    def _connection(self) -> sqlite3.Connection:
        if self._database is None:
            self._database = sqlite3.connect(self._file, isolation_level=None)
        return self._database

    def _environment(self) -> dict[str, str]:
        date = self.now.strftime("%Y-%m-%dT%H:%M:%SZ")
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.root),
            "LC_ALL": "C",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_DEFAULT_HASH": "sha1",
            "GIT_CEILING_DIRECTORIES": str(self.root),
            "GIT_EDITOR": "true",
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
        }


def _table(columns: list[str], rows: list[tuple[Any, ...]]) -> str:
    lines = [" | ".join("NULL" if value is None else str(value) for value in row) for row in (columns, *rows)]
    more = len(rows) - ROW_LIMIT
    return "\n".join([*lines[: ROW_LIMIT + 1], *([f"... {more} more rows"] if more > 0 else [])])


def _shortened(text: str) -> str:
    return text if len(text) <= TEXT_LIMIT else f"{text[:TEXT_LIMIT]}\n... {len(text) - TEXT_LIMIT} more characters"
