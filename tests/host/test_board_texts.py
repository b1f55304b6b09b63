"""Texts of a board: its name and its USB serial number. Whatever bytes they have, nothing acts on a terminal."""

from itertools import count
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serial.tools import list_ports

from tests.host.line import Board, Line
from wallwright import cli
from wallwright.errors import BadMessage, PortNotFound, WrongUnit
from wallwright.link.connection import Connection
from wallwright.link.discovery import Discovery, Sought, list_usb_ports
from wallwright.link.frames import describe
from wallwright.link.reports import harmless, read_info, unit_name
from wallwright.table.table import Table
from wallwright_protocol import link
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.frame import encode
from wallwright_simulator.simulation import Simulation, attach

INFO = REPLIES[NUMBER_OF["get_info"]]
HOSTILE = (
    b"\x1b]0;owned\x07\x1b[2J",
    b"\x9b31mred",
    b"a\r\nok\x08\x08",
    b"\xe2\x80\xaegnirts",
    b"back\\slash",
    b"\x7f\x00x",
)
_names = count()


def named(unit: bytes) -> bytes:
    return INFO.pack(unit, 0, 1, 0, 108, 2)


@given(st.binary(min_size=1, max_size=16))
def test_a_name_is_printable_ascii_whatever_its_bytes(unit: bytes) -> None:
    shown = unit_name(unit)
    assert shown.isascii()
    assert shown.isprintable()
    assert shown == unit.rstrip(b"\0").decode("latin-1") or "\\" in shown


@given(st.text(max_size=40))
def test_two_texts_are_never_shown_as_one(text: str) -> None:
    shown = harmless(text)
    assert shown.isascii()
    assert not any(letter < " " or letter == "\x7f" for letter in shown)
    assert shown.encode().decode("unicode_escape") == text


@pytest.mark.parametrize("unit", HOSTILE)
def test_no_command_and_no_trace_prints_a_board_s_name_as_it_is(
    unit: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    simulation = Simulation(7)
    simulation.app.unit = unit  # type: ignore[attr-defined]
    for command in ("status", "status --json"):
        port = attach(f"named-{next(_names)}", simulation)
        monkeypatch.setattr("sys.argv", ["wallwright", *command.split(), "--port", port, "--trace"])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        assert caught.value.code in (0, None)
        printed = capsys.readouterr().out
        assert printed.isascii()
        assert not any(letter < " " and letter != "\n" for letter in printed)
        assert "\x7f" not in printed
    head = bytes([link.REPLY]) + bytes(10) + bytes([NUMBER_OF["get_info"], 0])
    assert describe(encode(head + named(unit))[:-1]).isprintable()


@pytest.mark.parametrize("unit", HOSTILE)
def test_no_error_has_a_board_s_name_as_it_is(unit: bytes) -> None:
    line = Line(Board())
    execute = line.board.execute
    line.board.responder._execute = lambda message, payload: (
        (0, named(unit)) if message == NUMBER_OF["get_info"] else execute(message, payload)
    )
    with pytest.raises(WrongUnit) as caught:
        Discovery().open(Sought(port="somewhere", unit="T-1"), lambda _: Table(Connection(line)))
    assert str(caught.value).isprintable()
    assert str(caught.value).isascii()


def test_a_board_without_a_name_is_told_of() -> None:
    with pytest.raises(BadMessage, match="it names no unit"):
        read_info(named(b""))


def test_a_serial_number_of_usb_comes_in_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [SimpleNamespace(device="/dev/ttyACM0", serial_number="\x1b[2JE66\u202e1")]
    monkeypatch.setattr(list_ports, "comports", lambda: found)
    assert [port.serial_number for port in list_usb_ports()] == ["\\x1b[2JE66\\u202e1"]
    with pytest.raises(PortNotFound) as caught:
        Discovery().open(Sought(usb_serial="OTHER"), lambda _: Table(Connection(Line(Board()))))
    assert str(caught.value).isprintable()
    assert str(caught.value).isascii()
