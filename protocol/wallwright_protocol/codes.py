"""Numbers on the wire that stand for a state, a refusal, a fault, a key: one list each, all of them in LISTS.

A number, once released, keeps its meaning; new ones go to the end of their list. The catalog hash covers LISTS, so host
and board that work together know the same numbers.
"""

from .constants import const

STATES = (
    "starting",
    "idle",
    "building",
    "ready",
    "lid_opening",
    "lid_open",
    "lid_closing",
    "lifting",
    "walls_up",
    "lowering",
    "shuffling",
    "fault",
    "pausing",
    "stopped_raising",
    "stopped_lowering",
    "service",
    "holding",
    "asking",
)
(
    STARTING,
    IDLE,
    BUILDING,
    READY,
    LID_OPENING,
    LID_OPEN,
    LID_CLOSING,
    LIFTING,
    WALLS_UP,
    LOWERING,
    SHUFFLING,
    FAULT,
    PAUSING,
    STOPPED_RAISING,
    STOPPED_LOWERING,
    SERVICE,
    HOLDING,
    ASKING,
) = range(len(STATES))

REFUSALS = (
    "ok",
    "unknown_session",
    "unknown_message",
    "wrong_length",
    "bad_argument",
    "wrong_state",
    "fault_active",
    "no_random",
    "version_mismatch",
    "not_ready",
    "forbidden",
    "walls_below",
    "no_consent",
    "no_stop_wired",
    "wired_twice",
    "no_end_wired",
)
(
    OK,
    UNKNOWN_SESSION,
    UNKNOWN_MESSAGE,
    WRONG_LENGTH,
    BAD_ARGUMENT,
    WRONG_STATE,
    FAULT_ACTIVE,
    NO_RANDOM,
    VERSION_MISMATCH,
    NOT_READY,
    FORBIDDEN,
    WALLS_BELOW,
    NO_CONSENT,
    NO_STOP_WIRED,
    WIRED_TWICE,
    NO_END_WIRED,
) = range(len(REFUSALS))

NO_SIDE = 255
"""Stands for 'no side' and 'no seat' in a field that otherwise holds 0 to 3."""

NOTICE = const(0)
LANE = const(1)
TABLE = const(2)
"""How severe a fault is: told only; ends one lane while the others finish; stops the table."""

STEADY = const(0xFF)
SLOW = const(0x0F)
FAST = const(0x55)
ONE = const(0x01)
TWO = const(0x05)
THREE = const(0x15)
"""Lamp patterns: eight steps of 250 ms, the lowest bit first, over and over. ONE to THREE are so many short flashes."""

FAULTS = (
    ("none", NOTICE, 0),
    ("side_short", LANE, ONE),
    ("side_over", LANE, ONE),
    ("tile_missing", TABLE, ONE),
    ("tile_too_many", TABLE, ONE),
    ("foreign_tile", LANE, ONE),
    ("lane_jam", LANE, TWO),
    ("head_jam", LANE, TWO),
    ("push_without_count", LANE, TWO),
    ("count_without_push", LANE, TWO),
    ("eye_blocked", LANE, TWO),
    ("eye_dead", LANE, TWO),
    ("belt_full_stuck", NOTICE, TWO),
    ("face_up_stuck", TABLE, SLOW),
    ("slow_build", TABLE, SLOW),
    ("disc_stalled", TABLE, SLOW),
    ("ring_stalled", TABLE, SLOW),
    ("lift_stall", TABLE, THREE),
    ("lift_sinking", TABLE, THREE),
    ("lift_limits", TABLE, THREE),
    ("lid_obstructed", TABLE, THREE),
    ("lid_limits", TABLE, THREE),
    ("emergency_stop", TABLE, STEADY),
    ("stopped", TABLE, STEADY),
    ("run_limit", TABLE, FAST),
    ("interlock", TABLE, FAST),
    ("plan_impossible", TABLE, FAST),
    ("brown_out", NOTICE, 0),
    ("watchdog_reset", NOTICE, 0),
    ("random_failed", NOTICE, 0),
    ("store_corrupt", TABLE, SLOW),
    ("host_silent", NOTICE, 0),
    ("store_failed", TABLE, FAST),
    ("walls_unknown", TABLE, SLOW),
    ("reader_silent", NOTICE, 0),
    ("crashed", NOTICE, 0),
    ("crash_loop", TABLE, FAST),
    ("node_silent", NOTICE, 0),
    ("node_doubled", NOTICE, 0),
    ("line_disturbed", NOTICE, 0),
    ("wiring_unknown", TABLE, SLOW),
)
"""(name, severity, lamp pattern) of every fault; its words are in `faults.py`, which the board does without."""
(
    NO_FAULT,
    SIDE_SHORT,
    SIDE_OVER,
    TILE_MISSING,
    TILE_TOO_MANY,
    FOREIGN_TILE,
    LANE_JAM,
    HEAD_JAM,
    PUSH_WITHOUT_COUNT,
    COUNT_WITHOUT_PUSH,
    EYE_BLOCKED,
    EYE_DEAD,
    BELT_FULL_STUCK,
    FACE_UP_STUCK,
    SLOW_BUILD,
    DISC_STALLED,
    RING_STALLED,
    LIFT_STALL,
    LIFT_SINKING,
    LIFT_LIMITS,
    LID_OBSTRUCTED,
    LID_LIMITS,
    EMERGENCY_STOP,
    STOPPED,
    RUN_LIMIT,
    INTERLOCK,
    PLAN_IMPOSSIBLE,
    BROWN_OUT,
    WATCHDOG_RESET,
    RANDOM_FAILED,
    STORE_CORRUPT,
    HOST_SILENT,
    STORE_FAILED,
    WALLS_UNKNOWN,
    READER_SILENT,
    CRASHED,
    CRASH_LOOP,
    NODE_SILENT,
    NODE_DOUBLED,
    LINE_DISTURBED,
    WIRING_UNKNOWN,
) = range(len(FAULTS))

KEYS = ("lift", "dice", "referee")
LIFT_KEY, DICE_KEY, REFEREE_KEY = range(len(KEYS))

SOURCES = ("side_0", "side_1", "side_2", "side_3", "host")
FROM_HOST = 4
"""Who gave an accepted command: sides 0 to 3 by their panel, or the host."""

PLAN_MODES = ("fixed", "held", "turned")
FIXED, HELD, TURNED = range(len(PLAN_MODES))
"""What becomes of a plan: every build has it as it is; or it turns with the dealer. One that is held turns too, and
until the next dealer is known only those stacks are built that it has on every side however it is turned."""

CARRIERS = ("empty", "part", "whole", "unknown", "held")
CARRIERS_EMPTY, CARRIERS_PART, CARRIERS_WHOLE, CARRIERS_UNKNOWN, CARRIERS_HELD = range(len(CARRIERS))
"""What the four carriers hold when power returns: nothing, part of the walls, whole walls, nobody knows, or part of
walls whose plan was held."""

JOG_ENDS = ("time", "switch", "key", "host", "stop", "fault")
BY_TIME, BY_SWITCH, BY_KEY, BY_HOST, BY_STOP, BY_FAULT = range(len(JOG_ENDS))
"""Why a jog has ended: its time, its switch or vane, a key, a silent host, the end of the service, a fault."""

SEAL_LOSSES = ("no_random", "power", "not_back")
LOST_NO_RANDOM, LOST_POWER, LOST_NOT_BACK = range(len(SEAL_LOSSES))
"""Why a wall can never be verified: no nonce could be drawn; the power took it; its set did not come back."""

MEASUREMENTS = ("collections", "flash", "noise", "inputs", "outputs", "polls")
MEASURED_COLLECTIONS, MEASURED_FLASH, MEASURED_NOISE, MEASURED_INPUTS, MEASURED_OUTPUTS, MEASURED_POLLS = range(
    len(MEASUREMENTS)
)
"""What a board can measure of itself; what the values are is in SPEC.md."""

RECORDS = ("state", "enrolment", "wiring")
STATE_RECORD, ENROLMENT_RECORD, WIRING_RECORD = range(len(RECORDS))
"""What the board keeps without power and a host may save: settings and counters in `state`."""

SETTINGS = (
    "debounce_ms",
    "stroke_limit_ms",
    "belt_return_ms",
    "shortest_dark_ms",
    "longest_dark_ms",
    "standing_limit_ms",
    "lift_limit_ms",
    "lid_limit_ms",
    "least_stroke_ms",
    "least_lift_up_ms",
    "least_lift_down_ms",
    "least_lid_ms",
    "disc_limit_ms",
    "ring_limit_ms",
    "starved_limit_ms",
    "check_ms",
    "set_tiles",
)
(
    DEBOUNCE,
    STROKE_LIMIT,
    BELT_RETURN,
    SHORTEST_DARK,
    LONGEST_DARK,
    STANDING_LIMIT,
    LIFT_LIMIT,
    LID_LIMIT,
    LEAST_STROKE,
    LEAST_LIFT_UP,
    LEAST_LIFT_DOWN,
    LEAST_LID,
    DISC_LIMIT,
    RING_LIMIT,
    STARVED_LIMIT,
    CHECK,
    SET_TILES,
) = range(len(SETTINGS))
"""What fits the firmware to one machine: times in ms, by their names, and the tiles of a set."""

SET_SIZES = (108, 112, 116, 120, 136, 144, 152)
"""Tiles that a set may have."""

SIDE_INPUTS = (
    "belt_full",
    "count_eye",
    "head_home",
    "head_pushed",
    "lift_up",
    "lift_down",
    "lift_key",
    "dice_key",
    "referee_key",
)
"""Input n of side s has the number s * len(SIDE_INPUTS) + n."""
TABLE_INPUTS = (
    "lid_is_open",
    "lid_is_closed",
    "emergency_stop",
    "disc_vane",
    "ring_vane",
    "claim_key_0",
    "claim_key_1",
    "claim_key_2",
    "claim_key_3",
)
FIRST_TABLE_INPUT = 36
"""The numbers of these follow those of the sides."""
SIDE_DRIVES = ("conveyor", "conveyor_reverse", "head", "lift_raise", "lift_lower")
FIRST_SIDE_DRIVE = 2
"""Drive n of side s has the number FIRST_SIDE_DRIVE + s * len(SIDE_DRIVES) + n."""
FIRST_DRIVES = ("disc", "ring")
LAST_DRIVES = ("lid_open", "lid_close")
FIRST_LAST_DRIVE = 22
"""Those of the table have the numbers before and behind those of the sides."""
READERS = ("hand", "melds", "discards")
"""Of a seat; those of the stacking heads are readers 0 to 3."""

LISTS = (
    ("refusals", 0, REFUSALS),
    ("states", 0, STATES),
    ("faults", 0, tuple([row[0] for row in FAULTS])),
    ("keys", 0, KEYS),
    ("sources", 0, SOURCES),
    ("carriers", 0, CARRIERS),
    ("plan modes", 0, PLAN_MODES),
    ("jog ends", 0, JOG_ENDS),
    ("seal losses", 0, SEAL_LOSSES),
    ("readers", 0, READERS),
    ("records", 0, RECORDS),
    ("measurements", 0, MEASUREMENTS),
    ("settings", 0, SETTINGS),
    ("inputs of a side", 0, SIDE_INPUTS),
    ("inputs of the table", FIRST_TABLE_INPUT, TABLE_INPUTS),
    ("drives of a side", 0, SIDE_DRIVES),
    ("drives of the table", 0, FIRST_DRIVES),
    ("drives of the table", FIRST_LAST_DRIVE, LAST_DRIVES),
)
"""Every list: its heading in SPEC.md, the number of its first name, its names."""
