"""Profiles of known machines: how long their parts take and the limits that fit them, each number with its source.

A profile is a TOML file: `title`, and tables `figures.NAME` and `limits.NAME` with `value`, `grade` and `source`. Those
of the project are in `firmware/profiles/`; the wheel carries them. What is wrong in a file is refused as a whole.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from wallwright_protocol.names import TIMINGS

from ..errors import BadConfig, BadName
from ..system.disk import read_whole
from .limits import QUANTITIES

GRADES = ("datasheet", "measured", "maker's figure", "model", "guess")
"""How much is known of a number, the best first."""
FIGURES = (
    *QUANTITIES,
    "slot_ms",
    "ring_magnets",
    "gate_period_ms",
    "tile_spacing_ms",
    "bounce_ms",
    "variation_percent",
)
LONGEST = 100_000
"""Bytes of a file that are read."""
MOST = 60_000


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it rests on; `grade` is one of GRADES."""

    value: int
    grade: str
    source: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A machine: `figures` by the names of FIGURES, `limits` by those of the settings."""

    name: str
    title: str
    figures: Mapping[str, Figure]
    limits: Mapping[str, Figure]

    def settings(self) -> dict[str, int]:
        """Return the limits as values of settings."""
        return {name: figure.value for name, figure in self.limits.items()}


def profile_names() -> list[str]:
    """Return the names of the project's profiles."""
    return sorted(file.name.removesuffix(".toml") for file in _folder().iterdir() if file.name.endswith(".toml"))


def load_profile(name: str) -> Profile:
    """Return a profile of the project by its name, or of one's own by the path of its .toml file.

    Raises BadName, BadConfig with what is wrong in the file.
    """
    if name.endswith(".toml"):
        try:
            return read_profile(name, read_whole(Path(name), LONGEST).decode("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise BadConfig(name, f"it cannot be read: {error}") from error
    if name not in profile_names():
        raise BadName(
            f"no profile is called {name!r}; there are {', '.join(profile_names())}, and files that end in .toml"
        )
    return read_profile(name, (_folder() / f"{name}.toml").read_text(encoding="utf-8"))


def read_profile(name: str, text: str) -> Profile:
    """Return the profile that the text of a TOML file describes; BadConfig says what is wrong in it."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadConfig(name, f"it is no TOML: {error}") from error
    unknown = sorted(table.keys() - {"title", "figures", "limits"})
    if unknown:
        raise BadConfig(name, f"there is no {unknown[0]!r} in a profile; it has title, figures and limits")
    title = table.get("title")
    if not isinstance(title, str) or not title:
        raise BadConfig(name, "title has to say in words which machine it is")
    return Profile(
        name,
        title,
        _figures(name, "figures", table.get("figures", {}), FIGURES),
        _figures(name, "limits", table.get("limits", {}), TIMINGS),
    )


def _figures(file: str, where: str, rows: Any, names: tuple[str, ...]) -> dict[str, Figure]:
    if not isinstance(rows, dict):
        raise BadConfig(file, f"{where} has to be tables, such as [{where}.{names[0]}]")
    found = {}
    for name, row in rows.items():
        place = f"{where}.{name}"
        if name not in names:
            raise BadConfig(file, f"{place}: there is no such number; there are {', '.join(names)}")
        if not isinstance(row, dict) or row.keys() != {"value", "grade", "source"}:
            raise BadConfig(file, f"{place} has to have value, grade and source, and nothing else")
        value, grade, source = row["value"], row["grade"], row["source"]
        if type(value) is not int or not 0 < value <= MOST:
            raise BadConfig(file, f"{place}: value has to be a whole number from 1 to {MOST}, not {value!r}")
        if grade not in GRADES:
            raise BadConfig(file, f"{place}: grade has to be one of {', '.join(GRADES)}, not {grade!r}")
        if not isinstance(source, str) or not source.strip():
            raise BadConfig(file, f"{place}: source has to say where the number comes from")
        found[name] = Figure(value, grade, source)
    return found


def _folder() -> Traversable:
    """The folder of the profiles: in the wheel, or in the checkout that this file belongs to."""
    packed = resources.files("wallwright.doctor") / "profiles"
    return packed if packed.is_dir() else Path(__file__).parents[3] / "firmware" / "profiles"
