"""What the board starts: choose the board, poll the app, feed the watchdog."""

from wallwright_firmware.app import App
from wallwright_firmware.boards.rp2 import Board
from wallwright_firmware.garbage import Garbage

FEED_MS = 500
"""A table at rest, which wants nothing, is polled this often as well: only a poll feeds the watchdog."""


def main() -> None:
    """Run the table for ever."""
    board = Board()
    app = App(board, board.unit, board.tiles)
    garbage = Garbage()
    feed_due = 0
    while True:
        now_ms = board.now_ms()
        rx = board.read()
        if rx or board.has_edges() or app.due <= now_ms or feed_due <= now_ms:
            board.write(app.poll(now_ms, rx))
            board.feed_watchdog()
            feed_due = now_ms + FEED_MS
            garbage.after_poll(app.due - now_ms)
        board.wait(app.due - board.now_ms())


main()
