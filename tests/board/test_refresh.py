"""Outputs are written again and read back, on the emulated chip: bits that flip are mended, senses are seen.

`.venv-dev/bin/python -m pytest tests/board/test_refresh.py -rP` prints the figures.
"""

import random
import re

import pytest

from tests.board.building import build
from wallwright_protocol.codes import DRIVE_DEAD, DRIVE_RUNS
from wallwright_protocol.hardware import CONVEYOR, DISC, OUTPUTS, READS_BACK, RING, STANDARD_PARTS, drive_bit
from wallwright_simulator.chip.files import boot_program, file_system, with_map
from wallwright_simulator.sorter import PLAIN

SETTLED_MS = 3000
REST_MS = 6100
LEAST_WRITES = 600
MENDED_MS = 10
SENSED_MS = 20
STUCK = (DISC, RING, drive_bit(2, CONVEYOR))
FLIPS = 60
TOLD_MS = 500
_TELLS = """
from wallwright_firmware.boards.board import Board
refresh, sensed = Board.refresh, [None]
def see(board, now_ms):
    has_news = refresh(board, now_ms)
    if board.flips:
        print("flip", now_ms, board.take_flips())
    if board.sensed != sensed[0]:
        sensed[0] = board.sensed
        print("sensed", now_ms, board.sensed)
    return has_news
Board.refresh = see
"""
"""A program that runs before the firmware and prints what comes back of the outputs."""


def telling(chip, parts=STANDARD_PARTS, **options):
    """Make a table at rest that tells of flips and senses on its own USB, on a carrier with these parts."""
    files = with_map(PLAIN, parts) | boot_program(_TELLS)
    simulation = chip(1, flash=[file_system(files)], parts=parts, **options)
    simulation.run_until(SETTLED_MS)
    return simulation


def told(simulation, word, since=0):
    """Return (time, mask) of each line with this word."""
    simulation.run_until(simulation.now_ms + TOLD_MS)
    lines = re.findall(rb"%b (\d+) (-?\d+)\r?\n" % word.encode(), simulation.board.usb[since:])
    return [(int(at_ms), int(mask)) for at_ms, mask in lines]


def writes(simulation):
    return simulation.chip.do("counts")["writes"]


def wrong_ms(simulation, place, *, latched):
    """Let a bit flip; return how long the outputs were not as before."""
    began_ms, right = simulation.now_ms, simulation.board.outputs
    simulation.flip(place, latched=latched)
    last_ms = began_ms
    while simulation.now_ms < began_ms + 2 * MENDED_MS:
        simulation.run_until(simulation.now_ms + 1)
        if simulation.board.outputs != right:
            last_ms = simulation.now_ms
    return last_ms - began_ms


def test_outputs_at_rest_are_written_again_and_again(chip):
    simulation = chip(1)
    simulation.run_until(SETTLED_MS)
    before = writes(simulation)
    simulation.run_until(SETTLED_MS + REST_MS)
    print(writes(simulation) - before, "writes")
    assert writes(simulation) - before >= LEAST_WRITES


@pytest.mark.parametrize("latched", [True, False])
@pytest.mark.parametrize("made", ["chip", "pico2"])
def test_each_bit_that_flips_at_rest_is_mended(request, made, latched):
    simulation = request.getfixturevalue(made)(1)
    simulation.run_until(SETTLED_MS)
    taken = [wrong_ms(simulation, place, latched=latched) for place in range(OUTPUTS)]
    print(max(taken), "ms at the most")
    assert max(taken) <= MENDED_MS
    assert simulation.resets == 0


def test_a_flip_where_bits_are_shifted_is_told_with_its_place_and_reaches_no_output(chip):
    simulation = telling(chip)
    for place in (0, 5, 13, 22, 29):
        since = len(simulation.board.usb)
        assert wrong_ms(simulation, place, latched=False) == 0
        assert [mask for _, mask in told(simulation, "flip", since)] == [1 << place]


def test_bits_that_flip_in_a_build_are_mended(chip, seed):
    simulation = build(chip, seed)
    chance = random.Random(seed)
    trace = []
    for _ in range(FLIPS):
        simulation.run_until(simulation.now_ms + chance.randrange(20, 60))
        place, latched = chance.randrange(OUTPUTS), chance.random() < 0.5
        at_ms = simulation.now_ms
        level = simulation.board.outputs >> place & 1
        simulation.flip(place, latched=latched)
        before = writes(simulation)
        while writes(simulation) == before:
            simulation.run_until(simulation.now_ms + 1)
        trace.append((simulation.now_ms - at_ms, place, latched, level))
    print("mended after", max(trace)[0], "ms at the most")
    assert max(trace)[0] <= MENDED_MS
    assert simulation.resets == 0


def test_a_stuck_switch_is_sensed_in_time(chip):
    """The board then cuts the supply; a person mends the switch, clears the fault by a key and presses START."""
    simulation = telling(chip)
    assert told(simulation, "sensed")[-1][1] == 0
    started_ms, supply = simulation.board.started_ms, simulation.world.supply
    for drive in STUCK:
        since, began_ms = len(simulation.board.usb), simulation.now_ms - started_ms
        simulation.world.stick(drive, on=True)
        at_ms, mask = told(simulation, "sensed", since)[0]
        assert mask == drive
        assert at_ms - began_ms <= SENSED_MS
        assert simulation.board.displays[0].startswith(f"E{DRIVE_RUNS:02d}")
        assert not supply.is_on
        simulation.world.stick(drive, on=None)
        simulation.players.press_lift(0)
        assert told(simulation, "sensed", since)[-1][1] == 0
        assert supply.is_on


def test_a_switch_that_stays_off_is_sensed_in_time(chip):
    files = with_map(PLAIN) | boot_program(_TELLS)
    simulation = build(chip, 3, flash=[file_system(files)])
    assert told(simulation, "sensed")[-1][1] & DISC
    since, began_ms = len(simulation.board.usb), simulation.now_ms - simulation.board.started_ms
    simulation.world.stick(DISC, on=False)
    at_ms = next(at_ms for at_ms, mask in told(simulation, "sensed", since) if not mask & DISC)
    assert at_ms - began_ms <= SENSED_MS
    assert simulation.board.displays[0] == f"E{DRIVE_DEAD:02d} DISC"


@pytest.mark.parametrize("parts", [0, READS_BACK])
def test_a_carrier_without_senses_says_nothing_of_them(chip, parts):
    simulation = telling(chip, parts)
    assert told(simulation, "sensed") == [(pytest.approx(0, abs=SETTLED_MS), -1)]
    since = len(simulation.board.usb)
    simulation.world.stick(DISC, on=True)
    wrong_ms(simulation, 5, latched=False)
    assert told(simulation, "sensed", since) == []
    assert [mask for _, mask in told(simulation, "flip", since)] == ([1 << 5] if parts else [])


def test_a_carrier_without_parts_builds_and_mends_as_others_do(chip):
    simulation = chip(1, parts=0, wash_s=0)
    simulation.run_until(SETTLED_MS)
    assert wrong_ms(simulation, 5, latched=True) <= MENDED_MS
    assert simulation.chip.do("functions")[12] == 1, "the pin belongs to its bus"
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + 1500)
    assert simulation.board.displays[0] == "BUILD"
