"""`wallwright event sessions | start | pause | add-time | stop | resume | sign-off | publish | finalise`: the clock."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...naming import begun, seat_name
from .common import AsJson, By, OneTable, Place, Reason, SessionNumber, TableNumber, print_done, print_rows, who

if TYPE_CHECKING:
    from ...event.state import EventState
    from ...event.state_parts import Session

SESSIONS_HELP = """List the sessions, or the tables of one: states, clocks, deals.

Example: wallwright event sessions day.journal
"""
START_HELP = """Open a session, so that its seats are shown, and start the hall's clock.

Example: wallwright event start day.journal 1

With --open the clock waits for another start. --put-back closes a session that was opened by mistake.
"""
PAUSE_HELP = """Let the hall's clock, or one table's, stand still; --end lets it go on.

Example: wallwright event pause day.journal 1 --table 7 --reason "no light"
"""
TIME_HELP = """Give the hall, or one table, more minutes; less with a negative number after --.

Example: wallwright event add-time day.journal 1 5 --table 7 --reason "the lid was stuck"
"""
STOP_HELP = """Stop the clock: no deal starts after this.

Example: wallwright event stop day.journal 1

While a table has time and deals left it needs a --reason.
"""
RESUME_HELP = """Let a session that was stopped by mistake go on; the time between does not count.

Example: wallwright event resume day.journal 1 --reason "wrong session"
"""
SIGN_HELP = """Take a table's signature under its results; it confirms what the table has told.

Example: wallwright event sign-off day.journal 1 7

The last table makes the session provisional, and a signed checkpoint of the journal is printed. --take-back lets a
table score or play again.
"""
PUBLISH_HELP = """Show the results of a session to everybody; the time for appeals begins.

Example: wallwright event publish day.journal 1
"""
FINALISE_HELP = """Make the results of a session final, after the time for appeals, or before it is over with a reason.

Example: wallwright event finalise day.journal 1
"""


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("sessions", help=SESSIONS_HELP)(sessions)
    app.command("start", help=START_HELP)(start)
    app.command("pause", help=PAUSE_HELP)(pause)
    app.command("add-time", help=TIME_HELP)(add_time)
    app.command("stop", help=STOP_HELP)(stop)
    app.command("resume", help=RESUME_HELP)(resume)
    app.command("sign-off", help=SIGN_HELP)(sign_off)
    app.command("publish", help=PUBLISH_HELP)(publish)
    app.command("finalise", help=FINALISE_HELP)(finalise)


def sessions(
    place: Place,
    number: Annotated[int | None, typer.Argument(metavar="[SESSION]", help="One session, table by table.")] = None,
    as_json: AsJson = False,
) -> None:
    """List sessions or tables."""
    from ...clocks import wall_ms
    from ...errors import EventRefused
    from ...event.desk import Desk
    from ...event.store import read_event

    state = read_event(place)
    now = Desk.to_read(state, wall_ms).now()
    if number is None:
        print_rows([_session_row(state, one, now) for one in state.sessions.values()], as_json, "Sessions")
        return
    if number not in state.sessions:
        raise EventRefused(f"session {number} has no seats yet; draw lots first")
    print_rows(_table_rows(state, state.sessions[number], now, as_json), as_json, f"Session {number}")


def start(
    place: Place,
    number: SessionNumber,
    only_open: Annotated[bool, typer.Option("--open", help="Show the seats, and start later.")] = False,
    put_back: Annotated[bool, typer.Option("--put-back", help="It was opened by mistake.")] = False,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Open and start."""
    from ...event import running
    from ...event.lifecycle import PLANNED
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        if put_back:
            running.put_back(desk, number)
        else:
            if only_open or desk.session(number).state == PLANNED:
                running.open_session(desk, number)
            if not only_open:
                running.start_session(desk, number)
        _print_state(desk.session(number), as_json)


def pause(
    place: Place,
    number: SessionNumber,
    table: OneTable = None,
    end: Annotated[bool, typer.Option("--end", help="Let the clock go on.")] = False,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Pause, or end a pause."""
    from ...event import running
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        if end:
            running.end_pause(desk, number, table)
        else:
            running.pause(desk, number, reason, table)
        _print_clock(desk.state, number, table, desk.now(), as_json)


def add_time(
    place: Place,
    number: SessionNumber,
    minutes: Annotated[int, typer.Argument(metavar="MINUTES", help="How many more.")],
    reason: Reason,
    table: OneTable = None,
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Add time."""
    from ...event import running
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        running.add_time(desk, number, minutes, reason, table)
        _print_clock(desk.state, number, table, desk.now(), as_json)


def stop(place: Place, number: SessionNumber, reason: Reason = "", by: By = "", as_json: AsJson = False) -> None:
    """Stop the clock."""
    from ...event import running
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        checkpoint = running.stop_session(desk, number, reason)
        _print_state(desk.session(number), as_json, checkpoint)


def resume(place: Place, number: SessionNumber, reason: Reason = "", by: By = "", as_json: AsJson = False) -> None:
    """Go on after a stop."""
    from ...event import running
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        running.resume_session(desk, number, reason)
        _print_state(desk.session(number), as_json)


def sign_off(
    place: Place,
    number: SessionNumber,
    table: TableNumber,
    take_back: Annotated[bool, typer.Option("--take-back", help="Take the signature back.")] = False,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Sign, or take a signature back."""
    from ...event import running
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        checkpoint = ""
        if take_back:
            running.take_back_signature(desk, number, table, reason)
        else:
            checkpoint = running.sign_off(desk, number, table)
        _print_state(desk.session(number), as_json, checkpoint)


def publish(place: Place, number: SessionNumber, by: By = "", as_json: AsJson = False) -> None:
    """Publish."""
    from ...event import running
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        running.publish(desk, number)
        _print_state(desk.session(number), as_json)


def finalise(place: Place, number: SessionNumber, reason: Reason = "", by: By = "", as_json: AsJson = False) -> None:
    """Make final."""
    from ...event import running
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        running.finalise(desk, number, reason)
        _print_state(desk.session(number), as_json)


def _session_row(state: "EventState", session: "Session", now: int) -> dict[str, Any]:
    from ...event.lifecycle import state_words
    from ...event.running import warnings_given

    assert state.format is not None
    warned = ", ".join(f"{minutes} min" for minutes in warnings_given(state, session, now))
    return {
        "session": session.number,
        "day": state.format.day_of(session.number),
        "state": state_words(session.state),
        "tables": len(session.tables),
        "signed": sum(sheet.signed_off for sheet in session.tables),
        "deals": sum(len(sheet.counted()) for sheet in session.tables),
        "time_left": _minutes(session.clock.left_ms(state.format.limit_ms, now)),
        "warned": warned,
        "paused": session.clock.is_paused,
    }


def _table_rows(state: "EventState", session: "Session", now: int, as_json: bool) -> list[dict[str, Any]]:
    from ...event.standings import session_points

    assert state.format is not None
    points = session_points(state, session)
    rows = []
    for sheet in session.tables:
        clock = state.clock_of(sheet)
        named = state.table_name(sheet.table)
        place = {"table": sheet.table, "hall": state.hall_name(sheet.table) or None} if as_json else {"table": named}
        row: dict[str, Any] = {**place, "unit": state.unit_of.get(sheet.table), "deals": sheet.played}
        row |= {"in_play": None if sheet.in_play is None else sheet.in_play.deal}
        row |= {"time_left": _minutes(clock.left_ms(state.format.limit_ms, now)), "paused": clock.is_paused}
        for seat, player in enumerate(sheet.players):
            row[f"seat_{seat}" if as_json else seat_name(seat, state.format.seats)] = (
                f"{state.name(player)} {points[player]:+d}"
            )
        left = [f"{state.name(one)} {points[one]:+d}" for one in sheet.all_players[len(sheet.players) :]]
        row["left"] = left if as_json else ", ".join(left)
        waiting = ", ".join(f"{deal}:{sheet.deals[deal].entry}" for deal in sheet.unapproved) or None
        rows.append(row | {"to_approve": waiting, "signed": sheet.signed_off})
    return rows


def _print_state(session: "Session", as_json: bool, checkpoint: str = "") -> None:
    from ...event.lifecycle import state_words

    values = {"session": session.number, "state": session.state}
    if checkpoint:
        values["checkpoint"] = checkpoint
    text = f"Session {session.number} is {state_words(session.state)}."
    print_done(as_json, [text, f"Checkpoint, to be printed: {checkpoint}"] if checkpoint else text, **values)


def _print_clock(state: "EventState", number: int, table: int | None, now: int, as_json: bool) -> None:
    assert state.format is not None
    session = state.sessions[number]
    clock = session.clock if table is None else state.clock_of(session.tables[table - 1])
    left = clock.left_ms(state.format.limit_ms, now)
    where = "The hall" if table is None else begun(state.table_name(table))
    text = f"{where}: {_minutes(left)} left{', paused' if clock.is_paused else ''}."
    if as_json:
        print(json.dumps({"session": number, "table": table, "left_ms": left, "paused": clock.is_paused}))
    else:
        print(text)


def _minutes(ms: int) -> str:
    return f"{ms // 60_000}:{ms // 1000 % 60:02d}"
