"""Two tenants of one database call at the same time: neither sees, changes or counts anything of the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.errors import UnknownKey
from msce_graph.pipeline.recall import Recall
from msce_graph.settings import Settings
from msce_graph.store.fingerprint import fingerprint
from tests.pipeline.workbench import kitchen, log

TENANTS = {"red": Settings(), "blue": Settings(reflection="none", gamma=0.5, recall_limit=2)}


@pytest.fixture
def tenants(place, store):
    """Two memories of one database, each with a namespace and settings of its own."""
    with ExitStack() as opened:
        yield {
            name: MemoryGraph(opened.enter_context(place.migrated(name)), embedder("hashing"), settings)
            for name, settings in TENANTS.items()
        }


def episodes(name: str) -> list[dict]:
    """Return episodes with the same ids, tools and tasks for every tenant, whose words are the tenant's own."""
    return [
        {**one, "steps": [{**step, "reflection": f"only {name} knows the secret sauce"} for step in one["steps"]]}
        for one in kitchen()
    ]


def lived(memory, path) -> tuple[list[str], list[str], str]:
    """Do all that a tenant does; return what it is told of what it learned, what it recalls, and its fingerprint."""
    list(memory.ingest(path))
    with memory.episode("make dish 3", domain="kitchen", id="live") as recorder:
        recorder.step(tool="find", arguments={"dish": "dish-3"}, idempotency_key="first")
        memory.recall("make dish 3", episode=recorder.key)
        recorder.outcome(passed=True)
    memory.evolve()
    skills = [skill.key for skill in memory.skills()]
    told = [memory.explain(key) for key in (*skills, *(policy.key for policy in memory.policies()))]
    seen = [memory.provenance(key) for key in skills]
    recalled = [memory.recall("secret sauce", tool="cook"), memory.recall("make dish 3", failures=True)]
    return [one.model_dump_json() for one in (*told, *seen)], items(*recalled), fingerprint(memory._store)


def items(*answers: Recall) -> list[str]:
    """Return the texts of all that was recalled."""
    return [
        item.text
        for found in answers
        for tier in (found.skills, found.policies, found.avoid, found.evidence)
        for item in tier
    ]


def test_tenants_that_call_at_the_same_time_get_what_each_gets_alone(tenants, place, tmp_path):
    paths = {name: log(tmp_path, episodes(name), f"{name}.jsonl") for name in tenants}
    alone = {name: lived(memory, paths[name]) for name, memory in tenants.items()}
    place.empty()
    with ExitStack() as opened:
        again = {
            name: MemoryGraph(opened.enter_context(place.migrated(name)), embedder("hashing"), settings)
            for name, settings in TENANTS.items()
        }
        with ThreadPoolExecutor(len(again)) as pool:
            together = dict(zip(again, pool.map(lambda name: lived(again[name], paths[name]), again), strict=True))

    assert {name: (told, graph) for name, (told, _, graph) in together.items()} == {
        name: (told, graph) for name, (told, _, graph) in alone.items()
    }
    for name, (told, recalled, _) in together.items():
        [other] = TENANTS.keys() - {name}
        assert recalled
        assert not any(f"{other}/" in text or f"only {other}" in text for text in (*told, *recalled))


def test_no_edge_leads_from_one_tenant_to_another(tenants, store, tmp_path):
    for name, memory in tenants.items():
        lived(memory, log(tmp_path, episodes(name), f"{name}.jsonl"))

    crossing = store.query(
        "MATCH (a)-[edge]->(b) WHERE a.namespace <> b.namespace RETURN type(edge) AS type, count(*) AS edges"
    )
    assert crossing == []


def test_a_key_of_another_tenant_is_not_there(tenants, tmp_path):
    lived(tenants["red"], log(tmp_path, episodes("red")))
    [skill] = tenants["red"].skills()

    for ask in ("skill", "verify", "explain", "provenance"):
        with pytest.raises(UnknownKey):
            getattr(tenants["blue"], ask)(skill.key)
    assert tenants["blue"].skills() == ()
