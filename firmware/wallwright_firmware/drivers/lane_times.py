"""Times of a lane in ms, and the number of its tries."""

STROKE_REST_MS = 300
STROKES = 3
"""A stuck stroke is rested and driven on until it was tried so often."""
EYE_LIMIT_MS = 800
"""A tile that stands in the eye for ten times its passage is stuck."""
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
