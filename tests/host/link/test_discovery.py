"""Tables are found where they are today: by port, by USB serial number, by unit; each port belongs to one of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from serial.tools.list_ports_common import ListPortInfo

from wallwright.errors import NotATable, PortBusy, PortGone, PortNotFound, VersionMismatch, WrongUnit
from wallwright.link.discovery import LISTING_MS, Discovery, Sought, UsbPort, list_usb_ports
from wallwright.link.reports import Info


@dataclass
class Opened:
    info: Info
    is_open: bool = True

    def close(self) -> None:
        self.is_open = False


@dataclass
class Hall:
    """Ports with units behind them, and what was opened, in order."""

    units: dict[str, str | Exception]
    opened: list[tuple[str, Opened]] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    def open(self, port: str) -> Opened:
        self.tried.append(port)
        found = self.units.get(port)
        if found is None:
            raise PortNotFound(port, "there is no such port")
        if isinstance(found, Exception):
            raise found
        table = Opened(Info(found, "1.0.0", 108, 2))
        self.opened.append((port, table))
        return table


class Clock:
    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def test_a_port_by_name() -> None:
    hall = Hall({"/dev/a": "T-1"})
    discovery = Discovery()
    port, table = discovery.open(Sought(port="/dev/a"), hall.open)
    assert (port, table.info.unit) == ("/dev/a", "T-1")
    with pytest.raises(PortNotFound, match="/dev/b"):
        discovery.open(Sought(port="/dev/b"), hall.open)


def test_the_wrong_unit_at_a_port_is_closed_and_the_port_is_free_again() -> None:
    hall = Hall({"/dev/a": "T-2"})
    discovery = Discovery()
    with pytest.raises(WrongUnit, match=r"T-2.*T-1"):
        discovery.open(Sought(port="/dev/a", unit="T-1"), hall.open)
    assert not hall.opened[0][1].is_open
    assert discovery.open(Sought(port="/dev/a", unit="T-2"), hall.open)[1].is_open


def test_a_board_that_comes_back_under_another_name_is_found_by_its_serial_number() -> None:
    now = Clock()
    usb = [UsbPort("/dev/ttyACM0", "E661AA"), UsbPort("/dev/ttyACM1", "E661BB")]
    listings = []

    def listed() -> list[UsbPort]:
        listings.append(now())
        return list(usb)

    hall = Hall({"/dev/ttyACM0": "T-1", "/dev/ttyACM1": "T-2", "/dev/ttyACM2": "T-1"})
    discovery = Discovery(list_usb=listed, now_ms=now)
    sought = Sought(usb_serial="e661aa")
    port, _ = discovery.open(sought, hall.open)
    assert port == "/dev/ttyACM0"
    discovery.release(port)
    usb[0] = UsbPort("/dev/ttyACM2", "E661AA")
    now.now += LISTING_MS
    assert discovery.open(sought, hall.open)[0] == "/dev/ttyACM2"
    discovery.release("/dev/ttyACM2")
    del usb[0]
    now.now += LISTING_MS
    for _ in range(300):
        with pytest.raises(PortNotFound, match="USB serial number e661aa"):
            discovery.open(sought, hall.open)
    assert listings == [0, LISTING_MS, 2 * LISTING_MS]


def test_a_board_at_a_com_port_is_found_by_its_serial_number(monkeypatch: pytest.MonkeyPatch) -> None:
    # As pyserial lists them on Windows: a port of the mainboard, a clone without a number, two boards.
    listed = [ListPortInfo("COM1"), ListPortInfo("COM3"), ListPortInfo("COM5"), ListPortInfo("COM12")]
    for port, number in zip(listed, (None, "", "E661AA", "E661BB"), strict=True):
        port.serial_number = number
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: listed)
    discovery = Discovery()
    hall = Hall({"COM5": "T-1", "COM12": "T-2"})
    assert discovery.open(Sought(usb_serial="e661bb"), hall.open)[0] == "COM12"
    with pytest.raises(PortNotFound, match="free are COM5: E661AA"):
        discovery.open(Sought(usb_serial="E661"), hall.open)


def test_a_serial_number_that_is_nowhere_is_answered_with_those_that_nobody_has() -> None:
    usb = [UsbPort(f"/dev/ttyACM{number}", f"E661{number}") for number in range(7)]
    discovery = Discovery(list_usb=lambda: usb)
    discovery.open(Sought(usb_serial="E6610"), Hall({"/dev/ttyACM0": "T-1"}).open)
    with pytest.raises(
        PortNotFound, match=r"free are /dev/ttyACM1: E6611, .*, /dev/ttyACM4: E6614 and 2 more\)"
    ) as said:
        discovery.open(Sought(usb_serial="E66100"), Hall({}).open)
    assert "ttyACM0" not in str(said.value)
    with pytest.raises(PortNotFound, match="no other is free"):
        Discovery(list_usb=list).open(Sought(usb_serial="E66100"), Hall({}).open)


def test_a_unit_is_asked_for_at_every_candidate_and_kept_in_mind() -> None:
    hall = Hall({"a": NotATable("a"), "b": VersionMismatch((1, 2), (1, 3)), "c": "T-1", "d": "T-2"})
    discovery = Discovery(["a", "b", "c", "d", "e"])
    port, table = discovery.open(Sought(unit="T-2"), hall.open)
    assert port == "d"
    assert [unit.info.unit for _, unit in hall.opened if unit.is_open] == ["T-2"]
    table.close()
    discovery.release(port)
    # It comes back elsewhere: first where it was, then where nobody answered, last where another one was.
    hall.units = {"d": PortGone("d", "gone"), "c": "T-1", "e": "T-2"}
    hall.tried.clear()
    assert discovery.open(Sought(unit="T-2"), hall.open)[0] == "e"
    assert hall.tried == ["d", "a", "b", "e"]


def test_a_unit_that_is_nowhere_says_who_was_asked() -> None:
    hall = Hall({"a": NotATable("a"), "b": "T-1", "c": "T-3"})
    discovery = Discovery(["a", "b", "c"])
    discovery.open(Sought(port="c"), hall.open)
    with pytest.raises(PortNotFound, match=r"none of the 3 ports asked: 2 are other tables' or in use, 1 did not"):
        discovery.open(Sought(unit="T-2"), hall.open)


def test_a_port_belongs_to_one_table_until_it_is_released() -> None:
    hall = Hall({"a": "T-1"})
    discovery = Discovery(["a"])
    discovery.open(Sought(unit="T-1"), hall.open)
    with pytest.raises(PortBusy):
        discovery.open(Sought(port="a"), hall.open)
    assert hall.tried == ["a"]
    discovery.release("a")
    assert discovery.open(Sought(port="a"), hall.open)[0] == "a"


def test_an_error_that_is_none_of_ours_frees_the_port_too() -> None:
    class Stopped(Exception):
        pass

    discovery = Discovery()

    def interrupted(port: str) -> Opened:
        raise Stopped

    with pytest.raises(Stopped):
        discovery.open(Sought(port="a"), interrupted)
    assert discovery.open(Sought(port="a"), Hall({"a": "T-1"}).open)[1].is_open


@pytest.mark.parametrize(
    "make",
    [
        lambda: Sought(),
        lambda: Sought(port="a", usb_serial="b"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(make: Callable[[], Sought]) -> None:
    with pytest.raises(ValueError, match="give a port"):
        make()


def test_ports_without_a_serial_number_are_not_usb_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    class Listed(NamedTuple):
        device: str
        serial_number: str | None

    monkeypatch.setattr(
        "wallwright.link.discovery.list_ports.comports",
        lambda: [Listed("/dev/ttyS0", None), Listed("/dev/ttyACM0", "E6")],
    )
    assert list_usb_ports() == (UsbPort("/dev/ttyACM0", "E6"),)
