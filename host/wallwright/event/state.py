"""The event as its journal tells it: `EventState.apply` takes one entry after the other, and nothing else changes it.

Whoever wrote an entry, and however long ago, what `guards` refuse or what cannot be meant is put into `notes`, where a
referee finds it, and changes nothing. Entries of other kinds are passed over.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec.structs import replace as replace_part

from ..errors import EventRefused
from ..journal.entry import Entry
from ..journal.fold import Fold
from ..journal.kinds import KINDS as ALL_KINDS
from ..journal.kinds import Record, Unknown, desk
from ..journal.kinds.house import ClockRead, Met
from ..journal.kinds.tables import WallsUp
from ..naming import table_name, with_seats
from ..words import Say, english
from . import draw_steps, guards, result_steps, state_parts
from .clock import Clock
from .format import EventFormat, read_format
from .lifecycle import FINAL, OPEN, PLANNED, PLAYING, PUBLIC, advance
from .players import Player, Roster, only_stand_ins_differ, read_player, read_roster
from .reported_results import DECLARATIONS, TOLD_KINDS, ToldDeals
from .seating import SessionSeating
from .state_parts import (
    Appeal,
    CommittedDeals,
    Drawing,
    Penalty,
    PlayerChange,
    Session,
    Substitution,
    Undone,
)  # fmt: skip
from .table_sheet import TableSheet
from .times import EventTimes
from .told_walls import WALL_KINDS, ToldWalls


class EventState:
    """An event after the entries so far; `last` is the number of the last one seen, `changed` of one that counted."""

    def __init__(self) -> None:
        self.last = 0
        self.changed = 0
        self._changed_by: dict[str | None, int] = {}
        self.hall_names: dict[str, str] = {}
        self.undone: list[Undone] = []
        """What was undone, the newest last."""
        self.taken: list[Entry] = []
        """The entries that it follows from, but for those that were undone, `state_parts.shortened`."""
        self._begin()

    def _begin(self) -> None:
        """Be as before the first entry."""
        self.format: EventFormat | None = None
        self.begun_ms = 0
        """When the event was begun, which no other one was at that desk."""
        self.roster = Roster(())
        self.players: dict[int, Player] = {}
        self.draws: dict[str, Drawing] = {}
        self.given_up: dict[str, tuple[tuple[str, str], ...]] = {}
        """By stage: commitments that were withdrawn where no draw stands, each with the reason."""
        self.sessions: dict[int, Session] = {}
        self.units: dict[str, int] = {}
        self.unit_of: dict[int, str] = {}
        self.penalties: dict[int, Penalty] = {}
        self.appeals: dict[int, Appeal] = {}
        self.substitutions: list[Substitution] = []
        self.withdrawn: dict[int, int] = {}
        """By player: the number of the entry with which they have withdrawn."""
        self.changes: list[PlayerChange] = []
        self.notes: list[str] = []
        self.passed_over: list[int] = []
        """The entries that guards have refused; each has a note as well."""
        self.deals: CommittedDeals | None = None
        """What all tables play, where they play the same."""
        self.times = EventTimes(self)
        self._playing: int | None = None
        self.told = ToldDeals(self)
        """Which deal is which, of those that tables tell by themselves."""
        self._fold = Fold()
        for cls, step in _STEPS.items():
            self._fold.on(cls, partial(step, self))
        self.walls = ToldWalls(self.told.lowered)
        self.told.follow(self._fold)
        self._fold.on(ClockRead, self.times.take)
        self._fold.on(WallsUp, self.walls.risen)

    def apply(self, entry: Entry) -> None:
        """Take the next entry of the journal. Whatever does not fit raises: it is a mistake of this program."""
        self.last = entry.id
        if isinstance(entry.said, Met):
            self.hall_names[entry.unit or ""] = entry.said.table
        if self.format is None and not isinstance(entry.said, desk.EventCreated):
            return
        try:
            guards.check(self, entry.said)
        except EventRefused as refusal:
            self.passed_over.append(entry.id)
            self.notes.append(f"entry {entry.id} ({entry.kind}) was passed over, and what is there stays: {refusal}")
            return
        if entry.kind in _TAKEN:
            self.taken.append(state_parts.shortened(entry))
        if self._fold.take(entry) or self.walls.take(entry):
            self.changed = self._changed_by[entry.unit] = entry.id
        elif isinstance(entry.said, Unknown) and entry.kind in self._fold.kinds:
            self.notes.append(f"entry {entry.id} ({entry.kind}) cannot be read ({entry.said.why}); it was passed over")
        self.times.dated(entry)

    def apply_all(self, entries: Iterable[Entry]) -> "EventState":
        """Take all entries and return the state itself.

        What does not fit those before it, as one is missing or another program has written it, is noted, and changes
        nothing.
        """
        for entry in entries:
            try:
                self.apply(entry)
            except _MISFITS as error:
                why = f"entry {entry.id} ({entry.kind}) does not fit the entries before it ({error!r})"
                self.notes.append(f"{why}; it was passed over")
        return self

    def changed_for(self, unit: str) -> int:
        """Return the number of the last entry that counted for a board: one about it, or one about no board."""
        return max(self._changed_by.get(unit, 0), self._changed_by.get(None, 0))

    @property
    def playing(self) -> Session | None:
        """The session whose tables play or wait to be signed off; there is one at the most."""
        return None if self._playing is None else self.sessions[self._playing]

    def drawn(self, stage: str) -> Drawing | None:
        """Return the draw from which the seats of a stage follow, None before there is one."""
        draw = self.draws.get(stage)
        return None if draw is None else draw.standing

    def sheet(self, session: int, table: int) -> TableSheet | None:
        """Return a table in a session, None when there is none."""
        found = self.sessions.get(session)
        return found.tables[table - 1] if found is not None and 0 < table <= len(found.tables) else None

    def table_name(self, table: int) -> str:
        """Return what people call a table, with its name in the hall where this journal has met its board."""
        return table_name(table, self.hall_name(table))

    def hall_name(self, table: int) -> str:
        """Return a table's name in the hall, empty where this journal has not met its board."""
        return self.hall_names.get(self.unit_of.get(table, ""), "")

    def say_at(self, session: int, table: int, deal: int) -> Say:
        """Return the English of a table: its seats are called as the format says, with who sits there in a deal."""
        assert self.format is not None
        sheet = self.sheet(session, table)
        players = () if sheet is None else tuple(map(self.name, sheet.players_in(deal)))
        return with_seats(english, self.format.seats, players)

    @property
    def say_seats(self) -> Say:
        """The English of the event: its seats are called as the format says, and tables by their whole names."""
        assert self.format is not None
        return with_seats(self._say_tables, self.format.seats)

    def _say_tables(self, text: str, /, **values: Any) -> str:
        kind, _, number = text.partition(".")
        return self.table_name(int(number)) if kind == "table" and number.isdecimal() else english(text, **values)

    def clock_of(self, sheet: TableSheet) -> Clock:
        """Return the clock as it is at a table."""
        return self.sessions[sheet.session].clock.with_table(sheet.clock)

    def name(self, player: int) -> str:
        """Return a player's name, `number` when there is none of it."""
        found = self.players.get(player)
        return f"player {player}" if found is None else found.name

    # One method for each kind of entry.

    def _event_created(self, entry: Entry, said: desk.EventCreated) -> None:
        self.format = read_format(said.format)
        self.begun_ms = entry.at_ms

    def _players_imported(self, _: Entry, said: desk.PlayersImported) -> None:
        before, self.roster = self.roster, read_roster(said.roster)
        if not only_stand_ins_differ(before, self.roster):
            self.withdrawn, self.changes = {}, []
        self.players = {player.number: player for player in self.roster.players}

    def _player_added(self, entry: Entry, said: desk.PlayerAdded) -> None:
        player = read_player(said)
        self.roster = Roster((*self.roster.players, player), self.roster.apart)
        self.players[player.number] = player
        if not player.stand_in:
            self._change(entry, state_parts.ADDED, player.number, said.reason or "", said.by)

    def _player_renamed(self, entry: Entry, said: desk.PlayerRenamed) -> None:
        old = self._exchange(said.player, name=said.name, club=said.club)
        self._change(entry, state_parts.RENAMED, old.number, said.reason, said.by, old.name)

    def _player_privacy(self, entry: Entry, said: desk.PlayerPrivacy) -> None:
        self._exchange(said.player, private=said.private)
        self._change(entry, state_parts.PRIVACY[said.private], said.player, said.reason, said.by)

    def _exchange(self, player: int, **new: Any) -> Player:
        old = self.players[player]
        self.players[player] = replace(old, **new)
        self.roster = Roster(tuple(self.players[one.number] for one in self.roster.players), self.roster.apart)
        return old

    def _player_withdrawn(self, entry: Entry, said: desk.PlayerWithdrawn) -> None:
        player = said.player
        self.withdrawn[player] = entry.id
        for session in self.sessions.values():
            if session.state in (PLANNED, OPEN):
                session.byes = tuple(one for one in session.byes if one != player)
        self._change(entry, state_parts.WITHDRAWN, player, said.reason, said.by)

    def _player_returned(self, entry: Entry, said: desk.PlayerReturned) -> None:
        del self.withdrawn[said.player]
        self._change(entry, state_parts.RETURNED, said.player, said.reason, said.by)

    def _table_added(self, _: Entry, said: desk.TableAdded) -> None:
        session = self.sessions[said.session]
        session.tables.append(TableSheet(session.number, len(session.tables) + 1, {1: said.players}))
        self._give_dealers()
        session.byes = tuple(one for one in session.byes if one not in said.players)

    def _change(self, entry: Entry, kind: str, player: int, reason: str, by: str | None, old: str = "") -> None:
        self.changes.append(PlayerChange(entry.id, entry.at_ms, kind, player, self.name(player), reason, by or "", old))

    def _seats_planned(self, _: Entry, said: desk.SeatsPlanned) -> None:
        for number, seats in enumerate(said.sessions, said.first):
            self._seat(number, SessionSeating(seats.tables, seats.byes))

    def _seat(self, number: int, seating: SessionSeating) -> None:
        tables = [TableSheet(number, table, {1: four}) for table, four in enumerate(seating.tables, 1)]
        self.sessions[number] = Session(number, seating, tables=tables, byes=seating.byes)
        self._give_dealers()

    def _deals_committed(self, _: Entry, said: desk.DealsCommitted) -> None:
        self.deals = CommittedDeals(said.commitment, said.ruleset, said.draws, said.spares, said.dealers)
        self._give_dealers()

    def _give_dealers(self) -> None:
        if self.deals is not None and self.format is not None:
            self.deals.give_dealers(self.sessions.values(), self.format.deals)

    def _deal_replaced(self, _: Entry, said: desk.DealReplaced) -> None:
        assert self.deals is not None
        self.deals.replace(said.session, said.deal, said.spare)
        self._give_dealers()

    def _deals_revealed(self, _: Entry, said: desk.DealsRevealed) -> None:
        assert self.deals is not None
        self.deals.shown = said.deals

    def _table_bound(self, _: Entry, said: desk.TableBound) -> None:
        table, unit = said.table, said.unit
        before = self.unit_of.pop(table, None)
        if before is not None:
            del self.units[before]
        if unit is not None:
            self.units[unit] = table
            self.unit_of[table] = unit

    def _session_moved(self, entry: Entry, said: desk.SessionMoved) -> None:
        session, trigger = self.sessions[said.session], said.trigger
        session.state = advance(session.number, session.state, trigger)
        if trigger in ("start", "resume"):
            session.clock = session.clock.start(entry.at_ms)
        elif trigger == "stop":
            session.clock = session.clock.stop(entry.at_ms)
            session.pause_reason = ""
        elif trigger == "publish":
            session.published_ms = entry.at_ms
        if session.state in PLAYING:
            self._playing = session.number
        elif self._playing == session.number:
            self._playing = None

    def _clock_changed(self, entry: Entry, said: desk.ClockChanged) -> None:
        owner = self.sessions[said.session] if said.table is None else self.sheet(said.session, said.table)
        assert owner is not None
        if said.change == "add":
            owner.clock = owner.clock.add(said.ms)
        elif said.change == "pause":
            owner.clock = owner.clock.pause(entry.at_ms)
        else:
            owner.clock = owner.clock.resume(entry.at_ms)
        if isinstance(owner, Session) and said.change != "add":
            owner.pause_reason = said.reason

    def _player_substituted(self, entry: Entry, said: desk.PlayerSubstituted) -> None:
        sheet = self.sheet(said.session, said.table)
        assert sheet is not None
        sheet.seat(said.into, said.seat, said.from_deal)
        place = (said.session, said.table, said.seat)
        self.substitutions.append(Substitution(entry.id, *place, said.out, said.into, said.from_deal, said.reason))
        session = self.sessions[said.session]
        session.byes = tuple(one for one in session.byes if one != said.into)

    def _winners_moved(self, _: Entry, said: desk.WinnersMoved) -> None:
        session = self.sessions[said.session]
        session.moves[said.deal] = said.moves
        for one in said.moves:
            sheet = self.sheet(said.session, one.to_table)
            assert sheet is not None
            sheet.seat(one.player, one.to_seat, said.deal + 1)

    def _act_undone(self, entry: Entry, said: desk.ActUndone) -> None:
        gone = [one for one in self.taken if one.id in said.entries]
        changes = [one for one in self.changes if one.entry in said.entries]
        self.undone.append(Undone(entry.id, entry.at_ms, tuple(gone), said.reason, said.by or "", tuple(changes)))
        if gone:
            left, self.taken = [one for one in self.taken if one.id not in said.entries], []
            notes = self.notes
            self._begin()
            self.apply_all(map(state_parts.whole, left))
            # What was passed over is not among them.
            self.notes = list(dict.fromkeys((*notes, *self.notes)))
            self.last = entry.id

    @property
    def all_changes(self) -> tuple[PlayerChange, ...]:
        """What was done with single players, undone or not, and what of it was undone."""
        found = list(self.changes)
        for undone in self.undone:
            found += undone.changes
            for one in undone.changes:
                ended = replace(one, kind=state_parts.UNDONE, entry=undone.entry, at_ms=undone.at_ms)
                found.append(replace(ended, reason=undone.reason, by=undone.by))
        return tuple(sorted(found, key=lambda one: one.entry))

    def without(self, entries: Collection[int]) -> "EventState":
        """Return the event as it would be if these entries had not been written."""
        return EventState().apply_all(state_parts.whole(one) for one in self.taken if one.id not in entries)

    def _players_sat(self, entry: Entry, said: desk.PlayersSat) -> None:
        session = self.sessions[said.session]
        sat = {one.instead_of: one.player for one in said.seats}
        first, last = said.from_deal, said.to_deal
        for sheet in session.tables:
            if sheet.exchange(sat, first, last):
                sheet.agreed.clear()
        for deal, moves in session.moves.items():
            if first <= deal <= (last or deal):
                session.moves[deal] = tuple(replace_part(one, player=sat.get(one.player, one.player)) for one in moves)
        came = {one.player for one in said.seats} - set(sat)
        session.byes = tuple(sat.get(one, one) for one in session.byes if one not in came)
        self.touch(session.number, entry)

    def touch(self, number: int, entry: Entry) -> None:
        """Open what was final to appeals again, from now on; what is under appeal stays so for the full time."""
        session = self.sessions[number]
        if session.state == FINAL:
            session.state = advance(number, session.state, "revise")
        if session.state in PUBLIC:
            session.published_ms = entry.at_ms


KINDS = tuple(name for name, cls in ALL_KINDS.items() if issubclass(cls, desk.OfDesk))
"""The kinds of entries that the desk writes."""

_TAKEN = {*KINDS, *TOLD_KINDS, DECLARATIONS, *WALL_KINDS, ClockRead.KIND} - {desk.ActUndone.KIND}
"""The kinds of entries that an event follows from."""

_MISFITS = (AssertionError, AttributeError, LookupError, TypeError, ValueError, EventRefused)
"""What a step raises that misses what it builds on."""
_ELSEWHERE = {**draw_steps.STEPS, **result_steps.STEPS}
_STEPS: Mapping[type[Record], Callable[..., None]] = {
    cls: _ELSEWHERE.get(cls) or getattr(EventState, f"_{cls.KIND}") for cls in map(ALL_KINDS.__getitem__, KINDS)
}
