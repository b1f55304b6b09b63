"""`wallwright event rehearse`: a whole day on simulated tables, in minutes."""

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from ...system.streams import say
from .common import AsJson
from .show import standings

REHEARSE_HELP = """Play a whole day in minutes: draw, sessions, faults, a correction, a restart of the host, standings.

\b
Examples:
  wallwright event rehearse --players 64 --sessions 5
  wallwright event rehearse day.journal --seed 7
  wallwright event rehearse --format cumberland-evening --players 12 --sessions 1

Tables are simulated and time is virtual; everything else is the code of a real day. The tables are set to the game of
the format. One breaks and one loses its power, which a spare replaces; a table without a board is scored by hand. The
journal is verified, and kept when it is named, so that all other commands can look at it. The exit code is 1 when
something is not as it has to be.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("rehearse", help=REHEARSE_HELP)(rehearse)


def rehearse(
    path: Annotated[Path | None, typer.Argument(metavar="JOURNAL", help="The new journal, to be kept.")] = None,
    players: Annotated[int, typer.Option(min=4, max=512, help="How many players.")] = 64,
    sessions: Annotated[int, typer.Option(min=1, max=50, help="How many sessions.")] = 5,
    chosen: Annotated[str, typer.Option("--format", help="A preset or a TOML file.")] = "chengdu-grand-prix",
    seed: Annotated[int, typer.Option(min=0, help="Everything follows from this number.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Rehearse a day."""
    from ...event.format_file import load_format
    from ...rehearsal.day import rehearsal_format, rehearse

    event_format = rehearsal_format(load_format(chosen), sessions)
    with TemporaryDirectory(prefix="wallwright-") as folder:
        journal = path or Path(folder) / "rehearsal.journal"
        begin = time.monotonic()
        report = rehearse(journal, event_format, players, seed, typer.echo if not as_json else lambda _: None)
        seconds = round(time.monotonic() - begin, 1)
        if as_json:
            print(json.dumps(report.record() | {"seconds": seconds}, ensure_ascii=False))
        else:
            standings(str(journal))
            print(
                f"{report.deals} deals of {report.players} players in {seconds} s; annulled: {report.annulled}, "
                f"tables swapped: {report.swapped}; {report.rolls} rolls of dice and {report.entries} entries verified;"
                f" waited for walls: {report.waits} deals, {report.longest_wait_ms / 1000:.1f} s at the longest."
                + (f" {report.prescribed} walls were built as they were drawn." if report.prescribed else "")
            )
            say(*(report.problems or [f"Everything adds up. {_look_at(path)}"]))
    if report.problems:
        raise typer.Exit(1)


def _look_at(path: Path | None) -> str:
    if path is None:
        return "Name a JOURNAL to keep the day and look at it."
    return f"Look at it: wallwright event explain {path} --help"
