"""A host that does not read, and a board that does not: both go on, within their limits."""

import random

import pytest

from tests.link_failures.wire import all_events, logged_world, spoilt_table
from wallwright_firmware.app import App
from wallwright_protocol import link
from wallwright_protocol.codec import NUMBER_OF, REQUESTS, STATUSES
from wallwright_protocol.frame import CRC_BYTES, MAX_FRAME, encode
from wallwright_protocol.hardware import DISC
from wallwright_simulator.board import SimulatedBoard
from wallwright_simulator.faults import load_faults
from wallwright_simulator.simulation import Simulation

SILENT_MS = 60_000
FIFO_BYTES = 64
"""What a board keeps of the line while its program is busy."""
UART_BYTES = 512
"""Bytes that the UART's driver holds on the board beyond its FIFO, `HOST_BUFFER` in boards/board.py."""
STATUS_BYTES = link.STATUS_HEAD + max(layout.size for layout in STATUSES.values()) + CRC_BYTES + 2


def test_row_15_a_host_that_reads_nothing_for_a_minute_stops_no_build(seed: int) -> None:
    simulation = Simulation(seed)
    table, _ = spoilt_table(simulation)
    table.start_build()
    simulation.run_until(simulation.now_ms + SILENT_MS)
    assert [len(head.carrier) for head in simulation.world.heads] == [14, 13, 14, 13]
    # A status a second and one a state until the board gives its host up; the events of one window, sent four times.
    statuses = link.SILENCE_MS // 1000 + 5
    assert simulation.waiting() <= statuses * STATUS_BYTES + 5 * link.EVENT_WINDOW * MAX_FRAME
    table.pump(1000)
    assert table.state == "ready"
    done = [event for event in all_events(table) if event.name == "build_done"]
    assert len(done) == 1


def test_row_15_limits_hold_though_nobody_reads(seed: int) -> None:
    simulation = Simulation(seed, world=logged_world(seed), faults=load_faults("stall disc at 8 s"))
    table, _ = spoilt_table(simulation)
    table.start_build()
    simulation.run_until(simulation.now_ms + SILENT_MS)
    last_ms, mask = simulation.world.drive_log[-1]
    assert mask == 0
    assert any(mask & DISC for _, mask in simulation.world.drive_log)
    assert last_ms < 30_000, "the fault was noticed only when somebody listened"
    assert table.status().fault == "disc_stalled"


class Busy:
    """A firmware that is not polled at times: from each of `pauses` on, for `pause_ms`. What comes in meanwhile goes
    into a FIFO of FIFO_BYTES; `overruns` counts the bytes that find no room."""

    def __init__(self, app: App, pauses: list[int], pause_ms: int) -> None:
        self.app = app
        self.due = app.due
        self.overruns = 0
        self._pauses = pauses
        self._pause_ms = pause_ms
        self._fifo = b""

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        rx = self._fifo + rx
        back_ms = max((start + self._pause_ms for start in self._pauses if start <= now_ms), default=0)
        if back_ms > now_ms:
            self.due = back_ms
            self.overruns += max(0, len(rx) - FIFO_BYTES)
            self._fifo = rx[:FIFO_BYTES]
            return b""
        self._fifo = b""
        tx = self.app.poll(now_ms, rx)
        self.due = self.app.due
        return tx


@pytest.mark.parametrize("pause_ms", [45, 400, 2500])
def test_row_16_a_board_that_is_away_loses_bytes_and_no_command(pause_ms: int, seed: int) -> None:
    """45 ms and 400 ms are what erasing a sector of flash takes; 2,500 ms are longer than anything a board does."""
    rng = random.Random(seed)
    # Two of the longest never run into one, which would be longer than a request is repeated.
    pauses = [at + rng.randrange(3000) for at in range(2000, 200_000, 6500)]
    made: list[Busy] = []

    def busy(board: SimulatedBoard, unit: bytes, tiles: int) -> Busy:
        made.append(Busy(App(board, unit, tiles), pauses, pause_ms))
        return made[-1]

    simulation = Simulation(seed, firmware=busy)
    table, wire = spoilt_table(simulation)
    longest = 0

    def measure(frame: bytes) -> bytes:
        nonlocal longest
        longest = max(longest, len(frame))
        return frame

    wire.up = measure
    asked = 0
    plans = [(14, 13, 14, 13), (13, 14, 13, 14)]
    while simulation.now_ms < 200_000:
        table.set_plan(plans[asked % 2], dealer=asked % 4)
        asked += 1
        assert table.status().dealer == (asked - 1) % 4
        table.pump(rng.randrange(4000))
    table.pump(5000)
    assert longest <= FIFO_BYTES
    accepted = [event for event in table.events() if event.name == "command_accepted"]
    assert len(accepted) == asked
    if pause_ms > 2000:
        assert made[0].overruns > 0


def test_row_16_every_frame_of_the_host_fits_the_fifo() -> None:
    # In service, where the board stores nothing but what it is sent, whole records come; and parts of a prescription
    # while nothing is built. What is lost of them is sent again.
    records = {NUMBER_OF["set_wiring"], NUMBER_OF["put_record"], NUMBER_OF["prescribe"]}
    sizes = {number: link.REQUEST_HEAD + layout.size for number, layout in REQUESTS.items()}
    in_play = [size for number, size in sizes.items() if number not in records]
    for size in [link.HELLO_SIZE, link.EVENT_ACK_SIZE, *in_play]:
        assert len(encode(b"\xff" * size)) <= FIFO_BYTES
    assert max(in_play) > link.REQUEST_HEAD
    for number in records:
        assert len(encode(b"\xff" * sizes[number])) <= UART_BYTES
