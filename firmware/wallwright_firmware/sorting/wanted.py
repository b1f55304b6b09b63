"""What is prescribed and still wanted: which tile each lane takes next, and which is worth a place until then.

Tiles go into a lane in the order of its places. A place that belongs to no hand wants its face class; the places of one
hand want the classes of that hand in any order. What a lane has taken is kept by tag, for the heads' readers show later
whether just that tile came.
"""

from wallwright_protocol import codes
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import SIDES, TILES_PER_STACK
from wallwright_protocol.prescription import GROUPS, HEAD_BYTES, tags_at
from wallwright_protocol.wall import TAG_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CLASSES = const(43)
"""Face classes of the largest set."""
PLACE_WORK = const(3)
HAND_WORK = const(2)
"""A place that takes any tile of a hand waits less long than one that wants one face: by so much, found by
simulation."""
_STEP = const(8)
"""So many places are counted in a step."""
NO_TILE = const(255)
"""No tile of the set: a tag that is not in the list."""


class Wanted:
    """The prescription `data`, as it is checked, with its places once they are counted; `plan` is its stacks a side,
    `done` how many tiles each lane has taken, `loose` how many of each face class none has taken, `hands` how many
    places of each hand want a tile, with those of no hand first. The places of a side are those from `first` up to
    `ends`; `faces` has a face class by place, `groups` the hand that it belongs to or 0, None where there are no hands.
    `lefts` has what `left` returns, CLASSES for each hand, and `work` how much each lane has to do: PLACE_WORK for a
    place, HAND_WORK for one of a hand."""

    def __init__(self, data: bytearray) -> None:
        self._data = data
        self.tiles = data[4]
        self.mode = data[3]
        self.faces = memoryview(data)[HEAD_BYTES : HEAD_BYTES + self.tiles]
        self.plan = tuple(data[10:14])
        self.done = [0] * SIDES
        self.taken = bytearray(self.tiles)
        """By place, the tile that a lane has taken for it, plus 1."""
        self.first = [TILES_PER_STACK * sum(self.plan[:side]) for side in range(SIDES)]
        self.ends = [self.first[side] + self.places(side) for side in range(SIDES)]
        self._tags_at = tags_at(data)
        self._faces_at = self._tags_at + self.tiles * TAG_BYTES
        groups_at = HEAD_BYTES + self.tiles
        self.groups = memoryview(data)[groups_at : groups_at + self.tiles] if self.mode == codes.HANDS_WALL else None
        self.lefts = bytearray((GROUPS + 1) * CLASSES)
        self.loose = bytearray(CLASSES)
        self.hands = bytearray(GROUPS + 1)
        self.work = [0] * SIDES

    def count(self) -> "Iterator[None]":
        """Count what the places want, in steps; it is to be done once, before all else."""
        side = 0
        for place in range(self.tiles):
            if side + 1 < SIDES and place == self.first[side + 1]:
                side += 1
            self._count(side, place, self.faces[place], 1)
            if place % _STEP == _STEP - 1:
                yield

    def tile_of(self, tag: bytes) -> int:
        """Return which tile of the list has this tag; NO_TILE for none."""
        first = self._tags_at
        at = first - 1
        while True:
            at = self._data.find(tag, at + 1, self._faces_at)
            if at < 0:
                return NO_TILE
            if (at - first) % TAG_BYTES == 0:
                return (at - first) // TAG_BYTES

    def face_of(self, tile: int) -> int:
        """Return the face class of a tile of the list."""
        return self._data[self._faces_at + tile]

    def places(self, side: int) -> int:
        """Return how many places a side has."""
        return TILES_PER_STACK * self.plan[side]

    def is_whole(self, side: int) -> bool:
        """Say whether a lane has taken a tile for each of its places."""
        return self.done[side] == self.places(side)

    def fits(self, side: int, face: int) -> bool:
        """Say whether the next place of a lane wants this face class."""
        done = self.done[side]
        return done < self.places(side) and self.wants(self.first[side] + done, face)

    def is_next(self, face: int) -> bool:
        """Say whether the next place of any lane wants this face class."""
        return any([self.fits(side, face) for side in range(SIDES)])

    def take(self, side: int, tile: int) -> None:
        """The next place of a lane gets this tile."""
        place = self.first[side] + self.done[side]
        self.taken[place] = tile + 1
        self._count(side, place, self.face_of(tile), -1)
        self.done[side] += 1

    def give_back(self, side: int, tiles: int) -> None:
        """A lane has no more than so many tiles; what it had taken behind them fell back."""
        first = self.first[side]
        for place in range(first + tiles, first + self.places(side)):
            if self.taken[place]:
                self._count(side, place, self.face_of(self.taken[place] - 1), 1)
                self.taken[place] = 0
        self.done[side] = tiles

    def place_of(self, tile: int) -> int:
        """Return the place for which a lane has taken a tile, or -1."""
        return self.taken.find(bytes((tile + 1,)))

    def left(self, group: int, face: int) -> int:
        """Return how many tiles of a face class the places of a hand still want, those of no hand with `group` 0."""
        return self.lefts[group * CLASSES + face]

    def wants_any(self, group: int, faces: "Iterable[int]") -> bool:
        """Say whether the places of a hand still want a tile of any of these face classes."""
        row = group * CLASSES
        return any([self.lefts[row + face] for face in faces])

    def distance(self, side: int, face: int, held: "list[int]", within: int) -> int:
        """Return how many places of a lane come before the one that is for this face class, `within` at most and those
        in `held` served first; -1 if there is none."""
        others = held[:]
        place = self.first[side] + self.done[side]
        for at in range(place, min(self.first[side] + self.places(side), place + within + 1)):
            for other in others:
                if self.wants(at, other):
                    others.remove(other)
                    break
            else:
                if self.wants(at, face):
                    return at - place
        return -1

    def group(self, place: int) -> int:
        """Return the hand that a place belongs to, 0 for none."""
        return self.groups[place] if self.groups is not None else 0

    def wants(self, place: int, face: int) -> bool:
        """Say whether a place wants this face class."""
        group = self.group(place)
        return self.lefts[group * CLASSES + face] > 0 if group else self._data[HEAD_BYTES + place] == face

    def _count(self, side: int, place: int, face: int, by: int) -> None:
        """One place more, or less, wants a tile."""
        group = self.group(place)
        self.lefts[group * CLASSES + face] += by
        self.loose[face] += by
        self.hands[group] += by
        self.work[side] += by * (HAND_WORK if group else PLACE_WORK)
