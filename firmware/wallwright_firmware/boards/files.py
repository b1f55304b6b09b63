"""A board that has lost its files knows it: `_boot.py` leaves a mark on the file system that it had to make anew.

The mark lies there until the board has been given a map of its wires again.
"""

import os

LOST = "lost.bin"


def are_lost() -> bool:
    """Say whether the board has lost its files, and has had no map since."""
    return LOST in os.listdir()


def found_again() -> None:
    """The board has a map again."""
    os.remove(LOST)
