"""A board that measures itself, on the emulated chip: as `doctor measure` asks for it."""

import re

from tests.board.polls import LAYOUT_US, POLL_US, noted, noting
from tests.board.test_line import deal_hands
from wallwright.doctor.chip_figures import measure_board
from wallwright_protocol.hardware import SIDES
from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.chip.files import boot_program, file_system
from wallwright_simulator.readers import ALL_READERS

XIP_MISS = 50
WRITE_US = 5_500
ERASE_US = 20_000
SEED = 3
LONGEST_BUILD_MS = 60_000
CHECKED_MS = 6000
"""Longer than a drum is run after its walls are whole."""
FOUND_MS = 3500
"""By then the readers are found, and the first seed of the dice is made."""

LATE_MS = 12
"""An edge is taken at the latest so long after it came: a poll or two, and a collection between."""
_EDGES = """
import machine
from wallwright_firmware.boards.board import Board
late = []
step = Board.next_edge
def see(board):
    found = step(board)
    if found:
        late.append(board.now_ms() - board.edge_ms)
    return found
Board.next_edge = see
def note(board, began_us):
    if machine.mem32[0x40058010]:
        machine.mem32[0x40058010] = 0
        print("late", *late)
        late.clear()
Board.note_poll = note
"""
"""A program before the firmware: it notes how long ago, by the clock of the board, each edge is said to have come."""


def test_an_edge_has_the_time_at_which_it_came(chip):
    """A board does something for 50 ms before it samples, with a slow flash; strokes and tiles are timed by edges."""
    simulation = chip(1, flash=[file_system(boot_program(_EDGES))], readers=ALL_READERS, xip_miss=XIP_MISS)
    simulation.run_until(FOUND_MS)
    for side in range(SIDES):
        simulation.players.press_lift(side)
        simulation.run_until(simulation.now_ms + 300)
    printed = len(simulation.board.usb)
    simulation.chip.do("crash")
    simulation.run_until(simulation.now_ms + 500)
    (line,) = re.findall(rb"late ([\d -]+)\r?\n", simulation.board.usb[printed:])
    late_ms = [int(one) for one in line.split()]
    print(late_ms)
    assert len(late_ms) > 2 * SIDES
    assert min(late_ms) >= 0
    assert max(late_ms) <= LATE_MS


def test_a_board_measures_everything_and_loses_no_sample_by_it(chip, operate):
    simulation: ChipSimulation = chip(1)
    simulation.run_until(3000)
    table = operate(simulation)
    report = measure_board(table, "sim://?board=rp2040", "tests", lambda _: None)
    assert table.status().state != "service"
    assert table.status().fault is None
    assert simulation.resets == 0
    figures = report.figures
    assert list(figures) == ["collections", "flash", "noise", "inputs", "outputs", "polls"]
    assert figures["collections"]["samples_lost"] == figures["flash"]["samples_lost"] == 0
    assert 2_000 < figures["collections"]["mean_us"] < 30_000
    assert figures["collections"]["free_bytes"] > 100_000
    # The emulated flash takes 45 ms for a sector and 0.4 ms for a page.
    assert figures["flash"]["erases"] >= 1
    assert 45_000 < figures["flash"]["most_us"] < 200_000
    assert figures["flash"]["least_us"] > 400
    assert figures["noise"]["bits"] == 8192
    assert 3600 < figures["noise"]["ones"] < 4600
    assert 0 < figures["outputs"]["least_us"] <= figures["outputs"]["most_us"] < 2_000
    assert figures["polls"]["count"] > 3
    assert figures["polls"]["most_us"] < 20_000, "what was measured before is no part of them"
    assert (report.kind, report.chip, len(report.image)) == ("emulated", "rp2040", 16)
    # No bridge joins the spare pin to an input here.
    assert (figures["inputs"]["count"], figures["inputs"]["pulses"]) == (0, 20)


def test_a_table_at_rest_with_all_readers_meets_its_times_with_a_slow_flash(chip, operate):
    simulation = chip(1, readers=ALL_READERS, xip_miss=XIP_MISS)
    figures = measure_board(operate(simulation), "sim://", "tests", lambda _: None).figures
    assert figures["polls"]["count"] > 100, "random numbers are gathered meanwhile"
    assert figures["polls"]["most_us"] <= POLL_US + LAYOUT_US
    assert figures["collections"]["most_us"] <= 12_000


def test_tiles_that_are_laid_down_at_one_instant_are_taken_bit_by_bit(chip, operate):
    """All nodes have to tell of thirteen each while the polls are measured."""
    simulation = chip(1, readers=ALL_READERS, xip_miss=XIP_MISS)
    simulation.run_until(FOUND_MS)
    table = operate(simulation)

    def progress(name):
        if name == "polls":
            deal_hands(simulation.world)

    figures = measure_board(table, "sim://", "tests", progress).figures
    table.pump(500)
    assert sum(event.name == "tag_appeared" for event in table.events()) == 52
    assert figures["polls"]["most_us"] <= POLL_US + LAYOUT_US


def test_a_table_with_all_readers_has_most_of_its_heap_free(chip, operate):
    simulation = chip(1, readers=ALL_READERS, xip_miss=XIP_MISS)
    simulation.run_until(FOUND_MS)
    figures = measure_board(operate(simulation), "sim://", "tests", lambda _: None).figures
    collections = figures["collections"]
    assert figures["polls"]["most_us"] <= POLL_US + LAYOUT_US
    assert collections["free_bytes"] >= 136_000
    assert collections["most_us"] <= 12_000


def test_polls_of_a_start_and_of_a_build_are_short_but_for_those_that_write_the_flash(chip):
    """At its begin and end a build writes a record, and a start does."""
    simulation = chip(SEED, flash=[noting()], readers=ALL_READERS, xip_miss=XIP_MISS)
    simulation.run_until(FOUND_MS)
    simulation.players.press_lift(0)
    while simulation.board.displays[0] != "READY":
        assert simulation.now_ms < LONGEST_BUILD_MS, simulation.board.displays
        simulation.run_until(simulation.now_ms + 200)
    simulation.run_until(simulation.now_ms + CHECKED_MS)
    polls = noted(simulation)
    assert len(polls) > 20
    print(*sorted(polls, key=lambda poll: -poll.us)[:12], sep="\n")
    for poll in polls:
        if not poll.wrote:
            assert poll.us <= POLL_US + LAYOUT_US, poll
    writes = [poll.us for poll in polls if poll.wrote]
    assert max(us for us in writes if us < ERASE_US) <= WRITE_US
