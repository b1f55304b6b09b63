"""Match points by the table of SBR-11.9, and percent."""

from fractions import Fraction

import pytest

from wallwright.duplicate.match_points import match_points, percent

TABLE = "0→0, 1–2→1, 3–5→2, 6–8→3, 9–11→4, 12–15→5, 16–19→6, 20–25→7, 26–31→8, 32–39→9, 40–999→10"
"""As the clause has it; "40 and more" is tried up to 999."""
ROWS = [(*map(int, row.split("→")[0].split("–")), int(row.split("→")[1])) for row in TABLE.split(", ")]


@pytest.mark.parametrize("row", ROWS)
def test_every_difference_of_the_clause_gives_what_it_says_and_the_other_side_loses_as_much(row):
    low, high, given = row[0], row[-2], row[-1]
    for difference in range(low, high + 1):
        assert (match_points(difference), match_points(-difference)) == (given, -given)


def test_percent_is_of_ten_a_deal_each_way():
    assert percent(Fraction(0), 0) == percent(Fraction(0), 7) == 50
    assert percent(Fraction(70), 7) == 100
    assert percent(Fraction(-70), 7) == 0
    # 10/3 of 30: 50 + 50/9.
    assert percent(Fraction(10, 3), 3) == Fraction(5556, 100)
