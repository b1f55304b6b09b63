"""The carrier's circuit: clean by SKiDL's rules, one with the firmware's tables, and off when anything is missing."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from carrier import circuit, kinds
from carrier.board import Board
from carrier.outputs import bill, netlist
from carrier.wiring import IN_PLACES, PICO_PINS, inputs, motors, outputs
from wallwright_firmware import wiring
from wallwright_firmware.boards import pins
from wallwright_protocol import hardware
from wallwright_protocol.codes import OK
from wallwright_protocol.names import DRIVES, INPUTS, LAMPS


@pytest.fixture(scope="module")
def board() -> Board:
    return circuit.build()


@pytest.fixture(scope="module")
def whole() -> Board:
    return circuit.build(panel=True)


Nodes = dict[str, set[tuple[str, int]]]


def nodes(board: Board) -> Nodes:
    """Net -> parts and pins on it, from the netlist that KiCad gets, by a reader of its own."""
    found: Nodes = defaultdict(set)
    net = reference = ""
    for line in netlist(board).partition("(nets")[2].splitlines():
        word, _, value = line.strip().strip("()").partition(" ")
        value = value.strip('"')
        if word == "name":
            net = value
        elif word == "ref":
            reference = value
        elif word == "pin":
            found[net].add((reference, int(value)))
    return found


@pytest.fixture(scope="module")
def nets(board: Board) -> Nodes:
    return nodes(board)


@pytest.fixture(scope="module")
def all_nets(whole: Board) -> Nodes:
    return nodes(whole)


def net_of(nets: Nodes, reference: str, pin: int) -> str:
    (found,) = [name for name, on in nets.items() if (reference, pin) in on]
    return found


def number(kind: kinds.Kind, name: str) -> int:
    (found,) = [pin for pin, (named, _) in kind.pins.items() if named == name]
    return found


def test_the_electrical_rules_find_nothing(board: Board, whole: Board) -> None:
    assert circuit.faults(board) == []
    assert circuit.faults(whole) == []


def test_the_electrical_rules_see_two_outputs_on_one_net_and_an_input_that_hangs() -> None:
    fighting = Board()
    supply = {1: "GND", 2: "3V3"}
    fighting.add("J1", kinds.terminal(2), "", supply)
    registers = {8: "GND", 16: "3V3", 9: "IN_DATA", 1: "A", 2: "B", 10: "GND", 15: "GND"}
    for reference in ("U1", "U2"):
        fighting.add(reference, kinds.REGISTER_IN, "", registers)
    fighting.feed(("3V3", "GND"))
    fighting.wire()
    told = "\n".join(circuit.faults(fighting))
    assert "IN_DATA" in told
    assert "U1" in told
    assert "U2" in told
    assert "Insufficient drive" in told or "No drivers" in told


@pytest.mark.parametrize("pin", [pin for pin in pins.PINS if pin[1]], ids=lambda pin: pin[1])
def test_a_pin_of_the_firmware_is_on_the_net_of_its_name(nets: Nodes, pin: tuple[int, str, str, str]) -> None:
    gpio, net, direction, _ = pin
    reached = nets[net]
    assert ("U2", PICO_PINS[gpio]) in reached
    assert kinds.PICO.pins[PICO_PINS[gpio]][1] == {"out": kinds.OUT, "in": kinds.IN}[direction]
    assert len({reference for reference, _ in reached}) > 1


def test_pins_that_belong_to_a_bus_and_stay_free_are_wired_to_nothing(nets: Nodes) -> None:
    free = {PICO_PINS[gpio] for gpio, net, _, _ in pins.PINS if not net}
    assert free
    assert not [name for name, on in nets.items() for reference, pin in on if reference == "U2" and pin in free]


def test_the_chain_of_inputs_is_read_in_the_order_of_the_firmware(nets: Nodes) -> None:
    """Follow the wire from the Pico: the register whose QH is there, then what is behind its input, and so on."""
    order = []
    net = "IN_DATA"
    while net != "GND":
        (register,) = [reference for reference, pin in nets[net] if pin == 9]
        order.append(register)
        net = net_of(nets, register, 10)
    assert len(order) == pins.IN_REGISTERS
    for place in range(IN_PLACES):
        byte, bit = pins.in_wire(place)
        assert net_of(nets, order[byte], number(kinds.REGISTER_IN, f"D{bit}")) == f"LEVEL_{place}"


def test_the_chain_of_outputs_is_written_in_the_order_of_the_firmware(nets: Nodes) -> None:
    order = []
    net = "OUT_DATA"
    for _ in range(pins.OUT_REGISTERS):
        (register,) = [reference for reference, pin in nets[net] if pin == 14]
        order.append(register)
        net = net_of(nets, register, 9)
    # What the last one passes on is what the first register of the senses takes.
    assert net == net_of(nets, "U25", 10)
    for place in range(8 * pins.OUT_REGISTERS):
        byte, bit = pins.out_wire(place)
        # The byte that is sent first ends in the last register.
        register = order[pins.OUT_REGISTERS - 1 - byte]
        assert net_of(nets, register, number(kinds.REGISTER_OUT, f"Q{bit}")) == f"SWITCH_{place}"


def test_wiring_and_firmware_have_the_same_names_and_numbers() -> None:
    named = {one.place: one.name for one in inputs()}
    assert [named[at] for at in range(hardware.INPUTS)] == list(INPUTS)
    switched = {one.place: one.name for one in outputs()}
    assert [switched[at] for at in range(hardware.DRIVES)] == list(DRIVES)
    assert [switched[pins.FIRST_LAMP_PLACE + at] for at in range(len(LAMPS))] == list(LAMPS)
    assert named[hardware.EMERGENCY_STOP] == "emergency_stop"
    assert named[hardware.input_number(2, hardware.COUNT_EYE)] == "count_eye_2"
    assert switched[hardware.drive_bit(3, hardware.LIFT_LOWER).bit_length() - 1] == "lift_lower_3"


def test_a_board_without_a_map_is_wired_as_the_carrier() -> None:
    """The map that the firmware goes by when it was given none: every wire as it is, none inverted."""
    assert wiring.problem(wiring.standard()) == OK
    on_wire = {one.name: one.place for one in inputs()}
    for number, name in enumerate(INPUTS):
        assert wiring.standard()[wiring.FIRST_INPUT + number] == on_wire[name], name
    driven = {one.name: one.place for one in outputs()}
    for number, name in enumerate((*DRIVES, *LAMPS)):
        assert wiring.standard()[wiring.FIRST_OUTPUT + number] == driven[name], name


@pytest.mark.parametrize("one", inputs(), ids=lambda one: one.name)
def test_the_terminal_of_an_input_leads_to_its_place(nets: Nodes, one) -> None:
    """Terminal, series resistor, diode of the optocoupler, its transistor, register."""
    field = net_of(nets, one.connector, one.terminal)
    (resistor,) = [reference for reference, _ in nets[field] if reference.startswith("R")]
    diode = net_of(nets, resistor, 2)
    ((coupler, anode),) = [(reference, pin) for reference, pin in nets[diode] if reference.startswith("U")]
    channel = (anode - 1) // 2
    assert net_of(nets, coupler, anode + 1) == "GND"
    collector, emitter = net_of(nets, coupler, 16 - 2 * channel), net_of(nets, coupler, 15 - 2 * channel)
    level = f"LEVEL_{one.place}"
    # Current reads as 1; only the emergency stop reads as pressed, 1, when there is none.
    inverts = one.name == "emergency_stop"
    assert (collector, emitter) == ((level, "GND") if inverts else ("3V3", level))
    rest = {net_of(nets, reference, 3 - pin) for reference, pin in nets[level] if reference.startswith("R")}
    assert rest == {"3V3" if inverts else "GND"}


@pytest.mark.parametrize("motor", motors(), ids=lambda motor: motor.name)
def test_the_drive_of_a_motor_is_behind_its_place(nets: Nodes, motor) -> None:
    ends = [net_of(nets, motor.connector, terminal) for terminal in motor.terminals]
    if len(motor.places) == 1:
        (transistor,) = [reference for reference, pin in nets[ends[1]] if reference.startswith("Q") and pin == 2]
        gate = net_of(nets, transistor, 1)
        assert net_of(nets, transistor, 3) == "GND"
        (series,) = [
            (ref, pin) for ref, pin in nets[gate] if ref.startswith("R") and net_of(nets, ref, 3 - pin) != "GND"
        ]
        driver = net_of(nets, series[0], 3 - series[1])
        ((chip, output),) = [(reference, pin) for reference, pin in nets[driver] if reference.startswith("U")]
        assert net_of(nets, chip, {7: 2, 5: 4}[output]) == f"SWITCH_{motor.places[0]}"
        diode = [ref for ref, pin in nets[ends[0]] if ref.startswith("D") and pin == 1 and (ref, 2) in nets[ends[1]]]
        assert len(diode) == 1
        return
    for place, end in zip(motor.places, ends, strict=True):
        (relay,) = [reference for reference, pin in nets[end] if reference.startswith("K") and pin == 1]
        coil = net_of(nets, relay, 5)
        ((array, output),) = [(reference, pin) for reference, pin in nets[coil] if reference.startswith("U")]
        assert net_of(nets, array, 19 - output) == f"SWITCH_{place}"
        assert net_of(nets, relay, 4) == "GND"
        assert net_of(nets, relay, 2) == "24V_COIL"


@pytest.mark.parametrize("motor", [one for one in motors() if len(one.places) == 2], ids=lambda motor: motor.name)
def test_a_motor_with_two_ways_stands_when_both_are_switched_on(nets: Nodes, motor) -> None:
    """Only one relay alone puts a voltage across it, and no contact joins the supply to 0 V."""
    relays = [
        next(ref for ref, pin in nets[net_of(nets, motor.connector, end)] if ref.startswith("K") and pin == 1)
        for end in motor.terminals
    ]
    for pulled in ((False, False), (True, False), (False, True), (True, True)):
        ends = [net_of(nets, relay, 3 if on else 4) for relay, on in zip(relays, pulled, strict=True)]
        assert (ends[0] != ends[1]) == (pulled[0] != pulled[1])


def test_every_output_is_held_off_while_the_chip_does_not_drive_its_enable(nets: Nodes) -> None:
    enabled = {(f"U{21 + at}", 13) for at in range(pins.OUT_REGISTERS)}
    assert enabled < nets["OUT_ENABLE"]
    assert {reference for reference, _ in nets["OUT_ENABLE"]} == {"U2", "R1", *(name for name, _ in enabled)}
    assert net_of(nets, "R1", 1) == "3V3"
    # The registers' outputs hang then; a MOSFET's path has a resistor to ground, and a ULN2803A has its own.
    for motor in motors():
        if len(motor.places) == 1:
            switch = nets[f"SWITCH_{motor.places[0]}"]
            assert [ref for ref, pin in switch if ref.startswith("R") and net_of(nets, ref, 3 - pin) == "GND"]


def reached(nets: Nodes, start: str, closed: dict[str, list[tuple[int, int]]]) -> set[str]:
    """The nets that a supply reaches through fuses and through the pairs of pins that are `closed`."""
    found, todo = set(), [start]
    while todo:
        net = todo.pop()
        if net in found:
            continue
        found.add(net)
        for reference, pin in nets[net]:
            pairs = closed.get(reference, [(1, 2)] if reference.startswith("F") else [])
            todo += [net_of(nets, reference, other) for one in pairs if pin in one for other in one if other != pin]
    return found


def test_the_emergency_stop_cuts_motors_and_relays_without_the_pico(all_nets: Nodes) -> None:
    poles = {"K1": [(3, 4), (5, 6)], "K2": [(3, 4), (5, 6)]}
    lid = {"K3": [(3, 4), (5, 6)]}
    fed = {f"M_{motor.name}_1" if len(motor.places) == 1 else f"VM_{motor.name}" for motor in motors()}
    assert fed | {"VM"} <= reached(all_nets, "VM_SUPPLY", poles | lid)
    assert "24V_COIL" in reached(all_nets, "24V_IN", poles)
    for one in poles:
        rest = {name: pairs for name, pairs in poles.items() if name != one}
        assert not (fed | {"VM"}) & reached(all_nets, "VM_SUPPLY", rest | lid)
        assert "24V_COIL" not in reached(all_nets, "24V_IN", rest)
    coils = {net_of(all_nets, "K1", 1), net_of(all_nets, "K2", 1)}
    assert coils <= reached(all_nets, "24V_IN", {"K0": [(9, 10), (11, 12)]})
    assert not coils & reached(all_nets, "24V_IN", {})
    # Nothing that runs code is at these nets: only the stop's own parts, contacts of the pump's relays and of the lid's
    # contactor, and the report's terminal and resistor.
    stop = [net for name in ("K0", "S1", "S2") for net, on in all_nets.items() if name in {ref for ref, _ in on}]
    at_them = {ref for net in stop if net not in {"GND", "24V_IN"} for ref, _ in all_nets[net]}
    report = next(one for one in inputs() if one.name == "emergency_stop")
    assert at_them == {"K0", "K1", "K2", "K3", "K4", "K5", "JS", "S1", "S2", report.connector, f"R{100 + report.place}"}
    assert net_of(all_nets, report.connector, report.terminal) in coils


def test_the_hosts_side_of_the_link_meets_the_table_in_the_isolator_alone(nets: Nodes) -> None:
    host = {net for net in nets if net.startswith(("HOST_GND", "HOST_3V3", "BRIDGE"))}
    parts = {reference for net in host for reference, _ in nets[net]}
    rest = {reference for net, on in nets.items() if net not in host for reference, _ in on}
    assert parts & rest == {"U3"}
    sides = {pin: net_of(nets, "U3", pin) in host for pin in range(1, 9)}
    assert [pin for pin, is_host in sides.items() if is_host] == [5, 6, 7, 8]


def test_the_netlist_is_the_same_every_time_and_names_no_machine(board: Board) -> None:
    text = netlist(board)
    assert text == netlist(circuit.build())
    assert ".py" not in text
    assert str(Path(__file__).parents[2]) not in text
    assert text.count("(comp\n") == len(board.parts)


def test_a_reference_is_given_once() -> None:
    board = Board()
    board.add("J1", kinds.terminal(2), "", {})
    with pytest.raises(ValueError, match="two J1"):
        board.add("J1", kinds.terminal(2), "", {})


def test_the_bill_of_materials_counts_every_part_once(whole: Board) -> None:
    rows = list(csv.DictReader(bill(whole).splitlines()))
    references = [reference for row in rows for reference in row["references"].split()]
    assert sorted(references) == sorted(whole.parts)
    assert all(int(row["quantity"]) == len(row["references"].split()) for row in rows)
    count = {row["typical part"]: int(row["quantity"]) for row in rows}
    assert (count["SN74HC165N"], count["SN74HC595N"], count["LTV-847"]) == (9, 4, 12)
    assert (count["Omron G5LE-1 DC24"], count["IRLZ44N"]) == (18, 6)
    assert {row["where"] for row in rows if not row["footprint"]} == {"table or control box"}
