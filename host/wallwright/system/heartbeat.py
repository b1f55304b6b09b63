"""Tells systemd that this program is ready, goes on, and ends: `sd_notify`, as of a service of Type=notify.

A service manager that hears nothing for WatchdogSec starts the program again. So who beats is a loop that does the
program's work, and it is silent when another part of it has stopped. Without systemd nothing is told to anybody.
"""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

STALE_S = 10.0
"""A thread that has not come round for so long hangs."""


class Heartbeat:
    """One program's; `parts` say whether what must go on goes on."""

    def __init__(self, *parts: Callable[[], bool]) -> None:
        self._parts = parts
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        self._has_begun = False

    def beat(self) -> None:
        """Say that the program goes on, the first time that it is ready; nothing when a part of it does not go on."""
        if not self._address or not all(part() for part in self._parts):
            return
        self._tell("WATCHDOG=1" if self._has_begun else "READY=1")
        self._has_begun = True

    def end(self) -> None:
        """Say that the program ends because it was told to."""
        if self._address:
            self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        if sys.platform == "win32":
            return
        # A name in the kernel alone begins with a zero byte, which no variable can have.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        # Nobody hears it: then nobody is there who would start the program again.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.sendto(text.encode(), address)
