"""The numpy batch against the reference, hand by hand. (SBR-5.1, SBR-5.2, SBR-6.6)"""

import random

import numpy as np

from tests.host.rules_oracle.bridge import counts, kind
from tests.reference import hands
from tests.reference.cases import case
from wallwright.rules import batch

HANDS = 10_000


def test_completeness_and_waits_of_many_hands(seed):
    rng = random.Random(seed)
    items = [item for item in (case(rng) for _ in range(HANDS)) if not item.melds]
    complete = batch.is_complete(np.array([counts([*item.standing, item.winning]) for item in items], np.uint8))
    waits = batch.waits(np.array([counts(item.standing) for item in items], np.uint8))
    for item, is_complete, mask in zip(items, complete.tolist(), waits.tolist(), strict=True):
        assert is_complete == hands.is_winning([*item.standing, item.winning], (), None), item
        assert mask == sum(1 << kind(tile) for tile in hands.waits(item.standing, (), None)), item
    assert complete.any()
    assert not complete.all()
