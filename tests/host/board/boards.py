"""Simulated boards whose loader's disk is a folder, image files for them, and time that passes for both."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from wallwright.board.flash import ImageFile, load_image
from wallwright.board.image import Image
from wallwright.board.keys import make_key, private_key, sign_image
from wallwright.board.update import Updated, Ways, update_board
from wallwright.link.binding import OWN
from wallwright_protocol import link
from wallwright_protocol.dictionary import Dictionary
from wallwright_protocol.messages import CATALOG_HASH, EVENT, PROTOCOL_VERSION
from wallwright_simulator.board import SimulatedBoard
from wallwright_simulator.loader import LoaderFolder
from wallwright_simulator.simulation import Simulation, attach

AT = "2026-11-22T14:00:00Z"
INPUTS = "5f2c" * 16
OTHER = "0a1b" * 16
LATER = Dictionary((*OWN.rows, (0xF0, "weighed", EVENT, "<H", ("grams",))), OWN.lists)
"""That of a release that knows one event more."""


def of_another_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let boards that run now have the tables of the later release."""
    monkeypatch.setattr(link, "CATALOG_HASH", LATER.catalog)
    monkeypatch.setattr(SimulatedBoard, "dictionary", LATER.packed())


def image_bytes(
    chip: Literal["rp2040", "rp2350"] = "rp2040",
    version: tuple[int, int, int] = (0, 1, 0),
    catalog: int = CATALOG_HASH,
    inputs: str = INPUTS,
    pages: int = 900,
) -> bytes:
    """A UF2 file whose program is rubbish of some size; its record says what is given."""
    program = bytes(number * 7 % 251 for number in range(256)) * pages
    return Image(
        chip=chip,
        version=version,
        protocol=PROTOCOL_VERSION,
        catalog=catalog,
        micropython="1.25.0",
        inputs=inputs,
        licences="the licences",
        program=program,
    ).file()


def image_file(folder: Path, **facts: Any) -> ImageFile:
    path = folder / "wallwright.uf2"
    path.write_bytes(image_bytes(**facts))
    return load_image(path)


def signed(file: ImageFile, key: str = "club") -> ImageFile:
    make_key(key)
    sign_image(file.path, private_key(key))
    return file


class Bench:
    """A simulated table, its board's disk, and a person at it who presses a lift key when the panels ask UPDATE?."""

    def __init__(self, folder: Path, name: str, seed: int = 7, **options: Any) -> None:
        self.sim = Simulation(seed, **options)
        self.disk = LoaderFolder(folder / "RPI-RP2")
        self.sim.loader = self.disk
        self.port = attach(name, self.sim)
        self.agrees = True
        self.told: list[str] = []
        self.copied: list[int] = []
        self.during_copy: Callable[[int], None] = lambda _: None
        self.usb = {self.sim.unit}
        self.sim.run_until(3000)

    @property
    def ways(self) -> Ways:
        return Ways(self, self.tell, self.progress, lambda: [self.disk.folder], lambda: self.usb)

    def now_ms(self) -> int:
        return self.sim.now_ms

    def wait(self, ms: int) -> None:
        self.sim.run_until(self.sim.now_ms + ms)

    def tell(self, text: str) -> None:
        self.told.append(text)
        if self.agrees and "Press a lift key" in text:
            self.sim.later(self.sim.now_ms + 1500, lambda: self.sim.players.press_lift(2))

    def progress(self, done: int, of: int) -> None:
        self.copied.append(done)
        self.during_copy(done)
        self.wait(20)

    def bootsel(self) -> None:
        """Somebody holds BOOTSEL while the board gets its power."""
        self.sim.enter_loader()

    def update(self, file: ImageFile, *, older: bool = False, folder: Path | None = None) -> Updated:
        return update_board(self.port, lambda _: file, self.ways, at=AT, folder=folder, older=older)
