"""The image through the loader's folder onto a chip whose flash is blank, and the board that comes back from that."""

from pathlib import Path

import pytest

from wallwright.board.flash import ImageFile, has_image, load_image, put_image, wait_for_board
from wallwright.board.loader import only_disk
from wallwright.board.uf2 import write_uf2
from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.chip.image import find_image
from wallwright_simulator.loader import LoaderFolder
from wallwright_simulator.simulation import attach

STARTED_MS = 1500


class Loading:
    """The time of a chip in its loader: its disk is looked at while somebody waits; `flashed` once it has an image."""

    def __init__(self, disk: LoaderFolder) -> None:
        self.disk = disk
        self.now = 0
        self.flashed = False

    def now_ms(self) -> int:
        return self.now

    def wait(self, ms: int) -> None:
        self.now += ms
        self.flashed = self.flashed or self.disk.look()


@pytest.fixture
def disk(tmp_path: Path) -> LoaderFolder:
    made = LoaderFolder(tmp_path / "RPI-RP2")
    made.appear()
    return made


@pytest.fixture
def file() -> ImageFile:
    return load_image(find_image())


def test_a_blank_chip_is_flashed_through_the_loader_s_folder_and_answers(
    chip, disk: LoaderFolder, file: ImageFile, tmp_path: Path
) -> None:
    waiting = Loading(disk)
    put_image(file, only_disk(disk.folder), waiting, lambda *_: None)
    assert waiting.flashed
    assert not disk.folder.exists()
    # The emulator takes its flash as a file; this one has the pages that the loader has written, and no others.
    flash = tmp_path / "flash.uf2"
    flash.write_bytes(write_uf2(b"".join(page for _, page in sorted(disk.flash.items())), "rp2040"))
    simulation: ChipSimulation = chip(1, image=flash)
    simulation.run_until(STARTED_MS)
    with wait_for_board(attach("flashed", simulation), file, Loading(disk)) as board:
        assert (board.info.chip, board.info.firmware) == ("rp2040", file.image.version)
        assert board.info.unit == "E66038B7134A9C2F"
        assert has_image(board.info, file)
        assert board.info.is_of_this_release
