"""Many hands at once give the answers of one hand at a time."""

import numpy as np
import pytest

from wallwright.rules import batch, hands
from wallwright.rules.errors import HandError


def shuffled(rng, number, size, kinds):
    """Random hands of `size` tiles from the kinds given, four copies each."""
    found = np.zeros((number, 27), dtype=np.uint8)
    deck = np.repeat(np.array(kinds), 4)
    for row in found:
        np.add.at(row, rng.permutation(deck)[:size], 1)
    return found


@pytest.mark.parametrize("kinds", [range(9), range(9, 27), range(27), (0, 1, 2, 3, 18, 19, 20)], ids=str)
def test_the_same_answers_as_hand_by_hand(kinds):
    seed = 41
    print("seed", seed)
    rng = np.random.default_rng(seed)
    for size in (1, 2, 4, 7, 10, 11, 13, 14):
        many = shuffled(rng, 500, size, kinds)
        complete = batch.is_complete(many)
        waiting = batch.waits(many)
        for row, is_complete, mask in zip(many.tolist(), complete, waiting, strict=True):
            assert is_complete == hands.is_complete(row), row
            assert hands.kinds_of_mask(int(mask)) == hands.waits(row), row


def test_pairs_are_found_among_random_hands():
    rng = np.random.default_rng(42)
    kinds = np.array([rng.permutation(18)[:7] for _ in range(300)])
    pairs = np.zeros((300, 27), dtype=np.uint8)
    np.put_along_axis(pairs, kinds, 2, axis=1)
    assert batch.is_complete(pairs).all()
    pairs[np.arange(300), kinds[:, 0]] -= 1
    assert (batch.waits(pairs) >> kinds[:, 0] & 1).all()


def test_more_hands_than_are_worked_on_at_a_time():
    many = np.zeros((20_000, 27), dtype=np.uint8)
    many[::7, 3] = 2
    assert batch.is_complete(many).tolist() == [number % 7 == 0 for number in range(20_000)]


@pytest.mark.parametrize(
    ("many", "message"),
    [
        (np.zeros((3, 34), dtype=np.uint8), "shape"),
        (np.zeros(27, dtype=np.uint8), "shape"),
        (np.zeros((3, 27), dtype=np.int64), "int64"),
        (np.array([[0] * 27, [5, *[0] * 26]], dtype=np.uint8), "hand 1 has a fifth copy"),
    ],
)
def test_other_arrays_are_refused(many, message):
    with pytest.raises(HandError, match=message):
        batch.is_complete(many)
