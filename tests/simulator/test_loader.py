"""The model of the ROM's loader: a disk that takes UF2 blocks of its chip and takes itself away."""

import struct
from pathlib import Path

import pytest

from wallwright_protocol import codes
from wallwright_simulator.loader import INFO, LOOK_MS, LoaderFolder
from wallwright_simulator.simulation import Simulation

FAMILIES = {"rp2040": 0xE48BFF56, "rp2350": 0xE48BFF59}
"""Datasheets of the RP2040, 2.8.4.2, and of the RP2350, 5.5.3."""


def uf2(pages: int, family: int = FAMILIES["rp2040"]) -> bytes:
    blocks = b""
    for number in range(pages):
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, pages, family)
        blocks += head + bytes([number % 251]) * 256 + bytes(220) + struct.pack("<I", 0x0AB16F30)
    return blocks


@pytest.fixture
def disk(tmp_path: Path) -> LoaderFolder:
    made = LoaderFolder(tmp_path / "RPI-RP2")
    made.appear()
    return made


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 511, 512, 1000, 5000])
def test_an_image_is_taken_in_whatever_pieces_it_comes(disk: LoaderFolder, step: int) -> None:
    data = uf2(5)
    done = []
    with (disk.folder / "any-name.bin").open("wb") as file:
        for at in range(0, len(data), step):
            file.write(data[at : at + step])
            file.flush()
            done.append(disk.look())
    assert done == [False] * (len(done) - 1) + [True]
    assert not disk.folder.exists()
    assert disk.flash == {0x10000000 + 256 * number: bytes([number]) * 256 for number in range(5)}
    assert not disk.is_torn


def test_blocks_of_another_chip_are_passed_over(disk: LoaderFolder) -> None:
    (disk.folder / "image.uf2").write_bytes(uf2(3, FAMILIES["rp2350"]))
    assert not disk.look()
    assert disk.folder.exists()
    assert (disk.passed_over, disk.flash, disk.is_torn) == (3, {}, False)


def test_other_files_do_nothing(disk: LoaderFolder) -> None:
    (disk.folder / "notes.txt").write_bytes(b"nothing of interest " * 100)
    assert not disk.look()
    assert "Board-ID: RPI-RP2" in (disk.folder / INFO).read_text()


def test_a_table_that_is_flashed_starts_anew_and_one_whose_image_is_torn_does_not(tmp_path: Path) -> None:
    sim = Simulation(3)
    sim.loader = LoaderFolder(tmp_path / "disk")
    sim.run_until(500)
    sim.enter_loader()
    before = sim.app
    sim.run_until(1000)
    file = sim.loader.folder / "image.uf2"
    file.write_bytes(uf2(4)[: 3 * 512])
    sim.run_until(1000 + 2 * LOOK_MS)
    assert sim.is_in_loader
    sim.cut_power(200)
    assert not sim.loader.folder.exists()
    sim.run_until(5000)
    assert sim.is_in_loader, "half a program does not start"
    assert sim.board.displays == [""] * 4
    sim.enter_loader()
    (sim.loader.folder / "image.uf2").write_bytes(uf2(4))
    sim.run_until(6000)
    assert not sim.is_in_loader
    assert sim.app is not before
    assert sim.board.displays == ["START?"] * 4
    assert sim.board.restart_cause == codes.NO_FAULT
