"""A small language for faults: what goes wrong with a simulated table, and when, one fault a line.

    jam lane 2 at 8.3 s frees 40 %     # a tile sticks at the gate; each jog frees it with this chance
    eye 3 count misses 2 %
    tile 57 weak magnet

A fault is a frozen value: `parse_fault` makes it from its line and `str` gives the line back. Every class states the
form of its line, as `forms` explains; `FORMS` lists them all. Nothing here knows a world; `injection` puts faults into
one. Times are seconds of virtual time since power-up; sides are 0 to 3.
"""

from dataclasses import dataclass
from pathlib import Path

from . import forms
from .electric_faults import Drive as Drive
from .electric_faults import Flip as Flip
from .electric_faults import Input as Input
from .electric_faults import Sense as Sense
from .electric_faults import SideDrive as SideDrive
from .electric_faults import SideSense as SideSense
from .electric_faults import Touching as Touching
from .fault import Fault as Fault
from .fault import FaultError as FaultError
from .supply_faults import OF_SUPPLY as OF_SUPPLY

LONGEST = 1 << 20
"""Characters of a script that are read at the most."""
FREES_PERMILLE = 600
"""A jog of a belt, or a new start of a head, frees a jam with this chance. Estimate."""


@dataclass(frozen=True)
class Jam(Fault):
    """A tile sticks at the gate of a lane, before the eye or in it, or in a head, where that stands.

    It gets free by itself after `for_ms`, or, if there is none, stays until it is cleared: each jog of the belt
    backwards, or start of the head, frees it with the chance `frees` in permille; else a person does.
    """

    FORM = "jam <part:lane|head> <side:side> at <at_ms:time> [for <for_ms:time>] [until cleared] [frees <frees:share>]"
    part: str
    side: int
    at_ms: int
    for_ms: int | None = None
    frees: int = FREES_PERMILLE


@dataclass(frozen=True)
class Eye(Fault):
    """An eye of a lane is dead and stays light, or blocked by dirt and stays dark."""

    FORM = "eye <side:side> <eye:count|belt> <how:dead|blocked> [at <at_ms:time>] [for <for_ms:time>]"
    side: int
    eye: str
    how: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class WeakEye(Fault):
    """An eye of a lane overlooks this share, in permille, of what passes it."""

    FORM = "eye <side:side> <eye:count|belt> misses <misses:share> [at <at_ms:time>] [for <for_ms:time>]"
    side: int
    eye: str
    misses: int
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class HeadVane(Fault):
    """A vane of a head is never seen in its slot, or always."""

    FORM = "vane <side:side> <vane:home|pushed> <how:dead|blocked> [at <at_ms:time>] [for <for_ms:time>]"
    side: int
    vane: str
    how: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class DrumVane(Fault):
    """The vane of disc or ring is never seen in its slot, or always."""

    FORM = "vane <part:disc|ring> <how:dead|blocked> [at <at_ms:time>] [for <for_ms:time>]"
    part: str
    how: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class LiftSwitch(Fault):
    """A limit switch of a lift stays as if reached, or as if not."""

    FORM = "switch lift <side:side> <end:up|down> stuck <level:on|off> [at <at_ms:time>] [for <for_ms:time>]"
    side: int
    end: str
    level: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class LidSwitch(Fault):
    """A limit switch of the lid stays as if reached, or as if not."""

    FORM = "switch lid <end:open|closed> stuck <level:on|off> [at <at_ms:time>] [for <for_ms:time>]"
    end: str
    level: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class Key(Fault):
    """A key of a panel stays pressed."""

    FORM = "key <side:side> <key:lift|dice|referee> stuck [at <at_ms:time>] [for <for_ms:time>]"
    side: int
    key: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class Tile(Fault):
    """A tile is hardly held by the magnets, lies on the floor, or never turns face down.

    `tile` is a number as the world has it: the first set has the lowest.
    """

    FORM = "tile <tile:tile> <how:weak magnet|missing|stays face up>"
    tile: int
    how: str


@dataclass(frozen=True)
class EmptyDrum(Fault):
    """Nobody has pushed the set in that is to be built: it lies beside the table."""

    FORM = "drum empty"


@dataclass(frozen=True)
class ExtraTile(Fault):
    """A tile of the other set lies in the drum, so that it is one too many there and one too few above."""

    FORM = "extra tile"


@dataclass(frozen=True)
class WrongSet(Fault):
    """The set in the drum is of another size: what it lacks lies in its box, what it has more is from the other set."""

    FORM = "set of <size:size> tiles in the drum"
    size: int


@dataclass(frozen=True)
class ForeignTile(Fault):
    """One tile of the set in the drum has been replaced by one of another size, so the eye is dark longer, or less.

    Which one is left to chance.
    """

    FORM = "foreign tile <size:bigger|smaller>"
    size: str


@dataclass(frozen=True)
class Stall(Fault):
    """A motor of the table gets power and turns nothing."""

    FORM = "stall <part:disc|ring|lid> at <at_ms:time> [for <for_ms:time>]"
    part: str
    at_ms: int
    for_ms: int | None = None


@dataclass(frozen=True)
class SideStall(Fault):
    """A motor of one side gets power and turns nothing."""

    FORM = "stall <part:conveyor|lift> <side:side> at <at_ms:time> [for <for_ms:time>]"
    part: str
    side: int
    at_ms: int
    for_ms: int | None = None


@dataclass(frozen=True)
class Sinking(Fault):
    """The brake of a lift does not hold any more: undriven it sinks."""

    FORM = "lift <side:side> sinks at <at_ms:time>"
    side: int
    at_ms: int


@dataclass(frozen=True)
class Obstructed(Fault):
    """Something lies in the lid's way: it opens and does not close."""

    FORM = "lid obstructed at <at_ms:time> [for <for_ms:time>]"
    at_ms: int
    for_ms: int | None = None


@dataclass(frozen=True)
class EmergencyStop(Fault):
    """Somebody presses the emergency stop, or releases it."""

    FORM = "<how:press|release> emergency stop at <at_ms:time>"
    how: str
    at_ms: int


@dataclass(frozen=True)
class PowerCut(Fault):
    """The mains fail."""

    FORM = "cut power at <at_ms:time> for <for_ms:time>"
    at_ms: int
    for_ms: int


@dataclass(frozen=True)
class BoardReset(Fault):
    """The board starts again at once: its watchdog has bitten, or its supply has sagged for a moment."""

    FORM = "<how:watchdog|brown out> resets board at <at_ms:time>"
    how: str
    at_ms: int


@dataclass(frozen=True)
class ProgramCrash(Fault):
    """The firmware fails with an exception, and the board starts again."""

    FORM = "program crashes at <at_ms:time>"
    at_ms: int


@dataclass(frozen=True)
class ProgramHang(Fault):
    """The firmware goes no further, its outputs stay as they are, and the watchdog starts the board again."""

    FORM = "program hangs at <at_ms:time>"
    at_ms: int


@dataclass(frozen=True)
class HostSilent(Fault):
    """No byte passes between host and board, either way."""

    FORM = "host silent at <at_ms:time> [for <for_ms:time>]"
    at_ms: int
    for_ms: int | None = None


@dataclass(frozen=True)
class Noise(Fault):
    """The random source of the board repeats itself, gives nothing any more, or favours some values."""

    FORM = "noise <how:stuck|dead|biased> at <at_ms:time>"
    how: str
    at_ms: int


@dataclass(frozen=True)
class Readers(Fault):
    """Of the stays of a tile at a reader this share, in permille, is missed, seen late, twice, by a neighbour, or with
    the number of another tag of its set."""

    FORM = "readers <how:miss|late|double|ghost|misread> <share:share> [at <at_ms:time>] [for <for_ms:time>]"
    how: str
    share: int
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class DeadReader(Fault):
    """The antenna of a reader is broken: it sees nothing."""

    FORM = "reader <reader:reader> dead [at <at_ms:time>] [for <for_ms:time>]"
    reader: int
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class DeadTag(Fault):
    """The tag of a tile does not answer."""

    FORM = "tag <tile:tile> dead"
    tile: int


@dataclass(frozen=True)
class ForeignTag(Fault):
    """A tag of no tile of this table lies at a reader."""

    FORM = "foreign tag <reader:reader> at <at_ms:time> [for <for_ms:time>]"
    reader: int
    at_ms: int
    for_ms: int | None = None


@dataclass(frozen=True)
class SorterPart(Fault):
    """A part that sorts sticks where it is, takes four times as long, or bounces at half of its arrivals."""

    FORM = "<part:scraper|knock off|flap> <side:side> <how:sticks|slow|bounces> at <at_ms:time> [for <for_ms:time>]"
    part: str
    side: int
    how: str
    at_ms: int
    for_ms: int | None = None


@dataclass(frozen=True)
class DoubleTiles(Fault):
    """This share of the magnets that pick up a tile, in permille, bring a second one with it."""

    FORM = "magnets bring two tiles <share:share> [at <at_ms:time>] [for <for_ms:time>]"
    share: int
    at_ms: int = 0
    for_ms: int | None = None


ELECTRIC: tuple[type[Fault], ...] = (Drive, SideDrive, Sense, SideSense, Flip, Input, Touching)
"""Those of the electrics; what they are is in `electric_faults`."""
CLASSES: tuple[type[Fault], ...] = tuple(sorted(Fault.__subclasses__(), key=lambda kind: kind.__module__ != __name__))
"""All there are, those of this module first."""
OF_READERS: tuple[type[Fault], ...] = (Readers, DeadReader, DeadTag, ForeignTag)
"""Those that need a table with tile readers, and that move nothing."""
OF_SORTERS: tuple[type[Fault], ...] = (SorterPart, DoubleTiles)
"""Those that need a table with parts that sort."""
FORMS = tuple(forms.show(fault.FORM) for fault in CLASSES)
"""Every line there is, for people: words in capitals are filled in, what stands in brackets may be left out."""


def parse_fault(line: str) -> Fault:
    """Read one fault. FaultError says which word is wrong and what may stand there."""
    tokens = forms.split(line)
    furthest = 0
    problems: list[tuple[str, str]] = []
    for fault, form in zip(CLASSES, FORMS, strict=True):
        reader = forms.Reader(tokens)
        try:
            return fault(**reader.read(fault.FORM))
        except forms.FormError as error:
            if reader.at > furthest:
                furthest = reader.at
                problems.clear()
            if reader.at == furthest:
                problems.append((str(error), form))
                word = reader.word()
    if not furthest:
        raise FaultError(f"{line.strip()!r} is no fault; there are:\n  " + "\n  ".join(FORMS))
    what = problems[0][0] if len(problems) == 1 else f"{word} is not understood here"
    raise FaultError(f"{line.strip()!r}: {what}; write {' or '.join(form for _, form in problems)}")


def parse_faults(text: str) -> tuple[Fault, ...]:
    """Read a script: a fault a line or between semicolons; `#` begins a comment. FaultError names the line."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.split("#")[0].split(";"):
            if part.strip():
                try:
                    found.append(parse_fault(part))
                except FaultError as error:
                    raise FaultError(f"line {number}: {error}") from None
    return tuple(found)


def load_faults(source: str) -> tuple[Fault, ...]:
    """Read the script in the file `source`, or `source` itself when it is a script. FaultError when it is neither."""
    path = Path(source)
    if " " in source and not path.is_file():
        return parse_faults(source)
    try:
        with path.open(encoding="utf-8") as file:
            return parse_faults(file.read(LONGEST))
    except (OSError, UnicodeDecodeError) as error:
        raise FaultError(f"{source}: no file of faults ({error}); name a text file, or write the faults") from None
    except FaultError as error:
        raise FaultError(f"{source}, {error}") from None
