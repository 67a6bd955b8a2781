"""A bakery whose logs would like to steer a terminal, and how a test runs `msce` on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from msce_graph.cli.root import root

HOSTILE = "[link=https://x.test]a[/link] [bold]b[/bold] </script> \x1b[31mred\x1b[0m \x9b2J \u202egnp.exe :smile:"
SHOWN = "[link=https://x.test]a[/link] [bold]b[/bold] </script> \\x1b[31mred\\x1b[0m \\x9b2J \\u202egnp.exe :smile:"

COMMAND = (sys.executable, "-m", "msce_graph.cli")


def episode(task: int, trial: int, *, said: str = HOSTILE) -> dict[str, Any]:
    """Return a native episode: whoever proves the dough before the oven has bread, and one in four has it anyway."""
    is_good = trial % 2 == 0
    tools = ["weigh", "prove", "bake"] if is_good else ["weigh", "taste", "bake"]
    solved = is_good or (task + trial) % 4 == 0
    return {
        "id": f"loaf-{task}-{trial}",
        "task": f"Bake loaf number {task} {said}",
        "task_key": f"loaf-{task}",
        "domain": "bakery",
        "solved": solved,
        "reward": 1.0 if solved else -1.0,
        "reward_basis": "score",
        "steps": [{"tool": tool, "arguments": {"loaf": task}, "observation": f"{tool}: {said}"} for tool in tools],
    }


def bakery(tasks: int = 24, trials: int = 2) -> Iterator[dict[str, Any]]:
    """Yield the episodes of a number of tasks, each tried a number of times."""
    return (episode(task, trial) for task in range(tasks) for trial in range(trials))


def written(path: Path, lines: Sequence[Any] | Iterator[Any]) -> Path:
    """Write values as JSON, and text as it stands, one a line, and return the file."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def msce(*arguments: str | Path, **environment: str | None) -> Result:
    """Run the command in this process, with environment variables set, or taken away where null."""
    nothing = dict.fromkeys(("MSCE_STORE", "NEO4J_URI"))
    return CliRunner().invoke(root, [str(part) for part in arguments], prog_name="msce", env={**nothing, **environment})


def answer(*arguments: str | Path) -> Any:
    """Return what the command, which must succeed, prints as JSON."""
    result = msce(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def process(*arguments: str | Path, **streams: Any) -> subprocess.Popen[str]:
    """Start the command as a process of its own, with pipes for stdout and stderr unless they are given."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONWARNINGS": "ignore", "TERM": "xterm-256color", "COLUMNS": "80"},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )
