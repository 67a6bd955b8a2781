"""The statements of `cypher/`, each with the header that says what it takes and returns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

_HEADER = re.compile(
    r"\A// (?P<summary>[^\n]+)\n// params:(?P<params>[^\n]*)\n// returns:(?P<returns>[^\n]*(?:\n//[^\n]*)*)\n"
    r"(?P<statement>.+)\Z",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Query:
    """One statement; `params` and `returns` are the names that its header declares."""

    name: str
    summary: str
    params: tuple[str, ...]
    returns: tuple[str, ...]
    statement: str

    @classmethod
    def parse(cls, name: str, text: str) -> Query:
        """Return the query that a file holds; raise ValueError where its header is not in form."""
        found = _HEADER.match(text)
        if found is None:
            raise ValueError(f"cypher/{name}.cypher does not start with its sentence, // params: and // returns:")
        return cls(
            name, found["summary"], _names(found["params"]), _names(found["returns"]), found["statement"].strip()
        )


@cache
def load(name: str) -> Query:
    """Return the query of `cypher/NAME.cypher`; raise LookupError where there is none."""
    file = resources.files("msce_graph.cypher").joinpath(*f"{name}.cypher".split("/"))
    if not file.is_file():
        raise LookupError(f"no query {name!r}")
    return Query.parse(name, file.read_text(encoding="utf-8"))


def names() -> list[str]:
    """Return the names of all queries, sorted."""
    return sorted(_below(resources.files("msce_graph.cypher"), ""))


def _below(folder: Traversable, prefix: str) -> list[str]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _below(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            found.append(prefix + entry.name.removesuffix(".cypher"))
    return found


def _names(listed: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", listed))
