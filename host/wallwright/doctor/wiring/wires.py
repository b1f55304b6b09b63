"""The wires of a board while nothing is connected: looks at them, and single outputs switched on for a moment."""

from dataclasses import dataclass
from typing import Any

from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.codes import WIRING_UNKNOWN
from wallwright_protocol.hardware import GUARD_WIRE, WIRES
from wallwright_protocol.names import FAULTS

from ...errors import TableFault
from ...link.reports import Event
from ...table.table import Table
from .wire_map import Wire

TICK_MS = 50
"""The board remembers 16 edges; a contact makes three when it moves."""
SETTLE_MS = 60
"""A switch that a jog has moved chatters no longer than this."""
LATE_MS = 3000
WAITING_FAULT = FAULTS[WIRING_UNKNOWN]
_LEVEL_SHIFT = 6
_COUNT_MASK = 0xFFFF
_NONE = 255


@dataclass(frozen=True, slots=True)
class WireEdge:
    """A wire has changed to `level`."""

    wire: int
    level: int


@dataclass(frozen=True, slots=True)
class WireJog:
    """An output was on for `ran_ms` and went off for the reason `end`, of names.JOG_ENDS; `edges` came meanwhile."""

    ran_ms: int
    end: str
    edges: tuple[WireEdge, ...]


class Wires:
    """The inputs and outputs of a table's board. `levels` are of the last look, `lost` counts edges missed.

    Where the lid's interlock reports on GUARD_WIRE (`interlocked`), that wire is no input, and not looked at.
    """

    def __init__(self, table: Table, *, interlocked: bool = False) -> None:
        self.table = table
        self._ignored = GUARD_WIRE if interlocked else None
        self.levels: tuple[int, ...] = ()
        self.lost = 0
        self._newest: int | None = None

    def look(self) -> tuple[WireEdge, ...]:
        """Return the edges since the last look. TableFault when the board goes by a map again, or has another fault."""
        status = self.table.last_status
        if status.fault != WAITING_FAULT:
            raise TableFault(status.fault or "stopped", status.fault_side, 0, 0)
        values: dict[str, Any] = dict(REPLIES[NUMBER_OF["get_wires"]].unpack_named(self.table.request("get_wires")))
        mask = int.from_bytes(values["wires"], "little")
        self.levels = tuple(0 if wire == self._ignored else mask >> wire & 1 for wire in range(WIRES))
        newest, codes = values["newest_edge"], values["edges"]
        new = 0 if self._newest is None else (newest - self._newest) & _COUNT_MASK
        self._newest = newest
        kept = min(new, len(codes))
        self.lost += new - kept
        edges = (
            WireEdge(code & (1 << _LEVEL_SHIFT) - 1, code >> _LEVEL_SHIFT & 1)
            for code in (codes[number % len(codes)] for number in range(newest - kept + 1, newest + 1))
        )
        return tuple(edge for edge in edges if edge.wire != self._ignored)

    def jog(self, output: int, limit_ms: int, stop: Wire, keys: tuple[Wire, ...], end: Wire | None = None) -> WireJog:
        """Have an output on until `end` turns on, for `limit_ms` at the most; wait until all is quiet.

        Any edge of a wire in `keys`, and `stop` pressed, end it at once. Raises Refused, `forbidden` while `stop` is
        pressed, TableFault, NotInTime.
        """
        table = self.table
        before = table.status().newest_event
        self.look()
        mask = sum(1 << wire.number for wire in keys)
        ends = _NONE if end is None else end.number | end.on << 7
        table.request("jog_wire", output, limit_ms, ends, stop.number | stop.on << 7, mask.to_bytes(6, "little"))
        edges: tuple[WireEdge, ...] = ()
        until = table.now_ms() + limit_ms + LATE_MS
        while True:
            table.pump(TICK_MS)
            edges += self.look()
            done = self._ended(before)
            if done is not None:
                table.pump(SETTLE_MS)
                edges += self.look()
                return WireJog(done.fields["ran_ms"], done.fields["jog_end"], edges)
            if table.now_ms() >= until:
                raise table.late("wire_jogged", limit_ms + LATE_MS)

    def _ended(self, before: int) -> Event | None:
        for event in self.table.events():
            if event.seq > before and event.name == "wire_jogged":
                return event
        return None
