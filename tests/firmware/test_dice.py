"""Rolls of the app: commit, contribute, reveal, and what happens when the random source fails."""

import hashlib
import random
from collections import Counter
from itertools import chain, product
from typing import Any

import pytest

from tests.firmware.carry_out import carry_out
from tests.firmware.fake_board import FakeBoard
from tests.usual import DEBOUNCE_MS
from wallwright_firmware.app import App
from wallwright_firmware.entropy import WINDOW, WINDOW_LIMIT_MS
from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES, REQUESTS
from wallwright_protocol.dice import commitment, dice_of, faces
from wallwright_protocol.hardware import (
    DICE_KEY,
    EMERGENCY_STOP,
    LIFT_DOWN,
    LIFT_LOWER,
    REFEREE_KEY,
    SIDES,
    drive_bit,
    input_number,
)

PART = bytes(range(16))
READY_MS = 2600
"""Then a seed is committed, after a start and after a roll."""


class Bench:
    """An app that is polled when it wants to be."""

    def __init__(self, board: FakeBoard | None = None, *, settle: bool = True) -> None:
        self.board = board or FakeBoard()
        self.app = App(self.board, b"DICE", 108)
        self.now_ms = 0
        self.app.poll(0, b"")
        if settle:
            self.run(3 * WINDOW_LIMIT_MS)

    def run(self, ms: int) -> None:
        until = self.now_ms + ms
        while self.app.due <= until:
            self.now_ms = max(self.now_ms, self.app.due)
            self.app.poll(self.now_ms, b"")
        self.now_ms = until
        self.app.poll(until, b"")

    def request(self, name: str, *values: int | bytes) -> int:
        code, _ = carry_out(self.app, NUMBER_OF[name], REQUESTS[NUMBER_OF[name]].pack(*values))
        self.app.poll(self.now_ms, b"")
        while self.app.cycle.steps.waiting or self.app.panel.text:
            self.app.poll(self.now_ms, b"")
        return code

    def press_dice(self, side: int) -> None:
        for level in (1, 0):
            self.edge(input_number(side, DICE_KEY), level)

    def edge(self, number: int, level: int) -> None:
        self.board.edge(self.now_ms, number, level)
        self.app.poll(self.now_ms, b"")
        self.run(DEBOUNCE_MS + 1)

    def log(self, *names: str) -> list[tuple[str, dict[str, Any]]]:
        found = []
        record = self.app.events.after(0)
        while record is not None:
            layout = EVENTS[record[3]]
            if layout.name in names:
                found.append((layout.name, layout.unpack_named(record[4])))
            record = self.app.events.after(record[0])
        return found

    def rolls(self) -> list[dict[str, Any]]:
        return [fields for _, fields in self.log("dice_rolled")]


def walls_up(board: FakeBoard) -> FakeBoard:
    """The lifts stand somewhere above: the table wakes up with walls on it."""
    for side in range(SIDES):
        board.levels[input_number(side, LIFT_DOWN)] = 0
    return board


LOWER_ALL = sum(drive_bit(side, LIFT_LOWER) for side in range(SIDES))


def by_the_book(roll: int, seed: bytes, part: bytes) -> tuple[int, int]:
    """The dice as docs/dice.md has them, written anew."""
    digest = hashlib.sha256(b"wallwright dice 1" + roll.to_bytes(4, "little") + seed + part).digest()
    blocks = (hashlib.sha256(digest + n.to_bytes(4, "little")).digest() for n in range(1, 100))
    fair = [byte for byte in chain(digest, *blocks) if byte < 252]
    return fair[0] % 6 + 1, fair[1] % 6 + 1


def test_every_face_comes_from_as_many_bytes_and_the_rest_is_passed_over() -> None:
    after = bytes([3])
    seen = Counter(faces(bytes([byte]) + after, 1)[0] for byte in range(252))
    assert seen == dict.fromkeys(range(1, 7), 42)
    assert {faces(bytes([byte]) + after, 1)[0] for byte in range(252, 256)} == {4}


def test_a_digest_without_enough_fair_bytes_goes_on_in_further_blocks() -> None:
    digest = bytes([255] * 31 + [5])
    blocks = [hashlib.sha256(digest + n.to_bytes(4, "little")).digest() for n in (1, 2, 3)]
    fair = [byte for byte in b"".join(blocks) if byte < 252]
    assert faces(digest, 60) == [6, *(byte % 6 + 1 for byte in fair[:59])]


@pytest.mark.slow
def test_the_dice_are_those_of_the_book(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(2000):
        roll, board_seed = rng.randrange(1, 2**32), rng.randbytes(32)
        part = rng.choice([b"", rng.randbytes(16)])
        assert dice_of(roll, board_seed, part) == by_the_book(roll, board_seed, part)


@pytest.mark.slow
def test_a_hundred_thousand_rolls_are_even(seed: int) -> None:
    """Chi-square over the 36 pairs; 99.6 is its value for 35 degrees of freedom at p = 0.00000004."""
    rng = random.Random(seed)
    board_seed = rng.randbytes(32)
    rolls = 100_000
    seen = Counter(dice_of(roll, board_seed, rng.randbytes(16)) for roll in range(1, rolls + 1))
    expected = rolls / 36
    chi_square = sum((number - expected) ** 2 / expected for number in seen.values())
    print(f"seed {seed}: chi-square {chi_square:.1f}")
    assert set(seen) == set(product(range(1, 7), repeat=2))
    assert chi_square < 99.6


def test_a_commitment_comes_before_every_roll_and_is_opened_by_it() -> None:
    bench = Bench()
    for _ in range(5):
        assert bench.request("roll_dice", 2, codes.CUT, 0) == codes.OK
        bench.run(READY_MS)
    log = bench.log("dice_committed", "dice_rolled")
    assert [name for name, _ in log] == ["dice_committed", "dice_rolled"] * 5 + ["dice_committed"]
    for roll in range(1, 6):
        committed, rolled = (fields for _, fields in log[2 * roll - 2 : 2 * roll])
        assert committed["roll"] == rolled["roll"] == roll
        text = b"wallwright seed 1" + roll.to_bytes(4, "little") + rolled["seed"]
        assert committed["commitment"] == hashlib.sha256(text).digest() == commitment(roll, rolled["seed"])
        assert rolled["dice"][:2] == by_the_book(roll, rolled["seed"], b"")
        assert (rolled["contributed"], rolled["contribution"]) == (0, bytes(16))
    assert len({rolled["seed"] for rolled in bench.rolls()}) == 5


def test_the_reply_tells_dice_and_number() -> None:
    bench = Bench()
    for number in (1, 2):
        code, reply = carry_out(bench.app, NUMBER_OF["roll_dice"], b"\x01\0\0")
        bench.run(0)
        assert code == codes.OK
        told = REPLIES[NUMBER_OF["roll_dice"]].unpack_named(reply)
        assert told == {"dice": bench.rolls()[-1]["dice"], "roll": number}
        bench.run(READY_MS)


def test_the_hosts_part_counts_once_and_for_the_committed_roll_only() -> None:
    bench = Bench()
    assert bench.request("contribute", 0, PART) == codes.BAD_ARGUMENT
    assert bench.request("contribute", 2, PART) == codes.BAD_ARGUMENT
    assert bench.request("contribute", 1, PART) == codes.OK
    assert bench.request("contribute", 1, PART) == codes.WRONG_STATE
    assert bench.request("contribute", 1, bytes(16)) == codes.WRONG_STATE
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    assert bench.request("contribute", 1, PART) == codes.BAD_ARGUMENT, "the roll is over"
    assert bench.request("contribute", 2, PART) == codes.NOT_READY, "nothing is committed yet"
    bench.run(READY_MS)
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    first, second = bench.rolls()
    assert (first["contribution"], first["contributed"]) == (PART, 1)
    assert first["dice"][:2] == by_the_book(1, first["seed"], PART)
    assert (second["contribution"], second["contributed"]) == (bytes(16), 0), "it does not pass on to the next roll"
    accepted = [fields["message"] for _, fields in bench.log("command_accepted")]
    assert accepted == [NUMBER_OF["contribute"], NUMBER_OF["roll_dice"], NUMBER_OF["roll_dice"]]


def test_a_part_of_zeros_is_a_part() -> None:
    bench = Bench()
    assert bench.request("contribute", 1, bytes(16)) == codes.OK
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    (rolled,) = bench.rolls()
    assert rolled["contributed"] == 1
    assert rolled["dice"][:2] == by_the_book(1, rolled["seed"], bytes(16))
    assert any(dice_of(roll, PART * 2, bytes(16)) != dice_of(roll, PART * 2, b"") for roll in range(1, 20))


def test_dice_before_the_first_commitment_are_asked_for_again() -> None:
    bench = Bench(settle=False)
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.NOT_READY
    assert bench.request("contribute", 1, PART) == codes.NOT_READY
    bench.run(READY_MS)
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    assert len(bench.rolls()) == 1


def test_a_key_that_is_too_early_waits_for_the_dice() -> None:
    bench = Bench(walls_up(FakeBoard()))
    assert bench.request("roll_dice", 1, codes.CUT, 0) == codes.OK
    bench.press_dice(3)
    assert len(bench.rolls()) == 1
    assert bench.board.driven[-1] == 0
    bench.run(READY_MS)
    assert [(rolled["seat"], rolled["source"]) for rolled in bench.rolls()] == [(1, codes.FROM_HOST), (3, 3)]
    assert bench.board.driven[-1] == LOWER_ALL
    assert bench.app.cycle.dealer == 3
    assert bench.app.cycle.dice == bench.rolls()[-1]["dice"]
    first, second, _ = bench.rolls()[-1]["dice"]
    assert bench.board.shown == [f"{first} {second}"] * SIDES


def test_nothing_moves_for_a_key_that_waited_while_something_else_was_done() -> None:
    bench = Bench(walls_up(FakeBoard()))
    assert bench.request("roll_dice", 1, codes.CUT, 0) == codes.OK
    bench.press_dice(3)
    for level in (1, 0):
        bench.edge(EMERGENCY_STOP, level)
    assert bench.request("clear_fault") == codes.OK
    bench.run(READY_MS)
    assert bench.app.cycle.state == codes.WALLS_UP
    assert len(bench.rolls()) == 1
    assert not any(bench.board.driven)


def test_a_key_that_waited_is_dropped_when_the_table_has_gone_on() -> None:
    bench = Bench(FakeBoard(wash_s=0))
    assert bench.request("roll_dice", 1, codes.CUT, 0) == codes.OK
    bench.press_dice(3)
    assert bench.request("start_build") == codes.OK
    bench.run(READY_MS)
    assert bench.app.cycle.state == codes.BUILDING
    assert len(bench.rolls()) == 1


def test_of_keys_that_wait_the_last_counts() -> None:
    bench = Bench(walls_up(FakeBoard()))
    assert bench.request("roll_dice", 1, codes.CUT, 0) == codes.OK
    bench.press_dice(3)
    bench.press_dice(2)
    bench.run(READY_MS)
    assert [rolled["seat"] for rolled in bench.rolls()] == [1, 2]
    assert bench.request("roll_dice", 1, codes.CUT, 0) == codes.OK
    bench.press_dice(0)
    for level in (1, 0):
        bench.edge(input_number(1, REFEREE_KEY), level)
    bench.run(READY_MS)
    assert [rolled["seat"] for rolled in bench.rolls()] == [1, 2, 1]


def test_a_board_that_starts_anew_commits_to_another_seed() -> None:
    board = FakeBoard()
    first = Bench(board)
    second = Bench(board)
    assert first.app.responder.boot_id != second.app.responder.boot_id
    (_, before), (_, after) = *first.log("dice_committed"), *second.log("dice_committed")
    assert before["roll"] == after["roll"] == 1
    assert before["commitment"] != after["commitment"]
    assert second.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    assert commitment(1, second.rolls()[0]["seed"]) == after["commitment"]


@pytest.mark.parametrize("noise", [b"", b"\xff" * 5000, bytes(range(256)) * 3, b"\x55" * 40], ids=len)
def test_a_source_that_fails_at_the_start_is_told_once_and_refuses_dice(noise: bytes) -> None:
    bench = Bench(FakeBoard(noise=bytes(64) + noise))
    failed = ("fault", {"fault": codes.RANDOM_FAILED, "side": codes.NO_SIDE, "found": 0, "wanted": 0})
    assert bench.log("fault", "dice_committed") == [failed]
    lamps = bench.board.lit
    for _ in range(2):
        assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.NO_RANDOM
        assert bench.request("contribute", 1, PART) == codes.NO_RANDOM
        bench.press_dice(2)
    bench.run(10_000)
    assert bench.log("fault", "dice_committed", "dice_rolled") == [failed]
    assert bench.board.shown == [f"E{codes.RANDOM_FAILED:02d}"] * SIDES
    assert bench.board.lit == lamps, "the table goes on, and its keys do"
    assert bench.app.cycle.state == codes.IDLE


def test_a_source_that_fails_later_refuses_the_next_dice() -> None:
    good = random.Random(1).randbytes(64 + 3 * WINDOW + 100)
    bench = Bench(FakeBoard(noise=good))
    assert bench.request("contribute", 1, PART) == codes.OK
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.NOT_READY
    bench.run(WINDOW_LIMIT_MS + 100)
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.NO_RANDOM
    assert [name for name, _ in bench.log("fault", "dice_committed", "dice_rolled")] == [
        "dice_committed",
        "dice_rolled",
        "fault",
    ]


def test_without_dice_the_walls_come_to_the_players_all_the_same() -> None:
    bench = Bench(walls_up(FakeBoard(noise=b"")))
    bench.press_dice(2)
    assert bench.app.cycle.state == codes.LOWERING
    assert bench.app.cycle.dealer == 2
    assert bench.rolls() == []
    assert bench.board.shown == [f"E{codes.RANDOM_FAILED:02d}"] * SIDES


def test_the_failure_is_cleared_by_a_request_and_the_source_tested_from_the_beginning() -> None:
    board = FakeBoard(noise=b"")
    bench = Bench(board)
    assert bench.request("clear_fault") == codes.OK
    bench.run(WINDOW_LIMIT_MS + 100)
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.NO_RANDOM, "it is as dead as before"
    board.raw = None
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.NO_RANDOM, "nobody has cleared it"
    assert bench.request("clear_fault") == codes.OK
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.NOT_READY
    bench.run(READY_MS)
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    assert bench.request("clear_fault") == codes.WRONG_STATE
    cleared = {"fault": codes.RANDOM_FAILED, "source": codes.FROM_HOST}
    names = [name for name, _ in bench.log("fault", "fault_cleared", "dice_committed")]
    assert names == ["fault", "fault_cleared", "fault", "fault_cleared", "dice_committed"]
    assert all(fields == cleared for _, fields in bench.log("fault_cleared"))


def test_one_clearing_ends_a_stop_and_a_failure_but_not_while_the_stop_is_pressed() -> None:
    board = FakeBoard(noise=b"")
    bench = Bench(board)
    board.raw = None
    bench.edge(EMERGENCY_STOP, 1)
    assert bench.request("clear_fault") == codes.FAULT_ACTIVE
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.FAULT_ACTIVE
    bench.edge(EMERGENCY_STOP, 0)
    assert bench.request("clear_fault") == codes.OK
    assert bench.app.cycle.state == codes.IDLE
    bench.run(READY_MS)
    assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
    assert [fields["fault"] for _, fields in bench.log("fault_cleared")] == [codes.EMERGENCY_STOP, codes.RANDOM_FAILED]


def test_a_full_ring_keeps_commitments_and_rolls() -> None:
    bench = Bench()
    for _ in range(8):
        assert bench.request("roll_dice", 0, codes.CUT, 0) == codes.OK
        for side in range(SIDES):
            bench.press_dice(side)
            bench.run(READY_MS)
    assert bench.app.events.newest() > bench.app.events.held() == 96
    assert [fields["roll"] for fields in bench.rolls()] == list(range(1, 41))
    assert [fields["roll"] for _, fields in bench.log("dice_committed")] == list(range(1, 42))
