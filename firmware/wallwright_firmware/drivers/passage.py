"""The passage of a tile through the counting eye: one value, and the row that judges it.

The eye tells light from dark and nothing else: a tile, a finger, dirt, and a tile that backs out of the gate look the
same. What a darkness was follows from how it began, from what the belt has done meanwhile, and from how long it took.
The value says the first two; `verdict` looks up the third when the eye is light again.
"""

from wallwright_protocol.codes import EYE_BLOCKED, FOREIGN_TILE, NO_FAULT
from wallwright_protocol.constants import const
from wallwright_protocol.settings import LONGEST_DARK, SHORTEST_DARK

from .belt import CHECKS, ENDS, FEEDS, JOGS_BACK, RESTS, RETURNS, WAITS
from .lane_times import longest_tile_ms

UNSEEN = const(0)
"""The eye has not changed since people have freed this lane. It may be dead."""
LIGHT = const(1)
"""Nothing is in the eye."""
STRANGE = const(2)
"""It came while the belt took no tiles: nobody knows what it is, or which edge of it comes next."""
TIMED = const(3)
"""It came with the belt, to a head at home: it takes as long as a tile takes."""
UNTIMED = const(4)
"""It came with the belt, but the gate was closed or the belt has stood since: it may take as long as it likes."""
JOGGED = const(5)
"""It came with the belt, which has run back since: it may have left the eye on either side of it."""
SURPLUS = const(6)
"""It came with the belt of a side that is whole."""

CAME = {
    RESTS: STRANGE,
    WAITS: TIMED,
    FEEDS: TIMED,
    JOGS_BACK: STRANGE,
    CHECKS: SURPLUS,
    RETURNS: STRANGE,
    ENDS: STRANGE,
}
"""State of the belt when the eye gets dark -> what this passage is; UNTIMED for TIMED while the head is not at home."""

IF_STOPPED = const(0)
IF_JOGGED = const(1)
IF_FREED = const(2)
GOES_BACK = const(3)
TOO_SHORT = const(4)
FITS = const(5)
TOO_LONG = const(6)
STOOD = const(7)
"""Columns of PASSAGES: what becomes of it when the belt has stood, when it has run back, when people have freed the
lane; whether it goes back before a start; the fault, or none, when it leaves the eye after too short a time for a tile
of the set, the right one, one that is too long, and one that no tile of any set needs."""

_TILE = (NO_FAULT, NO_FAULT, NO_FAULT, NO_FAULT)
_NO_TILE = (EYE_BLOCKED, EYE_BLOCKED, EYE_BLOCKED, EYE_BLOCKED)

PASSAGES = {
    UNSEEN: (UNSEEN, UNSEEN, UNSEEN, True) + _NO_TILE,
    LIGHT: (LIGHT, LIGHT, UNSEEN, True) + _NO_TILE,
    STRANGE: (STRANGE, STRANGE, UNSEEN, True) + _NO_TILE,
    TIMED: (UNTIMED, JOGGED, UNSEEN, False, FOREIGN_TILE, NO_FAULT, FOREIGN_TILE, EYE_BLOCKED),
    UNTIMED: (UNTIMED, JOGGED, UNSEEN, False) + _TILE,
    JOGGED: (JOGGED, JOGGED, UNSEEN, False) + _NO_TILE,
    SURPLUS: (SURPLUS, SURPLUS, SURPLUS, True) + _TILE,
}


def verdict(passage: int, dark_ms: int, settings: list[int]) -> int:
    """Return the fault that this passage is, NO_FAULT for a tile, EYE_BLOCKED for what is none."""
    longest_ms = settings[LONGEST_DARK]
    if dark_ms <= longest_ms:
        column = FITS if dark_ms >= settings[SHORTEST_DARK] else TOO_SHORT
    else:
        column = TOO_LONG if dark_ms <= longest_tile_ms(longest_ms) else STOOD
    return PASSAGES[passage][column]
