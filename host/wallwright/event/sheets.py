"""Papers of an event as rows: standings, seats, results, penalties, appeals; for CSV, XLSX, JSON and screens.

Texts, numbers and fractions are as they are; who writes them says how.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..system.spreadsheet import Sheet, csv_file, csv_lines, workbook
from .disclosure import APPEALS, LIVE, PLACES, RESULTS, may_see, shown_penalties, shown_reason
from .format import MATCH_POINTS, WINS
from .score_origins import number
from .standings import standings
from .state import EventState

Rows = list[dict[str, Any]]


def standings_rows(state: EventState, audience: str = LIVE) -> Rows:
    """One row a player, best first, with what every session gave."""
    assert state.format is not None
    table = standings(state, audience)
    rows = []
    for row in table.rows:
        line: dict[str, Any] = {"rank": row.rank, "player": row.player, "name": row.name, "club": row.club}
        line |= {"total": row.total, "points": row.points, "table_points": row.table_points}
        for score in row.sessions:
            line[f"session_{score.session}"] = score.points
            line[f"session_{score.session}_table_points"] = score.table_points
            line[f"session_{score.session}_counts"] = score.counts
        if state.format.rank_by == WINS:
            line["deals_won"] = row.wins
        if state.format.rank_by == MATCH_POINTS:
            line |= {"match_points": row.match_points, "percent": row.percent, "deals_compared": row.compared}
        names = zip(state.format.tie_break, row.ties, strict=True)
        rows.append(line | {f"tie_{name}": value for name, value in names} | {"note": row.note})
    return rows


def seat_rows(state: EventState, audience: str = LIVE) -> Rows:
    """One row a player and session: table and seat, or a bye. Seats are no secret, but for sessions not yet opened."""
    rows: Rows = []
    for session in state.sessions.values():
        if not may_see(state, audience, PLACES, session.number):
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
        if not may_see(state, audience, RESULTS, session.number):
            continue
        for sheet in session.tables:
            for deal in sorted((*sheet.past, *sheet.deals.values()), key=lambda one: (one.deal, one.entry)):
                line: dict[str, Any] = {"session": session.number, "table": sheet.table, "deal": deal.deal}
                line |= {"entry": deal.entry, "source": deal.source, "status": deal.status, "dealer": deal.dealer}
                for seat, player in enumerate(deal.players):
                    line |= {f"player_{seat}": state.name(player), f"points_{seat}": deal.points[seat]}
                winners = " ".join(map(str, deal.winners))
                line |= {"winners": winners, "fines": deal.fines, "reason": shown_reason(state, audience, deal)}
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
            "amount": one.amount,
            "reason": one.reason,
            "by": one.by,
            "withdrawn": one.withdrawn,
        }
        for one in shown_penalties(state, audience)
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
        if may_see(state, audience, APPEALS, one.session)
    ]


PAPERS: Mapping[str, Callable[[EventState, str], Rows]] = {
    "standings": standings_rows,
    "seats": seat_rows,
    "results": result_rows,
    "penalties": penalty_rows,
    "appeals": appeal_rows,
}


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV with a header."""
    return "".join(f"{line}\n" for line in csv_lines(*_listed(rows)))


def to_json(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as JSON, one object a line; fractions are text."""
    return "".join(f"{json_line(row)}\n" for row in rows)


def json_line(row: Mapping[str, Any]) -> str:
    """Return one row as JSON."""
    return json.dumps({key: shown(value) for key, value in row.items()}, ensure_ascii=False)


def shown(value: Any) -> Any:
    """Return a value as people read it: 2.5 for 5/2."""
    return number(value) if isinstance(value, Fraction) else value


def _listed(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[Any]]]:
    """The columns, and the values of every row in their order."""
    columns = list(rows[0]) if rows else ["nothing"]
    return columns, [[row[name] for name in columns] for row in rows]


FILES: Mapping[str, Callable[[str, Rows], bytes]] = {
    "csv": lambda _, rows: csv_file(csv_lines(*_listed(rows))),
    "xlsx": lambda title, rows: workbook([Sheet(title, *_listed(rows))]),
    "json": lambda _, rows: to_json(rows).encode(),
}
"""How a paper is written to a file, by the file's ending: from its title and rows."""
