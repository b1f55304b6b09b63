"""Seating: nobody meets twice where that can be, seats and tables are even, clashes are apart; the check sees all."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from wallwright.event.designs import design_sessions
from wallwright.event.seating import SessionSeating, plan_seating
from wallwright.event.seating_check import check_seating

KEY = b"k" * 32


def meetings(sessions) -> Counter[tuple[int, int]]:
    return Counter(
        (min(pair), max(pair)) for session in sessions for table in session for pair in combinations(table, 2)
    )


@pytest.mark.parametrize("players", [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 60, 64, 100, 128, 256])
def test_designs_seat_everybody_once_a_session_and_no_pair_twice(players: int) -> None:
    sessions = design_sessions(players, 10)
    assert sessions
    for groups in sessions:
        assert sorted(one for group in groups for one in group) == list(range(players))
        assert all(len(group) == 4 for group in groups)
    assert max(meetings(sessions).values()) == 1


@pytest.mark.parametrize(("players", "sessions"), [(16, 5), (64, 21)])
def test_some_designs_let_everybody_meet_everybody(players: int, sessions: int) -> None:
    assert len(meetings(design_sessions(players, sessions))) == players * (players - 1) // 2


@pytest.mark.parametrize(("players", "sessions"), [(16, 5), (32, 8), (48, 10), (61, 6), (64, 5), (256, 10)])
def test_no_pair_meets_twice_where_that_is_known_to_be_possible(players: int, sessions: int) -> None:
    lots = list(range(11, 11 + players))
    Random(players).shuffle(lots)
    plan = plan_seating(lots, sessions, (), KEY)
    report = check_seating(plan, lots, ())
    assert report.problems == ()
    assert (report.repeats, report.most) == (0, 1)
    assert report.seat_spread <= 1
    assert report.bye_spread <= 1
    if players >= 61:
        assert report.table_repeats <= players


@pytest.mark.parametrize("players", [4, 5, 6, 7, 8, 9, 13, 18])
def test_any_number_from_four_on_is_seated_as_evenly_as_it_can_be(players: int) -> None:
    plan = plan_seating(range(players), 5, (), KEY)
    report = check_seating(plan, range(players), ())
    assert report.problems == ()
    assert report.least_repeats <= report.repeats
    assert report.bye_spread <= 1
    # In five sessions a seat comes once or twice; who has sat out twice may lack one.
    assert report.seat_spread <= 1


def test_eight_players_meet_as_evenly_as_can_be() -> None:
    report = check_seating(plan_seating(range(8), 5, (), KEY), range(8), ())
    assert (report.repeats, report.most) == (report.least_repeats, 3)


@pytest.mark.parametrize(
    ("players", "sessions", "club"), [(32, 5, 4), (64, 5, 8), (61, 5, 6), (17, 3, 3), (256, 5, 16)]
)
def test_clashes_are_kept_apart(players: int, sessions: int, club: int) -> None:
    apart = [(a, b) for a, b in combinations(range(players), 2) if a // club == b // club]
    report = check_seating(plan_seating(range(players), sessions, apart, KEY), range(players), apart)
    assert report.problems == ()
    assert report.clashes == 0


def test_a_clash_with_a_player_who_is_absent_keeps_nobody_apart() -> None:
    here = range(20, 28)
    assert plan_seating(here, 4, [(20, 3), (4, 23)], KEY) == plan_seating(here, 4, (), KEY)
    report = check_seating(plan_seating(here, 2, [(20, 3), (20, 23), (4, 23)], KEY), here, [(20, 23)])
    assert (report.problems, report.clashes) == ((), 0)


def test_the_same_key_gives_the_same_plan_and_another_one_another() -> None:
    lots = list(range(22))
    assert plan_seating(lots, 3, (), KEY) == plan_seating(lots, 3, (), KEY)
    assert plan_seating(lots, 3, (), KEY) != plan_seating(lots, 3, (), b"l" * 32)


def good() -> list[SessionSeating]:
    return list(plan_seating(range(9), 3, (), KEY))


def swapped(session: SessionSeating, old: int, new: int) -> SessionSeating:
    tables = tuple(tuple(new if one == old else one for one in table) for table in session.tables)
    return SessionSeating(tables, session.byes)  # type: ignore[arg-type]


def test_the_check_sees_what_is_wrong() -> None:
    plan = good()
    first, second = plan[0].tables[0][:2]
    said = check_seating([swapped(plan[0], first, second)], range(9), ()).problems
    assert f"session 1 has player {second} more than once: 2" in said
    assert f"session 1 lacks player {first}" in said
    assert any("not in the event" in one for one in check_seating([swapped(plan[0], first, 77)], range(9), ()).problems)
    short = SessionSeating(plan[0].tables[:1], plan[0].byes + plan[0].tables[1])
    assert any("sit out" in one for one in check_seating([short], range(9), ()).problems)


def test_the_check_counts_by_hand() -> None:
    plan = [SessionSeating(((1, 2, 3, 4), (5, 6, 7, 8))), SessionSeating(((1, 2, 5, 6), (3, 4, 7, 8)))]
    report = check_seating(plan, range(1, 9), [(1, 2), (1, 8), (6, 5)])
    # 1-2, 3-4, 5-6 and 7-8 meet twice; 1-2 and 5-6 are kept apart in vain, twice each.
    assert (report.repeats, report.most, report.clashes) == (4, 2, 4)
    # Of 28 pairs, 12 meetings need not repeat any.
    assert report.least_repeats == 0
    # 1, 2, 7 and 8 have a seat twice and others never; they and 3, 4, 5, 6: 1 and 2 are at the first table again.
    assert report.seat_spread == 2
    assert report.table_repeats == 4
