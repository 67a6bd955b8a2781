"""The fold over a real graph: what comes out, and that it is the same however inputs come in."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks import gain_by_hand
from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.errors import LeaseHeld
from msce_graph.settings import Settings
from tests.pipeline.workbench import BAD, GOOD, episode, kitchen, log, told
from tests.support import corpus


def ingested(memory, path, **options):
    return list(memory.ingest(path, **options))


def test_a_habit_that_makes_the_difference_becomes_a_skill_whose_six_checks_hold(memory, tmp_path):
    ingested(memory, log(tmp_path, kitchen()))

    evolved = memory.evolve()

    assert evolved.episodes == 40
    [skill] = memory.skills()
    assert [step.tool for step in skill.procedure if step.required] == ["find", "check"]
    assert memory.verify(skill.key).holds
    assert skill.status == "active"


def test_what_the_skill_rests_on_is_reached_by_edges(memory, tmp_path):
    ingested(memory, log(tmp_path, kitchen()))
    memory.evolve()

    found = memory.query(
        "MATCH (s:Skill)-[:CRYSTALLIZED_FROM]->(p:Policy)<-[:SUPPORTS]-(e:Evidence)<-[:HAS_STEP]-(ep:Episode) "
        "RETURN s.key AS skill, p.support AS support, count(DISTINCT ep) AS episodes"
    )
    assert found
    assert all(row["support"] == row["episodes"] for row in found)


@pytest.mark.parametrize("size", [1, 7])
def test_small_batches_give_the_graph_of_one_large_one(memory, tmp_path, size):
    episodes = kitchen()
    ingested(memory, log(tmp_path, episodes))
    memory.evolve()
    whole = told(memory)
    wipe(memory)

    for start in range(0, len(episodes), size):
        ingested(memory, log(tmp_path, episodes[start : start + size]))
        memory.evolve()

    assert told(memory) == whole


def messy(seed: int, count: int = 48) -> list[dict[str, Any]]:
    """Return episodes with graded scores, calls in parallel, errors, tries of one task, several agents and origins."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        tools = chance.choices(("find", "check", "stir", "cook"), k=chance.randint(1, 5))
        score = (
            chance.choice((0.0, 0.35, 0.45, 0.5, 0.55, 0.65, 1.0))
            if "check" not in tools
            else chance.choice((0.55, 1.0))
        )
        made = episode(number, tuple(tools), solved=score == 1, agent=chance.choice(("a", "b", None)))
        made |= {"reward": 2 * score - 1, "origin": chance.choice(("own", "own", "untrusted"))}
        turn = 0
        for step in made["steps"]:
            turn += chance.random() < 0.7
            step["turn"] = turn
            if chance.random() < 0.25:
                step |= {"is_error": True, "observation": f"Error: no {step['tool']} at {number}"}
        found.append(made)
    return found


@pytest.mark.parametrize("floor", [0.0, 0.9])
@pytest.mark.parametrize("seed", [1, 2])
def test_messy_logs_give_one_graph_in_one_batch_in_small_ones_and_rebuilt(store, tmp_path, seed, floor):
    memory = MemoryGraph(store, embedder("hashing"), Settings(association_floor=floor))
    episodes = messy(seed)
    ingested(memory, log(tmp_path, episodes))
    memory.evolve()
    whole = told(memory)
    memory.evolve(rebuild=True)
    rebuilt = told(memory)
    wipe(memory)

    for start in range(0, len(episodes), 5):
        ingested(memory, log(tmp_path, episodes[start : start + 5]))
        memory.evolve()

    assert memory.policies()
    assert rebuilt == whole
    assert told(memory) == whole


def test_a_policy_counts_the_episodes_that_an_edge_joins_to_it_also_where_a_floor_keeps_others_away(store, tmp_path):
    memory = MemoryGraph(store, embedder("hashing"), Settings(association_floor=0.9))
    ingested(memory, log(tmp_path, messy(3)))
    memory.evolve()

    joined = memory.query(
        "MATCH (p:Policy)<-[:SUPPORTS]-(:Evidence)<-[:HAS_STEP]-(e:Episode) RETURN p.key AS key, "
        "count(DISTINCT e) AS episodes"
    )

    assert {row["key"]: row["episodes"] for row in joined} == {one.key: one.support for one in memory.policies()}


def test_a_rebuild_gives_the_same_graph(memory, tmp_path):
    ingested(memory, log(tmp_path, kitchen()))
    memory.evolve()
    before = told(memory)

    memory.evolve(rebuild=True)

    assert told(memory) == before


def test_evolving_again_without_new_inputs_changes_nothing(memory, tmp_path):
    ingested(memory, log(tmp_path, kitchen()))
    memory.evolve()
    before = told(memory)

    again = memory.evolve()

    assert (again.episodes, told(memory)) == (0, before)


def test_a_changed_input_gives_the_graph_that_never_saw_what_it_was(memory, tmp_path):
    episodes = kitchen()
    changed = episode(6, GOOD, solved=True)
    ingested(memory, log(tmp_path, [*episodes[:6], changed, *episodes[7:]]))
    memory.evolve()
    expected = told(memory)
    wipe(memory)
    ingested(memory, log(tmp_path, episodes))
    memory.evolve()

    ingested(memory, log(tmp_path, [changed]), replace=True)
    evolved = memory.evolve()

    assert evolved.refolded == ("kitchen",)
    assert told(memory) == expected


def test_a_policy_is_never_induced_from_two_episodes_however_often_they_repeat_a_step(memory, tmp_path):
    ingested(memory, log(tmp_path, [episode(n, ("stir",) * 9, solved=True) for n in range(2)]))

    memory.evolve()

    assert memory.policies() == ()


def test_a_policy_is_never_induced_from_copies_of_one_episode(memory, tmp_path):
    copies = [{**episode(1, GOOD, solved=True), "id": f"copy-{n}"} for n in range(6)]
    ingested(memory, log(tmp_path, copies))

    memory.evolve()

    assert memory.policies() == ()


def test_an_episode_without_outcome_is_in_no_pool(memory, tmp_path):
    ingested(memory, log(tmp_path, [episode(n, GOOD, solved=None) for n in range(5)]))

    evolved = memory.evolve()

    assert (evolved.episodes, memory.policies()) == (0, ())
    assert memory.query("MATCH (e:Evidence) WHERE e.value IS NOT NULL RETURN count(e) AS valued") == [{"valued": 0}]


def test_both_stances_of_one_signature_rest_on_all_its_evidence(memory, tmp_path):
    ingested(memory, log(tmp_path, [episode(n, BAD, solved=n % 2 == 0) for n in range(12)]))

    memory.evolve()

    found = {
        (row["tool"], row["stance"]): row["episodes"]
        for row in memory.query(
            "MATCH (p:Policy)<-[:SUPPORTS|CONTRADICTS|BORDERS]-(:Evidence)<-[:HAS_STEP]-(e:Episode) "
            "RETURN p.tool AS tool, p.stance AS stance, count(DISTINCT e) AS episodes"
        )
    }
    assert found == {(tool, stance): 12 for tool in BAD for stance in ("follow", "avoid")}


def test_every_change_of_status_leaves_a_decision_with_its_numbers(memory, tmp_path):
    ingested(memory, log(tmp_path, kitchen()))
    memory.evolve()

    rows = memory.query("MATCH (d:Decision)-[:ABOUT]->(p:Policy) RETURN d.action AS action, d.reason AS reason")
    assert {"induce", "activate"} <= {row["action"] for row in rows}
    assert all(any(sign.isdigit() for sign in row["reason"]) for row in rows)


def test_an_evolve_while_another_runs_is_refused(memory, store):
    later = store.now().replace(year=2099)
    store.write(lambda tx: tx.run("lease/take", holder="elsewhere:1", now=store.now(), until=later))

    with pytest.raises(LeaseHeld, match="elsewhere:1"):
        memory.evolve()


def test_real_episodes_give_the_gain_and_the_test_that_the_formulas_give(store):
    corpus("tau_bench_airline")
    memory = MemoryGraph(store, embedder("hashing"), Settings(reflection="none"))
    ingested(memory, gain_by_hand.LOG)
    memory.evolve()

    differences = gain_by_hand.compared(memory)

    assert max(differences.values()) < 1e-9, differences


def test_cleaning_comes_out_as_a_person_would_write_it(memory):
    folder = corpus("alfworld_knowagent")
    ingested(memory, folder / "Self-Learning" / "trajs" / "datas" / "KnowAgentALFWorld_llama-2-13b_D0.jsonl")

    memory.evolve()

    [policy] = [
        p
        for p in memory.policies(domain="pick_clean_then_place_in_recep")
        if (p.tool, p.stance, p.error_signature) == ("put", "follow", "")
    ]
    assert [(step.tool, step.required) for step in policy.procedure] == [
        ("go", True),
        ("open", False),
        ("take", True),
        ("go", True),
        ("clean", True),
        ("go", True),
        ("put", True),
    ]
    assert policy.q is not None
    assert policy.q < 0.1
    skills = {skill.name for skill in memory.skills() if skill.status in ("trial", "active")}
    assert "pick-clean-then-place-in-recep-put" in skills
    assert "pick-and-place-simple-put" in skills


def wipe(memory):
    """Delete all that was ingested and learned, and start the count of inputs again."""
    memory.query("MATCH (n) WHERE NOT n:Store DETACH DELETE n RETURN count(*) AS deleted", write=True)
    memory.query("MATCH (s:Store) SET s.sequence = 0 RETURN s.sequence AS sequence", write=True)


def test_a_policy_to_avoid_learns_what_went_well_instead_from_a_later_pass(memory, tmp_path):
    def after_error(number, answer, *, solved):
        row = episode(number, ("find", answer), solved=solved)
        row["steps"][0] |= {"observation": "Error: the shelf is empty", "is_error": True}
        return row

    ingested(memory, log(tmp_path, [after_error(n, "wait", solved=False) for n in range(6)]))
    memory.evolve()
    for number in range(6, 12):
        ingested(memory, log(tmp_path, [after_error(number, "buy", solved=True)]))
        memory.evolve()

    one_by_one = told(memory)
    [avoid] = [p for p in memory.policies() if p.stance == "avoid" and p.tool == "wait"]
    assert "buy" in avoid.fallback
    memory.evolve(rebuild=True)
    assert told(memory) == one_by_one
