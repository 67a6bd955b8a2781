"""Checks look at structure: not at the language of the evidence, nor at names that look alike."""

from __future__ import annotations

from tests.pipeline.workbench import kitchen, log


def in_chinese(row):
    """Return an episode told in Chinese, with the names of tools as values of its arguments."""
    steps = [
        {
            **step,
            "state": "需要做一道菜",
            "reflection": "",
            "arguments": {"dish": "红烧豆腐", "next": "cook", "find": "check"},
            "observation": {"dish": "红烧豆腐", "state": "已完成"},
        }
        for step in row["steps"]
    ]
    return {**row, "task": f"做一道菜，第{row['id'][1:]}道", "steps": steps}


def discards(memory):
    return memory.query("MATCH (d:Decision {action: 'discard'}) RETURN count(d) AS discards")[0]["discards"]


def test_chinese_evidence_whose_arguments_look_like_tools_passes_the_checks_of_an_english_draft(memory, tmp_path):
    list(memory.ingest(log(tmp_path, [in_chinese(row) for row in kitchen()])))

    memory.evolve()

    [skill] = memory.skills()
    assert [step.tool for step in skill.procedure if step.required] == ["find", "check"]
    assert memory.verify(skill.key).holds


def test_a_discarded_draft_is_not_made_again_before_its_evidence_changes(memory, tmp_path):
    episodes = kitchen()
    list(memory.ingest(log(tmp_path, episodes), origin="untrusted"))
    memory.evolve()
    before = discards(memory)
    other = {**episodes[0], "id": "talk", "domain": "kitchen", "steps": episodes[0]["steps"][1:2], "task_key": "other"}

    list(memory.ingest(log(tmp_path, [other], "other.jsonl"), origin="untrusted"))
    memory.evolve()

    assert before > 0
    assert discards(memory) == before
