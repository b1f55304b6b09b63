"""What the board starts: choose the board, poll the app, feed the watchdog.

No way out of here leaves an output on. Whatever ends the loop, an interrupt or a full memory included, raises the
output enable first, keeps the reason for the next start and resets the chip. The watchdog ends a loop that hangs.
"""

import gc

import machine
import micropython

micropython.kbd_intr(-1)  # else a byte 0x03 on the board's own USB, where programs look for modems, ends this one

from wallwright_firmware.app import App  # noqa: E402 - what comes before the line above can be interrupted
from wallwright_firmware.boards import rp2 as chip  # noqa: E402
from wallwright_firmware.boards.board import Board  # noqa: E402
from wallwright_firmware.garbage import Garbage  # noqa: E402
from wallwright_firmware.guard import fell  # noqa: E402

FEED_MS = 500
"""A table at rest, which wants nothing, is polled this often as well: only a poll feeds the watchdog."""


def run(board: Board) -> None:
    """Run the table for ever."""
    app = App(board, board.unit)
    gc.collect()
    garbage = Garbage(gc.mem_free() // 4 * 3, app.settings.values)
    feed_due = 0
    while True:
        now_ms = board.now_ms()
        rx = board.read()
        line_has_news = board.poll_line(now_ms)
        is_odd = board.refresh(now_ms)
        if is_odd or rx or line_has_news or board.has_edges() or app.due <= now_ms or feed_due <= now_ms:
            began = board.now_us()
            tx = app.poll(now_ms, rx)
            board.write(tx)
            board.note_poll(began)
            board.feed_watchdog()
            now_ms = app.cycle.now_ms  # on a clock that has been turned back, perhaps
            feed_due = now_ms + FEED_MS
            carried = len(rx) + len(tx)
            board.refresh(board.now_ms())  # a collection comes next, perhaps
            garbage.after_poll(now_ms, app.due, app.outputs.mask, carried, board.readers, board.left_bytes)
            board.left_bytes = 0
        board.feed_pump()
        if app.due > board.now_ms():
            board.wait()


def main() -> None:
    """Run the table until something ends that, then start the chip again."""
    try:
        board = Board(chip)
        try:
            board.begin()
            run(board)
        except BaseException as error:  # noqa: BLE001 - whatever it is, a reset follows
            board.off()  # whatever fails next
            fell(board, error, board.now_ms())
            if not board.has_begun:
                board.show_failure()
    finally:
        machine.reset()


main()
