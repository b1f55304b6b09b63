"""The reference of Cumberland and Balsall against the worked examples and the figures of the sources."""

from typing import Any

import pytest

from tests.reference.classical import score, waits
from tests.reference.classical_examples import BREAKS, ROWS, SCORES, SETTLEMENTS
from tests.reference.classical_settle import settle
from tests.reference.two_ended import break_

Json = dict[str, Any]


@pytest.mark.parametrize("name", SCORES)
def test_worked_scores(name: str) -> None:
    """Examples 1, 3, 4, 5, 9, 10, 11 and 12. (CUM-5, BAL-5, BAL-6)"""
    record, answer = SCORES[name]
    assert score(record) == answer


@pytest.mark.parametrize("name", ROWS)
def test_every_row_is_read_from_the_hand_that_shows_it(name: str) -> None:
    """BAL-5.4 and BAL-6."""
    record, answer = ROWS[name]
    assert score(record) == answer


@pytest.mark.parametrize("name", SETTLEMENTS)
def test_worked_settlements(name: str) -> None:
    """Examples 6, 7, 9, 11 and 12. (CUM-6, BAL-7, BAL-8)"""
    record, answer = SETTLEMENTS[name]
    settled = settle(record)
    assert {key: settled[key] for key in answer} == answer


@pytest.mark.parametrize("name", BREAKS)
def test_worked_breaks(name: str) -> None:
    """Examples 2 and 8. (CUM-2.1, BAL-2.1, CLA-2)"""
    record, answer = BREAKS[name]
    assert break_(record) == answer


def test_waits_of_the_rows_with_many() -> None:
    """Nine gates, thirteen orphans and the snake that waits for any honour it lacks. (BAL-6.4, 6.5, 6.7)"""
    common = {"ruleset": "balsall", "seat_wind": "S", "round_wind": "E"}
    assert waits({**common, "standing": "1112345678999m"}) == [f"{rank}m" for rank in range(1, 10)]
    assert len(waits({**common, "standing": "19m19p19s1234567z"})) == 13
    assert waits({**common, "standing": "123456789s1246z"}) == ["3z", "5z", "7z"]
    assert waits({**common, "ruleset": "cumberland", "standing": "19m19p19s1234567z"}) == []
