"""The plans of a table that nobody has told any."""

DEFAULT_PLANS = {
    108: (14, 13, 14, 13),
    112: (14, 14, 14, 14),
    116: (15, 14, 15, 14),
    120: (15, 15, 15, 15),
    136: (17, 17, 17, 17),
    144: (18, 18, 18, 18),
    152: (19, 19, 19, 19),
}
"""Tiles in a set -> stacks a side before a host has sent a plan, for dealer 0 (SBR-2.1 for 108)."""
