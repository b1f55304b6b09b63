"""Deals as JSON for programs. It says the same as text.py, and shows everything too."""

from collections.abc import Mapping
from typing import Any

from ..rules.core.errors import TileError
from ..rules.core.tiles import parse_tiles, tile_name
from ..words import told_by, words
from .deals import BadDeals, Deal, Deals, bad_deal, check_deals
from .drawing import commitment

MARK = "wallwright_deals"
VERSION = 1
_KEYS = (MARK, "event", "ruleset", "draw", "spares", "nonce", "seed", "commitment", "deals")
_DEAL = ("deal", "dealer", "dice", "sides")
_HEX_DIGITS = 64


def deals_record(deals: Deals) -> dict[str, Any]:
    """Return the deals as plain values."""
    return {
        MARK: VERSION,
        "event": deals.event,
        "ruleset": deals.ruleset,
        "draw": deals.draws,
        "spares": deals.spares,
        "nonce": deals.nonce.hex(),
        "seed": None if deals.seed is None else deals.seed.hex(),
        "commitment": commitment(deals),
        "deals": [deal_record(deal) for deal in deals.deals],
    }


def deal_record(deal: Deal) -> dict[str, Any]:
    """Return one deal as plain values, each stack as its lower and upper tile: "1m9p"."""
    sides = [["".join(map(tile_name, stack)) for stack in deal.side(side)] for side in range(4)]
    return {"deal": deal.number, "dealer": deal.dealer, "dice": [list(throw) for throw in deal.dice], "sides": sides}


def read_record(record: object) -> Deals:
    """Return the deals of such values. BadDeals says which key is wrong, or what no table can build."""
    if not isinstance(record, Mapping) or record.get(MARK) != VERSION:
        raise BadDeals(words("it has no {mark}", mark=f'"{MARK}": {VERSION}'))
    if strange := sorted(set(map(str, record)) ^ set(_KEYS)):
        problem = "{key} is missing or strange; the keys are {known}"
        raise BadDeals(words(problem, key=repr(strange[0][:40]), known=", ".join(_KEYS)))
    texts = [record[key] for key in ("event", "ruleset", "draw", "commitment")]
    if not all(isinstance(text, str) for text in texts) or not isinstance(record["deals"], list):
        raise BadDeals(words("event, ruleset, draw and commitment are texts, and deals is a list"))
    event, ruleset, draws, promised = texts
    seed = None if record["seed"] is None else _bytes("seed", record["seed"])
    deals = tuple(_deal(number, one) for number, one in enumerate(record["deals"], 1))
    spares = _whole("spares", record["spares"])
    found = Deals(event, ruleset, draws, deals, spares, _bytes("nonce", record["nonce"]), seed)
    check_deals(found)
    if promised != commitment(found):
        raise BadDeals(words("its commitment is not that of its deals; the file was changed"))
    return found


def _deal(number: int, record: object) -> Deal:
    if not isinstance(record, Mapping) or set(record) != set(_DEAL):
        raise bad_deal(number, words("it has not the keys {known}", known=", ".join(_DEAL)))
    sides, dice = record["sides"], record["dice"]
    if not isinstance(sides, list) or len(sides) != 4 or not all(isinstance(side, list) for side in sides):
        raise bad_deal(number, words("sides are four lists of stacks"))
    if not isinstance(dice, list) or not all(isinstance(throw, list) for throw in dice):
        raise bad_deal(number, words("dice are lists of numbers, throw by throw"))
    faces = [kind for side in sides for stack in side for kind in _stack(number, stack)]
    plan = (len(sides[0]), len(sides[1]), len(sides[2]), len(sides[3]))
    try:
        throws = tuple(tuple(_whole("dice", die) for die in throw) for throw in dice)
        dealer = _whole("dealer", record["dealer"])
        return Deal(_whole("deal", record["deal"]), dealer, throws, plan, tuple(faces))
    except BadDeals as error:
        raise bad_deal(number, told_by(error)) from error


def _stack(number: int, stack: object) -> tuple[int, ...]:
    try:
        kinds = parse_tiles(stack) if isinstance(stack, str) else ()
    except TileError as error:
        raise bad_deal(number, told_by(error)) from error
    if len(kinds) != 2:
        problem = "{value} is no stack of two tiles, lower and upper, such as 1m9p"
        raise bad_deal(number, words(problem, value=repr(str(stack)[:20])))
    return kinds


def _whole(what: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= 9999:
        problem = "{key} is {value}; it is a whole number from 0 to 9999"
        raise BadDeals(words(problem, key=what, value=repr(str(value)[:20])))
    return value


def _bytes(what: str, value: object) -> bytes:
    if not isinstance(value, str) or len(value) != _HEX_DIGITS or set(value) - set("0123456789abcdef"):
        raise BadDeals(words("{value} is not 64 digits 0 to f", value=what))
    return bytes.fromhex(value)
