"""The march over memory, on memories that are broken in each of the ways that it is known to find."""

import builtins
import importlib
import sys
from collections.abc import Callable
from types import SimpleNamespace

import pytest

WORDS = 8
BITS = 32
March = Callable[["Memory", int, int], int]


class Memory:
    """Words as viper sees them: signed, of 32 bits. `changed` is called after each write with the word and its old
    value, and may change what is there; `stuck` are bits that are always so, as (word, bit, level)."""

    def __init__(self, stuck: tuple[int, int, int] | None = None) -> None:
        self.words = [0x5A5A5A5A] * WORDS
        self.stuck = stuck
        self.changed: Callable[[int, int], None] = lambda _at, _before: None

    def __getitem__(self, at: int) -> int:
        word = self.words[at]
        if self.stuck and at == self.stuck[0]:
            bit = 1 << self.stuck[1]
            word = word | bit if self.stuck[2] else word & ~bit
        return word - (1 << BITS) if word >> BITS - 1 else word

    def __setitem__(self, at: int, value: int) -> None:
        assert 0 <= at < WORDS
        before = self.words[at]
        self.words[at] = value & (1 << BITS) - 1
        self.changed(at, before)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Callable[[Memory], bool]:
    """Whether a memory passes with all backgrounds."""
    micropython = SimpleNamespace(viper=lambda function: function)
    board = SimpleNamespace(bytearray_at=None)
    monkeypatch.setitem(sys.modules, "micropython", micropython)
    monkeypatch.setitem(sys.modules, "uctypes", board)
    monkeypatch.setattr(builtins, "ptr32", list, raising=False)
    for name in ("march", "hardware_tests"):
        monkeypatch.delitem(sys.modules, f"wallwright_firmware.boards.{name}", raising=False)
    march: March = importlib.import_module("wallwright_firmware.boards.march").march
    backgrounds = importlib.import_module("wallwright_firmware.boards.hardware_tests").BACKGROUNDS
    return lambda memory: not any(march(memory, WORDS, background) for background in backgrounds)


def test_a_good_memory_passes_and_any_two_bits_of_a_word_have_differed(passes: Callable[[Memory], bool]) -> None:
    memory = Memory()
    seen: set[int] = set()
    memory.changed = lambda at, _: seen.add(memory.words[at])
    assert passes(memory)
    for one in range(BITS):
        for other in range(one):
            assert any((word >> one ^ word >> other) & 1 for word in seen), (one, other)


@pytest.mark.parametrize("level", [0, 1])
def test_a_bit_that_sticks_is_found(passes: Callable[[Memory], bool], level: int) -> None:
    for at in range(WORDS):
        for bit in range(BITS):
            assert not passes(Memory((at, bit, level)))


@pytest.mark.parametrize("becomes", [0, 1])
def test_a_bit_that_does_not_change_is_found(passes: Callable[[Memory], bool], becomes: int) -> None:
    for bit in range(BITS):
        memory = Memory()

        def stay(at: int, before: int, memory: Memory = memory, bit: int = bit) -> None:
            now = memory.words[at]
            if at == 3 and (now ^ before) >> bit & 1 and now >> bit & 1 == becomes:
                memory.words[at] ^= 1 << bit

        memory.changed = stay
        assert not passes(memory)


@pytest.mark.parametrize("rises", [False, True])
@pytest.mark.parametrize("flips_to", [0, 1, None], ids=str)
def test_a_word_that_changes_another_is_found(
    passes: Callable[[Memory], bool], rises: bool, flips_to: int | None
) -> None:
    for source in range(WORDS):
        for victim in range(WORDS):
            if source == victim:
                continue
            memory = Memory()

            def disturb(
                at: int, before: int, memory: Memory = memory, source: int = source, victim: int = victim
            ) -> None:
                now = memory.words[at]
                if at == source and (now ^ before) >> 7 & 1 and bool(now >> 7 & 1) == rises:
                    bit = memory.words[victim] >> 9 & 1
                    memory.words[victim] ^= (bit ^ (1 - bit if flips_to is None else flips_to)) << 9

            memory.changed = disturb
            assert not passes(memory), (source, victim)


def test_an_address_that_reaches_two_words_is_found(passes: Callable[[Memory], bool]) -> None:
    memory = Memory()

    def reach(at: int, _: int) -> None:
        if at == 2:
            memory.words[6] = memory.words[2]

    memory.changed = reach
    assert not passes(memory)
