"""The tournament as the console shows it, and what people do about it; its journal has everything.

That is the hall's own, which has one writer, or another one that is opened for every change and closed again.
A view is made anew a second after the journal has got another entry.
"""

import dataclasses
import threading
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Protocol, TypeVar

from ...clocks import read_clock, wall_ms
from ...errors import BadCheckpoint, BadKey, EventRefused, JournalError, NoEvent
from ...event import results, running, sanctions
from ...event.desk import Desk as EventDesk
from ...event.disclosure import RESULTS, TOTALS, may_see
from ...event.followed import FollowedEvent
from ...event.movement import is_due, move_on
from ...event.score_origins import number as in_words
from ...event.settling import form_of_deal
from ...event.standings import session_points
from ...event.state_parts import Penalty
from ...event.store import EventTurns
from ...event.table_sheet import DealResult
from ...journal import Entry, Journal, own_key
from ...journal.checkpoint import Checkpoint
from ...journal.places import JournalPath
from ...naming import EventTable
from ...rules.core.form import Form
from ...rules.core.game_rules import GameRules
from ...rules.sichuan.ruleset import Ruleset
from ...words import words
from ..hall.late import TableClock
from ..hall.model import Play
from ..people.person import Person
from ..replays.deals import Deals, find_preset
from .clocks import DealPlace, deal_place, table_clock
from .setup_view import Draws, DrawView
from .view import CheckpointView, EventView, Ranks, SheetView, view_event, view_play, view_sheet
from .waiting import version_of

T = TypeVar("T")

BY_TABLES = "the tables"
BY_HOST = "the host"
"""Who moves winners when no scorer has entered the result that was missing."""
NEED_REASON = ("resume", "pause")
MAY_NEED_REASON = ("stop", "finalise")


class UseJournal(Protocol):
    """How a journal is come by: a `wallwright.fleet.Fleet`'s `turn`, for the hall's own."""

    def __call__(self, action: Callable[[Journal], T], /) -> T:
        """Return what `action` returns when it is on disk; what it raises is raised, and nothing of it kept."""


class Book:
    """The event in the journal at `place`. Raises NoEvent when there is none. Any thread may use it.

    `use` has the journal open; without it nobody has, and it is opened for every change. `followed` is the event as
    somebody else on this server follows it, if anybody does.
    """

    def __init__(
        self,
        place: JournalPath,
        now_ms: Callable[[], int] | None = None,
        use: UseJournal | None = None,
        followed: FollowedEvent | None = None,
    ) -> None:
        self._place = str(place)
        self._now_ms = now_ms or wall_ms
        self._use: UseJournal = use or self._open
        self._is_halls = use is not None
        # A disk may take seconds for a turn; meanwhile everybody else goes on reading.
        self._writing = threading.Lock()
        self._followed = followed or FollowedEvent(place)
        self._state = self._followed.state
        self._lock = self._followed.lock
        self._turns = EventTurns(self._place, self._now_ms)
        self._ranks: Ranks
        self._ranked_at: int | None = None
        self._checkpoints: tuple[CheckpointView, ...] = ()
        self._draws = Draws()
        self.draws: tuple[DrawView, ...] = ()
        self.view = self.look()
        self.deals = Deals(place, self.find_ruleset, self.other_rules)

    @property
    def place(self) -> str:
        """The journal's path or URL."""
        return self._place

    def look(self) -> EventView:
        """Read what has been written since, and return how it stands; `view` has the last one."""
        with self._followed.still:
            self._followed.look()
            if self._state.format is None:
                raise NoEvent(self._place)
            if self._state.changed != self._ranked_at:
                self._ranks, self._ranked_at = Ranks(self._state), self._state.changed
            self.draws = self._draws.follow(EventDesk.to_read(self._state, self._now_ms))
            self.view = view_event(
                self._state, self._ranks, self._present_ms(), tuple(map(_checkpoint, self._followed.checkpoints))
            )
            return self.view

    def follow(self) -> None:
        """Look again, and move winners when tables have told the last result that was missing (CUM-8.2).

        Where the journal cannot be read, the view says so and the next look may find it well.
        """
        try:
            self.look()
            with self._lock:
                has_news = self._state.times.have_begun and not self._state.times.is_told(read_clock(self._now_ms))
                session = is_due(self._state, self._present_ms())
            if has_news:
                self._write(BY_HOST, EventDesk.tell_clocks)
            if session is not None:
                self._write(BY_TABLES, partial(move_on, number=session))
        except JournalError as error:
            self.view = dataclasses.replace(self.view, problem=str(error))

    def _present_ms(self) -> int:
        return self._state.times.now_ms(read_clock(self._now_ms))

    def do(self, person: Person, action: Callable[[EventDesk], T]) -> T:
        """Have something done at the event's desk, in the name of `person`. Raises what it does, and JournalError."""
        return self._write(f"{person.name} ({person.role})", action)

    def _write(self, by: str, action: Callable[[EventDesk], T]) -> T:
        with self._writing:
            turns = self._turns

            def act(journal: Journal) -> T:
                with turns.at(journal, by) as desk:
                    return action(desk)

            turns.catch_up()
            try:
                done = self._use(act)
            except JournalError:
                # A turn that the disk keeps waiting may still go on, with what it knew.
                self._turns = EventTurns(self._place, self._now_ms)
                raise
        self.look()
        return done

    def turn(self, action: Callable[[Journal], T]) -> T:
        """Have something done with the journal, whoever has it open. Raises what it does, and JournalError."""
        with self._writing:
            return self._use(action)

    def _open(self, action: Callable[[Journal], T]) -> T:
        with Journal(self._place) as journal:
            return action(journal)

    def change(self, person: Person, session: int, table: int, version: int, action: Callable[[EventDesk], T]) -> T:
        """Likewise with a table that somebody has seen at `version`; EventRefused when it has changed since."""

        def act(desk: EventDesk) -> T:
            if version_of(desk.sheet(session, table)) != version:
                problem = "{table} was changed by somebody else meanwhile; look at it again"
                raise EventRefused(words(problem, table=EventTable(table)))
            return action(desk)

        return self.do(person, act)

    def ask(self, question: Callable[[EventDesk], T]) -> T:
        """Return the answer to a question about the event. Raises what it does; nothing can be written in it."""
        with self._lock:
            return question(EventDesk.to_read(self._state, self._now_ms))

    @property
    def ranks(self) -> Ranks:
        """The standings as they are now."""
        return self._ranks

    def step(self, person: Person, session: int, step: str, reason: str) -> str:
        """Take a step of a session's life, or of its clock. Raises EventRefused when it cannot be taken now.

        Returns a checkpoint to be printed when the session is done by it, else nothing.
        """
        return str(self.do(person, lambda desk: running.STEPS[step](desk, session, reason)) or "")

    def preview(
        self, session: int, table: int, record: Mapping[str, Any], corrects: int | None = None
    ) -> results.Preview:
        """Return what a declared deal comes to. Raises EventRefused when it cannot have happened."""
        return self.ask(lambda desk: results.preview(desk, session, table, record, corrects))

    def penalties_of(self, players: Collection[int]) -> tuple[Penalty, ...]:
        """Return the penalties of these players that stand."""
        with self._lock:
            return tuple(one for one in self._state.penalties.values() if one.player in players and not one.withdrawn)

    def catalogue(self) -> tuple[tuple[str, str, str], ...]:
        """Return the event's penalties with their least and greatest amounts as text."""
        return tuple((name, in_words(low), in_words(high)) for name, low, high in self.ask(sanctions.catalogue))

    def sheet(self, session: int, table: int) -> tuple[SheetView, tuple[DealResult, ...]] | None:
        """Return a table in a session with its deals, None when there is none."""
        with self._lock:
            found = self._state.sheet(session, table)
            if found is None:
                return None
            deals = tuple(dataclasses.replace(found.deals[number]) for number in sorted(found.deals))
            points = session_points(self._state, self._state.sessions[session])
            return view_sheet(self._state, found, self._present_ms(), points), deals

    def players_at(self, session: int, table: int, deal: int | None = None) -> tuple[str, ...]:
        """Return who sits at a table in a session by seat, or sat there in a deal; nobody where there is none."""
        with self._lock:
            sheet = self._state.sheet(session, table)
            if sheet is None:
                return ()
            players = sheet.players if deal is None else sheet.players_in(deal)
            return tuple(map(self._state.name, players))

    def find_ruleset(self, name: str | None) -> Ruleset:
        """Return the rules of that name, the event's own among them, which are those of None. Raises RulesError."""
        with self._lock:
            assert self._state.format is not None
            own = self._state.format.ruleset
            if name in (None, own.name):
                return self._state.format.sichuan
        return find_preset(name)

    def other_rules(self) -> GameRules | None:
        """Return the event's rules if they are not those of Sichuan."""
        with self._lock:
            assert self._state.format is not None
            own = self._state.format.ruleset
        return own if isinstance(own, GameRules) else None

    @property
    def has_form(self) -> bool:
        """Whether deals can be tapped in."""
        return self.form(None) is not None

    def form(self, kept: Mapping[str, Any] | None) -> Form | None:
        """Return the form of a deal, see `settling.form_of_deal`."""
        with self._lock:
            assert self._state.format is not None
            chosen = self._state.format
        return form_of_deal(chosen, kept)

    @property
    def plays_out(self) -> bool:
        """Whether a deal in progress is played out when time is up (SBR-4.9, HKO-8.2)."""
        with self._lock:
            assert self._state.format is not None
            return self._state.format.game.options.get("time_up", "finish") == "finish"

    @property
    def seats(self) -> str:
        """What seats are called in the event, see `wallwright.naming`."""
        with self._lock:
            assert self._state.format is not None
            return self._state.format.seats

    @property
    def call_escalates_min(self) -> int:
        """See Progress.call_escalates_min."""
        with self._lock:
            assert self._state.format is not None
            return self._state.format.call_escalates_minutes

    def number_of(self, unit: str | None) -> int | None:
        """See Progress.number_of."""
        with self._lock:
            return self._state.units.get(unit or "")

    def met(self) -> Mapping[int, str]:
        """Return the names in the hall of the event's tables, as far as this journal has met their boards."""
        with self._lock:
            names, units = self._state.hall_names, self._state.units
            return {table: names[unit] for unit, table in units.items() if unit in names}

    def may_see(self, audience: str, what: str, session: int | None) -> bool:
        """See `disclosure.may_see`."""
        with self._lock:
            return may_see(self._state, audience, what, session)

    def deals_of(self, session: int, player: int) -> tuple[tuple[int, int, int, int], ...]:
        """Return a player's deals that count in a session: table, deal, seat and the entry of the result."""
        with self._lock:
            found = self._state.sessions.get(session)
            return tuple(
                (sheet.table, deal.deal, deal.players.index(player), deal.entry)
                for sheet in (() if found is None else found.tables)
                for deal in sheet.counted()
                if player in deal.players
            )

    def may_see_result(self, audience: str, entry: int) -> bool:
        """Say whether an audience may see the deal whose result a board told, by its entry in the hall's journal."""
        with self._lock:
            return self._may_see_told(audience, self._state.told.session_of_result(entry))

    def may_see_deal(self, audience: str, unit: str, deal: int) -> bool:
        """Likewise for the deal that is `deal` by its board."""
        with self._lock:
            return self._may_see_told(audience, self._state.told.session_of_deal(unit, deal))

    def _may_see_told(self, audience: str, session: int | None) -> bool:
        """Where the event has another journal than the hall nobody knows what was played for it: all waits for all."""
        state = self._state
        sessions = (session,) if self._is_halls else state.told.opened
        return all(may_see(state, audience, RESULTS, one) for one in sessions)

    def may_see_totals(self, audience: str) -> bool:
        """Say whether an audience may see what the tables in play have so far."""
        with self._lock:
            playing = self._state.playing
            return may_see(self._state, audience, TOTALS, None if playing is None else playing.number)

    def clock_of(self, unit: str | None) -> TableClock | None:
        """See Progress.clock_of."""
        with self._lock:
            return table_clock(self._state, unit, self._present_ms())

    def deal_place(self, unit: str, deal: int, at_ms: int) -> DealPlace | None:
        """Return where a deal was played that is `deal` by its board, which told of it at `at_ms`; None if nowhere."""
        with self._lock:
            return deal_place(self._state, unit, deal, at_ms)

    def of(self, table: str, unit: str | None) -> Play | None:  # noqa: ARG002 (the event knows tables by their units)
        """See Progress.of."""
        with self._lock:
            session, number = self._state.playing, self._state.units.get(unit or "")
            if session is None or number is None or not 0 < number <= len(session.tables):
                return None
            return view_play(self._state, session.tables[number - 1])


def _checkpoint(entry: Entry) -> CheckpointView:
    try:
        found = Checkpoint.read(entry.body)
        return CheckpointView(entry.at_ms, found.entry, str(found), is_own=_is_own(found.key))
    except BadCheckpoint as error:
        return CheckpointView(entry.at_ms, entry.id, str(error))


def _is_own(key: bytes) -> bool:
    try:
        return key == own_key()
    except BadKey:
        return False
