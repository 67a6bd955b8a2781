"""Tasks with plain files: names to change, lines to count, settings to edit."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from examples.workshop.agent import Agent, Language
from examples.workshop.project import Answer, Project
from examples.workshop.task import Task


@dataclass(frozen=True, kw_only=True)
class RenameFiles(Task):
    """Files to rename to one pattern; names may hold spaces, and two may be headed for the same name."""

    family: ClassVar[str] = "rename-files"
    folder: str
    word: str
    count: int
    separator: str
    has_twin: bool

    @property
    @override
    def text(self) -> str:
        return (
            f"Rename the {self.count} files in {self.folder}/ to {self.folder}-NUMBER.txt, keeping their numbers. "
            "No file may be lost: where two would get one name, let the second keep its old name."
        )

    @override
    def prepare(self, project: Project) -> None:
        for name in self._names():
            project.write(f"{self.folder}/{name}", f"text of {name}\n")
        project.write("check", self._check(), executable=True)

    @override
    def attempt(self, agent: Agent) -> None:
        knows_spaces = agent.careful()
        if knows_spaces:
            agent.shell(f"find {self.folder} -type f | sort", "What do the names look like, are there spaces in them?")
        has_copy = agent.careful(-0.15)
        if has_copy:
            agent.shell(f"cp -r {self.folder} {self.folder}.bak", f"Keep a copy of {self.folder} before it changes.")
        moved = self._move(agent, keeps_old=knows_spaces and agent.happens(0.35), is_quoted=knows_spaces)
        if moved.is_error and agent.careful(0.1):
            moved = self._move(agent, keeps_old=agent.careful(), is_quoted=True)
        if agent.careful():
            self._verify(agent, has_copy=has_copy)

    @override
    def score(self, project: Project) -> float:
        left: dict[str, str] = {}
        for name in self._names():
            new = self._new(name)
            left[name if new in left else new] = f"text of {name}\n"
        files = sorted((project.folder / self.folder).iterdir())
        return float({file.name: file.read_text() for file in files} == left)

    def _move(self, agent: Agent, *, keeps_old: bool, is_quoted: bool) -> Answer:
        new = f'"{self.folder}/{self.folder}-$(basename "$f" .TXT | tr -dc 0-9).txt"'
        if keeps_old:
            move, thought = f'new={new}; [ -e "$new" ] || mv "$f" "$new"', "Quote the names, and overwrite nothing."
        elif is_quoted:
            move, thought = f'mv "$f" {new}', "Quote the names, they may hold spaces."
        else:
            move, thought = f"mv $f {new}", f"One loop over {self.folder} renames them all."
        names = f"{self.folder}/*.TXT" if is_quoted else f"$(ls {self.folder}/*.TXT)"
        loop = f"for f in {names}; do {move}; done"
        return agent.shell(loop, thought)

    def _verify(self, agent: Agent, *, has_copy: bool) -> None:
        checked = agent.shell("./check", f"Are there still {self.count} files in {self.folder}, with new names?")
        if not checked.is_error:
            return
        if "old names" in checked.text:
            self._move(agent, keeps_old=True, is_quoted=True)
        elif has_copy:
            restore = f"rm -r {self.folder} && mv {self.folder}.bak {self.folder}"
            agent.shell(restore, "A file was overwritten: go back to the copy.")
            self._move(agent, keeps_old=True, is_quoted=True)
            agent.shell("./check", "Are all there now?")

    def _check(self) -> str:
        return f"""#!/bin/bash
found=$(ls {self.folder} | wc -l)
[ $found = {self.count} ] || {{ echo "check: $found files, expected {self.count}"; exit 1; }}
old=$(ls {self.folder} | grep -c TXT)
[ $old -le 1 ] || {{ echo "check: $old files have old names"; exit 1; }}
echo ok
"""

    def _names(self) -> list[str]:
        names = [f"{self.word}{self.separator}{number:02}.TXT" for number in range(1, self.count + 1)]
        if self.has_twin:
            names[-1] = f"{self.word}_{self.count - 1:02}.TXT"
        return sorted(names)

    def _new(self, name: str) -> str:
        return f"{self.folder}-{re.sub('[^0-9]', '', name.removesuffix('.TXT'))}.txt"


@dataclass(frozen=True, kw_only=True)
class CountLog(Task):
    """Requests to count by status; some lines end in CR LF, and some paths hold a space."""

    family: ClassVar[str] = "count-log"
    log: str
    returns: int
    """Every so many lines one ends in CR LF; 0 for none."""
    spaces: int
    """Every so many paths one holds a space; 0 for none."""

    @property
    @override
    def text(self) -> str:
        return (
            f"Each line of {self.log} ends in a status code. Write to report.txt how often each code occurs, "
            "as 'CODE COUNT' with the codes in ascending order."
        )

    @override
    def prepare(self, project: Project) -> None:
        project.write(self.log, "".join(f"{path} {code}{end}" for path, code, end in self._lines()))
        project.write("check", self._check(), executable=True)

    @override
    def attempt(self, agent: Agent) -> None:
        strips = False
        if agent.careful():
            dumped = agent.shell(f"head -n 12 {self.log} | od -c | head -n 30", f"Are there odd bytes in {self.log}?")
            strips = "\\r" in dumped.text
        field = "$NF" if agent.careful() else "$3"
        self._report(agent, field, strips=strips)
        if agent.careful():
            checked = agent.shell("./check", "Is every line of report.txt a code and a count, and is none missing?")
            if checked.is_error and agent.careful(0.3):
                self._report(agent, "$NF", strips=True)
                agent.shell("./check", "Is report.txt right now?")

    @override
    def score(self, project: Project) -> float:
        counts = Counter(code for _, code, _ in self._lines())
        wanted = [f"{code} {count}" for code, count in sorted(counts.items())]
        found = [line.rstrip("\n") for line in (project.read("report.txt") or "").splitlines(keepends=True)]
        if len(found) > 2 * len(wanted):
            return 0.0
        return sum(line in found for line in wanted) / max(len(wanted), len(found))

    def _report(self, agent: Agent, field: str, *, strips: bool) -> None:
        source = f"tr -d '\\r' < {self.log} | awk" if strips else "awk"
        thought = f"Count {field} of {self.log}" + (", without the carriage returns." if strips else ".")
        end = "" if strips else f" {self.log}"
        counted = f"{source} '{{ n[{field}]++ }} END {{ for (c in n) print c, n[c] }}'{end}"
        agent.shell(f"{counted} | sort > report.txt", thought)

    def _check(self) -> str:
        return """#!/bin/sh
awk '!/^[1-5][0-9][0-9] [0-9]+$/ { print "check: line " NR " is no code and count"; bad = 1; exit }
    END { exit bad }' report.txt
"""

    def _lines(self) -> list[tuple[str, str, str]]:
        codes = ("200", "404", "200", "301", "200", "500", "200", "403", "404")
        lines = []
        for number in range(1, 61):
            space = " " if self.spaces and number % self.spaces == 0 else "-"
            end = "\r\n" if self.returns and number % self.returns == 0 else "\n"
            lines.append((f"GET /page{space}{number % 11}", codes[number * number // 3 % len(codes)], end))
        return lines


@dataclass(frozen=True, kw_only=True)
class EditSettings(Task):
    """A setting to change in every file; other settings end in the same words. The agent is told in Chinese."""

    family: ClassVar[str] = "edit-settings"
    language: ClassVar[Language] = "zh"
    key_name: str
    lookalike: str
    old: int
    new: int
    files: int

    @property
    @override
    def text(self) -> str:
        return f"把 conf/ 目录下所有文件中的 {self.key_name} 从 {self.old} 改为 {self.new},其他设置不能变。"

    @override
    def prepare(self, project: Project) -> None:
        for number in range(self.files):
            project.write(f"conf/site{number}.ini", self._settings(number, self.old))

    @override
    def attempt(self, agent: Agent) -> None:
        is_exact = False
        if agent.careful():
            found = agent.shell(
                f"grep -n '{self.key_name}={self.old}' conf/*", f"先看看 {self.key_name} 出现在哪些行。"
            )
            is_exact = self.lookalike in found.text and agent.happens(0.6)
        has_copy = agent.careful()
        if has_copy:
            agent.shell("cp -r conf conf.bak", "修改 conf 之前先做备份。")
        self._edit(agent, is_exact=is_exact)
        if has_copy and agent.careful(0.2):
            self._compare(agent)
        elif agent.happens(0.4):
            agent.shell(f"grep -c '{self.new}' conf/*", f"确认 {self.new} 已经写入。")

    @override
    def score(self, project: Project) -> float:
        wanted = {f"conf/site{number}.ini": self._settings(number, self.new) for number in range(self.files)}
        return float(all(project.read(name) == text for name, text in wanted.items()))

    def _edit(self, agent: Agent, *, is_exact: bool) -> None:
        start, end = ("^", "$") if is_exact else ("", "")
        thought = f"只改 {self.key_name} 这一行。" if is_exact else f"用 sed 把 {self.old} 换成 {self.new}。"
        agent.shell(f"sed -i 's/{start}{self.key_name}={self.old}{end}/{self.key_name}={self.new}/' conf/*", thought)

    def _compare(self, agent: Agent) -> None:
        changed = agent.shell("diff -r conf.bak conf", "和备份比较,只有该改的行变了吗?")
        if self.lookalike in changed.text:
            agent.shell("cp -r conf.bak/. conf", f"{self.lookalike} 也被改了,先从备份恢复。")
            self._edit(agent, is_exact=True)
            agent.shell("diff -r conf.bak conf", "再比较一次。")

    def _settings(self, number: int, value: int) -> str:
        return f"name=site{number}\n{self.key_name}={value}\n{self.lookalike}={self.old}\n"


TASKS: tuple[Task, ...] = (
    RenameFiles(variation="scans", folder="scans", word="Scan", count=9, separator=" ", has_twin=True),
    RenameFiles(variation="letters", folder="letters", word="LETTER", count=7, separator="_", has_twin=False),
    RenameFiles(variation="reports", folder="reports", word="Report", count=11, separator=" ", has_twin=True),
    RenameFiles(variation="poems", folder="poems", word="Poem", count=8, separator=" ", has_twin=False),
    RenameFiles(variation="bills", folder="bills", word="bill", count=12, separator="-", has_twin=True),
    RenameFiles(variation="drafts", folder="drafts", word="My Draft", count=6, separator=" ", has_twin=False),
    RenameFiles(variation="notes", folder="notes", word="note", count=10, separator=".", has_twin=True),
    CountLog(variation="shop", log="shop.log", returns=5, spaces=0),
    CountLog(variation="api", log="api.log", returns=7, spaces=9),
    CountLog(variation="blog", log="blog.log", returns=3, spaces=0),
    CountLog(variation="mail", log="mail.log", returns=0, spaces=6),
    CountLog(variation="proxy", log="proxy.log", returns=4, spaces=0),
    CountLog(variation="media", log="media.log", returns=6, spaces=8),
    CountLog(variation="wiki", log="wiki.log", returns=2, spaces=0),
    EditSettings(variation="port", key_name="port", lookalike="support", old=80, new=8080, files=3),
    EditSettings(variation="rate", key_name="rate", lookalike="birate", old=20, new=25, files=4),
    EditSettings(variation="age", key_name="age", lookalike="page", old=30, new=60, files=2),
    EditSettings(variation="size", key_name="size", lookalike="resize", old=64, new=128, files=3),
    EditSettings(variation="level", key_name="level", lookalike="sublevel", old=3, new=5, files=5),
    EditSettings(variation="time", key_name="time", lookalike="runtime", old=15, new=45, files=3),
    EditSettings(variation="load", key_name="load", lookalike="upload", old=50, new=75, files=4),
)
