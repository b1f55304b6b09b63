"""The game of the table, set at a panel: how many tiles a set has, and how many dice are thrown.

**What happens there.** A technician holds the dice key of a side, presses its referee key too, and holds both. Then the
displays show the size of a set; the dice key goes to the next size, the lift key takes it. The same follows for the
dice, and for the side that is out where three sides hold such a set. With the last key all is stored, and in force at
once. While a side is out only the sizes are shown that the others hold.

**Why it has these states.** Nobody who plays presses these two keys for so long, but people press a referee key while
they hold another one; so it is waited first, and a referee is called after all when a key is let go. Whoever leaves it,
or does nothing for a while, has changed nothing.

It begins in the state idle, with empty carriers, and goes on in no other one.
"""

from wallwright_protocol import codes
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import (
    DICE_KEY,
    LIFT_KEY,
    MOST_DICE,
    REFEREE_KEY,
    SET_SIZES,
    SIDES,
    input_number,
    plan_without,
)
from wallwright_protocol.machine import Machine
from wallwright_protocol.settings import DICE_COUNT, SET_TILES, SIDES_OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build import Build
    from .cycle import Cycle
    from .drivers.panel import Panel
    from .events import EventRing
    from .game import Game
    from .upkeep import Upkeep

HOLD_MS = 3000
PATIENCE_MS = 30000

RESTS = const(0)
"""Nobody changes anything."""
WAITS = const(1)
"""Two keys of a side are pressed; it shows whether they are held."""
ASKS_SIZE = const(2)
"""The displays show a size of a set."""
ASKS_DICE = const(3)
"""The displays show a number of dice."""
ASKS_OUT = const(4)
"""The displays show which side is out."""

SETUP = {
    RESTS: {
        "two_keys": (WAITS, "wait"),
    },
    WAITS: {
        "held": (ASKS_SIZE, "begin"),
        "let_go": (RESTS, "call_referee"),
    },
    ASKS_SIZE: {
        "dice_key": (ASKS_SIZE, "next_size"),
        "lift_key": (ASKS_DICE, "show"),
        "time": (RESTS, "leave"),
        "leave": (RESTS, ""),
    },
    ASKS_DICE: {
        "dice_key": (ASKS_DICE, "next_count"),
        "lift_key": (ASKS_OUT, "ask_out"),
        "time": (RESTS, "leave"),
        "leave": (RESTS, ""),
    },
    ASKS_OUT: {
        "dice_key": (ASKS_OUT, "next_side"),
        "lift_key": (RESTS, "keep"),
        "all_sides": (RESTS, "keep"),
        "time": (RESTS, "leave"),
        "leave": (RESTS, ""),
    },
}


class Setup(Machine):
    """A device with a deadline."""

    table = SETUP

    def __init__(
        self,
        cycle: "Cycle",
        build: "Build",
        steady: bytearray,
        panel: "Panel",
        events: "EventRing",
        settings: "list[int]",
        game: "Game",
        upkeep: "Upkeep",
    ) -> None:
        super().__init__(RESTS)
        self._cycle = cycle
        self._build = build
        self._steady = steady
        self._panel = panel
        self._events = events
        self._settings = settings
        self._game = game
        self._upkeep = upkeep
        self._side = 0
        self._tiles = 0
        self._dice_count = 0
        self._out = SIDES

    def key(self, side: int, kind: int) -> bool:
        """A key was pressed; say whether it was meant for this."""
        now_ms = self._cycle.now_ms
        if self._game.refusal(0, 0, SIDES) != codes.OK:
            self.happens("leave", now_ms)
            return False
        if self.state in (ASKS_SIZE, ASKS_DICE, ASKS_OUT):
            if kind != REFEREE_KEY:
                self.happens("lift_key" if kind == LIFT_KEY else "dice_key", now_ms)
            return True
        if kind == REFEREE_KEY and self._steady[input_number(side, DICE_KEY)] and self.state == RESTS:
            self._side = side
            return self.happens("two_keys", now_ms)
        return False

    def poll(self, now_ms: int) -> None:
        """Begin when the keys are held still, or leave what nobody goes on with."""
        if self.state != WAITS:
            self.happens("time", now_ms)
            return
        steady = self._steady
        held = steady[input_number(self._side, DICE_KEY)] and steady[input_number(self._side, REFEREE_KEY)]
        # What has begun meanwhile, by a key of another side or by the host, goes on.
        self.happens("held" if held and self._cycle.state == codes.IDLE else "let_go", now_ms)

    def wait(self, now_ms: int) -> None:
        self.due = now_ms + HOLD_MS

    def begin(self, now_ms: int) -> None:
        self._tiles = self._build.tiles
        self._out = self._build.out
        self._dice_count = self._settings[DICE_COUNT]
        self.show(now_ms)

    def next_size(self, now_ms: int) -> None:
        self._tiles = SET_SIZES[(SET_SIZES.index(self._tiles) + 1) % len(SET_SIZES)]
        if self._out < SIDES and not plan_without(self._tiles, self._out):
            self._tiles = SET_SIZES[0]
        self.show(now_ms)

    def next_count(self, now_ms: int) -> None:
        self._dice_count = self._dice_count % MOST_DICE + 1
        self.show(now_ms)

    def ask_out(self, now_ms: int) -> None:
        """Ask which side is out, unless all of them are needed."""
        if self._game.may_leave_out(self._tiles):
            self.show(now_ms)
        else:
            self.happens("all_sides", now_ms)

    def next_side(self, now_ms: int) -> None:
        self._out = (self._out + 1) % (SIDES + 1)
        self.show(now_ms)

    def show(self, now_ms: int) -> None:
        """Show what is asked for, and wait for a key."""
        if self.state == ASKS_OUT:
            self._panel.say("OUT %d" % self._out if self._out < SIDES else "OUT NONE")
        else:
            self._panel.say("SET %d" % self._tiles if self.state == ASKS_SIZE else "DICE %d" % self._dice_count)
        self.due = now_ms + PATIENCE_MS

    def keep(self, now_ms: int) -> None:
        out = 1 << self._out if self._out < SIDES else 0
        wanted = ((SET_TILES, self._tiles), (DICE_COUNT, self._dice_count), (SIDES_OUT, out))
        if self._upkeep.change(wanted, self._side) == codes.OK:
            self.leave(now_ms)

    def leave(self, now_ms: int) -> None:
        """Show what the table does again, unless something else is going on."""
        if self._cycle.state == codes.IDLE:
            self._panel.state(codes.IDLE, self._build.partial)

    def call_referee(self, now_ms: int) -> None:
        self._events.add(now_ms, "referee_called", self._side)
