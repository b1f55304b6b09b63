"""Where the carrier's values come from: each is derived here from figures of datasheets, and a test does the sums anew.

Volts, amperes, ohms, watts. A figure whose source is a datasheet names it. What nobody has published, the currents of
a table's motors, has a grade: A datasheet of a comparable motor, B a seller's or repairer's page, C an estimate.
"""

from dataclasses import dataclass
from math import log

SUPPLY_V = (19.2, 24.0, 26.4)
"""Least, nominal, greatest: 24 V less 20 %, plus 10 %."""
LOGIC_V = 3.3
PULL_DOWN_OHM = 50e3
"""The strongest that GP7's pull-down may be, which is on from reset until the firmware drives the pin: RP2040 datasheet
5.2.3.4, 50 to 80 kOhm."""
PIN_SINK_A = 4e-3
"""What a pin takes at its default strength, RP2040 datasheet 5.2.3.5."""
HC_HIGH = 0.7
"""Least high level of a 74HC part as a share of its supply: SN74HC595 datasheet, 3.15 V at 4.5 V."""
HC_LEAK_A = 1e-6
"""Greatest current into an input of a 74HC part over its temperatures, SN74HC595 datasheet."""
ENABLE_MARGIN_V = 0.3
OUT_REGISTERS = 4

LED_V = 1.2
"""Forward voltage of an LTV-847's diode at some mA, LTV-8x7 datasheet."""
TRANSFER = 0.5
"""Least current transfer ratio of an LTV-847 at 5 mA, LTV-8x7 datasheet."""
AGEING = 0.5
"""Share of it that is left when the diode is old: a common rule, no figure of the datasheet."""

MOTOR_W = 15.0
"""What one motor of a table takes while it runs. Grade B: pages of repairers say some 15 W for each of a table's big
motors, and a seller's page 5 to 8 W at 12 V for a disc motor."""
STALL_A = {12: 5.5, 24: 3.0}
"""A motor that stands still. Grade A, for a comparable motor: Pololu 37D gear motors, datasheet revision 1.2: up to
14 W at the shaft; 5.5 A at 12 V, and about half at 24 V."""
FUSE_SERIES_A = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3)
FUSE_SHARE = 0.8 * 0.9
"""Of its rated current that a fuse may carry for ever, 0.8, and at 60 degrees, 0.9: makers' application notes."""
FUSE_OPENS = 2.75
"""Times its rated current at which a time-lag fuse opens within 10 s and not before 0.6 s: IEC 60127-2, sheet 3."""

BIAS_V = 0.2
"""Between A and B with nobody driving: what every RS-485 receiver takes for a one (TIA/EIA-485-A)."""
TERMINATORS_OHM = 60.0
"""120 Ohm at both ends of the line."""


@dataclass(frozen=True)
class Fuse:
    """The fuse of one motor at one voltage, and what it stands on."""

    volts: int
    run_a: float
    stall_a: float
    rated_a: float


def fuse(volts: int) -> Fuse:
    """Return the smallest fuse that carries a running motor for ever; it must open on one that stands still."""
    run_a = MOTOR_W / volts
    rated_a = next(rating for rating in FUSE_SERIES_A if rating * FUSE_SHARE >= run_a)
    if STALL_A[volts] < FUSE_OPENS * rated_a:
        raise ValueError(f"a fuse of {rated_a} A does not open on {STALL_A[volts]} A")
    return Fuse(volts, run_a, STALL_A[volts], rated_a)


HEAD_START_S = 0.06
"""Time constant with which a starting head's current falls from that of a motor that stands still. Grade C."""
HEAD_RUN_S, HEAD_PERIOD_S = 0.5, 0.7
"""A head runs for so long, once in so long a time at the most. Grade C."""
HEAD_FUSE_OPENS = 2.1
"""Times its rated current at which a time-lag fuse opens within 2 minutes: IEC 60127-2, sheet 3."""
RAIL_A = {"24V_SENSOR": 0.43, "24V_LINE": 0.84, "24V_LAMP": 0.8}
"""The most that a rail carries: 18 sensors of 20 mA and the inputs; four sides of the line; 8 lamps of 100 mA."""


def rated(current_a: float) -> float:
    """Return the smallest fuse, but none below 1 A, that carries a current for ever."""
    return next(rating for rating in FUSE_SERIES_A if rating >= 1 and rating * FUSE_SHARE >= current_a)


def head_fuse(volts: int) -> Fuse:
    """Return the fuse of a head, which starts anew for every stack: the effective value counts."""
    run_a = MOTOR_W / volts
    more_a = STALL_A[volts] - run_a
    squares = run_a**2 * HEAD_RUN_S + 2 * run_a * more_a * HEAD_START_S + more_a**2 * HEAD_START_S / 2
    effective_a = (squares / HEAD_PERIOD_S) ** 0.5
    rated_a = next(rating for rating in FUSE_SERIES_A if rating * FUSE_SHARE >= effective_a)
    if STALL_A[volts] < HEAD_FUSE_OPENS * rated_a:
        raise ValueError(f"a fuse of {rated_a} A does not open on {STALL_A[volts]} A")
    return Fuse(volts, effective_a, STALL_A[volts], rated_a)


def enable_pull_up_ohm() -> tuple[float, float]:
    """Return the least and the greatest pull-up on the outputs' enable.

    The greatest still makes a high level, with a margin, against the pin's pull-down and the registers' leakage; the
    least is what the pin can pull low.
    """
    wanted_v = HC_HIGH * LOGIC_V + ENABLE_MARGIN_V
    through_a = wanted_v / PULL_DOWN_OHM + OUT_REGISTERS * HC_LEAK_A
    return LOGIC_V / PIN_SINK_A, (LOGIC_V - wanted_v) / through_a


ENABLE_PULL_UP_OHM = 4700
INPUT_OHM = {24: 3900, 12: 1800, 5: 620}
"""Series resistor of an input by the voltage of its sensor; 24 V is fitted."""
BLEED_OHM = 1000
"""Beside the diode: an input must draw more than 1.2 mA before anything is seen."""
LOAD_OHM = 4700
BIAS_OHM = 390


def input_current_a(sensor_v: float, nominal_v: int = 24) -> float:
    """Return what an input draws."""
    return (sensor_v - LED_V) / INPUT_OHM[nominal_v]


def input_high_v(sensor_v: float, nominal_v: int = 24) -> float:
    """Return the level that an old optocoupler still makes at the register, at most the supply."""
    through_diode_a = max(input_current_a(sensor_v, nominal_v) - LED_V / BLEED_OHM, 0.0)
    return min(through_diode_a * TRANSFER * AGEING * LOAD_OHM, LOGIC_V)


def unseen_v(nominal_v: int = 24) -> float:
    """Return the voltage below which no current flows through the diode of an input."""
    return LED_V + LED_V / BLEED_OHM * INPUT_OHM[nominal_v]


def idle_line_v() -> float:
    """Return the voltage between A and B that the two bias resistors make."""
    return LOGIC_V * TERMINATORS_OHM / (2 * BIAS_OHM + TERMINATORS_OHM)


MOTOR_V = (9.6, 28.8)
"""Least and greatest motor supply: 12 V less 20 %, 24 V plus 20 %."""
SENSE_OHM = (100_000, 47_000)
"""From a motor's terminal to the register, and from there to ground."""
DRAIN_OHM = (47_000, 22_000)
"""From a MOSFET's drain to the base, and from there to ground."""
ACROSS_OHM = 22_000
"""Across a motor with a MOSFET, so that its drain has the supply's voltage also where the motor's wire is broken."""
BASE_V = 0.65
PUMP_V = 5.0
PUMP_SERIES_OHM = 100
PUMP_ENDS_OHM = 1000
"""Ends a pulse behind the pump's first capacitor faster than the second one falls: a pin that stays high holds
nothing."""
PUMP_OHM = 60_400
PUMP_F = 1e-6
REFERENCE_OHM = (30_100, 10_000)
PUMP_CHARGED_V = (3.35, 3.85)
"""Voltage of the pump's capacitor after a pulse: 5 V less two BAT85 and what the resistors take; a test steps it."""
PUMP_TOLERANCE = 0.07
"""Of resistor times capacitor: film 5 % and 1 % over temperature, metal film 1 %."""
PUMP_LEAK_A = 2e-6
"""Back through a BAT85 at 60 degrees and 3 V, from the curves of its datasheet."""


def sense_v(terminal_v: float) -> float:
    """Return the level of a sense before its clamp."""
    return terminal_v * SENSE_OHM[1] / sum(SENSE_OHM)


def drain_v() -> float:
    """Return the voltage of a drain above which its switch reads as off."""
    return BASE_V * sum(DRAIN_OHM) / DRAIN_OHM[1]


def pump_hold_s() -> tuple[float, float]:
    """Return how long the pump holds after a pulse, at the least and at the most."""
    share = REFERENCE_OHM[1] / sum(REFERENCE_OHM)
    reference_v = PUMP_V * share
    least = _held_s(1 - PUMP_TOLERANCE, PUMP_CHARGED_V[0], reference_v * 1.02, PUMP_LEAK_A)
    return least, _held_s(1 + PUMP_TOLERANCE, PUMP_CHARGED_V[1], reference_v * 0.98, 0.0)


def _held_s(share: float, from_v: float, to_v: float, leak_a: float) -> float:
    """Return the time in which the capacitor falls from one voltage to the other."""
    end_v = -leak_a * PUMP_OHM
    return share * PUMP_OHM * PUMP_F * log((from_v - end_v) / (to_v - end_v))
