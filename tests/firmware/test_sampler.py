"""What the sampler makes of the ring that DMA fills: edges, their wires and times, and what was written over."""

import builtins
import importlib
import random
import sys
import time
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest


class Chip:
    """The part of the chip that fills the ring: a sample a ms, a bit a wire, by the order of the 74HC165."""

    def __init__(self) -> None:
        self.ring: Any = None
        self.registers: dict[int, list[int]] = {}
        self.count = 0
        self.active = 0
        self.samples = 0
        self.chained: dict[int, int] = {}
        self.at_start = 0

    def pass_time(self, ms: int) -> None:
        for _ in range(ms):
            self.sample(self.at_start)

    def sample(self, levels: int) -> None:
        """All wires at once: wire n is bit n of `levels`."""
        words = []
        for first in (0, 24):
            word = 0
            for at in range(24):
                register, place = divmod(at, 8)
                # The first bit of a register on the wire is that of D7, and it ends up highest in the word.
                word = word << 1 | levels >> (first + 8 * register + 7 - place) & 1
            words.append(word)
        at = 2 * (self.samples % 512)
        self.ring[at : at + 2] = words
        self.samples += 1
        left = self.registers[self.active]
        left[2] -= 2
        if left[2] == 0:
            self.active = self.chained[self.active]
            self.registers[self.active][2] = self.count


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Chip:
    """The chip that `started` samplers read."""
    chip = Chip()
    channels = iter(range(12))

    class Dma:
        def __init__(self) -> None:
            self.channel = next(channels)

        def pack_ctrl(self, **how: int) -> int:
            assert how["ring_size"] == 12
            return how["chain_to"]

        def config(self, *, count: int, ctrl: int, trigger: bool, **_: Any) -> None:
            chip.registers[self.channel] = [0, 0, count if trigger else 0]
            chip.chained[self.channel] = ctrl
            chip.count = count
            if trigger:
                chip.active = self.channel

    rp2 = SimpleNamespace(
        asm_pio=lambda **_: lambda program: program,
        PIO=SimpleNamespace(OUT_HIGH=1, OUT_LOW=0, SHIFT_LEFT=0, SHIFT_RIGHT=1),
        DMA=Dma,
        StateMachine=lambda *_, **__: SimpleNamespace(active=lambda _: None),
    )
    pin = SimpleNamespace(Pin=type("Pin", (), {"IN": 0, "__init__": lambda self, *_: None}))
    for name, module in {
        "machine": pin,
        "rp2": rp2,
        "uctypes": SimpleNamespace(addressof=lambda _: 0),
        "micropython": SimpleNamespace(viper=lambda function: function, const=lambda value: value),
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(builtins, "ptr32", list, raising=False)
    monkeypatch.setattr(time, "sleep_ms", chip.pass_time, raising=False)
    for name in ("wallwright_firmware.boards.pio", "wallwright_firmware.boards.sampler"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return chip


def started(chip: Chip, levels: int = 0, count: int = 0) -> Any:
    """A sampler at 1,000 ms, with `levels` at the wires."""
    chip.at_start = levels
    pio = importlib.import_module("wallwright_firmware.boards.pio")
    module: ModuleType = importlib.import_module("wallwright_firmware.boards.sampler")
    chip.ring = [0] * 1024
    if count:
        pio._COUNT = module.COUNT = count  # type: ignore[attr-defined]
        module.PERIOD = count // 2  # type: ignore[attr-defined]

    class OnChip(module.Sampler):  # type: ignore[misc, name-defined]
        def _registers(self, at: int) -> list[int]:
            return chip.registers[self._channels[at].channel]

    class Memory(list[int]):
        def __getitem__(self, at: Any) -> Any:
            return chip.ring if isinstance(at, slice) else super().__getitem__(at)

    module.memoryview = lambda _: Memory()  # type: ignore[attr-defined]
    return OnChip(lambda: 1_000)


def edges(sampler: Any) -> list[tuple[int, int, int]]:
    """All changes that wait: (ms, wire, level)."""
    found = []
    while sampler.has_edge():
        change = sampler.take()
        found.append((sampler.seen_ms(), change & 63, change >> 6))
    return found


def test_levels_at_the_start_are_no_edges(chip: Chip) -> None:
    levels = 0b1010 << 20 | 1 << 47 | 1
    sampler = started(chip, levels)
    assert [sampler.level(wire) for wire in range(48)] == [levels >> wire & 1 for wire in range(48)]
    chip.sample(levels)
    assert edges(sampler) == []


@pytest.mark.slow
def test_every_wire_s_edges_come_once_with_the_time_of_their_sample(chip: Chip, seed: int) -> None:
    draw = random.Random(seed)
    sampler = started(chip)
    before, expected = 0, []
    for at in range(2, 400):
        levels = before ^ (draw.getrandbits(48) & draw.getrandbits(48) if draw.random() < 0.3 else 0)
        chip.sample(levels)
        expected += [(1_000 + at, wire, levels >> wire & 1) for wire in range(48) if (levels ^ before) >> wire & 1]
        before = levels
    assert expected
    assert sorted(edges(sampler)) == expected
    assert sampler.lost == 0


@pytest.mark.slow
def test_a_program_that_was_stopped_for_half_a_second_has_lost_nothing(chip: Chip) -> None:
    sampler = started(chip)
    for at in range(508):
        chip.sample(1 if at < 3 else 2)
    assert edges(sampler) == [(1_002, 0, 1), (1_005, 0, 0), (1_005, 1, 1)]
    assert sampler.lost == 0


@pytest.mark.slow
def test_what_was_written_over_is_counted(chip: Chip) -> None:
    sampler = started(chip)
    for _ in range(600):
        chip.sample(1 << 40)
    assert edges(sampler) == [(1_000 + 602 - 508, 40, 1)]
    assert sampler.lost == 600 - 508


@pytest.mark.slow
def test_times_go_on_when_one_channel_hands_over_to_the_other(chip: Chip) -> None:
    sampler = started(chip, count=4096)
    expected = []
    for at in range(2, 9000):
        chip.sample(at // 100 % 2)
        if at % 100 == 0:
            expected.append((1_000 + at, 0, at // 100 % 2))
        if at % 37 == 0:
            expected = expected[len(found) :] if (found := edges(sampler)) == expected[: len(found)] else ["wrong"]  # type: ignore[list-item]
    assert edges(sampler) == expected
    assert sampler.lost == 0


@pytest.mark.slow
def test_what_is_passed_over_is_told_when_it_still_holds(chip: Chip) -> None:
    sampler = started(chip, 0b1)
    chip.sample(0b11)
    told = sampler.told()
    for at in range(40):  # somebody pulses all the wires, and wire 9 changes for good meanwhile
        chip.sample((0 if at % 2 else (1 << 48) - 1) | (at > 20) << 9)
        if at == 10:
            sampler.skip()
            assert not sampler.has_edge()
    chip.sample(0b11 | 1 << 9)
    sampler.come_back(told)
    assert edges(sampler) == []
    chip.sample(0b11 | 1 << 9)
    assert sorted(edges(sampler)) == [(1_044, 1, 1), (1_044, 9, 1)]
    assert sampler.level(0) == 1


@pytest.mark.slow
def test_an_edge_that_was_told_by_half_is_told_whole_after_the_measurement(chip: Chip) -> None:
    sampler = started(chip)
    chip.sample(0b101)
    assert sampler.has_edge()
    assert sampler.take() & 63 == 0
    told = sampler.told()
    chip.sample(0)
    chip.sample(0b101)
    sampler.come_back(told)
    chip.sample(0b101)
    assert [(wire, level) for _, wire, level in edges(sampler)] == [(2, 1)]
