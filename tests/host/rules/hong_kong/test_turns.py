"""Deals of Hong Kong, act by act (HKO-1.3, 2.5, 2.6, 4, 9), from hands and a wall that are known."""

import pytest

from wallwright.rules.core.acts import Act, parse_act
from wallwright.rules.core.errors import IllegalAction, NotationError
from wallwright.rules.core.tiles import format_tiles, parse_tiles
from wallwright.rules.hong_kong.deal import Deal
from wallwright.rules.hong_kong.ruleset import load_ruleset
from wallwright.rules.hong_kong.settlement import NinePieces, TwelvePieces

E, S, W, N = range(4)
# Nobody of the others waits for anything, or has two of a kind.
DULL = ("147m258p369s1234z", "258m369p147s1234z", "369m147p258s1235z")


def new_deal(east, *others, wall="9s9p9m8s8p8m7s7p7m6z7z", tail=None, wind="E", **options):
    """A deal; `wall` from its head. The tail is its other end unless it says another order."""
    ruleset = load_ruleset("hong-kong", options)
    kinds = parse_tiles(wall)
    order = range(len(kinds) - 1, -1, -1) if tail is None else tail
    hands = [parse_tiles(text) for text in (east, *(others or DULL))]
    return Deal(ruleset, E, wind, hands, len(kinds), kinds, tuple(order))


def run(deal, *lines):
    """Acts one after the other; whoever is asked before and is not told to answer passes."""
    for line in lines:
        act = parse_act(line)
        while act not in (*deal.legal(), *deal.late(), *deal.calls()) and deal.legal()[:1] and can_pass(deal):
            deal.apply(deal.legal()[0])
        deal.apply(act)
    return deal


def can_pass(deal):
    return str(deal.legal()[0]).endswith("pass")


def legal(deal):
    return [str(act) for act in deal.legal()]


def passes(deal):
    """Everybody who is asked passes."""
    while deal.legal() and can_pass(deal):
        deal.apply(deal.legal()[0])
    return deal


PLAIN = "123m456p789s1133z5z"


def test_hko_1_3_flowers_are_laid_out_and_replaced_before_the_first_turn():
    deal = new_deal("123m456p789s113z1f5f", "147m258p369s123z2f", *DULL[1:], wall="4z9p9m8s6f7z3f6z", flowers=True)
    # The tail begins with 6z; the dealer goes on until no flower is left, then South.
    run(deal, "0 flower 1f", "0 replace 6z", "0 flower 5f", "0 replace 3f", "0 flower 3f", "0 replace 7z")
    assert legal(deal) == ["1 flower 2f"]
    run(deal, "1 flower 2f", "1 replace 6f", "1 flower 6f", "1 replace 8s")
    assert format_tiles(deal.state.flowers[E]) == "135f"
    assert format_tiles(deal.state.flowers[S]) == "26f"
    assert legal(deal)[0] == "0 discard 1m"
    # A later one is laid out at once, on the own turn.
    deal = new_deal(PLAIN, wall="1f9p9m8s", flowers=True)
    run(deal, "0 discard 5z", "1 draw 1f", "1 flower 1f", "1 replace 8s")
    assert "1 discard 8s" in legal(deal)


def test_hko_1_3_a_flower_that_finds_no_replacement_ends_the_deal():
    deal = run(new_deal(PLAIN, wall="1f", flowers=True), "0 discard 5z", "1 draw 1f", "1 flower 1f")
    assert (deal.is_over, deal.state.end) == (True, "wall")


def test_hko_2_5_replacements_come_from_the_tail_and_draws_from_the_head():
    deal = new_deal("1111m456p789s1133z", wall="9s9p9m8s", tail=(3, 2, 1, 0))
    run(deal, "0 kong 1m hidden")
    assert legal(deal) == ["0 replace 8s"]
    run(deal, "0 replace 8s", "0 discard 8s")
    passes(deal)
    assert legal(deal) == ["1 draw 9s"]
    # Where both ends meet in one stack, the upper tile may have gone with a replacement.
    deal = new_deal("1111m456p789s1133z", wall="9s9p", tail=(0, 1))
    passes(run(deal, "0 kong 1m hidden", "0 replace 9s", "0 discard 3z"))
    assert legal(deal) == ["1 draw 9p"]


def test_hko_2_6_nobody_draws_the_dead_wall():
    wall = "9s" + "9p9m8s8p8m7s7p7m6z7z1p1s2p2s"
    deal = new_deal(PLAIN, wall=wall, dead_wall=14)
    assert deal.left == 1
    run(deal, "0 discard 5z", "1 draw 9s")
    assert legal(deal) == ["1 pass"]
    assert run(deal, "1 pass").state.end == "wall"


def test_hko_4_1_the_dealers_first_turn():
    deal = new_deal("111m456p789s11133z")
    assert legal(deal)[0] == "0 hu"
    assert run(deal, "0 hu").settle().scores[0].items == {"heavenly": 10}
    kong = new_deal("1111m456p789s113z5z")
    assert legal(kong)[-2:] == ["0 kong 1m shown", "0 kong 1m hidden"]
    run(kong, "0 kong 1m hidden", "0 replace 7z")
    assert legal(kong)[0].startswith("0 discard")


def test_hko_4_2_turns_pass_counter_clockwise_and_the_first_win_ends_the_deal():
    deal = run(new_deal(PLAIN), "0 discard 5z", "1 draw 9s", "1 discard 9s", "2 draw 9p", "2 discard 9p")
    assert legal(deal) == ["3 draw 9m"]


def test_hko_4_2_a_win_ends_it():
    deal = new_deal(PLAIN, "123m456p789s225z5z", *DULL[1:])
    run(deal, "0 discard 5z")
    assert legal(deal) == ["1 pass", "1 hu 5z", "1 pung 5z"]
    run(deal, "1 hu 5z")
    assert (deal.is_over, deal.legal(), deal.state.end) == (True, (), "win")
    with pytest.raises(IllegalAction, match="the deal is over"):
        run(deal, "2 draw 9s")


def test_hko_4_3_a_chow_by_the_next_player_that_says_which():
    deal = new_deal("345p12346m556z123z", "23567m258p369s12z", "2356m258p369s123z", DULL[2], wall="9s9p")
    run(deal, "0 discard 4m")
    assert legal(deal) == ["1 pass", "1 chow 234m", "1 chow 345m", "1 chow 456m"]
    run(deal, "1 chow 345m")
    # No kong and no win on that turn: a discard follows.
    assert {line.split()[1] for line in legal(deal)} == {"discard"}
    assert "1 discard 3m" not in legal(deal)
    assert format_tiles(deal.state.sets[S][0].tiles) == "345m"
    # Honours make no chow, and nobody but the next player claims one.
    deal = run(new_deal("345p12346m556z123z", wall="9s9p"), "0 discard 2z")
    assert legal(deal) == ["1 draw 9s"]


def test_hko_4_3_no_win_and_no_kong_after_a_claimed_pung():
    deal = new_deal("123m456p789s1133z5z", "5555s55z123m456p7s", *DULL[1:])
    run(deal, "0 discard 5z", "1 pung 5z")
    assert {line.split()[1] for line in legal(deal)} == {"discard"}


def test_hko_4_4_a_win_before_a_pung_before_a_chow():
    chower, punger, winner = "45m258p369s12345z", "66m258p369s12345z", "123p456p789s78m22z"
    deal = run(new_deal("123m456p789s1133z6m", chower, punger, winner, wall="9s9p"), "0 discard 6m")
    assert legal(deal) == ["1 pass", "1 chow 456m"]
    run(deal, "1 chow 456m")
    assert legal(deal) == ["2 pass", "2 pung 6m"]
    run(deal, "2 pung 6m")
    assert legal(deal) == ["3 pass", "3 hu 6m"]
    assert run(deal, "3 pass").state.sets[W][0].tile == parse_tiles("6m")[0]
    deal.undo()
    assert run(deal, "3 hu 6m").state.won.winners == (N,)


def test_hko_4_5_kongs():
    # Melded with a discard, and no chance to rob it.
    deal = new_deal(PLAIN, "555z147m258p369s1z", *DULL[1:])
    run(deal, "0 discard 5z", "1 kong 5z")
    assert legal(deal) == ["1 replace 7z"]
    # Promoted with a tile drawn now or kept; a discard promotes no pung.
    deal = new_deal(PLAIN, "55z147m258p369s12z", *DULL[1:], wall="5z9s9p9m8s8p8m7s")
    run(deal, "0 discard 5z", "1 pung 5z", "1 discard 1m", "2 draw 5z", "2 discard 5z")
    assert legal(deal) == ["3 draw 9s"]
    deal = new_deal(PLAIN, "55z147m258p369s12z", *DULL[1:], wall="9s9p9m5z8s8p8m7s6z")
    run(deal, "0 discard 5z", "1 pung 5z", "1 discard 1m")
    run(deal, "2 draw 9s", "2 discard 9s", "3 draw 9p", "3 discard 9p", "0 draw 9m", "0 discard 9m", "1 draw 5z")
    assert "1 kong 5z" in legal(deal)
    run(deal, "1 discard 4m", "2 draw 8s", "2 discard 8s", "3 draw 8p", "3 discard 8p", "0 draw 8m", "0 discard 8m")
    run(deal, "1 draw 7s", "1 kong 5z", "1 replace 6z")
    assert str(deal.state.sets[S][0]) == "promoted:5555z"
    # None when no tile is left.
    deal = new_deal("1111m456p789s113z5z", wall="", tail=())
    assert not [line for line in legal(deal) if "kong" in line]


@pytest.mark.parametrize(
    ("face", "hand", "robs"),
    [
        ("shown", "23m456p789s11155z", True),
        ("hidden", "23m456p789s11155z", False),
        ("hidden", "9m19p19s12345677z", True),
    ],
)
def test_hko_4_6_who_robs_a_concealed_kong(face, hand, robs):
    deal = new_deal("1111m456p789s334m5p", hand, *DULL[1:])
    run(deal, f"0 kong 1m {face}")
    assert (legal(deal) == ["1 pass", "1 hu 1m"]) == robs
    if robs:
        run(deal, "1 hu 1m")
        assert deal.state.won.robbed == face
        assert sum(deal.settle().points) == 0
        # Nothing is put back: its owner keeps three.
        assert format_tiles(deal.hand(E)).startswith("111")


def test_hko_4_6_the_option_says_how_concealed_kongs_lie():
    for option, lines in (("shown", ["0 kong 1m shown"]), ("hidden", ["0 kong 1m hidden"])):
        deal = new_deal("1111m456p789s1133z", concealed_kong=option)
        assert legal(deal)[-1:] == lines


def test_hko_4_6_robbing_a_promoted_kong():
    deal = new_deal(
        "123m456p789s1133z5m", "55m147p258s12345z", DULL[1], "46m123p456p789s55z", wall="9s9p9m5m8s8p8m7s6z"
    )
    # North lets the discard go, and robs the fourth one.
    run(deal, "0 discard 5m", "1 pung 5m", "3 pass", "1 discard 1z")
    run(deal, "2 draw 9s", "2 discard 9s", "3 draw 9p", "3 discard 9p", "0 draw 9m", "0 discard 9m", "1 draw 5m")
    run(deal, "1 kong 5m")
    assert legal(deal) == ["3 pass", "3 hu 5m"]
    run(deal, "3 hu 5m")
    settled = deal.settle()
    assert settled.scores[0].items == {"all_chows": 1, "robbing_the_kong": 1}
    assert settled.payments[0].clause == "HKO-6.6"


def test_hko_4_7_a_late_claim_puts_the_drawn_tile_back():
    east, west = "123m456p789s1133z5z", "55z147m258p369s12z"
    deal = new_deal(east, DULL[0], west, DULL[2])
    run(deal, "0 discard 5z", "2 pass", "1 draw 9s")
    assert [str(act) for act in deal.late()] == ["2 pung 5z"]
    before = deal.left
    run(deal, "2 pung 5z")
    assert deal.left == before + 1
    assert format_tiles(deal.hand(S)) == DULL[0]
    run(deal, "2 discard 1m")
    assert legal(deal) == ["3 draw 9s"]


def test_hko_4_7_the_window_closes_with_the_next_discard_a_kong_or_by_option():
    east, west = "123m456p789s1133z5z", "55z147m258p369s12z"
    deal = run(new_deal(east, DULL[0], west, DULL[2]), "0 discard 5z", "2 pass", "1 draw 9s", "1 discard 9s")
    assert deal.late() == ()
    deal = run(new_deal(east, DULL[0], west, DULL[2], late_claims=False), "0 discard 5z", "2 pass", "1 draw 9s")
    assert deal.late() == ()
    with pytest.raises(IllegalAction, match="what may be done now is"):
        run(deal, "2 pung 5z")
    kong = new_deal(east, "1111p258m369s123z", west, DULL[2])
    run(kong, "0 discard 5z", "2 pass", "1 draw 9s", "1 kong 1p hidden")
    assert kong.late() == ()
    # Who has drawn has passed.
    drawer = run(new_deal(east, west, *DULL[1:]), "0 discard 5z", "1 pass", "1 draw 9s")
    assert drawer.late() == ()


def test_hko_4_8_a_win_that_was_let_go_bars_nothing():
    deal = new_deal(PLAIN, "123m456p789s225z5z", DULL[1], "369m147p258s1235z")
    run(deal, "0 discard 5z", "1 pass", "1 draw 9s", "1 discard 9s", "2 draw 9p", "2 discard 9p", "3 draw 9m")
    run(deal, "3 discard 5z")
    assert "1 hu 5z" in legal(deal)


@pytest.mark.parametrize(("option", "winners"), [("nearest", (S,)), ("all", (S, N))])
def test_hko_4_9_several_wins_on_one_tile(option, winners):
    two = "123m456p789s77z45s", "123p456p789p22z45s"
    deal = new_deal("123m456p789s1133z6s", two[0], DULL[1], two[1], multi_win=option)
    run(deal, "0 discard 6s")
    while not deal.is_over:
        hu = next((act for act in deal.legal() if act.verb == "hu"), deal.legal()[0])
        deal.apply(hu)
    assert deal.state.won.winners == winners
    assert [winner.seat for winner in deal.settle().winners] == list(winners)


def test_hko_4_10_the_last_tile():
    deal = new_deal(PLAIN, wall="9s")
    run(deal, "0 discard 5z", "1 draw 9s")
    assert legal(deal) == ["1 pass"]
    run(deal, "1 pass")
    settled = deal.settle()
    assert (settled.end, settled.points, settled.next_dealer) == ("wall", (0, 0, 0, 0), E)
    # With the option it is discarded, and can only be won on.
    waiting = "123m456p789s22z78s"
    deal = new_deal(PLAIN, DULL[0], "99s147m258p12345z", waiting, wall="9s", last_discard=True)
    run(deal, "0 discard 5z", "1 draw 9s", "1 discard 9s")
    assert legal(deal) == ["3 pass", "3 hu 9s"]
    assert run(deal, "3 hu 9s").settle().scores[0].items == {"all_chows": 1, "last_discard": 1}
    # The last tile drawn wins a faan.
    deal = run(new_deal(PLAIN, waiting, *DULL[1:], wall="9s"), "0 discard 5z", "1 draw 9s", "1 hu 9s")
    assert deal.settle().scores[0].items == {"all_chows": 1, "self_drawn": 1, "last_tile": 1}


def test_hko_5_5_an_earthly_hand_and_none_after_a_kong():
    deal = run(new_deal(PLAIN, "123m456p789s225z5z", *DULL[1:]), "0 discard 5z", "1 hu 5z")
    assert deal.settle().scores[0].items == {"earthly": 10}
    deal = new_deal("1111m456p789s113z5z", "123p456p789s225z5z", *DULL[1:])
    run(deal, "0 kong 1m hidden", "0 replace 7z", "0 discard 5z", "1 hu 5z")
    assert deal.settle().scores[0].items == {"dragon": 1}


def test_hko_5_7_a_hand_below_the_minimum_may_not_win():
    deal = run(new_deal("123m456p789s1133z9s", "123m456p789s22z78s", *DULL[1:], min_faan=3), "0 discard 9s")
    # It would be the earthly hand; that is enough.
    assert "1 hu 9s" in legal(deal)
    deal = new_deal(PLAIN, "123m456p789s22z78s", *DULL[1:], wall="9s9p9m8s", min_faan=3)
    run(deal, "0 discard 5z", "1 draw 9s")
    assert "1 hu 9s" not in legal(deal)


def test_hko_6_7_nine_pieces_are_called_and_6_8_twelve_make_liable():
    south = "2356m99m78m1122z4p"
    wall = "1s1p2p3p4p5p6p7p8p9p1z5s6s8s"
    deal = new_deal("1m4m9m9m456p789s1133z", south, *DULL[1:], wall=wall)
    run(deal, "0 discard 1m", "1 chow 123m", "1 discard 4p", "2 draw 1s", "2 discard 1s", "3 draw 1p", "3 discard 1p")
    run(deal, "0 draw 2p", "0 discard 4m", "1 chow 456m", "1 discard 1z", "2 draw 3p", "2 discard 3p")
    assert deal.calls() == ()
    run(deal, "3 draw 4p", "3 discard 4p", "0 draw 5p", "0 discard 9m", "1 pung 9m")
    assert [str(act) for act in deal.calls()] == ["1 call"]
    run(deal, "1 call")
    assert deal.calls() == ()
    deal.undo()
    run(deal, "1 call", "1 discard 1z", "2 draw 6p", "2 discard 6p", "3 draw 7p", "3 discard 7p")
    # East's nine completes the fourth set: twelve pieces.
    run(deal, "0 draw 8p", "0 discard 9m", "1 chow 789m")
    assert deal.state.notes == (NinePieces(S), TwelvePieces(S, E))


def test_hko_7_2_an_act_can_be_taken_back():
    deal = new_deal(PLAIN)
    lines = ["0 discard 5z", "1 draw 9s", "1 discard 9s"]
    run(deal, *lines)
    hands = [deal.hand(seat) for seat in range(4)]
    assert str(deal.undo()) == "1 discard 9s"
    assert "1 discard 9s" in legal(deal)
    run(deal, "1 discard 9s")
    assert [deal.hand(seat) for seat in range(4)] == hands
    for line in reversed(lines):
        assert str(deal.undo()) == line
    with pytest.raises(IllegalAction, match="nothing to undo"):
        deal.undo()


def test_hko_9_1_a_wall_that_is_not_known_is_told_by_the_acts():
    deal = new_deal(PLAIN)
    unknown = Deal(deal.ruleset, E, "E", deal.dealt, 83)
    run(unknown, "0 discard 5z")
    assert len(legal(unknown)) > 30
    run(unknown, "1 draw 5m")
    assert unknown.left == 82


@pytest.mark.parametrize(
    "text",
    ["0 draw 5s", "1 replace 1z", "0 flower 8f", "3 discard 7z", "2 pass", "1 chow 345m", "1 pung 3p", "0 kong 3p",
     "0 kong 3p hidden", "0 hu", "2 hu 9m", "1 call"],
)  # fmt: skip
def test_hko_1_2_an_act_is_written_and_read(text):
    assert str(parse_act(text)) == text
    assert isinstance(parse_act(text), Act)


@pytest.mark.parametrize(
    "text",
    ["", "4 pass", "0 void 5s", "0 draw", "0 draw 55s", "0 draw 9z", "0 chow 5s", "0 chow 124m", "0 chow 123z",
     "0 pass 5s", "0 pung 5s hidden", "0 kong 5s open", "0 chow 891m"],
)  # fmt: skip
def test_other_text_is_no_act(text):
    with pytest.raises(NotationError):
        parse_act(text)
