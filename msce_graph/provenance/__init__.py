"""What a node rests on, as a value, a networkx graph and texts: HTML, SVG, DOT, GraphML and JSON."""
