"""The backups of a hall in a folder: what they are called, which is the newest, and which have had their time."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ..system.file_names import safe_name

NEWEST = 6
"""All of these stay,"""
HOURS = 24
"""and the last one of each hour of so many,"""
DAYS = 30
"""and of each day of so many."""
_TIME = "%Y%m%dT%H%M%SZ"


class Kept:
    """The backups of the journal called `name` in `folder`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._stem = safe_name(name, "hall")
        self._pattern = re.compile(rf"{re.escape(self._stem)}-(\d{{8}}T\d{{6}}Z)\.backup")

    def path(self, at_ms: int) -> Path:
        """Return the file of a backup that is made at `at_ms` since 1970."""
        return self._folder / f"{self._stem}-{_moment(at_ms):{_TIME}}.backup"

    def newest_ms(self) -> int | None:
        """Return when the newest one was made. Raises OSError when nobody can say."""
        times = self._times()
        return None if not times else round(max(times).timestamp() * 1000)

    def thin(self) -> tuple[Path, ...]:
        """Remove those that have had their time; return them. Raises OSError."""
        times = self._times()
        gone = tuple(self._folder / times[moment] for moment in sorted(times.keys() - to_keep(times)))
        for path in gone:
            path.unlink()
        return gone

    def _times(self) -> dict[datetime, str]:
        found = (self._pattern.fullmatch(path.name) for path in self._folder.iterdir())
        times = ((one[0], datetime.strptime(one[1], _TIME).replace(tzinfo=UTC)) for one in found if one)
        return {moment: name for name, moment in times}


def to_keep(times: Iterable[datetime]) -> set[datetime]:
    """Return which backups of these times stay; the newest one says what time it is."""
    listed = sorted(times, reverse=True)
    if not listed:
        return set()
    kept = set(listed[:NEWEST])
    for spans, length, form in ((HOURS, timedelta(hours=1), "%Y%m%d%H"), (DAYS, timedelta(days=1), "%Y%m%d")):
        recent = [moment for moment in listed if moment > listed[0] - spans * length]
        kept |= set({f"{moment:{form}}": moment for moment in reversed(recent)}.values())
    return kept


def _moment(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms // 1000, UTC)
