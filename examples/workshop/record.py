"""Records the episodes of `episodes.jsonl.gz`: `python -m examples.workshop.record > FILE`."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import sys
import tempfile
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


def episode(seed: int, place: int) -> dict[str, Any]:
    """Record the episode at a place of the file, from 0; it depends on nothing but the two arguments."""
    plan = [(task, number) for task in TASKS for number in range(TRIES)]
    Random(seed).shuffle(plan)
    task, number = plan[place]
    rng = Random(f"{seed}/{task.key}/{number}")
    with tempfile.TemporaryDirectory() as root:
        agent, score = _run(task, Project(Path(root)), AGENTS[number % len(AGENTS)], rng, START + place * PAUSE)
    return {
        "id": f"{task.key}/{number + 1}",
        "task": task.text,
        "task_key": task.key,
        "domain": "workshop",
        "agent": agent.name,
        "started_at": stamp(START + place * PAUSE),
        "ended_at": stamp(agent.now),
        "outcome": "solved" if score == 1 else "failed",
        "solved": score == 1,
        "reward": round(2 * score - 1, 6),
        "reward_basis": "score",
        "steps": agent.steps,
    }


def packed(seed: int, count: int) -> bytes:
    """Return the first episodes as gzipped JSON lines; the same bytes for the same arguments."""
    buffer = io.BytesIO()
    # GzipFile, unlike gzip.compress, writes the same header in every version of Python
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        for place in range(count):
            file.write(f"{json.dumps(episode(seed, place), ensure_ascii=False)}\n".encode())
    return buffer.getvalue()


def _run(task: Task, project: Project, name: str, rng: Random, start: datetime) -> tuple[Agent, float]:
    """Let an agent try a task from the given time on; return it with the score that the check gives."""
    project.now = start - timedelta(days=1)
    task.prepare(project)
    project.now = start
    agent = Agent(name, project, rng, task.text, language=task.language)
    agent.wander(task.looks, task.kind)
    task.attempt(agent)
    agent.wander(task.looks, task.kind)
    project.close()
    return agent, task.score(project)


def main() -> None:
    """Write the recorded episodes to stdout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--episodes", type=int, default=EPISODES, help=f"how many, at most {EPISODES}")
    given = parser.parse_args()
    sys.stdout.buffer.write(packed(given.seed, given.episodes))


if __name__ == "__main__":
    main()
