"""Finding out how a table is wired: a technician sees wires and switches single outputs, while nothing is connected.

- Begins in service or in a fault, with every drive at rest; the table stands in the fault `wiring_unknown` then, as it
  does after a start without a map or with one that cannot be read.
- Ends when a map is set, which is stored first; else by clearing the fault, with the map that was stored before.
  Without one it goes on, host or no host, over every start. What is not set is nowhere on the board.
- No interlock is known here, so an output is on for JOG_LIMIT_MS at the most, alone, and only after the request has
  named the wire of the emergency stop, which is seen released. That wire, the wires of keys that the request names,
  the wire that was waited for, and a request to stop end it at once, without debounce.
- A drive that was moved blindly may have changed what the carriers hold; with counted stacks in them none is moved.
"""

from wallwright_protocol import codes
from wallwright_protocol.hardware import EMERGENCY_STOP, OUTPUTS, WIRES
from wallwright_protocol.link import NEVER

from .drivers.inputs import EDGE_LEVEL, EDGES
from .wiring import ALL_LANES, NONE, problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App

JOG_LIMIT_MS = 1500
"""A lift that was raised by a short jog is down again in less, a head is home."""


class Rewiring:
    """A device with a deadline. `newest_edge` counts edges of wires modulo 65,536; edge n is `edges[n % EDGES]`."""

    def __init__(self, app: "App") -> None:
        self.due = NEVER
        self.newest_edge = 0
        self.edges = bytearray(EDGES)
        self.edge_times = [0] * EDGES
        self._app = app
        self._output = NONE
        self._limit_ms = 0
        self._started_ms = NEVER
        self._end = NONE
        self._stop = NONE
        self._keys = b""
        app.wiring.seen = self._seen
        self._connected()

    def start_cycle(self, store_is_corrupt: bool, crashes_on: int) -> None:
        """Let the cycle find out where everything stands; without a map it cannot.

        A table that has built walls without one is wired by the standard, which it keeps.
        """
        cycle = self._app.cycle
        if cycle.builds and self._app.wiring.adopt_standard():
            self._app.inputs.start()
        if self._app.wiring.connected or crashes_on:
            cycle.start(store_is_corrupt, crashes_on)
        else:
            cycle.walls_unknown = cycle.walls_unknown or store_is_corrupt
            cycle.fail(codes.WIRING_UNKNOWN, codes.NO_SIDE, 0, 0)

    def begin(self) -> int:
        """Take every wire from what it meant; return a refusal code."""
        app = self._app
        cycle = app.cycle
        if cycle.state not in (codes.SERVICE, codes.FAULT) or app.outputs.mask or self._output != NONE:
            return codes.WRONG_STATE
        if cycle.fault == codes.CRASH_LOOP:
            # That one has a way out of its own.
            return codes.WRONG_STATE
        app.wiring.disconnect()
        app.inputs.start()
        self._fail(codes.WIRING_UNKNOWN)
        return codes.OK

    def set_map(self, body: bytes) -> int:
        """Keep a map, then go by it; return a refusal code."""
        app = self._app
        code = problem(body)
        if code != codes.OK:
            return code
        if app.wiring.connected or self._output != NONE:
            return codes.WRONG_STATE
        if not app.wiring.save_map(body):
            self._fail(codes.STORE_FAILED)
            return codes.FAULT_ACTIVE
        self.leave(codes.BY_STOP)
        if app.inputs.steady[EMERGENCY_STOP]:
            self._fail(codes.EMERGENCY_STOP)
        app.events.add(app.cycle.now_ms, "wiring_changed", app.wiring.hash)
        return codes.OK

    def leave(self, why: int) -> bool:
        """Go by the map that is stored; False, and nothing is connected, when there is no good one."""
        app = self._app
        if not app.wiring.connected:
            self.end_jog(why)
            app.wiring.load_map()
            app.inputs.start()
            self._connected()
        return app.wiring.connected

    def keep_fault(self) -> int:
        """A fault stays while nothing is connected, but that of failing again and again; return a refusal code."""
        app = self._app
        if app.cycle.fault != codes.CRASH_LOOP:
            return codes.FAULT_ACTIVE
        app.crashes.clear()
        self._fail(codes.WIRING_UNKNOWN)
        return codes.OK

    def jog(self, output: int, limit_ms: int, end: int, stop: int, keys: bytes) -> int:
        """Switch one output on for `limit_ms` at the most; return a refusal code.

        `end` and `stop` are wires, plus 128 for the level 1: what ends it there, NONE for nothing, and the emergency
        stop with the level that means pressed. `keys` has a bit for each wire whose every edge ends it.
        """
        app = self._app
        bad_end = end != NONE and end & 0x7F >= WIRES
        if output >= OUTPUTS or not 0 < limit_ms <= JOG_LIMIT_MS or bad_end or stop & 0x7F >= WIRES:
            return codes.BAD_ARGUMENT
        if app.wiring.connected or self._output != NONE:
            return codes.WRONG_STATE
        if app.cycle.whole or app.build.partial:
            return codes.WALLS_BELOW
        if app.wiring.wire_level(stop & 0x7F) == stop >> 7:
            return codes.FORBIDDEN
        self._output = output
        self._limit_ms = limit_ms
        self._end = end
        self._stop = stop
        self._keys = keys
        self.due = app.cycle.now_ms
        if not app.cycle.walls_unknown:
            # Stored before the output is switched.
            app.cycle.walls_unknown = True
            app.cycle.unsaved = True
        return codes.OK

    def poll(self, now_ms: int) -> None:
        """The output goes on, or has been on for its time."""
        if self._started_ms != NEVER:
            self.end_jog(codes.BY_TIME)
        elif self._app.cycle.unsaved:
            self.due = now_ms
        elif self._app.wiring.wire_level(self._stop & 0x7F) == self._stop >> 7:
            self.end_jog(codes.BY_FAULT)
        else:
            self._started_ms = now_ms
            self.due = now_ms + self._limit_ms
            self._app.wiring.put(1 << self._output)

    def end_jog(self, why: int) -> None:
        """Switch off what is on, and tell for how long it was."""
        if self._output == NONE:
            return
        app = self._app
        app.wiring.put(0)
        now_ms = app.cycle.now_ms
        ran_ms = 0 if self._started_ms == NEVER else now_ms - self._started_ms
        app.events.add(now_ms, "wire_jogged", self._output, ran_ms, why)
        self._output = NONE
        self._started_ms = NEVER
        self.due = NEVER

    def _seen(self, wire: int, level: int, at_ms: int) -> None:
        newest = self.newest_edge = (self.newest_edge + 1) & 0xFFFF
        newest %= EDGES
        self.edges[newest] = wire | level << EDGE_LEVEL
        self.edge_times[newest] = at_ms
        if self._output != NONE:
            edge = wire | level << 7
            if edge == self._stop:
                self.end_jog(codes.BY_FAULT)
            elif self._keys[wire >> 3] >> (wire & 7) & 1:
                self.end_jog(codes.BY_KEY)
            elif edge == self._end:
                self.end_jog(codes.BY_SWITCH)

    def _fail(self, fault: int) -> None:
        """Stand in this fault, whatever other one the table stands in."""
        app = self._app
        cycle = app.cycle
        if cycle.state != codes.FAULT:
            cycle.fail(fault, codes.NO_SIDE, 0, 0)
            return
        app.events.add(cycle.now_ms, "fault_cleared", cycle.fault, codes.FROM_HOST)
        cycle.fault = fault
        cycle.fault_side = codes.NO_SIDE
        app.events.add(cycle.now_ms, "fault", fault, codes.NO_SIDE, 0, 0)
        app.panel.fault(cycle.now_ms, fault, codes.NO_SIDE)

    def _connected(self) -> None:
        self._app.build.has_all_lanes = self._app.wiring.lanes == ALL_LANES
