"""One number for all that counts when two graphs are called equal."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import numpy as np

from msce_graph.store import rows
from msce_graph.store.connection import Store, Transaction

_MODULUS = 1 << 256
_TURN = 0.3819660112501051
"""Where rounding turns between two steps: no short decimal or binary fraction lies there, so that round-off of one that
is computed in two ways does not turn it."""
_UNCOUNTED = {
    "Store": {"created_at", "lease", "lease_until"},
    "Decision": {"created_at", "occurred_at"},
    "Evidence": {"created_at", "recorded_as"},
}


def fingerprint(store: Store) -> str:
    """Return 64 hexadecimal digits, the same for equal graphs (DESIGN D4.11) in namespaces of the same name.

    Counted are labels, keys, edges and properties but Run, WAS_GENERATED_BY, created_at, the occurred_at of Decisions
    and the lease. Numbers are rounded to 9 decimal places and vectors to 6, so graphs that differ by less have the same
    fingerprint, unless a value lies within that difference of where rounding turns: then equal graphs may show two.
    The SHA-256 of each node and edge are added up, which needs neither an order nor memory for the whole graph.
    """
    return store.read(lambda tx: f"{sum(map(_digest, _elements(tx))) % _MODULUS:064x}")


def _elements(tx: Transaction) -> Iterator[Iterable[object]]:
    for row in tx.stream("statistics/nodes"):
        uncounted = _UNCOUNTED.get(row["label"], {"created_at"})
        yield row["label"], {n: _property(n, v) for n, v in row["properties"].items() if n not in uncounted}
    for row in tx.stream("statistics/edges"):
        yield row["source"], row["type"], row["target"], {n: _rounded(v) for n, v in row["properties"].items()}


def _digest(element: Iterable[object]) -> int:
    return int.from_bytes(hashlib.sha256(rows.json_text(element).encode()).digest(), "big")


def _property(name: str, value: Any) -> object:
    if name == "embedding":
        return hashlib.sha256(np.floor(np.asarray(value, dtype=np.float64) * 1e6 + _TURN).tobytes()).hexdigest()
    return _rounded(json.loads(value) if name in rows.NESTED else value)


def _rounded(value: object) -> object:
    """Return a value with its numbers as text of whole steps of 1e-9, so that 1 and 1.0, 0.0 and -0.0 are alike."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return f"{math.floor(value * 1e9 + _TURN)}"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    return value
