"""`wallwright event rehearse`: a whole day on simulated tables, in minutes."""

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from .cli_common import AsJson

REHEARSE_HELP = """Play a whole day in minutes: draw, sessions, faults, a correction, a restart of the host, standings.

Example: wallwright event rehearse day.journal --players 64 --sessions 5

Tables are simulated and time is virtual; everything else is the code of a real day. One table breaks and one loses its
power, which a spare replaces; a table without a board is scored by hand. The journal is kept and verified, and all
other commands can look at it. The exit code is 1 when something is not as it has to be.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("rehearse", help=REHEARSE_HELP)(rehearse)


def rehearse(
    path: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The new journal.")],
    players: Annotated[int, typer.Option(min=4, max=512, help="How many players.")] = 64,
    sessions: Annotated[int, typer.Option(min=1, max=50, help="How many sessions.")] = 5,
    chosen: Annotated[str, typer.Option("--format", help="A preset or a TOML file.")] = "chengdu-grand-prix",
    seed: Annotated[int, typer.Option(min=0, help="Everything follows from this number.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Rehearse a day."""
    from .format import load_format
    from .rehearsal import rehearsal_format, rehearse

    event_format = rehearsal_format(load_format(chosen), sessions)
    begin = time.monotonic()
    report = rehearse(path, event_format, players, seed, typer.echo if not as_json else lambda _: None)
    seconds = round(time.monotonic() - begin, 1)
    if as_json:
        print(json.dumps(report.record() | {"seconds": seconds}, ensure_ascii=False))
    else:
        print(
            f"{report.deals} deals of {report.players} players in {seconds} s; {report.annulled} annulled, "
            f"{report.swapped} tables swapped, {report.rolls} rolls of dice and {report.entries} entries verified."
        )
        print("\n".join(report.problems) or f"Everything adds up. Look at it: wallwright event standings {path}")
    if report.problems:
        raise typer.Exit(1)
