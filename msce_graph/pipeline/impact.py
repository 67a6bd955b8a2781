"""What rests on a node: the way from evidence up, which provenance goes down."""

from __future__ import annotations

from msce_graph.errors import UnknownKey
from msce_graph.records import Record
from msce_graph.store import Store, Transaction

_POLICIES = {
    "Episode": "impact/of_episode",
    "Evidence": "impact/of_evidence",
    "Tool": "impact/of_tool",
    "Task": "impact/of_task",
    "Pattern": "impact/of_pattern",
}
"""Where the policies are found that rest on a node of a label."""
_SKILLS = {"Episode": "impact/citing", "Evidence": "impact/citing", "EnvEntity": "impact/respecting"}
"""Where the skills are found that lead to a node without a policy between."""


class Resting(Record):
    """A policy, skill or statement that rests on a node, and by which edge."""

    label: str
    key: str
    title: str
    status: str
    how: str


class Impact(Record):
    """What rests on a node, policies first."""

    label: str
    key: str
    resting: tuple[Resting, ...]


def impact(store: Store, key: str) -> Impact:
    """Return what rests on the node of a full key; raise UnknownKey."""
    return store.read(lambda tx: _impact(tx, key))


def _impact(tx: Transaction, key: str) -> Impact:
    found = tx.run("provenance/nodes", keys=[key], properties=["id"])
    if not found:
        raise UnknownKey("node", key)
    label = found[0]["label"]
    policies = [
        Resting(
            label="Policy",
            key=row["key"],
            title=row["title"],
            status=row["status"],
            how=f"{row['how']} by {row['steps']} steps" if row["steps"] > 1 else row["how"],
        )
        for row in (tx.run(_POLICIES[label], key=key) if label in _POLICIES else [])
    ]
    keys = [key] if label == "Policy" else sorted({policy.key for policy in policies})
    further = [
        *(("Skill", row) for row in (tx.run(_SKILLS[label], key=key) if label in _SKILLS else [])),
        *(("Skill", row) for row in tx.run("impact/skills", keys=keys)),
        *(("EnvEntity", row) for row in tx.run("impact/statements", keys=keys)),
    ]
    return Impact(label=label, key=key, resting=(*policies, *(Resting(label=of, **row) for of, row in further)))
