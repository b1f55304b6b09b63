"""What one read can mean: from an explanation of all reads so far to those of one more.

A tag that is read in a new zone has been drawn, discarded, claimed or laid down, perhaps after steps that nobody saw
(`unread`); or it is a tile that was missed and turns up late; or the reader is wrong, which is always possible.
"""

from collections.abc import Callable, Iterable, Iterator

from wallwright_protocol.hardware import READERS_PER_SEAT, SIDES

from ..rules.core.tiles import STANDING, SUITED
from .course import ANY, DEALT, MUST_DRAW, START, TURN, Offer
from .explanation import Explanation
from .missing_reads import hus_on_offer, reach, unseen_offers
from .scene import Scene
from .zones import HANDS, MELDS, is_hand, seat_of

LEFT_MS = 2_000
"""The board says that a tag has left after nobody has seen it for so long."""
STILL_DEALT = 3
"""With more tiles of a hand still to be read before the first discard, a tile read there is one that was dealt."""


def appeared(scene: Scene, now: Explanation, tile: int, reader: int, at_ms: int) -> list[Explanation]:
    """The explanations of one that go on with `tile` being read at `reader`, 4 to 15."""
    if now.ghosts.get(tile) == reader:
        return [now]
    lies = now.where.get(tile)
    if lies == reader:
        return [now.without_ghost(tile) if tile in now.ghosts else now]
    found = [now.with_ghost(tile, reader, scene.model.ghost)]
    meaning = _MEANINGS[(reader - SIDES) % READERS_PER_SEAT]
    clean = now.without_ghost(tile) if tile in now.ghosts else now
    seat = seat_of(reader)
    found.extend(meaning(scene, clean, tile, seat, at_ms))
    if clean.ways.exchanges:
        if is_hand(reader):
            found.extend(_handed_over(scene, clean, tile, seat, at_ms))
        elif lies is not None and is_hand(lies) and clean.may_give(seat_of(lies), seat):
            # That the hand got it was not read.
            for given in _unread_gifts(scene, clean, tile, seat_of(lies), at_ms, (seat,)):
                found.extend(meaning(scene, given, tile, seat, at_ms))
    return found


def left(scene: Scene, now: Explanation, tile: int, reader: int, at_ms: int) -> list[Explanation]:
    """The explanations of one that go on with `tile` being read no more, last at `reader`."""
    if now.ghosts.get(tile) == reader:
        return [now.without_ghost(tile)]
    if is_hand(reader) and now.ways.exchanges and not now.head and now.where.get(tile) == reader:
        return [now, *_unread_gifts(scene, now, tile, seat_of(reader), at_ms - LEFT_MS, range(4))]
    if is_hand(reader) and now.open[seat_of(reader)] and now.where.get(tile) == reader:
        kind, seat = scene.kinds[tile], seat_of(reader)
        if now.hands[seat] >> 8 * kind & 7:
            return [now, now.with_discard_found(seat, tile, kind, -scene.model.still_read)]
    return [now]


def _in_hand(scene: Scene, now: Explanation, tile: int, seat: int, at_ms: int) -> Iterator[Explanation]:
    lies = now.where.get(tile)
    if lies is None:
        yield from _found_in_hand(scene, now, tile, seat)
        if now.log is None and len(now.unseen[seat]) > STILL_DEALT:
            return
        for then in reach(scene, now, MUST_DRAW, seat, at_ms):
            if scene.may_draw(then):
                yield scene.draw(then, tile, at_ms)
    undone = scene.put_back(now)
    if undone is not None and _offers(undone, seat, tile):
        yield from hus_on_offer(scene, undone, seat, at_ms)
        yield from _claimed_sets(scene, undone, seat, at_ms)
    for then in _offered(scene, now, tile, seat, at_ms):
        offer = then.offer
        assert offer is not None
        yield from hus_on_offer(scene, then, seat, at_ms)
        if not offer.added:
            yield from _claimed_sets(scene, then, seat, at_ms)


def _handed_over(scene: Scene, now: Explanation, tile: int, seat: int, at_ms: int) -> Iterator[Explanation]:
    """A tile of another hand, known or not, has come in an exchange."""
    kind, lies = scene.kinds[tile], now.where.get(tile)
    for other in range(4):
        if other == seat or not now.may_give(other, seat):
            continue
        if lies == HANDS[other] and now.hands[other] >> 8 * kind & 7:
            yield now.handed_over(other, seat, tile, kind, at_ms, 0, read=True)
        elif lies is None and not now.unseen[seat]:
            # It was dealt to the other one, and was not read there.
            for place in scene.places_for(now, other, tile):
                known = now.with_bound(other, place, tile, kind, scene.missed(HANDS[other]))
                yield known.handed_over(other, seat, tile, kind, at_ms, 0, read=True)


def _unread_gifts(
    scene: Scene, now: Explanation, tile: int, seat: int, at_ms: int, others: Iterable[int]
) -> Iterator[Explanation]:
    """A tile that is not read in its hand any more went to one of the others, which was not read."""
    kind = scene.kinds[tile]
    for to in others:
        if to != seat and now.may_give(seat, to) and now.hands[seat] >> 8 * kind & 7:
            yield now.handed_over(seat, to, tile, kind, at_ms, scene.missed(HANDS[to]), read=False)


def _found_in_hand(scene: Scene, now: Explanation, tile: int, seat: int) -> Iterator[Explanation]:
    """A tile that the seat has had for a while is read at last."""
    model = scene.model
    for place in scene.places_for(now, seat, tile):
        if place >= DEALT:
            cost = model.late if now.log else 0
        else:
            cost = model.late - model.missed
        yield now.with_bound(seat, place, tile, scene.kinds[tile], cost)


def _among_discards(scene: Scene, now: Explanation, tile: int, seat: int, at_ms: int) -> Iterator[Explanation]:
    kind, model = scene.kinds[tile], scene.model
    lies = now.where.get(tile)
    if lies not in (None, HANDS[seat]):
        return
    if now.open[seat]:
        for known in _held(scene, now, tile, seat):
            yield known.with_discard_found(seat, tile, kind, model.late - model.missed - model.still_read)
    for then in reach(scene, now, TURN, seat, at_ms):
        for known in _held(scene, then, tile, seat):
            yield scene.discard(known, tile, at_ms, 0)


def _among_sets(scene: Scene, now: Explanation, tile: int, seat: int, at_ms: int) -> Iterator[Explanation]:
    kind, model = scene.kinds[tile], scene.model
    mine = now.where.get(tile) in (None, HANDS[seat])
    if kind >= STANDING:
        yield from _flowers(scene, now, tile, seat, at_ms)
        return
    if kind in now.owed[seat] and mine:
        if now.where.get(tile) is None:
            for place in scene.places_for(now, seat, tile):
                yield now.with_bound(seat, place, tile, kind, 0).with_laid(seat, tile, kind, model.missed)
        else:
            yield now.with_laid(seat, tile, kind, model.missed)
    for then in _offered(scene, now, tile, seat, at_ms):
        if then.offer is not None and not then.offer.added:
            yield from _claimed_sets(scene, then, seat, at_ms)
    undone = scene.put_back(now)
    if undone is not None and _offers(undone, seat, tile):
        yield from _claimed_sets(scene, undone, seat, at_ms)
    if not mine or now.out >> seat & 1:
        return
    if undone is not None and seat != undone.seat and undone.offer is not None and undone.offer.kind == kind:
        for then in _claimed_sets(scene, undone, seat, at_ms):
            yield from _laid_first(scene, then, tile, seat)
    offer = now.offer
    if offer is not None and offer.seat != seat and not offer.added and _goes_with(now, offer, kind, seat):
        for then in _claimed_sets(scene, now, seat, at_ms):
            yield from _laid_first(scene, then, tile, seat)
    elif now.may_hold(seat, kind) >= 2 and kind not in now.owed[seat]:
        for offered in unseen_offers(scene, now, kind, seat, at_ms):
            for then in _claimed_sets(scene, offered, seat, at_ms):
                yield from _laid_first(scene, then, tile, seat)
    for then in reach(scene, now, TURN, seat, at_ms):
        if then.fresh:
            yield from _own_kongs(scene, then, tile, seat, at_ms)


def _offers(undone: Explanation, seat: int, tile: int) -> bool:
    """Whether the seat may claim that tile late; who has drawn since has let it pass."""
    return undone.offer is not None and undone.offer.tile == tile and seat not in (undone.offer.seat, undone.seat)


def _flowers(scene: Scene, now: Explanation, tile: int, seat: int, at_ms: int) -> Iterator[Explanation]:
    """A flower is laid out beside the sets: one that was dealt, or drawn just now."""
    times = [now] if now.phase == MUST_DRAW and now.loose and now.seat == seat else []
    if now.starting:
        times += reach(scene, now, START, None, at_ms)
    for then in (*times, *reach(scene, now, TURN, seat, at_ms)):
        for known in _held(scene, then, tile, seat):
            yield known.flower_laid(seat, tile, scene.kinds[tile], at_ms, 0)


def _goes_with(now: Explanation, offer: Offer, kind: int, seat: int) -> bool:
    """Whether a tile of that kind may be in one set with the tile offered, if the seat claims it."""
    return offer.kind == kind or any(kind in (low, low + 1, low + 2) for low in _chows(now, offer, seat))


def _chows(now: Explanation, offer: Offer, seat: int) -> tuple[int, ...]:
    """The lowest kinds of the chows that the seat may make with the tile offered, and may have the tiles for."""
    kind = offer.kind
    if not now.ways.has_chows or not 0 <= kind < SUITED or seat != (offer.seat + 1) % 4:
        return ()
    first = kind - kind % 9
    lows = range(max(kind - 2, first), min(kind, first + 6) + 1)
    hand, free = now.hands[seat], now.free(seat)
    return tuple(
        low
        for low in lows
        if sum(1 for one in (low, low + 1, low + 2) if one != kind and not hand >> 8 * one & 7) <= free
    )


def _own_kongs(scene: Scene, now: Explanation, tile: int, seat: int, at_ms: int) -> Iterator[Explanation]:
    kind, model = scene.kinds[tile], scene.model
    illegal = 0 if scene.may_draw(now, seat) else model.illegal
    if now.pungs[seat] >> 8 * kind & 7:
        for known in _held(scene, now, tile, seat):
            yield known.added_kong(tile, kind, at_ms, illegal)
    elif now.may_hold(seat, kind) >= 4:
        then = now.concealed_kong(kind, at_ms, illegal)
        yield from _laid_first(scene, _settle_ghosts(scene, then, (kind,), seat), tile, seat)


def _claimed_sets(scene: Scene, now: Explanation, seat: int, at_ms: int) -> Iterator[Explanation]:
    """Pung, kong and chow of the tile offered, by a seat that may have the tiles for it."""
    offer, model = now.offer, scene.model
    if offer is None or offer.kind < 0 or offer.seat == seat or now.out >> seat & 1:
        return
    held = now.may_hold(seat, offer.kind)
    cost = scene.claim_cost(seat, offer.at_ms)
    if held >= 2:
        then = now.claimed_set(seat, 3, at_ms, cost)
        yield _settle_ghosts(scene, then, (offer.kind,), seat)
    if held >= 3:
        illegal = 0 if scene.may_draw(now, seat) else model.illegal
        then = now.claimed_set(seat, 4, at_ms, cost + illegal)
        yield _settle_ghosts(scene, then, (offer.kind,), seat)
    for low in _chows(now, offer, seat):
        then = now.claimed_chow(seat, low, at_ms, cost)
        yield _settle_ghosts(scene, then, (low, low + 1, low + 2), seat)


def _offered(scene: Scene, now: Explanation, tile: int, seat: int, at_ms: int) -> Iterator[Explanation]:
    """Where `tile` is what `seat` may claim: as it is, or once the discard that nobody saw is made up for."""
    offer, model = now.offer, scene.model
    if now.out >> seat & 1:
        return
    if offer is not None and offer.seat != seat:
        if offer.tile == tile:
            yield now
        elif offer.tile == ANY and scene.kinds[tile] == offer.kind:
            yield now.with_offered(tile)
        elif now.open[offer.seat] == offer.tile and now.where.get(tile) in (None, HANDS[offer.seat]):
            for known in _held(scene, now, tile, offer.seat):
                yield known.with_discard_found(offer.seat, tile, scene.kinds[tile], -model.still_read)
    lies = now.where.get(tile)
    if lies is None or is_hand(lies):
        holder = now.seat if lies is None else seat_of(lies)
        if holder != seat:
            for then in reach(scene, now, TURN, holder, at_ms):
                for known in _held(scene, then, tile, holder):
                    yield scene.discard(known, tile, at_ms, model.missed)
                    if then.fresh and then.pungs[holder] >> 8 * scene.kinds[tile] & 7 and scene.may_draw(then):
                        yield known.added_kong(tile, scene.kinds[tile], at_ms, model.missed)


def _held(scene: Scene, now: Explanation, tile: int, seat: int) -> Iterator[Explanation]:
    """The explanations in which `tile` is known to stand in the hand: as it is, or in the place of an unseen one."""
    kind = scene.kinds[tile]
    if now.where.get(tile) == HANDS[seat]:
        if now.hands[seat] >> 8 * kind & 7:
            yield now
    elif now.where.get(tile) is None:
        for place in scene.places_for(now, seat, tile):
            known = now.with_bound(seat, place, tile, kind, 0)
            if known.hands[seat] >> 8 * kind & 7:
                yield known


def _laid_first(scene: Scene, now: Explanation, tile: int, seat: int) -> Iterator[Explanation]:
    """The tile that told of a set is one of those laid down."""
    kind = scene.kinds[tile]
    if kind not in now.owed[seat]:
        return
    if now.where.get(tile) == HANDS[seat]:
        yield now.with_laid(seat, tile, kind, scene.model.missed)
    elif now.where.get(tile) is None:
        for place in scene.places_for(now, seat, tile):
            yield now.with_bound(seat, place, tile, kind, 0).with_laid(seat, tile, kind, scene.model.missed)


def _settle_ghosts(scene: Scene, now: Explanation, kinds: tuple[int, ...], seat: int) -> Explanation:
    """Tiles of the set that were read among the sets before it was declared were no ghosts."""
    for tile, reader in now.ghosts.items():
        laid = reader == MELDS[seat] and now.where.get(tile) == HANDS[seat]
        kind = scene.kinds[tile]
        if laid and kind in kinds and kind in now.owed[seat]:
            now = now.with_laid(seat, tile, kind, scene.model.missed).with_ghost_cleared(tile, scene.model.ghost)
    return now


_Meaning = Callable[[Scene, Explanation, int, int, int], Iterator[Explanation]]
_MEANINGS: tuple[_Meaning, _Meaning, _Meaning] = (_in_hand, _among_sets, _among_discards)
"""By the kind of zone: hand, sets, discards."""
