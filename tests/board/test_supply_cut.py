"""The charge pump of the emulated board: its edges end with a program that is not healthy, and with nothing else.

Every test prints its figures: `-rP` shows them. The emulator of the RP2350 takes many times as long as that of the
RP2040, so it runs the shortest of them.
"""

import pytest

from tests.board.building import build, logged
from tests.board.cuts import SETTING
from tests.board.rp2350.emulator import Rp2350
from wallwright.doctor.upkeep import change_settings
from wallwright_protocol.codes import BROWN_OUT
from wallwright_simulator.chip.files import WITH_MAP, boot_program, file_system
from wallwright_simulator.chip.process import Emulator
from wallwright_simulator.supply import HOLD_MS

LONGEST_MS = 150
LONGEST_PAUSE_MS = 25
AFTER_MS = 2500
FAILS = """
import machine
from wallwright_firmware.app import App
works = App.poll
def forever(timer):
    while True:
        pass
def poll(self, now_ms, *args):
    if machine.mem32[{scratch}]:
        machine.mem32[{scratch}] = 0
        {fails}
    return works(self, now_ms, *args)
App.poll = poll
"""
HOW = {
    "hangs": "while True: pass",
    "is in an endless interrupt": ("machine.Timer(mode=machine.Timer.ONE_SHOT, period=1, hard=True, callback=forever)"),
    "raises": "raise ValueError('on purpose')",
    "gives the supply up": "self.hal.keeps_supply = False",
    "fails to sample": "self.hal.sampler.stop()",
}
BROKEN = """
from wallwright_firmware.boards import rp2
def broken(now_ms):
    raise OSError(19)
rp2.Sampler = broken
"""


def off_after(simulation, began_ms):
    """Return how long after `began_ms` the supply was off; it stays off, whatever the board does."""
    supply = simulation.world.supply
    supply.attend(False)
    while supply.is_on and simulation.now_ms < began_ms + AFTER_MS:
        simulation.run_until(simulation.now_ms + 1)
    off_ms = simulation.now_ms - began_ms
    simulation.run_until(began_ms + AFTER_MS)
    assert not supply.is_on, "START was not pressed"
    print(f"the motors' supply is off after {off_ms} ms, the model of the pump holding {HOLD_MS} ms")
    return off_ms


@pytest.mark.parametrize(
    ("emulator", "name"), [(Emulator, name) for name in HOW] + [(Rp2350, "hangs")], ids=[*HOW, "hangs-rp2350"]
)
def test_a_program_that_fails_in_a_build_loses_the_supply(chip, seed, emulator, name):
    files = WITH_MAP | boot_program(FAILS.format(scratch=emulator.kind.scratch, fails=HOW[name]))
    simulation = build(chip, seed, emulator=emulator, flash=[file_system(files, emulator.kind)])
    assert simulation.world.supply.is_on
    assert simulation.world.disc.turning
    began_ms = simulation.now_ms
    simulation.chip.do("crash", how=1)
    assert off_after(simulation, began_ms) <= LONGEST_MS


def test_a_brown_out_and_a_watchdog_in_a_build_take_the_supply(chip, seed):
    for fail in (lambda one: one.cut_power(100, BROWN_OUT), lambda one: one.chip.do("bite")):
        simulation = build(chip, seed)
        began_ms = simulation.now_ms
        fail(simulation)
        assert off_after(simulation, began_ms) <= LONGEST_MS


@pytest.mark.parametrize("emulator", [Emulator, Rp2350], ids=["rp2040", "rp2350"])
def test_a_board_that_cannot_begin_never_has_a_supply(chip, emulator):
    flash = [file_system(WITH_MAP | boot_program(BROKEN), emulator.kind)]
    simulation = chip(1, flash=flash, emulator=emulator)
    simulation.run_until(6000)
    assert simulation.resets >= 1
    assert not simulation.world.supply.is_on
    assert simulation.chip.do("counts")["pump"]["edges"] == 0


def test_a_healthy_board_never_pauses_for_long(chip, operate, seed):
    """At rest, while a setting goes into a flash that is as slow as its datasheet allows, and in a build."""
    simulation = logged(chip, seed, erase_ms=400)
    simulation.run_until(2000)
    assert simulation.world.supply.is_on
    simulation.world.supply.attend(False)
    table = operate(simulation)
    table.wait_state("idle", 3000)
    erases = simulation.chip.do("counts")["erases"]
    value = 3000
    while simulation.chip.do("counts")["erases"] == erases:
        value += 10
        change_settings(table, {SETTING: value})
    assert simulation.world.supply.is_on
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + 4000)
    counts = simulation.chip.do("counts")
    assert simulation.world.supply.is_on
    longest_ms = counts["pump"]["longestNanos"] / 1e6
    print(f"{counts['pump']['edges']} edges, {counts['erases']} erases of 400 ms, longest pause {longest_ms:.1f} ms")
    assert longest_ms <= LONGEST_PAUSE_MS
