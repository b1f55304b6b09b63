"""Where a number in the standings comes from: the total from its sessions, a session from its deals, a deal from its
payments. Every line names the entry of the journal that it rests on.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from ..errors import EventRefused
from ..rules.errors import RulesError
from ..rules.explain import explain as explain_settlement
from ..rules.records import read_deal
from .format import POINTS
from .parts import Penalty, Session
from .standings import ABSENT, BYE, LIVE, SessionScore, session_scores, standing_penalties, standings
from .state import EventState
from .table_sheet import DealResult, TableSheet

Body = Callable[[int], Mapping[str, Any]]
"""Gives the body of the entry with that number."""


def explain_total(state: EventState, player: int, audience: str = LIVE) -> tuple[str, ...]:
    """Say how a player's total and rank come about."""
    assert state.format is not None
    table = standings(state, audience)
    row = next((row for row in table.rows if row.player == player), None)
    if row is None:
        raise EventRefused(f"{state.name(player)} is not in the standings yet")
    unit = "points" if state.format.rank_by == POINTS else "table points"
    place = "not ranked" if row.rank is None else f"rank {row.rank}"
    lines = [f"{row.name} ({row.player}): {number(row.total)} {unit}, {place}{_note(row.note)}."]
    lines += [_session_line(score) for score in row.sessions]
    if state.format.best_of:
        keep, group = state.format.best_of
        lines.append(f"Of every {group} sessions the best {keep} count (SBR-9.2).")
    if state.format.final_carry and state.format.final_sessions:
        lines.append("Finalists carry their score from the sessions before into the final.")
    lines += [_penalty_line(one) for one in standing_penalties(state, player)]
    chain = zip(state.format.tie_break, row.ties, strict=True)
    values = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in chain)
    lines.append(f"Ties are broken by: {values or 'nothing'}.")
    return tuple(lines)


def explain_session(state: EventState, player: int, session: int) -> tuple[str, ...]:
    """Say what a player got in a session, deal by deal."""
    found = state.sessions.get(session)
    score = None if found is None else session_scores(state, found).get(player)
    if found is None or score is None:
        raise EventRefused(f"{state.name(player)} has no part in session {session}")
    lines = [f"{state.name(player)}: {_session_line(score)}"]
    lines += [line for sheet in found.tables for line in _deal_lines(sheet, player)]
    lines += [_penalty_line(one) for one in standing_penalties(state, player) if one.session == session]
    lines += _table_point_lines(state, found, player)
    return tuple(lines)


def explain_deal(state: EventState, sheet: TableSheet, deal: int, body: Body) -> tuple[str, ...]:
    """Say who paid whom in a deal, and what was corrected."""
    assert state.format is not None
    found = [one for one in (*sheet.past, *sheet.deals.values()) if one.deal == deal]
    if not found:
        raise EventRefused(f"table {sheet.table} of session {sheet.session} has no result of deal {deal}")
    lines = [f"Session {sheet.session}, table {sheet.table}, deal {deal}."]
    for result in found:
        earlier = [(entry, _signed(body(entry)["points"])) for entry in result.before]
        lines += [f"Entry {entry}, corrected since: points {points}." for entry, points in earlier]
        lines += _result_lines(state, result, body(result.entry))
    return tuple(lines)


def number(value: Fraction) -> str:
    """Write a fraction as people do: 5/2 as 2.5, thirds as they are."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):g}" if value.denominator in (2, 4) else str(value)


def _session_line(score: SessionScore) -> str:
    if score.kind == ABSENT:
        return f"Session {score.session}: was not there."
    where = "bye" if score.kind == BYE else f"table {score.table}"
    fined = f", penalties of {score.penalty_points} in them" if score.penalty_points else ""
    dropped = "" if score.counts else "; dropped, it does not count"
    won = ", won the table" if score.won else ""
    points = f"{score.points:+d} points{fined}, {number(score.table_points)} table points"
    return f"Session {score.session}, {where}: {points}{won}{dropped}."


def _deal_lines(sheet: TableSheet, player: int) -> Iterator[str]:
    for deal in sorted((*sheet.past, *sheet.deals.values()), key=lambda one: (one.deal, one.entry)):
        if player in deal.players:
            points = deal.points[deal.players.index(player)]
            note = "" if deal.status == "live" else f" ({deal.status}: {deal.reason}; counts for nothing)"
            yield f"Deal {deal.deal}: {points:+d}{note}, entry {deal.entry}."


def _table_point_lines(state: EventState, session: Session, player: int) -> Iterator[str]:
    for sheet in session.tables:
        if player in sheet.players:
            each = [f"{state.name(one)} {points:+d}" for one, points in zip(sheet.players, sheet.points(), strict=True)]
            yield f"Seats of table {sheet.table} before penalties: {', '.join(each)}; who ties shares table points."


def _result_lines(state: EventState, result: DealResult, body: Mapping[str, Any]) -> Iterator[str]:
    assert state.format is not None
    names = ", ".join(f"seat {seat} {state.name(player)}" for seat, player in enumerate(result.players))
    why = f" Reason: {result.reason}." if result.reason else ""
    yield f"Entry {result.entry} ({result.source}, {result.status}): {names}.{why}"
    if "record" in body:
        try:
            settlement = read_deal(body["record"], state.format.ruleset).settle()
        except RulesError as error:
            yield f"The declarations cannot be settled any more ({error}); the points are those of the entry."
        else:
            yield from map(str, explain_settlement(settlement, state.format.ruleset))
            return
    for payment in body.get("payments", ()):
        who = f"Seat {payment['from']} pays seat {payment['to']} {payment['points']}"
        yield f"{who}: {payment['why']} ({payment['clause']})."
    for fine in body.get("penalties", ()):
        yield f"Seat {fine['seat']} loses {fine['points']}, which nobody receives: {fine['why']}."
    yield f"Points: {_signed(result.points)}."


def _penalty_line(one: Penalty) -> str:
    where = "for the event" if one.session is None else f"in session {one.session}"
    amount = f" of {number(one.amount)}" if one.amount else ""
    return f"Penalty {one.entry} {where}: {one.name.replace('_', ' ')}{amount}, by {one.by}: {one.reason}."


def _note(note: str) -> str:
    return f", {note}" if note else ""


def _signed(points: Any) -> str:
    return ", ".join(f"seat {seat} {one:+d}" for seat, one in enumerate(points))
