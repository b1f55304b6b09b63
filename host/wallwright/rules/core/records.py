"""Reads the JSON shapes of the rules: plain dictionaries whose keys are checked one by one.

An unknown key is refused by name, so that a misspelt condition is not silently no condition.
"""

from collections.abc import Iterable

from wallwright.rules.core.errors import HandError, RulesError
from wallwright.rules.core.game import Record
from wallwright.rules.core.sets import TileSet, make_set

_MISSING = object()


class RecordError(RulesError):
    """A record lacks a key, has an unknown one, or one of the wrong type."""


def check_keys(record: Record, *known: str) -> None:
    """RecordError for the first key that is not known."""
    for key in record:
        if key not in known:
            raise RecordError(f"unknown key {key!r}: use {', '.join(known)}")


def without_rules(record: Record) -> dict[str, object]:
    """A record without the keys that name its ruleset."""
    return {key: value for key, value in record.items() if key not in ("ruleset", "options")}


def text_of(record: Record, key: str) -> str:
    """The text of a key."""
    value = record.get(key, _MISSING)
    if not isinstance(value, str):
        raise RecordError(f"{key!r} is missing" if value is _MISSING else f"{key!r} is {value!r}, it must be a text")
    return value


def number_of(record: Record, key: str) -> int:
    """The whole number of a key."""
    value = record.get(key, _MISSING)
    if type(value) is not int:
        raise RecordError(f"{key!r} is missing" if value is _MISSING else f"{key!r} is {value!r}, it must be a number")
    return value


def optional_number(record: Record, key: str) -> int | None:
    """The whole number of a key, None when it is absent or null."""
    return None if record.get(key) is None else number_of(record, key)


def seat_of(record: Record, key: str) -> int:
    """The seat 0..3 of a key."""
    seat = number_of(record, key)
    if seat not in range(4):
        raise RecordError(f"{key!r} is {seat}: seats are 0 to 3, counter-clockwise")
    return seat


def optional_seat(record: Record, key: str) -> int | None:
    """The seat of a key, None when it is absent or null."""
    return None if record.get(key) is None else seat_of(record, key)


def flag_of(record: Record, key: str) -> bool:
    """The truth of a key, False when it is absent."""
    value = record.get(key, False)
    if not isinstance(value, bool):
        raise RecordError(f"{key!r} is {value!r}, it must be true or false")
    return value


def records_of(record: Record, key: str, default: object = _MISSING) -> list[Record]:
    """The list of objects of a key."""
    value = record.get(key, default)
    if value is _MISSING:
        raise RecordError(f"{key!r} is missing")
    if not isinstance(value, list | tuple) or not all(isinstance(item, dict) for item in value):
        raise RecordError(f"{key!r} is {value!r}, it must be a list of objects")
    return list(value)


def texts_of(record: Record, key: str) -> Iterable[str]:
    """The list of texts of a key, empty when it is absent."""
    value = record.get(key, ())
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"{key!r} is {value!r}, it must be a list of texts")
    return value


def sets_of(record: Record, clauses: str) -> tuple[TileSet, ...]:
    """The sets that the key `melds` lays down, none when it is absent.

    HandError, with the game's `clauses`, for what is no set.
    """
    sets = []
    for one in records_of(record, "melds", ()):
        check_keys(one, "kind", "tiles", "type")
        type_ = text_of(one, "type") if "type" in one else None
        try:
            sets.append(make_set(text_of(one, "kind"), text_of(one, "tiles"), type_))
        except HandError as error:
            raise HandError(f"{error} ({clauses})") from error
    return tuple(sets)
