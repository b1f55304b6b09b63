"""When the program ends although it should not: outputs off first, then the reason, kept for the next start.

- `fell` is told of every exception that came out of the program, an interrupt and a full memory included.
- The next start tells `crashed` with module and line, once.
- A board that has failed three times within a minute of running stands still, in the fault `crash_loop`, until a host
  clears it. A program that its watchdog had to end has failed as well.

The record has a slot of its own, 68 bytes, integers little endian:

    offset  size  what
         0     2  "WC"
         2     1  the version of this layout, 1
         3     1  failures within a minute, the last one included
         4     1  1: stands still until a host clears it
         5     1  1: the next start has it to tell
         6     4  how long the program had run when it failed, ms
        10     2  line
        12    24  module
        36    20  name of the error
        56     8  0
        64     4  CRC-32 of all before it
"""

import gc
import io
import struct
import sys
from binascii import crc32

from wallwright_protocol.codes import CRASHED, NO_SIDE, WATCHDOG_RESET

from .hal import CRASH_SLOT, Hal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cycle import Cycle
    from .events import EventRing

LAYOUT = "<2sBBBBIH24s20s8x"
BYTES = 68
MAGIC = b"WC"
VERSION = 1
MODULE_BYTES = 24
ERROR_BYTES = 20
MINUTE_MS = 60000
MOST = 3
"""This many failures within a minute stop the board."""
PACKAGES = ("wallwright_firmware/", "wallwright_protocol/")
"""Folders of the program's own modules; the first words are left out where a place is told."""
WORD = len("wallwright_")


class CrashLog:
    """What a board remembers of its last failure; `stopped` says that it may not move any more."""

    def __init__(self, hal: Hal) -> None:
        self.times = 0
        self.stopped = 0
        self.untold = 0
        self.line = 0
        self.module = b""
        self.error = b""
        self._hal = hal
        self._ran_ms = 0
        record = hal.load(CRASH_SLOT)
        if len(record) == BYTES and crc32(record[:-4]) & 0xFFFFFFFF == int.from_bytes(record[-4:], "little"):
            values = struct.unpack(LAYOUT, record[:-4])
            if values[:2] == (MAGIC, VERSION):
                self.times, self.stopped, self.untold, self._ran_ms, self.line = values[2:7]
                self.module = values[7].rstrip(b"\0")
                self.error = values[8].rstrip(b"\0")

    def started(self) -> None:
        """Count a failure that only the watchdog could end; it has left no place, and is told by its own notice."""
        if self._hal.restart_cause == WATCHDOG_RESET:
            self.add(self._hal.ran_ms, b"", 0, b"", untold=0)

    def add(self, ran_ms: int, module: bytes, line: int, error: bytes, untold: int = 1) -> None:
        """Remember a failure after `ran_ms` of running. One that comes again and again is written down only once."""
        again = (module, line, error) == (self.module, self.line, self.error)
        if self.stopped and again:
            return
        if ran_ms > MINUTE_MS or not self.times:
            self.times = 1
        elif self.times + 1 < MOST or self._ran_ms + ran_ms > MINUTE_MS:
            self.times = 2
        else:
            self.times = MOST
            self.stopped = 1
        self._ran_ms = min(ran_ms, 0x7FFFFFFF)
        self.module = module
        self.line = line
        self.error = error
        self.untold = untold
        self._save()

    def tell(self, now_ms: int, cycle: "Cycle", events: "EventRing") -> None:
        """Tell of a failure that the start before ended with."""
        if self.untold:
            cycle.notice(CRASHED, NO_SIDE, 0)
            events.add(now_ms, "crashed", self.module, self.line, self.error, self.times)
            self.untold = 0
            self._save()

    def clear(self) -> None:
        """A technician lets the table move again."""
        self.stopped = self.times = 0
        self._save()

    def _save(self) -> None:
        record = struct.pack(
            LAYOUT,
            MAGIC,
            VERSION,
            self.times,
            self.stopped,
            self.untold,
            self._ran_ms,
            self.line,
            self.module,
            self.error,
        )
        self._hal.save(CRASH_SLOT, record + struct.pack("<I", crc32(record) & 0xFFFFFFFF))


def fell(hal: Hal, error: BaseException, ran_ms: int) -> None:
    """The program has ended in `error` after `ran_ms`: switch everything off, then keep the reason for the next start.

    A board gives memory back when it is switched off, so that a full one does not keep the reason from being stored.
    What calls this starts the board again afterwards, whatever comes out of here.
    """
    hal.off()
    gc.collect()
    module, line = place_of(error)
    name = type(error).__name__
    CrashLog(hal).add(ran_ms, module[-MODULE_BYTES:].encode(), line, name[:ERROR_BYTES].encode())


def place_of(error: BaseException) -> tuple[str, int]:
    """Return the innermost place of the program that an error came through, as ("firmware/app", 120).

    An error that came through none has its innermost place told instead; ("unknown", 0) when there is none.
    """
    found = ("unknown", 0)
    is_ours = False
    for file, line in _frames(error):
        at = max([file.rfind(package) for package in PACKAGES])
        if at >= 0:
            found = (file[at + WORD : -3], line)
            is_ours = True
        elif not is_ours:
            found = (file[file.rfind("/") + 1 : -3], line)
    return found


def _frames(error: BaseException) -> list[tuple[str, int]]:
    """Return the files and lines that an error came through, the outermost first."""
    frames = []
    at = getattr(error, "__traceback__", None)
    while at is not None:
        frames.append((at.tb_frame.f_code.co_filename, at.tb_lineno))
        at = at.tb_next
    if hasattr(sys, "print_exception"):
        # MicroPython has no traceback but the printed one: `  File "main.py", line 28, in main`.
        printed = io.StringIO()
        sys.print_exception(error, printed)
        for row in printed.getvalue().split("\n"):
            parts = row.split('"')
            if len(parts) == 3 and parts[0].strip() == "File":
                frames.append((parts[1], int(parts[2].split(" ")[2].rstrip(","))))
    return frames
