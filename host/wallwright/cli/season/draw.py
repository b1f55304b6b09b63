"""`wallwright season draw commit | add | reveal | withdraw | show`, `season final`: seats and event of the final."""

import json
from typing import Annotated

import typer

from ..event.common import AsJson, By, Reason, print_done, who
from ..groups import group
from .common import Season

DRAW_HELP = """Draw the final's seats by lot, so that anybody can recompute it: commit, add parts, reveal; or withdraw.

Example: wallwright season draw commit year.season
"""
COMMIT_HELP = """Draw a secret seed and publish what commits to it, and to the list of who has qualified.

Example: wallwright season draw commit year.season

All days have to be final. The seed is kept in a file beside the journal, which only this user can read.
"""
ADD_HELP = """Add somebody's part to the draw: any text, such as dice rolled in the hall.

Example: wallwright season draw add year.season "Ann Lee" "4 2 6"
"""
REVEAL_HELP = """Reveal the seed: lots and the seats of all sessions follow.

Example: wallwright season draw reveal year.season
"""
WITHDRAW_HELP = """Give a commitment up before its reveal; the draw before it stands, if there was one.

Example: wallwright season draw withdraw year.season --reason "the first draw was right"
"""
SHOW_HELP = """Print the transcript of the draw, which `wallwright event draw verify` takes too.

Example: wallwright season draw show year.season > draw.json
"""

FINAL_HELP = """Begin the event of the final in a new journal: the finalists, with the seats that were drawn.

Example: wallwright season final year.season final.journal --format chengdu-grand-prix

It is run with `wallwright event` from there on. Its sessions are as many as the season says, and all of them count.
"""

draw_app = group("draw", DRAW_HELP)


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.add_typer(draw_app)
    app.command("final", help=FINAL_HELP)(final)


@draw_app.command("commit", help=COMMIT_HELP)
def commit(place: Season, reason: Reason = "", by: By = "", as_json: AsJson = False) -> None:
    """Commit to a seed."""
    import secrets

    from ...event.draw import SEED_SIZE
    from ...event.seeds import keep_seed
    from ...season.desk import open_season
    from ...season.final import commit_draw
    from ...season.state import STAGE

    seed = secrets.token_bytes(SEED_SIZE)
    with open_season(place, who(by)) as desk:
        committed = commit_draw(desk, seed, reason)
        keep_seed(place, STAGE, committed, seed)
    print_done(as_json, f"Commitment, to be shown to everybody: {committed}", commitment=committed)


@draw_app.command("add", help=ADD_HELP)
def add(
    place: Season,
    of: Annotated[str, typer.Argument(metavar="WHO", help="Whose part it is.")],
    text: Annotated[str, typer.Argument(metavar="PART", help="The part.")],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Add a part."""
    from ...season.desk import open_season
    from ...season.final import contribute

    with open_season(place, who(by)) as desk:
        number = contribute(desk, of, text)
    print_done(as_json, f"Part {number} of the draw, of {of}: {text}", part=number)


@draw_app.command("reveal", help=REVEAL_HELP)
def reveal(place: Season, by: By = "", as_json: AsJson = False) -> None:
    """Reveal the seed."""
    from ...event.seeds import forget, kept_seed
    from ...season.desk import open_season
    from ...season.final import reveal_draw, seat_lines
    from ...season.state import STAGE

    with open_season(place, who(by)) as desk:
        draw = desk.state.draw
        report = reveal_draw(desk, kept_seed(place, STAGE, "" if draw is None else draw.commitment))
        lines = seat_lines(desk.state)
        lots = () if desk.state.draw is None else desk.state.draw.lots
    forget(place, STAGE)
    print_done(as_json, lines, lots=list(lots), lines=lines, **report.record())


@draw_app.command("withdraw", help=WITHDRAW_HELP)
def withdraw(place: Season, reason: Reason = "", by: By = "", as_json: AsJson = False) -> None:
    """Withdraw a commitment."""
    from ...event.seeds import forget
    from ...season.desk import open_season
    from ...season.final import withdraw_draw
    from ...season.state import STAGE

    with open_season(place, who(by)) as desk:
        withdraw_draw(desk, reason)
        stands = desk.state.drawn is not None
    forget(place, STAGE)
    now = "The seats that were drawn before stay." if stands else "No draw is begun now."
    print_done(as_json, f"The commitment is withdrawn. {now}", stands=stands)


def final(
    place: Season,
    journal: Annotated[str, typer.Argument(metavar="JOURNAL", help="The new journal of the final.")],
    chosen: Annotated[str, typer.Option("--format", help="A preset or a TOML file.")] = "chengdu-grand-prix",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Begin the final."""
    from ...event.format_file import load_format
    from ...event.store import open_event
    from ...journal.leaves import new_salt
    from ...season.desk import read_season
    from ...season.final import begin_final

    state, event_format = read_season(place), load_format(chosen)
    with open_event(journal, who(by), new=True) as desk:
        begin_final(state, desk, event_format, new_salt())
        players, sessions = len(desk.state.players), desk.format.sessions
    text = f"{journal}: {players} finalists, {sessions} sessions; open the first with `wallwright event start`."
    print_done(as_json, text, journal=journal, players=players, sessions=sessions)


@draw_app.command("show", help=SHOW_HELP)
def show(place: Season) -> None:
    """Print the transcript."""
    from ...season.desk import read_season
    from ...season.final import transcript

    print(json.dumps(transcript(read_season(place)).record(), ensure_ascii=False, indent=1))
