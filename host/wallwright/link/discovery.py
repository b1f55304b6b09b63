"""Where a table is today: behind a port of a fixed name, behind a USB serial number or at a place of the hubs, or
wherever its unit answers.

USB ports get their names in the order in which they are plugged in, so that a table that was unplugged may come back
under another one. Its board's serial number stays, and so does the unit that it gives when it is asked. Cheap adapters
have no number, or all of a make the same one: then all that fit are asked for the unit, and an error lists them all.
"""

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from serial.tools import list_ports

from ..errors import BadPort, LinkError, NotATable, PortBusy, PortDenied, PortNotFound, VersionMismatch, WrongUnit
from .reports import Info, harmless

NOT_TOLD = "n/a"
"""The description of a port of which pyserial knows none."""
LISTING_MS = 1000
"""The USB ports are listed this often at the most: it takes a file or two of the system for every port."""
_USB_NAME = re.compile("usb|acm", re.IGNORECASE)
"""In the names that systems give to USB ports, for what has neither a number nor a maker."""
_FOUND: tuple[tuple[type[LinkError], str], ...] = (
    (PortBusy, "in use"),
    (PortDenied, "you may not open it"),
    (NotATable, "no table answers there"),
    (VersionMismatch, "a table of another release answers there"),
    (LinkError, "it does not answer"),
)
"""What an attempt has shown of a port; the first row that fits."""


@dataclass(frozen=True, slots=True)
class UsbPort:
    """A USB serial port that is there now. `location` is its place in the hubs and its interface, such as 1-1.4:1.0,
    `description` what it is, `vid` and `pid` the numbers of maker and product; what it does not tell is "" or None.
    """

    name: str
    serial_number: str = ""
    location: str = ""
    description: str = ""
    vid: int | None = None
    pid: int | None = None

    def shown(self, found: str = "") -> str:
        """Return the port with all that it tells, and what an attempt to open it has found."""
        maker = "" if self.vid is None else f"{self.vid:04x}:{self.pid or 0:04x}"
        told = [f"at {self.location}" if self.location else "", self.description, maker, found]
        more = ", ".join(filter(None, told))
        return f"{self.name}: {self.serial_number or 'no serial number'}" + (f" ({more})" if more else "")


@dataclass(frozen=True, slots=True)
class Sought:
    """How one table is found: by `port`, by `usb_serial`, by `usb_location`, or by asking at all candidates for `unit`.

    With one of the others, `unit` may say which one has to answer there. A place without an interface, 1-1.4, is all
    of that place. ValueError for too much or nothing.
    """

    port: str | None = None
    usb_serial: str | None = None
    unit: str | None = None
    usb_location: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be looked for."""
        if self.port is not None and (self.usb_serial, self.usb_location) != (None, None):
            raise ValueError("give a port, or a USB serial number or place, not both")
        if (self.port, self.usb_serial, self.usb_location, self.unit) == (None,) * 4:
            raise ValueError("give a port, a USB serial number or place, or a unit")

    @property
    def usb(self) -> str:
        """The number and the place that are looked for, in words; empty without one."""
        number = f"USB serial number {self.usb_serial}" if self.usb_serial else ""
        place = f"USB place {self.usb_location}" if self.usb_location else ""
        return " at ".join(filter(None, (number, place)))

    def fits(self, port: UsbPort) -> bool:
        """Say whether a port has the number and the place."""
        place, whole = self.usb_location, port.location
        return (self.usb_serial is None or port.serial_number.lower() == self.usb_serial.lower()) and (
            place is None or place in (whole, whole.partition(":")[0])
        )


class Answering(Protocol):
    """What an opened table has to say: `wallwright.Table`."""

    @property
    def info(self) -> Info:
        """Who it is."""

    def close(self) -> None:
        """Let go of the port."""


A = TypeVar("A", bound=Answering)


def list_usb_ports() -> tuple[UsbPort, ...]:
    """Return the serial ports that are on USB. Systems tell more or less of them; texts come in harmless."""

    def told(port: Any, name: str) -> str:
        text = getattr(port, name, None) or ""
        return "" if text == NOT_TOLD else harmless(text)

    return tuple(
        UsbPort(
            port.device,
            told(port, "serial_number"),
            told(port, "location"),
            told(port, "description"),
            getattr(port, "vid", None),
            getattr(port, "pid", None),
        )
        for port in list_ports.comports()
        if port.serial_number or getattr(port, "vid", None) is not None or _USB_NAME.search(port.device)
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
        self._tried: dict[str, str] = {}
        """By port, what the last attempt to open it has shown."""
        self._usb: Sequence[UsbPort] = ()
        self._listed_ms = now_ms() - LISTING_MS

    def open(self, sought: Sought, open_table: Callable[[str], A]) -> tuple[str, A]:
        """Open the table that is sought; return its port, which stays claimed until `release`, and the table.

        Raises PortNotFound when it is nowhere, BadPort when tables answer at several that fit, WrongUnit,
        PortBusy for a port that another table has, and what `open_table(port)` does.
        """
        if sought.port is not None:
            return sought.port, self._open_claimed(sought.port, sought.unit, open_table)
        if sought.usb:
            return self._open_usb(sought, open_table)
        return self._ask_everywhere(sought.unit or "", open_table)

    def release(self, port: str) -> None:
        """Let others have `port`, which was closed."""
        with self._lock:
            self._claimed.discard(port)

    def _ask_everywhere(self, unit: str, open_table: Callable[[str], A]) -> tuple[str, A]:
        silent = others = 0
        for port in sorted(self._candidates, key=lambda port: self._unlikeliness(port, unit)):
            try:
                return port, self._open_claimed(port, unit, open_table)
            except LinkError as error:
                self._note(port, error)
                if isinstance(error, (WrongUnit, PortBusy)):
                    others += 1
                else:
                    silent += 1
        asked = ", ".join(f"{port} ({self._tried[port]})" for port in self._candidates)
        raise PortNotFound(
            f"unit {unit}",
            f"it is at none of the {len(self._candidates)} ports asked: {others} are other tables' or in use, "
            f"{silent} did not answer as a table of this release: {asked}; is the table plugged in and switched on?",
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
                self._tried[port] = f"{found} answers there"
                if unit not in (None, found):
                    raise WrongUnit(port, unit or "", found)
            except BaseException:
                table.close()
                raise
        except BaseException:
            self.release(port)
            raise
        return table

    def _open_usb(self, sought: Sought, open_table: Callable[[str], A]) -> tuple[str, A]:
        listed = self._listed()
        fitting = [port for port in listed if sought.fits(port)]
        if len(fitting) == 1:
            return fitting[0].name, self._open_claimed(fitting[0].name, sought.unit, open_table)
        if not fitting and sought.unit is not None and sought.usb_location is None:
            # It may have been put behind an adapter that has no number to tell.
            fitting = [port for port in listed if not port.serial_number]
        if not fitting:
            with self._lock:
                free = [port for port in listed if port.name not in self._claimed]
            named = f"free are {self._shown(free)}" if free else "no other is free"
            problem = f"no port has it ({named}); is the table plugged in and switched on, and the number right?"
            raise PortNotFound(sought.usb, problem)
        return self._ask_at(fitting, sought, open_table)

    def _ask_at(self, ports: Sequence[UsbPort], sought: Sought, open_table: Callable[[str], A]) -> tuple[str, A]:
        """Open the one of several ports where the unit answers, or without a unit the only table that does."""
        opened: list[tuple[str, A]] = []
        try:
            for port in sorted(ports, key=lambda port: self._unlikeliness(port.name, sought.unit or "")):
                try:
                    opened.append((port.name, self._open_claimed(port.name, sought.unit, open_table)))
                except LinkError as error:
                    self._note(port.name, error)
                if opened and sought.unit is not None:
                    break
            if len(opened) == 1:
                return opened[0]
            mend = "is the table plugged in and switched on?"
            if opened:
                mend = "say which one by its unit (unit), or by its place (usb_location)"
                raise BadPort(
                    sought.usb, f"tables answer at {len(opened)} ports that have it: {self._shown(ports)}; {mend}"
                )
            wanted = "no table answers" if sought.unit is None else f"unit {sought.unit} does not answer"
            raise PortNotFound(
                sought.usb, f"{wanted} at the {len(ports)} ports that it may be: {self._shown(ports)}; {mend}"
            )
        except BaseException:
            for name, table in opened:
                table.close()
                self.release(name)
            raise

    def _listed(self) -> Sequence[UsbPort]:
        with self._lock:
            if self._now_ms() - self._listed_ms >= LISTING_MS:
                self._usb = self._list_usb()
                self._listed_ms = self._now_ms()
            return self._usb

    def _note(self, port: str, error: LinkError) -> None:
        if isinstance(error, WrongUnit):
            return  # `_open_claimed` has noted who answers
        found = next(text for kind, text in _FOUND if isinstance(error, kind))
        unit = self._units.get(port)
        self._tried[port] = f"{found}, {unit} was there" if isinstance(error, PortBusy) and unit else found

    def _shown(self, ports: Sequence[UsbPort]) -> str:
        return ", ".join(port.shown(self._tried.get(port.name, "")) for port in ports)
