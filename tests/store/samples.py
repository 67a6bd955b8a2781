"""Records and vectors that the tests of the store write."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from msce_graph.records import Episode, Evidence
from msce_graph.store import Transaction, rows
from tests.store_fixture import DIMENSIONS, NOW


def episode(name: str, *, namespace: str = "test", **changed: Any) -> Episode:
    """Return an episode of the kitchen domain."""
    usual: dict[str, Any] = {
        "namespace": namespace,
        "id": name,
        "created_at": NOW,
        "task": "boil an egg",
        "task_key": "egg",
        "domain": "kitchen",
        "step_count": 2,
        "tool_steps": 2,
        "source_format": "native",
        "source": "kitchen.jsonl",
        "source_sha256": "a",
        "content_sha256": "b",
        "trajectory_sha256": "c",
    }
    return Episode(**usual | changed)


def step(name: str, index: int, *, namespace: str = "test", **changed: Any) -> Evidence:
    """Return a step of the episode of that name."""
    usual: dict[str, Any] = {
        "namespace": namespace,
        "id": f"{name}#{index}",
        "created_at": NOW,
        "episode": name,
        "index": index,
        "turn": index,
        "state": "cold water",
        "action": "heat",
        "tool": "heat",
        "kind": "function",
        "arguments": {"degrees": 100},
        "observation": "it boils",
        "is_error": False,
        "error_signature": "",
        "reflection": "",
        "alpha": 0.0,
        "value": None,
        "mentions": (),
        "text": "heat the water",
    }
    return Evidence(**usual | changed)


def tool(name: str, *, namespace: str = "test", created_at: datetime = NOW) -> rows.Row:
    """Return the row that puts a tool."""
    properties = {"key": f"{namespace}/{name}", "namespace": namespace, "id": name, "name": name, "kind": "function"}
    return {"key": properties["key"], "created_at": created_at, "properties": properties}


def put(tx: Transaction, whole: Episode, steps: list[Evidence]) -> None:
    """Write an episode with its steps and the edges between them."""
    tx.put("episode/put", [rows.put_row(whole)])
    tx.put("evidence/put", map(rows.put_row, steps))
    keys = [None, *(each.key for each in steps)]
    links = [{"key": each.key, "to": whole.key, "previous": keys[place]} for place, each in enumerate(steps)]
    tx.put("evidence/link_steps", links)


def clustered(count: int, seed: int) -> NDArray[np.float32]:
    """Return unit vectors around 60 centres, shape (count, 384)."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(60, DIMENSIONS))
    vectors = centres[random.integers(60, size=count)] + 0.3 * random.normal(size=(count, DIMENSIONS))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
