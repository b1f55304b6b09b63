"""What a host has told of a deal is there after a power loss at any moment: as it was told before, or as it is told."""

import random

import pytest

from tests.scenarios.power import app_of
from tests.scenarios.table import Table
from wallwright_firmware.store import LEAST_BYTES
from wallwright_protocol import codes

BEFORE = (1, 2, 3, codes.USUAL_DEAL, 15)
AFTER = (2, 0, 1, codes.GOULASH, 20)
NAMES = ("east", "dealer", "round_wind", "deal_kind", "pot")
OFF_MS = 700


def known(table: Table) -> tuple[int, ...]:
    """What the board knows of the deal."""
    cycle = app_of(table).cycle
    east, round_wind, deal_kind, pot = cycle.told
    return east, cycle.dealer, round_wind, deal_kind, pot


def after_a_loss(table: Table) -> tuple[int, ...]:
    """Power is back: what the board says to a host that comes then."""
    table.run(2 * OFF_MS)
    host = table.connect(session=8)
    table.run(1_000)
    (restored,) = host.named("restored")[-1:]
    told = tuple(restored.values[name] for name in NAMES)
    status = host.do("get_status")
    assert tuple(status[name] for name in NAMES) == told == known(table)
    return told


@pytest.mark.parametrize("cut", [0, 1, 2, 40, 43, 50, 51, 52, 53, 60, LEAST_BYTES - 1, LEAST_BYTES])
def test_a_write_that_is_cut_at_any_byte_leaves_the_one_or_the_other(cut: int, seed: int) -> None:
    table = Table(seed)
    host = table.connect()
    host.do("set_deal", *BEFORE)
    table.sim.board.slots.cut_next(cut, OFF_MS)
    host.requester.request(table.now_ms, *_ask(AFTER))
    table.run(50)
    table.disconnect()
    assert after_a_loss(table) == (AFTER if cut == LEAST_BYTES else BEFORE)


@pytest.mark.parametrize("moment", range(12))
def test_it_is_there_whatever_the_table_did_when_the_power_failed(moment: int, seed: int) -> None:
    """At rest, in a build, with walls ready, rising, up and sinking: what was stored before the motion, or with it."""
    chance = random.Random(f"{seed}/{moment}")
    table = Table(seed)
    host = table.connect()
    host.do("set_deal", *BEFORE)
    table.press_lift()
    if moment >= 3:
        table.until("READY")
        table.run(6_000)
    if moment >= 6:
        table.raise_walls()
        host.do("set_deal", *AFTER)
    if moment >= 9:
        table.press_dice(0)
    table.run(chance.randrange(1, 2_500))
    expected = known(table)
    table.sim.cut_power(OFF_MS)
    table.disconnect()
    assert after_a_loss(table) == expected
    assert expected[0] == (AFTER if moment >= 6 else BEFORE)[0]


def test_what_was_told_in_a_motion_is_stored_with_its_end(seed: int) -> None:
    table = Table(seed)
    host = table.connect()
    host.do("set_deal", *BEFORE)
    table.press_lift()
    table.run(5_000)
    host.do("set_deal", *AFTER)
    table.until("READY")
    table.run(10_000)
    table.sim.cut_power(OFF_MS)
    table.disconnect()
    assert after_a_loss(table) == AFTER


def _ask(values: tuple[int, ...]) -> tuple[int, bytes]:
    from wallwright_protocol.codec import NUMBER_OF, REQUESTS

    return NUMBER_OF["set_deal"], REQUESTS[NUMBER_OF["set_deal"]].pack(*values)
