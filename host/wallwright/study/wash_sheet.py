"""The sheet on which the owner of a table writes down what the wash test counts: one page of HTML to be printed."""

from collections.abc import Sequence
from random import Random

from ..errors import BadInput
from .pages import render
from .wash_test import FEWEST_TIMES, LONGEST_WASH_S, Count

BUILDS = 40
"""After each wash time."""
COLUMNS = 4
_MIXED = 20_260_101
"""Mixes the wash times of a sheet, the same for all: what changes in the course of the test meets all of them alike."""


def order_of(washes: Sequence[int]) -> list[int]:
    """Return the wash of each build in the order of the sheet, in s. BadInput where no test can be done with these."""
    if len(set(washes)) < FEWEST_TIMES or not all(0 <= wash <= LONGEST_WASH_S for wash in washes):
        raise BadInput(
            f"--wash {','.join(map(str, washes))}: give {FEWEST_TIMES} different times from 0 to {LONGEST_WASH_S} s, "
            "such as 0,10,30"
        )
    order = [wash for wash in sorted(set(washes)) for _ in range(BUILDS)]
    Random(_MIXED).shuffle(order)
    return order


def make_sheet(count: Count, washes: Sequence[int], plan: Sequence[int]) -> str:
    """Return the sheet. BadInput when the test cannot be done with these wash times."""
    order = order_of(washes)
    rows = -(-len(order) // COLUMNS)
    columns = [list(enumerate(order, 1))[at : at + rows] for at in range(0, len(order), rows)]
    return render(
        "wash_sheet.html",
        count=count,
        washes=sorted(set(washes)),
        builds=BUILDS,
        columns=columns,
        longest=max(plan),
        total=len(order),
    )
