"""Profiles of known machines: how long their parts take and the limits that fit them, each number with its source.

A profile is a TOML file: `title`, and tables `figures.NAME` and `limits.NAME` with `value`, `grade` and `source`. Those
of the project are in `firmware/profiles/`; the wheel carries them. What is wrong in a file is refused as a whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from wallwright_protocol.names import FITTED

from ..errors import BadConfig, BadName
from ..system.toml_file import Form, OneOf, Whole, load_toml, read_toml
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
_GUIDE = "docs/doctor.md"
MOST = 60_000


class Figure(Form):
    """A number with what it rests on."""

    value: Annotated[Whole, Field(ge=1, le=MOST)]
    grade: Annotated[str, OneOf(*GRADES)]
    source: Annotated[str, Field(pattern=r"\S", description="words that say where the number comes from")]


class _ProfileFile(Form):
    title: Annotated[str, Field(min_length=1, description="words that say which machine it is")]
    figures: dict[Annotated[str, OneOf(*FIGURES)], Figure] = Field(default_factory=dict)
    limits: dict[Annotated[str, OneOf(*FITTED)], Figure] = Field(default_factory=dict)


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
        return _profile_of(load_toml(Path(name), _GUIDE), name)
    if name not in profile_names():
        raise BadName(
            f"no profile is called {name!r}; there are {', '.join(profile_names())}, and files that end in .toml"
        )
    return read_profile(name, (_folder() / f"{name}.toml").read_text(encoding="utf-8"))


def read_profile(name: str, text: str) -> Profile:
    """Return the profile that the text of a TOML file describes; BadConfig says what is wrong in it."""
    return _profile_of(read_toml(name, text, _GUIDE), name)


def _profile_of(table: Mapping[str, Any], name: str) -> Profile:
    form, mistakes = _ProfileFile.read(table)
    if form is None:
        raise BadConfig(name, "; ".join(mistakes))
    return Profile(name, form.title, form.figures, form.limits)


def _folder() -> Traversable:
    """The folder of the profiles: in the wheel, or in the checkout that this file belongs to."""
    packed = resources.files("wallwright.doctor") / "profiles"
    return packed if packed.is_dir() else Path(__file__).parents[3] / "firmware" / "profiles"
