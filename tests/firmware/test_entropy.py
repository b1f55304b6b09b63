"""The health tests: their bounds by exact arithmetic, what each faulty source sets off and when, a quiet good one."""

import hashlib
import random
from fractions import Fraction
from itertools import islice, pairwise
from math import ceil, comb

import pytest

from wallwright_firmware.entropy import (
    BLOCK,
    CHUNK,
    CHUNK_EVERY_MS,
    FALSE_ALARM_BITS,
    MIN_ENTROPY,
    PHRASE,
    PROPORTION,
    REPETITIONS,
    ROUND,
    START_WINDOWS,
    WINDOW,
    WINDOW_LIMIT_MS,
    Entropy,
    draw_boot_id,
)
from wallwright_firmware.hal import Hal
from wallwright_protocol.link import NEVER
from wallwright_simulator import noise
from wallwright_simulator.noise import Noise

ALPHA = Fraction(1, 2**FALSE_ALARM_BITS)
START_SAMPLES = START_WINDOWS * WINDOW


class Source(Hal):
    """A board that is nothing but its noise; `drawn` is all that was taken, `now_ms` the time."""

    def __init__(self, source: Noise) -> None:
        self.now_ms = 0
        self.drawn = bytearray()
        self._source = source

    def noise(self, count: int) -> bytes:
        data = self._source(self.now_ms, count)
        self.drawn += data
        return data


def listed(samples: bytes) -> Noise:
    """These samples, then nothing."""
    left = iter(samples)
    return lambda _, count: bytes(islice(left, count))


def run(source: Noise, seeds: int = 1) -> tuple[Entropy, Source, list[bytes]]:
    """Poll as the app does until so many seeds are there or the source has failed."""
    board = Source(source)
    gathering = Entropy(board)
    found: list[bytes] = []
    while len(found) < seeds and not gathering.failed:
        board.now_ms = gathering.due
        gathering.poll(board.now_ms)
        if gathering.seed:
            found.append(gathering.seed)
            gathering.gather(board.now_ms)
    return gathering, board, found


def fails_after(source: Noise, seeds: int = 1) -> int:
    """How many samples were drawn until the source was found out."""
    gathering, board, _ = run(source, seeds)
    assert gathering.failed
    return len(board.drawn)


def binomial_tail(above: int) -> Fraction:
    """P(X > above), X counting WINDOW events of probability 2^-MIN_ENTROPY."""
    p = Fraction(1, 2**MIN_ENTROPY)
    ways = sum(
        comb(WINDOW, k) * p.numerator**k * (p.denominator - p.numerator) ** (WINDOW - k)
        for k in range(above + 1, WINDOW + 1)
    )
    return Fraction(ways, p.denominator**WINDOW)


def test_the_bounds_are_those_of_the_standard() -> None:
    assert 1 + ceil(Fraction(FALSE_ALARM_BITS, MIN_ENTROPY)) == REPETITIONS
    critical = PROPORTION - 1
    assert binomial_tail(critical) <= ALPHA < binomial_tail(critical - 1)
    assert Fraction(WINDOW - PHRASE, 2 ** (MIN_ENTROPY * PHRASE)) <= ALPHA
    assert START_SAMPLES == 1024
    assert 2 * 8 * hashlib.sha256().digest_size <= WINDOW * MIN_ENTROPY


def test_a_seed_is_the_hash_of_one_window_after_the_start_up_test() -> None:
    samples = random.Random("seed").randbytes(START_SAMPLES + 2 * WINDOW)
    gathering, board, seeds = run(listed(samples), seeds=2)
    assert not gathering.failed
    assert board.drawn == samples, "nothing is drawn twice, skipped, or drawn ahead"
    assert seeds == [
        hashlib.sha256(samples[at : at + WINDOW]).digest() for at in (START_SAMPLES, START_SAMPLES + WINDOW)
    ]


def test_polls_are_short_and_a_seed_that_waits_draws_nothing() -> None:
    board = Source(noise.good(1))
    gathering = Entropy(board)
    drew = []
    while not gathering.seed:
        before = len(board.drawn)
        now_ms = gathering.due
        gathering.poll(now_ms)
        drew.append(len(board.drawn) - before)
        assert drew[-1] <= CHUNK
        assert gathering.due in (now_ms, now_ms + CHUNK_EVERY_MS, NEVER)
    assert gathering.due == NEVER
    window = [CHUNK, CHUNK, 0] * (WINDOW // ROUND)
    rounds = (START_SAMPLES + WINDOW) // ROUND
    assert drew == [*window, 0, *window, 0, *window, 0, 0], "a count, a test and the seed are polls of their own"
    assert now_ms == rounds * CHUNK_EVERY_MS == 2400


@pytest.mark.parametrize("value", [0, 0x55, 0xFF])
def test_a_stuck_source_is_found_at_the_31st_sample(value: int) -> None:
    assert fails_after(noise.stuck(value)) == -(-REPETITIONS // CHUNK) * CHUNK


def around(filling: bytes, at: int, piece: bytes) -> bytes:
    return filling[:at] + piece + filling[at + len(piece) :]


@pytest.mark.parametrize("at", [3, WINDOW - 10, START_SAMPLES - 1, START_SAMPLES + 100])
def test_so_many_repetitions_fail_and_one_less_does_not(at: int) -> None:
    """Across the edges of polls and windows, in the start-up test and after it."""
    good = bytes(range(1, 255)) + random.Random("run").randbytes(START_SAMPLES + WINDOW)
    for count, fails in ((REPETITIONS - 1, False), (REPETITIONS, True)):
        gathering, board, _ = run(listed(around(good, at, bytes(count))[: START_SAMPLES + WINDOW]))
        assert gathering.failed is fails
        assert not fails or at + REPETITIONS <= len(board.drawn) < at + REPETITIONS + CHUNK


@pytest.mark.parametrize("window", range(START_WINDOWS + 1))
def test_the_first_sample_of_a_window_may_come_so_often_and_no_more(window: int) -> None:
    for count, fails in ((PROPORTION - 1, False), (PROPORTION, True)):
        for rng in (random.Random(f"{window} {trial}") for trial in range(5)):
            # One or two zeros before each other sample, so that no run reaches the other test's bound.
            others = WINDOW - count
            zeros = [2] * (count - others) + [1] * (2 * others - count)
            piece = b"".join(bytes(number) + bytes([rng.randrange(1, 256)]) for number in zeros)
            assert (len(piece), piece.count(0)) == (WINDOW, count)
            good = rng.randbytes(START_SAMPLES + WINDOW)
            gathering, board, _ = run(listed(around(good, window * WINDOW, piece)))
            assert gathering.failed is fails
            assert not fails or len(board.drawn) == (window + 1) * WINDOW


def test_any_other_sample_may_come_as_often_as_it_likes() -> None:
    """The standard counts the first sample of a window only; another one's turn comes with another window."""
    rng = random.Random("others")
    window = bytearray(7 if at % 10 else rng.randrange(256) for at in range(WINDOW))
    window[0] = 8
    gathering, _, seeds = run(listed(bytes(window) + rng.randbytes(WINDOW) + bytes(window)))
    assert window.count(7) > PROPORTION
    assert not gathering.failed
    assert len(seeds) == 1


@pytest.mark.parametrize("period", [2, 3, 7, 64, 100, WINDOW - PHRASE])
def test_a_source_that_repeats_itself_is_found_in_its_first_window(period: int) -> None:
    assert fails_after(noise.repeating(5, period)) == WINDOW


def test_a_phrase_that_comes_again_at_the_end_of_the_window_fails_and_a_shorter_one_does_not() -> None:
    good = random.Random("phrase").randbytes(START_SAMPLES + WINDOW)
    assert run(listed(around(good, WINDOW - PHRASE, good[:PHRASE])))[0].failed
    assert not run(listed(around(good, WINDOW - PHRASE + 1, good[: PHRASE - 1])))[0].failed


WINDOWS_TO_FIND = 16
"""A window that starts with the favourite, p = 0.75, holds it 384 +- 10 times of 512: above the bound but for 10^-8.
Sixteen windows in a row that start with another have a probability of 0.25^16 = 2^-32."""


@pytest.mark.parametrize("kind", ["biased byte", "biased bits"])
def test_a_biased_source_is_found_within_sixteen_windows(kind: str, seed: int) -> None:
    # Bits of 0.965 make the byte 0xff as frequent as the favourite byte.
    source = noise.biased(seed) if kind == "biased byte" else noise.skewed(seed, 0.965)
    assert fails_after(source, seeds=WINDOWS_TO_FIND) <= WINDOWS_TO_FIND * WINDOW


def test_a_source_that_has_the_claimed_entropy_and_no_more_is_left_in_peace(seed: int) -> None:
    """One even bit a sample, as the claim has it: 30 windows with false alarms of 2^-30 each."""
    source = random.Random(f"coin {seed}")
    gathering, _, seeds = run(lambda _, count: bytes(source.choice(b"\x13\x37") for _ in range(count)), seeds=28)
    assert not gathering.failed
    assert len(set(seeds)) == 28


def test_a_dead_source_fails_at_the_limit() -> None:
    gathering, board, _ = run(noise.dead())
    assert gathering.failed
    assert WINDOW_LIMIT_MS <= board.now_ms < WINDOW_LIMIT_MS + 3 * CHUNK_EVERY_MS


def test_a_slow_source_is_waited_for_until_the_limit() -> None:
    polls = WINDOW_LIMIT_MS // CHUNK_EVERY_MS
    source = noise.good(3)
    enough = -(-WINDOW // polls)
    assert not run(lambda now_ms, count: source(now_ms, min(count, enough)))[0].failed
    assert run(lambda now_ms, count: source(now_ms, min(count, enough - 1)))[0].failed


def test_a_source_that_dies_later_spoils_no_seed_from_before(seed: int) -> None:
    gathering, board, seeds = run(noise.dying(noise.good(seed), at_ms=5000), seeds=9)
    assert gathering.failed
    assert gathering.seed == b""
    assert len(seeds) == len(board.drawn) // WINDOW - START_WINDOWS > 0
    assert 5000 <= board.now_ms < 5000 + WINDOW_LIMIT_MS + CHUNK_EVERY_MS


def test_a_failure_stays_until_the_restart_which_tests_from_the_beginning() -> None:
    source = [noise.stuck()]
    board = Source(lambda now_ms, count: source[0](now_ms, count))
    gathering = Entropy(board)
    while not gathering.failed:
        gathering.poll(gathering.due)
    assert gathering.due == NEVER
    source[0] = noise.good(4)
    gathering.restart(10_000)
    before = len(board.drawn)
    while not gathering.seed:
        assert not gathering.failed
        gathering.poll(gathering.due)
    assert len(board.drawn) - before == START_SAMPLES + WINDOW


@pytest.mark.slow
def test_a_good_source_stays_quiet_for_a_million_samples(seed: int) -> None:
    seeds = 10**6 // WINDOW
    gathering, board, found = run(noise.good(seed), seeds)
    assert not gathering.failed
    assert len(board.drawn) >= 10**6
    assert len(set(found)) == seeds


def test_boot_ids_differ_and_are_never_zero() -> None:
    board = Source(noise.good(6))
    assert len({draw_boot_id(board, 1) for _ in range(1000)}) == 1000
    assert len({draw_boot_id(Source(noise.dead()), boots) for boots in range(1000)}) == 1000


def test_a_boot_id_of_zero_becomes_another(monkeypatch: pytest.MonkeyPatch) -> None:
    class Zeros:
        def __init__(self, _: bytes) -> None:
            """Whatever is hashed."""

        def digest(self) -> bytes:
            return bytes(32)

    monkeypatch.setattr(hashlib, "sha256", Zeros)
    assert draw_boot_id(Source(noise.good(1)), 1) == 1


def counted(samples: bytes) -> tuple[int, int]:
    """Ones, and changes within each window, by the text of the bits."""
    windows = [samples[at : at + WINDOW] for at in range(0, len(samples), WINDOW)]
    bits = ["".join(f"{sample:08b}" for sample in window) for window in windows]
    return sum(each.count("1") for each in bits), sum(a != b for each in bits for a, b in pairwise(each))


@pytest.mark.slow
def test_ones_and_changes_of_the_bits_are_counted_in_blocks_of_64_windows(seed: int) -> None:
    rng = random.Random(seed)
    # One in four ones, and a bit that stays the same more often than not.
    samples = bytes(rng.getrandbits(8) & rng.getrandbits(8) & 0xF9 for _ in range((2 * BLOCK + 3) * WINDOW))
    block = BLOCK * WINDOW
    gathering = run(listed(samples), seeds=BLOCK - START_WINDOWS - 1)[0]
    assert gathering.figures() == (BLOCK - 1, *counted(samples[: block - WINDOW]), 0, 0)
    gathering = run(listed(samples), seeds=BLOCK - START_WINDOWS)[0]
    assert gathering.figures() == (0, 0, 0, *counted(samples[:block]))
    gathering = run(listed(samples), seeds=2 * BLOCK - START_WINDOWS + 3)[0]
    assert gathering.figures() == (3, *counted(samples[2 * block :]), *counted(samples[block : 2 * block]))


def test_a_window_that_fails_is_not_counted() -> None:
    good = random.Random("counted").randbytes(WINDOW)
    gathering = run(listed(good + bytes(WINDOW)))[0]
    assert gathering.failed
    assert gathering.figures() == (1, *counted(good), 0, 0)
