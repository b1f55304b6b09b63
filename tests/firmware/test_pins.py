"""The table of pins fits the chip and its code, and the order of the chains is that of the registers' datasheets."""

import ast
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from tests.firmware.on_chip import board_on
from wallwright_firmware.boards import pins
from wallwright_protocol.hardware import DRIVES, INPUTS, LAMPS_PER_SIDE, SIDES

BOARDS = Path(pins.__file__).parent
NAMES = {name: value for name, value in vars(pins).items() if name.startswith("PIN_")}


def chip_functions(gp: int) -> set[str]:
    """What a GPIO of the RP2040 can be: datasheet 1.4.3, the table of the functions of bank 0."""
    spi = ("RX", "CSn", "SCK", "TX")[gp % 4]
    uart = ("TX", "RX", "CTS", "RTS")[gp % 4]
    return {"GPIO", "PIO 0", "PIO 1", f"SPI{gp // 8 % 2} {spi}", f"UART{(gp + 4) // 8 % 2} {uart}"}


@pytest.mark.parametrize("pin", pins.PINS, ids=lambda pin: f"GP{pin[0]}")
def test_the_chip_can_be_on_a_pin_what_the_table_has_there(pin: tuple[int, str, str, str]) -> None:
    number, net, direction, function = pin
    assert function in chip_functions(number)
    # Pins 23, 24 and 25 are the Pico's own (Pico datasheet, 2.1), 29 is too.
    assert 0 <= number <= 22 or 26 <= number <= 28
    wants = {"TX": "out", "SCK": "out", "RX": "in"}.get(function.split(" ")[-1], direction)
    assert direction == wants
    assert net == "" or NAMES[f"PIN_{net.removeprefix('SUPPLY_')}"] == number


def test_no_pin_and_no_net_is_there_twice_and_none_is_missing() -> None:
    numbers = [number for number, _, _, _ in pins.PINS]
    nets = [net for _, net, _, _ in pins.PINS if net]
    assert sorted(numbers) == sorted(set(numbers)) == sorted(NAMES.values())
    assert len(nets) == len(set(nets))


def test_the_chains_have_a_place_for_everything() -> None:
    assert INPUTS <= 8 * pins.IN_REGISTERS
    assert DRIVES <= pins.FIRST_LAMP_PLACE
    assert pins.FIRST_LAMP_PLACE + SIDES * LAMPS_PER_SIDE <= 8 * pins.OUT_REGISTERS


def read_74hc165s(levels: list[int]) -> bytes:
    """What an SPI, most significant bit first, reads from a chain that has loaded `levels` by place.

    Serial out is QH, the level of D7; each clock moves D6 to D7 and so on, and D0 takes the serial input, which is QH
    of the next register (Texas Instruments SN74HC165, 8.2).
    """
    registers = [levels[at : at + 8] for at in range(0, len(levels), 8)]
    bits = []
    for _ in levels:
        bits.append(registers[0][7])
        serial = [register[7] for register in registers[1:]] + [0]
        registers = [[serial[at], *register[:7]] for at, register in enumerate(registers)]
    return bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8))


def shift_74hc595s(data: bytes, registers: int) -> list[int]:
    """The outputs by place after an SPI, most significant bit first, has sent `data`.

    Each clock puts the serial input into QA and moves QA to QB and so on; QH' is the serial input of the next register
    (Texas Instruments SN74HC595, 8.2).
    """
    places = [0] * (8 * registers)
    for byte in data:
        for bit in range(7, -1, -1):
            places = [byte >> bit & 1, *places[:-1]]
    return places


def test_an_input_is_read_where_the_registers_shift_it_to() -> None:
    count = 8 * pins.IN_REGISTERS
    for place in range(count):
        byte, bit = pins.in_wire(place)
        read = read_74hc165s([int(at == place) for at in range(count)])
        assert read == bytes(1 << bit if at == byte else 0 for at in range(pins.IN_REGISTERS))


def test_an_output_is_sent_to_where_the_registers_shift_it() -> None:
    count = 8 * pins.OUT_REGISTERS
    for place in range(count):
        byte, bit = pins.out_wire(place)
        data = bytes(1 << bit if at == byte else 0 for at in range(pins.OUT_REGISTERS))
        assert shift_74hc595s(data, pins.OUT_REGISTERS) == [int(at == place) for at in range(count)]


def test_the_board_sends_every_drive_and_lamp_to_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through `Board` itself, against the model of the registers."""
    sent: list[bytes] = []
    machine = MagicMock()
    machine.unique_id.return_value = bytes(8)
    machine.mem32 = {}
    machine.reset_cause.return_value = None
    machine.SPI.return_value.write = lambda data: sent.append(bytes(data))
    board = board_on(monkeypatch, machine)
    board.begin()
    board.lamps(0)
    for drive in range(DRIVES):
        board.drive(1 << drive)
        assert [at for at, level in enumerate(shift_74hc595s(sent[-1], pins.OUT_REGISTERS)) if level] == [drive]
    board.drive(0)
    for lamp in range(SIDES * LAMPS_PER_SIDE):
        board.lamps(1 << lamp)
        lit = [at for at, level in enumerate(shift_74hc595s(sent[-1], pins.OUT_REGISTERS)) if level]
        assert lit == [pins.FIRST_LAMP_PLACE + lamp]
    used = {call.args[0] for call in machine.Pin.call_args_list}
    assert used <= {number for number, _, _, _ in pins.PINS}


def test_no_other_file_of_the_board_has_a_pin_number() -> None:
    for path in BOARDS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if path.name not in {"pins.py", "node_pins.py"} and isinstance(node, ast.Assign):
                assert not [name for name in map(ast.unparse, node.targets) if name.startswith("PIN_")], path.name
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"machine.Pin", "Pin"}:
                assert not isinstance(node.args[0], ast.Constant), f"{path.name}: {ast.unparse(node)}"
