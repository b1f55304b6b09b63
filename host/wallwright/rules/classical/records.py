"""The JSON shapes of both games: score inputs, declared hands and throws of dice as plain dictionaries.

Every key is checked; an unknown one is refused by name.
"""

from collections.abc import Mapping
from typing import NamedTuple

from wallwright.rules.classical import balsall, cumberland
from wallwright.rules.classical.declared import LONG, SHORT, CountError, Declared, DeclaredKong
from wallwright.rules.classical.hand import AFTER_KONG, BYS, CONDITIONS, DRAWN, GOULASH, LOOSE, ROBBED_KONG, Hand
from wallwright.rules.classical.ruleset import Balsall, Cumberland, Rules, load_rules
from wallwright.rules.classical.score import Score
from wallwright.rules.classical.settled import SEATS
from wallwright.rules.core.errors import HandError
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
    sets_of,
    text_of,
    texts_of,
)
from wallwright.rules.core.sets import SetKind, SetType
from wallwright.rules.core.tiles import EAST, parse_tile, parse_tiles

WINDS = "ESWN"
HAND_KEYS = (
    "standing",
    "melds",
    "winning",
    "by",
    "seat_wind",
    "round_wind",
    "flowers",
    "flowers_waiting",
    "conditions",
    "winner",
)
_SETTLE_KEYS = (
    "ruleset",
    "options",
    "east",
    "round_wind",
    "first_dealer",
    "winner",
    "by",
    "from",
    "hands",
    "events",
    "after_kong",
    "goulash",
    "pot",
    "claimed_ms",
    "hands_played",
)
POT = 20
"""Chips of a pot that all four have paid into (BAL-8.2)."""


def rules_of(record: Record) -> Rules:
    """The ruleset that a record names, with its `options`."""
    options = record.get("options", {})
    if not isinstance(options, Mapping):
        raise RecordError(f"'options' is {options!r}, it must be an object")
    for key, value in options.items():
        if isinstance(value, list | dict):
            raise RecordError(f"option {key!r} is {value!r}: no option of this game is a list or an object")
    return load_rules(
        text_of(record, "ruleset"), {key: "none" if value is None else value for key, value in options.items()}
    )


def score_hand(hand: Hand, rules: Rules) -> Score:
    """What a hand is worth in the game of the ruleset."""
    return cumberland.score_hand(hand, rules) if isinstance(rules, Cumberland) else balsall.score_hand(hand, rules)


def read_hand(record: Record, rules: Rules, known: Record) -> Hand:
    """A score input. `known` has what the deal says already: `seat_wind`, `round_wind`, `by`, `winner`, `goulash`.

    HandError or RecordError, with the clause, when there can be no such hand.
    """
    check_keys(record, *HAND_KEYS)
    for key, value in known.items():
        if record.get(key, value) != value:
            raise RecordError(f"{key!r} is {record[key]!r}, and the deal says {value!r}")
    whole = {**record, **known}
    won = flag_of(whole, "winner") if "winner" in whole else True
    conditions = frozenset(texts_of(record, "conditions"))
    _check_conditions(conditions, rules)
    if not won and "winning" in record:
        raise RecordError("a hand with `winner` false has no `winning` tile (CUM-5.5)")
    hand = Hand(
        parse_tiles(text_of(record, "standing")),
        sets_of(record, "CLA-1.4, CLA-3.4"),
        _wind(whole, "seat_wind"),
        _wind(whole, "round_wind"),
        parse_tile(text_of(record, "winning")) if won else None,
        _by(whole, rules) if won else None,
        tuple(tile for text in texts_of(record, "flowers") for tile in parse_tiles(text)),
        conditions,
        optional_number(record, "flowers_waiting") or 0,
    )
    hand.check()
    return hand


def read_declared(record: Record, rules: Rules) -> Declared:
    """A declared hand. RulesError, with the clause, when it cannot have happened."""
    check_keys(record, *_SETTLE_KEYS)
    east, winner = seat_of(record, "east"), optional_seat(record, "winner")
    by = text_of(record, "by") if record.get("by") is not None else None
    if by == ROBBED_KONG:
        _by(record, rules)
    goulash = flag_of(record, "goulash")
    wind = text_of(record, "round_wind") if record.get("round_wind") is not None else None
    if wind is None and isinstance(rules, Balsall):
        raise RecordError("'round_wind' is missing: the wind of the round is E, S, W or N (BAL-9.1)")
    if wind is not None and (len(wind) != 1 or wind not in WINDS):
        raise RecordError(f"'round_wind' is {wind!r}: use E, S, W or N (CUM-2.1, BAL-9.1)")
    if isinstance(rules, Cumberland) and (goulash or "pot" in record):
        raise RecordError("Cumberland plays a stale hand again and knows no goulash and no pot (CUM-6.3)")
    if isinstance(rules, Balsall) and "hands_played" in record:
        raise RecordError("'hands_played' belongs to Cumberland; a match of Balsall has four rounds (BAL-9.1)")
    hands, worth, scores = _read_hands(record, rules, east, winner, by, wind)
    noted = _read_events(record, hands, winner, rules)
    pot = optional_number(record, "pot") or 0
    if pot not in (0, POT) or (pot and not goulash):
        raise RecordError(f"'pot' is {pot}: it holds {POT} chips before a second goulash, else none (BAL-8.2)")
    deal = Declared(
        east,
        winner,
        by,
        optional_seat(record, "from"),
        worth,
        scores,
        hands,
        noted.kongs,
        noted.dead,
        wind,
        seat_of(record, "first_dealer") if "first_dealer" in record else 0,
        goulash,
        pot,
        _is_after_kong(record, by, None if winner is None else hands[winner]),
        noted.miscounts,
        noted.flipped,
        _natural(record, "claimed_ms", "CUM-3.1, BAL-3.1"),
        _natural(record, "hands_played", "CUM-8.2") or 0,
    )
    deal.check()
    return deal


def _read_hands(
    record: Record, rules: Rules, east: int, winner: int | None, by: str | None, wind: str | None
) -> tuple[tuple[Hand | None, ...], tuple[int, ...], tuple[Score | None, ...]]:
    """The four hands, what each is worth, and how that comes about where tiles were given."""
    given = record.get("hands", [None] * 4) if winner is None else record.get("hands")
    if isinstance(given, list) and len(given) == len(SEATS) - 1 and isinstance(rules, Balsall):
        raise RecordError("'hands' has three: three players (BAL-8.7) are not settled here, a hand has four (BAL-7.1)")
    if not isinstance(given, list) or len(given) != len(SEATS):
        raise RecordError("'hands' must be a list of four, by seat: score inputs or points (CUM-5.1, BAL-7.1)")
    hands: list[Hand | None] = []
    worth, scores = [], []
    for seat, entry in enumerate(given):
        hand, points, score = None, 0, None
        try:
            if isinstance(entry, dict) and "points" in entry:
                check_keys(entry, "points", "conditions")
                points = number_of(entry, "points")
                if points < 0:
                    raise RecordError(f"'points' is {points}: a hand is worth 0 or more (CUM-5.1, BAL-5.1)")
            elif isinstance(entry, dict):
                known = {"seat_wind": WINDS[(seat - east) % 4], "winner": seat == winner}
                known |= {} if wind is None else {"round_wind": wind}
                known |= {"by": by} if seat == winner and by is not None else {}
                if flag_of(record, "goulash"):
                    entry = {**entry, "conditions": [*texts_of(entry, "conditions"), GOULASH]}
                hand = read_hand(entry, rules, known)
                score = score_hand(hand, rules)
                points = score.points
                if seat == winner and not score.complete:
                    raise HandError("the winner's hand is not complete (CUM-4.1, BAL-5.2)")
            elif entry is not None:
                raise RecordError(f"{entry!r} is no hand: give a score input, points, or null")
            elif winner is not None and (isinstance(rules, Cumberland) or seat == winner):
                raise RecordError("the hand is missing (CUM-5.1, BAL-7.1)")
        except (HandError, RecordError) as error:
            raise type(error)(f"hand of seat {seat}: {error}") from error
        hands.append(hand)
        worth.append(points)
        scores.append(score)
    return tuple(hands), tuple(worth), tuple(scores)


class _Noted(NamedTuple):
    """What happened before the end."""

    kongs: tuple[DeclaredKong, ...] = ()
    dead: tuple[int, ...] = ()
    miscounts: tuple[CountError, ...] = ()
    flipped: tuple[int, ...] = ()


def _read_events(record: Record, hands: tuple[Hand | None, ...], winner: int | None, rules: Rules) -> _Noted:
    """Kongs and mistakes in order; without `events` the kongs that the hands show, the winner's last."""
    if "events" not in record:
        seats = [*(seat for seat in SEATS if seat != winner), *([] if winner is None else [winner])]
        return _Noted(
            tuple(
                DeclaredKong(seat, one.type)
                for seat in seats
                for one in (getattr(hands[seat], "sets", ()))
                if one.kind is SetKind.KONG
            )
        )
    kongs, dead, miscounts, flipped = [], [], [], []
    for event in records_of(record, "events"):
        word = text_of(event, "type")
        if word == "kong":
            kongs.append(_read_kong(event))
        elif word == "false_win":
            check_keys(event, "type", "seat")
            dead.append(seat_of(event, "seat"))
        elif word == "count_error":
            check_keys(event, "type", "seat", "what")
            what = text_of(event, "what")
            if what not in (LONG, SHORT):
                raise RecordError(f"a hand is {LONG} or {SHORT}, not {what!r} (CUM-7.1, BAL-10.1)")
            miscounts.append(CountError(seat_of(event, "seat"), what))
        elif word == "flipped" and isinstance(rules, Cumberland):
            check_keys(event, "type", "tile")
            flipped.append(parse_tile(text_of(event, "tile")))
        else:
            known = "a kong (CLA-3.4), a false_win (CUM-7.2, BAL-10.2), a count_error (CUM-7.1, BAL-10.1)"
            raise RecordError(f"an event is {known} or, in Cumberland, a flipped tile (CUM-2.4), not {word!r}")
    return _Noted(tuple(kongs), tuple(dead), tuple(miscounts), tuple(flipped))


def _read_kong(event: Record) -> DeclaredKong:
    check_keys(event, "type", "seat", "kind", "from", "robbed")
    kind = text_of(event, "kind")
    if kind not in tuple(SetType):
        raise RecordError(f"a kong is {', '.join(SetType)}, not {kind!r} (CLA-3.4)")
    return DeclaredKong(seat_of(event, "seat"), SetType(kind), optional_seat(event, "from"), flag_of(event, "robbed"))


def _natural(record: Record, key: str, clause: str) -> int | None:
    number = optional_number(record, key)
    if number is not None and number < 0:
        raise RecordError(f"{key!r} is {number}: it is 0 or more ({clause})")
    return number


def _is_after_kong(record: Record, by: str | None, hand: Hand | None) -> bool:
    """Whether the winning tile replaced a kong: as the deal or the hand says, or a loose tile without flowers."""
    if flag_of(record, "after_kong") or (hand is not None and AFTER_KONG in hand.conditions):
        if by not in DRAWN:
            raise RecordError("`after_kong` is a tile drawn to replace a kong, by loose or self_drawn (BAL-7.4)")
        return True
    return by == LOOSE and (hand is None or not hand.flowers)


def _check_conditions(conditions: frozenset[str], rules: Rules) -> None:
    for condition in sorted(conditions):
        if condition not in CONDITIONS:
            raise RecordError(f"unknown condition {condition!r}: use {', '.join(CONDITIONS)} (CLA-2.6, BAL-5.5)")
    if GOULASH in conditions and isinstance(rules, Cumberland):
        raise RecordError("Cumberland plays a stale hand again and knows no goulash (CUM-6.3)")


def _by(record: Record, rules: Rules) -> str:
    by = text_of(record, "by")
    if by not in BYS:
        raise RecordError(f"'by' is {by!r}: use {', '.join(BYS)} (CLA-3.1, CLA-3.2)")
    if by == ROBBED_KONG and not rules.rob_kong:
        raise RecordError("this ruleset has rob_kong false: no kong is robbed (CLA-3.8)")
    return by


def _wind(record: Record, key: str) -> int:
    wind = text_of(record, key)
    if len(wind) != 1 or wind not in WINDS:
        raise RecordError(f"{key!r} is {wind!r}: use E, S, W or N (CUM-2.1, BAL-9.1)")
    return EAST + WINDS.index(wind)
