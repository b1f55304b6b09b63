"""One lane: conveyor, belt-full eye, counting eye, stacking head with its two vanes.

- Builds `wanted` stacks and then stops alone; tiles that it has on the belt by then run back into the drum.
- Counts a tile when the counting eye has become light again: the tile is then wholly in the head.
- Tries what a technician would (the belt back and forth, the stroke again), a few times and with a notice; then blocks
  itself with a fault, while the other lanes go on.
"""

from wallwright_protocol.codes import (
    BELT_FULL_STUCK,
    BELT_RETURN,
    COUNT_WITHOUT_PUSH,
    EYE_BLOCKED,
    EYE_DEAD,
    FOREIGN_TILE,
    HEAD_JAM,
    LANE_JAM,
    LEAST_STROKE,
    LONGEST_DARK,
    NO_FAULT,
    PUSH_WITHOUT_COUNT,
    SHORTEST_DARK,
    SIDE_OVER,
    STANDING_LIMIT,
    STROKE_LIMIT,
)
from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    COUNT_EYE,
    HEAD,
    HEAD_HOME,
    TILES_PER_STACK,
    drive_bit,
    input_number,
)
from wallwright_protocol.link import NEVER

from ..safety import Outputs
from .lane_times import (
    COAST_MS,
    EYE_LIMIT_MS,
    JOGS,
    STROKE_REST_MS,
    STROKES,
    jog_ms,
    longest_tile_ms,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..build import Build

RESTS, FEEDS, JOGS_BACK, RETURNS, CHECKS = range(5)
"""The belt: stands still; takes tiles; runs back to free one; runs back until it is empty; looks for one too many."""
HOME, DRIVEN, RESTED = range(3)
"""The head: at home, in a stroke, resting within one that was stuck."""

EMPTIED = (SIDE_OVER, FOREIGN_TILE, LANE_JAM, HEAD_JAM, EYE_BLOCKED, EYE_DEAD, PUSH_WITHOUT_COUNT, COUNT_WITHOUT_PUSH)
"""Faults whose words tell people to empty the stacking head."""
CARRIER_EMPTIED = (PUSH_WITHOUT_COUNT, COUNT_WITHOUT_PUSH)
"""Those whose words tell them to empty the carrier of the side as well."""


class Lane:
    """Side `side`; `stacks` are in the carrier, `in_head` tiles wait in the stacking head, `fault` blocks it.

    `eye_doubted` says that the counting eye was dark for so long that tiles may have come into the head unseen.
    """

    def __init__(self, side: int, outputs: Outputs, steady: bytearray, build: "Build") -> None:
        self.side = side
        self.due = NEVER
        self.stacks = 0
        self.in_head = 0
        self.wanted = 0
        self.fault = NO_FAULT
        self.at_rest = True
        self._outputs = outputs
        self._steady = steady
        self._build = build
        self._settings = build.settings
        self._forward = drive_bit(side, CONVEYOR)
        self._reverse = drive_bit(side, CONVEYOR_REVERSE)
        self._motor = drive_bit(side, HEAD)
        self._home = input_number(side, HEAD_HOME)
        self._eye = input_number(side, COUNT_EYE)
        self._belt = RESTS
        self._belt_until = NEVER
        self._belt_full = False
        self._belt_eye_dirty = False
        self._head = HOME
        self._head_until = NEVER
        self._strokes = 0
        self._stroke_ms = -self._settings[STROKE_LIMIT]
        self._pushed = False
        self._push_ms = 0
        self._left_home = False
        self._ending = False
        self._stuck_at = NEVER
        self._jogs = 0
        self._dark_ms = 0
        self._dark_is_fair = False
        self._dark_fed = False
        self._dark_jogged = False
        self._surplus = False
        self._eye_seen = False
        self.eye_doubted = False
        self._coasts_until = 0
        self._fed = False
        self._drove = False

    def clear(self) -> None:
        """Forget the counts: the carrier of this side has been emptied."""
        self.stacks = 0
        self.in_head = 0
        self.eye_doubted = False

    def mend(self) -> None:
        """A person has freed this lane, and emptied its head where the fault's words say so."""
        if self.fault in EMPTIED:
            self.in_head = 0
            self.eye_doubted = False
        if self.fault in CARRIER_EMPTIED:
            self.stacks = 0
        self.fault = NO_FAULT
        self._eye_seen = False
        self._dark_fed = False

    def start(self, now_ms: int) -> None:
        """Go for `wanted` stacks, from the counts as they stand; a stroke that was stopped half-way ends first."""
        self.at_rest = False
        self._ending = False
        self._belt_eye_dirty = False
        self._jogs = 0
        self._dark_is_fair = False
        if self.missing() <= 0:
            self._send_back(now_ms)
        else:
            self._belt = FEEDS
        if not self._steady[self._home]:
            self._left_home = True
            self._drive_head(now_ms, 1)
        elif self.in_head == TILES_PER_STACK:
            self._stroke(now_ms)
        if self._belt == FEEDS and self._steady[self._eye] and not self._dark_fed:
            # Nobody knows how this tile came into the gate; it goes back and comes again. Not a moment forward: it may
            # stand with its last edge in the eye.
            self._jog(now_ms)
        self._go_on(now_ms)

    def pause(self, now_ms: int) -> None:
        """Take no more tiles and come to rest; a stroke goes on to its end."""
        if not self.at_rest:
            self._let_coast(now_ms)
            self._drove = False
            self._stop_belt()
            self._ending = True
            self._go_on(now_ms)

    def shake(self, now_ms: int) -> None:
        """No lane has got a tile for long: what this one has on its belt goes back and comes again."""
        if self._belt == FEEDS and self._head == HOME and not self._steady[self._eye]:
            self._stuck_at = NEVER
            self._run_back(JOGS_BACK, now_ms, self._settings[BELT_RETURN])
            self._set_due()

    def check(self, now_ms: int) -> None:
        """Run the empty belt of a side that is whole: a tile that comes now is one too many."""
        self.at_rest = False
        self._belt = CHECKS
        self._outputs.on(self._forward, now_ms)

    def end_check(self, now_ms: int) -> None:
        """Send back what the check has brought onto the belt."""
        if self._belt == CHECKS:
            self._send_back(now_ms)
            self._set_due()

    def stop(self, now_ms: int) -> None:
        """Do nothing more; the outputs have been switched off. A stroke is remembered."""
        if not self.at_rest:
            self._let_coast(now_ms)
            self._drove = self._head != HOME
        self.at_rest = True
        self.due = NEVER
        self._belt = RESTS
        self._belt_until = NEVER
        self._head = HOME
        self._head_until = NEVER
        self._stuck_at = NEVER

    def tiles(self) -> int:
        """Return how many tiles were counted for this side, in the carrier and in the head."""
        return self.stacks * TILES_PER_STACK + self.in_head

    def missing(self) -> int:
        """Return how many tiles this side still lacks."""
        return self.wanted * TILES_PER_STACK - self.tiles()

    def belt_full(self, level: int, now_ms: int) -> None:
        """The belt-full eye: while tiles stand under it the conveyor rests during strokes, when it feeds nothing."""
        self._belt_full = bool(level)
        self._stuck_at = NEVER
        self._go_on(now_ms)

    def count_eye(self, level: int, now_ms: int, at_ms: int) -> None:
        """The counting eye, at `at_ms`: dark begins a tile; light again means that it is in the head, or backed out."""
        self._eye_seen = True
        self._stuck_at = NEVER
        if level:
            self._dark_ms = at_ms
            self._dark_fed = self._belt == FEEDS
            self._dark_is_fair = self._dark_fed and self._head == HOME
            self._dark_jogged = False
            self._surplus = self._belt == CHECKS
            if self._surplus:
                self._send_back(now_ms)
        elif self._surplus:
            # It came and went with the belt, so it is a tile and no dirt.
            self._surplus = False
            if self._belt == RETURNS:
                self._build.surplus(self.side)
        elif self._belt == FEEDS and not self.at_rest:
            self._count(now_ms, at_ms)
        elif self._fed and self._coasts(now_ms) and self.in_head < TILES_PER_STACK:
            self.in_head += 1
        self._go_on(now_ms)

    def head_home(self, level: int, now_ms: int, at_ms: int) -> None:
        """The home vane: the stroke ends when the head is back after a push."""
        if not level:
            self._left_home = True
        elif self._head != HOME and self._left_home:
            self._outputs.off(self._motor)
            self._head = HOME
            self._head_until = NEVER
            self._left_home = False
            if self._strokes > 1:
                self._build.notice(HEAD_JAM, self.side, self._strokes - 1)
            if self.in_head and not self._pushed:
                self._block(COUNT_WITHOUT_PUSH, now_ms)
            elif at_ms < self._stroke_ms + self._settings[LEAST_STROKE]:
                self._block(HEAD_JAM, now_ms)
            self._pushed = False
            self._go_on(now_ms)

    def head_pushed(self, level: int, now_ms: int, at_ms: int) -> None:
        """The push vane: the stack is in the carrier."""
        if not level or (self.at_rest and not (self._drove and self._coasts(now_ms))):
            return
        again = self._pushed and not self.at_rest
        if again and not self.in_head and at_ms >= self._push_ms + self._settings[LEAST_STROKE]:
            # It went round with nothing in it, and its home vane did not tell.
            self._block(HEAD_JAM, now_ms)
        elif again or (not self.at_rest and (self._head == HOME or self.in_head == 1)):
            self._block(PUSH_WITHOUT_COUNT, now_ms)
        else:
            self._pushed = True
            self._push_ms = at_ms
            if self.in_head == TILES_PER_STACK:
                self.stacks += 1
                self.in_head = 0

    def poll(self, now_ms: int) -> None:
        """A step of a stroke or a run of the belt has ended, or tiles stand still for too long."""
        if now_ms >= self._head_until:
            self._end_stroke_step(now_ms)
        if now_ms >= self._belt_until:
            self._end_belt_run(now_ms)
        if now_ms >= self._stuck_at:
            self._jog(now_ms)
        self._go_on(now_ms)

    def _let_coast(self, now_ms: int) -> None:
        self._coasts_until = now_ms + COAST_MS
        self._fed = self._belt == FEEDS

    def _coasts(self, now_ms: int) -> bool:
        return self._belt == RESTS and now_ms < self._coasts_until

    def _count(self, now_ms: int, at_ms: int) -> None:
        dark_ms = at_ms - self._dark_ms
        longest_ms = self._settings[LONGEST_DARK]
        stood = self._dark_is_fair and dark_ms > longest_tile_ms(longest_ms)
        if not self._dark_fed or self._dark_jogged or stood:
            self._block(EYE_BLOCKED, now_ms)
            return
        self.in_head += 1
        if self._dark_is_fair and not self._settings[SHORTEST_DARK] <= dark_ms <= longest_ms:
            self._block(FOREIGN_TILE, now_ms)
        elif self._head != HOME and self._pushed:
            # The gate is open only while the head is home, so it came home and its vane did not tell.
            self._block(HEAD_JAM, now_ms)
        elif self.in_head > TILES_PER_STACK:
            self._block(SIDE_OVER, now_ms)
        else:
            if self._jogs:
                self._build.notice(LANE_JAM, self.side, self._jogs)
                self._jogs = 0
            self._build.counted(now_ms)
            if self.in_head == TILES_PER_STACK:
                if self.missing() == 0:
                    self._send_back(now_ms)
                self._stroke(now_ms)

    def _stroke(self, now_ms: int) -> None:
        # A head that took two counted tiles held none that was not counted.
        self.eye_doubted = False
        self._stroke_ms = now_ms
        self._pushed = False
        self._left_home = False
        self._drive_head(now_ms, 1)

    def _drive_head(self, now_ms: int, tries: int) -> None:
        self._strokes = tries
        if self._outputs.on(self._motor, now_ms):
            self._head = DRIVEN
            self._head_until = now_ms + self._settings[STROKE_LIMIT]

    def _end_stroke_step(self, now_ms: int) -> None:
        if self._head == RESTED:
            self._drive_head(now_ms, self._strokes + 1)
        elif self._strokes >= STROKES:
            self._block(HEAD_JAM, now_ms)
        else:
            self._outputs.off(self._motor)
            self._head = RESTED
            self._head_until = now_ms + STROKE_REST_MS

    def _jog(self, now_ms: int) -> None:
        """Run the belt back, so that a tile that stands in the gate or before it may come another way."""
        self._stuck_at = NEVER
        if self._jogs >= JOGS:
            if self._steady[self._eye] or self.eye_doubted:
                self._block(EYE_BLOCKED, now_ms)
            else:
                self._block(LANE_JAM if self._eye_seen else EYE_DEAD, now_ms)
            return
        # If it is dirt that darkens the eye, tiles go by unseen.
        self.eye_doubted = self.eye_doubted or bool(self._steady[self._eye])
        self._jogs += 1
        self._dark_jogged = True
        return_ms = self._settings[BELT_RETURN]
        self._run_back(JOGS_BACK, now_ms, return_ms if self._jogs == JOGS else jog_ms(return_ms))

    def _send_back(self, now_ms: int) -> None:
        self._ending = True
        self._run_back(RETURNS, now_ms, self._settings[BELT_RETURN])

    def _run_back(self, belt: int, now_ms: int, for_ms: int) -> None:
        self._outputs.off(self._forward)
        if self._outputs.on(self._reverse, now_ms):
            self._belt = belt
            self._belt_until = now_ms + for_ms

    def _end_belt_run(self, now_ms: int) -> None:
        emptied = self._belt == RETURNS or self._jogs == JOGS
        if emptied and self._belt_full and not self._belt_eye_dirty:
            self._belt_eye_dirty = True
            self._jogs = 0
            self._build.notice(BELT_FULL_STUCK, self.side, 0)
        jogged = self._belt == JOGS_BACK
        self._stop_belt()
        if jogged:
            self._belt = FEEDS

    def _stop_belt(self) -> None:
        self._outputs.off(self._forward | self._reverse)
        self._belt = RESTS
        self._belt_until = NEVER

    def _go_on(self, now_ms: int) -> None:
        """Bring the belt in line with the rest, watch for tiles that stand still, and rest when all is done."""
        if self._belt == FEEDS:
            standing = self._belt_full and not self._belt_eye_dirty
            if standing and self._head != HOME:
                self._outputs.off(self._forward)
                self._dark_is_fair = False
            else:
                self._outputs.on(self._forward, now_ms)
            if self._stuck_at == NEVER and self._head == HOME:
                if self._steady[self._eye]:
                    self._stuck_at = now_ms + EYE_LIMIT_MS
                elif standing:
                    self._stuck_at = now_ms + self._settings[STANDING_LIMIT]
        elif self._ending and self._belt == RESTS and self._head == HOME and not self.at_rest:
            self.at_rest = True
            self._build.lane_rests(self.side, now_ms)
        self._set_due()

    def _block(self, fault: int, now_ms: int) -> None:
        self.fault = fault
        self._outputs.off(self._forward | self._reverse | self._motor)
        self.stop(now_ms)
        self._build.lane_rests(self.side, now_ms)

    def _set_due(self) -> None:
        self.due = NEVER if self.at_rest else min(self._head_until, self._belt_until, self._stuck_at)
