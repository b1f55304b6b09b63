"""The stacking head of one lane: a cam that pushes what stands in the head into the carrier, once a turn.

The cam leaves the home vane, reaches the push vane, leaves it, and is home again; the motor does not know where it is,
the vanes do. With the motor on it goes round and round. At the push vane the tiles in the head, two or one, go into the
carrier as one stack. The head jams, and moves no more until a person frees it, when the carrier is full or its lift is
not down, and when it leaves home while a tile is still in the gate. A jam for another reason may also end by itself, or
when the motor is started anew.
"""

from collections.abc import Callable

from wallwright_protocol.hardware import CARRIER_STACKS, HEAD_HOME, HEAD_PUSHED, TILES_PER_STACK, input_number

from .clock import NEVER, Agenda
from .mechanics import (
    HEAD_CYCLE_MS,
    HEAD_LEAVES_HOME_MS,
    HEAD_PULLS_BACK_MS,
    HEAD_PUSHES_MS,
)
from .sensors import Sensors
from .surface import nobody_looks
from .travel import Travel

_HOME, _ON_THE_WAY, _PUSHING, _COMING_BACK = range(4)


class Head:
    """Side `side`; `tiles` stand in the head; `carrier` holds its stacks, each [lower, upper], the first one first.

    The first stack pushed in ends at the right end of the wall as its owner sees it. `moved` is called when the tiles
    in the head have changed.
    """

    __slots__ = (
        "_agenda",
        "_angle_ms",
        "_frees",
        "_gate",
        "_home",
        "_lift",
        "_marks_ms",
        "_on",
        "_pushed",
        "_row",
        "_sensors",
        "_since_ms",
        "_stage",
        "_wedged",
        "carrier",
        "jammed",
        "moved",
        "tiles",
        "vane_is_turned",
    )

    def __init__(self, agenda: Agenda, sensors: Sensors, side: int, lift: Travel, cycle_ms: int) -> None:
        self.tiles: list[int] = []
        self.carrier: list[list[int]] = []
        self.jammed = False
        self.vane_is_turned = False
        """The home vane sits on the wrong side: it is in its slot on the way back, and leaves it at home."""
        self.moved: Callable[[], None] = nobody_looks
        self._agenda = agenda
        self._sensors = sensors
        self._lift = lift
        self._home = input_number(side, HEAD_HOME)
        self._pushed = input_number(side, HEAD_PUSHED)
        marks_ms = (HEAD_LEAVES_HOME_MS, HEAD_PUSHES_MS, HEAD_PULLS_BACK_MS, HEAD_CYCLE_MS)
        self._marks_ms = [mark_ms * cycle_ms // HEAD_CYCLE_MS for mark_ms in marks_ms]
        self._stage = _HOME
        self._angle_ms = 0
        self._since_ms = 0
        self._on = False
        self._frees: Callable[[], bool] | None = None
        self._row = agenda.add(self._turn)
        sensors.begin(self._home)

    def join(self, gate_changed: Callable[[], None], wedged: Callable[[], bool]) -> None:
        """Say whom to tell that the head came home or left it, and who knows whether a tile is in the gate."""
        self._gate = gate_changed
        self._wedged = wedged

    @property
    def cycle_ms(self) -> int:
        """The time of one turn."""
        return self._marks_ms[-1]

    def takes_tiles(self) -> bool:
        """Whether the gate is open: the head is home and has room."""
        return self._stage == _HOME and len(self.tiles) < TILES_PER_STACK

    def run(self, on: bool) -> None:
        """Switch the motor."""
        now_ms = self._agenda.now_ms
        if self._on and not self.jammed:
            self._angle_ms += now_ms - self._since_ms
        if on and not self._on and self._frees and self._frees():
            self._frees = None
            self.jammed = False
        self._on = on
        self._start()

    def free(self) -> list[int]:
        """A person opens the head, takes its tiles out and turns the cam home; return the tiles."""
        taken = self.tiles[:]
        self.tiles.clear()
        self.moved()
        self.jammed = False
        self._frees = None
        self._angle_ms = 0
        self._stage = _HOME
        self._sensors.set_next(self._pushed, 0)
        self._sensors.set_next(self._home, 1)
        self._start()
        self._gate()
        return taken

    def turn_vane(self) -> None:
        """Somebody has mounted the home vane on the wrong side."""
        self.vane_is_turned = True
        self._sensors.set(self._home, 0)

    def turn(self) -> None:
        """A person turns the cam by hand, to the next place at which a vane comes into its slot or leaves it."""
        self._turn()

    def block(self, frees: Callable[[], bool] | None = None) -> None:
        """Something gets stuck in the head: it jams where it stands. Each new start asks `frees` whether that helps."""
        self.run(self._on)
        self._jam()
        self._frees = frees

    def release(self) -> None:
        """What was stuck by `block` gets loose."""
        if self._frees:
            self._frees = None
            self.jammed = False
            self._start()

    def _start(self) -> None:
        """Plan the next mark of the cam from its present angle."""
        self._since_ms = self._agenda.now_ms
        if self._on and not self.jammed:
            self._agenda.plan(self._row, self._since_ms + self._marks_ms[self._stage] - self._angle_ms)
        else:
            self._agenda.plan(self._row, NEVER)

    def _jam(self) -> None:
        self.jammed = True
        self._frees = None
        self._agenda.plan(self._row, NEVER)

    def _turn(self) -> None:
        """The cam reaches the next mark."""
        stage = self._stage
        self._angle_ms = self._marks_ms[stage]
        if stage == _HOME:
            if self._wedged():
                self._jam()
                return
            self._stage = _ON_THE_WAY
            self._sensors.set(self._home, 0)
            self._gate()
        elif stage == _ON_THE_WAY:
            if self.tiles:
                if not self._lift.at_start or len(self.carrier) >= CARRIER_STACKS:
                    self._jam()
                    return
                self.carrier.append(self.tiles[:])
                self.tiles.clear()
                self.moved()
            self._stage = _PUSHING
            self._sensors.set(self._pushed, 1)
        elif stage == _PUSHING:
            self._stage = _COMING_BACK
            self._sensors.set(self._pushed, 0)
            if self.vane_is_turned:
                self._sensors.set(self._home, 1)
        else:
            self._angle_ms = 0
            self._stage = _HOME
            self._sensors.set(self._home, 0 if self.vane_is_turned else 1)
            self._gate()
        self._start()
