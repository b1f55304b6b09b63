"""What a hand of Cumberland is worth, the winner's and the others': points, then doubles. (CUM-4, CUM-5)"""

from collections import Counter
from collections.abc import Iterable, Iterator

from wallwright.rules.classical.hand import HAND, PLANTS, SEASONS, Hand
from wallwright.rules.classical.ruleset import NO_LIMIT, Cumberland
from wallwright.rules.classical.score import Score
from wallwright.rules.core.readings import Reading, pack_tiles, readings
from wallwright.rules.core.sets import ADDED, TileSet, pung
from wallwright.rules.core.tiles import DRAGONS, EAST, SUITED

WINNER_POINTS = 20
PAIR_POINTS = 2
FLOWER_POINTS = 4
PUNG_POINTS, KONG_POINTS = 2, 8
"""Of 2 to 8, claimed; each of natural and of terminals or honours doubles them (CUM-5.3)."""
POINT_ITEMS = ("winner", "pung", "kong", "pair", "flower")
"""Items that are points; all others are doubles."""


def score_hand(hand: Hand, rules: Cumberland) -> Score:
    """The reading worth most (CUM-5.8). Losers have one reading: equal tiles are pungs and pairs (CUM-5.5)."""
    if not hand.won:
        return _score_loser(hand, rules)
    found = max(
        ((points, pungs) for points, pungs in _readings(hand, rules)),
        key=lambda one: (sum(one[0].values()), one[0]["pung"]),
        default=None,
    )
    if found is None:
        return Score(complete=False)
    points, equal = found
    points |= {"winner": WINNER_POINTS, "flower": FLOWER_POINTS * len(hand.flowers)}
    doubles = {"east_won": int(hand.seat_wind == EAST), **_set_doubles(hand, equal), **_flower_doubles(hand, rules)}
    return _total(True, points, {**doubles, **_suit_doubles(hand)}, rules)


def _score_loser(hand: Hand, rules: Cumberland) -> Score:
    """A long hand scores nothing, a short one gains nothing by its suit (CUM-7.2)."""
    if hand.length > HAND:
        return Score(complete=False)
    held = Counter(hand.standing)
    sets = (*hand.sets, *(pung(kind) for kind, number in held.items() if number >= 3))
    natural = [_is_natural(one, rules) for one in hand.sets]
    natural += [True] * (len(sets) - len(natural))
    points = _points(zip(sets, natural, strict=True), (kind for kind, number in held.items() if number == 2))
    if rules.loser_flowers:
        points["flower"] = FLOWER_POINTS * len(hand.flowers)
    doubles = {**_set_doubles(hand, {one.tile for one in sets if not one.is_chow}), **_flower_doubles(hand, rules)}
    if rules.suit_doubles == "all" and hand.length == HAND:
        doubles |= _suit_doubles(hand)
    return _total(False, points, doubles, rules)


def _total(won: bool, points: dict[str, int], doubles: dict[str, int], rules: Cumberland) -> Score:
    base, times = sum(points.values()), sum(doubles.values())
    total = base << times
    if rules.limit != NO_LIMIT and isinstance(rules.limit, int):
        total = min(total, rules.limit)
    items = {item: points[item] for item in POINT_ITEMS if points.get(item)}
    items |= {item: number for item, number in doubles.items() if number}
    return Score(won, won, items, None, base, times, total)


def _readings(hand: Hand, rules: Cumberland) -> Iterator[tuple[dict[str, int], set[int]]]:
    """Points of the sets and the pair, and the kinds of pungs and kongs, of every reading and place of the last tile.

    A claimed tile makes the set that it completes a claimed one, wherever the reading lets it go (CUM-5.8).
    """
    declared = [(one, _is_natural(one, rules)) for one in hand.sets]
    for reading in readings(pack_tiles(hand.complete_tiles)):
        if len(reading.sets) + len(declared) != 4:
            continue
        equal = {one.tile for one in (*hand.sets, *reading.sets) if not one.is_chow}
        for claimed in _places(reading, None if hand.is_drawn else hand.winning):
            sets = [(one, at != claimed) for at, one in enumerate(reading.sets)]
            yield _points((*declared, *sets), (reading.pair,)), equal


def _places(reading: Reading, winning: int | None) -> Iterator[int | None]:
    """The sets that a claimed winning tile may belong to by their numbers; None for the pair, or a tile drawn."""
    if winning is None or winning == reading.pair:
        yield None
    if winning is not None:
        yield from (at for at, one in enumerate(reading.sets) if winning in one.tiles)


def _is_natural(declared: TileSet, rules: Cumberland) -> bool:
    """Drawn by the player; a promoted kong too, if the club counts it so (CUM-5.3)."""
    return declared.is_concealed or (declared.type in ADDED and rules.promoted == "natural")


def _points(sets: Iterable[tuple[TileSet, bool]], pairs: Iterable[int]) -> dict[str, int]:
    found = dict.fromkeys(POINT_ITEMS, 0)
    for one, natural in sets:
        if one.is_chow:
            continue
        item, points = ("kong", KONG_POINTS) if one.is_kong else ("pung", PUNG_POINTS)
        found[item] += points << natural << _is_dear(one.tile)
    found["pair"] = sum(PAIR_POINTS for kind in pairs if _is_dear(kind))
    return found


def _is_dear(kind: int) -> bool:
    """Ones and nines count as honours do (CUM-5.2)."""
    return kind >= SUITED or kind % 9 in (0, 8)


def _set_doubles(hand: Hand, equal: set[int]) -> dict[str, int]:
    return {
        "dragon": sum(dragon in equal for dragon in DRAGONS),
        "seat_wind": int(hand.seat_wind in equal),
        "round_wind": int(hand.round_wind in equal),
    }


def _flower_doubles(hand: Hand, rules: Cumberland) -> dict[str, int]:
    """Own flower and season, and full sets of four, whose own tile may double or not (CUM-5.6)."""
    found: dict[str, int] = {}
    for series, own, full in ((SEASONS, "own_season", "all_seasons"), (PLANTS, "own_flower", "all_flowers")):
        is_full = set(series) <= set(hand.flowers)
        found[own] = int(series[hand.seat] in hand.flowers and (rules.bouquet_own or not is_full))
        found[full] = 2 * is_full
    return found


def _suit_doubles(hand: Hand) -> dict[str, int]:
    """One suit, with honours or without (CUM-5.7)."""
    suits = {kind // 9 for kind in hand.all_tiles if kind < SUITED}
    if len(suits) != 1:
        return {}
    return {"clean": 1} if any(kind >= SUITED for kind in hand.all_tiles) else {"pure": 3}
