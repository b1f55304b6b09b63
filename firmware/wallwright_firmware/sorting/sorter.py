"""The wall sorter at work, whatever sorts: from the reads at the mouths to walls that are the prescribed ones.

**What happens there.** At each mouth a reader sees a tile a moment before it is too late. A tile that the lane wants
next is let in; one that is wanted soon is held, if there is room for it; any other goes back into the drum, and so does
a tile whose tag is not read. `ring`, `flaps` and `tides` say how, a module for each kind of hardware, and only that of
the table is loaded.

**What is known of it.** Tags and times. Which tile is on the belt is what was read when it was taken; the reader in the
stacking head reads it again, and a tile that is not the one of its place stops the build at once. A belt that has run
back for whatever reason is emptied, and what it had is taken again. The belts are emptied before anything is sorted.

**Why a lane of its own may guess.** One tile whose tag nobody reads never comes into a lane. When all others have been
seen and none is taken any more, the mouth of the lane that waits for its face stands open but for what is read; what
comes into the head then is that tile, unless its reader says another name. A tile that is not there at all is waited
for likewise, until one comes in whose read was lost; so that is not tried for ever.
"""

from wallwright_protocol import codes
from wallwright_protocol.hardware import CONVEYOR, DISC, RING, SIDES, TILES_PER_STACK, drive_bit
from wallwright_protocol.link import NEVER
from wallwright_protocol.settings import HORIZON

from ..drivers.belt import FEEDS, FULL, JOGS_BACK
from ..hal import MUCH, Hal
from .belts import SortingBelt
from .gate import Gate
from .wanted import NO_TILE, Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..build import Build
    from ..cycle import Cycle
    from ..safety import Outputs

    Built = Callable[[int, int, bool], None]

LOOK_MS = 50
"""So often belts, heads and switches are looked at while tiles are sorted, a side at a time."""
FAR_MS = 500
"""Reads of the last stacks have come so long after a wall is whole."""
FLUSH_MS = 4000
"""So long nothing is held after a stall: a turn of the ring and more."""
PROLONG_MS = 20000
READ_MS = 50
"""A tile may have been before a mouth's reader for so long when it is read."""
READ_BYTES = 2400
LOOK_BYTES = 250
"""Garbage that a read leaves, with all that is decided of it, and a look at a side: together a build with a ring leaves
110 bytes a ms (emulated)."""
SPRING_MS = 60
"""A solenoid's spring, the slower of its two ways, has brought it back by then."""
WRONG_GUESSES = 2
"""So many builds of a wall may differ after a tile that nobody can read was let in; then none is let in any more."""
UNCONFIRMED = 4
"""Of the tiles of a side, one in so many may have passed the head's reader unread."""


class Sorter:
    """A device with a deadline. `wanted` is the wall that is latched, None while there is none.

    A kind of hardware says in `let_in_ms` how long from its read its mouths are open for a tile, in `pass_ms` for how
    long a tile that a reader sees again is still on the same way past it, in `most_on_belt` how many may be under way
    to a head, and in `stalled_ms` after how long without a tile taken what is held goes back, and then a tile that
    nobody can read is looked for. `built(now_ms, inferred, match)` is told of a wall that is whole and was compared.
    """

    let_in_ms = 130
    pass_ms = 250
    most_on_belt = 3
    stalled_ms = 30000

    def __init__(
        self, hal: Hal, cycle: "Cycle", build: "Build", outputs: "Outputs", steady: bytearray, built: "Built"
    ) -> None:
        self.due = NEVER
        self.wanted: "Wanted | None" = None
        self.hal = hal
        self.cycle = cycle
        self.build = build
        self.steady = steady
        self.settings = build.settings
        self._outputs = outputs
        self._built = built
        self._mask = 0
        self.belts = [SortingBelt(lane.side, outputs, build.settings, lane) for lane in build.lanes]
        for lane in build.lanes:
            lane.use_belt(self.belts[lane.side])
        self.mouths = [self.make_mouth(side) for side in range(SIDES)]
        self._prolong_at = 0
        self._look_at = 0
        self._looks = 0
        self._check_at = NEVER
        self._wrong_guesses = 0
        self._begin()

    def make_mouth(self, side: int) -> Gate:
        """Make what lets tiles in on a side."""
        raise NotImplementedError

    def use(self, side: int, tile: int, face: int, at_ms: int, now_ms: int) -> None:
        """Do with a tile what is best, if the lane does not take it: hold it, or give it back."""
        raise NotImplementedError

    def give_back_held(self, now_ms: int) -> None:
        """Nothing is held any more."""

    def _begin(self) -> None:
        self._dirty = [0] * SIDES  # 1 while a belt has to be emptied, 2 while it runs back for that
        self._last = [-1] * SIDES
        self._confirmed = [0] * SIDES
        self._seen_ms: "dict[int, int]" = {}  # by tile, SIDES times the time of its last read, plus the mouth's side
        self._seen = bytearray(0)
        self._inferred = 0
        self._guesses = codes.NO_SIDE
        self._differs = False
        self._taken_ms = 0
        self._flush_until = 0

    def forget(self) -> None:
        """Nothing is prescribed any more."""
        self.wanted = None
        self._check_at = NEVER
        self._wrong_guesses = 0
        self._begin()

    def latch(self, wanted: "Wanted | None") -> None:
        """Build this wall."""
        self.wanted = wanted

    def start(self, now_ms: int) -> None:
        """The build of the latched wall starts, or goes on."""
        wanted = self.wanted
        assert wanted is not None
        if not self._seen or sum([lane.tiles() for lane in self.build.lanes]) == 0:
            self._begin()
            self._seen = bytearray(wanted.tiles)
        self._dirty = [2] * SIDES
        self._guesses = codes.NO_SIDE
        self.hal.note_garbage(MUCH)
        self._taken_ms = self._prolong_at = now_ms
        self.give_back_held(now_ms)
        self._flush_until = 0
        for mouth in self.mouths:
            mouth.happens("sort", now_ms)
        self._look_at = self.due = now_ms

    def set(self, on: int, off: int) -> bool:
        """Switch solenoids, all at once; say whether that changes anything."""
        mask = (self._mask | on) & ~off
        if mask == self._mask:
            return False
        self._mask = mask
        self.hal.drive_sorter(mask)
        return True

    def fail(self, fault: int, side: int) -> None:
        """A part is not where it was sent, or a tile is not what it should be."""
        self.cycle.fail(fault, side, 0, 0)

    def doubt(self, side: int) -> None:
        """Nobody knows what is on the belt of a side: it is emptied."""
        self._dirty[side] = self._dirty[side] or 1

    def horizon(self) -> int:
        """Return how many places of its lane may at most come before the one that a tile is held for."""
        return self.settings[HORIZON] or self.build.tiles

    def may_hold(self, now_ms: int) -> bool:
        """Say whether a tile may be held at all; for a while after a stall none is."""
        return now_ms >= self._flush_until

    def read(self, side: int, tag: bytes, at_ms: int, now_ms: int) -> None:
        """A mouth's reader sees a tile."""
        wanted = self.wanted
        if wanted is None or not self.build.running:
            return
        tile = wanted.tile_of(tag)
        if tile == NO_TILE:
            self.fail(codes.FOREIGN_TAG, side)
            return
        self.hal.note_garbage(READ_BYTES)
        self.mouths[side].read(at_ms, now_ms)
        before = self._seen_ms.get(tile, -self.pass_ms * SIDES)
        self._seen_ms[tile] = at_ms * SIDES + side
        self._seen[tile] = 1
        if before % SIDES == side and at_ms < before // SIDES + self.pass_ms:
            self.set_due()
            return
        place = wanted.place_of(tile)
        if place >= 0:
            self._came_again(place)
        if side != self._guesses:
            self.decide(side, tile, at_ms, now_ms)
        self.set_due()

    def turn_back(self, by_ms: int) -> None:
        """Go by a clock that shows `by_ms` less."""
        for tile in [tile for tile, seen in self._seen_ms.items() if seen >= 0]:
            self._seen_ms[tile] -= by_ms * SIDES

    def decide(self, side: int, tile: int, at_ms: int, now_ms: int) -> None:
        """Let a tile in, read at `at_ms`, that the lane wants next; do with any other what is best."""
        wanted = self.wanted
        assert wanted is not None
        face = wanted.face_of(tile)
        lane = self.build.lanes[side]
        if (
            wanted.fits(side, face)
            and not self.is_late(at_ms, now_ms)
            and not self._dirty[side]
            and lane.belt.state == FEEDS
            and lane.belt.queue != FULL
            and wanted.done[side] - lane.tiles() < self.most_on_belt
            and self.mouths[side].happens("accept", now_ms)
        ):
            wanted.take(side, tile)
            self._taken_ms = now_ms
        else:
            self.use(side, tile, face, at_ms, now_ms)

    def is_late(self, at_ms: int, now_ms: int, takes_ms: int = SPRING_MS) -> bool:
        """Say whether a tile that was read at `at_ms` may be at the mouth before a solenoid that takes so long."""
        lead_ms = self.hal.sorter_lead_ms
        return lead_ms > 0 and now_ms > at_ms + lead_ms - self.hal.sorter_delay_ms - READ_MS - takes_ms

    def _came_again(self, place: int) -> None:
        """A tile that a lane has taken passes a mouth: it fell back, or another one stands in its place."""
        wanted = self.wanted
        assert wanted is not None
        side = SIDES - 1
        while place < wanted.first[side]:
            side -= 1
        if place - wanted.first[side] < self.build.lanes[side].tiles():
            self._differs = True
        else:
            self.doubt(side)

    def head_read(self, side: int, tag: bytes) -> None:
        """The reader of a stacking head sees a tile; it has to be the one of its place."""
        wanted = self.wanted
        if wanted is None or self.cycle.wall_mode == codes.ORDINARY_WALL:
            return
        tile = wanted.tile_of(tag)
        lane = self.build.lanes[side]
        place = -1 if tile == NO_TILE else wanted.place_of(tile) - wanted.first[side]
        if place == self._last[side] >= 0:
            return
        stack = place // TILES_PER_STACK
        if place < 0 or place <= self._last[side] or stack > lane.stacks or stack < lane.stacks - 1:
            self._differs = True
            self.due = self._look_at = self.cycle.now_ms
            return
        self._last[side] = place
        self._confirmed[side] += 1

    def poll(self, now_ms: int) -> None:
        """A solenoid has done what it was to do; or look at belts and switches; or compare the wall that is whole."""
        for mouth in self.mouths:
            if now_ms >= mouth.due:
                mouth.tick(now_ms)
        if now_ms >= self._look_at:
            self._look(now_ms)
        if now_ms >= self._check_at:
            self._compare(now_ms)
        self.set_due()

    def _compare(self, now_ms: int) -> None:
        """Tell whether what the heads' readers saw is what is prescribed; a wall that differs goes back. Reads of the
        last stacks have come by now. A fault that stands would hide that the wall differs, so it waits for its end."""
        if self.cycle.state == codes.FAULT:
            self._check_at = now_ms + FAR_MS
            return
        self._check_at = NEVER
        wanted = self.wanted
        if wanted is None or not self.cycle.whole:
            return
        match = not self._differs and sum(wanted.done) == wanted.tiles
        for side in range(SIDES):
            if wanted.places(side) > self._confirmed[side] + wanted.places(side) // UNCONFIRMED:
                match = False
        self._tell(match, now_ms)

    def _tell(self, match: bool, now_ms: int) -> None:
        """Say that the wall is the one, or fail."""
        self._wrong_guesses += self._inferred or self._guesses != codes.NO_SIDE
        self._built(now_ms, self._inferred, match)
        if not match:
            self.fail(codes.WALL_DIFFERS, codes.NO_SIDE)

    def _look(self, now_ms: int) -> None:
        build = self.build
        if not build.running or self.wanted is None:
            self._look_at = NEVER
            if self.cycle.whole:
                self._check_at = now_ms + FAR_MS
            for mouth in self.mouths:
                mouth.happens("rest", now_ms)
            return
        self._look_at = now_ms + LOOK_MS // SIDES
        self.hal.note_garbage(LOOK_BYTES)
        if self._differs:
            self._tell(False, now_ms)
            return
        side = self._looks = (self._looks + 1) % SIDES
        self.look_at_lane(side, now_ms)
        if side:
            return
        self._look_for_stall(now_ms)
        if now_ms >= self._prolong_at:
            self._prolong_at = now_ms + PROLONG_MS
            bits = DISC | RING
            for side in range(SIDES):
                bits |= drive_bit(side, CONVEYOR)
            self._outputs.prolong(bits, now_ms)

    def look_at_lane(self, side: int, now_ms: int) -> None:
        """See what has come into the head, and empty a belt of which nobody knows what is on it."""
        wanted = self.wanted
        assert wanted is not None
        lane = self.build.lanes[side]
        tiles = lane.tiles()
        if tiles > wanted.done[side]:
            self._came_unread(side, tiles)
        state = lane.belt.state
        if state == JOGS_BACK and not self.mouths[side].ebbs:
            self.doubt(side)
        elif self._dirty[side] and state == FEEDS:
            if self._dirty[side] == 1:
                lane.shake(now_ms)
                if lane.belt.state == JOGS_BACK:
                    self._dirty[side] = 2
            else:
                self._dirty[side] = 0
                wanted.give_back(side, tiles)
                self._last[side] = min(self._last[side], tiles - 1)
                self._confirmed[side] = min(self._confirmed[side], tiles)
                if self._inferred and wanted.place_of(self._seen.find(b"\0")) < 0:
                    self._inferred = 0  # people have emptied the head that had it
        self.mouths[side].look(now_ms)

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
        self._end_guess(self.cycle.now_ms)
        self._taken_ms = self.cycle.now_ms

    def _look_for_stall(self, now_ms: int) -> None:
        """No lane has taken a tile for long: give back what is held; then let in what nobody can read."""
        wanted = self.wanted
        assert wanted is not None
        if now_ms < self._taken_ms + self.stalled_ms:
            if self._guesses != codes.NO_SIDE and not self._inferred:
                self._end_guess(now_ms)
            return
        if self._flush_until < self._taken_ms:
            self.give_back_held(now_ms)
            self._flush_until = now_ms + FLUSH_MS
        may_guess = self._guesses == codes.NO_SIDE and not self._inferred and self._wrong_guesses < WRONG_GUESSES
        if may_guess and sum(self._seen) == wanted.tiles - 1:
            face = wanted.face_of(self._seen.find(b"\0"))
            for side in range(SIDES):
                if wanted.fits(side, face):
                    self._guesses = side
                    break
        if self._guesses != codes.NO_SIDE:
            # What was read is to be past the mouth before it stands open.
            mouth = self.mouths[self._guesses]
            if now_ms >= mouth.read_ms + self.let_in_ms:
                mouth.happens("guess", now_ms)

    def _end_guess(self, now_ms: int) -> None:
        side = self._guesses
        self._guesses = codes.NO_SIDE
        if side != codes.NO_SIDE:
            self.mouths[side].happens("pass", now_ms)

    def set_due(self) -> None:
        """Find out when there is something to do."""
        self.due = self.next_due()

    def next_due(self) -> int:
        """Return when a mouth is due, or something is to be looked at."""
        due = min(self._look_at, self._check_at)
        for mouth in self.mouths:
            due = min(due, mouth.due)
        return due
