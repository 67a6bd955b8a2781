"""Faults of learning that were seen elsewhere: policies left behind, chat that becomes a habit, support that grows."""

from __future__ import annotations

from tests.field.world import everything
from tests.pipeline.workbench import BAD, GOOD, episode, kitchen, log


def learned(memory, folder, episodes, name="kitchen.jsonl"):
    list(memory.ingest(log(folder, episodes, name)))
    return memory.evolve()


def follow(memory, tool):
    [found] = [one for one in memory.policies() if (one.tool, one.stance) == (tool, "follow")]
    return found


def characters(store) -> int:
    """Return how much text the graph holds, vectors left out."""
    nodes, _ = everything(store)
    return sum(len(str(value)) for n in nodes for name, value in n["properties"].items() if name != "embedding")


def test_a_policy_is_promoted_by_episodes_that_never_touch_it(memory, tmp_path):
    learned(memory, tmp_path, [episode(number, GOOD, solved=True) for number in range(6)])
    before = follow(memory, "check")

    learned(memory, tmp_path, [episode(number, BAD, solved=False) for number in range(6, 26)], "later.jsonl")

    after = follow(memory, "check")
    assert (before.status, after.status) == ("candidate", "active")
    assert before.support == after.support
    [skill] = memory.skills()
    assert memory.query(
        "MATCH (d:Decision {action: 'publish'})-[:ABOUT]->(s:Skill) "
        "MATCH (e:Episode {sequence: d.sequence}) WHERE NOT (e)-[:HAS_STEP]->(:Evidence {tool: 'check'}) "
        "RETURN s.key AS skill"
    ) == [{"skill": skill.key}]


def test_talk_alone_never_makes_a_policy_however_often_it_goes_well(memory, tmp_path):
    said = {"state": "hello", "action": "I have cooked the dish for you", "observation": "thanks, that worked"}
    episodes = [
        {**episode(number, GOOD, solved=True), "steps": [{**said, "turn": turn} for turn in range(4)]}
        for number in range(30)
    ]

    evolved = learned(memory, tmp_path, episodes)

    assert (evolved.episodes, memory.policies(), memory.skills()) == (30, (), ())
    assert memory.query("MATCH (p:Pattern) RETURN count(p) AS patterns") == [{"patterns": 0}]


def test_support_counts_different_episodes_and_the_same_evidence_again_adds_nothing(memory, tmp_path):
    many = [episode(number, ("stir",) * 5, solved=True) for number in range(4)]
    learned(memory, tmp_path, many)
    first = follow(memory, "stir")

    learned(memory, tmp_path, many)
    memory.evolve(rebuild=True)

    assert first.support == follow(memory, "stir").support == 4
    assert memory.query("MATCH (:Evidence)-[edge:SUPPORTS]->(:Policy) RETURN count(edge) AS edges") == [{"edges": 20}]


def test_no_policy_counts_more_episodes_than_support_it(memory, tmp_path):
    learned(memory, tmp_path, kitchen())

    counted = memory.query(
        "MATCH (p:Policy)<-[:SUPPORTS]-(:Evidence)<-[:HAS_STEP]-(e:Episode) "
        "RETURN p.key AS key, p.support AS support, count(DISTINCT e) AS episodes"
    )
    assert counted
    assert all(row["support"] == row["episodes"] for row in counted)


def test_long_outputs_are_cut_with_a_mark_and_the_graph_grows_with_its_episodes_alone(memory, store, tmp_path):
    flood = "".join(f"line {number} of the output\n" for number in range(10_000))
    episodes = kitchen(20)
    for one in episodes:
        one["steps"][1] |= {"observation": flood, "state": flood, "reflection": flood}
        one["steps"][2] |= {"observation": {"lines": [flood, flood]}}
    sizes = []
    for part in (episodes[:10], episodes[10:]):
        list(memory.ingest(log(tmp_path, part)))
        sizes.append(characters(store))

    assert len(flood) > 5 * sizes[0] / 10
    assert sizes[1] < 2.1 * sizes[0]
    [row] = memory.query("MATCH (s:Evidence {key: 'test/e3#1'}) RETURN s.observation AS observation, s.state AS state")
    assert "characters cut ...]" in row["observation"]
    assert len(row["state"]) == memory.settings.state_limit
    assert not any("line 5000 of" in str(node) for node in everything(store)[0])


def test_what_a_user_says_afterwards_is_feedback_and_never_what_an_agent_did_or_a_skill_says(memory, tmp_path):
    thanks = "Thanks a lot, that worked wonderfully!"
    list(memory.ingest(log(tmp_path, kitchen())))
    memory.evolve()
    [skill] = memory.skills()
    for number in range(6):
        memory.feedback(f"e{number}", thanks, author="Ada")
    memory.feedback(skill.key, thanks, author="Ada")

    rows = memory.query("MATCH (n) RETURN labels(n)[0] AS label, properties(n) AS properties")

    assert {row["label"] for row in rows if "wonderfully" in str(row["properties"])} == {"Feedback"}
    after = memory.skill(skill.key)
    assert (after.trials, after.status, after.boundary) == (skill.trials, skill.status, skill.boundary)
