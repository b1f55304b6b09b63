"""The supply of the emulated board: it sags, it fails while the flash is written, the flash wears out."""

from contextlib import suppress

import pytest

from tests.board.building import build
from tests.board.cuts import SETTING, Watched, setting_of, started, told
from wallwright.doctor.upkeep import change_settings
from wallwright.errors import Refused
from wallwright.table.table import open_table
from wallwright_protocol import codes
from wallwright_simulator.chip.files import FLASH_OFFSET, program
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.simulation import attach

SECTOR_BITS = 12
SAG_MS = 100
MOST = 3400
"""The flash refuses before the setting has gone up to this."""
PROBE = """
import machine
from machine import Pin
u = machine.UART(0, 115200, tx=Pin(0), rx=Pin(1))
a = [machine.mem32[at] & 0xffffffff for at in (0x40064008, 0x40058008, 0x40058010, 0x20041000, 0x20041004)]
u.write(' '.join('%x' % one for one in [machine.reset_cause()] + a) + '\\n'); u.flush()
machine.mem32[0x40058010], machine.mem32[0x20041000], machine.mem32[0x20041004] = 0x5eed, 0xcafe, 0xbeef
while True: pass
"""
"""Tells what a program can know of its start: CHIP_RESET, the watchdog's reason and a scratch register, two words of
memory; and leaves something there."""


def test_a_program_cannot_tell_a_brown_out_from_a_power_on_by_any_register(chip):
    """RP2040 datasheet 2.12.8: HAD_POR is set by power-on reset and brown-out detector alike; 4.7.4: scratch registers
    are reset with the core's supply. Memory may hold what it held, which proves nothing."""
    simulation = chip(1, flash=[program(PROBE)])
    simulation.run_until(700)
    power_on = simulation.read().split()
    simulation.cut_power(SAG_MS, codes.BROWN_OUT)
    simulation.run_until(1500)
    brown_out = simulation.read().split()
    assert brown_out[:4] == power_on[:4] == [b"1", b"100", b"0", b"0"]
    assert b"cafe" in brown_out or b"beef" in brown_out
    assert simulation.resets == 1


def test_a_brown_out_in_a_build_turns_the_outputs_off_and_is_told_as_a_power_loss(chip, operate, seed):
    simulation = build(chip, seed)
    began_ms = simulation.now_ms
    simulation.cut_power(SAG_MS, codes.BROWN_OUT)
    simulation.run_until(began_ms + 1)
    assert simulation.world.drive_log[-1] == (began_ms, 0)
    simulation.run_until(began_ms + 1800)
    assert simulation.world.drive_log[-1] == (began_ms, 0), "nothing moves by itself"
    assert simulation.board.displays == [f"E{codes.WALLS_UNKNOWN}"] * 4
    assert simulation.resets == 1
    table = operate(simulation)
    assert (table.status().fault, table.status().drives) == ("walls_unknown", ())
    table.pump(300)
    fields = {event.name: event.fields for event in table.events() if event.name in ("restored", "notice", "fault")}
    assert fields["restored"]["carriers"] == "unknown"
    assert "notice" not in fields, "the RP2040 has nothing to say of it"


def test_a_program_that_is_told_to_fail_does_so_and_tells(chip, operate, seed):
    simulation = chip(seed % 1000, faults=parse_faults("program crashes at 2 s"))
    simulation.run_until(1999)
    assert simulation.resets == 0
    simulation.run_until(3500)
    assert simulation.resets == 1
    (crashed,) = told(operate(simulation), "crashed")
    assert (crashed["error"], crashed["times"]) == ("ValueError", 1)


def test_power_cuts_while_a_setting_is_stored_lose_nothing_that_was_confirmed(chip, operate, seed):
    simulation = chip(seed % 1000)
    table = operate(simulation)
    table.wait_state("idle", 3000)
    before = setting_of(table)
    watched = Watched(simulation, 1)
    change_settings(table, {SETTING: 3100})
    confirmed_ms = simulation.now_ms
    table.close()
    left = list(watched.left())
    assert len(left) >= 3, "before, within and after at least one write"
    for cut in left:
        with started(simulation, cut.files) as again:
            value = setting_of(again)
            assert value in ({3100} if cut.at_ms >= confirmed_ms else {before, 3100})
            assert again.state == "idle"
            assert told(again, "fault", "notice") == []
    assert value == 3100


@pytest.mark.parametrize("how", ["worn", "dead"])
def test_sectors_that_wear_out_lose_nothing_that_was_confirmed(chip, seed, how):
    """The two sectors that a board writes to lose a bit a byte, or take nothing any more."""
    simulation = chip(seed % 1000)
    with open_table(attach(f"wears-{how}", simulation)) as table:
        table.wait_state("idle", 3000)
        watched = Watched(simulation, 1)
        change_settings(table, {SETTING: 3000})
        confirmed = 3000
        sectors = sorted({at >> SECTOR_BITS for at in watched.written()})
        simulation.chip.do("wear", **{"worn": [], "dead": [], how: [sectors[0] & ~1, sectors[0] | 1]})
        with suppress(Refused):
            while confirmed < MOST:
                change_settings(table, {SETTING: confirmed + 10})
                confirmed += 10
        assert confirmed < MOST
        assert table.status().fault == "store_failed"
        plan = table.status().plan
        with pytest.raises(Refused):
            table.set_plan(plan[1:] + plan[:1], dealer=1)
        assert (table.status().plan, table.status().dealer) == (plan, 0)
    assert simulation.board.displays[0] == f"E{codes.STORE_FAILED}"
    with started(simulation, simulation.chip.flash()[FLASH_OFFSET:]) as again:
        assert setting_of(again) == confirmed
        (restored,) = told(again, "restored")
        assert restored["boots"] > 1
        assert again.status().fault == "store_failed", "it says so again, for it could not store this start"
