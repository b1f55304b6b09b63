"""Dice from bytes: every face from the same number of bytes, none when the source is dead."""

from collections import Counter

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware.entropy import TRIES, roll_dice, roll_die


def test_every_face_comes_from_as_many_bytes_and_the_rest_is_thrown_away() -> None:
    faces = Counter(roll_die(FakeBoard(entropy=bytes([byte]))) for byte in range(256))
    assert faces == {1: 42, 2: 42, 3: 42, 4: 42, 5: 42, 6: 42, 0: 4}


def test_a_byte_out_of_range_is_drawn_again() -> None:
    assert roll_dice(FakeBoard(entropy=bytes([255, 252, 0, 253, 5]))) == (1, 6)


def test_a_dead_source_gives_no_dice() -> None:
    assert roll_dice(FakeBoard(entropy=b"")) == (0, 0)
    assert roll_dice(FakeBoard(entropy=bytes([3]))) == (0, 0)


def test_a_stuck_source_ends_in_no_dice_and_not_in_a_loop() -> None:
    assert roll_dice(FakeBoard(entropy=b"\xff" * (TRIES + 5))) == (0, 0)
