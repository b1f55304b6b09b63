"""Papers of an event as rows: standings, seats, results, penalties, appeals; for CSV, JSON and screens."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any

from .explain import number
from .lifecycle import PLANNED, PUBLIC
from .standings import EVERYBODY, LIVE, standings
from .state import EventState

Rows = list[dict[str, Any]]


def standings_rows(state: EventState, audience: str = LIVE) -> Rows:
    """One row a player, best first, with what every session gave."""
    assert state.format is not None
    table = standings(state, audience)
    rows = []
    for row in table.rows:
        line: dict[str, Any] = {"rank": row.rank, "player": row.player, "name": row.name, "club": row.club}
        line |= {"total": number(row.total), "points": row.points, "table_points": number(row.table_points)}
        for score in row.sessions:
            line[f"session_{score.session}"] = score.points
            line[f"session_{score.session}_table_points"] = number(score.table_points)
            line[f"session_{score.session}_counts"] = score.counts
        names = zip(state.format.tie_break, row.ties, strict=True)
        rows.append(line | {f"tie_{name}": number(value) for name, value in names} | {"note": row.note})
    return rows


def seat_rows(state: EventState, audience: str = LIVE) -> Rows:
    """One row a player and session: table and seat, or a bye. Seats are no secret, but for sessions not yet opened."""
    rows: Rows = []
    for session in state.sessions.values():
        if audience == EVERYBODY and session.state == PLANNED:
            continue
        for sheet in session.tables:
            for seat, player in enumerate(sheet.players):
                place = {"session": session.number, "table": sheet.table, "seat": seat}
                rows.append(place | {"player": player, "name": state.name(player)})
        out = {"session": session.number, "table": None, "seat": None}
        rows += [out | {"player": player, "name": state.name(player)} for player in session.byes]
    return rows


def result_rows(state: EventState, audience: str = LIVE) -> Rows:
    """One row a deal, those that do not count among them."""
    rows: Rows = []
    for session in state.sessions.values():
        if audience == EVERYBODY and session.state not in PUBLIC:
            continue
        for sheet in session.tables:
            for deal in sorted((*sheet.past, *sheet.deals.values()), key=lambda one: (one.deal, one.entry)):
                line: dict[str, Any] = {"session": session.number, "table": sheet.table, "deal": deal.deal}
                line |= {"entry": deal.entry, "source": deal.source, "status": deal.status, "dealer": deal.dealer}
                for seat, player in enumerate(deal.players):
                    line |= {f"player_{seat}": state.name(player), f"points_{seat}": deal.points[seat]}
                winners = " ".join(map(str, deal.winners))
                line |= {"winners": winners, "fines": deal.fines, "reason": deal.reason}
                rows.append(line | {"approved": deal.approved})
    return rows


def penalty_rows(state: EventState, audience: str = LIVE) -> Rows:
    """One row a penalty, those withdrawn among them."""
    return [
        {
            "penalty": one.entry,
            "session": one.session,
            "player": one.player,
            "name": state.name(one.player),
            "kind": one.name,
            "amount": number(one.amount),
            "reason": one.reason,
            "by": one.by,
            "withdrawn": one.withdrawn,
        }
        for one in state.penalties.values()
        if audience != EVERYBODY or one.session is None or state.sessions[one.session].state in PUBLIC
    ]


def appeal_rows(state: EventState, audience: str = LIVE) -> Rows:
    """One row an appeal."""
    return [
        {
            "appeal": one.entry,
            "session": one.session,
            "table": one.table,
            "deal": one.deal,
            "player": one.player,
            "name": state.name(one.player),
            "text": one.text,
            "by": one.by,
            "decision": "open" if one.is_open else "upheld" if one.upheld else "dismissed",
            "ruling": one.ruling,
            "decided_by": one.decided_by,
        }
        for one in state.appeals.values()
        if audience != EVERYBODY or state.sessions[one.session].state in PUBLIC
    ]


PAPERS: Mapping[str, Callable[[EventState, str], Rows]] = {
    "standings": standings_rows,
    "seats": seat_rows,
    "results": result_rows,
    "penalties": penalty_rows,
    "appeals": appeal_rows,
}


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV with a header. A text that a spreadsheet would take for a formula gets an apostrophe."""
    out = StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else ["nothing"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def to_json(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as JSON, one object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _cell(value: Any) -> Any:
    is_formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@") and not _is_number(value)
    return f"'{value}" if is_formula else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
