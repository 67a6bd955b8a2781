import gzip
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from examples.workshop import record
from examples.workshop.project import Project
from examples.workshop.record import TASKS, TRIES
from msce_graph import sources
from msce_graph.records import RecordedEpisode
from tests.support import ROOT

FILE = ROOT / "examples" / "workshop" / "episodes.jsonl.gz"
needs_tools = pytest.mark.skipif(
    not all(map(shutil.which, ("bash", "git", "od", "awk"))), reason="recording needs bash, git and the GNU tools"
)


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return gzip.decompress(FILE.read_bytes()).decode().splitlines()


@pytest.fixture(scope="module")
def shipped(lines: list[str]) -> list[dict]:
    return [json.loads(line) for line in lines]


@needs_tools
def test_recording_again_gives_the_shipped_episodes(lines):
    again = gzip.decompress(record.packed(record.SEED, 12)).decode().splitlines()

    assert again == lines[:12]


@needs_tools
@pytest.mark.parametrize("task", TASKS[::7], ids=lambda task: task.family)
def test_every_family_is_recorded_anew_as_it_was_shipped(task, shipped):
    place = next(place for place, episode in enumerate(shipped) if episode["task_key"] == task.key)

    assert record.episode(record.SEED, place) == shipped[place]


@needs_tools
def test_another_seed_gives_other_episodes(shipped):
    assert record.episode(record.SEED + 1, 0) != shipped[0]


@needs_tools
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.key)
def test_a_task_that_nobody_touched_is_not_solved(task, tmp_path):
    project = Project(tmp_path)
    task.prepare(project)
    project.close()

    assert task.score(project) < 1


def test_the_packed_bytes_tell_no_time():
    assert FILE.read_bytes()[4:8] == bytes(4)


def test_the_file_is_small():
    assert FILE.stat().st_size < 400_000


def test_each_task_is_tried_equally_often(shipped):
    tries = Counter(episode["task_key"] for episode in shipped)

    assert tries == dict.fromkeys((task.key for task in TASKS), TRIES)
    assert len({episode["id"] for episode in shipped}) == len(shipped)


def test_every_family_is_solved_at_times_and_failed_at_times(shipped):
    outcomes = {(episode["task_key"].split("/")[0], episode["solved"]) for episode in shipped}

    assert outcomes == {(task.family, solved) for task in TASKS for solved in (True, False)}


def test_both_agents_solve_some_and_fail_some(shipped):
    assert {(episode["agent"], episode["solved"]) for episode in shipped} == {
        (agent, solved) for agent in ("careful", "hasty") for solved in (True, False)
    }


def test_the_outcome_and_the_reward_agree(shipped):
    assert all((episode["reward"] == 1) == episode["solved"] for episode in shipped)


def test_no_path_of_the_recording_machine_is_shown(lines):
    assert not any("/tmp" in line or str(Path.home()) + "/" in line for line in lines)


def test_a_step_begins_with_what_the_one_before_it_showed(shipped):
    for episode in shipped:
        seen = [episode["task"], *(step["observation"] for step in episode["steps"])]
        assert [step["state"] for step in episode["steps"]] == seen[:-1]


def test_times_run_forward(shipped):
    starts = [episode["started_at"] for episode in shipped]
    assert starts == sorted(starts)
    for episode in shipped:
        times = [episode["started_at"], *(step["occurred_at"] for step in episode["steps"]), episode["ended_at"]]
        assert times == sorted(times)


def test_the_product_reads_every_episode():
    read = list(sources.read(FILE, source=FILE.name))

    assert len(read) == len(TASKS) * TRIES
    assert all(isinstance(episode, RecordedEpisode) for episode in read)


@needs_tools
def test_a_transaction_that_is_not_committed_is_lost(tmp_path):
    project = Project(tmp_path)
    project.load("CREATE TABLE eggs (id INTEGER)")
    project.sql("BEGIN")
    project.sql("INSERT INTO eggs VALUES (1)")
    project.close()

    assert project.rows("SELECT id FROM eggs") == []


@needs_tools
def test_a_search_that_finds_nothing_is_no_error_and_a_missing_file_is(tmp_path):
    project = Project(tmp_path)
    project.write("eggs.txt", "two eggs\n")

    assert not project.shell("grep ham eggs.txt").is_error
    assert project.shell("grep ham bacon.txt").is_error


@needs_tools
def test_answers_show_the_fixed_folder(tmp_path):
    assert Project(tmp_path).shell("pwd").text == "/home/dev/project"
