"""Faults of the parts that sort: what they do, what shows it, and what refuses them."""

import pytest

from tests.simulator.sorting import (
    FEEDING,
    FLAP_2,
    MOUTH,
    RING_9,
    all_sorter,
    on_belts,
    run,
    sorter_of,
)
from wallwright_protocol.hardware import (
    FLAP_OPEN,
    FLAP_SHUT,
    FLAP_WIDE,
    KNOCK_HOME,
    KNOCK_OFF,
    SCRAPER,
    SCRAPER_BACK,
    SCRAPER_OUT,
    sorter_bit,
    sorter_switch,
)
from wallwright_simulator.faults import FaultError, parse_faults
from wallwright_simulator.injection import Injection
from wallwright_simulator.mechanics import SLOW_SOLENOID, SOLENOID_BACK_MS, SOLENOID_BOUNCE_MS, SOLENOID_MS
from wallwright_simulator.sorters import read_hardware
from wallwright_simulator.world import World


@pytest.mark.parametrize(
    ("part", "hardware", "kind", "ends"),
    [
        ("scraper", RING_9, SCRAPER, (SCRAPER_OUT, SCRAPER_BACK)),
        ("knock off", RING_9, KNOCK_OFF, (KNOCK_HOME, None)),
        ("flap", FLAP_2, FLAP_OPEN, (FLAP_SHUT, FLAP_WIDE)),
    ],
)
def test_a_part_that_sticks_or_is_slow_shows_it_at_its_end_switches_until_it_is_mended(part, hardware, kind, ends):
    rest, end = (0 if each is None else sorter_switch(1, each) for each in ends)
    for how, arrives_ms in (("sticks", None), ("slow", SLOW_SOLENOID * SOLENOID_MS)):
        world = World(1, hardware=hardware)
        injection = Injection(world, parse_faults(f"{part} 1 {how} at 0.1 s"))
        run(world, 200)
        sorter_of(world).drive(all_sorter(kind))
        run(world, SOLENOID_MS)
        seen = sorter_of(world).switches() & (rest | end)
        assert seen == (rest if how == "sticks" else 0)
        if arrives_ms:
            run(world, arrives_ms - SOLENOID_MS)
            assert sorter_of(world).switches() & (rest | end) == end
        injection.mend()
        sorter_of(world).drive(0)
        run(world, SOLENOID_BACK_MS)
        sorter_of(world).drive(all_sorter(kind))
        run(world, SOLENOID_MS)
        assert sorter_of(world).switches() & (rest | end) == end


def test_a_scraper_that_bounces_comes_to_rest_later_at_half_of_its_arrivals(seed):
    world = World(seed, hardware=RING_9)
    Injection(world, parse_faults("scraper 0 bounces at 0 s"))
    late = 0
    for _ in range(100):
        sorter_of(world).drive(sorter_bit(0, SCRAPER))
        run(world, SOLENOID_MS)
        late += not sorter_of(world).switches() & sorter_switch(0, SCRAPER_BACK)
        run(world, SOLENOID_BOUNCE_MS)
        assert sorter_of(world).switches() & sorter_switch(0, SCRAPER_BACK)
        sorter_of(world).drive(0)
        run(world, SOLENOID_BACK_MS + SOLENOID_BOUNCE_MS)
    # 100 arrivals, half of them late: 50 +- 5.
    assert 30 < late < 70


def test_magnets_that_bring_two_tiles_lay_both_onto_the_belt_and_both_are_read(seed):
    world = World(seed, hardware=RING_9)
    injection = Injection(world, parse_faults("magnets bring two tiles 100 % for 20 s"))
    sorter_of(world).drive(all_sorter(SCRAPER))
    world.drive(FEEDING)
    reads = run(world, 5000)
    assert {len(tiles) for tiles in sorter_of(world).magnets} <= {0, 2}
    assert {tile for _, _, tile in reads} >= {tile for tiles in sorter_of(world).magnets for tile in tiles}
    injection.mend()
    sorter_of(world).drive(0)
    run(world, 5000)
    assert {len(tiles) for tiles in sorter_of(world).magnets} <= {0, 1, 2}
    assert on_belts(world)


@pytest.mark.parametrize(
    ("script", "hardware", "problem"),
    [
        ("scraper 0 sticks at 1 s", FLAP_2, "this table has no scraper; give it some with hardware=ring"),
        ("flap 0 slow at 1 s", RING_9, "this table has no flap; give it some with hardware=flap"),
        ("magnets bring two tiles 1 %", MOUTH, "no ring that sorts; give it one with hardware=ring"),
        ("reader 16 dead", read_hardware("plain"), "no such tile reader; give it some with hardware=ring"),
    ],
)
def test_faults_of_parts_that_a_table_has_not_are_refused(script, hardware, problem):
    with pytest.raises(FaultError, match=problem):
        Injection(World(1, hardware=hardware), parse_faults(script))


def fed(seed, script=""):
    """Return what the mouths' readers see of a drum that feeds for 5 s: side and tile."""
    world = World(seed, hardware=RING_9)
    if script:
        Injection(world, parse_faults(script))
    world.drive(FEEDING)
    return [(side, tile) for _, side, tile in run(world, 5000)]


def test_a_mouth_reader_or_a_tag_that_is_dead_sees_nothing(seed):
    tile = fed(seed)[0][1]
    assert {side for side, _ in fed(seed)} == {0, 1, 2, 3}
    assert fed(seed, "readers miss 100 %") == []
    assert len({side for side, _ in fed(seed, "reader 18 dead")}) == 3
    left = fed(seed, f"tag {tile} dead")
    assert {side for side, _ in left} == {0, 1, 2, 3}
    assert tile not in {one for _, one in left}
