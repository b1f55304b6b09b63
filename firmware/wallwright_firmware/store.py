"""What must survive power loss: one record, in two slots of the board's memory that are written in turns.

A write may be cut at any byte, and its slot then holds rubbish; the other slot still holds the record before it. Of two
good records the newer one counts. The app writes a record before the motion that would make the one before it untrue,
and never while a motor runs; so what is stored is what was so when everything stood still for the last time. Counters
go along with a record that is written anyway; alone they are no reason to write one.

A record has 252 bytes, integers little endian:

    offset  size  what
         0     2  "WW"
         2     1  the version of this layout, 2
         3     4  generation: one more with every write, modulo 2**32
         7     4  boots: how often the board was started
        11     4  builds: how many walls were built whole
        15     1  the set above, 0 or 1
        16     1  what the carriers hold, an index of codes.CARRIERS
        17     4  plan of the walls in the carriers, stacks a side; 0 when they are empty or unknown, as the next three
        21     4  stacks in the carriers, by side
        25     4  tiles in the stacking heads, by side
        29     4  the fault that blocks the lane, by side
        33     2  deals: how many walls went up, modulo 65,536
        35     1  dealer
        36     2  the dice of this deal that had the lifts lowered; 0 before
        38     4  plan for the next build, stacks a side
        42     1  the dealer whom that plan is for
        43     1  1 when the host holds builds until it starts them
        44    16  the settings, 2 bytes each
        60     4  the builds at the last clearing of the counters
        64     8  jams since then, by side, 2 bytes each
        72    80  how often each fault was told since then, by its number, 2 bytes each
       152    96  the tenths of a second that each drive has run, 4 bytes each
       248     4  CRC-32 of all before it
"""

import struct
from binascii import crc32

from wallwright_protocol.codes import CARRIERS_EMPTY, CARRIERS_PART, CARRIERS_UNKNOWN, CARRIERS_WHOLE

from . import counters, settings
from .build import Build, plan_is_possible
from .hal import SIDES, Hal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App
    from .cycle import Cycle

SLOTS = 2
HEAD = "<2sBI"
HEAD_BYTES = 7
MAGIC = b"WW"
VERSION = 2
STATE = "<IIBB4B4B4B4BHB2B4BBB"
STATE_BYTES = 37
LASTING_BYTES = STATE_BYTES + settings.BYTES
"""What a record is written for; the counters follow."""
FIELDS_BYTES = LASTING_BYTES + counters.BYTES
RECORD_BYTES = HEAD_BYTES + FIELDS_BYTES + 4
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
            fields = _fields(record)
            if fields:
                generation = struct.unpack(HEAD, record[:HEAD_BYTES])[2]
                if not newest or 0 < (generation - self._generation) & 0xFFFFFFFF < HALF:
                    self._slot = slot
                    self._generation = generation
                    newest = fields
        self._kept = newest[:LASTING_BYTES]
        return None if written == SLOTS and not newest else newest

    def differs(self, lasting: bytes) -> bool:
        """Say whether `lasting`, the fields without the counters, is not what was stored last."""
        return lasting != self._kept

    def save(self, fields: bytes) -> bool:
        """Store `fields` in the slot that does not hold the newest record; False when the board could not."""
        slot = (self._slot + 1) % SLOTS
        generation = (self._generation + 1) & 0xFFFFFFFF
        record = struct.pack(HEAD, MAGIC, VERSION, generation) + fields
        if not self._hal.save(slot, record + struct.pack("<I", crc32(record) & 0xFFFFFFFF)):
            return False
        self._slot = slot
        self._generation = generation
        self._kept = fields[:LASTING_BYTES]
        return True


def held(cycle: "Cycle", build: Build) -> int:
    """Return what will be known of the carriers if the power fails now, an index of codes.CARRIERS."""
    if build.running or cycle.walls_unknown:
        return CARRIERS_UNKNOWN
    if cycle.whole:
        return CARRIERS_WHOLE
    return CARRIERS_PART if build.partial else CARRIERS_EMPTY


def collect(app: "App") -> bytes:
    """Return the fields of a record of all that is so now, without the counters."""
    cycle = app.cycle
    build = app.build
    carriers = held(cycle, build)
    walls: "tuple[int, ...]" = (0,) * 4 * SIDES
    if carriers in (CARRIERS_PART, CARRIERS_WHOLE):
        lanes = build.lanes
        walls = build.plan + build.stacks()
        walls += tuple([lane.in_head for lane in lanes]) + tuple([lane.fault for lane in lanes])
    state = struct.pack(
        STATE,
        cycle.boots,
        cycle.builds,
        cycle.set_above,
        carriers,
        *walls,
        cycle.deal,
        cycle.dealer,
        *cycle.dice,
        *cycle.plan,
        cycle.plan_dealer,
        1 if cycle.hold else 0,
    )
    return state + app.stored_settings


def restore(fields: bytes, app: "App") -> bool:
    """Set all that is stored; False when the walls do not fit the set of tiles of this table, and none of them is set.

    Settings and counters are of the machine, whatever its tiles.
    """
    cycle = app.cycle
    build = app.build
    settings.unpack_into(app.settings, fields[STATE_BYTES:LASTING_BYTES])
    app.stored_settings = settings.pack(app.settings)
    app.counters.data[:] = fields[LASTING_BYTES:]
    values = struct.unpack(STATE, fields[:STATE_BYTES])
    boots, builds, set_above, carriers = values[:4]
    wall_plan = values[4:8]
    plan = values[24:28]
    known = carriers in (CARRIERS_PART, CARRIERS_WHOLE)
    if not plan_is_possible(plan, build.tiles) or (known and not plan_is_possible(wall_plan, build.tiles)):
        return False
    cycle.boots = boots
    cycle.builds = builds
    cycle.set_above = set_above
    cycle.whole = carriers == CARRIERS_WHOLE
    cycle.walls_unknown = carriers == CARRIERS_UNKNOWN
    cycle.deal = values[20]
    cycle.dealer = values[21]
    cycle.dice = values[22:24]
    cycle.plan = plan
    cycle.plan_dealer = values[28]
    cycle.hold = values[29] == 1
    build.restore(wall_plan, values[8:12], values[12:16], values[16:20], carriers == CARRIERS_PART)
    return True


def _fields(record: bytes) -> bytes:
    """Return the fields of a good record, b"" otherwise."""
    if len(record) != RECORD_BYTES or record[:3] != MAGIC + bytes([VERSION]):
        return b""
    if crc32(record[:-4]) & 0xFFFFFFFF != int.from_bytes(record[-4:], "little"):
        return b""
    return record[HEAD_BYTES:-4]
