"""Seats of sessions compared with the people who are there, as `event check` and steps of sessions ask.

A table that has played all its deals keeps its four: who has left since has played there.
"""

from collections.abc import Iterable, Iterator

from ..errors import EventRefused
from ..naming import EventTable
from ..words import Words, words
from .lifecycle import OPEN, PLANNED, RUNNING
from .reported_results import may_begin
from .state import EventState
from .state_parts import FINALS, MAIN, Session, stage_sessions
from .table_sheet import TableSheet


def check_present(state: EventState, sheets: Iterable[TableSheet]) -> None:
    """EventRefused when somebody who has withdrawn has a seat at one of these tables, which has deals left to play."""
    for sheet in sheets:
        if not _is_done(state, sheet):
            _check_four(state, sheet)


def check_present_again(state: EventState, sheet: TableSheet, played: int, now_ms: int) -> None:
    """EventRefused when a table that has `played` so many deals from now on would go on with who has withdrawn."""
    if state.sessions[sheet.session].state == RUNNING and may_begin(state, sheet, played, now_ms):
        _check_four(state, sheet)


def check_drawn(state: EventState, session: Session) -> None:
    """EventRefused while another draw of a session's seats is begun and not revealed."""
    if any(stage == _stage(state, session) for stage, _ in _waiting(state)):
        problem = "another draw for session {session} is begun; reveal its seed, or withdraw it for a reason"
        raise EventRefused(words(problem, session=session.number))


def seat_findings(state: EventState, now_ms: int) -> Iterator[Words]:
    """Yield, a sentence each, seats of people who are not there, and draws that wait although play has begun."""
    for session in state.sessions.values():
        for sheet in session.tables:
            if session.state in (PLANNED, OPEN) or (session.state == RUNNING and _plays(state, sheet, now_ms)):
                for player in _absent(state, sheet):
                    text = "session {session}, {table}: {name} has withdrawn and has a seat; let a substitute take it"
                    name = state.name(player)
                    yield words(text, session=session.number, table=EventTable(sheet.table), name=name)
    for _, sessions in _waiting(state):
        if opened := [one.number for one in sessions if one.state != PLANNED]:
            text = "session {session} was opened although another draw of its seats is begun; withdraw that draw"
            yield words(text, session=opened[0])


def _check_four(state: EventState, sheet: TableSheet) -> None:
    for player in sheet.players:
        if player in state.withdrawn:
            problem = "{name} has withdrawn and has a seat at {table} in session {session}; let a substitute take it"
            name = state.name(player)
            raise EventRefused(words(problem, name=name, table=EventTable(sheet.table), session=sheet.session))


def _absent(state: EventState, sheet: TableSheet) -> list[int]:
    return [] if _is_done(state, sheet) else [player for player in sheet.players if player in state.withdrawn]


def _is_done(state: EventState, sheet: TableSheet) -> bool:
    assert state.format is not None
    return sheet.signed_off or sheet.is_over or 0 < state.format.deals <= sheet.played


def _plays(state: EventState, sheet: TableSheet, now_ms: int) -> bool:
    return sheet.in_play is not None or may_begin(state, sheet, sheet.played, now_ms)


def _waiting(state: EventState) -> Iterator[tuple[str, list[Session]]]:
    """Yield the stages that wait for a reveal, with their sessions."""
    assert state.format is not None
    for stage, draw in state.draws.items():
        if not draw.lots:
            numbers = stage_sessions(state.format, stage)
            yield stage, [state.sessions[number] for number in numbers if number in state.sessions]


def _stage(state: EventState, session: Session) -> str:
    assert state.format is not None
    return MAIN if session.number in stage_sessions(state.format, MAIN) else FINALS
