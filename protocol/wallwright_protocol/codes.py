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
) = range(len(REFUSALS))

NO_SIDE = 255
"""Stands for 'no side' and 'no seat' in a field that otherwise holds 0 to 3."""

FAULTS = (
    ("none", "No fault.", "Nothing to do."),
    (
        "side_short",
        "The build ran out of time and this side lacks stacks.",
        "Look for a tile on the floor, in the drum's mouth or on the belt; put it in, then continue the build.",
    ),
    (
        "side_over",
        "The counting eye of this side saw more tiles than a stack holds.",
        "Open the stacking head of this side and take out the tile too many, then continue.",
    ),
    (
        "head_jam",
        "The stacking head of this side did not finish its stroke.",
        "Free the stacking head of this side, then continue the build.",
    ),
    (
        "lift_stall",
        "The lift of this side did not reach its switch in time.",
        "Take what blocks the lift away, then clear the fault.",
    ),
    (
        "lid_stall",
        "The lid did not reach its switch in time.",
        "Take what blocks the lid away, then clear the fault.",
    ),
    (
        "emergency_stop",
        "The emergency stop is pressed.",
        "Make sure that nobody is in danger, release the emergency stop, then clear the fault.",
    ),
    (
        "stopped",
        "The table was stopped by the host.",
        "Clear the fault when it is safe to move again.",
    ),
    (
        "run_limit",
        "An output was on for longer than it ever needs.",
        "Look for a sensor that does not answer on this side, then clear the fault.",
    ),
    (
        "plan_impossible",
        "The plan of stacks cannot be built with this set of tiles.",
        "Send a plan whose stacks add up to half of the tiles, 19 a side at the most.",
    ),
    (
        "interlock",
        "A motion was asked for that its interlock forbids.",
        "Look whether lid, lifts and stacking heads stand where they should, then clear the fault.",
    ),
    (
        "random_failed",
        "The hardware random source does not deliver; dice are refused.",
        "Roll dice by hand, and have the board replaced.",
    ),
)
(
    NO_FAULT,
    SIDE_SHORT,
    SIDE_OVER,
    HEAD_JAM,
    LIFT_STALL,
    LID_STALL,
    EMERGENCY_STOP,
    STOPPED,
    RUN_LIMIT,
    PLAN_IMPOSSIBLE,
    INTERLOCK,
    RANDOM_FAILED,
) = range(len(FAULTS))

KEYS = ("lift", "dice", "referee")
LIFT_KEY, DICE_KEY, REFEREE_KEY = range(len(KEYS))

SOURCES = ("side_0", "side_1", "side_2", "side_3", "host")
FROM_HOST = 4
"""Who gave an accepted command: sides 0 to 3 by their panel, or the host."""
