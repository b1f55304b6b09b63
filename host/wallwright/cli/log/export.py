"""`wallwright log export`, `import` and `replay`: what a journal holds, for other programs, and scored again."""

import dataclasses
import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ...errors import BadExport, BadInput, BadPath
from ...system.disk import open_foreign, write_named_new
from ...system.streams import say
from ...text_files import BadText, lines_of
from .arguments import AsJson, PathArgument

EXPORT_HELP = """Write a journal as JSON lines, its deals as mjai, or its results as CSV or XLSX.

\b
Examples: wallwright log export session.journal > session.jsonl
          wallwright log export session.journal --format xlsx --output results.xlsx

jsonl: every entry, so that `wallwright log import` makes the same journal of it.
mjai: the deals, a game for each table, for programs that read mjai; docs/journal.md says what it cannot say.
csv: a row for each result of a deal. xlsx: that, and the payments on a second sheet. In both, a text that
a spreadsheet would take for a formula gets an apostrophe.
"""

IMPORT_HELP = """Make a new journal of an export as JSON lines: the same entries, with the same hashes.

Example: wallwright log import session.jsonl again.journal

With --json: {"entries": 840, "hash": "..."}.
"""

REPLAY_HELP = """Score every deal of a journal again, from what was declared, and compare with the points that it has.

Example: wallwright log replay session.journal

Exit code 1: a deal comes to something else. With --json: {"scored": 40, "played": 12, "ruled": 1, "unfinished": 0,
"differences": [{"entry": 74, "where": "deal 2 at SIM-3", "text": "points are ..."}]}. Played deals were tracked tile by
tile, and were played again; ruled ones are a referee's word, without hands to score; unfinished ones have no result.
"""


class Format(StrEnum):
    """What a journal can be written as."""

    JSONL = "jsonl"
    MJAI = "mjai"
    CSV = "csv"
    XLSX = "xlsx"


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("export", help=EXPORT_HELP)(export)
    app.command("import", help=IMPORT_HELP)(import_)
    app.command("replay", help=REPLAY_HELP)(replay)


def export(
    path: PathArgument,
    kind: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.JSONL,
    output: Annotated[Path | None, typer.Option(help="A new file; without it, the standard output.")] = None,
) -> None:
    """Write it to a file, or print it."""
    from ...journal import read_journal

    entries = read_journal(path)
    if kind is Format.XLSX:
        from ...journal.results import results_xlsx

        if output is None:
            raise typer.BadParameter("a workbook goes to a file; name it", param_hint="--output")
        data = results_xlsx(entries)
    else:
        if kind is Format.JSONL:
            from ...journal.exporting import export_lines as lines
        elif kind is Format.MJAI:
            from ...journal.mjai import mjai_lines as lines
        else:
            from ...journal.results import results_csv as lines
        if output is None:
            for line in lines(entries):
                print(line)
            return
        if kind is Format.CSV:
            from ...system.spreadsheet import csv_file

            data = csv_file(lines(entries))
        else:
            data = "".join(f"{line}\n" for line in lines(entries)).encode()
    write_named_new(output, data)


def import_(
    source: Annotated[
        Path, typer.Argument(metavar="EXPORT", help="A file that `wallwright log export` wrote.", show_default=False)
    ],
    path: PathArgument,
    as_json: AsJson = False,
) -> None:
    """Read it into a new journal."""
    from ...journal.exporting import LONGEST, import_lines

    try:
        with open_foreign(source) as file:
            head = import_lines(lines_of(file, LONGEST), path)
    except BadExport as error:
        raise BadInput(f"{source}, {error}") from error
    except BadText as error:
        raise BadInput(f"{source}: {error}; export the journal again") from error
    except OSError as error:
        raise BadPath(f"{source}: it cannot be read ({error.strerror}); check the path") from error
    record = {"entries": head.id, "hash": head.hash.hex()}
    print(json.dumps(record) if as_json else f"{head.id} entries imported; the hash is {head.hash.hex()}")


def replay(path: PathArgument, as_json: AsJson = False) -> None:
    """Score all deals; exit with 1 when one differs."""
    from ...journal import read_journal
    from ...journal.replay import replay_entries

    found = replay_entries(read_journal(path))
    if as_json:
        print(json.dumps(dataclasses.asdict(found)))
    else:
        for one in found.differences:
            say(f"entry {one.entry}, {one.where}: {one.text}")
        print(f"{found.scored} deals scored again, {found.played} of them also move by move")
        print(f"{found.ruled} by a referee's word, {found.unfinished} without a result")
        print("The points are those of the journal." if found.agrees else "The points are others.")
    if not found.agrees:
        raise typer.Exit(1)
