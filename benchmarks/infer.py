"""How often an outcome that is inferred from a user's words agrees with the real one.

    python -m benchmarks.infer

Reads the corpora where a user talks and a score is known. Prints for each how many episodes were read, how often
`solved` agrees, and the four cells.
"""

from __future__ import annotations

import sys
from collections import Counter

from msce_graph import sources
from msce_graph.learning.inference import inferred
from msce_graph.learning.reward import reward
from msce_graph.records import RecordedEpisode
from tests.support import CORPUS

CORPORA = ("tau_bench_airline", "tau2_airline")


def main() -> int:
    """Print one line a corpus."""
    print("corpus             episodes  read  agree  praised+solved  praised+failed  blamed+solved  blamed+failed")
    for corpus in CORPORA:
        episodes, cells = _cells(corpus)
        read = cells.total()
        agree = cells[True, True] + cells[False, False]
        told = "  ".join(f"{cells[cell]:>14}" for cell in ((True, True), (True, False), (False, True), (False, False)))
        print(f"{corpus:<18} {episodes:>8}  {read:>4}  {agree / read:>5.0%}  {told}")
    return 0


def _cells(corpus: str) -> tuple[int, Counter[tuple[bool, bool]]]:
    """Return the episodes of a corpus, and how many have each pair of inferred and real `solved`."""
    found = [
        one
        for path, name in sources.files([CORPUS / corpus])
        for one in sources.read(path, source=name)
        if isinstance(one, RecordedEpisode)
    ]
    pairs = ((inferred(one.steps).solved, reward(score=one.score, passed=one.passed).solved) for one in found)
    return len(found), Counter((said, real) for said, real in pairs if said is not None and real is not None)


if __name__ == "__main__":
    sys.exit(main())
