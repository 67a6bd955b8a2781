"""Which episodes are the same, grown or changed, against the worked cases."""

from __future__ import annotations

import json

import pytest

from msce_graph.errors import EpisodeConflict
from tests.support import cases


@pytest.mark.parametrize(("given", "expect"), cases("identity"))
def test_episodes_are_told_apart_as_the_case_says(given, expect, memory, tmp_path):
    results = []
    for place, ingest in enumerate(given["ingests"]):
        root = tmp_path / f"{place}"
        file = root / ingest["file"]
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(tau_like(ingest)), encoding="utf-8")
        path = root / ingest["path"] if "path" in ingest else file
        try:
            [found] = memory.ingest(path, source=ingest.get("source"), replace=ingest.get("replace", False))
            results.append(found.result)
        except EpisodeConflict:
            results.append("error")

    assert results == expect["results"]
    stored = memory.query("MATCH (e:Episode) RETURN e.key AS key, e.step_count AS steps")
    assert sorted(row["steps"] for row in stored) == sorted(expect["step_counts"])
    assert len(stored) == expect["episodes"]
    indexes = memory.query(
        "MATCH (e:Episode)-[:HAS_STEP]->(s:Evidence) WITH e, s ORDER BY s.index "
        "RETURN e.key AS key, collect(s.index) AS i"
    )
    assert all(row["i"] == list(range(len(row["i"]))) for row in indexes)


def tau_like(ingest):
    """Return an episode in a format whose identity is file, task and trial, or the source's own id."""
    steps = [
        {"turn": at, "state": "", "action": action, "kind": "verb", "observation": "ok"}
        for at, action in enumerate(ingest["steps"])
    ]
    if "id" in ingest:
        episode = {"id": ingest["id"], "task": ingest["task"], "domain": "kitchen", "steps": steps}
        return {**episode, **({"reward": 1.0, "reward_basis": "score"} if "outcome" in ingest else {})}
    messages = [{"role": "system", "content": "rules"}, {"role": "user", "content": ingest["task"]}]
    for at, action in enumerate(ingest["steps"]):
        call = {
            "id": f"c{at}",
            "type": "function",
            "function": {"name": action.split()[0], "arguments": json.dumps({"of": action})},
        }
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{at}", "name": action.split()[0], "content": "ok"},
        ]
    return [
        {
            "task_id": ingest["task"],
            "trial": ingest["trial"],
            "reward": float(ingest.get("outcome", 0)),
            "info": {},
            "traj": messages,
        }
    ]
