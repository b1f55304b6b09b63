"""What tables tell by themselves: which deal of which session it is, and what of it counts.

A board counts the walls that it has raised since it was made; an event counts the deals of a table in a session, from
1. The two meet when the dice are rolled for the first time after the walls went up, which is when a deal begins: it
gets the next number of the session that runs at that moment, and keeps it however much later its result is told. For
prescribed walls nobody rolls: their deal begins when they are lowered. A deal whose dice are not in the journal begins
when its host says so.

Only a deal that may begin counts as it is told. One that began with no time or deals left counts and waits for a
referee; one that began while the session did not run is noted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..journal.entry import Entry
from ..journal.fold import Fold
from ..journal.kinds import deals, tables
from ..rules.core.game_rules import GameRules
from .lifecycle import PLANNED, PLAYING, RUNNING
from .limits import starts_another_deal
from .table_sheet import TRACKED, DealInPlay, DealResult, TableSheet

if TYPE_CHECKING:
    from .state import EventState

TOO_LATE = "its table had no time or no deals left when it began"
"""Why a referee has to approve a deal that a table has told."""
TOLD_KINDS = ("walls_up", "dice_rolled", "deal_started", "dealer_called", "deal_result")
"""What makes results besides what the desk writes: what tables tell by themselves."""
DECLARATIONS = "declared"
"""Besides, what was declared in a deal that goes on; only who annuls it has to know."""
_Key = tuple[str, int]
"""A board's unit, and its own number of a deal."""


@dataclass(frozen=True, slots=True)
class _Told:
    """The deal that a board's is: `session` None is none of the event, `deal` None is one that has no number yet.

    `why` is what is irregular about it. `is_annulled` is one that was taken away, so that it is not counted again.
    """

    session: int | None
    table: int
    deal: int | None
    why: str = ""
    is_rolled: bool = False
    is_annulled: bool = False


class ToldDeals:
    """Takes the entries of tables in their order, and changes the sheets of `state`."""

    def __init__(self, state: "EventState") -> None:
        self._state = state
        self._known: dict[_Key, _Told] = {}
        self._up: dict[str, int] = {}
        """By unit: the deal whose walls are up and whose dice are to be rolled."""
        self._sessions: dict[int, int | None] = {}
        """By the entry of a result: the session that it is under the embargo of, counted there or not."""

    def follow(self, fold: Fold) -> None:
        """Take from now on what `fold` goes through."""
        fold.on(tables.WallsUp, self.walls_up)
        fold.on(tables.DiceRolled, self.rolled)
        fold.on(deals.DealStarted, self.started)
        fold.on(deals.Declared, self.declared)
        fold.on(deals.DealerCalled, self.called)
        fold.on(deals.DealResult, self.ended)

    def walls_up(self, entry: Entry, said: tables.WallsUp) -> None:
        """The walls of a deal are up. A board that was made anew counts from 1 again: it is no deal told before."""
        assert entry.unit is not None
        key = (entry.unit, said.deal)
        known = self._known.get(key)
        if known is not None and not known.is_rolled:
            # It was told already: these walls come late, from a board that nobody had listened to.
            return
        self._known.pop(key, None)
        self._up[entry.unit] = key[1]

    def rolled(self, entry: Entry, said: tables.DiceRolled) -> None:
        """A deal begins, unless somebody plays with the dice: they roll at any time."""
        assert entry.unit is not None
        key = (entry.unit, said.deal)
        if not said.is_cut or self._up.get(entry.unit) != said.deal:
            return
        del self._up[entry.unit]
        self._begins(entry, key, said.seat)

    def lowered(self, entry: Entry) -> bool:
        """A deal begins whose walls were prescribed: its dice were drawn with them. Say whether anything followed."""
        assert entry.unit is not None
        deal = self._up.pop(entry.unit, None)
        if deal is None or not self._is_due(entry.unit):
            return False
        self._begins(entry, (entry.unit, deal), None)
        return True

    def _is_due(self, unit: str) -> bool:
        """Whether the walls that are up are those of the deal that the table plays next, as far as anybody knows."""
        known, sheet, up = self._state.deals, self._sheet_of(unit), self._state.walls.up(unit)
        if known is None or sheet is None or up is None or up.deal is None or self._state.format is None:
            return True
        return known.number(sheet.session, sheet.next_number, self._state.format.deals) == up.deal

    def _begins(self, entry: Entry, key: _Key, cutter: int | None) -> None:
        """The next deal of the table begins; without a `cutter` whoever is known to deal it deals."""
        assert entry.unit is not None
        if key in self._known:
            # Its host was faster.
            return
        sheet = self._sheet_of(entry.unit)
        why = "no session was played" if sheet is None else self._why_not(sheet, entry.at_ms)
        if sheet is None or sheet.signed_off or self._state.sessions[sheet.session].state != RUNNING:
            self._known[key] = _Told(None, 0, None, why, is_rolled=True)
        elif why:
            self._known[key] = _Told(sheet.session, sheet.table, None, why, is_rolled=True)
        else:
            told = self._known[key] = _Told(sheet.session, sheet.table, sheet.next_number, is_rolled=True)
            dealer = sheet.next_dealer if cutter is None else self._dealer_who_cuts(sheet, cutter)
            _begin(sheet, told, dealer, entry)

    def started(self, entry: Entry, said: deals.DealStarted) -> None:
        """Its host says who deals."""
        told = self._find(entry, said.deal)
        sheet = None if told is None else self._open_sheet(told)
        if told is not None and sheet is not None and not told.is_annulled and told.deal not in sheet.deals:
            _begin(sheet, told, said.dealer, entry, said.begin)

    def declared(self, entry: Entry, said: deals.Declared) -> None:
        """Something is declared in it."""
        told = self._known.get(_key(entry, said.deal))
        sheet = None if told is None else self._open_sheet(told)
        if told is not None and sheet is not None and told.deal in sheet.begun:
            sheet.begun[told.deal].declared.append(said.event)

    def called(self, entry: Entry, said: deals.DealerCalled) -> None:
        """Somebody says who deals after it."""
        told = self._known.get(_key(entry, said.deal))
        sheet = None if told is None else self._open_sheet(told)
        if told is not None and sheet is not None and told.deal in sheet.begun:
            sheet.begun[told.deal].next_dealer = said.dealer

    def ended(self, entry: Entry, said: deals.DealResult) -> None:
        """Its result is told."""
        told = self._find(entry, said.deal)
        is_placed = told is not None and told.session is not None
        self._sessions[entry.id] = told.session if told is not None and is_placed else self._at_hand
        if told is None or told.is_annulled:
            return
        sheet = self._open_sheet(told)
        what = f"entry {entry.id}: deal {said.deal} of {entry.unit}"
        known = self._known_result(told)
        if known is not None:
            if known.points != said.points:
                self._state.notes.append(
                    f"{what}, which is deal {told.deal} of table {told.table} in session {told.session}, is in entry "
                    f"{known.entry} already, with other points; it was not counted twice"
                )
        elif sheet is None:
            if entry.unit in self._state.units:
                why = told.why or f"table {told.table} has signed its results of session {told.session}"
                self._state.notes.append(f"{what} was not counted: {why}; a referee may enter it")
        else:
            self._count(sheet, told, entry, said)

    @property
    def opened(self) -> tuple[int, ...]:
        """The sessions whose players have taken their seats, or may."""
        return tuple(number for number, one in self._state.sessions.items() if one.state != PLANNED)

    def session_of_result(self, entry: int) -> int | None:
        """Return the session whose embargo the result of a board in that entry is under; None where there is none.

        A board may have been replaced since, and a referee may enter what was not counted: so whatever was told since a
        session was opened is that session's.
        """
        return self._sessions.get(entry) if entry <= self._state.last else self._at_hand

    def session_of_deal(self, unit: str, deal: int) -> int | None:
        """Likewise for the deal that is `deal` by its board, whose result may be to come."""
        place = self.place_of(unit, deal)
        return self._at_hand if place is None else place[0]

    @property
    def _at_hand(self) -> int | None:
        """The session that was opened last; what no session counts may have been played for it."""
        return max(self.opened, default=None)

    def has_walls_up(self, unit: str) -> bool:
        """Say whether a board's walls are up and its dice are to be rolled."""
        return unit in self._up

    def has_next_up(self, unit: str) -> bool:
        """Likewise, and whether they are those of the deal that its table plays next."""
        return unit in self._up and self._is_due(unit)

    def place_of(self, unit: str, deal: int) -> tuple[int, int, int] | None:
        """Return session, table and number of the deal that is `deal` by its board; None when it is none of these."""
        told = self._known.get((unit, deal))
        if told is None or told.session is None or told.deal is None:
            return None
        return told.session, told.table, told.deal

    def annulled(self, sheet: TableSheet, deal: int) -> None:
        """A deal is to be played again: whatever comes of the one before counts no more."""
        for key, told in list(self._known.items()):
            if (told.session, told.table, told.deal) != (sheet.session, sheet.table, deal):
                continue
            if told.is_rolled:
                self._known[key] = replace(told, is_annulled=True)
            else:
                del self._known[key]

    def _count(self, sheet: TableSheet, told: _Told, entry: Entry, said: deals.DealResult) -> None:
        assert told.deal is not None
        begun = sheet.begun.pop(told.deal, None)
        sheet.deals[told.deal] = DealResult(
            told.deal,
            entry.id,
            entry.at_ms,
            sheet.players_in(told.deal),
            sheet.next_dealer if begun is None else begun.dealer,
            said.points,
            sum(one.points for one in said.penalties),
            said.winners,
            said.next_dealer,
            TRACKED,
            confirmed=False,
            reason=told.why,
            approved=not told.why,
            kept=said.kept,
            session_over=said.session_over is True,
        )

    def _dealer_who_cuts(self, sheet: TableSheet, seat: int) -> int:
        """Who deals when that seat has cut the wall; where somebody else than East may cut it, that is known before."""
        assert self._state.format is not None
        rules = self._state.format.ruleset
        # Dice are rolled thousands of times in a day, and Sichuan's dealer cuts (SBR-2.2).
        is_dealer = not isinstance(rules, GameRules) or rules.cut_by_dealer
        return seat if is_dealer else sheet.next_dealer

    def _find(self, entry: Entry, deal: int) -> _Told | None:
        """The deal that an entry is about; one without dice, or out of order, gets its number now."""
        key = _key(entry, deal)
        told = self._known.get(key)
        if told is None:
            sheet = None if entry.unit is None else self._sheet_of(entry.unit)
            if sheet is None:
                return None
            told = self._known[key] = _Told(sheet.session, sheet.table, sheet.next_number)
        elif told.deal is None and (sheet := self._open_sheet(told)) is not None:
            told = self._known[key] = replace(told, deal=sheet.next_number)
        return told

    def _known_result(self, told: _Told) -> DealResult | None:
        if told.session is None or told.deal is None:
            return None
        sheet = self._state.sheet(told.session, told.table)
        return None if sheet is None else sheet.deals.get(told.deal)

    def _open_sheet(self, told: _Told) -> TableSheet | None:
        """The sheet on which it still counts by itself."""
        if told.session is None or self._state.sessions[told.session].state not in PLAYING:
            return None
        sheet = self._state.sheet(told.session, told.table)
        return None if sheet is None or sheet.signed_off else sheet

    def _sheet_of(self, unit: str) -> TableSheet | None:
        """The table in play that a unit stands for; None for a deal that belongs to no session."""
        table, session = self._state.units.get(unit), self._state.playing
        return None if table is None or session is None else self._state.sheet(session.number, table)

    def _why_not(self, sheet: TableSheet, at_ms: int) -> str:
        """Why no deal may begin there at that time, "" when one may."""
        session = self._state.sessions[sheet.session]
        if session.state != RUNNING:
            return f"session {session.number} had been stopped when it began"
        if sheet.signed_off:
            return "the table had signed its results when it began"
        if not may_begin(self._state, sheet, len({*sheet.deals, *sheet.begun}), at_ms):
            return TOO_LATE
        return ""


def may_begin(state: "EventState", sheet: TableSheet, deals: int, at_ms: int) -> bool:
    """Whether after so many deals a table has time and deals left: whichever is used up first ends it (SBR-9.1).

    The rounds of its game may end it too (HKO-8.2, CUM-8.2, BAL-9.1).
    """
    assert state.format is not None
    if sheet.is_over:
        return False
    clock = state.clock_of(sheet)
    elapsed_ms = clock.elapsed_ms(at_ms) - clock.added_ms
    return starts_another_deal(state.format.deals, state.format.limit_ms, deals, elapsed_ms)


def _begin(sheet: TableSheet, told: _Told, dealer: int, entry: Entry, begin: Mapping[str, Any] | None = None) -> None:
    assert told.deal is not None
    begun = sheet.begun.get(told.deal)
    number, at_ms = (entry.id, entry.at_ms) if begun is None else (begun.entry, begun.at_ms)
    sheet.begun[told.deal] = DealInPlay(told.deal, dealer, at_ms, [], begin=begin, entry=number)


def _key(entry: Entry, deal: int) -> _Key:
    return entry.unit or "", deal
