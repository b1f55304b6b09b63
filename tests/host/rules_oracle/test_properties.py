"""What holds in every deal that the engine plays, whatever is chosen. (SBR-1.1, SBR-4.9, SBR-5.4, SBR-6.7)"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.host.rules_oracle.bridge import engine_deal
from tests.length import length
from tests.reference.rulesets import RULESETS
from tests.reference.starts import blind, chained, contested, rigged
from tests.reference.table9 import MOST, allowed_pairs, pairs_of
from wallwright.rules.core.errors import IllegalAction
from wallwright.rules.sichuan.actions import Action, parse_action
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.melds import MeldType
from wallwright.rules.sichuan.packed import unpack_tiles

# Four void suits, 55 draws and no more than five actions (turn, three answers, a robbed tile) for each.
LONGEST = 4 + 6 * (1 + 55)
RULES = st.sampled_from(sorted(RULESETS))
# One number stands for all choices of a deal: hundreds of draws would be more than hypothesis keeps for an example.
SEEDS = st.integers(0, 2**32 - 1)
MANY = settings(max_examples=length(30, 300))


def start(ruleset: str, chance: random.Random) -> Deal:
    return engine_deal(chance.choice((blind, rigged, contested, chained))(chance), ruleset)


def choose(deal: Deal, chance: random.Random) -> Action:
    """Likes Hu, then cards as void suits, kongs and pungs, then to discard the tile just drawn; or does anything."""
    actions = deal.legal_actions()
    drawn = deal.drawn
    wishes = (
        (0.9, [action for action in actions if action.verb == "hu"]),
        (0.9, [action for action in actions if action.verb == "void" and action.tile is None]),
        (0.3, [action for action in actions if action.verb in ("kong", "pung")]),
        (0.8, [action for action in actions if action.verb == "discard" and action.tile == drawn]),
    )
    for likely, wished in wishes:
        if wished and chance.random() < likely:
            return chance.choice(wished)
    return chance.choice(actions)


def moments(deal: Deal, chance: random.Random) -> Iterator[Deal]:
    """The deal after every action until it is over; it must end."""
    for _ in range(LONGEST):
        yield deal
        if deal.is_over:
            return
        deal.apply(choose(deal, chance))
    pytest.fail(f"no end after {LONGEST} actions")


def copies(deal: Deal) -> Counter[int]:
    """Where all tiles but those of the wall are: standing, declared, open on the table, or on offer to be robbed."""
    tiles = Counter(unpack_tiles(deal.pool()))
    for seat in range(4):
        tiles.update(deal.hand(seat))
        for meld in deal.melds(seat):
            tiles.update({meld.tile: 3 if meld.type is MeldType.PUNG else 4})
    if deal.offered is not None and tiles.total() + deal.wall_left == 107:
        # A tile added to a pung is in neither hand nor set while others may still rob it.
        tiles[deal.offered] += 1
    return tiles


def snapshot(deal: Deal) -> dict[str, Any]:
    """All that can be asked of a deal."""
    seats = range(4)
    return {
        "hands": [deal.hand(seat) for seat in seats],
        "melds": [deal.melds(seat) for seat in seats],
        "discards": [deal.discards(seat) for seat in seats],
        "voids": [deal.void(seat) for seat in seats],
        "indicators": [deal.indicator(seat) for seat in seats],
        "out": [deal.has_won(seat) for seat in seats],
        "wall": deal.wall_left,
        "drawn": deal.drawn,
        "offered": deal.offered,
        "pool": deal.pool(),
        "events": deal.events,
        "pending": deal.pending,
        "actions": deal.legal_actions(),
        "end": deal.end,
    }


@MANY
@given(RULES, SEEDS)
def test_no_tile_is_ever_in_two_places(ruleset, deal_seed):
    chance = random.Random(deal_seed)
    table = chance.choice((blind, rigged, contested, chained))(chance)
    wall = [9 * (tile // 10 - 1) + tile % 10 - 1 for tile in table.wall]
    for deal in moments(engine_deal(table, ruleset), chance):
        left = Counter(wall[len(wall) - deal.wall_left :])
        assert copies(deal) + left == Counter(dict.fromkeys(range(27), 4))


@MANY
@given(RULES, SEEDS)
def test_a_hand_has_thirteen_tiles_but_in_its_own_turn(ruleset, deal_seed):
    chance = random.Random(deal_seed)
    for deal in moments(start(ruleset, chance), chance):
        in_turn = {action.seat for action in deal.legal_actions() if action.verb == "discard"}
        # The dealer holds the fourteenth tile while the void suits are chosen.
        in_turn |= {dealer for dealer in range(4) if None in map(deal.void, range(4)) and len(deal.hand(dealer)) == 14}
        for seat in range(4):
            if not deal.has_won(seat):
                assert len(deal.hand(seat)) + 3 * len(deal.melds(seat)) == 13 + (seat in in_turn)


@MANY
@given(RULES, SEEDS)
def test_undo_takes_everything_back(ruleset, deal_seed):
    chance = random.Random(deal_seed)
    deal = start(ruleset, chance)
    past = [snapshot(moment) for moment in moments(deal, chance)]
    for before in reversed(past[:-1]):
        deal.undo()
        assert snapshot(deal) == before
    with pytest.raises(IllegalAction):
        deal.undo()


@MANY
@given(RULES, SEEDS)
def test_a_deal_of_legal_actions_has_nothing_wrong_and_sums_to_its_penalties(ruleset, deal_seed):
    chance = random.Random(deal_seed)
    deal = start(ruleset, chance)
    for _ in moments(deal, chance):
        pass
    assert deal.status() == ()
    settlement = deal.settle()
    assert sum(settlement.points) == -sum(penalty.points for penalty in settlement.penalties)
    by_hand = [0, 0, 0, 0]
    for payment in settlement.payments:
        assert payment.points > 0
        assert payment.payer != payment.payee
        by_hand[payment.payer] -= payment.points
        by_hand[payment.payee] += payment.points
    for penalty in settlement.penalties:
        by_hand[penalty.seat] -= penalty.points
    assert tuple(by_hand) == settlement.points


@MANY
@given(RULES, SEEDS)
def test_no_hu_breaks_the_table_of_compatibility(ruleset, deal_seed):
    chance = random.Random(deal_seed)
    deal = start(ruleset, chance)
    for _ in moments(deal, chance):
        pass
    for event in deal.settle().hu:
        for judged in event.winners:
            assert not judged.false
            assert judged.score is not None
            items = judged.score.items
            assert pairs_of(items) <= allowed_pairs(ruleset)
            assert all(items.get(item, 0) <= most for item, most in MOST.items())


@MANY
@given(RULES, SEEDS)
def test_what_is_not_legal_is_refused_and_changes_nothing(ruleset, deal_seed):
    chance = random.Random(deal_seed)
    deal = start(ruleset, chance)
    for moment in moments(deal, chance):
        seat, tile = chance.randrange(4), f"{chance.randint(1, 9)}{chance.choice('mps')}"
        verb = chance.choice(("pass", "hu", f"hu {tile}", f"discard {tile}", f"kong {tile}", f"pung {tile}"))
        action = parse_action(f"{seat} {verb}")
        if action not in moment.legal_actions():
            before = snapshot(moment)
            assert moment.why_not(action)
            with pytest.raises(IllegalAction):
                moment.apply(action)
            assert snapshot(moment) == before


@MANY
@given(RULES, SEEDS)
def test_the_declared_deal_settles_as_the_tracked_one(ruleset, deal_seed):
    chance = random.Random(deal_seed)
    deal = start(ruleset, chance)
    for _ in moments(deal, chance):
        pass
    tracked, declared = deal.settle(), deal.declared().settle()
    assert (tracked.points, tracked.payments, tracked.penalties) == (
        declared.points,
        declared.payments,
        declared.penalties,
    )
    assert tracked.next_dealer == declared.next_dealer
