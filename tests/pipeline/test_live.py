"""Live recording on what is there already: nothing that was told of an episode is lost."""

from __future__ import annotations

import pytest

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.errors import MemoryGraphError
from msce_graph.settings import Settings
from tests.pipeline.workbench import GOOD, episode, log, told


def live(memory, **more):
    return memory.episode("make dish 5", domain="kitchen", id="live", **more)


def test_an_episode_whose_outcome_is_known_takes_no_step_and_keeps_it(memory):
    with live(memory) as running:
        running.step(tool="find", arguments={"dish": "d"}, observation="ok")
        running.outcome(passed=True)
    memory.evolve()
    before = told(memory)

    with live(memory) as again, pytest.raises(MemoryGraphError, match="has its outcome already"):
        again.step(tool="stir", arguments={"dish": "d"}, observation="ok")

    assert told(memory) == before


@pytest.mark.parametrize("other", [{"domain": "bakery"}, {"task": "another task"}, {}])
def test_an_episode_of_another_kind_is_not_recorded_over(memory, tmp_path, other):
    list(memory.ingest(log(tmp_path, [episode(1, GOOD, solved=True)]), origin="untrusted"))
    before = told(memory)
    given = {"task": "make dish 1", "domain": "kitchen", **other}

    with pytest.raises(MemoryGraphError, match="record under another id"), memory.episode(**given, id="e1"):
        pass

    assert told(memory) == before


def test_turns_do_not_go_back(memory):
    with live(memory) as running:
        running.step(tool="find", arguments={}, observation="ok", turn=3)
        with pytest.raises(ValueError, match="turns do not go back"):
            running.step(tool="stir", arguments={}, observation="ok", turn=2)


def test_an_action_that_no_grammar_reads_keeps_its_text_when_the_episode_ends(memory):
    with live(memory) as running:
        running.step("find (", language="shell", observation="ok")
        before = memory.query("MATCH (e:Evidence) RETURN e.action AS action, e.arguments AS arguments, e.kind AS kind")
        running.outcome(passed=True)

    assert (
        memory.query("MATCH (e:Evidence) RETURN e.action AS action, e.arguments AS arguments, e.kind AS kind") == before
    )


class Counting:
    """The hashing embedder, and how many texts it was given."""

    def __init__(self):
        self._model, self.texts = embedder("hashing"), 0
        self.name, self.dimensions = self._model.name, self._model.dimensions

    def embed(self, texts):
        self.texts += len(texts)
        return self._model.embed(texts)


def test_a_step_is_embedded_alone_however_many_came_before_it(store):
    model = Counting()
    with live(MemoryGraph(store, model, Settings())) as running:
        for number in range(5):
            running.step(tool="find", arguments={f"part {number}": 1}, observation="ok")
        assert model.texts == 5
