"""The message table: every payload that crosses the wire, as data.

A row is (id, name, direction, format, fields). The format is that of `struct`, little endian; a board has it in flash
as it stands here. A field `name[4]` takes four items of the format, all others take one. Requests and replies with one
name belong together. SPEC.md says how a payload is wrapped; `codec.py` packs and unpacks by these rows.

A name and its layout never change once they were released: a message with another layout has another name, or its new
fields stand at the end. Ids are a board's own; hosts bind by name (SPEC.md, section 9). CATALOG_HASH changes with every
row here and with every number of `lists.LISTS`, and tells which dictionary a board has.
"""

import binascii
import sys

from . import codes, hardware, settings
from .constants import const
from .lists import LISTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PROTOCOL_VERSION = 1

NUMBERED = (codes, hardware, settings)
"""The modules that the lists come from."""

REQUEST = const("request")
REPLY = const("reply")
EVENT = const("event")
STATUS = const("status")
DIRECTIONS = (REQUEST, REPLY, EVENT, STATUS)

_STATUS_FORMAT = const("<BBBBB4B4B4B6sIHHBBBBHBBB3BIIIIHBBB")
_STATUS_FIELDS = const(
    (
        "state",
        "fault",
        "fault_side",
        "set_above",
        "set_whole",
        "plan[4]",
        "stacks[4]",
        "loose_tiles[4]",
        "inputs",
        "drives",
        "lamps",
        "deal",
        "dealer",
        "east",
        "round_wind",
        "deal_kind",
        "pot",
        "tiles",
        "dice_count",
        "purpose",
        "dice[3]",
        "uptime_ms",
        "stored_event",
        "newest_event",
        "wiring",
        "frame_errors",
        "wall_mode",
        "unchecked",
        "sides_out",
    )
)
_MAP_FIELDS = const(("lanes", "inputs[45]", "outputs[32]", "sorter", "sorter_places", "sorter_lead_ms"))
_USED_MAP_FIELDS = const(("wiring", "lanes", "inputs[45]", "outputs[32]", "sorter", "sorter_places", "sorter_lead_ms"))
_DICE_ROLLED_FIELDS = const(
    ("seat", "purpose", "dice[3]", "source", "deal", "roll", "seed", "contribution", "contributed")
)
_RESTORED_FIELDS = const(
    (
        "set_above",
        "carriers",
        "deal",
        "dealer",
        "east",
        "round_wind",
        "deal_kind",
        "pot",
        "builds",
        "boots",
    )
)

_COUNTERS_FIELDS = const(("boots", "builds", "deals", "cleared_at", "jams[4]"))
_SETTINGS_FIELDS = const(
    ("size", "value[16]", "default[16]", "lowest[16]", "highest[16]", "setting_kind[16]", "setting_unit[16]")
)
_BUILD_STARTED_FIELDS = const(("tile_set", "plan[4]", "tiles", "dice_count", "wash_s", "wall_mode"))
_INPUTS_FORMAT = const("<I6sIBH16B16H")
_WIRES_FIELDS = const(("uptime_ms", "wires", "outputs", "newest_edge", "edges[16]", "edge_times[16]"))
_INPUTS_FIELDS = const(("uptime_ms", "inputs", "drives", "lamps", "newest_edge", "edges[16]", "edge_times[16]"))

MESSAGES = (
    (0x10, "get_info", REQUEST, "", ()),
    (0x10, "get_info", REPLY, "<16s3BHB", ("unit", "firmware[3]", "tiles", "sets")),
    (0x11, "get_status", REQUEST, "", ()),
    (0x11, "get_status", REPLY, _STATUS_FORMAT, _STATUS_FIELDS),
    (0x12, "set_plan", REQUEST, "<4BBBB", ("plan[4]", "dealer", "plan_mode", "wash_s")),
    (0x12, "set_plan", REPLY, "", ()),
    (0x13, "start_build", REQUEST, "", ()),
    (0x13, "start_build", REPLY, "", ()),
    (0x14, "open_lid", REQUEST, "", ()),
    (0x14, "open_lid", REPLY, "", ()),
    (0x15, "raise_walls", REQUEST, "", ()),
    (0x15, "raise_walls", REPLY, "", ()),
    (0x16, "lower_lifts", REQUEST, "", ()),
    (0x16, "lower_lifts", REPLY, "", ()),
    (0x17, "roll_dice", REQUEST, "<BBB", ("seat", "purpose", "dice_count")),
    (0x17, "roll_dice", REPLY, "<3BI", ("dice[3]", "roll")),
    (0x18, "stop", REQUEST, "", ()),
    (0x18, "stop", REPLY, "", ()),
    (0x19, "clear_fault", REQUEST, "", ()),
    (0x19, "clear_fault", REPLY, "", ()),
    (0x1A, "contribute", REQUEST, "<I16s", ("roll", "contribution")),
    (0x1A, "contribute", REPLY, "", ()),
    (0x1B, "set_throw", REQUEST, "<BBB", ("purpose", "dice_count", "seat")),
    (0x1B, "set_throw", REPLY, "", ()),
    (0x1C, "set_deal", REQUEST, "<BBBBH", ("east", "dealer", "round_wind", "deal_kind", "pot")),
    (0x1C, "set_deal", REPLY, "", ()),
    (0x1D, "hurry", REQUEST, "", ()),
    (0x1D, "hurry", REPLY, "", ()),
    (0x1E, "prescribe", REQUEST, "<HH200s", ("size", "offset", "part")),
    (0x1E, "prescribe", REPLY, "", ()),
    (0x1F, "prescribe_cancel", REQUEST, "", ()),
    (0x1F, "prescribe_cancel", REPLY, "", ()),
    (0x20, "get_wiring", REQUEST, "", ()),
    (0x20, "get_wiring", REPLY, "<IB45B32BBBB", _USED_MAP_FIELDS),
    (0x21, "begin_wiring", REQUEST, "", ()),
    (0x21, "begin_wiring", REPLY, "", ()),
    (0x22, "set_wiring", REQUEST, "<B45B32BBBB", _MAP_FIELDS),
    (0x22, "set_wiring", REPLY, "", ()),
    (0x23, "get_wires", REQUEST, "", ()),
    (0x23, "get_wires", REPLY, "<I6sIH16B16H", _WIRES_FIELDS),
    (0x24, "jog_wire", REQUEST, "<BHBB6s", ("output", "limit_ms", "end_wire", "stop_wire", "keys")),
    (0x24, "jog_wire", REPLY, "", ()),
    (0x25, "get_sorter", REQUEST, "", ()),
    (0x25, "get_sorter", REPLY, "<BBI32s", ("sorter", "sorter_places", "build", "director")),
    (0x26, "set_director", REQUEST, "<32s", ("director",)),
    (0x26, "set_director", REPLY, "", ()),
    (0x27, "get_dictionary", REQUEST, "<H", ("offset",)),
    (0x27, "get_dictionary", REPLY, "<H200s", ("size", "part")),
    (0x28, "try_setting", REQUEST, "<BH", ("setting", "value")),
    (0x28, "try_setting", REPLY, "", ()),
    (0x29, "end_trial", REQUEST, "", ()),
    (0x29, "end_trial", REPLY, "", ()),
    (0x2A, "get_samples", REQUEST, "", ()),
    (0x2A, "get_samples", REPLY, "<B200s", ("samples", "noise")),
    (0x2B, "get_noise", REQUEST, "", ()),
    (0x2B, "get_noise", REPLY, "<BIIII", ("windows", "ones", "changes", "last_ones", "last_changes")),
    (0x2C, "restart", REQUEST, "", ()),
    (0x2C, "restart", REPLY, "", ()),
    (0x2D, "get_fault_counts", REQUEST, "<B", ("first",)),
    (0x2D, "get_fault_counts", REPLY, "<B32H", ("size", "counts[32]")),
    (0x2E, "get_drive_times", REQUEST, "<B", ("first",)),
    (0x2E, "get_drive_times", REPLY, "<B16I", ("size", "tenths[16]")),
    (0x2F, "get_self_tests", REQUEST, "", ()),
    (0x2F, "get_self_tests", REPLY, "<BB16B16I", ("size", "testing", "test_result[16]", "ages_s[16]")),
    (0x30, "begin_service", REQUEST, "", ()),
    (0x30, "begin_service", REPLY, "", ()),
    (0x31, "end_service", REQUEST, "", ()),
    (0x31, "end_service", REPLY, "", ()),
    (0x32, "jog", REQUEST, "<BH", ("drive", "limit_ms")),
    (0x32, "jog", REPLY, "", ()),
    (0x33, "get_drive", REQUEST, "<B", ("drive",)),
    (0x33, "get_drive", REPLY, "<HBB", ("limit_ms", "input", "level")),
    (0x34, "get_inputs", REQUEST, "", ()),
    (0x34, "get_inputs", REPLY, _INPUTS_FORMAT, _INPUTS_FIELDS),
    (0x35, "get_settings", REQUEST, "<B", ("first",)),
    (0x35, "get_settings", REPLY, "<B16H16H16H16H16B16B", _SETTINGS_FIELDS),
    (0x36, "set_setting", REQUEST, "<BH", ("setting", "value")),
    (0x36, "set_setting", REPLY, "", ()),
    (0x37, "get_counters", REQUEST, "", ()),
    (0x37, "get_counters", REPLY, "<IIHI4H", _COUNTERS_FIELDS),
    (0x38, "clear_counters", REQUEST, "", ()),
    (0x38, "clear_counters", REPLY, "", ()),
    (0x39, "get_readers", REQUEST, "", ()),
    (0x39, "get_readers", REPLY, "<H32s", ("readers", "enrolment")),
    (0x3A, "set_enrolment", REQUEST, "<32s", ("enrolment",)),
    (0x3A, "set_enrolment", REPLY, "", ()),
    (0x3B, "reboot_to_loader", REQUEST, "", ()),
    (0x3B, "reboot_to_loader", REPLY, "", ()),
    (0x3C, "get_record", REQUEST, "<BH", ("record", "offset")),
    (0x3C, "get_record", REPLY, "<H200s", ("size", "part")),
    (0x3D, "put_record", REQUEST, "<BHH200s", ("record", "size", "offset", "part")),
    (0x3D, "put_record", REPLY, "", ()),
    (0x3E, "get_image", REQUEST, "", ()),
    (0x3E, "get_image", REPLY, "<8s16s", ("chip", "image")),
    (0x3F, "measure", REQUEST, "<B", ("measurement",)),
    (0x3F, "measure", REPLY, "<8I", ("values[8]",)),
    (0x40, "booted", EVENT, "<3B", ("firmware[3]",)),
    (0x41, "state_changed", EVENT, "<B", ("state",)),
    (0x42, "command_accepted", EVENT, "<BB", ("message", "source")),
    (0x43, "key_pressed", EVENT, "<BB", ("side", "key")),
    (0x44, "build_started", EVENT, "<B4BBBBB", _BUILD_STARTED_FIELDS),
    (0x45, "side_done", EVENT, "<BBI", ("side", "stacks", "after_ms")),
    (0x46, "build_done", EVENT, "<B4BIB", ("tile_set", "stacks[4]", "duration_ms", "wash_s")),
    (0x47, "walls_up", EVENT, "<BH", ("tile_set", "deal")),
    (0x48, "dice_rolled", EVENT, "<BB3BBHI32s16sB", _DICE_ROLLED_FIELDS),
    (0x49, "fault", EVENT, "<BBHH", ("fault", "side", "found", "wanted")),
    (0x4A, "fault_cleared", EVENT, "<BB", ("fault", "source")),
    (0x4B, "referee_called", EVENT, "<B", ("side",)),
    (0x4C, "notice", EVENT, "<BBB", ("fault", "side", "tries")),
    (0x4D, "restored", EVENT, "<BBHBBBBHII", _RESTORED_FIELDS),
    (0x4E, "dice_committed", EVENT, "<I32s", ("roll", "commitment")),
    (0x4F, "setup_changed", EVENT, "<BBBB", ("tiles", "dice_count", "source", "sides_out")),
    (0x50, "jog_done", EVENT, "<BHB", ("drive", "ran_ms", "jog_end")),
    (0x51, "tag_appeared", EVENT, "<B8s", ("reader", "tag")),
    (0x52, "tag_left", EVENT, "<B8s", ("reader", "tag")),
    (0x53, "tag_moved", EVENT, "<BB8s", ("from", "to", "tag")),
    (0x54, "tag_unread", EVENT, "<B", ("reader",)),
    (0x55, "wall_sealed", EVENT, "<HBB32s", ("deal", "tiles", "unread", "commitment")),
    (0x56, "wall_revealed", EVENT, "<H32s", ("deal", "nonce")),
    (0x57, "wall_part", EVENT, "<HBB208s", ("deal", "first", "tiles", "tags")),
    (0x58, "wall_unverifiable", EVENT, "<HB", ("deal", "seal_loss")),
    (0x59, "claim", EVENT, "<B", ("seat",)),
    (0x5A, "crashed", EVENT, "<24sH20sB", ("module", "line", "error", "times")),
    (0x5B, "wiring_changed", EVENT, "<I", ("wiring",)),
    (0x5C, "wire_jogged", EVENT, "<BHB", ("output", "ran_ms", "jog_end")),
    (0x5D, "prescription_judged", EVENT, "<HB32s", ("deal", "refusal", "prescription_hash")),
    (0x5E, "wall_prescribed", EVENT, "<H32sBB", ("deal", "prescription_hash", "inferred", "match")),
    (0x5F, "evidence", EVENT, "<BBBBII", ("fault", "drive", "input", "output", "drives", "sensed")),
    (0x60, "status", STATUS, _STATUS_FORMAT, _STATUS_FIELDS),
    (0x61, "run_self_tests", REQUEST, "", ()),
    (0x61, "run_self_tests", REPLY, "", ()),
)

KEPT_EVENTS = (
    "build_done",
    "walls_up",
    "dice_rolled",
    "dice_committed",
    "fault",
    "fault_cleared",
    "restored",
    "crashed",
    "evidence",
)
"""Events that a full ring gives up last: faults and what a deal rests on."""

FROZEN = (
    "get_info",
    "get_dictionary",
    "begin_service",
    "end_service",
    "reboot_to_loader",
    "get_record",
    "get_image",
)
"""Requests whose rows stay as they are for ever: by these alone a host learns what a board's numbers mean, saves what
it keeps, and has its firmware replaced (SPEC.md, section 9)."""


def catalog_lines(
    messages: "Iterable[tuple[int, str, str, str, tuple[str, ...]]]",
    lists: "Iterable[tuple[str, int, Iterable[str]]]",
) -> "Iterator[str]":
    """Yield the lines of a dictionary: one a row of the message table, then one a number of the lists."""
    for number, name, direction, layout, fields in messages:
        yield "%d %s %s %s %s" % (number, name, direction, layout.lstrip("<"), ",".join(fields))
    for heading, number, names in lists:
        for name in names:
            yield "%s %d %s" % (heading, number, name)
            number += 1


def catalog_hash(
    messages: "Iterable[tuple[int, str, str, str, tuple[str, ...]]]" = MESSAGES,
    lists: "Iterable[tuple[str, int, Iterable[str]]]" = LISTS,
) -> int:
    """Return the hash of a message table and of lists of numbers: 32 bits that change with every row of either."""
    found = 0
    end = ""
    for line in catalog_lines(messages, lists):
        found = binascii.crc32((end + line).encode(), found)
        end = "\n"
    return found & 0xFFFFFFFF


CATALOG_HASH = catalog_hash()
if sys.implementation.name == "micropython":
    LISTS.clear()  # their memory: a board needs no name of a number again
