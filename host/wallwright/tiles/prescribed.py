"""Was the wall that was revealed the one that had been drawn beforehand? Place by place, after the reveal of both.

Places of a hand may have been exchanged where the wall was prescribed by hands: then a hand is compared as a set.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wallwright_protocol.names import WALL_MODES
from wallwright_protocol.prescription import HEAD_FORMAT, digest

from ..duplicate.deals import Deals, hand_places
from ..journal.entry import Entry
from ..journal.kinds.tables import BuildStarted, WallPrescribed
from ..naming import seat_name
from ..rules.core.tiles import NAMES, tile_name
from .enrolment import Enrolment
from .station import prescribe

MOST_BUILDS = 100_000
"""More than a table makes in its life."""
_BUILD_AT = struct.calcsize(HEAD_FORMAT.partition("I")[0])
_DEAL_AT = struct.calcsize(HEAD_FORMAT.partition("H")[0])
_LAYERS = ("lower", "upper")


@dataclass(frozen=True, slots=True)
class BuiltWall:
    """What a board has said of a wall that it built: the prescription's hash, strict or hands, and which set."""

    prescription_hash: str
    mode: str
    tile_set: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a wall compares with a deal. `difference` is the first one in a sentence, empty where there is none.

    `unknown` is how many places nobody knows, for no reader has read them; they contradict nothing.
    """

    difference: str
    unknown: int

    @property
    def match(self) -> bool:
        """Whether nothing differs."""
        return not self.difference


def compare_wall(
    deals: Deals, number: int, wall: Sequence[str], enrolment: Enrolment, *, by_hands: bool = False
) -> Comparison:
    """Compare a wall, tags in hexadecimal in the order of the wall, with a deal; "" is a tile that is not known.

    BadDeals when there is no such deal.
    """
    deal = deals.deal(number)
    if len(wall) != len(deal.faces):
        return Comparison(f"the wall has {len(wall)} tiles where deal {number} has {len(deal.faces)}", 0)
    faces = [_face(tag, enrolment) for tag in wall]
    hands = hand_places(deals.rules, deals.draws, deal) if by_hands else ()
    for seat, hand in enumerate(hands):
        there = Counter(faces[at] for at in hand if faces[at])
        for face in sorted(there - Counter(NAMES[deal.faces[at]] for at in hand)):
            return Comparison(f"{seat_name(seat)}'s hand: {face} lay there, and is none of its tiles", _unknown(faces))
    loose = {at for hand in hands for at in hand}
    for at, place in enumerate(deal.places):
        wanted = tile_name(deal.faces[at])
        if at not in loose and faces[at] not in ("", wanted):
            where = f"side {place.side}, stack {place.stack}, the {_LAYERS[place.layer]} tile"
            return Comparison(f"{where}: {wanted} was drawn, and {faces[at]} lay there", _unknown(faces))
    return Comparison("", _unknown(faces))


def built_wall(entries: Iterable[Entry], deal: int, unit: str) -> BuiltWall | None:
    """Return what a board has said of the prescribed wall of a deal, by its own count; None of an ordinary wall."""
    started: BuildStarted | None = None
    found = None
    for entry in entries:
        said = entry.said
        if entry.unit != unit:
            continue
        if isinstance(said, BuildStarted):
            started = said
        elif isinstance(said, WallPrescribed) and said.deal == deal and started is not None:
            found = BuiltWall(said.prescription_hash, started.wall_mode or "", started.tile_set)
    return found


def deal_of(data: bytes) -> int | None:
    """Return which drawn deal the bytes of a prescription are for, None where there are too few."""
    end = _DEAL_AT + 2
    return int.from_bytes(data[_DEAL_AT:end], "little") if len(data) >= end else None


def is_prescription(built: BuiltWall, deals: Deals, number: int, unit: str, enrolment: Enrolment) -> bool:
    """Whether the prescription that a board has built is the one of a deal; its build's number is found by trying."""
    mode = WALL_MODES.index(built.mode)
    data = bytearray(prescribe(deals, number, mode, unit, 0, built.tile_set, enrolment))
    for build in range(MOST_BUILDS):
        struct.pack_into("<I", data, _BUILD_AT, build)
        if digest(data).hex() == built.prescription_hash:
            return True
    return False


def _face(tag: str, enrolment: Enrolment) -> str:
    if not tag:
        return ""
    found = enrolment.find(tag)
    return f"a tile with the strange tag {tag}" if found is None else found[1]


def _unknown(faces: Sequence[str]) -> int:
    return faces.count("")
