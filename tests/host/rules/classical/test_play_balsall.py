"""Flower rounds, claims and the goulash of Balsall. (BAL-2.3, BAL-3.1, BAL-8)"""

from collections import Counter

import pytest

from tests.host.rules.classical.playing import deal_of, legal, run, sitting
from wallwright.rules.core.play.actions import parse_action
from wallwright.rules.core.tiles import parse_tiles

WAITS_5M = "46m123m789m123m11z"


def test_bal_2_3_flowers_in_rounds_or_each_players_to_the_end():
    hands, tail = ("1f2f", "3f", "", "4f"), "5f9m6f9p9s1m1p1s"
    deal = deal_of(sitting("balsall"), *hands, tail=tail)
    texts = []
    while deal.legal_actions()[0].verb in ("flower", "loose"):
        texts.append(str(deal.legal_actions()[0]))
        deal.apply(deal.legal_actions()[0])
    assert [text for text in texts if "loose" in text] == [
        "0 loose 5f", "0 loose 9m", "1 loose 6f", "3 loose 9p", "0 loose 9s", "1 loose 1m",
    ]  # fmt: skip
    assert deal.pending == (0,)
    at_once = deal_of(sitting("balsall", {"flowers": "at_once"}), *hands, tail=tail)
    run(at_once, "0 flower 1f", "0 flower 2f", "0 loose 5f", "0 loose 9m", "0 flower 5f", "0 loose 6f", "0 flower 6f")
    run(at_once, "0 loose 9p", "1 flower 3f")


def test_bal_3_1_the_nearest_winner_takes_the_tile():
    deal = deal_of(sitting("balsall"), "5m", "", WAITS_5M, "55m111222333p99s")
    run(deal, "0 discard 5m", "2 win 5m", "3 win 5m")
    assert [one.seat for one in deal.winners] == [2]
    assert deal.rules.rules.claim_ms == 3000


def test_bal_7_1_a_hand_below_the_minimum_cannot_be_declared():
    cheap = "46m123p456s789s11p"
    deal = deal_of(sitting("balsall"), "5m6z", "", cheap, tail="9m")
    run(deal, "0 discard 5m")
    # Sequence 1, concealed 1, no flowers 1: enough. With five needed it is not.
    assert "win 5m" in legal(deal, 2)
    five = deal_of(sitting("balsall", {"min_points": 5}), "5m6z", "", cheap)
    run(five, "0 discard 5m")
    assert "win 5m" not in legal(five, 2)


def test_bal_8_3_six_exchanges_of_all_four_at_once_and_unseen():
    hands = ("111222333m11122p", "444555666m444p5p", "777888999m777p8p", "111222333s444s5s")
    deal = deal_of(sitting("balsall", goulash=True), *hands)
    before = [Counter(deal.hand(seat)) for seat in range(4)]
    gifts = ("1m1m1m", "4m4m4m", "7m7m7m", "1s1s1s")
    for seat, tiles in enumerate(gifts):
        assert deal.pending == (seat,)
        deal.apply(parse_action(f"{seat} give {tiles}"))
    # Across: East with West, South with North.
    for seat, other in ((0, 2), (1, 3), (2, 0), (3, 1)):
        expected = before[seat] - Counter(parse_tiles(gifts[seat])) + Counter(parse_tiles(gifts[other]))
        assert Counter(deal.hand(seat)) == expected
    sizes, partners = [], []
    while deal.legal_actions()[0].verb == "give":
        held = [Counter(deal.hand(seat)) for seat in range(4)]
        given = []
        for _ in range(4):
            given.append(Counter(deal.legal_actions()[-1].tiles))
            deal.apply(deal.legal_actions()[-1])
        sizes.append(given[0].total())
        after = Counter(deal.hand(0))
        partners.append([other for other in (1, 2, 3) if held[0] - given[0] + given[other] == after])
    assert sizes == [3, 3, 1, 1, 1]
    assert all(partner in found for partner, found in zip((1, 3, 2, 1, 3), partners, strict=True))
    assert [len(deal.hand(seat)) for seat in range(4)] == [14, 13, 13, 13]
    assert deal.pending == (0,)


def test_bal_8_3_what_is_given_is_unknown_until_all_have_given():
    deal = deal_of(sitting("balsall", goulash=True), "1f")
    run(deal, "0 flower 1f")
    while deal.legal_actions()[0].verb != "give":
        deal.apply(deal.legal_actions()[0])
    hand = deal.hand(2)
    deal.apply(deal.legal_actions()[0])
    assert (deal.hand(2), len(deal.hand(0))) == (hand, 11)


def test_bal_8_4_a_goulash_needs_five_points_to_be_declared():
    hand = "111333555m777p99s"
    normal = deal_of(sitting("balsall"), hand)
    assert legal(normal)[0] == "win"
    settled = normal.rules.settle(run(normal, "0 win"))
    assert (settled.scores[0].items, settled.points) == (
        {"hidden_treasure": 10, "self_drawn": 1, "no_flowers": 1}, (36, -12, -12, -12),
    )  # fmt: skip


@pytest.mark.parametrize("verb", ["give"])
def test_bal_8_1_a_goulash_begins_with_exchanges_and_an_ordinary_hand_does_not(verb):
    assert deal_of(sitting("balsall", goulash=True)).legal_actions()[0].verb == verb
    assert deal_of(sitting("balsall")).legal_actions()[0].verb != verb
