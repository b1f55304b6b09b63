"""What the board starts: choose the board, poll the app, feed the watchdog."""

import gc

from wallwright_firmware.app import App
from wallwright_firmware.boards.rp2 import Board

IDLE_MS = 20
"""With at least this long to the next deadline there is time to collect garbage."""


def main() -> None:
    """Run the table for ever."""
    board = Board()
    app = App(board, board.unit, board.tiles)
    while True:
        now_ms = board.now_ms()
        rx = board.read()
        if rx or board.has_edges() or app.due <= now_ms:
            board.write(app.poll(now_ms, rx))
            board.feed_watchdog()
        elif app.due - now_ms > IDLE_MS:
            gc.collect()
        board.wait(app.due - board.now_ms())


main()
