"""Outcomes that the logs do not hold: told in a file beside them, or later by a person."""

from __future__ import annotations

import json

import pytest

from msce_graph.errors import SourceError, UnknownKey
from tests.pipeline.workbench import GOOD, episode, kitchen, log, told, wiped

ADA = {"author": "Ada"}


def unscored(count=40):
    silent = {"solved": None, "reward": None, "reward_basis": None}
    return [{**row, **silent} for row in kitchen(count)]


def outcomes(count=40):
    return [{"id": row["id"], "passed": row["solved"]} for row in kitchen(count)]


def lines(folder, found, name="outcomes.jsonl"):
    file = folder / name
    file.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    return file


def results(found):
    return [one.result for one in found]


def rewards(memory):
    found = memory.query("MATCH (e:Episode) RETURN e.id AS id, e.reward AS reward, e.reward_basis AS basis")
    return {row["id"]: (row["reward"], row["basis"]) for row in found}


def test_outcomes_beside_a_log_teach_what_outcomes_within_it_would(memory, tmp_path):
    list(memory.ingest(log(tmp_path, kitchen())))
    memory.evolve()
    expected = told(memory)
    wiped(memory)

    list(memory.ingest(log(tmp_path, unscored()), outcomes=lines(tmp_path, outcomes())))
    memory.evolve()

    assert memory.skills()
    assert told(memory) == expected


def test_outcomes_that_come_later_extend_what_is_stored(memory, tmp_path):
    file = log(tmp_path, unscored(4))
    list(memory.ingest(file))

    found = list(memory.ingest(file, outcomes=lines(tmp_path, outcomes(4))))

    assert results(found) == ["extended"] * 4
    assert rewards(memory)["e1"] == (1.0, "score")


def test_a_log_without_outcomes_takes_none_away(memory, tmp_path):
    file = log(tmp_path, unscored(4))
    list(memory.ingest(file, outcomes=lines(tmp_path, outcomes(4))))

    again = list(memory.ingest(file))
    grown = [{**row, "steps": row["steps"] + [{**row["steps"][-1], "turn": 9}]} for row in unscored(4)]
    longer = list(memory.ingest(log(tmp_path, grown)))

    assert results(again) == ["unchanged"] * 4
    assert results(longer) == ["extended"] * 4
    assert rewards(memory)["e1"] == (1.0, "score")
    worth = memory.query("MATCH (:Episode {id: 'e1'})-[:HAS_STEP]->(s) RETURN s.value AS value ORDER BY s.index")
    assert [row["value"] for row in worth][-1] == 1.0
    assert None not in [row["value"] for row in worth]


def test_outcomes_of_no_episode_are_told_and_one_that_fits_none_stores_nothing(memory, tmp_path):
    file = log(tmp_path, unscored(2))
    stray = [*outcomes(2), {"id": "nobody", "score": 0.5}]

    found = list(memory.ingest(file, outcomes=lines(tmp_path, stray)))

    assert results(found) == ["stored", "stored", "unmatched"]
    assert (found[-1].line, found[-1].reason) == (3, "no episode of these logs is id nobody")
    with pytest.raises(SourceError, match="line 1: no episode of these logs is id other"):
        list(memory.ingest(log(tmp_path, unscored(3)), outcomes=lines(tmp_path, [{"id": "other", "score": 1}])))
    assert len(rewards(memory)) == 2


def test_feedback_in_the_file_counts_as_feedback_does_and_only_once(memory, tmp_path):
    file = log(tmp_path, unscored(2))
    said = lines(tmp_path, [{"id": "e0", "feedback": "No, this is wrong."}, {"id": "e1", "feedback": "很好，完成了"}])

    list(memory.ingest(file, outcomes=said))
    list(memory.ingest(file, outcomes=said))

    found = rewards(memory)
    assert found["e0"][0] < 0 < found["e1"][0]
    assert {basis for _, basis in found.values()} == {"feedback"}
    kept = memory.query("MATCH (f:Feedback)-[:ABOUT]->(e:Episode) RETURN f.author AS author, e.id AS id ORDER BY id")
    assert kept == [{"author": "outcomes.jsonl", "id": "e0"}, {"author": "outcomes.jsonl", "id": "e1"}]


def test_inputs_of_a_file_have_the_places_that_one_by_one_they_would_have(memory, tmp_path):
    rows = unscored(6)
    found = [
        {**one, "feedback": "Wrong, it burned."} if place % 2 else {"id": one["id"], "feedback": "Perfect, thanks."}
        for place, one in enumerate(outcomes(6))
    ]
    file = lines(tmp_path, found)
    list(memory.ingest(log(tmp_path, rows), outcomes=file))
    expected = told(memory)
    wiped(memory)

    for row in rows:
        list(memory.ingest(log(tmp_path, [row]), outcomes=file))

    assert told(memory) == expected


def test_a_score_told_later_teaches_and_stands_against_the_log(memory, tmp_path):
    file = log(tmp_path, unscored(2))
    list(memory.ingest(file))

    scored = memory.outcome("e0", score=0.75, reason="two of eight checks failed", **ADA)

    assert (scored.reward, scored.solved, scored.reward_basis) == (0.5, False, "score")
    assert results(memory.ingest(file)) == ["unchanged", "unchanged"]
    [kept] = memory.query("MATCH (d:Decision {action: 'outcome'})-[:ABOUT]->(e) RETURN e.id AS id, d.after AS after")
    assert kept == {"id": "e0", "after": "R 0.5000, not solved"}


def test_a_corrected_outcome_gives_what_the_right_one_would_have(memory, tmp_path):
    def learned(episodes):
        list(memory.ingest(log(tmp_path, episodes)))
        memory.evolve()

    def graph():
        memory.query("MATCH (e:Episode) SET e.content_sha256 = '' RETURN count(e) AS episodes", write=True)
        memory.query("MATCH (s:Store) SET s.sequence = 40 RETURN 1 AS stores", write=True)
        memory.query("MATCH (d:Decision {action: 'outcome'}) DETACH DELETE d RETURN 1 AS decisions", write=True)
        return told(memory)

    learned(kitchen())
    expected = graph()
    wiped(memory)
    learned([*kitchen()[:3], episode(3, GOOD, solved=False), *kitchen()[4:]])

    memory.outcome("e3", passed=True, **ADA)

    assert graph() == expected


@pytest.mark.parametrize("given", [{}, {"score": 1.5}, {"score": 0.5, "author": " "}])
def test_an_outcome_that_says_nothing_or_too_much_changes_nothing(memory, tmp_path, given):
    list(memory.ingest(log(tmp_path, unscored(1))))

    with pytest.raises(ValueError, match=r"outcome|score|author"):
        memory.outcome("e0", **{**ADA, **given})
    with pytest.raises(UnknownKey):
        memory.outcome("nobody", score=1, **ADA)
    assert rewards(memory) == {"e0": (None, None)}


def test_forgetting_an_episode_forgets_its_outcome(memory, tmp_path):
    def scored(*numbers):
        rows = unscored(3)
        list(memory.ingest(log(tmp_path, [rows[number] for number in numbers])))
        for number in numbers:
            memory.outcome(f"e{number}", passed=True, **ADA)

    scored(0, 2)
    expected = told(memory)
    wiped(memory)
    scored(0, 1, 2)

    memory.forget("e1", dry_run=False)

    assert told(memory) == expected


def chat(answer, *, more=()):
    said = [{"turn": 3, "action": "The dish is ready.", "kind": "text", "observation": answer}]
    row = episode(0, GOOD, solved=None)
    return {**row, "steps": [*row["steps"], *said, *more]}


def test_an_outcome_is_inferred_from_words_only_where_it_is_asked_for(memory, tmp_path):
    file = log(tmp_path, [chat("Perfect, that worked."), episode(1, GOOD, solved=False)])
    list(memory.ingest(file))
    silent = rewards(memory)

    found = list(memory.ingest(file, infer_outcome=True))

    assert silent["e0"] == (None, None)
    assert results(found) == ["extended", "unchanged"]
    assert rewards(memory)["e0"][1] == "inferred"
    assert rewards(memory)["e1"] == (-1.0, "score")
    assert results(memory.ingest(file)) == ["unchanged", "unchanged"]


def test_feedback_and_a_score_take_the_place_of_what_was_inferred_and_never_the_other_way(memory, tmp_path):
    file = log(tmp_path, [chat("Perfect, that worked.")])
    list(memory.ingest(file, infer_outcome=True))

    memory.feedback("e0", "No, that is wrong, the dish burned.", author="Ada")
    by_words = rewards(memory)["e0"]
    memory.outcome("e0", score=0.5, **ADA)
    again = results(memory.ingest(file, infer_outcome=True))

    assert by_words[1] == "feedback"
    assert by_words[0] < 0
    assert again == ["unchanged"]
    assert rewards(memory)["e0"] == (0.0, "score")


def test_what_was_inferred_does_not_outlive_the_words_it_came_from(memory, tmp_path):
    list(memory.ingest(log(tmp_path, [chat("Perfect, that worked.")]), infer_outcome=True))
    further = {"turn": 4, "action": "", "tool": "cook", "kind": "function", "arguments": {}, "observation": "burned"}

    list(memory.ingest(log(tmp_path, [chat("Perfect, that worked.", more=[further])])))

    assert rewards(memory)["e0"] == (None, None)
