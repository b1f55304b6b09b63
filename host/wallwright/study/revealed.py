"""Revealed walls of a journal, each with where its tiles were when that set was played before.

A table with readers at its stacking heads reveals every wall (docs/readers.md), so two walls of one set that follow
each other say which tile went where. With readers at the seats too, the journal says what was discarded and who held
what, and so in which order tiles fell, if people push as they are known to: the middle first, then the walls, then
hands and sets, all sides at once. Without them a tile's place in the wall before stands for that order.

Needs no NumPy. It does not check commitments: `wallwright wall verify` does.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from wallwright_protocol.hardware import DISCARDS, HAND, READERS_PER_SEAT, SIDES, TILES_PER_STACK
from wallwright_protocol.wall import NO_TAG, TAG_BYTES

from ..journal.entry import Entry
from ..journal.kinds.house import DealKey as Disclosed
from ..journal.kinds.tables import (
    BuildDone,
    BuildStarted,
    StateChanged,
    TagAppeared,
    TagMoved,
    TagSealed,
    WallPart,
    WallSealed,
    WallsUp,
)
from ..journal.sealing import DealKey, open_entry

KINDS: Final = tuple(
    cls.KIND for cls in (BuildStarted, BuildDone, WallSealed, WallsUp, StateChanged, TagSealed, WallPart, Disclosed)
)
"""What has to be read of a journal."""
TILES_PUSHED = ("lid_opening", "lid_open")
"""States in which tiles are pushed in: what readers tell from then on is no play any more."""
KEPT_DEALS = 6
"""Deals of a table that are remembered: a wall is revealed during the second deal after its own."""
UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A revealed wall of which the set's wall before is known too. Its places are counted as those of the journal are:
    side by side, by stack from the right end, lower before upper.

    By place: `ranks` has the rank of falling of its tile among the known ones, 0 the first; `pushed` the side that
    pushed it; `together` the place of the tile that stood in the same stack before. UNKNOWN where a tile is not known.
    `has_seats` says that readers at the seats told where tiles lay; `wash_s` how long the disc turned before, None when
    the table did not say.
    """

    unit: str
    tile_set: int
    deal: int
    at_ms: int
    plan: tuple[int, int, int, int]
    wash_s: int | None
    has_seats: bool
    ranks: tuple[int, ...]
    pushed: tuple[int, ...]
    together: tuple[int, ...]


@dataclass(slots=True)
class Counted:
    """Of a table: walls that went up, those the board had committed to, those that it revealed."""

    up: int = 0
    sealed: int = 0
    revealed: int = 0


@dataclass(slots=True)
class _Deal:
    number: int
    tile_set: int
    plan: tuple[int, int, int, int]
    wash_s: int | None
    before: "_Deal | None"
    parts: dict[int, bytes] = field(default_factory=dict)
    sealed: list[Entry] = field(default_factory=list)
    zones: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    """Seat and kind of reader of each tag that was read at a seat; in the order in which they came there."""
    wall: tuple[bytes, ...] = ()


@dataclass(slots=True)
class _Table:
    counted: Counted = field(default_factory=Counted)
    built: dict[int, tuple[tuple[int, int, int, int], int | None]] = field(default_factory=dict)
    """By set: plan and wash of the last build."""
    played: dict[int, _Deal] = field(default_factory=dict)
    """By set: the deal in which it was played last."""
    deals: dict[int, _Deal] = field(default_factory=dict)
    running: _Deal | None = None


class RevealedWalls:
    """Takes the entries of one journal in their order, and gives every wall that can be compared when it is whole."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}

    @property
    def counted(self) -> dict[str, Counted]:
        """By table what there was, whether it could be compared or not."""
        return {unit: table.counted for unit, table in self._tables.items()}

    def feed(self, entry: Entry) -> Rebuilt | None:
        """Take an entry; return the wall that it has completed. BadKey when what was sealed cannot be opened."""
        if entry.unit is None:
            return None
        table = self._tables.setdefault(entry.unit, _Table())
        match entry.said:
            case BuildStarted(tile_set=tile_set, plan=plan, wash_s=wash):
                table.built[tile_set] = (_plan(plan), wash)
            case BuildDone(tile_set=tile_set, stacks=plan, wash_s=wash):
                before = table.built.get(tile_set, (_plan(plan), None))
                table.built[tile_set] = (before[0], before[1] if wash is None else wash)
            case WallSealed():
                table.counted.sealed += 1
            case WallsUp(tile_set=tile_set, deal=number):
                self._begin(table, tile_set, number)
            case StateChanged(state=state) if state in TILES_PUSHED:
                table.running = None
            case TagSealed() if table.running is not None:
                table.running.sealed.append(entry)
            case Disclosed() as key:
                for deal in table.deals.values():
                    _open(deal, DealKey(key.name, bytes.fromhex(key.key)))
            case WallPart(deal=number) as part if number in table.deals:
                return self._reveal(entry, table, table.deals[number], part)
            case _:
                pass
        return None

    def _begin(self, table: _Table, tile_set: int, number: int) -> None:
        table.counted.up += 1
        built = table.built.pop(tile_set, None)
        before = table.played.get(tile_set)
        if before is not None:
            before.before = None
        table.running = None
        table.played.pop(tile_set, None)
        if built is None:
            return
        table.running = _Deal(number, tile_set, *built, before)
        table.played[tile_set] = table.deals[number] = table.running
        for old in list(table.deals)[:-KEPT_DEALS]:
            del table.deals[old]

    def _reveal(self, entry: Entry, table: _Table, deal: _Deal, part: WallPart) -> Rebuilt | None:
        if deal.wall:
            return None
        deal.parts[part.first] = part.data
        data = b"".join(deal.parts[first] for first in sorted(deal.parts))
        size = TILES_PER_STACK * sum(deal.plan) * TAG_BYTES
        if len(data) < size:
            return None
        deal.wall = tuple(data[at : at + TAG_BYTES] for at in range(0, size, TAG_BYTES))
        deal.parts.clear()
        table.counted.revealed += 1
        before, deal.before = deal.before, None
        if before is None or not before.wall:
            return None
        return _rebuilt(entry, deal, before)


def read_rebuilt(entries: Iterable[Entry], walls: RevealedWalls) -> Iterator[Rebuilt]:
    """Go through a journal's entries and give every wall that can be compared."""
    for entry in entries:
        found = walls.feed(entry)
        if found is not None:
            yield found


def falling_order(
    plan: Sequence[int], wall: Sequence[bytes], zones: dict[bytes, tuple[int, int]]
) -> list[tuple[bytes, int]]:
    """Return the tags of a wall in the order in which they fall, each with the side that pushes it.

    `zones` has seat and kind of reader of those that were read at a seat, in the order in which they came there; all
    others lie in the walls. What lies in the middle goes first, then the walls, then hands and sets, at all sides.
    """
    stages: list[list[list[bytes]]] = [[[] for _ in range(SIDES)] for _ in range(3)]
    for tag, (seat, kind) in sorted(zones.items(), key=lambda one: one[1][1]):
        stages[0 if kind == DISCARDS else 2][seat].append(tag)
    for side, tags in enumerate(_by_side(plan, wall)):
        stages[1][side] = [tag for tag in tags if tag not in zones]
    own = set(wall)
    order: list[tuple[bytes, int]] = []
    for by_side in stages:
        keyed = [
            ((at + 0.5) / len(tags), side, tag) for side, tags in enumerate(by_side) for at, tag in enumerate(tags)
        ]
        order += [(tag, side) for _, side, tag in sorted(keyed) if tag in own and tag != NO_TAG]
    return order


def _by_side(plan: Sequence[int], wall: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    at = 0
    for stacks in plan:
        yield wall[at : at + TILES_PER_STACK * stacks]
        at += TILES_PER_STACK * stacks


def _rebuilt(entry: Entry, deal: _Deal, before: _Deal) -> Rebuilt:
    order = falling_order(before.plan, before.wall, before.zones)
    known = set(deal.wall)
    rank = {tag: at for at, (tag, _) in enumerate(one for one in order if one[0] in known)}
    side = dict(order)
    was_at = {tag: at for at, tag in enumerate(before.wall) if tag != NO_TAG}
    is_at = {tag: at for at, tag in enumerate(deal.wall) if tag != NO_TAG}
    together = []
    for tag in deal.wall:
        at = was_at.get(tag)
        together.append(UNKNOWN if at is None else is_at.get(before.wall[at ^ 1], UNKNOWN))
    assert entry.unit is not None
    return Rebuilt(
        entry.unit,
        deal.tile_set,
        deal.number,
        entry.at_ms,
        deal.plan,
        deal.wash_s,
        bool(before.zones),
        tuple(rank.get(tag, UNKNOWN) for tag in deal.wall),
        tuple(side.get(tag, UNKNOWN) for tag in deal.wall),
        tuple(together),
    )


def _open(deal: _Deal, key: DealKey) -> None:
    """Open what this key has sealed of a deal, and note where each tag was at last."""
    mine = [one for one in deal.sealed if isinstance(one.said, TagSealed) and one.said.key == key.name]
    for entry in mine:
        said = open_entry(entry, key).said
        if isinstance(said, TagAppeared | TagMoved):
            reader = said.to if isinstance(said, TagMoved) else said.reader
            if reader >= SIDES + HAND:
                tag = bytes.fromhex(said.tag)
                deal.zones.pop(tag, None)
                deal.zones[tag] = divmod(reader - SIDES, READERS_PER_SEAT)
    if mine:
        deal.sealed = [one for one in deal.sealed if one not in mine]


def _plan(plan: Sequence[int]) -> tuple[int, int, int, int]:
    a, b, c, d = plan
    return a, b, c, d
