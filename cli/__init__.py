"""The command line: text to one call of MemoryGraph, and its answer back to text."""
