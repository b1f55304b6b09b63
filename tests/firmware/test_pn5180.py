"""A node's antenna against a PN5180 and tags as their papers describe them: finds all, misses none, tells who goes.

The chip here is written from NXP's data sheet and ISO/IEC 15693-3, apart from the driver; a second one, on the pins of
an emulated Pico, is in tests/board.
"""

import random
from itertools import pairwise

import pytest

from wallwright_firmware.nodes.pn5180 import TICKS, Antenna
from wallwright_firmware.nodes.sorting import SortingNode
from wallwright_protocol import line

BYTE_US, SOF_EOF_US, T1_US, ANSWER_FRAME_US = 302.08, 113.28, 318.6, 302.08
STEP_US = 200
TRANSFER_US = 150
"""Of a transfer in the emulated node's Python."""


class Chip:
    """A PN5180 as its bus, `select` and `busy`; `tags` (uid, lowest byte first -> is it quiet) lie before it."""

    def __init__(self) -> None:
        self.now_us = 0.0
        self.tags: dict[bytes, bool] = {}
        self.power = True
        self.is_selected = False
        self.is_busy = 0
        self.registers = {0x00: 0, 0x02: 0, 0x13: 0}
        self.out = b""
        self.received = b""
        self.later: list[tuple[float, int, bytes, int]] = []
        self.requests: list[tuple[float, bytes]] = []
        self.noise = 0.0
        self.random = random.Random(1)

    def select(self, level: int) -> None:
        assert self.is_busy == level or not self.power
        self.is_selected = not level
        if level:
            self.is_busy = 0

    def ticks_us(self) -> int:
        """They start again a second after the start."""
        return round(self.now_us) - 1_000_000 & TICKS

    def busy(self) -> int:
        return self.is_busy

    def write_readinto(self, data: bytes, into: bytearray) -> None:
        assert self.is_selected
        self.now_us += TRANSFER_US
        if not self.power:
            return
        self.is_busy = 1
        if not self.out:
            self.take(data)
            return
        assert set(data) == {0xFF}
        into[:], self.out = self.out[: len(data)], b""
        assert len(into) == len(data)

    def take(self, data: bytes) -> None:
        while self.later and self.later[0][0] <= self.now_us:
            _, irq, received, status = self.later.pop(0)
            self.registers[0x02] |= irq
            self.registers[0x13], self.received = status, received
        value = int.from_bytes(data[2:6], "little")
        match data[0]:
            case 0x00 if data[1] == 0x03:
                self.registers[0x02] &= ~value
            case 0x01:
                self.registers[data[1]] |= value
            case 0x02:
                self.registers[data[1]] &= value
            case 0x04:
                self.out = self.registers[data[1]].to_bytes(4, "little")
            case 0x0A:
                self.out = self.received
            case 0x09:
                assert self.registers[0x00] & 7 == 3
                self.send(data[2:])
            case 0x11:
                assert data[1:] == b"\x0d\x8d"
            case 0x16:
                pass
            case command:
                raise AssertionError(command)

    def send(self, request: bytes) -> None:
        self.requests.append((self.now_us, request))
        sent = self.now_us + SOF_EOF_US + (len(request) + 2) * BYTE_US
        answers = [answer for uid in self.tags if (answer := self.answer(uid, request)) is not None]
        self.later = []
        if answers:
            start = sent + T1_US + ANSWER_FRAME_US / 2
            end = start + (len(answers[0]) + 2) * BYTE_US + ANSWER_FRAME_US / 2
            broken = len(answers) > 1 or self.random.random() < self.noise
            self.later = [(start, 1 << 14, b"", 0), (end, 1, answers[0], len(answers[0]) | broken << 18)]

    def answer(self, uid: bytes, request: bytes) -> bytes | None:
        if request[:2] == b"\x26\x01":
            bits = request[2]
            same = int.from_bytes(uid, "little") & ((1 << bits) - 1) == int.from_bytes(request[3:], "little")
            assert len(request) == 3 + (bits + 7) // 8
            return b"\0\0" + uid if same and not self.tags[uid] else None
        assert request[0] == 0x22
        if request[2:10] != uid:
            return None
        if request[1] == 0x02:
            self.tags[uid] = True
            return None
        assert request[1] == 0x20
        return bytes(5)


def uids(chance: random.Random, count: int) -> list[bytes]:
    return [chance.randbytes(6) + b"\x04\xe0" for _ in range(count)]


class Bench:
    """An antenna, its chip, and what it has told as (ms, tag, there)."""

    def __init__(self) -> None:
        self.chip = Chip()
        self.antenna = Antenna(self.chip, self.chip.select, self.chip.busy, self.chip.ticks_us)
        self.told: list[tuple[float, bytes, bool]] = []

    def run(self, ms: float) -> None:
        end = self.chip.now_us + 1000 * ms
        while self.chip.now_us < end:
            self.chip.now_us += STEP_US
            self.antenna.poll()
            self.told += [(self.chip.now_us / 1000, *news) for news in self.antenna.news]
            self.antenna.news.clear()

    def seen(self) -> set[bytes]:
        found: set[bytes] = set()
        for _, tag, there in self.told:
            (found.add if there else found.discard)(tag)
        return found


@pytest.mark.parametrize("count", [0, 1, 2, 14, 40])
def test_all_tags_that_lie_there_are_found_once_each(count, seed):
    bench = Bench()
    chance = random.Random(f"{seed}/{count}")
    bench.chip.tags = dict.fromkeys(uids(chance, count), False)
    bench.run(200 + 35 * count)
    assert bench.seen() == {uid[::-1] for uid in bench.chip.tags}
    assert len(bench.told) == count
    bench.run(500)
    assert len(bench.told) == count


def test_tags_whose_numbers_differ_in_the_last_bit_are_told_apart():
    bench = Bench()
    one = bytes.fromhex("0000000000 80 04 e0")
    other = bytes.fromhex("0000000000 00 04 e0")
    bench.chip.tags = {one: False, other: False}
    bench.run(2000)
    assert bench.seen() == {one[::-1], other[::-1]}


def test_a_tile_that_comes_to_thirteen_others_is_seen_within_fifty_ms_and_one_that_goes_within_half_a_second(seed):
    bench = Bench()
    chance = random.Random(seed)
    *lying, coming = uids(chance, 14)
    bench.chip.tags = dict.fromkeys(lying, False)
    bench.run(1000)
    for _ in range(20):
        at_ms = bench.chip.now_us / 1000
        bench.chip.tags[coming] = False
        bench.run(50)
        assert coming[::-1] in bench.seen()
        assert bench.told[-1][0] - at_ms <= 25
        del bench.chip.tags[coming]
        bench.run(500)
        assert bench.seen() == {uid[::-1] for uid in lying}


def test_new_tiles_are_sought_every_fifty_ms_however_many_lie_there(seed):
    bench = Bench()
    bench.chip.tags = dict.fromkeys(uids(random.Random(seed), 20), False)
    bench.run(1500)
    bench.chip.requests.clear()
    bench.run(2000)
    times = [at for at, request in bench.chip.requests if request[1] == 0x01]
    assert max(later - sooner for sooner, later in pairwise(times)) < 20_000


def test_of_a_node_that_sorts_one_antenna_goes_on_a_turn_and_the_mouth_sooner_than_the_others(seed):
    """An answer to the board waits for one at the most."""
    chips = [Chip() for _ in range(line.ANTENNAS + 1)]
    chance = random.Random(seed)
    for chip in chips:
        chip.tags = dict.fromkeys(uids(chance, 2), False)
    *antennas, mouth = [Antenna(chip, chip.select, chip.busy, chip.ticks_us) for chip in chips]
    node = SortingNode(
        0, b"NODE-000", 1, antennas, mouth, (lambda *_: None, lambda: 0), lambda *_: None, lambda _: None
    )
    now_us = 0.0
    while now_us < 3_000_000:
        for chip in chips:
            chip.now_us = now_us
        node.look(int(now_us) // 1000, False)
        assert sum(chip.now_us > now_us for chip in chips) <= 1
        now_us = max(chip.now_us for chip in chips) + STEP_US
    times = [[at for at, request in chip.requests if request[1] == 0x01] for chip in chips]
    gaps = [max(later - sooner for sooner, later in pairwise(each)) for each in times]
    assert gaps[-1] < 30_000
    assert gaps[-1] < max(gaps) < 50_000


def test_answers_that_noise_destroys_cost_time_and_no_tag(seed):
    bench = Bench()
    bench.chip.noise = 0.2
    bench.chip.tags = dict.fromkeys(uids(random.Random(seed), 14), False)
    bench.run(2500)
    assert bench.seen() == {uid[::-1] for uid in bench.chip.tags}


def test_a_front_end_that_loses_its_power_is_told_and_is_taken_up_again(seed):
    bench = Bench()
    (uid,) = uids(random.Random(seed), 1)
    bench.chip.tags = {uid: False}
    bench.run(100)
    assert bench.antenna.works
    bench.chip.power = False
    bench.run(50)
    assert not bench.antenna.works
    bench.chip.power, bench.chip.out, bench.chip.tags[uid] = True, b"", False
    bench.run(1200)
    assert bench.antenna.works
    assert bench.seen() == {uid[::-1]}
