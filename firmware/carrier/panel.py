"""The wiring outside the board: supplies, the emergency stop's circuit, the lid's interlock, and what the table has.

The safety relay K0 feeds the coils of the contactors K1 and K2 while both contacts of the emergency stop and both
contacts of the pump are closed, once START was pressed with all contactors fallen off (their mirror contacts). Motors
and relay coils get their supply through K1 and K2 one after the other. The stop's report is the voltage of K1's coil.
Disc, ring, belts and heads get theirs through K3 as well, whose coil has voltage while the lid is closed.
"""

from wallwright_firmware.boards import pins
from wallwright_protocol.names import LAMPS

from . import kinds
from .board import Board
from .guards import LOOPS
from .wiring import EMERGENCY_STOP, GUARD_REPORT, inputs, motors


def wire(board: Board) -> None:
    """Put everything in."""
    board.add("PS1", kinds.SUPPLY, "24 V, 3 A: control", {1: "24V_IN", 2: "GND"})
    board.add("PS2", kinds.SUPPLY, "24 V, 10 A, or what the motors want", {1: "VM_SUPPLY", 2: "GND"})
    board.two("F90", kinds.FUSE_HOLDER, "10 A", "VM_SUPPLY", "VM_FUSED")
    board.two("F91", kinds.FUSE_HOLDER, "T 1 A", "24V_IN", "24V_COIL_FUSED")
    board.two("C90", kinds.STORE, "2200 uF", "VM_FUSED", "GND")
    (one, one_held), (other, other_held) = LOOPS
    board.add("S1", kinds.STOP, "emergency stop", {1: "STOP_11", 2: one, 3: "STOP_21", 4: other})
    board.two("S2", kinds.START, "start", "START_33", "START_1")
    coil = f"FIELD_{EMERGENCY_STOP}"
    relay = {1: "24V_IN", 2: "GND", 3: "STOP_11", 4: one_held, 5: "STOP_21", 6: other_held}
    relay |= {7: "START_33", 8: "START_34", 9: "24V_IN", 10: coil, 11: "24V_IN", 12: "COIL_K2"}
    board.add("K0", kinds.SAFETY, "emergency stop", relay)
    first = {3: "VM_FUSED", 4: "VM_1", 5: "24V_COIL_FUSED", 6: "24V_1", 7: "START_1", 8: "START_2"}
    second = {3: "VM_1", 4: "VM", 5: "24V_1", 6: "24V_COIL", 7: "START_2", 8: "START_3"}
    board.add("K1", kinds.CONTACTOR, "motor supply", {1: coil, 2: "GND"} | first)
    board.add("K2", kinds.CONTACTOR, "motor supply", {1: "COIL_K2", 2: "GND"} | second)
    board.two("S3", kinds.LID_SWITCH, "lid is closed", "24V_COIL", "COIL_K3")
    guard = {3: "VM", 4: "VM_LID", 5: "VM_LID", 6: "VM_GUARDED", 7: "START_3", 8: "START_34"}
    guard |= {9: "24V_SENSOR", 10: f"FIELD_{GUARD_REPORT}"}
    board.add("K3", kinds.GUARD, "motors that run below the lid", {1: "COIL_K3", 2: "GND"} | guard)
    for at, motor in enumerate(motors(), 1):
        board.two(f"M{at}", kinds.MOTOR, motor.name, f"M_{motor.name}_1", f"M_{motor.name}_2")
    for at, name in enumerate(LAMPS):
        board.two(f"E{1 + at}", kinds.LAMP, name, "24V_LAMP", f"LAMP_{pins.FIRST_LAMP_PLACE + at}")
    for wired in inputs():
        if wired.connector != "JE" and not wired.name.startswith("spare"):
            board.two(f"B{wired.place}", kinds.SENSOR, wired.name, "24V_SENSOR", f"FIELD_{wired.place}")
