"""Writes a journal as JSON lines and makes a journal of such lines again, the same to the last hash."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from ..budgets import FILE
from ..errors import BadExport
from ..system.strict_json import read_json
from ..text_files import BadText
from .copying import new_journal
from .entry import Entry, Head
from .places import JournalPath, is_url

FORMAT = "wallwright-journal"
VERSION = 1
LONGEST = FILE.size
"""Bytes of a line at the most; what play writes has a few thousand."""

_START = {"format": FORMAT, "version": VERSION}
_FIELDS = {"entry": "id", "table": "unit"}
"""Keys of a line that are called otherwise in an entry."""
_KEYS = ("entry", "at_ms", "table", "boot_id", "seq", "kind", "body")

Line = dict[str, Any]


def export_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Return the lines of a whole journal, without line ends: the format, a line for each entry, and the end.

    The last line has the number of entries and their hash, by which an import sees that nothing is missing.
    """
    yield _text(_START)
    head = Head()
    for entry in entries:
        head = head.after_entry(entry)
        values = entry.values()
        line = {key: values[_FIELDS.get(key, key)] for key in _KEYS}
        yield _text({key: value for key, value in line.items() if value is not None})
    yield _text(_end(head))


def import_lines(lines: Iterable[str | bytes | BadText], target: JournalPath) -> Head:
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


def read_export(lines: Iterable[str | bytes | BadText]) -> Iterator[Entry]:
    """Go through the entries of an export; that the last one's hash is right is known when all have been asked for."""
    numbered = _numbered(lines)
    number, start = next(numbered, (1, {}))
    if start != _START:
        raise BadExport(number, f"this is no export of a journal: it begins with {_text(_START)}")
    head = Head()
    has_ended = False
    for number, line in numbered:
        if has_ended:
            raise BadExport(number, "something follows the end of the export")
        if "entry" in line:
            entry = _entry(number, head.id + 1, line)
            head = head.after_entry(entry)
            yield entry
        elif line == _end(head):
            has_ended = True
        else:
            raise BadExport(number, f"it is no entry, and not the end of the {head.id} entries before it")
    if not has_ended:
        raise BadExport(number, f"the export ends with entry {head.id} and without its last line; export again")


def _entry(number: int, wanted: int, line: Mapping[str, Any]) -> Entry:
    if line.keys() - set(_KEYS):
        raise BadExport(number, "an entry has no such keys; export the journal again")
    values = [line.get(key) for key in _KEYS]
    if not _can_be(values):
        raise BadExport(number, "no entry has such a number, time, table or kind; export the journal again")
    entry = Entry.of(*values)
    if entry.id != wanted:
        raise BadExport(number, f"entry {entry.id} stands where entry {wanted} belongs")
    return entry


def _can_be(
    values: Sequence[Any],
) -> TypeGuard[tuple[int, int, str | None, int | None, int | None, str, dict[str, Any]]]:
    """Whether a journal can have an entry of them: an event of a table has all three of its marks, a record none."""
    types = tuple(map(type, values))
    event, table, record = (str, int, int), (str, type(None), type(None)), (type(None),) * 3
    return types[:2] == (int, int) and types[2:5] in (event, table, record) and types[5:] == (str, dict)


def _end(head: Head) -> Line:
    return {"entries": head.id, "hash": head.hash.hex()}


def _numbered(lines: Iterable[str | bytes | BadText]) -> Iterator[tuple[int, Line]]:
    for number, text in enumerate(lines, 1):
        try:
            if isinstance(text, BadText):
                raise text
            line = read_json(text)
        except BadText as error:
            raise BadExport(number, f"{error}; export the journal again") from error
        if not isinstance(line, dict):
            raise BadExport(number, "it is no JSON object; export the journal again")
        yield number, line


def _text(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
