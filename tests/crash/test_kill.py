"""What was acknowledged is there after kill -9 of the client or of the server, and the same command goes on."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from tests.crash.trial import COMMANDS, Ground, ServerGround, Undisturbed, disturbed, undisturbed
from tests.pipeline.workbench import kitchen
from tests.pipeline.workbench import log as written
from tests.store_fixture import PREFIX, Place

TIMES = 2
RESTART = f"{PREFIX}RESTART"
"""A shell command that ends the test server with SIGKILL and starts it again at the same address."""


def moments(victim: str) -> list[Any]:
    """Return commands with the share of their time after which the victim is killed."""
    return [
        pytest.param(command, random.Random(f"{command} {victim} {time}").uniform(0.3, 0.9), id=f"{command}-{time}")
        for command in COMMANDS
        for time in range(TIMES)
    ]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("log"), kitchen(240))


@pytest.fixture(scope="module")
def ground(place: Place) -> Ground:
    if place.engine == "embedded":
        return Ground(place.location)
    return ServerGround(place.location, place.username, place.password, os.environ.get(RESTART))


@pytest.fixture(scope="module")
def expected(ground: Ground, log: Path) -> Undisturbed:
    return undisturbed(ground, log)


@pytest.mark.parametrize(("command", "share"), moments("client"))
def test_a_killed_client_loses_nothing_acknowledged_and_its_command_goes_on(ground, log, expected, command, share):
    outcome = disturbed(ground, log, expected, command, "client", share)

    assert outcome.lost == ()
    assert outcome.is_equal


@pytest.mark.parametrize(("command", "share"), moments("server"))
def test_a_killed_server_loses_nothing_acknowledged_and_the_command_goes_on(ground, log, expected, command, share):
    if not ground.can_kill_server:
        pytest.skip(f"{RESTART} does not say how to end and start the server")

    outcome = disturbed(ground, log, expected, command, "server", share)

    assert outcome.lost == ()
    assert outcome.is_equal
