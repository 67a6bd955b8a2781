"""Fingerprints of tau_bench_airline: one batch, one episode at a time, a rebuild; embedded and on servers.

    python -m benchmarks.equality [--episodes N] [URI ...]

Every line must end in the same fingerprint; ends with 1 where one differs. On each URI (NEO4J_USERNAME and
NEO4J_PASSWORD in the environment) the namespace `equality` is used and emptied.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.gain_by_hand import LOG
from msce_graph import MemoryGraph
from msce_graph.errors import SourceError
from msce_graph.learning.normalise import Normalised
from msce_graph.pipeline import ingest
from msce_graph.pipeline.ingest import Log
from msce_graph.store.fingerprint import fingerprint

NAMESPACE = "equality"


def main(arguments: list[str]) -> int:
    """Print the fingerprints and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("servers", nargs="*", metavar="URI")
    asked = parser.parse_args(arguments)
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        for place in (str(Path(folder) / "store"), *asked.servers):
            for way, print_ in _ways(place, asked.episodes):
                found.add(print_)
                print(f"{'embedded' if place.startswith(folder) else place:<28} {way}  {print_}", flush=True)
    print("equal" if len(found) == 1 else f"{len(found)} different graphs")
    return int(len(found) > 1)


def _ways(place: str, count: int) -> list[tuple[str, str]]:
    with MemoryGraph.open(place, namespace=NAMESPACE, settings={"reflection": "none"}) as memory:
        episodes = _episodes(memory, count)
        told = []
        for way, size in (("one batch     ", count), ("one at a time ", 1)):
            _empty(memory)
            begun = time.monotonic()
            for start in range(0, count, size):
                _write(memory, episodes[start : start + size])
                memory.evolve()
            told.append((f"{way} {time.monotonic() - begun:6.1f} s", fingerprint(memory._store)))
        begun = time.monotonic()
        memory.evolve(rebuild=True)
        told.append((f"rebuild        {time.monotonic() - begun:6.1f} s", fingerprint(memory._store)))
        _empty(memory)
        return told


def _episodes(memory: MemoryGraph, count: int) -> list[Normalised]:
    """Return the first episodes of the log, normalised and embedded once."""
    found = ingest._read([LOG], Log(), None)
    batches = ingest._batches(found, NAMESPACE, Log(), memory.settings, memory._store.now())
    entries = itertools.islice(itertools.chain.from_iterable(batches), count)
    return ingest.embed(memory._embedder, [entry for entry in entries if not isinstance(entry, SourceError)])


def _write(memory: MemoryGraph, batch: list[Normalised]) -> None:
    store = memory._store
    store.write(lambda tx: ingest.write(tx, batch, gamma=memory.settings.gamma, now=store.now()))


def _empty(memory: MemoryGraph) -> None:
    of_ours = "MATCH (n) WHERE n.namespace = $namespace"
    delete = f"{of_ours} AND NOT n:Store WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS deleted"
    while memory.query(delete, {"namespace": NAMESPACE}, write=True)[0]["deleted"]:
        pass
    memory.query(f"{of_ours} SET n.sequence = 0 RETURN n.key AS key", {"namespace": NAMESPACE}, write=True)


if __name__ == "__main__":
    os.environ.setdefault("NEO4J_USERNAME", "neo4j")
    sys.exit(main(sys.argv[1:]))
