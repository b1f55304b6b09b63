"""The deals that all tables play, for who directs them: what each table builds next, and which one is in the way.

No tile is in it: neither the event nor the hall has one before the deals are revealed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ...errors import BadName
from ...event.format import OWN_DEALS
from ...event.lifecycle import OPEN, PLANNED, PLAYING
from ...event.same_deals import walls_for
from ...event.state import EventState
from ...event.state_parts import CommittedDeals, Session
from ...event.told_walls import BUILDING, DIFFERS, MATCHED, REFUSED, RELEASED, USUAL, ToldWall
from ...words import words
from ..hall.model import TableView
from ..hall.releases import InTheWay, Releases

Where = Literal[
    "fault", "away", "differs", "other", "refused", "ordinary", "blocked", "unasked",
    "waits", "released", "building", "matched", "by_hand", "done",
]  # fmt: skip
"""Where a table's next walls are. What comes before "waits" is in the way, the most urgent first: a fault; no
connection; walls that are not as prescribed; walls of another deal; a prescription that the board refuses; walls that
nobody has drawn; something that the director's machine has found; no such machine that asks."""
IN_THE_WAY: tuple[Where, ...] = (
    "fault", "away", "differs", "other", "refused", "ordinary", "blocked", "unasked",
)  # fmt: skip
_STAGES: dict[str, Where] = {
    RELEASED: "released",
    BUILDING: "building",
    MATCHED: "matched",
    DIFFERS: "differs",
    REFUSED: "refused",
    USUAL: "ordinary",
}


@dataclass(frozen=True, slots=True)
class WallsOf:
    """The walls that a table of the event builds next. `due` is which drawn deal they are for, None when none is to
    come; `has` the one that it has been given, where that is known; `playing` the deal of the session in play.

    `why` is what the director's machine has found, `refusal` the name of a board's, `fault` that of what has stopped
    it; `inferred` tiles of a wall were not read.
    """

    table: int
    hall_table: str | None
    where: Where
    due: int | None
    has: int | None
    playing: int | None
    why: InTheWay | None = None
    refusal: str | None = None
    fault: str | None = None
    inferred: int = 0

    @property
    def is_in_the_way(self) -> bool:
        """Whether somebody has to do something before this table can play on."""
        return self.where in IN_THE_WAY


@dataclass(frozen=True, slots=True)
class DealOf:
    """A deal of the session: which of the drawn ones it is, who deals it, how many of its tables have played it, and
    the drawn deals that were spoilt in its place.
    """

    deal: int
    number: int
    dealer: int
    played: int
    tables: int
    spoilt: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealsView:
    """The deals of an event. `session` is the one in play, else the next one, None when none is to come; `may_replace`
    says that a deal of it can be replaced by one of the `spares` left, `to_come` which session keeps the deals from
    being revealed, and `is_asked` that a director's machine is there.
    """

    commitment: str
    count: int
    spares: int
    is_shown: bool
    session: int | None
    may_replace: bool
    to_come: int | None
    is_asked: bool
    tables: tuple[WallsOf, ...]
    deals: tuple[DealOf, ...]

    @property
    def in_the_way(self) -> int:
        """How many tables are in the way."""
        return sum(one.is_in_the_way for one in self.tables)


def view_deals(state: EventState, tables: Iterable[TableView], releases: Releases, now_ms: int) -> DealsView | None:
    """Return how the deals of an event stand, None before they are committed to. BadName where tables play others."""
    if state.format is None or state.format.duplicate == OWN_DEALS:
        raise BadName(words("the tables of this event do not play the same deals"))
    known = state.deals
    if known is None:
        return None
    to_come = [number for number, one in sorted(state.sessions.items()) if one.state in (PLANNED, OPEN, *PLAYING)]
    session = state.playing or (state.sessions[to_come[0]] if to_come else None)
    by_unit = {table.unit: table for table in tables if table.unit is not None}
    rows = () if session is None else tuple(_rows(state, session, by_unit, releases, now_ms))
    spares = known.spares_left
    return DealsView(
        commitment=known.commitment,
        count=known.to_play,
        spares=spares,
        is_shown=known.shown is not None,
        session=None if session is None else session.number,
        may_replace=session is not None and session.state in PLAYING and spares > 0,
        to_come=to_come[0] if to_come else None,
        is_asked=releases.is_asked(None, now_ms),
        tables=tuple(sorted(rows, key=_urgency)),
        deals=() if session is None else tuple(_deals(known, session, state.format.deals)),
    )


def _rows(
    state: EventState, session: Session, by_unit: dict[str, TableView], releases: Releases, now_ms: int
) -> Iterable[WallsOf]:
    for sheet in session.tables:
        unit = state.unit_of.get(sheet.table)
        playing = None if sheet.in_play is None else sheet.in_play.deal
        if unit is None:
            yield WallsOf(sheet.table, None, "by_hand", None, None, playing)
            continue
        there, below, due = by_unit.get(unit), state.walls.below(unit), walls_for(state, unit)
        name = None if there is None else there.name
        found = None if name is None else releases.in_the_way(name, now_ms)
        where = _where(there, below, due, found, releases, now_ms)
        yield WallsOf(
            table=sheet.table,
            hall_table=name,
            where=where,
            due=due,
            has=None if below is None else below.deal,
            playing=playing,
            why=found if where == "blocked" else None,
            refusal=below.refusal if below is not None and where == "refused" else None,
            fault=there.fault.name if there is not None and there.fault is not None and where == "fault" else None,
            inferred=0 if below is None else below.inferred,
        )


def _where(
    there: TableView | None,
    below: ToldWall | None,
    due: int | None,
    found: InTheWay | None,
    releases: Releases,
    now_ms: int,
) -> Where:
    if there is None or not there.is_connected:
        return "away"
    if there.fault is not None:
        return "fault"
    if due is None:
        return "done"
    if below is not None and not (below.stage == REFUSED and below.deal != due):
        is_other = below.is_prescribed and below.deal not in (None, due)
        return "other" if is_other else _STAGES[below.stage]
    if found is not None:
        return "blocked"
    return "waits" if releases.is_asked(there.name, now_ms) else "unasked"


def _deals(known: CommittedDeals, session: Session, a_session: int) -> Iterable[DealOf]:
    for deal in range(1, a_session + 1):
        number = known.number(session.number, deal, a_session)
        spares = known.replaced.get((session.number, deal), ())
        first = (session.number - 1) * a_session + deal
        played = sum(deal in sheet.deals for sheet in session.tables)
        spoilt = (first, *spares[:-1]) if spares else ()
        yield DealOf(deal, number, known.dealers[number - 1], played, len(session.tables), spoilt)


def _urgency(row: WallsOf) -> tuple[int, int]:
    return (IN_THE_WAY.index(row.where) if row.is_in_the_way else len(IN_THE_WAY)), row.table
