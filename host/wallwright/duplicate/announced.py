"""Deals as they are announced before the session: their commitment, and what everybody may know of them; no tile.

The director's machine writes an announcement, and a hall that has never had the deals commits to them by it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..rules.found import is_preset
from ..system.strict_json import BadJson, read_json
from ..words import words
from .deals import DRAWS, BadDeals, Deals, is_name
from .drawing import commitment
from .json_form import MARK as SHOWN
from .sealed import SEALED
from .stream import MOST_DEALS
from .text import MAGIC

MARK = "wallwright_announced_deals"
VERSION = 1
_KEYS = (MARK, "event", "ruleset", "draw", "dealers", "spares", "commitment")
_HEX_DIGITS = 64


@dataclass(frozen=True, slots=True)
class Announced:
    """What is known of deals before anybody plays them. `dealers` has the seat that deals each, the spare ones too."""

    event: str
    ruleset: str
    draws: str
    spares: int
    dealers: tuple[int, ...]
    commitment: str


def announced(deals: Deals) -> Announced:
    """Return what may be known of these deals."""
    dealers = tuple(deal.dealer for deal in deals.deals)
    return Announced(deals.event, deals.ruleset, deals.draws, deals.spares, dealers, commitment(deals))


def announced_record(one: Announced) -> dict[str, Any]:
    """Return it as plain values."""
    values = (VERSION, one.event, one.ruleset, one.draws, list(one.dealers), one.spares, one.commitment)
    return dict(zip(_KEYS, values, strict=True))


def read_announced(data: bytes) -> Announced:
    """Return what an announcement says. BadDeals says what is wrong, also with a file that shows the deals."""
    if data.startswith(MAGIC.encode()):
        raise _shows_tiles()
    try:
        record = read_json(data)
    except (BadJson, UnicodeDecodeError):
        record = None
    if not isinstance(record, Mapping):
        raise BadDeals(words("this is no announcement of deals; `wallwright deals announce` writes one"))
    if SHOWN in record:
        raise _shows_tiles()
    if SEALED in record:
        problem = "these are the sealed deals; keep them, and take what `wallwright deals announce` writes of them"
        raise BadDeals(words(problem))
    if record.get(MARK) != VERSION:
        raise BadDeals(words("this is no announcement of deals; `wallwright deals announce` writes one"))
    for key in (*_KEYS, *sorted(set(map(str, record)) - set(_KEYS))):
        if key not in _KEYS or not _is_good(key, record.get(key), record):
            problem = "the announcement was changed: {key} cannot be; write it anew by `wallwright deals announce`"
            raise BadDeals(words(problem, key=repr(key[:40])))
    _, event, ruleset, draws, dealers, spares, promised = (record[key] for key in _KEYS)
    return Announced(event, ruleset, draws, spares, tuple(dealers), promised)


def _shows_tiles() -> BadDeals:
    problem = "this file shows all tiles; keep it, and take what `wallwright deals announce` writes of the deals"
    return BadDeals(words(problem))


def _is_good(key: str, value: Any, record: Mapping[str, Any]) -> bool:
    if key == "dealers":
        return isinstance(value, list) and 0 < len(value) <= MOST_DEALS and all(map(_is_seat, value))
    if key == "spares":
        return type(value) is int and 0 <= value < len(record["dealers"])
    if key == MARK:
        return True
    return isinstance(value, str) and _TEXTS[key](value)


def _is_seat(value: object) -> bool:
    return type(value) is int and value in range(4)


def _is_digest(text: str) -> bool:
    return len(text) == _HEX_DIGITS and not set(text) - set("0123456789abcdef")


_TEXTS: dict[str, Callable[[str], bool]] = {
    "event": is_name,
    "ruleset": is_preset,
    "draw": DRAWS.__contains__,
    "commitment": _is_digest,
}
