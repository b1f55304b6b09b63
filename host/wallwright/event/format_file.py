"""The TOML file of an event's format: what may stand in it, which of it cannot be together, and the presets.

It holds any of the fields of `EventFormat`; `base` names the preset that fills in the rest. An event that is read from
its journal needs none of this, and loads faster without pydantic.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from ..errors import BadConfig
from ..naming import SEATS, WINDS
from ..rules.core.errors import RulesError
from ..rules.core.game_rules import GameRules
from ..rules.core.ruleset import read_file
from ..rules.found import find_rules
from ..rules.sichuan.ruleset import Ruleset
from ..system.toml_file import Flag, Form, Name, OneOf, Text, Whole, load_toml, read_toml
from ..text_files import shown_value
from . import format as formats
from .format import EventFormat, build
from .limits import REFEREE_PENALTIES

PRESETS = (
    "chengdu-grand-prix",
    "mil-2025",
    "hong-kong-club",
    "cumberland-evening",
    "balsall-evening",
    "mil-2025-pairs",
    "mil-2025-teams",
)
MOST_TABLE_POINTS = 100
_GUIDE = "docs/events.md"
_SESSION_OPTIONS = {
    "deals": "session_deals",
    "minutes": "session_minutes",
    "warnings": "warning_minutes",
    "best_of": "best_of",
    "table_points": "table_points",
}
"""Fields of a format, and the options of a Sichuan ruleset that fill them in (SBR-9.1, SBR-9.2, SBR-11.6)."""


def load_format(name_or_path: str | Path) -> EventFormat:
    """Return a preset by name or the format of a TOML file. BadConfig names everything that is wrong with the file."""
    if name_or_path in PRESETS:
        return parse_format(_preset_text(str(name_or_path)), str(name_or_path))
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise BadConfig(str(path), f"this is no format: use {', '.join(PRESETS)} or the path of a .toml file")
    return _parsed(load_toml(path, _GUIDE), str(path), path.parent)


def parse_format(text: str, name: str, folder: Path = Path()) -> EventFormat:
    """Return the format of a TOML text. A ruleset's path is taken from `folder`. BadConfig lists all mistakes."""
    return _parsed(read_toml(name, text, _GUIDE), name, folder)


def _parsed(table: dict[str, Any], name: str, folder: Path) -> EventFormat:
    base = table.get("base")
    if base is not None and base not in PRESETS:
        raise BadConfig(name, f"base is {shown_value(base)}, use {' or '.join(PRESETS)}")
    table = _of_ruleset(table, folder) | table
    if base is not None:
        table = read_toml(base, _preset_text(base), _GUIDE) | table
    elif missing := [key for key, of in _FormatFile.model_fields.items() if of.is_required() and key not in table]:
        raise BadConfig(name, f'it lacks {", ".join(missing)}; give them, or base = "{PRESETS[0]}"')
    form, mistakes = _FormatFile.read(table)
    mistakes += form.contradictions() if form else ()
    if form is None or mistakes:
        raise BadConfig(name, "; ".join(mistakes))
    try:
        ruleset = find_rules(form.ruleset, folder)
    except RulesError as error:
        raise BadConfig(name, str(error)) from error
    if isinstance(ruleset, GameRules) and form.machine_fault == formats.KEEP:
        problem = f'machine_fault is "{formats.KEEP}", and only Sichuan scores a deal that was not ended'
        raise BadConfig(name, f'{problem}; use "{formats.REPLAY}" or "{formats.VOID}"')
    if isinstance(ruleset, Ruleset):
        low, high = ruleset.session_minutes_range
        if low < high and not low <= form.minutes <= high:
            problem = f"minutes is {form.minutes}, and a session of {ruleset.name} has {low} to {high} (SBR-11.6)"
            raise BadConfig(name, f"{problem}; change one of the two")
    return build(form.model_dump(exclude={"base"}), ruleset)


def _none_or_two(value: tuple[int, ...]) -> tuple[int, ...]:
    if len(value) not in (0, 2):
        raise ValueError
    return value


def _different(value: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(value)) < len(value):
        raise ValueError
    return value


def _table_points(value: str) -> str:
    try:
        fits = 0 <= Fraction(value) <= MOST_TABLE_POINTS
    except ZeroDivisionError as error:
        raise ValueError from error
    if not fits:
        raise ValueError
    return value


class _FormatFile(Form):
    """The keys of the file, in the order of `EventFormat`; `base` names the preset that fills in the rest."""

    base: str = ""
    name: Name
    ruleset: Text
    sessions: Annotated[Whole, Field(ge=1, le=200)]
    sessions_a_day: Annotated[Whole, Field(ge=1, le=20)]
    deals: Annotated[Whole, Field(ge=0, le=1000)]
    minutes: Annotated[Whole, Field(ge=1, le=1440)]
    warnings: tuple[Annotated[Whole, Field(ge=0, le=1440)], ...]
    rank_by: Annotated[str, OneOf(*formats.RANKINGS)]
    table_points: Annotated[
        tuple[Annotated[Whole, Field(ge=0, le=MOST_TABLE_POINTS)], ...], Field(min_length=4, max_length=4)
    ]
    best_of: Annotated[
        tuple[Annotated[Whole, Field(ge=1, le=200)], ...],
        AfterValidator(_none_or_two),
        Field(description="a list of 0 or 2 whole numbers from 1 to 200"),
    ]
    tie_break: Annotated[
        tuple[Annotated[str, OneOf(*formats.TIE_BREAKS)], ...],
        AfterValidator(_different),
        Field(description=f"a list of different ones of {', '.join(formats.TIE_BREAKS)}"),
    ]
    final_players: Annotated[Whole, Field(ge=0, le=512)]
    final_sessions: Annotated[Whole, Field(ge=0, le=50)]
    final_carry: Flag
    appeal_minutes: Annotated[Whole, Field(ge=0, le=10_080)]
    machine_fault: Annotated[str, OneOf(formats.REPLAY, formats.VOID, formats.KEEP)]
    bye_points: Annotated[Whole, Field(ge=-1000, le=1000)]
    bye_table_points: Annotated[
        str, AfterValidator(_table_points), Field(description='a number of table points in quotes, such as "5/2"')
    ]
    penalties: Annotated[
        tuple[Annotated[str, OneOf(*REFEREE_PENALTIES)], ...],
        AfterValidator(_different),
        Field(description=f"a list of different ones of {', '.join(REFEREE_PENALTIES)}"),
    ]
    seats: Annotated[str, OneOf(*SEATS)] = WINDS
    penalty_reasons: Annotated[str, OneOf(formats.FOR_EVERYBODY, formats.FOR_STAFF)] = formats.FOR_EVERYBODY
    late_entry: Annotated[str, OneOf(formats.NO_LATE, formats.LATE_PLACES, formats.LATE_TABLES)] = formats.LATE_TABLES
    agreed_values: Annotated[str, OneOf(formats.COUNT, formats.APPROVE)] = formats.COUNT
    player_signing: Annotated[str, OneOf(formats.NO_SIGNING, formats.BY_PIN)] = formats.NO_SIGNING
    call_escalates_minutes: Annotated[Whole, Field(ge=0, le=60)] = formats.CALL_ESCALATES
    movement: Annotated[str, OneOf(*formats.MOVEMENTS)] = formats.STAY
    duplicate: Annotated[str, OneOf(*formats.DUPLICATES)] = formats.OWN_DEALS
    pair_movement: Annotated[str, OneOf(*formats.PAIR_MOVEMENTS)] = formats.HOWELL
    names: Annotated[str, OneOf(formats.FOR_EVERYBODY, formats.IN_HALL)] = formats.FOR_EVERYBODY

    def contradictions(self) -> Iterator[str]:
        """Yield what cannot be together, a sentence each."""
        if self.best_of and self.best_of[0] > self.best_of[1]:
            yield f"best_of is {[*self.best_of]}: no more sessions can count than are played"
        if self.best_of and self.sessions % self.best_of[1]:
            yield f"best_of is {[*self.best_of]}, and {self.sessions} sessions are no whole number of such groups"
        if bool(self.final_players) != bool(self.final_sessions):
            yield "final_players and final_sessions belong together: give both, or 0 for both"
        if self.final_players % 4:
            yield f"final_players is {self.final_players}: tables have four"
        if late := [minutes for minutes in self.warnings if minutes >= self.minutes]:
            yield f"warnings {late} are before the start of a session of {self.minutes} minutes"
        if self.rank_by in self.tie_break:
            yield f"tie_break has {self.rank_by!r}, by which is ranked already"
        yield from self._duplicate_contradictions()
        by_table = [one for one in (self.rank_by, *self.tie_break) if one in formats.BY_TABLE]
        if self.movement == formats.WINNERS and by_table:
            yield f"{', '.join(by_table)} is for a place at a table, and winners move on; rank by points or wins"

    def _duplicate_contradictions(self) -> Iterator[str]:
        partners = self.duplicate in (formats.PAIRS, formats.TEAMS)
        if partners != (self.rank_by == formats.MATCH_POINTS):
            yield 'rank_by = "match_points" and duplicate = "pairs" or "teams" belong together'
        if self.duplicate == formats.OWN_DEALS:
            return
        if not self.deals:
            yield "deals is 0, and whoever plays the same deals needs their number"
        if self.machine_fault == formats.KEEP or self.movement != formats.STAY:
            yield 'machine_fault = "keep" and movement = "winners" are not for tables that play the same deals'
        if partners and (self.final_players or self.best_of or self.late_entry != formats.NO_LATE):
            yield 'pairs and teams need final_players = 0, best_of = [] and late_entry = "none"'


def _preset_text(name: str) -> str:
    return resources.files("wallwright.event").joinpath("formats", f"{name}.toml").read_text(encoding="utf-8")


def _of_ruleset(table: Mapping[str, object], folder: Path) -> dict[str, object]:
    """What a ruleset says of sessions: all of it for a file without a base, else what the ruleset's own file sets.

    A ruleset that cannot be read says nothing; it is refused later.
    """
    name = table.get("ruleset")
    if not isinstance(name, str):
        return {}
    try:
        rules = find_rules(name, folder)
        own = read_file(folder / name) if name.endswith(".toml") else {}
    except RulesError:
        return {}
    if not isinstance(rules, Ruleset):
        return {}
    said = {key: option for key, option in _SESSION_OPTIONS.items() if "base" not in table or option in own}
    if not rules.table_points:
        said.pop("table_points", None)
    values = {key: getattr(rules, option) for key, option in said.items()}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
