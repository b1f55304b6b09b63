"""Bad input: one line each, that names the clause."""

import re

import pytest

from tests.host.rules.hong_kong.support import E, N, S, W, hand, refused, win

GOOD = {**hand("123m 789m 456p 5s [222s] +5s"), "by": "discard", "seat_wind": "S", "round_wind": "E"}


def said(**changes):
    return {key: value for key, value in {**GOOD, **changes}.items() if value is not None}


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (said(standing="2233555s", melds=[], winning="5s"), "the hand has 7 tiles"),
        (said(**hand("55m 5m 5m 123m 123p 12s 3s +5m")), r"a fifth 5m.*HKO-1\.1"),
        (said(**hand("555m 123m 1z1z [5555s] [5555m] +5m")), r"HKO-"),
        (said(flowers=["12345678f", "1f"], options={"flowers": True}), r"a ninth flower.*HKO-1\.3"),
        (said(flowers=["11f"], options={"flowers": True}), r"a second 1f.*HKO-1\.3"),
        (said(flowers=["9f"], options={"flowers": True}), r"cannot read '9f'.*HKO-1\.3"),
        (said(flowers=["1m"], options={"flowers": True}), r"`flowers` are 1f to 8f \(HKO-1\.3\)"),
        (said(flowers=["1f"]), r"without flowers.*HKO-1\.1"),
        (said(winning="1f"), r"a flower stands in no hand.*HKO-1\.3"),
        (said(standing="123m789m456p1f"), r"a flower stands in no hand.*HKO-1\.3"),
        (said(melds=[{"kind": "chow", "tiles": "123z"}]), r"a chow of honours.*HKO-4\.3"),
        (said(melds=[{"kind": "chow", "tiles": "124m"}]), r"a chow is three suited tiles in a row.*HKO-4\.3"),
        (said(melds=[{"kind": "pung", "tiles": "111f"}]), r"flower.*HKO-4\.3"),
        (said(melds=[{"kind": "pair", "tiles": "11m"}]), "a set laid down is a chow, pung, kong"),
        (said(options={"min_fan": 3}), r"has no option 'min_fan'; its options are .*min_faan \(HKO-5\.7\)"),
        (said(options={"min_faan": 14}), r"min_faan is 14, it must be a whole number from 0 to 13 \(HKO-5\.7\)"),
        (said(options={"max_base": 100}), r"max_base is 100, it must be 64 or 128 or 'none' \(HKO-6\.3\)"),
        (said(options={"flowers": 1}), r"flowers is 1, it must be false or true \(HKO-1\.3\)"),
        (said(options={"payment": [1]}), r"payment is \[1\], it must be 'half' or 'full' \(HKO-6\.4\)"),
        (said(options=[]), "it must be an object"),
        (said(void="m"), r"'void' belongs to another game.*HKO-3\.1"),
        (said(fan_limit=3), r"'fan_limit' belongs to another game.*HKO-5\.6"),
        (said(east=1), r"'east' belongs to another game.*HKO-2"),
        (said(winner=False), r"only the winner's hand is scored \(HKO-6\.1\)"),
        (said(by="drawn"), r"'by' is 'drawn'.*HKO-4\.2"),
        (said(seat_wind="Z"), r"'seat_wind' is 'Z', it must be E, S, W or N \(HKO-3\.1\)"),
        (said(seat_wind=None), "'seat_wind' is missing"),
        (said(round_wind="ES"), r"'round_wind' is 'ES'"),
        (said(conditions=["goulash"]), r"unknown condition 'goulash'.*HKO-5\.4"),
        (said(conditions=["last_tile"]), r"a drawn tile only \(HKO-5\.9\)"),
        (said(by="robbed_kong", conditions=["last_tile"]), r"HKO-5\.9"),
        (said(by="loose"), r"needs 1 kong in the hand \(HKO-5\.4\)"),
        (said(by="loose", conditions=["kong_on_kong"]), r"needs 2 kongs in the hand \(HKO-5\.4\)"),
        (said(by="self_drawn", conditions=["last_discard"]), r"a discard only \(HKO-5\.4\)"),
        (said(by="robbed_kong"), r"a robbed 5s .*HKO-4\.6"),
        (said(by="self_drawn", conditions=["heavenly"], seat_wind="E"), r"all of it standing \(HKO-5\.5\)"),
        (said(melds=[], standing="123m789m456p222s5s", conditions=["heavenly"]), r"the dealer's .*HKO-5\.5"),
        (said(melds=[], standing="123m789m456p222s5s", conditions=["earthly"], seat_wind="E"), r"HKO-5\.5"),
        (said(conditions=["heavenly", "earthly"]), r"no other condition \(HKO-5\.5\)"),
        (said(ponits=3), "unknown key 'ponits'"),
    ],
)
def test_a_hand_that_is_none_is_refused_by_clause(record, problem):
    error = refused("score", **record)
    assert re.search(problem, error), error


def test_hko_1_1_a_hand_of_five_sets_is_refused():
    melds = [{"kind": "chow", "tiles": "123m"}] * 5
    assert "a hand has four at most (HKO-5.1)" in refused("score", **said(melds=melds, standing=""))


@pytest.mark.parametrize(
    ("events", "end", "problem"),
    [
        ([{"type": "kong", "seat": 1, "kind": "melded"}], "win", "event 1: an event is a hu.*HKO-4.5"),
        ([{"type": "breach", "seat": 1}], "win", "event 1: an event is a hu"),
        ([], "win", r"the end is win, but the last event is no win \(HKO-4\.2"),
        (win(S, "discard", W, points=4), "wall", "the end is wall, but the last event is win"),
        (win(S, "discard", W, points=4), "three_hu", "a deal ends by win, wall, false_win, time_up"),
        (win(S, "discard", W, points=4) * 2, "win", r"event 2: the first win or false win ends the deal \(HKO-4\.2"),
        (win(S, "discard", S, points=4), "win", "another seat than the winner's"),
        (win(S, "discard", None, points=4), "win", "another seat than the winner's"),
        (win(S, "self_drawn", W, points=4), "win", "no `from`"),
        (win(S, "discard", W, points=5), "win", r"no hand is worth 5: the base is 1, 2, 4, 8, 16, 32, 64 \(HKO-6\.2"),
        (win(S, "discard", W, "123m 789m 456p 5s [222s] +6s"), "win", r"note a false_win \(HKO-5\.1, 7\.1"),
        (win(S, "discard", W, "123m 789m 456p 5s [222s] +5s", points=1) , "win", None),
        ([{"type": "hu", "by": "discard", "from": W, "winners": []}], "win", "one winner, or several different"),
        ([{"type": "hu", "by": "discard", "from": W, "winners": [{"seat": S}]}], "win", "the hand or its `points`"),
        ([{"type": "twelve_pieces", "seat": S, "from": S}], "wall", r"another player's discard \(HKO-6\.8"),
        ([{"type": "twelve_pieces", "seat": S, "from": E}], "wall", r"has not called nine pieces \(HKO-6\.7"),
        ([{"type": "false_win", "seat": S, "what": "hand"}], "false_win", r"a mistake is win, set, count.*HKO-7\.1"),
        (
            win(S, "discard", W, "23m 99m [123m] [456m] 777m +4m", before=[{"type": "nine_pieces", "seat": S}]),
            "win", r"no three sets of one suit made with discards \(HKO-6\.7",
        ),
        (
            win(S, "discard", W, "23m 99m [123m] [456m] [777m] +4m", before=[
                {"type": "nine_pieces", "seat": S}, {"type": "twelve_pieces", "seat": S, "from": E}]),
            "win", r"no four sets made with discards \(HKO-6\.8",
        ),
        ([], "time_up", r"plays the deal in progress out when time is up \(HKO-8\.2"),
        (win(S, "discard", W, "123m 789m 456p 222s 5s +5s", conditions=["earthly"]), "win", r"dealer's .*HKO-5\.5"),
    ],
)  # fmt: skip
def test_a_deal_that_cannot_have_happened_is_refused_by_clause(events, end, problem):
    if problem is None:
        events = [{**events[-1], "winners": [{**events[-1]["winners"][0], "points": 1}]}]
        problem = "give the hand or its `points`, and not both"
    error = refused("settle", dealer=E, round_wind="E", events=events, end=end)
    assert re.search(problem, error), error


def test_hko_4_6_who_may_rob_what_is_checked():
    plain = win(S, "robbed_kong", E, "123m 789m 456p 55s 23s +1s")
    plain[0]["kong"] = "hidden"
    record = {"dealer": E, "round_wind": "E", "events": plain, "end": "win"}
    assert "only thirteen orphans rob a hidden kong (HKO-4.6)" in refused("settle", **record)
    assert "concealed kongs are shown in this ruleset (HKO-4.6)" in (
        refused("settle", **record, options={"concealed_kong": "shown"})
    )
    plain[0]["kong"] = "open"
    assert "which one was robbed: promoted, shown, hidden (HKO-4.6)" in refused("settle", **record)


def test_hko_5_7_a_win_below_the_minimum_is_a_false_win():
    events = win(S, "discard", W, "123m 789m 456p 5s [222s] +5s")
    error = refused("settle", dealer=E, round_wind="E", events=events, end="win", options={"min_faan": 1})
    assert "too few faan, 1 are needed: note a false_win (HKO-5.7, 7.1)" in error


def test_hko_1_1_two_winners_do_not_share_tiles():
    def winner(seat, text):
        return {"seat": seat, **hand(text)}

    winners = [winner(S, "555m 123p 456p 11z 23s +1s"), winner(N, "555m 123p 456p 22z 23s +1s")]
    events = [{"type": "hu", "by": "discard", "from": W, "winners": winners}]
    record = {"dealer": E, "round_wind": "E", "events": events, "end": "win"}
    assert "a fifth 5m among the winners' hands (HKO-1.1)" in refused("settle", **record)
    winners[1] = winner(N, "678m 123p 456p 22z 23s +4s")
    assert "several wins are on one tile (HKO-4.9)" in refused("settle", **record)
