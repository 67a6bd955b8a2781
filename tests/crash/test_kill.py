"""What was acknowledged is there after kill -9 of the client or of the server, and the same command goes on."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from msce_graph.store import embedded
from tests.crash.trial import COMMANDS, VICTIMS, EmbeddedGround, Ground, ServerGround, Undisturbed, disturbed, undisturbed
from tests.pipeline.workbench import kitchen
from tests.pipeline.workbench import log as written
from tests.store_fixture import ENGINES, URI

TIMES = 2
RESTART = "MSCE_TEST_NEO4J_RESTART"
"""A shell command that ends the test server with SIGKILL and starts it again at the same address."""

KILLS = [
    pytest.param(command, victim, random.Random(f"{command} {victim} {time}").uniform(0.25, 0.9), id=f"{command}-{victim}-{time}")
    for command in COMMANDS
    for victim in VICTIMS
    for time in range(TIMES)
]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("log"), kitchen(240))


@pytest.fixture(scope="module", params=ENGINES)
def ground(request, tmp_path_factory):
    if request.param == "embedded":
        folder = tmp_path_factory.mktemp("crash") / "store"
        yield EmbeddedGround(folder)
        embedded.stop(folder)
    else:
        yield request.getfixturevalue("neo4j_ground")


@pytest.fixture(scope="module")
def neo4j_ground() -> ServerGround:
    ...


@pytest.fixture(scope="module")
def expected(ground: Ground, log: Path) -> Undisturbed:
    return undisturbed(ground, log)


@pytest.mark.parametrize(("command", "victim", "share"), KILLS)
def test_nothing_acknowledged_is_lost_and_the_same_command_goes_on(ground, log, expected, command, victim, share):
    outcome = disturbed(ground, log, expected, command, victim, share)

    assert outcome.lost == ()
    assert outcome.is_equal
