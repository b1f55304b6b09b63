"""`wallwright study journal`: do tables that know their tiles shuffle well?"""

import json
from pathlib import Path
from typing import Annotated

import typer

from ...errors import BadInput
from .extra import need_extra

JOURNAL_HELP = """Say how well tables shuffle that know their tiles, from the walls that journals reveal.

\b
Examples:
  wallwright study journal hall.journal
  wallwright study journal may.journal june.journal --unit EAST-7 --out east-7

Each revealed wall is compared with where its tiles were when that set was played before. A table with readers at its
seats tells in which order tiles fell; one with readers at its stacking heads alone tells their places in the last wall.
The evidence begins at 1 and may be looked at after every deal: it reaches 1,000 at one fair table of 1,000 in a year.

A table has no verdict below 30 walls, or when its walls were washed for different times and --wash chooses none; the
line says which. Exit code 1: a table has no verdict.

With --out the folder gets report.html with plots, report.json, and builds.npz with what was measured of every wall.
With --json: what report.json says.
"""


def journal(
    paths: Annotated[
        list[str], typer.Argument(metavar="JOURNAL...", help="Files or PostgreSQL URLs.", show_default=False)
    ],
    unit: Annotated[str, typer.Option(help="This table alone.")] = "",
    wash: Annotated[int | None, typer.Option(min=0, help="Walls alone that were washed for so many seconds.")] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for the report.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print report.json.")] = False,
) -> None:
    """Study journals; exit with 1 when a table has no verdict."""
    need_extra()
    from ...study.journal import study_journals
    from ...study.journal_report import check_folder, journal_record, write_journal_report

    if out is not None:
        check_folder(out)
    told = study_journals(paths, unit, wash)
    if not told:
        whose = f" of {unit}" if unit else ""
        raise BadInput(f"no walls{whose} went up in it; `wallwright log show` prints what it has")
    if out is not None:
        write_journal_report(out, told)
    if as_json:
        typer.echo(json.dumps(journal_record(told)))
    else:
        for one in told:
            if one.problem:
                typer.echo(f"{one.unit}: no verdict: {one.problem}")
                continue
            last = one.standings[-1]
            alarm = f"; it reached 1,000 at wall {last.alarm_at}" if last.alarm_at else ""
            typer.echo(f"{one.unit}: {one.verdict} Evidence {last.evidence:.3g}{alarm}.")
        if out is not None:
            typer.echo(f"Plots and all tests: {out / 'report.html'}")
    if any(one.problem for one in told):
        raise typer.Exit(1)
