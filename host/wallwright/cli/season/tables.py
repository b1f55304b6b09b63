"""`wallwright season rating | totals | deals`: what is computed from all deals of a season, by its tables."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import BadInput
from ...system.streams import say
from ..event.common import AsJson, print_rows
from .common import Jobs, PersonName, Season

if TYPE_CHECKING:
    from ...season.rating_forecast import HeldOut
    from ...season.rating_list import RatingList

_TABLES = """It needs the extra: pip install 'wallwright[season]'. Tables of all deals are kept as Parquet files in the
folder SEASON.tables, or with --database in PostgreSQL, whose database holds one season; days that have come since are
added to them first, their extracts checked by as many processes as --jobs says, or by the workers of a scheduler.
"""
RATING_HELP = f"""Rate everybody by the places at their tables, for each game and ruleset by itself.

\b
Examples:
  wallwright season rating year.season
  wallwright season rating year.season --held-out 5 --plot rating.svg

What the same four play at a table in a session is one game. The rating is what the skill is at least: its mean less
three deviations; it begins at 0, and grows with what is won and with what is known. The same days give the same numbers
on every machine, to the sixth decimal.

--held-out 5 also foretells each of the last five days from the days before it, and says whether that was better than
nothing.

{_TABLES}"""
TOTALS_HELP = f"""Print what everybody has played: days, sessions, deals, deals won, points of deals without penalties.

Example: wallwright season totals year.season

{_TABLES}"""
DEALS_HELP = f"""Print every deal that somebody has played, with the entry of the day's journal that says it.

\b
Examples:
  wallwright season deals year.season "Ann Lee"
  wallwright season deals year.season MIL-0123 --json

{_TABLES}"""
Database = Annotated[
    str, typer.Option("--database", metavar="URL", help="Keep the tables in postgresql://HOST/DATABASE.")
]


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("rating", help=RATING_HELP)(rating)
    app.command("totals", help=TOTALS_HELP)(totals)
    app.command("deals", help=DEALS_HELP)(deals)


def rating(
    place: Season,
    held_out: Annotated[int, typer.Option("--held-out", min=0, help="Foretell so many of the last days.")] = 0,
    plot: Annotated[Path | None, typer.Option("--plot", help="An SVG file of what was foretold and came.")] = None,
    database: Database = "",
    jobs: Jobs = "1",
    as_json: AsJson = False,
) -> None:
    """Print the rating lists."""
    from ...season.asking import asking
    from ...season.persons import People
    from ...season.rating_list import rating_lists, record_of, rows_of
    from ...study.jobs import check_jobs

    if plot is not None and not held_out:
        raise BadInput("--plot shows what was foretold; say of how many days with --held-out")
    check_jobs(jobs)
    with asking(place, database, jobs) as (state, tables):
        lists = list(rating_lists(tables, held_out))
    people = People(state)
    if plot is not None:
        _write_plot(plot, lists)
    for one in lists:
        if as_json:
            print(json.dumps(record_of(one, people), ensure_ascii=False))
            continue
        rows = [{**row, **{name: f"{row[name]:.2f}" for name in _POINTS}} for row in rows_of(one, people)]
        title = f"{one.pool.game}, {one.pool.ruleset}: {len(rows)} rated by {one.games:,} games of {one.days} days"
        print_rows(rows, as_json, title)
        if one.left_out:
            count = f"{one.left_out} table{'s' * (one.left_out > 1)}"
            print(f"Not rated: {count} of a session, where a stand-in sat.")
        if one.held_out is not None:
            say(*_foretold(one.held_out))
    if not lists and not as_json:
        print("Nobody has played a game yet.")


def totals(place: Season, database: Database = "", jobs: Jobs = "1", as_json: AsJson = False) -> None:
    """Print what everybody has played."""
    from ...season.asking import asking
    from ...season.persons import People
    from ...season.tables import TOTALS
    from ...study.jobs import check_jobs

    check_jobs(jobs)
    with asking(place, database, jobs) as (state, tables):
        found = list(tables.ask(TOTALS))
    names = People(state).by_key
    columns = ("days", "sessions", "deals", "won", "points")
    rows = [
        {"person": person, "name": names[person].name if person in names else "", **_by_name(columns, numbers)}
        for person, *numbers in found
    ]
    print_rows(rows, as_json, "All deals")


def deals(
    place: Season, person: PersonName, database: Database = "", jobs: Jobs = "1", as_json: AsJson = False
) -> None:
    """Print somebody's deals."""
    from ...season.asking import asking
    from ...season.persons import People
    from ...season.tables import DEALS_COLUMNS, DEALS_OF
    from ...season.who import find_person
    from ...study.jobs import check_jobs

    check_jobs(jobs)
    with asking(place, database, jobs) as (state, tables):
        found = find_person(People(state), person)
        rows = [_by_name(DEALS_COLUMNS, row) for row in tables.ask(DEALS_OF, {"person": found.key})]
    print_rows(rows, as_json, f"{found.name}, {found.key}")


def _write_plot(path: Path, lists: "list[RatingList]") -> None:
    from ...season.rating_plot import reliability_plot
    from ...system.disk import write_named

    shown = {f"{one.pool.game}, {one.pool.ruleset}": one.held_out.bins for one in lists if one.held_out is not None}
    if not shown:
        raise BadInput("nobody has played a game yet; there is nothing to plot")
    write_named(path, reliability_plot(shown).encode())


def _foretold(told: "HeldOut") -> Iterator[str]:
    """Say what the ratings were worth."""
    yield (
        f"The last {told.days} days, {told.games:,} games, each foretold from the days before. "
        f"Log loss of the order at a table: {told.log_loss:.4f}."
    )
    for one in told.baselines:
        better = "Ratings foretell better" if one.is_beaten else "Ratings do not foretell better"
        yield (
            f"{better} than {_BASELINES[one.name]}: {one.log_loss:.4f}, "
            f"a difference of {one.gain:+.4f} a game, standard error {one.gain_error:.4f}."
        )
    yield "Given this chance to win the table, so many did:"
    for one_bin in told.bins:
        yield (
            f"  {one_bin.low:4.0%} to {one_bin.high:4.0%}  {one_bin.players:6,} players, "
            f"foretold {one_bin.foretold:6.1%}, won {one_bin.won:6.1%}"
        )


def _by_name(names: tuple[str, ...], row: Iterable[Any]) -> dict[str, Any]:
    """Return a row by the names of its columns."""
    return dict(zip(names, row, strict=True))


_POINTS = ("rating", "mean", "deviation")
_BASELINES = {"uniform": "that every order is as likely", "past places": "the places that the four have had before"}
