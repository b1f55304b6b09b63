"""`wallwright event extract`: what everybody may know of a day, in one signed file with its proofs."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from .common import AsJson, Place, print_done

EXTRACT_HELP = """Write the results of a day into a signed file that proves them, without the journal.

\b
Examples:
  wallwright event extract day.journal day.extract
  wallwright event extract day.journal day.extract --since WALLWRIGHT2:840:K5...:J2...:7Q...

The file has players, draw, results, corrections and penalties as everybody may read them, a checkpoint signed by this
machine's key, and the proofs that the journal says so. No tiles are in it. Whoever has the journal can make the same
bytes again; `wallwright season check` checks it for those who have not. Without a name the file is called as the
journal is, with the ending .extract. A file that is there is replaced at once or not at all.

--since: a checkpoint that was published before; the file then proves that the journal has grown from it. The
checkpoints that stand in the journal are proved anyhow.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("extract", help=EXTRACT_HELP)(extract)


def extract(
    place: Place,
    path: Annotated[Path | None, typer.Argument(metavar="[EXTRACT]", help="The file to be written.")] = None,
    since: Annotated[list[str] | None, typer.Option(help="An earlier checkpoint; may be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write the extract of a day."""
    from ...journal import Checkpoint, is_url, signing_key
    from ...season.extract import guessable, make_extract
    from ...season.extract_check import check_extract
    from ...system.disk import write_named

    target = path or Path(f"{place.rpartition('/')[2]}.extract" if is_url(place) else Path(place).stem + ".extract")
    data = make_extract(place, signing_key(), [Checkpoint.parse(one) for one in since or ()])
    checked = check_extract(data, str(target))
    day = checked.day
    if number := guessable(place, checked.signed.extract):
        warning = f"warning: entry {number} and those behind it have no random record before them"
        print(f"{warning}; whoever knows nearly all of one can find out the rest", file=sys.stderr)
    write_named(target, data)
    text = [
        f"{target}: {len(day.deals)} deals of {len(day.players)} players, {day.size} entries signed, "
        f"{len(data):,} bytes.",
        f"SHA-256 {day.extract}",
    ]
    print_done(as_json, text, extract=str(target), sha256=day.extract, day=day.id, entries=day.size, bytes=len(data))
