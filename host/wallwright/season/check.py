"""Verifies a season: its journal, every extract that it keeps, and that its entries say what the extracts prove."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..event.draw import verify
from ..journal import Checkpoint, verify_journal
from ..journal.kinds.season import SeenInPlay
from .days import facts_of, read_extract
from .desk import extracts_of, read_season
from .errors import BadExtract
from .extract_check import Checked
from .final import seats_follow, transcript
from .state import SeasonState


def verify_season(place: str, printed: Sequence[Checkpoint] = (), key: bytes | None = None) -> Iterator[str]:
    """Go through all that is wrong, a sentence each. Raises JournalError, NoSeason."""
    yield from (f"{place}: {one.text}" for one in verify_journal(place, printed, key).findings)
    state = read_season(place)
    yield from (f"{place}: {note}" for note in state.notes)
    yield from _days(state, extracts_of(place))
    yield from _draw(state)


def _days(state: SeasonState, folder: Path) -> Iterator[str]:
    there = [*state.days.values()]
    for one in there:
        for day in (*(past.day for past in one.past), one.day):
            what = f"{day.name} of {day.date} ({day.day[:8]})"
            try:
                checked = read_extract(folder, day)
            except BadExtract as error:
                yield f"{what}: {error}"
                continue
            if facts_of(checked.day) != day:
                yield f"{what}: the season's entry does not say what the extract proves"
            if day == one.day and one.seen is not None and one.seen.fits and not _extends(checked, one.seen):
                yield f"{what}: the extract does not prove that its journal has grown from what was seen during play"


def _extends(checked: Checked, seen: SeenInPlay) -> bool:
    known = Checkpoint.parse(seen.checkpoint)
    return {**checked.since, checked.day.size: checked.root}.get(known.entry) == known.hash


def _draw(state: SeasonState) -> Iterator[str]:
    draw = state.draw
    if draw is None or not draw.lots:
        return
    drawn = transcript(state)
    yield from (f"the draw of the final: {problem}" for problem in verify(drawn.record()))
    if not seats_follow(drawn, state.seats):
        yield "the draw of the final: the seats do not follow from the lots"
