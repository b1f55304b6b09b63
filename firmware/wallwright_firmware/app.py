"""The firmware put together: `App.poll(now_ms, rx) -> tx`, and `due`, the time at which it wants to be polled next.

It never sleeps and reads no clock. A poll costs what has changed: input edges wake their driver, everything else waits
for its deadline. So that no poll is long, what an act brings with it follows one by one, each in a poll of its own: its
`steps`, the record that must survive power loss, then the text for the displays, then what the link has to say.
"""

from wallwright_protocol import codes
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import (
    BELT_FULL,
    CLAIM_KEY_0,
    COUNT_EYE,
    DEFAULT_PLANS,
    DISC_VANE,
    HEAD_HOME,
    HEAD_PUSHED,
    INPUTS_PER_SIDE,
    LIFT_DOWN,
    LIFT_UP,
    SET_SIZES,
    SIDES,
)
from wallwright_protocol.link import NEVER, Responder

from . import commands
from .build import Build
from .counters import Counters
from .cycle import Cycle
from .dice import Dice
from .drivers.inputs import EDGES, Inputs
from .drivers.keys import Keys
from .drivers.panel import Panel
from .entropy import draw_boot_id
from .events import EventRing
from .guard import CrashLog
from .hal import Hal
from .loader import Loader
from .presses import Presses
from .readers import Readers
from .records import Records
from .rewiring import Rewiring
from .safety import Outputs
from .saving import Saving
from .seal import Walls
from .settings import defaults, end_trial, pack
from .status import STATUS, status_of
from .store import Store, held, restore
from .wiring import Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from .setup import Setup
    from .sorting.prescribed import Prescribed

    class Device(Protocol):
        """Anything that has a deadline."""

        due: int

        def poll(self, now_ms: int) -> None:
            """Do what is due."""


STATUS_EVERY_MS = 1000
STARTED = const(2)
"""Polls that a start takes before anything else is looked at."""
_OF_SIDES = SIDES * INPUTS_PER_SIDE
_LIFT_SWITCHES = (LIFT_UP, LIFT_DOWN)
_COUNTING = (COUNT_EYE, HEAD_PUSHED)


class App:
    """One table. `unit` names the board (16 bytes at the most), `tiles` is the size of a set while none is stored."""

    VERSION = (0, 1, 0)

    def __init__(self, hal: Hal, unit: bytes, tiles: int = SET_SIZES[0]) -> None:
        self.due = 0
        self.unit = unit
        self.hal = hal
        self.image = (hal.chip, hal.image)
        self.events = EventRing()
        self.wiring = Wiring(hal)
        self.panel = Panel(self.wiring)
        self.settings = defaults(tiles, hal.wash_s)
        self.stored_settings = pack(self.settings)
        self.trial = 0
        self.counters = Counters()
        self.inputs = Inputs(self.wiring, self._input_changed, self.settings)
        self.outputs = Outputs(self.wiring, self.inputs.steady, lambda fault, side: self.cycle.fail(fault, side, 0, 0))
        self.inputs.hurry = self.outputs.hold_back
        self.inputs.settled = self.outputs.let_go
        self.build = Build(tiles, self.outputs, self.inputs.steady, self.settings)
        self.cycle: "Cycle" = Cycle(self.outputs, self.inputs.steady, self.build, self.events, self.panel)
        self._steps = self.cycle.steps.waiting
        self.cycle.plan = DEFAULT_PLANS[tiles]
        self.presses = Presses(self)
        self.dice = Dice(hal, self.events, self.cycle.steps, self.presses)
        # One device has its turn in a poll, the first that is due: how long a drive may run comes before all else.
        self._devices: "list[Device]" = [self.outputs]
        self._devices.extend(self.build.lanes)
        self._devices.extend(self.cycle.lifts)
        self.rewiring: "Rewiring" = Rewiring(self)
        self._devices.extend((self.cycle.lid, self.build, self.cycle.wash, self.cycle))
        self._devices.extend((self.panel, self.dice, self.rewiring))
        self.walls = Walls(hal, self.events, self.cycle, self.build)
        self.readers = Readers(hal, self.events, self.cycle, self.walls)
        self.records = Records(self, hal)
        self.keys = Keys(self.inputs, self.cycle.notice)
        self.loader: "Loader" = Loader(self, hal)
        self.setup: "Setup | None" = None  # until somebody presses the keys for it
        self.sorting: "Prescribed | None" = None
        self.asked: "tuple[Any, ...] | None" = None  # what a request holds that is executed next
        self._devices.extend((self.loader, self.keys))
        self._status_due = NEVER
        self._status = b""
        self._status_state = codes.STARTING
        self._told_event = 0
        self._started = 0
        self._restart_cause = hal.restart_cause
        self.crashes = CrashLog(hal)
        self.crashes.started()
        self.store = Store(hal)
        self.saving = Saving(self)
        self._must_switch = False
        self._reads_turn = False
        self._was_held_up = False
        self._kept_rx = b""
        stored = self.store.load()
        self._is_restored = bool(stored) and restore(stored or b"", self)
        self._store_is_corrupt = stored is None or (bool(stored) and not self._is_restored) or hal.has_lost_files
        self.readers.fit(self._devices)
        if hal.sorter:
            self._make_sorting()
        self.dice.last = self.cycle.dice
        self.cycle.boots += 1
        self.responder = Responder(draw_boot_id(hal, self.cycle.boots), self._execute, self.events, short_calls=True)

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        """Take what the wire brought, do what is due, return what is to be sent."""
        cycle = self.cycle
        cycle.now_ms = now_ms
        self.due = now_ms
        if self._started < STARTED:
            self._start(now_ms)
            if rx:
                self.responder.receive(now_ms, rx)
            return b""
        has_edges = self.hal.has_edges()
        if not has_edges:
            self.inputs.taken_ms = now_ms
        if self._was_held_up:
            # An input that chatters, or a host that floods the line, holds up nothing that is due: what they bring now
            # waits for the next poll.
            self._was_held_up = False
            self._kept_rx = rx
        else:
            if has_edges:
                has_edges = self.inputs.take_edges(now_ms)
            if self._kept_rx:
                rx = self._kept_rx + rx
                self._kept_rx = b""
            if rx:
                self.responder.receive(now_ms, rx)
            if has_edges or rx:
                # What comes has a poll of its own, so that no poll is long.
                self._was_held_up = True
                return b""
        saving = self.saving
        if saving.goes_on:
            saving.step()
            if not saving.goes_on:
                self.outputs.flush()
            return b""
        switches = self._must_switch
        self._must_switch = False
        busy = switches or self._do_one(now_ms) or has_edges or bool(rx)
        is_sending = False
        if busy:
            self._status = b""
        elif self.panel.text:
            self.panel.show()
            busy = True
        elif self.responder.has_frames():
            is_sending = busy = True
        elif self._has_news(now_ms):
            busy = self._talk(now_ms)
        outputs = self.outputs
        if self._steps:
            return b""
        if outputs.mask:
            outputs.check_state(cycle.state)
        if cycle.state != saving.state or (cycle.unsaved and not outputs.mask):
            # Neither a drive is switched nor a reply sent before it is stored.
            saving.goes_on = True
            return b""
        if outputs.differ():
            # The next poll switches them and does nothing else; the one after it counts how long they have run.
            busy = True
            if switches:
                outputs.flush()
            else:
                self._must_switch = True
        elif outputs.mask != self.counters.mask and not busy:
            self.counters.drives(outputs.mask, now_ms)
            busy = True
        if not busy:
            self.due = self._next_due(now_ms)
        return self.responder.take() if is_sending else b""

    def _do_one(self, now_ms: int) -> bool:
        """Do what is due, but one thing, reads and all else in turns: fetch reads, settle an input, poll a device. The
        steps of an act come before all that."""
        if self._steps:
            self.outputs.drop()
            if not self.inputs.settle_stop(self.inputs.taken_ms):
                self.cycle.steps.do_one()
            return True
        self._reads_turn = not self._reads_turn
        if self._reads_turn and self.readers.take_news(now_ms, self._devices):
            return True
        inputs = self.inputs
        if inputs.due <= inputs.taken_ms:  # what is due later may have an edge that has not been taken
            inputs.poll(inputs.taken_ms)
            return True
        for device in self._devices:
            at_ms = device.due
            if at_ms is not NEVER and at_ms <= now_ms:  # most are, and to compare long integers takes a board longer
                device.poll(now_ms)
                return True
        return not self._reads_turn and self.readers.take_news(now_ms, self._devices)

    def _next_due(self, now_ms: int) -> int:
        """Return when there will be something to do, nothing being due now."""
        due = min(self.inputs.due, self._status_due, self.responder.due)
        for device in self._devices:
            at_ms = device.due
            if at_ms is not NEVER and at_ms < due:
                due = at_ms
        return max(due, now_ms)

    def make_setup(self) -> "Setup":
        """Load what sets the game at a panel: the memory of a table that nobody sets is not taken by it."""
        from .setup import Setup

        self.setup = Setup(self)
        self._devices.append(self.setup)
        return self.setup

    def _make_sorting(self) -> None:
        """Load what builds prescribed walls: a table that cannot sort its tiles has no memory for it."""
        from .sorting.prescribed import Prescribed

        self.sorting = self.cycle.sorting = Prescribed(self, self.hal)
        self.readers.sorter = self.sorting.sorter
        self._devices[1:1] = [self.sorting.sorter, self.sorting]  # a mouth has 80 ms from the read to the tile

    def _start(self, now_ms: int) -> None:
        """In two polls: tell what was kept, then let the cycle find out where everything stands."""
        self._started += 1
        cycle = self.cycle
        if self._started < STARTED:
            self.events.add(now_ms, "booted", *self.VERSION)
            if self._is_restored:
                self._tell_restored(now_ms)
                self.walls.start(now_ms)
            return
        if self.hal.has_lost_files:
            # Without its map the board stands in another fault, which does not say why.
            cycle.notice(codes.STORE_CORRUPT, codes.NO_SIDE, 0)
        self.rewiring.start_cycle(self._store_is_corrupt, self.crashes.stopped)
        # From now on: what is told again after a start has been counted before.
        self.events.trouble = self.counters.trouble
        if self._restart_cause:
            cycle.notice(self._restart_cause, codes.NO_SIDE, 0)
        self.crashes.tell(now_ms, cycle, self.events)

    def _tell_restored(self, now_ms: int) -> None:
        cycle = self.cycle
        carriers = held(cycle, self.build)
        values = (cycle.set_above, carriers, cycle.deal, cycle.dealer) + cycle.told + (cycle.builds, cycle.boots)
        self.events.add(now_ms, "restored", *values)

    def _has_news(self, now_ms: int) -> bool:
        """Say whether the link has something to do; that waits for a poll of its own, so that no poll is long."""
        present = self.responder.is_open()
        if self.responder.due <= now_ms or present != self.cycle.host_present:
            return True
        told = self._status_state == self.cycle.state and self._told_event == self.events.newest()
        return (not told or self._status_due <= now_ms) and present

    def _talk(self, now_ms: int) -> bool:
        """Do one thing of the link, or notice that the host comes or goes; say whether deadlines may have changed."""
        responder = self.responder
        present = responder.is_open()
        if present != self.cycle.host_present:
            self._host_is(present, now_ms)
            return True
        if present and self._status_state != self.cycle.state:
            self._status_state = self.cycle.state
            self._status_due = now_ms
        newest = self.events.newest()
        if responder.due <= now_ms or self._told_event != newest:
            self._told_event = newest
            self._status = b""
            changed = responder.poll(now_ms)
            if self.trial and self.trial != responder.session():
                end_trial(self)
                changed = True
            return changed or responder.is_open() != present
        # What is so now is put together in one poll and sent in the next, if nothing else is to be done before.
        if self._status:
            self._status_due = now_ms + STATUS_EVERY_MS
            responder.send_status(STATUS, self._status)
            self._status = b""
            return True
        if self._status_due <= now_ms:
            self._status = status_of(self)
        return False

    def _host_is(self, present: bool, now_ms: int) -> None:
        self.cycle.host_is(present)
        if not present:
            self.rewiring.end_jog(codes.BY_HOST)
            self.presses.set_throw(codes.CUT, 0, codes.NO_SIDE)
        self._status_due = now_ms if present else NEVER

    def _execute(self, message: int, payload: bytes) -> "tuple[int, bytes] | None":
        return commands.execute(self, message, payload)

    def _input_changed(self, number: int, level: int, at_ms: int) -> None:
        if level and self.cycle.state == codes.SERVICE and self.cycle.service.input_rose(number):
            self.cycle.unsaved = True
        if number >= _OF_SIDES:
            self._table_changed(number, level)
            return
        now_ms = self.cycle.now_ms
        side = number // INPUTS_PER_SIDE
        kind = number % INPUTS_PER_SIDE
        lane = self.build.lanes[side]
        if kind in _LIFT_SWITCHES:
            # First the cycle here too: a switch that opens below a lift at rest is at fault, whatever it interlocks.
            self.cycle.lift_switch(side, number, level)
        self.outputs.input_changed(now_ms, number, level)
        if kind in _COUNTING and lane.at_rest:
            # A tile or a stroke that coasts after a stop changes the counts that were stored with it.
            self.cycle.unsaved = True
        if kind == COUNT_EYE:
            lane.count_eye(level, now_ms, at_ms)
            self._walls_see(side)
        elif kind == HEAD_HOME:
            lane.head_home(level, now_ms, at_ms)
        elif kind == HEAD_PUSHED:
            lane.head_pushed(level, now_ms, at_ms)
            self._walls_see(side)
        elif kind == BELT_FULL:
            lane.belt_full(level, now_ms)
        elif level and kind not in _LIFT_SWITCHES:
            self.presses.key(side, kind)

    def _table_changed(self, number: int, level: int) -> None:
        if number >= CLAIM_KEY_0:
            if level:
                self.keys.pressed(number, self.cycle.now_ms)
                # When it was pressed: a key on the line is told of later than one that was pressed after it elsewhere.
                self.events.add(self.inputs.since(number), "claim", number - CLAIM_KEY_0)
        elif number >= DISC_VANE:
            if level:
                self.build.vane(number - DISC_VANE, self.cycle.now_ms)
        else:
            # First the cycle, so that an emergency stop is named as such and not as the interlock that it is as well.
            self.cycle.input_changed(number, level)
            self.outputs.input_changed(self.cycle.now_ms, number, level)

    def _walls_see(self, side: int) -> None:
        if self.walls.fitted:
            self.walls.lane_changed(self.cycle.now_ms, side, self.inputs.edge_times[self.inputs.newest_edge % EDGES])
