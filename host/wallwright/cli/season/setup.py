"""`wallwright season new | hall | halls`: before the first day."""

from typing import Annotated

import typer

from ..event.common import AsJson, By, print_done, print_rows, who
from .common import Season

NEW_HELP = """Begin a season in a new journal.

Example: wallwright season new year.season --format league

The format is chengdu-grand-prix-2016, league, rating-only, or the path of a TOML file; docs/season.md lists its fields.
"""
HALL_HELP = """Admit a hall by its key: days that another key has signed are refused.

Example: wallwright season hall year.season "East hall" J2...

`wallwright log keys` shows the key on the machine that keeps the hall's journal. Have it told by somebody you know, and
not by the file that it is to prove.
"""
HALLS_HELP = """List the halls, with their keys and how many days each has sent.

Example: wallwright season halls year.season
"""


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("new", help=NEW_HELP)(new)
    app.command("hall", help=HALL_HELP)(hall)
    app.command("halls", help=HALLS_HELP)(halls)


def new(
    place: Season,
    chosen: Annotated[str, typer.Option("--format", help="A preset or a TOML file.")] = "chengdu-grand-prix-2016",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Begin a season."""
    from ...season.desk import create, open_season
    from ...season.format_file import load_format

    season_format = load_format(chosen)
    with open_season(place, who(by), new=True) as desk:
        create(desk, season_format)
    days = f"up to {season_format.days} days" if season_format.days else "any number of days"
    print_done(as_json, f"{season_format.name}: {days}.", season=season_format.name, days=season_format.days)


def hall(
    place: Season,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the hall is called.")],
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its public key, as it is printed.")],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Admit a hall."""
    from ...journal import printed_key, read_key
    from ...season.desk import admit_hall, open_season

    printed = printed_key(read_key(key))
    with open_season(place, who(by)) as desk:
        admit_hall(desk, name, printed)
    print_done(as_json, f"{name} may send days, signed by {printed}.", hall=name, key=printed)


def halls(place: Season, as_json: AsJson = False) -> None:
    """List the halls."""
    from ...season.desk import read_season

    state = read_season(place)
    sent = [one.day.key for one in state.days.values()]
    rows = [{"hall": name, "key": key, "days": sent.count(key)} for key, name in state.halls.items()]
    print_rows(rows, as_json)
