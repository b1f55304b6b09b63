"""What Vitaly Novikov's "Sichuan Mahjong? It's that simple!" says and asks, lesson by lesson, put to the engine.

The breaks of lesson 2 are in `test_walls`; Table 9 is `tests/reference/table9.py`. The last two tests are of the
report on the Chengdu event of 2016. Seat 0 deals unless a test says otherwise.
"""

import random

import pytest

from tests.host.rules_oracle.bridge import engine_deal, load
from tests.reference.notation import read
from tests.reference.starts import Start, dealt_out
from wallwright.rules.sichuan.actions import parse_action
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import FinalHand, Winner
from wallwright.rules.sichuan.fans import HandScore, score_hand, wait_values
from wallwright.rules.sichuan.melds import MeldType, parse_meld
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.tiles import parse_tile, parse_tiles, tile_name

SICHUAN = load("sichuan")
# Three hands that wait for 5p and nothing else, and East with a 5p.
THREE_WAIT = ["5p", "12378922211m46p", "12345678911s46p", "45645678999m46p"]
THREE_WAIT_VOIDS = ("0 void 5p", "1 void s", "2 void m", "3 void s")


def deal_of(hands: list[str], *voids: str, wall: str | None = None) -> Deal:
    """A deal with these tiles in the hands and others beside them, after the choice of void suits.

    A seat that `voids` does not name takes the first choice it has.
    """
    start = dealt_out(random.Random(0), [list(read(hand)) for hand in hands], 0)
    if wall is not None:
        start = Start(0, start.hands, read(wall))
    deal = engine_deal(start, "sichuan")
    chosen = {int(text[0]): parse_action(text) for text in voids}
    for seat in range(4):
        deal.apply(chosen.get(seat, deal.legal_actions()[0]))
    return deal


def play(deal: Deal, *actions: str) -> list[str]:
    """Apply actions; what is legal then."""
    for action in actions:
        deal.apply(parse_action(action))
    return legal(deal)


def draw(deal: Deal) -> list[str]:
    """Draw the next tile; what is legal then."""
    (action,) = deal.legal_actions()
    assert action.verb == "draw"
    return play(deal, str(action))


def legal(deal: Deal) -> list[str]:
    return [str(action) for action in deal.legal_actions()]


def verbs(actions: list[str]) -> set[str]:
    return {action.split()[1] for action in actions}


def score(
    standing: str, winning: str, melds: str = "", conditions: tuple[str, ...] = (), ruleset: Ruleset = SICHUAN
) -> HandScore:
    sets = [parse_meld(meld) for meld in melds.split()]
    return score_hand(parse_tiles(standing), parse_tile(winning), ruleset, sets, conditions)


def waiting(standing: str, melds: str = "", ruleset: Ruleset = SICHUAN) -> dict[str, int]:
    values = wait_values(parse_tiles(standing), ruleset, [parse_meld(meld) for meld in melds.split()])
    return {tile_name(kind): points for kind, points in values.items()}


def final(seat: int, standing: str, void: str, melds: str = "", only_void_discards: bool = False) -> FinalHand:
    sets = tuple(parse_meld(meld) for meld in melds.split())
    return FinalHand(seat, parse_tiles(standing), sets, "mps".index(void), only_void_discards)


# Chapter 1


def test_lesson_2_a_suit_is_forbidden_by_a_tile_of_it_or_else_by_a_card():
    start = dealt_out(random.Random(0), [[], list(read("12378922211m46p")), [], []], 0)
    deal = engine_deal(start, "sichuan")
    deal.apply(deal.legal_actions()[0])
    assert set(legal(deal)) == {f"1 void {choice}" for choice in ("1m", "2m", "3m", "7m", "8m", "9m", "4p", "6p", "s")}


def test_lesson_2_the_tile_laid_face_down_is_the_first_discard():
    assert legal(deal_of(THREE_WAIT, *THREE_WAIT_VOIDS)) == ["0 discard 5p"]


def test_lesson_2_forbidden_tiles_cost_48_at_the_walls_end_unless_nothing_else_was_discarded():
    deal = DeclaredDeal(SICHUAN, 0)
    deal.end(
        "wall",
        [
            final(0, "1m24689p1357999s", "m"),
            final(1, "3777m13579p2468s", "m", only_void_discards=True),
            final(2, "113355779p2468s", "m"),
            final(3, "2468p113355779s", "m"),
        ],
    )
    assert deal.settle().points == (-48, 0, 0, 0)


def test_lesson_3_and_test_1_question_4_there_are_four_kinds_of_kong():
    assert {kind.value for kind in MeldType} == {"pung", "concealed", "melded", "promoted", "postponed"}


def test_lesson_3_no_kong_in_the_turn_of_a_pung_but_in_a_turn_that_draws():
    hands = ["5p", "55p11257777899s", "", ""]
    voids = ("0 void 5p", "1 void m")
    assert play(deal_of(hands, *voids), "0 discard 5p") == ["1 pass", "1 pung 5p"]
    claimed = deal_of(hands, *voids)
    assert verbs(play(claimed, "0 discard 5p", "1 pung 5p")) == {"discard"}
    drawn = deal_of(hands, *voids)
    play(drawn, "0 discard 5p", "1 pass")
    assert "1 kong 7s" in draw(drawn)


def test_lessons_3_and_4_the_last_tile_allows_no_kong_and_its_discard_a_pung_but_no_kong():
    hands = ["5p", "55p11257777899s", "2225689m133556s", ""]
    deal = deal_of(hands, "0 void 5p", "1 void m", "2 void p", wall="2m")
    play(deal, "0 discard 5p", "1 pass")
    assert verbs(draw(deal)) == {"discard"}
    assert play(deal, "1 discard 2m") == ["2 pass", "2 pung 2m"]
    assert verbs(play(deal, "2 pung 2m")) == {"discard"}


def test_lesson_4_and_test_1_questions_3_and_11_east_may_begin_with_hu_a_concealed_kong_or_a_discard():
    deal = deal_of(["11112345678955s", "", "", ""], "0 void m")
    assert verbs(legal(deal)) == {"hu", "kong", "discard"}
    assert {"0 hu", "0 kong 1s"} <= set(legal(deal))
    play(deal, "0 kong 1s")
    assert verbs(draw(deal)) <= {"hu", "kong", "discard"}
    assert len(deal.hand(0)) == 11


def test_lesson_4_east_must_have_used_a_card_to_declare_hu_at_once():
    assert set(legal(deal_of(["11112345678955s", "", "", ""], "0 void 5s"))) == {"0 kong 1s", "0 discard 5s"}


def test_1_question_6_and_the_problem_three_hu_on_the_first_discard_leave_55_tiles():
    deal = deal_of(THREE_WAIT, *THREE_WAIT_VOIDS)
    assert play(deal, "0 discard 5p", "1 hu 5p", "2 hu 5p", "3 hu 5p") == []
    assert deal.is_over
    assert deal.wall_left == 55
    settlement = deal.settle()
    # Seat 1 has a root: a pung of 2m and a chow with the fourth.
    assert settlement.points == (-4, 2, 1, 1)
    assert settlement.next_dealer == 0


@pytest.mark.parametrize(
    ("answers", "following"),
    [
        (("1 hu 5p", "2 hu 5p", "3 pass"), 3),
        (("1 hu 5p", "2 pass", "3 hu 5p"), 0),
        (("1 pass", "2 hu 5p", "3 pass"), 3),
        (("1 pass", "2 pass", "3 pass"), 1),
    ],
)
def test_lesson_4_after_hu_the_turn_is_of_the_player_after_the_last_winner(answers, following):
    deal = deal_of(THREE_WAIT, *THREE_WAIT_VOIDS)
    (action,) = play(deal, "0 discard 5p", *answers)
    assert action.startswith(f"{following} draw")


def test_lesson_4_the_dealer_changes_with_the_first_hu():
    nobody = DeclaredDeal(SICHUAN, 2)
    nobody.end("time_up")
    alone = DeclaredDeal(SICHUAN, 2)
    alone.hu("self_drawn", [Winner(1, value=1)])
    alone.hu("discard", [Winner(0, value=1), Winner(2, value=1)], 3)
    alone.end("three_hu")
    several = DeclaredDeal(SICHUAN, 2)
    several.hu("discard", [Winner(0, value=1), Winner(1, value=1)], 3)
    several.end("time_up")
    assert [deal.settle().next_dealer for deal in (nobody, alone, several)] == [2, 1, 3]


def test_1_questions_7_to_9_four_kongs_five_patterns_of_pungs_and_thirteen_of_chows():
    kongs = score("1s", "1s", "melded:2222s concealed:3333s promoted:4444s postponed:5555p")
    assert (kongs.complete, kongs.items["kong"]) == (True, 4)
    assert score("111222333m444p5p", "5p").items == {"all_pungs": 1}
    assert score("123456789m123p5p", "5p").complete


# Chapter 2


@pytest.mark.parametrize(
    ("standing", "melds", "conditions", "fans", "of_three", "of_four"),
    [
        ("123456789s5p", "pung:777p", (), 0, 1, 1),
        ("123456789s5p", "melded:7777p", (), 1, 2, 2),
        ("123456789s5p", "melded:7777p", ("under_the_sea",), 2, 4, 4),
        ("123456789s5p", "melded:7777p", ("under_the_sea", "shoot_after_kong"), 3, 8, 8),
        ("123456s5p", "melded:7777p melded:9999p", ("under_the_sea", "shoot_after_kong"), 4, 8, 16),
        ("123p5p", "melded:7777p melded:9999p melded:8888p", (), 5, 8, 16),
    ],
)
def test_lesson_5_table_5_each_fan_doubles_up_to_the_limit(standing, melds, conditions, fans, of_three, of_four):
    by_limit = [score(standing, "5p", melds, conditions, load(ruleset)) for ruleset in ("sichuan", "sichuan-4")]
    assert [(found.fans, found.value) for found in by_limit] == [(fans, of_three), (fans, of_four)]


@pytest.mark.parametrize(
    ("by", "from_", "points"), [("discard", 2, (8, 0, -8, 0)), ("self_drawn", None, (27, -9, -9, -9))]
)
def test_lesson_5_table_6_and_test_2_question_1_payments_for_a_hand_at_the_limit_of_three(by, from_, points):
    deal = DeclaredDeal(SICHUAN, 0)
    deal.hu(by, [Winner(0, value=8)], from_)
    deal.end("time_up")
    assert deal.settle().points == points


def test_lesson_5_table_6_at_the_walls_end_who_is_not_ready_pays_who_is():
    deal = DeclaredDeal(SICHUAN, 0)
    deal.hu("discard", [Winner(3, value=2)], 0)
    deal.end(
        "wall",
        [
            # Ready for 3s, with all pungs; for 1s and 4s, with nothing.
            final(0, "2223s", "m", "pung:777p pung:888p pung:111p"),
            final(1, "2468p113355779s", "m"),
            final(2, "12345678911m46p", "s"),
        ],
    )
    assert deal.settle().points == (-2 + 2, -2 - 1, 1, 2)


@pytest.mark.parametrize(
    ("kind", "from_", "points"),
    [
        ("concealed", None, (4, -2, -3, 1)),
        ("melded", 1, (2, -2, -1, 1)),
        ("promoted", None, (2, -1, -2, 1)),
        ("postponed", None, (0, 0, -1, 1)),
    ],
)
def test_lesson_5_table_7_kongs_are_paid_by_the_discarder_or_all_without_hu(kind, from_, points):
    """Seat 3 is out, with one point from seat 2, when seat 0 declares the kong."""
    deal = DeclaredDeal(SICHUAN, 0)
    deal.hu("discard", [Winner(3, value=1)], 2)
    deal.kong(0, kind, from_)
    deal.end("time_up")
    assert deal.settle().points == points


def test_lesson_5_no_payment_for_a_kong_robbed_or_shot_after():
    robbed = DeclaredDeal(SICHUAN, 0)
    robbed.kong(0, "promoted", robbed=True)
    robbed.hu("robbed_kong", [Winner(1, value=2)], 0)
    robbed.end("time_up")
    shot = DeclaredDeal(SICHUAN, 0)
    shot.kong(0, "concealed")
    shot.hu("discard", [Winner(1, value=2)], 0, after_kong=True)
    shot.end("time_up")
    assert robbed.settle().points == shot.settle().points == (-2, 2, 0, 0)


@pytest.mark.parametrize(
    ("standing", "points"),
    [("2479p135799m", (0, 0, 0, 0)), ("111222m2355p", (3 * 2 + 3 * 2, -4, -4, -4))],
    ids=["not ready", "ready for two points"],
)
def test_lesson_5_and_test_2_question_3_a_hand_not_ready_at_the_walls_end_returns_its_kong(standing, points):
    deal = DeclaredDeal(SICHUAN, 0)
    deal.kong(0, "concealed")
    others = [
        final(1, "2468p113355779s", "m"),
        final(2, "1379p224466889s", "m"),
        final(3, "135679p2244668s", "m"),
    ]
    deal.end("wall", [final(0, standing, "s", "concealed:8888m"), *others])
    assert deal.settle().points == points


def test_lesson_5_four_copies_standing_are_an_exhausted_wait():
    assert waiting("5555s123456789p") == {}
    assert set(waiting("5s123456789p", "pung:555s")) == {"5s"}


def test_lesson_5_a_false_hu_first_in_the_deal_costs_24():
    deal = DeclaredDeal(SICHUAN, 0)
    deal.kong(0, "concealed")
    deal.hu("discard", [Winner(0, false=True)], 1)
    deal.end("time_up")
    assert deal.settle().points == (-24, 8, 8, 8)


def test_lesson_5_two_false_hu_on_one_discard_pay_the_one_player_left():
    deal = DeclaredDeal(SICHUAN, 0)
    deal.hu("discard", [Winner(1, value=1)], 0)
    deal.hu("discard", [Winner(2, false=True), Winner(3, false=True)], 0)
    deal.end("three_hu")
    assert deal.settle().points == (-1 + 16, 1, -8, -8)


def test_lesson_5_of_a_true_and_a_false_hu_on_one_discard_the_true_one_deals_next():
    deal = DeclaredDeal(SICHUAN, 0)
    deal.hu("discard", [Winner(1, value=1), Winner(2, false=True)], 3)
    deal.end("time_up")
    assert deal.settle().next_dealer == 1


def test_lesson_5_hu_with_the_forbidden_suit_costs_48_and_is_false():
    deal = DeclaredDeal(SICHUAN, 0)
    hand = Winner(0, parse_tiles("123456789s1155p"), (), parse_tile("5p"), void=1)
    deal.hu("discard", [hand], 3)
    deal.end("time_up")
    assert deal.settle().points == (-48 - 24, 8, 8, 8)


@pytest.mark.parametrize(
    ("standing", "melds", "values"),
    [
        ("2223s", "pung:777p pung:888p pung:555s", {"1s": 1, "3s": 2, "4s": 1}),
        ("34555s12345688p", "", {"2s": 1, "5s": 2, "8p": 1}),
        ("112233s4455667p", "", {"4p": 1, "7p": 4}),
    ],
    ids=["all pungs", "root", "seven pairs"],
)
def test_lesson_6_three_items_come_from_the_choice_of_the_winning_tile(standing, melds, values):
    assert waiting(standing, melds) == values


def test_lesson_6_and_test_2_question_5_full_flush_does_not_come_from_that_choice():
    """All waits of a hand of one suit, less a tile, are of that suit, or none is."""
    items = [score("1112345678999s", tile).items for tile in waiting("1112345678999s")]
    assert len(items) == 9
    assert all(item["full_flush"] == 2 for item in items)


def test_2_question_4_all_pungs_goes_with_full_flush():
    assert score("111222333444s5s", "5s").items == {"all_pungs": 1, "full_flush": 2}


def test_2_problem_the_largest_hand_is_worth_1024_points_without_a_limit():
    kongs = "melded:2222s concealed:3333s promoted:4444s postponed:5555s"
    largest = score("1s", "1s", kongs, ("self_drawn", "after_kong", "under_the_sea"), load("chengdu-2016"))
    assert (largest.fans, largest.value) == (10, 1024)


# The report on the Chengdu event of 2016


def test_chengdu_a_waiting_hand_is_worth_one_point_without_doubles():
    assert waiting("2223s", "pung:777s pung:888s pung:555s", load("chengdu-2016")) == {"1s": 1, "3s": 1, "4s": 1}


def test_chengdu_forbidden_tiles_cost_48_after_three_hu_too():
    points = {}
    for ruleset in ("sichuan", "chengdu-2016"):
        deal = DeclaredDeal(load(ruleset), 0)
        deal.hu("discard", [Winner(seat, value=1) for seat in (1, 2, 3)], 0)
        deal.end("three_hu", [final(0, "1m24689p1357999s", "m")])
        points[ruleset] = deal.settle().points
    assert points == {"sichuan": (-3, 1, 1, 1), "chengdu-2016": (-51, 1, 1, 1)}
