"""The readers of a table by number, and what they tell: the tracker's own events.

Readers 0 to 3 stand at the stacking heads of sides 0 to 3. Seat s has three more: its hand is 4 + 3s, its declared
sets 5 + 3s, its discards 6 + 3s. A tag is in one zone at a time, the one that a reader had it in last.
"""

from dataclasses import dataclass
from typing import Final, Literal

from wallwright_protocol import hardware
from wallwright_protocol.hardware import HAND, READERS_PER_SEAT, SIDES, reader_number

Tag = bytes
"""The 8 bytes that a tag answers with."""

HANDS: Final = tuple(reader_number(seat, HAND) for seat in range(SIDES))
MELDS: Final = tuple(reader_number(seat, hardware.MELDS) for seat in range(SIDES))
DISCARDS: Final = tuple(reader_number(seat, hardware.DISCARDS) for seat in range(SIDES))
"""Readers by seat."""

Told = Literal["appeared", "left", "moved", "claim"]
APPEARED: Final = "appeared"
LEFT: Final = "left"
MOVED: Final = "moved"
CLAIM: Final = "claim"


@dataclass(frozen=True, slots=True, repr=False)
class ZoneEvent:
    """One thing told by a table, at `at_ms` of the board's clock.

    `appeared`: `tag` is read at `reader`, and no reader had it before. `left`: it is not read at `reader` any more, nor
    elsewhere. `moved`: it has gone from `from_reader` to `reader`. `claim`: the key of `seat` was pressed. There is no
    text form that shows more than the kind and the time: while a deal goes on, tags are secret.
    """

    at_ms: int
    told: Told
    reader: int = -1
    tag: Tag = b""
    from_reader: int = -1
    seat: int = -1

    def __repr__(self) -> str:
        return f"<{self.told} at {self.at_ms} ms>"


def seat_of(reader: int) -> int:
    """The seat whose zone it is, 0 to 3, for readers 4 to 15."""
    return (reader - SIDES) // READERS_PER_SEAT


def is_hand(reader: int) -> bool:
    """Whether it is the zone of a hand."""
    return reader in HANDS
