"""kill -9 of clients and servers at random moments of ingest and evolve, and what was lost.

    python -m benchmarks.crash --times 10 --engine embedded
    python -m benchmarks.crash --times 10 --engine neo4j --restart COMMAND

For Neo4j NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD name an empty server, and COMMAND ends it with SIGKILL and starts
it again at the same address. Prints a line for each kill; ends with 1 where an acknowledged episode was lost or a graph
differs from that of a run that nobody disturbed.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msce_graph.store import embedded
from tests.crash.trial import COMMANDS, VICTIMS, Ground, Outcome, ServerGround, disturbed, undisturbed
from tests.pipeline.workbench import kitchen, log

EPISODES = 400
SHARES = (0.2, 0.95)
"""Of a command's time, between which a kill comes."""
HEADER = "command  victim  at (s) acknowledged  lost again (s) equal"


def main() -> int:
    """Kill, print, and return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=10, help="kills of each victim in each command")
    parser.add_argument("--engine", choices=["embedded", "neo4j"], default="embedded")
    parser.add_argument("--restart", help="shell command that kills the Neo4j server and starts it again")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _ground(given.engine, folder, given.restart) as ground:
        episodes = log(Path(folder), kitchen(EPISODES))
        moments = random.Random(given.seed)
        outcomes = list(_outcomes(ground, episodes, given.times, moments))
    return int(any(outcome.lost or not outcome.is_equal for outcome in outcomes))


def _outcomes(ground: Ground, episodes: Path, times: int, moments: random.Random) -> Iterator[Outcome]:
    expected = undisturbed(ground, episodes)
    taken = ", ".join(f"{command} {seconds:.1f} s" for command, seconds in expected.seconds.items())
    print(f"{EPISODES} episodes; undisturbed: {taken}")
    print(HEADER)
    for command in COMMANDS:
        for victim in VICTIMS:
            for _ in range(times):
                outcome = disturbed(ground, episodes, expected, command, victim, moments.uniform(*SHARES))
                print(_line(outcome), flush=True)
                yield outcome


def _line(outcome: Outcome) -> str:
    return (
        f"{outcome.command:<8} {outcome.victim:<7} {outcome.moment:>6.2f} "
        f"{outcome.acknowledged:>12} {len(outcome.lost):>5} {outcome.seconds_again:>9.1f} "
        f"{'yes' if outcome.is_equal else 'no'}"
    )


@contextmanager
def _ground(engine: str, folder: str, restart: str | None) -> Iterator[Ground]:
    if engine == "embedded":
        store = Path(folder) / "store"
        try:
            yield Ground(str(store))
        finally:
            embedded.stop(store)
    else:
        user = os.environ.get("NEO4J_USERNAME"), os.environ.get("NEO4J_PASSWORD")
        yield ServerGround(os.environ["NEO4J_URI"], *user, restart)


if __name__ == "__main__":
    sys.exit(main())
