"""Every query of msce_graph, one statement a file."""
