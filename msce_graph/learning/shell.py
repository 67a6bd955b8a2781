"""What a shell line really did: the command that decides, by the bash grammar, with its arguments as structure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import tree_sitter_bash
from pydantic import JsonValue
from tree_sitter import Language, Node, Parser

_BASH = Language(tree_sitter_bash.language())


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_FILTERS = _names("head tail cat tee wc sort uniq")
_SAYS = _names("echo true :")
_PREPARES = _names("cd read test [ [[")
_SHELLS = _names("bash sh zsh dash")
_PYTHON = re.compile(r"python[\d.]*|pypy3?")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_PROGRAM = re.compile(r"\S{1,80}")
_SUBCOMMAND = re.compile(r"[A-Za-z][\w:-]{0,40}")
_FLAG = re.compile(r"--?[A-Za-z]")
_SPELLED = re.compile(r"Q|[^\x00-\x7f]")
_SPELLING = re.compile(r"Q([0-9a-f]+)_")

_WRAPPERS = {
    "sudo": _names("-u -g -h -p -C -U -r -t -D --user --group"),
    "env": _names("-u -C --unset --chdir"),
    "time": _names("-f -o"),
    "nice": _names("-n --adjustment"),
    "nohup": _names(""),
    "timeout": _names("-k -s --kill-after --signal"),
}
"""Programs that are looked through, with those of their options that take the next word as value."""

_WITH_SUBCOMMANDS = _names(
    "apt apt-cache apt-get aws az brew bundle cargo composer conda dnf docker docker-compose dotnet flatpak "
    "gcloud gem gh git go hatch helm hg ip kubectl mamba npm oc openssl pacman pdm pip pip3 pipx pnpm podman "
    "poetry rustup snap svn systemctl terraform tofu uv yarn yum zypper"
)

_VALUED = {
    "apt-get": "-o -t",
    "awk": "-F -v -f",
    "cargo": "-p --manifest-path",
    "chmod": "--reference",
    "chown": "--reference",
    "curl": "-X -H -d -o -u -A -e -F -T -b -c -m --request --header --data --output --user --max-time --retry",
    "cut": "-d -f -c -b",
    "docker": "-v -e -p -w -u -f -H --name --network --entrypoint --volume --env --publish --workdir --context",
    "du": "-d --max-depth --exclude",
    "find": "-name -iname -path -ipath -regex -type -size -mtime -mmin -atime -ctime -perm -user -group -newer "
    "-maxdepth -mindepth -printf -samefile -links -inum",
    "git": "-C -c -m -b -n -S -G -F --git-dir --work-tree --namespace --message --author --branch --depth --since "
    "--until",
    "grep": "-e -f -A -B -C -m --include --exclude --exclude-dir",
    "gzip": "-S",
    "head": "-n -c",
    "helm": "-n -f --namespace --kube-context --set",
    "journalctl": "-u -n --since --until",
    "kubectl": "-n -f -o -l -c --namespace --context --kubeconfig --selector --output --replicas",
    "ls": "-I",
    "make": "-C -f",
    "mkdir": "-m",
    "mysql": "-u -h -P -D -e",
    "npm": "--prefix --workspace -w",
    "pip": "-r -c -t -i --target --index-url",
    "pip3": "-r -c -t -i --target --index-url",
    "podman": "-v -e -p -w -u -f --name --network --entrypoint",
    "psql": "-c -f -d -U -h -p -v",
    "pytest": "-k -m -n -c",
    "python": "-c -W -X",
    "python3": "-c -W -X",
    "rsync": "-e --exclude --include",
    "sed": "-e -f -l",
    "sort": "-k -t -o -S",
    "sqlite3": "-separator -cmd -init -newline -nullvalue",
    "ssh": "-i -p -l -o",
    "systemctl": "-H -M -n -t -p",
    "tail": "-n -c",
    "tar": "-C -f -T -X --exclude --directory --file",
    "touch": "-d -t -r",
    "uniq": "-f -s -w",
    "uv": "--directory --project --python -p",
    "xargs": "-I -n -P -L -d",
    "zip": "-x -i",
}
"""Options whose value is the next word; an option that is not here keeps it among the operands."""

_POSITIONAL = {
    "awk": ("program",),
    "bash": ("script",),
    "chmod": ("mode",),
    "chown": ("owner",),
    "find": ("path",),
    "grep": ("pattern",),
    "node": ("script",),
    "python": ("script",),
    "python3": ("script",),
    "sed": ("script",),
    "sh": ("script",),
    "sqlite3": ("database", "sql"),
}
"""The names of leading operands."""
_IN_PLACE_OF_POSITIONAL = _names("-e -f -c")
_FROM_TO = _names("cp mv ln rsync scp")
_RUNS_TO_SEMICOLON = _names("-exec -execdir -ok")

_SEQUENCES = _names(
    "program list subshell compound_statement do_group elif_clause else_clause while_statement for_statement "
    "c_style_for_statement case_statement case_item function_definition negated_command"
)


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One command: `git commit`, with its arguments by name and the words that it touches."""

    program: str
    """Without its directory, with the subcommand where the program has them."""
    arguments: dict[str, JsonValue]
    operands: tuple[str, ...]
    """Every value among the arguments but flags and redirected text, in order."""


@dataclass(frozen=True, slots=True)
class _Words:
    """A command's words after wrappers, its rank among commands, and what is redirected to and from it."""

    words: tuple[str, ...]
    rank: int
    redirected: dict[str, JsonValue] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return _basename(self.words[0])


def read_shell(text: str) -> tuple[ShellCommand, tuple[str, ...]] | None:
    """Return the command of a shell line that decides what it did, and the operands of the others; null for no command.

    Of a sequence the last command decides, of `a || b` the first (the other ran only if that failed), of a pipe the
    last that is no mere filter, of a condition the last of its first branch. `echo` and `true` decide only where
    nothing else does, `cd`, `read` and tests only where not even those do.
    """
    root = _root(text)
    if root.has_error:
        return None
    decided = _deciding(root)
    if decided is None or not _PROGRAM.fullmatch(decided.name):
        return None
    command = _structured(decided)
    others = (
        _structured(words) for words in _commands(root) if words.words != decided.words and words.name not in _SAYS
    )
    return command, tuple(operand for other in others for operand in other.operands)


def _root(text: str) -> Node:
    """Return the syntax tree of a script; `_raw` gives the words back as they are."""
    return Parser(_BASH).parse(_SPELLED.sub(_spell, text).encode("ascii")).root_node


def _spell(sign: re.Match[str]) -> str:
    """Return a sign in ASCII letters: the grammar's scanner looks others up beyond the end of a table, and crashes."""
    return f"Q{ord(sign[0]):x}_"


# Which command decides ----------------------------------------------------------------------------------------------


def _deciding(node: Node) -> _Words | None:
    """Return the command below a node that decides what it did."""
    match node.type:
        case "command":
            return _command(node)
        case "test_command":
            return _Words(("test",), rank=0)
        case "declaration_command" | "unset_command":
            return _ranked(tuple(_text(child) for child in node.children))
        case "pipeline":
            return _of_pipe([_deciding(child) for child in node.named_children])
        case "redirected_statement":
            return _of_redirected(node)
        case "if_statement":
            return _strongest([_deciding(child) for child in _branches(node)])
        case "variable_assignment":
            return _strongest([_deciding(inner) for inner in _substitutions(node)])
        case "list" if any(child.type == "||" for child in node.children):
            return _strongest([_deciding(child) for child in reversed(node.named_children)])
        case kind if kind in _SEQUENCES:
            return _strongest([_deciding(child) for child in node.named_children])
    return None


def _strongest(commands: Sequence[_Words | None]) -> _Words | None:
    """Return the last of the commands with the highest rank."""
    found = [command for command in commands if command is not None]
    return max(reversed(found), key=lambda command: command.rank, default=None)


def _of_pipe(commands: Sequence[_Words | None]) -> _Words | None:
    found = [command for command in commands if command is not None]
    working = [command for command in found if command.name not in _FILTERS]
    return _strongest(working or found[:1])


def _of_redirected(node: Node) -> _Words | None:
    """Return what decides of a redirected command; what follows a heredoc on its first line hangs below the heredoc."""
    body = _strongest([_deciding(child) for child in node.children_by_field_name("body")])
    if body is not None:
        body = _Words(body.words, body.rank, {**_redirected(node), **body.redirected})
    for heredoc in (child for child in node.named_children if child.type == "heredoc_redirect"):
        for rest in heredoc.named_children:
            if rest.type == "pipeline":
                body = _of_pipe([body, *(_deciding(child) for child in _flat_pipe(rest))])
            else:
                body = _strongest([body, _deciding(rest)])
    return body


def _flat_pipe(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "pipeline":
            yield from _flat_pipe(child)
        else:
            yield child


def _branches(node: Node) -> list[Node]:
    """Return the parts of an `if`, the branch that is taken where the condition holds last."""
    conditions = node.children_by_field_name("condition")
    others = [child for child in node.named_children if child.type in ("elif_clause", "else_clause")]
    body = [child for child in node.named_children if child not in conditions and child not in others]
    return [*conditions, *reversed(others), *body]


def _substitutions(node: Node) -> Iterator[Node]:
    """Return the statements inside the command substitutions below a node."""
    for child in node.named_children:
        if child.type == "command_substitution":
            yield from child.named_children
        else:
            yield from _substitutions(child)


def _commands(node: Node) -> Iterator[_Words]:
    """Return every command below a node, in the order they are written."""
    if node.type == "command":
        command = _command(node)
        if command is not None:
            yield command
    for child in node.named_children:
        yield from _commands(child)


# Words of one command -----------------------------------------------------------------------------------------------


def _command(node: Node) -> _Words | None:
    """Return a command's words after what is looked through, or what the script of `bash -c` does."""
    name = node.child_by_field_name("name")
    if name is None:
        return None
    words = _unwrapped((_text(name), *(_text(word) for word in node.children_by_field_name("argument"))))
    script = _script(words)
    inner = None if script is None else _deciding(_root(script))
    if inner is not None:
        return inner
    around = node.parent
    outer = _redirected(around) if around is not None and around.type == "redirected_statement" else {}
    return _ranked(words, outer | _redirected(node))


def _ranked(words: tuple[str, ...], redirected: dict[str, JsonValue] | None = None) -> _Words | None:
    name = _basename(words[0])
    if not name:
        return None
    rank = 0 if name in _PREPARES else 1 if name in _SAYS else 2
    return _Words(words, rank, redirected or {})


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words without sudo, env, time, nice, nohup, timeout and `python -m` before the program."""
    while True:
        name = _basename(words[0])
        if name in _WRAPPERS:
            rest = _after_options(words[1:], _WRAPPERS[name])
            rest = rest[1:] if name == "timeout" else rest
            while rest and _ASSIGNMENT.match(rest[0]):
                rest = rest[1:]
        elif _PYTHON.fullmatch(name):
            rest = _module(words)
        else:
            return words
        if not rest:
            return words
        words = rest


def _module(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words from the module on that python runs by `-m`; nothing where it runs none."""
    rest = words[1:]
    while rest and rest[0].startswith("-") and rest[0] not in ("-", "-c", "-m"):
        rest = rest[2:] if rest[0] in ("-W", "-X") else rest[1:]
    return rest[1:] if rest and rest[0] == "-m" else ()


def _script(words: tuple[str, ...]) -> str | None:
    """Return the script that a shell is given by `-c`."""
    if _basename(words[0]) not in _SHELLS:
        return None
    for option, following in pairwise(words[1:]):
        if not option.startswith("-"):
            return None
        if re.fullmatch(r"-[a-z]*c", option):
            return following
    return None


def _after_options(words: tuple[str, ...], valued: frozenset[str]) -> tuple[str, ...]:
    """Return the words from the first on that is neither an option nor an option's value."""
    while words and words[0].startswith("-"):
        if words[0] == "--":
            return words[1:]
        words = words[2:] if words[0] in valued else words[1:]
    return words


def _redirected(node: Node) -> dict[str, JsonValue]:
    """Return the files or the text that a command reads (`input`) and writes (`output`)."""
    found: dict[str, JsonValue] = {}
    heredocs = [child for child in node.named_children if child.type == "heredoc_redirect"]
    for redirect in (*node.named_children, *(inner for heredoc in heredocs for inner in heredoc.named_children)):
        match redirect.type:
            case "file_redirect":
                target = redirect.child_by_field_name("destination")
                sign = next((child.type for child in redirect.children if child.type[0] in "<>&"), "")
                if target is not None and target.type != "number" and _text(target) not in ("/dev/null", "-"):
                    found.setdefault("input" if sign.startswith("<") else "output", _text(target))
            case "heredoc_body":
                found["input"] = _raw(redirect)
            case "herestring_redirect":
                found["input"] = "".join(_text(child) for child in redirect.named_children)
    return found


def _text(node: Node) -> str:
    """Return a word as the program would get it, but for expansions, which stay as they are written."""
    match node.type:
        case "raw_string":
            return _raw(node)[1:-1]
        case "string":
            return re.sub(r'\\(["\\$`])', r"\1", _raw(node)[1:-1])
        case "ansi_c_string":
            return _raw(node)[2:-1]
        case "word":
            return re.sub(r"\\(.)", r"\1", _raw(node))
        case "concatenation" | "command_name":
            return "".join(_text(child) for child in node.children)
    return _raw(node)


def _raw(node: Node) -> str:
    return _SPELLING.sub(lambda spelt: chr(int(spelt[1], 16)), (node.text or b"").decode("ascii"))


def _basename(word: str) -> str:
    return word.rstrip("/").rsplit("/", 1)[-1]


# Arguments by name --------------------------------------------------------------------------------------------------


def _structured(command: _Words) -> ShellCommand:
    """Return a command with its arguments by name.

    `options` are the flags; an option with a value has its own name (`-m`, `--format`), a list where it is repeated;
    leading operands have a name where the program gives them one meaning (`pattern` of grep, `source` and `destination`
    of cp), and `operands` are the others. `input` and `output` are what is redirected.
    """
    name = command.name
    flags, valued, operands = _parsed(command.words[1:], name)
    subcommand = _subcommand(name, operands)
    operands = operands[len(subcommand) :]
    arguments: dict[str, JsonValue] = {"options": list(flags)} if flags else {}
    arguments |= valued
    names = _positional(name, valued, len(operands))
    arguments |= dict(zip(names, operands, strict=False))
    if operands[len(names) :]:
        arguments["operands"] = list(operands[len(names) :])
    files = [str(target) for target in command.redirected.values() if "\n" not in str(target)]
    touched = [*operands, *(str(each) for value in valued.values() for each in _each(value)), *files]
    return ShellCommand(" ".join((name, *subcommand)), arguments | command.redirected, tuple(touched))


def _subcommand(program: str, operands: Sequence[str]) -> Sequence[str]:
    """Return the words that name the subcommand: `commit`, `compose up`; none where the program has none."""
    if program not in _WITH_SUBCOMMANDS or not operands or not _SUBCOMMAND.fullmatch(operands[0]):
        return ()
    return operands[: 2 if operands[0] == "compose" else 1]


def _parsed(words: Sequence[str], program: str) -> tuple[list[str], dict[str, JsonValue], list[str]]:
    """Return the flags, the options with a value and the operands among a program's words."""
    takes_value = _names(_VALUED.get(program, ""))
    flags: list[str] = []
    valued: dict[str, JsonValue] = {}
    operands: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return flags, valued, operands + rest
        if not word.startswith("-") or word == "-":
            operands.append(word)
        elif program == "find" and word in _RUNS_TO_SEMICOLON:
            end = next((i for i, each in enumerate(rest) if each in (";", "+")), len(rest))
            _add(valued, word, " ".join(rest[:end]))
            del rest[: end + 1]
        elif word in takes_value and rest and (program == "find" or not _FLAG.match(rest[0])):
            _add(valued, word, rest.pop(0))
        elif word.startswith("--") and "=" in word:
            option, _, value = word.partition("=")
            _add(valued, option, value)
        elif word[:2] in takes_value and len(word) > 2:
            _add(valued, word[:2], word[2:])
        elif not word.startswith("--") and "-" + word[-1] in takes_value and rest:
            flags.append(word[:-1])
            _add(valued, "-" + word[-1], rest.pop(0))
        else:
            flags.append(word)
    return flags, valued, operands


def _add(valued: dict[str, JsonValue], option: str, value: str) -> None:
    """Keep an option's value; one that is repeated becomes a list."""
    valued[option] = value if option not in valued else [*_each(valued[option]), value]


def _each(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _positional(program: str, valued: dict[str, JsonValue], count: int) -> tuple[str, ...]:
    """Return the names of a program's leading operands."""
    if program in _FROM_TO:
        return ("source", "destination") if count == 2 else ()
    return () if _IN_PLACE_OF_POSITIONAL & valued.keys() else _POSITIONAL.get(program, ())
