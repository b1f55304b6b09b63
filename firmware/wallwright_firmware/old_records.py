"""Records of the layouts before the present one, which had settings, faults and drives by their places.

Up to version 8 a record had no keys, and its head no number of drives. Up to version 7 no walls were unchecked; up to
version 6 a record ended with how long walls were washed, and did not say how they came about; up to version 5 the state
ended with the pot, for nothing was washed; up to version 4 there were two dice, and it ended with the plan mode;
version 3 counted 40 kinds of faults and did not say so; version 2 had eight settings and no byte that says so; version
1 ended before them, with a byte that was 1 when the host held builds.
"""

import struct

from wallwright_protocol.codes import AS_SET, HELD, ORDINARY_WALL, TURNED
from wallwright_protocol.constants import const
from wallwright_protocol.lists import key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_STATE_BYTES = const(51)
_HEAD_BYTES = (0, 7, 7, 8, 9, 9, 9, 9, 9)
_COUNTED_BYTES = const(12)
"""Builds at the last clearing, and jams."""
_SETTINGS_OF_2 = const(8)
_FAULTS_OF_3 = const(40)
_STATE_OF_4 = const(37)
_DICE_END = const(31)
"""Of the versions before 5: bytes of the state, and those of it up to the two dice and with them."""
_TOLD_BYTES = const(5)
"""The fields behind the plan mode since version 5."""
_UNWASHED = bytes([AS_SET, 0])
"""The fields behind those since version 6, as they were before."""
_UNDRAWN = bytes([ORDINARY_WALL, 1, 0, 0, 0, 0])
"""The fields behind those since version 7, as they were before."""
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
    "dice_count",
    "wash_s",
    "hold_places",
)
FAULTS = (
    "none",
    "side_short",
    "side_over",
    "tile_missing",
    "tile_too_many",
    "foreign_tile",
    "lane_jam",
    "head_jam",
    "push_without_count",
    "count_without_push",
    "eye_blocked",
    "eye_dead",
    "belt_full_stuck",
    "face_up_stuck",
    "slow_build",
    "disc_stalled",
    "ring_stalled",
    "lift_stall",
    "lift_sinking",
    "lift_limits",
    "lid_obstructed",
    "lid_limits",
    "emergency_stop",
    "stopped",
    "run_limit",
    "interlock",
    "plan_impossible",
    "brown_out",
    "watchdog_reset",
    "random_failed",
    "store_corrupt",
    "host_silent",
    "store_failed",
    "walls_unknown",
    "reader_silent",
    "crashed",
    "crash_loop",
    "node_silent",
    "node_doubled",
    "line_disturbed",
    "wiring_unknown",
    "key_stuck",
    "wrong_set",
    "wash_cut",
    "foreign_tag",
    "sorter_stuck",
    "wall_differs",
    "prescribed_late",
    "drum_unchecked",
)
"""The names that version 8 had, in the order of their numbers then."""
DRIVES_OF_A_SIDE = ("conveyor", "conveyor_reverse", "head", "lift_raise", "lift_lower")


def parts_of(record: bytes) -> "tuple[bytes, bytes, bytes, tuple[bytes, bytes, bytes]] | None":
    """Return state, settings and counters of a record whose CRC is good, and the keys of its settings, faults and
    drives; None when its length is wrong."""
    version = record[2]
    head = _HEAD_BYTES[version]
    settings_at = head + _STATE_BYTES
    if version < 5:
        settings_at = head + _STATE_OF_4
    elif version < 7:
        settings_at -= len(_UNDRAWN) + (len(_UNWASHED) if version < 6 else 0)
    state = record[head:settings_at]
    if version < 5:
        state = state[:_DICE_END] + b"\0" + state[_DICE_END:] + bytes(_TOLD_BYTES)
    if version < 6:
        state += _UNWASHED
    if version < 7:
        state += _UNDRAWN
    if version == 1:
        if len(record) != settings_at + 4:
            return None
        mode_at = _STATE_BYTES - len(_UNDRAWN) - len(_UNWASHED) - _TOLD_BYTES - 1
        mode = HELD if state[mode_at] == 1 else TURNED
        state = state[:mode_at] + bytes([mode]) + state[mode_at + 1 :]
        return state, b"", bytes(_COUNTED_BYTES + 2 * len(FAULTS)), (b"", _keys(FAULTS), b"")
    count = _SETTINGS_OF_2 if version == 2 else record[7]
    kinds = _FAULTS_OF_3 if version < 4 else record[8]
    drives = ["disc", "ring"] + ["%s_%d" % (name, side) for side in range(4) for name in DRIVES_OF_A_SIDE]
    drives += ["lid_open", "lid_close"]
    counted_at = settings_at + 2 * count
    told_at = counted_at + _COUNTED_BYTES
    ran_at = told_at + 2 * kinds
    if len(record) != ran_at + 4 * len(drives) + 4:
        return None
    count, kinds = min(count, len(SETTINGS)), min(kinds, len(FAULTS))
    keys = (_keys(SETTINGS[:count]), _keys(FAULTS[:kinds]), _keys(drives))
    counted = record[counted_at : told_at + 2 * kinds] + record[ran_at:-4]
    return state, record[settings_at : settings_at + 2 * count], counted, keys


def _keys(names: "Iterable[str]") -> bytes:
    return b"".join([struct.pack("<H", key_of(name)) for name in names])
