"""What the console shows of a hall: frozen values, made from a fleet's state and from what is known of the play.

They are what the API answers, so a field here is a field there. Nothing in them is a face of a tile.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

from wallwright_protocol.faults import UNKNOWN_FAULT, WORDS
from wallwright_protocol.hardware import SIDES

from ...event.format import CALL_ESCALATES
from ...fleet.state import CONNECTED, TableState
from ...fleet.wall_up import WallUp
from ...link.reports import Status
from ...rules.core.game_rules import GameRules
from ...table.next_walls import Misbuilt
from .calls import Call, OpenDeal
from .late import Late, TableClock, find_late

Attention = Literal["fault", "away", "referee", "walls", "late", "deal"]
ATTENTION: tuple[Attention, ...] = ("fault", "referee", "walls", "away", "late", "deal")
"""Why a table needs somebody, the most urgent first."""

Four = tuple[int, int, int, int]

COMMANDS: dict[str, tuple[str, ...] | None] = {
    "stop": None,
    "clear_fault": ("fault",),
    "start_build": ("idle", "shuffling", "holding", "asking"),
    "hurry": ("shuffling",),
    "open_lid": ("ready", "idle", "building", "shuffling", "holding", "asking"),
    "raise_walls": ("lid_open", "stopped_raising"),
    "lower_lifts": ("walls_up", "stopped_lowering"),
}  # fmt: skip
"""What may be asked of a table, and in which states, None for every one but a fault, known here or not; the table
itself has the last word."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What has stopped a table: its name, its side (0 to 3) or None, and two sentences for who goes there."""

    name: str
    side: int | None
    meaning: str
    what_to_do: str


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand that was shown at a deal's end, in MPSZ notation. `by` is how it won, None for one that did not."""

    seat: int
    standing: str
    melds: tuple[str, ...] = ()
    winning: str | None = None
    by: str | None = None
    from_: int | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """Points from one seat to another, the rule's clause, and why."""

    from_: int
    to: int
    points: int
    clause: str
    why: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal has ended: points by seat, the payments that they follow from, the hands that were shown."""

    deal: int
    points: Four
    winners: tuple[int, ...]
    payments: tuple[Payment, ...]
    hands: tuple[ShownHand, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """How the deal in play stands, as far as its host knows.

    `points` are totals by seat, None where they are not shown before their session is published, and `last` is the deal
    before. `names` are empty where nobody has been seated.
    """

    deal: int
    dealer: int
    points: Four | None = (0, 0, 0, 0)
    last: Result | None = None
    names: tuple[str, ...] = ()
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Shuffling:
    """How well a table shuffles that knows its tiles: `walls` that could be compared in this year of the table, the
    `evidence` against it, which is about 1 while walls are fair, and at which of these walls it was an alarm first.
    """

    walls: int
    evidence: float
    alarm_at: int | None


class Progress(Protocol):
    """Who knows how the deals go: the tournament's state, or the bots of a demonstration."""

    @property
    def call_escalates_min(self) -> int:
        """After how many minutes a call that nobody has taken is overdue; 0 for never."""

    def of(self, table: str, unit: str | None) -> Play | None:
        """Return how it stands at a table of that name with that board; None where nothing is known."""

    def clock_of(self, unit: str | None) -> TableClock | None:
        """Return the session's clock at the table with that board; None where it plays in no event."""

    def number_of(self, unit: str | None) -> int | None:
        """Return the number in the event of the table with that board; None where it plays in no event."""


class NoProgress:
    """Nothing is known of the play: the tables run without an event."""

    call_escalates_min = CALL_ESCALATES

    def of(self, table: str, unit: str | None) -> Play | None:  # noqa: ARG002 (as Progress has it)
        """See Progress.of."""
        return None

    def clock_of(self, unit: str | None) -> TableClock | None:  # noqa: ARG002 (as Progress has it)
        """See Progress.clock_of."""
        return None

    def number_of(self, unit: str | None) -> int | None:  # noqa: ARG002 (as Progress has it)
        """See Progress.number_of."""
        return None


@dataclass(frozen=True, slots=True)
class TableView:
    """One table. Tuples of four are by side.

    `number` is its place in the hall, from 0; `event_table` its number in the event, None where it plays in none.
    `heard_ms` and `since_ms` are ms since 1970: the last status, and the begin of `state`. `state` is that of the
    cycle, or "searching" or "ended" for a table that is away; then `outage` names what keeps it away, and `problem` is
    what was heard of that. `rules` are those of its deals, and `deals` those that somebody has to decide. `lid` is
    "open", "closed" or "moving"; each of `lifts` "up", "down" or "moving". `moving` names the drives that are on. `may`
    are the commands that make sense now. `shuffling` is None where no wall could be compared yet.
    """

    name: str
    number: int
    event_table: int | None
    unit: str | None
    firmware: str | None
    state: str
    since_ms: int
    heard_ms: int
    is_connected: bool
    outage: str | None
    problem: str | None
    attention: Attention | None
    fault: Fault | None
    call: Call | None
    late: Late | None
    misbuilt: Misbuilt | None
    wall: WallUp | None
    rules: GameRules
    deals: tuple[OpenDeal, ...]
    deal: int
    dealer: int
    dice: tuple[int, ...] | None
    plan: Four
    stacks: Four
    sides_out: tuple[int, ...]
    loose_tiles: Four
    set_above: int
    set_whole: bool
    lid: str
    lifts: tuple[str, ...]
    moving: tuple[str, ...]
    waiting: int
    lost: int
    play: Play | None
    may: tuple[str, ...]
    shuffling: Shuffling | None


@dataclass(frozen=True, slots=True)
class HallView:
    """All tables in the order of the hall's file, as they were at `at_ms`; the calls that are open."""

    at_ms: int
    tables: tuple[TableView, ...]
    calls: tuple[Call, ...]
    journal_problem: str | None
    backup_problem: str | None = None

    def table(self, name: str) -> TableView | None:
        """Return the table of that name."""
        return next((table for table in self.tables if table.name == name), None)

    @property
    def deals(self) -> tuple[OpenDeal, ...]:
        """The deals of all tables that somebody has to decide, the oldest first."""
        return tuple(sorted((deal for table in self.tables for deal in table.deals), key=lambda deal: deal.id))

    @property
    def waiting_calls(self) -> tuple[Call, ...]:
        """The calls that nobody has taken, the oldest first."""
        return tuple(call for call in self.calls if call.taken_by is None)

    @property
    def attention(self) -> tuple[TableView, ...]:
        """The tables that need somebody, the most urgent first, then calls overdue, then by place in the hall."""
        needing = [table for table in self.tables if table.attention is not None]
        return tuple(sorted(needing, key=_urgency))


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a table besides its own state: since when it is in that, when it was heard, and what waits."""

    since_ms: int
    heard_ms: int
    call: Call | None
    deals: tuple[OpenDeal, ...]
    play: Play | None
    clock: TableClock | None
    event_table: int | None
    shuffling: Shuffling | None


def view_table(number: int, table: TableState, known: Known, now_ms: int) -> TableView:
    """Put together what is known of the table at place `number` (from 0)."""
    status = table.status
    is_connected = table.link == CONNECTED
    state = status.state if is_connected and status is not None else table.link
    fault = _fault(status) if is_connected else None
    late = find_late(state, known.since_ms, known.clock, now_ms) if is_connected else None
    found: dict[Attention, bool] = {
        "fault": fault is not None,
        "referee": known.call is not None and known.call.taken_by is None,
        "walls": table.misbuilt is not None,
        "away": not is_connected,
        "late": late is not None,
        "deal": bool(known.deals),
    }
    drives = status.drives if status is not None and is_connected else ()
    inputs = status.inputs if status is not None else ()
    return TableView(
        name=table.name,
        number=number,
        event_table=known.event_table,
        unit=None if table.info is None else table.info.unit,
        firmware=None if table.info is None else table.info.firmware,
        state=state,
        since_ms=known.since_ms,
        heard_ms=known.heard_ms,
        is_connected=is_connected,
        outage=table.outage,
        problem=table.problem,
        attention=next((kind for kind in ATTENTION if found[kind]), None),
        fault=fault,
        call=known.call,
        late=late,
        misbuilt=table.misbuilt,
        wall=table.wall,
        rules=table.rules,
        deals=known.deals,
        deal=0 if status is None else status.deal,
        dealer=0 if status is None else status.dealer,
        dice=None if status is None else status.dice,
        plan=(0, 0, 0, 0) if status is None else status.plan,
        stacks=(0, 0, 0, 0) if status is None else status.stacks,
        sides_out=() if status is None else status.sides_out,
        loose_tiles=(0, 0, 0, 0) if status is None else status.loose_tiles,
        set_above=0 if status is None else status.set_above,
        set_whole=status is not None and status.set_whole,
        lid=_between(inputs, "lid_is_open", "open", "lid_is_closed", "closed"),
        lifts=tuple(_between(inputs, f"lift_up_{side}", "up", f"lift_down_{side}", "down") for side in range(SIDES)),
        moving=drives,
        waiting=table.waiting,
        lost=table.lost,
        play=known.play,
        may=tuple(name for name, states in COMMANDS.items() if is_connected and _may(state, states)),
        shuffling=known.shuffling,
    )


def _may(state: str, states: tuple[str, ...] | None) -> bool:
    return state != "fault" if states is None else state in states


def _fault(status: Status | None) -> Fault | None:
    if status is None or status.fault is None:
        return None
    meaning, what_to_do = WORDS.get(status.fault, UNKNOWN_FAULT)
    return Fault(status.fault, status.fault_side, meaning, what_to_do)


def _between(inputs: tuple[str, ...], one: str, is_one: str, other: str, is_other: str) -> str:
    return is_one if one in inputs else is_other if other in inputs else "moving"


def _urgency(table: TableView) -> tuple[int, bool, int]:
    assert table.attention is not None
    is_overdue = table.call is not None and table.call.overdue_min is not None
    return ATTENTION.index(table.attention), not is_overdue, table.number
