"""What systemd hears of a hall: that it is ready, that it goes on, and nothing more when a part of it hangs."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.host.fleet.served import config_text
from wallwright.system.heartbeat import Heartbeat

LIMIT_S = 100
SILENCE_S = 2
"""Twice as long as beats are apart, and longer than the hung part of the test's program is given."""
PROGRAM = """
import pathlib, sys, time
from wallwright.system import heartbeat
heartbeat.STALE_S = 0.5
from wallwright.console.hall.desk import Desk
look = Desk._look
def hanging(desk):
    while pathlib.Path(sys.argv[-1]).with_name("hang").exists():
        time.sleep(0.05)
    return look(desk)
Desk._look = hanging
from wallwright.cli import main
main()
"""


class Manager:
    """As systemd listens."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line

    def next(self) -> str | None:
        """Return what is said next; None after silence that would end in a new start."""
        self._line.settimeout(SILENCE_S)
        try:
            return self._line.recv(100).decode()
        except TimeoutError:
            return None

    def until(self, text: str) -> list[str]:
        heard: list[str] = []
        self._line.settimeout(LIMIT_S)
        while not heard or heard[-1] != text:
            heard.append(self._line.recv(100).decode())
        return heard


@pytest.fixture
def manager(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    address = str(tmp_path_factory.mktemp("sd") / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(address)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        yield Manager(line)


@contextmanager
def started(file: Path, *command: str) -> "Iterator[subprocess.Popen[bytes]]":
    file.write_text(config_text("hall.journal", ['name = "A1"\nport = "/dev/there-is-no-such-port"']))
    words = [sys.executable, "-c", *command, "--config", str(file)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_console_whose_thread_hangs_falls_silent(manager: Manager, tmp_path: Path) -> None:
    hang = tmp_path / "hang"
    with started(tmp_path / "hall.toml", PROGRAM, "serve", "--port", "0") as process:
        assert manager.until("WATCHDOG=1")[0] == "READY=1"
        hang.touch()
        while (said := manager.next()) is not None:
            assert said == "WATCHDOG=1"
        assert process.poll() is None
        hang.unlink()
        assert set(manager.until("WATCHDOG=1")) == {"WATCHDOG=1"}
        process.send_signal(signal.SIGTERM)
        assert "READY=1" not in manager.until("STOPPING=1")
        assert process.wait(LIMIT_S) == 0


def test_tables_without_a_console_are_watched_too(manager: Manager, tmp_path: Path) -> None:
    with started(tmp_path / "hall.toml", "from wallwright.cli import main; main()", "run") as process:
        assert manager.until("WATCHDOG=1") == ["READY=1", "WATCHDOG=1"]
        process.send_signal(signal.SIGTERM)
        manager.until("STOPPING=1")
        assert process.wait(LIMIT_S) == 0


def test_a_name_in_the_kernel_alone_is_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind("")
        monkeypatch.setenv("NOTIFY_SOCKET", "@" + line.getsockname()[1:].decode())
        is_well = True
        heart = Heartbeat(lambda: is_well)
        heart.beat()
        is_well = False
        heart.beat()
        heart.end()
        line.settimeout(LIMIT_S)
        assert [line.recv(100), line.recv(100)] == [b"READY=1", b"STOPPING=1"]


def test_without_systemd_nobody_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    Heartbeat().beat()
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody-listens"))
    Heartbeat().beat()
