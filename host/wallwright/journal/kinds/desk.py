"""What the desk of an event writes: players, draw, seats, sessions, results, signatures."""

from typing import Annotated

from msgspec import field

from .fields import Part, Plain
from .record import Record, kind
from .texts import Label, Name, Word
from .values import (
    Dealer,
    EventTable,
    Fine,
    NextDealer,
    PlayerId,
    PlayerNumber,
    Points,
    PrivateName,
    Reason,
    Seat,
    Session,
    SessionDeal,
)

DESK = "the desk of an event: `wallwright event`, the console"
Four = Annotated[tuple[int, int, int, int], "numbers of the players of seats 0 to 3"]
Stage = Annotated[Word, "main or final"]


class OfDesk(Record):
    """What somebody at the desk writes; `by` is who."""

    by: Annotated[Word | None, "who was at the desk"] = None
    act: Annotated[int | None, "number of the first entry of what was done at once; left out in that entry"] = None


@kind("event_created", by=DESK)
class EventCreated(OfDesk):
    """The event begins; a journal holds one."""

    format: Annotated[Plain, "fields of the format (docs/events.md), with the fields of its ruleset"]


class ListedPlayer(Part):
    """A player of a list."""

    number: PlayerNumber
    name: Name
    club: Annotated[Label, "club, or nothing"]
    stand_in: Annotated[bool, "whether they fill a seat and are not ranked"]
    id: PlayerId | None = None
    private: PrivateName | None = None


class PlayerList(Part):
    """All players, and who is kept apart."""

    players: tuple[ListedPlayer, ...]
    apart: Annotated[tuple[tuple[int, int], ...], "pairs of numbers, the lower first"]


@kind("players_imported", by=DESK)
class PlayersImported(OfDesk):
    """A list of players is taken, in the place of the one before."""

    roster: PlayerList
    source: Annotated[Word, "a file's name, or what else the list is"]


@kind("player_added", by=DESK)
class PlayerAdded(OfDesk):
    """A player comes to the list."""

    number: PlayerNumber
    name: Name
    club: Annotated[Label, "club, or nothing"]
    stand_in: Annotated[bool, "whether they fill a seat and are not ranked"]
    id: PlayerId | None = None
    private: PrivateName | None = None
    reason: Reason | None = None


@kind("player_renamed", by=DESK)
class PlayerRenamed(OfDesk):
    """A name or a club is corrected."""

    player: PlayerNumber
    name: Name
    club: Label
    old_name: Name
    old_club: Label
    reason: Reason


class _OfPlayer(OfDesk):
    player: PlayerNumber
    reason: Reason


@kind("player_privacy", by=DESK)
class PlayerPrivacy(_OfPlayer):
    """It is said whether a player's name leaves the hall."""

    private: PrivateName


@kind("player_withdrawn", by=DESK)
class PlayerWithdrawn(_OfPlayer):
    """A player leaves for the rest of the event."""


@kind("player_returned", by=DESK)
class PlayerReturned(_OfPlayer):
    """A player who had withdrawn plays again."""


@kind("player_substituted", by=DESK)
class PlayerSubstituted(OfDesk):
    """Somebody takes the seat of somebody else."""

    session: Session
    table: EventTable
    seat: Seat
    out: Annotated[PlayerNumber, "who leaves the seat"]
    into: Annotated[PlayerNumber, "who takes it"] = field(name="in")
    from_deal: Annotated[SessionDeal, "the first deal of who takes it"]
    reason: Reason


class SatThere(Part):
    """A player who had the place of another one; without table and seat that is to sit out."""

    player: PlayerNumber
    instead_of: Annotated[PlayerNumber, "whose place it was"]
    table: Annotated[int | None, "table of the event, from 1"] = None
    seat: Annotated[int | None, "seat 0 to 3, counter-clockwise"] = None


@kind("players_sat", by=DESK)
class PlayersSat(OfDesk):
    """Players sat otherwise than was known: the deals that they played there are theirs."""

    session: Session
    from_deal: Annotated[SessionDeal, "the first deal in which they sat so"]
    seats: Annotated[tuple[SatThere, ...], "all at once"]
    reason: Reason
    to_deal: Annotated[int | None, "the last deal in which they sat so; left out if they stayed"] = None


class Moved(Part):
    """A player who moves on to another table."""

    player: PlayerNumber
    table: Annotated[int, "table of the event that is left, from 1"]
    seat: Seat
    to_table: Annotated[int, "table of the event that is gone to, from 1"]
    to_seat: Annotated[int, "seat that is taken there, 0 to 3"]


@kind("winners_moved", by=DESK)
class WinnersMoved(OfDesk):
    """After a deal at all tables the winners move on to the next one."""

    session: Session
    deal: SessionDeal
    moves: Annotated[tuple[Moved, ...], "all at once"]


@kind("deals_committed", by=DESK)
class DealsCommitted(OfDesk):
    """The deals that all tables play are committed to (docs/duplicate.md)."""

    commitment: Annotated[Word, "SHA-256 in hexadecimal"]
    ruleset: Annotated[Word, "the preset whose set, walls and dice the deals have"]
    draws: Annotated[Word, "from where players draw: own or break"]
    spares: Annotated[int, "how many of the deals, the last ones, replace those that are spoilt"]
    dealers: Annotated[tuple[int, ...], "by deal, the seat that deals"]


@kind("deal_replaced", by=DESK)
class DealReplaced(OfDesk):
    """A deal was spoilt: all tables play a spare one in its place."""

    session: Session
    deal: SessionDeal
    spare: Annotated[int, "number of the deal that is played, of all that were committed to"]
    reason: Reason


@kind("deals_revealed", by=DESK)
class DealsRevealed(OfDesk):
    """The deals are shown, after the last table has played."""

    deals: Annotated[Plain, "the deals as JSON (docs/duplicate.md)"]


@kind("draw_committed", by=DESK)
class DrawCommitted(OfDesk):
    """A seed for the draw is committed to."""

    stage: Stage
    players: Annotated[tuple[tuple[int, Name], ...], "numbers and names of those who are drawn"]
    commitment: Annotated[Word, "SHA-256 in hexadecimal (docs/events.md)"]
    reason: Reason


@kind("draw_contributed", by=DESK)
class DrawContributed(OfDesk):
    """Somebody adds a part to the draw."""

    stage: Stage
    text: Annotated[Word, "the part, faces of dice for example"]
    of: Annotated[Name, "whose part it is"]


@kind("draw_revealed", by=DESK)
class DrawRevealed(OfDesk):
    """The seed is shown; the lots follow."""

    stage: Stage
    seed: Annotated[Word, "32 bytes in hexadecimal"]
    lots: Annotated[tuple[int, ...], "numbers of players, first lot first"]


@kind("draw_withdrawn", by=DESK)
class DrawWithdrawn(OfDesk):
    """A commitment is given up before its reveal: the draw before it stands, if there was one."""

    stage: Stage
    reason: Reason


@kind("act_undone", by=DESK)
class ActUndone(OfDesk):
    """What was done last at the desk is undone: the event is as if these entries had not been written."""

    entries: Annotated[tuple[int, ...], "numbers of the entries of that act"]
    reason: Reason


class PlannedSession(Part):
    """The seats of a session."""

    tables: Annotated[tuple[tuple[int, int, int, int], ...], "by table, the players of seats 0 to 3"]
    byes: Annotated[tuple[int, ...], "players who sit out"]


class PlanReport(Part):
    """What a plan of seats was found to be."""

    problems: Annotated[tuple[Word, ...], "none: a plan with problems is not used"]
    repeats: Annotated[int, "pairs that meet again"]
    least_repeats: Annotated[int, "the fewest that are possible"]
    most: Annotated[int, "how often two players meet at the most"]
    clashes: Annotated[int, "pairs to be kept apart that meet"]
    seat_spread: Annotated[int, "most less fewest times that a player has a seat"]
    bye_spread: Annotated[int, "most less fewest byes of a player"]
    table_repeats: Annotated[int, "times that a player sits at a table again"]


@kind("seats_planned", by=DESK)
class SeatsPlanned(OfDesk):
    """The seats of a stage."""

    stage: Stage
    first: Annotated[Session, "the first session"]
    sessions: tuple[PlannedSession, ...]
    report: PlanReport


@kind("table_added", by=DESK)
class TableAdded(OfDesk):
    """A session gets an extra table."""

    session: Session
    players: Four
    reason: Reason


@kind("table_bound", by=DESK)
class TableBound(OfDesk):
    """A board stands at a table of the event, or none any more."""

    table: EventTable
    unit: Annotated[Label | None, "name of the board; null for none"]
    reason: Reason


@kind("session_moved", by=DESK)
class SessionMoved(OfDesk):
    """A session goes from one state to the next."""

    session: Session
    trigger: Annotated[Word, "the step (docs/session-life.md)"]
    reason: Reason


@kind("clock_changed", by=DESK)
class ClockChanged(OfDesk):
    """The clock of the hall, or of a table, is paused, goes on, or gets time."""

    session: Session
    table: Annotated[int | None, "table of the event, from 1; null for the hall's clock"]
    change: Annotated[Word, "add, pause or resume"]
    ms: Annotated[int, "time added, ms; less than 0 for time taken, 0 for a pause"]
    reason: Reason


class FoundFalse(Part):
    """A false Hu, and who has found it."""

    seat: Seat
    referee: Annotated[Label, "who has found it, or nothing"]


class Scored(OfDesk):
    """A result by somebody's word: by a declaration, which is settled, or by a ruling of points."""

    session: Session
    table: EventTable
    deal: SessionDeal
    dealer: Dealer
    points: Points
    penalties: Annotated[tuple[Fine, ...], "in the points"]
    winners: Annotated[tuple[int, ...], "seats whose Hu was a true one"]
    next_dealer: NextDealer
    source: Annotated[Word | None, "declared or ruled; without it declared"] = None
    record: Annotated[Plain | None, "what was declared, as `wallwright rules settle` takes it"] = None
    false_hu: tuple[FoundFalse, ...] | None = None
    agreed: Annotated[tuple[int, ...] | None, "seats whose value was agreed at the table, without tiles"] = None
    reason: Reason | None = None
    approved: Annotated[bool | None, "false: it waits for a referee"] = None
    kept: Annotated[Plain | None, "begin of the next deal's record where a game keeps more than a dealer"] = None
    session_over: Annotated[bool | None, "true: by the game's rounds this was the table's last deal"] = None


@kind("result_recorded", by=DESK)
class ResultRecorded(Scored):
    """A scorer enters a result."""


@kind("result_corrected", by=DESK)
class ResultCorrected(Scored):
    """A result takes the place of the one before."""


@kind("deal_annulled", by=DESK)
class DealAnnulled(Scored):
    """A deal is taken away after a fault of the machine."""

    rule: Annotated[Word, "of the format: replay, void or keep"]


@kind("result_voided", by=DESK)
class ResultVoided(OfDesk):
    """A deal counts as played, and gives no points."""

    session: Session
    table: EventTable
    deal: SessionDeal
    reason: Reason


class _OfResults(OfDesk):
    session: Session
    table: EventTable
    deals: tuple[int, ...]


@kind("results_confirmed", by=DESK)
class ResultsConfirmed(_OfResults):
    """A scorer confirms what a table has told."""


@kind("results_approved", by=DESK)
class ResultsApproved(_OfResults):
    """A referee approves what a scorer has entered."""


@kind("table_signed_off", by=DESK)
class TableSignedOff(OfDesk):
    """A table has signed its results, or its signature is taken back."""

    session: Session
    table: EventTable
    signed: Annotated[bool, "false: taken back"]
    reason: Reason | None = None


@kind("player_signed", by=DESK)
class PlayerSigned(OfDesk):
    """A player signs the results of their table."""

    session: Session
    table: EventTable
    player: PlayerNumber
    how: Annotated[Word, "by what they were known: pin"]
    results: Annotated[tuple[tuple[int, int, Word], ...], "deal, number of the result's entry, and its status"]
