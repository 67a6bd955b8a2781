"""What msce_graph does, on data that the project recorded itself."""
