"""Whatever ends the program or asks it to stop, the board's outputs are off in time, and a person can read why."""

import pytest

from tests.board.building import build, check_emergency
from tests.board.failing import AT_START, NEVER_CALLED, crash_in, functions, loaded
from wallwright_protocol.hardware import EMERGENCY_STOP, LID_IS_CLOSED
from wallwright_simulator.chip.files import WITH_MAP, boot_program, file_system

XIP_MISS = 50
"""Cycles that a miss of the flash's cache costs: an estimate, on the safe side."""
BROKEN_ONCE = """
import os
from wallwright_firmware.boards import rp2
def broken(now_ms):
    raise OSError(19)
if "once" not in os.listdir():
    open("once", "w").close()
    rp2.Sampler = broken
"""
"""A program whose first start finds no state machine for its inputs."""
FULL_ONCE = """
import os
from wallwright_firmware.talk import Talk
kept = None
has_news = Talk.has_news
def leak(self, now_ms):
    global kept
    if now_ms < 1500 or "once" in os.listdir():
        return has_news(self, now_ms)
    open("once", "w").close()
    for size in (4096, 64, 16):
        try:
            while True:
                kept = (kept, bytearray(size))
        except MemoryError:
            pass
    while True:
        kept = (kept, 1)
Talk.has_news = leak
"""
"""A program that has filled the memory 1.5 s after its first start, with what nobody gives back."""
FILLS = {"blocks": bytes(1_430_000)} | {f"f{number}": bytes(200) for number in range(18)}
"""With the map these leave none of the 352 blocks free, nor room in the directory, which holds small files itself."""


@pytest.mark.parametrize(("number", "level"), [(EMERGENCY_STOP, 1), (LID_IS_CLOSED, 0)])
def test_an_emergency_input_switches_everything_off_in_time(chip, seed, number, level):
    check_emergency(build(chip, seed, xip_miss=XIP_MISS), number, level)


def test_a_byte_that_means_interrupt_stops_nothing(chip, seed):
    """0x03 on the board's own USB and on the host's line, as programs that look for modems send it."""
    simulation = build(chip, seed)
    fed = simulation.polls
    simulation.type("\x03\x03")
    simulation.write(b"\x03")
    simulation.run_until(simulation.now_ms + 600)
    assert simulation.world.drive_log[-1][1]
    assert simulation.polls > fed + 10
    assert simulation.board.displays[0] == "BUILD"
    assert simulation.resets == 0


@pytest.mark.parametrize("module", ["firmware.app", "firmware.drivers.inputs", "firmware.seal", "protocol.machine"])
def test_an_exception_turns_the_outputs_off_and_is_told(chip, operate, seed, module):
    """In four of the modules; the campaign takes all of them."""
    _, crashed = crash_in(f"wallwright_{module}", chip, operate, seed)
    assert crashed["error"] == "ValueError"
    assert crashed["times"] == 1


def test_a_board_that_cannot_begin_keeps_its_outputs_off_and_tells_why(chip, operate):
    simulation = chip(1, flash=[file_system(WITH_MAP | boot_program(BROKEN_ONCE))])
    simulation.run_until(6000)
    assert simulation.resets == 1
    assert [mask for _, mask in simulation.world.drive_log if mask] == []
    table = operate(simulation)
    table.pump(500)
    told = [event.fields for event in table.events() if event.name == "crashed"]
    assert [(event["error"], event["times"]) for event in told] == [("OSError", 1)]


def test_a_full_memory_keeps_no_reason_from_being_told(chip, operate):
    simulation = chip(1, flash=[file_system(WITH_MAP | boot_program(FULL_ONCE))])
    simulation.run_until(8000)
    assert simulation.resets == 1
    table = operate(simulation)
    table.pump(500)
    told = [event.fields for event in table.events() if event.name == "crashed"]
    assert [(event["module"], event["error"]) for event in told] == [("firmware/app", "MemoryError")]


def test_the_modules_that_fail_otherwise_are_those_of_the_program():
    names = AT_START + NEVER_CALLED
    assert set(names) <= set(loaded())
    assert all(functions(name) for name in names)


def test_a_full_file_system_is_told(chip, operate):
    """The board does not move what it could not remember."""
    simulation = chip(1, flash=[file_system(WITH_MAP | FILLS)])
    simulation.run_until(1500)
    table = operate(simulation)
    table.pump(500)
    assert simulation.resets == 0
    assert table.status().fault == "store_failed"
