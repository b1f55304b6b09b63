"""The firmware put together: `App.poll(now_ms, rx) -> tx`, and `due`, the time at which it wants to be polled next.

It never sleeps and reads no clock. A poll costs what has changed: input edges wake their driver, everything else waits
for its deadline. So that no poll is long, what an act brings with it follows one by one, each in a poll of its own: its
`steps`, the record that must survive power loss, then the text for the displays, then what the link has to say.
"""

from wallwright_protocol import codes
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import LID_IS_OPEN, SET_SIZES
from wallwright_protocol.link import NEVER, Responder

from .build import Build
from .commands import Commands
from .counters import Counters
from .cycle import Cycle
from .dice import Dice
from .dispatch import Dispatch
from .drivers.inputs import Inputs
from .drivers.keys import Keys
from .drivers.panel import Panel
from .entropy import draw_boot_id
from .events import EventRing
from .game import Game
from .guard import CrashLog
from .hal import Hal
from .loader import Loader
from .measure import Measurement
from .operation import Operation
from .presses import Presses
from .readers import Readers
from .records import Records
from .rewiring import Rewiring
from .safety import Outputs
from .saving import Saving
from .seal import Walls
from .self_tests import SelfTests
from .settings import Settings
from .status import NoSorter, Status
from .store import Store, held
from .talk import Talk
from .upkeep import Upkeep
from .watch import Watch
from .wiring import Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from .setup import Setup
    from .sorting.prescribed import Prescribed

    class Device(Protocol):
        """Anything that has a deadline."""

        @property
        def due(self) -> int:
            """When it wants to be polled."""

        def poll(self, now_ms: int) -> None:
            """Do what is due."""

    Taking = Callable[[int, bytes], "bytes | None"]
    Acting = Callable[[int], bytes]

_LATE_MS = const((1 << 27) + (1 << 20))
"""A clock that shows this is turned back by TURN_MS of `weeks`, to 17 minutes: so no rule for the time after a start is
in force again."""
STARTED = const(2)
"""Polls that a start takes before anything else is looked at."""


class App:
    """One table. `unit` names the board (16 bytes at the most), `tiles` is the size of a set while none is stored."""

    VERSION = (0, 1, 0)

    def __init__(self, hal: Hal, unit: bytes, tiles: int = SET_SIZES[0]) -> None:
        self.due = 0
        self.hal = hal
        self.events = EventRing()
        wiring = self.wiring = Wiring(hal)
        self.panel = Panel(self.wiring)
        self.settings = Settings(tiles, hal.wash_s)
        settings = self.settings.values
        self.counters = Counters()
        inputs = self.inputs = Inputs(wiring, lambda *_: None, settings)
        self.outputs = Outputs(wiring, inputs.steady, lambda fault, side: self.cycle.fail(fault, side, 0, 0), settings)
        self.inputs.tell(self.outputs.hold_back, self.outputs.let_go)
        self.build = Build(tiles, self.outputs, self.inputs.steady, settings)
        self.cycle: "Cycle" = Cycle(self.outputs, self.inputs.steady, self.build, self.events, self.panel)
        self._steps = self.cycle.steps.waiting
        self.walls = Walls(hal, self.events, self.cycle, self.build)
        self.readers = Readers(hal, self.events, self.cycle, self.walls)
        self._restart_cause = hal.restart_cause
        self.crashes = CrashLog(hal)
        self.crashes.started()
        self.store = Store(hal)
        self.game = Game(
            self.settings, self.cycle, self.build, self.readers, self.outputs, self.events, self.wiring, self.inputs
        )
        self.saving = Saving(
            self.store, self.settings, self.counters, self.game, self.cycle, self.build, self.walls, self.outputs
        )
        self.keys = Keys(self.inputs, self.cycle.notice)
        self.dice = Dice(hal, self.events, self.cycle.steps, lambda: self.presses.dice_settled())
        self.self_tests = SelfTests(hal, self.cycle, self.outputs, self.panel, self.dice, settings)
        self.loader = Loader(hal, self.cycle, self.outputs, self.panel, self.saving)
        self.presses: "Presses" = Presses(
            self.cycle,
            self.build,
            self.inputs,
            self.keys,
            self.panel,
            self.dice,
            self.loader,
            self.events,
            settings,
            self.self_tests.wants_stop,
            self.make_setup,
        )
        self.watch = Watch(
            hal, self.wiring, self.outputs, self.inputs, self.cycle, self.panel, self.events, self.counters
        )
        self.dispatch = Dispatch(
            inputs, self.outputs, self.build, self.cycle, self.keys, self.presses, self.walls, self.events, self.watch
        )
        self.dispatch.tell_stop(self.self_tests.stop_changed)
        self.inputs.tell_changes(self.dispatch.input_changed)
        self.outputs.tell(self.dispatch.put_off)
        self.rewiring = Rewiring(
            self.wiring, self.inputs, self.outputs, self.build, self.cycle, self.events, self.crashes
        )
        # One device has its turn in a poll, the first that is due: how long a drive may run comes before all else.
        self._devices: "list[Device]" = [self.outputs, self.watch]
        self._devices.extend(self.build.lanes)
        self._devices.extend(self.cycle.lifts)
        self._devices.extend((self.cycle.lid, self.build, self.cycle.wash, self.cycle))
        self._devices.extend((self.panel, self.dice, self.rewiring, self.loader, self.keys))
        self.setup: "Setup | None" = None  # until somebody presses the keys for it
        self.sorting: "Prescribed | None" = None
        self._must_switch = self._reads_turn = self._was_held_up = self._has_more = False
        self._kept_rx = b""
        self._started = self._taken_ms = 0
        stored = self.store.load()
        can_sort = bool(hal.sorter)
        is_lid_open = self.inputs.steady[LID_IS_OPEN] != 0
        self._is_restored = bool(stored) and self.saving.restore(stored or b"", is_lid_open, can_sort)
        self._store_is_corrupt = stored is None or (bool(stored) and not self._is_restored) or hal.has_lost_files
        self.panel.mark_prescribed(self.cycle.wall_mode != codes.ORDINARY_WALL)
        self.readers.fit(self._devices)
        if can_sort:
            self.sorting = self._make_sorting(unit)
        self.dice.take(self.cycle.dice)
        self.cycle.count_start()
        self.commands = Commands(self.cycle, self.events)
        boot_id = draw_boot_id(hal, self.cycle.boots)
        self.responder = Responder(boot_id, self.commands.execute, self.events, short_calls=True)
        self.upkeep = Upkeep(
            self.settings, self.counters, self.game, self.saving, self.cycle, self.outputs, self.responder.session
        )
        self.status = Status(
            (unit,) + self.VERSION,
            hal,
            self.sorting,
            self.cycle,
            self.build,
            self.inputs,
            self.outputs,
            self.panel,
            self.presses,
            self.dice,
            self.events,
            self.wiring,
            self.responder,
        )
        operation = Operation(
            self.cycle,
            self.build,
            self.outputs,
            self.panel,
            self.presses,
            self.dice,
            self.saving,
            self.rewiring,
            self.crashes,
            self.self_tests.wants_stop,
        )
        records = Records(
            hal,
            self.cycle,
            self.outputs,
            self.settings,
            self.game,
            self.saving,
            self.readers,
            self.wiring,
            self.rewiring,
        )
        offer = self.commands.offer
        offer(self.status, operation, self.cycle.service, self.presses, self.dice, self.upkeep, self.readers)
        offer(records, Measurement(hal, self.cycle.service), self.loader, self.rewiring, self.self_tests)
        offer(self.sorting or NoSorter())
        self.talk = Talk(
            self.responder, self.status, self.cycle, self.events, self.settings, self.presses, self.rewiring
        )
        self._usual: "tuple[Taking, Acting]" = (self._take, self._act)
        self._turns: "tuple[Taking, Acting]" = (self._start, self._act)

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        """Take what the wire brought, do what is due, return what is to be sent."""
        self.cycle.begin_poll(now_ms)
        self.due = now_ms
        take, act = self._turns
        tx = take(now_ms, rx)
        return act(now_ms) if tx is None else tx

    def _start(self, now_ms: int, rx: bytes) -> bytes:
        """In two polls: tell what was kept, then let the cycle find out where everything stands."""
        self._started += 1
        if self._started < STARTED:
            self.events.add(now_ms, "booted", *self.VERSION)
            if self._is_restored:
                cycle = self.cycle
                values = (cycle.set_above, held(cycle, self.build), cycle.deal, cycle.dealer)
                self.events.add(now_ms, "restored", *(values + cycle.told + (cycle.builds, cycle.boots)))
                self.walls.start(now_ms)
        else:
            self._start_cycle(now_ms)
            self._turns = self._usual
        if rx:
            self.responder.receive(now_ms, rx)
        return b""

    def _take(self, now_ms: int, rx: bytes) -> "bytes | None":
        """Take what inputs and host bring. That has a poll of its own, so that no poll is long.

        An input that chatters, or a host that floods the line, holds up nothing that is due: what they bring after that
        waits for the next poll.
        """
        has_edges = self.hal.has_edges()
        if not has_edges:
            self._taken_ms = now_ms
        if self._was_held_up:
            self._was_held_up = False
            self._kept_rx = rx
            self._has_more = has_edges or bool(rx)
            return None
        self._has_more = False
        if has_edges:
            has_edges = self.inputs.take_edges(now_ms)
            self._taken_ms = self.inputs.taken_ms
        if self._kept_rx:
            rx = self._kept_rx + rx
            self._kept_rx = b""
        if rx:
            self.responder.receive(now_ms, rx)
        if not (has_edges or rx):
            return None
        self._was_held_up = True
        return b""

    def _save(self, now_ms: int) -> bytes:
        """Go on with what is being stored, and with nothing else."""
        self.saving.step()
        if not self.saving.goes_on:
            self.outputs.flush(now_ms)
            self._turns = self._usual
        return b""

    def _act(self, now_ms: int) -> bytes:
        """Do one thing that is due; show a text or speak to the host only when there is nothing else to be done."""
        switches = self._must_switch
        self._must_switch = is_sending = False
        is_busy = True
        if switches or self._do_one(now_ms) or self._has_more:
            if self.talk.payload:
                self.talk.forget_status()
        elif self.panel.text:
            self.panel.show()
        elif self.responder.has_frames():
            is_sending = True
        else:
            is_busy = self.talk.has_news(now_ms) and self.talk.go_on(now_ms)
        return b"" if self._steps else self._end(now_ms, switches, is_busy, is_sending)

    def _end(self, now_ms: int, switches: bool, is_busy: bool, is_sending: bool) -> bytes:
        """Switch what differs, unless something must be stored before that; return what is to be sent."""
        cycle, outputs = self.cycle, self.outputs
        if outputs.mask:
            outputs.check_state(cycle.state)
        if cycle.state != self.saving.state or (cycle.unsaved and not outputs.mask):
            # Neither a drive is switched nor a reply sent before it is stored.
            self.saving.begin()
            self._turns = (self._take, self._save)
            return b""
        if outputs.differ():
            # The next poll switches them and does nothing else; the one after it counts how long they have run.
            if switches:
                outputs.flush(now_ms)
            else:
                self._must_switch = True
        elif outputs.sent != self.counters.mask and not is_busy:
            self.counters.drives(outputs.sent, now_ms)
            self.watch.note_drives(now_ms)
        elif not is_busy:
            self.due = self._next_due(now_ms)
        return self.responder.take() if is_sending else b""

    def _do_one(self, now_ms: int) -> bool:
        """Do what is due, but one thing, reads and all else in turns: fetch reads, settle an input, poll a device. The
        steps of an act come before all that."""
        if self._steps:
            self.outputs.drop()
            if not self.inputs.settle_stop(self._taken_ms):
                self.cycle.steps.do_one()
            return True
        self._reads_turn = not self._reads_turn
        if self._reads_turn and self.readers.take_news(now_ms, self._devices):
            return True
        inputs = self.inputs
        if inputs.due <= self._taken_ms:  # what is due later may have an edge that has not been taken
            inputs.poll(self._taken_ms)
            return True
        for device in self._devices:
            at_ms = device.due
            if at_ms is not NEVER and at_ms <= now_ms:  # most are, and to compare long integers takes a board longer
                device.poll(now_ms)
                return True
        return not self._reads_turn and self.readers.take_news(now_ms, self._devices)

    def _next_due(self, now_ms: int) -> int:
        """Return when there will be something to do, nothing being due now. Here a step of the self-tests is done, and
        the clock may be turned back."""
        while now_ms >= _LATE_MS and not self.outputs.mask:
            from .weeks import OF_APP, TURN_MS, turn_times

            turn_times(self, OF_APP)
            self.hal.turn_back(TURN_MS)
            now_ms -= TURN_MS
        tests = self.self_tests
        if tests.due <= now_ms:
            tests.poll(now_ms)
            return now_ms
        due = min(self.inputs.due, self.talk.due, self.responder.due, tests.due)
        for device in self._devices:
            at_ms = device.due
            if at_ms is not NEVER and at_ms < due:
                due = at_ms
        return max(due, now_ms)

    def make_setup(self) -> "Setup":
        """Load what sets the game at a panel: the memory of a table that nobody sets is not taken by it."""
        from .setup import Setup

        self.setup = Setup(
            self.cycle,
            self.build,
            self.inputs.steady,
            self.panel,
            self.events,
            self.settings.values,
            self.game,
            self.upkeep,
        )
        self._devices.append(self.setup)
        return self.setup

    def _make_sorting(self, unit: bytes) -> "Prescribed":
        """Load what builds prescribed walls: a table that cannot sort its tiles has no memory for it."""
        from .sorting.prescribed import Prescribed

        sorting = Prescribed(
            self.hal,
            self.cycle,
            self.build,
            self.outputs,
            self.inputs.steady,
            self.panel,
            self.events,
            self.readers,
            unit,
        )
        self.cycle.use_sorting(sorting)
        self.readers.use_sorter(sorting.sorter)
        self._devices[2:2] = [sorting.sorter, sorting]  # a mouth has 80 ms from the read to the tile
        return sorting

    def _start_cycle(self, now_ms: int) -> None:
        cycle = self.cycle
        if self.hal.has_lost_files:
            # Without its map the board stands in another fault, which does not say why.
            cycle.notice(codes.STORE_CORRUPT, codes.NO_SIDE, 0)
        self.rewiring.start_cycle(self._store_is_corrupt, self.crashes.stopped)
        # From now on: what is told again after a start has been counted before.
        self.events.count_troubles(self.counters.trouble)
        if self._restart_cause:
            cycle.notice(self._restart_cause, codes.NO_SIDE, 0)
        self.crashes.tell(now_ms, cycle, self.events)
