"""Whether a tile on a ring that sorts is worth its magnet: what it saves there, beside what the magnet would find.

**What it saves.** Tiles of one face come the later the fewer there are, and the more magnets hold something. Each lane
is followed place by place: what is held for it comes when its magnet does, for the rest it has to search. So it shows
when a lane is ready for the tile, and whether the tile comes by then or nearly a turn later: one that does is better
given back, for another magnet soon picks it up. A tile that comes earlier than the one that is held for its place saves
the difference.

**What it costs.** One magnet less searches for the lanes that have nothing on the ring for their next places, until the
tile is taken, or until another one of its face would have come. After a time t the chance that none has come is
exp(-t / search), so what it saves and what it costs are as 1 to exp(t / search) - 1.

Lanes that are behind count more than others, for a wall is whole when its last lane is. The figures were found by
simulation (benchmarks/prescribed_builds.py).
"""

from wallwright_protocol.constants import const
from wallwright_protocol.hardware import SIDES

from .wanted import CLASSES, NO_TILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .wanted import Wanted

AHEAD = const(4)
"""At most so many places of its lane may come before the one that a tile is held for."""
_ONE = const(64)
"""Weights and odds are parts of this."""
_BEHIND = const(16)
"""A lane that has so much less work left than another one counts half."""
_LATER = const(12)
"""What a magnet is worth with which no lane searches at present, in such parts of a lane."""
_LONGEST = const(4)
"""A tile is not held for longer than so many times the time in which another one of its face comes."""


class Worth:
    """The ring of a build. `seen_ms` has for each tile SIDES times the time of its last read, plus the mouth's side.
    `is_worth` says what was found last."""

    def __init__(self, wanted: "Wanted", seen_ms: "dict[int, int]") -> None:
        self.is_worth = False
        self._wanted = wanted
        self._seen_ms = seen_ms
        self._now_ms = 0
        self._turn_ms = 0
        self._quarters = (0, 0, 0, 0)
        self._first_ms = 0

    def judge(
        self, tile: int, held: "dict[int, int]", free: int, most_ahead: int, turn_ms: int, now_ms: int
    ) -> "Iterator[None]":
        """Find out in steps whether a tile is to be held beside those in `held`, which has faces by tile; `free`
        magnets hold none, and a turn takes `turn_ms`. What else happens meanwhile counts or does not.

        At most `most_ahead` places of its lane come before the one that it is for.
        """
        self.is_worth = False
        wanted = self._wanted
        face = wanted.face_of(tile)
        ends = wanted.ends
        nexts = [wanted.first[side] + wanted.done[side] for side in range(SIDES)]
        if not self._is_near(face, nexts, most_ahead):
            return
        held = dict(held)
        self._now_ms = now_ms
        self._turn_ms = turn_ms
        self._quarters = (0, turn_ms // 4, turn_ms // 2, turn_ms * 3 // 4)
        ride_ms = turn_ms * 3 // 8
        search_ms = turn_ms * 9 // 8 * (wanted.tiles - sum(wanted.done) - len(held)) // free
        counts = bytearray(CLASSES)
        for each in held.values():
            counts[each] += 1
        not_in_drum = bytes(counts)
        yield
        weights = self._weights()
        price = self._price(held, counts, weights)
        yield
        faces = wanted.faces
        groups = wanted.groups
        group = 0
        others = list(held)
        ready_ms = [0] * SIDES
        fits = [wanted.left(hand, face) for hand in range(len(wanted.hands))]
        may_exchange = True
        for ahead in range(most_ahead + 1):
            for side in range(SIDES):
                place = nexts[side] + ahead
                if place >= ends[side]:
                    continue
                if groups is not None:
                    group = groups[place]
                its_class = faces[place]
                lane_ms = ready_ms[side]
                is_for_it = fits[group] > 0 if group else its_class == face
                comes_ms = self._comes_ms(tile, side, lane_ms) if is_for_it else 0
                if group or counts[its_class]:
                    best = self._first_of(others, held, group, its_class, side, lane_ms)
                    if best != NO_TILE:
                        best_ms = self._first_ms
                        if may_exchange and 0 < comes_ms < best_ms:
                            may_exchange = False
                            if (best_ms - comes_ms) * weights[side] >= (comes_ms + turn_ms // 2) * price // free:
                                self.is_worth = True
                                return
                        ready_ms[side] = best_ms
                        counts[held[best]] -= 1
                        others.remove(best)
                        continue
                copies = 2 * wanted.hands[group] if group else wanted.loose[its_class] - not_in_drum[its_class]
                its_ms = search_ms // max(1, copies)
                if is_for_it:
                    if group:
                        fits[group] -= 1
                    odds = _odds(comes_ms, its_ms)
                    saved_ms = its_ms + ride_ms - comes_ms + lane_ms
                    if odds >= 0 and saved_ms * weights[side] >= its_ms * odds // _ONE * price // free:
                        self.is_worth = True
                        return
                ready_ms[side] = lane_ms + its_ms + ride_ms
            if ahead == 1:
                yield

    def _is_near(self, face: int, nexts: "list[int]", most_ahead: int) -> bool:
        """Say whether any lane wants a face class soon."""
        wanted = self._wanted
        faces = wanted.faces
        groups = wanted.groups
        for side in range(SIDES):
            for place in range(nexts[side], min(nexts[side] + most_ahead + 1, wanted.ends[side])):
                if groups is not None and groups[place]:
                    if wanted.left(groups[place], face):
                        return True
                elif faces[place] == face:
                    return True
        return False

    def _weights(self) -> "list[int]":
        """Return how much each lane counts."""
        work = self._wanted.work
        most = max(work)
        return [_ONE * _BEHIND // (_BEHIND + most - its_work) for its_work in work]

    def _price(self, held: "dict[int, int]", counts: bytearray, weights: "list[int]") -> int:
        """Return what all magnets together are worth: the weights of the lanes that search with them."""
        wanted = self._wanted
        price = _LATER
        for side in range(SIDES):
            if not wanted.is_whole(side):
                place = wanted.first[side] + wanted.done[side]
                group = wanted.group(place)
                if not (wanted.wants_any(group, held.values()) if group else counts[wanted.faces[place]]):
                    price += weights[side]
        return price * 3 // 4

    def _first_of(
        self, others: "list[int]", held: "dict[int, int]", group: int, its_class: int, side: int, ready_ms: int
    ) -> int:
        """Return which held tile of a hand, or of a face class, comes first to a side whose lane is ready for it;
        NO_TILE if there is none. `_first_ms` is when."""
        lefts = self._wanted.lefts
        row = group * CLASSES
        best = NO_TILE
        best_ms = 0
        for other in others:
            if lefts[row + held[other]] if group else held[other] == its_class:
                comes_ms = self._comes_ms(other, side, ready_ms)
                if best == NO_TILE or comes_ms < best_ms:
                    best = other
                    best_ms = comes_ms
        self._first_ms = best_ms
        return best

    def _comes_ms(self, tile: int, side: int, ready_ms: int) -> int:
        """Return in what time a tile on the ring comes by a mouth, not before its lane is ready."""
        seen = self._seen_ms[tile]
        comes_ms = (seen >> 2) - self._now_ms + self._quarters[(side - seen) & 3]
        late_ms = (ready_ms or 1) - comes_ms
        if late_ms > 0:
            turn_ms = self._turn_ms
            comes_ms += (late_ms + turn_ms - 1) // turn_ms * turn_ms
        return comes_ms


def _odds(time_ms: int, search_ms: int) -> int:
    """Return exp(time / search) - 1 in parts of _ONE, by its first terms; -1 when the time is too long."""
    times = _ONE * time_ms // max(1, search_ms)
    if times > _LONGEST * _ONE:
        return -1
    return times + times * times // 128 + times * times // _ONE * times // 384
