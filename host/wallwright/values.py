"""What a table reports, as frozen values with names instead of the wire's numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, REPLIES, CodecError
from wallwright_protocol.messages import MESSAGES, REQUEST

from .errors import BadMessage

SIDES = 4

FIRST_DATE_MS = 100_000_000_000
"""Times below are those of simulated tables, ms since power-up; above, ms since 1970, and this is 1973."""

FAULT_NAMES = tuple(row[0] for row in codes.FAULTS)

_SIDE_INPUTS = (
    "belt_full",
    "count_eye",
    "head_home",
    "head_pushed",
    "lift_up",
    "lift_down",
    "lift_key",
    "dice_key",
    "referee_key",
)
_SIDE_DRIVES = ("conveyor", "conveyor_reverse", "head", "lift_raise", "lift_lower")
_SIDE_LAMPS = ("lift_lamp", "dice_lamp")

INPUTS = (
    *(f"{name}_{side}" for side in range(SIDES) for name in _SIDE_INPUTS),
    "lid_is_open",
    "lid_is_closed",
    "emergency_stop",
    "disc_vane",
    "ring_vane",
    *(f"claim_key_{seat}" for seat in range(SIDES)),
)
"""What the bits of a status' inputs mean, lowest first; `count_eye_2` is that of side 2."""
DRIVES = (
    "disc",
    "ring",
    *(f"{name}_{side}" for side in range(SIDES) for name in _SIDE_DRIVES),
    "lid_open",
    "lid_close",
)
"""Likewise for the drives."""
LAMPS = tuple(f"{name}_{side}" for side in range(SIDES) for name in _SIDE_LAMPS)
"""Likewise for the lamps."""

_REQUEST_NAMES = {row[0]: row[1] for row in MESSAGES if row[2] == REQUEST}
_NAMES: Mapping[str, Mapping[int, str]] = {
    "state": dict(enumerate(codes.STATES)),
    "fault": dict(enumerate(FAULT_NAMES)),
    "key": dict(enumerate(codes.KEYS)),
    "source": dict(enumerate(codes.SOURCES)),
    "carriers": dict(enumerate(codes.CARRIERS)),
    "drive": dict(enumerate(DRIVES)),
    "jog_end": dict(enumerate(codes.JOG_ENDS)),
    "seal_loss": dict(enumerate(codes.SEAL_LOSSES)),
    "message": _REQUEST_NAMES,
}
"""Fields that carry a number with a name."""
SECRET_EVENTS = frozenset(("tag_appeared", "tag_left", "tag_moved"))
"""Events that tell which tile is where; before the end of its deal nobody may see that."""
_PLACES = ("side", "seat", "fault_side")
"""Fields that carry 0 to 3, or NO_SIDE."""


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
    them by itself: only what has to follow the deal asks for `secret`.
    """

    seq: int
    boot_id: int
    time_ms: int
    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    lost: int = 0
    secret: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Status:
    """All that is so at the table now. Tuples of four are by side.

    `set_above` is the set in play, 0 or 1; `set_whole` says that the other one is built and waits below. `plan` and
    `stacks` are stacks wanted and standing in the carriers, `loose_tiles` those in the stacking heads. `inputs`,
    `drives` and `lamps` name what is on. `deal` counts the walls that went up. `dice` is the last roll, or None.
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
    dice: tuple[int, int] | None
    uptime_ms: int
    stored_event: int
    newest_event: int
    frame_errors: int


def read_info(payload: bytes) -> Info:
    """Read the reply to get_info."""
    values = _reply("get_info", payload)
    return Info(
        unit=unit_name(values["unit"]),
        firmware=".".join(str(part) for part in values["firmware"]),
        tiles=values["tiles"],
        sets=values["sets"],
    )


def read_status(payload: bytes) -> Status:
    """Read a status message, or the reply to get_status, which is the same."""
    values = _reply("get_status", payload)
    values.update(
        {
            "state": _named("state", values["state"]),
            "fault": _named("fault", values["fault"]) if values["fault"] else None,
            "fault_side": _place(values["fault_side"]),
            "set_whole": bool(values["set_whole"]),
            "inputs": _bits(INPUTS, int.from_bytes(values["inputs"], "little")),
            "drives": _bits(DRIVES, values["drives"]),
            "lamps": _bits(LAMPS, values["lamps"]),
            "dice": values["dice"] if values["dice"][0] else None,
        }
    )
    return Status(**values)


def read_dice(payload: bytes) -> tuple[int, int]:
    """Read the reply to roll_dice."""
    first, second = _reply("roll_dice", payload)["dice"]
    return first, second


def read_inputs(payload: bytes) -> dict[str, Any]:
    """Read the reply to get_inputs: names of what is on, the last changes as they came."""
    values = _reply("get_inputs", payload)
    values["inputs"] = _bits(INPUTS, int.from_bytes(values["inputs"], "little"))
    values["drives"] = _bits(DRIVES, values["drives"])
    values["lamps"] = _bits(LAMPS, values["lamps"])
    return values


def read_event(boot_id: int, seq: int, lost: int, time_ms: int, message: int, payload: bytes) -> Event:
    """Read an event. One that cannot be read keeps its bytes, so that it can be kept and looked at."""
    layout = EVENTS.get(message)
    if layout is None or len(payload) != layout.size:
        return Event(seq, boot_id, time_ms, f"unknown_{message:02x}", {"payload": payload.hex()}, lost)
    fields = decode_fields(layout.unpack_named(payload))
    if layout.name in SECRET_EVENTS:
        return Event(seq, boot_id, time_ms, layout.name, {}, lost, fields)
    return Event(seq, boot_id, time_ms, layout.name, fields, lost)


def unit_name(field: Any) -> str:
    """Return the board's name from the bytes that carry it."""
    return bytes(field).rstrip(b"\0").decode("utf-8", "replace")


def decode_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Put names for numbers, None for no side or seat, and hexadecimal digits for bytes."""
    return {
        name: _place(value) if name in _PLACES else _named(name, value) if name in _NAMES else _text(value)
        for name, value in values.items()
    }


def _reply(name: str, payload: bytes) -> dict[str, Any]:
    layout = next(layout for layout in REPLIES.values() if layout.name == name)
    try:
        return dict(layout.unpack_named(payload))
    except CodecError as error:
        raise BadMessage(name, payload) from error


def _named(name: str, value: int) -> str:
    return _NAMES[name].get(value, f"unknown_{value:02x}")


def _place(value: int) -> int | None:
    return None if value == codes.NO_SIDE else value


def _text(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _bits(names: tuple[str, ...], mask: int) -> tuple[str, ...]:
    return tuple(name for bit, name in enumerate(names) if mask >> bit & 1)
