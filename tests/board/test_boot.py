"""A board that gets its power: it starts from a blank file system, and answers its host."""

from wallwright_firmware.app import App


def test_a_board_with_a_blank_file_system_starts_and_answers(chip, operate):
    simulation = chip(1)
    simulation.run_until(1500)
    table = operate(simulation)
    assert table.status().state == "idle"
    assert table.info.firmware == ".".join(map(str, App.VERSION))
    # The number of its flash chip.
    assert table.info.unit == "E66038B7134A9C2F"
    assert simulation.resets == 0
    assert simulation.chip.do("counts")["erases"] > 0


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
