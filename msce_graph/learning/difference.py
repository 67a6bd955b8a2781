"""What one version of a skill says that another does not."""

from __future__ import annotations

from msce_graph.learning.wording import step_text
from msce_graph.records import Record, Skill

TOLD = (
    "trigger",
    "description",
    "preconditions",
    "procedure",
    "fallback",
    "verification",
    "boundary",
    "decision_guidance",
)
"""The fields of a skill that an agent reads, in the order in which they are shown."""


class FieldChange(Record):
    """One field that differs, sentence by sentence or step by step."""

    field: str
    removed: tuple[str, ...]
    added: tuple[str, ...]


class SkillDifference(Record):
    """How a version of a skill differs from the one that it supersedes."""

    older: str
    newer: str
    changes: tuple[FieldChange, ...]


def difference(older: Skill, newer: Skill) -> SkillDifference:
    """Return what each field lost and gained from the older version to the newer one, in the fields' order."""
    changes = []
    for field in TOLD:
        before, after = _parts(older, field), _parts(newer, field)
        if before != after:
            removed = tuple(part for part in before if part not in after)
            added = tuple(part for part in after if part not in before)
            changes.append(FieldChange(field=field, removed=removed or before, added=added or after))
    return SkillDifference(older=older.key, newer=newer.key, changes=tuple(changes))


def _parts(skill: Skill, field: str) -> tuple[str, ...]:
    if field == "procedure":
        return tuple(f"{place}. {step_text(step)}" for place, step in enumerate(skill.procedure, start=1))
    if field == "preconditions":
        return skill.preconditions
    return tuple(part for part in str(getattr(skill, field)).splitlines() if part)
