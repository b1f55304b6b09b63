"""The sealed wall: what the readers at the four heads saw of a build is committed to, and shown after its deal only.

- Which tag lies where is noted with every stack that is pushed into a carrier. A place whose tag is not certain stays
  unknown: a wrong place would accuse honest people.
- When the walls are whole a nonce is drawn, and the commitment to deal, nonce and wall goes out.
- Wall and nonce go out when more than half of the wall's tags have passed the heads again: the played set is back in
  the drum then. No request opens a wall.
- Nothing of this is stored: a power loss takes nonce and wall, and the start after it says which deals that concerns.
"""

from wallwright_protocol import codes
from wallwright_protocol.hardware import CARRIER_STACKS, LANE_READERS, SIDES, TILES_PER_STACK
from wallwright_protocol.link import NEVER
from wallwright_protocol.wall import NO_TAG, PART_TILES, TAG_BYTES, commitment

from .entropy import Entropy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build import Build
    from .cycle import Cycle
    from .events import EventRing
    from .hal import Hal

SILENT_STACKS = 3
"""After this many stacks in a row without a tag the board reports the reader as silent, and its tiles no more."""


class Wall:
    """One whole wall; `tags` has TAG_BYTES a tile in the order of docs/readers.md."""

    def __init__(self, deal: int, nonce: bytes, tags: bytes) -> None:
        self.deal = deal
        self.nonce = nonce
        self.tags = tags
        self.known = 0
        self.commitment = b""
        self._counted = 0
        self._back = bytearray(len(tags) // TAG_BYTES)

    def seal(self) -> bool:
        """Do a part of it: count the known tags of PART_TILES places, or commit to the wall; True when all is done."""
        if self.commitment:
            return True
        first = self._counted
        self._counted = end = min(first + PART_TILES, len(self._back))
        for at in range(first * TAG_BYTES, end * TAG_BYTES, TAG_BYTES):
            if self.tags[at : at + TAG_BYTES] != NO_TAG:
                self.known += 1
        if first == end:
            self.commitment = commitment(self.deal, self.nonce, self.tags)
        return False

    def comes_back(self, tag: bytes) -> bool:
        """A tag has passed a head; say whether more than half of those of this wall have now."""
        at = self.tags.find(tag)
        while at >= 0 and at % TAG_BYTES:
            at = self.tags.find(tag, at + 1)
        if at >= 0:
            self._back[at // TAG_BYTES] = 1
        return TILES_PER_STACK * sum(self._back) > self.known


class Walls:
    """A device with a deadline: the wall that is being built, and those of the two sets that nobody may see yet."""

    def __init__(self, hal: "Hal", events: "EventRing", cycle: "Cycle", build: "Build") -> None:
        self.due = NEVER
        self.fitted = False
        self._hal = hal
        self._events = events
        self._cycle = cycle
        self._build = build
        self._builds = 0
        self._sealed: "list[Wall | None]" = [None, None]
        self._tags: "list[bytearray]" = []
        self._whole = b""
        self._stacks = [0] * SIDES
        self._seen: "list[list[bytes]]" = [[], [], [], []]
        self._seen_ms: "list[list[int]]" = [[], [], [], []]
        self._second_ms = [NEVER] * SIDES
        self._pushed_ms = [-1] * SIDES
        self._silent = [0] * SIDES
        self._entropy: "Entropy | None" = None
        self._unsealed: "Wall | None" = None
        self._deal = 0
        self._set = 0
        self._shown: "Wall | None" = None
        self._shown_tiles = 0

    def tiles(self) -> int:
        """Return how many tiles a wall has."""
        return self._build.tiles

    def fit(self, readers: int) -> bool:
        """These tile readers are there; say whether only now there is one at every head."""
        before = self.fitted
        self.fitted = readers & LANE_READERS == LANE_READERS
        return self.fitted and not before

    def start(self, now_ms: int) -> None:
        """Say after a power loss which walls cannot be verified any more.

        Of a build under way, when the readers are found late, nothing is known so far.
        """
        cycle = self._cycle
        self._make_room()
        self._builds = cycle.builds
        self._stacks = list(self._build.stacks())
        if self.fitted:
            if cycle.deal:
                self._lose(now_ms, cycle.deal, codes.LOST_POWER)
            if cycle.whole:
                self._lose(now_ms, (cycle.deal + 1) & 0xFFFF, codes.LOST_POWER)

    def read(self, side: int, tag: bytes, at_ms: int) -> None:
        """The reader of a head has seen a tag; one that is told of late belongs to a stack that is gone."""
        seen = self._seen[side]
        if self._build.running and at_ms > self._pushed_ms[side] and tag not in seen and len(seen) <= TILES_PER_STACK:
            seen_ms = self._seen_ms[side]
            place = len(seen) - 1 if seen and at_ms < seen_ms[-1] else len(seen)
            seen.insert(place, tag)
            seen_ms.insert(place, at_ms)

    def lane_changed(self, now_ms: int, side: int, at_ms: int) -> None:
        """A lane may have counted a tile or pushed a stack, by an edge at `at_ms`."""
        lane = self._build.lanes[side]
        if lane.stacks == self._stacks[side] + 1:
            self._stacks[side] = lane.stacks
            self._pushed_ms[side] = at_ms
            self._note_stack(now_ms, side)
        elif lane.in_head == TILES_PER_STACK and self._second_ms[side] == NEVER:
            self._second_ms[side] = at_ms

    def state_changed(self, now_ms: int) -> bool:
        """The cycle is in another state: a build has begun or ended, or people have emptied a head or a carrier. False
        when it is to be called once more, in another poll."""
        build = self._build
        if self._cycle.builds != self._builds:
            self._builds = self._cycle.builds
            self._end(now_ms)
            return False
        self._make_room()
        for side in range(SIDES):
            lane = build.lanes[side]
            if lane.stacks != self._stacks[side] or not lane.in_head:
                self._stacks[side] = lane.stacks
                self._forget_stack(side)
        return True

    def poll(self, now_ms: int) -> None:
        """Draw what the nonce is made of, seal a wall, or show the next part of one: a little in a poll."""
        if self._shown is not None:
            self._show(now_ms, self._shown)
        elif self._unsealed is not None:
            self._seal(now_ms, self._unsealed)
        elif self._entropy is not None:
            self._draw(now_ms, self._entropy)

    def _make_room(self) -> None:
        """A build has begun: for any plan, for a held build may still be given another one."""
        if self._build.running and not self._tags:
            self._tags = [bytearray(CARRIER_STACKS * TILES_PER_STACK * TAG_BYTES) for _ in range(SIDES)]
            self._silent = [0] * SIDES

    def _note_stack(self, now_ms: int, side: int) -> None:
        """Put the tags of the stack just pushed into their places, as far as their order is certain.

        A head's reader sees only what is wholly in the head, so a tag seen before the second tile was is the first
        tile's. Without one, a tag may be of either tile.
        """
        seen = self._seen[side]
        second_ms = self._second_ms[side]
        certain = 0 < len(seen) <= TILES_PER_STACK and self._seen_ms[side][0] <= second_ms < NEVER
        tags = seen if certain else []
        self._silent[side] = 0 if seen else self._silent[side] + 1
        self._forget_stack(side)
        if self._silent[side] == SILENT_STACKS:
            self._events.add(now_ms, "notice", codes.READER_SILENT, side, 0)
        place = TILES_PER_STACK * (self._stacks[side] - 1)
        for layer in range(TILES_PER_STACK):
            at = (place + layer) * TAG_BYTES
            if layer < len(tags):
                self._tags[side][at : at + TAG_BYTES] = tags[layer]
                self._came_back(now_ms, tags[layer])
            else:
                self._tags[side][at : at + TAG_BYTES] = NO_TAG
                if self._silent[side] < SILENT_STACKS:
                    self._events.add_tag(now_ms, "tag_unread", 0, side, b"")

    def _forget_stack(self, side: int) -> None:
        self._seen[side] = []
        self._seen_ms[side] = []
        self._second_ms[side] = NEVER

    def _came_back(self, now_ms: int, tag: bytes) -> None:
        below = 1 - self._cycle.set_above
        wall = self._sealed[below]
        if wall is not None and wall.comes_back(tag):
            self._sealed[below] = None
            self._shown = wall
            self._shown_tiles = -PART_TILES
            self.due = now_ms

    def _end(self, now_ms: int) -> None:
        """The walls are whole: begin to draw the nonce."""
        self._set = 1 - self._cycle.set_above
        old = self._sealed[self._set]
        if old is not None:
            self._sealed[self._set] = None
            self._lose(now_ms, old.deal, codes.LOST_NOT_BACK)
        self._deal = (self._cycle.deal + 1) & 0xFFFF
        # The next build may begin before the nonce is drawn.
        self._whole = self._joined()
        self._tags = []
        self._entropy = Entropy(self._hal)
        self._entropy.restart(now_ms)
        self.due = min(self.due, self._entropy.due)

    def _draw(self, now_ms: int, entropy: Entropy) -> None:
        entropy.poll(now_ms)
        self.due = entropy.due
        if entropy.failed:
            self._lose(now_ms, self._deal, codes.LOST_NO_RANDOM)
        elif entropy.seed:
            self._unsealed = Wall(self._deal, entropy.seed, self._whole)
            self.due = now_ms
        else:
            return
        self._entropy = None
        self._whole = b""

    def _seal(self, now_ms: int, wall: Wall) -> None:
        """Count what is known of the wall, in parts, then commit to it, then tell of that: a poll each."""
        if not wall.seal():
            return
        tiles = self.tiles()
        self._events.add(now_ms, "wall_sealed", wall.deal, tiles, tiles - wall.known, wall.commitment)
        self._sealed[self._set] = wall
        self._unsealed = None
        self.due = NEVER

    def _joined(self) -> bytes:
        """Return the tags of the whole wall, side by side; only now is it known which sides have a stack more."""
        plan = self._build.plan
        sides = [bytes(self._tags[side][: plan[side] * TILES_PER_STACK * TAG_BYTES]) for side in range(SIDES)]
        return b"".join(sides)

    def _show(self, now_ms: int, wall: Wall) -> None:
        first = self._shown_tiles
        if first < 0:
            self._events.add(now_ms, "wall_revealed", wall.deal, wall.nonce)
        else:
            part = wall.tags[first * TAG_BYTES : (first + PART_TILES) * TAG_BYTES]
            self._events.add(now_ms, "wall_part", wall.deal, first, len(part) // TAG_BYTES, part)
        self._shown_tiles = first + PART_TILES
        self.due = now_ms + 1
        if self._shown_tiles * TAG_BYTES >= len(wall.tags):
            self._shown = None
            if self._unsealed is None:
                self.due = NEVER if self._entropy is None else self._entropy.due

    def _lose(self, now_ms: int, deal: int, why: int) -> None:
        self._events.add(now_ms, "wall_unverifiable", deal, why)
