"""Tables are found where they are today: by port, by USB serial number, by unit; each port belongs to one of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from typing import NamedTuple

import pytest
from serial.tools.list_ports_common import ListPortInfo

from wallwright.errors import (
    BadPort,
    NotATable,
    PortBusy,
    PortDenied,
    PortGone,
    PortNotFound,
    VersionMismatch,
    WrongUnit,
)
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
    with pytest.raises(PortNotFound, match=r"free are /dev/ttyACM1: E6611, .*, /dev/ttyACM6: E6616\)") as said:
        discovery.open(Sought(usb_serial="E66100"), Hall({}).open)
    assert "ttyACM0" not in str(said.value)
    with pytest.raises(PortNotFound, match="no other is free"):
        Discovery(list_usb=list).open(Sought(usb_serial="E66100"), Hall({}).open)


def test_a_unit_is_asked_for_at_every_candidate_and_kept_in_mind() -> None:
    hall = Hall({"a": NotATable("a"), "b": VersionMismatch(1, 2), "c": "T-1", "d": "T-2"})
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
    with pytest.raises(
        PortNotFound, match=r"none of the 3 ports asked: 2 are other tables' or in use, 1 did not"
    ) as said:
        discovery.open(Sought(unit="T-2"), hall.open)
    assert "a (no table answers there), b (T-1 answers there), c (in use, T-3 was there)" in str(said.value)


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
        lambda: Sought(port="a", usb_location="1-1", unit="c"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(make: Callable[[], Sought]) -> None:
    with pytest.raises(ValueError, match="give a port"):
        make()


class Bare(NamedTuple):
    """A port of which a system tells the least."""

    device: str
    serial_number: str | None


def listed_port(
    device: str, number: str | None = None, place: str | None = None, what: str = "n/a", vid: int | None = None
) -> ListPortInfo:
    port = ListPortInfo(device)
    port.serial_number, port.location, port.description, port.vid, port.pid = number, place, what, vid, 0xEA60
    return port


def test_adapters_without_a_number_are_usb_ports_and_those_of_the_mainboard_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ports = [
        Bare("/dev/ttyS0", None),
        Bare("/dev/ttyACM0", "E6"),
        Bare("/dev/ttyUSB1", None),
        listed_port("COM1", what="Communications Port (COM1)"),
        listed_port("COM7", "", "1-1.4:x.0", "USB-SERIAL CH340 (COM7)", 0x1A86),
        listed_port("/dev/cu.usbserial-10", None, "20-1.4"),
    ]
    monkeypatch.setattr("wallwright.link.discovery.list_ports.comports", lambda: ports)
    assert list_usb_ports() == (
        UsbPort("/dev/ttyACM0", "E6"),
        UsbPort("/dev/ttyUSB1"),
        UsbPort("COM7", "", "1-1.4:x.0", "USB-SERIAL CH340 (COM7)", 0x1A86, 0xEA60),
        UsbPort("/dev/cu.usbserial-10", "", "20-1.4", "", None, 0xEA60),
    )
    with pytest.raises(PortNotFound) as said:
        Discovery().open(Sought(usb_serial="E7"), Hall({}).open)
    assert (
        "/dev/ttyUSB1: no serial number, COM7: no serial number (at 1-1.4:x.0, USB-SERIAL CH340 (COM7), 1a86:ea60)"
        in (str(said.value))
    )


ALIKE = (
    UsbPort("/dev/ttyUSB0", "0001", "1-1.1:1.0", "CP2102", 0x10C4, 0xEA60),
    UsbPort("/dev/ttyUSB1", "0001", "1-1.2:1.0", "CP2102", 0x10C4, 0xEA60),
    UsbPort("/dev/ttyUSB2", "0001", "1-1.3:1.0", "CP2102", 0x10C4, 0xEA60),
)


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_of_adapters_with_one_number_the_one_with_the_unit_is_taken(order: tuple[int, ...]) -> None:
    hall = Hall({"/dev/ttyUSB0": "T-1", "/dev/ttyUSB1": "T-2", "/dev/ttyUSB2": NotATable("/dev/ttyUSB2")})
    discovery = Discovery(list_usb=lambda: [ALIKE[at] for at in order])
    for unit, port in (("T-2", "/dev/ttyUSB1"), ("T-1", "/dev/ttyUSB0")):
        assert discovery.open(Sought(usb_serial="0001", unit=unit), hall.open)[0] == port
    assert [table.info.unit for _, table in hall.opened if table.is_open] == ["T-2", "T-1"]
    with pytest.raises(PortNotFound, match="unit T-3 does not answer at the 3 ports that it may be") as said:
        discovery.open(Sought(usb_serial="0001", unit="T-3"), hall.open)
    for told in (
        "/dev/ttyUSB0: 0001 (at 1-1.1:1.0, CP2102, 10c4:ea60, in use, T-1 was there)",
        "/dev/ttyUSB1: 0001 (at 1-1.2:1.0, CP2102, 10c4:ea60, in use, T-2 was there)",
        "/dev/ttyUSB2: 0001 (at 1-1.3:1.0, CP2102, 10c4:ea60, no table answers there)",
    ):
        assert told in str(said.value)


def test_of_several_tables_none_is_taken_by_a_number_that_all_have() -> None:
    hall = Hall({"/dev/ttyUSB0": "T-1", "/dev/ttyUSB1": "T-2", "/dev/ttyUSB2": PortDenied("/dev/ttyUSB2", "no")})
    discovery = Discovery(list_usb=lambda: ALIKE)
    with pytest.raises(BadPort, match=r"tables answer at 2 ports that have it: .*\(usb_location\)") as said:
        discovery.open(Sought(usb_serial="0001"), hall.open)
    for told in ("10c4:ea60, T-1 answers there)", "10c4:ea60, T-2 answers there)", "10c4:ea60, you may not open it)"):
        assert told in str(said.value)
    assert not any(table.is_open for _, table in hall.opened)
    # A place tells them apart, and nobody holds a port.
    for place in ("1-1.2", "1-1.2:1.0"):
        port, table = discovery.open(Sought(usb_location=place), hall.open)
        assert (port, table.info.unit) == ("/dev/ttyUSB1", "T-2")
        discovery.release(port)
    assert discovery.open(Sought(usb_serial="0001", usb_location="1-1.1"), hall.open)[0] == "/dev/ttyUSB0"
    with pytest.raises(PortNotFound, match=r"USB serial number 0001 at USB place 1-1: no port has it .free are"):
        discovery.open(Sought(usb_serial="0001", usb_location="1-1"), hall.open)


def test_the_only_table_behind_adapters_with_one_number_is_taken() -> None:
    hall = Hall({"/dev/ttyUSB0": NotATable("x"), "/dev/ttyUSB1": "T-2", "/dev/ttyUSB2": PortBusy("x", "busy")})
    assert Discovery(list_usb=lambda: ALIKE).open(Sought(usb_serial="0001"), hall.open)[0] == "/dev/ttyUSB1"
    hall.units["/dev/ttyUSB1"] = VersionMismatch(1, 2)
    with pytest.raises(
        PortNotFound, match=r"no table answers at the 3 .* in use\).*another release|another release.*in use"
    ):
        Discovery(list_usb=lambda: ALIKE).open(Sought(usb_serial="0001"), hall.open)


def test_a_known_unit_is_asked_for_behind_adapters_without_numbers_too() -> None:
    usb = (UsbPort("COM3", "", "1-1.1:x.0"), UsbPort("COM4", "", "1-1.2:x.0"), UsbPort("COM5", "E6"))
    hall = Hall({"COM3": "T-1", "COM4": "T-2", "COM5": "T-3"})
    discovery = Discovery(list_usb=lambda: usb)
    assert discovery.open(Sought(usb_serial="0001", unit="T-2"), hall.open)[0] == "COM4"
    assert "COM5" not in hall.tried, "it has told its number, and that is another one"
    with pytest.raises(PortNotFound, match=r"COM3: no serial number \(at 1-1.1:x.0, T-1 answers there\)"):
        discovery.open(Sought(usb_serial="0001", unit="T-9"), hall.open)


def test_what_ends_a_search_leaves_no_port_taken() -> None:
    class Stopped(Exception):
        pass

    hall = Hall({"/dev/ttyUSB0": "T-1", "/dev/ttyUSB1": Stopped()})
    discovery = Discovery(list_usb=lambda: ALIKE)
    with pytest.raises(Stopped):
        discovery.open(Sought(usb_serial="0001"), hall.open)
    assert not any(table.is_open for _, table in hall.opened)
    assert discovery.open(Sought(port="/dev/ttyUSB0"), hall.open)[1].is_open
