"""The wall sorter at work: what a mouth does with each tile it reads, until the walls are the prescribed ones.

**What happens there.** A magnet carries a tile past the four mouths, and at each of them the reader sees it a moment
before it is there. The scraper is drawn back, so that nothing enters a lane by itself; for a tile that the lane wants
next it is let go, and takes it onto the belt. A tile that is wanted soon stays on its magnet and comes round again. Any
other is knocked off, so that the magnet can pick up another one. A tile whose tag is not read passes.

**What is known of it.** Tags and times. Which tile is on the belt is what was read when it was taken; the reader in the
stacking head reads it again, and a tile that is not the one of its place stops the build at once. A belt that has run
back for whatever reason is emptied, and what it had is taken again. The belts are emptied before anything is sorted.

**Why a lane of its own may guess.** One tile whose tag nobody reads passes for ever. When all others have been seen and
none is taken any more, the mouth of the lane that waits for its face stands open but for what is read; what comes into
the head then is that tile, unless its reader says another name.
"""

from wallwright_protocol import codes
from wallwright_protocol.hardware import (
    CONVEYOR,
    DISC,
    KNOCK_HOME,
    KNOCK_OFF,
    RING,
    SCRAPER,
    SCRAPER_BACK,
    SIDES,
    TILES_PER_STACK,
    drive_bit,
    sorter_bit,
    sorter_switch,
)
from wallwright_protocol.link import NEVER

from ..drivers.belt import FEEDS, FULL, JOGS_BACK
from ..hal import Hal
from .mouth import KNOCKS, LET_IN_MS, LETS_IN, PASSES, Mouth
from .wanted import NO_TILE, Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..app import App
    from .prescribed import Prescribed

HOLD_SHARE = 4
"""A tile is held while at most one in so many free magnets stand for places of its lane before it: found by simulation
(benchmarks/prescribed_builds.py); more clogs the ring, less throws away what is wanted next."""
SWITCH_MS = 250
"""A solenoid that is not where it was sent after so long sticks."""
LOOK_MS = 50
"""So often belts, heads and switches are looked at while tiles are sorted."""
MOST_ON_BELT = 5
FAR_MS = 500
"""The tile that a reader sees again within this time is still the same pass."""
STALLED_MS = 12000
"""When no lane has taken a tile for so long, whatever is held goes back for FLUSH_MS, a turn of the ring and more; then
a tile that nobody can read is looked for."""
FLUSH_MS = 4000
PROLONG_MS = 20000
UNCONFIRMED = 4
"""Of the tiles of a side, one in so many may have passed the head's reader unread."""


class Sorter:
    """A device with a deadline. `wanted` is the wall that is latched, None while there is none."""

    def __init__(self, app: "App", hal: Hal, owner: "Prescribed") -> None:
        self.due = NEVER
        self.wanted: "Wanted | None" = None
        self.mouths = [Mouth(side, self) for side in range(SIDES)]
        self._app = app
        self._hal = hal
        self._owner = owner
        self._mask = 0
        self._set_ms = [0] * SIDES
        self._prolong_at = 0
        self._look_at = 0
        self._check_at = NEVER
        self._begin()

    def _begin(self) -> None:
        self._dirty = [0] * SIDES
        self._last = [-1] * SIDES
        self._confirmed = [0] * SIDES
        self._seen_ms: "dict[int, int]" = {}  # by tile, SIDES times the time of its last read, plus the mouth's side
        self._seen = bytearray(0)
        self._held: "dict[int, int]" = {}
        self._inferred = 0
        self._guesses = codes.NO_SIDE
        self._differs = False
        self._taken_ms = 0
        self._flush_until = 0

    def forget(self) -> None:
        """Nothing is prescribed any more."""
        self.wanted = None
        self._check_at = NEVER
        self._begin()

    def start(self, now_ms: int) -> None:
        """The build of the latched wall starts, or goes on."""
        wanted = self.wanted
        assert wanted is not None
        if not self._seen or sum([lane.tiles() for lane in self._app.build.lanes]) == 0:
            self._begin()
            self._seen = bytearray(wanted.tiles)
        self._dirty = [1] * SIDES
        self._held = {}
        self._guesses = codes.NO_SIDE
        self._taken_ms = self._prolong_at = now_ms
        self._flush_until = 0
        for side in range(SIDES):
            tiles = min(wanted.done[side], self._app.build.lanes[side].tiles())
            wanted.give_back(side, tiles)
            self._last[side] = min(self._last[side], tiles - 1)
            self._confirmed[side] = min(self._confirmed[side], tiles)
            self.mouths[side].happens("sort", now_ms)
        if self._inferred and wanted.place_of(self._seen.find(b"\0")) < 0:
            self._inferred = 0  # people have emptied the head that had it
        self._look_at = self.due = now_ms

    def set(self, on: int, off: int, now_ms: int) -> None:
        """Switch solenoids, all at once."""
        mask = (self._mask | on) & ~off
        if mask != self._mask:
            for side in range(SIDES):
                if (mask ^ self._mask) & (sorter_bit(side, SCRAPER) | sorter_bit(side, KNOCK_OFF)):
                    self._set_ms[side] = now_ms
            self._mask = mask
            self._hal.drive_sorter(mask)

    def read(self, side: int, tag: bytes, at_ms: int, now_ms: int) -> None:
        """A mouth's reader sees a tile: take it, hold it, or knock it off."""
        wanted = self.wanted
        if wanted is None or not self._app.build.running:
            return
        tile = wanted.tile_of(tag)
        if tile == NO_TILE:
            self._app.cycle.fail(codes.FOREIGN_TAG, side, 0, 0)
            return
        mouth = self.mouths[side]
        mouth.read_ms = now_ms
        mouth.happens("pass", now_ms)
        before = self._seen_ms.get(tile, -FAR_MS * SIDES)
        self._seen_ms[tile] = at_ms * SIDES + side
        self._seen[tile] = 1
        if before % SIDES == side and at_ms < before // SIDES + FAR_MS:
            self._set_due()
            return
        place = wanted.place_of(tile)
        if place >= 0:
            self._came_again(place)
        if mouth.state == LETS_IN:
            # Two tiles on one magnet, or one that came too soon: nobody knows which of them is on the belt.
            mouth.happens("second", now_ms)
            self._dirty[side] = self._dirty[side] or 1
        elif side != self._guesses:
            self._decide(mouth, tile, now_ms)
        self._set_due()

    def _decide(self, mouth: Mouth, tile: int, now_ms: int) -> None:
        wanted = self.wanted
        assert wanted is not None
        side = mouth.side
        face = wanted.face_of(tile)
        self._held.pop(tile, None)
        lane = self._app.build.lanes[side]
        if (
            wanted.fits(side, face)
            and not self._dirty[side]
            and (
                lane.belt.state == FEEDS
                and lane.belt.queue != FULL
                and wanted.done[side] - lane.tiles() < MOST_ON_BELT
                and mouth.happens("accept", now_ms)
            )
        ):
            wanted.take(side, tile)
            self._taken_ms = now_ms
            return
        same = 0
        for other in self._held.values():
            same += other == face
        free = self._hal.sorter_places - len(self._held)
        limit = self._app.settings[codes.HORIZON] or wanted.tiles
        if now_ms >= self._flush_until and free > 1 and wanted.needs(face, min(limit, free // HOLD_SHARE)) > same:
            self._held[tile] = face
        else:
            mouth.happens("refuse", now_ms)

    def _came_again(self, place: int) -> None:
        """A tile that a lane has taken passes a mouth: it fell back, or another one stands in its place."""
        wanted = self.wanted
        assert wanted is not None
        side = SIDES - 1
        while place < wanted.first[side]:
            side -= 1
        if place - wanted.first[side] < self._app.build.lanes[side].tiles():
            self._differs = True
        else:
            self._dirty[side] = self._dirty[side] or 1

    def head_read(self, side: int, tag: bytes) -> None:
        """The reader of a stacking head sees a tile; it has to be the one of its place."""
        wanted = self.wanted
        if wanted is None or self._app.cycle.wall_mode == codes.ORDINARY_WALL:
            return
        tile = wanted.tile_of(tag)
        lane = self._app.build.lanes[side]
        place = -1 if tile == NO_TILE else wanted.place_of(tile) - wanted.first[side]
        if place == self._last[side] >= 0:
            return
        stack = place // TILES_PER_STACK
        if place < 0 or place <= self._last[side] or stack > lane.stacks or stack < lane.stacks - 1:
            self._differs = True
            self.due = self._look_at = self._app.cycle.now_ms
            return
        self._last[side] = place
        self._confirmed[side] += 1

    def poll(self, now_ms: int) -> None:
        """A solenoid has done what it was to do; or look at belts and switches; or compare the wall that is whole."""
        for mouth in self.mouths:
            if now_ms >= mouth.due:
                mouth.due = NEVER
                # Whatever it was sent to do, it has left where it stood before.
                left = KNOCK_HOME if mouth.state == KNOCKS else SCRAPER_BACK
                is_stuck = self._hal.sorter_switches() & sorter_switch(mouth.side, left)
                mouth.happens("time", now_ms)
                if is_stuck:
                    self._app.cycle.fail(codes.SORTER_STUCK, mouth.side, 0, 0)
        if now_ms >= self._look_at:
            self._look(now_ms)
        if now_ms >= self._check_at:
            self._compare(now_ms)
        self._set_due()

    def _compare(self, now_ms: int) -> None:
        """Tell whether what the heads' readers saw is what is prescribed; a wall that differs goes back. Reads of the
        last stacks have come by now. A fault that stands would hide that the wall differs, so it waits for its end."""
        if self._app.cycle.state == codes.FAULT:
            self._check_at = now_ms + FAR_MS
            return
        self._check_at = NEVER
        wanted = self.wanted
        if wanted is None or not self._app.cycle.whole:
            return
        match = not self._differs and sum(wanted.done) == wanted.tiles
        for side in range(SIDES):
            if wanted.places(side) > self._confirmed[side] + wanted.places(side) // UNCONFIRMED:
                match = False
        self._owner.built(now_ms, self._inferred, match)
        if not match:
            self._app.cycle.fail(codes.WALL_DIFFERS, codes.NO_SIDE, 0, 0)

    def _look(self, now_ms: int) -> None:
        build = self._app.build
        if not build.running or self.wanted is None:
            self._look_at = NEVER
            if self._app.cycle.whole:
                self._check_at = now_ms + FAR_MS
            for mouth in self.mouths:
                mouth.happens("rest", now_ms)
            return
        self._look_at = now_ms + LOOK_MS
        if self._differs:
            self._owner.built(now_ms, self._inferred, False)
            self._app.cycle.fail(codes.WALL_DIFFERS, codes.NO_SIDE, 0, 0)
            return
        for side in range(SIDES):
            self._look_at_lane(side, now_ms)
        self._look_for_stall(now_ms)
        if now_ms >= self._prolong_at:
            self._prolong_at = now_ms + PROLONG_MS
            bits = DISC | RING
            for side in range(SIDES):
                bits |= drive_bit(side, CONVEYOR)
            self._app.outputs.prolong(bits, now_ms)

    def _look_at_lane(self, side: int, now_ms: int) -> None:
        wanted = self.wanted
        assert wanted is not None
        lane = self._app.build.lanes[side]
        tiles = lane.tiles()
        if tiles > wanted.done[side]:
            self._came_unread(side, tiles)
        state = lane.belt.state
        if state == JOGS_BACK and not self._dirty[side]:
            self._dirty[side] = 1
        elif self._dirty[side] and state == FEEDS:
            if self._dirty[side] == 1:
                lane.shake(now_ms)
                if lane.belt.state == JOGS_BACK:
                    self._dirty[side] = 2
            else:
                self._dirty[side] = 0
                wanted.give_back(side, tiles)
        mouth = self.mouths[side]
        if now_ms >= self._set_ms[side] + SWITCH_MS and mouth.state == PASSES:
            reached = self._hal.sorter_switches()
            both = sorter_switch(side, SCRAPER_BACK) | sorter_switch(side, KNOCK_HOME)
            if reached & both != both:
                self._app.cycle.fail(codes.SORTER_STUCK, side, 0, 0)

    def _came_unread(self, side: int, tiles: int) -> None:
        """A tile came into a head that was not taken: the one that nobody can read, if that was waited for."""
        wanted = self.wanted
        assert wanted is not None
        unseen = self._seen.find(b"\0")
        if self._guesses != side or self._inferred or unseen < 0 or tiles > wanted.done[side] + 1:
            self._differs = True
            return
        wanted.take(side, unseen)
        self._inferred = 1
        self._end_guess(self._app.cycle.now_ms)
        self._taken_ms = self._app.cycle.now_ms

    def _look_for_stall(self, now_ms: int) -> None:
        """No lane has taken a tile for long: give back what is held; then let in what nobody can read."""
        wanted = self.wanted
        assert wanted is not None
        if now_ms < self._taken_ms + STALLED_MS:
            if self._guesses != codes.NO_SIDE and not self._inferred:
                self._end_guess(now_ms)
            return
        if self._flush_until < self._taken_ms:
            self._held = {}
            self._flush_until = now_ms + FLUSH_MS
        if self._guesses == codes.NO_SIDE and not self._inferred and sum(self._seen) == wanted.tiles - 1:
            face = wanted.face_of(self._seen.find(b"\0"))
            for side in range(SIDES):
                if wanted.fits(side, face):
                    self._guesses = side
                    break
        if self._guesses != codes.NO_SIDE:
            # What was read is to be past the mouth before it stands open.
            mouth = self.mouths[self._guesses]
            if now_ms >= mouth.read_ms + LET_IN_MS:
                mouth.happens("guess", now_ms)

    def _end_guess(self, now_ms: int) -> None:
        side = self._guesses
        self._guesses = codes.NO_SIDE
        if side != codes.NO_SIDE:
            self.mouths[side].happens("pass", now_ms)

    def _set_due(self) -> None:
        due = min(self._look_at, self._check_at)
        for mouth in self.mouths:
            due = min(due, mouth.due)
        self.due = due
