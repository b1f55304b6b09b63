"""The event as its journal tells it: `EventState.apply` takes one entry after the other, and nothing else changes it.

Entries were checked by `desk` before they were written, so nothing is refused here; what cannot be meant is put into
`notes`, where a referee finds it, and changes nothing. Entries of other kinds are passed over.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from ..errors import EventRefused
from ..link.reconnect import WORDS as MEETINGS
from ..naming import table_name, with_seats
from ..words import Say, english
from .clock import Clock
from .draw import Contribution
from .format import REPLAY, EventFormat, read_format
from .lifecycle import FINAL, OPEN, PLANNED, PLAYING, PUBLIC, advance
from .players import Player, Roster, read_roster
from .reported_results import TOLD_STEPS, ToldDeals
from .seating import SessionSeating, read_seating
from .state_parts import (
    ADDED,
    RENAMED,
    RETURNED,
    WITHDRAWN,
    AnyEntry,
    Appeal,
    Drawing,
    Penalty,
    PlayerChange,
    Session,
    Substitution,
    read_result,
)
from .table_sheet import ANNULLED, VOIDED, TableSheet


class EventState:
    """An event after the entries so far; `last` is the number of the last one seen, `changed` of one that counted."""

    def __init__(self) -> None:
        self.last = 0
        self.changed = 0
        self.format: EventFormat | None = None
        self.begun_ms = 0
        """When the event was begun, which no other one was at that desk."""
        self.roster = Roster(())
        self.players: dict[int, Player] = {}
        self.draws: dict[str, Drawing] = {}
        self.sessions: dict[int, Session] = {}
        self.units: dict[str, int] = {}
        self.unit_of: dict[int, str] = {}
        self.hall_names: dict[str, str] = {}
        self.penalties: dict[int, Penalty] = {}
        self.appeals: dict[int, Appeal] = {}
        self.substitutions: list[Substitution] = []
        self.withdrawn: dict[int, int] = {}
        """By player: the number of the entry with which they have withdrawn."""
        self.changes: list[PlayerChange] = []
        self.notes: list[str] = []
        self._playing: int | None = None
        self.told = ToldDeals(self)
        """Which deal is which, of those that tables tell by themselves."""

    def apply(self, entry: AnyEntry) -> None:
        """Take the next entry of the journal. Whatever does not fit raises: it is a mistake of this program."""
        self.last = entry.id
        if entry.kind in MEETINGS:
            self.hall_names[entry.unit or ""] = entry.body["table"]
        if self.format is None and entry.kind != "event_created":
            return
        if entry.kind in _STEPS:
            self.changed = entry.id
            _STEPS[entry.kind](self, entry)
        elif entry.kind in TOLD_STEPS:
            self.changed = entry.id
            TOLD_STEPS[entry.kind](self.told, entry)

    def apply_all(self, entries: Iterable[AnyEntry]) -> "EventState":
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

    @property
    def playing(self) -> Session | None:
        """The session whose tables play or wait to be signed off; there is one at the most."""
        return None if self._playing is None else self.sessions[self._playing]

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

    def say_at(self, session: int, table: int) -> Say:
        """Return the English of a table: its seats are called as the format says, with who sits there."""
        assert self.format is not None
        sheet = self.sheet(session, table)
        players = () if sheet is None else tuple(map(self.name, sheet.players))
        return with_seats(english, self.format.seats, players)

    def clock_of(self, sheet: TableSheet) -> Clock:
        """Return the clock as it is at a table."""
        return self.sessions[sheet.session].clock.with_table(sheet.clock)

    def name(self, player: int) -> str:
        """Return a player's name, `number` when there is none of it."""
        found = self.players.get(player)
        return f"player {player}" if found is None else found.name

    # One method for each kind of entry.

    def _event_created(self, entry: AnyEntry) -> None:
        if self.format is not None:
            self.notes.append(f"entry {entry.id} begins an event anew; it was passed over")
            return
        self.format = read_format(entry.body["format"])
        self.begun_ms = entry.at_ms

    def _players_imported(self, entry: AnyEntry) -> None:
        before, self.roster = self.roster, read_roster(entry.body["roster"])
        if not self._only_stand_ins_differ(before):
            self.withdrawn, self.changes = {}, []
        self.players = {player.number: player for player in self.roster.players}

    def _player_added(self, entry: AnyEntry) -> None:
        body = entry.body
        player = Player(body["number"], body["name"], body["club"], body["stand_in"])
        self.roster = Roster((*self.roster.players, player), self.roster.apart)
        self.players[player.number] = player
        if not player.stand_in:
            self._change(entry, ADDED, player.number)

    def _player_renamed(self, entry: AnyEntry) -> None:
        body = entry.body
        old = self.players[body["player"]]
        new = Player(old.number, body["name"], body["club"], old.stand_in)
        self.roster = Roster(tuple(new if one is old else one for one in self.roster.players), self.roster.apart)
        self.players[new.number] = new
        self._change(entry, RENAMED, new.number, old.name)

    def _player_withdrawn(self, entry: AnyEntry) -> None:
        player = entry.body["player"]
        self.withdrawn[player] = entry.id
        for session in self.sessions.values():
            if session.state in (PLANNED, OPEN):
                session.byes = tuple(one for one in session.byes if one != player)
        self._change(entry, WITHDRAWN, player)

    def _player_returned(self, entry: AnyEntry) -> None:
        del self.withdrawn[entry.body["player"]]
        self._change(entry, RETURNED, entry.body["player"])

    def _table_added(self, entry: AnyEntry) -> None:
        session = self.sessions[entry.body["session"]]
        a, b, c, d = entry.body["players"]
        session.tables.append(TableSheet(session.number, len(session.tables) + 1, (a, b, c, d)))
        session.byes = tuple(one for one in session.byes if one not in (a, b, c, d))

    def _change(self, entry: AnyEntry, kind: str, player: int, old: str = "") -> None:
        reason, by = entry.body.get("reason", ""), entry.body.get("by", "")
        self.changes.append(PlayerChange(entry.id, entry.at_ms, kind, player, self.name(player), reason, by, old))

    def _only_stand_ins_differ(self, before: Roster) -> bool:
        """Whether the list that was taken is the one before, with other stand-ins; another list begins anew."""
        then, now = ([one for one in roster.players if not one.stand_in] for roster in (before, self.roster))
        return then == now and before != self.roster

    def _draw_committed(self, entry: AnyEntry) -> None:
        players = tuple((number, name) for number, name in entry.body["players"])
        before = self.draws.get(entry.body["stage"])
        earlier = () if before is None else (*before.earlier, (before.commitment, entry.body["reason"]))
        self.draws[entry.body["stage"]] = Drawing(entry.body["commitment"], players, earlier=earlier)

    def _draw_contributed(self, entry: AnyEntry) -> None:
        body = entry.body
        self.draws[body["stage"]].contributions.append(Contribution(body["of"], body["text"]))

    def _draw_revealed(self, entry: AnyEntry) -> None:
        draw = self.draws[entry.body["stage"]]
        draw.seed, draw.lots = entry.body["seed"], tuple(entry.body["lots"])

    def _seats_planned(self, entry: AnyEntry) -> None:
        seatings = list(enumerate(map(read_seating, entry.body["sessions"]), entry.body["first"]))
        for number, seating in seatings:
            self._seat(number, seating)

    def _seat(self, number: int, seating: SessionSeating) -> None:
        tables = [TableSheet(number, table, four) for table, four in enumerate(seating.tables, 1)]
        self.sessions[number] = Session(number, seating, tables=tables, byes=seating.byes)

    def _table_bound(self, entry: AnyEntry) -> None:
        table, unit = entry.body["table"], entry.body["unit"]
        before = self.unit_of.pop(table, None)
        if before is not None:
            del self.units[before]
        if unit is not None:
            self.units[unit] = table
            self.unit_of[table] = unit

    def _session_moved(self, entry: AnyEntry) -> None:
        session, trigger = self.sessions[entry.body["session"]], entry.body["trigger"]
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

    def _clock_changed(self, entry: AnyEntry) -> None:
        body = entry.body
        session, table, change, reason = (body[name] for name in ("session", "table", "change", "reason"))
        owner = self.sessions[session] if table is None else self.sheet(session, table)
        assert owner is not None
        if change == "add":
            owner.clock = owner.clock.add(body["ms"])
        elif change == "pause":
            owner.clock = owner.clock.pause(entry.at_ms)
        else:
            owner.clock = owner.clock.resume(entry.at_ms)
        if isinstance(owner, Session) and change != "add":
            owner.pause_reason = reason

    def _result_recorded(self, entry: AnyEntry) -> None:
        sheet = self.sheet(entry.body["session"], entry.body["table"])
        assert sheet is not None
        result = read_result(entry, sheet, entry.body)
        sheet.deals[result.deal] = result
        sheet.begun.pop(result.deal, None)

    def _result_corrected(self, entry: AnyEntry) -> None:
        sheet = self.sheet(entry.body["session"], entry.body["table"])
        assert sheet is not None
        old = sheet.deals[entry.body["deal"]]
        new = read_result(entry, sheet, entry.body)
        # Whoever sat there in that deal still did.
        new.players, new.before = old.players, (*old.before, old.entry)
        sheet.deals[new.deal] = new
        self._touch(sheet.session, entry)

    def _result_voided(self, entry: AnyEntry) -> None:
        sheet = self.sheet(entry.body["session"], entry.body["table"])
        assert sheet is not None
        deal = sheet.deals[entry.body["deal"]]
        deal.status, deal.reason, deal.approved = VOIDED, entry.body["reason"], True
        self._touch(sheet.session, entry)

    def _results_approved(self, entry: AnyEntry) -> None:
        sheet = self.sheet(entry.body["session"], entry.body["table"])
        assert sheet is not None
        for deal in [sheet.deals[number] for number in entry.body["deals"]]:
            deal.approved = True

    def _results_confirmed(self, entry: AnyEntry) -> None:
        sheet = self.sheet(entry.body["session"], entry.body["table"])
        assert sheet is not None
        for deal in [sheet.deals[number] for number in entry.body["deals"]]:
            deal.confirmed = True

    def _deal_annulled(self, entry: AnyEntry) -> None:
        body = entry.body
        sheet = self.sheet(body["session"], body["table"])
        assert sheet is not None
        result = read_result(entry, sheet, body)
        sheet.begun.pop(result.deal, None)
        if body["rule"] == REPLAY:
            self.told.annulled(sheet, result.deal)
            result.status, result.replayed = ANNULLED, True
            earlier = sheet.deals.pop(result.deal, None)
            if earlier is not None:
                earlier.status, earlier.replayed, earlier.reason = ANNULLED, True, result.reason
                sheet.past.append(earlier)
            sheet.past.append(result)
        else:
            sheet.deals[result.deal] = result

    def _table_signed_off(self, entry: AnyEntry) -> None:
        sheet = self.sheet(entry.body["session"], entry.body["table"])
        assert sheet is not None
        sheet.signed_off = entry.body["signed"]
        if not sheet.signed_off:
            sheet.agreed.clear()

    def _player_signed(self, entry: AnyEntry) -> None:
        body = entry.body
        sheet = self.sheet(body["session"], body["table"])
        assert sheet is not None
        sheet.agreed[body["player"]] = tuple((deal, number, status) for deal, number, status in body["results"])

    def _penalty_given(self, entry: AnyEntry) -> None:
        body = entry.body
        amount = Fraction(body["amount"])
        self.penalties[entry.id] = Penalty(
            entry.id, entry.at_ms, body["session"], body["player"], body["name"], amount, body["reason"], body["by"]
        )
        if body["session"] is not None:
            self._touch(body["session"], entry)

    def _penalty_withdrawn(self, entry: AnyEntry) -> None:
        penalty = self.penalties[entry.body["penalty"]]
        penalty.withdrawn = entry.body["reason"]
        if penalty.session is not None:
            self._touch(penalty.session, entry)

    def _appeal_filed(self, entry: AnyEntry) -> None:
        body = entry.body
        about = (body["session"], body["table"], body["deal"], body["player"], body["text"])
        self.appeals[entry.id] = Appeal(entry.id, entry.at_ms, *about, body["by"])

    def _appeal_decided(self, entry: AnyEntry) -> None:
        appeal, body = self.appeals[entry.body["appeal"]], entry.body
        appeal.upheld, appeal.ruling, appeal.decided_by = body["upheld"], body["ruling"], body["by"]

    def _player_substituted(self, entry: AnyEntry) -> None:
        body = entry.body
        sheet = self.sheet(body["session"], body["table"])
        assert sheet is not None
        four = list(sheet.players)
        four[body["seat"]] = body["in"]
        a, b, c, d = four
        names = ("session", "table", "seat", "out", "in", "from_deal", "reason")
        self.substitutions.append(Substitution(entry.id, *(body[name] for name in names)))
        sheet.players = (a, b, c, d)
        session = self.sessions[body["session"]]
        session.byes = tuple(one for one in session.byes if one != body["in"])

    def _touch(self, number: int, entry: AnyEntry) -> None:
        """What was final is open to appeals again, from now on; what is under appeal stays so for the full time."""
        session = self.sessions[number]
        if session.state == FINAL:
            session.state = advance(number, session.state, "revise")
        if session.state in PUBLIC:
            session.published_ms = entry.at_ms


KINDS = (
    "event_created", "players_imported", "player_added", "player_renamed", "player_withdrawn", "player_returned",
    "draw_committed", "draw_contributed", "draw_revealed", "seats_planned", "table_added", "table_bound",
    "session_moved", "clock_changed", "result_recorded", "result_corrected", "result_voided", "results_confirmed",
    "results_approved", "deal_annulled", "table_signed_off", "player_signed", "penalty_given", "penalty_withdrawn",
    "appeal_filed", "appeal_decided", "player_substituted",
)  # fmt: skip
"""The kinds of entries that the desk writes."""
TOLD_KINDS = ("walls_up", "dice_rolled", "deal_started", "dealer_called", "deal_result")
"""What else makes results: what tables tell by themselves."""
DECLARATIONS = "declared"
"""Besides, what was declared in a deal that goes on; only who annuls it has to know."""

_MISFITS = (AssertionError, AttributeError, LookupError, TypeError, ValueError, EventRefused)
"""What a step raises that misses what it builds on."""
_Step = Callable[[EventState, AnyEntry], None]
_STEPS: Mapping[str, _Step] = {kind: getattr(EventState, f"_{kind}") for kind in KINDS}
