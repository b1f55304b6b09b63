"""An image onto a board that is in its loader, and what comes back at its host port; nothing here talks to a person."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadBoard, BadImage, LinkError, WrongUnit
from .errors import AnotherFirmware, NotBack
from .image import Image, bytes_of, image_of
from .link import BoardInfo, BoardLink, open_board, version_text
from .loader import LoaderDisk, Waiting, copy_image, mounted_folders, only_disk

BACK_MS = 60_000
"""A board answers a second after it has started; a USB bridge that is plugged in with it needs some more."""
AGAIN_MS = 500
ID_DIGITS = 16
"""A board names its image by so many digits of the hash of what it was built from."""

Progress = Callable[[int, int], None]
Places = Callable[[], Iterable[Path]]


@dataclass(frozen=True)
class ImageFile:
    """An image as its file has it, byte by byte, for that is what is signed and copied."""

    path: Path
    data: bytes
    image: Image

    @property
    def identity(self) -> str:
        """What a board with this image says of it."""
        return self.image.inputs[:ID_DIGITS]


def load_image(path: Path) -> ImageFile:
    """Read an image. Raises BadImage."""
    data = bytes_of(path)
    return ImageFile(path, data, image_of(path, data))


def check_chip(file: ImageFile, chip: str, where: str) -> None:
    """Raise BadImage for an image of another chip."""
    if file.image.chip != chip:
        raise BadImage(
            f"{file.path} is for the {file.image.chip}, and {where} is an {chip}; take the image for that one"
        )


def put_image(file: ImageFile, disk: LoaderDisk, waiting: Waiting, progress: Progress) -> None:
    """Copy the image to a loader's disk. Raises BadImage for another chip's, NotCopied."""
    check_chip(file, disk.chip, f"the board at {disk.folder}")
    copy_image(disk, file.path.name, file.data, waiting, progress)


def flash_board(
    file: ImageFile,
    *,
    folder: Path | None,
    port: str | None,
    waiting: Waiting,
    progress: Progress,
    places: Places = mounted_folders,
) -> BoardInfo | None:
    """Flash the one board that is in its loader; return what it says of itself then, None without a host port.

    Raises NoLoader, SeveralLoaders, BadImage for another chip's, NotCopied, NotBack, AnotherFirmware.
    """
    put_image(file, only_disk(folder, places), waiting, progress)
    if port is None:
        return None
    with wait_for_board(port, file, waiting) as board:
        return board.info


def wait_for_board(port: str, file: ImageFile, waiting: Waiting, unit: str | None = None) -> BoardLink:
    """Return the board that has come back with the image; the caller closes it.

    Raises NotBack when none answers in time, AnotherFirmware or WrongUnit when it is not the one that should.
    """
    until = waiting.now_ms() + BACK_MS
    while True:
        try:
            board = open_board(port)
        except BadBoard:
            raise
        except LinkError as error:
            if waiting.now_ms() >= until:
                raise NotBack(port, BACK_MS // 1000, str(error)) from error
            waiting.wait(AGAIN_MS)
        else:
            break
    try:
        if unit not in (None, board.info.unit):
            raise WrongUnit(port, unit or "", board.info.unit)
        _compare(board.info, file, port)
    except BaseException:
        board.close()
        raise
    return board


def has_image(info: BoardInfo, file: ImageFile) -> bool:
    """Say whether the board was flashed with this very image."""
    return info.image == file.identity


def _compare(info: BoardInfo, file: ImageFile, port: str) -> None:
    image = file.image
    if (info.protocol, info.catalog) != (image.protocol, image.catalog):
        raise AnotherFirmware(
            port,
            f"unit {info.unit} has protocol {info.protocol} and catalog {info.catalog:08x}, "
            f"the image {image.protocol} and {image.catalog:08x}",
        )
    if info.firmware != image.version:
        said, wanted = version_text(info.firmware), version_text(image.version)
        raise AnotherFirmware(port, f"unit {info.unit} says that it has firmware {said}, the image is {wanted}")
    if not has_image(info, file):
        said = info.image or "none"
        raise AnotherFirmware(port, f"unit {info.unit} names its image {said}, and {file.identity} was copied")
