"""What tables tell: the events of the protocol, with names for its numbers.

Every event has `time_ms`, the board's uptime, and `lost` when events before it had to make room in the board's memory.
The names of their fields are those of the protocol's messages (SPEC.md, section 8), whose order they have.
"""

from typing import Annotated, ClassVar

from msgspec import field

from wallwright_protocol.codes import CUT as CUT_PURPOSE
from wallwright_protocol.names import PURPOSES
from wallwright_protocol.wall import TAG_BYTES

from .record import Record, kind
from .texts import Code, Word
from .values import BoardDeal, Dealer, Dice, Hex32, Plan, Seat, Side

CUT = PURPOSES[CUT_PURPOSE]
BOARD = "a table, through its host"
SomeSide = Annotated[int | None, "side of the table, 0 to 3; null for none"]
SomeSeat = Annotated[int | None, "seat 0 to 3; null for none"]
Set = Annotated[int, "set of tiles, 0 or 1"]
Source = Annotated[Word, "key or host"]
Reader = Annotated[int, "number of a tile reader (docs/readers.md)"]
Washed = Annotated[int | None, "s for which the disc has washed these tiles before; null where nobody has said"]
Tag = Annotated[Word, "8 bytes of a tag in hexadecimal"]


class TableEvent(Record):
    """Something that happened at a table."""

    IS_EVENT: ClassVar[bool] = True

    time_ms: Annotated[int, "the board's uptime, ms"] = 0
    lost: Annotated[int | None, "events before it that were overwritten"] = None


@kind("booted", by=BOARD)
class Booted(TableEvent):
    """The board has started."""

    firmware: Annotated[tuple[int, int, int], "version of the firmware"]


@kind("state_changed", by=BOARD)
class StateChanged(TableEvent):
    """The table is in another state."""

    state: Annotated[Word, "the new state"]


@kind("command_accepted", by=BOARD)
class CommandAccepted(TableEvent):
    """A request was carried out that was not a mere question."""

    message: Annotated[Word, "name of the request"]
    source: Source


@kind("key_pressed", by=BOARD)
class KeyPressed(TableEvent):
    """A key was pressed, whether it did something or not."""

    side: Side
    key: Annotated[Word, "name of the key"]


@kind("build_started", by=BOARD)
class BuildStarted(TableEvent):
    """The plan of a build is latched."""

    tile_set: Set
    plan: Plan
    tiles: Annotated[int | None, "in the set"] = None
    dice_count: Annotated[int | None, "dice that the table throws at once"] = None
    wash_s: Washed = None
    wall_mode: Annotated[Word | None, "ordinary, strict or hands; null where nobody has said"] = None


@kind("side_done", by=BOARD)
class SideDone(TableEvent):
    """One side is whole."""

    side: Side
    stacks: Annotated[int, "stacks on its carrier"]
    after_ms: Annotated[int, "ms of building up to now, stops left out"]


@kind("build_done", by=BOARD)
class BuildDone(TableEvent):
    """All sides are whole."""

    tile_set: Set
    stacks: Plan
    duration_ms: Annotated[int, "ms of building, stops and the wash left out"]
    wash_s: Washed = None


@kind("walls_up", by=BOARD)
class WallsUp(TableEvent):
    """The walls are up."""

    tile_set: Set
    deal: BoardDeal


@kind("dice_rolled", by=BOARD)
class DiceRolled(TableEvent):
    """Dice were rolled, and this is what they follow from (docs/dice.md)."""

    seat: Seat
    purpose: Annotated[Word | None, "what the throw was for; a board that does not say so throws for the cut"] = None
    dice: Dice
    source: Source
    deal: BoardDeal
    roll: Annotated[int, "number of the roll since the start, from 1"]
    seed: Hex32
    contribution: Annotated[Word, "the host's part, 16 bytes in hexadecimal; zeros when there was none"]
    contributed: Annotated[int, "1: the host has taken part, 0: the board has rolled alone"]

    @property
    def is_cut(self) -> bool:
        """Whether the wall is cut by this throw, with which a deal begins."""
        return self.purpose in (None, CUT)


@kind("fault", by=BOARD)
class Fault(TableEvent):
    """Everything stands still because of a fault (docs/faults.md)."""

    fault: Annotated[Word, "name of the fault"]
    side: SomeSide
    found: Annotated[int, "tiles counted, 0 when it is not about a count"]
    wanted: Annotated[int, "tiles by the plan, 0 when it is not about a count"]


@kind("fault_cleared", by=BOARD)
class FaultCleared(TableEvent):
    """The fault is over."""

    fault: Annotated[Word, "name of the fault"]
    source: Source


@kind("referee_called", by=BOARD)
class RefereeCalled(TableEvent):
    """A referee is called."""

    side: Side


@kind("notice", by=BOARD)
class Notice(TableEvent):
    """The table has got over a fault by itself, or goes on without something."""

    fault: Annotated[Word, "name of the fault"]
    side: SomeSide
    tries: Annotated[int, "how often it was tried"]


@kind("restored", by=BOARD)
class Restored(TableEvent):
    """What the board knew when power returned."""

    set_above: Set
    carriers: Annotated[Word, "what stands on the carriers"]
    deal: BoardDeal
    dealer: Dealer
    east: Annotated[int | None, "seat of East, as a host had told it, 0 to 3"] = None
    round_wind: Annotated[int | None, "wind of the round likewise, 0 east to 3 north"] = None
    deal_kind: Annotated[Word | None, "kind of the deal likewise"] = None
    pot: Annotated[int | None, "chips in the pot likewise"] = None
    builds: Annotated[int, "builds since the board was made"]
    boots: Annotated[int, "starts since the board was made"]


@kind("dice_committed", by=BOARD)
class DiceCommitted(TableEvent):
    """The seed of the next roll is fixed."""

    roll: Annotated[int, "number of the roll since the start, from 1"]
    commitment: Hex32


@kind("setup_changed", by=BOARD)
class SetupChanged(TableEvent):
    """The table has another game: another size of a set, number of dice, or side that builds no wall."""

    tiles: Annotated[int, "in one set, from now on"]
    dice_count: Annotated[int, "dice that are thrown at once, from now on"]
    source: Source
    sides_out: Annotated[tuple[int, ...] | None, "sides that build no wall from now on; null where nobody has said"] = (
        None
    )


@kind("jog_done", by=BOARD)
class JogDone(TableEvent):
    """A jog has ended."""

    drive: Annotated[Word, "name of the drive"]
    ran_ms: Annotated[int, "how long it ran, ms"]
    jog_end: Annotated[Word, "what ended it"]


@kind("tag_appeared", by=BOARD)
class TagAppeared(TableEvent):
    """A tag is read that no reader had."""

    reader: Reader
    tag: Tag


@kind("tag_left", by=BOARD)
class TagLeft(TableEvent):
    """A tag is not read any more."""

    reader: Reader
    tag: Tag


@kind("tag_moved", by=BOARD)
class TagMoved(TableEvent):
    """A tag has gone from one reader to another."""

    from_: Reader = field(name="from")
    to: Reader
    tag: Tag


@kind("tag_unread", by=BOARD)
class TagUnread(TableEvent):
    """A tile has passed a stacking head, and its tag was not read."""

    reader: Reader


@kind("wall_sealed", by=BOARD)
class WallSealed(TableEvent):
    """The wall of the coming deal is fixed."""

    deal: BoardDeal
    tiles: Annotated[int, "tiles of the wall"]
    unread: Annotated[int, "tiles of it that no reader has read"]
    commitment: Hex32


@kind("wall_revealed", by=BOARD)
class WallRevealed(TableEvent):
    """The deal is over; this opens its commitment, and the wall follows."""

    deal: BoardDeal
    nonce: Hex32


@kind("wall_part", by=BOARD)
class WallPart(TableEvent):
    """Tiles of a wall that is revealed."""

    deal: BoardDeal
    first: Annotated[int, "place of the first of them"]
    tiles: Annotated[int | None, "how many these are; 27 or what is left of the wall where it is not said"] = None
    tags: Annotated[Code, "their tags, 8 bytes each, in hexadecimal; behind the last one zeros"]

    @property
    def data(self) -> bytes:
        """The tags one after the other; with zeros behind the last where the part does not say how many it has."""
        data = bytes.fromhex(self.tags)
        return data if self.tiles is None else data[: self.tiles * TAG_BYTES]


@kind("wall_unverifiable", by=BOARD)
class WallUnverifiable(TableEvent):
    """There will be nothing to verify this wall with."""

    deal: BoardDeal
    seal_loss: Annotated[Word, "why"]


@kind("prescription_judged", by=BOARD)
class PrescriptionJudged(TableEvent):
    """The board has checked a prescription that was sent to it."""

    deal: Annotated[int, "of the event, as the prescription says"]
    refusal: Annotated[Word, "ok, or why it is not built"]
    prescription_hash: Hex32


@kind("wall_prescribed", by=BOARD)
class WallPrescribed(TableEvent):
    """A prescribed wall is whole, and was compared with its prescription before it can rise."""

    deal: BoardDeal
    prescription_hash: Hex32
    inferred: Annotated[int, "tiles that could not be read and are known because all others are placed"]
    match: Annotated[int, "1: every tile that was read lies where it is to lie; 0: the wall differs and cannot rise"]


@kind("claim", by=BOARD)
class Claim(TableEvent):
    """A claim key was pressed."""

    seat: SomeSeat


@kind("crashed", by=BOARD)
class Crashed(TableEvent):
    """The program of the board had failed, and has started again."""

    module: Annotated[Word, "where"]
    line: Annotated[int, "line of it"]
    error: Annotated[Word, "the error"]
    times: Annotated[int, "how often since the start"]


@kind("wiring_changed", by=BOARD)
class WiringChanged(TableEvent):
    """The board goes by another map of its wires."""

    wiring: Annotated[Word, "hash of the map, 4 bytes in hexadecimal"]


@kind("evidence", by=BOARD)
class Evidence(TableEvent):
    """The inputs and drives by which the board found a fault or a notice."""

    fault: Annotated[Word, "name of the fault or notice"]
    drive: Annotated[Word | None, "name of the drive it is about, null for none"]
    input: Annotated[Word | None, "name of the input that tells it, null where the carrier's senses do"]
    output: Annotated[int | None, "number of the output, null where it was not sensed"]
    drives: Annotated[tuple[Word, ...], "drives that were switched on"]
    sensed: Annotated[tuple[Word, ...], "drives that had voltage"]


@kind("wire_jogged", by=BOARD)
class WireJogged(TableEvent):
    """An output is off again."""

    output: Annotated[int, "number of the output"]
    ran_ms: Annotated[int, "how long it was on, ms"]
    jog_end: Annotated[Word, "what ended it"]


@kind("tag_sealed", by=BOARD)
class TagSealed(TableEvent):
    """What a reader has told of a running deal, encrypted (docs/readers.md)."""

    key: Annotated[Word, "name of the deal's key"]
    box: Annotated[Code, "ChaCha20-Poly1305, base64"]


@kind("unreadable", by=BOARD)
class Unreadable(TableEvent):
    """An event whose length or numbers cannot be."""

    message: Annotated[Word, "name of the event"]
    why: Annotated[Word | None, "what cannot be"] = None
    payload: Annotated[Code | None, "its bytes in hexadecimal"] = None
