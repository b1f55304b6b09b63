"""Lanes with flaps: a tile that is not let in falls back into the drum, or goes into a holding place of its lane.

**What happens there.** A belt carries each tile below its reader, and then over the flap. The flap is open, so that
nothing comes to the gate by itself; for a tile that the lane wants next it shuts. A tile that is wanted soon goes into
a holding place at the flap, and comes out of it at the mouth, before the reader, once it is wanted: then it is read,
and let in like any other. A tile whose tag is not read falls.

**Why its times are what they are.** A tile comes to the flap 10 to 50 ms earlier than the lead behind its read, and is
beyond it 60 ms later. So the flap may not shut before another tile has fallen that was read shortly before, and of two
tiles that come so close that nobody can part them the second falls, or the lane is emptied. A tile also falls when the
board hears of it too late. More tiles than `most_on_belt` would queue back to the flap. A tile is pushed out of its
place so that it comes between two of the ring's.

**Which tile is worth a place.** One that its lane needs before long, beside the time in which another one of its face
would come. Both depend on how many tiles of a face are in the drum: the next places search for theirs one after the
other, but for those that are held. The more places are free, the longer one may be taken up (`_is_worth`; found by
simulation, benchmarks/prescribed_builds.py).

**Why a lane goes on that is whole.** What it holds is not in the drum, where it would hide what the others look for.

**Why a place has these states.** Nothing shows what is in it. What it was told to take is in it if it came; what does
not come out of it in time was not there.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.hardware import (
    FLAP_OPEN,
    FLAP_WIDE,
    SIDES,
    STORE_IN,
    STORE_OUT,
    STORE_RESTS,
    sorter_bit,
    sorter_switch,
)
from wallwright_protocol.machine import Machine

from ..build import RUNS
from .mouth import LETS_IN, Mouth
from .slots import Slots
from .sorter import Sorter
from .wanted import NO_TILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..build import Build
    from ..cycle import Cycle
    from ..hal import Hal
    from ..safety import Outputs
    from .sorter import Built

EMPTY = const(0)
"""Nothing is in it, as far as anybody knows."""
TAKES = const(1)
"""It takes the tile that was just read."""
HOLDS = const(2)
"""That tile is in it."""
GIVES = const(3)
"""It pushes out what it has."""

PLACE = {
    EMPTY: {
        "take": (TAKES, "take"),
        "give": (GIVES, "give"),
    },
    TAKES: {
        "time": (HOLDS, "rest"),
        "give": (GIVES, "give"),
    },
    HOLDS: {
        "give": (GIVES, "give"),
        "seen": (EMPTY, ""),
    },
    GIVES: {
        "time": (EMPTY, "rest"),
        "seen": (EMPTY, "rest"),
        "give": (GIVES, "give"),
    },
}

MARGIN_MS = 10
"""A tile is at the flap so much earlier than the lead behind its read, at the least."""
GIVE_MS = 3000
"""A tile that was pushed out is read by then, even if its belt is emptied first."""
CLOSE_MS = 100
"""A tile that falls so soon after one that was let in takes that one with it; the way of a drive comes on top."""
SLACK_MS = 40
"""A place gives its tile within so long after the time at which a tile of the ring is read, before or after."""
AHEAD = 8
"""At most so many places of its lane may come before the one that a tile is held for."""
ONE = 64
"""Search times are parts of this: the time in which a tile comes whose face has one copy in the drum."""


class Place(Machine):
    """Holding place `number` of a lane; `tile` is what it takes, holds or gives."""

    table = PLACE

    def __init__(self, side: int, number: int, hal: "Hal") -> None:
        super().__init__(EMPTY)
        self.tile = NO_TILE
        self._side = side
        self._number = number
        self._hal = hal

    def hold(self, tile: int, now_ms: int) -> None:
        """Take the tile that was just read."""
        self.tile = tile
        self.happens("take", now_ms)

    def lose(self, event: str, now_ms: int) -> None:
        """Its tile, if there is one, is pushed out ("give") or was seen ("seen")."""
        self.tile = NO_TILE
        self.happens(event, now_ms)

    def take(self, now_ms: int) -> None:
        self._hal.drive_store(self._side, self._number, STORE_IN)
        self.due = now_ms + self._hal.sorter_lead_ms + MARGIN_MS

    def give(self, now_ms: int) -> None:
        self._hal.drive_store(self._side, self._number, STORE_OUT)
        self.due = now_ms + GIVE_MS

    def rest(self, now_ms: int) -> None:
        self._hal.drive_store(self._side, self._number, STORE_RESTS)


class FlapSorter(Sorter):
    """The flaps of all lanes, and their holding places."""

    def __init__(
        self, hal: "Hal", cycle: "Cycle", build: "Build", outputs: "Outputs", steady: bytearray, built: "Built"
    ) -> None:
        self.let_in_ms = hal.sorter_lead_ms
        self._close_ms = CLOSE_MS + hal.sorter_delay_ms
        self._places = [[Place(side, number, hal) for number in range(hal.sorter_places)] for side in range(SIDES)]
        self._fell_ms = [-self.let_in_ms] * SIDES
        self._slots = Slots(build.drum.rotors[1])
        super().__init__(hal, cycle, build, outputs, steady, built)

    def make_mouth(self, side: int) -> Mouth:
        """Make the flap of a side."""
        wide = sorter_switch(side, FLAP_WIDE)
        return Mouth(side, self, (sorter_bit(side, FLAP_OPEN), 0), (wide, wide))

    def start(self, now_ms: int) -> None:
        """The build of the latched wall starts, or goes on."""
        self._slots.begin()
        super().start(now_ms)

    def give_back_held(self, now_ms: int) -> None:
        """Push out whatever the places have; it falls, or is let in."""
        for places in self._places:
            for place in places:
                place.lose("give", now_ms)
        self.set_due()

    def decide(self, side: int, tile: int, at_ms: int, now_ms: int) -> None:
        """Let a tile in that the lane wants next; hold others, or let them fall."""
        is_from_ring = True
        for places in self._places:
            for place in places:
                if place.tile == tile:
                    is_from_ring = is_from_ring and place.state != GIVES
                    place.lose("seen", now_ms)
        if is_from_ring:
            self._slots.read(side, at_ms)
        if now_ms < self._fell_ms[side] + self.let_in_ms - MARGIN_MS:
            self._fell_ms[side] = at_ms
        else:
            super().decide(side, tile, at_ms, now_ms)
        self._give(side, now_ms)

    def use(self, side: int, tile: int, face: int, at_ms: int, now_ms: int) -> None:
        """Hold a tile that is wanted soon; let any other fall."""
        wanted = self.wanted
        assert wanted is not None
        held = []
        empty = None
        free = 0
        for place in self._places[side]:
            if place.state == EMPTY:
                free += 1
                empty = place
            elif place.tile != NO_TILE:
                held.append(wanted.face_of(place.tile))
        if wanted.is_whole(side):
            is_wanted = not wanted.is_next(face)
        else:
            is_wanted = self._is_worth(side, face, held, free)
        if empty is not None and self.may_hold(now_ms) and is_wanted and not self.is_late(at_ms, now_ms):
            empty.hold(tile, now_ms)
        else:
            self._let_fall(side, at_ms, now_ms)

    def _let_fall(self, side: int, at_ms: int, now_ms: int) -> None:
        self._fell_ms[side] = at_ms
        mouth = self.mouths[side]
        if mouth.state == LETS_IN and at_ms < mouth.due - self.let_in_ms + self._close_ms:
            mouth.happens("second", now_ms)
            self.doubt(side)

    def _is_worth(self, side: int, face: int, held: "list[int]", free: int) -> bool:
        """Say whether a tile of a face class is to be held, with so many places free. Another one of its face would
        come in some time; it is held if the lane needs it within 1 + `free` times that."""
        wanted = self.wanted
        assert wanted is not None
        others = held[:]
        place = wanted.first[side] + wanted.done[side]
        last = min(wanted.first[side] + wanted.places(side), place + min(self.horizon(), AHEAD) + 1)
        needed_in = 0
        while place < last:
            for other in others:
                if wanted.wants(place, other):
                    others.remove(other)
                    break
            else:
                group = wanted.group(place)
                copies = 2 * wanted.hands[group] if group else self._in_drum(wanted.faces[place])
                search = ONE // max(1, copies)
                if wanted.wants(place, face):
                    return needed_in <= (1 + free) * search
                needed_in += search
            place += 1
        return False

    def _in_drum(self, face: int) -> int:
        """Return how many tiles of a face class no lane has taken or holds."""
        wanted = self.wanted
        assert wanted is not None
        count = wanted.loose[face]
        for places in self._places:
            for place in places:
                count -= place.tile != NO_TILE and wanted.face_of(place.tile) == face
        return count

    def poll(self, now_ms: int) -> None:
        """A flap or a place has done what it was to do, or all is looked at."""
        for places in self._places:
            for place in places:
                if now_ms >= place.due:
                    place.happens("time", now_ms)
        super().poll(now_ms)

    def look_at_lane(self, side: int, now_ms: int) -> None:
        """See what has come into the head; let out what the lane wants next, or does not want any more."""
        super().look_at_lane(side, now_ms)
        self._slots.look()
        build = self.build
        lane = build.lanes[side]
        if build.state == RUNS and self.wanted is not None and self.wanted.is_whole(side) and not lane.missing():
            lane.belt.happens("forwards", now_ms)
        self._give(side, now_ms)

    def set_due(self) -> None:
        """Find out when there is something to do."""
        super().set_due()
        for places in self._places:
            for place in places:
                self.due = min(self.due, place.due)

    def _give(self, side: int, now_ms: int) -> None:
        """Push out one tile, if there is one for the lane's next place, or one that is for none; so that it comes
        between two tiles of the ring."""
        wanted = self.wanted
        assert wanted is not None
        after_ms = self._slots.since(side, now_ms)
        if SLACK_MS < after_ms < self._slots.slot_ms() - SLACK_MS:
            return
        held: "list[int]" = []
        gives = None
        for place in self._places[side]:
            if place.state == GIVES:
                return
            if place.state == HOLDS:
                face = wanted.face_of(place.tile)
                if wanted.fits(side, face):
                    gives = place
                    break
                if wanted.is_whole(side):
                    if wanted.is_next(face):
                        gives = place
                elif wanted.distance(side, face, held, wanted.tiles) < 0:
                    gives = place
                held.append(face)
        if gives is not None:
            gives.happens("give", now_ms)
