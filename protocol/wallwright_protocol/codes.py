"""Numbers on the wire that stand for a state, a refusal, a fault, a key: one list each, the number is the index.

A number, once released, keeps its meaning; new ones go to the end of their list.
"""

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
) = range(len(REFUSALS))

NO_SIDE = 255
"""Stands for 'no side' and 'no seat' in a field that otherwise holds 0 to 3."""

NOTICE, LANE, TABLE = range(3)
"""How severe a fault is: told only; ends one lane while the others finish; stops the table."""

STEADY = 0xFF
SLOW = 0x0F
FAST = 0x55
ONE, TWO, THREE = 0x01, 0x05, 0x15
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
) = range(len(FAULTS))

KEYS = ("lift", "dice", "referee")
LIFT_KEY, DICE_KEY, REFEREE_KEY = range(len(KEYS))

SOURCES = ("side_0", "side_1", "side_2", "side_3", "host")
FROM_HOST = 4
"""Who gave an accepted command: sides 0 to 3 by their panel, or the host."""

CARRIERS = ("empty", "part", "whole", "unknown")
CARRIERS_EMPTY, CARRIERS_PART, CARRIERS_WHOLE, CARRIERS_UNKNOWN = range(len(CARRIERS))
"""What the four carriers hold when power returns: nothing, part of the walls, whole walls, or nobody knows."""

JOG_ENDS = ("time", "switch", "key", "host", "stop", "fault")
BY_TIME, BY_SWITCH, BY_KEY, BY_HOST, BY_STOP, BY_FAULT = range(len(JOG_ENDS))
"""Why a jog has ended: its time, its switch or vane, a key, a silent host, the end of the service, a fault."""

SEAL_LOSSES = ("no_random", "power", "not_back")
LOST_NO_RANDOM, LOST_POWER, LOST_NOT_BACK = range(len(SEAL_LOSSES))
"""Why a wall can never be verified: no nonce could be drawn; the power took it; its set did not come back."""

SETTINGS = (
    "debounce_ms",
    "stroke_limit_ms",
    "belt_return_ms",
    "shortest_dark_ms",
    "longest_dark_ms",
    "standing_limit_ms",
    "lift_limit_ms",
    "lid_limit_ms",
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
) = range(len(SETTINGS))
"""What fits the firmware to one machine."""
