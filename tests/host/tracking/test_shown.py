"""Hands read once at a deal's end fill a declared deal, and what was not read whole is left to the scorer."""

import random
import re
from dataclasses import replace

from wallwright.rules.declared import DeclaredDeal
from wallwright.rules.events import Event, Hu
from wallwright.rules.settlement import Settlement
from wallwright.rules.tiles import tile_name
from wallwright.tracking.final_hands import final_hands, shown_hands, with_hands
from wallwright.tracking.zones import HANDS, MELDS

from .acted import Acted, act_out
from .truth import plain_deals


def declared(acted: Acted) -> list[Event]:
    """What players say: the events without any hand."""
    return [
        replace(event, winners=tuple(replace(one, standing=None, melds=()) for one in event.winners))
        if isinstance(event, Hu)
        else event
        for event in acted.deal.events
    ]


def settle(acted: Acted, read: dict[int, list[bytes]]) -> tuple[Settlement | None, list[str]]:
    deal = acted.deal
    told = declared(acted)
    hands = shown_hands(read, acted.tiles, told)
    problems = [hand.problem for hand in hands if hand.problem]
    if problems:
        return None, problems
    again = DeclaredDeal(deal.ruleset, deal.dealer)
    for event in with_hands(told, hands):
        again.add(event)
    assert deal.end is not None
    voids = {seat: void for seat in range(4) if (void := deal.void(seat)) is not None}
    lenient = [seat for seat in range(4) if all(kind // 9 == voids[seat] for kind in deal.discards(seat))]
    again.end(deal.end, final_hands(told, hands, voids, lenient))
    return again.settle(), []


def lying(acted: Acted) -> dict[int, list[bytes]]:
    """The tags in the zones of hands and sets when the deal is over, as a reader without errors has them."""
    at: dict[bytes, int] = {}
    for event in acted.events:
        at[event.tag] = event.reader
    return {reader: [tag for tag, there in at.items() if there == reader] for reader in (*HANDS, *MELDS)}


def test_hands_read_at_the_end_settle_the_deal_as_if_typed(seed: int) -> None:
    deals = plain_deals(random.Random(seed), "sichuan-4")
    for _ in range(6):
        number, deal = next(deals)
        acted = act_out(deal, number)
        settlement, problems = settle(acted, lying(acted))
        assert problems == []
        assert settlement is not None
        assert settlement.points == deal.settle().points, number
        assert settlement.next_dealer == deal.settle().next_dealer


def test_a_hand_that_lacks_a_tile_is_named_and_left_to_the_scorer() -> None:
    number, deal = next(plain_deals(random.Random(1)))
    acted = act_out(deal, number)
    read = lying(acted)
    read[HANDS[2]].pop()
    settlement, problems = settle(acted, read)
    assert settlement is None
    assert len(problems) == 1
    assert re.fullmatch(
        r"seat 2 has (\d+ standing tiles read .*|won, and not all of its .*); type this hand", problems[0]
    )
    told = declared(acted)
    hands = shown_hands(read, acted.tiles, told)
    assert 2 not in {hand.seat for hand in final_hands(told, hands, {})}
    for event in with_hands(told, hands):
        for winner in event.winners if isinstance(event, Hu) else ():
            assert (winner.standing is None) == (winner.seat == 2)


def test_sets_that_do_not_fit_what_was_declared_are_named() -> None:
    number, deal = next(
        (number, deal)
        for number, deal in plain_deals(random.Random(2))
        if any(not meld.is_kong for seat in range(4) for meld in deal.melds(seat))
    )
    acted = act_out(deal, number)
    seat = next(seat for seat in range(4) if any(not meld.is_kong for meld in deal.melds(seat)))
    kind = next(meld.tile for meld in deal.melds(seat) if not meld.is_kong)
    read = lying(acted)
    read[MELDS[seat]].remove(next(tag for tag in read[MELDS[seat]] if acted.tiles[tag] == kind))
    _, problems = settle(acted, read)
    assert problems == [f"seat {seat} shows 2 of {tile_name(kind)} as a set; type this hand"]
