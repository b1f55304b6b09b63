"""One lane: what makes stacks of a wall's side out of the tiles in the drum, and how it is known what became of a tile.

**The way of a tile.** The drum's ring lays tiles onto the belt of the lane. They ride to the gate and queue there; when
the queue reaches back to it, the belt-full eye is dark. The gate is open while the stacking head is at home. One tile
after the other is drawn through it into the head, and darkens the counting eye on its way: dark begins when its first
edge comes, light again means that it is wholly in the head. With the second tile the head is full. It then turns once:
it leaves home, which shuts the gate, pushes both tiles as one stack into the carrier, and comes home, which opens it.

**What is known of it.** Two eyes and two vanes, and what was driven. Nobody sees how many tiles are on the belt, and
nothing tells a tile from a finger or from dirt but the time for which the eye is dark, and the way the belt runs
meanwhile. So a count is right only while the lane knows what every darkness was. When it cannot know, it stops and has
people look: a wall with one tile too few or too many ends a deal.

**Why the belt has these states** (`belt`). What a darkness means depends on what the belt does when it begins and ends.
While it takes tiles, which it does when it feeds and when it waits for the head, a darkness is a tile on its way into
the head. While it runs back, what leaves the eye leaves it backwards and counts for nothing; so a tile that stands in
the gate can be jogged without counting it twice. While it checks, there is no room for what comes. A belt that takes no
more tiles runs back until it is empty, since tiles left on it would be missing in the drum; and because the head may
need longer for its last stroke than the belt for that, standing for good is a state of its own before the lane rests.

**Why the head has these states** (`head`). The gate shuts with the first movement of the head, so a tile that waits in
the eye during a stroke has all the time it needs. A motor that does not bring the head round is rested and started
again; that is a state, since the head is not at home meanwhile. What the vanes have shown of a stroke is kept when the
lane is stopped: the next start ends the stroke first.

**Why a passage has these values** (`passage`). Edges come late, for inputs are debounced, and a belt that was switched
off coasts. Therefore the beginning of a darkness is kept with what it was, until the eye is light again; what happens
to the belt meanwhile changes the value. For COAST_MS after a stop edges still mean what they would have meant before.

A lane builds `wanted` stacks and then stops alone. It tries what a technician would (the belt back and forth, the
stroke again), a few times and with a notice; then it blocks itself with a fault, and the other lanes go on.
"""

from wallwright_protocol.codes import (
    BELT_FULL_STUCK,
    COUNT_WITHOUT_PUSH,
    EYE_BLOCKED,
    EYE_DEAD,
    HEAD_JAM,
    LANE_JAM,
    NO_FAULT,
    PUSH_WITHOUT_COUNT,
    SIDE_OVER,
)
from wallwright_protocol.hardware import COUNT_EYE, HEAD_HOME, TILES_PER_STACK, input_number
from wallwright_protocol.hardware import HEAD as HEAD_DRIVE
from wallwright_protocol.link import NEVER
from wallwright_protocol.settings import LEAST_STROKE, STANDING_LIMIT

from ..resting import CARRIER_EMPTIED, HEAD_EMPTIED
from ..safety import Outputs
from .belt import BRINGS_TILES, ENDS, FEEDS, FULL, RESTS, RETURNS, TAKES_TILES, WAITS, Belt
from .head import HOME, LEFT_HOME, PUSHED, Head
from .lane_times import COAST_MS, EYE_LIMIT_MS, JOGS
from .passage import (
    CAME,
    GOES_BACK,
    IF_FREED,
    IF_JOGGED,
    IF_STOPPED,
    LIGHT,
    PASSAGES,
    SURPLUS,
    TIMED,
    UNSEEN,
    UNTIMED,
    verdict,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..owners import LaneOwner


class Lane:
    """Side `side`; `stacks` are in the carrier, `in_head` tiles wait in the stacking head, `fault` blocks it.

    `eye_doubted` says that the counting eye was dark for so long that tiles may have come into the head unseen.
    """

    def __init__(self, side: int, outputs: Outputs, steady: bytearray, owner: "LaneOwner") -> None:
        self.side = side
        self.due = NEVER
        self.stacks = 0
        self.in_head = 0
        self.wanted = 0
        self.fault = NO_FAULT
        self.eye_doubted = False
        self.belt = Belt(side, outputs, owner.settings, self)
        self.head = Head(side, outputs, owner.settings, self)
        self.passage = UNSEEN
        self._dark_ms = 0
        self._stuck_at = NEVER
        self._fed_until = 0
        self._turned_until = 0
        self._steady = steady
        self._owner = owner
        self._settings = owner.settings
        self._home = input_number(side, HEAD_HOME)
        self._eye = input_number(side, COUNT_EYE)

    @property
    def at_rest(self) -> bool:
        """Whether it does nothing and waits for nothing."""
        return self.belt.state == RESTS

    def clear(self) -> None:
        """Forget the counts: the carrier of this side has been emptied."""
        self.stacks = 0
        self.in_head = 0
        self.eye_doubted = False

    def leave_out(self) -> None:
        """This side is out: people have taken out its tiles, and nothing of it is seen any more."""
        self.clear()
        self.fault = NO_FAULT
        self.passage = UNSEEN
        self.belt.see(0)

    def restore(self, stacks: int, in_head: int, fault: int) -> None:
        """Take over what was counted before the power went."""
        self.stacks = stacks
        self.in_head = in_head
        self.fault = fault

    def want(self, stacks: int) -> None:
        """Build so many stacks."""
        self.wanted = stacks

    def use_belt(self, belt: Belt) -> None:
        """The belt is driven by this from now on."""
        self.belt = belt

    def wake_by(self, at_ms: int) -> None:
        """Poll it by then."""
        self.due = min(self.due, at_ms)

    def note_fault(self, fault: int) -> None:
        """This blocks the lane, which stands."""
        self.fault = fault

    def mend(self) -> None:
        """A person has freed this lane, and emptied its head where the fault's words say so."""
        if self.fault in HEAD_EMPTIED:
            self.in_head = 0
            self.eye_doubted = False
        if self.fault in CARRIER_EMPTIED:
            self.stacks = 0
        self.fault = NO_FAULT
        self.passage = PASSAGES[self.passage][IF_FREED]

    def start(self, now_ms: int) -> None:
        """Go for `wanted` stacks, from the counts as they stand; a stroke that was stopped half-way ends first."""
        belt = self.belt
        self._forget_coasting()
        belt.begin()
        row = PASSAGES[self.passage]
        self.passage = row[IF_STOPPED]
        belt.happens("take_tiles" if self.missing() > 0 else "send_back", now_ms)
        if not self._steady[self._home]:
            self.head.happens("away", now_ms)
        elif self.in_head == TILES_PER_STACK:
            self._stroke(now_ms)
        if belt.state == WAITS and self._steady[self._eye] and row[GOES_BACK]:
            # Nobody knows how this tile came into the gate; it goes back and comes again. Not a moment forward: it may
            # stand with its last edge in the eye.
            self._tiles_stand(now_ms)
        self._go_on(now_ms)

    def pause(self, now_ms: int) -> None:
        """Take no more tiles and come to rest; a stroke goes on to its end."""
        if not self.at_rest:
            self._stuck_at = NEVER
            self._remember(now_ms)
            self._turned_until = 0
            self.belt.happens("pause", now_ms)
            self._go_on(now_ms)

    def shake(self, now_ms: int) -> None:
        """No lane has got a tile for long: what this one has on its belt goes back and comes again."""
        if self.head.state == HOME and not self._steady[self._eye] and self.belt.happens("shake", now_ms):
            self._stuck_at = NEVER
            self._set_due()

    def check(self, now_ms: int) -> None:
        """Run the empty belt of a side that is whole: a tile that comes now is one too many.

        One that stands in the eye goes back first: a check that was stopped has left it there.
        """
        self._forget_coasting()
        self.belt.happens("check", now_ms)
        if self._steady[self._eye]:
            self.passage = SURPLUS
            self.belt.happens("tile", now_ms)
            self._set_due()

    def end_check(self, now_ms: int) -> None:
        """Send back what the check has brought onto the belt."""
        if self.belt.happens("end_check", now_ms):
            self._set_due()

    def stop(self, now_ms: int) -> None:
        """Switch off and do nothing more. A stroke is remembered."""
        if not self.at_rest:
            self._remember(now_ms)
        self._stuck_at = NEVER
        self.belt.happens("stop", now_ms)
        self.head.happens("stop", now_ms)
        self.due = NEVER

    def tiles(self) -> int:
        """Return how many tiles were counted for this side, in the carrier and in the head."""
        return self.stacks * TILES_PER_STACK + self.in_head

    def missing(self) -> int:
        """Return how many tiles this side still lacks."""
        return self.wanted * TILES_PER_STACK - self.tiles()

    def belt_full(self, level: int, now_ms: int) -> None:
        """The belt-full eye: while tiles stand under it the conveyor rests during strokes, when it feeds nothing."""
        self._stuck_at = NEVER
        self.belt.see(level)
        self._go_on(now_ms)

    def count_eye(self, level: int, now_ms: int, at_ms: int) -> None:
        """The counting eye, at `at_ms`: dark begins a passage; light again ends it, one way or the other."""
        self._stuck_at = NEVER
        state = self.belt.state
        passage = self.passage
        if level:
            self._dark_ms = at_ms
            passage = CAME[state]
            if passage == TIMED and self.head.state != HOME:
                passage = UNTIMED
            self.passage = passage
            if passage == SURPLUS:
                self.belt.happens("tile", now_ms)
        else:
            self.passage = LIGHT
            if passage == SURPLUS:
                # It came and went with the belt, so it is a tile and no dirt.
                if state == RETURNS:
                    self._owner.surplus(self.side, now_ms)
            elif state in TAKES_TILES:
                self._judge(verdict(passage, at_ms - self._dark_ms, self._settings), now_ms)
            elif at_ms < self._fed_until and self.in_head < TILES_PER_STACK:
                self.in_head += 1
        self._go_on(now_ms)

    def head_home(self, level: int, now_ms: int, at_ms: int) -> None:
        """The home vane: the stroke ends when the head is back after a push."""
        head = self.head
        if not level:
            head.leave_home()
            return
        vanes = head.vanes
        if vanes & LEFT_HOME and head.happens("back_home", now_ms):
            if head.tries > 1:
                self._owner.notice(HEAD_JAM, self.side, head.tries - 1)
            if self.in_head and not vanes & PUSHED:
                self.block(COUNT_WITHOUT_PUSH, now_ms)
            elif at_ms < head.began_ms + self._settings[LEAST_STROKE]:
                self.block(HEAD_JAM, now_ms)
            self._go_on(now_ms)

    def head_pushed(self, level: int, now_ms: int, at_ms: int) -> None:
        """The push vane: the stack is in the carrier."""
        if not level:
            return
        resting = self.belt.state == RESTS
        if resting and at_ms >= self._turned_until:
            return
        head = self.head
        again = head.vanes & PUSHED and not resting
        if again and not self.in_head and at_ms >= head.pushed_ms + self._settings[LEAST_STROKE]:
            # It went round with nothing in it, and its home vane did not tell.
            self.block(HEAD_JAM, now_ms)
        elif again or (not resting and (head.state == HOME or self.in_head == 1)):
            self.block(PUSH_WITHOUT_COUNT, now_ms)
        else:
            head.push(at_ms)
            if self.in_head == TILES_PER_STACK:
                self.stacks += 1
                self.in_head = 0

    def poll(self, now_ms: int) -> None:
        """A step of a stroke or a run of the belt has ended, or tiles stand still for too long."""
        if now_ms >= self.head.due:
            self.head.poll(now_ms)
        if now_ms >= self.belt.due:
            self.belt.happens("time", now_ms)
        if now_ms >= self._stuck_at:
            self._tiles_stand(now_ms)
        self._go_on(now_ms)

    def put_off(self, kind: int, by_ms: int) -> None:
        """The motor `kind` of this side, of belt or head, starts so much later."""
        if kind == HEAD_DRIVE:
            self.head.put_off(by_ms)
        else:
            self.belt.put_off(by_ms)
            if self._stuck_at is not NEVER:
                self._stuck_at += by_ms
        self._set_due()

    def block(self, fault: int, now_ms: int) -> None:
        """Stop in `fault`, until people have freed this lane; the others go on."""
        self.fault = fault
        self.stop(now_ms)
        self._owner.lane_rests(self.side, now_ms)

    def belt_eye_stuck(self) -> None:
        """The belt-full eye is dark above an empty belt."""
        self._owner.notice(BELT_FULL_STUCK, self.side, 0)

    def _remember(self, now_ms: int) -> None:
        """What moves now coasts, and its edges are told late."""
        until_ms = now_ms + COAST_MS
        self._fed_until = until_ms if self.belt.state in BRINGS_TILES else 0
        self._turned_until = until_ms if self.head.state != HOME else 0

    def _forget_coasting(self) -> None:
        self._fed_until = 0
        self._turned_until = 0

    def _judge(self, fault: int, now_ms: int) -> None:
        """What was in the eye has left it with the belt."""
        if fault == EYE_BLOCKED:
            self.block(fault, now_ms)
            return
        self.in_head += 1
        head = self.head
        if fault == NO_FAULT and head.vanes & PUSHED and head.state != HOME:
            # The gate is open only while the head is home, so it came home and its vane did not tell.
            fault = HEAD_JAM
        elif fault == NO_FAULT and self.in_head > TILES_PER_STACK:
            fault = SIDE_OVER
        if fault != NO_FAULT:
            self.block(fault, now_ms)
            return
        if self.belt.jogs:
            self._owner.notice(LANE_JAM, self.side, self.belt.jogs)
            self.belt.come_free()
        self._owner.counted(now_ms)
        if self.in_head == TILES_PER_STACK:
            if self.missing() == 0:
                self.belt.happens("send_back", now_ms)
            self._stroke(now_ms)

    def _stroke(self, now_ms: int) -> None:
        # A head that took two counted tiles held none that was not counted.
        self.eye_doubted = False
        self.head.happens("two_tiles", now_ms)

    def _tiles_stand(self, now_ms: int) -> None:
        """Run the belt back, so that a tile that stands in the gate or before it may come another way."""
        self._stuck_at = NEVER
        dark = self._steady[self._eye] != 0
        if self.belt.jogs < JOGS:
            # If it is dirt that darkens the eye, tiles go by unseen.
            self.eye_doubted = self.eye_doubted or dark
            self.passage = PASSAGES[self.passage][IF_JOGGED]
            self.belt.happens("tiles_stand", now_ms)
        elif dark or self.eye_doubted:
            self.block(EYE_BLOCKED, now_ms)
        else:
            self.block(EYE_DEAD if self.passage == UNSEEN else LANE_JAM, now_ms)

    def _go_on(self, now_ms: int) -> None:
        """Bring the belt in line with the head, watch for tiles that stand still, and rest when all is done."""
        belt = self.belt
        home = self.head.state == HOME
        full = belt.queue == FULL
        if belt.state == WAITS and (home or not full):
            belt.happens("gate_opens", now_ms)
        if belt.state == FEEDS:
            if not home:
                if full:
                    self.passage = PASSAGES[self.passage][IF_STOPPED]
                    belt.happens("gate_shuts", now_ms)
            elif self._stuck_at is NEVER:
                if self._steady[self._eye]:
                    self._stuck_at = now_ms + EYE_LIMIT_MS
                elif full:
                    self._stuck_at = now_ms + self._settings[STANDING_LIMIT]
        elif home and belt.state == ENDS:
            belt.happens("head_home", now_ms)
            self._owner.lane_rests(self.side, now_ms)
        self._set_due()

    def _set_due(self) -> None:
        due = self._stuck_at
        at_ms = self.head.due
        if at_ms is not NEVER and at_ms < due:
            due = at_ms
        at_ms = self.belt.due
        if at_ms is not NEVER and at_ms < due:
            due = at_ms
        self.due = due
