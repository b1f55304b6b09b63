"""The RP2350's image on an emulated chip: whatever ends the program or asks it to stop, the outputs are off in time."""

import pytest

from tests.board.building import build, check_emergency
from tests.board.failing import crash_in
from tests.board.rp2350.emulator import Rp2350
from wallwright_protocol import codes
from wallwright_protocol.hardware import EMERGENCY_STOP, LID_IS_CLOSED

CUT_MS = 100
RESTARTED_MS = 1800
SETTLED_MS = 2500


@pytest.mark.parametrize(("number", "level"), [(EMERGENCY_STOP, 1), (LID_IS_CLOSED, 0)])
def test_an_emergency_input_switches_everything_off_in_time(pico2, seed, number, level):
    check_emergency(build(pico2, seed), number, level)


def test_a_host_stops_a_build(pico2, operate, seed):
    simulation = build(pico2, seed)
    table = operate(simulation)
    assert table.status().drives
    table.request("stop")
    assert (table.status().fault, table.status().drives) == ("stopped", ())
    assert simulation.world.drive_log[-1][1] == 0


@pytest.mark.parametrize(("cause", "notice"), [(codes.NO_FAULT, None), (codes.BROWN_OUT, "brown_out")])
def test_a_power_cut_in_a_build_turns_the_outputs_off_and_is_told(pico2, operate, seed, cause, notice):
    """This chip tells a brown-out from a power loss (RP2350 datasheet 6.4); the RP2040 cannot."""
    simulation = build(pico2, seed)
    began_ms = simulation.now_ms
    simulation.cut_power(CUT_MS, cause)
    simulation.run_until(began_ms + 1)
    assert simulation.world.drive_log[-1] == (began_ms, 0)
    simulation.run_until(began_ms + RESTARTED_MS)
    assert simulation.world.drive_log[-1] == (began_ms, 0), "nothing moves by itself"
    assert simulation.board.displays == [f"E{codes.WALLS_UNKNOWN}"] * 4
    table = operate(simulation)
    assert (table.status().fault, table.status().drives) == ("walls_unknown", ())
    table.pump(300)
    fields = {event.name: event.fields for event in table.events() if event.name in ("restored", "notice")}
    assert fields["restored"]["carriers"] == "unknown"
    assert fields.get("notice", {}).get("fault") == notice


@pytest.mark.parametrize("module", ["firmware.app", "firmware.drivers.inputs"])
def test_an_exception_turns_the_outputs_off_and_is_told(pico2, operate, seed, module):
    _, crashed = crash_in(f"wallwright_{module}", pico2, operate, seed, Rp2350)
    assert crashed["error"] == "ValueError"
    assert crashed["times"] == 1


def test_a_watchdog_that_bites_in_a_build_turns_the_outputs_off_and_is_told(pico2, operate, seed):
    simulation = build(pico2, seed)
    began_ms = simulation.now_ms
    simulation.cut_power(CUT_MS, codes.WATCHDOG_RESET)
    simulation.run_until(began_ms + RESTARTED_MS)
    assert simulation.world.drive_log[-1] == (began_ms, 0)
    assert simulation.resets == 1
    table = operate(simulation)
    table.pump(300)
    assert "watchdog_reset" in [event.fields.get("fault") for event in table.events() if event.name == "notice"]


def test_what_a_board_has_stored_outlives_a_power_cut(pico2, operate):
    simulation = pico2(1)
    table = operate(simulation)
    table.wait_state("idle", SETTLED_MS)
    table.set_plan((14, 13, 14, 13), dealer=2)
    table.close()
    assert simulation.chip.do("counts")["pages"] > 0
    simulation.power_off()
    simulation.power_on()
    simulation.run_until(simulation.now_ms + SETTLED_MS)
    again = operate(simulation)
    assert (again.status().plan, again.status().dealer) == ((14, 13, 14, 13), 2)
