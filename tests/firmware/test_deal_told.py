"""What a game needs of a deal, told by the host, kept over every power loss and given back."""

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.stored import fields_of
from tests.firmware.test_app import Bench
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, STATUSES

DEAL = (2, 3, 1, codes.GOULASH, 20)
NAMES = ("east", "dealer", "round_wind", "deal_kind", "pot")


@pytest.fixture
def bench() -> Bench:
    """A table at rest with a host."""
    made = Bench()
    made.hello()
    return made


def told(bench: Bench) -> tuple[object, ...]:
    """What the status says of the deal."""
    found = STATUSES[NUMBER_OF["status"]].unpack_named(bench.request("get_status")[1])
    return tuple(found[name] for name in NAMES)


def test_it_is_stored_before_the_reply_and_there_after_a_power_loss(bench: Bench) -> None:
    assert told(bench) == (0, 0, 0, codes.USUAL_DEAL, 0)
    before = len(bench.board.saved)
    assert bench.request("set_deal", *DEAL)[0] == codes.OK
    assert len(bench.board.saved) == before + 1
    assert fields_of(bench.board.saved[-1][1])["pot"] == (20).to_bytes(2, "little")
    assert told(bench) == DEAL
    again = Bench(bench.board)
    (restored,) = again.log("restored")
    assert tuple(restored[name] for name in NAMES) == DEAL
    again.hello()
    assert told(again) == DEAL


def test_the_same_again_is_not_written_again(bench: Bench) -> None:
    bench.request("set_deal", *DEAL)
    before = len(bench.board.saved)
    assert bench.request("set_deal", *DEAL)[0] == codes.OK
    assert len(bench.board.saved) == before


@pytest.mark.parametrize("at", range(4))
def test_what_is_out_of_range_is_refused_and_nothing_of_it_kept(bench: Bench, at: int) -> None:
    values = [*DEAL]
    values[at] = (4, 4, 4, codes.DEAL_KINDS)[at]
    assert bench.request("set_deal", *values)[0] == codes.BAD_ARGUMENT
    assert told(bench) == (0, 0, 0, codes.USUAL_DEAL, 0)


def test_what_is_told_while_a_drive_is_on_is_stored_when_none_is(bench: Bench) -> None:
    bench.request("start_build")
    assert bench.app.outputs.mask
    before = len(bench.board.saved)
    assert bench.request("set_deal", *DEAL)[0] == codes.OK
    assert len(bench.board.saved) == before
    bench.request("stop")
    bench.poll()
    assert fields_of(bench.board.saved[-1][1])["east"] == bytes([2])


def test_what_cannot_be_stored_is_not_believed(bench: Bench) -> None:
    bench.board.can_save = False
    assert bench.request("set_deal", *DEAL)[0] == codes.FAULT_ACTIVE
    assert (bench.app.cycle.fault, bench.app.cycle.fault_side) == (codes.STORE_FAILED, codes.NO_SIDE)
    assert told(bench) == (0, 0, 0, codes.USUAL_DEAL, 0)


def test_the_walls_of_a_plan_that_turns_follow_the_dealer(bench: Bench) -> None:
    assert bench.request("set_plan", 14, 13, 14, 13, 0, codes.TURNED, codes.AS_SET)[0] == codes.OK
    assert bench.request("set_deal", 0, 1, 0, codes.USUAL_DEAL, 0)[0] == codes.OK
    assert bench.app.cycle.next_plan() == (13, 14, 13, 14)


def test_a_cut_that_was_thrown_by_key_changes_the_dealer_and_nothing_else() -> None:
    from tests.firmware.test_dice import Bench as Dice
    from tests.firmware.test_dice import walls_up

    bench = Dice(walls_up(FakeBoard()))
    assert bench.request("set_deal", *DEAL) == codes.OK
    bench.press_dice(0)
    cycle = bench.app.cycle
    assert (cycle.dealer, cycle.told) == (0, (2, 1, codes.GOULASH, 20))
