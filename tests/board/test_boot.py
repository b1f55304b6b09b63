"""A board that gets its power: it starts from a blank file system, and answers its host."""

from wallwright.doctor.wiring.wire_map import Wire
from wallwright.doctor.wiring.wires import Wires
from wallwright.table.table import open_table
from wallwright_firmware.app import App
from wallwright_protocol.hardware import DEFAULT_PLANS, EMERGENCY_STOP
from wallwright_simulator.harness import shuffled
from wallwright_simulator.world import World


def test_a_board_with_a_blank_file_system_starts_and_drives_nothing_until_it_has_a_map(chip, operate):
    """A table wired anyhow: what the standard wiring takes for a lamp may be a motor."""
    harness = shuffled(1)
    world = World(1, 108, log_drives=True)
    simulation = chip(1, world=world, harness=harness)
    board = simulation.board
    simulation.run_until(1500)
    table = operate(simulation)
    assert (table.status().fault, table.status().wiring) == ("wiring_unknown", None)
    assert table.info.firmware == ".".join(map(str, App.VERSION))
    # The number of its flash chip.
    assert table.info.unit == "E66038B7134A9C2F"
    assert simulation.resets == 0
    assert simulation.chip.do("counts")["erases"] > 0
    assert board.outputs == 0
    assert not board.is_enabled
    assert board.displays == ["NO MAP"] * 4
    disc, stop = harness.outputs[0], harness.inputs[EMERGENCY_STOP]
    pressed = Wire(stop, 0 if EMERGENCY_STOP in harness.inverted else 1)
    assert Wires(table).jog(disc, 20, pressed, ()).end == "time"
    assert [mask for _, mask in world.drive_log] == [1, 0]
    assert board.outputs == 0


def test_a_board_that_has_its_map_is_at_rest(chip, operate):
    simulation = chip(1)
    simulation.run_until(1500)
    assert operate(simulation).status().state == "idle"
    assert simulation.board.is_enabled


def test_the_pins_are_muxed_as_the_table_of_pins_says(chip):
    """Pins that belong to nobody are muxed to nothing: GP5 would be a second UART's receiver, GP4 its sender."""
    simulation = chip(1)
    simulation.run_until(1000)
    functions = simulation.chip.do("functions")
    assert functions[0] == functions[1] == 2
    assert functions[5] == 31


def test_two_boards_repeat_each_other_to_the_instruction(chip):
    first, second = chip(4), chip(4)
    first.run_until(700)
    for at_ms in range(35, 701, 35):
        second.run_until(at_ms)
    assert first.chip.do("counts") == second.chip.do("counts")
    assert first.chip.flash() == second.chip.flash()


def test_a_board_in_the_place_of_another_one_repeats_it_to_the_instruction(chip):
    """Its process has translated the program by then."""
    seen = []
    for _ in range(2):
        simulation = chip(4, xip_miss=50)
        simulation.run_until(700)
        seen.append((simulation.chip.do("counts"), simulation.chip.flash()))
        simulation.close()
    first, second = seen
    assert first == second


def test_a_board_that_was_given_another_size_of_a_set_starts_with_it():
    with open_table("sim://?board=rp2040&tiles=144") as table:
        table.wait_state("idle", 3000)
        assert table.info.tiles == 144
        assert table.status().plan == DEFAULT_PLANS[144]
