"""Days come to a season, are replaced by what was corrected later, and are taken out: by their extracts alone.

Whatever does not fit is refused in one line, and nothing of it is taken.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from ..errors import EventRefused
from ..journal.kinds import read_record
from ..journal.kinds.desk import DrawCommitted
from ..journal.kinds.season import DayAdded, DayHead, DayReplaced, DayResult, DayWithdrawn, SeasonDay
from ..system.disk import read_whole, write_whole
from ..system.private import make_folder
from . import guards
from .compare import changes, fork_of
from .day import Day
from .desk import SeasonDesk
from .errors import BadExtract, NeedsReason
from .extract_check import Checked, check_extract
from .extract_file import LONGEST
from .format import SeasonFormat
from .judged import Judged
from .persons import Keys, overlaps
from .seen import SeenFiles, compare, journal_of
from .state import DayInSeason, SeasonState

ADDED, REPLACED = "added", "replaced"
_STANDS = "what the season has stays as it is"


@dataclass(frozen=True, slots=True)
class Taken:
    """What was done with an extract: ADDED or REPLACED, the day as it is now, and as it was."""

    what: str
    day: SeasonDay
    before: DayHead | None = None


def judge(data: bytes, name: str, folder: Path, days: Mapping[str, str]) -> Judged:
    """Return what a season has to know of the extract in the bytes of the file `name`. BadExtract when it does not
    hold.

    It is compared with the one of its day in the season's `folder`; `days` has their SHA-256 by the days' ids.
    """
    checked = check_extract(data, name)
    day, extract = checked.day, checked.signed.extract
    told = (read_record(one.kind, one.body) for one in (*extract.entries, *extract.stated))
    commitments = tuple(said.commitment for said in told if isinstance(said, DrawCommitted))
    since, best_of = dict(checked.since), tuple(day.format["best_of"])
    found = Judged(facts_of(day), best_of, commitments, journal_of(checked), checked.root, since)
    against = days.get(day.id, "")
    if against in ("", day.extract):
        return replace(found, against=against)
    old = _kept(folder, against).checked()
    parts = fork_of(*((old, checked) if day.size >= old.day.size else (checked, old)))
    return replace(found, against=against, parts=parts, is_same=not any(changes(old.day, day)))


def add_day(desk: SeasonDesk, data: bytes, name: str, *, is_final: bool = False, reason: str = "") -> Taken:
    """Take the extract in the bytes of the file `name`: a new day, or with a reason a later extract of one.

    BadExtract when it does not hold; EventRefused when it does not fit the season, NeedsReason among others.
    """
    judged = judge(data, name, desk.folder, extracts(desk.state))
    return take_day(desk, data, judged, name, is_final=is_final, reason=reason)


def extracts(state: SeasonState) -> dict[str, str]:
    """Return the SHA-256 of the extract of each day, by its id."""
    return {id_: one.day.extract for id_, one in state.days.items()}


def take_day(
    desk: SeasonDesk, data: bytes, judged: Judged, name: str, *, is_final: bool = False, reason: str = ""
) -> Taken:
    """Likewise with an extract that was judged against the season as it is now."""
    state, season = desk.state, desk.format
    facts = judged.facts
    if facts.key not in state.halls:
        problem = f"{name}: it is signed by {facts.key}, which no hall of this season has"
        raise EventRefused(f"{problem}; compare the key with the hall, and admit it with `wallwright season hall`")
    known = state.days.get(facts.day)
    if known is not None:
        _refuse_unlike(desk, known, judged, name)
    if season.rulesets and facts.ruleset not in season.rulesets:
        allowed = " or ".join(season.rulesets)
        raise EventRefused(f"{name}: it was played by the rules {facts.ruleset}, and this season is for {allowed}")
    if is_final or (known is not None and known.is_final):
        _refuse_another_final(state, judged, name)
    else:
        _refuse_other_counting(season, judged, name)
        _refuse_too_many(state, season.days, known, name)
        refuse_two_halls(state, facts, name)
    parted, seen = compare(judged, SeenFiles(desk.reports).all(), state.halls)
    if parted and not reason.strip():
        problem = f"{name}: {parted}; it is taken for a --reason alone, such as a laptop that was lost"
        raise EventRefused(f"{problem}; {_STANDS}")
    if known is None:
        if not is_final and state.drawn is not None and not reason.strip():
            problem = f"{name}: it comes late, for the final's seats are drawn and stay as they are"
            raise NeedsReason(f"{problem}; give a --reason, and it is in the list")
        because = reason.strip() or None
        is_final_or_none = True if is_final else None
        added = DayAdded(day=facts, is_final=is_final_or_none, journal=judged.journal, seen=seen, reason=because)
        guards.check(state, added)
        _keep(desk.folder, facts.extract, data)
        desk.write(added)
        return Taken(ADDED, facts)
    if not reason.strip():
        problem = f"{name}: this is a later extract of {known.day.name} of {known.day.date}"
        raise NeedsReason(f"{problem}; give a --reason, and it takes the place of the one before")
    _keep(desk.folder, facts.extract, data)
    desk.write(DayReplaced(day=facts, before=known.day.extract, reason=reason, seen=seen))
    return Taken(REPLACED, facts, known.day)


def withdraw_day(desk: SeasonDesk, wanted: str, reason: str) -> DayHead:
    """Take a day out, by its id or the beginning of it; its extract stays in the folder."""
    if not reason.strip():
        raise EventRefused("a day is taken out for a reason; give one")
    day = find_day(desk.state, wanted).day
    desk.write(DayWithdrawn(day=day.day, reason=reason))
    return day


def find_day(state: SeasonState, wanted: str) -> DayInSeason:
    """Return the day with that id, or the only one whose id begins so or whose date it is. EventRefused else."""
    found = [one for id_, one in state.days.items() if id_.startswith(wanted) or one.day.date == wanted]
    if len(found) != 1 or not wanted:
        hint = ", ".join(f"{one.day.day[:8]} {one.day.date} {one.day.name}" for one in found[:5])
        problem = "several days are" if found else "no day is"
        raise EventRefused(f"{problem} called {wanted!r}: {hint or 'see `wallwright season days`'}")
    return found[0]


def read_extract(folder: Path, day: DayHead) -> Checked:
    """Return the day of an extract that the season keeps. BadExtract when it is not there, or is not what it was."""
    return kept_extract(folder, day).checked()


@dataclass(frozen=True, slots=True)
class KeptExtract:
    """The bytes of a file that the season keeps, and the SHA-256 that it should have; any process may check it."""

    name: str
    data: bytes
    hash: str

    def checked(self) -> Checked:
        """Return its day. BadExtract when it does not hold, or is not what it was."""
        checked = check_extract(self.data, self.name)
        if checked.day.extract != self.hash:
            raise BadExtract(self.name, "it is not the file that was added; bring it back from a backup")
        return checked


def kept_extract(folder: Path, day: DayHead) -> KeptExtract:
    """Return the file of a day that the season keeps. BadExtract when it cannot be read."""
    return _kept(folder, day.extract)


def _kept(folder: Path, extract: str) -> KeptExtract:
    path = folder / f"{extract}.json"
    try:
        return KeptExtract(str(path), read_whole(path, LONGEST), extract)
    except OSError as error:
        raise BadExtract(str(path), f"it cannot be read ({error.strerror}); bring it back from a backup") from error


def facts_of(day: Day) -> SeasonDay:
    """Return what a season's journal keeps of a day."""
    players = {one.number: one for one in day.players}
    results = tuple(
        DayResult(
            number=row.player,
            name=players[row.player].name,
            club=players[row.player].club,
            rank=row.rank,
            total=str(row.total),
            id=players[row.player].id or None,
            private=players[row.player].private or None,
        )
        for row in day.standings
    )
    return SeasonDay(
        day=day.id,
        extract=day.extract,
        checkpoint=day.checkpoint,
        entries=day.size,
        key=day.hall,
        name=day.name,
        date=day.date,
        began_ms=day.began_ms,
        ended_ms=day.ended_ms,
        game=day.game,
        ruleset=day.ruleset,
        status=day.status,
        results=results,
    )


def refuse_two_halls(state: SeasonState, day: SeasonDay, name: str) -> None:
    """EventRefused when somebody is in a day twice, or played in another one at the same time.

    Only days of that time are looked into, so that it costs no more in a long season.
    """
    keys = Keys(state)
    meanwhile = [one for one in state.in_order() if one.day.day != day.day and overlaps((one.day, day))]
    elsewhere = {keys.of(one.day, result): one.day for one in meanwhile for result in one.results}
    seen: dict[str, DayResult] = {}
    for result in day.results:
        key = keys.of(day, result)
        if key in seen:
            both = f"{seen[key].name} (number {seen[key].number}) and {result.name} (number {result.number})"
            raise EventRefused(f"{name}: {both} have one id, {result.id}; have the hall correct its list")
        seen[key] = result
        if key in elsewhere:
            refuse_overlap((elsewhere[key], day), result.name, name)


def refuse_overlap(days: Iterable[DayHead], who: str, name: str) -> None:
    """EventRefused when two of somebody's days were played at one time."""
    both = overlaps(days)
    if both is not None:
        where = " and ".join(f"{one.name} of {one.date} ({one.day[:8]})" for one in both)
        problem = f"{name}: {who} was in two halls at once, {where}"
        raise EventRefused(f"{problem}; find out who it was, and have the ids corrected")


def has_final_seats(state: SeasonState, judged: Judged) -> bool:
    """Say whether a day has the seats that were drawn for the season's final."""
    return state.drawn is not None and state.drawn.commitment in judged.commitments


def _refuse_unlike(desk: SeasonDesk, known: DayInSeason, judged: Judged, name: str) -> None:
    """EventRefused unless an extract continues the one of the same day that is there."""
    what = f"{known.day.name} of {known.day.date}"
    new = judged.facts
    if new.extract == known.day.extract:
        raise EventRefused(f"{name}: this is the extract of {what} that the season has; it is not counted twice")
    halls = desk.state.halls
    if halls[new.key] != desk.state.hall(known.day):
        problem = f"{name}: this has the id of {what}, which {desk.state.hall(known.day)} has played"
        raise EventRefused(f"{problem}, and {halls[new.key]} has signed it; {_STANDS}")
    if judged.parts:
        problem = f"{name}: this is a fork of {what}: {judged.parts}"
        raise EventRefused(f"{problem}; {_STANDS}, until the hall has said which one holds")
    if new.entries < known.day.entries:
        problem = f"{name}: this extract of {what} is about {new.entries} entries"
        problem = f"{problem}, the season has one of {known.day.entries}"
        raise EventRefused(f"{problem}: it comes late, or its journal was cut; {_STANDS}")


def _refuse_other_counting(season: SeasonFormat, judged: Judged, name: str) -> None:
    if season.day_best_of and judged.best_of != season.day_best_of:
        wanted, found = _best_of(season.day_best_of), _best_of(judged.best_of)
        raise EventRefused(f"{name}: {found} of its sessions count, and in this season {wanted} do")


def _refuse_too_many(state: SeasonState, days: int, known: DayInSeason | None, name: str) -> None:
    if days and known is None and len(state.in_order()) >= days:
        raise EventRefused(f"{name}: the season has its {days} days; withdraw one first")


def _refuse_another_final(state: SeasonState, judged: Judged, name: str) -> None:
    """EventRefused unless the final's event has the draw of the season."""
    if state.drawn is None:
        raise EventRefused(f"{name}: the final's seats were not drawn yet; see `wallwright season draw --help`")
    if not has_final_seats(state, judged):
        problem = f"{name}: its seats are not those that were drawn in this season"
        raise EventRefused(f"{problem}; begin the final with `wallwright season final`")


def _keep(folder: Path, hash_: str, data: bytes) -> None:
    make_folder(folder)
    write_whole(folder / f"{hash_}.json", data)


def _best_of(best_of: tuple[int, ...]) -> str:
    return f"the best {best_of[0]} of {best_of[1]}" if best_of else "all"
