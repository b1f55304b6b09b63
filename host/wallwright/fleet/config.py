"""What tables a hall has, and where its journal is: a TOML file, checked in full before anything is opened.

journal = "hall.journal"                    # beside the file; or a database: postgresql://USER@HOST/DATABASE
rules = "sichuan"                           # of deals outside a tournament: a preset, or a file beside this one
ports = ["/dev/ttyUSB0", "COM5"]            # where tables may be that are known by their unit alone
witnesses = ["stick/hall.witness", "https://club.example/witness"]  # who keeps checkpoints of the journal
backup = "/media/stick"                     # a folder on another disk; without it nothing is backed up
backup_every_min = 10
report_to = "https://season.example"        # the server of the tournament's season (docs/season.md), known by this key
season_key = "PFODUMZU4GZX4DKB7I6BEDUOJ5DB5OOKNZTW32CCKTKIG6F3QZ4A"
season_certificate = "season.pem"           # of that server, if no authority has signed it

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

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from ..errors import BadConfig, BadInput
from ..journal.places import JournalPath, is_url
from ..journal.season_address import SeasonAddress
from ..journal.witness_places import Witness, find_witness
from ..link.discovery import Sought
from ..person_text import same_key
from ..rules.core.errors import RulesError
from ..rules.core.game_rules import GameRules
from ..rules.found import find_rules, is_preset
from ..rules.sichuan.ruleset import Ruleset, load_ruleset
from ..system.toml_file import Flag, Form, Name, Text, Whole, load_toml
from ..system.trusted import problem_with

NAME_LIMIT = 32
DEFAULT_RULES = "sichuan"
DEFAULT_BACKUP_MIN = 10


def _checked_port(port: str) -> str:
    scheme = port.partition("://")[0] if "://" in port else ""
    if scheme == "sim":
        raise ValueError(
            f"{port} would end with this program and come back as it was, its events with their old numbers; "
            "start `wallwright simulate --tcp 4001` and write socket://127.0.0.1:4001"
        )
    if scheme not in ("", "socket"):
        raise ValueError(f"{port} is neither a device nor socket://HOST:PORT")
    return port


_Name = Annotated[Name, Field(max_length=NAME_LIMIT, description=f"text in quotes, up to {NAME_LIMIT} characters")]
_Port = Annotated[Text, AfterValidator(_checked_port)]


_PATH = "path"
"""In an annotation: the key takes a path, from the file's folder."""


_NO_PATHS: Mapping[str, Callable[[str], bool]] = {
    "journal": is_url,
    "rules": is_preset,
    "witnesses": lambda place: place.lower().startswith(("http://", "https://")),
}
"""What such a key takes besides."""


class _TableFile(Form):
    name: _Name
    port: _Port | None = None
    usb_serial: Text | None = None
    usb_location: Text | None = None
    unit: Text | None = None
    track: Flag = True

    @model_validator(mode="after")
    def _is_found(self) -> Self:
        for key in ("usb_serial", "usb_location"):
            if self.port and getattr(self, key):
                raise ValueError(f"it has both port and {key}; give one")
        if not (self.port or self.usb_serial or self.usb_location or self.unit):
            raise ValueError("it lacks port, usb_serial, usb_location or unit: nobody knows where it is")
        return self


def _some(tables: tuple[_TableFile, ...]) -> tuple[_TableFile, ...]:
    if not tables:
        raise ValueError
    return tables


class _HallFile(Form):
    journal: Annotated[Text, _PATH, Field(description="a path or URL in quotes")]
    rules: Annotated[Text, _PATH, Field(description="a preset or the path of a file, in quotes")] = DEFAULT_RULES
    ports: Annotated[tuple[_Port, ...], Field(description="a list of ports in quotes")] = ()
    witnesses: Annotated[tuple[Text, ...], _PATH, Field(description="a list of paths or URLs in quotes")] = ()
    backup: Annotated[Text | None, _PATH, Field(description="the path of a folder, in quotes")] = None
    backup_every_min: Annotated[Whole, Field(ge=1, description="a number of minutes, 1 or more")] = DEFAULT_BACKUP_MIN
    report_to: Annotated[Text | None, Field(description="the URL of a season's server, in quotes")] = None
    season_key: Annotated[Text | None, Field(description="the season's key as it was told, in quotes")] = None
    season_certificate: Annotated[Text | None, _PATH, Field(description="the path of a file, in quotes")] = None
    table: Annotated[
        tuple[_TableFile, ...],
        AfterValidator(_some),
        Field(description="a [[table]] for every table, with its name"),
    ]

    @model_validator(mode="after")
    def _knows_the_season(self) -> Self:
        if (self.report_to is None) != (self.season_key is None):
            raise ValueError("report_to and season_key: give both, or none")
        if self.season_certificate is not None and self.report_to is None:
            raise ValueError("season_certificate is of the server in report_to; give that too, or neither")
        return self


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
    every `backup_every_min` minutes; `files` are those that the hall was read from. The hall reports its tournament to
    the server of a `season`, if there is one.
    """

    journal: JournalPath
    reports: Path
    tables: tuple[TableConfig, ...]
    ports: tuple[str, ...] = ()
    ruleset: Ruleset | GameRules = field(default_factory=lambda: load_ruleset(DEFAULT_RULES))
    witnesses: tuple[Witness, ...] = ()
    backup: Path | None = None
    backup_every_min: int = DEFAULT_BACKUP_MIN
    files: tuple[Path, ...] = ()
    season: SeasonAddress | None = None


def paths_in(path: Path) -> Iterator[tuple[str, str]]:
    """Go through the keys of a hall's file that take paths, and the paths there; nothing is read but the file itself.

    URLs and presets are none. Raises BadConfig as `load_hall` does for what is no hall's file.
    """
    form, mistakes = _HallFile.read(load_toml(path, "docs/operating.md"))
    if form is None:
        raise BadConfig(str(path), "; ".join(mistakes))
    for key, field_ in _HallFile.model_fields.items():
        value = getattr(form, key)
        if _PATH in field_.metadata:
            values = (value,) if isinstance(value, str) else value or ()
            yield from ((key, one) for one in values if key not in _NO_PATHS or not _NO_PATHS[key](one))


def load_hall(path: Path) -> HallConfig:
    """Read the file at `path`. BadConfig names everything that is wrong with it."""
    content = load_toml(path, "docs/operating.md")
    form, mistakes = _HallFile.read(content)
    mistakes += _contradictions(content)
    if form is None or mistakes:
        raise BadConfig(str(path), "; ".join(mistakes))
    ruleset, season = _ruleset(path, form.rules), _season(path, form)
    files = (path,) if is_preset(form.rules) else (path, path.parent / form.rules)
    believed = files if season is None or season.certificate is None else (*files, season.certificate)
    for file in believed:
        if file.exists() and (problem := problem_with(file)) is not None:
            raise BadConfig(str(file), str(problem))
    return HallConfig(
        form.journal if is_url(form.journal) else path.parent / form.journal,
        path.with_suffix(".reports"),
        tuple(
            TableConfig(table.name, Sought(table.port, table.usb_serial, table.unit, table.usb_location), table.track)
            for table in form.table
        ),
        form.ports,
        ruleset,
        _witnesses(path, form.witnesses),
        None if form.backup is None else path.parent / form.backup,
        form.backup_every_min,
        files,
        season,
    )


def _ruleset(path: Path, rules: str) -> Ruleset | GameRules:
    try:
        return find_rules(rules, path.parent)
    except RulesError as error:
        raise BadConfig(str(path), f"rules: {error}") from error


def _witnesses(path: Path, places: Sequence[str]) -> tuple[Witness, ...]:
    try:
        return tuple(find_witness(place, path.parent) for place in places)
    except BadInput as error:
        raise BadConfig(str(path), str(error)) from error


def _season(path: Path, form: _HallFile) -> SeasonAddress | None:
    if form.report_to is None or form.season_key is None:
        return None
    certificate = None if form.season_certificate is None else path.parent / form.season_certificate
    try:
        return SeasonAddress.told(form.report_to, form.season_key, certificate)
    except BadInput as error:
        raise BadConfig(str(path), f"report_to and season_key: {error}") from error


def _contradictions(content: Mapping[str, Any]) -> Iterator[str]:
    """What only shows when tables are compared, whatever else is wrong in the file."""
    tables = [table for table in _listed(content.get("table")) if isinstance(table, dict)]
    ports = [port for port in _listed(content.get("ports")) if isinstance(port, str)]
    for key in ("name", "port", "unit"):
        given = [table[key] for table in tables if isinstance(table.get(key), str)]
        same = Counter(map(same_key, given) if key == "name" else given)
        shown = {same_key(value) if key == "name" else value: value for value in reversed(given)}
        yield from (f"{key} {shown[value]!r} is given {count} times" for value, count in same.items() if count > 1)
    for key, other in (("usb_serial", "usb_location"), ("usb_location", "usb_serial")):
        # Of adapters with one number, or at one place, each table needs what tells it from the others.
        alike = [table for table in tables if isinstance(table.get(key), str)]
        alone = Counter(table[key] for table in alike if not {"unit", other} & set(table))
        for value in alone:
            count = sum(table[key] == value for table in alike)
            if count > 1:
                yield f"{key} {value!r} is given {count} times; tell these tables apart by unit or {other}"
    for table in tables:
        if table.get("port") in ports:
            yield f"port {table['port']!r} is a table's own and among ports as well"
        if "unit" in table and not {"port", "usb_serial", "usb_location"} & set(table) and not ports:
            yield f"table {table.get('name')!r} is known by its unit alone, and there are no ports to ask at"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
