"""The project's own format: what a line may say, and that an export reads back unchanged."""

from __future__ import annotations

from datetime import UTC, datetime

import jsonschema
import pytest

from msce_graph.errors import SourceError
from msce_graph.learning.normalise import normalise
from msce_graph.records import Call, Episode, Evidence
from msce_graph.settings import Settings
from msce_graph.sources import native
from msce_graph.sources.reading import parse
from tests.sources.logs import LOGS, NATIVE, episodes, outcomes, written

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

EPISODE = Episode(
    namespace="lab",
    id="nightly/17",
    created_at=NOON,
    sequence=4,
    task="Remove the stale branch",
    task_key="branch",
    domain="git",
    agent="ann",
    started_at=NOON,
    step_count=2,
    tool_steps=1,
    tokens=120,
    outcome="score 0.75",
    solved=False,
    reward=0.5,
    reward_basis="score",
    source_format="tau_bench",
    source="mon/a.json",
    source_sha256="ab" * 32,
    content_sha256="c",
    trajectory_sha256="t",
    origin="imported",
    is_complete=False,
)


def evidence(index: int, **given: object) -> Evidence:
    defaults = {
        "namespace": "lab",
        "id": f"nightly/17#{index}",
        "created_at": NOON,
        "episode": "nightly/17",
        "index": index,
        "turn": index,
        "state": "Remove it",
        "action": "",
        "tool": None,
        "kind": "text",
        "arguments": {},
        "observation": "",
        "is_error": False,
        "error_signature": "",
        "reflection": "",
        "alpha": 0.5,
        "value": 0.4,
        "mentions": (),
        "text": "searched",
        "embedding": (0.6, 0.8),
    }
    return Evidence.model_validate(defaults | given)


EVIDENCE = [
    evidence(
        0,
        action="git branch -d old",
        tool="shell:git branch",
        kind="shell",
        arguments={"options": ["-d"], "name": "old"},
        observation={"deleted": ["old"]},
        mentions=("old",),
        reflection="It is merged.",
        occurred_at=NOON,
    ),
    evidence(1, action="The branch is gone."),
]


def test_a_line_gives_the_episode_that_it_says(tmp_path):
    (episode,) = episodes(tmp_path, NATIVE)

    assert (episode.coordinates, episode.task, episode.source_format) == (("nightly/17",), NATIVE["task"], "native")
    assert (episode.reward, episode.reward_basis, episode.score) == (0.5, "score", None)
    assert [step.turn for step in episode.steps] == [0, 1, 2]


def test_an_action_of_a_kind_without_a_tool_is_read_in_that_language(tmp_path):
    (episode,) = episodes(tmp_path, NATIVE)

    shell = episode.steps[0]
    assert (shell.language, shell.tool, shell.call, shell.is_action) == ("shell", None, None, True)


def test_a_tool_without_a_kind_is_a_call_and_words_alone_are_talk(tmp_path):
    (episode,) = episodes(tmp_path, NATIVE)

    _, notify, words = episode.steps
    assert (notify.call, notify.observation) == (Call(name="notify", arguments={"who": "ann"}), {"sent": True})
    assert (words.is_action, words.action) == (False, "The branch is gone.")


def test_an_export_reads_back_unchanged(tmp_path):
    (episode,) = episodes(tmp_path, parse(native.dump(EPISODE, EVIDENCE)))

    same = set(Episode.model_fields) & set(type(episode).model_fields)
    assert {name: getattr(episode, name) for name in same} == {name: getattr(EPISODE, name) for name in same}
    assert "/".join(episode.coordinates) == EPISODE.id
    for step, kept in zip(episode.steps, EVIDENCE, strict=True):
        same = set(Evidence.model_fields) & set(type(step).model_fields)
        assert {name: getattr(step, name) for name in same} == {name: getattr(kept, name) for name in same}


def _normalised(recorded):
    return normalise(recorded, namespace="lab", origin="own", settings=Settings(), now=NOON)


@pytest.mark.parametrize("name", LOGS)
def test_an_export_of_what_any_format_told_is_normalised_to_the_same_records(tmp_path, name):
    (told,) = episodes(tmp_path, LOGS[name])
    kept = _normalised(told)

    (again,) = episodes(tmp_path, parse(native.dump(kept.episode, kept.evidence)))

    assert _normalised(again) == kept


def test_an_export_and_a_line_by_hand_fit_the_schema():
    checker = jsonschema.Draft202012Validator(native.schema())

    checker.validate(parse(native.dump(EPISODE, EVIDENCE)))
    checker.validate(NATIVE)


@pytest.mark.parametrize("name", ["colour", "steps.0.colour"])
def test_the_schema_and_the_reader_refuse_the_same_unknown_key(tmp_path, name):
    unknown = NATIVE | {"colour": 1}
    if "." in name:
        unknown = NATIVE | {"steps": [{"action": "ls", "colour": 1}]}

    (broken,) = outcomes(written(tmp_path, unknown))

    assert (broken.line, name in broken.reason) == (1, True)
    assert not jsonschema.Draft202012Validator(native.schema()).is_valid(unknown)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"reward": 1.5}, "reward"),
        ({"reward_basis": None}, "go together"),
        ({"reward": None}, "go together"),
        ({"id": ""}, "id"),
        ({"steps": [{"kind": "function", "action": "x"}]}, "needs its tool"),
        ({"steps": [{"turn": 2}, {"turn": 1}]}, "go back"),
        ({"started_at": "yesterday"}, "started_at"),
    ],
)
def test_an_impossible_line_is_an_error_that_says_why(tmp_path, change, told):
    (broken,) = outcomes(written(tmp_path, NATIVE | change))

    assert isinstance(broken, SourceError)
    assert told in broken.reason


def test_an_outcome_without_a_reward_leaves_the_reward_unknown(tmp_path):
    line = {name: value for name, value in NATIVE.items() if not name.startswith("reward")}

    (episode,) = episodes(tmp_path, line | {"outcome": "it went well"})

    assert (episode.outcome, episode.reward, episode.reward_basis) == ("it went well", None, None)


def test_a_time_without_a_zone_is_taken_as_utc(tmp_path):
    (episode,) = episodes(tmp_path, NATIVE | {"started_at": "2026-03-01T12:00:00"})

    assert episode.started_at == NOON
