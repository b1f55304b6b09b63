"""Drives that start now, drives that wait, and the delays that are told."""

from collections.abc import Callable

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware.safety import Outputs
from wallwright_firmware.settings import defaults
from wallwright_protocol.codes import RUN_LIMIT
from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DISC,
    RING,
    SIDES,
    drive_bit,
)
from wallwright_protocol.settings import DEFAULTS, STAND
from wallwright_simulator.currents import SUPPLY_A, highest_a

BEGUN_MS = 1_000
FORWARD, BACK = drive_bit(0, CONVEYOR), drive_bit(0, CONVEYOR_REVERSE)
SIX = [DISC, RING, *(drive_bit(side, CONVEYOR) for side in range(SIDES))]


class Bench:
    """Outputs that are polled every ms; `log` is what the board drove, `told` who was told of a later start."""

    def __init__(self) -> None:
        self.board = FakeBoard()
        self.trips: list[tuple[int, int]] = []
        self.told: list[tuple[int, int]] = []
        self.outputs = Outputs(
            self.board, self.board.levels, lambda fault, side: self.trips.append((fault, side)), defaults()
        )
        self.outputs.tell(lambda drive, by_ms: self.told.append((drive, by_ms)))
        self.now_ms = BEGUN_MS
        self.log: list[tuple[int, int]] = []

    def run(self, for_ms: int, until: Callable[[], bool] = bool) -> None:
        for _ in range(for_ms):
            if self.now_ms >= self.outputs.due:
                self.outputs.poll(self.now_ms)
            self.outputs.flush(self.now_ms)
            mask = self.board.driven[-1] if self.board.driven else 0
            if mask != (self.log[-1][1] if self.log else 0):
                self.log.append((self.now_ms, mask))
            if until():
                return
            self.now_ms += 1


def test_six_motors_start_one_after_the_other_within_a_fifth_of_a_second() -> None:
    bench = Bench()
    for bit in SIX:
        assert bench.outputs.on(bit, bench.now_ms)
    bench.run(200)
    assert bench.log[-1][1] == sum(SIX)
    assert bench.log[-1][0] - BEGUN_MS <= 120
    assert highest_a(bench.log) <= SUPPLY_A


def test_one_that_waits_is_told_when_it_begins_and_its_limit_counts_from_then() -> None:
    bench = Bench()
    for bit in SIX:
        bench.outputs.on(bit, bench.now_ms)
    bench.run(200)
    last = SIX[-1].bit_length() - 1
    delay_ms = bench.log[-1][0] - BEGUN_MS
    assert sum(by_ms for drive, by_ms in bench.told if drive == last) == delay_ms
    bench.outputs.off(sum(SIX[:-1]))
    limit_ms = bench.outputs.limit_ms(last)
    bench.run(limit_ms + 1_000, lambda: bool(bench.trips))
    assert [fault for fault, _ in bench.trips] == [RUN_LIMIT]
    assert bench.now_ms == BEGUN_MS + delay_ms + limit_ms


def test_a_motor_stands_before_it_turns_the_other_way_and_not_before_it_goes_on() -> None:
    bench = Bench()
    bench.outputs.on(FORWARD, bench.now_ms)
    bench.run(500)
    bench.outputs.off(FORWARD)
    bench.run(10)
    bench.outputs.on(FORWARD, bench.now_ms)
    bench.run(10)
    bench.outputs.off(FORWARD)
    bench.outputs.on(BACK, bench.now_ms)
    bench.run(300)
    (_, first), (off_ms, off), (on_ms, again), (turn_ms, none), (back_ms, back) = bench.log
    assert [first, off, again, none, back] == [FORWARD, 0, FORWARD, 0, BACK]
    assert on_ms - off_ms == 10
    assert back_ms - turn_ms == DEFAULTS[STAND]


def test_what_was_cut_between_two_polls_stands_as_long() -> None:
    bench = Bench()
    bench.outputs.on(FORWARD, bench.now_ms)
    bench.run(500)
    bench.outputs.all_off()
    cut_ms = bench.now_ms
    bench.run(1)
    bench.outputs.on(BACK, bench.now_ms)
    bench.run(300)
    assert DEFAULTS[STAND] <= bench.log[-1][0] - cut_ms <= DEFAULTS[STAND] + 1
    assert bench.log[-1][1] == BACK


def test_what_waits_does_not_start_when_it_was_switched_off_meanwhile() -> None:
    for off in (lambda outputs: outputs.all_off(), lambda outputs: outputs.off(FORWARD | BACK)):
        bench = Bench()
        bench.outputs.on(FORWARD, bench.now_ms)
        bench.run(500)
        bench.outputs.off(FORWARD)
        bench.outputs.on(BACK, bench.now_ms)
        bench.run(DEFAULTS[STAND] // 2)
        off(bench.outputs)
        bench.run(1_000)
        assert bench.log[-1][1] == 0
        assert not any(mask & BACK for _, mask in bench.log)


def test_drives_that_turn_at_once_do_not_stand() -> None:
    bench = Bench()
    bench.outputs.turn_at_once(FORWARD | BACK)
    bench.outputs.on(FORWARD, bench.now_ms)
    bench.run(500)
    bench.outputs.off(FORWARD)
    bench.outputs.on(BACK, bench.now_ms)
    bench.run(1)
    assert bench.log[-1] == (bench.now_ms - 1, BACK)
