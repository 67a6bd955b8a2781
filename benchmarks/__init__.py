"""Figures that msce_graph claims, printed by the commands that measure them."""
