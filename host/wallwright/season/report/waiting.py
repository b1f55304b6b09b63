"""Extracts that halls have sent and the organiser is to decide about: later ones of days that are there, and late ones.

Each is a file that `wallwright season add --reason` takes, with one beside it that says what it is. Of a day the newest
waits; what has come into the season, or whose day was withdrawn, waits no more.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from ...system.disk import write_whole
from ...system.json_file import read_form_file
from ...system.private import make_folder
from ...system.strict_json import BadJson
from ..desk import reports_of
from ..errors import TooMuch
from ..state import SeasonState

MOST = 100
"""Of one hall."""
_FILE, _NOTE = ".extract", ".waiting.json"


class Waits(Struct, frozen=True, forbid_unknown_fields=True):
    """An extract by its SHA-256: id, name and state of its day, the hall's key, why it waits, and since when."""

    extract: str
    day: str
    name: str
    date: str
    status: str
    key: str
    why: str
    at_ms: int


class Waiting:
    """What waits in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self, state: SeasonState) -> tuple[Waits, ...]:
        """Return what waits, the oldest first."""
        done = set(_done(state))
        found = (one for one in self._notes() if one.extract not in done and one.day not in state.withdrawn)
        return tuple(sorted(found, key=lambda one: (one.at_ms, one.extract)))

    def path(self, one: Waits) -> Path:
        """Return where an extract is."""
        return self._folder / f"{one.extract}{_FILE}"

    def put(self, new: Waits, data: bytes, state: SeasonState) -> None:
        """Keep an extract, in the place of what else waits of that day. TooMuch when too many days of the hall do."""
        kept = self.all(state)
        if sum(1 for one in kept if (one.key, one.day) != (new.key, new.day) and one.key == new.key) >= MOST:
            raise TooMuch(f"{MOST} extracts of this hall wait for the organiser")
        make_folder(self._folder)
        write_whole(self.path(new), data)
        write_whole(self._folder / f"{new.extract}{_NOTE}", msgspec.json.encode(new))
        self._clear({one.extract for one in kept if one.day != new.day} | {new.extract})

    def _clear(self, kept: Collection[str]) -> None:
        for one in self._notes():
            if one.extract not in kept:
                (self._folder / f"{one.extract}{_NOTE}").unlink(missing_ok=True)
                self.path(one).unlink(missing_ok=True)

    def _notes(self) -> Iterator[Waits]:
        for path in self._folder.glob(f"*{_NOTE}"):
            try:
                yield read_form_file(path, Waits)
            except (FileNotFoundError, BadJson):
                continue


def waiting_of(place: str, state: SeasonState) -> tuple[tuple[Waits, Path], ...]:
    """Return what waits for the organiser of the season at `place`, each with its file."""
    waiting = Waiting(reports_of(place))
    return tuple((one, waiting.path(one)) for one in waiting.all(state))


def _done(state: SeasonState) -> Iterator[str]:
    for one in state.days.values():
        yield one.day.extract
        yield from (past.day.extract for past in one.past)
