"""From an explanation to the tiles of its moves: places that no reader filled are filled from the revealed wall, and
what even that leaves open by the tiles that lie nowhere else.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from ..rules.core.followed import DRAW, Move
from ..rules.core.walls import DEALT as TILES_DEALT
from .course import DEALT, DRAWN, moves_in
from .explanation import Explanation
from .scene import Scene
from .zones import HANDS

MOST_FILLINGS = 48
"""Ways to fill open places that are tried before the explanation is called open."""


@dataclass(frozen=True, slots=True)
class Filled:
    """Hands as dealt and moves, with the kind of every place: `kinds` by place, `cost` on top of the explanation's.

    `guessed` are places of which the kind is one of several; `all_tried` is false when there were too many to try.
    """

    hands: tuple[tuple[int, ...], ...]
    moves: tuple[Move, ...]
    kinds: dict[int, int]
    guessed: frozenset[int]
    all_tried: bool
    cost: int


def fillings(scene: Scene, found: Explanation) -> Iterator[Filled]:
    """Every way to fill the open places of an explanation."""
    moves = tuple(moves_in(found.log))
    bound = found.bound
    dealt = _dealt_places(scene.dealer)
    draws = [move.tile for move in moves if move.what == DRAW]
    cost = _gone(scene, found)
    places = [place for seat in dealt for place in seat] + [tile for tile in draws if tile >= DRAWN]
    empty = [place for place in places if place not in bound]
    left = _left_over(scene, found)
    for filling, guesses, all_tried in _ways(empty, left):
        kinds = {place: scene.kinds[tile] for place, tile in bound.items()} | filling
        if not _lays_what_it_lacks(found, kinds):
            continue
        for opened, price in _open_discards(scene, found, kinds):
            full = kinds | opened
            hands = tuple(tuple(full[place] for place in seat) for seat in dealt)
            yield Filled(hands, moves, full, frozenset(guesses), all_tried, cost + price)


def _dealt_places(dealer: int) -> list[list[int]]:
    return [[DEALT + 20 * seat + number for number in range(14 if seat == dealer else 13)] for seat in range(4)]


def _gone(scene: Scene, found: Explanation) -> int:
    """Tiles that should lie where they were read last and are not read there any more, and the other way round."""
    strays = [tile for tile, reader in scene.lost.items() if found.where.get(tile) == reader]
    excused = sum(1 for place in found.open if place)
    still = 0
    for seat in range(4):
        hand = HANDS[seat]
        for kind in found.owed[seat]:
            # A tile that was laid down unseen has gone from the hand, or never was read there.
            away = [tile for tile in strays if scene.kinds[tile] == kind and found.where[tile] == hand]
            if away:
                strays.remove(away[0])
        for kind in set(found.owed[seat]):
            standing = found.hands[seat] >> 8 * kind & 7
            read = [tile for tile, zone in found.where.items() if zone == hand and scene.read.get(tile) == hand]
            still += max(0, sum(1 for tile in read if scene.kinds[tile] == kind) - standing)
    # A ghost that has lasted is worse than one that came and went.
    return scene.model.gone * max(0, len(strays) - excused) + scene.model.ghost * (still + len(found.ghosts))


def _left_over(scene: Scene, found: Explanation) -> Counter[int]:
    """Kinds of the tiles that an empty place may hold: those that were in no hand, and are not known to be in the wall
    still.
    """
    used = set(found.where)
    used |= {tile for tile, place in scene.places.items() if place >= TILES_DEALT and scene.is_in_wall(found, place)}
    return Counter(scene.kinds[tile] for tile in range(len(scene.kinds)) if tile not in used)


def _ways(empty: list[int], left: Counter[int]) -> Iterator[tuple[dict[int, int], list[int], bool]]:
    """Kinds for the empty places. A place among one seat's dealt tiles is like any other of them."""
    guessed = empty if len(left) > 1 else []
    ways = list(islice(_choices(empty, left), MOST_FILLINGS + 1))
    for way in ways[:MOST_FILLINGS]:
        yield dict(zip(empty, way, strict=True)), guessed, len(ways) <= MOST_FILLINGS


def _choices(empty: list[int], left: Counter[int], least: int = 0) -> Iterator[tuple[int, ...]]:
    """Every choice of kinds out of what is left; among one seat's dealt tiles in rising order from `least`.

    Nothing is tried that cannot be finished, so the first choices come at once however many there are.
    """
    if not empty:
        yield ()
        return
    first, rest = empty[0], empty[1:]
    alike = sum(1 for place in empty if _group(place) == _group(first))
    for kind in sorted(left):
        if kind < least or not left[kind]:
            continue
        if sum(count for other, count in left.items() if other >= kind) < alike:
            return
        left[kind] -= 1
        goes_on = bool(rest) and _group(rest[0]) == _group(first)
        for choice in _choices(rest, left, kind if goes_on else 0):
            yield kind, *choice
        left[kind] += 1


def _group(place: int) -> int:
    """The seat's hand that a dealt place is of; a draw is of none but itself."""
    return place // 20 if place >= DEALT else place


def _lays_what_it_lacks(found: Explanation, kinds: dict[int, int]) -> bool:
    """Whether the sets that were laid out of unseen tiles can be made of what these turn out to be."""
    for seat in range(4):
        have = Counter(kinds[place] for place in found.unseen[seat])
        if Counter(found.lacking[seat]) - have:
            return False
    return True


def _open_discards(scene: Scene, found: Explanation, kinds: dict[int, int]) -> Iterator[tuple[dict[int, int], int]]:
    """Kinds for the discards that nobody saw: tiles that have left the hand, or any of it."""
    choices = []
    for seat in range(4):
        if found.open[seat]:
            prices: dict[int, int] = {}
            for tile, reader in found.where.items():
                if reader == HANDS[seat]:
                    price = scene.model.ghost if tile in scene.read else 0
                    kind = scene.kinds[tile]
                    prices[kind] = min(price, prices.get(kind, price))
            for place in found.unseen[seat]:
                prices[kinds[place]] = 0
            choices.append([(found.open[seat], kind, price) for kind, price in sorted(prices.items())])
    for chosen in product(*choices):
        yield {place: kind for place, kind, _ in chosen}, sum(price for _, _, price in chosen)
