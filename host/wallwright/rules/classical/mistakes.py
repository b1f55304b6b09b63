"""What a club's ruleset makes of mistakes at the table: late claims, wrong numbers of tiles, tiles that fell open."""

from collections.abc import Iterator

from wallwright.rules.classical.declared import LONG, Declared
from wallwright.rules.classical.hand import HAND
from wallwright.rules.classical.ruleset import Cumberland, Rules
from wallwright.rules.core.errors import ImpossibleDeal
from wallwright.rules.core.tile_words import Tiles
from wallwright.words import Seat, Words, words


def check_mistakes(deal: Declared, rules: Rules) -> None:
    """ImpossibleDeal, with the clause, for a win that a mistake rules out, or a mistake that the hand does not show."""
    clause = "CUM-3.1" if isinstance(rules, Cumberland) else "BAL-3.1"
    if deal.claimed_ms is not None and deal.claimed_ms > rules.claim_ms:
        late = f"the winning tile was claimed after {deal.claimed_ms} ms, and may be for {rules.claim_ms} ms"
        raise ImpossibleDeal(f"{late}: the discard was gone ({clause})")
    clause = "CUM-7.1" if isinstance(rules, Cumberland) else "BAL-10.1"
    for one in deal.miscounts:
        if one.seat == deal.winner and not _is_mended(rules):
            raise ImpossibleDeal(f"seat {one.seat} had a wrong number of tiles and cannot win ({clause})")
        hand = deal.hands[one.seat]
        if hand is not None and not _is_mended(rules) and (hand.length > HAND) != (one.what == LONG):
            raise ImpossibleDeal(
                f"the hand of seat {one.seat} is {one.what}, and {hand.length} tiles are shown ({clause})"
            )


def long_hands(deal: Declared) -> frozenset[int]:
    """The seats with too many tiles."""
    return frozenset(one.seat for one in deal.miscounts if one.what == LONG)


def mistake_notes(deal: Declared, rules: Rules) -> Iterator[Words]:
    """What is said of each mistake that was noted."""
    for kind in deal.flipped:
        tile = Tiles((kind,))
        if isinstance(rules, Cumberland) and rules.flipped == "shuffle":
            yield words("{tile} fell open while it was dealt and was shuffled back into the wall (CUM-2.4).", tile=tile)
        else:
            yield words("{tile} fell open while it was dealt and stayed in its place (CUM-2.4).", tile=tile)
    for one in deal.miscounts:
        if _is_mended(rules):
            yield words("{seat} has put a wrong number of tiles right (BAL-10.1).", seat=Seat(one.seat, True))
        elif not isinstance(rules, Cumberland):
            yield words("{seat} had a wrong number of tiles and could not win (BAL-10.1).", seat=Seat(one.seat, True))
        elif one.what == LONG:
            yield words("{seat} had too many tiles: the hand scores 0 (CUM-7.1, 7.2).", seat=Seat(one.seat, True))
        else:
            yield words("{seat} had too few tiles and could not win (CUM-7.1).", seat=Seat(one.seat, True))


def _is_mended(rules: Rules) -> bool:
    return not isinstance(rules, Cumberland) and rules.count_error == "mend"
