"""The event as its journal tells it: `EventState.apply` takes one entry after the other, and nothing else changes it.

Entries were checked by `desk` before they were written, so nothing is refused here; what cannot be meant is put into
`notes`, where a referee finds it, and changes nothing. Entries of other kinds are passed over.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from .clock import Clock
from .draw import Contribution
from .format import REPLAY, EventFormat, read_format
from .lifecycle import FINAL, PLAYING, PUBLIC, advance
from .parts import AnyEntry, Appeal, Drawing, Penalty, Session, Substitution, read_result
from .players import Player, Roster, read_roster
from .seating import SessionSeating, read_seating
from .table_sheet import ANNULLED, VOIDED, TableSheet
from .told import ToldDeals


class EventState:
    """An event after the entries so far; `last` is the number of the last one seen, `changed` of one that counted."""

    def __init__(self) -> None:
        self.last = 0
        self.changed = 0
        self.format: EventFormat | None = None
        self.roster = Roster(())
        self.players: dict[int, Player] = {}
        self.draws: dict[str, Drawing] = {}
        self.sessions: dict[int, Session] = {}
        self.units: dict[str, int] = {}
        self.unit_of: dict[int, str] = {}
        self.penalties: dict[int, Penalty] = {}
        self.appeals: dict[int, Appeal] = {}
        self.substitutions: list[Substitution] = []
        self.notes: list[str] = []
        self._playing: int | None = None
        self._told = ToldDeals(self)

    def apply(self, entry: AnyEntry) -> None:
        """Take the next entry of the journal."""
        self.last = entry.id
        step = _STEPS.get(entry.kind)
        if step is not None and (self.format is not None or entry.kind == "event_created"):
            self.changed = entry.id
            step(self, entry)

    def apply_all(self, entries: Iterable[AnyEntry]) -> "EventState":
        """Take all entries and return the state itself."""
        for entry in entries:
            self.apply(entry)
        return self

    @property
    def playing(self) -> Session | None:
        """The session whose tables play or wait to be signed off; there is one at the most."""
        return None if self._playing is None else self.sessions[self._playing]

    def sheet(self, session: int, table: int) -> TableSheet | None:
        """Return a table in a session, None when there is none."""
        found = self.sessions.get(session)
        return found.tables[table - 1] if found is not None and 0 < table <= len(found.tables) else None

    def clock_of(self, sheet: TableSheet) -> Clock:
        """Return the clock as it is at a table."""
        return self.sessions[sheet.session].clock.with_table(sheet.clock)

    def told_place(self, unit: str, deal: int) -> tuple[int, int, int] | None:
        """Return session, table and number of the deal that is `deal` by its board; None when it is none of these."""
        return self._told.place_of(unit, deal)

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

    def _players_imported(self, entry: AnyEntry) -> None:
        self.roster = read_roster(entry.body["roster"])
        self.players = {player.number: player for player in self.roster.players}

    def _player_added(self, entry: AnyEntry) -> None:
        body = entry.body
        player = Player(body["number"], body["name"], body["club"], body["stand_in"])
        self.roster = Roster((*self.roster.players, player), self.roster.apart)
        self.players[player.number] = player

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
        for number, record in enumerate(entry.body["sessions"], entry.body["first"]):
            self._seat(number, read_seating(record))

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
        sheet = None if body["table"] is None else self.sheet(body["session"], body["table"])
        owner = self.sessions[body["session"]] if sheet is None else sheet
        change = body["change"]
        if change == "add":
            owner.clock = owner.clock.add(body["ms"])
        elif change == "pause":
            owner.clock = owner.clock.pause(entry.at_ms)
        else:
            owner.clock = owner.clock.resume(entry.at_ms)
        if isinstance(owner, Session) and change != "add":
            owner.pause_reason = body["reason"]

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
        for number in entry.body["deals"]:
            sheet.deals[number].approved = True

    def _results_confirmed(self, entry: AnyEntry) -> None:
        sheet = self.sheet(entry.body["session"], entry.body["table"])
        assert sheet is not None
        for number in entry.body["deals"]:
            sheet.deals[number].confirmed = True

    def _deal_annulled(self, entry: AnyEntry) -> None:
        body = entry.body
        sheet = self.sheet(body["session"], body["table"])
        assert sheet is not None
        result = read_result(entry, sheet, body)
        sheet.begun.pop(result.deal, None)
        if body["rule"] == REPLAY:
            self._told.annulled(sheet, result.deal)
            result.status, result.replayed = ANNULLED, True
            earlier = sheet.deals.pop(result.deal, None)
            sheet.past += [result] if earlier is None else [earlier, result]
        else:
            sheet.deals[result.deal] = result

    def _table_signed_off(self, entry: AnyEntry) -> None:
        sheet = self.sheet(entry.body["session"], entry.body["table"])
        assert sheet is not None
        sheet.signed_off = entry.body["signed"]

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
        appeal = self.appeals[entry.body["appeal"]]
        appeal.upheld, appeal.ruling = entry.body["upheld"], entry.body["ruling"]
        appeal.decided_by = entry.body["by"]

    def _player_substituted(self, entry: AnyEntry) -> None:
        body = entry.body
        sheet = self.sheet(body["session"], body["table"])
        assert sheet is not None
        four = list(sheet.players)
        four[body["seat"]] = body["in"]
        a, b, c, d = four
        sheet.players = (a, b, c, d)
        session = self.sessions[body["session"]]
        session.byes = tuple(one for one in session.byes if one != body["in"])
        self.substitutions.append(
            Substitution(
                entry.id,
                body["session"],
                body["table"],
                body["seat"],
                body["out"],
                body["in"],
                body["from_deal"],
                body["reason"],
            )
        )

    # What tables tell by themselves.

    def _walls_up(self, entry: AnyEntry) -> None:
        self._told.walls_up(entry)

    def _dice_rolled(self, entry: AnyEntry) -> None:
        self._told.rolled(entry)

    def _deal_started(self, entry: AnyEntry) -> None:
        self._told.started(entry)

    def _declared(self, entry: AnyEntry) -> None:
        self._told.declared(entry)

    def _deal_result(self, entry: AnyEntry) -> None:
        self._told.ended(entry)

    def _touch(self, number: int, entry: AnyEntry) -> None:
        """What was final is open to appeals again, from now on; what is under appeal stays so for the full time."""
        session = self.sessions[number]
        if session.state == FINAL:
            session.state = advance(number, session.state, "revise")
        if session.state in PUBLIC:
            session.published_ms = entry.at_ms


KINDS = (
    "event_created",
    "players_imported",
    "player_added",
    "draw_committed",
    "draw_contributed",
    "draw_revealed",
    "seats_planned",
    "table_bound",
    "session_moved",
    "clock_changed",
    "result_recorded",
    "result_corrected",
    "result_voided",
    "results_confirmed",
    "results_approved",
    "deal_annulled",
    "table_signed_off",
    "penalty_given",
    "penalty_withdrawn",
    "appeal_filed",
    "appeal_decided",
    "player_substituted",
)
"""The kinds of entries that the desk writes."""
TOLD_KINDS = ("walls_up", "dice_rolled", "deal_started", "deal_result")
"""What else makes results: what tables tell by themselves."""
DECLARATIONS = "declared"
"""Besides, what was declared in a deal that goes on; only who annuls it has to know."""

_Step = Callable[[EventState, AnyEntry], None]
_STEPS: Mapping[str, _Step] = {kind: getattr(EventState, f"_{kind}") for kind in (*KINDS, *TOLD_KINDS, DECLARATIONS)}
