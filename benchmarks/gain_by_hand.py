"""G, p and q of every policy over tau_bench_airline, from the raw file and the policies' episodes alone.

    python -m benchmarks.gain_by_hand [STORE]

Shares no code with the product's learning: the formulas of D4.7 and D4.8 are written out over lists, and only which
episodes have an edge to which policy is asked of the graph. Without STORE a temporary store is filled first. Prints the
largest differences; ends with 1 where one is above 1e-9.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from msce_graph import MemoryGraph
from tests.support import CORPUS

LOG = CORPUS / "tau_bench_airline" / "historical_trajectories" / "gpt-4o-airline.json"
EDGES = """
MATCH (e:Episode)-[:HAS_STEP]->(:Evidence)-[r:SUPPORTS|CONTRADICTS|BORDERS]->(p:Policy)
RETURN p.key AS policy, e.id AS episode, type(r) AS type
"""


def main(store: str | None) -> int:
    """Compare, print, and return the exit code."""
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryGraph.open(store or Path(folder) / "store", settings={"reflection": "none"}) as memory,
    ):
        for _ in memory.ingest(LOG):
            pass
        memory.evolve()
        differences = compared(memory)
    for name, value in differences.items():
        print(f"{name:<10} largest difference {value:.3g}")
    return int(max(differences.values()) > 1e-9)


def compared(memory: MemoryGraph) -> dict[str, float]:
    """Return the largest difference of each number over all policies."""
    runs = [run for run in json.loads(LOG.read_text(encoding="utf-8")) if _tool_steps(run)]
    names = {f"{LOG.name}/{run['task_id']}/{run['trial']}": place for place, run in enumerate(runs)}
    users: defaultdict[str, set[int]] = defaultdict(set)
    supporters: defaultdict[str, set[int]] = defaultdict(set)
    for row in memory.query(EDGES):
        users[row["policy"]].add(names[row["episode"]])
        if row["type"] == "SUPPORTS":
            supporters[row["policy"]].add(names[row["episode"]])
    worst: defaultdict[str, float] = defaultdict(float)
    p: dict[str, float] = {}
    policies = memory.policies()
    for policy in policies:
        gain, low, high = _gain(runs, users[policy.key])
        p[policy.key] = _p(runs, users[policy.key], policy.stance)
        for name, ours, theirs in (
            ("gain", gain, policy.gain),
            ("gain_low", low, policy.gain_low),
            ("gain_high", high, policy.gain_high),
            ("p", p[policy.key], policy.p),
            ("support", len(supporters[policy.key]), policy.support),
        ):
            worst[name] = max(worst[name], abs(ours - (theirs if theirs is not None else math.inf)))
    for stance in ("follow", "avoid"):
        family = [row.key for row in policies if row.stance == stance and len(supporters[row.key]) >= 3]
        rates = _step_up([p[key] for key in family])
        stored = {row.key: row.q for row in policies}
        worst["q"] = max([worst["q"], *(abs(q - (stored[key] or 0)) for key, q in zip(family, rates, strict=True))])
    return {"policies": 0.0 if policies else math.inf, **worst}


def _tool_steps(run: dict[str, Any]) -> int:
    calls = [call for message in run["traj"] for call in message.get("tool_calls") or []]
    return sum(call["function"]["name"] != "think" for call in calls)


def _gain(runs: list[dict[str, Any]], used: set[int]) -> tuple[float, float, float]:
    v = [2.0 * run["reward"] - 1 for run in runs]
    mean = sum(v) / len(v)
    a = []
    for place, run in enumerate(runs):
        others = [v[at] for at, other in enumerate(runs) if other["task_id"] == run["task_id"] and at != place]
        a.append(v[place] - (sum(others) + mean) / (len(others) + 1))
    with_it = [a[at] for at in range(len(a)) if at in used]
    without = [a[at] for at in range(len(a)) if at not in used]
    blended = len(without) * (sum(without) / len(without)) / (len(without) + 5) if without else 0.0
    gain = sum(with_it) / len(with_it) - blended
    middle = sum(a) / len(a)
    s = math.sqrt(sum((x - middle) ** 2 for x in a) / (len(a) - 1))
    spread = 1 / len(with_it) + ((len(without) / (len(without) + 5)) ** 2 / len(without) if without else 0)
    return gain, gain - 1.645 * s * math.sqrt(spread), gain + 1.645 * s * math.sqrt(spread)


def _p(runs: list[dict[str, Any]], used: set[int], stance: str) -> float:
    tries: defaultdict[Any, int] = defaultdict(int)
    for run in runs:
        tries[run["task_id"]] += 1
    by_task = [run["task_id"] if tries[run["task_id"]] > 1 else "single" for run in runs]
    by_length = [_bin(_tool_steps(run)) for run in runs]
    return max(_mantel_haenszel(runs, used, strata, stance) for strata in (by_task, by_length, [0] * len(runs)))


def _bin(steps: int) -> int:
    edges = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]
    return next(place for place, edge in enumerate(edges) if steps <= edge)


def _mantel_haenszel(runs: list[dict[str, Any]], used: set[int], strata: list[Any], stance: str) -> float:
    observed = expected = variance = 0.0
    for stratum in set(strata):
        members = [at for at in range(len(runs)) if strata[at] == stratum]
        n, w = len(members), sum(at in used for at in members)
        k = sum(runs[at]["reward"] == 1 for at in members)
        observed += sum(runs[at]["reward"] == 1 for at in members if at in used)
        expected += w * k / n
        if n > 1:
            variance += w * (n - w) * k * (n - k) / (n * n * (n - 1))
    if variance == 0:
        return 1.0
    if stance == "follow":
        return 1 - _phi((observed - expected - 0.5) / math.sqrt(variance))
    return _phi((observed - expected + 0.5) / math.sqrt(variance))


def _phi(z: float) -> float:
    return (1 + math.erf(z / math.sqrt(2))) / 2


def _step_up(p: list[float]) -> list[float]:
    ranked = sorted(range(len(p)), key=lambda at: p[at])
    q = [0.0] * len(p)
    for rank, at in enumerate(ranked, start=1):
        q[at] = min(
            [1.0, *(p[other] * len(p) / (place + 1) for place, other in enumerate(ranked) if place + 1 >= rank)]
        )
    return q


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
