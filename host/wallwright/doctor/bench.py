"""A table on the bench: every input and output with the times of the changes, and single drives to be moved.

- Looking needs no service and disturbs nothing; it works while the table plays.
- Drives move only within `in_service`. The table itself keeps interlocks and limits; this side only asks.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import SIDES
from wallwright_protocol.names import DRIVES

from ..errors import BadName, Forbidden, Refused, TableFault
from ..link.numbers import name_of
from ..link.reports import Event, read_inputs
from ..table.table import Table

TICK_MS = 50
"""The board remembers 16 changes; a table at work makes some 30 a second."""
LATE_MS = 3000
"""The news of a jog may come this long after its end: other events may have to come first."""
NO_INPUT = 255
LEVEL_SHIFT = 6
_TIME_MASK = _COUNT_MASK = 0xFFFF


@dataclass(frozen=True, slots=True)
class Edge:
    """An input has changed to `level`, at `time_ms` of the board's uptime."""

    time_ms: int
    input: str
    level: int


@dataclass(frozen=True, slots=True)
class Look:
    """How everything stands: names of what is on, and what has changed since the look before; `lost` changes more."""

    time_ms: int
    inputs: frozenset[str]
    drives: tuple[str, ...]
    lamps: tuple[str, ...]
    edges: tuple[Edge, ...]
    lost: int


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a drive may do now: `forbidden_by` is the input that an interlock wants at `level`, None if none does."""

    longest_jog_ms: int
    forbidden_by: str | None
    level: int


@dataclass(frozen=True, slots=True)
class Jog:
    """A drive ran for `ran_ms` and stopped for the reason `end`, one of names.JOG_ENDS; `edges` came meanwhile."""

    drive: str
    ran_ms: int
    end: str
    started_ms: int
    edges: tuple[Edge, ...]


class Bench:
    """The diagnostics of a connected table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._newest: int | None = None

    def look(self, remembered: bool = False) -> Look:
        """Ask how everything stands. The first look has no changes, or those `remembered` by the board."""
        values = read_inputs(self.table.request("get_inputs"))
        uptime, newest = values["uptime_ms"], values["newest_edge"]
        codes, times = values["edges"], values["edge_times"]
        if self._newest is None:
            self._newest = max(0, newest - len(codes)) if remembered else newest
        new = (newest - self._newest) & _COUNT_MASK
        self._newest = newest
        edges = []
        for number in range(newest - min(new, len(codes)) + 1, newest + 1):
            code = codes[number % len(codes)]
            age_ms = (uptime - times[number % len(codes)]) & _TIME_MASK
            edges.append(
                Edge(uptime - age_ms, name_of("input", code & ((1 << LEVEL_SHIFT) - 1)), code >> LEVEL_SHIFT & 1)
            )
        return Look(
            uptime,
            frozenset(values["inputs"]),
            values["drives"],
            values["lamps"],
            tuple(edges),
            max(0, new - len(codes)),
        )

    def follow(self, every_ms: int = TICK_MS) -> Iterator[Look]:
        """Look again and again, for ever."""
        while True:
            yield self.look()
            self.table.pump(every_ms)

    def has_claim_keys(self) -> bool:
        """Say whether the table has claim keys: they come with tile readers at the seats."""
        fitted, _ = REPLIES[NUMBER_OF["get_readers"]].unpack(self.table.request("get_readers"))
        return bool(fitted >> SIDES)

    @contextmanager
    def in_service(self) -> Iterator[None]:
        """Keep the table in service; whatever happens within, nothing runs afterwards.

        Raises TableFault when the table stands in a fault, Refused when it does not stand still. A fault within has
        ended the service already.
        """
        now = self.table.status()
        if now.fault is not None:
            raise TableFault(now.fault, now.fault_side, 0, 0)
        if now.state == "service":
            self.table.request("end_service")  # left behind by a program that was cut off
        self.table.request("begin_service")
        try:
            yield
        finally:
            if self.table.status().state == "service":
                self.table.request("end_service")

    def allowance(self, drive: str) -> Allowance:
        """Ask what a drive may do now; BadName when there is none of that name."""
        reply = self.table.request("get_drive", number_of(drive))
        limit_ms, number, level = REPLIES[NUMBER_OF["get_drive"]].unpack(reply)
        return Allowance(limit_ms, None if number == NO_INPUT else name_of("input", number), level)

    def longest_jog_ms(self, drive: str) -> int:
        """Return for how long the table lets `drive` run at a time; BadName when there is none of that name."""
        return self.allowance(drive).longest_jog_ms

    def jog(self, drive: str, limit_ms: int) -> Jog:
        """Run one drive until it has reached its end, for `limit_ms` at the most, and wait for that.

        Raises BadName, Forbidden by an interlock, Refused, TableFault when a fault has stopped it, NotInTime.
        """
        before = self.table.status().newest_event
        started_ms = self.look().time_ms
        self._start(drive, limit_ms)
        edges: list[Edge] = []
        until = self.table.now_ms() + limit_ms + LATE_MS
        while True:
            edges += self.look().edges
            done = self._ended(drive, before)
            if done is not None:
                edges += self.look().edges
                fields = done.fields
                return Jog(drive, fields["ran_ms"], fields["jog_end"], started_ms, tuple(edges))
            if self.table.now_ms() >= until:
                raise self.table.late("jog_done", limit_ms + LATE_MS)
            self.table.pump(TICK_MS)

    def wait_edge(self, name: str, level: int, timeout_ms: int) -> tuple[Edge, ...]:
        """Return the changes up to the one of `name` to `level`; without that one when it does not come in time."""
        edges: list[Edge] = []
        until = self.table.now_ms() + timeout_ms
        while self.table.now_ms() < until:
            edges += self.look().edges
            if any(edge.input == name and edge.level == level for edge in edges):
                break
            self.table.pump(TICK_MS)
        return tuple(edges)

    def _start(self, drive: str, limit_ms: int) -> None:
        number = number_of(drive)
        try:
            self.table.request("jog", number, limit_ms)
        except Refused as refused:
            now = self.allowance(drive)
            if refused.refusal == "forbidden" and now.forbidden_by is not None:
                raise Forbidden(drive, now.forbidden_by, now.level) from refused
            raise

    def _ended(self, drive: str, before: int) -> Event | None:
        done = None
        for event in self.table.events():
            if event.seq > before and event.name == "jog_done" and event.fields["drive"] == drive:
                done = event
            elif event.seq > before and event.name == "fault":
                fields = event.fields
                raise TableFault(fields["fault"], fields["side"], fields["found"], fields["wanted"])
        # The fault that has ended it follows, and says more.
        return None if done is not None and done.fields["jog_end"] == "fault" else done


def number_of(drive: str) -> int:
    """Return the number of a drive; BadName when there is none of that name."""
    if drive not in DRIVES:
        raise BadName(f"no drive is called {drive!r}; there are {', '.join(DRIVES)}")
    return DRIVES.index(drive)
