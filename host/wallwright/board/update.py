"""Another firmware for a board that is in use: over the link into its loader, then a copy, then what it had kept.

In this order, so that whatever fails leaves a table that goes on or says how: everything that can be checked is checked
while the old firmware runs; what the board keeps is saved to a file, and what it has to tell that no journal has to
another; a person at the table says yes; only then the board leaves for its loader. From there a whole image is the only
way on, and the loader itself cannot be lost.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

from ..errors import LinkError, Refused
from ..journal.keys import key_path
from ..link.reports import Event, event_record
from ..system.disk import write_named_new
from ..system.file_names import safe_name
from ..system.private import make_folder
from .backup import Backup, restore_board, save_board, write_backup
from .errors import BY_HAND, BoardError, CannotUpdate, OlderImage
from .flash import ImageFile, Places, Progress, check_chip, has_image, put_image, wait_for_board
from .keys import signer
from .link import BoardInfo, BoardLink, open_board, version_text
from .loader import Waiting, find_disks, mounted_folders, wait_for_disk

CONSENT_MS = 60_000
ASK_MS = 1000
LOADER_MS = 30_000
"""A loader's disk is there two seconds after the board has left; a desktop may take its time to mount it."""
FOLDER = "board-backups"


@dataclass(frozen=True)
class Ways:
    """Where an update finds what it needs: time, mounted disks, USB serial numbers, and whom it tells what happens."""

    waiting: Waiting
    tell: Callable[[str], None]
    progress: Progress
    places: Places = mounted_folders
    usb_numbers: Callable[[], set[str]] = lambda: {str(port.serial_number or "") for port in list_ports.comports()}


@dataclass(frozen=True, slots=True)
class Updated:
    """A board before and after; `backup` is the file of what it had kept, None when it had the image already."""

    before: BoardInfo
    after: BoardInfo
    backup: Path | None


def update_board(
    port: str, choose: Callable[[str], ImageFile], ways: Ways, *, at: str, folder: Path | None, older: bool
) -> Updated:
    """Update the board at `port` with the image that `choose` gives for its chip; `at` is the time for the backup.

    Raises before anything is changed: BadImage, Unsigned, BadSignature, OlderImage, CannotUpdate, Refused (not at
    rest). After that what `put_image` and `wait_for_board` do; each says what is on the board then.
    """
    with open_board(port) as board:
        before = board.info
        if not before.chip:
            raise CannotUpdate(port, f"its firmware does not know how to leave for its loader: {BY_HAND}")
        file = choose(before.chip)
        check_chip(file, before.chip, f"unit {before.unit}")
        if has_image(before, file):
            ways.tell(f"{before.unit} has this image already")
            return Updated(before, before, None)
        key = signer(file.path, file.data)
        if file.image.version < before.firmware and not older:
            raise OlderImage(version_text(file.image.version), version_text(before.firmware))
        _check_way(before, port, folder, ways)
        with board.in_service():
            saved = save_board(board, at)
            path = _keep(saved)
            ways.tell(f"{before.unit}: what it keeps is saved in {path}")
            _keep_events(board.events(), path, ways)
            ways.tell(f"The image is signed by {key.name}. Press a lift key at the table: its panels ask UPDATE?")
            _wait_for_consent(board, lambda: _refuse_others(port, folder, ways))
    disk = wait_for_disk(ways.waiting, LOADER_MS, folder, ways.places)
    if disk is None:
        raise BoardError(
            f"{port}: the board has left for its loader, whose disk did not appear here in {LOADER_MS // 1000} s. "
            "Its old firmware is whole: switch the table off and on, and it goes on as before. Is its own USB plugged "
            "into this machine, and does the machine mount disks by itself?"
        )
    put_image(file, disk, ways.waiting, ways.progress)
    with wait_for_board(port, file, ways.waiting, before.unit) as board:
        _bring_back(board, saved, path, ways)
        return Updated(before, board.info, path)


def _check_way(info: BoardInfo, port: str, folder: Path | None, ways: Ways) -> None:
    """Make sure that this board's loader will be found here, and no other's taken for it."""
    _refuse_others(port, folder, ways)
    if folder is None and info.unit.lower() not in {number.lower() for number in ways.usb_numbers()}:
        raise CannotUpdate(
            port,
            f"the own USB of {info.unit} is not plugged into this machine, where its loader would appear; plug it in "
            "beside the host's cable, or name with --folder where the loader's disk will be",
        )


def _refuse_others(port: str, folder: Path | None, ways: Ways) -> None:
    if others := find_disks(folder, ways.places):
        where = ", ".join(str(disk.folder) for disk in others)
        raise CannotUpdate(port, f"another board is in its loader already ({where}); flash or unplug that one first")


def _wait_for_consent(board: BoardLink, check: Callable[[], None]) -> None:
    """Ask until somebody at the table says yes; `check` raises what has come in the way meanwhile."""
    until = board.now_ms() + CONSENT_MS
    check()
    while not board.leave_for_loader():
        if board.now_ms() >= until:
            raise CannotUpdate(board.port, f"nobody pressed a lift key at the table within {CONSENT_MS // 1000} s")
        board.wait(ASK_MS)
        check()


def _keep(saved: Backup) -> Path:
    folder = key_path().parent / FOLDER
    make_folder(folder)
    path = folder / f"{safe_name(saved.unit, 'board')}-{saved.at.replace(':', '')}.json"
    write_backup(path, saved)
    return path


def _keep_events(events: Sequence[Event], backup: Path, ways: Ways) -> None:
    """Write what the board forgets by its start into a file beside the backup."""
    if not events:
        return
    path = backup.with_name(f"{backup.stem}-events.jsonl")
    write_named_new(path, "".join(f"{json.dumps(event_record(event))}\n" for event in events).encode())
    ways.tell(
        f"{len(events)} events that no journal has stored are in {path}: the board forgets them when it starts again. "
        "To have them in a journal, press no key and let its host run first"
    )


def _bring_back(board: BoardLink, saved: Backup, path: Path, ways: Ways) -> None:
    """Settings and counters have survived on the board; what has not, for a reason nobody foresaw, comes back."""
    again = f"`wallwright board restore {path} --port {board.port}`"
    try:
        restore_board(board, saved, ways.tell)
    except (Refused, LinkError) as error:
        ways.tell(f"{saved.unit} goes by what it has kept itself ({error}); {again} brings the backup back")
