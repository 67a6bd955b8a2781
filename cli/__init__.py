"""The command line: text to one call of MemoryGraph, and its answer back to text.

Its modules import each other relatively, since the folder `cli` is installed as `msce_graph.cli`.
"""

from .root import main

__all__ = ["main"]
