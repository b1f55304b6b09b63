"""How long each poll of a board takes, by a clock in its program: for polls that no measurement of the board sees.

A program that runs before the firmware notes the polls that are long, and prints them on the chip's own USB when the
emulator sets a scratch register. What it adds to a poll, some 20 us, is in the figures.
"""

import re
from typing import NamedTuple

from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.chip.files import STATE_FILE, boot_program, file_system, state_file, with_map
from wallwright_simulator.sorter import PLAIN, Hardware

LONG_US = 2_000
"""Shorter polls are not noted: there are thousands."""
POLL_US = 3_000
LAYOUT_US = 300
"""The longest polls move by so much with the place of the code in the flash, and with a host's session."""
_PRINT_MS = 2_000
_NOTES = """
import machine, time
from wallwright_firmware.boards.board import Board
kept = []
wrote = [False]
save = Board.save
def see(board, slot, data):
    wrote[0] = True
    return save(board, slot, data)
Board.save = see
def note(board, began_us):
    us = time.ticks_diff(time.ticks_us(), began_us)
    if us > LONG_US:
        kept.append((board._elapsed_ms, us, int(wrote[0])))
    wrote[0] = False
    if machine.mem32[0x40058010]:
        machine.mem32[0x40058010] = 0
        for poll in kept:
            print("poll", *poll)
        kept.clear()
Board.note_poll = note
"""


class Poll(NamedTuple):
    """A poll at `at_ms` of the chip's time that took `us`, and whether it wrote to the flash."""

    at_ms: int
    us: int
    wrote: bool


def noting(tiles: int = 108, hardware: Hardware = PLAIN, long_us: int = LONG_US) -> tuple[int, bytes]:
    """Return the flash of a board that notes its polls above `long_us`, for `ChipSimulation`; it washes no set."""
    notes = boot_program(_NOTES.replace("LONG_US", str(long_us)))
    return file_system(with_map(hardware) | {STATE_FILE: state_file(tiles, wash_s=0)} | notes)


def noted(simulation: ChipSimulation) -> list[Poll]:
    """Return the long polls since power-up, or since this was asked last."""
    printed = len(simulation.board.usb)
    simulation.chip.do("crash")
    simulation.run_until(simulation.now_ms + _PRINT_MS)
    lines = re.findall(rb"poll (\d+) (\d+) (\d)\r?\n", simulation.board.usb[printed:])
    return [Poll(int(at), int(us), wrote == b"1") for at, us, wrote in lines]


def check_polls(simulation: ChipSimulation, more_us: int = 0) -> list[Poll]:
    """Return the long polls since this was asked last; none but those that wrote to the flash took longer than POLL_US,
    LAYOUT_US and `more_us`. `-rP` shows how many there were, and the longest."""
    polls = noted(simulation)
    print(len(polls), *sorted(polls, key=lambda poll: -poll.us)[:6], sep="\n")
    assert polls, f"a build has some above {LONG_US} us"
    for poll in polls:
        assert poll.wrote or poll.us <= POLL_US + LAYOUT_US + more_us, poll
    return polls
