"""What a winning hand of Balsall is worth: one row of the table and a point for each item. (BAL-5, BAL-6, BAL-7.1)"""

from collections.abc import Iterator

from wallwright.rules.classical.hand import AFTER_KONG, GOULASH, LAST_DISCARD, LAST_TILE, LOOSE, PLANTS, SEASONS, Hand
from wallwright.rules.classical.ruleset import Balsall
from wallwright.rules.classical.score import Score
from wallwright.rules.classical.special import concealed_rows
from wallwright.rules.core.readings import pack_tiles, readings
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import DRAGONS, EAST, GREEN, RED, SUITED, TERMINALS, WHITE, WINDS

BASIC = {"chicken": 0, "sequence": 1, "all_pongs": 3, "semi_pure": 3, "pure": 6}
"""BAL-5.2."""
SPECIAL = {
    "3_big_dragons": 6,
    "little_winds": 8,
    "big_4_winds": 10,
    "all_honours": 10,
    "all_terminal": 10,
    "all_kongs": 10,
    "jade_dragon": 10,
    "ruby_dragon": 10,
    "pearl_dragon": 10,
}
"""BAL-5.4."""
CONCEALED = {
    "7_pairs": 6,
    "double_knitting": 6,
    "triple_knitting": 6,
    "9_gates": 10,
    "13_orphans": 10,
    "hidden_treasure": 10,
    "little_snake": 10,
    "great_snake": 10,
}
"""BAL-6."""
ROWS = {**BASIC, **SPECIAL, **CONCEALED}
GOULASH_MINIMUM = 5
"""BAL-8.4."""
_JEWELS = {"jade_dragon": (2, GREEN), "ruby_dragon": (0, RED), "pearl_dragon": (1, WHITE)}
"""Row -> suit of three pungs and the pair, dragon of the fourth."""
_PLACES = {row: place for place, row in enumerate(ROWS)}
Rows = tuple[str, ...]


def score_hand(hand: Hand, rules: Balsall) -> Score:
    """The row worth most with all its items; of equal ones the higher row, then the earlier (BAL-5.3).

    A hand that did not win is worth nothing (BAL-7.1).
    """
    if not hand.won:
        return Score(complete=False)
    around = _way_items(hand)
    own = _own_items(hand)
    best: tuple[tuple[int, int, int], Rows] | None = None
    for rows in _choices(hand, rules):
        worth = sum(ROWS[row] for row in rows)
        total = worth + sum(around.values()) + (0 if rows[0] in CONCEALED else sum(own.values()))
        key = (total, worth, -min(_PLACES[row] for row in rows))
        if best is None or key > best[0]:
            best = (key, rows)
    if best is None:
        return Score(complete=False)
    (total, _, _), rows = best
    items = {row: ROWS[row] for row in rows}
    items |= around if rows[0] in CONCEALED else {**own, **around}
    minimum = GOULASH_MINIMUM if GOULASH in hand.conditions else rules.min_points
    special = None if rows[0] in BASIC else rows[0]
    return Score(True, total >= minimum, items, special, total, 0, total)


def _choices(hand: Hand, rules: Balsall) -> Iterator[Rows]:
    """What may count as the row: one row, or all basic ones of a reading together where a club adds them up."""
    for reading in readings(pack_tiles(hand.complete_tiles)):
        sets = (*hand.sets, *reading.sets)
        if len(sets) != 4:
            continue
        basic = tuple(_basic_rows(hand, sets))
        if rules.rows == "add":
            yield tuple(row for row in basic if BASIC[row]) or basic
        else:
            yield from ((row,) for row in basic)
        yield from ((row,) for row in _special_rows(hand, sets, reading.pair))
    yield from ((row,) for row in concealed_rows(hand, rules))


def _basic_rows(hand: Hand, sets: tuple[TileSet, ...]) -> Iterator[str]:
    chows = sum(one.is_chow for one in sets)
    yield "chicken"
    if chows == len(sets):
        yield "sequence"
    if not chows:
        yield "all_pongs"
    if len({kind // 9 for kind in hand.all_tiles if kind < SUITED}) == 1:
        yield "semi_pure" if max(hand.all_tiles) >= SUITED else "pure"


def _special_rows(hand: Hand, sets: tuple[TileSet, ...], pair: int) -> Iterator[str]:
    equal = {one.tile for one in sets if not one.is_chow}
    winds = len(equal.intersection(WINDS))
    if equal.issuperset(DRAGONS):
        yield "3_big_dragons"
    if winds == 3 and pair in WINDS and min(hand.all_tiles) < SUITED:
        yield "little_winds"
    if winds == 4:
        yield "big_4_winds"
    if min(hand.all_tiles) >= SUITED:
        yield "all_honours"
    if len(equal) == 4 and {*equal, pair} <= set(TERMINALS):
        yield "all_terminal"
    if all(one.is_kong for one in sets):
        yield "all_kongs"
    for row, (suit, dragon) in _JEWELS.items():
        suited = {kind // 9 for kind in (*equal, pair) if kind < SUITED}
        if len(equal) == 4 and suited == {suit} and pair < SUITED and equal.difference(range(SUITED)) == {dragon}:
            yield row


def _own_items(hand: Hand) -> dict[str, int]:
    """One point for every pung of dragons, of the round and of the seat, and for a concealed hand.

    The rows of BAL-6 go without them (BAL-6.9).
    """
    equal = {kind for kind in hand.all_tiles if kind >= SUITED and hand.all_tiles.count(kind) >= 3}
    return _positive(
        dragon=len(equal.intersection(DRAGONS)),
        round_wind=hand.round_wind in equal,
        seat_wind=hand.seat_wind in equal,
        concealed_hand=hand.is_concealed,
    )


def _way_items(hand: Hand) -> dict[str, int]:
    """One point each for the way of winning and the flowers; East's dealt hand is drawn as well (BAL-5.5)."""
    flowers = set(hand.flowers)
    return _positive(
        self_drawn=hand.is_drawn,
        replacement_tile=hand.by == LOOSE or AFTER_KONG in hand.conditions,
        last_tile=LAST_TILE in hand.conditions,
        last_discard=LAST_DISCARD in hand.conditions,
        no_flowers=not flowers,
        all_red=flowers.issuperset(SEASONS),
        all_blue=flowers.issuperset(PLANTS),
        red_flower_of_round=SEASONS[hand.round_wind - EAST] in flowers,
        blue_flower_of_seat=PLANTS[hand.seat] in flowers,
    )


def _positive(**items: int) -> dict[str, int]:
    return {item: int(points) for item, points in items.items() if points}
