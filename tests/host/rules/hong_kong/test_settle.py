"""Who pays whom, who deals next and which wind blows (HKO-4.9, 6 to 8), by the command line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.host.rules.hong_kong.support import E, N, S, W, call, explained, one, refused, settle, win
from wallwright.rules.hong_kong.ruleset import POINTS

FLUSH = "23m 99m [123m] [456m] [777m] +4m"
HALF = "23m 99m [123m] [456m] [777z] +4m"
NINE = {"type": "nine_pieces", "seat": S}
TWELVE = {"type": "twelve_pieces", "seat": S, "from": N}


def points(events, **more):
    return settle(events, **more)["points"]


def clauses(events, **more):
    return {one["clause"] for one in settle(events, **more)["payments"]}


def test_hko_4_9_the_nearest_wins_or_all():
    both = [{"type": "hu", "by": "discard", "from": W, "winners": [{"seat": S, "points": 2}, {"seat": E, "points": 8}]}]
    nearest = settle(both)
    assert nearest["points"] == [32, -8, -16, -8]
    assert [one["seat"] for one in nearest["wins"]] == [E]
    found = settle(both, multi_win="all")
    # Each collects from the two who did not win: the discarder twice the base, the other once.
    assert found["points"] == [24, 6, -20, -10]
    assert found["next_dealer"] == E
    robbed = [{**both[0], "by": "robbed_kong", "from": N}]
    assert [one["seat"] for one in settle(robbed)["wins"]] == [E]


def test_hko_6_1_all_pay_and_all_sums_to_zero():
    settled = settle(win(N, "discard", E, points=4))
    assert settled["points"] == [-8, -4, -4, 16]
    assert {(one["from"], one["to"], one["points"]) for one in settled["payments"]} == {
        (E, N, 8), (S, N, 4), (W, N, 4),
    }  # fmt: skip


def test_hko_6_4_half_and_full_payment():
    assert points(win(S, "discard", W, points=4)) == [-4, 16, -8, -4]
    assert points(win(S, "discard", W, points=4), payment="full") == [0, 16, -16, 0]
    assert clauses(win(S, "discard", W, points=4)) == {"HKO-6.4"}


@pytest.mark.parametrize("payment", ["half", "full"])
@pytest.mark.parametrize("by", ["self_drawn", "loose"])
def test_hko_6_5_self_drawn_all_pay_twice(payment, by):
    assert points(win(S, by, points=4), payment=payment) == [-8, 24, -8, -8]
    assert clauses(win(S, by, points=4)) == {"HKO-6.5"}


def test_hko_6_6_a_robbed_kong():
    robbed = win(S, "robbed_kong", E, points=4)
    assert points(robbed) == [-8, 16, -4, -4]
    assert points(robbed, payment="full") == [-16, 16, 0, 0]
    assert points(robbed, robbed_pays="all") == [-24, 24, 0, 0]
    assert clauses(robbed) == {"HKO-6.6"}


def test_hko_6_7_nine_pieces():
    events = win(S, "discard", W, FLUSH, before=[NINE])
    assert points(events) == [0, 256, -256, 0]
    assert clauses(events) == {"HKO-6.7"}
    # Without the call, with another hand, and self-drawn it is paid as usual.
    assert points(win(S, "discard", W, FLUSH)) == [-64, 256, -128, -64]
    assert points(win(S, "self_drawn", None, FLUSH, before=[NINE]))[E] == -128
    half = "44z [123m] [456m] [777m] 23m +4m"
    assert points(win(S, "discard", W, half, before=[NINE])) == [-8, 32, -16, -8]
    # By the sets alone, and a robbed kong counts as a discard.
    assert points(win(S, "discard", W, FLUSH), nine_call="auto") == [0, 256, -256, 0]
    concealed = "23m 99m [123m] [456m] [=7777m] +4m"
    assert points(win(S, "discard", W, concealed), nine_call="auto") == [-64, 256, -128, -64]
    promoted = "23m 99m [123m] [456m] [^7777m] +4m"
    assert points(win(S, "discard", W, promoted), nine_call="auto") == [0, 256, -256, 0]
    robbing = "23m 55m [789m] [678m] [999m] +1m"
    assert points(win(S, "robbed_kong", W, robbing, before=[NINE])) == [0, 256, -256, 0]
    # A base that was agreed on is believed to be such a hand's.
    assert points(win(S, "discard", W, points=64, before=[NINE])) == [0, 256, -256, 0]


def test_hko_6_8_twelve_pieces():
    text = "9m [123m] [456m] [777m] [345m] +9m"
    events = win(S, "self_drawn", None, text, before=[NINE, TWELVE])
    assert points(events) == [0, 384, 0, -384]
    assert clauses(events) == {"HKO-6.8"}
    assert points(win(S, "discard", W, text, before=[NINE, TWELVE])) == [0, 256, -256, 0]
    # Three sets of one suit and a fourth of honors: no full flush, nobody is liable.
    other = "9m [123m] [456m] [777m] [555z] +9m"
    assert points(win(S, "self_drawn", None, other, before=[NINE, TWELVE])) == [-64, 192, -64, -64]
    winds = "9m [123m] [456m] [777m] [345m] +9m"
    assert points(win(S, "self_drawn", None, winds, before=[TWELVE]), nine_call="auto") == [0, 384, 0, -384]


def test_hko_6_8_other_liable_hands_by_option():
    text = "23m 9m 9m [123m] [456m] [777m] +4m"
    assert points(win(S, "discard", W, text, before=[NINE]), liable_hands="tvb") == [0, 256, -256, 0]
    dragons = "8m [123m] [555z] [666z] [777z] +8m"
    twelve = [TWELVE]
    assert points(win(S, "self_drawn", None, dragons, before=twelve), nine_call="auto") == [-128, 384, -128, -128]
    assert points(win(S, "self_drawn", None, dragons, before=twelve), nine_call="auto", liable_hands="tvb") == (
        [0, 384, 0, -384]
    )


def test_hko_6_9_a_draw_pays_nothing_and_nobody_is_doubled():
    settled = settle([], end="wall")
    assert (settled["points"], settled["payments"], settled["next_dealer"]) == ([0, 0, 0, 0], [], E)
    assert points(win(E, "self_drawn", points=4)) == [24, -8, -8, -8]


@pytest.mark.parametrize(
    ("options", "each"), [({}, 128), ({"max_base": 128}, 256), ({"ruleset": "hong-kong-modern"}, 768)]
)
@pytest.mark.parametrize("what", ["win", "set", "count"])
def test_hko_7_1_a_mistake_pays_the_dearest_hand_to_each(options, each, what):
    settled = settle([{"type": "false_win", "seat": W, "what": what}], end="false_win", **options)
    assert settled["points"] == [each, each, -3 * each, each]
    assert {one["clause"] for one in settled["payments"]} == {"HKO-7.1"}


def test_hko_7_3_the_dealer_after_a_mistake():
    by_dealer, by_other = [{"type": "false_win", "seat": E}], [{"type": "false_win", "seat": W}]
    assert settle(by_dealer, end="false_win")["next_dealer"] == E
    assert settle(by_dealer, end="false_win", false_win_dealer="pass")["next_dealer"] == S
    assert settle(by_other, end="false_win", false_win_dealer="pass")["next_dealer"] == E


def test_hko_8_1_the_next_dealer():
    assert settle(win(E, "self_drawn", points=2))["next_dealer"] == E
    assert settle(win(W, "self_drawn", points=2))["next_dealer"] == S
    assert settle([], end="wall", dealer=N)["next_dealer"] == N
    assert settle([], end="wall", dealer=N, dealer_repeat=False)["next_dealer"] == E
    assert settle(win(E, "self_drawn", points=2), dealer_repeat=False)["next_dealer"] == S


def test_hko_8_2_the_round_wind_and_the_end_of_the_session():
    passes = win(E, "self_drawn", points=2)
    assert settle(passes, dealer=N)["round_wind"] == "S"
    assert settle(passes, dealer=N, wind="W")["round_wind"] == "N"
    assert settle(passes, dealer=N, wind="N")["round_wind"] is None
    assert settle(passes, dealer=S, first_dealer=W)["round_wind"] == "S"
    assert settle(passes, dealer=S, first_dealer=E)["round_wind"] == "E"
    assert settle(win(N, "self_drawn", points=2), dealer=N)["round_wind"] == "E"
    stopped = settle([], end="time_up", dealer=N, time_up="stop")
    assert (stopped["points"], stopped["next_dealer"], stopped["round_wind"]) == ([0, 0, 0, 0], N, "E")


@pytest.mark.slow
@given(
    seat=st.integers(0, 3),
    step=st.integers(0, 3),
    by=st.sampled_from(["self_drawn", "loose", "discard", "robbed_kong"]),
    faan=st.integers(0, 10),
    called=st.booleans(),
    options=st.fixed_dictionaries(
        {
            "payment": st.sampled_from(["half", "full"]),
            "robbed_pays": st.sampled_from(["discard", "all"]),
            "points_table": st.sampled_from(sorted(POINTS)),
            "max_base": st.sampled_from([64, 128, "none"]),
        }
    ),
)
def test_hko_6_1_payments_sum_to_zero(seat, step, by, faan, called, options):
    # What the way of winning brings is in the hand as well (HKO-5.4).
    faan = max(faan, {"self_drawn": 1, "loose": 2, "discard": 0, "robbed_kong": 1}[by])
    base = POINTS[options["points_table"]][faan]
    base = min(base, options["max_base"]) if options["max_base"] != "none" else base
    from_ = None if by in ("self_drawn", "loose") else (seat + max(step, 1)) % 4
    before = [{"type": "nine_pieces", "seat": seat}] if called else []
    found = settle(win(seat, by, from_, points=base, before=before), **options)
    assert sum(found["points"]) == 0
    assert found["points"][seat] > 0
    by_seat = [0, 0, 0, 0]
    for paid in found["payments"]:
        by_seat[paid["from"]] -= paid["points"]
        by_seat[paid["to"]] += paid["points"]
    assert by_seat == found["points"]


def test_a_settlement_is_explained_with_its_clauses():
    deal = {"ruleset": "hong-kong", "dealer": 3, "round_wind": "N"}
    deal |= {"events": win(S, "discard", W, FLUSH, before=[NINE]), "end": "win"}
    assert (
        explained(deal)
        == """\
Rules: hong-kong, North round, dealer seat 3.
Seat 1 called nine pieces (HKO-6.7).
Seat 1 won on a discard of seat 2.
  Seat 1: 2399m [123m] [456m] [777m] and 4m.
  Sets: 123m 456m 777m 234m, pair 99m (HKO-5.1).
  full flush 6: 6 faan, base 64 (HKO-5.4, 5.5, 6.2).
The win ended the deal (HKO-4.2).
  Seat 2 pays seat 1 256 points: win of seat 1 on the discard of seat 2, after nine pieces (HKO-6.7).
Points: seat 0 +0, seat 1 +256, seat 2 -256, seat 3 +0.
Next dealer: seat 0 (HKO-7.3, 8.1).
The session is over: all four rounds are played (HKO-8.2).

"""
    )


def test_every_line_of_an_explanation_can_be_said():
    deals = [
        (win(S, "loose", None, "119m 19p 19s 234567z +1z", flowers=["2f"]), "win", {"flowers": True}),
        (win(S, "robbed_kong", E, points=4), "win", {}),
        (win(S, "self_drawn", None, "1122m 3344p 5566s 7z +7z"), "win", {"seven_pairs": 4}),
        ([NINE, TWELVE], "wall", {}),
        ([{"type": "false_win", "seat": W, "what": "set"}], "false_win", {}),
        ([], "time_up", {"time_up": "stop"}),
    ]
    for events, end, options in deals:
        deal = {"dealer": N, "round_wind": "E", "events": events, "end": end, "options": options}
        assert call("settle", deal)[0] == 0
        assert "Next dealer: seat " in explained(deal)


@pytest.mark.parametrize(("thrower", "dice", "first"), [(0, [1, 1, 1], 2), (0, [2, 3, 5], 1), (3, [6, 6, 6], 0)])
def test_hko_8_3_seats_are_drawn_by_winds_and_dice(thrower, dice, first):
    """The player counted from the thrower = 1 takes the top wind, the others the next ones, counter-clockwise."""
    found = one("seats", thrower=thrower, dice=dice, winds="SENW")
    assert found["first"] == first
    assert [found["winds"][(first + step) % 4] for step in range(4)] == ["S", "E", "N", "W"]
    assert found["dealer"] == (first + 1) % 4


def test_hko_8_3_what_is_no_draw_of_seats_is_refused():
    assert "HKO-8.3" in refused("seats", thrower=0, dice=[1, 2], winds="SENW")
    assert "in the order of the stack (HKO-8.3)" in refused("seats", thrower=0, dice=[1, 2, 3], winds="SENN")
    assert "an event draws them by lot" in refused("seats", ruleset="balsall")
