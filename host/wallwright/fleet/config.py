"""What tables a hall has, and where its journal is: a TOML file, checked in full before anything is opened.

journal = "hall.journal"                    # beside the file; or a database: postgresql://USER@HOST/DATABASE
rules = "sichuan"                           # of deals outside a tournament: a preset, or a file beside this one
ports = ["/dev/ttyUSB0", "COM5"]            # where tables may be that are known by their unit alone
witnesses = ["stick/hall.witness", "https://club.example/witness"]  # who keeps checkpoints of the journal
backup = "/media/stick"                     # a folder on another disk; without it nothing is backed up
backup_every_min = 10

[[table]]
name = "A1"
usb_serial = "E6614103E7452D2F"

[[table]]
name = "A2"
port = "socket://10.0.0.12:4000"
unit = "T-12"                               # and no other

[[table]]
name = "A3"
unit = "T-13"
track = false                               # its deals are declared, whatever its tile readers tell
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import BadConfig, BadInput
from ..journal.places import JournalPath, is_url
from ..journal.witness_places import Witness, find_witness
from ..link.discovery import Sought
from ..rules.errors import RulesError
from ..rules.ruleset import PRESETS, Ruleset, load_ruleset
from ..system.disk import read_whole

NAME_LIMIT = 32
DEFAULT_RULES = "sichuan"
DEFAULT_BACKUP_MIN = 10
_HALL_KEYS = ("journal", "rules", "ports", "witnesses", "backup", "backup_every_min", "table")
_WORD_KEYS = ("name", "port", "usb_serial", "unit")
_TABLE_KEYS = (*_WORD_KEYS, "track")


@dataclass(frozen=True, slots=True)
class TableConfig:
    """One table: what people call it, how it is found, and whether its deals are tracked if it has tile readers."""

    name: str
    sought: Sought
    track: bool = True


@dataclass(frozen=True, slots=True)
class HallConfig:
    """A hall: its journal, its tables in the order of the file, the ports at which units are asked for.

    `reports` is the folder of the reports of faults and lost connections. `ruleset` has the rules of deals that belong
    to no tournament. `witnesses` keep checkpoints of the journal. `backup` is the folder of backups, None for none, one
    every `backup_every_min` minutes; `files` are those that the hall was read from.
    """

    journal: JournalPath
    reports: Path
    tables: tuple[TableConfig, ...]
    ports: tuple[str, ...] = ()
    ruleset: Ruleset = field(default_factory=lambda: load_ruleset(DEFAULT_RULES))
    witnesses: tuple[Witness, ...] = ()
    backup: Path | None = None
    backup_every_min: int = DEFAULT_BACKUP_MIN
    files: tuple[Path, ...] = ()


def load_hall(path: Path) -> HallConfig:
    """Read the file at `path`. BadConfig names everything that is wrong with it."""
    try:
        content = tomllib.loads(read_whole(path).decode())
    except OSError as error:
        raise BadConfig(str(path), f"it cannot be read ({error.strerror}); check the path") from error
    except (ValueError, RecursionError) as error:
        raise BadConfig(str(path), f"this is no TOML: {error}; write it as docs/operating.md does") from error
    problems = list(_problems(content))
    if problems:
        raise BadConfig(str(path), "; ".join(problems))
    rules = content.get("rules", DEFAULT_RULES)
    return HallConfig(
        content["journal"] if is_url(content["journal"]) else path.parent / content["journal"],
        path.with_suffix(".reports"),
        tuple(
            TableConfig(
                table["name"],
                Sought(table.get("port"), table.get("usb_serial"), table.get("unit")),
                table.get("track", True),
            )
            for table in content["table"]
        ),
        tuple(content.get("ports", ())),
        _ruleset(path, rules),
        _witnesses(path, content.get("witnesses", ())),
        path.parent / content["backup"] if "backup" in content else None,
        content.get("backup_every_min", DEFAULT_BACKUP_MIN),
        (path,) if rules in PRESETS else (path, path.parent / rules),
    )


def _ruleset(path: Path, rules: str) -> Ruleset:
    try:
        return load_ruleset(rules if rules in PRESETS else path.parent / rules)
    except RulesError as error:
        raise BadConfig(str(path), f"rules: {error}") from error


def _witnesses(path: Path, places: Sequence[str]) -> tuple[Witness, ...]:
    try:
        return tuple(find_witness(place, path.parent) for place in places)
    except BadInput as error:
        raise BadConfig(str(path), str(error)) from error


def _problems(content: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown_keys("the file", content, _HALL_KEYS)
    if "journal" not in content:
        yield "the file lacks journal, the path or URL of the hall's journal"
    elif not _is_word(content["journal"]):
        yield "journal must be a path or URL in quotes"
    if not _is_word(content.get("rules", DEFAULT_RULES)):
        yield "rules must be a preset or the path of a file, in quotes"
    witnesses = content.get("witnesses", [])
    if not isinstance(witnesses, list) or not all(map(_is_word, witnesses)):
        yield "witnesses must be a list of paths or URLs in quotes"
    if not _is_word(content.get("backup", "a folder")):
        yield "backup must be the path of a folder, in quotes"
    minutes = content.get("backup_every_min", DEFAULT_BACKUP_MIN)
    if not isinstance(minutes, int) or isinstance(minutes, bool) or minutes < 1:
        yield "backup_every_min must be a number of minutes, 1 or more"
    ports = content.get("ports", [])
    if not isinstance(ports, list) or not all(map(_is_word, ports)):
        yield "ports must be a list of ports in quotes"
        ports = []
    for port in ports:
        yield from _port_problems("ports", port)
    tables = content.get("table", [])
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        yield "there must be a [[table]] for every table, with its name"
        return
    for number, table in enumerate(tables, 1):
        name = table.get("name")
        yield from _table_problems(f"table {name}" if _is_word(name) else f"the table number {number}", table, ports)
    for key in ("name", "port", "usb_serial", "unit"):
        given = [table[key] for table in tables if _is_word(table.get(key))]
        yield from (f"{key} {value!r} is given {count} times" for value, count in Counter(given).items() if count > 1)
    for port in sorted({table.get("port") for table in tables if _is_word(table.get("port"))} & set(ports)):
        yield f"port {port!r} is a table's own and among ports as well"


def _table_problems(where: str, table: Mapping[str, Any], ports: list[str]) -> Iterator[str]:
    yield from _unknown_keys(where, table, _TABLE_KEYS)
    if "name" not in table:
        yield f"{where} lacks a name"
    if not isinstance(table.get("track", True), bool):
        yield f"{where}: track must be true or false"
    for key in _WORD_KEYS:
        if key in table and not _is_word(table[key]):
            yield f"{where}: {key} must be text in quotes, one line"
    name = table.get("name")
    if isinstance(name, str) and len(name) > NAME_LIMIT:
        yield f"{where}: its name is longer than {NAME_LIMIT} characters"
    if "port" in table and "usb_serial" in table:
        yield f"{where} has both port and usb_serial; give one"
    elif not {"port", "usb_serial", "unit"} & set(table):
        yield f"{where} lacks port, usb_serial or unit: nobody knows where it is"
    elif not {"port", "usb_serial"} & set(table) and not ports:
        yield f"{where} is known by its unit alone, and there are no ports to ask at"
    if _is_word(table.get("port")):
        yield from _port_problems(where, table["port"])


def _port_problems(where: str, port: str) -> Iterator[str]:
    scheme = port.partition("://")[0] if "://" in port else ""
    if scheme == "sim":
        yield (
            f"{where}: {port} would end with this program and come back as it was, its events with their old numbers; "
            "start `wallwright simulate --tcp 4001` and write socket://127.0.0.1:4001"
        )
    elif scheme not in ("", "socket"):
        yield f"{where}: {port} is neither a device nor socket://HOST:PORT"


def _unknown_keys(where: str, given: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[str]:
    for key in given:
        if key not in known:
            yield f"{where} has an unknown key {key!r}; there are {', '.join(known)}"


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()
