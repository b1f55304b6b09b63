"""What MicroPython runs first, on a board and on a node: it mounts the files, and makes a file system where none holds.

MicroPython's own does that without a word. This one leaves a mark for a board that had files (`boards/files.py`). A
blank flash is that of a new one, and so is one whose first format was cut short: that leaves at most one of the two
blocks with the root written, and nothing else.
"""

import rp2
import vfs

from wallwright_firmware.boards.files import LOST

ROOT_BLOCKS = 2
BLOCK_COUNT, BLOCK_SIZE = 4, 5
"""Requests to the flash, by their numbers: how many blocks it has, and how many bytes a block."""
PAGE = 256
"""Bytes that the flash programs at once."""


def has_been_used(flash: rp2.Flash) -> bool:
    """Say whether anything but a first format has written to the flash."""
    block = bytearray(flash.ioctl(BLOCK_SIZE, 0) or 0)
    blank_roots = 0
    for number in range(flash.ioctl(BLOCK_COUNT, 0) or 0):
        flash.readblocks(number, block)
        is_blank = block.count(b"\xff") == len(block)
        if number < ROOT_BLOCKS:
            blank_roots += is_blank
        elif not is_blank:
            return True
    return blank_roots == 0


def mount() -> None:
    """Mount the files. Raises OSError when the flash takes none."""
    flash = rp2.Flash()
    try:
        files = vfs.VfsLfs2(flash, progsize=PAGE)
    except OSError:
        had_files = has_been_used(flash)
        vfs.VfsLfs2.mkfs(flash, progsize=PAGE)
        files = vfs.VfsLfs2(flash, progsize=PAGE)
        if had_files:
            with files.open(LOST, "wb"):
                pass
    vfs.mount(files, "/")


mount()
