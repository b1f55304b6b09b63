"""Flower rounds, claims and the goulash of Balsall. (BAL-2.3, BAL-3.1, BAL-8)"""

from collections import Counter

from tests.host.rules.classical.playing import deal_of, items, legal, pending, run, sitting, won
from wallwright.rules.classical.play import settle
from wallwright.rules.core.acts import Act
from wallwright.rules.core.tiles import parse_tiles

WAITS_5M = "46m123m789m123m11z"


def test_bal_2_3_flowers_in_rounds_or_each_players_to_the_end():
    hands, tail = ("1f2f", "3f", "", "4f"), "5f9m6f9p9s1m1p1s"
    deal = deal_of(sitting("balsall"), *hands, tail=tail)
    texts = []
    while deal.legal()[0].verb in ("flower", "replace"):
        texts.append(str(deal.legal()[0]))
        deal.apply(deal.legal()[0])
    assert [text for text in texts if "replace" in text] == [
        "0 replace 5f", "0 replace 9m", "1 replace 6f", "3 replace 9p", "0 replace 9s", "1 replace 1m",
    ]  # fmt: skip
    assert pending(deal) == 0
    at_once = deal_of(sitting("balsall", {"flowers": "at_once"}), *hands, tail=tail)
    run(
        at_once,
        "0 flower 1f",
        "0 flower 2f",
        "0 replace 5f",
        "0 replace 9m",
        "0 flower 5f",
        "0 replace 6f",
        "0 flower 6f",
    )
    run(at_once, "0 replace 9p", "1 flower 3f")


def test_bal_3_1_the_nearest_winner_takes_the_tile():
    deal = deal_of(sitting("balsall"), "5m", "", WAITS_5M, "55m111222333p99s")
    run(deal, "0 discard 5m", "2 hu 5m", "3 hu 5m")
    assert won(deal)[0] == 2


def test_bal_7_1_a_hand_below_the_minimum_cannot_be_declared():
    cheap = "46m123p456s789s11p"
    deal = deal_of(sitting("balsall"), "5m6z", "", cheap, tail="9m")
    run(deal, "0 discard 5m")
    # Sequence 1, concealed 1, no flowers 1: enough. With five needed it is not.
    assert "hu 5m" in legal(deal, 2)
    five = deal_of(sitting("balsall", {"min_points": 5}), "5m6z", "", cheap)
    run(five, "0 discard 5m")
    assert "hu 5m" not in legal(five, 2)


def give(deal, seat, tiles):
    """Lay tiles face down, one by one."""
    for kind in parse_tiles(tiles):
        assert pending(deal) == seat
        deal.apply(Act(seat, "give", kind))


def test_bal_8_3_six_exchanges_of_all_four_at_once_and_unseen():
    hands = ("111222333m11122p", "444555666m444p5p", "777888999m777p8p", "111222333s444s5s")
    deal = deal_of(sitting("balsall", goulash=True), *hands)
    before = [Counter(deal.hand(seat)) for seat in range(4)]
    gifts = ("111m", "444m", "777m", "111s")
    for seat, tiles in enumerate(gifts):
        assert Counter(deal.hand(3)) == before[3]
        give(deal, seat, tiles)
    # Across: East with West, South with North.
    for seat, other in ((0, 2), (1, 3), (2, 0), (3, 1)):
        expected = before[seat] - Counter(parse_tiles(gifts[seat])) + Counter(parse_tiles(gifts[other]))
        assert Counter(deal.hand(seat)) == expected
    sizes, partners = [], []
    while deal.legal()[0].verb == "give":
        held = [Counter(deal.hand(seat)) for seat in range(4)]
        exchange = deal.state.exchange
        given: list[Counter[int]] = [Counter() for _ in range(4)]
        while deal.state.exchange == exchange:
            act = deal.legal()[-1]
            given[act.seat][act.tile] += 1
            deal.apply(act)
        sizes.append([tiles.total() for tiles in given])
        after = Counter(deal.hand(0))
        partners.append([other for other in (1, 2, 3) if held[0] - given[0] + given[other] == after])
    assert sizes == [[3] * 4, [3] * 4, [1] * 4, [1] * 4, [1] * 4]
    assert all(partner in found for partner, found in zip((1, 3, 2, 1, 3), partners, strict=True))
    assert [len(deal.hand(seat)) for seat in range(4)] == [14, 13, 13, 13]
    assert pending(deal) == 0


def test_bal_8_4_a_goulash_needs_five_points_to_be_declared():
    hand = "111333555m777p99s"
    normal = deal_of(sitting("balsall"), hand)
    assert legal(normal)[0] == "hu"
    run(normal, "0 hu")
    assert items(normal, 0) == {"hidden_treasure": 10, "self_drawn": 1, "no_flowers": 1}
    assert settle(normal).points == (36, -12, -12, -12)


def test_bal_8_1_a_goulash_begins_with_exchanges_and_an_ordinary_hand_does_not():
    assert deal_of(sitting("balsall", goulash=True)).legal()[0].verb == "give"
    assert deal_of(sitting("balsall")).legal()[0].verb != "give"
