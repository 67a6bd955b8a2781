"""Tasks in git repositories: what is committed, merged, found, pushed or cleaned away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from examples.workshop.agent import Agent
from examples.workshop.project import Answer, Project
from examples.workshop.task import Task

DROP_MARKERS = "sed -i '/^<<<<<<< /d;/^=======$/d;/^>>>>>>> /d'"
"""The command that keeps both sides of a conflict."""


def _is_committed(project: Project, name: str) -> bool:
    return name in project.must("git ls-tree -r --name-only HEAD").splitlines()


def _committed(project: Project, name: str) -> str:
    """Return a file's text at HEAD, without its last line end; empty where HEAD has no such file."""
    return project.must(f"git show HEAD:{name}") if _is_committed(project, name) else ""


@dataclass(frozen=True, kw_only=True)
class FixFailingTest(Task):
    """A wrong factor in one function; its neighbour rightly has it too. A file beside it must stay out."""

    family: ClassVar[str] = "fix-test"
    file: str
    function: str
    neighbour: str
    wrong: int
    right: int
    stray: str | None

    @property
    @override
    def text(self) -> str:
        return (
            f"The test of {self.function} in {self.file} fails: it must multiply by {self.right}. "
            "Correct it and commit the correction and nothing else."
        )

    @override
    def prepare(self, project: Project) -> None:
        project.write(self.file, self._code(self.wrong))
        project.write("check", self._tests(), executable=True)
        project.commit("first version")
        if self.stray:
            project.write(self.stray, "TOKEN=changeme\n")

    @override
    def attempt(self, agent: Agent) -> None:
        if agent.happens(0.4):
            agent.shell(f"cat {self.file}", f"I want to read {self.function} before I change {self.file}.")
        self._edit(agent)
        if agent.careful():
            ran = agent.shell("./check", f"Only the tests can tell whether {self.function} is right now.")
            if ran.is_error and agent.careful(0.3):
                agent.shell(
                    f"git checkout -q -- {self.file}", f"The edit broke another function of {self.file}: undo it."
                )
                line = self._code(self.wrong).splitlines().index(f"{self.function}() {{") + 2
                agent.shell(self._substitution(str(line)), f"Change line {line} alone, which is in {self.function}.")
                agent.shell("./check", "Run the tests again after the second edit.")
        self._commit(agent)

    @override
    def score(self, project: Project) -> float:
        is_clean = self.stray is None or not _is_committed(project, self.stray)
        return float(is_clean and _committed(project, self.file) == self._code(self.right).rstrip())

    def _edit(self, agent: Agent) -> None:
        line = ""
        if agent.careful():
            found = agent.shell(f"grep -n '{self.wrong}' {self.file}", f"Where does {self.wrong} occur in {self.file}?")
            numbers = [row.split(":")[0] for row in found.lines]
            own = self._code(self.wrong).splitlines().index(f"{self.function}() {{") + 2
            line = agent.pick(numbers) if agent.happens(0.3) else str(own)
        agent.shell(self._substitution(line), f"Replace {self.wrong} by {self.right} in {self.file}.")

    def _commit(self, agent: Agent) -> None:
        if agent.careful():
            agent.shell("git status --short", "Which files would a commit take, and are there any that must stay out?")
            agent.shell(f"git add {self.file}", f"Stage {self.file} alone, since the task asks for nothing else.")
        else:
            agent.shell("git add -A", "Stage the work.")
        if agent.careful(-0.1):
            staged = agent.shell("git diff --cached --stat", "See what is staged before it is committed.")
            if self.stray and self.stray in staged.text:
                agent.shell(f"git reset -q {self.stray}", f"{self.stray} is staged and must stay out of the commit.")
        agent.shell(f"git commit -m 'Correct {self.function}'", f"Commit the correction of {self.function}.")

    def _substitution(self, line: str) -> str:
        return f"sed -i '{line}s/\\* {self.wrong} /* {self.right} /' {self.file}"

    def _code(self, factor: int) -> str:
        functions = [(self.neighbour, self.wrong), (self.function, factor)]
        if self.right % 2:
            functions.reverse()
        return "# Amounts in cents.\n" + "\n".join(
            f"{name}() {{\n    echo $(( $1 * {by} ))\n}}\n" for name, by in functions
        )

    def _tests(self) -> str:
        return f"""#!/bin/bash
. ./{self.file}
failed=0
expect() {{
    got=$($1 $2)
    if [ "$got" = "$3" ]; then echo "ok $1"; else echo "FAIL $1: expected $3, got $got"; failed=1; fi
}}
expect {self.neighbour} 3 {3 * self.wrong}
expect {self.function} 3 {3 * self.right}
exit $failed
"""


@dataclass(frozen=True, kw_only=True)
class RecoverFile(Task):
    """A file deleted some commits ago, of which there were several versions; .gitignore may refuse it."""

    family: ClassVar[str] = "recover-file"
    file: str
    since: int
    """Commits after the deletion."""
    is_ignored: bool

    @property
    @override
    def text(self) -> str:
        return f"{self.file} was deleted from this repository by mistake. Bring back its last version and commit it."

    @override
    def prepare(self, project: Project) -> None:
        for version in (1, 2, 3):
            project.write(self.file, self._version(version))
            project.commit(f"work on {self.variation}, part {version}")
        (project.folder / self.file).unlink()
        project.commit("tidy up")
        if self.is_ignored:
            project.write(".gitignore", f"*.{self.file.rsplit('.', 1)[-1]}\n")
        for number in range(self.since):
            project.write("notes.md", f"note {number}\n")
            project.commit(f"note {number}")

    @override
    def attempt(self, agent: Agent) -> None:
        if agent.careful():
            self._from_its_history(agent)
        else:
            self._by_guessing(agent)
        if agent.careful(-0.1):
            counted = agent.shell(f"wc -l {self.file}", f"Is {self.file} there again, and is it whole?")
            if counted.is_error or counted.text.startswith("0"):
                self._from_its_history(agent)
        self._commit(agent)

    @override
    def score(self, project: Project) -> float:
        return float(_committed(project, self.file) == self._version(3).rstrip())

    def _from_its_history(self, agent: Agent) -> None:
        log = agent.shell(
            f"git log --oneline -- {self.file}", f"Which commits touched {self.file}, and which deleted it?"
        )
        deletion = log.lines[0].split()[0]
        before = deletion if agent.happens(0.2) else f"{deletion}^"
        shown = self._restore(agent, before, f"Commit {deletion} deleted {self.file}: take it from the commit before.")
        if shown.is_error:
            self._restore(agent, f"{deletion}^", f"{deletion} has no {self.file} any more, its parent has.")

    def _by_guessing(self, agent: Agent) -> None:
        back = 1
        for _ in range(3):
            back += 1 + int(agent.happens(0.5))
            if not self._restore(agent, f"HEAD~{back}", f"{self.file} may still be there {back} commits ago.").is_error:
                return

    def _restore(self, agent: Agent, commit: str, thought: str) -> Answer:
        return agent.shell(f"git show {commit}:{self.file} > {self.file}", thought)

    def _commit(self, agent: Agent) -> None:
        if agent.shell(f"git add {self.file}", f"Stage {self.file}.").is_error:
            if agent.careful():
                agent.shell(f"git check-ignore -v {self.file}", f"Which rule makes git refuse {self.file}?")
                agent.shell(
                    f"git add -f {self.file}", "The rule was never meant for a file that is wanted: add it by force."
                )
            else:
                agent.shell("git add -A", "Then stage all there is.")
        agent.shell(f"git commit -m 'Bring back {self.file}'", f"Commit {self.file} again.")

    def _version(self, number: int) -> str:
        return "".join(f"{self.variation} entry {line}\n" for line in range(1, 2 + 2 * number))


@dataclass(frozen=True, kw_only=True)
class ResolveConflict(Task):
    """Two branches that added settings at one place, in one file or in two; both sides are wanted."""

    family: ClassVar[str] = "merge-conflict"
    branch: str
    files: tuple[str, ...]
    is_guarded: bool
    """Whether a hook refuses commits with conflict markers."""

    @property
    @override
    def text(self) -> str:
        return f"Merge the branch {self.branch} into main. The settings of both sides must be kept."

    @override
    def prepare(self, project: Project) -> None:
        self._write(project, "")
        project.commit("settings")
        project.must(f"git checkout -qb {self.branch}")
        self._write(project, f"{self.branch} = on\n")
        project.commit(f"settings of {self.branch}")
        project.must("git checkout -q main")
        self._write(project, "retries = 3\n")
        project.commit("retries")
        if self.is_guarded:
            hook = "#!/bin/sh\nif grep '^<<<<<<<' *.ini; then echo 'pre-commit: conflict markers left'; exit 1; fi\n"
            project.write(".git/hooks/pre-commit", hook, executable=True)

    @override
    def attempt(self, agent: Agent) -> None:
        agent.shell(f"git merge {self.branch}", f"Bring {self.branch} into main.")
        if agent.careful():
            agent.shell("git diff", "What do the two sides say where they conflict?")
            self._keep_both(agent, self.files[:1])
        elif agent.happens(0.6):
            side = agent.pick(("ours", "theirs"))
            agent.shell(f"git checkout --{side} {self.files[0]}", f"Take the version called {side}.")
        else:
            self._keep_both(agent, self.files[:1])
        if agent.careful(0.1):
            checked = agent.shell("./check", "Are the settings of both sides there, and no conflict markers?")
            if checked.is_error and agent.careful(0.3):
                broken = [line.split(":")[0] for line in checked.lines]
                self._repair(agent, [file for file in self.files if file in broken])
        agent.shell("git add -A", "Mark the conflict as resolved.")
        self._commit(agent)

    @override
    def score(self, project: Project) -> float:
        is_merged = len(project.must("git rev-list --parents -n 1 HEAD").split()) == 3
        wanted = {"name = shop", "retries = 3", f"{self.branch} = on", "end = yes"}
        return float(is_merged and all(set(_committed(project, file).splitlines()) == wanted for file in self.files))

    def _keep_both(self, agent: Agent, files: tuple[str, ...]) -> None:
        for file in files:
            agent.shell(f"{DROP_MARKERS} {file}", f"Both sides of {file} are wanted: only the markers have to go.")

    def _repair(self, agent: Agent, files: list[str]) -> None:
        for file in files:
            agent.shell(f"git checkout --merge {file}", f"Bring the conflict of {file} back, to resolve it anew.")
        self._keep_both(agent, tuple(files))
        agent.shell("./check", "Is everything there now?")

    def _commit(self, agent: Agent) -> None:
        message = f"-m 'Merge {self.branch}'"
        if not agent.shell(f"git commit {message}", f"Conclude the merge of {self.branch}.").is_error:
            return
        if agent.careful():
            self._keep_both(agent, self.files)
            agent.shell("git add -A", "Stage the files without markers.")
            agent.shell(f"git commit {message}", "The hook should be content now.")
        else:
            agent.shell(f"git commit --no-verify {message}", "The hook is in the way.")

    def _write(self, project: Project, line: str) -> None:
        project.write("check", self._check(), executable=True)
        for file in self.files:
            project.write(file, f"name = shop\n{line}end = yes\n")

    def _check(self) -> str:
        return f"""#!/bin/bash
failed=0
for file in *.ini; do
    problem=
    grep -q '^retries' $file && grep -q '^{self.branch}' $file || problem="a setting is missing"
    grep -q '^[<=>]' $file && problem="conflict markers left"
    [ -z "$problem" ] || {{ echo "$file: $problem"; failed=1; }}
done
exit $failed
"""


@dataclass(frozen=True, kw_only=True)
class FindCulprit(Task):
    """Nine commits, one of which broke a check under an innocent message; a later one touched the same line."""

    family: ClassVar[str] = "find-culprit"
    file: str
    culprit: int
    suspect: int
    """The commit whose message looks guilty."""

    @property
    @override
    def text(self) -> str:
        return (
            f"./probe passes at the tag v1 and fails now. Write the hash of the commit that broke {self.file} to "
            "answer.txt, and leave the repository on main."
        )

    @override
    def prepare(self, project: Project) -> None:
        probe = f"#!/bin/sh\n[ \"$(sh {self.file})\" = 12 ] || {{ echo 'probe: wrong total'; exit 1; }}\n"
        project.write("probe", probe, executable=True)
        project.write(self.file, self._code(0))
        project.commit("first version")
        project.must("git tag v1")
        for number in range(1, 10):
            project.write(self.file, self._code(number))
            project.write("CHANGES", "".join(f"change {done}\n" for done in range(1, number + 1)))
            project.commit(f"rework the total of {self.file}" if number == self.suspect else f"update notes, {number}")

    @override
    def attempt(self, agent: Agent) -> None:
        if agent.careful():
            self._answer(agent, self._bisected(agent))
        elif agent.happens(0.5):
            blamed = agent.shell(
                f"git blame -s -L '/total/,+1' {self.file}", "Who touched the line with the total last?"
            )
            self._answer(agent, blamed.text.split()[0].lstrip("^"))
        else:
            log = agent.shell("git log --oneline", "One of the messages should give it away.")
            self._answer(agent, next(line for line in log.lines if "rework" in line).split()[0])

    @override
    def score(self, project: Project) -> float:
        answer = (project.read("answer.txt") or "").strip()
        culprit = project.must(f"git rev-list --reverse v1..main | sed -n {self.culprit}p")
        is_on_main = project.shell("git symbolic-ref -q HEAD").text == "refs/heads/main"
        return float(is_on_main and len(answer) >= 7 and culprit.startswith(answer))

    def _bisected(self, agent: Agent) -> str:
        agent.shell("git bisect start HEAD v1 > /dev/null", "./probe can decide at every commit between v1 and HEAD.")
        agent.shell("git bisect run ./probe > /dev/null", "Let ./probe judge each step of the bisection.")
        log = agent.shell("git bisect log | tail -n 1", "Which commit is the first bad one?")
        if agent.careful(0.25):
            agent.shell("git bisect reset 2> /dev/null", "The bisection left HEAD detached: go back to main.")
        return log.text.split("[")[1][:12]

    def _answer(self, agent: Agent, commit: str) -> None:
        agent.shell(f"echo {commit} > answer.txt", f"Write {commit} down.")

    def _code(self, number: int) -> str:
        total = "3 * 4" if number < self.culprit else "3 * 5"
        spaces = "  " if number > self.culprit + 1 and self.suspect % 2 else " "
        return f"# version {number}\ntotal=$((" + spaces + total + spaces + "))\necho $total\n"


@dataclass(frozen=True, kw_only=True)
class PushChange(Task):
    """A change to push where a colleague pushed meanwhile, to another file or to the same line."""

    family: ClassVar[str] = "push-change"
    file: str
    word: str
    is_contested: bool
    """Whether the colleague changed the same file."""

    @property
    @override
    def text(self) -> str:
        return (
            f"Add the line '{self.word}' to {self.file}, commit it and push main to origin. "
            "The work of others must stay."
        )

    @override
    def prepare(self, project: Project) -> None:
        project.write(self.file, "first\n")
        project.write("others.txt", "first\n")
        project.commit("first version")
        project.must("git init -q --bare --template= ../remote.git && git remote add origin ../remote.git")
        project.must("git push -q -u origin main")
        theirs = self.file if self.is_contested else "others.txt"
        project.must("git clone -q --template= ../remote.git ../colleague")
        project.must(
            f"cd ../colleague && echo colleague >> {theirs} && git commit -qam 'my part' && git push -q origin main"
        )

    @override
    def attempt(self, agent: Agent) -> None:
        agent.shell(f"echo '{self.word}' >> {self.file}", f"Add the line to {self.file}.")
        if agent.careful(-0.2):
            agent.shell("git status --short", f"Is {self.file} all that changed?")
        agent.shell(f"git commit -qam 'Add {self.word}'", f"Commit {self.file}.")
        if not agent.shell("git push -q origin main", "Push main to origin.").is_error:
            return
        if agent.careful(0.1):
            self._rebase(agent)
        elif agent.happens(0.7):
            agent.shell("git push -q --force origin main", "Make origin take it.")
        else:
            agent.shell("git push -q origin main", "Perhaps it works now.")

    @override
    def score(self, project: Project) -> float:
        project.must("git fetch -q origin")
        lines = [
            project.must(f"git show origin/main:{name}").splitlines()
            for name in dict.fromkeys([self.file, "others.txt"])
        ]
        pushed = {line for file in lines for line in file}
        return float(pushed == {"first", "colleague", self.word})

    def _rebase(self, agent: Agent) -> None:
        pulled = agent.shell(
            "git pull -q --rebase origin main 2> /dev/null",
            "origin has commits that main lacks: put mine on top of them.",
        )
        if pulled.is_error:
            if agent.careful():
                agent.shell(f"{DROP_MARKERS} {self.file}", f"Keep both lines of {self.file}.")
                agent.shell(f"git add {self.file}", f"Mark {self.file} as resolved.")
                agent.shell("git rebase --continue > /dev/null 2>&1", "Go on with the rebase.")
            else:
                agent.shell("git rebase --skip > /dev/null 2>&1", "Skip what does not apply.")
        agent.shell("git push -q origin main", "Push what is now on top of origin's main.")


@dataclass(frozen=True, kw_only=True)
class CleanUp(Task):
    """Ignored build results to remove, beside new files with names alike that nobody has committed yet."""

    family: ClassVar[str] = "clean-up"
    output: str
    precious: str

    @property
    @override
    def text(self) -> str:
        return f"Remove what the build leaves behind ({self.output}/ and *.tmp, see .gitignore). Keep all other files."

    @override
    def prepare(self, project: Project) -> None:
        project.write(".gitignore", f"/{self.output}/\n*.tmp\n")
        project.write("main.c", "int main(void) { return 0; }\n")
        project.commit("first version")
        for name in (f"{self.output}/main.o", f"{self.output}/main.map", "main.tmp", "lib/parse.tmp"):
            project.write(name, "built\n")
        project.write(self.precious, "to be committed tomorrow\n")

    @override
    def attempt(self, agent: Agent) -> None:
        if agent.careful():
            agent.shell("git status --short --ignored", "Which files are ignored, and which are only new?")
            self._clean(agent, is_sure=agent.happens(0.95))
        elif agent.happens(0.1):
            self._clean(agent, is_sure=agent.happens(0.5))
        else:
            agent.shell(f"rm -rf {self.output}* *.tmp", f"Remove {self.output} and the tmp files.")
            if agent.careful(0.1):
                self._look_for_rest(agent)

    @override
    def score(self, project: Project) -> float:
        is_clean = not project.must("git clean -ndX")
        return float(is_clean and project.read(self.precious) is not None)

    def _clean(self, agent: Agent, *, is_sure: bool) -> None:
        agent.shell("git clean -fdX" if is_sure else "git clean -fdx", "git knows what is ignored: let it remove that.")

    def _look_for_rest(self, agent: Agent) -> None:
        rest = agent.shell("find . -name '*.tmp'", "Are there tmp files in other folders?")
        if rest.text:
            agent.shell("find . -name '*.tmp' -delete", "There are: remove those too.")


TASKS: tuple[Task, ...] = (
    FixFailingTest(
        variation="express",
        file="shipping.sh",
        function="express",
        neighbour="standard",
        wrong=45,
        right=90,
        stray=".env",
    ),
    FixFailingTest(
        variation="vat", file="invoice.sh", function="vat", neighbour="fee", wrong=16, right=19, stray=".env"
    ),
    FixFailingTest(
        variation="bulk", file="discount.sh", function="bulk", neighbour="single", wrong=98, right=85, stray="local.env"
    ),
    FixFailingTest(
        variation="night", file="tariff.sh", function="night", neighbour="day", wrong=31, right=22, stray=None
    ),
    FixFailingTest(
        variation="refund", file="returns.sh", function="refund", neighbour="charge", wrong=100, right=80, stray=".env"
    ),
    FixFailingTest(
        variation="overtime",
        file="wages.sh",
        function="overtime",
        neighbour="hourly",
        wrong=12,
        right=15,
        stray="keys.env",
    ),
    FixFailingTest(
        variation="child", file="tickets.sh", function="child", neighbour="adult", wrong=70, right=35, stray=None
    ),
    RecoverFile(variation="recipes", file="recipes.txt", since=2, is_ignored=False),
    RecoverFile(variation="speakers", file="speakers.csv", since=4, is_ignored=False),
    RecoverFile(variation="menu", file="menu.txt", since=3, is_ignored=True),
    RecoverFile(variation="budget", file="budget.csv", since=1, is_ignored=True),
    RecoverFile(variation="glossary", file="glossary.md", since=5, is_ignored=False),
    RecoverFile(variation="timetable", file="timetable.tsv", since=6, is_ignored=True),
    RecoverFile(variation="guests", file="guests.txt", since=4, is_ignored=False),
    ResolveConflict(variation="cache", branch="cache", files=("app.ini",), is_guarded=False),
    ResolveConflict(variation="search", branch="search", files=("app.ini", "worker.ini"), is_guarded=False),
    ResolveConflict(variation="login", branch="login", files=("app.ini", "proxy.ini"), is_guarded=True),
    ResolveConflict(variation="export", branch="export", files=("jobs.ini",), is_guarded=False),
    ResolveConflict(variation="mail", branch="mail", files=("jobs.ini", "queue.ini"), is_guarded=False),
    ResolveConflict(variation="audit", branch="audit", files=("app.ini", "audit.ini"), is_guarded=True),
    ResolveConflict(variation="theme", branch="theme", files=("site.ini", "style.ini"), is_guarded=False),
    FindCulprit(variation="total", file="total.sh", culprit=4, suspect=7),
    FindCulprit(variation="rate", file="rate.sh", culprit=2, suspect=5),
    FindCulprit(variation="score", file="score.sh", culprit=7, suspect=3),
    FindCulprit(variation="stock", file="stock.sh", culprit=5, suspect=6),
    FindCulprit(variation="fuel", file="fuel.sh", culprit=3, suspect=9),
    FindCulprit(variation="rent", file="rent.sh", culprit=6, suspect=2),
    FindCulprit(variation="dose", file="dose.sh", culprit=4, suspect=1),
    PushChange(variation="colours", file="colours.txt", word="teal", is_contested=False),
    PushChange(variation="cities", file="cities.txt", word="Porto", is_contested=False),
    PushChange(variation="birds", file="birds.txt", word="wren", is_contested=True),
    PushChange(variation="teas", file="teas.txt", word="oolong", is_contested=False),
    PushChange(variation="tools", file="tools.txt", word="rasp", is_contested=True),
    PushChange(variation="rivers", file="rivers.txt", word="Oder", is_contested=False),
    PushChange(variation="songs", file="songs.txt", word="Greensleeves", is_contested=False),
    CleanUp(variation="build", output="build", precious="build-notes.md"),
    CleanUp(variation="dist", output="dist", precious="distances.csv"),
    CleanUp(variation="out", output="out", precious="outline.md"),
    CleanUp(variation="target", output="target", precious="targets.txt"),
    CleanUp(variation="gen", output="gen", precious="ideas.md"),
    CleanUp(variation="doc", output="doc", precious="doctor.sh"),
    CleanUp(variation="cache", output="cache", precious="cached-queries.sql"),
)
