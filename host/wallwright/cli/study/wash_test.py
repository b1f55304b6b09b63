"""`wallwright study wash-test`: how long a table has to wash, counted by its owner."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ...errors import BadInput
from ...study.wash_sheet import make_sheet
from ...study.wash_test import (
    LONGEST_TAU_S,
    LONGEST_WASH_S,
    SHORTEST_TAU_S,
    Count,
    Found,
    count_of,
    estimate,
    read_counts,
)
from .game import stacks_of

WASH_TEST_HELP = """Say how long a table without readers has to wash, from counts of marked tiles.

\b
Examples:
  wallwright study wash-test --sheet sheet.html
  wallwright study wash-test counts.csv

Print the sheet first: it says what to do, and has a line for each build. Half of a set is marked and pushed in first;
after each of three wash times, 40 builds each, somebody counts the marked tiles at the right ends of the walls.

Type the counts into a CSV file with the head wash_s,marked and a line a build. The command estimates how fast the order
of falling is washed away, with an interval of 90 %, and recommends a wash that hides it from 1,000 deals.

With --json: {"builds": {"0": 40, "10": 40, "30": 40}, "surplus": {"0": 7.1, "10": 3.4, "30": 0.5}, "rho": 0.36,
"rho_error": 0.02, "tau_s": 12.5, "interval_s": [10.2, 15.6], "wash_s": 60}; tau_s, interval_s and wash_s are null
where nothing is to be seen, wash_s also where the longest wash is too short.
"""


def wash_test(
    counts: Annotated[Path | None, typer.Argument(metavar="[COUNTS]", help="The CSV file.", show_default=False)] = None,
    sheet: Annotated[Path | None, typer.Option(help="Write the sheet to be printed, as HTML.")] = None,
    wash: Annotated[str, typer.Option(help="With --sheet: three wash times in s, with commas.")] = "0,10,30",
    game: Annotated[str, typer.Option(help="The ruleset whose set is used: sichuan, hong-kong, ...")] = "sichuan",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Write the sheet, or estimate from the counts."""
    if (counts is None) == (sheet is None):
        raise BadInput("give the file of counts, or --sheet FILE for the sheet to print; one of them")
    plan = stacks_of(game)
    count = count_of(plan)
    if sheet is not None:
        if not all(one.strip().isdecimal() for one in wash.split(",")):
            raise BadInput(f"--wash {wash}: give whole seconds with commas, such as 0,10,30")
        sheet.write_text(make_sheet(count, [int(one) for one in wash.split(",")], plan), encoding="utf-8")
        typer.echo(f"Print {sheet} from a browser.")
        return
    assert counts is not None
    found = estimate(read_counts(counts, count), count)
    typer.echo(json.dumps(asdict(found)) if as_json else "\n".join(_lines(found, count)))


def _lines(found: Found, count: Count) -> list[str]:
    lines = [
        f"{wash} s of wash: {builds} builds, {count.fair + found.surplus[wash]:.1f} marked tiles on the average "
        f"({count.fair:.0f} were fair)"
        for wash, builds in found.builds.items()
    ]
    if found.tau_s is None or found.interval_s is None:
        seen = abs(found.rho) + 2 * found.rho_error
        return [
            *lines,
            f"Nothing is to be seen of the order of falling, even without a wash: the correlation is below {seen:.2f}.",
            "No decay time can be told, and this test recommends no wash.",
        ]
    low, high = found.interval_s
    if high >= LONGEST_TAU_S:
        interval = f"above {low:.1f} s"
    elif low <= SHORTEST_TAU_S:
        interval = f"below {high:.1f} s"
    else:
        interval = f"between {low:.1f} and {high:.1f} s"
    lines.append(
        f"The order of falling is washed away with a decay time of {found.tau_s:.1f} s ({interval}, in 90 % of such "
        f"tests); without a wash the correlation is {found.rho:.2f}."
    )
    if found.wash_s is None:
        lines.append(
            f"More than {LONGEST_WASH_S} s may be needed to hide it from 1,000 deals; "
            "repeat the test with longer washes."
        )
    else:
        lines.append(f"Recommended wash: {found.wash_s} s. It hides the order of falling from 1,000 deals.")
    return lines
