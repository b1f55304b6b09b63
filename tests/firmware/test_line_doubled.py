"""Two nodes with one address: the board tells them apart by when they answer its calls, and names them."""

import random
from itertools import combinations

import pytest

from tests.firmware.test_line import Table, tag
from wallwright_firmware.line_node import CALL_EVERY_MS, NONCES, reader_of
from wallwright_protocol import line
from wallwright_simulator.line import ModelNode


def two_units(chance: random.Random) -> tuple[bytes, bytes]:
    """Numbers for life that some call tells apart; one pair in 16,384 answers every call at once."""
    while True:
        one, other = chance.randbytes(8), chance.randbytes(8)
        if any(line.call_delay_ms(one, nonce) != line.call_delay_ms(other, nonce) for nonce in range(NONCES)):
            return one, other


@pytest.mark.slow
def test_two_nodes_with_one_address_are_found_and_named_and_mended_by_taking_one_away(seed):
    for attempt in range(10):
        chance = random.Random(f"{seed}/{attempt}")
        first, second = two_units(chance)
        table = Table(ModelNode(0), ModelNode(1, unit=first))
        table.run(chance.randrange(100, 1500))
        other = ModelNode(1, unit=second)
        other.firmware.start += 77
        table.nodes.append(other)
        table.run(2500)
        assert table.faults == [("node_doubled", 1)]
        assert table.line.readers == 0b11_1111_0011
        table.nodes.remove(other)
        table.nodes[1].see(1, tag(5), True)
        table.run(2500)
        assert table.seen() == {(reader_of(1, 1), tag(5))}
        assert table.faults == [("node_doubled", 1)]


def test_two_with_one_address_from_the_start(seed):
    for attempt in range(10):
        chance = random.Random(f"{seed}/{attempt}")
        table = Table(*[ModelNode(2, unit=unit) for unit in two_units(chance)])
        table.nodes[1].firmware.start += 5
        table.run(4000)
        assert table.faults == [("node_doubled", 2)]


@pytest.mark.slow
@pytest.mark.parametrize("others", [0, 1, 3])
def test_two_that_one_call_alone_tells_apart_are_named_however_many_addresses_are_called(others):
    """Addresses without a node are called too, and take calls of their own from the same row."""
    told_apart: dict[int, tuple[bytes, bytes]] = {}
    for one, other in combinations([bytes([number]) * 8 for number in range(200)], 2):
        by = [at for at in range(NONCES) if line.call_delay_ms(one, at) != line.call_delay_ms(other, at)]
        if len(by) == 1:
            told_apart.setdefault(by[0], (one, other))
    assert set(told_apart) == set(range(NONCES))
    for pair in told_apart.values():
        table = Table(*[ModelNode(address) for address in range(others)], *[ModelNode(3, unit=unit) for unit in pair])
        for _ in range(NONCES + 1):
            table.run(0 if table.faults else CALL_EVERY_MS)
        assert table.faults == [("node_doubled", 3)]
