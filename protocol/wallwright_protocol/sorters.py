"""What a map may say of the parts that sort a table's tiles. A board whose map says nothing does not load this."""

from .hardware import FLAP_SORTER, MOUTH_SORTER, NO_SORTER, RING_SORTER

SORTER_PLACES = {MOUTH_SORTER: (0, 0), FLAP_SORTER: (0, 8), RING_SORTER: (4, 24)}
"""Sorter -> least and most places: holding places of a lane, magnets of its ring."""
SORTER_LEADS = (120, 250)
"""Least and most ms from the mouth's reader to the flap, or to a ring's mouth; 0 where nothing moves for a tile."""


def is_sorter(kind: int, places: int, lead_ms: int) -> bool:
    """Say whether a table can have this sorter."""
    if kind == NO_SORTER:
        return places == 0 and lead_ms == 0
    if kind not in SORTER_PLACES:
        return False
    least, most = SORTER_PLACES[kind]
    lead_least, lead_most = (0, 0) if kind == MOUTH_SORTER else SORTER_LEADS
    return least <= places <= most and lead_least <= lead_ms <= lead_most
