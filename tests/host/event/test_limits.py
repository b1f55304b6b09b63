"""SBR-9, 11.6 and 11.8: sessions, results and what referees may give."""

from fractions import Fraction

import pytest

from tests.host.rules.sichuan.support import BOOK, MIL
from wallwright.event.limits import (
    MINUTE_MS,
    REFEREE_PENALTIES,
    check_penalty,
    starts_another_deal,
    table_points,
)
from wallwright.rules.core.errors import RulesError


@pytest.mark.parametrize(
    ("deals", "minutes", "goes_on"), [(0, 0, True), (9, 59, True), (10, 5, False), (3, 60, False), (9, 60, False)]
)
def test_sbr_9_1_ten_deals_or_sixty_minutes(deals, minutes, goes_on):
    limit_ms = BOOK.session_minutes * MINUTE_MS
    assert starts_another_deal(BOOK.session_deals, limit_ms, deals, minutes * MINUTE_MS) is goes_on


def test_sbr_11_6_no_number_of_deals_ends_a_session_of_the_league():
    assert starts_another_deal(MIL.session_deals, MIL.session_minutes * MINUTE_MS, 30, 59 * MINUTE_MS)


@pytest.mark.parametrize(
    ("points", "shares"),
    [
        ((30, -10, 5, -25), (4, 2, 3, 1)),
        ((5, 5, -5, -5), (Fraction(7, 2), Fraction(7, 2), Fraction(3, 2), Fraction(3, 2))),
        ((9, -3, -3, -3), (4, 2, 2, 2)),
        ((0, 0, 0, 0), (Fraction(5, 2),) * 4),
    ],
)
def test_sbr_11_6_ties_share_table_points(points, shares):
    assert table_points(MIL.table_points, points) == shares
    assert sum(table_points(MIL.table_points, points)) == 10


def test_table_points_need_four_players():
    with pytest.raises(RulesError, match="3 players"):
        table_points(MIL.table_points, (1, 2, 3))


@pytest.mark.parametrize(
    ("name", "amount"),
    [
        ("warning", 0),
        ("points", 1),
        ("points", 8),
        ("heavy_points", 24),
        ("table_points", Fraction(3, 2)),
        ("no_win", 0),
    ],
)
def test_sbr_11_8_penalties_a_referee_may_give(name, amount):
    check_penalty(name, Fraction(amount))
    assert len(REFEREE_PENALTIES) == 8


@pytest.mark.parametrize(
    ("name", "amount", "message"),
    [
        ("points", 9, "from 1 to 8"),
        ("points", Fraction(3, 2), "steps of 1"),
        ("table_points", Fraction(1, 4), "from 1/2 to 2"),
        ("table_points", Fraction(5, 4), "steps of 1/2"),
        ("heavy_points", 23, "from 24 to 24"),
        ("fine", 1, "no penalty"),
    ],
)
def test_sbr_11_8_other_penalties_are_refused(name, amount, message):
    with pytest.raises(RulesError, match=message):
        check_penalty(name, Fraction(amount))
