"""Who does not say where the table is reads what there is at USB: ports with what they tell, and boards in loaders."""

import sys
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from wallwright.board import loader
from wallwright.cli import ports_here
from wallwright.cli.program import run


def said(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *command: str) -> str:
    monkeypatch.setattr(sys, "argv", ["wallwright", *command])
    with pytest.raises(SystemExit) as end:
        run()
    assert end.value.code == 2
    return capfd.readouterr().err


@pytest.mark.parametrize(
    "command", [("status",), ("build",), ("doctor", "test"), ("board", "info"), ("table", "setup"), ("table", "sides")]
)
def test_a_command_without_a_port_lists_what_there_is(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    first, second = ListPortInfo("COM3"), ListPortInfo("COM4")
    first.serial_number, first.location, first.vid, first.pid = "0001", "1-1.4:x.0", 0x10C4, 0xEA60
    second.vid, second.pid, second.description = 0x1A86, 0x7523, "USB-SERIAL CH340"
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [first, second])
    (tmp_path / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")
    monkeypatch.setattr(ports_here, "find_disks", lambda: loader.find_disks(tmp_path))
    first_line, *lines = said(monkeypatch, capfd, *command).splitlines()
    assert first_line.startswith("error: Missing option '--port' (see ")
    assert first_line.endswith(f"{' '.join(command)} --help); at USB there are")
    assert lines == [
        "  COM3: 0001 (at 1-1.4:x.0, 10c4:ea60)",
        "  COM4: no serial number (USB-SERIAL CH340, 1a86:7523)",
        f"  {tmp_path}: no port, but a board (rp2040) in its loader; `wallwright board flash` puts firmware on it",
    ]


def test_nothing_at_usb_is_said_too(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    monkeypatch.setattr(ports_here, "find_disks", list)
    assert said(monkeypatch, capfd, "status").endswith(" status --help); nothing is at USB here\n")


def test_a_port_that_may_not_be_opened_is_listed_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    port = ListPortInfo(str(tmp_path))
    port.serial_number = "0001"
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [port])
    monkeypatch.setattr(ports_here, "find_disks", list)
    monkeypatch.setattr("os.access", lambda path, _: path != str(tmp_path))
    assert f"{tmp_path}: 0001 (you may not open it)" in said(monkeypatch, capfd, "status")
