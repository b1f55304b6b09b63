"""Records of a release that has other settings, faults and drives, or numbers them in another way: all by name."""

import random
import struct
from collections.abc import Mapping, Sequence
from itertools import combinations
from zlib import crc32

import pytest

from tests.firmware.stored import fields_of, keys_of
from tests.firmware.stored import parts as parts_of
from tests.firmware.test_store import PLAN, Bench
from wallwright_firmware.store import fields_of as read
from wallwright_protocol import codes
from wallwright_protocol.lists import key_of
from wallwright_protocol.names import DRIVES, FAULTS, SETTINGS
from wallwright_protocol.settings import DEFAULTS, HIGHEST, LOWEST, SET_TILES, SIDES_OUT

NAMES = {"settings": SETTINGS, "told": FAULTS, "ran": DRIVES}
KEYS = {"settings": "setting_keys", "told": "fault_keys", "ran": "drive_keys"}
COUNTS = {"settings": "setting_count", "told": "fault_count", "ran": "drive_count"}
FORMATS = {"settings": "H", "told": "H", "ran": "I"}


def other(record: bytes, values: Mapping[str, Mapping[str, int]], orders: Mapping[str, Sequence[str]]) -> bytes:
    """The record as a release would have it whose lists are in these orders; a lane is blocked by `head_jam`."""
    parts = fields_of(record)
    for of, names in orders.items():
        parts[of] = struct.pack(f"<{len(names)}{FORMATS[of]}", *[values[of].get(name, 1) for name in names])
        parts[KEYS[of]] = keys_of(names)
        parts[COUNTS[of]] = bytes([len(names)])
    blocked = orders["told"].index("head_jam") if "head_jam" in orders["told"] else len(orders["told"])
    parts["blocked"] = bytes((0, 0, 0, blocked))
    body = b"".join(list(parts.values())[:-1])
    return body + struct.pack("<I", crc32(body))


def shuffled(names: Sequence[str], chance: random.Random) -> list[str]:
    """Some of the names and some of a later release, in any order; `none` stays the first of the faults."""
    found = [name for name in names if chance.random() < 0.8] + [f"later_{at}" for at in range(chance.randrange(9))]
    chance.shuffle(found)
    return ["none", *[name for name in found if name != "none"]] if "none" in names else found


@pytest.mark.parametrize("round_", range(40))
def test_every_name_finds_its_own_value_again(seed: int, round_: int) -> None:
    chance = random.Random(f"{seed} {round_}")
    bench = Bench()
    bench.app.build.restore(PLAN, (1, 2, 3, 4), (0, 1, 2, 0), (0, 0, 0, codes.HEAD_JAM), True, False, False)
    bench.app.cycle.unsaved = True
    bench.poll()
    slot, data, _ = bench.board.saved[-1]
    values = {
        "settings": {
            name: DEFAULTS[number]
            if number in (SET_TILES, SIDES_OUT)
            else chance.randint(LOWEST[number], HIGHEST[number])
            for number, name in enumerate(SETTINGS)
        },
        "told": {name: chance.randrange(1, 0x10000) for name in FAULTS},
        "ran": {name: chance.randrange(1, 1 << 32) for name in DRIVES},
    }
    orders = {of: shuffled(names, chance) for of, names in NAMES.items()}
    bench.board.slots[slot] = other(data, values, orders)
    bench.board.slots[1 - slot] = b""
    bench.start()
    app = bench.app
    usual = dict(zip(SETTINGS, app.settings.values, strict=True)) | {"wash_s": 60}
    assert dict(zip(SETTINGS, app.settings.values, strict=True)) == {
        name: values["settings"][name] if name in orders["settings"] else usual[name] for name in SETTINGS
    }
    counted = app.counters.values()
    told, ran = counted[5 : 5 + len(FAULTS)], counted[5 + len(FAULTS) :]
    for names, found, of in ((FAULTS, told, "told"), (DRIVES, ran, "ran")):
        assert dict(zip(names, found, strict=True)) == {
            name: values[of][name] if name in orders[of] else 0 for name in names
        }
    blocks = codes.HEAD_JAM if "head_jam" in orders["told"] else codes.NO_FAULT
    assert [lane.fault for lane in app.build.lanes] == [0, 0, 0, blocks]
    assert (app.cycle.boots, app.build.plan, app.build.stacks()) == (2, PLAN, (1, 2, 3, 4))


def test_what_was_read_from_another_release_is_stored_by_this_one_s_numbers() -> None:
    bench = Bench()
    bench.app.cycle.unsaved = True
    bench.poll()
    data = bench.board.saved[-1][1]
    turned = other(data, {of: {} for of in NAMES}, {of: names[:1] + names[:0:-1] for of, names in NAMES.items()})
    assert read(turned) != read(data)
    again = fields_of(bench.app.store.record(*parts_of(read(turned))))
    assert {of: again[KEYS[of]] for of in NAMES} == {of: keys_of(names) for of, names in NAMES.items()}


@pytest.mark.parametrize("of", list(NAMES))
@pytest.mark.parametrize("more", [-1, 1])
def test_a_count_that_does_not_go_with_the_length_is_no_record(of: str, more: int) -> None:
    bench = Bench()
    bench.app.cycle.unsaved = True
    bench.poll()
    parts = fields_of(bench.board.saved[-1][1])
    parts[COUNTS[of]] = bytes([parts[COUNTS[of]][0] + more])
    body = b"".join(list(parts.values())[:-1])
    assert not read(body + struct.pack("<I", crc32(body)))


@pytest.mark.parametrize("of", list(NAMES))
def test_no_two_names_of_a_list_have_one_key(of: str) -> None:
    assert [(one, two) for one, two in combinations(NAMES[of], 2) if key_of(one) == key_of(two)] == []
