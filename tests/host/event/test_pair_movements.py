"""Movements of pairs and teams: who meets whom, and in which directions."""

from collections import Counter
from itertools import combinations

import pytest

from wallwright.event.format import HOWELL, MITCHELL, PAIRS, TEAMS
from wallwright.event.pairs import plan_units
from wallwright.event.players import Player, Roster
from wallwright.event.seating_check import check_seating


def roster(units, size):
    return Roster(tuple(Player(one, f"P{one}", f"Unit {-(-one // size)}") for one in range(1, units * size + 1)))


def partners(plan):
    """By session and table, who sits at East and West, and who at South and North."""
    return [[({a, c}, {b, d}) for a, b, c, d in session.tables] for session in plan]


@pytest.mark.parametrize("pairs", range(2, 13))
def test_in_a_howell_movement_all_pairs_meet_each_other_once(pairs):
    players = roster(pairs, 2)
    rounds = pairs - 1 if pairs % 2 == 0 else pairs
    plan = plan_units(PAIRS, HOWELL, players, [one.number for one in players.players], rounds)
    report = check_seating(plan, [one.number for one in players.players], ())
    assert report.problems == ()
    met: Counter[tuple[int, ...]] = Counter()
    for session in partners(plan):
        for east_west, south_north in session:
            units = [{(one + 1) // 2 for one in side} for side in (east_west, south_north)]
            assert [len(unit) for unit in units] == [1, 1]
            met[tuple(sorted(one for unit in units for one in unit))] += 1
    assert met == Counter(combinations(range(1, pairs + 1), 2))
    assert all(len(session.byes) == 2 * (pairs % 2) for session in plan)


def compared_alike(pairs, movement, rounds):
    """Return two figures that are counted on the seats of a plan: how far two pairs are at the most from the mean, in
    sessions in the same direction less those in opposite ones; and the fewest sessions of a pair in a direction."""
    players = roster(pairs, 2)
    plan = plan_units(PAIRS, movement, players, [one.number for one in players.players], rounds)
    rows: dict[int, list[int]] = {}
    for number, session in enumerate(partners(plan)):
        for sides in session:
            for sign, side in zip((1, -1), sides, strict=True):
                rows.setdefault((min(side) + 1) // 2, [0] * rounds)[number] = sign
    assert len(rows) == pairs
    both = [sum(a * b for a, b in zip(rows[one], rows[other], strict=True)) for one, other in combinations(rows, 2)]
    fewest = min(min(row.count(1), row.count(-1)) for row in rows.values())
    return max(abs(one + rounds / (pairs - 1)) for one in both), fewest


@pytest.mark.parametrize("pairs", range(4, 26, 2))
def test_a_howell_movement_compares_all_pairs_alike(pairs):
    """Exactly where the number of pairs is a multiple of 4; else as near as whole numbers allow (Hadamard 1893)."""
    farthest, fewest = compared_alike(pairs, HOWELL, pairs - 1)
    assert farthest == (0 if pairs % 4 == 0 else 2)
    assert fewest >= (pairs > 4), "nobody sits in one direction all day"


def test_a_howell_movement_beyond_the_tables_is_nearly_even():
    assert {pairs for pairs in range(26, 42, 2) if compared_alike(pairs, HOWELL, pairs - 1)[0] > 12} == set()


@pytest.mark.parametrize("pairs", range(4, 26, 2))
def test_a_mitchell_movement_compares_both_halves_with_each_other(pairs):
    """While the arrow turned at all tables at once, the pairs that stay were compared with each other alone: 24 pairs
    were 12.5 sessions from the mean."""
    farthest, _ = compared_alike(pairs, MITCHELL, pairs // 2)
    assert farthest < 5


@pytest.mark.parametrize("pairs", [4, 6, 7, 10, 27])
def test_in_a_mitchell_movement_one_half_stays_and_meets_the_other(pairs):
    players = roster(pairs, 2)
    rounds = -(-pairs // 2)
    plan = plan_units(PAIRS, MITCHELL, players, [one.number for one in players.players], rounds)
    assert check_seating(plan, [one.number for one in players.players], ()).problems == ()
    met = Counter(tuple(frozenset(side) for side in sorted(sides, key=min)) for one in partners(plan) for sides in one)
    assert set(met.values()) == {1}
    assert len({staying for staying, _ in met}) == rounds
    assert len(met) == rounds * (pairs // 2)


@pytest.mark.parametrize("teams", [2, 4, 5])
def test_teams_have_a_pair_in_each_room_in_both_directions(teams):
    players = roster(teams, 4)
    plan = plan_units(TEAMS, HOWELL, players, [one.number for one in players.players], 3)
    for session in partners(plan):
        for first, second in zip(session[::2], session[1::2], strict=True):
            team = {frozenset((one + 3) // 4 for one in side) for side in (*first, *second)}
            assert sorted(map(len, team)) == [1, 1]
            rooms = [{(one + 3) // 4 for one in room[0]} for room in (first, second)]
            assert rooms[0] != rooms[1]
            # The first two of a team's list are partners.
            assert all(max(side) - min(side) == 1 and max(side) % 2 == 0 for side in (*first, *second))
