"""The format of an event as data: sessions, limits, what counts, how ties are broken. Nothing here plays or ranks.

An event's TOML file holds any of the fields of `EventFormat`; `base` names the preset that fills in the rest. The files
in `formats/` say beside each field what it means.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, fields, replace
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

from ..errors import BadConfig
from ..naming import SEATS, WINDS
from ..rules.errors import RulesError
from ..rules.ruleset import Ruleset, load_ruleset
from ..rules.sessions import MINUTE_MS, REFEREE_PENALTIES
from ..system.disk import read_whole

PRESETS = ("chengdu-grand-prix", "mil-2025")
POINTS, TABLE_POINTS = "points", "table_points"
REPLAY, VOID, KEEP = "replay", "void", "keep"
FOR_EVERYBODY, FOR_STAFF = "everybody", "staff"
NO_LATE, LATE_PLACES, LATE_TABLES = "none", "places", "tables"
COUNT, APPROVE = "count", "approve"
NO_SIGNING, BY_PIN = "none", "pin"
CALL_ESCALATES = 3
"""Minutes after which a call that nobody has taken is shown more strongly, where no event says otherwise."""
TIE_BREAKS = (POINTS, TABLE_POINTS, "session_wins", "best_session", "best_deal", "penalties", "lot")
"""More points or table points, sessions won, the best session, the best deal, the fewer penalties, the lower lot."""

_WORDS = {
    "rank_by": (POINTS, TABLE_POINTS),
    "seats": SEATS,
    "machine_fault": (REPLAY, VOID, KEEP),
    "penalty_reasons": (FOR_EVERYBODY, FOR_STAFF),
    "late_entry": (NO_LATE, LATE_PLACES, LATE_TABLES),
    "agreed_values": (COUNT, APPROVE),
    "player_signing": (NO_SIGNING, BY_PIN),
}
_RANGES = {
    "sessions": (1, 200),
    "sessions_a_day": (1, 20),
    "deals": (0, 1000),
    "minutes": (1, 1440),
    "final_players": (0, 512),
    "final_sessions": (0, 50),
    "appeal_minutes": (0, 10_080),
    "call_escalates_minutes": (0, 60),
    "bye_points": (-1000, 1000),
}
_LISTS = {"warnings": (0, 1440), "table_points": (0, 100), "best_of": (1, 200)}
_CHOICES = {"tie_break": TIE_BREAKS, "penalties": tuple(REFEREE_PENALTIES)}


@dataclass(frozen=True, slots=True)
class EventFormat:
    """One way to run an event. Times in minutes; `bye_table_points` is a fraction; the files say what fields mean."""

    name: str
    ruleset: Ruleset
    sessions: int
    sessions_a_day: int
    deals: int
    minutes: int
    warnings: tuple[int, ...]
    rank_by: str
    table_points: tuple[int, ...]
    best_of: tuple[int, ...]
    tie_break: tuple[str, ...]
    final_players: int
    final_sessions: int
    final_carry: bool
    appeal_minutes: int
    machine_fault: str
    bye_points: int
    bye_table_points: Fraction
    penalties: tuple[str, ...]
    # Journals of older releases have no such fields.
    seats: str = WINDS
    penalty_reasons: str = FOR_EVERYBODY
    late_entry: str = LATE_TABLES
    agreed_values: str = COUNT
    player_signing: str = NO_SIGNING
    call_escalates_minutes: int = CALL_ESCALATES

    @property
    def limit_ms(self) -> int:
        """The time of a session in ms."""
        return self.minutes * MINUTE_MS

    def day_of(self, session: int) -> int:
        """Return the day, from 1 on, on which a session, from 1 on, is played."""
        return (session - 1) // self.sessions_a_day + 1


_FIELDS = {field.name: field.type for field in fields(EventFormat)}
_DEFAULTS = {field.name for field in fields(EventFormat) if field.default is not MISSING}
"""Fields that came later: a format, or a journal, without them means what there was before."""


def load_format(name_or_path: str | Path) -> EventFormat:
    """Return a preset by name or the format of a TOML file. BadConfig names everything that is wrong with the file."""
    if name_or_path in PRESETS:
        return parse_format(_preset_text(str(name_or_path)), str(name_or_path))
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise BadConfig(str(path), f"this is no format: use {', '.join(PRESETS)} or the path of a .toml file")
    try:
        text = read_whole(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(str(path), f"it cannot be read ({error}); check the path") from error
    return parse_format(text, str(path), path.parent)


def parse_format(text: str, name: str, folder: Path = Path()) -> EventFormat:
    """Return the format of a TOML text. A ruleset's path is taken from `folder`. BadConfig lists all mistakes."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadConfig(name, f"this is no TOML: {error}; write it as docs/events.md does") from error
    base = table.pop("base", None)
    if base is not None and base not in PRESETS:
        raise BadConfig(name, f"base is {base!r}, use {' or '.join(PRESETS)}")
    if base is not None:
        table = tomllib.loads(_preset_text(base)) | table
    elif missing := [key for key in _FIELDS if key not in table and key not in _DEFAULTS]:
        raise BadConfig(name, f'it lacks {", ".join(missing)}; give them, or base = "{PRESETS[0]}"')
    problems = list(_problems(table))
    if problems:
        raise BadConfig(name, "; ".join(problems))
    try:
        ruleset = _find_ruleset(table["ruleset"], folder)
    except RulesError as error:
        raise BadConfig(name, str(error)) from error
    return _build(table, ruleset)


def format_record(event_format: EventFormat) -> dict[str, Any]:
    """Return a format as plain values, its ruleset in full, so that a journal says by what rules it was played."""
    return asdict(event_format) | {"bye_table_points": str(event_format.bye_table_points)}


def read_format(record: Mapping[str, Any]) -> EventFormat:
    """Return the format that `format_record` wrote."""
    fields_of_rules = dict(record["ruleset"])
    name = fields_of_rules.pop("name")
    ruleset = replace(load_ruleset("sichuan").with_changes(**fields_of_rules), name=name)
    return _build(record, ruleset)


def _build(table: Mapping[str, Any], ruleset: Ruleset) -> EventFormat:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return EventFormat(**values | {"ruleset": ruleset, "bye_table_points": Fraction(values["bye_table_points"])})


def _preset_text(name: str) -> str:
    return resources.files("wallwright.event").joinpath("formats", f"{name}.toml").read_text(encoding="utf-8")


def _find_ruleset(name: str, folder: Path) -> Ruleset:
    return load_ruleset(folder / name if name.endswith(".toml") else name)


def _problems(table: Mapping[str, Any]) -> Iterator[str]:
    known = True
    for key, value in table.items():
        if key not in _FIELDS:
            yield f"there is no field {key!r}; the fields are base, {', '.join(_FIELDS)}"
        elif problem := _problem(key, value):
            known = False
            yield f"{key} is {value!r}, it must be {problem}"
    if known:
        yield from _contradictions(table)


def _contradictions(table: Mapping[str, Any]) -> Iterator[str]:
    best = table["best_of"]
    if best and best[0] > best[1]:
        yield f"best_of is {best}: no more sessions can count than are played"
    if best and table["sessions"] % best[1]:
        yield f"best_of is {best}, and {table['sessions']} sessions are no whole number of such groups"
    if bool(table["final_players"]) != bool(table["final_sessions"]):
        yield "final_players and final_sessions belong together: give both, or 0 for both"
    if table["final_players"] % 4:
        yield f"final_players is {table['final_players']}: tables have four"
    if late := [minutes for minutes in table["warnings"] if minutes >= table["minutes"]]:
        yield f"warnings {late} are before the start of a session of {table['minutes']} minutes"
    if table["rank_by"] in table["tie_break"]:
        yield f"tie_break has {table['rank_by']!r}, by which is ranked already"


def _problem(key: str, value: Any) -> str | None:
    """What the value should have been, or None when it is good."""
    if key in ("name", "ruleset"):
        return None if isinstance(value, str) and value.strip() and value.isprintable() else "text in quotes"
    if key in _WORDS:
        return None if value in _WORDS[key] else f"one of {', '.join(_WORDS[key])}"
    if key == "final_carry":
        return None if isinstance(value, bool) else "true or false"
    if key == "bye_table_points":
        return None if _is_fraction(value) else 'a number of table points in quotes, such as "5/2"'
    if key in _CHOICES:
        good = isinstance(value, list) and len(set(map(str, value))) == len(value)
        return None if good and set(value) <= set(_CHOICES[key]) else f"a list of different ones of {_CHOICES[key]}"
    if key in _LISTS:
        return _list_problem(key, value)
    low, high = _RANGES[key]
    return None if type(value) is int and low <= value <= high else f"a whole number from {low} to {high}"


def _list_problem(key: str, value: Any) -> str | None:
    low, high = _LISTS[key]
    lengths = {"table_points": (4,), "best_of": (0, 2)}.get(key)
    good = isinstance(value, list) and all(type(item) is int and low <= item <= high for item in value)
    if good and (lengths is None or len(value) in lengths):
        return None
    count = "" if lengths is None else f"{' or '.join(map(str, lengths))} "
    return f"a list of {count}whole numbers from {low} to {high}"


def _is_fraction(value: Any) -> bool:
    try:
        return isinstance(value, str) and 0 <= Fraction(value) <= 100
    except (ValueError, ZeroDivisionError):
        return False
