"""`python -m msce_graph.cli` for `msce`."""

from .root import main

main()
