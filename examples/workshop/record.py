"""Records the episodes of `episodes.jsonl.gz`: `python -m examples.workshop.record --seed 7 --episodes 336 > FILE`."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from examples.workshop import git_tasks, shell_tasks, sqlite_tasks
from examples.workshop.agent import Agent, stamp
from examples.workshop.project import Project
from examples.workshop.task import Task

TASKS: tuple[Task, ...] = (*git_tasks.TASKS, *shell_tasks.TASKS, *sqlite_tasks.TASKS)
AGENTS = ("careful", "hasty")
TRIES = 5
EPISODES = len(TASKS) * TRIES
SEED = 7
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
PAUSE = timedelta(minutes=17)
"""From the start of one episode to the start of the next."""


def episodes(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield so many episodes, all families mixed; each depends on the seed and its own place alone."""
    plan = [(task, number) for task in TASKS for number in range(TRIES)]
    Random(seed).shuffle(plan)
    for place, (task, number) in enumerate(plan[:count]):
        yield _episode(task, number, seed=seed, start=START + place * PAUSE)


def packed(seed: int, count: int) -> bytes:
    """Return the episodes as gzipped JSON lines; the same bytes for the same arguments."""
    lines = "".join(json.dumps(episode, ensure_ascii=False) + "\n" for episode in episodes(seed, count))
    return gzip.compress(lines.encode(), mtime=0)


def _episode(task: Task, number: int, *, seed: int, start: datetime) -> dict[str, Any]:
    rng = Random(f"{seed}/{task.key}/{number}")
    with tempfile.TemporaryDirectory() as root:
        project = Project(Path(root))
        project.now = start - timedelta(days=1)
        task.prepare(project)
        project.now = start
        agent = Agent(AGENTS[number % len(AGENTS)], project, rng, task.text, language=task.language)
        agent.wander(task.looks, task.kind)
        task.attempt(agent)
        agent.wander(task.looks, task.kind)
        project.close()
        score = task.score(project)
        return {
            "id": f"{task.key}/{number + 1}",
            "task": task.text,
            "task_key": task.key,
            "domain": "workshop",
            "agent": agent.name,
            "started_at": stamp(start),
            "ended_at": stamp(agent.now),
            "outcome": "solved" if score == 1 else "failed",
            "solved": score == 1,
            "reward": round(2 * score - 1, 6),
            "reward_basis": "score",
            "steps": agent.steps,
        }


def main() -> None:
    """Write the recorded episodes to stdout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--episodes", type=int, default=EPISODES, help=f"how many, at most {EPISODES}")
    given = parser.parse_args()
    sys.stdout.buffer.write(packed(given.seed, given.episodes))


if __name__ == "__main__":
    main()
