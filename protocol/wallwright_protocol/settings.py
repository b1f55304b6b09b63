"""The settings: numbers that fit the firmware to one machine, to its game and to its owner. Each is one row.

    DEBOUNCE = setting("debounce_ms", TIMING, MS, 5, 2, 20, "a level of an input counts once it has been steady …")

The kind says who may change a setting, and when; nothing is read from its name or its place. The limits keep a mistake
from doing harm: a motion's limit stays below the run-time limit of its drive. They leave room for machines whose parts
are a third faster or slower than those of the usual one.
"""

import sys
from array import array

from .codes import MOST_WASH_S
from .hardware import CARRIER_STACKS, MOST_DICE, SET_SIZES, SIDES, TILES_PER_STACK
from .lists import begin, end, key_of, number

begin("setting kinds")
TIMING = number("timing")
"""Time for which a part of this machine runs, or is waited for."""
LIMIT = number("limit")
"""Bound that a healthy part of this machine never goes beyond: longer, or sooner, is a fault or a try more."""
SIZE = number("size")
"""Number of things in the game: it changes on a table at rest with empty carriers only, and is never tried
without being stored."""
CHOICE = number("choice")
"""Preference of the owner of the table."""
OF_MACHINE = (TIMING, LIMIT)
"""Kinds that are measured: calibrations, profiles and maps of the wires have them."""

begin("setting units")
MS = number("ms")
S = number("s")
TILES = number("tiles")
DICE = number("dice")
PLACES = number("places")
SIDES_AS_BITS = number("sides")
HOURS = number("h")

KINDS = bytearray()
UNITS = bytearray()
DEFAULTS = array("H")
LOWEST = array("H")
HIGHEST = array("H")
KEYS = array("H")
"""Of each setting, by its number; KEYS are `key_of` its name, by which the board stores it."""
MEANINGS: "list[str]" = []
"""In words, for host and documents; a board has none."""

_ON_BOARD = sys.implementation.name == "micropython"


def setting(name: str, kind: int, unit: int, default: int, lowest: int, highest: int, meaning: str) -> int:
    """Return the number of the next setting."""
    KINDS.append(kind)
    UNITS.append(unit)
    DEFAULTS.append(default)
    LOWEST.append(lowest)
    HIGHEST.append(highest)
    KEYS.append(key_of(name))
    if not _ON_BOARD:
        MEANINGS.append(meaning)
    return number(name)


begin("settings")
# Contacts of limit switches and keys chatter for some 3 ms; eyes need none of it but lose nothing by it.
DEBOUNCE = setting(
    "debounce_ms", TIMING, MS, 5, 2, 20, "a level of an input counts once it has been steady for so long"
)
# A stroke takes 0.5 s.
STROKE_LIMIT = setting(
    "stroke_limit_ms", LIMIT, MS, 1500, 450, 1900, "a stroke of a stacking head that takes longer is tried again"
)
# A belt needs 0.6 s from end to end.
BELT_RETURN = setting("belt_return_ms", TIMING, MS, 800, 400, 3000, "a belt runs back for so long to be empty")
# A tile of the set needs 80 ms, measured from edge to edge.
SHORTEST_DARK = setting(
    "shortest_dark_ms", LIMIT, MS, 55, 15, 100, "a tile of the set darkens the counting eye for so long at least"
)
LONGEST_DARK = setting(
    "longest_dark_ms", LIMIT, MS, 110, 50, 190, "a tile of the set darkens the counting eye for so long at the most"
)
STANDING_LIMIT = setting(
    "standing_limit_ms", LIMIT, MS, 2500, 1000, 10000, "tiles that stand before an open gate for so long are stuck"
)
# A lift needs 2.5 s up and 2 s down, the lid 1.5 s either way.
LIFT_LIMIT = setting("lift_limit_ms", LIMIT, MS, 4500, 1700, 4800, "a lift that takes longer is tried again")
LID_LIMIT = setting("lid_limit_ms", LIMIT, MS, 3500, 1200, 3800, "a lid that takes longer is tried again")
LEAST_STROKE = setting(
    "least_stroke_ms",
    LIMIT,
    MS,
    450,
    150,
    900,
    "a head that is home again, or pushes again, sooner has a vane at fault",
)
LEAST_LIFT_UP = setting(
    "least_lift_up_ms",
    LIMIT,
    MS,
    2300,
    1000,
    4000,
    "an upper switch of a lift that comes sooner after the way has begun is not believed",
)
LEAST_LIFT_DOWN = setting(
    "least_lift_down_ms",
    LIMIT,
    MS,
    1800,
    1000,
    4000,
    "a lower switch of a lift that comes sooner after the way has begun is not believed",
)
LEAST_LID = setting(
    "least_lid_ms",
    LIMIT,
    MS,
    1250,
    600,
    3000,
    "a switch of the lid that comes sooner after the way has begun is not believed",
)
# Their vanes come once a turn, every 1.5 s and 3 s.
DISC_LIMIT = setting(
    "disc_limit_ms", LIMIT, MS, 6000, 1000, 9000, "a disc whose vane does not come for so long is started again"
)
RING_LIMIT = setting(
    "ring_limit_ms", LIMIT, MS, 6000, 2000, 9000, "a ring whose vane does not come for so long is started again"
)
STARVED_LIMIT = setting(
    "starved_limit_ms",
    TIMING,
    MS,
    8000,
    4000,
    15000,
    "no tile has come in any lane for so long: the drum is shaken",
)
# Of tiles that are left nine in ten come within 2 s.
CHECK = setting(
    "check_ms",
    TIMING,
    MS,
    4000,
    2000,
    8000,
    "the drum is run for so long after the last stack, to see whether a tile is left",
)
# Of the sizes between, those of SET_SIZES are allowed.
SET_TILES = setting(
    "set_tiles",
    SIZE,
    TILES,
    SET_SIZES[0],
    SET_SIZES[0],
    SET_SIZES[-1],
    "tiles of a set, the `tiles` of get_info; with another size the plan is that of a table that nobody has told any",
)
DICE_COUNT = setting(
    "dice_count", SIZE, DICE, 2, 1, MOST_DICE, "dice that are thrown at once, unless a throw says how many"
)
# Until somebody has measured a table: with tiles that mix as expected a minute hides the order in which they fell from
# a thousand builds (docs/fairness.md).
WASH = setting(
    "wash_s",
    CHOICE,
    S,
    60,
    0,
    MOST_WASH_S,
    "the disc washes a set for so long before it is built, unless the plan says how long",
)
HORIZON = setting(
    "hold_places",
    CHOICE,
    PLACES,
    0,
    0,
    CARRIER_STACKS * TILES_PER_STACK,
    "a wall sorter holds a tile that is wanted within so many places of its side; 0: as many as its places allow",
)
HAND_WAIT = setting(
    "hand_wait_ms",
    CHOICE,
    MS,
    1000,
    500,
    5000,
    "a lift or the lid that did not arrive stands for so long before its second try: time to take a hand away",
)
# Of the numbers between, 0 and those of a single side are allowed: two sides hold no set.
SIDES_OUT = setting(
    "sides_out",
    SIZE,
    SIDES_AS_BITS,
    0,
    0,
    1 << SIDES - 1,
    "the side that builds no wall and whose lane and lift stand still: 1, 2, 4 or 8 for side 0, 1, 2 or 3; 0: none",
)
# A motor of this size comes to rest within some 100 ms (estimate).
STAND = setting(
    "stand_ms",
    CHOICE,
    MS,
    150,
    0,
    1000,
    "a motor stands for so long before it turns the other way",
)
# The emergency stop is tested by a person only.
STOP_TEST = setting(
    "stop_test_h",
    CHOICE,
    HOURS,
    0,
    0,
    24,
    "no set is built from rest when the emergency stop was not pressed and released for so long; 0: never asked for",
)
SETTINGS = end()
