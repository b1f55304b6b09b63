"""Names of the numbers that cross the wire, and those that a board knows beyond this program.

A number that only a board's dictionary names gets one here that nothing else has, so that it is told by its name.
"""

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING

from wallwright_protocol.hardware import WIRES
from wallwright_protocol.lists import LISTS
from wallwright_protocol.messages import MESSAGES, REQUEST
from wallwright_protocol.names import DRIVES, INPUTS, drives_of, inputs_of, lamps_of, named, readers_of

if TYPE_CHECKING:
    from wallwright_protocol.names import Lists

NOWHERE = 255
"""No side, no seat, no input, as the setting says: no name has this number."""
MANY = 254
"""Stands for every name for which no number is left."""
_HEADINGS = {
    "state": "states",
    "refusal": "refusals",
    "fault": "faults",
    "key": "keys",
    "source": "sources",
    "carriers": "carriers",
    "plan_mode": "plan modes",
    "wall_mode": "wall modes",
    "purpose": "purposes",
    "deal_kind": "deal kinds",
    "jog_end": "jog ends",
    "seal_loss": "seal losses",
    "setting": "settings",
    "setting_kind": "setting kinds",
    "setting_unit": "setting units",
    "record": "records",
    "measurement": "measurements",
    "sorter": "sorters",
    "self_test": "self tests",
    "test_result": "test results",
}
"""Kinds of numbers, which are also the names of the fields that carry one, and the headings of their lists."""
_FREE: Mapping[str, range] = {
    "input": range(len(INPUTS), WIRES),
    "drive": range(len(DRIVES), 32),
    "lamp": range(0),
    "reader": range(0),
    "place": range(0),
}
"""Numbers that names may get which only a board knows, where a bit of a mask stands for each; else up to MANY."""


def names_in(lists: "Lists") -> dict[str, dict[int, str]]:
    """Return the names of every kind by their numbers, as a board with these lists has them.

    A `place` is a drive or a lamp, in the order of a map of wires.
    """
    lists = [(heading, first, tuple(names)) for heading, first, names in lists]
    found = {kind: dict(enumerate(named(heading, lists))) for kind, heading in _HEADINGS.items()}
    of_parts = {
        "input": inputs_of(lists),
        "drive": drives_of(lists),
        "lamp": lamps_of(lists),
        "reader": readers_of(lists),
        "place": drives_of(lists) + lamps_of(lists),
    }
    return found | {kind: dict(enumerate(names)) for kind, names in of_parts.items()}


_NAMES = names_in(LISTS) | {"message": {row[0]: row[1] for row in MESSAGES if row[2] == REQUEST}}
KNOWN: Mapping[str, frozenset[str]] = {kind: frozenset(names.values()) for kind, names in _NAMES.items()}
"""The names of every kind that this program knows."""
_NUMBERS = {kind: {name: number for number, name in names.items()} for kind, names in _NAMES.items()}
_lock = Lock()
_given: list[str] = []
"""Names that have got a number here, beyond this program's own."""


def name_of(kind: str, number: int) -> str:
    """Return the name of a state, refusal, fault, input and so on; `state 200` for one that nobody has named."""
    return _NAMES[kind].get(number) or unnamed(kind, number)


def unnamed(kind: str, number: int) -> str:
    """Return `state 200`."""
    return f"{kind.replace('_', ' ')} {number}"


def has_given() -> bool:
    """Say whether some board has brought a name of its own, so that a number without a name may be taken."""
    return bool(_given)


def number_of(kind: str, name: str) -> int | None:
    """Return this program's number for a name, or give it one that is free. None when there is none for another bit."""
    with _lock:
        known = _NUMBERS[kind]
        if name not in known:
            free = next((one for one in _FREE.get(kind, range(MANY - 1, 0, -1)) if one not in _NAMES[kind]), None)
            if free is None:
                return None if kind in _FREE else MANY
            _NAMES[kind][free] = name
            known[name] = free
            _given.append(name)
        return known[name]
