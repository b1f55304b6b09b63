"""What boards tell of walls that were drawn beforehand: given to them, being built, compared, up.

No tile is in it: a board says which deal of the event it was given, and whether what it has built is that.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..journal.entry import Entry
from ..journal.fold import Fold
from ..journal.kinds import tables
from ..link.reports import ORDINARY

RELEASED, REFUSED, BUILDING, MATCHED, DIFFERS, USUAL = (
    "released",
    "refused",
    "building",
    "matched",
    "differs",
    "ordinary",
)
"""Where a wall is: given to the board for its next build; refused by it; being built; whole, and the one that it was
given; whole, and another one, so that it cannot rise; or one that nobody has drawn."""
WALL_KINDS = (
    "prescription_judged", "build_started", "wall_prescribed", "state_changed", "booted", "command_accepted", "fault",
)  # fmt: skip
"""The kinds of entries that say so."""
OK = "ok"
LOWERING = "lowering"
CANCEL = "prescribe_cancel"
FORGETS = ("walls_unknown", "store_corrupt")
"""Faults after which people take out of the carriers whatever is there."""


@dataclass(frozen=True, slots=True)
class ToldWall:
    """A wall of a board: where it is, which of the drawn deals it is, None where nobody has said that, why the board
    does not build it, and how many of its tiles no reader has read.
    """

    stage: str
    deal: int | None = None
    refusal: str = OK
    inferred: int = 0

    @property
    def is_prescribed(self) -> bool:
        """Whether it is built as somebody has drawn it."""
        return self.stage in (RELEASED, BUILDING, MATCHED, DIFFERS)


class ToldWalls:
    """Takes the entries of boards in their order; `lowered(entry)` is called when walls that nobody throws dice for go
    down, which is when their deal begins.
    """

    def __init__(self, lowered: Callable[[Entry], bool]) -> None:
        self._lowered = lowered
        self._below: dict[str, ToldWall] = {}
        self._up: dict[str, ToldWall] = {}
        self._counts = False
        self._fold = Fold()
        self._fold.on(tables.PrescriptionJudged, self._judged)
        self._fold.on(tables.BuildStarted, self._started)
        self._fold.on(tables.WallPrescribed, self._compared)
        self._fold.on(tables.StateChanged, self._changed)
        self._fold.on(tables.Booted, self._booted)
        self._fold.on(tables.CommandAccepted, self._commanded)
        self._fold.on(tables.Fault, self._failed)

    def take(self, entry: Entry) -> bool:
        """Take an entry; say whether anything of the event follows from it."""
        self._counts = False
        self._fold.take(entry)
        return self._counts

    def risen(self, entry: Entry, _: tables.WallsUp) -> None:
        """The walls are up, and the board may be given the next ones."""
        unit = entry.unit or ""
        self._up[unit] = self._below.pop(unit, ToldWall(USUAL))

    def below(self, unit: str) -> ToldWall | None:
        """Return what is known of the walls that a board builds next, None when that is nothing."""
        return self._below.get(unit)

    def has(self, unit: str) -> int | None:
        """Return which of the drawn deals a board has: to be built, being built, or in walls that wait below."""
        known = self._below.get(unit)
        return known.deal if known is not None and known.is_prescribed else None

    def up(self, unit: str) -> ToldWall | None:
        """Return what is known of the walls that went up last at a board."""
        return self._up.get(unit)

    def _judged(self, entry: Entry, said: tables.PrescriptionJudged) -> None:
        unit = entry.unit or ""
        known = self._below.get(unit)
        if said.refusal == OK:
            self._below[unit] = ToldWall(RELEASED, said.deal)
        elif known is None or not known.is_prescribed:
            self._below[unit] = ToldWall(REFUSED, said.deal, said.refusal)

    def _started(self, entry: Entry, said: tables.BuildStarted) -> None:
        unit = entry.unit or ""
        known = self._below.get(unit)
        if said.wall_mode in (None, ORDINARY):
            self._below[unit] = ToldWall(USUAL)
        else:
            self._below[unit] = ToldWall(BUILDING, known.deal if known is not None and known.is_prescribed else None)

    def _compared(self, entry: Entry, said: tables.WallPrescribed) -> None:
        unit = entry.unit or ""
        known = self._below.get(unit, ToldWall(BUILDING))
        self._below[unit] = replace(known, stage=MATCHED if said.match else DIFFERS, inferred=said.inferred)

    def _changed(self, entry: Entry, said: tables.StateChanged) -> None:
        up = self._up.get(entry.unit or "")
        if said.state == LOWERING and up is not None and up.stage == MATCHED:
            self._counts = self._lowered(entry)

    def _commanded(self, entry: Entry, said: tables.CommandAccepted) -> None:
        """A deal that was replaced is taken back; whatever of it stands below is built anew."""
        if said.message == CANCEL:
            self._below.pop(entry.unit or "", None)

    def _failed(self, entry: Entry, said: tables.Fault) -> None:
        """Walls that were whole are taken out; a prescription that was not built yet is still in the board's memory."""
        known = self._below.get(entry.unit or "")
        if said.fault in FORGETS and known is not None and known.stage == MATCHED:
            del self._below[entry.unit or ""]

    def _booted(self, entry: Entry, _: tables.Booted) -> None:
        """A prescription is in the board's memory alone; walls that are whole stay what they are."""
        known = self._below.get(entry.unit or "")
        if known is not None and known.stage != MATCHED:
            del self._below[entry.unit or ""]
