"""Trajectories of agents in; valued evidence, policies and verified skills out, in one property graph."""
