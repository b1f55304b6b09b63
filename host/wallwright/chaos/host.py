"""`wallwright` as it is, with two things that a rehearsal needs of a host: a clock that can be set, and an end.

`python -m wallwright.chaos.host CLOCK-FILE serve ...`: the file has the ms to add to this machine's clock, in 8 bytes.
The process ends when its standard input does, so that none is left behind, however the rehearsal ends.
"""

import mmap
import os
import runpy
import sys
import threading
import time
from pathlib import Path

OFFSET_BYTES = 8
MS_NS = 1_000_000


def shift_clock(file: Path) -> None:
    """Let `time.time` and `time.time_ns` show another time from now on: what the file says, whenever it is changed."""
    with file.open("r+b") as opened:
        offset = mmap.mmap(opened.fileno(), OFFSET_BYTES)
    real_ns = time.time_ns

    def time_ns() -> int:
        return real_ns() + int.from_bytes(offset[:OFFSET_BYTES], "little", signed=True) * MS_NS

    time.time_ns = time_ns
    time.time = lambda: time_ns() / 1e9


def _end_with_input() -> None:
    # Not through `sys.stdin`, whose lock nobody may hold when the program ends.
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    shift_clock(Path(sys.argv.pop(1)))
    threading.Thread(target=_end_with_input, name="end", daemon=True).start()
    runpy.run_module("wallwright", run_name="__main__", alter_sys=True)
