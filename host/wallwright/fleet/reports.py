"""For every fault and every lost connection a text file with what led to it: the last frames of that link, decoded.

While a hall is operated nobody else can listen to its tables, so this is how somebody who was not there sees what
happened. The files are beside the journal, which says what counts; they are for reading, and the oldest go.
"""

from datetime import UTC, datetime
from pathlib import Path

from ..system.disk import close_to_others, file_name
from ..system.private import make_folder, open_private

KEPT = 20
"""Reports of one table; one takes some 20 kB."""


class Reports:
    """The reports of one table, in a folder of its name below `folder`. Only one thread may use it."""

    def __init__(self, folder: Path, table: str) -> None:
        self._folder = folder / file_name(table)
        self._table = table

    def write(self, at_ms: int, what: str, about: str, frames: str) -> Path:
        """Write `what` happened at `at_ms` since 1970, `about` the table, and its last frames; return the file.

        Raises OSError when the disk takes no file.
        """
        time = datetime.fromtimestamp(at_ms / 1000, UTC)
        path = self._folder / f"{time:%Y%m%dT%H%M%S}{at_ms % 1000:03d}Z.txt"
        head = f"table {self._table}, {time:%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03d} UTC\n{what}\n{about}\n"
        make_folder(self._folder)
        close_to_others(self._folder.parent)
        text = f"{head}\nThe last frames: ms since the port was opened, -> to the table, <- from it\n{frames}\n"
        with open_private(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        for old in sorted(self._folder.glob("*Z.txt"))[:-KEPT]:
            old.unlink()
        return path
