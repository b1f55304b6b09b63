"""The JSON shapes of the rules: plain dictionaries in, dictionaries out. Lines are read elsewhere."""

from wallwright.rules.core.game import Record
from wallwright.rules.core.records import (
    RecordError,
    check_keys,
    flag_of,
    number_of,
    optional_number,
    optional_seat,
    records_of,
    seat_of,
    text_of,
    texts_of,
)
from wallwright.rules.core.ruleset import remembered
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import By, End, FinalHand, Winner
from wallwright.rules.sichuan.fans import score_hand, wait_values
from wallwright.rules.sichuan.melds import Meld, make_meld
from wallwright.rules.sichuan.ruleset import Ruleset, load_ruleset
from wallwright.rules.sichuan.settlement import SettledHu, Settlement
from wallwright.rules.sichuan.tiles import parse_suit, parse_tile, parse_tiles, tile_name

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


def score_record(record: Record) -> dict[str, object]:
    """`rules score`: a complete hand -> its form, items, fans and value; {"complete": False} when it is none."""
    check_keys(record, "standing", "melds", "winning", "conditions", "ruleset", "fan_limit", "void")
    score = score_hand(
        parse_tiles(text_of(record, "standing")),
        parse_tile(text_of(record, "winning")),
        _ruleset(record),
        _melds(record),
        frozenset(texts_of(record, "conditions")),
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
    check_keys(record, "standing", "melds", "ruleset", "fan_limit", "void")
    values = wait_values(parse_tiles(text_of(record, "standing")), _ruleset(record), _melds(record), _void(record))
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
    check_keys(record, "ruleset", "fan_limit", "dealer", "events", "end", "hands")
    deal = DeclaredDeal(ruleset or _ruleset(record), seat_of(record, "dealer"))
    for event in records_of(record, "events"):
        add_event(deal, event)
    hands = [_final_hand(hand) for hand in records_of(record, "hands", ())]
    end: End = text_of(record, "end")  # type: ignore[assignment]
    deal.end(end, hands)
    return deal


def settlement_record(settlement: Settlement) -> dict[str, object]:
    """A settlement as a dictionary of plain values."""
    return {
        "points": list(settlement.points),
        "payments": [p.record() for p in settlement.payments],
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
    kind = text_of(event, "type")
    if kind == "kong":
        check_keys(event, "type", "seat", "kind", "from", "robbed", "chain")
        from_ = optional_seat(event, "from")
        deal.kong(
            seat_of(event, "seat"), text_of(event, "kind"), from_, flag_of(event, "robbed"), flag_of(event, "chain")
        )
    elif kind == "hu":
        check_keys(event, "type", "by", "from", "after_kong", "winners")
        by: By = text_of(event, "by")  # type: ignore[assignment]
        winners = [_winner(winner) for winner in records_of(event, "winners")]
        if "after_kong" in event:
            after_kong = flag_of(event, "after_kong")
        else:
            # What a winner says of the tile tells it as well; `after_kong: false` beside it would be a contradiction.
            after_kong = any({"after_kong", "shoot_after_kong"} & winner.conditions for winner in winners)
        deal.hu(by, winners, optional_seat(event, "from"), after_kong)
    elif kind == "breach":
        check_keys(event, "type", "seat")
        deal.breach(seat_of(event, "seat"))
    else:
        raise RecordError(f"an event is a kong, a hu or a breach, not {kind!r}")


def _winner(record: Record) -> Winner:
    check_keys(record, *_WINNER_KEYS)
    standing, value, false = _standing(record), optional_number(record, "value"), flag_of(record, "false")
    items = tuple(texts_of(record, "items")) if "items" in record else None
    winning = parse_tile(text_of(record, "winning")) if "winning" in record else None
    seat = seat_of(record, "seat")
    if (standing is None) != (winning is None):
        raise RecordError(f"seat {seat}: `standing` and `winning` belong together")
    if (value is not None) + (items is not None) + (standing is not None or false) > 1:
        raise RecordError(f"seat {seat}: give the hand, its `items`, its `value`, or `false`, not two of them")
    referee = text_of(record, "referee").strip() if "referee" in record else ""
    conditions, void, seen = frozenset(texts_of(record, "conditions")), _void(record), flag_of(record, "holds_void")
    return Winner(
        seat, standing, _melds(record), winning, void, conditions, value, false, items, referee, holds_void=seen
    )


def _final_hand(record: Record) -> FinalHand:
    check_keys(record, *_HAND_KEYS)
    standing, value = _standing(record), optional_number(record, "value")
    if standing is not None and value is not None:
        raise RecordError(f"seat {seat_of(record, 'seat')}: give the hand or its `value`, not both")
    if value is not None and value < 0:
        raise RecordError(f"seat {seat_of(record, 'seat')}: the value of a final hand is 0 (not ready) or more")
    return FinalHand(
        seat_of(record, "seat"),
        standing,
        _melds(record),
        _void(record),
        flag_of(record, "only_void_discards"),
        value,
        flag_of(record, "not_ready"),
        flag_of(record, "holds_void"),
    )


def _standing(record: Record) -> tuple[int, ...] | None:
    return parse_tiles(text_of(record, "standing")) if "standing" in record else None


def _melds(record: Record) -> tuple[Meld, ...]:
    melds = []
    for meld in records_of(record, "melds", ()):
        check_keys(meld, "kind", "tiles", "type")
        kong_type = text_of(meld, "type") if "type" in meld else None
        melds.append(make_meld(text_of(meld, "kind"), text_of(meld, "tiles"), kong_type))
    if len(melds) > 4:
        raise RecordError(f"{len(melds)} declared sets: a hand has four at most")
    return tuple(melds)


def _void(record: Record) -> int | None:
    return None if record.get("void") is None else parse_suit(text_of(record, "void"))


def _ruleset(record: Record) -> Ruleset:
    name = text_of(record, "ruleset") if "ruleset" in record else "sichuan"
    if "fan_limit" not in record:
        return _find_ruleset(name)
    limit = None if record["fan_limit"] is None else number_of(record, "fan_limit")
    return _limited(name, limit)


@remembered
def _find_ruleset(name: str) -> Ruleset:
    return load_ruleset(name)


@remembered
def _limited(name: str, fan_limit: int | None) -> Ruleset:
    return load_ruleset(name).with_changes(fan_limit=fan_limit)
