"""`wallwright event new | draw ... | bind | seats`: before the first session."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ...errors import EventRefused
from ...naming import begun, seat_name
from ...system.strict_json import BadJson, read_json_file
from ..groups import group
from .common import AsJson, By, Place, Reason, SessionNumber, TableNumber, print_done, print_lines, print_rows, who

NEW_HELP = """Begin an event in a new journal.

Example: wallwright event new day.journal --format chengdu-grand-prix

The format is chengdu-grand-prix, mil-2025, hong-kong-club, cumberland-evening, balsall-evening, mil-2025-pairs,
mil-2025-teams, or the path of a TOML file; docs/events.md lists its fields.
"""
DRAW_HELP = """Draw seats by lot, so that anybody can recompute it: commit, add parts, reveal; or withdraw.

Example: wallwright event draw commit day.journal
"""
COMMIT_HELP = """Draw a secret seed and publish what commits to it.

Example: wallwright event draw commit day.journal --stand-ins

The seed is kept in a file beside the journal, which only this user can read, until it is revealed here or at the
console. A number of players that does not divide by four needs --stand-ins or --byes.
"""
ADD_HELP = """Add somebody's part to the draw: any text, such as dice rolled in the hall.

Example: wallwright event draw add day.journal "Ann Lee" "4 2 6"
"""
REVEAL_HELP = """Reveal the seed: lots and seats follow, and are checked before they are used.

Example: wallwright event draw reveal day.journal
"""
WITHDRAW_HELP = """Give a commitment up before its reveal; the draw before it stands, if there was one.

Example: wallwright event draw withdraw day.journal --reason "the first draw was right"

Everybody sees the reason. Without a draw before it the list of players is free again, without stand-ins.
"""
SHOW_HELP = """Print the transcript of a draw.

Example: wallwright event draw show day.journal > draw.json
"""
VERIFY_HELP = """Recompute a draw from its transcript, or from a journal with the seats that followed.

Example: wallwright event draw verify draw.json

The exit code is 1 when something is wrong.
"""
BIND_HELP = """Say which board stands at a table, or none; in mid-session too.

Example: wallwright event bind day.journal 7 SIM-12

What was logged before stays with the table. While it plays, a swap needs a --reason.
"""
SEATS_HELP = """Print who sits where in a session, and who has moved on last where winners do.

Example: wallwright event seats day.journal 2
"""

Stage = Annotated[str, typer.Option(help="main, or final for the seats of the final.")]

draw_app = group("draw", DRAW_HELP)


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("new", help=NEW_HELP)(new)
    app.add_typer(draw_app)
    app.command("bind", help=BIND_HELP)(bind)
    app.command("seats", help=SEATS_HELP)(seats)


def new(
    place: Place,
    chosen: Annotated[str, typer.Option("--format", help="A preset or a TOML file.")] = "chengdu-grand-prix",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Begin an event."""
    from ...event.format_file import load_format
    from ...event.setup import create
    from ...event.store import open_event
    from ...journal.leaves import new_salt

    event_format = load_format(chosen)
    with open_event(place, who(by), new=True) as desk:
        create(desk, event_format, salt=new_salt())
    text = f"{event_format.name}: {event_format.sessions} sessions by the rules {event_format.ruleset.name}."
    print_done(as_json, text, event=event_format.name, sessions=event_format.sessions)


@draw_app.command("commit", help=COMMIT_HELP)
def commit(
    place: Place,
    stage: Stage = "main",
    byes: Annotated[bool, typer.Option("--byes", help="Let players sit out in turn.")] = False,
    stand_ins: Annotated[bool, typer.Option("--stand-ins", help="Fill tables with people who are not ranked.")] = False,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Commit to a seed."""
    from ...event import seeds
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        committed = seeds.commit(desk, place, stage, byes=byes, stand_ins=stand_ins, reason=reason)
    print_done(as_json, f"Commitment, to be shown to everybody: {committed}", commitment=committed)


@draw_app.command("add", help=ADD_HELP)
def add(
    place: Place,
    of: Annotated[str, typer.Argument(metavar="WHO", help="Whose part it is.")],
    text: Annotated[str, typer.Argument(metavar="PART", help="The part.")],
    stage: Stage = "main",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Add a part."""
    from ...event.setup import contribute
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        contribute(desk, stage, of, text)
        count = len(desk.state.draws[stage].contributions)
    print_done(as_json, f"Part {count} of the draw, of {of}: {text}", part=count)


@draw_app.command("reveal", help=REVEAL_HELP)
def reveal(place: Place, stage: Stage = "main", by: By = "", as_json: AsJson = False) -> None:
    """Reveal the seed."""
    from ...event import seeds
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        report = seeds.reveal(desk, place, stage)
        lots = desk.state.draws[stage].lots
    seeds.forget(place, stage)
    text = (
        f"Lots: {' '.join(map(str, lots))}",
        f"Pairs that meet again: {report.repeats} times (no plan can have less than {report.least_repeats}). "
        f"Clashes at one table: {report.clashes}. Seats differ by {report.seat_spread} at the most; "
        f"{report.table_repeats} times somebody sits at the same table again.",
    )
    print_done(as_json, text, lots=list(lots), **report.record())


@draw_app.command("withdraw", help=WITHDRAW_HELP)
def withdraw(place: Place, stage: Stage = "main", reason: Reason = "", by: By = "", as_json: AsJson = False) -> None:
    """Withdraw a commitment."""
    from ...event import seeds
    from ...event.setup import withdraw_draw
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        withdraw_draw(desk, stage, reason)
        stands = desk.state.drawn(stage) is not None
    seeds.forget(place, stage)
    now = "The seats that were drawn before stay." if stands else "No draw is begun now."
    print_done(as_json, f"The commitment is withdrawn. {now}", stands=stands)


@draw_app.command("show", help=SHOW_HELP)
def show(place: Place, stage: Stage = "main") -> None:
    """Print the transcript."""
    from ...event.setup import transcript
    from ...event.store import read_event

    print(json.dumps(transcript(read_event(place), stage).record(), ensure_ascii=False, indent=1))


@draw_app.command("verify", help=VERIFY_HELP)
def verify(
    place: Annotated[str, typer.Argument(metavar="JOURNAL", help="The event's journal, or a transcript.")],
    stage: Stage = "main",
    as_json: AsJson = False,
) -> None:
    """Recompute a draw."""
    from ...event.draw import verify as check
    from ...event.setup import plans_agree, transcript
    from ...event.store import read_event

    record = _transcript(place)
    seats_too = record is None
    problems: list[str] = []
    if record is None:
        state = read_event(place)
        record = transcript(state, stage).record()
        if not plans_agree(state, stage):
            problems.append("the seats in the journal do not follow from the draw")
    problems = [*check(record), *problems]
    good = "The lots follow from the seed that was committed to, the players and all parts"
    text = problems or [f"{good}{', and the seats from the lots' if seats_too else ''}."]
    print_done(as_json, text, right=not problems, problems=problems)
    if problems:
        raise typer.Exit(1)


def bind(
    place: Place,
    table: TableNumber,
    unit: Annotated[str | None, typer.Argument(metavar="[UNIT]", help="The board's unit; none: no board.")] = None,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Bind a board to a table."""
    from ...event.setup import bind_table
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        bind_table(desk, table, unit, reason)
    print_done(as_json, f"{begun(desk.state.table_name(table))}: {unit or 'no board'}.", table=table, unit=unit)


def seats(place: Place, number: SessionNumber, as_json: AsJson = False) -> None:
    """Print the seats of a session."""
    from ...event.movement import moves_after
    from ...event.sheets import seat_rows
    from ...event.store import read_event

    state = read_event(place)
    if number not in state.sessions:
        raise EventRefused(f"session {number} has no seats yet; draw lots first")
    rows = [row for row in seat_rows(state) if row["session"] == number]
    if as_json:
        print_rows(rows, as_json)
        return
    tables: dict[Any, list[str]] = {}
    for row in rows:
        assert state.format is not None
        seat = "" if row["seat"] is None else f"{seat_name(row['seat'], state.format.seats)} "
        tables.setdefault(row["table"], []).append(f"{seat}{row['player']} {row['name']}")
    moved = moves_after(state, number, max(state.sessions[number].moves, default=0))
    print_lines(
        [
            f"{'Bye' if table is None else begun(state.table_name(table))}: {', '.join(names)}"
            for table, names in tables.items()
        ]
        + moved,
        False,
        "seats",
    )


def _transcript(place: str) -> dict[str, Any] | None:
    """The transcript in a JSON file; None when the file is no text, so that it may be a journal."""
    if not Path(place).is_file():
        return None
    try:
        record = read_json_file(Path(place))
    except BadJson:
        return None
    return record if isinstance(record, dict) else None
