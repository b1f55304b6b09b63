"""What a technician may set, within limits: numbers that fit the firmware to one machine. They survive power loss.

The index of a row is the setting's number, `codes.py` has the names. All are times in ms but for the wash, in s, and
the two of the game, the size of a set and the number of dice, which change on a table at rest with empty carriers only.

Limits keep a mistake from doing harm: a limit of a motion
stays below the run-time limit of its drive. They leave room for machines whose parts are a third faster or slower than
those of the usual one.
"""

import struct

from wallwright_protocol import codes
from wallwright_protocol.codes import DICE_COUNT, MOST_WASH_S, SET_TILES, WASH
from wallwright_protocol.hardware import CARRIER_STACKS, DEFAULT_PLANS, MOST_DICE, SET_SIZES, TILES_PER_STACK

from .build import CHECK_MS, STARVED_MS
from .drivers.drum import VANE_LIMIT_MS
from .drivers.inputs import DEBOUNCE_MS
from .drivers.lane_times import (
    LEAST_STROKE_MS,
    LONGEST_DARK_MS,
    RETURN_MS,
    SHORTEST_DARK_MS,
    STANDING_LIMIT_MS,
    STROKE_LIMIT_MS,
)
from .drivers.lift import DOWN_LEAST_MS, LIFT_LIMIT_MS, UP_LEAST_MS
from .drivers.travel import LID_LEAST_MS, LID_LIMIT_MS
from .hal import WASH_S

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App

USUAL_DICE = 2
OF_GAME = (SET_TILES, DICE_COUNT)
ROWS = (
    (DEBOUNCE_MS, 2, 20),
    (STROKE_LIMIT_MS, 450, 1900),
    (RETURN_MS, 400, 3000),
    (SHORTEST_DARK_MS, 15, 100),
    (LONGEST_DARK_MS, 50, 190),
    (STANDING_LIMIT_MS, 1000, 10000),
    (LIFT_LIMIT_MS, 1700, 4800),
    (LID_LIMIT_MS, 1200, 3800),
    (LEAST_STROKE_MS, 150, 900),
    (UP_LEAST_MS, 1000, 4000),
    (DOWN_LEAST_MS, 1000, 4000),
    (LID_LEAST_MS, 600, 3000),
    (VANE_LIMIT_MS, 1000, 9000),
    (VANE_LIMIT_MS, 2000, 9000),
    (STARVED_MS, 4000, 15000),
    (CHECK_MS, 2000, 8000),
    (SET_SIZES[0], SET_SIZES[0], SET_SIZES[-1]),
    (USUAL_DICE, 1, MOST_DICE),
    (WASH_S, 0, MOST_WASH_S),
    (0, 0, CARRIER_STACKS * TILES_PER_STACK),
)
"""(default, lowest, highest) of each setting. Of the sizes between, those of SET_SIZES are allowed."""
BYTES: int = 2 * len(ROWS)


def defaults(tiles: int = SET_SIZES[0], wash_s: int = WASH_S) -> list[int]:
    """Return the settings of a new board, for sets of `tiles` tiles that are washed for `wash_s`."""
    values = [row[0] for row in ROWS]
    values[SET_TILES] = tiles
    values[WASH] = wash_s
    return values


def is_allowed(number: int, value: int) -> bool:
    """Say whether there is a setting `number` that may have this value."""
    if number == SET_TILES:
        return value in SET_SIZES
    return number < len(ROWS) and ROWS[number][1] <= value <= ROWS[number][2]


def pack(values: list[int]) -> bytes:
    """Return the settings as they are stored."""
    return struct.pack("<%dH" % len(values), *values)


def unpack(stored: bytes) -> list[int]:
    """Return the settings that were stored; the usual one for each that is not there or not allowed."""
    values = defaults()
    unpack_into(values, stored)
    return values


def unpack_into(values: list[int], stored: bytes) -> None:
    """Set what was stored; a value that this firmware does not allow stays as it is, and what it does not know is left
    out."""
    for number, value in enumerate(struct.unpack("<%dH" % (len(stored) // 2), stored)):
        if is_allowed(number, value):
            values[number] = value


def end_trial(app: "App") -> None:
    """Use the stored settings again: the connection that has tried others has ended, or wants to try no more."""
    app.trial = 0
    app.settings[:] = unpack(app.stored_settings)


def setup_refusal(app: "App", tiles: int, dice_count: int) -> int:
    """Return why the table cannot go over to another size of a set or number of dice now; OK when it can, or has
    them."""
    if tiles == app.build.tiles and dice_count == app.settings[DICE_COUNT]:
        return codes.OK
    if app.cycle.state == codes.FAULT:
        return codes.FAULT_ACTIVE
    if app.cycle.state not in (codes.IDLE, codes.SERVICE) or app.outputs.mask:
        return codes.WRONG_STATE
    return codes.WALLS_BELOW if app.cycle.whole or app.build.partial else codes.OK


def change(app: "App", wanted: "tuple[tuple[int, int], ...]", source: int) -> int:
    """Store settings (number, value) and go by them at once; return a refusal code, OK when it is done.

    They are allowed, and what is only tried is not stored with them.
    """
    cycle = app.cycle
    before = app.stored_settings
    was = (list(app.settings), cycle.plan, cycle.plan_dealer, cycle.plan_mode, cycle.wash.plan_s)
    stored = unpack(before)
    for number, value in wanted:
        stored[number] = app.settings[number] = value
    app.stored_settings = pack(stored)
    use_size(app)
    if app.stored_settings != before and not app.saving.keep():
        app.stored_settings = before
        app.settings[:] = was[0]
        use_size(app)
        cycle.plan, cycle.plan_dealer, cycle.plan_mode, cycle.wash.plan_s = was[1:]
        cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
        return codes.FAULT_ACTIVE
    tell_setup(app, was[0], source)
    return codes.OK


def tell_setup(app: "App", before: list[int], source: int) -> None:
    """Tell of another size of a set or number of dice than `before`."""
    now = [app.settings[number] for number in OF_GAME]
    if now != [before[number] for number in OF_GAME]:
        app.events.add(app.cycle.now_ms, "setup_changed", *(now + [source]))


def use_size(app: "App") -> None:
    """Go by the size of a set that is in the settings, with its own plan unless the table had that size before."""
    tiles = app.settings[SET_TILES]
    if tiles != app.build.tiles:
        app.build.tiles = tiles
        app.cycle.plan = DEFAULT_PLANS[tiles]
        app.cycle.plan_dealer = 0
        app.cycle.plan_mode = codes.TURNED
        app.cycle.wash.plan_s = codes.AS_SET
        app.readers.make_room()
