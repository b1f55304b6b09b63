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

import struct

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import EMERGENCY_STOP, OUTPUTS, WIRES
from wallwright_protocol.link import NEVER

from .drivers.inputs import EDGE_LEVEL, EDGES
from .wiring import BODY_BYTES, HEAD, NONE, body_of, problem, sorter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .build import Build
    from .commands import Reply
    from .cycle import Cycle
    from .drivers.inputs import Inputs
    from .events import EventRing
    from .guard import CrashLog
    from .safety import Outputs
    from .wiring import Wiring

JOG_LIMIT_MS = 1500
"""A lift that was raised by a short jog is down again in less, a head is home."""


class Rewiring:
    """A device with a deadline. `newest_edge` counts edges of wires modulo 65,536; edge n is `edges[n % EDGES]`."""

    answers = ("get_wiring", "begin_wiring", "set_wiring", "get_wires", "jog_wire")

    def __init__(
        self,
        wiring: "Wiring",
        inputs: "Inputs",
        outputs: "Outputs",
        build: "Build",
        cycle: "Cycle",
        events: "EventRing",
        crashes: "CrashLog",
    ) -> None:
        self.due = NEVER
        self.newest_edge = 0
        self.edges = bytearray(EDGES)
        self.edge_times = [0] * EDGES
        self._wiring = wiring
        self._inputs = inputs
        self._outputs = outputs
        self._build = build
        self._cycle = cycle
        self._events = events
        self._crashes = crashes
        self._output = NONE
        self._limit_ms = 0
        self._started_ms = NEVER
        self._end = NONE
        self._stop = NONE
        self._keys = b""
        wiring.watch(self._seen)
        self._connected()

    def on_begin_wiring(self, _: "tuple[Any, ...]") -> "Reply":
        """Take every wire from what it meant."""
        return self.begin(), b""

    def on_set_wiring(self, values: "tuple[Any, ...]") -> "Reply":
        """Keep a map, then go by it."""
        return self.set_map(body_of(bytes(values))), b""

    def on_jog_wire(self, values: "tuple[Any, ...]") -> "Reply":
        """Switch one output on."""
        return self.jog(*values), b""

    def start_cycle(self, store_is_corrupt: bool, crashes_on: int) -> None:
        """Let the cycle find out where everything stands; without a map it cannot.

        A table that has built walls without one is wired by the standard, which it keeps.
        """
        cycle = self._cycle
        if cycle.builds and self._wiring.adopt_standard():
            self._inputs.start()
        if self._wiring.connected or crashes_on:
            cycle.start(store_is_corrupt, crashes_on)
        else:
            if store_is_corrupt:
                cycle.lose_walls()
            cycle.fail(codes.WIRING_UNKNOWN, codes.NO_SIDE, 0, 0)

    def begin(self) -> int:
        """Take every wire from what it meant; return a refusal code."""
        cycle = self._cycle
        if cycle.state not in (codes.SERVICE, codes.FAULT) or self._outputs.mask or self._output != NONE:
            return codes.WRONG_STATE
        if cycle.fault == codes.CRASH_LOOP:
            # That one has a way out of its own.
            return codes.WRONG_STATE
        self._wiring.disconnect()
        self._inputs.start()
        self._cycle.fail_in(codes.WIRING_UNKNOWN)
        return codes.OK

    def set_map(self, body: bytes) -> int:
        """Keep a map, then go by it; return a refusal code."""
        code = problem(body)
        if code != codes.OK:
            return code
        if self._wiring.connected or self._output != NONE:
            return codes.WRONG_STATE
        if not self._wiring.save_map(body):
            self._cycle.fail_in(codes.STORE_FAILED)
            return codes.FAULT_ACTIVE
        self.leave(codes.BY_STOP)
        if self._inputs.steady[EMERGENCY_STOP]:
            self._cycle.fail_in(codes.EMERGENCY_STOP)
        self._events.add(self._cycle.now_ms, "wiring_changed", self._wiring.hash)
        return codes.OK

    def leave(self, why: int) -> bool:
        """Go by the map that is stored; False, and nothing is connected, when there is no good one."""
        if not self._wiring.connected:
            self.end_jog(why)
            self._wiring.load_map()
            self._inputs.start()
            self._connected()
        return self._wiring.connected

    def keep_fault(self) -> int:
        """A fault stays while nothing is connected, but that of failing again and again; return a refusal code."""
        if self._cycle.fault != codes.CRASH_LOOP:
            return codes.FAULT_ACTIVE
        self._crashes.clear()
        self._cycle.fail_in(codes.WIRING_UNKNOWN)
        return codes.OK

    def jog(self, output: int, limit_ms: int, end: int, stop: int, keys: bytes) -> int:
        """Switch one output on for `limit_ms` at the most; return a refusal code.

        `end` and `stop` are wires, plus 128 for the level 1: what ends it there, NONE for nothing, and the emergency
        stop with the level that means pressed. `keys` has a bit for each wire whose every edge ends it.
        """
        bad_end = end != NONE and end & 0x7F >= WIRES
        if output >= OUTPUTS or not 0 < limit_ms <= JOG_LIMIT_MS or bad_end or stop & 0x7F >= WIRES:
            return codes.BAD_ARGUMENT
        if self._wiring.connected or self._output != NONE:
            return codes.WRONG_STATE
        if self._cycle.whole or self._build.partial:
            return codes.WALLS_BELOW
        if self._wiring.wire_level(stop & 0x7F) == stop >> 7:
            return codes.FORBIDDEN
        self._output = output
        self._limit_ms = limit_ms
        self._end = end
        self._stop = stop
        self._keys = keys
        self.due = self._cycle.now_ms
        if not self._cycle.walls_unknown:
            # Stored before the output is switched.
            self._cycle.lose_walls()
            self._cycle.note_change()
        return codes.OK

    def poll(self, now_ms: int) -> None:
        """The output goes on, or has been on for its time."""
        if self._started_ms != NEVER:
            self.end_jog(codes.BY_TIME)
        elif self._cycle.unsaved:
            self.due = now_ms
        elif self._wiring.wire_level(self._stop & 0x7F) == self._stop >> 7:
            self.end_jog(codes.BY_FAULT)
        else:
            self._started_ms = now_ms
            self.due = now_ms + self._limit_ms
            self._wiring.put(1 << self._output)

    def end_jog(self, why: int) -> None:
        """Switch off what is on, and tell for how long it was."""
        if self._output == NONE:
            return
        self._wiring.put(0)
        now_ms = self._cycle.now_ms
        ran_ms = 0 if self._started_ms == NEVER else now_ms - self._started_ms
        self._events.add(now_ms, "wire_jogged", self._output, ran_ms, why)
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

    def _connected(self) -> None:
        self._build.use_lanes(self._wiring.lanes)

    def on_get_wiring(self, _: "tuple[Any, ...]") -> "Reply":
        # The map is kept in the form of the reply.
        body = self._wiring.body
        return codes.OK, struct.pack("<I", self._wiring.hash) + body[len(HEAD) : BODY_BYTES] + sorter_of(body)

    def on_get_wires(self, _: "tuple[Any, ...]") -> "Reply":
        levels = bytearray(WIRES >> 3)
        for wire in range(WIRES):
            levels[wire >> 3] |= self._wiring.wire_level(wire) << (wire & 7)
        times = [time_ms & 0xFFFF for time_ms in self.edge_times]
        head = (self._events.told_ms(self._cycle.now_ms), bytes(levels), self._wiring.raw, self.newest_edge)
        return codes.OK, REPLIES[NUMBER_OF["get_wires"]].pack(*(head + tuple(self.edges) + tuple(times)))
