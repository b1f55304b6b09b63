"""A board whose clock shows that it has run for days, and what it notes of pauses: turns of its loop that took long.

A program that runs before the firmware sets the clock when the board begins, and times every turn. A pause is what a
turn took, less what `Garbage` took to collect because it was time; a turn that wrote to the flash is none. What was
noted is printed on the chip's own USB when the emulator sets a scratch register.
"""

import re
from typing import NamedTuple

from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.chip.files import STATE_FILE, boot_program, file_system, state_file, with_map
from wallwright_simulator.sorter import PLAIN

DAY_MS = 86_400_000
PAUSE_US = 5_000
_PRINT_MS = 1_000
_PROGRAM = """
import gc, machine, time
from wallwright_firmware.boards.measure import Times
from wallwright_firmware.boards.board import Board
from wallwright_firmware.garbage import Garbage
pauses = []
turn = [0, 0, 0, 0, 0]  # when it began, us of it that were planned, no matter; turns, collections that were planned
begin, take, save, after_poll = Board.begin, Board.read, Board.save, Garbage.after_poll
def begin_aged(board):
    begin(board)
    board._elapsed_ms += AGE_MS
    board.sampler._epoch_ms += AGE_MS
def take_timed(board):
    now_us = time.ticks_us()
    us = time.ticks_diff(now_us, turn[0]) - turn[1]
    if us > PAUSE_US and turn[3] and not turn[2]:
        pauses.append((us, board._drives))
    turn[3] += 1
    turn[0], turn[1], turn[2] = now_us, 0, 0
    if machine.mem32[0x40058010]:
        machine.mem32[0x40058010] = 0
        for us, drives in pauses:
            print("pause", us, drives)
        pauses.clear()
        print("turns", turn[3], turn[4], gc.mem_alloc(), *board.polls.values())
        board.polls = Times()
        turn[2] = 1
    return take(board)
def save_noted(board, slot, data):
    turn[2] = 1
    return save(board, slot, data)
def collect_noted(garbage, now_ms, due, drives, carried, readers, left):
    began_us = time.ticks_us()
    after_poll(garbage, now_ms, due, drives, carried, readers, left)
    turn[1] = time.ticks_diff(time.ticks_us(), began_us)
    if turn[1] > 2000:
        turn[4] += 1
Board.begin, Board.read, Board.save, Garbage.after_poll = begin_aged, take_timed, save_noted, collect_noted
"""


class Pause(NamedTuple):
    """A turn of the loop that took `us` with these drives on."""

    us: int
    drives: int


class Noted(NamedTuple):
    """Notes of a board: turns and planned collections since its start, bytes of its heap in use, and since it was
    asked last its pauses and polls: how many, how long the shortest, the mean and the longest."""

    pauses: list[Pause]
    turns: int
    planned: int
    heap: int
    polls: int
    least_us: int
    mean_us: int
    most_us: int


def aged(age_ms: int, tiles: int = 108) -> tuple[int, bytes]:
    """Return the flash of a board that has run for so long when it begins, for `ChipSimulation`; it washes no set."""
    program = boot_program(_PROGRAM.replace("AGE_MS", str(age_ms)).replace("PAUSE_US", str(PAUSE_US)))
    return file_system(with_map(PLAIN) | {STATE_FILE: state_file(tiles, wash_s=0)} | program)


def noted(simulation: ChipSimulation) -> Noted:
    """Return what the board has noted."""
    printed = len(simulation.board.usb)
    simulation.chip.do("crash")
    simulation.run_until(simulation.now_ms + _PRINT_MS)
    text = simulation.board.usb[printed:]
    pauses = [Pause(int(us), int(drives)) for us, drives in re.findall(rb"pause (\d+) (\d+)\r?\n", text)]
    figures = re.search(rb"turns (.*)\r?\n", text)
    assert figures, text
    return Noted(pauses, *map(int, figures[1].split()))
