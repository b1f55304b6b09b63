"""SBR-5.1, 5.2 and 6.6: complete hands, readings and waits."""

import random
import time

import pytest
from mahjong.agari import Agari

from tests.host.rules.sichuan.support import counts, names
from wallwright.rules.core.packed import PAIRED, SETS, suit_table
from wallwright.rules.sichuan.hands import REGULAR, SEVEN_PAIRS, is_complete, readings, waits
from wallwright.rules.sichuan.tiles import full_set


def test_a_suit_has_21743_complete_patterns():
    assert sum(1 for flags in suit_table().values() if flags & (SETS | PAIRED)) == 21_743


@pytest.mark.slow
def test_the_table_is_built_in_under_a_second():
    began = time.process_time()
    table = suit_table.__wrapped__()
    assert time.process_time() - began < 1
    assert table == suit_table()


@pytest.mark.parametrize(
    "text", ["111222333s44p555p", "123456789s11p234p", "11p", "111p22s", "11223344556677s", "1111223344s55p66p"]
)
def test_sbr_5_1_complete_hands(text):
    assert is_complete(counts(text))


@pytest.mark.parametrize("text", ["111222333s44p556p", "123456789s1p234p", "112233445566s7p8p", "1111222233334s", ""])
def test_sbr_5_1_near_misses(text):
    assert not is_complete(counts(text))


def test_sbr_5_1_four_equal_tiles_are_two_pairs():
    found = readings(counts("1111s3344556677p"))
    assert [reading.form for reading in found] == [SEVEN_PAIRS]
    assert names(found[0].pairs) == ["3p", "4p", "5p", "6p", "7p", "1s", "1s"]


def test_sbr_5_2_a_hand_of_three_suits_is_not_complete():
    assert not is_complete(counts("123m456p789s111s22s"))
    assert not is_complete(counts("11m22m33p44p55s66s77s"))
    assert waits(counts("123m456p789s111s2s")) == ()


def test_readings_of_three_pungs_in_a_row():
    found = readings(counts("111222333s44p"))
    assert {reading.sets for reading in found} == {
        ((18, 18, 18), (19, 19, 19), (20, 20, 20)),
        ((18, 19, 20),) * 3,
    }
    assert all(reading.form == REGULAR and reading.pairs == (12,) for reading in found)


def test_sbr_6_6_the_nine_gates_wait_on_nine_tiles():
    assert names(waits(counts("1112345678999s"))) == [f"{rank}s" for rank in range(1, 10)]


def test_sbr_6_6_four_standing_copies_are_no_wait():
    # The single 5p has all its copies in the hand: pung and pair would take five.
    assert waits(counts("5555p123456789s")) == ()
    # A chow beside them waits all the same: 4p and 7p go with 56p and 555p.
    assert names(waits(counts("55556p123456s11p"))) == ["4p", "7p"]


@pytest.mark.slow
def test_waits_agree_with_trying_every_tile_and_with_another_engine():
    seed = 20_261_120
    rng = random.Random(seed)
    print("seed", seed)
    agari = Agari()
    ready = 0
    for _ in range(3000):
        suits = rng.sample("mps", rng.choice((1, 2, 2)))
        pool = [kind for kind in full_set() if "mps"[kind // 9] in suits]
        size = rng.choice((4, 7, 10, 13))
        hand = [0] * 27
        for kind in rng.sample(pool, size):
            hand[kind] += 1
        found = waits(hand)
        ready += bool(found)
        for kind in range(27):
            hand[kind] += 1
            whole = hand[kind] <= 4 and is_complete(hand)
            # The other engine does not take four equal tiles for two pairs, so those hands are ours to judge.
            if 4 not in hand and hand[kind] <= 4:
                suits_held = sum(any(hand[first : first + 9]) for first in (0, 9, 18))
                assert whole == (agari.is_agari([*hand, *[0] * 7]) and suits_held <= 2), hand
            hand[kind] -= 1
            assert (kind in found) == whole, (hand, kind)
    assert ready > 300
