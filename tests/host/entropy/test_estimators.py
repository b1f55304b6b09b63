"""The estimators of SP 800-90B against NIST's own program, the standard's examples, and sources of known entropy."""

import math
import random

import numpy as np
import pytest

from wallwright.entropy import counting
from wallwright.entropy.assessment import Assessment, assess, restart_test
from wallwright.entropy.predicting import lag, leader_right, most_common_in_window
from wallwright.entropy.tuples import common_lengths, repeats
from wallwright_simulator import noise

NAMES = (
    "most common value",
    "collision",
    "Markov",
    "compression",
    "t-tuple",
    "longest repeated substring",
    "most common in window",
    "lag",
    "multi-MMC",
    "LZ78Y",
)
COUNT = 20_000
NEAR = 1e-8


def drawn(name: str) -> tuple[bytes, int]:
    """The samples of that name, and their bits."""
    chance = random.Random(name)
    if name == "nibbles":
        return bytes(min(chance.randrange(16), chance.randrange(16)) for _ in range(COUNT)), 4
    if name == "bits":
        return bytes(chance.random() < 0.3 for _ in range(COUNT)), 1
    if name == "walk":
        at = 0
        steps = []
        for _ in range(COUNT):
            at = (at + chance.choice((-3, -1, 0, 0, 1, 2))) % 256
            steps.append(at)
        return bytes(steps), 8
    source = noise.skewed(1, 0.7) if name == "skewed" else noise.NAMED[name](1)
    return source(0, COUNT), 8


# What ea_non_iid -i -a -vv of SP800-90B_EntropyAssessment, commit 68ed165, says of these samples.
NIST: dict[str, dict[str, tuple[float | None, ...]]] = {
    "good": {
        "samples": (
            7.288289263,
            None,
            None,
            None,
            7.288289263,
            7.479751162,
            7.713789361,
            7.55403155,
            7.650076419,
            7.648994351,
        ),
        "bits": (
            0.989682626,
            0.847422483,
            0.999080121,
            0.750266701,
            0.911685474,
            0.958364453,
            0.99334811,
            0.988635518,
            0.992334995,
            0.996925767,
        ),
    },
    "biased": {
        "samples": (
            0.397686851,
            None,
            None,
            None,
            0.324195595,
            0.50850317,
            0.367944449,
            0.504220166,
            0.368037335,
            0.36801452,
        ),
        "bits": (
            0.990560244,
            1.0,
            0.217518718,
            0.079473883,
            0.034802911,
            0.066604967,
            1.0,
            0.047171049,
            0.047044496,
            0.047044132,
        ),
    },
    "skewed": {
        "samples": (
            3.977132437,
            None,
            None,
            None,
            3.885113279,
            5.939501665,
            4.044887342,
            6.037349457,
            4.402866959,
            4.412948295,
        ),
        "bits": (
            0.505986364,
            0.492616539,
            0.511152779,
            0.316192023,
            0.491135081,
            0.768576184,
            0.506174522,
            0.779975881,
            0.506057801,
            0.505935974,
        ),
    },
    "sticky84": {
        "samples": (
            2.688453928,
            None,
            None,
            None,
            2.042542098,
            3.550384117,
            2.58195636,
            2.960785823,
            2.065503537,
            2.067790465,
        ),
        "bits": (
            0.980793508,
            0.130206841,
            0.256293734,
            0.167126152,
            0.227654514,
            0.438725586,
            0.344242322,
            0.248374926,
            0.248387269,
            0.248402071,
        ),
    },
    "sticky95": {
        "samples": (
            1.46071279,
            None,
            None,
            None,
            0.602401835,
            1.120129066,
            1.050934154,
            0.859435541,
            0.579080956,
            0.579941222,
        ),
        "bits": (
            0.97466755,
            0.035730149,
            0.078873521,
            0.054149303,
            0.073822395,
            0.142085639,
            0.10639162,
            0.070459984,
            0.070469777,
            0.070476553,
        ),
    },
    "repeating": {
        "samples": (4.301898784, None, None, None, 0.0, 0.0, 4.315208581, 0.000328993, 0.00032933, 0.187093835),
        "bits": (
            0.941062793,
            0.832662647,
            0.930791718,
            0.514370311,
            1.518e-06,
            0.0,
            0.92496924,
            0.863505215,
            0.009826405,
            0.941083096,
        ),
    },
    "nibbles": {
        "samples": (
            2.971988192,
            None,
            None,
            None,
            2.865776105,
            3.366378349,
            3.063685301,
            3.501666841,
            3.073035283,
            3.077552664,
        ),
        "bits": (
            0.683710418,
            0.823703473,
            0.741414152,
            0.447543409,
            0.683710418,
            0.887072905,
            0.686951375,
            0.872777369,
            0.683847984,
            0.683752451,
        ),
    },
    "walk": {
        "samples": (
            7.076965829,
            None,
            None,
            None,
            4.239973155,
            2.695669053,
            2.052107406,
            1.545794738,
            1.738620363,
            1.735118428,
        ),
        "bits": (
            0.97727454,
            1.0,
            0.962023791,
            0.249561043,
            0.34138352,
            0.375314846,
            0.557022698,
            0.294611067,
            0.234613666,
            0.557033654,
        ),
    },
    "bits": {
        "samples": (
            0.48590228,
            0.463761218,
            0.50171673,
            0.301272984,
            0.471601697,
            0.757839116,
            0.486432483,
            0.750608314,
            0.486160836,
            0.486296533,
        ),
    },
}


def assessed(name: str) -> Assessment:
    data, width = drawn(name)
    return assess(np.frombuffer(data, np.uint8), width)


@pytest.mark.parametrize("name", NIST)
def test_every_estimator_says_what_the_program_of_nist_says(name: str) -> None:
    found = {(each.of, each.name): each.bits for each in assessed(name).estimates}
    wanted = {
        (of, estimator): bits
        for of, row in NIST[name].items()
        for estimator, bits in zip(NAMES, row, strict=True)
        if bits is not None
    }
    assert found == pytest.approx(wanted, abs=NEAR)


def test_the_examples_of_the_standard() -> None:
    """6.3.1, 6.3.2 and 6.3.3; it gives its results to so many places."""
    values = np.array([0, 1, 1, 2, 0, 1, 2, 2, 0, 1, 0, 1, 1, 0, 2, 2, 1, 0, 2, 1], np.uint8)
    assert counting.most_common_value(values) == pytest.approx(0.5363, abs=1e-4)
    bits = np.array([int(bit) for bit in "1000111001010101110011000111001010101110"], np.uint8)
    assert counting.collision(bits) == pytest.approx(0.4483, abs=1e-4)
    assert counting.markov(bits) == pytest.approx(0.761, abs=1e-3)


@pytest.mark.parametrize("same", [0.5, 0.84, 0.95])
def test_bits_that_stick_have_the_entropy_of_their_chain(same: float) -> None:
    """In closed form: collisions come after 2 + p bits and the Markov chain has -log2 of its greater probability."""
    data = np.unpackbits(np.frombuffer(noise.sticky(3, same)(0, 50_000), np.uint8))
    change = 1 - same
    # 2 + 2 p (1 - p) = 2 + change, for the bits of the collision estimate that are taken as independent.
    alone = -math.log2((1 + math.sqrt(max(0.0, 1 - 2 * change))) / 2)
    slack = 0.12 if same == 0.5 else 0.02  # the root is steep there
    assert alone - slack <= counting.collision(data) <= alone
    assert counting.markov(data) == pytest.approx(-math.log2(same), abs=0.02)
    assert lag(data, 2) == pytest.approx(-math.log2(same), abs=0.03)


@pytest.mark.parametrize("one", [0.5, 0.7, 0.9])
def test_independent_bits_have_the_entropy_of_the_likelier_one(one: float) -> None:
    data = np.unpackbits(np.frombuffer(noise.skewed(5, one)(0, 20_000), np.uint8))
    true = -math.log2(one)
    for estimate in (counting.most_common_value(data), counting.markov(data), most_common_in_window(data, 2)):
        assert estimate == pytest.approx(true, abs=0.03)


def test_repeats_are_those_that_a_slow_count_finds(seed: int) -> None:
    chance = random.Random(seed)
    for symbols in (2, 3, 7):
        samples = bytes(chance.randrange(symbols) for _ in range(120)) + bytes(9) + bytes(40)
        data = np.frombuffer(samples, np.uint8)
        most, pairs = repeats(data, symbols)
        for length in range(1, len(samples)):
            counts: dict[bytes, int] = {}
            for at in range(len(samples) - length + 1):
                piece = samples[at : at + length]
                counts[piece] = counts.get(piece, 0) + 1
            if max(counts.values()) == 1:
                break
            assert most[length - 1] == max(counts.values())
            assert pairs[length - 1] == sum(count * (count - 1) // 2 for count in counts.values())
        assert len(most) == length - 1


def test_neighbours_of_long_repeats_have_them_in_common() -> None:
    piece = random.Random("piece").randbytes(700)
    data = np.frombuffer(piece + bytes([1]) + piece, np.uint8)
    assert int(common_lengths(data, 256).max()) == 700


def test_the_lead_goes_as_the_standard_lets_it_go(seed: int) -> None:
    chance = np.random.default_rng(seed)
    table = chance.random((500, 7)) < chance.random(7)
    scores = [0] * 7
    leader = 0
    right = []
    for row in table:
        right.append(row[leader])
        for way in range(7):
            if row[way]:
                scores[way] += 1
                if scores[way] >= scores[leader]:
                    leader = way
    for cuts in ([500], [1, 2, 300, 197], [250, 250]):
        ends = np.cumsum(cuts)
        parts = [table[end - cut : end] for cut, end in zip(cuts, ends, strict=True)]
        assert leader_right(parts).tolist() == right


def test_restarts_that_are_alike_are_refused() -> None:
    row = noise.good(1)(0, 1000)
    tested = restart_test(np.frombuffer(row * 1000, np.uint8), 8, 6.0)
    assert tested.most == 1000
    assert tested.rows is None
    assert "resemble" in tested.problem
    assert tested.assessed == 0


def test_restarts_are_refused_that_good_ones_would_be_like_less_than_once_in_a_hundred_times() -> None:
    """3.1.4.3, over the 2000 rows and columns: by a chance below 1 - 0.99 ** (1 / 2000), which is 5.0e-6."""
    places = np.arange(1000)
    alike = ((places[:, None] + places) % 40).astype(np.uint8).ravel()
    tested = restart_test(alike, 8, 7.25)
    assert (tested.most, tested.rows, tested.columns) == (25, None, None)
    assert tested.chance == pytest.approx(4.26e-6, rel=1e-3)
