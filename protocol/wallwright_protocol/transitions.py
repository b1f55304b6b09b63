"""The table's cycle: which act or arrival leads from which state to which. The board goes by it; the host expects it.

A trigger that has no row in the present state does nothing; an act of a person or the host is then refused.
"""

from .codes import (
    ASKING,
    BUILDING,
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

TRANSITIONS = {
    (IDLE, "lift_key"): (BUILDING, "start_build"),
    (IDLE, "start_build"): (BUILDING, "build_whole"),
    (IDLE, "open_lid"): (LID_OPENING, "open_lid"),
    (IDLE, "two_keys"): (LID_OPENING, "open_lid"),
    (BUILDING, "two_keys"): (PAUSING, "pause_build"),
    (BUILDING, "open_lid"): (PAUSING, "pause_build"),
    (PAUSING, "paused"): (LID_OPENING, "open_lid"),
    (PAUSING, "built"): (READY, "rest"),
    (SHUFFLING, "mixed"): (BUILDING, "start_build"),
    (SHUFFLING, "start_build"): (BUILDING, "build_whole"),
    (BUILDING, "common_built"): (HOLDING, "hold"),
    (HOLDING, "planned"): (BUILDING, "build_whole"),
    (HOLDING, "start_build"): (BUILDING, "build_whole"),
    (HOLDING, "lift_key"): (ASKING, "rest"),
    (HOLDING, "two_keys"): (LID_OPENING, "open_lid"),
    (HOLDING, "open_lid"): (LID_OPENING, "open_lid"),
    (ASKING, "dice_key"): (BUILDING, "build_whole"),
    (ASKING, "planned"): (BUILDING, "build_whole"),
    (ASKING, "start_build"): (BUILDING, "build_whole"),
    (ASKING, "two_keys"): (LID_OPENING, "open_lid"),
    (ASKING, "open_lid"): (LID_OPENING, "open_lid"),
    (BUILDING, "built"): (READY, "rest"),
    (READY, "lift_key"): (LID_OPENING, "open_lid"),
    (READY, "open_lid"): (LID_OPENING, "open_lid"),
    (LID_OPENING, "lid_opened"): (LID_OPEN, "rest"),
    (LID_OPEN, "lift_key"): (LID_CLOSING, "close_lid"),
    (LID_OPEN, "raise_walls"): (LID_CLOSING, "close_lid"),
    (LID_CLOSING, "lid_closed_whole"): (LIFTING, "raise_lifts"),
    (LID_CLOSING, "lid_closed_empty"): (IDLE, "rest"),
    (LID_CLOSING, "lid_closed_partial"): (BUILDING, "start_build"),
    (STOPPED_RAISING, "lift_key"): (LIFTING, "raise_lifts"),
    (STOPPED_RAISING, "raise_walls"): (LIFTING, "raise_lifts"),
    (LIFTING, "lifts_up"): (WALLS_UP, "hand_over"),
    (LIFTING, "lifts_back"): (STOPPED_LOWERING, "ask_to_lower"),
    (WALLS_UP, "dice_key"): (LOWERING, "lower_lifts"),
    (WALLS_UP, "lower_lifts"): (LOWERING, "lower_lifts"),
    (STOPPED_LOWERING, "lift_key"): (LOWERING, "lower_lifts"),
    (STOPPED_LOWERING, "lower_lifts"): (LOWERING, "lower_lifts"),
    (LOWERING, "lift_key"): (LIFTING, "raise_lifts"),
    (LOWERING, "raise_walls"): (LIFTING, "raise_lifts"),
    (LOWERING, "lifts_down"): (SHUFFLING, "shuffle"),
    (IDLE, "begin_service"): (SERVICE, "rest"),
    (READY, "begin_service"): (SERVICE, "rest"),
    (LID_OPEN, "begin_service"): (SERVICE, "rest"),
    (WALLS_UP, "begin_service"): (SERVICE, "rest"),
}
"""(state, trigger) -> (next state, action). Any state goes to FAULT by a fault, and from there by
`clear`; from SERVICE likewise by its end."""
RESTING = (IDLE, READY, LID_OPEN, WALLS_UP, STOPPED_RAISING, STOPPED_LOWERING)
"""States in which a table without a fault stands still by its switches: where it wakes up, and where a cleared fault or
the end of a service leaves it."""
