"""Where dice break the wall, against a model of the table with coordinates. (CLA-2, CUM-2, BAL-2)"""

from itertools import product

import pytest

from tests.host.rules.classical.support import answer, ask
from tests.reference.two_ended import break_
from wallwright.rules.classical.ruleset import load_rules
from wallwright.rules.classical.wall import PLAN, broken_wall


@pytest.mark.slow
def test_cla_2_1_to_2_5_and_cum_2_1_every_pair_of_throws():
    """Lengths, sides, the lifted stack and the deal, for all sums of two throws and every East."""
    throws = [
        [[1, total - 1] if total <= 7 else [total - 6, 6] for total in pair] for pair in product(range(2, 13), repeat=2)
    ]
    records = [{"ruleset": "cumberland", "dealer": east, "dice": dice} for east in range(4) for dice in throws]
    status, answers = ask("break", *records)
    assert (status, answers) == (0, [break_(record) for record in records])


def test_bal_2_1_every_sum_of_three_dice_or_two():
    dice = [[1, 1, 1], *([min(6, total - 2), *split(total - min(6, total - 2))] for total in range(4, 19))]
    records = [{"ruleset": "balsall", "dealer": east, "dice": throw} for east in range(4) for throw in dice]
    records += [{"ruleset": "balsall", "options": {"dice": 2}, "east": 1, "dice": [a, 6]} for a in range(1, 7)]
    assert sorted({sum(throw) for throw in dice}) == list(range(3, 19))
    status, answers = ask("break", *records)
    assert (status, answers) == (0, [break_(record) for record in records])


def split(total):
    """Two dice of a sum."""
    return [min(6, total - 1), total - min(6, total - 1)]


@pytest.mark.parametrize(("ruleset", "dice"), [("cumberland", [[3, 4], [6, 6]]), ("balsall", [1, 2, 6])])
def test_cla_2_5_every_tile_leaves_once_from_either_end(ruleset, dice):
    order = broken_wall(load_rules(ruleset), 2, dice)
    assert len(set(order.head)) == 2 * sum(PLAN) == 144
    assert set(order.tail) == set(order.head[53:])
    assert len(order.tail) == 91


def test_cla_2_3_and_2_4_the_lifted_stack_first_then_the_one_before_it():
    found = answer("break", {"ruleset": "balsall", "dealer": 0, "dice": [1, 1, 1]})
    assert found["side"] == 2
    assert found["replacements"] == [[2, 3, 1], [2, 3, 0], [2, 2, 1]]
    assert found["first"] == [2, 4, 1]
