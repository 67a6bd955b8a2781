"""What every test may ask for: a fresh store on the engine under test, and a memory on it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings as hypothesis_settings

from msce_graph import MemoryGraph
from msce_graph.embedding import embedder
from msce_graph.settings import Settings
from msce_graph.store import Store

pytest_plugins = ["tests.store_fixture"]

hypothesis_settings.register_profile("shared machine", deadline=None)
hypothesis_settings.load_profile("shared machine")

ALLOWED_SKIPS = ("the extra is not installed", "only on")
"""Beginnings of the reasons for which a test may be left out in CI."""


@pytest.fixture
def memory(store: Store) -> MemoryGraph:
    """An empty memory with the default settings."""
    return MemoryGraph(store, embedder("hashing"), Settings())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need an engine, so that they can be run again on another, and those that kill processes."""
    for item in items:
        if "crash" in item.path.parts:
            item.add_marker(pytest.mark.crash)
        if "place" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.engine)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Fail what is skipped in CI: a skipped engine or corpus must not pass for a tested one."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if not any(allowed in reason for allowed in ALLOWED_SKIPS):
            report.outcome = "failed"
            report.longrepr = f"skipped in CI: {reason}"
    return report
