"""What was against the rules is told to the referee, with its time, and is not made legal by the account."""

import random
import re

import pytest

from wallwright.rules.core.errors import HandError
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.bots import RandomBot, SmartBot
from wallwright.rules.sichuan.claims import CLAIM_WINDOW_MS
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.ruleset import load_ruleset

from .acted import act_out
from .truth import is_exact, plain_deals, tracked


def play_until(deal: Deal, rng: random.Random, verb: str) -> bool:
    """Let bots play until somebody may do that; whether it came to that."""
    while not deal.is_over:
        legal = deal.legal_actions()
        if legal[0].verb == act.DRAW and deal.log[-1].verb == verb:
            return True
        deal.apply(RandomBot().choose(deal.view(legal[0].seat), legal, rng))
    return False


def test_a_forbidden_suit_that_is_kept_back_is_told() -> None:
    rng = random.Random(5)
    number, whole = next(plain_deals(rng, "chengdu-2016"))
    deal = Deal(whole.ruleset, whole.dealer, whole.dealt, whole.wall_size, whole.wall)
    wrong = None
    while not deal.is_over:
        legal = deal.legal_actions()
        seat = legal[0].seat
        held = [kind for kind in deal.hand(seat) if kind // 9 != deal.void(seat)]
        action = SmartBot().choose(deal.view(seat), legal, rng)
        holds_void = sum(kind // 9 == deal.void(seat) for kind in deal.hand(seat)) > 1
        if wrong is None and action.verb == act.DISCARD and deal.indicator(seat) is None and holds_void:
            wrong = action = act.DISCARDS[seat][held[0]]
        deal.push(action)
    assert wrong is not None
    outcome = tracked(act_out(deal, number))
    assert outcome.account is not None
    assert is_exact(outcome.account, deal)
    (notice,) = outcome.account.notices
    assert notice.text.startswith(f"seat {wrong.seat}, {str(wrong)[2:]}: a tile of the forbidden suit")
    assert notice.at_ms == outcome.account.times[deal.log.index(wrong)]


def test_a_kong_without_a_replacement_is_the_referees() -> None:
    rules = load_ruleset("sichuan")
    for seed in range(50):
        rng = random.Random(seed)
        _, deal = shuffled_deal(rules, 0, rng)
        if not play_until(deal, rng, act.KONG) or deal.wall_left < 8:
            continue
        seat = deal.pending[0]
        if deal.indicator(seat) is not None:
            continue
        void = [kind for kind in deal.hand(seat) if kind // 9 == deal.void(seat)]
        deal.push(act.DISCARDS[seat][(void or list(deal.hand(seat)))[0]])
        play(deal, (RandomBot(),) * 4, rng)
        if deal.end == "wall" and not deal.has_won(seat):
            break
    with pytest.raises(HandError):
        deal.settle()
    outcome = tracked(act_out(deal, seed))
    assert outcome.account is None
    assert outcome.question is None
    assert "call the referee" in outcome.problem
    assert ["no replacement was taken for the kong" in notice.text for notice in outcome.notices] == [True]


def test_sbr_11_7_claims_after_three_seconds_are_told_where_there_are_keys() -> None:
    number, deal = next(
        (number, deal)
        for number, deal in plain_deals(random.Random(3))
        if sum(action.verb == act.PUNG for action in deal.log) == 2 and len(deal.events) == 2
    )
    in_time = tracked(act_out(deal, number, keys=True), keys=True).account
    assert in_time is not None
    assert in_time.notices == ()
    late = tracked(act_out(deal, number, keys=True, hesitate_ms=CLAIM_WINDOW_MS), keys=True).account
    assert late is not None
    assert is_exact(late, deal)
    claimed = [action for action in late.deal.log if action.verb == act.PUNG]
    texts = [notice.text for notice in late.notices]
    assert [text for text in texts if any(f"seat {one.seat} claimed" in text for one in claimed)]
    assert all(
        re.fullmatch(r"seat \d claimed [3-9]\.\d s after the tile lay open \(SBR-4\.5\)", text) for text in texts
    )
    # Without keys nobody knows when a claim was declared.
    silent = tracked(act_out(deal, number, hesitate_ms=CLAIM_WINDOW_MS)).account
    assert silent is not None
    assert silent.notices == ()
