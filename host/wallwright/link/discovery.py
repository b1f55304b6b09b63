"""Where a table is today: behind a port of a fixed name, behind a USB serial number, or wherever its unit answers.

USB ports get their names in the order in which they are plugged in, so that a table that was unplugged may come back
under another one. Its board's serial number stays, and so does the unit that it gives when it is asked.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from serial.tools import list_ports

from ..errors import LinkError, PortBusy, PortNotFound, WrongUnit
from .reports import Info, harmless

LISTING_MS = 1000
"""The USB ports are listed this often at the most: it takes a file or two of the system for every port."""

PORTS_NAMED = 4
"""Of the ports that are free an error names this many."""


@dataclass(frozen=True, slots=True)
class UsbPort:
    """A USB serial port that is there now."""

    name: str
    serial_number: str


@dataclass(frozen=True, slots=True)
class Sought:
    """How one table is found: by `port`, by `usb_serial`, or by asking at all candidates for `unit`.

    With one of the first two, `unit` may say which one has to answer there. ValueError for too much or nothing.
    """

    port: str | None = None
    usb_serial: str | None = None
    unit: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be looked for."""
        if self.port is not None and self.usb_serial is not None:
            raise ValueError("give a port or a USB serial number, not both")
        if self.port is None and self.usb_serial is None and self.unit is None:
            raise ValueError("give a port, a USB serial number, or a unit")


class Answering(Protocol):
    """What an opened table has to say: `wallwright.Table`."""

    @property
    def info(self) -> Info:
        """Who it is."""

    def close(self) -> None:
        """Let go of the port."""


A = TypeVar("A", bound=Answering)


def list_usb_ports() -> tuple[UsbPort, ...]:
    """Return the USB serial ports that have a serial number."""
    return tuple(
        UsbPort(port.device, harmless(port.serial_number)) for port in list_ports.comports() if port.serial_number
    )


def monotonic_ms() -> int:
    """Return the clock of this machine in ms."""
    return time.monotonic_ns() // 1_000_000


class Discovery:
    """Finds tables, each port for one of them. Any thread may use it.

    `candidates` are the ports at which a table that is known by its unit alone may be.
    """

    def __init__(
        self,
        candidates: Sequence[str] = (),
        list_usb: Callable[[], Sequence[UsbPort]] = list_usb_ports,
        now_ms: Callable[[], int] = monotonic_ms,
    ) -> None:
        self._candidates = tuple(candidates)
        self._list_usb = list_usb
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._claimed: set[str] = set()
        self._units: dict[str, str] = {}
        self._usb: Sequence[UsbPort] = ()
        self._listed_ms = now_ms() - LISTING_MS

    def open(self, sought: Sought, open_table: Callable[[str], A]) -> tuple[str, A]:
        """Open the table that is sought; return its port, which stays claimed until `release`, and the table.

        Raises PortNotFound when it is nowhere, WrongUnit, PortBusy for a port that another table has, and what
        `open_table(port)` does.
        """
        if sought.port is None and sought.usb_serial is None:
            return self._ask_everywhere(sought.unit or "", open_table)
        port = sought.port or self._named_now(sought.usb_serial or "")
        return port, self._open_claimed(port, sought.unit, open_table)

    def release(self, port: str) -> None:
        """Let others have `port`, which was closed."""
        with self._lock:
            self._claimed.discard(port)

    def _ask_everywhere(self, unit: str, open_table: Callable[[str], A]) -> tuple[str, A]:
        silent = others = 0
        for port in sorted(self._candidates, key=lambda port: self._unlikeliness(port, unit)):
            try:
                return port, self._open_claimed(port, unit, open_table)
            except (WrongUnit, PortBusy):
                others += 1
            except LinkError:
                silent += 1
        raise PortNotFound(
            f"unit {unit}",
            f"it is at none of the {len(self._candidates)} ports asked: {others} are other tables' or in use, "
            f"{silent} did not answer as a table of this release; is the table plugged in and switched on?",
        )

    def _unlikeliness(self, port: str, unit: str) -> int:
        """First where this unit was last, then where nobody is known, then where another one was."""
        last = self._units.get(port)
        return 1 if last is None else 0 if last == unit else 2

    def _open_claimed(self, port: str, unit: str | None, open_table: Callable[[str], A]) -> A:
        with self._lock:
            if port in self._claimed:
                raise PortBusy(port, "another table of this hall is there; give each table a port of its own")
            self._claimed.add(port)
        try:
            table = open_table(port)
            try:
                found = table.info.unit
                self._units[port] = found
                if unit not in (None, found):
                    raise WrongUnit(port, unit or "", found)
            except BaseException:
                table.close()
                raise
        except BaseException:
            self.release(port)
            raise
        return table

    def _named_now(self, serial_number: str) -> str:
        """Return the name that the port with this serial number has now."""
        with self._lock:
            if self._now_ms() - self._listed_ms >= LISTING_MS:
                self._usb = self._list_usb()
                self._listed_ms = self._now_ms()
            listed = self._usb
            free = [port for port in listed if port.name not in self._claimed]
        for port in listed:
            if port.serial_number.lower() == serial_number.lower():
                return port.name
        raise PortNotFound(
            f"USB serial number {serial_number}",
            f"no port has it ({_named(free)}); is the table plugged in and switched on, and the number right?",
        )


def _named(ports: Sequence[UsbPort]) -> str:
    """Say which ports are left, for whoever looks for the number of a new board."""
    if not ports:
        return "no other is free"
    more = f" and {len(ports) - PORTS_NAMED} more" if len(ports) > PORTS_NAMED else ""
    return "free are " + ", ".join(f"{port.name}: {port.serial_number}" for port in ports[:PORTS_NAMED]) + more
