"""Trajectories of agents in; valued evidence, policies and verified skills out, in one property graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msce_graph.memory import MemoryGraph
    from msce_graph.settings import Settings

__all__ = ["MemoryGraph", "Settings"]


def __getattr__(name: str) -> Any:
    """Import the two names when they are asked for: `msce --help` needs no driver."""
    if name == "MemoryGraph":
        from msce_graph.memory import MemoryGraph

        return MemoryGraph
    if name == "Settings":
        from msce_graph.settings import Settings

        return Settings
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
