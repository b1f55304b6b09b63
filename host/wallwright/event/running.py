"""Sessions on the clock: opened, started, paused, given time, stopped, signed off, published, made final."""

from collections.abc import Callable, Iterable, Mapping

from ..errors import EventRefused
from ..journal.kinds.desk import ClockChanged, OfDesk, ResultsConfirmed, SessionMoved, TableSignedOff
from ..naming import EventTable
from ..words import Listed, Value, plural, words
from . import guards
from .clock import Clock
from .desk import Desk, need_reason
from .format import EventFormat
from .lifecycle import AWAITING, OPEN, PLANNED, PLAYING, RUNNING, advance, standing
from .limits import MINUTE_MS
from .reported_results import may_begin
from .seat_findings import check_drawn, check_present, check_present_again
from .setup import check_finalists
from .state import EventState
from .state_parts import Session
from .table_sheet import TableSheet


def open_session(desk: Desk, number: int) -> None:
    """Show its seats, so that players take them."""
    session = desk.session(number)
    for one in desk.state.sessions.values():
        if one.number < number and one.state in (PLANNED, OPEN):
            problem = "{earlier}; it comes before session {session}"
            raise EventRefused(words(problem, earlier=standing(one.number, one.state), session=number))
    _need_seats(desk, session)
    _move(desk, session, "open")


def put_back(desk: Desk, number: int) -> None:
    """Close a session that was opened by mistake."""
    _move(desk, desk.session(number), "put_back")


def start_session(desk: Desk, number: int) -> None:
    """Start the hall's clock. One session runs at a time."""
    session = desk.session(number)
    starts = _moved(session, "start")
    guards.check(desk.state, starts)
    _need_seats(desk, session)
    desk.write(starts)


def stop_session(desk: Desk, number: int, reason: str = "") -> str:
    """Stop the clock: no deal starts after this. Before time is up and all deals are played it needs a reason.

    When all tables have signed already the session is done: the checkpoint of the journal is returned, to be printed.
    """
    session = desk.session(number)
    now = desk.now()
    going_on = [sheet.table for sheet in session.tables if may_start_deal(desk.state, sheet, now)]
    if session.state == RUNNING and going_on:
        text = "{tables} has time and deals left" if len(going_on) == 1 else "{tables} have time and deals left"
        need_reason(reason, words(text, tables=_list(going_on)))
    advance(number, session.state, "stop")
    facts = [_moved(session, "stop", reason)]
    is_done = all(sheet.signed_off for sheet in session.tables)
    if is_done:
        facts.append(_moved(session, "sign_off"))
    desk.write_all(facts)
    return desk.checkpoint() if is_done else ""


def resume_session(desk: Desk, number: int, reason: str) -> None:
    """Let a session that was stopped go on; the time between does not count."""
    need_reason(reason, words("session {session} was stopped", session=number))
    if signed := [sheet.table for sheet in desk.session(number).tables if sheet.signed_off]:
        problem = (
            "{tables} has signed its results; take the signature back first"
            if len(signed) == 1
            else "{tables} have signed their results; take their signatures back first"
        )
        raise EventRefused(words(problem, tables=_list(signed)))
    check_present(desk.state, desk.session(number).tables)
    _move(desk, desk.session(number), "resume", reason)


def pause(desk: Desk, number: int, reason: str, table: int | None = None) -> None:
    """Let the hall's clock, or a table's own, stand still."""
    need_reason(reason, words("a clock is paused for a reason"))
    clock = _running_clock(desk, number, table)
    if clock.is_paused:
        raise EventRefused(words("it is paused already; end that pause first"))
    _change_clock(desk, number, table, "pause", 0, reason)


def end_pause(desk: Desk, number: int, table: int | None = None) -> None:
    """Let the clock go on."""
    if not _running_clock(desk, number, table).is_paused:
        raise EventRefused(words("it is not paused; a table's pause is ended with its number, the hall's without"))
    _change_clock(desk, number, table, "resume", 0, "")


def add_time(desk: Desk, number: int, minutes: int, reason: str, table: int | None = None) -> None:
    """Give the hall, or one table, more time; less when `minutes` is negative."""
    need_reason(reason, words("time is added or taken for a reason"))
    _running_clock(desk, number, table)
    if not minutes:
        raise EventRefused(words("0 minutes change nothing; give a number of minutes"))
    if minutes > 0:
        check_present(desk.state, desk.session(number).tables if table is None else [desk.sheet(number, table)])
    _change_clock(desk, number, table, "add", minutes * MINUTE_MS, reason)


def may_start_deal(state: EventState, sheet: TableSheet, now_ms: int) -> bool:
    """Whether a table may start another deal: deals and time, whichever is used up first, end a session (SBR-9.1)."""
    if state.sessions[sheet.session].state != RUNNING or sheet.signed_off:
        return False
    return may_begin(state, sheet, sheet.played, now_ms)


def warnings_given(state: EventState, session: Session, now_ms: int) -> tuple[int, ...]:
    """Return the warnings, in minutes before the end of the session, whose time has come by the hall's clock."""
    assert state.format is not None
    if session.clock.started_ms is None:
        return ()
    left_ms = session.clock.left_ms(state.format.limit_ms, now_ms)
    return tuple(minutes for minutes in state.format.warnings if left_ms <= minutes * MINUTE_MS)


def sign_off(desk: Desk, number: int, table: int) -> str:
    """Take a table's signature under its results, which confirms them.

    The last one makes the session provisional: the checkpoint of the journal is returned, to be printed.
    """
    sheet = desk.sheet_in_play(number, table)
    session = desk.session(number)
    if sheet.in_play is not None:
        problem = "{table} is in deal {deal}; it signs when that is played or annulled"
        raise EventRefused(words(problem, table=EventTable(table), deal=sheet.in_play.deal))
    if session.state == RUNNING and may_start_deal(desk.state, sheet, desk.now()):
        raise EventRefused(words("{table} has time and deals left; stop the session first", table=EventTable(table)))
    _need_approval([sheet])
    facts: list[OfDesk] = []
    if sheet.unconfirmed:
        facts.append(ResultsConfirmed(session=number, table=table, deals=tuple(sheet.unconfirmed)))
    facts.append(TableSignedOff(session=number, table=table, signed=True))
    is_done = session.state == AWAITING and all(one.signed_off for one in session.tables if one is not sheet)
    if is_done:
        advance(number, session.state, "sign_off")
        facts.append(_moved(session, "sign_off"))
    desk.write_all(facts)
    return desk.checkpoint() if is_done else ""


def take_back_signature(desk: Desk, number: int, table: int, reason: str) -> None:
    """Let a table score or play again; a session that was done waits to be signed off again."""
    need_reason(reason, words("{table} has signed", table=EventTable(table)))
    session, sheet = desk.session(number), desk.sheet(number, table)
    if not sheet.signed_off:
        raise EventRefused(words("{table} has not signed yet", table=EventTable(table)))
    check_present_again(desk.state, sheet, sheet.played, desk.now())
    facts: list[OfDesk] = []
    if session.state not in PLAYING:
        facts.append(_moved(session, "reopen", reason))
    facts.append(TableSignedOff(session=number, table=table, signed=False, reason=reason))
    desk.write_all(facts)


def publish(desk: Desk, number: int) -> None:
    """Show the results of a session to everybody; the time for appeals begins."""
    session = desk.session(number)
    advance(number, session.state, "publish")
    _need_approval(session.tables)
    _move(desk, session, "publish")


def finalise(desk: Desk, number: int, reason: str = "") -> None:
    """Make the results final, after the time for appeals, or before it is over with a reason.

    Not before every appeal is decided and every result approved.
    """
    session = desk.session(number)
    advance(number, session.state, "finalise")
    for appeal in desk.state.appeals.values():
        if appeal.is_open and appeal.session == number:
            who = desk.state.name(appeal.player)
            problem = "appeal {appeal} of {who} about {subject} is open; decide it first"
            raise EventRefused(words(problem, appeal=appeal.entry, who=who, subject=appeal.subject))
    _need_approval(session.tables)
    until = appeals_until_ms(desk.format, session)
    if desk.now() < until:
        left = -(-(until - desk.now()) // MINUTE_MS)
        why = plural(
            "session {session} can be appealed for {left} more minute",
            "session {session} can be appealed for {left} more minutes",
            "left",
        )
        need_reason(reason, words(why, session=number, left=left))
    _move(desk, session, "finalise", reason)


def appeals_until_ms(event_format: EventFormat, session: Session) -> int:
    """Return when the time for appeals ends, ms since 1970, of a session that is published."""
    return session.published_ms + event_format.appeal_minutes * MINUTE_MS


def _move(desk: Desk, session: Session, trigger: str, reason: str = "") -> None:
    desk.write(_moved(session, trigger, reason))


def _need_seats(desk: Desk, session: Session) -> None:
    """EventRefused for a session whose seats are drawn anew, or are those of people who have left."""
    check_drawn(desk.state, session)
    check_finalists(desk, session)
    check_present(desk.state, session.tables)


def _moved(session: Session, trigger: str, reason: str = "") -> SessionMoved:
    return SessionMoved(session=session.number, trigger=trigger, reason=reason)


def _running_clock(desk: Desk, number: int, table: int | None) -> Clock:
    session = desk.session(number)
    if session.state != RUNNING:
        raise EventRefused(words("{session}; its clock does not run", session=standing(number, session.state)))
    return session.clock if table is None else desk.sheet(number, table).clock


def _change_clock(desk: Desk, number: int, table: int | None, change: str, ms: int, reason: str) -> None:
    desk.write(ClockChanged(session=number, table=table, change=change, ms=ms, reason=reason))


def _need_approval(sheets: Iterable[TableSheet]) -> None:
    for sheet in sheets:
        if sheet.unapproved:
            deals = ", ".join(map(str, sheet.unapproved))
            problem = "a referee has to approve deal {deals} of {table} first, or correct or void it"
            raise EventRefused(words(problem, deals=deals, table=EventTable(sheet.table)))


def _list(tables: list[int]) -> Value:
    some = Listed(tuple(map(EventTable, tables[:8])))
    return some if len(tables) <= 8 else words("{some} and {more} more", some=some, more=len(tables) - 8)


STEPS: Mapping[str, Callable[[Desk, int, str], object]] = {
    "open": lambda desk, session, _: open_session(desk, session),
    "put_back": lambda desk, session, _: put_back(desk, session),
    "start": lambda desk, session, _: start_session(desk, session),
    "stop": stop_session,
    "resume": resume_session,
    "publish": lambda desk, session, _: publish(desk, session),
    "finalise": finalise,
    "pause": pause,
    "end_pause": lambda desk, session, _: end_pause(desk, session),
}
"""What may be done with a session, by name; the last argument is the reason."""
