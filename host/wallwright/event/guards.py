"""Guards of an event: no entry replaces, drops or renumbers what was played or decided.

The desk asks `check` before it writes an entry, and the fold asks it of each entry that it reads. So an entry is
refused wherever it comes from, however long ago a command looked at the event; in an old journal it is passed over and
noted, and what stood before it stays. That an act is allowed and has its reason is the business of its command.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import EventRefused
from ..journal.kinds import Record, desk, rulings
from ..naming import EventTable
from ..words import words
from .acts import last_act, stays
from .format import REPLAY
from .lifecycle import OPEN, PLANNED, PLAYING, TRANSITIONS, advance, standing
from .state_parts import MAIN, Session, stage_sessions
from .table_sheet import TableSheet

if TYPE_CHECKING:
    from .state import EventState

_PLAYS = frozenset(trigger for trigger, _, target in TRANSITIONS if target in PLAYING)
"""The steps after which a session plays; one does at a time."""


def check(state: "EventState", said: Record) -> None:
    """Raise EventRefused when an entry that says this would take away what the event has."""
    guard = _GUARDS.get(type(said))
    if guard is not None:
        guard(state, said)


def check_not_opened(state: "EventState", stage: str) -> None:
    """EventRefused once a session of a draw is open: its seats stay from then on."""
    assert state.format is not None
    for number in stage_sessions(state.format, stage):
        session = state.sessions.get(number)
        if session is not None and session.state != PLANNED:
            problem = "session {session} of this draw has been opened, so its seats stay as they are"
            if stage in state.draws and not state.draws[stage].lots:
                problem = (
                    "session {session} of this draw has been opened, so its seats stay as they are; withdraw the "
                    "commitment that waits"
                )
            raise EventRefused(words(problem, session=number))


def check_open_draw(state: "EventState", stage: str) -> None:
    """EventRefused unless a commitment of a stage waits for its reveal."""
    draw = state.draws.get(stage)
    if draw is None or draw.lots:
        raise EventRefused(words("there is no commitment that waits for its reveal; commit to a seed first"))


def check_no_result(sheet: TableSheet, deal: int) -> None:
    """EventRefused when a deal of a table has a result."""
    if deal in sheet.deals:
        problem = "deal {deal} of {table} has a result; correct that one"
        raise EventRefused(words(problem, deal=deal, table=EventTable(sheet.table)))


def check_playing(state: "EventState", sheet: TableSheet) -> None:
    """EventRefused when a session does not play, or its table has signed its results."""
    session = state.sessions[sheet.session]
    if session.state not in PLAYING:
        problem = "{session}; results come in while it runs or is signed off"
        raise EventRefused(words(problem, session=standing(session.number, session.state)))
    if sheet.signed_off:
        problem = "{table} has signed its results; take the signature back, or correct a result"
        raise EventRefused(words(problem, table=EventTable(sheet.table)))


def check_hidden_deals(state: "EventState") -> None:
    """EventRefused when the deals that all tables play are shown, so that nobody can play one any more."""
    if state.deals is not None and state.deals.shown is not None:
        raise EventRefused(words("the deals of this event were shown to everybody, so none of them is played any more"))


def _begin(state: "EventState", _: desk.EventCreated) -> None:
    if state.format is not None:
        problem = "this journal holds the event {name} already; take another journal"
        raise EventRefused(words(problem, name=repr(state.format.name)))


def _list(state: "EventState", said: desk.PlayersImported) -> None:
    """Whoever has a seat, or had one, keeps number and name."""
    if not state.sessions:
        return
    listed = {one.number: one.name for one in said.roster.players}
    for number in sorted(_players_of(state.sessions.values())):
        if listed.get(number) != state.name(number):
            problem = "{name} has number {number} and a seat, and this list does not; add single players"
            raise EventRefused(words(problem, name=state.name(number), number=number))


def _add(state: "EventState", said: desk.PlayerAdded) -> None:
    if said.number in state.players:
        problem = "player {number} is {name} already; add the player anew"
        raise EventRefused(words(problem, number=said.number, name=state.name(said.number)))


def _withdraw(state: "EventState", said: desk.PlayerWithdrawn) -> None:
    if said.player not in state.players:
        raise EventRefused(words("there is no player {number}", number=said.player))
    if said.player in state.withdrawn:
        raise EventRefused(words("{name} has withdrawn already", name=state.name(said.player)))


def _return(state: "EventState", said: desk.PlayerReturned) -> None:
    if said.player not in state.withdrawn:
        raise EventRefused(words("{name} has not withdrawn", name=state.name(said.player)))


def _commit(state: "EventState", said: desk.DrawCommitted) -> None:
    check_not_opened(state, said.stage)


def _go_on_drawing(state: "EventState", said: desk.DrawContributed | desk.DrawRevealed) -> None:
    check_open_draw(state, said.stage)
    check_not_opened(state, said.stage)


def _give_up(state: "EventState", said: desk.DrawWithdrawn) -> None:
    check_open_draw(state, said.stage)


def _plan(state: "EventState", said: desk.SeatsPlanned) -> None:
    check_not_opened(state, said.stage)
    for number in range(said.first, said.first + len(said.sessions)):
        session = state.sessions.get(number)
        if session is not None and session.state != PLANNED:
            raise EventRefused(words("{session}, so its seats stay", session=standing(number, session.state)))


def _seat_four(state: "EventState", said: desk.TableAdded) -> None:
    session = _session(state, said.session)
    if session.state not in (PLANNED, OPEN):
        raise EventRefused(
            words("{session}; no table is added any more", session=standing(said.session, session.state))
        )
    for player in said.players:
        _check_free(state, session, player)


def _substitute(state: "EventState", said: desk.PlayerSubstituted) -> None:
    session, sheet = _session(state, said.session), _sheet(state, said.session, said.table)
    if session.state not in (PLANNED, OPEN, *PLAYING) or sheet.signed_off:
        problem = "{session}; nobody takes a seat in it any more"
        raise EventRefused(words(problem, session=standing(said.session, session.state)))
    if sheet.players[said.seat] != said.out:
        problem = "{name} does not sit there at {table} in session {session} any more"
        name = state.name(said.out)
        raise EventRefused(words(problem, name=name, table=EventTable(said.table), session=said.session))
    _check_free(state, session, said.into)


def _swap(state: "EventState", said: desk.PlayersSat) -> None:
    """Whoever is said to have had a place had it until now, and nobody has two places then."""
    session = _session(state, said.session)
    if session.state == PLANNED:
        raise EventRefused(
            words("{session}; nobody has taken a seat in it yet", session=standing(said.session, session.state))
        )
    sat = {one.instead_of: one.player for one in said.seats}
    for one in said.seats:
        if one.player not in state.players:
            raise EventRefused(words("there is no player {number}", number=one.player))
        if one.table is None or one.seat is None:
            is_there = one.instead_of in session.byes
        else:
            is_there = _sheet(state, said.session, one.table).players_in(said.from_deal)[one.seat] == one.instead_of
        if not is_there:
            problem = "{name} does not have that place in session {session} any more; look at it again"
            raise EventRefused(words(problem, name=state.name(one.instead_of), session=said.session))
    changes = {deal for sheet in session.tables for deal in sheet.seated if deal > said.from_deal}
    for deal in (said.from_deal, *(one for one in sorted(changes) if one <= (said.to_deal or one))):
        seated = [sat.get(player, player) for sheet in session.tables for player in sheet.players_in(deal)]
        if len(set(seated)) < len(seated):
            problem = "somebody would have two seats in deal {deal} of session {session}; look at it again"
            raise EventRefused(words(problem, deal=deal, session=said.session))


def _undo(state: "EventState", said: desk.ActUndone) -> None:
    """Only the last act is undone, and whole; of an extract some entries are not known."""
    gone = {entry.id for undone in state.undone for entry in undone.entries}
    act = last_act(state)
    known = {entry.id for entry in state.taken if entry.id in said.entries}
    if not gone.isdisjoint(said.entries) or (known and (act is None or known != {one.id for one in act.entries})):
        raise EventRefused(words("something else was done meanwhile; look again at what was done last"))
    why = None if act is None or not known else stays(state, act)
    if act is not None and why is not None:
        raise EventRefused(words("{line} {why}", line=act.line(state), why=why))


def _move_winners(state: "EventState", said: desk.WinnersMoved) -> None:
    session = _session(state, said.session)
    if said.deal in session.moves:
        problem = "the winners of deal {deal} of session {session} have moved already"
        raise EventRefused(words(problem, deal=said.deal, session=said.session))
    for one in said.moves:
        if _sheet(state, said.session, one.table).players[one.seat] != one.player:
            problem = "{name} does not sit there at {table} in session {session} any more"
            name = state.name(one.player)
            raise EventRefused(words(problem, name=name, table=EventTable(one.table), session=said.session))


def _commit_deals(state: "EventState", _: desk.DealsCommitted) -> None:
    if state.deals is not None:
        raise EventRefused(words("deals were committed to already; they stay"))
    played = [one.number for one in state.sessions.values() if one.state not in (PLANNED, OPEN)]
    if played:
        raise EventRefused(words("session {session} has begun; deals are committed to before", session=played[0]))


def _replace_deal(state: "EventState", said: desk.DealReplaced) -> None:
    check_hidden_deals(state)
    session = _session(state, said.session)
    if session.state not in PLAYING:
        raise EventRefused(words("session {session} is not being played", session=said.session))
    for sheet in session.tables:
        check_no_result(sheet, said.deal)
    if state.deals is not None and said.spare != state.deals.next_spare():
        raise EventRefused(words("spare deal {spare} is not the next one; look at the deals again", spare=said.spare))


def _show_deals(state: "EventState", _: desk.DealsRevealed) -> None:
    if state.deals is not None and state.deals.shown is not None:
        raise EventRefused(words("the deals were shown already"))
    assert state.format is not None
    if not {*stage_sessions(state.format, MAIN)} <= state.sessions.keys():
        raise EventRefused(words("no seats are drawn yet; deals are shown after the last table has played"))
    to_come = [one.number for one in state.sessions.values() if one.state in (PLANNED, OPEN, *PLAYING)]
    if to_come:
        problem = "session {session} is still to be played or signed; deals are shown after the last table has played"
        raise EventRefused(words(problem, session=to_come[0]))


def _bind(state: "EventState", said: desk.TableBound) -> None:
    holder = None if said.unit is None else state.units.get(said.unit)
    if holder is not None and holder != said.table:
        problem = "unit {unit} stands at {table}; take it away from there first"
        raise EventRefused(words(problem, unit=str(said.unit), table=EventTable(holder)))


def _move(state: "EventState", said: desk.SessionMoved) -> None:
    session = _session(state, said.session)
    playing = state.playing
    if said.trigger in _PLAYS and playing is not None and playing is not session:
        problem = "{session}; it has to be signed off first"
        raise EventRefused(words(problem, session=standing(playing.number, playing.state)))
    advance(session.number, session.state, said.trigger)
    if said.trigger in ("start", "resume"):
        check_hidden_deals(state)


def _record(state: "EventState", said: desk.ResultRecorded) -> None:
    sheet = _sheet(state, said.session, said.table)
    check_playing(state, sheet)
    check_no_result(sheet, said.deal)


def _annul(state: "EventState", said: desk.DealAnnulled) -> None:
    sheet = _sheet(state, said.session, said.table)
    check_playing(state, sheet)
    if said.rule == REPLAY:
        check_hidden_deals(state)
    else:
        check_no_result(sheet, said.deal)


def _penalise(state: "EventState", said: rulings.PenaltyGiven) -> None:
    if said.player not in state.players:
        raise EventRefused(words("there is no player {number}", number=said.player))
    if said.session is not None:
        _session(state, said.session)


def _withdraw_penalty(state: "EventState", said: rulings.PenaltyWithdrawn) -> None:
    known = state.penalties.get(said.penalty)
    if known is None or known.withdrawn:
        raise EventRefused(words("penalty {penalty} does not stand; look at the penalties again", penalty=said.penalty))


def _decide(state: "EventState", said: rulings.AppealDecided) -> None:
    known = state.appeals.get(said.appeal)
    if known is None or not known.is_open:
        raise EventRefused(words("appeal {appeal} is not open; look at the appeals again", appeal=said.appeal))


def _check_free(state: "EventState", session: Session, player: int) -> None:
    name = state.name(player)
    if player not in state.players:
        raise EventRefused(words("there is no player {number}", number=player))
    if player in state.withdrawn:
        raise EventRefused(words("{name} has withdrawn; let them return first", name=name))
    if any(player in sheet.players for sheet in session.tables):
        raise EventRefused(words("{name} has a seat in session {session} already", name=name, session=session.number))


def _players_of(sessions: Iterable[Session]) -> set[int]:
    found: set[int] = set()
    for session in sessions:
        found.update(session.byes)
        for sheet in session.tables:
            found.update(sheet.players, *(deal.players for deal in sheet.deals.values()))
    return found


def _session(state: "EventState", number: int) -> Session:
    found = state.sessions.get(number)
    if found is None:
        raise EventRefused(words("there is no session {session}", session=number))
    return found


def _sheet(state: "EventState", session: int, table: int) -> TableSheet:
    found = state.sheet(session, table)
    if found is None:
        problem = "session {session} has no table {table}"
        raise EventRefused(words(problem, session=session, table=table))
    return found


_GUARDS: Mapping[type[Record], Callable[["EventState", Any], None]] = {
    desk.EventCreated: _begin,
    desk.PlayersImported: _list,
    desk.PlayerAdded: _add,
    desk.PlayerWithdrawn: _withdraw,
    desk.PlayerReturned: _return,
    desk.DrawCommitted: _commit,
    desk.DrawContributed: _go_on_drawing,
    desk.DrawRevealed: _go_on_drawing,
    desk.DrawWithdrawn: _give_up,
    desk.SeatsPlanned: _plan,
    desk.TableAdded: _seat_four,
    desk.PlayerSubstituted: _substitute,
    desk.PlayersSat: _swap,
    desk.ActUndone: _undo,
    desk.WinnersMoved: _move_winners,
    desk.DealsCommitted: _commit_deals,
    desk.DealReplaced: _replace_deal,
    desk.DealsRevealed: _show_deals,
    desk.TableBound: _bind,
    desk.SessionMoved: _move,
    desk.ResultRecorded: _record,
    desk.DealAnnulled: _annul,
    rulings.PenaltyGiven: _penalise,
    rulings.PenaltyWithdrawn: _withdraw_penalty,
    rulings.AppealDecided: _decide,
}
