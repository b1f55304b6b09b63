"""A release by the steps of `make release`, in a copy of the checkout: an installed wheel of it updates a table."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.board.test_wheel import ROOT, Installed
from tests.host.cli.test_simulate import Served
from wallwright.board.image import read_image
from wallwright.board.keys import make_key, private_path
from wallwright_simulator.chip.image import IMAGE

PARTS = ("protocol", "firmware", "simulator", "host", "tools", "pyproject.toml", "README.md", "LICENSE")
NEW, OLD = "wallwright-2026", "wallwright-2025"


class Copy:
    """A copy of the checkout with the images that are built."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / part, folder / part)
        (folder / "build").mkdir()
        for image in (ROOT / "build").glob("wallwright-*.uf2"):
            shutil.copy(image, folder / "build")

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a module there."""
        return subprocess.run(
            [sys.executable, "-m", *words],
            cwd=self.folder,
            env=os.environ | more,
            capture_output=True,
            text=True,
            check=False,
        )

    def wheel(self, **more: str) -> Path:
        """Build the wheel."""
        done = self.run("build", "--wheel", "--no-isolation", **more)
        assert done.returncode == 0, done.stderr
        (wheel,) = (self.folder / "dist").glob("*.whl")
        return wheel


@pytest.fixture(autouse=True)
def _nobody_has_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path / "copy")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served("--tcp", "0", "--seed", "6", "--loader", str(tmp_path / "RPI-RP2"))
    yield made
    made.process.kill()
    made.process.communicate()


def test_a_wheel_that_is_released_updates_a_table_with_an_image_by_the_projects_keys(
    copy: Copy, served: Served, tmp_path: Path
) -> None:
    for name in (NEW, OLD):
        make_key(name)
    signed = copy.run("tools.release", "sign", str(private_path(NEW)), str(private_path(OLD)))
    assert signed.returncode == 0, signed.stderr
    wheel = copy.wheel(WALLWRIGHT_PROJECT_KEYS="build/project-keys.txt")
    checked = copy.run("tools.release", "check")
    assert (checked.returncode, checked.stdout.count(f"signed by {NEW}")) == (0, 3), checked.stderr
    installed = Installed(tmp_path, wheel)
    _, keys = installed.run("wallwright", "board", "keys", "list")
    assert keys.count("the project's") == 2

    def agree() -> None:
        served.said(r"panels: UPDATE\?")
        served.press("l2")

    person = threading.Thread(target=agree)
    person.start()
    code, told = installed.run(
        "wallwright", "board", "update", "--port", served.port, "--folder", str(tmp_path / "RPI-RP2")
    )
    assert code == 0, told
    person.join()
    assert f"signed by {NEW}" in told
    assert f"image {read_image(ROOT / 'build' / IMAGE).inputs[:16]}" in told


def test_a_wheel_whose_images_were_signed_by_others_is_no_release(copy: Copy) -> None:
    make_key(OLD)
    signed = copy.run("tools.release", "sign", str(private_path(OLD)))
    assert signed.returncode == 0, signed.stderr
    copy.wheel()
    checked = copy.run("tools.release", "check")
    assert checked.returncode == 1
    assert "keys that you do not trust" in checked.stderr


def test_a_private_key_in_the_checkout_signs_nothing(copy: Copy) -> None:
    make_key(NEW)
    shutil.copy(private_path(NEW), copy.folder / "build")
    signed = copy.run("tools.release", "sign", f"build/{NEW}.pem")
    assert signed.returncode == 1
    assert "keep it elsewhere" in signed.stderr
    assert not list((copy.folder / "build").glob("*.sig"))
