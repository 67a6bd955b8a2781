"""Faults of writing that were seen elsewhere: a long text in a batch, a file that comes twice, secrets, lost steps."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.errors import UnknownKey
from msce_graph.settings import Settings
from tests.field.world import everything
from tests.pipeline.workbench import GOOD, episode, kitchen, log
from tests.store_fixture import NOW

GITHUB = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
PASSWORD = "Tr0ub4dor-and-3"
PRIVATE_KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{'MIIEow1BAAKCAQEA7' * 4}\n-----END RSA PRIVATE KEY-----"
SECRETS = (GITHUB, PASSWORD, "MIIEow1BAAKCAQEA7")


# Embedding ----------------------------------------------------------------------------------------------------------


def test_one_text_over_every_limit_leaves_the_vectors_of_its_batch_as_they_would_be_alone(memory, tmp_path):
    usual = [episode(number, GOOD, solved=True) for number in range(3)]
    long = {**episode(3, GOOD, solved=True), "task": "make a very large dish " * 50_000}
    results = [one.result for one in memory.ingest(log(tmp_path, [usual[0], long, *usual[1:]]))]
    together = vectors(memory)

    memory.query("MATCH (n) WHERE NOT n:Store DETACH DELETE n RETURN count(*) AS deleted", write=True)
    list(memory.ingest(log(tmp_path, usual, "without.jsonl")))

    assert results == ["stored"] * 4
    assert len(together) == 4 * len(GOOD)
    assert all(abs(sum(number * number for number in vector) - 1) < 1e-5 for vector in together.values())
    assert {key: together[key] for key in vectors(memory)} == vectors(memory)


def vectors(memory) -> dict[str, list[float]]:
    found = memory.query("MATCH (s:Evidence) WHERE s.embedding IS NOT NULL RETURN s.key AS key, s.embedding AS vector")
    return {row["key"]: row["vector"] for row in found}


@pytest.mark.parametrize("name", ["id", "task_key", "domain", "tool"])
def test_a_name_too_long_for_any_index_is_shortened_and_still_told_from_others(memory, tmp_path, name):
    episodes = [episode(number, GOOD, solved=True) for number in range(2)]
    for number, one in enumerate(episodes):
        for place in one["steps"] if name == "tool" else [one]:
            place[name] = f"{'很长的名字 ' * 60_000}{number}"

    results = [one.result for one in memory.ingest(log(tmp_path, episodes))]

    assert results == ["stored"] * 2
    label, kept = {
        "id": ("Episode", "id"),
        "task_key": ("Task", "task_key"),
        "domain": ("Task", "domain"),
        "tool": ("Tool", "name"),
    }[name]
    names = [row["name"] for row in memory.query(f"MATCH (n:{label}) RETURN DISTINCT n.{kept} AS name")]
    assert len(names) == 2
    assert all(len(name) <= 500 for name in names)


# The same again -----------------------------------------------------------------------------------------------------


def test_a_file_that_comes_again_changes_no_node_no_edge_and_no_property(place, memory, store, tmp_path):
    path = log(tmp_path, kitchen())
    list(memory.ingest(path))
    memory.evolve()
    before = everything(store)

    with place.migrated(now=NOW + timedelta(days=1)) as later:
        again = MemoryGraph(later, embedder("hashing"), Settings())
        results = {one.result for one in again.ingest(path)} | {one.result for one in again.ingest(path, replace=True)}
        learned = again.evolve()

    assert results == {"unchanged"}
    assert learned.episodes == 0
    assert everything(store) == before


def test_a_file_read_twice_in_one_call_counts_once(memory, tmp_path):
    path = log(tmp_path, kitchen(4))

    results = [one.result for one in memory.ingest([path, path])]

    assert results == ["stored"] * 4 + ["unchanged"] * 4
    assert memory.query("MATCH (s:Evidence) RETURN count(s) AS steps") == [{"steps": 12}]


# Secrets ------------------------------------------------------------------------------------------------------------


def test_a_secret_of_a_log_is_nowhere_in_the_graph_nor_in_what_is_learned_from_it(memory, store, tmp_path):
    episodes = kitchen()
    for number, one in enumerate(episodes):
        one["task"] += f" with the token {GITHUB}"
        one["task_key"] += f" password={PASSWORD}"
        one["outcome"] = f"done, password: {PASSWORD}"
        for step in one["steps"]:
            step |= {
                "state": f"export PASSWORD={PASSWORD}",
                "reflection": f"I must log in with {GITHUB} because dish {number} needs it",
                "observation": {"ok": True, "lines": [{"key_file": PRIVATE_KEY}], "password": PASSWORD},
            }
            step["arguments"] |= {"url": f"https://cook:{PASSWORD}@kitchen.example/", "headers": [{"auth": GITHUB}]}

    list(memory.ingest(log(tmp_path, episodes)))
    memory.evolve()

    assert memory.skills()
    assert kept_of(store) == []
    [skill, *_] = memory.skills()
    told = [memory.recall("make dish 3").model_dump_json(), memory.explain(skill.key).model_dump_json()]
    assert [secret for secret in SECRETS if any(secret in text for text in told)] == []


def test_a_secret_that_is_told_live_is_nowhere_in_the_graph(memory, store):
    with memory.episode(f"push with {GITHUB}", domain="kitchen") as recorder:
        recorder.step(f"curl -u cook:{PASSWORD} https://kitchen.example", language="shell", observation=PRIVATE_KEY)
        recorder.step(tool="push", arguments={"token": GITHUB}, reflection=f"{GITHUB} will do", state=PRIVATE_KEY)
        recorder.step(f"my password is {PASSWORD}", observation=f"password={PASSWORD}")
        recorder.outcome(passed=True)

    assert kept_of(store) == []


def test_a_secret_that_was_stored_before_it_was_known_for_one_is_redacted_on_recall(memory, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen())))
    memory.evolve()
    for label, name in (("Evidence", "reflection"), ("Episode", "task"), ("Policy", "trigger"), ("Skill", "trigger")):
        memory.query(f"MATCH (n:{label}) SET n.{name} = $text", {"text": f"use {GITHUB}"}, write=True)

    found = memory.recall("make dish 3", tool="cook")

    assert (bool(found.skills), bool(found.evidence)) == (True, True)
    assert GITHUB not in found.model_dump_json()
    assert "[redacted github token]" in found.model_dump_json()


def kept_of(store) -> list[tuple[str, str]]:
    """Return each secret that is somewhere in the graph, with the key of its node or edge."""
    nodes, edges = everything(store)
    texts = [(node["properties"]["key"], json.dumps(node, default=str)) for node in nodes]
    texts += [(edge["type"], json.dumps(edge, default=str)) for edge in edges]
    return [(place, secret) for place, text in texts for secret in SECRETS if secret in text]


# Steps of nothing ---------------------------------------------------------------------------------------------------


def test_a_step_of_an_episode_that_is_gone_is_an_error_that_names_it(memory):
    with memory.episode("make tea", domain="kitchen", id="gone") as recorder:
        pass
    memory.query("MATCH (e:Episode) DETACH DELETE e RETURN count(*) AS deleted", write=True)

    with pytest.raises(UnknownKey, match="'test/gone'"):
        recorder.step(tool="boil")

    assert memory.query("MATCH (s:Evidence) RETURN count(s) AS steps") == [{"steps": 0}]


def test_a_step_of_an_episode_that_was_never_entered_is_an_error_that_names_it(memory, store):
    before = everything(store)

    with pytest.raises(UnknownKey, match="'test/never'"):
        memory.episode("make tea", domain="kitchen", id="never").step(tool="boil")

    assert everything(store) == before


def test_an_offer_to_an_episode_that_is_not_there_is_an_error_that_names_it(memory, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen())))
    memory.evolve()

    with pytest.raises(UnknownKey, match="'test/nobody'"):
        memory.recall("make dish 3", episode="test/nobody")


@pytest.mark.parametrize("ask", ["policy", "skill", "verify", "explain", "provenance"])
def test_a_question_about_what_is_not_there_is_an_error_that_names_it(memory, ask):
    with pytest.raises(UnknownKey, match="nothing-of-that-name"):
        getattr(memory, ask)("nothing-of-that-name")


def test_what_recall_gave_is_no_evidence_when_it_comes_back_in_a_log(memory, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen())))
    memory.evolve()
    given = memory.recall("make dish 3", tool="check")
    told = "\n".join(item.text for item in (*given.skills, *given.policies, *given.avoid, *given.evidence))
    assert "went badly" in told
    echo = episode(99, ("find", "cook"), solved=True)
    echo["task"] = f"make soup {told}"
    for step in echo["steps"]:
        step |= {"state": told, "reflection": f"as I was told: {told}", "observation": {"seen": [f"ok {told}"]}}
        step["arguments"] = {"dish": "soup", "hint": told}

    list(memory.ingest(log(tmp_path, [echo], "echo.jsonl")))

    kept = memory.query(
        "MATCH (e:Episode {id: 'e99'})-[:HAS_STEP]->(s:Evidence) MATCH (e)-[:ATTEMPTS]->(t:Task) "
        "RETURN e.task AS task, t.text AS text, s.state AS state, s.reflection AS reflection, s.action AS action, "
        "s.observation AS observation, s.arguments AS arguments, s.text AS searched"
    )
    assert kept
    assert "recall of" not in str(kept)
    assert "went badly" not in str(kept)
    assert kept[0]["task"].startswith("make soup")
