"""What waits for somebody at a tournament: results to approve or to confirm, appeals, tables that have not signed."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from ...event.lifecycle import AWAITING, PLAYING
from ...event.state import EventState
from ...event.state_parts import Session
from ...event.table_sheet import TableSheet
from ..hall.model import Four

APPROVE, APPEAL, CONFIRM, SIGN = "approve", "appeal", "confirm", "sign"


@dataclass(frozen=True, slots=True)
class Wait:
    """One thing that waits in a session.

    APPROVE: `deals` has one, with its `points`; `text` is the reason that `who` gave, `false_hu` are the players whose
    Hu was found false in it, `is_agreed` says that a hand has no tiles. APPEAL: the number `entry`, filed by the player
    `who` with the words `text`. CONFIRM: `deals` that the table has told. SIGN: all `tables` that have not signed.
    `version` is that of the one table, of which a decision says what was seen.
    """

    kind: str
    session: int
    tables: tuple[int, ...]
    deals: tuple[int, ...] = ()
    points: Four | None = None
    text: str = ""
    who: str = ""
    entry: int | None = None
    version: int | None = None
    false_hu: tuple[str, ...] = ()
    is_agreed: bool = False


def waits_of(state: EventState) -> tuple[Wait, ...]:
    """Return everything that waits, what only few people may decide first."""
    sessions = tuple(state.sessions.values())
    waits = [wait for session in sessions for sheet in session.tables for wait in _to_approve(state, sheet)]
    for one in state.appeals.values():
        if one.is_open:
            tables = () if one.table is None else (one.table,)
            deals = () if one.deal is None else (one.deal,)
            who = state.name(one.player)
            waits.append(Wait(APPEAL, one.session, tables, deals, text=one.text, who=who, entry=one.entry))
    for session in sessions:
        if session.state in PLAYING:
            waits += _of_scorers(session)
    return tuple(waits)


def _to_approve(state: EventState, sheet: TableSheet) -> Iterator[Wait]:
    for number in sheet.unapproved:
        deal = sheet.deals[number]
        yield Wait(
            APPROVE,
            sheet.session,
            (sheet.table,),
            (number,),
            deal.points,
            deal.reason,
            deal.by,
            version=version_of(sheet),
            false_hu=tuple(state.name(deal.players[seat]) for seat, _ in deal.false_hu),
            is_agreed=bool(deal.agreed),
        )


def _of_scorers(session: Session) -> Iterator[Wait]:
    for sheet in session.tables:
        if sheet.unconfirmed:
            yield Wait(CONFIRM, session.number, (sheet.table,), sheet.unconfirmed, version=version_of(sheet))
    unsigned = tuple(sheet.table for sheet in session.tables if not sheet.signed_off)
    if session.state == AWAITING and unsigned:
        yield Wait(SIGN, session.number, unsigned)


def version_of(sheet: TableSheet) -> int:
    """Return a number that changes with everything that a scorer sees of a table; a restart leaves it as it is."""
    seen = [(deal.entry, deal.status, deal.confirmed, deal.approved, deal.players) for deal in sheet.deals.values()]
    return zlib.crc32(repr((seen, sheet.signed_off, sheet.players)).encode())
