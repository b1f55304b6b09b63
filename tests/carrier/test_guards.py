"""Senses and charge pump: where their wires lead, and their values stepped through time by the circuit's laws."""

import math

import pytest

from carrier import circuit, values
from carrier.board import Board
from carrier.guards import LOOPS
from carrier.wiring import motors
from wallwright_firmware.boards import pins

MILLISECOND = 1e-3


@pytest.fixture(scope="module")
def board() -> Board:
    return circuit.build()


def on(board: Board, net: str, prefix: str) -> list[str]:
    return sorted(ref for ref, wires in board.wires.items() if ref.startswith(prefix) and net in wires.values())


def test_the_chain_of_senses_is_read_in_the_order_of_the_firmware(board: Board) -> None:
    """From the last 595 through the registers to the Pico; the register at the Pico comes first."""
    order = ["U24"]
    while True:
        onward = board.wires[order[-1]][9]
        if onward == "OUT_BACK":
            break
        order.append(next(ref for ref, wires in board.wires.items() if ref.startswith("U") and wires.get(10) == onward))
    assert order == ["U24", "U25", "U26", "U27"]
    assert board.wires["U2"][16] == "OUT_BACK"
    for register in order[1:]:
        assert (board.wires[register][1], board.wires[register][2]) == ("OUT_LATCH", "OUT_CLOCK")
    inputs = {
        f"D{bit}": number
        for number, (name, _) in board.kinds["U25"].pins.items()
        for bit in range(8)
        if name == f"D{bit}"
    }
    for place in range(24):
        byte, bit = pins.sense_wire(place)
        assert board.wires[order[::-1][byte]][inputs[f"D{bit}"]] == f"SENSE_{place}"


@pytest.mark.parametrize("motor", motors(), ids=lambda motor: motor.name)
def test_a_sense_is_behind_its_switch(board: Board, motor) -> None:
    for place, end in zip(motor.places, (1, 2), strict=False):
        assert board.wires[f"R{400 + place}"] == {1: f"M_{motor.name}_{end}", 2: f"SENSE_{place}"}
        assert board.wires[f"D{200 + place}"] == {1: "3V3", 2: f"SENSE_{place}"}, "K, A"
        assert board.wires[f"D{300 + place}"] == {1: f"SENSE_{place}", 2: "GND"}
    if len(motor.places) == 1:
        place = motor.places[0]
        assert board.wires[f"Q{200 + place}"] == {1: f"SENSE_{place}", 2: f"DRAIN_{place}", 3: "GND"}
        assert board.wires[f"R{600 + place}"][1] == f"M_{motor.name}_2"


def test_a_sense_reads_one_at_the_least_supply_and_zero_without_any() -> None:
    for volts in (9.6, 12.0, 24.0, 28.8):
        level = volts * 47 / 147
        assert level == pytest.approx(values.sense_v(volts))
        assert level - 1e-6 * 100e3 * 47 / 147 > 0.7 * 3.3
    # Nothing connected: the register's leakage through the divider's lower resistor alone.
    assert 1e-6 * 47e3 < 0.3 * 3.3
    # A MOSFET that is on, 3 A through 35 mOhm, and the least drain of one that is off, with the motor's wire broken.
    assert 3 * 0.035 < values.drain_v() < 9.6 * (47 + 22) / (47 + 22 + 22)
    # The transistor then takes all that the upper resistor brings, with the least gain of a BC546B.
    base = (9.6 * 69 / 91 - 0.65) / 47e3 - 0.65 / 22e3
    assert base * 200 > 28.8 / 100e3


def test_senses_neither_hold_a_relay_nor_run_a_motor_nor_lift_the_logics_supply() -> None:
    through_one = 28.8 / 147e3
    assert through_one < 0.1 * 24 / 1440, "a G5LE of 24 V and 1,440 Ohm lets go at a tenth of its voltage"
    off = 28.8 / (47e3 + 22e3)
    assert off < 1e-3, "a comparable motor takes 100 mA with no load"
    clamped = (28.8 - 3.3 - 0.3) / 100e3 - 3.6 / 47e3
    assert 24 * clamped < 5e-3, "the Pico alone takes more"
    # A motor's suppressor lets its terminal go 50 V below ground or above the supply.
    assert (50 + 28.8) / 100e3 < 20e-3


def stepped(edges: list[tuple[float, float]], until: float, share: float = 1.0, drop: float = 0.2) -> list[float]:
    """The held voltage, every 0.1 ms: a driver of 5 V, 100 Ohm, 10 uF, two diodes of `drop` V, 1 kOhm, 1 uF, 60.4 k."""
    fly, hold, step = 0.0, 0.0, 5e-6
    found = []
    for at in range(int(until / step)):
        now = at * step
        pin_v = next((level for start, level in reversed(edges) if start <= now), 0.0)
        # Behind 10 uF: current flows on into the hold and down to ground, or up from ground when that is higher.
        behind = (pin_v - fly) * 1000 / 1115
        up = 0.0
        if behind > hold + drop:
            behind = ((pin_v - fly) / 115 + (hold + drop) / 10) / (1 / 115 + 1 / 10 + 1 / 1000)
            up = (behind - hold - drop) / 10
        elif behind < -drop:
            behind = ((pin_v - fly) / 115 - drop / 10) / (1 / 115 + 1 / 10 + 1 / 1000)
        fly += (pin_v - fly - behind) / 115 * step / 10e-6
        hold += (up - hold / 60.4e3) * step / (1e-6 * share)
        if at % 20 == 0:
            found.append(hold)
    return found


def pulses(pause: float, count: int) -> list[tuple[float, float]]:
    """Pulses of 3.5 ms, each `pause` after the last one's end."""
    period = 3.5 * MILLISECOND + pause
    return [edge for at in range(count) for edge in ((at * period, 5.0), (at * period + 3.5 * MILLISECOND, 0.0))]


REFERENCE_V = 5 * 10 / 40.1


@pytest.mark.parametrize("pause", [3.5, 25.0])
@pytest.mark.parametrize("share", [0.93, 1.07])
@pytest.mark.parametrize("drop", [0.15, 0.35])
def test_the_pump_holds_between_edges_and_lets_go_in_time(pause: float, share: float, drop: float) -> None:
    edges = pulses(pause * MILLISECOND, 10)
    held = stepped(edges, edges[-1][0] + 0.1, share, drop)
    begun = int(edges[6][0] * 1e4)
    last = int(edges[-1][0] * 1e4)
    assert min(held[begun:last]) > REFERENCE_V * 1.02, "closed while there are edges"
    falls = next(at for at in range(last, len(held)) if held[at] < REFERENCE_V) - last
    least, most = values.pump_hold_s()
    assert least * 1000 >= 50
    assert most * 1000 <= 80
    # From the end of the last pulse, during which the capacitor was full.
    assert 50 <= falls / 10 <= most * 1000
    assert values.PUMP_CHARGED_V[0] <= held[last] <= values.PUMP_CHARGED_V[1]


@pytest.mark.parametrize("level", [0.0, 5.0])
def test_a_pin_that_stands_still_closes_nothing(level: float) -> None:
    held = stepped([(0.0, level)], 0.7)
    assert max(held[800:]) < REFERENCE_V, "let go within 80 ms of the one edge"
    assert max(held[5000:]) < REFERENCE_V / 10
    # What leaks through the capacitor of a pin that is high: 3 uA, the greatest of an electrolytic of 10 uF.
    assert 3e-6 * values.PUMP_ENDS_OHM < REFERENCE_V / 4


def test_the_sums_of_the_pump() -> None:
    share = 1.02 * 10 / 40.1 * 5
    no_leak = 0.93 * 60.4e-3 * math.log(3.35 / share)
    assert values.pump_hold_s()[0] == pytest.approx(no_leak, rel=0.08)
    assert values.pump_hold_s()[0] < no_leak
    assert values.pump_hold_s()[1] == pytest.approx(1.07 * 60.4e-3 * math.log(3.85 / (0.98 * 10 / 40.1 * 5)))


def test_the_pumps_channels_share_nothing_but_the_pin_and_the_supplies(board: Board) -> None:
    """So that no single part holds both contacts; the relays are fed while the stop is pressed, so that START works."""
    channels = []
    for at, relay in enumerate(("K4", "K5")):
        nets = {
            net
            for wires in board.wires.values()
            for net in wires.values()
            if net.startswith("PUMP_") and net.endswith(str(at))
        }
        channels.append({ref for ref, wires in board.wires.items() if nets & set(wires.values())})
        assert relay in channels[at]
        assert board.wires[relay][1] == "24V"
        assert (board.wires[relay][4], board.wires[relay][8]) == LOOPS[at]
    assert channels[0] & channels[1] == {"U7"}, "which makes no edges by itself"
    assert on(board, "SUPPLY_PUMP", "") == sorted(["R900", "U2", "U7"])
