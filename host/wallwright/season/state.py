"""The season as its journal tells it: `SeasonState.apply` takes one entry after the other, and nothing else changes it.

Days stand by their ids, and whatever is computed from them asks for them in the order of their dates, so that it does
not matter in which order they were added.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial

from msgspec import Struct
from msgspec.structs import asdict

from ..errors import EventRefused
from ..event.draw import Contribution
from ..event.state_parts import MAIN, Drawing, begin_draw
from ..journal.entry import Entry
from ..journal.fold import Fold
from ..journal.kinds import Record, Unknown, desk
from ..journal.kinds.season import (
    DayAdded,
    DayHead,
    DayReplaced,
    DayResult,
    DayWithdrawn,
    HallAdmitted,
    PersonsMerged,
    PersonSplit,
    SeasonCreated,
    SeasonDay,
    SeenInPlay,
    Undone,
)
from ..system.forms import decoder_of
from . import guards
from .format import SeasonFormat, read_format


class _Results(Struct, gc=False):
    results: tuple[DayResult, ...]


class _Said(Struct, gc=False):
    day: _Results


_TEXT = decoder_of(_Said)


@dataclass(frozen=True, slots=True)
class DayTold:
    """What an entry says of a day. Its `text` is kept and read when somebody asks for the results: of thousands of days
    they would fill the memory.
    """

    day: DayHead
    text: bytes = field(repr=False)

    @property
    def results(self) -> tuple[DayResult, ...]:
        """What the day gave its players; it is read anew each time."""
        return _TEXT.decode(self.text).day.results

    def whole(self) -> SeasonDay:
        """Return the day with its results, as the entry has it."""
        return SeasonDay(**asdict(self.day), results=self.results)


@dataclass(frozen=True, slots=True)
class Replaced(DayTold):
    """What a day was before another extract took its place: the entry that did it, when, by whom and why."""

    entry: int
    at_ms: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class DayInSeason(DayTold):
    """A day: what its extract says, the entry that says so, and what it was before, the oldest first.

    `seen` is what was seen of it during play, `reason` why it was taken in spite of that, or of the date.
    """

    entry: int
    is_final: bool = False
    past: tuple[Replaced, ...] = ()
    seen: SeenInPlay | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Merge:
    """These are one person; the entry is where somebody says so, by whom and why."""

    persons: tuple[str, ...]
    entry: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Split:
    """A player of a day is another person than the id in the day's list says."""

    day: str
    player: int
    person: str
    entry: int
    by: str
    reason: str


@dataclass(slots=True)
class SeasonState:
    """A season after the entries so far; `last` is the number of the last one seen.

    `halls` has the names by printed key, `journals` the ids of days by what stands for their journals. `withdrawn` are
    days that count no more, by id. `given_up` are commitments that were withdrawn where no draw stands, each with the
    reason. `seats` are those of the final's sessions: tables by number from 0, the finalists' numbers of seats 0 to 3,
    and who sits out.
    """

    last: int = 0
    format: SeasonFormat | None = None
    halls: dict[str, str] = field(default_factory=dict)
    days: dict[str, DayInSeason] = field(default_factory=dict)
    journals: dict[str, str] = field(default_factory=dict)
    withdrawn: dict[str, Replaced] = field(default_factory=dict)
    merges: dict[int, Merge] = field(default_factory=dict)
    splits: dict[int, Split] = field(default_factory=dict)
    draw: Drawing | None = None
    given_up: tuple[tuple[str, str], ...] = ()
    seats: tuple[desk.PlannedSession, ...] = ()
    notes: list[str] = field(default_factory=list)

    def apply_all(self, entries: Iterable[Entry]) -> "SeasonState":
        """Take entries in their order, return the state itself; what does not fit is noted, and changes nothing."""
        fold = Fold()
        for cls, step in _STEPS.items():
            fold.on(cls, partial(step, self))
        for entry in entries:
            self.last = entry.id
            if self.format is None and not isinstance(entry.said, SeasonCreated):
                continue
            try:
                guards.check(self, entry.said)
            except EventRefused as refusal:
                self.notes.append(
                    f"entry {entry.id} ({entry.kind}) was passed over, and what is there stays: {refusal}"
                )
                continue
            try:
                if not fold.take(entry) and isinstance(entry.said, Unknown) and entry.kind in KINDS:
                    self.notes.append(f"entry {entry.id} ({entry.kind}) cannot be read ({entry.said.why})")
            except _MISFITS as error:
                why = f"entry {entry.id} ({entry.kind}) does not fit the entries before it ({error!r})"
                self.notes.append(f"{why}; it was passed over")
        return self

    def grown(self, entries: Iterable[Entry]) -> "SeasonState":
        """Return the state after these entries; this one stays as it is, for whoever goes through it."""
        new = replace(
            self,
            halls=dict(self.halls),
            days=dict(self.days),
            journals=dict(self.journals),
            withdrawn=dict(self.withdrawn),
            merges=dict(self.merges),
            splits=dict(self.splits),
            draw=deepcopy(self.draw),
            notes=[*self.notes],
        )
        return new.apply_all(entries)

    def in_order(self) -> tuple[DayInSeason, ...]:
        """Return the days that count, without the final, by their dates."""
        days = (one for one in self.days.values() if not one.is_final)
        return tuple(sorted(days, key=lambda one: (one.day.began_ms, one.day.day)))

    @property
    def final(self) -> DayInSeason | None:
        """The final, once it is there."""
        return next((one for one in self.days.values() if one.is_final), None)

    def hall(self, day: DayHead) -> str:
        """Return the name of the hall where a day was played."""
        return self.halls.get(day.key, day.key[:8])

    @property
    def drawn(self) -> Drawing | None:
        """The draw from which the final's seats follow, None before there is one."""
        return None if self.draw is None else self.draw.standing

    # One method for each kind of entry.

    def _created(self, _: Entry, said: SeasonCreated) -> None:
        self.format = read_format(said.format)

    def _admitted(self, _: Entry, said: HallAdmitted) -> None:
        self.halls[said.key] = said.name

    def _added(self, entry: Entry, said: DayAdded) -> None:
        self.withdrawn.pop(said.day.day, None)
        reason = said.reason or ""
        if said.journal is not None:
            self.journals[said.journal] = said.day.day
        told = _head(said.day), entry.text.encode()
        self.days[said.day.day] = DayInSeason(*told, entry.id, said.is_final is True, (), said.seen, reason)

    def _replaced(self, entry: Entry, said: DayReplaced) -> None:
        old = self.days[said.day.day]
        past = Replaced(old.day, old.text, entry.id, entry.at_ms, said.by or "", said.reason)
        told = _head(said.day), entry.text.encode()
        self.days[said.day.day] = DayInSeason(*told, entry.id, old.is_final, (*old.past, past), said.seen)

    def _withdrawn(self, entry: Entry, said: DayWithdrawn) -> None:
        old = self.days.pop(said.day)
        self.withdrawn[said.day] = Replaced(old.day, old.text, entry.id, entry.at_ms, said.by or "", said.reason)

    def _merged(self, entry: Entry, said: PersonsMerged) -> None:
        self.merges[entry.id] = Merge(said.persons, entry.id, said.by or "", said.reason)

    def _split(self, entry: Entry, said: PersonSplit) -> None:
        self.splits[entry.id] = Split(said.day, said.player, said.person, entry.id, said.by or "", said.reason)

    def _undone(self, _: Entry, said: Undone) -> None:
        self.merges.pop(said.entry, None)
        self.splits.pop(said.entry, None)

    def _draw_committed(self, _: Entry, said: desk.DrawCommitted) -> None:
        self.draw = begin_draw(self.draw, self.given_up, said.commitment, said.players, said.reason)
        self.given_up = ()

    def _draw_withdrawn(self, _: Entry, said: desk.DrawWithdrawn) -> None:
        assert self.draw is not None
        given_up, before = self.draw.given_up(said.reason), self.draw.before
        if before is None:
            self.draw, self.given_up = None, given_up
        else:
            self.draw = replace(before, earlier=given_up)

    def _draw_contributed(self, _: Entry, said: desk.DrawContributed) -> None:
        assert self.draw is not None
        self.draw.contributions.append(Contribution(said.of, said.text))

    def _draw_revealed(self, _: Entry, said: desk.DrawRevealed) -> None:
        assert self.draw is not None
        self.draw.seed, self.draw.lots = said.seed, said.lots

    def _seats_planned(self, _: Entry, said: desk.SeatsPlanned) -> None:
        self.seats = said.sessions


def _head(day: SeasonDay) -> DayHead:
    return DayHead(**{name: getattr(day, name) for name in DayHead.__struct_fields__})


_STEPS: Mapping[type[Record], Callable[..., None]] = {
    SeasonCreated: SeasonState._created,
    HallAdmitted: SeasonState._admitted,
    DayAdded: SeasonState._added,
    DayReplaced: SeasonState._replaced,
    DayWithdrawn: SeasonState._withdrawn,
    PersonsMerged: SeasonState._merged,
    PersonSplit: SeasonState._split,
    Undone: SeasonState._undone,
    desk.DrawCommitted: SeasonState._draw_committed,
    desk.DrawContributed: SeasonState._draw_contributed,
    desk.DrawRevealed: SeasonState._draw_revealed,
    desk.DrawWithdrawn: SeasonState._draw_withdrawn,
    desk.SeatsPlanned: SeasonState._seats_planned,
}
KINDS = frozenset(cls.KIND for cls in _STEPS)
"""The kinds of entries that a season is made of."""
_MISFITS = (AssertionError, LookupError, TypeError, ValueError)
"""What a step raises that misses what it builds on."""
STAGE = MAIN
"""The stage of its draw, which is the main one of the event that the final is."""
