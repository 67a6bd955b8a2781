"""`make demo`: from recorded episodes to a verified skill, a recall and a provenance page, on one screen."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.text import Text

from msce_graph import MemoryGraph
from msce_graph.learning.wording import step_text
from msce_graph.provenance.page import html
from msce_graph.provenance.plain import plain

EPISODES = Path(__file__).parent / "workshop" / "episodes.jsonl.gz"
PAGE = Path("demo-provenance.html")
QUESTION = "The repository is full of build leftovers: clear them away, and lose nothing that is not in git yet"


def main() -> None:
    """Run the demo in a store of its own, which goes when it is over."""
    console = Console(highlight=False, soft_wrap=True)
    folder = Path(tempfile.mkdtemp(prefix="msce-demo-"))
    try:
        with MemoryGraph.open(folder / "store") as memory:
            _run(memory, console)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(memory: MemoryGraph, console: Console) -> None:
    def say(text: str, style: str = "") -> None:
        console.print(Text(plain(text), style=style))

    begun = time.monotonic()
    stored = [entry for entry in memory.ingest(EPISODES) if entry.result == "stored"]
    say(f"1. ingest   {len(stored)} episodes, {sum(e.steps for e in stored)} steps ({time.monotonic() - begun:.0f} s)")
    begun = time.monotonic()
    memory.evolve()
    policies = Counter(f"{policy.stance} {policy.status}" for policy in memory.policies())
    skills = [skill for skill in memory.skills() if skill.status in ("trial", "active")]
    told = ", ".join(f"{number} {name}" for name, number in sorted(policies.items()))
    took = time.monotonic() - begun
    say(f"2. evolve   {sum(policies.values())} policies ({told}), {len(skills)} skills ({took:.0f} s)")

    answer = memory.recall(QUESTION, domain="workshop", limit=3)
    chosen = memory.skill(answer.skills[0].key)
    say(f"\n3. a skill  {chosen.name}: {chosen.title}", "bold")
    for place, step in enumerate(chosen.procedure, start=1):
        say(f"     {place}. {step_text(step)}")
    say(f"   boundary {chosen.boundary}")
    for check in memory.verify(chosen.key).checks:
        say(f"   {'holds' if check.holds else 'FAILS'}    {check.name}", "green" if check.holds else "red")

    say(f'\n4. recall   "{QUESTION}"', "bold")
    for item in (*answer.skills, *answer.policies, *answer.avoid):
        say(f"   {item.label:<8} {item.title}  [{'; '.join(item.why)}]")

    PAGE.write_text(html(memory.provenance(chosen.key)), encoding="utf-8")
    say(f"\n5. provenance of the skill, down to the steps that it rests on: {PAGE.resolve()}", "bold")


if __name__ == "__main__":
    sys.exit(main())
