"""A board's settings, counters, enrolment and whatever else it keeps, in one file; and back onto a board.

The file is JSON: who the board is, the records as the board stores them (the number in the list is that of
names.RECORDS), the list of tags that this machine has for it, and the SHA-256 of all that. A board reads records of any
release that came before its own, and takes nothing of where its tiles are.
"""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wallwright_protocol.codes import ENROLMENT_RECORD, WIRING_RECORD
from wallwright_protocol.names import RECORDS

from ..budgets import FILE, Budget
from ..errors import BadEnrolment, Refused
from ..system.disk import write_named_new
from ..system.strict_json import BadJson, read_json_file
from ..tiles.enrolment import Enrolment, enrolment_path, load_enrolment, parse_enrolment, save_enrolment
from .errors import BadBackup
from .link import BoardLink, version_text

VERSION = 1
MOST_RECORDS = 16
_BUDGET = Budget(4 << 20, FILE.values)
_HEX = re.compile(r"([0-9a-f]{2})*")
_UNIT = re.compile(r"[\x21-\x5b\x5d-\x7e]{1,16}")


@dataclass(frozen=True, slots=True)
class Backup:
    """What was saved of a board; `tags` is the list of this machine, None without one. `at` is ISO 8601."""

    unit: str
    firmware: str
    catalog: int
    at: str
    records: tuple[bytes, ...]
    tags: Enrolment | None

    @property
    def kept(self) -> list[str]:
        """The names of what is in it."""
        return [_name(number) for number, data in enumerate(self.records) if data] + ["tags"] * (self.tags is not None)

    def to_bytes(self) -> bytes:
        """Return the file's content."""
        record = {
            "wallwright_board": VERSION,
            "unit": self.unit,
            "firmware": self.firmware,
            "catalog": f"{self.catalog:08x}",
            "at": self.at,
            "records": [data.hex() for data in self.records],
            "tags": None if self.tags is None else json.loads(self.tags.to_bytes()),
        }
        return (json.dumps(record | {"sha256": _digest(record)}, indent=1, sort_keys=True) + "\n").encode()


def save_board(board: BoardLink, at: str) -> Backup:
    """Read all that the board keeps. Raises Refused while a drive runs, and BadEnrolment."""
    records: list[bytes] = []
    while len(records) < MOST_RECORDS:
        data = board.read_record(len(records))
        if data is None:
            break
        records.append(data)
    info = board.info
    tags = load_enrolment(enrolment_path(info.unit))
    return Backup(info.unit, version_text(info.firmware), info.catalog, at, tuple(records), tags)


def write_backup(path: Path, backup: Backup) -> None:
    """Write the file. Raises BadPath when there is something already, or it cannot be written."""
    write_named_new(path, backup.to_bytes())


def read_backup(path: Path) -> Backup:
    """Read the file. Raises BadBackup, which says what is wrong with it."""
    try:
        record = read_json_file(path, _BUDGET)
    except OSError as error:
        raise BadBackup(f"{path}: it cannot be read ({error.strerror}); check the path") from error
    except BadJson as error:
        raise BadBackup(f"{path}: {error}; take another backup") from error
    try:
        return _parsed(record)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = (
            error if isinstance(error, BadBackup | BadEnrolment) else "this is no file of `wallwright board backup`"
        )
        raise BadBackup(f"{path}: {problem}; take another backup") from error


def restore_board(board: BoardLink, backup: Backup, tell: Callable[[str], None], *, other_unit: bool = False) -> None:
    """Bring back what a board had, onto the same board, or with `other_unit` onto another one of the same table.

    `tell` hears what was brought back and what was not, as sentences. Raises BadBackup for another unit's file, and
    Refused unless the table is at rest. A board without a map gets that of the backup first.
    """
    info = board.info
    if info.unit != backup.unit and not other_unit:
        raise BadBackup(
            f"the backup is of unit {backup.unit} and {info.unit} answers at {board.port}; give --other-unit if "
            "this board has taken the other's place"
        )
    wiring = backup.records[WIRING_RECORD] if len(backup.records) > WIRING_RECORD else b""
    if not info.wiring:
        if not wiring:
            raise BadBackup(
                f"{info.unit} has no map of its wires and the backup brings none: give it one with `wallwright doctor "
                "map`, then restore again"
            )
        _restore(board, WIRING_RECORD, wiring, tell)
        board.leave_wiring_fault()
    with board.in_service():
        for number, data in enumerate(backup.records):
            later = number == WIRING_RECORD or (number == ENROLMENT_RECORD and backup.tags is not None)
            if data and not later:
                _restore(board, number, data, tell)
        if backup.tags is not None:
            _restore_tags(board, backup.tags, tell)
        if wiring and info.wiring:
            # Another map than the board's ends the service, in a fault that is cleared by who has set it.
            _restore(board, WIRING_RECORD, wiring, tell)
            board.leave_wiring_fault()


def _restore(board: BoardLink, number: int, data: bytes, tell: Callable[[str], None]) -> None:
    name = _name(number)
    try:
        board.write_record(number, data)
    except Refused as refused:
        if refused.refusal not in ("bad_argument", "wrong_state"):
            raise
        why = (
            "the board cannot read it" if refused.refusal == "bad_argument" else "this table has nothing that needs it"
        )
        tell(f"{name}: not brought back, {why}")
    else:
        tell(f"{name}: brought back")


def _name(number: int) -> str:
    return RECORDS[number] if number < len(RECORDS) else f"record {number}"


def _restore_tags(board: BoardLink, tags: Enrolment, tell: Callable[[str], None]) -> None:
    """Keep the list of tags on this machine, under the unit that the board has now, and its hash on the board."""
    moved = replace(tags, unit=board.info.unit)
    path = enrolment_path(moved.unit)
    if load_enrolment(path) not in (None, moved):
        tell(
            f"tags: left as they are, for {path} has others; move it away and restore again to have those of the backup"
        )
        return
    save_enrolment(path, moved)
    try:
        board.request("set_enrolment", moved.digest())
    except Refused as refused:
        if refused.refusal != "wrong_state":
            raise
        tell(f"tags: kept in {path}; this table has no readers")
    else:
        tell(f"tags: brought back, in {path}")


def _parsed(record: Any) -> Backup:
    if record["wallwright_board"] != VERSION:
        raise BadBackup("it is of another version of Wallwright")
    digest = record.pop("sha256")
    if digest != _digest(record):
        raise BadBackup("it was changed after it was made")
    records = record["records"]
    if not isinstance(records, list) or len(records) > MOST_RECORDS or not all(map(_HEX.fullmatch, records)):
        raise TypeError
    if not _UNIT.fullmatch(record["unit"]) or not all(isinstance(record[key], str) for key in ("firmware", "at")):
        raise TypeError
    tags = None if record["tags"] is None else parse_enrolment(record["tags"])
    data = tuple(bytes.fromhex(text) for text in records)
    return Backup(record["unit"], record["firmware"], int(record["catalog"], 16), record["at"], data, tags)


def _digest(record: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
