"""Rules as data: what differs between the presets, loaded from TOML and checked field by field.

A ruleset file holds any of the fields below; `base` names the preset that fills in the rest (default "sichuan"). The
TOML files in `rulesets/` say beside each field what it means. Nothing here plays or scores.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path

from wallwright.rules.core.errors import RulesetError
from wallwright.rules.core.game_rules import GameRules
from wallwright.rules.core.ruleset import options_of, read_file, read_table
from wallwright.rules.sichuan.wall import LONG_WALLS
from wallwright.text_files import shown_value
from wallwright.words import Named

PRESETS = ("sichuan", "sichuan-4", "chengdu-2016", "mil-2025", "mil-2025-duplicate")
CHOSEN, NO_SUIT = FORBIDDEN_SUITS = ("chosen", "nobody")
"""Whether each player has chosen one before the first move, or nobody has one (SBR-11.9)."""
NO_LIMIT = "none"
"""How TOML, which has no null, says that fans are not limited."""

_MAX_FANS = 10
"""The largest hand has 10 fans (SBR-5.6), so a higher limit would say nothing."""

_WORDS: dict[str, tuple[str, ...]] = {
    "long_walls": LONG_WALLS,
    "void_check": ("wall", "any"),
    "wall_end_value": ("best", "one"),
    "shoot_voids": ("last", "turn"),
    "false_hu": ("players", "penalty"),
    "time_up": ("finish", "stop"),
    "forbidden_suit": FORBIDDEN_SUITS,
}
_RANGES: dict[str, tuple[int, int]] = {
    "void_points": (0, 1000),
    "breach_points": (0, 1000),
    "false_hu_points": (0, 1000),
    "session_deals": (0, 1000),
    "session_minutes": (1, 1440),
    "session_minutes_range": (1, 1440),
    "warning_minutes": (1, 1440),
    "best_of": (1, 100),
    "table_points": (0, 100),
}
_LENGTHS: dict[str, tuple[int, ...]] = {"session_minutes_range": (2,), "best_of": (0, 2), "table_points": (0, 4)}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One set of rules. `fan_limit` None means no limit (SBR-5.3); the other fields are explained in the preset
    files.
    """

    name: str
    fan_limit: int | None
    long_walls: str
    void_first: bool
    void_points: int
    void_check: str
    passive_exempt: bool
    breach_points: int
    wall_end_value: str
    wall_end_kongs: bool
    shoot_voids: str
    chain_rob_shoots: bool
    false_hu: str
    false_hu_points: int
    time_up: str
    session_deals: int
    session_minutes: int
    session_minutes_range: tuple[int, ...]
    warning_minutes: tuple[int, ...]
    best_of: tuple[int, ...]
    table_points: tuple[int, ...]
    # Files and journals of older releases have no such fields.
    forbidden_suit: str = CHOSEN
    own_walls: bool = False

    @property
    def said_name(self) -> Named:
        """Its name in a sentence; a language may have one of its own for a preset."""
        return Named("ruleset", self.name)

    def value(self, fans: int) -> int:
        """Points of a hand with that many fans: 2 to the power of the fans, capped (SBR-5.3)."""
        if self.fan_limit is not None and fans > self.fan_limit:
            fans = self.fan_limit
        return 1 << fans

    def as_game(self) -> GameRules:
        """The same rules as every game is asked by them."""
        return _as_game(self)

    def with_changes(self, **changes: object) -> "Ruleset":
        """A copy with some fields changed, checked like a file. RulesetError names an unknown field or a bad value."""
        return replace(self, **_parse(changes, self.name))  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def _as_game(rules: Ruleset) -> GameRules:
    return GameRules(rules.name, rules.name if rules.name in PRESETS else PRESETS[0], options_of(rules))


_FIELDS = {field.name: field.type for field in fields(Ruleset) if field.name != "name"}


def load_ruleset(name_or_path: str | Path) -> Ruleset:
    """A preset by name ("sichuan-4") or a TOML file by path. RulesetError says what is wrong and where."""
    if name_or_path in PRESETS:
        return _preset(str(name_or_path))
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise RulesetError(f"{str(name_or_path)!r} is no ruleset: use {', '.join(PRESETS)} or the path of a .toml file")
    return _derived(read_file(path), path.stem)


def parse_ruleset(text: str, name: str) -> Ruleset:
    """A ruleset from TOML text; fields that it leaves out are those of its `base`."""
    return _derived(read_table(text, name), name)


def _derived(table: dict[str, object], name: str) -> Ruleset:
    base = table.pop("base", "sichuan")
    if base not in PRESETS:
        raise RulesetError(f"ruleset {name}: base is {shown_value(base)}, use one of {', '.join(PRESETS)}")
    return replace(_preset(base), name=name, **_parse(table, name))  # type: ignore[arg-type]


def _preset(name: str) -> Ruleset:
    found = _loaded.get(name)
    if found is None:
        file = resources.files("wallwright.rules.sichuan").joinpath("rulesets", f"{name}.toml")
        text = file.read_text(encoding="utf-8")
        found = _loaded[name] = Ruleset(name=name, **_parse(tomllib.loads(text), name))  # type: ignore[arg-type]
    return found


_loaded: dict[str, Ruleset] = {}


def _parse(table: Mapping[str, object], name: str) -> dict[str, object]:
    """Field values as Ruleset holds them; the first unknown key or bad value is refused by name."""
    parsed: dict[str, object] = {}
    for key, value in table.items():
        if key not in _FIELDS:
            raise RulesetError(f"ruleset {name} has an unknown field {key!r}; the fields are {', '.join(_FIELDS)}")
        problem = _problem(key, value)
        if problem:
            raise RulesetError(f"ruleset {name}: {key} is {shown_value(value)}, it must be {problem}")
        if isinstance(value, list):
            parsed[key] = tuple(value)
        else:
            parsed[key] = None if value == NO_LIMIT else value
    return parsed


def _problem(key: str, value: object) -> str | None:
    """What the value should have been, or None when it is good."""
    if key == "fan_limit":
        good = value is None or value == NO_LIMIT or (type(value) is int and 0 <= value <= _MAX_FANS)
        return None if good else f'a whole number from 0 to {_MAX_FANS}, or "{NO_LIMIT}"'
    if key in _WORDS:
        return None if value in _WORDS[key] else f"one of {', '.join(_WORDS[key])}"
    if _FIELDS[key] is bool:
        return None if isinstance(value, bool) else "true or false"
    low, high = _RANGES[key]
    if _FIELDS[key] is int:
        return None if type(value) is int and low <= value <= high else f"a whole number from {low} to {high}"
    lengths = _LENGTHS.get(key)
    good = isinstance(value, list | tuple) and all(type(item) is int and low <= item <= high for item in value)
    if good and isinstance(value, list | tuple) and (lengths is None or len(value) in lengths):
        return None
    return (
        f"a list of {' or '.join(map(str, lengths)) if lengths else 'any number of'} whole numbers from {low} to {high}"
    )
