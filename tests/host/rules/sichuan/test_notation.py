"""Text in and out of actions, sets and whole deals."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.host.rules.sichuan.support import FOUR, random_deal
from wallwright.rules.core.errors import HandError, NotationError
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.actions import Action, parse_action
from wallwright.rules.sichuan.bots import RandomBot
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.melds import KONG_TYPES, Meld, make_meld, parse_meld, pung
from wallwright.rules.sichuan.notation import format_deal, parse_deal
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.ruleset import load_ruleset

OWN = load_ruleset("mil-2025-duplicate")

EVERY_ACTION = [
    *(
        action
        for table in (act.VOIDS, act.DRAWS, act.DISCARDS, act.PUNGS, act.KONGS, act.HUS)
        for row in table
        for action in row
    ),
    *(card for row in act.CARDS for card in row),
    *act.PASSES,
    *act.HUS_AS_DEALT,
    *act.TIME_UPS,
]


def test_every_action_has_its_own_text_and_comes_back():
    texts = [str(action) for action in EVERY_ACTION]
    assert len(set(texts)) == len(texts) == 4 * (6 * 27 + 3 + 3)
    assert [parse_action(text) for text in texts] == EVERY_ACTION


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not an action"),
        ("4 pass", "is not an action"),
        ("1 discard", "'discard' alone"),
        ("1 throw 5s", "'throw' is not a verb"),
        ("1 discard 55s", "2 tiles where one"),
        ("1 void z", "not a suit"),
        ("1 discard 5s 6s", "is not an action"),
    ],
)
def test_texts_that_are_no_action(text, message):
    with pytest.raises(NotationError, match=message):
        parse_action(text)


@given(st.sampled_from([*KONG_TYPES, "pung"]), st.integers(0, 26))
def test_sets_come_back(kind, tile):
    meld = pung(tile) if kind == "pung" else Meld(kind, tile)
    assert parse_meld(str(meld)) == meld


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chow", "123s"), "a pung or a kong"),
        (("pung", "556s"), "3 equal tiles"),
        (("kong", "555s"), "4 equal tiles"),
        (("pung", "555s", "melded"), "a pung has no type"),
        (("kong", "5555s", "open"), "a kong is concealed"),
    ],
)
def test_sets_that_are_none(arguments, message):
    with pytest.raises(HandError, match=message):
        make_meld(*arguments)


@pytest.mark.parametrize("dealer", range(4))
def test_a_deal_comes_back_at_every_length(dealer):
    seed = 100 + dealer
    print("seed", seed)
    rng = random.Random(seed)
    deal = play(random_deal(FOUR, rng, dealer), [RandomBot()] * 4, rng)
    lines = format_deal(deal).splitlines()
    for length in (7, 9, 30, len(lines)):
        again = parse_deal("\n".join(lines[:length]))
        assert format_deal(again).splitlines() == lines[:length]
    assert again.is_over
    assert again.settle() == deal.settle()


def test_a_deal_with_an_unknown_wall_comes_back():
    deal = random_deal(FOUR, random.Random(1))
    blind = Deal(FOUR, 0, deal.dealt, 55)
    assert "wall 55 unknown" in format_deal(blind)
    assert parse_deal(format_deal(blind)).wall is None


@pytest.mark.parametrize("dealer", range(4))
def test_sbr_11_9_a_deal_from_own_walls_comes_back_at_every_length(dealer):
    seed = 200 + dealer
    print("seed", seed)
    rng = random.Random(seed)
    _, deal = shuffled_deal(OWN, dealer, rng)
    play(deal, [RandomBot()] * 4, rng)
    lines = format_deal(deal).splitlines()
    walls = lines[6].split()
    assert walls[0] == "walls"
    # By these rules 14 stacks stay at East and West; the dealer has been dealt 14 tiles.
    assert [len(one) // 2 for one in walls[1:]] == [(15, 13)[seat % 2] - (seat == dealer) for seat in range(4)]
    for length in (7, 8, 30, len(lines)):
        again = parse_deal("\n".join(lines[:length]))
        assert format_deal(again).splitlines() == lines[:length]
    assert again.is_over
    assert (again.settle(), again.status()) == (deal.settle(), ())
    # Nobody knows the tiles: every one may be drawn, and whoever has nothing to draw ends the deal as before.
    sizes = " ".join(str(len(one)) for one in deal.own_walls)
    blind = parse_deal("\n".join([*lines[:6], f"walls {sizes} unknown", *lines[7:]]))
    assert format_deal(blind).splitlines()[6] == f"walls {sizes} unknown"
    assert (blind.is_over, blind.settle(), blind.status()) == (True, deal.settle(), ())
    assert blind.tiles_left == deal.tiles_left


def test_own_walls_that_are_none_tell_the_line():
    lines = format_deal(shuffled_deal(OWN, 0, random.Random(1))[1]).splitlines()
    walls = lines[6].split()[1:]
    for line, message in [
        ("wall 55 unknown", r"line 7: .*begin with 'walls'"),
        ("walls 14 13 15 unknown", "line 7: .*has 3 walls; each of the 4 players"),
        (f"walls {' '.join(walls[:3])}", "line 7: .*has 3 walls"),
        ("walls 14 13 x 13 unknown", "line 7: 'x' is not a number"),
        (f"walls {' '.join(walls[:3])} 5", "line 7: cannot read"),
    ]:
        with pytest.raises(NotationError, match=message):
            parse_deal("\n".join([*lines[:6], line]))
    with pytest.raises(NotationError, match=r"line 7: .*begin with 'wall'"):
        parse_deal("\n".join(["ruleset mil-2025", *lines[1:]]))
    empty = parse_deal("\n".join([*lines[:6], f"walls - {' '.join(walls[1:])}"]))
    assert (empty.own_sizes[0], empty.own_walls[0]) == (0, ())
    assert "walls - " in format_deal(empty)


def test_the_status_of_a_deal_names_walls_that_are_none_of_its_rules():
    _, deal = shuffled_deal(OWN, 0, random.Random(1))
    hands, walls = deal.dealt, deal.own_walls
    (problem,) = Deal(OWN, 0, hands, deal.wall_size).status()
    assert problem == "by mil-2025-duplicate each player draws from the own wall"
    (problem,) = Deal(FOUR, 0, hands, deal.wall_size, own_walls=walls).status()
    assert "all draw from one wall" in problem
    (problem,) = Deal(OWN, 0, hands, deal.wall_size - 1, own_walls=walls).status()
    assert problem == f"the four walls have {deal.wall_size} tiles but are said to have {deal.wall_size - 1}"
    spoilt = [[walls[0][0]] * len(walls[0]), *walls[1:]]
    assert any("copies of" in one for one in Deal(OWN, 0, hands, deal.wall_size, own_walls=spoilt).status())


def test_bad_deals_tell_the_line():
    lines = format_deal(random_deal(FOUR, random.Random(1))).splitlines()
    for at, line, message in [
        (0, "rules sichuan", r"line 1: .* begin with 'ruleset'"),
        (1, "dealer two", "line 2: 'two' is not a number"),
        (3, "hand 1 5x", "line 4: cannot read"),
        (6, "wall 5", "line 7"),
    ]:
        with pytest.raises(NotationError, match=message):
            parse_deal("\n".join([*lines[:at], line, *lines[at + 1 :]]))
    with pytest.raises(NotationError, match="7 lines"):
        parse_deal("ruleset sichuan")
    with pytest.raises(NotationError, match=r"line 8: .*seat 0 is to decide"):
        parse_deal("\n".join([*lines, str(Action(1, "pass"))]))


def test_a_false_hu_and_a_called_time_come_back():
    stopping = FOUR.with_changes(time_up="stop")
    deal = random_deal(stopping, random.Random(2))
    for _ in range(4):
        deal.apply(deal.legal_actions()[0])
    deal.apply(deal.legal_actions()[0])
    tile = deal.discards(0)[0]
    deal.push(act.HUS[3][tile])
    deal.call_time()
    again = parse_deal(format_deal(deal), lambda _name: stopping)
    assert again.settle() == deal.settle()
    assert again.settle().hu[0].winners[0].false
    with pytest.raises(NotationError, match="the deal is over"):
        parse_deal(format_deal(deal) + "0 pass\n", lambda _name: stopping)
