"""Each format: what its episodes are called, what they asked for, how they ended."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from msce_graph.errors import SourceError
from tests.sources.logs import (
    CONVERSATION,
    GAME,
    INTERCODE,
    SIMULATION,
    TAU2,
    TAU_BENCH,
    episodes,
    outcomes,
    said,
    user,
    written,
)


def test_a_bare_conversation_has_no_outcome_and_no_domain(tmp_path):
    (episode,) = episodes(tmp_path, CONVERSATION)

    assert (episode.source_format, episode.task) == ("openai", "Book me a table for two")
    assert (episode.score, episode.passed, episode.reward, episode.domain) == (None, None, None, None)
    assert [step.is_action for step in episode.steps] == [True, False]


def test_a_bare_conversation_is_named_by_its_content_wherever_it_lies(tmp_path):
    (array,) = episodes(tmp_path, CONVERSATION, source="ann")
    (object_,) = episodes(tmp_path, {"messages": CONVERSATION, "tools": []}, source="bob")
    (other,) = episodes(tmp_path, [*CONVERSATION, said("Done.")])

    assert array.coordinates == object_.coordinates != other.coordinates


def test_bare_conversations_come_one_a_line_as_well(tmp_path):
    first, second = episodes(tmp_path, {"messages": CONVERSATION}, {"messages": [user("Hello"), said("Hi")]})

    assert (first.line, second.line, second.task) == (1, 2, "Hello")


def test_a_tau_bench_run_is_named_by_source_task_and_trial(tmp_path):
    (episode,) = episodes(tmp_path, [TAU_BENCH], source="nightly")

    assert episode.coordinates == ("nightly", "3", "1")
    assert (episode.task, episode.task_key) == ("Book me a table for two", "3")
    assert (episode.score, episode.is_complete, episode.source) == (1.0, True, "nightly")


@pytest.mark.parametrize("reward_info", [{}, None])
def test_a_tau_bench_run_that_was_never_rewarded_was_cut(tmp_path, reward_info):
    (episode,) = episodes(tmp_path, [TAU_BENCH | {"reward": 0.0, "info": {"reward_info": reward_info}}])

    assert (episode.is_complete, episode.score) == (False, 0.0)


def test_a_tau2_run_has_its_own_id_domain_times_and_agent(tmp_path):
    (episode,) = episodes(tmp_path, TAU2)

    assert (episode.coordinates, episode.task_key, episode.domain) == (("sim-1",), "7", "shop")
    assert (episode.agent, episode.model, episode.cost) == ("llm_agent", "some-model", 0.25)
    assert episode.started_at == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert episode.ended_at == datetime(2026, 2, 3, 10, 1, tzinfo=UTC)
    assert (episode.task, episode.score) == ("Cancel order 12", 0.0)


def test_the_greeting_of_a_tau2_agent_is_talk_that_nothing_led_to(tmp_path):
    (episode,) = episodes(tmp_path, TAU2)

    greeting, cancel = episode.steps
    assert (greeting.state, greeting.observation, greeting.is_action) == ("", "Cancel order 12", False)
    assert (cancel.is_error, cancel.occurred_at) == (True, datetime(2026, 2, 3, 10, 0, 9, tzinfo=UTC))


@pytest.mark.parametrize(("ending", "is_complete"), [("agent_stop", True), ("max_steps", False)])
def test_a_tau2_run_that_reached_its_limit_is_not_complete(tmp_path, ending, is_complete):
    (episode,) = episodes(tmp_path, TAU2 | {"simulations": [SIMULATION | {"termination_reason": ending}]})

    assert episode.is_complete is is_complete


def test_a_tau2_run_that_was_not_rewarded_has_no_outcome(tmp_path):
    (episode,) = episodes(tmp_path, TAU2 | {"simulations": [SIMULATION | {"reward_info": None}]})

    assert (episode.score, episode.outcome) == (None, None)


def test_a_tau2_run_in_a_file_of_its_own_has_no_domain_of_its_own(tmp_path):
    (episode,) = episodes(tmp_path, SIMULATION)

    assert (episode.source_format, episode.coordinates, episode.domain) == ("tau2", ("sim-1",), None)


def test_an_intercode_run_is_named_by_source_and_index_and_graded(tmp_path):
    (episode,) = episodes(tmp_path, INTERCODE, source="nightly")

    assert episode.coordinates == ("nightly", "5")
    assert (episode.domain, episode.task_key) == ("ic_bash/files_2", "./sets/files_2.json#5")
    assert (episode.task, episode.score, episode.passed) == ("How many notes are there?", 0.5, None)


def test_an_intercode_turn_is_a_raw_action_in_the_language_of_its_environment(tmp_path):
    (episode,) = episodes(tmp_path, INTERCODE)

    first, second, submit = episode.steps
    assert (first.action, first.language, first.state) == ("execute[ls notes]", "shell", "How many notes are there?")
    assert (second.state, second.reflection, second.is_error, second.turn) == ("a b c", "Count them.", True, 1)
    assert (submit.language, submit.state, submit.is_error) == ("verb", "Error: no folder", False)


def test_python_of_intercode_is_text_and_no_tool(tmp_path):
    (episode,) = episodes(tmp_path, {"5": INTERCODE["5"] | {"environment": "ic_python"}})

    assert [(step.language, step.kind) for step in episode.steps][:2] == [(None, "text"), (None, "text")]


@pytest.mark.parametrize(
    ("folder", "name", "agent"),
    [
        ("bash/gpt-9", "react_10_turns.json", "gpt-9"),
        ("bash/gpt-9", "react_gpt-9_10_turns.json", "gpt-9"),
        ("bash/gpt-9", "react_gpt-8_10_turns.json", None),
        ("logs/monday", "react_10_turns.json", None),
    ],
)
def test_the_agent_of_intercode_is_its_folder_where_the_file_names_no_other(tmp_path, folder, name, agent):
    (tmp_path / folder).mkdir(parents=True)

    (episode,) = outcomes(written(tmp_path / folder, INTERCODE, name=name))

    assert episode.agent == agent


def test_turn_lists_of_different_lengths_are_an_error_of_that_episode_alone(tmp_path):
    turns = INTERCODE["5"]["turn_history"]
    broken = INTERCODE["5"] | {"turn_history": turns | {"observations": ["only one"]}}

    first, second = outcomes(written(tmp_path, {"4": broken, **INTERCODE}))

    assert "episode 4" in first.reason
    assert "[3, 1, 3, 3]" in first.reason
    assert second.coordinates == ("log.json", "5")


def test_a_game_is_named_whole_and_its_kind_is_the_domain(tmp_path):
    (episode,) = episodes(tmp_path, GAME)

    assert episode.coordinates == ("pick_and_chill-Pear-None-Shelf-4/trial_T1",)
    assert (episode.domain, episode.task_key) == ("pick_and_chill", "pick_and_chill-Pear-None-Shelf-4")
    assert (episode.task, episode.passed, episode.score) == ("put a cold pear on shelf.", True, None)


def test_the_moves_of_a_game_are_steps_and_its_thoughts_reflections(tmp_path):
    (episode,) = episodes(tmp_path, GAME)

    go, take, ponder = episode.steps
    assert go.state == "You are in the middle of a room. You see a shelf 4 and a crate 1."
    assert (go.action, go.language, go.reflection) == ("go to crate 1", "verb", "The pear may be in the crate.\nStart")
    assert (take.state, take.observation, take.is_error) == (go.observation, "You pick up the pear 2.", False)
    assert (ponder.language, ponder.kind, ponder.is_error) == (None, "text", True)
    assert ponder.reflection == "That led nowhere."


@pytest.mark.parametrize(("result", "passed"), [(True, True), (False, False), (0, False), (None, None)])
def test_the_result_of_a_game_may_be_a_number(tmp_path, result, passed):
    (episode,) = episodes(tmp_path, GAME | {"result": result})

    assert episode.passed is passed


@pytest.mark.parametrize("result", ["yes", 2, 0.5])
def test_a_result_that_is_neither_is_an_error(tmp_path, result):
    (broken,) = outcomes(written(tmp_path, GAME | {"result": result}))

    assert isinstance(broken, SourceError)


def test_a_reward_out_of_range_is_an_error_of_that_episode_alone(tmp_path):
    broken, read_one = outcomes(written(tmp_path, [TAU_BENCH | {"reward": 1.5}, TAU_BENCH]))

    assert "episode 0: reward" in broken.reason
    assert read_one.score == 1.0


_GOLD = "the-answer-is-forty-two"
_LEAKY = {
    "tau_bench": [
        TAU_BENCH
        | {
            "info": {
                "task": {"instruction": _GOLD, "actions": [_GOLD], "outputs": [_GOLD], "user_id": _GOLD},
                "reward_info": {"reward": 1, "info": _GOLD},
            },
            "traj": [{"role": "system", "content": _GOLD}, *CONVERSATION[1:]],
        }
    ],
    "tau2": TAU2
    | {
        "tasks": [{"description": {"purpose": _GOLD}, "user_scenario": _GOLD, "evaluation_criteria": _GOLD}],
        "info": TAU2["info"] | {"environment_info": {"domain_name": "shop", "policy": _GOLD}},
        "simulations": [
            SIMULATION
            | {
                "policy": _GOLD,
                "review": _GOLD,
                "reward_info": {"reward": 1, "info": _GOLD, "action_checks": [_GOLD], "nl_assertions": _GOLD},
                "messages": [message | {"raw_data": _GOLD} for message in SIMULATION["messages"]],
            }
        ],
    },
    "intercode": {
        "5": INTERCODE["5"]
        | {
            "info": {"eval_obs": _GOLD, "diff_miss": [_GOLD], "diff_extra": [_GOLD]},
            "hardness": _GOLD,
            "gold": _GOLD,
        }
    },
}


@pytest.mark.parametrize("name", _LEAKY)
def test_no_reference_answer_reaches_an_episode(tmp_path, name):
    (episode,) = episodes(tmp_path, _LEAKY[name])

    assert episode.source_format == name
    assert _GOLD in json.dumps(_LEAKY[name])
    assert _GOLD not in episode.model_dump_json()


def test_the_objects_of_a_game_reach_only_its_id_and_task_key(tmp_path):
    (episode,) = episodes(tmp_path, GAME | {"name": f"pick-{_GOLD}/trial"})

    assert _GOLD not in episode.model_dump_json(exclude={"coordinates", "task_key"})


def test_no_error_message_quotes_what_it_refuses(tmp_path):
    (broken,) = outcomes(written(tmp_path, [TAU_BENCH | {"reward": _GOLD, "traj": [{"role": _GOLD}]}]))

    assert _GOLD not in str(broken)
