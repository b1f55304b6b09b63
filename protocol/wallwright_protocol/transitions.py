"""The table's cycle: which act or arrival leads from which state to which. The board goes by it; the host expects it.

A trigger that has no row in the present state does nothing; an act of a person or the host is then refused.
"""

from .codes import (
    ASKING,
    BUILDING,
    CHECKING,
    HOLDING,
    IDLE,
    LID_CLOSING,
    LID_OPEN,
    LID_OPENING,
    LIFTING,
    LOWERING,
    PAUSING,
    READY,
    SERVICE,
    SHUFFLING,
    STOPPED_LOWERING,
    STOPPED_RAISING,
    WALLS_UP,
)

_OPEN_LID = (LID_OPENING, "open_lid")
_BUILD_WHOLE = (BUILDING, "build_whole")
_RAISE_LIFTS = (LIFTING, "raise_lifts")
_LOWER_LIFTS = (LOWERING, "lower_lifts")
_SERVE = (SERVICE, "rest")
_START_BUILD = (BUILDING, "start_build")
_HURRY = (BUILDING, "hurry")
"""Where many rows lead: a board keeps each of these once."""

TRANSITIONS = {
    (IDLE, "lift_key"): _START_BUILD,
    (IDLE, "start_build"): _BUILD_WHOLE,
    (IDLE, "wash"): (SHUFFLING, "wash"),
    (IDLE, "open_lid"): _OPEN_LID,
    (IDLE, "two_keys"): _OPEN_LID,
    (BUILDING, "two_keys"): (PAUSING, "pause_build"),
    (BUILDING, "open_lid"): (PAUSING, "pause_build"),
    (PAUSING, "paused"): _OPEN_LID,
    (PAUSING, "built"): (READY, "rest"),
    (SHUFFLING, "mixed"): _START_BUILD,
    (SHUFFLING, "start_build"): _HURRY,
    (SHUFFLING, "hurry"): _HURRY,
    (SHUFFLING, "lift_key"): _HURRY,
    (SHUFFLING, "two_keys"): _OPEN_LID,
    (SHUFFLING, "open_lid"): _OPEN_LID,
    (BUILDING, "common_built"): (HOLDING, "hold"),
    (HOLDING, "planned"): _BUILD_WHOLE,
    (HOLDING, "start_build"): _BUILD_WHOLE,
    (HOLDING, "lift_key"): (ASKING, "rest"),
    (HOLDING, "two_keys"): _OPEN_LID,
    (HOLDING, "open_lid"): _OPEN_LID,
    (ASKING, "dice_key"): _BUILD_WHOLE,
    (ASKING, "planned"): _BUILD_WHOLE,
    (ASKING, "start_build"): _BUILD_WHOLE,
    (ASKING, "two_keys"): _OPEN_LID,
    (ASKING, "open_lid"): _OPEN_LID,
    (BUILDING, "built"): (READY, "rest"),
    (READY, "lift_key"): _OPEN_LID,
    (READY, "open_lid"): _OPEN_LID,
    (READY, "check"): (CHECKING, "check"),
    (CHECKING, "checked"): _OPEN_LID,
    (LID_OPENING, "lid_opened"): (LID_OPEN, "rest"),
    (LID_OPEN, "lift_key"): (LID_CLOSING, "close_lid"),
    (LID_OPEN, "raise_walls"): (LID_CLOSING, "close_lid"),
    (LID_CLOSING, "lid_closed_whole"): _RAISE_LIFTS,
    (LID_CLOSING, "lid_closed_empty"): (IDLE, "rest"),
    (LID_CLOSING, "lid_closed_partial"): _START_BUILD,
    (LID_CLOSING, "lid_closed_unwashed"): (SHUFFLING, "wash"),
    (STOPPED_RAISING, "lift_key"): _RAISE_LIFTS,
    (STOPPED_RAISING, "raise_walls"): _RAISE_LIFTS,
    (LIFTING, "lifts_up"): (WALLS_UP, "hand_over"),
    (LIFTING, "lifts_back"): (STOPPED_LOWERING, "ask_to_lower"),
    (WALLS_UP, "dice_key"): _LOWER_LIFTS,
    (WALLS_UP, "lower_lifts"): _LOWER_LIFTS,
    (STOPPED_LOWERING, "lift_key"): _LOWER_LIFTS,
    (STOPPED_LOWERING, "lower_lifts"): _LOWER_LIFTS,
    (LOWERING, "lift_key"): _RAISE_LIFTS,
    (LOWERING, "raise_walls"): _RAISE_LIFTS,
    (LOWERING, "lifts_down"): (SHUFFLING, "shuffle"),
    (IDLE, "begin_service"): _SERVE,
    (READY, "begin_service"): _SERVE,
    (LID_OPEN, "begin_service"): _SERVE,
    (WALLS_UP, "begin_service"): _SERVE,
}
"""(state, trigger) -> (next state, action). Any state goes to FAULT by a fault, and from there by
`clear`; from SERVICE likewise by its end."""
RESTING = (IDLE, READY, LID_OPEN, WALLS_UP, STOPPED_RAISING, STOPPED_LOWERING)
"""States in which a table without a fault stands still by its switches: where it wakes up, and where a cleared fault or
the end of a service leaves it."""
