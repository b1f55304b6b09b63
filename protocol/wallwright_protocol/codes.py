"""Numbers on the wire that stand for a state, a refusal, a fault, a key.

`hardware.py` has those of inputs, drives, lamps and readers, `settings.py` those of settings, `messages.py` those of
requests and events.
"""

from array import array

from .constants import const
from .hardware import SIDES
from .lists import begin, end, key_of, number

begin("refusals")
OK = number("ok")
UNKNOWN_SESSION = number("unknown_session")
UNKNOWN_MESSAGE = number("unknown_message")
WRONG_LENGTH = number("wrong_length")
BAD_ARGUMENT = number("bad_argument")
WRONG_STATE = number("wrong_state")
FAULT_ACTIVE = number("fault_active")
NO_RANDOM = number("no_random")
VERSION_MISMATCH = number("version_mismatch")
NOT_READY = number("not_ready")
FORBIDDEN = number("forbidden")
WALLS_BELOW = number("walls_below")
NO_CONSENT = number("no_consent")
NO_STOP_WIRED = number("no_stop_wired")
WIRED_TWICE = number("wired_twice")
NO_END_WIRED = number("no_end_wired")
NO_SORTER = number("no_sorter")
NO_DIRECTOR = number("no_director")
BAD_PRESCRIPTION = number("bad_prescription")
IMPOSSIBLE = number("impossible")
OTHER_GAME = number("other_game")
OTHER_TABLE = number("other_table")
OTHER_SET = number("other_set")
EXPIRED = number("expired")
NOT_ENROLLED = number("not_enrolled")
UNSIGNED = number("unsigned")
PRESCRIBED_ALREADY = number("prescribed_already")
NO_ROOM = number("no_room")
ALL_SIDES = number("all_sides")
IS_OUT = number("is_out")
STOP_UNTESTED = number("stop_untested")

STATES = begin("states")
"""Their names, which panels show."""
STARTING = number("starting")
IDLE = number("idle")
BUILDING = number("building")
READY = number("ready")
LID_OPENING = number("lid_opening")
LID_OPEN = number("lid_open")
LID_CLOSING = number("lid_closing")
LIFTING = number("lifting")
WALLS_UP = number("walls_up")
LOWERING = number("lowering")
SHUFFLING = number("shuffling")
FAULT = number("fault")
PAUSING = number("pausing")
STOPPED_RAISING = number("stopped_raising")
STOPPED_LOWERING = number("stopped_lowering")
SERVICE = number("service")
HOLDING = number("holding")
ASKING = number("asking")
CHECKING = number("checking")

NO_SIDE = 255
"""Stands for 'no side' and 'no seat' in a field that otherwise holds 0 to 3."""

NOTICE = const(0)
LANE = const(1)
TABLE = const(2)
"""How severe a fault is: told only; ends one lane while the others finish; stops the table."""

_STEADY = const(0xFF)
_SLOW = const(0x0F)
_FAST = const(0x55)
ONE = const(0x01)  # one short flash; _TWO and _THREE are two and three
_TWO = const(0x05)
_THREE = const(0x15)
"""Lamp patterns: eight steps of 250 ms, the lowest bit first, over and over."""

SEVERITIES = bytearray()
LAMP_PATTERNS = bytearray()
FAULT_KEYS = array("H")
"""Of each fault, by its number; FAULT_KEYS are `key_of` its name, by which a board stores it. Its words are in
`faults.py`, which the board does without."""


def fault(name: str, severity: int, lamps: int) -> int:
    """Return the number of the next fault."""
    SEVERITIES.append(severity)
    LAMP_PATTERNS.append(lamps)
    FAULT_KEYS.append(key_of(name))
    return number(name)


begin("faults")
NO_FAULT = fault("none", NOTICE, 0)
SIDE_SHORT = fault("side_short", LANE, ONE)
SIDE_OVER = fault("side_over", LANE, ONE)
TILE_MISSING = fault("tile_missing", TABLE, ONE)
TILE_TOO_MANY = fault("tile_too_many", TABLE, ONE)
FOREIGN_TILE = fault("foreign_tile", LANE, ONE)
LANE_JAM = fault("lane_jam", LANE, _TWO)
HEAD_JAM = fault("head_jam", LANE, _TWO)
PUSH_WITHOUT_COUNT = fault("push_without_count", LANE, _TWO)
COUNT_WITHOUT_PUSH = fault("count_without_push", LANE, _TWO)
EYE_BLOCKED = fault("eye_blocked", LANE, _TWO)
EYE_DEAD = fault("eye_dead", LANE, _TWO)
BELT_FULL_STUCK = fault("belt_full_stuck", NOTICE, _TWO)
FACE_UP_STUCK = fault("face_up_stuck", TABLE, _SLOW)
SLOW_BUILD = fault("slow_build", TABLE, _SLOW)
DISC_STALLED = fault("disc_stalled", TABLE, _SLOW)
RING_STALLED = fault("ring_stalled", TABLE, _SLOW)
LIFT_STALL = fault("lift_stall", TABLE, _THREE)
LIFT_SINKING = fault("lift_sinking", TABLE, _THREE)
LIFT_LIMITS = fault("lift_limits", TABLE, _THREE)
LID_OBSTRUCTED = fault("lid_obstructed", TABLE, _THREE)
LID_LIMITS = fault("lid_limits", TABLE, _THREE)
EMERGENCY_STOP = fault("emergency_stop", TABLE, _STEADY)
STOPPED = fault("stopped", TABLE, _STEADY)
RUN_LIMIT = fault("run_limit", TABLE, _FAST)
INTERLOCK = fault("interlock", TABLE, _FAST)
PLAN_IMPOSSIBLE = fault("plan_impossible", TABLE, _FAST)
BROWN_OUT = fault("brown_out", NOTICE, 0)
WATCHDOG_RESET = fault("watchdog_reset", NOTICE, 0)
RANDOM_FAILED = fault("random_failed", NOTICE, 0)
STORE_CORRUPT = fault("store_corrupt", TABLE, _SLOW)
HOST_SILENT = fault("host_silent", NOTICE, 0)
STORE_FAILED = fault("store_failed", TABLE, _FAST)
WALLS_UNKNOWN = fault("walls_unknown", TABLE, _SLOW)
READER_SILENT = fault("reader_silent", NOTICE, 0)
CRASHED = fault("crashed", NOTICE, 0)
CRASH_LOOP = fault("crash_loop", TABLE, _FAST)
NODE_SILENT = fault("node_silent", NOTICE, 0)
NODE_DOUBLED = fault("node_doubled", NOTICE, 0)
LINE_DISTURBED = fault("line_disturbed", NOTICE, 0)
WIRING_UNKNOWN = fault("wiring_unknown", TABLE, _SLOW)
KEY_STUCK = fault("key_stuck", NOTICE, 0)
WRONG_SET = fault("wrong_set", TABLE, ONE)
WASH_CUT = fault("wash_cut", NOTICE, 0)
FOREIGN_TAG = fault("foreign_tag", TABLE, ONE)
SORTER_STUCK = fault("sorter_stuck", TABLE, _TWO)
WALL_DIFFERS = fault("wall_differs", TABLE, ONE)
PRESCRIBED_LATE = fault("prescribed_late", TABLE, _SLOW)
DRUM_UNCHECKED = fault("drum_unchecked", NOTICE, 0)
DRUM_EMPTY = fault("drum_empty", TABLE, _SLOW)
WALLS_UNDRAWN = fault("walls_undrawn", TABLE, _TWO)
TWO_SETS = fault("two_sets", TABLE, ONE)
LANE_UNPLUGGED = fault("lane_unplugged", LANE, ONE)
DRIVE_RUNS = fault("drive_runs", TABLE, _FAST)
DRIVE_DEAD = fault("drive_dead", TABLE, _FAST)
NO_SUPPLY = fault("no_supply", TABLE, _STEADY)
OUTPUT_FLIPPED = fault("output_flipped", NOTICE, 0)
INPUT_STUCK = fault("input_stuck", TABLE, _FAST)
LID_SWITCHES = fault("lid_switches", TABLE, _FAST)
SELF_TEST_FAILED = fault("self_test_failed", TABLE, _FAST)
FAULTS = end()

begin("keys")
LIFT_KEY = number("lift")
DICE_KEY = number("dice")
REFEREE_KEY = number("referee")

begin("sources")
for _side in range(SIDES):
    number("side_%d" % _side)
FROM_HOST = number("host")
"""Who gave an accepted command: sides 0 to 3 by their panel, or the host."""

begin("carriers")
CARRIERS_EMPTY = number("empty")
CARRIERS_PART = number("part")
CARRIERS_WHOLE = number("whole")
CARRIERS_UNKNOWN = number("unknown")
CARRIERS_HELD = number("held")
CARRIERS_UNCHECKED = number("unchecked")
"""What the four carriers hold when power returns: nothing, part of the walls, whole walls, nobody knows, part of walls
whose plan was held, or whole walls while it is not known whether a tile is left over in the drum."""

begin("plan modes")
FIXED = number("fixed")
HELD = number("held")
TURNED = number("turned")
PLAN_MODES = end()
"""What becomes of a plan: every build has it as it is; or it turns with the dealer. One that is held turns too, and
until the next dealer is known only those stacks are built that it has on every side however it is turned."""

begin("wall modes")
ORDINARY_WALL = number("ordinary")
STRICT_WALL = number("strict")
HANDS_WALL = number("hands")
"""How the walls that are built or stand below came about: as the tiles came; as prescribed, every place with its face;
or as prescribed, but for the order of the tiles that one player is dealt."""

begin("purposes")
CUT = number("cut")
EAST = number("east")
ROUND_WIND = number("round_wind")
SEATS = number("seats")
PURPOSES = end()
"""What dice are thrown for: where the wall is cut, with which a deal begins; who is East; the wind of the round; who
sits where."""

begin("deal kinds")
USUAL_DEAL = number("usual")
GOULASH = number("goulash")
DEAL_KINDS = end()
"""How a deal begins: as always, or with the exchanges of a goulash."""

begin("jog ends")
BY_TIME = number("time")
BY_SWITCH = number("switch")
BY_KEY = number("key")
BY_HOST = number("host")
BY_STOP = number("stop")
BY_FAULT = number("fault")
"""Why a jog has ended: its time, its switch or vane, a key, a silent host, the end of the service, a fault."""

begin("seal losses")
LOST_NO_RANDOM = number("no_random")
LOST_POWER = number("power")
LOST_NOT_BACK = number("not_back")
"""Why a wall can never be verified: no nonce could be drawn; the power took it; its set did not come back."""

begin("records")
STATE_RECORD = number("state")
ENROLMENT_RECORD = number("enrolment")
WIRING_RECORD = number("wiring")
RECORDS = end()
"""What the board keeps without power and a host may save: settings and counters in `state`."""

begin("measurements")
MEASURED_COLLECTIONS = number("collections")
MEASURED_FLASH = number("flash")
MEASURED_NOISE = number("noise")
MEASURED_INPUTS = number("inputs")
MEASURED_OUTPUTS = number("outputs")
MEASURED_POLLS = number("polls")
MEASUREMENTS = end()
"""What a board can measure of itself; what the values are is in SPEC.md."""

begin("self tests")
TEST_INTERLOCKS = number("interlocks")
TEST_NOISE = number("noise")
TEST_STORE = number("store")
TEST_IMAGE = number("image")
TEST_MEMORY = number("memory")
TEST_CLOCKS = number("clocks")
TEST_STOP_INPUT = number("stop_input")
SELF_TESTS = end()
"""The self-tests of a board, in the order of a round; the last one is a person's."""

begin("test results")
NEVER_TESTED = number("never")
TEST_PASSED = number("passed")
TEST_FAILED = number("failed")
CANNOT_TEST = number("cannot")
TEST_RESULTS = end()
"""The result of a self-test."""
NO_TEST = const(255)
"""Stands for 'none' where the self-test under way is named."""

MOST_WASH_S = const(240)
AS_SET = const(255)
"""The longest wash; and what stands in a plan that leaves the wash to the setting."""
