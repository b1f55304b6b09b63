"""Verifies a season: its journal, every extract that it keeps, and that its entries say what the extracts prove."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..event.draw import verify
from ..journal import Checkpoint, verify_journal
from ..journal.kinds.season import SeasonDay, SeenInPlay
from ..study.jobs import shared
from .days import KeptExtract, facts_of, kept_extract
from .desk import extracts_of, read_season
from .errors import BadExtract
from .final import seats_follow, transcript
from .state import DayInSeason, DayTold, SeasonState


@dataclass(frozen=True, slots=True)
class _Proved:
    """What an extract proves, and the roots by entry from which its journal has grown; or what is wrong with it."""

    facts: SeasonDay | None = None
    roots: Mapping[int, bytes] | None = None
    problem: str = ""


def verify_season(
    place: str, printed: Sequence[Checkpoint] = (), key: bytes | None = None, jobs: str = "1"
) -> Iterator[str]:
    """Go through all that is wrong, a sentence each. Raises JournalError, NoSeason.

    The extracts are checked by as many `jobs` as `study.jobs` takes.
    """
    yield from (f"{place}: {one.text}" for one in verify_journal(place, printed, key).findings)
    state = read_season(place)
    yield from (f"{place}: {note}" for note in state.notes)
    yield from _days(state, extracts_of(place), jobs)
    yield from _draw(state)


def _days(state: SeasonState, folder: Path, jobs: str) -> Iterator[str]:
    said = [(told, one) for one in state.days.values() for told in (*one.past, one)]

    def fetch(number: int) -> KeptExtract | str:
        try:
            return kept_extract(folder, said[number][0].day)
        except BadExtract as error:
            return str(error)

    found = {number: tuple(_wrong(*said[number], proved)) for number, proved in
             shared(_proved, range(len(said)), fetch, jobs)}  # fmt: skip
    for number in range(len(said)):
        day = said[number][0].day
        yield from (f"{day.name} of {day.date} ({day.day[:8]}): {problem}" for problem in found[number])


def _proved(kept: KeptExtract | str) -> _Proved:
    """Return what the file of an extract proves; what a worker does."""
    if isinstance(kept, str):
        return _Proved(problem=kept)
    try:
        checked = kept.checked()
    except BadExtract as error:
        return _Proved(problem=str(error))
    return _Proved(facts_of(checked.day), {**checked.since, checked.day.size: checked.root})


def _wrong(told: DayTold, one: DayInSeason, proved: _Proved) -> Iterator[str]:
    if proved.facts is None or proved.roots is None:
        yield proved.problem
        return
    if proved.facts != told.whole():
        yield "the season's entry does not say what the extract proves"
    if told is one and one.seen is not None and one.seen.fits and not _extends(proved.roots, one.seen):
        yield "the extract does not prove that its journal has grown from what was seen during play"


def _extends(roots: Mapping[int, bytes], seen: SeenInPlay) -> bool:
    known = Checkpoint.parse(seen.checkpoint)
    return roots.get(known.entry) == known.hash


def _draw(state: SeasonState) -> Iterator[str]:
    if state.drawn is None:
        return
    drawn = transcript(state)
    yield from (f"the draw of the final: {problem}" for problem in verify(drawn.record()))
    if not seats_follow(drawn, state.seats):
        yield "the draw of the final: the seats do not follow from the lots"
