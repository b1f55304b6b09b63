"""A program that fails: everything off at once, the reason told once after the next start, and a stop after three."""

from functools import partial
from inspect import getsourcelines
from typing import Any

import pytest

from tests.scenarios.power import new_table
from tests.scenarios.table import Table
from wallwright_firmware.app import App
from wallwright_firmware.wiring import Wiring
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.codes import CRASH_LOOP, CRASHED, WALLS_UNKNOWN
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection
from wallwright_simulator.power import START_MS
from wallwright_simulator.vm import VmApp

LOOP = f"E{CRASH_LOOP:02d}"


def crash(table: Table) -> None:
    """The program fails now; the board is back when this returns."""
    table.sim.crash()
    table.run(START_MS + 50)


def crash_in_a_build(seed: int, firmware) -> tuple[list[int], dict[str, Any], list[int]]:
    """Notices of the next start, what it tells of the failure, and the notices of the start after that."""
    with new_table(seed, firmware) as table:
        table.sim.injection = Injection(table.world, parse_faults("program crashes at 9 s"), table.sim)
        table.press_lift()
        table.until_building()
        table.run(8_999 - table.now_ms)
        assert table.world.mask
        table.run(500)
        assert table.world.drive_log[-1] == (9_000, 0), "something moves after a failure, before an act"
        host = table.connect()
        table.run(3_000)
        assert table.shown == f"E{WALLS_UNKNOWN:02d}"
        told = [event.values["fault"] for event in host.named("notice")]
        (place,) = host.named("crashed")
        table.disconnect()
        table.sim.cut_power(1_000)
        table.run(1_100)
        again = table.connect()
        table.run(3_000)
        assert not again.named("crashed")
        return told, place.values, [event.values["fault"] for event in again.named("notice")]


def test_a_failure_in_a_build_is_told_once_with_its_place(seed):
    told, place, later = crash_in_a_build(seed, App)
    assert (told, later) == ([CRASHED], [])
    assert place["module"].rstrip(b"\0") == b"firmware/wiring"
    assert place["line"] > 0
    assert place["error"].rstrip(b"\0") == b"Crash"
    assert place["times"] == 1


def test_a_micropython_tells_the_same_place(micropython_runtime, seed):
    told, place, later = crash_in_a_build(seed, partial(VmApp, runtime=micropython_runtime))
    expected, known, _ = crash_in_a_build(seed, App)
    assert (told, later) == (expected, [])
    assert place | {"error": b"", "line": 0} == known | {"error": b"", "line": 0}
    # A MicroPython has the condition of a loop behind its body.
    lines, first = getsourcelines(Wiring.next_edge)
    assert first < known["line"] <= place["line"] < first + len(lines)
    assert place["error"].rstrip(b"\0") == b"RuntimeError"


def stopped(seed: int) -> Table:
    """A table whose program has failed three times within a minute."""
    table = new_table(seed)
    for _ in range(3):
        table.run(10_000)
        crash(table)
    return table


def test_after_three_within_a_minute_a_key_moves_nothing_and_clears_nothing(seed):
    table = stopped(seed)
    assert table.shown == LOOP
    for _ in range(3):
        table.press_lift()
        table.run(2_000)
    assert table.shown == LOOP
    table.sim.cut_power(5_000)
    table.run(6_000)
    assert table.shown == LOOP, "power does not mend a program"
    assert table.world.mask == 0
    assert not any(mask for _, mask in table.world.drive_log)


def test_a_host_clears_it_for_good(seed):
    table = stopped(seed)
    host = table.connect()
    table.run(3_000)
    assert [event.values["fault"] for event in host.named("fault")] == [CRASH_LOOP]
    assert [event.values["times"] for event in host.named("crashed")] == [3]
    assert host.request("clear_fault")[0] == codes.OK
    assert table.shown == "START?"
    table.disconnect()
    table.sim.cut_power(1_000)
    table.run(2_000)
    assert table.shown == "START?"
    table.press_lift()
    table.until_building()


def test_failures_that_are_rare_stop_nothing(seed):
    table = new_table(seed)
    for _ in range(4):
        table.run(40_000)
        crash(table)
    assert table.shown == "START?"


def test_an_error_that_nobody_has_asked_for_comes_out_with_everything_off(seed):
    table = new_table(seed)
    table.press_lift()
    table.until_building()

    def broken(number: int) -> int:
        raise ZeroDivisionError(number)

    table.sim.board.next_edge = broken  # type: ignore[method-assign, assignment]
    with pytest.raises(TypeError):
        table.run(5_000)
    assert table.world.mask == 0
    assert NUMBER_OF["crashed"] == 0x5A
