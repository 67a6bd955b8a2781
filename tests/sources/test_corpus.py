"""The counts of real logs, as their description gives them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from msce_graph.errors import SourceError
from msce_graph.records import RecordedEpisode, RecordedStep
from msce_graph.sources import files, read
from tests.support import corpus


@cache
def _episodes(folder: Path) -> tuple[RecordedEpisode, ...]:
    found = [one for path, source in files([folder]) for one in read(path, source=source)]
    assert not [one for one in found if isinstance(one, SourceError)]
    return tuple(one for one in found if isinstance(one, RecordedEpisode))


def episodes(folder: str) -> tuple[RecordedEpisode, ...]:
    return _episodes(corpus(folder))


def steps(folder: str) -> list[RecordedStep]:
    return [step for episode in episodes(folder) for step in episode.steps]


def scores(folder: str) -> tuple[int, int]:
    """Return how many episodes have the score 1, and how many one between 0 and 1."""
    found = [episode.score for episode in episodes(folder)]
    return found.count(1), sum(score is not None and 0 < score < 1 for score in found)


@pytest.mark.parametrize(
    ("folder", "source_format", "episode_count", "step_count", "errors"),
    [
        ("tau_bench_airline", "tau_bench", 200, 1164 - 92 + 1290, 73),
        ("tau2_airline", "tau2", 50, 265 + 333, 12),
        ("intercode_bash", "intercode", 400, 2077, 609),
        ("intercode_python", "intercode", 119, 431, 26),
        ("intercode_sql", "intercode", 1034, 5551, 782),
        ("alfworld_knowagent", "alfworld", 510, 9000, 2691),
    ],
)
def test_every_episode_step_and_error_is_read(folder, source_format, episode_count, step_count, errors):
    read_episodes, read_steps = episodes(folder), steps(folder)

    assert {episode.source_format for episode in read_episodes} == {source_format}
    assert (len(read_episodes), len(read_steps)) == (episode_count, step_count)
    assert sum(step.is_error for step in read_steps) == errors


@pytest.mark.parametrize(
    "folder",
    ["tau_bench_airline", "tau2_airline", "intercode_bash", "intercode_python", "intercode_sql", "alfworld_knowagent"],
)
def test_no_two_episodes_share_their_coordinates(folder):
    names = [episode.coordinates for episode in episodes(folder)]

    assert len(set(names)) == len(names)


def test_tau_bench_has_fifty_tasks_of_four_trials_and_five_cut_runs():
    read_episodes = episodes("tau_bench_airline")

    assert set(Counter(episode.task_key for episode in read_episodes).values()) == {4}
    assert len({episode.task_key for episode in read_episodes}) == 50
    assert sum(not episode.is_complete for episode in read_episodes) == 5
    assert scores("tau_bench_airline") == (84, 0)


def test_tau_bench_has_1072_tool_calls_besides_thoughts_and_18_episodes_without_any():
    read_episodes = episodes("tau_bench_airline")

    assert sum(step.call is not None for step in steps("tau_bench_airline")) == 1164 - 92
    assert sum(not any(step.call for step in episode.steps) for episode in read_episodes) == 18
    assert not any(step.call and step.call.name == "think" for step in steps("tau_bench_airline"))


def test_tau_bench_gives_each_result_to_the_call_just_before_it_although_ids_repeat():
    called = [step for step in steps("tau_bench_airline") if step.call and step.call.name == "get_user_details"]

    assert called
    assert all('"payment_methods"' in str(step.observation) for step in called if not step.is_error)


def test_tau2_has_28_solved_runs_265_calls_and_its_domain():
    read_episodes = episodes("tau2_airline")

    assert scores("tau2_airline") == (28, 0)
    assert sum(step.call is not None for step in steps("tau2_airline")) == 265
    assert {(episode.domain, episode.agent) for episode in read_episodes} == {("airline", "whissle")}
    assert all(episode.started_at and episode.ended_at and episode.is_complete for episode in read_episodes)


def test_tau2_calls_of_one_message_share_turn_and_state():
    shared = Counter(
        (episode.coordinates, step.turn, step.state)
        for episode in episodes("tau2_airline")
        for step in episode.steps
        if step.call
    )

    assert Counter(shared.values()) == {1: 256, 2: 3, 3: 1}


@pytest.mark.parametrize(
    ("folder", "solved", "between"),
    [("intercode_bash", 138, 253), ("intercode_python", 70, 7), ("intercode_sql", 607, 68)],
)
def test_intercode_is_graded(folder, solved, between):
    assert scores(folder) == (solved, between)


def test_intercode_bash_has_two_agents_at_200_tasks_and_901_thoughts():
    read_episodes = episodes("intercode_bash")

    assert Counter(episode.agent for episode in read_episodes) == {"gpt-3.5": 200, "gpt-4": 200}
    assert set(Counter(episode.task_key for episode in read_episodes).values()) == {2}
    assert sum(bool(step.reflection) for step in steps("intercode_bash")) == 901


def test_intercode_python_names_no_agent_since_folder_and_file_disagree():
    assert {episode.agent for episode in episodes("intercode_python")} == {None}


def test_intercode_sql_is_read_as_mysql_and_submit_as_a_verb():
    languages = Counter((step.language, step.dialect) for step in steps("intercode_sql"))

    assert languages == {("sql", "mysql"): 5551 - 1034, ("verb", None): 1034}


def test_alfworld_has_134_solved_games_of_six_kinds():
    read_episodes = episodes("alfworld_knowagent")

    assert Counter(episode.passed for episode in read_episodes) == {True: 134, False: 376}
    assert set(Counter(episode.domain for episode in read_episodes).values()) == {85}


def test_alfworld_has_77_actions_that_are_no_command_and_keeps_every_thought():
    read_steps = steps("alfworld_knowagent")

    assert Counter(step.language for step in read_steps) == {"verb": 9000 - 77, None: 77}
    thoughts = sum(len(step.reflection.split("\n")) for step in read_steps if step.reflection)
    assert thoughts == 8759 + 3220 - 1, "one says nothing"
