"""What must survive power loss: one record, in two slots of the board's memory that are written in turns.

A write may be cut at any byte, and its slot then holds rubbish; the other slot still holds the record before it. Of two
good records the newer one counts. The app writes a record before the motion that would make the one before it untrue,
and never while a motor runs; so what is stored is what was so when everything stood still for the last time. Counters
go along with a record that is written anyway; alone they are no reason to write one.

A record is the head, the state, the settings, the counters (`counters.LAYOUT`), the keys of settings, faults and drives
(`lists.key_of` their names, 16 bits each) in the order of their values there, and the CRC-32 of all before it; head
and state are rows as those of the message table. Integers are little endian. Of the faults a record has "none", those
that were told and those that block a lane, and no others: littlefs keeps a file of up to 512 bytes beside its name, and
takes a sector for a larger one, which has to be erased before every write.

So a release that has other settings, faults or drives, or numbers them in another way, finds by its name whatever it
has itself; of a setting that was not stored it takes the usual value, and what it does not know it leaves. Other lists
of `codes.py` are stored by number: theirs stay. `old_records.py` reads the layouts before this one; the next write is
of this layout.
"""

import struct
from binascii import crc32

from wallwright_protocol.codec import Layout
from wallwright_protocol.codes import (
    CARRIERS_EMPTY,
    CARRIERS_HELD,
    CARRIERS_PART,
    CARRIERS_UNCHECKED,
    CARRIERS_UNKNOWN,
    CARRIERS_WHOLE,
    FAULT_KEYS,
    FAULTS,
    NO_FAULT,
    ORDINARY_WALL,
)
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import DRIVE_KEYS, DRIVES, SIDES
from wallwright_protocol.settings import KEYS as SETTING_KEYS
from wallwright_protocol.settings import SETTINGS

from . import counters, settings
from .counters import RAN_AT, TOLD_AT
from .hal import Hal
from .memory import WHOLE, plan_is_possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any

    from .build import Build
    from .counters import Counters
    from .memory import Memory

_HEAD_FIELDS = const(
    (
        "magic",  # "WW"
        "version",  # of this layout
        "generation",  # one more with every write, modulo 2**32
        "settings",  # how many there are
        "faults",
        "drives",
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
        "blocked[4]",  # the fault that blocks the lane, by its place among the faults of this record
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
_HEAD = const((0, "head", "record", "<2sBIBBB", _HEAD_FIELDS))
_STATE = const((0, "state", "record", "<IIBB4B4B4B4BHB3B4BBBBBBHBBBB4B", _STATE_FIELDS))
HEAD = Layout(_HEAD)
STATE = Layout(_STATE)
"""Fields of four are by side."""

SLOTS = 2
MAGIC = b"WW"
VERSION = 9
HEAD_BYTES = HEAD.size
STATE_BYTES = STATE.size
LASTING_BYTES = STATE_BYTES + settings.BYTES
"""What a record is written for; the counters follow."""
FIELDS_BYTES = LASTING_BYTES + counters.BYTES
LEAST_BYTES = HEAD_BYTES + LASTING_BYTES + counters.BYTES - 2 * FAULTS + 2 * (SETTINGS + DRIVES) + 8
"""A record in which no fault was told; each that was takes four bytes more."""
_LEAST_BYTES = const(11)
"""Magic, version, generation and CRC, which every version has."""
_NOWHERE = const(-1)
_BLOCKED_AT = const(22)
"""Offset of `blocked` in the state."""
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
                generation = struct.unpack_from("<I", record, len(MAGIC) + 1)[0]  # in every version
                if not newest or 0 < (generation - self._generation) & 0xFFFFFFFF < HALF:
                    self._slot = slot
                    self._generation = generation
                    newest = fields
        self._kept = newest[:LASTING_BYTES]
        return None if written == SLOTS and not newest else newest

    def record(self, lasting: bytes, counted: "Counters") -> bytes:
        """Return the record that would be stored now."""
        generation = (self._generation + 1) & 0xFFFFFFFF
        kinds = list(counted.kinds)
        places = bytearray(SIDES)
        for side in range(SIDES):
            fault = lasting[_BLOCKED_AT + side]
            if fault != NO_FAULT:
                if fault not in kinds:
                    kinds.append(fault)
                places[side] = 1 + kinds.index(fault)
        data = bytes(counted.data)
        told, keys = [data[TOLD_AT : TOLD_AT + 2]], [_key(NO_FAULT)]
        for fault in kinds:
            told.append(data[TOLD_AT + 2 * fault : TOLD_AT + 2 * fault + 2])
            keys.append(_key(fault))
        parts = [HEAD.pack(MAGIC, VERSION, generation, SETTINGS, len(keys), DRIVES), lasting[:_BLOCKED_AT]]
        parts += (
            [bytes(places), lasting[_BLOCKED_AT + SIDES :], data[:TOLD_AT]]
            + told
            + [data[RAN_AT:], bytes(SETTING_KEYS)]
        )
        record = b"".join(parts + keys) + bytes(DRIVE_KEYS)
        return record + struct.pack("<I", crc32(record) & 0xFFFFFFFF)

    def differs(self, lasting: bytes) -> bool:
        """Say whether `lasting`, the fields without the counters, is not what was stored last."""
        return lasting != self._kept

    def save(self, lasting: bytes, counted: "Counters") -> bool:
        """Store both; False when the board could not."""
        return self.write(self.record(lasting, counted), lasting)

    def write(self, record: bytes, lasting: bytes) -> bool:
        """Put a record of `lasting` into the slot that does not hold the newest one; False when the board could not."""
        slot = (self._slot + 1) % SLOTS
        if not self._hal.save(slot, record):
            return False
        self._slot = slot
        self._generation = (self._generation + 1) & 0xFFFFFFFF
        self._kept = lasting
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
    if not plan_is_possible(state["next_plan"], build.tiles, build.out):
        return False
    if known and not plan_is_possible(state["plan"], build.tiles, build.out):
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
    if len(record) < _LEAST_BYTES or record[:2] != MAGIC or not 0 < record[2] <= VERSION:
        return b""
    if crc32(record[:-4]) & 0xFFFFFFFF != int.from_bytes(record[-4:], "little"):
        return b""
    if record[2] < VERSION:
        from .old_records import parts_of  # an updated board alone has memory for it, once

        parts = parts_of(record)
        return by_name(*parts) if parts else b""
    if len(record) < HEAD_BYTES:
        return b""
    sizes = HEAD.unpack(record[:HEAD_BYTES])[3:]
    counted_at = HEAD_BYTES + STATE_BYTES + 2 * sizes[0]
    keys_at = counted_at + TOLD_AT + 2 * sizes[1] + 4 * sizes[2]
    if len(record) != keys_at + 2 * sum(sizes) + 4:
        return b""
    keys = record[keys_at:-4]
    if keys == _keys() and sizes == (SETTINGS, FAULTS, DRIVES):
        return record[HEAD_BYTES:keys_at]
    faults_at, drives_at = 2 * sizes[0], 2 * (sizes[0] + sizes[1])
    settings_at = HEAD_BYTES + STATE_BYTES
    return by_name(
        record[HEAD_BYTES:settings_at],
        record[settings_at:counted_at],
        record[counted_at:keys_at],
        (keys[:faults_at], keys[faults_at:drives_at], keys[drives_at:]),
    )


def by_name(state: bytes, adjusted: bytes, counted: bytes, keys: "tuple[bytes, bytes, bytes]") -> bytes:
    """Return the fields of a record with the numbers of this release: state, settings and counters as they were stored,
    with the keys of their settings, faults and drives. A fault that this release does not have blocks no lane."""
    found = bytearray(state)
    for at in range(_BLOCKED_AT, _BLOCKED_AT + SIDES):
        key = keys[1][2 * found[at] : 2 * found[at] + 2]
        found[at] = _number(key, FAULT_KEYS, NO_FAULT)
    values = bytearray(settings.pack(settings.defaults()))
    _move(adjusted, 2, keys[0], values, 0, SETTING_KEYS)
    counts = bytearray(counters.BYTES)
    counts[:TOLD_AT] = counted[:TOLD_AT]
    ran_at = TOLD_AT + len(keys[1])
    _move(counted[TOLD_AT:ran_at], 2, keys[1], counts, TOLD_AT, FAULT_KEYS)
    _move(counted[ran_at:], 4, keys[2], counts, RAN_AT, DRIVE_KEYS)
    return bytes(found + values + counts)


def _move(values: bytes, size: int, keys: bytes, into: bytearray, at: int, own: "array[int]") -> None:
    """Put each value of `size` bytes, by its key, where this release has the name; leave it if it has no such name."""
    for place in range(len(keys) // 2):
        number = _number(keys[2 * place : 2 * place + 2], own, _NOWHERE)
        if number != _NOWHERE:
            into[at + size * number : at + size * (number + 1)] = values[size * place : size * (place + 1)]


def _number(key: bytes, own: "array[int]", otherwise: int) -> int:
    wanted = int.from_bytes(key, "little") if key else -1
    for number in range(len(own)):
        if own[number] == wanted:
            return number
    return otherwise


def _key(fault: int) -> bytes:
    return struct.pack("<H", FAULT_KEYS[fault])


def _keys() -> bytes:
    return bytes(SETTING_KEYS) + bytes(FAULT_KEYS) + bytes(DRIVE_KEYS)


def state_of(fields: bytes) -> "dict[str, Any]":
    """Return the fields of the state by name."""
    return STATE.unpack_named(fields[:STATE_BYTES])


def settings_of(fields: bytes) -> bytes:
    """Return the settings as they are stored."""
    return fields[STATE_BYTES:LASTING_BYTES]


def counters_of(fields: bytes) -> bytes:
    """Return the counters as they are stored."""
    return fields[LASTING_BYTES:]
