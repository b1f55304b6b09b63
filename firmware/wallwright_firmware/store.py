"""What must survive power loss: one record, in two slots of the board's memory that are written in turns.

A write may be cut at any byte, and its slot then holds rubbish; the other slot still holds the record before it. Of two
good records the newer one counts. The app writes a record before the motion that would make the one before it untrue,
and never while a motor runs; so what is stored is what was so when everything stood still for the last time. Counters
go along with a record that is written anyway; alone they are no reason to write one.

A record is the head, the state, the settings, the counters (`counters.LAYOUT`) and the CRC-32 of all before it; head
and state are rows as those of the message table. Integers are little endian.

A record with fewer or more settings or kinds of faults is read too, and one of an older release: up to version 7 no
walls were unchecked; up to version 6 it ended with how long walls were washed, and did not say how they came about; up
to version 5 the state ended with the pot, for nothing was washed; up to version 4 there were two dice, and it ended
with the plan mode; version 3 counted 40 kinds and did not say so; version 2 had eight settings and no byte that says
so; version 1 ended before them, with a byte that was 1 when the host held builds. The next write is of the layout
above.
"""

import struct
from binascii import crc32

from wallwright_protocol.codec import Layout
from wallwright_protocol.codes import (
    AS_SET,
    CARRIERS_EMPTY,
    CARRIERS_HELD,
    CARRIERS_PART,
    CARRIERS_UNCHECKED,
    CARRIERS_UNKNOWN,
    CARRIERS_WHOLE,
    HELD,
    ORDINARY_WALL,
    TURNED,
)
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import SIDES

from . import counters, settings
from .hal import Hal
from .memory import WHOLE, plan_is_possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .build import Build
    from .memory import Memory

_HEAD_FIELDS = const(
    (
        "magic",  # "WW"
        "version",  # of this layout
        "generation",  # one more with every write, modulo 2**32
        "settings",  # how many there are; 2 bytes each
        "kinds",  # of faults that are counted
    )
)
_STATE_FIELDS = const(
    (
        "boots",  # how often the board was started
        "builds",  # how many walls were built whole
        "set_above",
        "carriers",  # what they hold, a number of that list of codes.py
        "plan[4]",  # of the walls in the carriers; 0 when they are empty or unknown, as the next three
        "stacks[4]",  # in the carriers
        "in_head[4]",  # tiles in the stacking heads
        "blocked[4]",  # the fault that blocks the lane
        "deal",  # how many walls went up, modulo 65,536
        "dealer",
        "dice[3]",  # of this deal, that had the lifts lowered; 0 before, and for each that was not thrown
        "next_plan[4]",  # for the next build
        "plan_dealer",  # whom that plan is for
        "plan_mode",  # what becomes of that plan
        "east",  # as a host has told it last, and the next three
        "round_wind",
        "deal_kind",
        "pot",  # in chips
        "plan_wash",  # how long that plan wants a set mixed before, in s, or AS_SET
        "washed_s",  # how long the tiles of the walls in the carriers were mixed
        "wall_mode",  # of the walls in the carriers, or of those that are up
        "fills",  # 1 until the first build of this table: a set is pushed in, though no walls are below
        "drawn[4]",  # dealer and dice that were drawn with the prescribed walls that are up; 0 with all others
    )
)
_HEAD = const((0, "head", "record", "<2sBIBB", _HEAD_FIELDS))
_STATE = const((0, "state", "record", "<IIBB4B4B4B4BHB3B4BBBBBBHBBBB4B", _STATE_FIELDS))
HEAD = Layout(_HEAD)
STATE = Layout(_STATE)
"""Fields of four are by side."""

SLOTS = 2
MAGIC = b"WW"
VERSION = 8
HEAD_BYTES = HEAD.size
STATE_BYTES = STATE.size
LASTING_BYTES = STATE_BYTES + settings.BYTES
"""What a record is written for; the counters follow."""
FIELDS_BYTES = LASTING_BYTES + counters.BYTES
RECORD_BYTES = HEAD_BYTES + FIELDS_BYTES + 4
OLD_HEAD_BYTES = (0, 7, 7, 8)
OLD_SETTINGS = 8
OLD_KINDS = 40
"""Of the versions before 4: the first two do not say how many settings they have, none how many kinds of faults it
counts."""
OLD_STATE_BYTES = 37
_VERSION_OF_THREE_DICE = const(5)
OLD_DICE_END = 31
"""Of the versions before 5: bytes of the state, and those of it up to the two dice and with them."""
TOLD_BYTES = 5
"""What follows the plan mode since version 5."""
UNWASHED = bytes([AS_SET, 0])
"""What follows that since version 6, as it was before."""
UNDRAWN = bytes([ORDINARY_WALL, 1, 0, 0, 0, 0])
"""What follows that since version 7, as it was before."""
_VERSION_WITH_WASH = const(6)
_VERSION_WITH_DRAWN = const(7)
MODE_AT = STATE_BYTES - len(UNDRAWN) - len(UNWASHED) - TOLD_BYTES - 1
KNOWN = (CARRIERS_PART, CARRIERS_HELD) + WHOLE
"""What the carriers hold when their walls are stored too."""
HALF = 0x80000000
"""A generation is newer than those up to this many before it, wrapped round included."""


class Store:
    """The two slots of `hal`."""

    def __init__(self, hal: Hal) -> None:
        self._hal = hal
        self._slot = SLOTS - 1
        self._generation = 0
        self._kept = b""

    def load(self) -> "bytes | None":
        """Return the fields stored last; b"" on a board that has never stored any, None when none can be read.

        A slot with rubbish beside an empty one is a first write that was cut: nothing had been stored before.
        """
        written = 0
        newest = b""
        for slot in range(SLOTS):
            record = self._hal.load(slot)
            if record:
                written += 1
            fields = fields_of(record)
            if fields:
                generation = HEAD.unpack(record[:HEAD_BYTES])[2]  # in every version
                if not newest or 0 < (generation - self._generation) & 0xFFFFFFFF < HALF:
                    self._slot = slot
                    self._generation = generation
                    newest = fields
        self._kept = newest[:LASTING_BYTES]
        return None if written == SLOTS and not newest else newest

    def record(self, fields: bytes) -> bytes:
        """Return the record that would be stored now."""
        record = (
            HEAD.pack(MAGIC, VERSION, (self._generation + 1) & 0xFFFFFFFF, len(settings.ROWS), counters.KINDS) + fields
        )
        return record + struct.pack("<I", crc32(record) & 0xFFFFFFFF)

    def differs(self, lasting: bytes) -> bool:
        """Say whether `lasting`, the fields without the counters, is not what was stored last."""
        return lasting != self._kept

    def save(self, fields: bytes) -> bool:
        """Store `fields`; False when the board could not."""
        return self.write(self.record(fields))

    def write(self, record: bytes) -> bool:
        """Put a record into the slot that does not hold the newest one; False when the board could not."""
        slot = (self._slot + 1) % SLOTS
        if not self._hal.save(slot, record):
            return False
        self._slot = slot
        self._generation = (self._generation + 1) & 0xFFFFFFFF
        self._kept = record[HEAD_BYTES : HEAD_BYTES + LASTING_BYTES]
        return True


def held(memory: "Memory", build: "Build") -> int:
    """Return what will be known of the carriers if the power fails now, a number of that list."""
    if build.running or memory.walls_unknown or memory.are_above():
        return CARRIERS_UNKNOWN
    if memory.whole:
        return CARRIERS_UNCHECKED if build.unchecked else CARRIERS_WHOLE
    if build.partial:
        return CARRIERS_HELD if build.held else CARRIERS_PART
    return CARRIERS_EMPTY


def collect(memory: "Memory", build: "Build", stored_settings: bytes) -> bytes:
    """Return the fields of a record of all that is so now, without the counters."""
    carriers = held(memory, build)
    walls: "tuple[int, ...]" = (0,) * 4 * SIDES
    if carriers in KNOWN:
        lanes = build.lanes
        walls = build.plan + build.stacks()
        walls += tuple([lane.in_head for lane in lanes]) + tuple([lane.fault for lane in lanes])
    state = STATE.pack(
        memory.boots,
        memory.builds,
        memory.above(),
        carriers,
        *walls,
        memory.deal,
        memory.dealer,
        *memory.dice,
        *memory.plan,
        memory.plan_dealer,
        memory.plan_mode,
        *memory.told,
        memory.plan_wash_s,
        memory.washed_s if carriers in KNOWN else 0,
        memory.wall_mode,
        1 if memory.fills else 0,
        *memory.drawn,
    )
    return state + stored_settings


def restore(fields: bytes, memory: "Memory", build: "Build", is_lid_open: bool, can_sort: bool) -> bool:
    """Set where everything is; False when the walls do not fit the size of a set, and none of them is set."""
    state = state_of(fields)
    carriers = state["carriers"]
    known = carriers in KNOWN
    if not plan_is_possible(state["next_plan"], build.tiles):
        return False
    if known and not plan_is_possible(state["plan"], build.tiles):
        return False
    is_below = False
    if known and state["wall_mode"] != ORDINARY_WALL:
        # The lid itself says whether the other set may be in the drum: it is open a while before that is stored.
        is_below = carriers in WHOLE and is_lid_open
        carriers = CARRIERS_UNKNOWN
    memory.restore(state, carriers, is_below, can_sort)
    if carriers != CARRIERS_UNKNOWN:
        is_held = carriers == CARRIERS_HELD
        is_partial = is_held or carriers == CARRIERS_PART
        counts = (state["plan"], state["stacks"], state["in_head"], state["blocked"])
        build.restore(*counts, is_partial, is_held, carriers == CARRIERS_UNCHECKED)
    return True


def fields_of(record: bytes) -> bytes:
    """Return the fields of a good record of any released layout, as the present one has them; b"" otherwise."""
    if len(record) < OLD_HEAD_BYTES[1] + OLD_STATE_BYTES or record[:2] != MAGIC or not 0 < record[2] <= VERSION:
        return b""
    if crc32(record[:-4]) & 0xFFFFFFFF != int.from_bytes(record[-4:], "little"):
        return b""
    version = record[2]
    head = OLD_HEAD_BYTES[version] if version < len(OLD_HEAD_BYTES) else HEAD_BYTES
    settings_at = head + STATE_BYTES
    if version < _VERSION_OF_THREE_DICE:
        settings_at = head + OLD_STATE_BYTES
    elif version < _VERSION_WITH_DRAWN:
        settings_at -= len(UNDRAWN) + (len(UNWASHED) if version < _VERSION_WITH_WASH else 0)
    fields = record[head:settings_at]
    if version < _VERSION_OF_THREE_DICE:
        fields = fields[:OLD_DICE_END] + b"\0" + fields[OLD_DICE_END:] + bytes(TOLD_BYTES)
    if version < _VERSION_WITH_WASH:
        fields += UNWASHED
    if version < _VERSION_WITH_DRAWN:
        fields += UNDRAWN
    if version == 1:
        # Its last byte said whether the host holds builds; there were neither settings nor counters.
        if len(record) != settings_at + 4:
            return b""
        mode = HELD if fields[MODE_AT] == 1 else TURNED
        fields = fields[:MODE_AT] + bytes([mode]) + fields[MODE_AT + 1 :]
        return fields + settings.pack(settings.defaults()) + bytes(counters.BYTES)
    count = OLD_SETTINGS if version == 2 else record[OLD_HEAD_BYTES[-1] - 1]
    kinds = OLD_KINDS if version < len(OLD_HEAD_BYTES) else record[HEAD_BYTES - 1]
    counters_at = settings_at + 2 * count
    if len(record) != counters_at + counters.bytes_of(kinds) + 4:
        return b""
    kept = record[settings_at:counters_at]
    if count != len(settings.ROWS):
        kept = settings.pack(settings.unpack(kept))
    return fields + kept + counters.fitted(record[counters_at:-4])


def state_of(fields: bytes) -> "dict[str, Any]":
    """Return the fields of the state by name."""
    return STATE.unpack_named(fields[:STATE_BYTES])


def settings_of(fields: bytes) -> bytes:
    """Return the settings as they are stored."""
    return fields[STATE_BYTES:LASTING_BYTES]


def counters_of(fields: bytes) -> bytes:
    """Return the counters as they are stored."""
    return fields[LASTING_BYTES:]
