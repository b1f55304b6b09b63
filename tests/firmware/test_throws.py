"""What is thrown, what for and by whom: one to three dice, and keys that throw for what a host has said."""

import hashlib

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.test_dice import PART, READY_MS, Bench, walls_up
from wallwright_firmware.app import App
from wallwright_protocol import codes
from wallwright_protocol.codec import STATUSES
from wallwright_protocol.dice import commitment
from wallwright_protocol.hardware import MOST_DICE, SIDES
from wallwright_protocol.link import SILENCE_MS
from wallwright_protocol.names import PURPOSES
from wallwright_protocol.settings import DICE_COUNT


def by_the_book(fields: dict[str, object], count: int) -> tuple[int, ...]:
    """The dice of an event as docs/dice.md has them, for seeds that have enough fair bytes."""
    part = fields["contribution"] if fields["contributed"] else b""
    head = b"wallwright dice 1" + int(str(fields["roll"])).to_bytes(4, "little")
    assert isinstance(part, bytes)
    assert isinstance(fields["seed"], bytes)
    fair = [byte for byte in hashlib.sha256(head + fields["seed"] + part).digest() if byte < 252]
    return tuple(byte % 6 + 1 for byte in fair[:count])


def status(app: App) -> dict[str, object]:
    from wallwright_firmware.status import STATUS

    return dict(STATUSES[STATUS].unpack_named(app.status.payload()))


@pytest.mark.parametrize("count", range(1, MOST_DICE + 1))
@pytest.mark.parametrize("purpose", range(codes.PURPOSES))
def test_every_throw_follows_from_what_was_committed_and_says_what_it_was_for(count: int, purpose: int) -> None:
    bench = Bench()
    ((_, committed),) = bench.log("dice_committed")
    assert bench.request("contribute", 1, PART) == codes.OK
    assert bench.request("roll_dice", 2, purpose, count) == codes.OK
    (rolled,) = bench.rolls()
    assert (rolled["seat"], rolled["purpose"], rolled["source"]) == (2, purpose, codes.FROM_HOST)
    assert rolled["dice"] == by_the_book(rolled, count) + (0,) * (MOST_DICE - count)
    assert commitment(1, rolled["seed"]) == committed["commitment"]
    assert status(bench.app)["dice"] == rolled["dice"]
    assert bench.board.shown == [" ".join(map(str, rolled["dice"][:count]))] * SIDES


def test_a_throw_without_a_number_has_as_many_dice_as_the_table() -> None:
    bench = Bench()
    assert bench.request("set_setting", DICE_COUNT, 3) == codes.OK
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    assert all(bench.rolls()[0]["dice"])
    bench.run(READY_MS)
    bench.press_dice(1)
    assert all(bench.rolls()[1]["dice"])


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("roll_dice", (0, codes.PURPOSES, 2)),
        ("roll_dice", (0, codes.CUT, MOST_DICE + 1)),
        ("set_throw", (codes.PURPOSES, 2, 0)),
        ("set_throw", (codes.EAST, MOST_DICE + 1, 0)),
        ("set_throw", (codes.EAST, 2, SIDES)),
    ],
)
def test_what_nobody_can_throw_is_refused(name: str, values: tuple[int, ...]) -> None:
    bench = Bench()
    assert bench.request(name, *values) == codes.BAD_ARGUMENT
    assert not bench.rolls()
    assert status(bench.app)["purpose"] == codes.CUT


@pytest.mark.parametrize("purpose", range(1, codes.PURPOSES))
def test_a_key_throws_for_what_the_host_has_said_and_only_the_cut_moves_something(purpose: int) -> None:
    bench = Bench(walls_up(FakeBoard()))
    dealer = bench.app.cycle.dealer
    assert bench.request("set_throw", purpose, 1, codes.NO_SIDE) == codes.OK
    assert bench.board.shown == [{"east": "EAST?", "round_wind": "WIND?", "seats": "SEAT?"}[PURPOSES[purpose]]] * SIDES
    for side in range(SIDES):
        bench.press_dice(side)
        bench.run(READY_MS)
    assert [(rolled["seat"], rolled["purpose"]) for rolled in bench.rolls()] == [(side, purpose) for side in range(4)]
    assert all(rolled["dice"][0] and not any(rolled["dice"][1:]) for rolled in bench.rolls())
    assert bench.app.cycle.state == codes.WALLS_UP
    assert (bench.app.cycle.dealer, bench.app.cycle.dice) == (dealer, (0, 0, 0))
    assert not any(bench.board.driven)
    assert bench.request("set_throw", codes.CUT, 0, codes.NO_SIDE) == codes.OK
    assert bench.board.shown == ["DICE?"] * SIDES
    bench.press_dice(3)
    assert bench.app.cycle.state == codes.LOWERING
    assert bench.app.cycle.dealer == 3
    assert bench.app.cycle.dice == bench.rolls()[-1]["dice"]


def test_the_key_of_another_seat_throws_nothing() -> None:
    bench = Bench(walls_up(FakeBoard()))
    assert bench.request("set_throw", codes.CUT, 2, 2) == codes.OK
    assert bench.board.shown == ["DICE? S2"] * SIDES
    for side in (0, 1, 3):
        bench.press_dice(side)
    assert (bench.rolls(), bench.app.cycle.state) == ([], codes.WALLS_UP)
    bench.press_dice(2)
    assert [rolled["seat"] for rolled in bench.rolls()] == [2]
    assert bench.app.cycle.state == codes.LOWERING


def test_a_table_that_its_host_has_left_throws_for_the_cut_again() -> None:
    from tests.firmware.test_app import Bench as Hosted

    bench = Hosted(walls_up(FakeBoard()))
    bench.hello()
    assert bench.request("set_throw", codes.ROUND_WIND, 2, 1)[0] == codes.OK
    assert bench.board.shown == ["WIND? S1"] * SIDES
    bench.poll(ms=SILENCE_MS - 1)
    assert bench.app.presses.purpose == codes.ROUND_WIND
    for _ in range(3):
        bench.poll(ms=1000)
    assert bench.app.presses.purpose == codes.CUT
    assert bench.board.shown == ["DICE?"] * SIDES


def test_three_dice_and_the_question_of_a_lift_that_was_stopped_fit_the_display() -> None:
    bench = Bench(walls_up(FakeBoard()))
    bench.request("set_throw", codes.CUT, 3, codes.NO_SIDE)
    bench.press_dice(1)
    dice = bench.rolls()[0]["dice"]
    assert bench.board.shown == ["{} {} {}".format(*dice)] * SIDES
    assert bench.request("stop") == codes.OK
    assert bench.request("clear_fault") == codes.OK
    bench.run(10)
    assert bench.app.cycle.state == codes.STOPPED_LOWERING
    assert bench.board.shown == ["{}{}{} LOW?".format(*dice)] * SIDES
    again = Bench(bench.board)
    assert again.app.dice.last == dice
    assert again.board.shown == ["{}{}{} LOW?".format(*dice)] * SIDES, "nobody rolls again after a power loss"


def test_a_throw_that_is_asked_for_in_a_fault_leaves_the_fault_on_the_displays() -> None:
    bench = Bench()
    bench.request("stop")
    assert bench.request("set_throw", codes.EAST, 1, codes.NO_SIDE) == codes.OK
    assert bench.board.shown == [f"E{codes.STOPPED:02d}"] * SIDES


def test_the_displays_say_again_what_the_table_does_when_no_other_throw_is_asked_for() -> None:
    bench = Bench()
    assert bench.app.cycle.state != codes.WALLS_UP
    before = list(bench.board.shown)
    assert bench.request("set_throw", codes.EAST, 1, codes.NO_SIDE) == codes.OK
    assert bench.board.shown == ["EAST?"] * SIDES != before
    assert bench.request("set_throw", codes.CUT, 0, codes.NO_SIDE) == codes.OK
    assert bench.board.shown == before
