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
from wallwright.rules.sichuan.play import play

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
