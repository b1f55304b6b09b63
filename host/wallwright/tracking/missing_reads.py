"""What may have happened without any reader seeing it: the steps between two things that were read.

A whole turn can be missed when both its tile and its discard are; a Hu moves at most one tile, and a second winner's
moves none. `reach` finds the cheapest ways to the moment that an event needs.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from ..rules.core.followed import MELDED_KONG, OWN_KONG
from ..rules.core.tiles import STANDING
from .course import ANY, MUST_DRAW, OPEN, OVER, START, TURN, last_move
from .explanation import Explanation
from .scene import Scene
from .zones import DISCARDS, HANDS, MELDS, is_hand, seat_of

STEPS = 5
"""Unseen steps in a row that are still believed: two turns and a Hu."""

REACH = 2000
"""The most that they may cost."""


def reach(scene: Scene, start: Explanation, phase: int, seat: int | None, at_ms: int) -> list[Explanation]:
    """The ways to have `seat` (None: any) in that phase, from nothing unseen to a few steps."""
    found: list[Explanation] = []
    further: Iterable[Explanation]
    limit = min(start.cost + REACH, scene.limit)
    ways = [(start, 0)]
    while ways:
        now, steps = ways.pop()
        if now.phase == phase and seat in (None, now.seat):
            found.append(now)
            further = _once_more(scene, now, at_ms)
        else:
            further = unseen_steps(scene, now, at_ms) if now.phase != OVER else ()
        if steps < STEPS:
            ways += [(after, steps + 1) for after in further if after.cost <= limit]
    return found


def _once_more(scene: Scene, now: Explanation, at_ms: int) -> Iterator[Explanation]:
    """The steps after which the same player has the same phase again: a kong; a draw with another one due."""
    if now.phase == TURN:
        yield from _unseen_kongs(scene, now, at_ms)
    elif now.phase == MUST_DRAW and now.due[now.seat] > now.loose and scene.may_draw(now):
        # Which of the two tiles came first, from which end, cannot be seen then.
        yield scene.draw_unseen(now, at_ms)


def unseen_steps(scene: Scene, now: Explanation, at_ms: int) -> Iterator[Explanation]:
    """Every single step that could have been missed."""
    if now.phase == START:
        yield now.begun()
    if now.ways.has_flowers:
        yield from _unseen_flowers(scene, now, at_ms)
    if now.phase == MUST_DRAW:
        if scene.may_draw(now):
            yield scene.draw_unseen(now, at_ms)
        yield from hus_on_offer(scene, now, None, at_ms)
        last = last_move(now.log)
        if last is not None and last.what in (MELDED_KONG, OWN_KONG) and not now.loose:
            # That it is against the rules is counted when the deal is rebuilt.
            yield now.without_replacement(scene.model.unlikely)
        if scene.silent and now.offer is not None and not now.offer.added:
            yield from _silent_sets(scene, now, at_ms)
        return
    if now.phase == START:
        return
    yield from unseen_discards(scene, now, at_ms)
    if now.fresh:
        yield now.won(at_ms, scene.hu_cost(now, now.seat))
        yield from _unseen_kongs(scene, now, at_ms)


def _unseen_flowers(scene: Scene, now: Explanation, at_ms: int) -> Iterator[Explanation]:
    """A flower that may be laid out now was not read where it lies."""
    for tile, zone in now.where.items():
        if is_hand(zone) and (kind := scene.kinds[tile]) >= STANDING:
            seat = seat_of(zone)
            if now.phase == START or (now.seat == seat and (now.phase == TURN or now.loose)):
                cost = scene.missed(MELDS[seat]) + (scene.model.still_read if tile in scene.read else 0)
                yield now.flower_laid(seat, tile, kind, at_ms, cost)


def _silent_sets(scene: Scene, now: Explanation, at_ms: int) -> Iterator[Explanation]:
    """The offer has become a set where the reader of the sets tells nothing."""
    offer = now.offer
    assert offer is not None
    for seat in range(4):
        held = 0 if offer.kind < 0 else now.hands[seat] >> 8 * offer.kind & 7
        if MELDS[seat] in scene.silent and seat != offer.seat and not now.out >> seat & 1:
            cost = scene.model.unlikely + scene.claim_cost(seat, offer.at_ms)
            if held >= 2:
                yield now.claimed_set(seat, 3, at_ms, cost)
            if held >= 3 and scene.may_draw(now, seat):
                yield now.claimed_set(seat, 4, at_ms, cost)


def _unseen_kongs(scene: Scene, now: Explanation, at_ms: int) -> Iterator[Explanation]:
    """A tile laid onto a pung was not read there; that it has left the hand may be told later."""
    seat, model = now.seat, scene.model
    if not now.fresh or not now.pungs[seat] or not scene.may_draw(now):
        return
    for tile, zone in now.where.items():
        kind = scene.kinds[tile]
        if zone == HANDS[seat] and now.pungs[seat] >> 8 * kind & 7 and now.hands[seat] >> 8 * kind & 7:
            cost = scene.missed(MELDS[seat]) + (model.still_read if tile in scene.read else 0)
            yield now.added_kong(tile, kind, at_ms, cost)


def unseen_discards(scene: Scene, now: Explanation, at_ms: int) -> Iterator[Explanation]:
    """The discard of the seat in turn was not read: a tile that is not read in the hand, or any."""
    seat, model = now.seat, scene.model
    missed = scene.missed(DISCARDS[seat])
    for tile in scene.unread(now, seat):
        yield scene.discard(now, tile, at_ms, missed)
    for place in now.places(seat):
        yield scene.discard(now, place, at_ms, missed)
    if not now.open[seat]:
        yield scene.discard(now, OPEN + 4 * now.length + seat, at_ms, missed + model.still_read)


def unseen_offers(scene: Scene, start: Explanation, kind: int, seat: int, at_ms: int) -> Iterator[Explanation]:
    """A discard of that kind by another seat was read neither there nor where `seat` has laid it since."""
    model = scene.model
    for now in reach(scene, start, TURN, None, at_ms):
        if now.seat != seat and now.hands[now.seat] >> 8 * kind & 7:
            tiles = [tile for tile, zone in now.where.items() if zone == HANDS[now.seat] and scene.kinds[tile] == kind]
            for tile in tiles:
                cost = 2 * model.missed + (model.still_read if tile in scene.read else 0)
                yield scene.discard(now, tile, at_ms, cost)


def hus_on_offer(scene: Scene, now: Explanation, taker: int | None, at_ms: int) -> Iterator[Explanation]:
    """Hu on the tile offered, by each group of seats that may have declared it; `taker`, who has the tile, is one.

    Without a taker nobody was seen to take it, which costs a missed read.
    """
    offer = now.offer
    if offer is None or offer.tile == ANY:
        return
    costs = {}
    for step in (1, 2, 3):
        seat = (offer.seat + step) % 4
        if not now.out >> seat & 1:
            cost = scene.hu_cost(now, seat, offer.kind)
            if seat == taker or cost < scene.model.false_hu:
                costs[seat] = cost + scene.claim_cost(seat, offer.at_ms)
    for size in range(1, len(costs) + 1 if now.ways.shared_wins else min(1, len(costs)) + 1):
        for winners in combinations(costs, size):
            if taker is None or taker in winners:
                cost = sum(costs[seat] for seat in winners) + (scene.model.missed if taker is None else 0)
                cost += scene.let_go(now, winners)
                yield now.won_on(winners, taker, at_ms, cost)


def ends(scene: Scene, start: Explanation, at_ms: int) -> list[Explanation]:
    """The ways in which the deal may have ended: three out, or the wall empty and the last turn over."""
    found = []
    limit = start.cost + REACH
    ways = [(start, 0)]
    while ways:
        now, steps = ways.pop()
        is_empty = not scene.may_draw(now)
        if now.phase == OVER or (is_empty and (now.phase == MUST_DRAW or not now.ways.last_discard)):
            found.append(scene.paid(now).copy(scene.let_go(now)))
        if steps < STEPS and now.phase != OVER:
            ways += [(after, steps + 1) for after in unseen_steps(scene, now, at_ms) if after.cost <= limit]
    return found
