"""The machine, as both ends of the wire number it: inputs, drives, lamps, readers, and what its parts hold.

A level of 1 of an input means: eye dark, vane in its slot, switch reached, key pressed, emergency stop pressed. Drives
and lamps are bits of a mask that fits a small integer of a 32-bit MicroPython.
"""

from array import array

from .lists import begin, end, key_of, number

SIDES = 4
"""Sides and seats are 0 to 3, counter-clockwise seen from above."""
SETS = 2
"""Sets of tiles go round: one is in play while the other is built."""
TILES_PER_STACK = 2
CARRIER_STACKS = 19
"""A carrier holds this many stacks at the most."""
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
SET_SIZES = tuple(sorted(DEFAULT_PLANS))
"""Tiles that a set may have."""

MOST_DICE = 3
"""So many dice are thrown at once, at the most."""

begin("readers")
HAND = number("hand")
MELDS = number("melds")
DISCARDS = number("discards")
READERS_PER_SEAT = end()
"""Tile reader s is that of the stacking head of side s; reader `kind` of a seat has the number SIDES + seat *
READERS_PER_SEAT + kind."""
READERS = SIDES + SIDES * READERS_PER_SEAT
LANE_READERS = (1 << SIDES) - 1
"""The bits of the readers at the stacking heads."""
MOUTH_READER = READERS
"""A table with a sorter has one more reader a side, MOUTH_READER + side, at the drum's mouth. What it sees is the wall
to come: no message has room for its number."""

begin("inputs of a side")
BELT_FULL = number("belt_full")
COUNT_EYE = number("count_eye")
HEAD_HOME = number("head_home")
HEAD_PUSHED = number("head_pushed")
LIFT_UP = number("lift_up")
LIFT_DOWN = number("lift_down")
LIFT_KEY = number("lift_key")
DICE_KEY = number("dice_key")
REFEREE_KEY = number("referee_key")
INPUTS_PER_SIDE = end()
"""Input `kind` of `side` has the number side * INPUTS_PER_SIDE + kind; inputs of the whole table follow."""

begin("inputs of the table", SIDES * INPUTS_PER_SIDE)
LID_IS_OPEN = number("lid_is_open")
LID_IS_CLOSED = number("lid_is_closed")
EMERGENCY_STOP = number("emergency_stop")
DISC_VANE = number("disc_vane")
RING_VANE = number("ring_vane")
"""In its slot once a turn: the disc makes some 40 turns a minute, the ring 20."""
CLAIM_KEY_0 = number("claim_key_0")
for _seat in range(1, SIDES):
    number("claim_key_%d" % _seat)
"""Of seats 0 to 3, with numbers that follow each other; a table without claim keys leaves them at 0."""
INPUTS = end()
WIRES = 48
"""Bits of the input chain. Unless a map says otherwise input n is wire n, and the last three are free. The claim keys
of the line's panels are the four wires behind them, in every map."""

_of_side = begin("drives of a side")
CONVEYOR = number("conveyor")
CONVEYOR_REVERSE = number("conveyor_reverse")
HEAD = number("head")
LIFT_RAISE = number("lift_raise")
LIFT_LOWER = number("lift_lower")
DRIVES_PER_SIDE = end()
"""Drive `kind` of `side` is the bit `drive_bit`."""

_first = begin("drives of the table")
DISC = 1 << number("disc")
"""Motor of the disc at the drum's bottom, which mixes the tiles."""
RING = 1 << number("ring")
"""Motor of the magnet ring, which carries tiles to the four mouths."""
FIRST_SIDE_DRIVE = end()
_last = begin("drives of the table", FIRST_SIDE_DRIVE + SIDES * DRIVES_PER_SIDE)
LID_OPEN = 1 << number("lid_open")
LID_CLOSE = 1 << number("lid_close")
DRIVES = end()
DRIVE_KEYS = array(
    "H", [key_of(name) for name in _first + ["%s_%d" % (n, side) for side in range(SIDES) for n in _of_side] + _last]
)
"""Of each drive, by its number: `key_of` its name, by which a board stores how long it has run."""
del _of_side, _first, _last

begin("lamps of a side")
LIFT_LAMP = number("lift_lamp")
DICE_LAMP = number("dice_lamp")
LAMPS_PER_SIDE = end()
"""Lamp `kind` of `side` is the bit 1 << (side * LAMPS_PER_SIDE + kind)."""
DISPLAY_LETTERS = 8
"""Characters that the display of a side shows."""
OUTPUTS = DRIVES + SIDES * LAMPS_PER_SIDE
"""Bits of the output chain: the drives, then the lamps, unless a map says otherwise."""

begin("parts of a carrier", 4)
READS_BACK = 1 << number("reads_back")
"""The chip reads the output registers back (QH' of the last one) while it shifts in the next bits."""
SENSED = 1 << number("sensed")
"""24 senses, a wire of the outputs each: whether there is voltage behind its switch. They come back before that."""
PUMPED = 1 << number("pumped")
"""The motors' supply stays while the program keeps a pump going."""
INTERLOCKED = 1 << number("interlocked")
"""A second switch at the lid cuts the supply of what turns below it, and reports on GUARD_WIRE."""
GUARD_WIRE = INPUTS
"""The wire on which the contactor of that switch reports, the first that the standard wiring leaves free: 1 while it is
off. No input of a map with INTERLOCKED is on it."""
PARTS = READS_BACK | SENSED | PUMPED | INTERLOCKED
"""Bits of a map's byte of lanes, above those of the lanes: boards know a table's carrier by its map alone."""
STANDARD_PARTS = READS_BACK | SENSED | PUMPED
"""Those of the reference carrier."""

begin("sorters")
NO_SORTER = number("plain")
"""The machine takes tiles as they come."""
MOUTH_SORTER = number("mouth")
"""A reader behind each mouth; a wrong tile rides back."""
FLAP_SORTER = number("flap")
"""A flap behind that reader lets a wrong tile fall, and holding places beside the belt keep some for later."""
RING_SORTER = number("ring")
"""A reader before each mouth, a scraper that takes the tile from its magnet or lets it pass, and a knock-off."""

begin("sorter drives of a side")
SCRAPER = number("scraper")
"""On: drawn back, so that the tile on the magnet passes this mouth. Off: out, so that it is taken onto the belt."""
KNOCK_OFF = number("knock_off")
"""On: the tile on the magnet between this side's mouth reader and its mouth falls back into the drum."""
FLAP_OPEN = number("flap_open")
"""On: a tile that comes to the flap falls back into the drum."""
SORTER_DRIVES_PER_SIDE = end()
"""Drive `kind` of `side` is the bit `sorter_bit` of a mask of their own. Springs bring all of them to off."""

begin("sorter switches of a side")
SCRAPER_BACK = number("scraper_back")
SCRAPER_OUT = number("scraper_out")
KNOCK_HOME = number("knock_home")
FLAP_SHUT = number("flap_shut")
FLAP_WIDE = number("flap_wide")
SORTER_SWITCHES_PER_SIDE = end()
"""Switch `kind` of `side` is the bit `sorter_switch`; 1 while that end is reached."""

begin("store moves")
STORE_RESTS = number("rests")
STORE_IN = number("in")
STORE_OUT = number("out")


def plan_without(tiles: int, out: int) -> "tuple[int, ...]":
    """Return the stacks a side that a table builds while side `out` is out; () when the carriers of the other three do
    not hold a set of `tiles`. Where they cannot all have the same, the side opposite has the fewer."""
    each, more = divmod(tiles // TILES_PER_STACK, SIDES - 1)
    plan = [each] * SIDES
    plan[out] = 0
    for side in (out + 1, out + 3)[:more]:
        plan[side % SIDES] += 1
    return tuple(plan) if max(plan) <= CARRIER_STACKS else ()


def input_number(side: int, kind: int) -> int:
    """Return the number of an input that every side has."""
    return side * INPUTS_PER_SIDE + kind


def reader_number(seat: int, kind: int) -> int:
    """Return the number of a reader that every seat may have."""
    return SIDES + seat * READERS_PER_SEAT + kind


def drive_bit(side: int, kind: int) -> int:
    """Return the mask bit of a drive that every side has."""
    return 1 << (FIRST_SIDE_DRIVE + side * DRIVES_PER_SIDE + kind)


def sorter_bit(side: int, kind: int) -> int:
    """Return the mask bit of a sorter's drive."""
    return 1 << (side * SORTER_DRIVES_PER_SIDE + kind)


def sorter_switch(side: int, kind: int) -> int:
    """Return the mask bit of a sorter's end switch."""
    return 1 << (side * SORTER_SWITCHES_PER_SIDE + kind)
