"""The firmware's clock runs past the largest small integer of the chip, 2^30 ms or twelve days, as if nothing were."""

import pytest

from tests.scenarios.boards import ahead
from tests.scenarios.scenarios import SCENARIOS
from tests.scenarios.table import Table
from wallwright_firmware.app import App

LARGEST_SMALL_INTEGER = 2**30


def test_a_table_that_has_run_for_twelve_days_does_what_a_new_one_does(seed):
    """Four deals around the moment when ms stop to be a small integer: the same drives at the same times."""
    fresh = Table(seed)
    starting = len(fresh.polls)
    SCENARIOS["cycle alone"](fresh)
    for before_ms in (1_000, fresh.now_ms // 2, -1):
        late = Table(seed, firmware=ahead(App, LARGEST_SMALL_INTEGER - before_ms))
        # As it starts, it also looks at the keys at once, which a new board does after half a minute. Such a look is a
        # poll of its own, or falls into one that there is anyway.
        late_starting = len(late.polls)
        SCENARIOS["cycle alone"](late)
        assert late.world.drive_log == fresh.world.drive_log
        looks = fresh.now_ms // 30_000
        assert abs(len(late.polls) - late_starting - len(fresh.polls) + starting) <= looks < len(fresh.polls) // 1000


@pytest.mark.parametrize("days", [12, 13, 49, 50])
def test_a_table_that_has_run_for_weeks_is_not_polled_while_it_rests(days):
    table = Table(1, firmware=ahead(App, days * 86_400_000))
    table.build()
    table.run(120_000)
    polls = len(table.polls)
    table.run(1_000_000)
    assert len(table.polls) == polls
    table.raise_walls()
