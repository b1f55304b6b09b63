"""The TOML file of a season's format: what may stand in it, which of it cannot be together, and the presets.

`base` names the preset that fills in what the file leaves out.
"""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from ..errors import BadConfig
from ..system.toml_file import Flag, Form, Name, OneOf, Text, Whole, load_toml, read_toml
from ..text_files import shown_value
from .format import RANK_POINTS, RESULTS, SeasonFormat

PRESETS = ("chengdu-grand-prix-2016", "league", "rating-only")
_GUIDE = "docs/season.md"
_Count = Annotated[Whole, Field(ge=0, le=10_000)]


def load_format(name_or_path: str) -> SeasonFormat:
    """Return a preset by name or the format of a TOML file. BadConfig names everything that is wrong with the file."""
    if name_or_path in PRESETS:
        return parse_format(_preset_text(name_or_path), name_or_path)
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise BadConfig(name_or_path, f"this is no format: use {', '.join(PRESETS)} or the path of a .toml file")
    return _parsed(load_toml(path, _GUIDE), str(path))


def parse_format(text: str, name: str) -> SeasonFormat:
    """Return the format of a TOML text. BadConfig lists all mistakes."""
    return _parsed(read_toml(name, text, _GUIDE), name)


def _parsed(table: dict[str, Any], name: str) -> SeasonFormat:
    base = table.pop("base", None)
    if base is not None and base not in PRESETS:
        raise BadConfig(name, f"base is {shown_value(base)}, use {' or '.join(PRESETS)}")
    if base is not None:
        table = read_toml(base, _preset_text(base), _GUIDE) | table
    form, mistakes = _FormatFile.read(table)
    mistakes += form.contradictions() if form else ()
    if form is None or mistakes:
        raise BadConfig(name, "; ".join(mistakes))
    return SeasonFormat(**form.model_dump())


def _none_or_two(value: tuple[int, ...]) -> tuple[int, ...]:
    if len(value) not in (0, 2):
        raise ValueError
    return value


class _FormatFile(Form):
    """The keys of the file, in the order of `SeasonFormat`."""

    name: Name
    days: _Count
    rulesets: tuple[Text, ...]
    day_best_of: Annotated[
        tuple[Annotated[Whole, Field(ge=1, le=200)], ...],
        AfterValidator(_none_or_two),
        Field(description="a list of 0 or 2 whole numbers from 1 to 200"),
    ]
    result: Annotated[str, OneOf(*RESULTS)]
    rank_points: tuple[Annotated[Whole, Field(ge=0, le=10_000)], ...]
    best_of: _Count
    best_home: _Count
    best_away: _Count
    qualify_a_day: _Count
    qualify_by_list: _Count
    final_sessions: Annotated[Whole, Field(ge=0, le=50)]
    final_carry: Flag

    def contradictions(self) -> Iterator[str]:
        """Yield what cannot be together, a sentence each."""
        if (self.result == RANK_POINTS) != bool(self.rank_points):
            yield 'result = "rank_points" and a list of rank_points belong together'
        if self.best_of and (self.best_home or self.best_away):
            yield "best_of counts days wherever they were, best_home and best_away by hall: give one of the two, 0 else"
        if bool(self.final_sessions) != bool(self.qualify_a_day or self.qualify_by_list):
            yield "final_sessions belongs to qualify_a_day or qualify_by_list: give both, or 0"
        if self.final_sessions and not (self.best_of or self.best_home or self.best_away):
            yield "a final is for the best of a list: let days count with best_of"


def _preset_text(name: str) -> str:
    return resources.files("wallwright.season").joinpath("formats", f"{name}.toml").read_text(encoding="utf-8")
