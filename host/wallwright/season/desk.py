"""Where everything that changes a season goes through: refused, or written to its journal and then applied."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from ..clocks import wall_ms
from ..errors import EventRefused
from ..journal import Journal, is_url, key_path, read_journal
from ..journal.entry import Entry
from ..journal.kinds import stored
from ..journal.kinds.desk import OfDesk
from ..journal.kinds.season import HallAdmitted, OfSeason, SeasonCreated
from . import guards
from .errors import NoSeason
from .format import SeasonFormat, format_record
from .state import KINDS, SeasonState


class SeasonDesk:
    """The season of `journal`, whose entries so far `state` has seen; `by` is who is at the desk, `folder` has the
    extracts, `reports` what halls have sent by themselves.
    """

    def __init__(
        self, journal: Journal, state: SeasonState, folder: Path, reports: Path, now: Callable[[], int], by: str
    ) -> None:
        self.state = state
        self.folder = folder
        self.reports = reports
        self.now = now
        self.by = by
        self._journal = journal

    @property
    def format(self) -> SeasonFormat:
        """The season's format. NoSeason when there is none yet."""
        if self.state.format is None:
            raise NoSeason(str(self._journal.path))
        return self.state.format

    def write(self, *facts: OfSeason | OfDesk) -> int:
        """Write records that belong together with who wrote them, apply them; return the number of the last entry.

        EventRefused as `guards` say; each is checked against what those before it have made of the season.
        """
        number = 0
        at_ms = self.now()
        with self._journal.batch():
            for said in facts:
                guards.check(self.state, said)
                kind, body = stored(replace(said, by=self.by))
                number = self._journal.append(kind, body, at_ms=at_ms)
                self.state.apply_all((Entry.of(number, at_ms, None, None, None, kind, body),))
        return number

    def checkpoint(self) -> str:
        """Sign the journal as it is, and return what is to be printed."""
        return str(self._journal.checkpoint(at_ms=self.now()))


@contextmanager
def open_season(
    place: str, by: str, now: Callable[[], int] = wall_ms, *, new: bool = False, known: SeasonState | None = None
) -> Iterator[SeasonDesk]:
    """Take a turn at the desk of the season at `place`; nobody else changes it meanwhile. All is kept, or none after an
    error. NoSeason when there is none, unless a `new` one is to be begun.

    Of what this process has read before only the rest is read; `known` stays as it is.
    """
    if not new and not is_url(place) and not Path(place).exists():
        raise NoSeason(place)
    with Journal(place) as journal, journal.batch():
        before = known or SeasonState()
        state = before.grown(read_journal(place, before.last, KINDS))
        if state.format is None and not new:
            raise NoSeason(place)
        yield SeasonDesk(journal, state, extracts_of(place), reports_of(place), now, by)


def read_season(place: str) -> SeasonState:
    """Return the season in the journal at `place`. NoSeason when there is none."""
    if not is_url(place) and not Path(place).exists():
        raise NoSeason(place)
    state = SeasonState().apply_all(read_journal(place, kinds=KINDS))
    if state.format is None:
        raise NoSeason(place)
    return state


def extracts_of(place: str) -> Path:
    """Return the folder in which a season keeps the extracts of its days, each called by its SHA-256."""
    return _beside(place, "days")


def reports_of(place: str) -> Path:
    """Return the folder in which a season's server keeps what halls send by themselves, until it is in the season."""
    return _beside(place, "reports")


def create(desk: SeasonDesk, season_format: SeasonFormat) -> None:
    """Begin the season; a journal holds one."""
    desk.write(SeasonCreated(format=format_record(season_format)))


def admit_hall(desk: SeasonDesk, name: str, key: str) -> None:
    """Take days that are signed by a hall's key, in its printed form, from now on; another name for it replaces one."""
    _ = desk.format
    if key in desk.state.halls and desk.state.halls[key] == name:
        raise EventRefused(f"{name} is a hall of this season already, by this key")
    desk.write(HallAdmitted(name=name, key=key))


def _beside(place: str, ending: str) -> Path:
    if is_url(place):
        return key_path().parent / f"{place.rpartition('/')[2].partition('?')[0]}.{ending}"
    return Path(f"{place}.{ending}")
