"""The RP2350's image on an emulated chip builds walls; what it stores, and where erratum RP2350-E9 is met."""

from tests.board.building import HeadStops, build, check_walls, logged
from tests.board.rp2350.pins import INPUT_ENABLE, PADS_FROM, PULL_DOWN, SIO, Pins
from wallwright_firmware.boards.pins import PIN_HOST_RX, PIN_IN_DATA, PIN_LINE_RX, PIN_MEASURE, PIN_OUT_BACK, PINS
from wallwright_protocol import codes
from wallwright_protocol.hardware import DEFAULT_PLANS

SETTLED_MS = 2500
LONGEST_MS = 90_000
MEASURED_MS = 1500
TILES = 108
BLOCK = 100
"""Instructions; a block of the core is shorter."""


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


def test_two_boards_repeat_each_other_to_the_instruction(pico2):
    """The core may go on for some instructions, to the end of its block, when a run is cut."""
    first, second, uncut = pico2(4), pico2(4), pico2(4)
    for board in (first, second):
        for at_ms in range(35, 701, 35):
            board.run_until(at_ms)
    uncut.run_until(700)
    counts = [board.chip.do("counts")["instructions"] for board in (first, second, uncut)]
    assert counts[0] == counts[1]
    assert abs(counts[0] - counts[2]) < BLOCK
    assert first.chip.flash() == second.chip.flash() == uncut.chip.flash()


def test_erratum_e9_is_met_where_the_hardware_page_says_and_nowhere_else(pico2, operate):
    """RP2350-E9: a pull-down of the chip does not bring down a net that was high and that nobody drives."""
    simulation = pico2(1)
    table = operate(simulation)
    table.wait_state("idle", SETTLED_MS)
    pins, numbers = simulation.chip.pins, [number for number, _, _, _ in PINS]
    listening = {number for number in numbers if pins.own(number) is None and pins.pad(number) & INPUT_ENABLE}
    assert listening == {PIN_HOST_RX, PIN_IN_DATA, PIN_LINE_RX, PIN_OUT_BACK}
    pulled_down = {number for number in listening if pins.pad(number) & PULL_DOWN}
    assert pulled_down == {PIN_HOST_RX, PIN_LINE_RX, PIN_OUT_BACK}
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
