"""Rulesets as data: the options of a game, each with its clause and the values that it may have, read from TOML.

A game keeps one file a preset in its folder `rulesets/`, with every option. A club's own file has any of them; `base`
names the preset that has the rest. A record may change options of either by name.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache, wraps
from importlib import resources
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, TypeVarTuple

from wallwright.rules.core.errors import RulesetError
from wallwright.text_files import BadText, shown_value, toml_table

LONGEST = 1 << 20
"""Bytes of a file that are read at the most."""

R = TypeVar("R")
Ts = TypeVarTuple("Ts")


class _File(NamedTuple):
    """A file as it was read: where it is, when it was written, in ns, and its bytes."""

    path: Path
    written_ns: int
    size: int


class Option(NamedTuple):
    """A field of a ruleset: the clause that it is from, and its values in the clause's order, or a range of numbers."""

    clause: str
    values: tuple[object, ...] | range


@dataclass(frozen=True, slots=True)
class Rulebook(Generic[R]):
    """The rulesets of a game. `make(name=..., **options)` makes one, `package` holds `rulesets/PRESET.toml`."""

    package: str
    presets: tuple[str, ...]
    options: Mapping[str, Option]
    make: Callable[..., R]

    def load(self, name: str, changes: Mapping[str, object] | None = None) -> R:
        """A preset by name or a TOML file by path, with some options changed.

        RulesetError names an unknown option or a value that it cannot have.
        """
        if name in self.presets:
            values = self._preset(name)
        else:
            path = Path(name)
            if path.suffix != ".toml":
                raise RulesetError(f"{name!r} is no ruleset: use {', '.join(self.presets)} or the path of a .toml file")
            table, name = dict(read_file(path)), path.stem
            base = table.pop("base", None)
            if base not in self.presets:
                raise RulesetError(f"ruleset {name}: base is {shown_value(base)}, use one of {', '.join(self.presets)}")
            values = {**self._preset(str(base)), **self._checked(name, table)}
        return self.make(name=name, **{**values, **self._checked(name, changes or {})})

    def _preset(self, name: str) -> dict[str, object]:
        file = resources.files(self.package).joinpath("rulesets", f"{name}.toml")
        return self._checked(name, tomllib.loads(file.read_text(encoding="utf-8")))

    def _checked(self, name: str, table: Mapping[str, object]) -> dict[str, object]:
        for key, value in table.items():
            option = self.options.get(key)
            if option is None:
                known = ", ".join(f"{one} ({option.clause})" for one, option in self.options.items())
                raise RulesetError(f"ruleset {name} has no option {key!r}; its options are {known}")
            if not any(value == one and type(value) is type(one) for one in option.values):
                raise RulesetError(
                    f"ruleset {name}: {key} is {shown_value(value)}, it must be {_listed(option)} ({option.clause})"
                )
        return dict(table)


def options_of(rules: Any) -> dict[str, object]:
    """The options of rules that a `Rulebook` has made: all fields but their name."""
    return {key: value for key, value in asdict(rules).items() if key != "name"}


def remembered(load: Callable[[str, *Ts], R]) -> Callable[[str, *Ts], R]:
    """Let a function that loads a ruleset by its name do so once, and again when the file of that name was changed."""

    @lru_cache(maxsize=256)
    def kept(_file: _File | None, name: str, *others: *Ts) -> R:
        return load(name, *others)

    @wraps(load)
    def loaded(name: str, *others: *Ts) -> R:
        return kept(_file_of(name), name, *others)

    return loaded


def _file_of(name: str) -> _File | None:
    """None for a preset, and where the file cannot be looked at, which reading it will say."""
    if not name.endswith(".toml"):
        return None
    try:
        about = Path(name).stat()
    except (OSError, ValueError):
        return None
    return _File(Path(name).absolute(), about.st_mtime_ns, about.st_size)


def read_file(path: Path) -> dict[str, object]:
    """A ruleset's TOML file. RulesetError when it cannot be read."""
    try:
        if path.is_fifo():
            raise ValueError("it is a pipe")
        with path.open("rb") as file:
            data = file.read(LONGEST)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", error)
        raise RulesetError(f"cannot read the ruleset {path} ({why}); check the path") from error
    return read_table(data, str(path))


def read_table(data: str | bytes, name: str) -> dict[str, object]:
    """The table of a ruleset's TOML text. RulesetError when it is none."""
    try:
        return toml_table(data)
    except BadText as error:
        raise RulesetError(f"ruleset {name} is not TOML: {error}; write it as docs/rules.md does") from error


def _listed(option: Option) -> str:
    if isinstance(option.values, range):
        return f"a whole number from {option.values.start} to {option.values.stop - 1}"
    return " or ".join(str(one).lower() if isinstance(one, bool) else repr(one) for one in option.values)
