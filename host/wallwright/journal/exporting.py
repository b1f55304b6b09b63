"""Writes a journal as JSON lines and makes a journal of such lines again, the same to the last hash."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from ..errors import BadExport
from ..system.strict_json import BadJson, read_json
from .copying import new_journal
from .entry import Entry, Head
from .mjai import entry_lines, lines_entry
from .mjai_deal import Line
from .places import JournalPath, is_url

FORMAT = "wallwright-mjai"
VERSION = 1
LONGEST = 16 << 20
"""Bytes of a line at the most; what play writes has a few thousand."""


def export_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Return the lines of a whole journal, without line ends: `start_game`, those of the entries, `end_game`.

    The last line has the number of entries and their hash, by which an import sees that nothing is missing.
    """
    yield _text({"type": "start_game", "names": ["0", "1", "2", "3"], "format": FORMAT, "version": VERSION})
    head = Head()
    scores = _Scores()
    for entry in entries:
        head = head.after_entry(entry)
        for line in entry_lines(entry):
            scores.put_into(line)
            yield _text(line)
    yield _text({"type": "end_game", **_end(head)})


def import_lines(lines: Iterable[str | bytes], target: JournalPath) -> Head:
    """Make a new journal of the lines of a whole one; return the number and hash of its last entry.

    BadExport names the line that cannot be read; no journal is made then. Raises JournalError when
    `target` has entries.
    """
    head = Head()
    made = None if is_url(str(target)) or Path(str(target)).exists() else Path(str(target))
    try:
        with new_journal(target) as journal, journal.batch():
            for entry in read_export(lines):
                head = journal.append_entry(entry)
    except BaseException:
        if made is not None:
            made.unlink(missing_ok=True)
        raise
    return head


def read_export(lines: Iterable[str | bytes]) -> Iterator[Entry]:
    """Go through the entries of an export; that the last one's hash is right is known when all have been asked for."""
    numbered = _numbered(lines)
    number, start = next(numbered, (1, {}))
    if start.get("format") != FORMAT or start.get("version") != VERSION:
        raise BadExport(number, f"this is no export of a journal: it begins with {FORMAT}, version {VERSION}")
    head = Head()
    has_ended = False
    for key, group in groupby(numbered, key=lambda pair: pair[1].get("entry")):
        told = list(group)
        number = told[0][0]
        if has_ended or (key is None and len(told) > 1):
            raise BadExport(number, "something follows the end of the export")
        if key is None:
            if told[0][1] != {"type": "end_game", **_end(head)}:
                raise BadExport(number, f"it is no entry's, and not the end of the {head.id} entries before it")
            has_ended = True
        else:
            entry = _entry(number, head.id + 1, [line for _, line in told])
            head = head.after_entry(entry)
            yield entry
    if not has_ended:
        raise BadExport(number, f"the export ends with entry {head.id} and without its last line; export again")


_Where = tuple[str | None, int | None, int | None]
"""A table's unit, or the session and table of a deal that a scorer declared."""


class _Scores:
    """The points of each table before its deal."""

    def __init__(self) -> None:
        self._before: dict[_Where, list[int]] = {}
        self._after: dict[_Where, list[int]] = {}

    def put_into(self, line: Line) -> None:
        """Give the start of a deal its scores; the moves of a deal stand behind its end and begin with the same."""
        table = (line.get("table"), line.get("session"), line.get("table_number"))
        if line["type"] == "start_kyoku":
            if "tracked" not in line:
                self._before[table] = self._after.get(table, [0] * 4)
            line["scores"] = self._before.get(table, [0] * 4)
        elif line["type"] == "end_kyoku" and "tracked" not in line:
            before = self._before.get(table, [0] * 4)
            self._after[table] = [x + y for x, y in zip(before, line["deltas"], strict=True)]


def _entry(number: int, wanted: int, lines: list[Line]) -> Entry:
    try:
        entry = lines_entry(lines)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration) as error:
        raise BadExport(number, f"no entry has such lines ({error!r}); export the journal again") from error
    if not _can_be(entry):
        raise BadExport(number, "no entry has such a number, time, table or kind; export the journal again")
    if entry.id != wanted:
        raise BadExport(number, f"entry {entry.id} stands where entry {wanted} belongs")
    return entry


def _can_be(entry: Entry) -> bool:
    """Whether a journal can have the entry as it is: an event of a table has all three of its marks, a record none."""
    names = ("id", "at_ms", "kind", "body", "unit", "boot_id", "seq")
    types = tuple(type(getattr(entry, name)) for name in names)
    event, table, record = (str, int, int), (str, type(None), type(None)), (type(None),) * 3
    return types[:4] == (int, int, str, dict) and types[4:] in (event, table, record)


def _end(head: Head) -> Line:
    return {"entries": head.id, "hash": head.hash.hex()}


def _numbered(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Line]]:
    for number, text in enumerate(lines, 1):
        try:
            line = read_json(text, LONGEST)
        except BadJson as error:
            raise BadExport(number, f"{error}; export the journal again") from error
        if not isinstance(line, dict):
            raise BadExport(number, "it is no JSON object; export the journal again")
        yield number, line


def _text(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
