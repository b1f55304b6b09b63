"""TOML files that people write: pydantic reads them, and every mistake is a sentence that names the key.

A `Form` says which keys there are and what each takes. Numbers and truth values are taken as they are written: "5" and
5.0 are no 5. What a key takes is said in the words of its `description`, or by its type and its limits.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler, Strict, ValidationError

from ..errors import BadConfig
from ..person_text import folded, refusal
from ..text_files import BACKSLASH, BadText, shown_value, toml_table
from .disk import read_whole

Whole = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
_ESCAPED: Final = frozenset("\b\t\n\f\r")
"""What \\b, \\t, \\n, \\f and \\r become in double quotes: C:\\table has a tabulation in it."""


def _is_one_line(text: str) -> str:
    if not text.strip():
        raise ValueError
    if not set(text) & _ESCAPED and (why := refusal(text)):
        raise ValueError(why)
    return text


def _is_seen(text: str) -> str:
    # Windows puts an unseen mark before a path that is copied from its windows.
    if not text.isprintable():
        raise ValueError(BACKSLASH if set(text) & _ESCAPED else "")
    return text


Text = Annotated[
    str, AfterValidator(_is_one_line), AfterValidator(_is_seen), Field(description="text in quotes, one line")
]
"""A path or a port, say: it stays as it is written."""
Name = Annotated[str, AfterValidator(folded), AfterValidator(_is_one_line), Field(description="a name in quotes")]


class OneOf:
    """In an annotation: the value is one of these names."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> Any:
        """Return how pydantic checks it."""
        return handler.generate_schema(Literal.__getitem__(self.names))


class Form(BaseModel):
    """The keys of a file, or of a table in it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> tuple[Self | None, list[str]]:
        """Return the values of a table, None if there are mistakes; and these, a sentence each."""
        try:
            return cls.model_validate(table), []
        except ValidationError as error:
            root = cls.model_json_schema()
            places = [_Place(root, table, one) for one in error.errors(include_url=False)]
        lacks: dict[str, list[str]] = {}
        for place in places:
            if place.kind == "missing":
                lacks.setdefault(place.where, []).append(place.lacked())
        told = [f"{where or 'it'} lacks {', '.join(keys)}" for where, keys in lacks.items()]
        return None, list(dict.fromkeys([*told, *(place.sentence() for place in places if place.kind != "missing")]))


def load_toml(path: Path, guide: str, error: type[BadConfig] = BadConfig) -> dict[str, Any]:
    """Return what a file holds, `error` if it cannot be read or is no TOML; `guide` shows how one is written."""
    try:
        data = read_whole(path)
    except (OSError, ValueError) as why:
        raise error(str(path), f"it cannot be read ({getattr(why, 'strerror', why)}); check the path") from why
    return read_toml(str(path), data, guide, error)


def read_toml(name: str, text: str | bytes, guide: str, error: type[BadConfig] = BadConfig) -> dict[str, Any]:
    """Return what the text of the file `name` holds, `error` if it is no TOML; `guide` shows how one is written."""
    try:
        return toml_table(text)
    except BadText as why:
        raise error(name, f"this is no TOML: {why}; write it as {guide} does") from why


class _Place:
    """Where a mistake is: the innermost key, or table, that it is about."""

    def __init__(self, root: Mapping[str, Any], table: Mapping[str, Any], error: Mapping[str, Any]) -> None:
        steps = error["loc"]
        self.kind: str = error["type"]
        if steps[-1:] == ("[key]",):
            steps, self.kind = steps[:-1], "extra_forbidden"
        self.key = str(steps[-1]) if steps else ""
        self._told = str(error["ctx"]["error"]) if self.kind == "value_error" else ""
        self._root = root
        self._form = root
        self._value: Any = table
        self._parts: list[str] = []
        for step in steps[:-1] if self.kind == "extra_forbidden" else steps:
            if not self._enter(step):
                break

    @property
    def where(self) -> str:
        """The place in words: "table A1: port"; "" for the file as a whole."""
        return ": ".join(self._parts)

    def sentence(self) -> str:
        """What is wrong there."""
        before = f"{self.where}: " if self._parts else ""
        if self.kind == "extra_forbidden":
            form = self._resolved(self._form)
            known = form["propertyNames"]["enum"] if "propertyNames" in form else form["properties"]
            return f"{before}there is no {self.key!r}; there are {', '.join(known)}"
        if self._told:
            return f"{before}{self._told}"
        return f"{self.where} is {shown_value(self._value)}, it must be {_wanted(self._form)}"

    def lacked(self) -> str:
        """The key that is not there, and what it takes where that is more than a kind of value."""
        form = self._resolved(self._form)["properties"][self.key]
        return f"{self.key} ({form['description']})" if "description" in form else self.key

    def _enter(self, step: str | int) -> bool:
        form = self._resolved(self._form)
        if isinstance(step, int):
            item = form.get("items", {})
            if "$ref" not in item:
                return False
            self._form, self._value = item, self._value[step]
            name = self._value.get("name") if isinstance(self._value, Mapping) else None
            is_named = isinstance(name, str) and name.strip() and name.isprintable()
            self._parts[-1] += f" {name}" if is_named else f" number {step + 1}"
            return True
        row = form.get("additionalProperties")
        inner = form.get("properties", {}).get(step, row)
        if not isinstance(inner, Mapping) or step not in self._value:
            return False
        self._form, self._value = inner, self._value[step]
        if inner is row:
            self._parts[-1] += f".{step}"
        else:
            self._parts.append(step)
        return True

    def _resolved(self, form: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._root["$defs"][form["$ref"].rpartition("/")[2]] if "$ref" in form else form


def _wanted(form: Mapping[str, Any]) -> str:
    """What a key takes, in words."""
    if "description" in form:
        return str(form["description"])
    if "anyOf" in form:
        return _wanted(form["anyOf"][0])
    if "enum" in form:
        return f"one of {', '.join(form['enum'])}"
    kind = form.get("type")
    if kind == "integer":
        return f"a whole number{_limits(form)}"
    if kind == "array":
        count, items = f"{form['minItems']} " if "minItems" in form else "", form.get("items", {})
        if items.get("type") == "integer":
            return f"a list of {count}whole numbers{_limits(items)}"
        return f"a list, each in it {_wanted(items)}"
    return {"boolean": "true or false", "string": "text in quotes"}.get(str(kind), "a table")


def _limits(form: Mapping[str, Any]) -> str:
    if "minimum" not in form:
        return ""
    return f" from {form['minimum']} to {form['maximum']}" if "maximum" in form else f" of {form['minimum']} or more"
