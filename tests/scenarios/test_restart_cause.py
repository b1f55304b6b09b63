"""Why a board has started again is told once, as a notice, and counted: by its watchdog, by a brown-out, or neither."""

from collections import defaultdict
from functools import partial
from unittest.mock import MagicMock

import pytest

from tests.firmware.on_chip import PICO, PICO_2, board_on
from tests.scenarios.power import new_table
from tests.scenarios.table import Table
from wallwright_firmware.app import App
from wallwright_protocol import codes
from wallwright_protocol.codes import BROWN_OUT, NO_FAULT, WATCHDOG_RESET
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection
from wallwright_simulator.vm import VmApp

SCRIPTS = {
    NO_FAULT: "cut power at 9 s for 0.1 s",
    WATCHDOG_RESET: "watchdog resets board at 9 s",
    BROWN_OUT: "brown out resets board at 9 s",
}


def told(table: Table) -> list[int]:
    """Connect a host, and return the notices of this start, in the order of the board."""
    host = table.connect()
    table.run(3_000)
    names = [event.name for event in host.events]
    assert names[:2] == ["booted", "restored"]
    return [event.values["fault"] for event in host.named("notice")]


def reset_in_a_build(seed: int, cause: int, firmware) -> tuple[list[int], list[int], bytes]:
    """A table that is reset in a build, and later loses its power: its notices after both, and what it has stored."""
    with new_table(seed, firmware) as table:
        table.sim.injection = Injection(table.world, parse_faults(SCRIPTS[cause]), table.sim)
        table.press_lift()
        table.until_building()
        table.run(8_000)
        assert table.world.mask
        drives = table.world.drive_log
        table.run(2_000)
        assert drives[-1] == (9_000, 0), "something moves after a reset, before an act"
        after_reset = told(table)
        assert table.shown == f"E{codes.WALLS_UNKNOWN:02d}"
        table.disconnect()
        table.sim.cut_power(1_000)
        table.run(1_100)
        return after_reset, told(table), b"".join(table.sim.board.slots.data)


@pytest.mark.parametrize("cause", SCRIPTS)
def test_the_start_after_it_tells_why_and_later_ones_do_not(seed, cause):
    after_reset, after_power, _ = reset_in_a_build(seed, cause, App)
    assert (after_reset, after_power) == ([cause] if cause else [], [])


@pytest.mark.parametrize("cause", [WATCHDOG_RESET, BROWN_OUT])
def test_a_micropython_tells_the_same(micropython_runtime, seed, cause):
    inside = partial(VmApp, runtime=micropython_runtime)
    assert reset_in_a_build(seed, cause, inside) == reset_in_a_build(seed, cause, App)


# What the chip knows. Its registers, by the datasheets and the SDK's headers: what a row gives is at that address.

SCRATCH_4 = {PICO: 0x4005_8000 + 0x1C, PICO_2: 0x400D_8000 + 0x1C}
POWMAN_CHIP_RESET = 0x4010_0000 + 0x2C
VREG_CHIP_RESET = 0x4006_4000 + 0x08
POWERED, BITTEN = 1, 3
"""What MicroPython's `machine.reset_cause` gives: PWRON_RESET, and WDT_RESET also for every other reset by program."""


@pytest.mark.parametrize(
    ("chip", "reset_cause", "registers", "expected"),
    [
        (PICO, POWERED, {VREG_CHIP_RESET: 1 << 8}, NO_FAULT),
        (PICO, BITTEN, {SCRATCH_4[PICO]: 0x6AB73121}, WATCHDOG_RESET),
        (PICO, BITTEN, {SCRATCH_4[PICO]: 0}, NO_FAULT),
        (PICO, BITTEN, {SCRATCH_4[PICO]: 0xB007C0D3}, NO_FAULT),
        (PICO_2, POWERED, {POWMAN_CHIP_RESET: 1 << 16}, NO_FAULT),
        (PICO_2, POWERED, {POWMAN_CHIP_RESET: 1 << 17}, BROWN_OUT),
        (PICO_2, BITTEN, {SCRATCH_4[PICO_2]: 0x6AB73121, POWMAN_CHIP_RESET: 1 << 28}, WATCHDOG_RESET),
        (PICO_2, BITTEN, {SCRATCH_4[PICO_2]: 0, POWMAN_CHIP_RESET: 1 << 28}, NO_FAULT),
    ],
)
def test_the_chip_s_registers_say_why_it_has_started(monkeypatch, chip, reset_cause, registers, expected):
    memory = defaultdict(int, registers)

    def start_watchdog(**_):
        memory[SCRATCH_4[chip]] = 0x6AB73121
        return MagicMock()

    machine = MagicMock(mem32=memory, WDT=start_watchdog, WDT_RESET=BITTEN)
    machine.reset_cause.return_value = reset_cause
    machine.unique_id.return_value = b"12345678"
    board = board_on(monkeypatch, machine, chip)
    board.begin()
    assert memory[SCRATCH_4[chip]] == 0x6AB73121, "the watchdog runs"
    assert board.restart_cause == expected
