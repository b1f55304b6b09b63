"""Backups of a hall: made while it goes on, each restored and checked before it counts, and brought back elsewhere."""
