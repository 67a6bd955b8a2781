"""The story: read, compute, write, as a person would tell it. Each module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msce_graph.pipeline import (
        checking,
        diagnosis,
        environment,
        evolve,
        explain,
        forget,
        impact,
        ingest,
        language,
        opening,
        provenance,
        recall,
        recording,
        reembed,
        reports,
        revaluing,
        selection,
        trust,
    )

__all__ = [
    "checking",
    "diagnosis",
    "environment",
    "evolve",
    "explain",
    "forget",
    "impact",
    "ingest",
    "language",
    "opening",
    "provenance",
    "recall",
    "recording",
    "reembed",
    "reports",
    "revaluing",
    "selection",
    "trust",
]


def __getattr__(name: str) -> Any:
    """Import a module of the pipeline: `msce policy list` needs neither parsers of shell and SQL nor drawing."""
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
