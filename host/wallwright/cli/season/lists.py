"""`wallwright season standings | qualifiers | explain | export`: what comes out of a season."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ...errors import BadInput
from ..event.common import AsJson, print_done, print_lines, print_rows
from ..event.show import Form
from .common import PersonName, Season

STANDINGS_HELP = """Print the list of the season, computed from its journal, and after the final that of the final.

Example: wallwright season standings year.season
"""
QUALIFIERS_HELP = """Print who reaches the final, and by what.

Example: wallwright season qualifiers year.season
"""
EXPLAIN_HELP = """Say where somebody's total comes from: each day, which of them count, and the deals of a day.

\b
Examples:
  wallwright season explain year.season "Ann Lee"
  wallwright season explain year.season MIL-0123 --day 2016-09-03
"""
EXPORT_HELP = """Write a list (standings, qualifiers, days, persons) as CSV, XLSX or JSON.

Example: wallwright season export year.season qualifiers --to final-players.csv

The qualifiers as CSV are what `wallwright event players import` takes for the final. Without --to the list is printed,
but for a workbook.
"""


class Paper(StrEnum):
    """What is exported."""

    STANDINGS = "standings"
    QUALIFIERS = "qualifiers"
    DAYS = "days"
    PERSONS = "persons"


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("standings", help=STANDINGS_HELP)(standings)
    app.command("qualifiers", help=QUALIFIERS_HELP)(qualifiers)
    app.command("explain", help=EXPLAIN_HELP)(explain)
    app.command("export", help=EXPORT_HELP)(export)


def standings(place: Season, as_json: AsJson = False) -> None:
    """Print the list."""
    from ...season.desk import read_season
    from ...season.final import final_rows
    from ...season.papers import final_paper, standings_paper

    state = read_season(place)
    if state.final is not None:
        print_rows(final_paper(final_rows(state)), as_json, "Final")
    print_rows(standings_paper(state), as_json, f"Standings after {len(state.in_order())} days")


def qualifiers(place: Season, as_json: AsJson = False) -> None:
    """Print the finalists."""
    from ...season.desk import read_season
    from ...season.papers import qualifiers_paper

    print_rows(qualifiers_paper(read_season(place)), as_json, "Qualifiers")


def explain(
    place: Season,
    person: PersonName,
    day: Annotated[str | None, typer.Option("--day", help="This day only, deal by deal: id or date.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain a total."""
    from ...season.desk import extracts_of, read_season
    from ...season.explain import explain_day, explain_person
    from ...season.persons import People
    from ...season.who import find_person

    state = read_season(place)
    people = People(state)
    found = find_person(people, person)
    if day is None:
        print_lines(explain_person(state, people, found), as_json, "lines")
    else:
        print_rows(list(explain_day(state, found, day, extracts_of(place))), as_json)


def export(
    place: Season,
    paper: Annotated[Paper, typer.Argument(metavar="LIST", help="standings, qualifiers, days or persons.")],
    form: Annotated[Form, typer.Option("--format", help="csv, xlsx or json.")] = Form.CSV,
    to: Annotated[Path | None, typer.Option("--to", help="The file to be written.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a list."""
    from ...event.sheets import FILES, to_csv, to_json
    from ...season.desk import read_season
    from ...season.papers import PAPERS
    from ...system.disk import write_named
    from ...system.streams import write_exactly

    if form is Form.XLSX and to is None:
        raise BadInput("a workbook goes to a file; name it with --to")
    rows = PAPERS[paper](read_season(place))
    if to is None:
        if as_json:
            raise BadInput("--json says what was written to a file; for the rows themselves give --format json")
        write_exactly(to_csv(rows) if form is Form.CSV else to_json(rows))
        return
    write_named(to, FILES[form](paper, rows))
    print_done(as_json, f"{len(rows)} rows are in {to}.", rows=len(rows), file=str(to))
