"""Recorded runs of two scripted agents on small shell, git and SQLite tasks: the data of `make demo`."""
