"""The carrier's values, done again by the circuit laws from the datasheets' figures."""

import math
import re

import pytest

from carrier import circuit, values
from carrier.wiring import motors


def test_the_pull_up_holds_the_outputs_off_against_the_chip_in_reset() -> None:
    """A divider of the fitted resistor and the RP2040's 50 to 80 kOhm, less what four inputs leak."""
    fitted = values.ENABLE_PULL_UP_OHM
    for pull_down in (50e3, 80e3):
        level = 3.3 * pull_down / (pull_down + fitted)
        level -= 4e-6 * (pull_down * fitted / (pull_down + fitted))
        assert level > 0.7 * 3.3 + 0.3
    assert 3.3 / fitted < 4e-3, "the pin pulls it low"
    least, greatest = values.enable_pull_up_ohm()
    assert least == pytest.approx(825)
    assert greatest == pytest.approx((3.3 - 2.61) / (2.61 / 50e3 + 4e-6))
    assert least < fitted < greatest


def test_without_the_pull_up_the_outputs_would_be_on() -> None:
    """The pin's own pull-down alone is a low level, which turns the outputs on: 4 uA through 80 kOhm is 0.32 V."""
    assert 4 * values.HC_LEAK_A * 80e3 < 0.3 * 3.3


@pytest.mark.parametrize("nominal", values.INPUT_OHM)
def test_an_input_is_seen_at_its_least_voltage_and_not_at_a_fifth(nominal: int) -> None:
    for share in (0.8, 1.0, 1.1):
        through = (nominal * share - 1.2) / values.INPUT_OHM[nominal]
        diode = through - 1.2 / values.BLEED_OHM
        assert min(diode * 0.5 * 0.5 * values.LOAD_OHM, 3.3) > 0.7 * 3.3
        assert values.input_high_v(nominal * share, nominal) > 0.7 * 3.3
        assert through < 0.02, "the diode bears 50 mA"
        assert through * (nominal * share - 1.2) < 0.25, "the resistor bears a quarter of a watt"
    assert values.unseen_v(nominal) > nominal / 5
    assert values.input_high_v(values.unseen_v(nominal), nominal) == 0


@pytest.mark.parametrize(("volts", "rated"), [(12, 2.0), (24, 1.0)])
def test_a_fuse_carries_its_motor_and_opens_when_it_stands_still(volts: int, rated: float) -> None:
    fuse = values.fuse(volts)
    assert fuse.rated_a == rated
    assert fuse.run_a == 15 / volts
    assert fuse.run_a <= 0.8 * 0.9 * rated
    assert fuse.stall_a >= 2.75 * rated


def test_a_motor_whose_fuse_would_not_open_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(values.STALL_A, 24, 2.0)
    with pytest.raises(ValueError, match="does not open"):
        values.fuse(24)


@pytest.mark.parametrize(("volts", "rated"), [(12, 2.5), (24, 1.25)])
def test_the_fuse_of_a_head_carries_its_starts(volts: int, rated: float) -> None:
    """The effective value, by steps of a millisecond over one stack; IEC 60127-2: 2.1 times opens within 2 minutes."""
    run, stall = 15 / volts, values.STALL_A[volts]
    squares = sum((run + (stall - run) * math.exp(-at / 60)) ** 2 for at in range(500))
    effective = (squares / 700) ** 0.5
    fuse = values.head_fuse(volts)
    assert fuse.run_a == pytest.approx(effective, rel=0.02)
    assert effective <= 0.8 * 0.9 * rated == pytest.approx(0.8 * 0.9 * fuse.rated_a)
    assert stall >= 2.1 * rated


def test_fuses_of_the_rails_carry_what_hangs_on_them() -> None:
    board = circuit.build()
    for reference, carried in (("F2", 18 * 0.02 + 0.07), ("F3", 0.84), ("F4", 8 * 0.1)):
        assert float(board.parts[reference].value.split()[1]) * 0.8 * 0.9 >= carried


def test_diodes_and_transistors_bear_more_than_a_motor_that_stands_still() -> None:
    """Ratings: SB560 5 A, 60 V; IRLZ44N 47 A, 55 V; P6KE36CA stands off 30.8 V; G5LE 8 A at 30 V DC."""
    worst = max(values.STALL_A.values())
    assert values.SUPPLY_V[2] < 30.8 < 55
    assert values.STALL_A[24] < 5
    assert worst < 8 < 47


def test_the_idle_line_reads_as_one() -> None:
    through = 3.3 / (2 * values.BIAS_OHM + 60)
    assert through * 60 >= 0.2
    assert values.idle_line_v() == pytest.approx(through * 60)


def test_the_board_has_the_values_that_were_derived() -> None:
    board = circuit.build()

    def ohms(reference: str) -> float:
        number, kilo = re.fullmatch(r"([\d.]+)(k?)", board.parts[reference].value).groups()  # type: ignore[union-attr]
        return float(number) * (1000 if kilo else 1)

    assert ohms("R1") == values.ENABLE_PULL_UP_OHM
    assert {ohms(f"R{100 + at}") for at in range(48)} == {values.INPUT_OHM[24]}
    assert {ohms(f"R{200 + at}") for at in range(48)} == {values.BLEED_OHM}
    assert {ohms(f"R{300 + at}") for at in range(48)} == {values.LOAD_OHM}
    assert {ohms("R8"), ohms("R10")} == {values.BIAS_OHM}
    fuses = {part.value for name, part in board.parts.items() if name.startswith("F") and int(name[1:]) >= 10}
    assert fuses == {"T 1 A", "T 1.25 A"}
    for side in range(4):
        (head,) = [one.places[0] for one in motors() if one.name == f"head_{side}"]
        assert board.parts[f"F{10 + head}"].value == "T 1.25 A"
    assert {ohms(f"R{400 + at}") for at in range(24)} == {values.SENSE_OHM[0]}
    assert {ohms(f"R{500 + at}") for at in range(24)} == {values.SENSE_OHM[1]}
    assert {ohms(f"R{920 + at}") for at in range(2)} == {values.PUMP_OHM}
    assert sum(name.startswith("F") and int(name[1:]) >= 10 for name in board.parts) == 15
