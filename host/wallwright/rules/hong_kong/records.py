"""The JSON shapes of Hong Kong in `wallwright rules`: dictionaries in, dictionaries out."""

import json

from wallwright.rules.core.errors import HandError, RulesError, TileError
from wallwright.rules.core.game import Record
from wallwright.rules.core.records import (
    RecordError,
    check_keys,
    flag_of,
    number_of,
    optional_seat,
    records_of,
    seat_of,
    sets_of,
    text_of,
    texts_of,
)
from wallwright.rules.core.ruleset import remembered
from wallwright.rules.core.tiles import parse_tile, parse_tiles, tile_name
from wallwright.rules.core.walls import break_record, check_dice, counted_side, wall_order
from wallwright.rules.hong_kong.faan import score_hand, waits
from wallwright.rules.hong_kong.hands import BYS, CONDITIONS, DISCARD, WINDS, Hand, check_hand, check_tiles
from wallwright.rules.hong_kong.ruleset import Ruleset, load_ruleset
from wallwright.rules.hong_kong.settlement import (
    Declared,
    Event,
    Mistake,
    NinePieces,
    Settlement,
    TwelvePieces,
    Win,
    Winner,
)

DICE = 3
"""At a throw (HKO-1.1)."""
_HAND_KEYS = ("standing", "melds", "winning", "conditions", "flowers")
_GAME_KEYS = ("ruleset", "options")
_CLAUSES_OF_SETS = "HKO-4.3, 4.5"
_OTHER_GAMES = {
    "void": "nobody has a forbidden suit (HKO-3.1)",
    "fan_limit": "the limit is the option limit_faan (HKO-5.6)",
    "east": "the dealer is East (HKO-2), write `dealer`",
    "hands": "losers' hands are not shown (HKO-9.2)",
}


def score_record(record: Record) -> dict[str, object]:
    """`rules score`: what a winner's hand is worth; {"complete": False} when it is none."""
    _check(record, *_GAME_KEYS, *_HAND_KEYS, "by", "seat_wind", "round_wind", "winner")
    if not flag_of({"winner": True, **record}, "winner"):
        raise RecordError("only the winner's hand is scored (HKO-6.1)")
    ruleset = ruleset_of(record)
    hand = _hand(record, _by(record), _wind(record, "seat_wind"), _wind(record, "round_wind"))
    check_hand(hand, ruleset)
    score = score_hand(hand, ruleset)
    if not score.complete:
        return {"complete": False}
    return {
        "complete": True,
        "allowed": score.allowed,
        "items": dict(score.items),
        "faan": score.faan,
        "points": score.points,
    }


def waits_record(record: Record) -> dict[str, object]:
    """`rules waits`: what completes a hand that lacks a tile; with both winds, what each would be worth."""
    _check(record, *_GAME_KEYS, "standing", "melds", "conditions", "flowers", "by", "seat_wind", "round_wind")
    ruleset = ruleset_of(record)
    standing, sets, flowers = (
        parse_tiles(text_of(record, "standing")),
        sets_of(record, _CLAUSES_OF_SETS),
        _flowers(record),
    )
    check_tiles(standing, sets, flowers, ruleset)
    kinds = waits(standing, bool(sets), ruleset)
    found: dict[str, object] = {"waits": [tile_name(kind) for kind in kinds], "ready": bool(kinds)}
    if "seat_wind" in record and "round_wind" in record:
        by = _by(record) if "by" in record else DISCARD
        winds = _wind(record, "seat_wind"), _wind(record, "round_wind")
        points = {}
        for kind in kinds:
            score = score_hand(Hand(standing, kind, sets, by, *winds, flowers, _conditions(record)), ruleset)
            points[tile_name(kind)] = score.points if score.allowed else 0
        found |= {"best_points": max(points.values(), default=0), "by_tile": points}
    return found


def settle_record(record: Record) -> dict[str, object]:
    """`rules settle`: a declared deal -> points, payments, wins, the next dealer and round wind (null: all played)."""
    return settlement_record(read_deal(record).settle())


def read_deal(record: Record) -> Declared:
    """The deal that a record describes; it is checked when it is settled."""
    _check(record, *_GAME_KEYS, "dealer", "first_dealer", "round_wind", "events", "end")
    dealer, wind = seat_of(record, "dealer"), _wind(record, "round_wind")
    events = []
    for number, event in enumerate(records_of(record, "events"), 1):
        try:
            events.append(_event(event, dealer, wind))
        except RulesError as error:
            raise RecordError(f"event {number}: {error}") from error
    first = optional_seat(record, "first_dealer")
    return Declared(ruleset_of(record), dealer, wind, tuple(events), text_of(record, "end"), first or 0)


def settlement_record(settlement: Settlement) -> dict[str, object]:
    """A settlement as plain values."""
    wins = []
    for winner, score in zip(settlement.winners, settlement.scores, strict=True):
        win: dict[str, object] = {"seat": winner.seat, "points": winner.points}
        if score is not None:
            win |= {"points": score.points, "faan": score.faan, "items": dict(score.items)}
        wins.append(win)
    return {
        "points": list(settlement.points),
        "payments": [payment.record() for payment in settlement.payments],
        "wins": wins,
        "next_dealer": settlement.next_dealer,
        "round_wind": settlement.round_wind,
    }


def break_wall_record(record: Record) -> dict[str, object]:
    """`rules break`: three dice, whose sum names the side and counts its stacks, past the corner (HKO-2.2, 2.3)."""
    _check(record, *_GAME_KEYS, "dealer", "dice")
    total = sum(check_dice(record.get("dice"), DICE, "HKO-2.2"))
    ruleset = ruleset_of(record)
    return break_record(wall_order(ruleset.plan, counted_side(seat_of(record, "dealer"), total), total))


def seats_record(record: Record) -> dict[str, object]:
    """`rules seats`: the player counted from the thrower takes the top wind, the rest follow; East deals (HKO-8.3)."""
    _check(record, *_GAME_KEYS, "thrower", "dice", "winds")
    ruleset_of(record)
    stack = text_of(record, "winds")
    if sorted(stack) != sorted(WINDS):
        raise RecordError(f"'winds' is {stack!r}, it must be E, S, W and N in the order of the stack (HKO-8.3)")
    total = sum(check_dice(record.get("dice"), 3, "HKO-8.3"))
    first = counted_side(seat_of(record, "thrower"), total)
    winds = [stack[(player - first) % 4] for player in range(4)]
    return {"first": first, "winds": winds, "dealer": winds.index("E")}


def ruleset_of(record: Record) -> Ruleset:
    """The ruleset that a record names, with its options."""
    options = record.get("options", {})
    if not isinstance(options, dict):
        raise RecordError(f"'options' is {options!r}, it must be an object such as {{\"min_faan\": 3}}")
    return _loaded(text_of(record, "ruleset"), json.dumps(options))


@remembered
def _loaded(name: str, options: str) -> Ruleset:
    """The options as text tell true from 1; null is another word for "none"."""
    changes = {key: "none" if value is None else value for key, value in json.loads(options).items()}
    return load_ruleset(name, changes)


def _check(record: Record, *known: str) -> None:
    for key, why in _OTHER_GAMES.items():
        if key in record and key not in known:
            raise RecordError(f"{key!r} belongs to another game: {why}")
    check_keys(record, *known)


def _event(event: Record, dealer: int, round_wind: str) -> Event:
    kind = text_of(event, "type")
    if kind == "nine_pieces":
        check_keys(event, "type", "seat")
        return NinePieces(seat_of(event, "seat"))
    if kind == "twelve_pieces":
        check_keys(event, "type", "seat", "from")
        return TwelvePieces(seat_of(event, "seat"), seat_of(event, "from"))
    if kind == "false_win":
        check_keys(event, "type", "seat", "what")
        return Mistake(seat_of(event, "seat"), text_of(event, "what") if "what" in event else "win")
    if kind == "hu":
        check_keys(event, "type", "by", "from", "kong", "winners")
        by = _by(event)
        winners = tuple(_winner(winner, by, dealer, round_wind) for winner in records_of(event, "winners"))
        return Win(by, winners, optional_seat(event, "from"), text_of(event, "kong") if "kong" in event else None)
    events = "a hu, nine_pieces, twelve_pieces or a false_win"
    raise RecordError(f"an event is {events}, not {kind!r} (HKO-4.2, 6.7, 6.8, 7.1); kongs are not paid (HKO-4.5)")


def _winner(record: Record, by: str, dealer: int, round_wind: str) -> Winner:
    _check(record, "seat", "points", *_HAND_KEYS)
    seat = seat_of(record, "seat")
    if ("points" in record) == ("standing" in record):
        raise RecordError(f"seat {seat}: give the hand or its `points`, and not both")
    if "points" in record:
        check_keys(record, "seat", "points")
        return Winner(seat, points=number_of(record, "points"))
    return Winner(seat, _hand(record, by, WINDS[(seat - dealer) % 4], round_wind))


def _hand(record: Record, by: str, seat_wind: str, round_wind: str) -> Hand:
    return Hand(
        parse_tiles(text_of(record, "standing")),
        parse_tile(text_of(record, "winning")),
        sets_of(record, _CLAUSES_OF_SETS),
        by,
        seat_wind,
        round_wind,
        _flowers(record),
        _conditions(record),
    )


def _by(record: Record) -> str:
    by = text_of(record, "by")
    if by not in BYS:
        raise RecordError(f"'by' is {by!r}, it must be {', '.join(BYS)} (HKO-4.2, 4.6)")
    return by


def _wind(record: Record, key: str) -> str:
    wind = text_of(record, key)
    if len(wind) != 1 or wind not in WINDS:
        raise RecordError(f"{key!r} is {wind!r}, it must be E, S, W or N (HKO-3.1)")
    return wind


def _conditions(record: Record) -> frozenset[str]:
    conditions = frozenset(texts_of(record, "conditions"))
    for name in sorted(conditions - set(CONDITIONS)):
        known = f"this game knows {', '.join(CONDITIONS)} (HKO-5.4, 5.5)"
        raise HandError(f"unknown condition {name!r}: {known}")
    return conditions


def _flowers(record: Record) -> tuple[int, ...]:
    try:
        return parse_tiles("".join(texts_of(record, "flowers")))
    except TileError as error:
        raise TileError(f"{error} (HKO-1.3)") from error
