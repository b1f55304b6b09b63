"""What the state of an event is made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..journal.entry import Entry
from ..journal.kinds import Record, decode_record
from ..journal.kinds.desk import Moved, OfDesk, Scored
from ..naming import EventTable
from ..words import Listed, Sayable, words
from .clock import Clock
from .draw import Contribution
from .format import EventFormat
from .lifecycle import PLANNED
from .seating import SessionSeating
from .table_sheet import DECLARED, DealResult, TableSheet

MAIN, FINALS = "main", "final"
"""The stages of an event; seats are drawn for each."""


@dataclass(slots=True)
class Drawing:
    """A draw by lot as far as it has come, for `players`; `lots` is empty before the reveal.

    `earlier` are commitments that were given up before, each with the reason. `before` is the draw by which the seats
    stand until this one is revealed.
    """

    commitment: str
    players: tuple[tuple[int, str], ...]
    contributions: list[Contribution] = field(default_factory=list)
    seed: str = ""
    lots: tuple[int, ...] = ()
    earlier: tuple[tuple[str, str], ...] = ()
    before: "Drawing | None" = None

    @property
    def standing(self) -> "Drawing | None":
        """The draw from which the seats follow: this one once it is revealed, else the one before it."""
        return self if self.lots else self.before

    def anew(self, commitment: str, players: tuple[tuple[int, str], ...], reason: str) -> "Drawing":
        """Return the draw that is begun in the place of this one."""
        earlier = (*self.earlier, (self.commitment, reason))
        return Drawing(commitment, players, earlier=earlier, before=self.standing)

    def given_up(self, reason: str) -> tuple[tuple[str, str], ...]:
        """Return the commitments that are given up once this one is as well."""
        stays = "" if self.before is None else self.before.commitment
        return (*(one for one in self.earlier if one[0] != stays), (self.commitment, reason))


def begin_draw(
    before: Drawing | None,
    given_up: Sequence[tuple[str, str]],
    commitment: str,
    players: tuple[tuple[int, str], ...],
    reason: str,
) -> Drawing:
    """Return a draw that is committed to; `before` is the one so far, `given_up` what was withdrawn without one."""
    if before is None:
        return Drawing(commitment, players, earlier=tuple(given_up))
    return before.anew(commitment, players, reason)


def stage_sessions(event_format: EventFormat, stage: str) -> range:
    """Return the numbers of the sessions whose seats follow from the draw of a stage."""
    first = 1 if stage == MAIN else event_format.sessions + 1
    return range(first, first + (event_format.sessions if stage == MAIN else event_format.final_sessions))


@dataclass(slots=True)
class CommittedDeals:
    """The deals that all tables play. `dealers` has the seat that deals each; the last `spares` replace spoilt ones.

    `replaced` has, by session and deal, the spare ones that were taken in its place, `shown` the deals as JSON, once
    they are revealed.
    """

    commitment: str
    ruleset: str
    draws: str
    spares: int
    dealers: tuple[int, ...]
    replaced: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    shown: Mapping[str, Any] | None = None

    @property
    def to_play(self) -> int:
        """How many are not spare."""
        return len(self.dealers) - self.spares

    def number(self, session: int, deal: int, a_session: int) -> int:
        """Return which of them a session's deal is, where each session has `a_session` of them."""
        spare = self.replaced.get((session, deal))
        return spare[-1] if spare else (session - 1) * a_session + deal

    def replace(self, session: int, deal: int, spare: int) -> None:
        """Take a spare one in the place of a session's deal."""
        self.replaced[session, deal] = (*self.replaced.get((session, deal), ()), spare)

    def give_dealers(self, sessions: Iterable["Session"], a_session: int) -> None:
        """Tell all tables who deals, which is no secret."""
        for session in sessions:
            numbers = {deal: self.number(session.number, deal, a_session) for deal in range(1, a_session + 1)}
            there = {deal: self.dealers[one - 1] for deal, one in numbers.items() if one <= len(self.dealers)}
            for sheet in session.tables:
                sheet.dealers = there

    def withdrawn(self, a_session: int) -> tuple[int, ...]:
        """Return which of them were replaced by spare ones: nobody plays them any more."""
        found = [(session - 1) * a_session + deal for session, deal in self.replaced]
        return tuple(sorted([*found, *(spare for spares in self.replaced.values() for spare in spares[:-1])]))

    @property
    def spares_left(self) -> int:
        """Return how many spare ones have replaced nothing yet."""
        return self.spares - sum(map(len, self.replaced.values()))

    def next_spare(self) -> int | None:
        """Return the first spare one that has replaced nothing yet, None when there is none left."""
        used = {one for spares in self.replaced.values() for one in spares}
        return next((one for one in range(self.to_play + 1, len(self.dealers) + 1) if one not in used), None)


@dataclass(slots=True)
class Session:
    """One session: its state, the hall's clock, its tables in order, and when it was published.

    `moves` are who went where, by the deal after which they did.

    `seats` is as planned, `tables` and `byes` as it came about with substitutes. `pause_reason` is why the clock stands
    still, empty when it does not.
    """

    number: int
    seats: SessionSeating
    state: str = PLANNED
    clock: Clock = field(default_factory=Clock)
    tables: list[TableSheet] = field(default_factory=list)
    byes: tuple[int, ...] = ()
    published_ms: int = 0
    pause_reason: str = ""
    moves: dict[int, tuple[Moved, ...]] = field(default_factory=dict)

    def move_times(self, ms: int) -> None:
        """Have all that lasts, or is waited for, by a clock that is `ms` ahead of the one before."""
        self.clock = self.clock.moved(ms)
        if self.published_ms:
            self.published_ms += ms
        for sheet in self.tables:
            sheet.clock = sheet.clock.moved(ms)
            for result in (*sheet.deals.values(), *sheet.past):
                result.at_ms += ms
            for begun in sheet.begun.values():
                begun.at_ms += ms


@dataclass(slots=True)
class Penalty:
    """One that a referee gave; `session` None: for the event as a whole. `withdrawn` is the reason, empty if it stands.

    `entry` is the number of its entry, by which it is withdrawn.
    """

    entry: int
    at_ms: int
    session: int | None
    player: int
    name: str
    amount: Fraction
    reason: str
    by: str
    withdrawn: str = ""


@dataclass(slots=True)
class Appeal:
    """What `player` says against a session, one of its tables or a deal. `upheld` is None until it is decided.

    `entry` is the number of its entry, by which it is decided; `ruling` are the words of who decided, `decided_by`.
    """

    entry: int
    at_ms: int
    session: int
    table: int | None
    deal: int | None
    player: int
    text: str
    by: str
    upheld: bool | None = None
    ruling: str = ""
    decided_by: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it waits for a decision."""
        return self.upheld is None

    @property
    def subject(self) -> Listed:
        """What it is about: "session 1, table 7, deal 3"."""
        parts: list[Sayable] = [words("session {number}", number=self.session)]
        if self.table is not None:
            parts.append(EventTable(self.table))
        if self.deal is not None:
            parts.append(words("deal {number}", number=self.deal))
        return Listed(tuple(parts))


@dataclass(frozen=True, slots=True)
class Substitution:
    """Somebody took somebody's seat; deals from `from_deal` on are theirs."""

    entry: int
    session: int
    table: int
    seat: int
    out: int
    into: int
    from_deal: int
    reason: str


ADDED, RENAMED, WITHDRAWN, RETURNED, UNDONE = "added", "renamed", "withdrawn", "returned", "undone"
PRIVACY = {True: "private", False: "shown"}
"""By whether a name is withheld from what leaves the hall."""


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """Something that was done with one player: `kind` is ADDED, RENAMED (from `old`), WITHDRAWN, RETURNED, UNDONE,
    or one of PRIVACY.
    """

    entry: int
    at_ms: int
    kind: str
    player: int
    name: str
    reason: str
    by: str
    old: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """What was done at the desk and undone: its entries, why and by whom, and what it had changed about players."""

    entry: int
    at_ms: int
    entries: tuple[Entry, ...]
    reason: str
    by: str
    changes: tuple[PlayerChange, ...]


def shortened(entry: Entry) -> Entry:
    """Return an entry as it is kept to be read once more: of the desk what it says, of a table its text.

    A table's record takes three times as much memory as its text, and there are a hundred of them to one of the desk.
    """
    return entry._replace(text="") if isinstance(entry.said, OfDesk) else entry._replace(said=_UNREAD)


def whole(entry: Entry) -> Entry:
    """Return an entry that was shortened with what it says."""
    return entry._replace(said=decode_record(entry.kind, entry.text)) if entry.said is _UNREAD else entry


_UNREAD = Record()


def scored_result(entry: Entry, sheet: TableSheet, said: Scored) -> DealResult:
    """Return the result that somebody has entered, of a deal whose players are those of `sheet` in it."""
    return DealResult(
        said.deal,
        entry.id,
        entry.at_ms,
        sheet.players_in(said.deal),
        said.dealer,
        said.points,
        sum(one.points for one in said.penalties),
        said.winners,
        said.next_dealer,
        said.source or DECLARED,
        reason=said.reason or "",
        approved=said.approved is not False,
        by=said.by or "",
        false_hu=tuple((one.seat, one.referee) for one in said.false_hu or ()),
        agreed=said.agreed or (),
        kept=said.kept,
        session_over=said.session_over is True,
    )
