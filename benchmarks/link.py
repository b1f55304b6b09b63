"""What the link makes of a serial line: payload share of it, and round trips of a request.

    .venv-dev/bin/python -m benchmarks.link

The share is that of the link's own two ends on a modelled line: ten bits a byte, both directions at once, nothing else
takes time. Round trips are those of a host and a table in real time behind a pseudo-terminal, the firmware in CPython
and in the 32-bit MicroPython; the table's USB frame of a millisecond is in them. Needs `make micropython-32`.
"""

import heapq
import multiprocessing
import time
from collections.abc import Callable
from functools import partial
from math import ceil
from multiprocessing.connection import Connection
from statistics import quantiles

from rich.console import Console
from rich.table import Table as Grid

from wallwright.table.table import open_table
from wallwright_firmware.events import EventRing
from wallwright_protocol import codes, link
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES
from wallwright_protocol.link import Responder
from wallwright_protocol.requester import Requester
from wallwright_simulator.runtimes import find_micropython
from wallwright_simulator.serve import PtyWire, Server
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.vm import VmApp

BAUD_RATES = (115_200, 1_000_000)
BITS_A_BYTE = 10
LINE_S = 20
"""Of the line's time."""
TARGET_SHARE = 0.70
ROUND_TRIPS = 2_000
WARM_UP = 100

STATUS = NUMBER_OF["status"]
GET_STATUS = NUMBER_OF["get_status"]
PAYLOAD = bytes(range(REPLIES[GET_STATUS].size))


class ModelledLine:
    """A host's and a board's end, and bytes that take their time between them. Times are in µs."""

    def __init__(self, baud_rate: int) -> None:
        self.now_us = 0
        self.payload = 0
        self.messages = 0
        self.ring = EventRing()
        self.host = Requester()
        self.board = Responder(7, lambda *_: (codes.OK, PAYLOAD), self.ring)
        self._us_a_byte = BITS_A_BYTE * 1_000_000 / baud_rate
        self._free_us = {True: 0.0, False: 0.0}
        self._under_way: list[tuple[int, int, bool, bytes]] = []
        self._count = 0
        self.host.hello(0, 1)

    @property
    def now_ms(self) -> int:
        """The time of the two ends."""
        return self.now_us // 1000

    def run(self, feed: "Callable[[ModelledLine], None]") -> float:
        """Let `feed` keep the line busy for LINE_S; return the payload's share of what the board could have sent."""
        while self.now_us < LINE_S * 1_000_000:
            if self.host.boot_id:
                feed(self)
            self._send()
            dues = [end.due * 1000 for end in (self.host, self.board)]
            self.now_us = max(self.now_us, min([*dues, *(row[0] for row in self._under_way[:1])]))
            while self._under_way and self._under_way[0][0] <= self.now_us:
                _, _, is_up, data = heapq.heappop(self._under_way)
                if is_up:
                    self.board.receive(self.now_ms, data)
                else:
                    self._count_payload(self.host.receive(self.now_ms, data))
            self.board.poll(self.now_ms)
            self.host.poll(self.now_ms)
        return self.payload * self._us_a_byte / self.now_us

    def backlog_us(self) -> float:
        """How long the board's direction is busy with what was sent already."""
        return self._free_us[False] - self.now_us

    def _send(self) -> None:
        for is_up, data in ((True, self.host.take()), (False, self.board.take())):
            for frame in data.split(b"\0")[:-1]:
                self._free_us[is_up] = max(self._free_us[is_up], self.now_us) + self._us_a_byte * (len(frame) + 1)
                self._count += 1
                heapq.heappush(self._under_way, (ceil(self._free_us[is_up]), self._count, is_up, frame + b"\0"))

    def _count_payload(self, happened: list[tuple[object, ...]]) -> None:
        for what in happened:
            if what[0] in ("status", "reply", "event"):
                self.messages += 1
                payload = what[-1]
                assert isinstance(payload, bytes)
                self.payload += len(payload)
                if what[0] == "event":
                    assert isinstance(what[2], int)
                    self.host.stored(self.now_ms, what[2])


def statuses(line: ModelledLine) -> None:
    """The board sends its status again as soon as the last one has left."""
    if line.backlog_us() <= 0:
        line.board.send_status(STATUS, PAYLOAD)


def questions(line: ModelledLine) -> None:
    """The host asks for the status again as soon as it has an answer."""
    if not line.host.busy:
        line.host.request(line.now_ms, GET_STATUS, b"")


def events(line: ModelledLine) -> None:
    """The board's memory of events is never empty; the host stores each at once."""
    while line.ring.held() < link.EVENT_WINDOW + 1:
        line.ring.add(line.now_ms, "side_done", 3, 13, 21_400)
        line.board.poll(line.now_ms)


def share_table() -> tuple[Grid, float]:
    """The table, and the share of back-to-back statuses at the lowest rate."""
    grid = Grid(title=f"Payload on a line of 10 bits a byte, {LINE_S} s; the other direction has the acknowledgements")
    for column in ("what", "payload", "baud", "messages/s", "payload share"):
        grid.add_column(column, justify="left" if column == "what" else "right")
    first = 0.0
    sizes = (len(PAYLOAD), len(PAYLOAD), EVENTS[NUMBER_OF["side_done"]].size)
    rows = zip(("status back to back", "get_status, one in flight", "events handed over"), sizes, strict=True)
    for (name, size), feed in zip(rows, (statuses, questions, events), strict=True):
        for baud_rate in BAUD_RATES:
            line = ModelledLine(baud_rate)
            share = line.run(feed)
            first = first or share
            grid.add_row(name, str(size), f"{baud_rate:,}", f"{line.messages / LINE_S:,.0f}", f"{share:.0%}")
    return grid, first


def serve(lane: str | None, ports: Connection) -> None:
    """Be a table in real time until the process is ended."""
    firmware = partial(VmApp, runtime=find_micropython(lane)) if lane else None
    simulation = Simulation(1, firmware=firmware) if firmware else Simulation(1)
    wire = PtyWire()
    ports.send(wire.name)
    Server(simulation, wire, 1.0, None, lambda _: None).run()


def round_trips_ms(lane: str | None) -> list[float]:
    """Ask a table for its status again and again."""
    here, there = multiprocessing.Pipe()
    table_process = multiprocessing.Process(target=serve, args=(lane, there))
    table_process.start()
    times = []
    try:
        with open_table(here.recv()) as table:
            for _ in range(WARM_UP + ROUND_TRIPS):
                before = time.perf_counter()
                table.status()
                times.append((time.perf_counter() - before) * 1000)
    finally:
        table_process.kill()
        table_process.join()
    return times[WARM_UP:]


def round_trip_table() -> Grid:
    grid = Grid(title=f"Round trip of get_status over a pseudo-terminal, {ROUND_TRIPS:,} of each, ms")
    for column in ("firmware in", "median", "p99", "longest"):
        grid.add_column(column, justify="left" if column == "firmware in" else "right")
    for name, lane in (("CPython", None), ("MicroPython, 64 bit", "A"), ("MicroPython, 32 bit", "B")):
        times = round_trips_ms(lane)
        cuts = quantiles(times, n=100)
        grid.add_row(name, f"{cuts[49]:.2f}", f"{cuts[98]:.2f}", f"{max(times):.1f}")
    return grid


def main() -> None:
    console = Console()
    grid, share = share_table()
    console.print(grid)
    verdict = "met" if share >= TARGET_SHARE else "[red]missed[/red]"
    console.print(f"status back to back at {BAUD_RATES[0]:,} baud, target ≥ {TARGET_SHARE:.0%}: {verdict}")
    console.print(round_trip_table())


if __name__ == "__main__":
    main()
