"""Values that a table agreed on, held against what the same record tells of those hands (SBR-5.3, 5.4, 6.5).

The rules settle such a deal as it stands: a person wrote down both, and only a referee can say which of them is right.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations

from wallwright.rules.core.errors import HandError
from wallwright.rules.sichuan.declared import DeclaredDeal, kongs_differ
from wallwright.rules.sichuan.events import THREE_HU, WALL, Breach, FinalHand, Hu, Winner, declared_kongs
from wallwright.rules.sichuan.explain import ITEMS
from wallwright.rules.sichuan.fans import (
    HAND_ITEMS,
    ROBBING_KONG,
    UNDER_THE_SEA,
    HandScore,
    condition_flags,
    score_items,
)
from wallwright.rules.sichuan.judge import hu_conditions, worths
from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.words import Listed, Sayable, Seat, Words, plural, told_by, words

_LAST_TILE = "under_the_sea"
_MOST_ROOTS = 3
_SETS = 4
_SUITS = 3


def contradictions(deal: DeclaredDeal) -> tuple[Words, ...]:
    """Return what a finished deal says of one hand in two ways that cannot both be right, as sentences."""
    return (*_of_hu(deal), *_of_hands(deal))


def _of_hu(deal: DeclaredDeal) -> Iterator[Words]:
    events = [event for event in deal.events if not isinstance(event, Breach)]
    for at, hu in ((at, one) for at, one in enumerate(events) if isinstance(one, Hu)):
        ends_here = at == len(events) - 1 and deal.ended in (THREE_HU, WALL)
        is_last = any(_LAST_TILE in winner.conditions for winner in hu.winners)
        if is_last and not ends_here:
            yield words(
                "{seat} won on the last tile of the wall, and the deal went on (SBR-4.9)", seat=Seat(hu.winners[0].seat)
            )
        for winner in hu.winners:
            if winner.value is not None and not winner.false:
                yield from _of_winner(deal, hu, winner, declared_kongs(events[:at], winner.seat), is_last, ends_here)


def _of_winner(
    deal: DeclaredDeal, hu: Hu, winner: Winner, kongs: int, is_last: bool, ends_here: bool
) -> Iterator[Words]:
    try:
        flags = condition_flags(hu_conditions(hu, winner, deal.ruleset), deal.ruleset)
    except HandError as error:
        yield words("how the tile came is told in two ways: {why}", why=told_by(error))
        return
    flags |= UNDER_THE_SEA if is_last else 0
    may_be_last = ends_here and not flags & (ROBBING_KONG | UNDER_THE_SEA)
    scores = _scores(deal.ruleset, kongs, flags, may_be_last, winner.melds)
    assert winner.value is not None
    yield from _compared(deal.ruleset, winner.seat, winner.value, kongs, winner.melds, scores)


def _of_hands(deal: DeclaredDeal) -> Iterator[Words]:
    ruleset = deal.ruleset
    for hand in deal.hands if deal.ended == WALL else ():
        if not hand.value:
            continue
        kongs = declared_kongs(deal.events, hand.seat)
        if ruleset.wall_end_value == "one":
            if hand.value != 1:
                text = "{seat}: {value} was agreed, but a waiting hand is worth 1 (SBR-10.3)"
                yield words(text, seat=Seat(hand.seat), value=hand.value)
        elif hand.value not in worths(ruleset):
            yield _no_value(hand, ruleset)
        else:
            scores = _scores(ruleset, kongs, 0, False, hand.melds)
            counted = kongs if ruleset.wall_end_kongs else 0
            yield from _compared(ruleset, hand.seat, hand.value, kongs, hand.melds, scores, counted)


def _no_value(hand: FinalHand, ruleset: Ruleset) -> Words:
    known = ", ".join(map(str, worths(ruleset)))
    return words(
        "{seat}: {value} is not the value of a hand: {values}",
        seat=Seat(hand.seat),
        value=hand.value or 0,
        values=known,
    )


def _compared(
    ruleset: Ruleset,
    seat: int,
    value: int,
    kongs: int,
    melds: Sequence[Meld],
    scores: Sequence[HandScore],
    counted: int | None = None,
) -> Iterator[Words]:
    """The value against the kongs that were declared, and those of a hand that could be; `counted` have fans."""
    shown = sum(meld.is_kong for meld in melds)
    if melds and shown != kongs:
        yield kongs_differ(seat, shown, kongs)
        return
    if not scores:
        yield words("{seat}: no complete hand has what was declared of it (SBR-5.4)", seat=Seat(seat))
        return
    less = 0 if counted is None else kongs - counted
    least, most = (bound(scores, key=lambda score: score.fans) for bound in (min, max))
    low, high = ruleset.value(least.fans - less), ruleset.value(most.fans - less)
    if value < low:
        text = "{seat}: {value} was agreed, but with {items} its hand is worth {least} at least (SBR-5.3)"
        yield words(text, seat=Seat(seat), value=value, items=_items(least), least=low)
    elif value > high:
        text = "{seat}: {value} was agreed, but after what was declared its hand is worth {most} at most (SBR-5.4)"
        yield words(text, seat=Seat(seat), value=value, most=high)


def _items(score: HandScore) -> Listed:
    """The items by which a hand is worth its least; kongs are counted."""
    parts: list[Sayable] = []
    for name, fans in score.items.items():
        if name == "kong":
            parts.append(words(plural("{count} declared kong", "{count} declared kongs"), count=fans))
        else:
            parts.append(ITEMS[name])
    return Listed(tuple(parts))


@lru_cache(maxsize=1 << 10)
def _scores(
    ruleset: Ruleset, kongs: int, flags: int, may_be_last: bool, melds: tuple[Meld, ...]
) -> tuple[HandScore, ...]:
    """All that a hand with so many kongs can come to whose last tile came as `flags` say. `melds` are all of its
    declared sets, or none where they are not known.
    """
    found = []
    for way in (flags, flags | UNDER_THE_SEA) if may_be_last else (flags,):
        for items in _agreed_items():
            if _fits(items, melds):
                try:
                    found.append(score_items(items, kongs, way, ruleset))
                except HandError:
                    continue
    return tuple(found)


def _agreed_items() -> Iterable[tuple[str, ...]]:
    once = [name for name in HAND_ITEMS if name != "root"]
    chosen = chain.from_iterable(combinations(once, count) for count in range(len(once) + 1))
    return (items + ("root",) * roots for items in chosen for roots in range(_MOST_ROOTS + 1))


def _fits(items: tuple[str, ...], melds: Sequence[Meld]) -> bool:
    """Say whether a hand with these declared sets can have those items (SBR-5.1 to 5.3)."""
    if not melds:
        return True
    suits = {meld.tile // 9 for meld in melds}
    is_golden = len(melds) == _SETS
    return (
        len(suits) < _SUITS
        and "seven_pairs" not in items
        and is_golden == ("golden_wait" in items)
        and not (len(suits) > 1 and "full_flush" in items)
    )
