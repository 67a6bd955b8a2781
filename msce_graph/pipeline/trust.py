"""Trust: an episode gets another origin, and what rests on it is learned again."""

from __future__ import annotations

from msce_graph.pipeline.reports import check_said, clean, next_sequence, take_in
from msce_graph.pipeline.selection import Selection, learned_domains, selected
from msce_graph.records import Decision, Origin, Record
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows


class Trusted(Record):
    """Which episodes got another origin, and the domains that were learned again."""

    origin: Origin
    episodes: tuple[str, ...]
    """Keys."""
    domains: tuple[str, ...]


def trust(
    store: Store, settings: Settings, selection: Selection, origin: Origin, *, reason: str, author: str
) -> Trusted:
    """Give episodes an origin, with a Decision about each that had another, and learn their domains again.

    Raises UnknownKey for an episode that is not there and ValueError without a reason or an author.
    """
    check_said(reason, author)

    def work(tx: Transaction) -> Trusted:
        found = [row for row in selected(tx, selection) if row["origin"] != origin]
        if found:
            _decide(tx, found, origin, clean(reason), clean(author), store)
        domains = learned_domains(found)
        for name in domains:
            tx.run("evolve/unlearn", domain=name)
        return Trusted(origin=origin, episodes=tuple(row["key"] for row in found), domains=tuple(domains))

    done = store.write(work)
    take_in(store, settings, done.domains)
    return done


def _decide(tx: Transaction, found: list[rows.Row], origin: Origin, reason: str, author: str, store: Store) -> None:
    sequence = next_sequence(tx)
    decisions = [
        Decision(
            namespace=tx.namespace,
            id=f"{row['id']}/{sequence}/trust",
            created_at=store.now(),
            subject=row["key"],
            sequence=sequence,
            action="trust",
            reason=reason,
            before=row["origin"],
            after=origin,
            author=author,
            occurred_at=store.now(),
        )
        for row in found
    ]
    tx.put("decision/put", [rows.put_row(decision) for decision in decisions])
    tx.put("decision/about_episodes", [{"key": decision.key, "to": decision.subject} for decision in decisions])
    tx.put("trust/put", [{"key": row["key"]} for row in found], origin=origin)
