"""Where a number in the standings comes from: the total from its sessions, a session from its deals, a deal from its
payments. Every line names the entry of the journal that it rests on.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from ..errors import EventRefused
from ..journal.kinds.deals import DealResult as TrackedResult
from ..journal.kinds.desk import Scored
from ..naming import EventTable, retold, with_seats
from ..rules.core.errors import RulesError
from ..words import NOTHING, Listed, Say, Seat, Words, english, plural, words
from .disclosure import LIVE, shown_penalties, shown_reason
from .format import MATCH_POINTS, POINTS, TABLE_POINTS, WINS, EventFormat
from .settling import explain_declared
from .standings import ABSENT, DISQUALIFIED, STAND_IN, WITHDRAWN, SessionScore, Standings, session_scores
from .state import EventState
from .state_parts import Penalty, Session
from .table_sheet import LIVE as COUNTS
from .table_sheet import VOIDED, DealResult, TableSheet

Result = Scored | TrackedResult
"""What the entry of a result says: by somebody's word, or by a table that followed the deal."""
ReadResult = Callable[[int], Result]
"""Gives what the result says whose entry has that number."""

_NOTES = {
    "": NOTHING,
    STAND_IN: words(", stand-in"),
    DISQUALIFIED: words(", disqualified"),
    WITHDRAWN: words(", withdrawn"),
}
_TIES = {
    "points": words("points"),
    "table_points": words("table points"),
    "wins": words("deals won"),
    "session_wins": words("sessions won"),
    "best_session": words("best session"),
    "best_deal": words("best deal"),
    "penalties": words("penalties"),
    "lot": words("lot"),
}
_PENALTIES = {
    "warning": words("warning"),
    "serious_warning": words("serious warning"),
    "points": words("penalty points"),
    "heavy_points": words("heavy penalty points"),
    "table_points": words("table points taken"),
    "no_win": words("may not win"),
    "loss_of_session": words("loss of the session"),
    "disqualification": words("disqualification"),
}

_UNITS = {
    POINTS: words("points"),
    TABLE_POINTS: words("table points"),
    WINS: words("deals won"),
    MATCH_POINTS: words("match points"),
}
_BEST_OF: Final = plural(
    "Of every session the best {keep} count (SBR-9.2).",
    "Of every {group} sessions the best {keep} count (SBR-9.2).",
    "group",
)
_TABLE_POINTS: Final = plural("{table_points} table point", "{table_points} table points", "table_points")


def explain_total(state: EventState, player: int, table: Standings, audience: str = LIVE) -> tuple[Words, ...]:
    """Say to an audience how a player's total and rank in `table` come about. EventRefused when there is none."""
    assert state.format is not None
    row = next((row for row in table.rows if row.player == player), None)
    if row is None or not table.sessions:
        raise EventRefused(words("{name} is not in the standings yet", name=state.name(player)))
    unit = _UNITS[state.format.rank_by]
    place = words("not ranked") if row.rank is None else words("rank {rank}", rank=row.rank)
    text = "{name} ({number}): {total} {unit}, {place}{note}."
    total, note = number(row.total), _NOTES[row.note]
    lines = [words(text, name=row.name, number=row.player, total=total, unit=unit, place=place, note=note)]
    lines += [_session_line(score, state.format) for score in row.sessions]
    if state.format.best_of:
        keep, group = state.format.best_of
        lines.append(words(_BEST_OF, group=group, keep=keep))
    if state.format.final_carry and state.format.final_sessions:
        lines.append(words("Finalists carry their score from the sessions before into the final."))
    seen = (None, *table.sessions)
    lines += [_penalty_line(one) for one in _standing(state, audience, player) if one.session in seen]
    chain = zip(state.format.tie_break, row.ties, strict=True)
    values = tuple(words("{name} {value}", name=_TIES[name], value=number(value)) for name, value in chain)
    lines.append(words("Ties are broken by: {values}.", values=Listed(values) if values else words("nothing")))
    return tuple(lines)


def explain_session(state: EventState, player: int, session: int, audience: str = LIVE) -> tuple[Words, ...]:
    """Say to an audience what a player got in a session, deal by deal. EventRefused when it was nothing."""
    found = state.sessions.get(session)
    score = None if found is None else session_scores(state, found).get(player)
    if found is None or score is None:
        raise EventRefused(words("{name} has no part in session {session}", name=state.name(player), session=session))
    lines = [words("{name}: {line}", name=state.name(player), line=_session_line(score, state.format))]
    lines += [line for sheet in found.tables for line in _deal_lines(state, sheet, player, audience)]
    lines += [_penalty_line(one) for one in _standing(state, audience, player) if one.session == session]
    lines += _table_point_lines(state, found, player)
    return tuple(lines)


def explain_deal(state: EventState, sheet: TableSheet, deal: int, read: ReadResult) -> tuple[str, ...]:
    """Say who paid whom in a deal, and what was corrected."""
    assert state.format is not None
    found = [one for one in (*sheet.past, *sheet.deals.values()) if one.deal == deal]
    if not found:
        problem = "{table} of session {session} has no result of deal {deal}"
        raise EventRefused(words(problem, table=EventTable(sheet.table), session=sheet.session, deal=deal))
    lines = [f"Session {sheet.session}, {state.table_name(sheet.table)}, deal {deal}."]
    for result in found:
        say = with_seats(english, state.format.seats, tuple(map(state.name, result.players)))
        earlier = [(entry, _signed(read(entry).points, say)) for entry in result.before]
        lines += [f"Entry {entry}, corrected since: points {points}." for entry, points in earlier]
        lines += _result_lines(state, result, read(result.entry), say)
    return tuple(lines)


def number(value: Fraction) -> str:
    """Write a fraction as people do: 5/2 as 2.5, hundredths likewise, thirds as they are."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.10g}" if 100 % value.denominator == 0 else str(value)


def _session_line(score: SessionScore, event_format: EventFormat | None) -> Words:
    if score.kind == ABSENT:
        return words("Session {session}: was not there.", session=score.session)
    where = words("bye") if score.table is None else EventTable(score.table)
    fined = words(", penalties of {points} in them", points=score.penalty_points) if score.penalty_points else NOTHING
    given = words(_TABLE_POINTS, table_points=number(score.table_points))
    if event_format is not None and event_format.rank_by == WINS:
        given = words(plural("{deals} deal won", "{deals} deals won", "deals"), deals=score.deals_won)
    if event_format is not None and event_format.rank_by == MATCH_POINTS:
        given = words(
            plural("match points {value} by {deals} deal", "match points {value} by {deals} deals", "deals"),
            value=number(score.match_points),
            deals=score.compared,
        )
    return words(
        "Session {session}, {where}: {points}{fined}, {table_points}{won}{dropped}.",
        session=score.session,
        where=where,
        points=words(plural("{points} point", "{points} points", "points"), points=f"{score.points:+d}"),
        fined=fined,
        table_points=given,
        won=words(", won the table") if score.won else NOTHING,
        dropped=NOTHING if score.counts else words("; dropped, it does not count"),
    )


def _deal_lines(state: EventState, sheet: TableSheet, player: int, audience: str) -> Iterator[Words]:
    for deal in sorted((*sheet.past, *sheet.deals.values()), key=lambda one: (one.deal, one.entry)):
        if player in deal.players:
            points = deal.points[deal.players.index(player)]
            note = NOTHING
            if deal.status != COUNTS:
                status = words("voided") if deal.status == VOIDED else words("annulled")
                note = words(
                    " ({status}{why}; counts for nothing)", status=status, why=_why(shown_reason(state, audience, deal))
                )
            text = "Deal {deal}: {points}{note}, entry {entry}."
            yield words(text, deal=deal.deal, points=f"{points:+d}", note=note, entry=deal.entry)


def _table_point_lines(state: EventState, session: Session, player: int) -> Iterator[Words]:
    for sheet in session.tables:
        if player in sheet.players:
            each = tuple(
                words("{name} {value}", name=state.name(one), value=f"{points:+d}")
                for one, points in zip(sheet.players, sheet.points(), strict=True)
            )
            text = "Seats of {table} before penalties: {each}; who ties shares table points."
            yield words(text, table=EventTable(sheet.table), each=Listed(each))


def _result_lines(state: EventState, result: DealResult, said: Result, say: Say) -> Iterator[str]:
    assert state.format is not None
    names = ", ".join(Seat(seat).said(say) for seat in range(len(result.players)))
    why = f" Reason: {result.reason}." if result.reason else ""
    yield f"Entry {result.entry} ({result.source}, {result.status}): {names}.{why}"
    if said.record is not None:
        try:
            lines = explain_declared(state.format, said.record)
        except RulesError as error:
            yield f"The declarations cannot be settled any more ({error}); the points are those of the entry."
        else:
            yield from (line.said(say) for line in lines)
            return
    for payment in said.payments if isinstance(said, TrackedResult) else ():
        who = f"{Seat(payment.from_, begins=True).said(say)} pays {Seat(payment.to).said(say)} {payment.points}"
        yield f"{who}: {retold(payment.why, say)} ({payment.clause})."
    for fine in said.penalties:
        who = Seat(fine.seat, begins=True).said(say)
        yield f"{who} loses {fine.points}, which nobody receives: {retold(fine.why, say)}."
    yield f"Points: {_signed(result.points, say)}."


def _why(reason: str) -> Words:
    return words(": {reason}", reason=reason) if reason else NOTHING


def _standing(state: EventState, audience: str, player: int) -> list[Penalty]:
    return [one for one in shown_penalties(state, audience, player) if not one.withdrawn]


def _penalty_line(one: Penalty) -> Words:
    return words(
        "Penalty {entry} {where}: {kind}{amount}, by {by}{why}.",
        entry=one.entry,
        where=words("for the event") if one.session is None else words("in session {session}", session=one.session),
        kind=_PENALTIES.get(one.name, one.name),  # another program may have other names
        amount=words(" of {amount}", amount=number(one.amount)) if one.amount else NOTHING,
        by=one.by,
        why=_why(one.reason),
    )


def _signed(points: Any, say: Say) -> str:
    return ", ".join(f"{Seat(seat).said(say)} {one:+d}" for seat, one in enumerate(points))
