"""Cumberland and Balsall, two games of 144 tiles whose clauses docs/classical.md names CLA, CUM and BAL.

What both share (tiles, wall, play, readings of a hand) stands in modules of its own; `cumberland` and `balsall` hold
what a hand of each is worth and how it is settled.
"""
