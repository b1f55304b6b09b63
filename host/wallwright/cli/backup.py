"""`wallwright backup make | check | restore`: a hall on another disk, and back on another machine."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from ..errors import BadPath
from ..system.streams import say
from .groups import group
from .log.arguments import AsJson, PathArgument

HELP = """Back up a running hall, check a backup, and restore one.

`wallwright serve` and `run` do the first by themselves where the hall's file names a folder for backups.
"""
MAKE_HELP = """Make a backup of a journal in a folder, restore it into a temporary place, and compare the two.

Example: wallwright backup make hall.journal /media/stick --with hall.toml --with hall.users

Tables and people may go on meanwhile. A backup that differs is removed. With --thin old backups are deleted: the newest
six stay, the last one of every hour for a day, of every day for a month.
"""
CHECK_HELP = """Restore a backup into a temporary place, verify it, and compare it with its journal.

Example: wallwright backup check /media/stick/hall-20261122T093000Z.backup --against hall.journal
"""
RESTORE_HELP = """Bring a hall back in a new folder, on this machine or another: its journal, and the files beside it.

Example: wallwright backup restore /media/stick/hall-20261122T093000Z.backup hall

`wallwright event restore` brings a journal alone back, into a file or a database. Checkpoints are signed by the key of
the machine from then on; docs/operating.md goes through what to do when a laptop has died.
"""

Backup = Annotated[Path, typer.Argument(metavar="BACKUP", help="The backup.")]

app = group("backup", HELP)


@app.command("make", help=MAKE_HELP)
def make(
    place: PathArgument,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the backups are: on another disk.")],
    beside: Annotated[list[Path] | None, typer.Option("--with", help="A file that belongs to it.")] = None,
    thin: Annotated[bool, typer.Option("--thin", help="Remove those that have had their time.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make one."""
    from ..backup.archive import back_up
    from ..backup.checking import check_backup
    from ..backup.kept import Kept
    from ..backup.schedule import journal_name
    from ..clocks import wall_ms

    kept = Kept(folder, journal_name(place))
    target = kept.path(wall_ms())
    try:
        made = back_up(place, target, beside or ())
        try:
            check_backup(target, place)
        except BaseException:
            target.unlink()
            raise
        gone = kept.thin() if thin else ()
    except OSError as error:
        problem = f"{target} cannot be written ({error.strerror}); make room there, or choose another folder"
        raise BadPath(problem) from error
    if as_json:
        print(
            json.dumps(
                {**made.record(), "file": str(target), "removed": [path.name for path in gone]}, ensure_ascii=False
            )
        )
    else:
        print(f"{target}: {made.entries} entries, restored and compared; {len(gone)} older ones are removed.")


@app.command("check", help=CHECK_HELP)
def check(
    source: Backup,
    against: Annotated[str | None, typer.Option(help="The journal: a file, or its URL.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check one."""
    from ..backup.checking import check_backup

    found = check_backup(source, against)
    text = f"{source}: {found.entries} entries, whole{'' if against is None else '; the standings are the same'}."
    print(json.dumps(found.record(), ensure_ascii=False) if as_json else text)


@app.command("restore", help=RESTORE_HELP)
def restore(
    source: Backup,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The new folder.")],
    as_json: AsJson = False,
) -> None:
    """Bring one back."""
    from ..backup.hall import restore_hall

    back = restore_hall(source, folder)
    if as_json:
        print(json.dumps(back, ensure_ascii=False))
        return
    say(f"{back['journal']}: {back['entries']} entries" + (f", {back['event']}." if back["event"] else "."))
    if back["at_ms"] is not None:
        taken = datetime.fromtimestamp(back["at_ms"] / 1000, UTC).astimezone()
        print(
            f"It is of {taken:%Y-%m-%d %H:%M:%S}: what people have declared, signed or decided since is not in it; "
            "enter it again. What tables have told, their boards hand over again as far as they hold it."
        )
    if back["files"]:
        say(f"Beside it: {', '.join(back['files'])}.")
    if back["notice"]:
        say(back["notice"])
    if back["config"]:
        print(f"Go on with: wallwright serve --config {back['config']}")
