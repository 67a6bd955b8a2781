"""The story: read, compute, write, in the order a person would tell it."""
