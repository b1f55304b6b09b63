"""`wallwright season rehearse`: a whole season on simulated tables and at drawn results, in minutes."""

import json
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from ...system.private import make_folder
from ..event.common import AsJson

REHEARSE_HELP = """Hold a whole season in minutes: days of several halls, a forgery, a late correction, the final.

\b
Examples:
  wallwright season rehearse --days 20 --halls 4 --players 400
  wallwright season rehearse year --days 4 --halls 2 --players 32

Everything goes through the code of a real season. The first day is played by 16 of its players at simulated tables with
their mechanics and faults; the results of all other days are drawn from deals that bots have played before. The hall of
the second day reports by itself, to a server on this machine; the others' extracts come as files. A forged
extract and a late one have to be refused, a correction changes who is in the final, and all is verified. FOLDER keeps
journals and extracts, so that all other commands can look at them. The exit code is 1 when something is not as it has
to be.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("rehearse", help=REHEARSE_HELP)(rehearse)


def rehearse(
    folder: Annotated[Path | None, typer.Argument(metavar="[FOLDER]", help="The folder, to be kept.")] = None,
    days: Annotated[int, typer.Option(min=2, max=100, help="How many days.")] = 20,
    halls: Annotated[int, typer.Option(min=1, max=20, help="How many halls, side by side on each date.")] = 4,
    players: Annotated[int, typer.Option(min=16, max=4000, help="How many players.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Everything follows from this number.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Rehearse a season."""
    from ...console.season.served import taking_reports
    from ...errors import BadInput
    from ...event.format_file import load_format as load_event
    from ...season.format_file import load_format
    from ...season.rehearsal import rehearse_season

    if players < 16 * halls:
        raise BadInput(f"--players: a hall has 16 players or more, so {halls} halls need {16 * halls}")
    season_format = replace(load_format("chengdu-grand-prix-2016"), days=days)
    with TemporaryDirectory(prefix="wallwright-") as own:
        place = folder or Path(own)
        make_folder(place)
        begin = time.monotonic()
        say = typer.echo if not as_json else lambda _: None
        report = rehearse_season(
            place, season_format, load_event("chengdu-grand-prix"), halls, players, seed, taking_reports, say
        )
        seconds = round(time.monotonic() - begin, 1)
    if as_json:
        print(json.dumps(report.record() | {"seconds": seconds}, ensure_ascii=False))
    else:
        print(
            f"{report.days} days in {report.halls} halls, {report.players} players, {report.deals:,} deals, of which "
            f"{report.played_at_tables} were played at simulated tables, in {seconds} s; "
            f"{report.extract_bytes / 1e6:.1f} MB of extracts; refused: {len(report.refused)}; {report.winner} has won."
        )
        print("\n".join(report.problems) or f"Everything adds up. {_look_at(folder)}")
    if report.problems:
        raise typer.Exit(1)


def _look_at(folder: Path | None) -> str:
    if folder is None:
        return "Name a FOLDER to keep the season and look at it."
    return f"Look at it: wallwright season standings {folder / 'rehearsal.season'}"
