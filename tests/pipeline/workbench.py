"""Small worlds for tests of the pipeline: episodes of a kitchen domain, as native logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msce_graph import MemoryGraph
from msce_graph.store.fingerprint import fingerprint

GOOD = ("find", "check", "cook")
BAD = ("find", "stir", "cook")


def episode(
    number: int, tools: tuple[str, ...], *, solved: bool | None, task: str | None = None, **more: Any
) -> dict[str, Any]:
    """Return one episode whose steps call the tools with arguments of their own."""
    steps = [
        {
            "turn": at,
            "state": f"dish {number} is wanted" if at == 0 else "ok",
            "action": "",
            "tool": tool,
            "kind": "function",
            "arguments": {"dish": f"dish-{number}", "gas": True},
            "observation": {"dish": f"dish-{number}", "state": f"{tool}ed"},
        }
        for at, tool in enumerate(tools)
    ]
    outcome = {} if solved is None else {"solved": solved, "reward": 1.0 if solved else -1.0, "reward_basis": "score"}
    return {
        "id": f"e{number}",
        "task": task or f"make dish {number}",
        "task_key": task or f"dish-{number // 2 % 8}",
        "domain": "kitchen",
        "steps": steps,
        **outcome,
        **more,
    }


def kitchen(count: int = 40) -> list[dict[str, Any]]:
    """Return episodes in which checking before cooking is what makes the difference."""
    return [
        episode(number, GOOD if number % 2 else BAD, solved=bool(number % 2) != (number % 11 == 0))
        for number in range(count)
    ]


def log(folder: Path, episodes: list[dict[str, Any]], name: str = "kitchen.jsonl") -> Path:
    """Write episodes as a native log."""
    file = folder / name
    file.write_text("".join(json.dumps(row) + "\n" for row in episodes), encoding="utf-8")
    return file


def told(memory: MemoryGraph) -> str:
    """Return the fingerprint of a memory's graph, whichever files it was read from."""
    memory.query("MATCH (e:Episode) SET e.source_sha256 = '' RETURN count(e) AS episodes", write=True)
    return fingerprint(memory._store)


def wiped(memory: MemoryGraph) -> None:
    """Empty a memory, but for its store's own node."""
    memory.query("MATCH (n) WHERE NOT n:Store DETACH DELETE n RETURN count(*) AS deleted", write=True)
    memory.query("MATCH (s:Store) SET s.sequence = 0 RETURN s.sequence AS sequence", write=True)
