"""Boards that the firmware runs on; the only place that touches `machine`."""
