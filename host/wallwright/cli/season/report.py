"""`wallwright season report`: a hall sends its day to the season's server."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ..event.common import AsJson, print_done

REPORT_HELP = """Send a day to the season's server: its extract, or the extract that is made of its journal.

\b
Examples:
  wallwright season report day.journal https://season.example J2...
  wallwright season report day.extract https://season.example J2...

The hall's machine signs what it sends, and believes the answers of the season's KEY alone, which the organiser tells
once (`wallwright serve --season` prints it). A connection that is lost goes on with the first part that has not come;
after some tries the command ends with exit code 3, and the same command goes on later. The same extract may be sent any
number of times.

\b
Exit codes:
  0  the day is in the season
  1  it has come, and waits for the organiser's word
  2  it does not hold, or is not the journal that was seen during play; nothing is sent
  3  no answer of the season
  6  the season refuses it, and says why
"""
Server = Annotated[str, typer.Argument(metavar="URL", help="The season's server.")]
SeasonKey = Annotated[str, typer.Argument(metavar="KEY", help="The season's key, as its organiser has told it.")]
Certificate = Annotated[
    Path | None, typer.Option(help="The server's certificate, if no authority of this machine has signed it.")
]
STEP = 10
"""Percent of a file after which progress is told."""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("report", help=REPORT_HELP)(report)


def report(
    source: Annotated[str, typer.Argument(metavar="EXTRACT", help="The day's extract, or its journal.")],
    url: Server,
    season_key: SeasonKey,
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """Send a day."""
    from ...journal import public_bytes, signing_key
    from ...journal.season_address import SeasonAddress
    from ...season.extract_check import check_extract
    from ...season.report.during_play import day_extract, journal_at
    from ...season.report.receiving import ADDED
    from ...season.report.sender import SeasonServer
    from .common import extract_in

    key = signing_key()
    server = SeasonServer(SeasonAddress.told(url, season_key, certificate), key)
    try:
        data = extract_in(source)
        if data is None:
            data = day_extract(server, source, key, journal_at(source))
        check_extract(data, source, public_bytes(key))
        told = server.send(data, _progress())
    finally:
        server.close()
    if told["state"] == ADDED:
        text = f"{told['name']} of {told['date']} ({told['day'][:8]}) is in the season, by entry {told['entry']}."
    else:
        text = f"The season has the extract; it waits for the organiser: {told['why']}."
    print_done(as_json, text, **told)
    if told["state"] != ADDED:
        raise typer.Exit(1)


def _progress() -> Callable[[int, int], None]:
    """Return what tells how far a long file is, on the standard error; a short one needs no words."""
    said = [0]

    def say(have: int, total: int) -> None:
        done = have * 100 // total
        if done < said[0] or done >= said[0] + STEP:
            said[0] = done
            print(f"{have:,} of {total:,} bytes are there", file=sys.stderr)

    return say
