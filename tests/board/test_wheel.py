"""The wheel as it is installed, away from the checkout: it brings its images along, and flashes them.

What it needs comes from the tests' own environment, which is installed from the same locked list (`lock/run.txt`).
"""

import os
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.board.boards import of_another_release
from wallwright.board.image import read_image
from wallwright_simulator.chip.image import IMAGE
from wallwright_simulator.loader import LoaderFolder
from wallwright_simulator.serve import Server, TcpWire
from wallwright_simulator.simulation import Simulation

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60


class Installed:
    """A virtual environment with the wheel in it; its programs run in a folder of their own."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder / "elsewhere"
        self.folder.mkdir()
        home = folder / "venv"
        venv.create(home, with_pip=False)
        self.bin = home / "bin"
        (self.packages,) = home.glob("lib/python3*/site-packages")
        needed = [path for path in sys.path if Path(path).name == "site-packages"]
        (self.packages / "needed.pth").write_text("\n".join(needed) + "\n")
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "install", "--no-deps", "--no-index"]
        subprocess.run([*pip, "--ignore-installed", "--quiet", str(wheel)], check=True, cwd=self.folder)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command as somebody does who has just installed it."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        program = self.bin / words[0]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [program, *words[1:]], cwd=self.folder, env=environment, text=True, stdout=pipe, stderr=subprocess.STDOUT
        )

    def run(self, *words: str) -> tuple[int, str]:
        """Run one to its end; return its exit code and what it has printed, in one line."""
        running = self.start(*words)
        told, _ = running.communicate(timeout=PATIENCE_S)
        return running.returncode, " ".join(told.split())


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    return Installed(folder, wheel)


@pytest.fixture
def served() -> Iterator[str]:
    """The port of a simulated table in real time."""
    wire = TcpWire(0, say=lambda _: None)
    server = Server(Simulation(1), wire, 1.0, None, lambda _: None)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield wire.name
    server.press("q")
    thread.join()
    wire.close()


def test_nothing_of_it_comes_from_the_checkout(installed: Installed) -> None:
    modules = "wallwright wallwright_protocol wallwright_firmware wallwright_simulator"
    code = f"import {modules.replace(' ', ', ')}\nfor m in ({modules.replace(' ', ', ')}): print(m.__file__)"
    _, told = installed.run("python", "-c", code)
    assert len(told.split()) == 4
    assert all(Path(path).is_relative_to(installed.packages) for path in told.split()), told


def test_it_flashes_the_image_that_it_has_brought_along(installed: Installed) -> None:
    disk = LoaderFolder(installed.folder / "RPI-RP2")
    disk.appear()
    running = installed.start("wallwright", "board", "flash", "--folder", "RPI-RP2")
    until = time.monotonic() + PATIENCE_S
    while not disk.look() and running.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    told, _ = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0, told
    assert str(installed.packages / "wallwright/board/images" / IMAGE) in told
    assert not disk.is_torn
    assert disk.image().decode() == read_image(ROOT / "build" / IMAGE).inputs[:16]


def test_a_board_of_another_release_is_operated_and_told_how_it_is_updated(
    installed: Installed, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_another_release(monkeypatch)
    assert installed.run("wallwright", "status", "--port", served)[0] == 0
    code, told = installed.run("wallwright", "board", "info", "--port", served)
    assert code == 1
    assert f"wallwright board update --port {served}" in told
