"""The JSON shapes of the rules: plain dictionaries in, dictionaries out. Reading and writing lines is done elsewhere.

Every key is checked; an unknown one is refused by name, so that a misspelt condition is not silently no condition.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from wallwright.rules.core.errors import RulesError
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import By, End, FinalHand, Winner
from wallwright.rules.sichuan.fans import score_hand, wait_values
from wallwright.rules.sichuan.melds import Meld, make_meld
from wallwright.rules.sichuan.ruleset import Ruleset, load_ruleset
from wallwright.rules.sichuan.settlement import SettledHu, Settlement
from wallwright.rules.sichuan.tiles import parse_suit, parse_tile, parse_tiles, tile_name

Record = Mapping[str, object]

_MISSING = object()
_WINNER_KEYS = (
    "seat",
    "standing",
    "melds",
    "winning",
    "void",
    "conditions",
    "items",
    "value",
    "false",
    "referee",
    "holds_void",
)
_HAND_KEYS = ("seat", "standing", "melds", "void", "only_void_discards", "value", "not_ready", "holds_void")


class RecordError(RulesError):
    """A record lacks a key, has an unknown one, or one of the wrong type."""


def score_record(record: Record) -> dict[str, object]:
    """`rules score`: a complete hand -> its form, items, fans and value; {"complete": False} when it is none."""
    _check_keys(record, "standing", "melds", "winning", "conditions", "ruleset", "fan_limit", "void")
    score = score_hand(
        parse_tiles(_text(record, "standing")),
        parse_tile(_text(record, "winning")),
        _ruleset(record),
        _melds(record),
        frozenset(_texts(record, "conditions")),
        _void(record),
    )
    if not score.complete:
        return {"complete": False}
    return {
        "complete": True,
        "form": score.form,
        "items": dict(score.items),
        "fans": score.fans,
        "value": score.value,
    }


def waits_record(record: Record) -> dict[str, object]:
    """`rules waits`: a hand that lacks a tile -> what it waits for, with values as at the wall's end (SBR-6.5)."""
    _check_keys(record, "standing", "melds", "ruleset", "fan_limit", "void")
    values = wait_values(parse_tiles(_text(record, "standing")), _ruleset(record), _melds(record), _void(record))
    return {
        "waits": [tile_name(kind) for kind in values],
        "ready": bool(values),
        "best_value": max(values.values(), default=0),
        "by_tile": {tile_name(kind): value for kind, value in values.items()},
    }


def settle_record(record: Record) -> dict[str, object]:
    """`rules settle`: a declared deal -> points, payments, penalties, Hu and the next dealer."""
    return settlement_record(read_deal(record).settle())


def read_deal(record: Record, ruleset: Ruleset | None = None) -> DeclaredDeal:
    """The declared deal that a record describes, to its end. RulesError names the event that cannot be.

    `ruleset` goes before the one that the record names.
    """
    _check_keys(record, "ruleset", "fan_limit", "dealer", "events", "end", "hands")
    deal = DeclaredDeal(ruleset or _ruleset(record), _seat(record, "dealer"))
    for event in _records(record, "events"):
        add_event(deal, event)
    hands = [_final_hand(hand) for hand in _records(record, "hands", ())]
    end: End = _text(record, "end")  # type: ignore[assignment]
    deal.end(end, hands)
    return deal


def settlement_record(settlement: Settlement) -> dict[str, object]:
    """A settlement as a dictionary of plain values."""
    return {
        "points": list(settlement.points),
        "payments": [
            {"from": p.payer, "to": p.payee, "points": p.points, "clause": p.clause, "why": str(p.why)}
            for p in settlement.payments
        ],
        "penalties": [
            {"seat": p.seat, "points": p.points, "clause": p.clause, "why": str(p.why)} for p in settlement.penalties
        ],
        "hu": [hu for event in settlement.hu for hu in _hu_records(event)],
        "kongs": [
            {"seat": k.kong.seat, "kind": str(k.kong.type), "paid": k.paid, "clause": k.clause, "why": str(k.why)}
            for k in settlement.kongs
        ],
        "next_dealer": settlement.next_dealer,
    }


def _hu_records(settled: SettledHu) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for judged in settled.winners:
        hu: dict[str, object] = {"seat": judged.seat, "by": settled.event.by, "from": settled.event.from_}
        hu |= {"false": judged.false, "value": judged.value}
        if judged.score is not None and judged.score.complete:
            hu |= {"form": judged.score.form, "items": dict(judged.score.items), "fans": judged.score.fans}
        if judged.false:
            hu["why"] = str(judged.why)
        found.append(hu)
    return found


def add_event(deal: DeclaredDeal, event: Record) -> None:
    """Add one item of `events` to a deal that goes on. RulesError when it cannot be."""
    kind = _text(event, "type")
    if kind == "kong":
        _check_keys(event, "type", "seat", "kind", "from", "robbed", "chain")
        from_ = _optional_seat(event, "from")
        deal.kong(_seat(event, "seat"), _text(event, "kind"), from_, _flag(event, "robbed"), _flag(event, "chain"))
    elif kind == "hu":
        _check_keys(event, "type", "by", "from", "after_kong", "winners")
        by: By = _text(event, "by")  # type: ignore[assignment]
        winners = [_winner(winner) for winner in _records(event, "winners")]
        if "after_kong" in event:
            after_kong = _flag(event, "after_kong")
        else:
            # What a winner says of the tile tells it as well; `after_kong: false` beside it would be a contradiction.
            after_kong = any({"after_kong", "shoot_after_kong"} & winner.conditions for winner in winners)
        deal.hu(by, winners, _optional_seat(event, "from"), after_kong)
    elif kind == "breach":
        _check_keys(event, "type", "seat")
        deal.breach(_seat(event, "seat"))
    else:
        raise RecordError(f"an event is a kong, a hu or a breach, not {kind!r}")


def _winner(record: Record) -> Winner:
    _check_keys(record, *_WINNER_KEYS)
    standing, value, false = _standing(record), _optional_number(record, "value"), _flag(record, "false")
    items = tuple(_texts(record, "items")) if "items" in record else None
    winning = parse_tile(_text(record, "winning")) if "winning" in record else None
    seat = _seat(record, "seat")
    if (standing is None) != (winning is None):
        raise RecordError(f"seat {seat}: `standing` and `winning` belong together")
    if (value is not None) + (items is not None) + (standing is not None or false) > 1:
        raise RecordError(f"seat {seat}: give the hand, its `items`, its `value`, or `false`, not two of them")
    referee = _text(record, "referee").strip() if "referee" in record else ""
    conditions, void, seen = frozenset(_texts(record, "conditions")), _void(record), _flag(record, "holds_void")
    return Winner(
        seat, standing, _melds(record), winning, void, conditions, value, false, items, referee, holds_void=seen
    )


def _final_hand(record: Record) -> FinalHand:
    _check_keys(record, *_HAND_KEYS)
    standing, value = _standing(record), _optional_number(record, "value")
    if standing is not None and value is not None:
        raise RecordError(f"seat {_seat(record, 'seat')}: give the hand or its `value`, not both")
    if value is not None and value < 0:
        raise RecordError(f"seat {_seat(record, 'seat')}: the value of a final hand is 0 (not ready) or more")
    return FinalHand(
        _seat(record, "seat"),
        standing,
        _melds(record),
        _void(record),
        _flag(record, "only_void_discards"),
        value,
        _flag(record, "not_ready"),
        _flag(record, "holds_void"),
    )


def _check_keys(record: Record, *known: str) -> None:
    for key in record:
        if key not in known:
            raise RecordError(f"unknown key {key!r}: use {', '.join(known)}")


def _text(record: Record, key: str) -> str:
    value = record.get(key, _MISSING)
    if not isinstance(value, str):
        raise RecordError(f"{key!r} is missing" if value is _MISSING else f"{key!r} is {value!r}, it must be a text")
    return value


def _number(record: Record, key: str) -> int:
    value = record.get(key, _MISSING)
    if type(value) is not int:
        raise RecordError(f"{key!r} is missing" if value is _MISSING else f"{key!r} is {value!r}, it must be a number")
    return value


def _optional_number(record: Record, key: str) -> int | None:
    return None if record.get(key) is None else _number(record, key)


def _seat(record: Record, key: str) -> int:
    seat = _number(record, key)
    if seat not in range(4):
        raise RecordError(f"{key!r} is {seat}: seats are 0 to 3, counter-clockwise")
    return seat


def _optional_seat(record: Record, key: str) -> int | None:
    return None if record.get(key) is None else _seat(record, key)


def _flag(record: Record, key: str) -> bool:
    value = record.get(key, False)
    if not isinstance(value, bool):
        raise RecordError(f"{key!r} is {value!r}, it must be true or false")
    return value


def _records(record: Record, key: str, default: object = _MISSING) -> list[Record]:
    value = record.get(key, default)
    if value is _MISSING:
        raise RecordError(f"{key!r} is missing")
    if not isinstance(value, list | tuple) or not all(isinstance(item, dict) for item in value):
        raise RecordError(f"{key!r} is {value!r}, it must be a list of objects")
    return list(value)


def _standing(record: Record) -> tuple[int, ...] | None:
    return parse_tiles(_text(record, "standing")) if "standing" in record else None


def _melds(record: Record) -> tuple[Meld, ...]:
    melds = []
    for meld in _records(record, "melds", ()):
        _check_keys(meld, "kind", "tiles", "type")
        kong_type = _text(meld, "type") if "type" in meld else None
        melds.append(make_meld(_text(meld, "kind"), _text(meld, "tiles"), kong_type))
    if len(melds) > 4:
        raise RecordError(f"{len(melds)} declared sets: a hand has four at most")
    return tuple(melds)


def _texts(record: Record, key: str) -> Iterable[str]:
    value = record.get(key, ())
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"{key!r} is {value!r}, it must be a list of texts")
    return value


def _void(record: Record) -> int | None:
    return None if record.get("void") is None else parse_suit(_text(record, "void"))


def _ruleset(record: Record) -> Ruleset:
    name = _text(record, "ruleset") if "ruleset" in record else "sichuan"
    if "fan_limit" not in record:
        return _find_ruleset(name)
    return _limited(name, None if record["fan_limit"] is None else _number(record, "fan_limit"))


@lru_cache(maxsize=64)
def _find_ruleset(name: str) -> Ruleset:
    return load_ruleset(name)


@lru_cache(maxsize=64)
def _limited(name: str, fan_limit: int | None) -> Ruleset:
    return load_ruleset(name).with_changes(fan_limit=fan_limit)
