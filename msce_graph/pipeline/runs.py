"""Runs: one pass of the pipeline each, and what it generated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from msce_graph.settings import Settings
from msce_graph.store import Store, Transaction, rows


@dataclass(frozen=True, slots=True)
class Run:
    """A pass that has begun; it enters the graph with the first thing that it changes."""

    key: str
    row: rows.Row

    @classmethod
    def begun(cls, store: Store, stage: str, settings: Settings) -> Run:
        """Return a run of a stage that begins now."""
        now = store.now()
        text = f"{stage}\n{now.isoformat()}"
        id_ = f"{stage}/{now:%Y%m%dT%H%M%S}-{sha256(text.encode()).hexdigest()[:8]}"
        key = f"{store.namespace}/{id_}"
        properties = {
            "key": key,
            "namespace": store.namespace,
            "id": id_,
            "stage": stage,
            "settings": rows.json_text(settings.stored()),
            "started_at": now,
            "ended_at": None,
        }
        return cls(key, {"key": key, "created_at": now, "properties": properties})

    def generated(self, tx: Transaction, *, policies: Iterable[str] = (), skills: Iterable[str] = ()) -> None:
        """Link policies and skills, by key, to this run."""
        of_policies = [{"key": key, "to": self.key} for key in policies]
        of_skills = [{"key": key, "to": self.key} for key in skills]
        if of_policies or of_skills:
            tx.put("run/put", [self.row])
        tx.put("run/generated_policies", of_policies)
        tx.put("run/generated_skills", of_skills)

    def ended(self, store: Store) -> None:
        """Note when the run ended, if it changed anything."""
        store.write(lambda tx: tx.run("run/end", key=self.key, ended_at=store.now()))
