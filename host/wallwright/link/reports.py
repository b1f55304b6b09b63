"""What a table reports, as frozen values with names instead of the wire's numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, REPLIES, CodecError, Layout
from wallwright_protocol.hardware import CARRIER_STACKS, MOST_DICE, READERS, SET_SIZES, SETS, SIDES
from wallwright_protocol.names import WALL_MODES

from ..errors import BadMessage
from .numbers import KNOWN, NOWHERE, name_of

FIRST_DATE_MS = 100_000_000_000
"""Times below are those of simulated tables, ms since power-up; above, ms since 1970, and this is 1973."""

KINDS = (
    *("state", "refusal", "fault", "key", "source", "carriers", "plan_mode", "wall_mode", "purpose", "deal_kind"),
    *("input", "drive", "lamp", "jog_end", "seal_loss", "message"),
)
"""Fields that carry a number with a name."""
ORDINARY = WALL_MODES[codes.ORDINARY_WALL]
UNREADABLE = "unreadable"
"""The name of an event whose message is known and whose length or numbers cannot be."""
WALL_SHOWN = "wall_part"
"""The event that shows a wall after its deal: its tags are in `Event.secret` and in the journal, nowhere else. At other
tables the same wall may have to be played yet."""
SECRET_EVENTS = frozenset(("tag_appeared", "tag_left", "tag_moved"))
"""Events that tell which tile is where; before the end of its deal nobody may see that."""
SEALED = "tag_sealed"
"""What stands for each of them wherever it is written down or shown before that."""
_TEXTS = ("module", "error")
"""Fields of bytes that carry text."""
_PLACES = ("side", "seat", "fault_side")
"""Fields that carry 0 to 3, or NO_SIDE."""
_PARTS = ("drive", "input", "output")
"""Fields that carry the number of a part, or NOWHERE."""
_DRIVES = ("drives", "sensed")
"""Fields that carry a mask of drives."""
_HASHES = ("wiring",)
"""Fields that carry a hash of 32 bits."""
_NOWHERE = ("fault_side", "fault.side", "notice.side")
"""Those of them that may be NO_SIDE."""
_MOST_TILES = SETS * SET_SIZES[-1]
_RANGES: Mapping[str, tuple[int, int]] = {
    "side": (0, SIDES - 1),
    "fault_side": (0, SIDES - 1),
    "seat": (0, SIDES - 1),
    "dealer": (0, SIDES - 1),
    "east": (0, SIDES - 1),
    "round_wind": (0, SIDES - 1),
    "dice_count": (1, MOST_DICE),
    "wash_s": (0, codes.MOST_WASH_S),
    "match": (0, 1),
    "set_above": (0, SETS - 1),
    "tile_set": (0, SETS - 1),
    "set_whole": (0, 1),
    "sides_out": (0, (1 << SIDES) - 1),
    "contributed": (0, 1),
    "level": (0, 1),
    "plan": (0, CARRIER_STACKS),
    "stacks": (0, CARRIER_STACKS),
    "loose_tiles": (0, _MOST_TILES),
    "found": (0, _MOST_TILES),
    "wanted": (0, _MOST_TILES),
    "tiles": (0, _MOST_TILES),
    "unread": (0, _MOST_TILES),
    "first": (0, _MOST_TILES),
    "dice": (1, 6),
    "reader": (0, READERS - 1),
    "from": (0, READERS - 1),
    "to": (0, READERS - 1),
}
"""Lowest and highest value of fields that count or place something; SPEC.md section 8."""


@dataclass(frozen=True, slots=True)
class Info:
    """Which table this is: the board's name, its firmware's version, the number of tiles in a set, the sets."""

    unit: str
    firmware: str
    tiles: int
    sets: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at the table.

    `seq` counts within the board's `boot_id`; `time_ms` is the board's uptime. `fields` are those of the message table
    with names for numbers and None for no side. `lost` events before this one had to make room in the board's memory.

    Of SECRET_EVENTS the fields are in `secret` and `fields` is empty, so that no list, page, log or text form shows
    them by itself: only what has to follow the deal asks for `secret`. Of WALL_SHOWN the tags are there.
    """

    seq: int
    boot_id: int
    time_ms: int
    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    lost: int = 0
    secret: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def is_secret(self) -> bool:
        """Whether nobody is to hear of it but who has to follow the deal."""
        return self.name in SECRET_EVENTS or bool(self.secret and not self.fields)


@dataclass(frozen=True, slots=True)
class Status:
    """All that is so at the table now. Tuples of four are by side.

    `set_above` is the set in play, 0 or 1; `set_whole` says that the other one is built and waits below. `plan` and
    `stacks` are stacks wanted and standing in the carriers, `loose_tiles` those in the stacking heads. `inputs`,
    `drives` and `lamps` name what is on. `deal` counts the walls that went up. `east`, `round_wind` (0 east to 3
    north), `deal_kind` and `pot` (chips) are what a host has told of it. `tiles` are in a set, `dice_count` dice are
    thrown at once, and the dice keys throw for `purpose`. `dice` is the last roll, one to three dice, or None.
    `wiring` is the hash of the map of the wires, None while nothing is connected. `wall_mode` says whether the walls
    that are built or stand below were prescribed; `unchecked` that the table has not yet seen whether a tile is left
    over in the drum below them. `sides_out` are the sides that build no wall.
    """

    state: str
    fault: str | None
    fault_side: int | None
    set_above: int
    set_whole: bool
    plan: tuple[int, int, int, int]
    stacks: tuple[int, int, int, int]
    loose_tiles: tuple[int, int, int, int]
    inputs: tuple[str, ...]
    drives: tuple[str, ...]
    lamps: tuple[str, ...]
    deal: int
    dealer: int
    east: int
    round_wind: int
    deal_kind: str
    pot: int
    tiles: int
    dice_count: int
    purpose: str
    dice: tuple[int, ...] | None
    uptime_ms: int
    stored_event: int
    newest_event: int
    wiring: str | None
    frame_errors: int
    wall_mode: str = ORDINARY
    unchecked: bool = False
    sides_out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Strange:
    """What the board should not have said, as a sentence: a number without a name, a status that cannot be."""

    text: str


def read_info(payload: bytes) -> Info:
    """Read the reply to get_info. Raises BadMessage."""
    values = _reply("get_info", payload)
    unit = unit_name(values["unit"])
    if not unit:
        raise BadMessage("get_info", payload, "it names no unit")
    return Info(
        unit=unit,
        firmware=".".join(str(part) for part in values["firmware"]),
        tiles=values["tiles"],
        sets=values["sets"],
    )


def read_status(payload: bytes) -> Status:
    """Read a status message, or the reply to get_status, which is the same. Raises BadMessage."""
    values = _reply("get_status", payload)
    values.update(
        {
            "state": name_of("state", values["state"]),
            "fault": name_of("fault", values["fault"]) if values["fault"] else None,
            "fault_side": _place(values["fault_side"]),
            "set_whole": bool(values["set_whole"]),
            "unchecked": bool(values["unchecked"]),
            "sides_out": _sides(values["sides_out"]),
            "inputs": _bits("input", int.from_bytes(values["inputs"], "little")),
            "drives": _bits("drive", values["drives"]),
            "lamps": _bits("lamp", values["lamps"]),
            "deal_kind": name_of("deal_kind", values["deal_kind"]),
            "purpose": name_of("purpose", values["purpose"]),
            "wall_mode": name_of("wall_mode", values["wall_mode"]),
            "dice": _thrown(values["dice"]) or None,
            "wiring": _hash(values["wiring"]) if values["wiring"] else None,
        }
    )
    return Status(**values)


def read_dice(payload: bytes) -> tuple[int, ...]:
    """Read the reply to roll_dice: one to three dice. Raises BadMessage."""
    return _thrown(_reply("roll_dice", payload)["dice"])


def read_inputs(payload: bytes) -> dict[str, Any]:
    """Read the reply to get_inputs: names of what is on, the last changes as they came. Raises BadMessage."""
    values = _reply("get_inputs", payload)
    values["inputs"] = _bits("input", int.from_bytes(values["inputs"], "little"))
    values["drives"] = _bits("drive", values["drives"])
    values["lamps"] = _bits("lamp", values["lamps"])
    return values


def read_event(boot_id: int, seq: int, lost: int, time_ms: int, message: int, payload: bytes) -> Event:
    """Read an event. One that cannot be read keeps its bytes, so that it can be kept and looked at."""
    layout = EVENTS.get(message)
    if layout is None:
        return Event(seq, boot_id, time_ms, f"event {message}", {"payload": payload.hex()}, lost)
    if len(payload) != layout.size:
        return unreadable(boot_id, seq, lost, time_ms, layout, payload)
    values = layout.unpack_named(payload)
    why = _impossible(layout, values)
    if why:
        return unreadable(boot_id, seq, lost, time_ms, layout, payload, why)
    fields = decode_fields(values)
    if layout.name in SECRET_EVENTS:
        return Event(seq, boot_id, time_ms, layout.name, {}, lost, fields)
    secret = {"tags": fields.pop("tags")} if layout.name == WALL_SHOWN else {}
    return Event(seq, boot_id, time_ms, layout.name, fields, lost, secret)


def unknown_event(boot_id: int, seq: int, lost: int, time_ms: int, layout: Layout, payload: bytes) -> Event:
    """Read an event that only the board's dictionary has, by its layout there. One with a tag is secret."""
    fields = decode_fields(layout.unpack_named(payload))
    name = f"event {layout.name}" if layout.name in (UNREADABLE, SEALED) else layout.name
    if "tag" in fields or "tags" in fields:
        return Event(seq, boot_id, time_ms, name, {}, lost, fields)
    return Event(seq, boot_id, time_ms, name, fields, lost)


def unreadable(boot_id: int, seq: int, lost: int, time_ms: int, layout: Layout, payload: bytes, why: str = "") -> Event:
    """Return an event in place of one whose length or numbers cannot be. Bytes with a tag are secret."""
    if "tag" in layout.fields or "tags" in layout.fields:
        return Event(seq, boot_id, time_ms, UNREADABLE, {"message": SEALED}, lost, {"payload": payload.hex()})
    told = {"message": layout.name, "why": why or f"{len(payload)} bytes", "payload": payload.hex()}
    return Event(seq, boot_id, time_ms, UNREADABLE, told, lost)


def unknown_in(said: "Event | Status") -> tuple[str, ...]:
    """Return the numbers in what a table said that this program has no name for: `state 200`, `input 47`."""
    if isinstance(said, Event):
        if said.name == UNREADABLE or said.name not in EVENT_NAMES:
            return (said.name,)
        named = [(kind, said.fields[kind]) for kind in KINDS if kind in said.fields]
    else:
        words = (said.state, said.fault, said.deal_kind, said.purpose, said.wall_mode)
        return _unknown_of_status(words, said.inputs, said.drives, said.lamps)
    return _unknown(named)


@lru_cache(maxsize=1 << 12)
def _unknown_of_status(words: tuple[str | None, ...], *on: tuple[str, ...]) -> tuple[str, ...]:
    named = list(zip(("state", "fault", "deal_kind", "purpose", "wall_mode"), words, strict=True))
    for kind, names in zip(("input", "drive", "lamp"), on, strict=True):
        named += [(kind, name) for name in names]
    return _unknown(named)


def _unknown(named: Iterable[tuple[str, str | None]]) -> tuple[str, ...]:
    return tuple(name for kind, name in named if name is not None and name not in KNOWN[kind])


def _sides(bits: int) -> tuple[int, ...]:
    return tuple(side for side in range(SIDES) if bits >> side & 1)


def unit_name(field: Any) -> str:
    """Return a name or another text of the board from the bytes that carry it, with `harmless` characters only."""
    return harmless(bytes(field).rstrip(b"\0").decode("latin-1"))


def harmless(text: str) -> str:
    """Return a text of a board with all but printable ASCII, and the backslash, written as `\\x1b`."""
    return "".join(
        letter if " " <= letter <= "~" and letter != "\\" else letter.encode("unicode_escape").decode()
        for letter in text
    )


def decode_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Put names for numbers, None for no side or seat, and hexadecimal digits for bytes."""
    return {
        name: _place(value)
        if name in _PLACES
        else None
        if name in _PARTS and value == NOWHERE
        else _bits("drive", value)
        if name in _DRIVES
        else name_of(name, value)
        if name in KINDS and isinstance(value, int)
        else unit_name(value)
        if name in _TEXTS
        else _hash(value)
        if name in _HASHES
        else _thrown(value)
        if name == "dice"
        else _sides(value)
        if name == "sides_out"
        else _text(value)
        for name, value in values.items()
    }


EVENT_NAMES = tuple(layout.name for layout in EVENTS.values())
_REPLY = {layout.name: layout for layout in REPLIES.values()}


def _reply(name: str, payload: bytes) -> dict[str, Any]:
    layout = _REPLY[name]
    try:
        values = layout.unpack_named(payload)
    except CodecError as error:
        raise BadMessage(name, payload) from error
    why = _impossible(layout, values)
    if why:
        raise BadMessage(name, payload, why)
    return values


@cache
def _limits(layout: Layout) -> tuple[tuple[str, int, int, bool], ...]:
    """Return the fields that have a range, with its ends, and whether they may be NO_SIDE."""
    names = dict.fromkeys(field.partition("[")[0] for field in layout.fields)
    return tuple(
        (name, *_RANGES[name], name in _NOWHERE or f"{layout.name}.{name}" in _NOWHERE)
        for name in names
        if name in _RANGES
    )


def _impossible(layout: Layout, values: Mapping[str, Any]) -> str:
    """Return the first of the values of a payload that cannot be, as `dice 99`, or nothing."""
    for name, least, most, may_be_nowhere in _limits(layout):
        value = values[name]
        if name == "dice":
            # In a status there may have been no roll yet.
            value = _thrown(value) or (() if layout.name in ("status", "get_status") else value)
        for one in value if isinstance(value, tuple) else (value,):
            if not least <= one <= most and not (may_be_nowhere and one == codes.NO_SIDE):
                return f"{name.replace('_', ' ')} {one}"
    return ""


def _thrown(dice: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dice without those that were not thrown, zeros behind the others."""
    return dice[: max((place for place, die in enumerate(dice, 1) if die), default=0)]


def _place(value: int) -> int | None:
    return None if value == codes.NO_SIDE else value


def _hash(value: int) -> str:
    return f"{value:08x}"


def _text(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


@lru_cache(maxsize=1 << 12)
def _bits(kind: str, mask: int) -> tuple[str, ...]:
    return tuple(name_of(kind, bit) for bit in range(mask.bit_length()) if mask >> bit & 1)


def event_record(event: Event) -> dict[str, Any]:
    """Return an event as plain values, its fields beside its name."""
    record = {"event": event.name, "seq": event.seq, "boot_id": event.boot_id, "time_ms": event.time_ms}
    return record | dict(event.fields) | ({"lost": event.lost} if event.lost else {})
