"""What a backup says of itself: the file manifest.json in it, whose every field is of its type, or it is refused."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct, ValidationError, field, to_builtins

from ..budgets import Budget
from ..system.forms import convert
from ..system.strict_json import read_json

NAME: Final = "manifest.json"
FORM: Final = "wallwright event backup 1"
LONGEST: Final = 1 << 20
"""Bytes of it at the most."""
_LATEST_MS: Final = 253_402_300_799_999
"""The end of the year 9999, the last that `datetime` knows."""
_LACKS: Final = re.compile(r"missing required field `(\w+)`")
_PLACE: Final = re.compile(r"\$\.(\w+)")

Sum: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]
"""A SHA-256 in hexadecimal."""
Count: TypeAlias = Annotated[int, Meta(ge=0)]


class Manifest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is in a backup: the number and hash of the journal's last entry, and the sums of all files.

    `at_ms` is when it was made, in ms since 1970, and `event` its tournament. `sizes` has the bytes of every member of
    the archive but the manifest. The first versions wrote neither `at_ms` nor `files`, later ones no `sizes`.
    """

    event: str | None = None
    at_ms: Annotated[int, Meta(ge=0, le=_LATEST_MS)] | None = None
    entries: Count
    hash: Sum
    sha256: Sum
    files: Mapping[str, Sum] = field(default_factory=dict)
    sizes: Mapping[str, Count] | None = None

    def record(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"format": FORM, "event": None, "at_ms": None, "files": {}, **to_builtins(self)}


def read_manifest(data: bytes) -> Manifest:
    """Return what a manifest says. ValueError names the first field that is missing, or not of its type."""
    value = read_json(data, Budget(LONGEST, 10_000))
    if not isinstance(value, dict) or value.get("format") != FORM:
        raise ValueError(f'{NAME} does not begin with "format": "{FORM}"')
    try:
        return convert(value, Manifest)
    except ValidationError as error:
        text = str(error)
        if lacking := _LACKS.search(text):
            raise ValueError(f'"{lacking[1]}" is missing in {NAME}') from error
        place = _PLACE.search(text)
        raise ValueError(f'"{place[1] if place else NAME}" in {NAME} is not what this program writes there') from error
