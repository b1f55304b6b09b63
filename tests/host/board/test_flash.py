"""`board flash`: an image onto the one board that is in its loader, and what comes back."""

import os
import threading
from pathlib import Path

import pytest

from tests.host.board.boards import INPUTS, OTHER, Bench, image_file
from wallwright.board import loader
from wallwright.board.errors import AnotherFirmware, NoLoader, NotBack, NotCopied, SeveralLoaders
from wallwright.board.flash import ImageFile, flash_board
from wallwright.board.link import BoardInfo
from wallwright.errors import BadImage
from wallwright_protocol.messages import CATALOG_HASH
from wallwright_simulator.loader import LoaderFolder


def flash(bench: Bench, file: ImageFile, folder: Path | None = None, port: str | None = "") -> BoardInfo | None:
    return flash_board(
        file,
        folder=folder,
        port=bench.port if port == "" else port,
        waiting=bench,
        progress=bench.progress,
        places=lambda: [bench.disk.folder.parent, bench.disk.folder],
    )


def test_a_board_in_its_loader_gets_the_image_and_comes_back(bench: Bench, tmp_path: Path) -> None:
    bench.bootsel()
    file = image_file(tmp_path)
    found = flash(bench, file)
    assert found is not None
    assert (found.unit, found.firmware, found.catalog, found.image) == ("SIM-7", (0, 1, 0), CATALOG_HASH, INPUTS[:16])
    assert found.is_of_this_release
    written = b"".join(bench.disk.flash[address] for address in sorted(bench.disk.flash))
    assert written == file.image.flash().ljust(len(written), b"\xff")
    assert bench.copied[-1] == len(file.data)
    assert not bench.disk.folder.exists()


def test_without_a_host_port_the_image_is_copied_and_nothing_is_asked(bench: Bench, tmp_path: Path) -> None:
    bench.bootsel()
    assert flash(bench, image_file(tmp_path), port=None) is None
    assert bench.disk.image() == INPUTS[:16].encode()


def test_no_board_in_its_loader_is_told_how_to_get_there(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(NoLoader) as caught:
        flash(bench, image_file(tmp_path))
    assert "BOOTSEL" in str(caught.value)
    assert "<---" in str(caught.value), "there is a drawing"
    with pytest.raises(NoLoader, match=r"has no INFO_UF2\.TXT"):
        flash(bench, image_file(tmp_path), folder=tmp_path)


def test_a_disk_that_nobody_has_mounted_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "unmounted", lambda: "/dev/disk/by-label/RPI-RP2")
    with pytest.raises(NoLoader, match="udisksctl mount -b /dev/disk/by-label/RPI-RP2"):
        loader.only_disk(None, list)


def test_two_boards_in_their_loaders_are_not_told_apart_until_one_is_named(bench: Bench, tmp_path: Path) -> None:
    bench.bootsel()
    other = LoaderFolder(tmp_path / "other")
    other.appear()
    file = image_file(tmp_path)
    with pytest.raises(SeveralLoaders, match="2 boards"):
        flash_board(
            file,
            folder=None,
            port=bench.port,
            waiting=bench,
            progress=bench.progress,
            places=lambda: [bench.disk.folder, other.folder],
        )
    assert not bench.disk.flash
    assert flash(bench, file, folder=bench.disk.folder) is not None
    assert other.folder.exists()


def test_an_image_of_the_other_chip_is_not_copied(bench: Bench, tmp_path: Path) -> None:
    bench.bootsel()
    with pytest.raises(BadImage, match="is for the rp2350"):
        flash(bench, image_file(tmp_path, chip="rp2350"))
    assert not bench.disk.flash
    assert bench.disk.folder.exists()


def test_a_board_pulled_out_in_the_middle_is_told_how_to_go_on(bench: Bench, tmp_path: Path) -> None:
    bench.bootsel()
    file = image_file(tmp_path)
    half = len(file.data) // 2

    def pull(done: int) -> None:
        bench.wait(40)
        if done >= half and bench.disk.folder.exists():
            bench.sim.cut_power(500)

    bench.during_copy = pull
    with pytest.raises(NotBack) as caught:
        flash(bench, file)
    assert bench.disk.is_torn
    assert "loader cannot be lost: hold BOOTSEL" in str(caught.value)
    bench.during_copy = lambda _: None
    bench.bootsel()
    assert flash(bench, file) is not None, "and so it goes on"


def test_a_full_disk_is_told_and_the_board_waits_in_its_loader(bench: Bench, tmp_path: Path) -> None:
    bench.bootsel()
    (bench.disk.folder / "wallwright.uf2").symlink_to("/dev/full")
    with pytest.raises(NotCopied, match="No space left"):
        flash(bench, image_file(tmp_path))
    assert bench.sim.is_in_loader


def test_an_error_at_the_end_says_nothing_when_the_board_comes_back(bench: Bench, tmp_path: Path) -> None:
    """The disk is a pipe here that ends with the last block: nothing can be synced on it, and its end is an error."""
    bench.bootsel()
    file = image_file(tmp_path)
    pipe = bench.disk.folder / "wallwright.uf2"
    os.mkfifo(pipe)
    got = bytearray()

    def take() -> None:
        with pipe.open("rb") as end:
            got.extend(end.read(len(file.data)))
            for number in range(len(got) // 512):
                bench.disk._block(bytes(got[number * 512 : number * 512 + 512]))
            bench.disk.vanish()

    taker = threading.Thread(target=take)
    taker.start()

    def start_anew(done: int) -> None:
        if done == len(file.data):
            taker.join()
            bench.sim.board.image = bench.disk.image()
            bench.sim.cut_power(200)

    # The pipe is read by the thread alone: the board itself looks at no file of this disk.
    bench.sim.loader = None
    bench.sim.enter_loader()
    bench.during_copy = start_anew
    found = flash(bench, file)
    assert found is not None
    assert found.image == INPUTS[:16]
    assert bytes(got) == file.data


def test_a_pipe_that_breaks_in_the_middle_is_an_error_while_the_disk_is_there(bench: Bench, tmp_path: Path) -> None:
    bench.bootsel()
    pipe = bench.disk.folder / "wallwright.uf2"
    os.mkfifo(pipe)

    def take() -> None:
        with pipe.open("rb") as end:
            end.read(5000)

    taker = threading.Thread(target=take)
    taker.start()
    bench.during_copy = lambda done: taker.join()
    with pytest.raises(NotCopied, match="Broken pipe"):
        flash(bench, image_file(tmp_path))


def test_a_loader_that_passes_the_blocks_over_is_not_waited_for_for_ever(bench: Bench, tmp_path: Path) -> None:
    bench.disk.chip = "rp2350"  # which says on its disk that it is an RP2040
    bench.bootsel()
    (bench.disk.folder / "INFO_UF2.TXT").write_text("Model: x\r\nBoard-ID: RPI-RP2\r\n")
    with pytest.raises(NotCopied, match="did not take the image within 20 s"):
        flash(bench, image_file(tmp_path))
    assert bench.disk.passed_over > 100


def test_a_board_that_never_comes_back_is_given_up_after_a_minute(bench: Bench, tmp_path: Path) -> None:
    bench.bootsel()
    bench.sim.silence(True)
    before = bench.sim.now_ms
    with pytest.raises(NotBack, match="within 60 s") as caught:
        flash(bench, image_file(tmp_path))
    assert 60_000 <= bench.sim.now_ms - before < 90_000
    assert f"wallwright board info --port {bench.port}" in str(caught.value)


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ({"version": (9, 9, 9)}, "says that it has firmware 0.1.0, the image is 9.9.9"),
        ({"catalog": CATALOG_HASH ^ 1}, f"catalog {CATALOG_HASH:08x}"),
    ],
)
def test_a_board_that_comes_back_as_another_one_is_named(bench: Bench, tmp_path: Path, facts, named: str) -> None:
    bench.bootsel()
    with pytest.raises(AnotherFirmware) as caught:
        flash(bench, image_file(tmp_path, **facts))
    assert named in str(caught.value)


def test_another_table_at_the_port_is_not_taken_for_the_board(bench: Bench, tmp_path: Path) -> None:
    other = Bench(tmp_path / "other", "board-at-the-port")
    other.sim.board.image = OTHER[:16].encode()
    bench.bootsel()
    with pytest.raises(AnotherFirmware, match="Is that port the one"):
        flash(bench, image_file(tmp_path), port=other.port)


def test_where_disks_are_mounted_is_read_as_linux_writes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "proc /proc proc rw 0 0\n/dev/sdb1 /media/a\\040b/RPI-RP2 vfat rw 0 0\n/dev/sda1 / ext4 rw 0 0\nbroken\n"
    )
    real = Path.read_text
    monkeypatch.setattr(
        Path,
        "read_text",
        lambda self, *args, **more: real(mounts if str(self) == "/proc/self/mounts" else self, *args, **more),
    )
    assert list(loader.mounted_folders()) == [Path("/media/a b/RPI-RP2")]
