"""Prescribed walls: what only a table with a wall sorter loads."""
