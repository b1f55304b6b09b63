"""The RP2350's image on an emulated chip: what the RP2040's has to do as well, and what this chip alone brings."""

from functools import partial

import pytest

from tests.board.building import HeadStops, build, check_walls, logged
from tests.board.failing import crash_in
from tests.board.rp2350.emulator import Rp2350
from tests.board.rp2350.pins import INPUT_ENABLE, PADS_FROM, PULL_DOWN, SIO, Pins
from wallwright_firmware.boards.pins import PIN_HOST_RX, PIN_IN_DATA, PIN_LINE_RX, PIN_MEASURE, PIN_OUT_UNUSED, PINS
from wallwright_protocol import codes
from wallwright_protocol.hardware import DEFAULT_PLANS, EMERGENCY_STOP, LID_IS_CLOSED

SETTLED_MS = 2500
LONGEST_MS = 90_000
EMERGENCY_MS = 5
CUT_MS = 100
RESTARTED_MS = 1800
MEASURED_MS = 1500
TILES = 108


@pytest.fixture
def pico2(chip):
    """Make a table whose board is an emulated RP2350; it ends with the test."""
    return partial(chip, emulator=Rp2350)


def test_a_lift_key_builds_the_walls(pico2, seed, monkeypatch):
    simulation = build(pico2, seed)
    stops = HeadStops(simulation, monkeypatch)
    while simulation.now_ms < LONGEST_MS and simulation.board.displays[0] == "BUILD":
        simulation.run_until(simulation.now_ms + 200)
    check_walls(simulation, stops, DEFAULT_PLANS[TILES])


def test_a_host_builds_the_walls(pico2, operate, seed, monkeypatch):
    simulation = logged(pico2, seed)
    simulation.run_until(SETTLED_MS)
    stops = HeadStops(simulation, monkeypatch)
    table = operate(simulation)
    assert table.info.unit == "E66038B7134A9C2F"
    table.set_plan(DEFAULT_PLANS[TILES], dealer=0, wash_s=0)
    table.start_build()
    built = table.wait_for("build_done", timeout_ms=LONGEST_MS)
    assert built.fields["stacks"] == DEFAULT_PLANS[TILES]
    check_walls(simulation, stops, DEFAULT_PLANS[TILES])


@pytest.mark.parametrize(("number", "level"), [(EMERGENCY_STOP, 1), (LID_IS_CLOSED, 0)])
def test_an_emergency_input_switches_everything_off_in_time(pico2, seed, number, level):
    simulation = build(pico2, seed)
    began_ms = simulation.now_ms
    simulation.world.sensors.set_next(number, level)
    simulation.run_until(began_ms + 300)
    at_ms, mask = simulation.world.drive_log[-1]
    assert mask == 0
    assert 0 <= at_ms - began_ms <= EMERGENCY_MS


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


def test_two_boards_repeat_each_other_to_the_instruction(pico2):
    first, second = pico2(4), pico2(4)
    first.run_until(700)
    for at_ms in range(35, 701, 35):
        second.run_until(at_ms)
    assert first.chip.do("counts")["instructions"] == second.chip.do("counts")["instructions"]
    assert first.chip.flash() == second.chip.flash()


def test_erratum_e9_is_met_where_the_hardware_page_says_and_nowhere_else(pico2, operate):
    """RP2350-E9: a pull-down of the chip does not bring down a net that was high and that nobody drives."""
    simulation = pico2(1)
    table = operate(simulation)
    table.wait_state("idle", SETTLED_MS)
    pins, numbers = simulation.chip.pins, [number for number, _, _, _ in PINS]
    listening = {number for number in numbers if pins.own(number) is None and pins.pad(number) & INPUT_ENABLE}
    assert listening == {PIN_HOST_RX, PIN_IN_DATA, PIN_LINE_RX, PIN_OUT_UNUSED}
    pulled_down = {number for number in listening if pins.pad(number) & PULL_DOWN}
    assert pulled_down == {PIN_HOST_RX, PIN_LINE_RX, PIN_OUT_UNUSED}
    assert pins.latched == set(), "nothing has been high there that went away"
    table.request("begin_service")
    table.request("measure", codes.MEASURED_INPUTS)
    table.pump(MEASURED_MS)
    after = {number for number in numbers if pins.own(number) is None and pins.pad(number) & INPUT_ENABLE}
    assert after - listening == {PIN_MEASURE}
    assert pins.latched == set(), "a measurement leaves its pin low"


def test_a_pull_down_that_e9_beats_is_noticed():
    """A pin that was driven high and is let go of, as a program does it with Pin.IN and Pin.PULL_DOWN."""
    pins = Pins()
    pins.attach(True)
    pins.controls.write(8 * PIN_MEASURE + 4, SIO)
    for pad, level in ((INPUT_ENABLE | PULL_DOWN, 1), (PULL_DOWN, 0)):
        pins.pads.write(PADS_FROM + 4 * PIN_MEASURE, pad)
        pins.set_out(1 << PIN_MEASURE)
        pins.set_enabled(1 << PIN_MEASURE)
        pins.set_enabled(0)
        assert pins.levels[PIN_MEASURE] == level
    assert pins.latched == {PIN_MEASURE}
