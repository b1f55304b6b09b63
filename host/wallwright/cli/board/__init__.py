"""`wallwright board flash | update | info | backup | restore | keys`: the firmware of boards."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import LinkError, TableError, WallwrightError
from ...system.streams import write_own
from ..groups import group
from ..one_table import AsJson, Port, print_json
from . import keys

if TYPE_CHECKING:
    from ...board.flash import ImageFile
    from ...board.link import BoardInfo
    from ...board.update import Ways

RASPBERRY = 0x2E8A
"""The USB vendor of a board's own port, at which no host is listened to."""

app = group("board", "Flash boards, update them, and back up what they store.")
app.add_typer(keys.app, name="keys")

Folder = Annotated[
    Path | None, typer.Option("--folder", help="Where the loader's disk is, when it is not found by itself.")
]
ImageOption = Annotated[
    Path | None, typer.Option("--image", help="The image; without it the one that came with this program.")
]

FLASH_HELP = """Put the firmware on a board by hand: a new one, or one that nothing else repairs.

Example: wallwright board flash --port /dev/ttyUSB0

First hold BOOTSEL down while you plug the board's own USB into this machine: its disk appears, called RPI-RP2 or
RP2350. The image is copied there; the board then starts by itself, and is asked at its host port what it is. Without
--port the image is copied, and nothing is asked.

The person at the button decides: the command says who has signed the image, and takes an unsigned one too. It refuses
an image with a wrong signature, or one of the other chip.

\b
Exit codes:
  2  the image is none, is damaged, or of the other chip
  3  no board is in its loader, or more than one; or it did not come back with the image
"""
UPDATE_HELP = """Update boards that are in use, over their link; settings, counters and enrolment stay.

Example: wallwright board update --port /dev/ttyUSB0

The table has to be at rest, its board's own USB plugged into this machine beside the host's cable, and somebody at the
table presses a lift key when its panels ask UPDATE?. The command first saves the board's records to a file. Several
tables, or all serial ports with --all, go one after the other.

The image has to be signed by the project's key or one of yours (`wallwright board keys`), and is not older than the
board's unless --older is given. A board that has the image already is left alone. After a failed update the message
says what is on the board and how to continue: the loader in the chip's ROM cannot be lost.

\b
Exit codes:
  2  the image is none, not signed, older, or of the other chip; nothing was changed
  3  the board cannot be updated like this, or did not come back with the image
  4  the table is not at rest
"""
INFO_HELP = """Show which board answers at a port, of any release, and what it runs.

Example: wallwright board info --port /dev/ttyUSB0

With --json: {"port": "/dev/ttyUSB0", "unit": "E66038B7134A9C2F", "firmware": "0.1.0", "chip": "rp2040", "image":
"5f2c...", "tiles": 108, "protocol": 1, "catalog": "9760e0a0", "is_of_this_release": true, "lacks": [],
"map": "1f2e3d4c"}

Exit code 1: the board is of another release than this program. It can be operated; `lacks` names what it cannot do.
"""
BACKUP_HELP = """Save a board's records into a file: settings, counters, enrolment, and this machine's list of tags.

Example: wallwright board backup table-7.json --port /dev/ttyUSB0

It works with a board of any release while no drive runs. A file that is there already is left alone.
"""
RESTORE_HELP = """Restore a backup of a board, onto it or onto the board that has taken its place.

Example: wallwright board restore table-7.json --port /dev/ttyUSB0

The table has to be at rest. The places of its tiles are not restored: the table knows better. A backup of another unit
is refused unless --other-unit says that this board has taken the other's place.
"""


@app.callback()
def board() -> None:
    """Make `board` a group."""


@app.command("flash", help=FLASH_HELP)
def flash(
    image: ImageOption = None,
    port: Annotated[
        str | None, typer.Option("--port", help="Where the host's cable is, to see what comes back.")
    ] = None,
    folder: Folder = None,
) -> None:
    """Flash the board that is in its loader."""
    from ...board.bundled import bundled_image
    from ...board.flash import flash_board, load_image
    from ...board.loader import RealTime, only_disk

    given = None if image is None else load_image(image)
    disk = only_disk(folder)
    file = given or load_image(bundled_image(disk.chip))
    _say(f"{file.path}: firmware {_version(file)} for the {file.image.chip}, {_signed_by(file)}")
    found = flash_board(file, folder=disk.folder, port=port, waiting=RealTime(), progress=_progress())
    if found is None:
        _say("The loader has taken the image. Connect the host's cable, then: wallwright board info --port PORT")
        return
    _say("\n".join(info_lines(found)))
    if found.wiring or not found.is_of_this_release:
        _say(f"Next: wallwright doctor test --port {port}")
    else:
        _say("It drives nothing before it knows its wires. On the reference carrier, wired as its tables say, next:")
        _say(f"wallwright doctor map --standard --port {port}")
        _say("On any other: `wallwright doctor wire`, which finds them.")


@app.command("update", help=UPDATE_HELP)
def update(
    port: Annotated[list[str] | None, typer.Option("--port", help="Where a table is; may be repeated.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every table at a USB serial port of this machine.")] = False,
    image: ImageOption = None,
    folder: Folder = None,
    older: Annotated[bool, typer.Option("--older", help="Take an image that is older than the board's.")] = False,
) -> None:
    """Update one board after the other."""
    if bool(port) == every:
        raise typer.BadParameter("give --port, once or several times, or --all", param_hint="--port / --all")
    ports = port or _usb_ports()
    if not ports:
        raise typer.BadParameter("there is no USB serial port", param_hint="--all")
    if len(ports) == 1:
        _update(ports[0], image, folder, older=older)
        return
    failed: list[WallwrightError] = []
    for one in ports:
        try:
            _update(one, image, folder, older=older)
        except WallwrightError as error:
            failed.append(error)
            _say(f"{one}: {error}" if one not in str(error) else str(error))
    _say(f"{len(ports) - len(failed)} of {len(ports)} are up to date.")
    if failed:
        raise typer.Exit(_code(failed))


@app.command("info", help=INFO_HELP)
def info(port: Port, as_json: AsJson = False) -> None:
    """Say what board answers."""
    from ...board.link import open_board

    with open_board(port) as found:
        about = found.info
    if as_json:
        print_json({"port": port, **info_record(about)})
    else:
        print("\n".join(info_lines(about)))
    if not about.is_of_this_release:
        _say(f"This program is of another release; to bring the board to it: wallwright board update --port {port}")
        raise typer.Exit(1)


@app.command("backup", help=BACKUP_HELP)
def backup(path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to be written.")], port: Port) -> None:
    """Save what a board keeps."""
    from ...board.backup import save_board, write_backup
    from ...board.link import open_board

    with open_board(port) as found:
        saved = save_board(found, _now())
    write_backup(path, saved)
    print(f"{path}: unit {saved.unit}, with: {'; '.join(saved.kept) or 'nothing'}")


@app.command("restore", help=RESTORE_HELP)
def restore(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `wallwright board backup`.")],
    port: Port,
    other_unit: Annotated[
        bool, typer.Option("--other-unit", help="This board has taken the place of the one that was saved.")
    ] = False,
) -> None:
    """Bring back what was saved."""
    from ...board.backup import read_backup, restore_board
    from ...board.link import open_board

    saved = read_backup(path)
    with open_board(port) as found:
        restore_board(found, saved, print, other_unit=other_unit)


def info_record(found: "BoardInfo") -> dict[str, Any]:
    """Return what a board says of itself as plain values."""
    from ...board.link import version_text

    return {
        "unit": found.unit,
        "firmware": version_text(found.firmware),
        "chip": found.chip,
        "image": found.image,
        "tiles": found.tiles,
        "protocol": found.protocol,
        "catalog": f"{found.catalog:08x}",
        "is_of_this_release": found.is_of_this_release,
        "lacks": list(found.lacks),
        "map": found.wiring,
    }


def info_lines(found: "BoardInfo") -> Sequence[str]:
    """Return it as text for a person."""
    record = info_record(found)
    release = "the same as this program's" if found.is_of_this_release else "another than this program's"
    lacks = f", lacks {', '.join(found.lacks)}" if found.lacks else ""
    return [
        f"unit      {record['unit']}, sets of {record['tiles']} tiles",
        f"firmware  {record['firmware']}, image {found.image or 'not known'}, on {found.chip or 'a chip not known'}",
        f"tables    protocol {record['protocol']}, catalog {record['catalog']}: {release}{lacks}",
        f"map       {found.wiring or 'none, so that nothing is connected'}",
    ]


def _update(port: str, image: Path | None, folder: Path | None, *, older: bool) -> None:
    from ...board.bundled import bundled_image
    from ...board.flash import load_image
    from ...board.update import update_board

    done = update_board(
        port, lambda chip: load_image(image or bundled_image(chip)), _ways(), at=_now(), folder=folder, older=older
    )
    if done.backup is not None:
        _say("\n".join(info_lines(done.after)))


def _ways() -> "Ways":
    from ...board.loader import RealTime
    from ...board.update import Ways

    return Ways(RealTime(), _say, _progress())


def _usb_ports() -> list[str]:
    from serial.tools import list_ports

    return sorted(one.device for one in list_ports.comports() if one.vid not in (None, RASPBERRY))


def _signed_by(file: "ImageFile") -> str:
    from ...board.errors import Unsigned
    from ...board.keys import signer

    try:
        return f"signed by {signer(file.path, file.data).name}"
    except Unsigned as unsigned:
        return "not signed" if "is not signed" in str(unsigned) else "signed by nobody that you trust"


def _version(file: "ImageFile") -> str:
    from ...board.link import version_text

    return version_text(file.image.version)


def _progress() -> Any:
    """Return what shows how much was copied, where somebody looks at it."""

    def show(done: int, of: int) -> None:
        if sys.stderr.isatty():
            end = "\n" if done == of else ""
            write_own(sys.stderr, f"\rcopied {done * 100 // of} %{end}")
            sys.stderr.flush()

    return show


def _code(failed: Sequence[WallwrightError]) -> int:
    """Return the exit code of several failures: a table's refusal only when there was nothing worse."""
    if all(isinstance(error, TableError) for error in failed):
        return 4
    return 3 if any(isinstance(error, LinkError) for error in failed) else 2


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _say(text: str) -> None:
    """Talk to the person; the standard output is for results."""
    print(text, file=sys.stderr, flush=True)
