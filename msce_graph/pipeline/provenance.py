"""Reading what a node rests on: from what was learned, edge by edge, down to steps, episodes and tasks."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from msce_graph.errors import UnknownKey
from msce_graph.provenance.subgraph import ProvenanceEdge, ProvenanceNode, Scalar, Subgraph
from msce_graph.store import Store, Transaction

BUDGET = 300
"""Nodes shown unless asked otherwise."""
_RECORD_SHARE = 6
"""Decisions, trials and feedback take at most one node in so many."""

_DETAILS = {
    "Skill": (
        "name title status version domain trigger description preconditions procedure fallback verification boundary "
        "decision_guidance reliability passes trials consecutive_passes consecutive_failures drafted_by pinned"
    ),
    "Policy": (
        "title status stance domain tool error_signature trigger procedure verification fallback boundary support gain "
        "gain_low gain_high p q episodes_with episodes_without resolved attempts revision stable_for"
    ),
    "EnvEntity": "name kind statement domain confidence support status",
    "Evidence": (
        "action tool kind value alpha index turn state arguments observation is_error error_signature reflection "
        "mentions occurred_at"
    ),
    "Episode": (
        "task domain agent model outcome solved reward reward_basis step_count tokens cost started_at ended_at origin "
        "source source_format sequence is_complete"
    ),
    "Task": "text task_key domain",
    "Tool": "name kind",
    "Pattern": "domain tool error_signature",
    "Decision": "action reason before after author sequence occurred_at",
    "Trial": "passed basis occurred_at",
    "Feedback": "kind text occurred_at",
    "Run": "stage settings started_at ended_at",
    "Store": "schema_version embedder dimensions sequence",
}
"""The properties shown of each label, in this order."""
_PROPERTIES = sorted({"created_at", "id"}.union(*(names.split() for names in _DETAILS.values())))
_JSON = frozenset({"procedure", "arguments", "observation", "settings"})
"""Properties that hold JSON text."""

_OWN = {
    "Evidence": "provenance/from_evidence",
    "Episode": "provenance/from_episode",
    "Task": "provenance/from_task",
    "Tool": "provenance/from_tool",
    "Pattern": "provenance/from_pattern",
    "Run": "provenance/from_run",
    "Decision": "provenance/from_decision",
    "Feedback": "provenance/from_feedback",
    "Trial": "provenance/from_trial",
}
"""What is asked of a root of this label alone: met on the way, such a node ends it."""
_DOWN = (
    ("Skill", "provenance/from_skill"),
    ("EnvEntity", "provenance/from_entity"),
    ("Policy", "provenance/from_policy"),
)
_RECORDS = (
    ("Skill", "provenance/about_skill"),
    ("EnvEntity", "provenance/about_entity"),
    ("Policy", "provenance/about_policy"),
    ("Episode", "provenance/about_episode"),
)
_EVIDENCE = "provenance/evidence_of_policy"


def provenance(store: Store, key: str, *, budget: int = BUDGET) -> Subgraph:
    """Return what the node rests on, in at most `budget` (1 or more) nodes, with counts of what was left out.

    Cited evidence comes first, then that of the largest value; a step is shown with its episode, task and tool or not
    at all. Raises UnknownKey where the namespace holds no such node.
    """
    if budget < 1:
        raise ValueError(f"a budget of {budget} nodes")
    return store.read(lambda tx: _Walk(tx, key, budget).subgraph())


class _Walk:
    """One reading: what is shown so far, and how many neighbours of each label the nodes asked about have."""

    def __init__(self, tx: Transaction, root: str, budget: int) -> None:
        self._tx, self._root, self._budget = tx, root, budget
        self._labels: dict[str, str] = {}
        """Of the nodes shown, by key, in the order in which they were admitted."""
        self._totals: dict[tuple[str, str], int] = {}

    def subgraph(self) -> Subgraph:
        """Walk from the root and return all that was admitted."""
        label = self._properties([self._root]).get(self._root, ("", {}))[0]
        if not label:
            raise UnknownKey("node", self._root)
        self._labels[self._root] = label
        steps = self._ask(_OWN[label], [self._root]) if label in _OWN else []
        if label == "Evidence":
            steps = [self._root, *self._with_sources(steps)]
        if label == "Episode":
            for row in self._tx.run("provenance/context_of_episodes", keys=[self._root]):
                self._admit({row["task"]: "Task"})
        for parent, query in _DOWN:
            steps += self._ask(query, self._shown(parent))
        self._tell(_RECORDS)
        steps += self._ask(_EVIDENCE, self._shown("Policy"))
        self._admit_steps(steps)
        return self._result()

    def _shown(self, label: str) -> list[str]:
        return [key for key, known in self._labels.items() if known == label]

    def _room(self) -> int:
        return self._budget - len(self._labels)

    def _ask(self, query: str, keys: list[str]) -> list[str]:
        """Admit the neighbours that a query finds, and return the steps among them, which need their context first."""
        found = self._tx.run(query, keys=keys, limit=self._budget) if keys else []
        self._totals |= {(row["parent"], row["label"]): row["total"] for row in found}
        for row in found:
            if row["label"] != "Evidence":
                self._admit({row["key"]: row["label"]})
        return [row["key"] for row in found if row["label"] == "Evidence"]

    def _tell(self, records: Iterable[tuple[str, str]]) -> None:
        """Admit the latest decisions, trials and feedback about what is shown."""
        room = max(1, self._budget // _RECORD_SHARE)
        for label, query in records:
            keys = self._shown(label)
            found = self._tx.run(query, keys=keys, limit=max(1, room)) if keys else []
            self._totals |= {(row["parent"], row["label"]): row["total"] for row in found}
            for row in found[:room]:
                self._admit({row["key"]: row["label"]})
            room -= min(room, len(found))

    def _with_sources(self, steps: list[str]) -> list[str]:
        """Return the steps and those that their arguments came from, and so on back, nearest first."""
        found, fresh = list(steps), steps
        while fresh and len(found) < self._budget:
            fresh = [key for key in self._ask(_OWN["Evidence"], fresh) if key not in found]
            found += dict.fromkeys(fresh)
        return found

    def _admit_steps(self, steps: list[str]) -> None:
        """Admit steps in their order, each with its episode, task and tool, until one does not fit."""
        wanted = list(dict.fromkeys(steps))
        found = self._tx.run("provenance/context_of_evidence", keys=wanted) if wanted else []
        context = {row["key"]: row for row in found}
        for key in wanted:
            row = context[key]
            closure = {key: "Evidence", row["episode"]: "Episode", row["task"]: "Task", row["tool"]: "Tool"}
            if not self._admit({name: label for name, label in closure.items() if name is not None}):
                return

    def _admit(self, nodes: dict[str, str]) -> bool:
        """Show all of these nodes where there is room for those not shown yet, else none; tell whether there was."""
        new = {key: label for key, label in nodes.items() if key not in self._labels}
        if len(new) > self._room():
            return False
        self._labels |= new
        return True

    def _result(self) -> Subgraph:
        keys = list(self._labels)
        known = self._properties(keys)
        edges = [_edge(row) for row in self._tx.run("provenance/edges", keys=keys)]
        return Subgraph(
            root=self._root,
            nodes=tuple(_node(key, *known[key]) for key in keys),
            edges=tuple(edges),
            omitted=self._omitted(edges),
        )

    def _properties(self, keys: list[str]) -> dict[str, tuple[str, dict[str, Any]]]:
        found: dict[str, tuple[str, dict[str, Any]]] = {}
        for row in self._tx.run("provenance/nodes", keys=keys, properties=_PROPERTIES):
            found.setdefault(row["key"], (row["label"], {}))[1][row["property"]] = row["value"]
        return found

    def _omitted(self, edges: list[ProvenanceEdge]) -> dict[tuple[str, str], int]:
        """Return how many neighbours of each label the nodes asked about have beyond those shown."""
        shown: dict[tuple[str, str], set[str]] = defaultdict(set)
        for edge in edges:
            shown[edge.source, self._labels[edge.target]].add(edge.target)
            shown[edge.target, self._labels[edge.source]].add(edge.source)
        left = {place: total - len(shown[place]) for place, total in self._totals.items() if place[0] in self._labels}
        return {place: count for place, count in sorted(left.items()) if count > 0}


def _node(key: str, label: str, properties: dict[str, Any]) -> ProvenanceNode:
    details = {name: _scalar(name, properties[name]) for name in _DETAILS[label].split() if name in properties}
    details = {name: value for name, value in details.items() if value != ""}
    title = _title(label, details) or str(properties.get("id", key))
    return ProvenanceNode(key=key, label=label, title=title, details=details)


def _edge(row: dict[str, Any]) -> ProvenanceEdge:
    ends = ("source", "target", "type")
    details = {name: value for name, value in row.items() if name not in ends and value is not None}
    return ProvenanceEdge(source=row["source"], target=row["target"], type=row["type"], details=details)


def _title(label: str, details: dict[str, Scalar]) -> str:
    """Return what people would call the node, or nothing where its id is the best name."""
    told = {name: str(value) for name, value in details.items()}
    match label:
        case "Evidence":
            return told.get("action") or told.get("tool", "")
        case "Decision":
            change = f": {told.get('before', '')} → {told.get('after', '')}" if "after" in told else ""
            return told.get("action", "") + change
        case "Pattern":
            return told.get("tool", "") + (f" after {told['error_signature']}" if "error_signature" in told else "")
        case "Trial":
            return {"True": "passed", "False": "failed"}.get(told.get("passed", ""), "")
        case "EnvEntity":
            return told.get("statement") or told.get("name", "")
        case _:
            names = {"Skill": ("title", "name"), "Policy": ("title",), "Task": ("text",), "Tool": ("name",)}
            names |= {"Feedback": ("text",), "Run": ("stage",)}
            return next((told[name] for name in names.get(label, ()) if name in told), "")


def _scalar(name: str, value: Any) -> Scalar:
    """Return a property as one value: times in ISO 8601, lists as lines, a procedure as its numbered steps."""
    if name in _JSON and isinstance(value, str):
        value = _decoded(value)
    if name == "procedure" and isinstance(value, list):
        return "\n".join(f"{place}. {_procedure_step(step)}" for place, step in enumerate(value, 1))
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""


def _procedure_step(step: dict[str, Any]) -> str:
    constants = step.get("constants") or {}
    names = [parameter["name"] for parameter in step.get("parameters") or ()]
    given = [*(f"{name}={json.dumps(constants[name], ensure_ascii=False)}" for name in sorted(constants)), *names]
    arguments = f"({', '.join(given)})" if given else ""
    return f"{step['tool']}{arguments}{'' if step.get('required') else ' (optional)'}"


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
