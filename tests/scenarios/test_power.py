"""The power fails after one poll of twenty of a cycle and within every write, its bytes shared among the writes; in
`make campaign` after every single poll and within every byte of every write.

Each case is a fork of the process at that moment, so that the cycle up to there is run once only.
"""

import gc
import os
import random
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from tests.firmware.stored import fields_of
from tests.length import length
from tests.scenarios.power import (
    OFF_MS,
    UNKNOWN,
    Truth,
    act,
    app_of,
    check_end,
    cycle,
    is_done,
    new_table,
    restart,
    settle,
)
from wallwright_firmware.app import App
from wallwright_firmware.store import LEAST_BYTES
from wallwright_protocol import codes
from wallwright_protocol.hardware import DISC
from wallwright_simulator.power import START_MS, Slots
from wallwright_simulator.world import World

ROOT = Path(__file__).parents[2]
ONE_IN = length(20, 1)
"""The power fails after one poll of so many."""
EVERY = length(7, 1)
"""A write is cut at one byte of so many, each of the seven writes at others; so all of them are tried."""
EDGE = 3
"""At the ends of a write so many bytes are tried of every one."""
TO_THE_END = 20
"""Of the failures within builds one in so many is followed to the end of the cycle, the others until it goes on."""
TWICE = 5
"""In one case of so many the power fails a second time while people set the table going again."""
SEEN_MS = 300
"""People take this long to see a fault; a key pressed sooner was meant for something else."""
LATER_MS = 40
"""The power fails up to this long after a poll, with an edge that the firmware never sees or without."""


def in_a_fork(case):
    """Run `case` in a copy of this process that ends with it; return its traceback, "" when it was well."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        # Without the collector the child does not touch, and so does not copy, what it has no use for.
        gc.disable()
        os.close(reader)
        try:
            case()
        except BaseException:  # noqa: BLE001 - the parent tells it
            os.write(writer, traceback.format_exc().encode()[-4_000:])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        report = pipe.read().decode()
    os.waitpid(child, 0)
    return report


def go_on(table, chance, to_the_end):
    """After a power loss: perhaps another one, then to the end of the cycle or until it goes on."""
    if chance.randrange(TWICE) == 0 and not is_done(table):
        act(table)
        table.run(chance.randrange(6_000))
        table.sim.cut_power(chance.choice((START_MS, OFF_MS)))
        restart(table, Truth(table))
    if to_the_end:
        cycle(table)
        check_end(table)
    else:
        settle(table)


class Watched:
    """A firmware after each of whose polls `after_poll` is called."""

    def __init__(self, board, unit, tiles):
        self.firmware = App(board, unit, tiles)
        self.due = self.firmware.due
        self.after_poll = lambda: None

    def poll(self, now_ms, rx):
        tx = self.firmware.poll(now_ms, rx)
        self.due = self.firmware.due
        self.after_poll()
        return tx


class WatchedSlots(Slots):
    """A memory before each of whose writes `before_write(slot, data)` is called."""

    def __init__(self, slots, before_write):
        super().__init__()
        self.data = slots.data
        self.before_write = before_write

    def save(self, slot, data):
        self.before_write(slot, data)
        return super().save(slot, data)


def in_a_small_process(case, seed):
    """Run `case(seed)` in a new process; AssertionError with what it prints when it ends badly.

    Thousands of forks of one that has run half of the suite would take ten times as long.
    """
    call = f"from {case.__module__} import {case.__name__}; {case.__name__}({seed})"
    done = subprocess.run([sys.executable, "-c", call], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_power_loss_after_polls_all_over_a_cycle(seed):
    in_a_small_process(after_polls, seed)


def test_a_power_loss_within_every_write_at_every_byte_of_one_of_them(seed):
    in_a_small_process(within_every_write, seed)


def after_polls(seed):
    chance = random.Random(seed)
    apps = []

    def watched(board, unit, tiles):
        apps.append(Watched(board, unit, tiles))
        return apps[-1]

    table = new_table(chance.randrange(2**32), watched)
    shown = []
    failures = []

    first = chance.randrange(ONE_IN)

    def fail():
        shown.append(table.shown)
        if len(shown) % ONE_IN != first:
            return
        own = random.Random(chance.randrange(2**32))
        to_the_end = not table.builds or own.randrange(TO_THE_END) == 0

        def case():
            if own.randrange(2):
                # Not as the watched world does it: this board does nothing more about what it would see now.
                World.advance(table.world, table.now_ms + own.randrange(LATER_MS))
            truth = Truth(table)
            table.sim.cut_power(own.choice((START_MS, OFF_MS)))
            restart(table, truth)
            go_on(table, own, to_the_end)

        report = in_a_fork(case)
        if report:
            failures.append(f"{table.now_ms} ms, {table.shown}: {report}")

    apps[0].after_poll = fail
    cycle(table)
    check_end(table)
    assert not failures, f"{len(failures)} of {len(shown)}, the first: {failures[0]}"
    assert len(apps) == 1
    assert len(shown) > 1_500
    assert {"START?", "BUILD", "READY", "LID_OPEN", "DROP", "LID_CLOS", "LIFTING", "DICE?"} < set(shown)


def within_every_write(seed):
    chance = random.Random(seed)
    table = new_table(chance.randrange(2**32))
    board = table.sim.board
    cuts = []
    failures = []

    def fail(slot, data):
        assert table.world.mask == 0, "the firmware writes while a motor runs"
        for count in range(len(data) + 1):
            if EDGE < count < len(data) - EDGE and (count - board.slots.writes) % EVERY:
                continue
            own = random.Random(chance.randrange(2**32))

            def case(count=count, own=own):
                truth = Truth(table)
                if count == len(data):
                    # Wholly written, so that it counts, though the firmware has done nothing of it yet.
                    stored = fields_of(data)
                    truth.set_above, truth.deal, truth.dealer = (
                        int.from_bytes(stored[field], "little") for field in ("set_above", "deal", "dealer")
                    )
                held = board.slots.data
                board.slots = Slots()
                board.slots.data = held
                held[slot] = data[:count]
                table.sim.cut_power(OFF_MS)
                restart(table, truth)
                go_on(table, own, own.randrange(4) == 0)

            report = in_a_fork(case)
            cuts.append(count)
            if report:
                failures.append(f"{table.now_ms} ms, {table.shown}, after {count} bytes: {report}")

    board.slots = WatchedSlots(board.slots, fail)
    cycle(table)
    check_end(table)
    assert not failures, f"{len(failures)} of {len(cuts)}, the first: {failures[0]}"
    # Two builds begin and end, the drum is checked after the first, walls come up, dice are rolled.
    assert board.slots.writes == 7
    assert set(cuts) == set(range(LEAST_BYTES + 1))


def test_a_build_that_a_fault_has_stopped_goes_on_from_its_counts_after_a_power_loss(seed):
    table = new_table(seed)
    host = table.connect()
    table.press_lift()
    table.run(8_000)
    host.do("stop")
    built = table.built()
    assert sum(built) > 4
    table.run(100)
    table.host = None
    table.sim.cut_power(OFF_MS)
    restart(table, Truth(table))
    assert table.shown == "START?"
    assert table.built() == built == app_of(table).build.stacks()
    cycle(table)
    check_end(table)


def test_a_blocked_lane_is_told_again_after_a_power_loss(seed):
    chance = random.Random(seed)
    table = new_table(chance.randrange(2**32))
    side = chance.randrange(4)
    table.press_lift()
    table.run(4_000)
    table.run(20_000, lambda: bool(table.world.heads[side].tiles))
    table.world.heads[side].block()
    jammed = table.until_fault()
    assert jammed == f"E{codes.HEAD_JAM:02d} S{side}"
    table.sim.cut_power(OFF_MS)
    table.run(OFF_MS + SEEN_MS)
    assert table.shown == jammed
    for tile in table.world.free_head(side):
        table.world.put_in_drum(tile)
    table.press_lift()
    table.run(300)
    cycle(table)
    check_end(table)


def test_the_lid_is_open_for_a_forgotten_tile_when_the_power_fails(seed):
    table = new_table(seed)
    table.press_lift()
    table.run(6_000)
    table.press_lift(0)
    table.press_lift(2)
    table.until("TILE?", 10_000)
    assert app_of(table).build.partial
    truth = Truth(table)
    table.sim.cut_power(OFF_MS)
    restart(table, truth)
    assert table.shown == "TILE?"
    table.press_lift()
    table.until_building(3_000)
    table.until("READY")
    cycle(table)
    check_end(table)


def test_a_host_is_told_what_the_board_knew(seed):
    table = new_table(seed)
    table.build()
    table.raise_walls()
    table.press_dice(1)
    table.until_building(3_000)
    table.run(2_000)
    table.sim.cut_power(OFF_MS)
    table.run(OFF_MS + 10)
    host = table.connect()
    table.run(500)
    assert [event.name for event in host.events][:4] == ["booted", "restored", "fault", "state_changed"]
    assert host.named("restored")[0].values == {
        "set_above": 0,
        "carriers": codes.CARRIERS_UNKNOWN,
        "deal": 1,
        "dealer": 1,
        "builds": 1,
        "boots": 2,
        # What a host says of a deal, and none has.
        "east": 0,
        "round_wind": 0,
        "deal_kind": 0,
        "pot": 0,
    }
    assert host.named("fault")[0].values["fault"] == codes.WALLS_UNKNOWN
    assert host.events[0].time_ms < 10, "the board's clock begins anew"


def test_carriers_that_were_not_emptied_never_give_walls(seed):
    """People who clear walls_unknown without doing what it says end in a fault and not in walls."""
    chance = random.Random(seed)
    for _ in range(5):
        table = new_table(chance.randrange(2**32))
        table.press_lift()
        table.run(chance.randrange(3_000, 15_000))
        table.sim.cut_power(OFF_MS)
        table.run(OFF_MS + SEEN_MS)
        assert table.shown == UNKNOWN
        table.press_lift()
        table.run(300)
        table.press_lift()
        assert table.until_fault(200_000)[:3] != UNKNOWN
        assert not table.world.rises


def test_a_plan_that_was_accepted_at_rest_is_there_after_a_power_loss(seed):
    table = new_table(seed)
    host = table.connect()
    host.do("set_plan", 13, 14, 13, 14, 3, 0, codes.AS_SET)
    truth = Truth(table)
    truth.dealer = 3
    table.host = None
    table.sim.cut_power(OFF_MS)
    restart(table, truth)
    assert app_of(table).cycle.next_plan() == (13, 14, 13, 14)


def test_the_dropped_set_is_mixed_and_waits_for_the_host_when_the_power_fails(seed):
    table = new_table(seed)
    host = table.connect()
    host.do("set_plan", 13, 14, 13, 14, 1, codes.HELD, 10)
    table.world.plans = [(13, 14, 13, 14)]
    host.do("start_build")
    table.until("READY")
    table.raise_walls()
    host.do("lower_lifts")
    table.until("WASH", 3_000)
    assert table.world.mask == DISC
    truth = Truth(table)
    truth.dealer = 1
    table.host = None
    table.sim.cut_power(OFF_MS)
    restart(table, truth)
    assert table.shown == "START?"
    assert app_of(table).cycle.plan == (13, 14, 13, 14)
    assert app_of(table).cycle.plan_mode == codes.HELD
    table.press_lift()
    table.until("READY")
    assert table.built() == (13, 14, 13, 14)


def test_power_that_comes_back_too_soon_is_refused(seed):
    table = new_table(seed)
    with pytest.raises(ValueError, match=str(START_MS)):
        table.sim.cut_power(START_MS - 1)
