"""Whole sessions of Hong Kong by bots: deals end, tiles are conserved, dealers and winds go round (HKO-4, 8)."""

from collections import Counter
from itertools import islice
from random import Random

import pytest

from tests.length import length
from wallwright.rules.core.bots import RandomBot
from wallwright.rules.hong_kong.bots import SmartBot, View
from wallwright.rules.hong_kong.deal import Deal
from wallwright.rules.hong_kong.play import play, session, shuffled_deal
from wallwright.rules.hong_kong.ruleset import load_ruleset

RULESETS = {
    "hong-kong": load_ruleset("hong-kong"),
    "with flowers": load_ruleset("hong-kong", {"flowers": True, "dead_wall": 14, "last_discard": True}),
    "all win": load_ruleset("hong-kong", {"multi_win": "all", "seven_pairs": 4, "nine_call": "auto"}),
    "hong-kong-modern": load_ruleset("hong-kong-modern"),
}
each_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


def rng() -> Random:
    seed = Random().randrange(1 << 32)
    print(f"seed {seed}")
    return Random(seed)


def all_tiles(deal: Deal) -> Counter[int]:
    """Every tile there is: with players, on the table, and in the wall where neither end has been."""
    assert deal.wall is not None
    state = deal.state
    found = Counter({kind: count for kind, count in enumerate(deal.known()) if count})
    if state.won is not None and state.won.by == "discard":
        found[state.offered] += 1
    taken_by_tail = set(deal.tail[: state.tail])
    found.update(kind for place, kind in enumerate(deal.wall) if place >= state.head and place not in taken_by_tail)
    return found


@pytest.mark.slow
@each_ruleset
def test_hko_1_1_tiles_are_conserved_with_every_act(ruleset):
    chance = rng()
    whole = Counter(ruleset.tiles)
    for _ in range(6):
        _, deal = shuffled_deal(ruleset, chance.randrange(4), "E", chance)
        before = [deal.hand(seat) for seat in range(4)]
        while not deal.is_over:
            # Late claims and calls among the rest.
            acts = (*deal.legal(), *deal.late(), *deal.calls())
            deal.apply(chance.choice(acts))
            assert all_tiles(deal) == whole
        settled = deal.settle()
        assert sum(settled.points) == 0
        while deal.log:
            deal.undo()
        assert [deal.hand(seat) for seat in range(4)] == before
        assert all_tiles(deal) == whole


@pytest.mark.slow
@each_ruleset
def test_hko_8_1_and_8_2_two_hundred_deals_end_and_dealers_go_round(ruleset):
    chance = rng()
    played = 0
    while played < 200:
        dealer, passed = 2, 0
        wind: str | None = "E"
        for _, deal, settlement in islice(session(ruleset, [RandomBot()] * 4, chance, dealer=2), 200 - played):
            played += 1
            assert (deal.dealer, deal.round_wind) == (dealer, wind)
            assert sum(settlement.points) == 0
            assert settlement.end in ("win", "wall")
            won = {winner.seat for winner in settlement.winners}
            stays = settlement.end == "wall" or dealer in won
            passed += not stays
            dealer = dealer if stays else (dealer + 1) % 4
            assert settlement.next_dealer == dealer
            wind = "ESWN"[passed // 4] if passed < 16 else None
            assert settlement.round_wind == wind
        assert passed == 16 or played == 200


@pytest.mark.slow
@each_ruleset
def test_smart_bots_win_at_least_every_second_deal(ruleset):
    chance = rng()
    ends: Counter[str] = Counter()
    faan = []
    for _ in range(length(4, 200)):
        _, deal = shuffled_deal(ruleset, chance.randrange(4), chance.choice("ESWN"), chance)
        play(deal, [SmartBot()] * 4, chance)
        ends[str(deal.state.end)] += 1
        settled = deal.settle()
        assert sum(settled.points) == 0
        faan += [score.faan for score in settled.scores if score is not None]
    assert ends["win"] >= ends.total() / 2, ends
    assert all(one >= min(ruleset.min_faan, 3) for one in faan)


@pytest.mark.slow
def test_hko_8_2_a_session_has_sixteen_deals_at_least():
    chance = rng()
    deals = list(session(RULESETS["hong-kong"], [SmartBot()] * 4, chance, dealer=1))
    assert len(deals) >= 16
    assert deals[-1].settlement.round_wind is None
    assert [one.deal.round_wind for one in deals] == sorted((one.deal.round_wind for one in deals), key="ESWN".index)


def test_hko_9_2_a_bot_sees_its_own_hand_and_what_lies_open():
    _, deal = shuffled_deal(RULESETS["hong-kong"], 0, "E", rng())
    views = [View(deal, seat) for seat in range(4)]
    for _ in range(30):
        if not deal.is_over:
            deal.apply(deal.legal()[-1])
    for seat, view in enumerate(views):
        hidden = Counter(kind for other in range(4) if other != seat for kind in deal.hand(other))
        assert deal.wall is not None
        taken = set(deal.tail[: deal.state.tail])
        hidden.update(kind for at, kind in enumerate(deal.wall) if at >= deal.state.head and at not in taken)
        # What it has not seen are the others' hands and the wall, and nothing tells which is which.
        assert Counter({kind: left for kind, left in enumerate(view.unseen()) if left}) == hidden
        assert set(vars(view)) == {"_deal", "seat", "ruleset", "valued"}
