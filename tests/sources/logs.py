"""Small invented logs of each format, and how a test reads one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msce_graph.errors import SourceError
from msce_graph.records import RecordedEpisode
from msce_graph.sources import read


def written(folder: Path, *values: Any, name: str = "log.json") -> Path:
    """Write the values as JSON, one a line, and return the file."""
    path = folder / name
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def outcomes(path: Path, **options: Any) -> list[RecordedEpisode | SourceError]:
    """Return what reading the file yields."""
    return list(read(path, **{"source": path.name, **options}))


def episodes(folder: Path, *values: Any, **options: Any) -> list[RecordedEpisode]:
    """Return the episodes of a log that holds no error."""
    found = outcomes(written(folder, *values), **options)
    assert not [one for one in found if isinstance(one, SourceError)]
    return [one for one in found if isinstance(one, RecordedEpisode)]


def call(name: str, arguments: Any, id: str | None = "c1") -> dict[str, Any]:
    """Return a call as OpenAI writes it."""
    spelt = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": spelt}}


def calling(*calls: dict[str, Any], content: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def said(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def result(content: Any, id: str | None = "c1", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "name": "any", "content": content, **more}


def system(content: str = "Always be brief.") -> dict[str, Any]:
    return {"role": "system", "content": content}


CONVERSATION = [
    system(),
    user("Book me a table for two"),
    calling(call("find_table", {"seats": 2}), content="First see what is free."),
    result('{"tables": ["T4"]}'),
    said("T4 is free. Shall I book it?"),
    user("Yes please"),
]

TAU_BENCH = {
    "task_id": 3,
    "trial": 1,
    "reward": 1.0,
    "info": {"task": {"instruction": "hidden"}, "reward_info": {"reward": 1.0}},
    "traj": CONVERSATION,
}

SIMULATION = {
    "id": "sim-1",
    "task_id": "7",
    "trial": 0,
    "start_time": "2026-02-03T10:00:00",
    "end_time": "2026-02-03T12:01:00+02:00",
    "termination_reason": "user_stop",
    "agent_cost": 0.25,
    "reward_info": {"reward": 0.0},
    "messages": [
        {"role": "assistant", "content": "How can I help?", "tool_calls": None, "timestamp": "2026-02-03T10:00:00"},
        {"role": "user", "content": "Cancel order 12", "tool_calls": None, "timestamp": "2026-02-03T10:00:05"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "x", "name": "cancel", "arguments": {"order": 12}, "requestor": "assistant"}],
            "timestamp": "2026-02-03T10:00:09",
        },
        {"role": "tool", "id": "x", "content": "no such order", "error": True, "requestor": "assistant"},
    ],
}

TAU2 = {
    "info": {
        "environment_info": {"domain_name": "shop", "policy": "hidden"},
        "agent_info": {"implementation": "llm_agent", "llm": "some-model"},
    },
    "tasks": [],
    "simulations": [SIMULATION],
}

INTERCODE = {
    "5": {
        "environment": "ic_bash",
        "dataset": "./sets/files_2.json",
        "task_id": 5,
        "query": "How many notes are there?",
        "turn_history": {
            "thoughts": ["List them.", "Count them.", "That is all."],
            "actions": ["execute[ls notes]", "execute[ls /notes | wc -l", "submit"],
            "observations": ["a b c", "Error: no folder", ""],
            "rewards": [0, 0.5, 0.5],
            "valid_action": [True, False, True],
        },
        "summary": {"max_reward": 0.5, "turns_taken": 3, "turns_max": 10},
    }
}

GAME = {
    "name": "pick_and_chill-Pear-None-Shelf-4/trial_T1",
    "result": True,
    "traj": "You are in the middle of a room. You see a shelf 4 and a crate 1.\n"
    "Your task is to: put a cold pear on shelf.\n"
    "> Think: The pear may be in the crate.\n"
    "> ActionPath: Start\n"
    "> go to crate 1\n"
    "The crate 1 is open. In it, you see a pear 2.\n"
    "> take pear 2 from crate 1\n"
    "You pick up the pear 2.\n"
    "> ponder deeply\n"
    "Nothing happens.\n"
    "> Think: That led nowhere.\n",
}

NATIVE = {
    "id": "nightly/17",
    "task": "Remove the stale branch",
    "reward": 0.5,
    "reward_basis": "score",
    "steps": [
        {"state": "Remove it", "action": "git branch -d old", "kind": "shell", "observation": "Deleted branch old"},
        {"tool": "notify", "arguments": {"who": "ann"}, "observation": {"sent": True}},
        {"action": "The branch is gone."},
    ],
}

LOGS = {
    "native": NATIVE,
    "openai": CONVERSATION,
    "tau_bench": [TAU_BENCH],
    "tau2": TAU2,
    "intercode": INTERCODE,
    "alfworld": GAME,
}
"""One log of each format, by its name."""
