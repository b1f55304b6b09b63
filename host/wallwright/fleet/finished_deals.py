"""Which deals of a table are over, by what a journal has of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from wallwright_protocol.wall import TAG_BYTES

from ..journal.entry import Entry
from ..journal.kinds import deal_of
from ..journal.kinds.deals import DealResult
from ..journal.kinds.tables import TagSealed, WallPart, WallSealed, WallsUp, WallUnverifiable


@dataclass(frozen=True, slots=True)
class OverDeal:
    """A deal that is over; `start` is the entry of its walls, `records` are the host's records of it.

    `is_read` says that readers told something of it, `has_wall` that its wall is revealed whole, `is_final` that no
    more of that is to come.
    """

    table: str
    unit: str
    number: int
    start: Entry
    records: tuple[Entry, ...]
    is_read: bool
    has_wall: bool
    is_final: bool

    def declared_points(self) -> tuple[int, int, int, int] | None:
        """Return the points that were declared last, None when nobody has."""
        results = [entry.said.points for entry in self.records if isinstance(entry.said, DealResult)]
        return results[-1] if results else None


def deals_over(table: str, unit: str, entries: Sequence[Entry]) -> list[OverDeal]:
    """Return the deals among a table's entries after which walls have gone up again."""
    walls = [at for at, entry in enumerate(entries) if isinstance(entry.said, WallsUp)]
    found = []
    said = [entry.said for entry in entries]
    for number, (at, after) in enumerate(pairwise(walls)):
        deal = _number_of(entries[at])
        sealed = [one.tiles for one in said if isinstance(one, WallSealed) and one.deal == deal]
        parts = {
            one.first: len(one.data) // TAG_BYTES for one in said if isinstance(one, WallPart) and one.deal == deal
        }
        has_wall = bool(sealed) and sum(parts.values()) >= sealed[-1]
        is_lost = not sealed or any(isinstance(one, WallUnverifiable) and one.deal == deal for one in said)
        # A set that is not back by the second walls after it is given up by the board.
        is_final = has_wall or is_lost or len(walls) - number > 2
        found.append(_deal(table, unit, entries[at:], after - at, has_wall=has_wall, is_final=is_final))
    return found


def running_deal(table: str, unit: str, entries: Sequence[Entry]) -> OverDeal:
    """Return the deal whose walls are the first of `entries`, which ended with them and without its wall."""
    return _deal(table, unit, entries, len(entries), has_wall=False, is_final=True)


def _deal(table: str, unit: str, entries: Sequence[Entry], count: int, *, has_wall: bool, is_final: bool) -> OverDeal:
    """The deal whose walls are the first entry and whose reads are among the first `count`."""
    number = _number_of(entries[0])
    records = tuple(entry for entry in entries if entry.seq is None and deal_of(entry.said) == number)
    is_read = any(isinstance(entry.said, TagSealed) for entry in entries[:count])
    return OverDeal(table, unit, number, entries[0], records, is_read, has_wall, is_final)


def _number_of(walls: Entry) -> int:
    assert isinstance(walls.said, WallsUp)
    return walls.said.deal
