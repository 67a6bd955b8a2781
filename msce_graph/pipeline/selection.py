"""Which stored episodes a person means."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from msce_graph.errors import UnknownKey
from msce_graph.store import Transaction, rows


@dataclass(frozen=True, slots=True)
class Selection:
    """Which episodes are meant: all that is given must fit. `keys` are full; `before` is when they ended, in UTC."""

    keys: tuple[str, ...] | None = None
    source: str | None = None
    domain: str | None = None
    before: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse a selection that names nothing."""
        if not any((self.keys, self.source, self.domain, self.before)):
            raise ValueError("name episodes, a source, a domain or a time before which they ended")


def selected(tx: Transaction, selection: Selection) -> list[rows.Row]:
    """Return a row for each episode that is meant; raise UnknownKey for a key that is not there."""
    found = tx.run(
        "episode/selected",
        keys=None if selection.keys is None else list(selection.keys),
        source=selection.source,
        domain=selection.domain,
        before=selection.before,
    )
    if not found:
        named = [
            f"{name} {value}" for name, value in (("source", selection.source), ("domain", selection.domain)) if value
        ]
        raise UnknownKey("episode", ", ".join([*(selection.keys or ()), *named, *_before(selection)]))
    there = {row["key"] for row in found}
    for key in selection.keys or ():
        if key not in there:
            raise UnknownKey("episode", key)
    return found


def _before(selection: Selection) -> list[str]:
    return [] if selection.before is None else [f"before {selection.before.isoformat()}"]


def learned_domains(found: list[rows.Row]) -> list[str]:
    """Return the domains in which something was learned from some of these episodes."""
    return sorted({row["domain"] for row in found if row["is_learned"]})
