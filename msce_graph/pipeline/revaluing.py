"""Other parameters for what is there already: every step valued anew, before all is learned anew."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from msce_graph.errors import SettingsError
from msce_graph.learning.normalise import local_context
from msce_graph.learning.reflection import grade
from msce_graph.learning.value import values
from msce_graph.pipeline import lease
from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows

_OF_INGEST = frozenset({"state_limit", "observation_limit", "solved_at"})
"""What only the logs themselves can be read with again."""


def rebuilt_with(store: Store, settings: Settings, given: dict[str, Any], *, rebuild: bool) -> Settings:
    """Give a store other parameters, take back all that was learned by the old ones, and return the new ones.

    Only for a rebuild, which `revalue` goes before. Raises LeaseHeld, and changes nothing, while another learns.
    """
    if not rebuild:
        raise SettingsError("a store's parameters change only with all it has learned: give --rebuild too")
    if of_ingest := sorted(_OF_INGEST & given.keys()):
        raise SettingsError(
            f"{', '.join(of_ingest)} shape what is read from logs: ingest them into another store or namespace"
        )
    wanted = Settings.of({**settings.model_dump(), **given})
    text = rows.json_text(wanted.stored())

    def begin(tx: Transaction) -> None:
        tx.run("store/begin_revaluing", settings=text)
        for row in tx.run("evolve/all_domains"):
            tx.run("evolve/unlearn", domain=row["domain"])

    with lease.held(store):
        store.write(begin)
    return wanted


def revalue(store: Store, settings: Settings) -> None:
    """Value all evidence by the parameters that a rebuild gave the store, also where one was interrupted before."""
    if not store.read(lambda tx: tx.run("store/is_revaluing"))[0]["is_revaluing"]:
        return
    with lease.held(store):
        for episode in store.read(lambda tx: tx.run("episode/all")):
            store.write(partial(_revalue, episode=episode, settings=settings))
        store.write(lambda tx: tx.run("store/end_revaluing"))


def _revalue(tx: Transaction, *, episode: Mapping[str, Any], settings: Settings) -> None:
    """Grade and value the steps of one episode anew."""
    steps = [rows.evidence(row) for row in tx.run("evidence/of_episode", key=episode["key"])]
    alphas = [
        0.0
        if settings.reflection == "none"
        else grade(
            step.reflection,
            state=local_context(episode["task"], step.state),
            tool=step.tool,
            arguments=step.arguments,
            observation=step.observation,
        ).alpha
        for step in steps
    ]
    worth = values(episode["reward"], alphas, settings.gamma)
    tx.put(
        "evidence/set_values",
        [
            {"key": step.key, "alpha": alpha, "value": value}
            for step, alpha, value in zip(steps, alphas, worth, strict=True)
        ],
    )
