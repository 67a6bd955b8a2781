"""The commands by which people correct what was learned."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from msce_graph.store import embedded
from tests.cli.running import answer, bakery, msce, written

WHY = ("--reason", "it was looked at", "--author", "Ada")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Path]:
    """A store that has learned from the bakery, for one test alone."""
    folder = tmp_path / "store"
    answer("--store", folder, "init")
    msce("--store", folder, "ingest", written(tmp_path / "bakery.jsonl", bakery()))
    msce("--store", folder, "evolve")
    yield folder
    embedded.stop(folder)


def test_what_a_person_says_of_a_skill_is_answered_with_what_became_of_it(shop):
    [skill, *_] = answer("--store", shop, "skill", "list")
    policy = skill["id"].rpartition(".v")[0]

    tried = answer("--store", shop, "skill", "trial", skill["id"], "fail", *WHY)
    pinned = answer("--store", shop, "skill", "pin", skill["id"], *WHY)
    approved = answer("--store", shop, "skill", "approve", skill["id"], *WHY)
    retired = answer("--store", shop, "policy", "retire", policy, *WHY)
    suspended = answer("--store", shop, "skill", "show", skill["id"])
    archived = answer("--store", shop, "skill", "archive", skill["id"], *WHY)
    again = msce("--store", shop, "skill", "pin", skill["id"], *WHY)

    assert tried["trials"] == skill["trials"] + 1
    assert (pinned["pinned"], approved["pinned"]) == (True, True)
    assert (retired["status"], suspended["status"], archived["status"]) == ("retired", "suspended", "archived")
    assert again.exit_code == 1
    assert "nothing revives it" in again.stderr


def test_feedback_is_answered_with_how_it_was_read(shop):
    [episode] = answer("--store", shop, "query", "MATCH (e:Episode) RETURN e.id AS id ORDER BY id LIMIT 1")

    said = answer("--store", shop, "feedback", episode["id"], "Wrong, it is still broken.", "--author", "Ada")

    assert said["kind"] in ("correction", "rejection")
    assert said["goal"] < 0


def test_a_first_version_has_nothing_to_differ_from(shop):
    [skill, *_] = answer("--store", shop, "skill", "list")

    result = msce("--store", shop, "skill", "diff", skill["id"])
    same = msce("--store", shop, "skill", "diff", skill["id"], "--against", skill["id"])

    assert result.exit_code == 1
    assert "earlier version" in result.stderr
    assert "They say the same." in same.stdout


def test_forgetting_is_told_before_it_is_done(shop):
    before = answer("--store", shop, "stats")

    dry = msce("--store", shop, "forget", "--source", "bakery.jsonl")
    between = answer("--store", shop, "stats")
    done = msce("--store", shop, "forget", "--source", "bakery.jsonl", "--apply")

    assert "Would forget" in dry.stdout
    assert "--apply" in dry.stderr
    assert between["fingerprint"] == before["fingerprint"]
    assert "Forgot" in done.stdout
    assert "Backups" in done.stderr
    assert answer("--store", shop, "stats")["nodes"].get("Episode", 0) == 0


@pytest.mark.parametrize("command", [("forget",), ("trust", *WHY)])
def test_nothing_is_forgotten_or_trusted_by_naming_nothing(shop, command):
    result = msce("--store", shop, *command)

    assert result.exit_code == 2
    assert "Name episodes" in result.stderr


def test_trust_and_impact_say_what_rests_on_an_episode(shop):
    [skill, *_] = answer("--store", shop, "skill", "list")
    [cited, *_] = answer(
        "--store", shop, "query", "MATCH (:Skill)-[:CITES]->(:Evidence)<-[:HAS_STEP]-(e) RETURN e.id AS id ORDER BY id"
    )

    rests = answer("--store", shop, "impact", cited["id"])
    trusted = answer("--store", shop, "trust", "--source", "bakery.jsonl", "--origin", "untrusted", *WHY)

    assert skill["id"] in {one["key"].partition("/")[2] for one in rests["resting"]}
    assert trusted["domains"]
    assert answer("--store", shop, "skill", "list", "--status", "active") == []


@pytest.mark.parametrize(
    "command",
    [
        ("feedback", "x", ""),
        ("skill", "pin", "x.v1", "--reason", " "),
        ("policy", "retire", "x", "--reason", "y", "--author", "msce_graph"),
    ],
)
def test_saying_nothing_or_as_nobody_is_a_usage_error(shop, command):
    result = msce("--store", shop, *command)

    assert result.exit_code == 2
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", [("skill", "archive", "x.v1"), ("policy", "retire", "x")])
def test_a_decision_without_a_reason_is_a_usage_error(shop, command):
    result = msce("--store", shop, *command)

    assert result.exit_code == 2
    assert "--reason" in result.stderr


@pytest.fixture
def told_beside(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """A store that is not there yet, and a log without outcomes."""
    folder = tmp_path / "beside"
    messages = [
        [{"role": "user", "content": f"bake loaf {n}"}, {"role": "assistant", "content": "It is baked."}]
        for n in range(2)
    ]
    yield folder, written(tmp_path / "runs.jsonl", messages)
    embedded.stop(folder)


def test_outcomes_are_given_beside_a_log_and_later_by_hand(told_beside, tmp_path):
    store, log = told_beside
    stored = msce("--store", store, "ingest", log, "--json").stdout.splitlines()
    first, second = (json.loads(line)["key"].removeprefix("default/") for line in stored)
    graded = tmp_path / "graded.csv"
    graded.write_text(f"id,score\n{first},0.75\nnobody,1\n", encoding="utf-8")

    beside = msce("--store", store, "ingest", log, "--outcomes", graded)
    by_hand = answer("--store", store, "outcome", second, "pass", "--author", "Ada")

    assert beside.exit_code == 0
    assert f"{graded}, line 3: no episode of these logs is id nobody" in beside.stderr
    assert (by_hand["reward"], by_hand["solved"], by_hand["reward_basis"]) == (1.0, True, "score")
    scored = answer("--store", store, "query", "MATCH (e:Episode) RETURN e.reward AS reward ORDER BY reward")
    assert [row["reward"] for row in scored] == [0.5, 1.0]


@pytest.mark.parametrize("score", ["2", "-0.1", "maybe", "nan"])
def test_an_outcome_that_cannot_be_is_a_wrong_call(tmp_path, score):
    refused = msce("--store", tmp_path / "nowhere", "outcome", "e1", "--", score)

    assert refused.exit_code == 2
    assert "Traceback" not in refused.output
    assert not (tmp_path / "nowhere").exists()
