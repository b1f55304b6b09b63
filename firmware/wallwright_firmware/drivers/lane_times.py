"""How long what a lane does takes, in ms, and how often it tries. Some are defaults of settings, and say so."""

STROKE_LIMIT_MS = 1500
"""A stroke takes 0.5 s; after three times that it is stuck. A setting."""
LEAST_STROKE_MS = 450
"""A head that seems to be home, or to push again, sooner than this does not: a vane of it is at fault. A setting."""
STROKE_REST_MS = 300
STROKES = 3
"""A stuck stroke is rested and driven on until it was tried so often."""
RETURN_MS = 800
"""The belt needs 0.6 s from end to end, so this empties it into the drum. A setting."""
SHORTEST_DARK_MS = 55
LONGEST_DARK_MS = 110
"""A tile of the set darkens the counting eye for 80 ms, measured from edge to edge. Two settings."""
EYE_LIMIT_MS = 800
"""A tile that stands in the eye for ten times its passage is stuck."""
STANDING_LIMIT_MS = 2500
"""Tiles that stand on a full belt this long before an open gate are stuck. A setting."""
JOGS = 4
"""The last of them empties the belt."""
COAST_MS = 100
"""Edges that come so soon after a stop are of what moved before it: inputs are debounced, and belts and heads coast."""


def longest_tile_ms(longest_dark_ms: int) -> int:
    """Return the time that no tile of any set takes: what is dark for longer has stood still, or is dirt."""
    return 2 * longest_dark_ms - 20


def jog_ms(return_ms: int) -> int:
    """Return how long the belt runs back to free a tile: half its length, from the time that empties it."""
    return return_ms * 3 // 8
