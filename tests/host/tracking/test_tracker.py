"""Deals of bots, acted out under readers with the simulator's errors, come back as they were played."""

import random
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import islice

import pytest

from wallwright.errors import BadInput
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.events import ROBBED_KONG_HU, Hu, Kong
from wallwright.rules.sichuan.followed import Followed
from wallwright.rules.sichuan.melds import MeldType
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.tracking import Setup, Tracker, ZoneEvent
from wallwright.tracking.resolve import _choices
from wallwright.tracking.tracker import NOT_IN_ORDER

from .acted import Bench, act_out
from .truth import ROBBED, is_exact, is_silently_wrong, plain_deals, played, seen_log, tracked

SOME = (2, 5, 13)


@pytest.mark.parametrize("seed", SOME)
@pytest.mark.parametrize("wall", [True, False], ids=["wall revealed", "no wall"])
def test_readers_without_errors_give_every_action(seed: int, wall: bool) -> None:
    acted = act_out(played(seed), seed)
    outcome = tracked(acted, wall=wall)
    assert outcome.account is not None
    assert is_exact(outcome.account, acted.deal)
    times = [at_ms for at_ms in outcome.account.times if at_ms is not None]
    assert times == sorted(times)
    assert len(times) == sum(" void" not in action and " pass" not in action for action in seen_log(acted.deal))


def test_a_settlement_from_reads_is_that_of_the_deal(seed: int) -> None:
    number, deal = next(plain_deals(random.Random(seed), "sichuan-4"))
    outcome = tracked(act_out(deal, number))
    assert outcome.account is not None
    assert outcome.account.settlement == deal.settle()
    assert outcome.question is None
    assert outcome.problem == ""


@pytest.mark.parametrize("ruleset", ["chengdu-2016", "mil-2025", "sichuan"])
def test_any_legal_course_of_play_is_followed_under_every_ruleset(ruleset: str, seed: int) -> None:
    for number, deal in islice(plain_deals(random.Random(seed), ruleset, at_random=True), 4):
        outcome = tracked(act_out(deal, number))
        if outcome.account is None:
            # Who could have won by the last discard of the wall leaves no trace, whether they did or not.
            assert str(deal.log[-1]).endswith("pass"), number
            assert outcome.question is not None, number
            assert any(is_exact(answer.account, deal) for answer in outcome.question.answers), number
            continue
        assert is_exact(outcome.account, deal), number


@pytest.mark.parametrize("kind", [MeldType.CONCEALED, MeldType.MELDED, MeldType.PROMOTED, MeldType.POSTPONED])
def test_each_type_of_kong_is_told_from_the_others(kind: MeldType) -> None:
    number, deal = next(
        (number, deal)
        for number, deal in plain_deals(random.Random(1), at_random=True)
        if any(isinstance(event, Kong) and event.type is kind for event in deal.events)
    )
    outcome = tracked(act_out(deal, number))
    assert outcome.account is not None
    assert isinstance(outcome.account.deal, Deal)
    assert [event for event in outcome.account.deal.events if isinstance(event, Kong)] == [
        event for event in deal.events if isinstance(event, Kong)
    ]


def test_a_robbed_kong_is_one() -> None:
    deal = played(ROBBED)
    assert any(isinstance(event, Hu) and event.by == ROBBED_KONG_HU for event in deal.events)
    outcome = tracked(act_out(deal, ROBBED))
    assert outcome.account is not None
    assert is_exact(outcome.account, deal)


OWN = "mil-2025-duplicate"


@pytest.mark.parametrize("at_random", [False, True])
@pytest.mark.parametrize("wall", [True, False])
def test_sbr_11_9_deals_from_own_walls_are_followed_exactly(at_random: bool, wall: bool) -> None:
    ends = set()
    for number in range(500, 506):
        deal = played(number, OWN, at_random=at_random)
        outcome = tracked(act_out(deal, number), wall=wall)
        assert outcome.account is not None, (number, outcome)
        assert is_exact(outcome.account, deal), number
        assert outcome.account.settlement == deal.settle()
        assert not outcome.account.notices
        ends.add(deal.end)
    assert "wall" in ends


def test_an_own_wall_says_which_tile_was_drawn_that_no_reader_saw() -> None:
    """Whoever draws from another one's wall, by the order of one wall, would be taken for somebody who misdraws."""
    silent = 0
    for number in range(520, 532):
        deal = played(number, OWN)
        acted = act_out(deal, number, miss=50, late=20)
        with_wall = tracked(acted)
        if with_wall.account is not None:
            assert not is_silently_wrong(with_wall.account, deal), number
            silent += 1
        else:
            assert with_wall.question is not None, (number, with_wall.problem)
            results = [answer.account.settlement.points for answer in with_wall.question.answers]
            assert deal.settle().points in results, number
    assert silent > 6


def test_own_walls_that_are_none_are_refused() -> None:
    deal = played(500, OWN)
    tiles = act_out(deal, 500).tiles
    with pytest.raises(BadInput, match=r"own walls of \(\) tiles are none of a set of 108"):
        Tracker(Setup(Followed(deal.ruleset), 0, tiles))


DOUBLE = 86
"""A deal of smart bots in which two win on one discard."""


def test_several_hu_on_one_tile_are_seen_by_who_plays_no_more() -> None:
    deal = played(DOUBLE)
    assert any(isinstance(event, Hu) and len(event.winners) > 1 for event in deal.events)
    outcome = tracked(act_out(deal, DOUBLE))
    assert outcome.account is not None
    assert isinstance(outcome.account.deal, Deal)
    assert outcome.account.deal.events == deal.events


ERRING = (12, 28, 29, 43, 57, 107, 116, 183)
"""Deals of smart bots; with one read in twenty missed several of them leave something open."""


def test_what_is_doubtful_is_asked_and_never_silently_wrong() -> None:
    asked = 0
    for number in ERRING:
        deal = played(number)
        outcome = tracked(act_out(deal, number, miss=50, ghost=20, late=20, double=20))
        if outcome.account is not None:
            assert not is_silently_wrong(outcome.account, deal), number
            continue
        assert outcome.question is not None, number
        asked += 1
        assert 2 <= len(outcome.question.answers) <= 4
        assert outcome.question.text.count("?") == 1
        assert deal.settle().points in [answer.account.settlement.points for answer in outcome.question.answers]
    assert 0 < asked < len(ERRING)


def test_the_likelier_answer_comes_first() -> None:
    firsts = listed = 0
    for number in ERRING:
        question = tracked(act_out(played(number), number, miss=50, ghost=10)).question
        if question is not None:
            points = [answer.account.settlement.points for answer in question.answers]
            listed += 1
            firsts += points[0] == played(number).settle().points
            assert f"points {points[0][0]:+d}" in question.answers[0].text
    assert listed >= 2
    assert 2 * firsts >= listed


def kill_reader(reader: int, bench: Bench) -> None:
    bench.readers.kill_reader(reader, True)


@pytest.mark.parametrize(("reader", "zone"), [(7, "hand of seat 1"), (9, "discards of seat 1")])
def test_a_reader_that_is_dead_does_not_stop_the_others(reader: int, zone: str) -> None:
    for number in SOME:
        deal = played(number)
        outcome = tracked(act_out(deal, number, upset=partial(kill_reader, reader)))
        assert [zone in notice.text for notice in outcome.notices] == [True]
        assert outcome.account is not None
        assert is_exact(outcome.account, deal), number


def kill_hands(bench: Bench) -> None:
    for reader in (4, 7, 10, 13):
        bench.readers.kill_reader(reader, True)


def test_where_most_tiles_were_not_read_nothing_is_guessed() -> None:
    outcome = tracked(act_out(played(SOME[0]), SOME[0], upset=kill_hands))
    assert (outcome.account, outcome.question) == (None, None)
    assert (
        outcome.problem == "4 of the readers of hands and discards told nothing of this deal; enter its result by hand"
    )
    assert len(outcome.notices) == 4


@pytest.mark.parametrize(
    ("empty", "left", "ways"),
    [
        ([2000, 2001], {1: 1, 3: 2}, [(1, 3), (3, 3)]),  # dealt tiles have no order
        ([1000, 1001], {1: 1, 3: 2}, [(1, 3), (3, 1), (3, 3)]),  # draws have one
        ([2000, 2020], {1: 1, 3: 1}, [(1, 3), (3, 1)]),  # of two seats
        ([2000, 2001, 1000], {5: 2}, []),  # not enough is left
    ],
)
def test_open_places_are_filled_in_every_way_once(
    empty: list[int], left: dict[int, int], ways: list[tuple[int, ...]]
) -> None:
    counter = Counter(left)
    assert list(_choices(empty, counter)) == ways
    assert counter == left


def test_sets_under_a_dead_reader_are_seen_by_what_has_left_the_hands() -> None:
    for number in SOME:
        deal = played(number)
        seat = next((seat for seat in range(4) if deal.melds(seat)), 0)
        outcome = tracked(act_out(deal, number, upset=partial(kill_reader, 5 + 3 * seat)))
        assert outcome.account is not None
        assert is_exact(outcome.account, deal), number


@pytest.mark.parametrize("tile", [3, 50, 107])
def test_a_dead_tag_is_found_by_what_is_missing(tile: int) -> None:
    deal = played(5)
    outcome = tracked(act_out(deal, 5, upset=lambda bench: bench.readers.kill_tag(tile, True)))
    assert outcome.account is not None
    assert is_exact(outcome.account, deal)


def test_a_foreign_tag_is_a_notice_and_no_tile() -> None:
    def put(bench: Bench) -> None:
        bench.later(30_000, lambda: bench.readers.put_foreign(4, True))

    deal = played(2)
    outcome = tracked(act_out(deal, 2, upset=put))
    assert outcome.account is not None
    assert is_exact(outcome.account, deal)
    assert ["1 tags were read that are not enrolled" in notice.text for notice in outcome.notices] == [True]


def test_claim_keys_agree_with_what_is_seen() -> None:
    deal = played(5)
    outcome = tracked(act_out(deal, 5, keys=True), keys=True)
    assert outcome.account is not None
    assert is_exact(outcome.account, deal)


def test_whether_the_deal_was_over_is_asked_when_tiles_are_pushed_together() -> None:
    for number in SOME:
        deal = played(number)
        outcome = tracked(act_out(deal, number, clear_up=True))
        assert outcome.account is None
        assert outcome.question is not None, number
        assert "was the deal over by then?" in outcome.question.text
        points = [answer.account.settlement.points for answer in outcome.question.answers]
        assert deal.settle().points in points, number


def test_a_wall_that_was_broken_at_a_wrong_place_is_told_and_does_not_spoil_the_deal() -> None:
    deal = played(5)
    acted = act_out(deal, 5)
    elsewhere = replace(acted, wall=(*acted.wall[8:], *acted.wall[:8]))
    outcome = tracked(elsewhere)
    assert outcome.account is not None
    assert is_exact(outcome.account, deal)
    assert [notice.text for notice in outcome.notices] == [NOT_IN_ORDER]


def test_reads_that_are_of_no_deal_are_not_explained_away() -> None:
    acted = act_out(played(2), 2)
    chance = random.Random(1)
    tags = sorted(acted.tiles)
    tracker = Tracker(Setup(Followed(acted.deal.ruleset), acted.deal.dealer, acted.tiles))
    for at_ms in range(0, 60_000, 400):
        tracker.feed(ZoneEvent(at_ms, "appeared", chance.randrange(4, 16), chance.choice(tags)))
    outcome = tracker.finish(acted.wall)
    assert outcome.account is None
    assert outcome.question is None
    assert "settle the deal from what was declared" in outcome.problem


def test_a_tracker_is_given_sense() -> None:
    rules = Followed(load_ruleset("sichuan"))
    tiles = act_out(played(2), 2).tiles
    with pytest.raises(BadInput, match="enrol the set again"):
        Tracker(Setup(rules, 0, {}))
    with pytest.raises(BadInput, match="seats are 0 to 3"):
        Tracker(Setup(rules, 4, tiles))
    tracker = Tracker(Setup(rules, 0, tiles))
    with pytest.raises(BadInput, match="nothing that readers tell"):
        tracker.feed(ZoneEvent(0, "appeared", 16, next(iter(tiles))))
    with pytest.raises(BadInput, match="a claim of seat 7"):
        tracker.feed(ZoneEvent(0, "claim", seat=7))
    with pytest.raises(BadInput, match="a wall of 3 tiles"):
        tracker.finish([None, None, None])


def test_a_claim_that_a_hu_overrules_is_marked_as_a_doubtful_pass() -> None:
    deal = played(2)
    (at,) = [at for at, (one, other) in enumerate(zip(deal.log, seen_log(deal), strict=True)) if str(one) != other]
    assert str(deal.log[at]) == "3 pung 1s"
    outcome = tracked(act_out(deal, 2))
    assert outcome.account is not None
    assert outcome.account.doubtful == (at,)


@pytest.mark.parametrize("number", [0, 405])
def test_sbr_3_1_a_dealer_s_suit_that_may_have_been_named_by_a_card_is_doubtful_and_nothing_else(number: int) -> None:
    deal = played(number)
    suits = [len({kind // 9 for kind in deal.dealt[(deal.dealer + step) % 4]}) for step in range(4)]
    assert suits == [2, 3, 3, 3]
    outcome = tracked(act_out(deal, number))
    assert outcome.account is not None
    assert outcome.account.doubtful == (0,)
