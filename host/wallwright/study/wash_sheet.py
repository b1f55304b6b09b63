"""The sheet on which the owner of a table writes down what the wash test counts: one page of HTML to be printed."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import jinja2

from ..errors import BadInput
from .wash_test import FEWEST_TIMES, LONGEST_WASH_S, Count

TEMPLATE = Path(__file__).with_name("wash_sheet.html")
BUILDS = 40
"""After each wash time."""
COLUMNS = 4
_MIXED = 20_260_101
"""Mixes the wash times of a sheet, the same for all: what changes in the course of the test meets all of them alike."""


def make_sheet(count: Count, washes: Sequence[int], plan: Sequence[int]) -> str:
    """Return the sheet. BadInput when the test cannot be done with these wash times."""
    if len(set(washes)) < FEWEST_TIMES or not all(0 <= wash <= LONGEST_WASH_S for wash in washes):
        raise BadInput(
            f"--wash {','.join(map(str, washes))}: give {FEWEST_TIMES} different times from 0 to {LONGEST_WASH_S} s, "
            "such as 0,10,30"
        )
    order = [wash for wash in sorted(set(washes)) for _ in range(BUILDS)]
    Random(_MIXED).shuffle(order)
    rows = -(-len(order) // COLUMNS)
    columns = [list(enumerate(order, 1))[at : at + rows] for at in range(0, len(order), rows)]
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.render(
        count=count, washes=sorted(set(washes)), builds=BUILDS, columns=columns, longest=max(plan), total=len(order)
    )
