"""`wallwright study wash-test`: how long a table has to wash, counted by its owner."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ...errors import BadInput
from ...study.wash_counts import Counts, open_counts, read_counts
from ...study.wash_sheet import make_sheet, order_of
from ...study.wash_test import (
    LONGEST_TAU_S,
    LONGEST_WASH_S,
    SHORTEST_TAU_S,
    Count,
    Found,
    count_of,
    estimate,
)
from ...system.disk import write_named
from .game import stacks_of

_LONGEST_LINE = 1000
"""Characters of a typed line that are read."""

WASH_TEST_HELP = """Say how long a table without readers has to wash, from counts of marked tiles.

\b
Examples:
  wallwright study wash-test --sheet sheet.html
  wallwright study wash-test counts.csv --type
  wallwright study wash-test counts.csv

Print the sheet first: it says what to do, and has a line for each build. Half of a set is marked and pushed in first;
after each of three wash times, 40 builds each, somebody counts the marked tiles at the right ends of the walls.

With --type it asks for the counts in the order of the sheet and keeps each in the file; stop and go on whenever you
like. With --by-side it asks for the four walls' counts, as they are taken from photographs of the walls. Or write the
file yourself: CSV with the head wash_s,marked or wash_s,side_0,side_1,side_2,side_3 and a line a build. From the counts
the command estimates how fast the order of falling is washed away, with an interval of 90 %, and recommends a wash that
hides it from 1,000 deals.

With --json: {"builds": {"0": 40, "10": 40, "30": 40}, "surplus": {"0": 7.1, "10": 3.4, "30": 0.5}, "rho": 0.36,
"rho_error": 0.02, "tau_s": 12.5, "interval_s": [10.2, 15.6], "wash_s": 60}; tau_s, interval_s and wash_s are null
where nothing is to be seen, wash_s also where the longest wash is too short.
"""


def wash_test(
    counts: Annotated[Path | None, typer.Argument(metavar="[COUNTS]", help="The CSV file.", show_default=False)] = None,
    sheet: Annotated[Path | None, typer.Option(help="Write the sheet to be printed, as HTML.")] = None,
    types: Annotated[bool, typer.Option("--type", help="Ask for the counts, and keep them in COUNTS.")] = False,
    by_side: Annotated[
        bool, typer.Option("--by-side", help="With --type: the counts of sides 0 to 3, from photographs.")
    ] = False,
    wash: Annotated[str, typer.Option(help="With --sheet or --type: three wash times in s, with commas.")] = "0,10,30",
    game: Annotated[str, typer.Option(help="The ruleset whose set is used: sichuan, hong-kong, ...")] = "sichuan",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Write the sheet, ask for counts, or estimate from them."""
    if (counts is None) == (sheet is None):
        raise BadInput("give the file of counts, or --sheet FILE for the sheet to print; one of them")
    if types and counts is None:
        raise BadInput(
            "--type needs the file in which the counts are kept: wallwright study wash-test counts.csv --type"
        )
    if by_side and not types:
        raise BadInput("--by-side goes with --type; a file that is read says by its head what it has")
    plan = stacks_of(game)
    count = count_of(plan)
    if sheet is not None:
        write_named(sheet, make_sheet(count, _washes(wash), plan).encode())
        typer.echo(f"Print {sheet} from a browser.")
        return
    assert counts is not None
    if types and not _type_in(open_counts(counts, count, by_side=by_side), order_of(_washes(wash))):
        return
    found = estimate(read_counts(counts, count).by_wash, count)
    typer.echo(json.dumps(asdict(found)) if as_json else "\n".join(_lines(found, count)))


def _washes(text: str) -> list[int]:
    if not all(one.strip().isdecimal() for one in text.split(",")):
        raise BadInput(f"--wash {text}: give whole seconds with commas, such as 0,10,30")
    return [int(one) for one in text.split(",")]


def _type_in(counts: Counts, order: Sequence[int]) -> bool:
    """Ask for the builds that are missing; say whether none is left."""
    strange = next(
        (n for n, (one, due) in enumerate(zip(counts.builds, order, strict=False)) if one.wash_s != due), None
    )
    if strange is not None or len(counts.builds) > len(order):
        at = len(order) if strange is None else strange
        raise BadInput(
            f"{counts.path}, build {at + 1}: its wash is not that of the sheet; give the --wash of the sheet, "
            "or finish the file by hand"
        )
    wanted = (
        "marked tiles in the right halves of walls 0 to 3" if counts.by_side else "marked tiles in the right halves"
    )
    typer.echo("Press Enter alone to stop, b to take the last build back. Each build is kept at once.", err=True)
    while len(counts.builds) < len(order):
        wash_s = order[len(counts.builds)]
        question = f"build {len(counts.builds) + 1} of {len(order)}, wash {wash_s} s: {wanted}"
        typer.echo(f"{question}: ", nl=False, err=True)
        try:
            typed = sys.stdin.readline(_LONGEST_LINE).strip()
        except KeyboardInterrupt:
            typed = ""
        if not typed:
            typer.echo(f"{len(counts.builds)} of {len(order)} builds are in {counts.path}; this command goes on there.")
            return False
        try:
            if typed == "b":
                counts.take_back()
            else:
                counts.add(wash_s, typed)
        except BadInput as error:
            typer.echo(f"{error}. Type it again.", err=True)
    return True


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
