"""What the commands answer over a real store, and with which exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from msce_graph.provenance.formats import FORMATS
from msce_graph.store import embedded
from tests.cli.running import HOSTILE, SHOWN, answer, bakery, episode, msce, written

STEERS = ("\x1b", "\x9b", "\u202e")
"""What of HOSTILE would change how a terminal shows the rest."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store that has learned from the bakery."""
    folder = tmp_path_factory.mktemp("shop") / "store"
    log = written(folder.parent / "bakery.jsonl", bakery())
    assert msce("--store", folder, "ingest", log).exit_code == 0
    assert msce("--store", folder, "evolve").exit_code == 0
    yield folder
    embedded.stop(folder)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store that each test uses in a namespace of its own."""
    folder = tmp_path_factory.mktemp("scratch") / "store"
    answer("--store", folder, "init")
    yield folder
    embedded.stop(folder)


@pytest.fixture(scope="module")
def keys(shop: Path) -> dict[str, str]:
    """One key of each kind of node that has words of its own."""
    labels = ("Skill", "Policy", "Evidence", "Episode", "Decision")
    return {
        label: answer("--store", shop, "query", f"MATCH (n:{label}) RETURN n.key AS key ORDER BY key LIMIT 1")[0]["key"]
        for label in labels
    }


READS = (["policy", "list"], ["skill", "list"], ["recall", "bake a loaf"], ["query", "RETURN 1 AS one"], ["doctor"])
UNREAD = ("networkx", "jinja2")
"""What only drawing needs."""


@pytest.mark.parametrize("command", READS, ids=" ".join)
def test_a_command_on_a_served_store_takes_less_than_a_second_of_the_processor(shop, command):
    script = (
        "import sys, time; from msce_graph.cli.root import root; root(sys.argv[1:], standalone_mode=False); "
        f"print(time.process_time(), [name for name in {UNREAD} if name in sys.modules], file=sys.stderr)"
    )

    ended = subprocess.run(
        [sys.executable, "-c", script, "--store", str(shop), *command], capture_output=True, text=True, check=True
    )

    seconds, loaded = ended.stderr.splitlines()[-1].split(" ", 1)
    assert loaded == "[]"
    assert float(seconds) < 1


def asked(keys: dict[str, str]) -> list[list[str]]:
    """Return the commands that show what came from logs."""
    return [
        ["policy", "list"],
        ["policy", "show", keys["Policy"]],
        ["skill", "list"],
        ["skill", "show", keys["Skill"]],
        ["skill", "verify", keys["Skill"]],
        ["recall", f"bake a loaf {HOSTILE}", "--tool", "prove"],
        ["query", "MATCH (e:Evidence) RETURN e.observation, e"],
        ["stats"],
        *(["explain", key] for key in keys.values()),
        *(["provenance", keys["Skill"], "--format", name] for name in FORMATS),
    ]


def test_nothing_that_a_log_says_steers_the_terminal(shop, keys):
    for arguments in asked(keys):
        for also in ([], ["--json"]) if arguments[0] != "provenance" else ([],):
            result = msce("--store", shop, *arguments, *also)

            assert result.exit_code == 0, result.stderr
            assert result.stdout, arguments
            assert not any(sign in result.stdout + result.stderr for sign in STEERS), arguments


def test_log_text_is_shown_as_it_stands_with_its_controls_visible(shop):
    result = msce("--store", shop, "query", "MATCH (t:Task {task_key: 'loaf-3'}) RETURN t.text AS text")

    assert result.stdout == f"text\nBake loaf number 3 {SHOWN}\n"


def test_a_learned_skill_is_shown_with_its_steps_and_passes_its_checks(shop, keys):
    shown, checks = (
        msce("--store", shop, "skill", "show", keys["Skill"]),
        answer("--store", shop, "skill", "verify", keys["Skill"]),
    )

    assert "1. Call `weigh`" in shown.stdout
    assert [check["name"] for check in checks["checks"] if check["holds"]] == [
        check["name"] for check in checks["checks"]
    ]
    assert len(checks["checks"]) == 6


def test_lists_name_keys_that_show_takes(shop):
    for noun in ("policy", "skill"):
        listed = answer("--store", shop, noun, "list")
        rows = msce("--store", shop, noun, "list").stdout.splitlines()[1:]

        for entry, row in zip(listed, rows, strict=True):
            shown = answer("--store", shop, noun, "show", row.split()[0])
            assert shown["key"] == entry["key"]
            assert "embedding" not in shown


def test_a_filter_that_nothing_passes_gives_an_empty_list_and_says_so(shop):
    told = msce("--store", shop, "skill", "list", "--domain", "smithy")

    assert answer("--store", shop, "skill", "list", "--domain", "smithy") == []
    assert told.stdout == ""
    assert "No skills" in told.stderr


def test_recall_tells_each_item_with_its_reason_between_marks(shop):
    told = msce("--store", shop, "recall", "bake a loaf", "--domain", "bakery")
    found = answer("--store", shop, "recall", "bake a loaf", "--domain", "bakery")

    assert "why: " in told.stdout
    assert "rests on: " in told.stdout
    assert told.stdout.count("[recall of ") == told.stdout.count("[end of recall]")
    assert all(item["why"] for tier in ("skills", "policies", "avoid", "evidence") for item in found[tier])


@pytest.mark.parametrize("question", ["烤一个面包", "AND \"NOT' (x", "nothing like it at all"])
def test_recall_answers_anything(shop, question):
    result = msce("--store", shop, "recall", question, "--domain", "no such domain")

    assert result.exit_code == 0
    assert "Nothing is known" in result.stderr


@pytest.mark.parametrize("name", FORMATS)
def test_provenance_is_written_to_a_file_as_it_is_to_stdout(shop, keys, name, tmp_path):
    to_file = msce("--store", shop, "provenance", keys["Skill"], "--format", name, "--output", tmp_path / "page")
    to_stdout = msce("--store", shop, "provenance", keys["Skill"], "--format", name)

    assert to_file.stdout == ""
    assert (tmp_path / "page").read_text(encoding="utf-8") == to_stdout.stdout


def test_provenance_keeps_to_its_budget(shop, keys):
    assert len(answer("--store", shop, "provenance", keys["Skill"], "--budget", "12")["nodes"]) <= 12


@pytest.mark.parametrize(
    "arguments",
    [
        ["policy", "show", "nope"],
        ["skill", "show", "nope"],
        ["skill", "verify", "nope"],
        ["explain", "nope"],
        ["provenance", "nope"],
        ["recall", "loaf", "--episode", "nope"],
    ],
)
def test_an_unknown_key_fails_in_one_line_that_names_it(shop, arguments):
    result = msce("--store", shop, *arguments)

    assert result.exit_code == 1
    assert result.stdout == ""
    assert "nope" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_output_that_cannot_be_written_fails_in_one_line(shop, keys, tmp_path):
    result = msce("--store", shop, "provenance", keys["Skill"], "--output", tmp_path / "none" / "page.html")

    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1


# Query


def test_a_query_takes_typed_parameters_and_the_namespace(shop):
    rows = answer(
        *("--store", shop, "query", "RETURN $n + 1 AS n, $word AS word, $text AS text, $namespace AS namespace"),
        *("--param", "n=2", "--param", "word=flour", "--param", 'text="3"'),
    )

    assert rows == [{"n": 3, "word": "flour", "text": "3", "namespace": "default"}]


def test_a_query_writes_only_when_told_to(scratch):
    cypher = "CREATE (n:Note {key: 'note/1', namespace: 'note', id: '1'}) RETURN n.key AS key"
    count = ("--store", scratch, "--namespace", "note", "query", "MATCH (n:Note) RETURN count(n) AS notes")

    refused = msce("--store", scratch, "--namespace", "note", "query", cypher)
    before = answer(*count)
    written_ = answer("--store", scratch, "--namespace", "note", "query", cypher, "--write")

    assert refused.exit_code == 1
    assert "--write" in refused.stderr
    assert before == [{"notes": 0}]
    assert written_ == [{"key": "note/1"}]
    assert answer(*count) == [{"notes": 1}]


def test_a_query_that_is_none_fails_in_one_line(shop):
    result = msce("--store", shop, "query", "MATCH (\n(")

    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1


# Ingest


def ingest(store: Path, namespace: str, *arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    result = msce("--store", store, "--namespace", namespace, "ingest", *arguments, "--json")
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()], result.stderr


def test_ingest_prints_a_line_an_episode_and_changes_nothing_the_second_time(scratch, tmp_path):
    log = written(tmp_path / "bakery.jsonl", bakery(tasks=2))

    _, first, _ = ingest(scratch, "twice", log)
    code, second, _ = ingest(scratch, "twice", log)

    assert code == 0
    assert [one["result"] for one in first] == ["stored"] * 4
    assert [one["result"] for one in second] == ["unchanged"] * 4
    assert [one["key"] for one in first] == [f"twice/loaf-{task}-{trial}" for task in range(2) for trial in range(2)]


def test_a_broken_line_stores_nothing_and_names_file_and_line(scratch, tmp_path):
    log = written(tmp_path / "bakery.jsonl", [episode(0, 0), '{"id": "torn", ', episode(1, 0)])

    code, lines, told = ingest(scratch, "broken", log)

    assert (code, lines) == (1, [])
    assert "bakery.jsonl, line 2" in told
    assert len(told.splitlines()) == 1
    assert answer("--store", scratch, "--namespace", "broken", "stats")["nodes"].get("Episode", 0) == 0


def test_keep_going_stores_the_others_and_still_ends_with_1(scratch, tmp_path):
    log = written(tmp_path / "bakery.jsonl", [episode(0, 0), '{"id": "torn", ', episode(1, 0)])

    code, lines, told = ingest(scratch, "kept", log, "--keep-going")
    summary = msce("--store", scratch, "--namespace", "kept", "ingest", log, "--keep-going")

    assert code == 1
    assert [one["result"] for one in lines] == ["stored", "failed", "stored"]
    assert lines[1]["line"] == 2
    assert "1 of 3 episodes failed" in told
    assert summary.exit_code == 1
    assert "1 failed" in summary.stdout
    assert "bakery.jsonl, line 2" in summary.stderr


def test_an_episode_with_other_content_is_refused_until_it_may_replace(scratch, tmp_path):
    before = written(tmp_path / "before.jsonl", [episode(0, 0, said="crusty")])
    after = written(tmp_path / "after.jsonl", [episode(0, 0, said="soggy")])
    ingest(scratch, "other", before)

    refused = ingest(scratch, "other", after)
    replaced = ingest(scratch, "other", after, "--replace")

    assert refused[0] == 1
    assert "--replace" in refused[2]
    assert [one["result"] for one in replaced[1]] == ["replaced"]


# Stores


def test_init_says_what_it_made_and_leaves_what_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        made, again = msce("init"), msce("init", "--json")
        stopped, idle = answer("stop"), answer("stop")
    finally:
        embedded.stop(tmp_path / "msce-store")

    assert made.exit_code == again.exit_code == 0
    assert "Made a new store in msce-store" in made.stderr
    assert "hashing, 384 dimensions" in made.stdout
    assert again.stderr == ""
    assert json.loads(again.stdout)["schema_version"] >= 1
    assert (stopped["stopped"], idle["stopped"]) == (True, False)


def test_init_refuses_foreign_nodes_unless_the_database_is_shared(scratch):
    query = ("--store", scratch, "query", "--write")
    answer(*query, "CREATE (t:Task {title: 'buy flour'}) RETURN t.title")
    try:
        refused = msce("--store", scratch, "--namespace", "guest", "init")
        shared = msce("--store", scratch, "--namespace", "guest", "init", "--shared")
    finally:
        answer(*query, "MATCH (t:Task {title: 'buy flour'}) DELETE t RETURN 1 AS done")

    assert refused.exit_code == 1
    assert "1 Task" in refused.stderr
    assert shared.exit_code == 0


def test_msce_store_names_the_store(shop):
    assert json.loads(msce("stats", "--json", MSCE_STORE=str(shop)).stdout)["location"] == str(shop)


def test_neo4j_uri_names_the_store_and_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    result = msce("stats", NEO4J_URI="bolt://127.0.0.1:1")

    assert result.exit_code == 1
    assert result.stderr.splitlines()[0] == "The store is bolt://127.0.0.1:1, as NEO4J_URI says."
    assert len(result.stderr.splitlines()) == 2


def test_a_server_is_not_stopped():
    result = msce("--store", "bolt://127.0.0.1:1", "stop")

    assert result.exit_code == 1
    assert "is a server" in result.stderr


def test_doctor_ends_with_1_until_what_it_advises_is_done(scratch, tmp_path):
    place = ("--store", scratch, "--namespace", "ill")
    ingest(scratch, "ill", written(tmp_path / "bakery.jsonl", bakery(tasks=1)))
    well = msce(*place, "doctor")
    forget = "MATCH (e:Evidence {namespace: $namespace}) REMOVE e.embedding RETURN count(*) AS steps"
    answer(*place, "query", forget, "--write")

    ill = msce(*place, "doctor")
    msce(*place, "embed", "--model", "hashing")

    assert well.exit_code == 0
    assert ill.exit_code == 1
    assert "msce embed --model hashing" in ill.stdout
    assert msce(*place, "doctor").exit_code == 0


def test_a_skill_that_lost_its_evidence_fails_its_checks(scratch, tmp_path):
    place = ("--store", scratch, "--namespace", "lost")
    ingest(scratch, "lost", written(tmp_path / "bakery.jsonl", bakery()))
    answer(*place, "evolve")
    key = answer(*place, "skill", "list")[0]["key"]
    cut = "MATCH (:Skill {key: $key})-[:CITES]->(:Evidence)-[r:SUPPORTS]->(:Policy) DELETE r RETURN count(*) AS cut"
    answer(*place, "query", cut, "--param", f"key={key}", "--write")

    result = msce(*place, "skill", "verify", key)

    assert result.exit_code == 1
    assert "FAILS  evidence_in_support" in result.stdout
    assert "checks failed" in result.stderr


# Learning


def test_a_store_takes_other_parameters_only_with_a_rebuild(scratch, tmp_path):
    place = ("--store", scratch, "--namespace", "values")
    ingest(scratch, "values", written(tmp_path / "bakery.jsonl", bakery(tasks=3)))

    elsewise = msce(*place, "--set", "reflection=none", "stats")
    without = msce(*place, "evolve", "--set", "reflection=none")
    rebuilt = answer(*place, "evolve", "--rebuild", "--set", "reflection=none", "--set", "gamma=0.5")
    before = answer(*place, "--set", "n_min=2", "evolve", "--rebuild")

    assert elsewise.exit_code == without.exit_code == 1
    assert "evolve --rebuild" in elsewise.stderr
    assert "--rebuild" in without.stderr
    assert rebuilt["episodes"] == before["episodes"] == 6
    settings = answer(*place, "stats")["settings"]
    assert (settings["reflection"], settings["gamma"], settings["n_min"]) == ("none", 0.5, 2)


def test_evolve_takes_in_each_episode_once(scratch, tmp_path):
    place = ("--store", scratch, "--namespace", "once")
    ingest(scratch, "once", written(tmp_path / "bakery.jsonl", bakery(tasks=3)))

    first, second = answer(*place, "evolve"), answer(*place, "evolve")

    assert (first["episodes"], second["episodes"]) == (6, 0)


def test_embed_with_the_same_model_keeps_the_store_as_it_is(scratch, tmp_path):
    place = ("--store", scratch, "--namespace", "vectors")
    ingest(scratch, "vectors", written(tmp_path / "bakery.jsonl", bakery(tasks=3)))
    answer(*place, "evolve")
    before = answer(*place, "stats")["fingerprint"]

    done = answer(*place, "embed", "--model", "hashing")

    assert done["model"] == "hashing"
    assert answer(*place, "stats")["fingerprint"] == before


def test_a_command_that_only_reads_makes_no_store_where_there_is_none(tmp_path):
    result = msce("--store", tmp_path / "mistyped", "policy", "list")

    assert result.exit_code == 1
    assert "msce init" in result.output
    assert not (tmp_path / "mistyped").exists()


def test_evolve_says_how_many_episodes_teach_nothing_and_what_they_lack(tmp_path):
    log = tmp_path / "talk.jsonl"
    log.write_text('{"id": "a", "task": "wave", "domain": "d", "steps": [{"turn": 0, "action": "hello"}]}\n')
    store = tmp_path / "store"
    msce("--store", store, "ingest", log)

    told = msce("--store", store, "evolve").output

    embedded.stop(store)
    assert "1 episode without an outcome" in told
    assert "--outcomes FILE" in told
