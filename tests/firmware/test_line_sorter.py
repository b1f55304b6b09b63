"""Solenoids, end switches and the antennas at the mouths on the line: the board's end against modelled nodes."""

import random
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.firmware.prescribing import FLAP_2, MOUTH, RING_18, Director
from tests.firmware.test_line import Table, tag
from wallwright_firmware.app import App
from wallwright_firmware.line_sorter import DRIVE_MS, READ_LATE_MS, SortingLine
from wallwright_firmware.sorting.mouth import KNOCK_MS, Mouth
from wallwright_protocol import codes, line
from wallwright_protocol.hardware import (
    KNOCK_HOME,
    KNOCK_OFF,
    MOUTH_READER,
    READERS,
    SCRAPER,
    SCRAPER_BACK,
    SIDES,
    SORTER_DRIVES_PER_SIDE,
    SORTER_SWITCHES_PER_SIDE,
    STORE_IN,
    STORE_OUT,
    STORE_RESTS,
    sorter_bit,
    sorter_switch,
)
from wallwright_protocol.link import NEVER
from wallwright_simulator.line import ModelSortingNode, PartsOnNodes, Wire
from wallwright_simulator.mechanics import LINE_LEAD_MS
from wallwright_simulator.sorter import Hardware
from wallwright_simulator.sorters import read_hardware

EACH_MS = 50
"""Each of sixteen antennas is asked for at least this often on a clean line."""
SLOT_MS = 345
"""A ring brings a tile to a mouth this often; there a scraper goes back, out and back."""
DRIVES = (1 << SORTER_DRIVES_PER_SIDE) - 1


class SortingTable(Table):
    """Four nodes that sort."""

    nodes: list[Any]
    line: Any

    def __init__(self) -> None:
        super().__init__()
        self.nodes = [ModelSortingNode(address) for address in range(line.NODES)]
        self.wire = Wire(self.nodes)
        self.line = SortingLine(self.wire)
        self.run(200)
        assert self.line.readers == (1 << READERS) - 1

    def drives(self) -> int:
        """What the nodes have switched on, as a board has it."""
        return sum(node.drives << (node.address * SORTER_DRIVES_PER_SIDE) for node in self.nodes)

    def until(self, done, limit_ms: int) -> int:
        """Let time go by until it is so; return how long that took in ms."""
        begin = self.now_ms
        while not done():
            self.run(1)
            assert self.now_ms < begin + limit_ms
        return self.now_ms - begin


@pytest.mark.slow
def test_each_drive_arrives_at_its_own_solenoid_at_once(seed):
    table, chance = SortingTable(), random.Random(seed)
    for side in range(SIDES):
        for kind in range(SORTER_DRIVES_PER_SIDE):
            table.line.drive_sorter(sorter_bit(side, kind))
            table.run(DRIVE_MS)
            assert table.drives() == sorter_bit(side, kind)
    for _ in range(200):
        mask = table.drives() ^ 1 << chance.randrange(SIDES * SORTER_DRIVES_PER_SIDE)
        table.run(chance.randrange(30))
        table.line.drive_sorter(mask)
        assert table.until(lambda mask=mask: table.drives() == mask, DRIVE_MS + 1) <= DRIVE_MS


def test_holding_places_are_told_one_by_one():
    table = SortingTable()
    table.line.drive_store(2, 0, STORE_IN)
    table.line.drive_store(2, 1, STORE_OUT)
    table.run(40)
    assert [node.moves for node in table.nodes] == [0, 0, STORE_IN | STORE_OUT << 2, 0]
    table.line.drive_store(2, 0, STORE_RESTS)
    table.run(40)
    assert table.nodes[2].moves == STORE_OUT << 2


def test_end_switches_and_tiles_at_the_mouths_are_told_from_every_side():
    table = SortingTable()
    for side, node in enumerate(table.nodes):
        node.switches = side + 9
        node.see(line.MOUTH, tag(side), True)
    table.run(60)
    assert table.line.sorter_switches() == sum(side + 9 << side * SORTER_SWITCHES_PER_SIDE for side in range(SIDES))
    assert {(reader, there) for _, reader, _, there in table.reads} == {
        (MOUTH_READER + side, True) for side in range(SIDES)
    }
    assert not table.faults


@pytest.mark.parametrize("what", ["line", "board", "node"])
def test_whatever_falls_silent_lets_the_solenoids_go(what):
    """150 ms after the last WORK at the latest, and the board sees no switch any more."""
    table = SortingTable()
    for node in table.nodes:
        node.switches = 1
    table.line.drive_sorter(sorter_bit(1, SCRAPER) | sorter_bit(3, KNOCK_OFF))
    table.line.drive_store(0, 1, STORE_IN)
    table.run(100)
    assert table.drives()
    assert table.nodes[0].moves
    if what == "line":
        table.wire.noise = lambda _, data: b""
    elif what == "node":
        for node in table.nodes:
            node.lose_power()
    for _ in range(line.WORK_MS + 2 * line.NODES):
        table.wire.advance(table.wire.now_us + 1000)
        if what != "board":
            table.line.poll(table.now_ms)
    assert table.drives() == 0
    assert not any(node.moves for node in table.nodes)
    if what != "board":
        table.run(1_000)
        assert table.line.sorter_switches() == 0
        assert sorted(table.faults) == [("node_silent", side) for side in range(SIDES)]


def test_a_node_that_begins_anew_is_told_again_what_to_do():
    table = SortingTable()
    table.line.drive_sorter(sorter_bit(1, SCRAPER))
    table.run(50)
    table.nodes[1].restart()
    assert table.drives() == 0
    table.run(400)
    assert table.drives() == sorter_bit(1, SCRAPER)


@pytest.mark.slow
def test_a_panel_that_changes_stops_no_solenoid_and_is_shown():
    table = SortingTable()
    table.line.drive_sorter(DRIVES)
    table.run(50)
    for number in range(40):
        for side in range(SIDES):
            table.line.show(side, f"T {number}")
        table.run(20)
        assert table.drives() == DRIVES
    table.run(100)
    assert [node.text.strip() for node in table.nodes] == ["T 39"] * SIDES
    assert not table.faults


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0.0, 0.05])
def test_sixteen_antennas_are_asked_for_often_enough_while_four_mouths_sort(seed, lost):
    table, chance = SortingTable(), random.Random(seed)
    table.wire.noise = lambda _, data: data if chance.random() >= lost else b"\x5a" * len(data)
    mask = 0
    acts = sorted(
        (turn * SLOT_MS + side * 80 + at, side) for turn in range(30) for side in range(4) for at in (0, 60, 190)
    )
    begin = table.now_ms
    for at_ms, side in acts:
        while table.now_ms < begin + at_ms:
            table.run(1)
        if chance.random() < 0.5:
            table.nodes[side].see(line.MOUTH, tag(chance.randrange(108)), True)
        mask ^= sorter_bit(side, chance.choice((SCRAPER, KNOCK_OFF)))
        table.line.drive_sorter(mask)
    table.run(200)
    assert table.drives() == mask
    asked = [(us // 1000, data[2]) for us, address, data in table.wire.sent if address == -1 and us // 1000 >= begin]
    assert len(asked) > 1_000
    gaps = []
    for address in range(SIDES):
        mine = [us // 1000 for us, _, data in board_frames(table) if data[1] == address and us // 1000 >= begin]
        gaps += [after - before for before, after in pairwise(mine)]
    late = [gap for gap in gaps if gap > EACH_MS]
    if lost:
        assert len(late) <= len(gaps) / 100
        assert max(gaps) <= 2 * EACH_MS
    else:
        assert late == []
        assert not table.faults


def board_frames(table):
    """What the board has sent: (time in us, address, body)."""
    from wallwright_protocol.frame import Decoder

    for us, address, data in table.wire.sent:
        if address == -1:
            for body in Decoder().feed(data):
                yield us, address, body


class OnTheLine:
    """A board whose readers and sorter are on the line; all else is the simulated board's."""

    sorter_delay_ms = DRIVE_MS
    mouth_late_ms = READ_LATE_MS

    def __init__(self, board) -> None:
        self._board = board
        self._nodes: list[Any] = [ModelSortingNode(address) for address in range(line.NODES)]
        self._wire = Wire(self._nodes)
        self._line = SortingLine(self._wire)
        self._parts = PartsOnNodes(board.world.sorter, self._nodes)

    def __getattr__(self, name):
        return getattr(self._board, name)

    @property
    def readers(self):
        return self._line.readers

    @property
    def has_line_news(self):
        return True

    def turn(self, now_ms: int) -> bool:
        """One turn of the chip's loop: nodes see the world, the line goes on; say whether it has news."""
        board = self._board
        while board.next_read():
            reader, tag, there = board.read_reader, board.read_tag, board.read_there
            side = reader - MOUTH_READER
            antenna = line.MOUTH
            if side < 0:
                side, antenna = (reader, 0) if reader < SIDES else divmod(reader - SIDES, 3)
                antenna += reader >= SIDES
            self._nodes[side].see(antenna, tag, there)
        self._parts.look()
        self._wire.advance(now_ms * 1000)
        return self._line.poll(now_ms)

    def next_read(self) -> bool:
        found = self._line.next_read()
        self.read_reader, self.read_tag = self._line.read_reader, self._line.read_tag
        self.read_there, self.read_ms = self._line.read_there, self._line.read_ms
        return found

    def next_line_fault(self) -> bool:
        found = self._line.next_fault()
        self.line_fault, self.line_fault_side = self._line.fault, self._line.fault_side
        return found

    def drive_sorter(self, mask: int) -> None:
        self._line.drive_sorter(mask)

    def drive_store(self, side: int, place: int, move: int) -> None:
        self._line.drive_store(side, place, move)

    def sorter_switches(self) -> int:
        return self._line.sorter_switches()

    def cut(self) -> None:
        """Somebody pulls the line's plug."""
        self._wire.noise = lambda _, data: b""


class LoopOnTheLine:
    """The chip's loop: the line has its turn every millisecond, and the app is polled for what it brings."""

    def __init__(self, board, unit: bytes, tiles: int) -> None:
        self.board: Any = OnTheLine(board)
        self.firmware = App(cast(Any, self.board), unit, tiles)
        self.due = 0

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        has_news = self.board.turn(now_ms)
        tx = b""
        if has_news or rx or self.firmware.due <= now_ms or self.board._board._edges:
            tx = self.firmware.poll(now_ms, rx)
        self.due = now_ms if self.firmware.due <= now_ms else now_ms + 1
        return tx


RING_ON_LINE = RING_18._replace(lead_ms=LINE_LEAD_MS)
FLAP_ON_LINE = FLAP_2._replace(lead_ms=LINE_LEAD_MS)


def directed(seed: int, hardware: Hardware) -> Director:
    """A table whose sorter is on the line, which trusts a director and knows its tiles."""
    table = Director(seed % 1000, hardware, firmware=LoopOnTheLine)
    table.run(1_000)
    table.equip()
    return table


def building(seed: int) -> tuple[Director, Any]:
    """A table whose ring has built a prescribed wall for ten seconds, and the ring."""
    table = directed(seed, RING_ON_LINE)
    assert table.prescribe(table.drawn()) == "ok"
    table.request("start_build")
    table.run(10_000)
    return table, table.sim.world.sorter


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hardware", "mode"),
    [
        (RING_ON_LINE, codes.STRICT_WALL),
        (RING_ON_LINE, codes.HANDS_WALL),
        (FLAP_ON_LINE, codes.HANDS_WALL),
        (MOUTH, codes.HANDS_WALL),
    ],
    ids=("ring strict", "ring hands", "flap hands", "mouth hands"),
)
def test_a_prescribed_wall_is_built_over_the_line(seed, hardware, mode):
    table = directed(seed, hardware)
    one = table.drawn(mode)
    told = table.build(one)
    assert (told["match"], table.is_built(one)) == (1, True)
    # A reader at the mouth alone may need more than eight minutes; the table then says so.
    assert {row["fault"] for row in table.named("fault")} <= ({codes.PRESCRIBED_LATE} if hardware == MOUTH else set())


@pytest.mark.slow
@pytest.mark.parametrize("magnets", [9, 24])
def test_rings_of_any_size_build_their_walls_without_a_line(seed, magnets):
    """With 24 magnets the next one comes before the reader just as the one before is at the mouth."""
    table = Director(seed % 1000, read_hardware("ring", magnets=magnets))
    table.equip()
    one = table.drawn()
    assert (table.build(one)["match"], table.is_built(one)) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [SCRAPER, KNOCK_OFF])
def test_a_part_that_sticks_is_named_over_the_line(seed, kind):
    table, sorter = building(seed)
    sorter.solenoids[2, kind].stick(True)
    assert table.run(60_000, "fault")
    (fault,) = table.named("fault")
    assert (fault["fault"], fault["side"]) == (codes.SORTER_STUCK, 2)


@pytest.mark.parametrize(
    ("at_70_ms", "later", "later_ms", "is_stuck"),
    [
        (0, KNOCK_HOME, 200, False),
        (KNOCK_HOME, 0, 50, False),
        (KNOCK_HOME, KNOCK_HOME, 50, True),
    ],
    ids=("left, and a board that is late finds it home again", "left, as is heard later", "never left"),
)
def test_a_knock_off_that_has_left_its_home_does_not_stick_however_late_the_board_is(
    at_70_ms, later, later_ms, is_stuck
):
    back, home = sorter_switch(0, SCRAPER_BACK), sorter_switch(0, KNOCK_HOME)
    hal = SimpleNamespace(sorter_delay_ms=DRIVE_MS, sorter_switches=lambda: back | home)
    faults: list[tuple[int, int]] = []
    owner: Any = SimpleNamespace(
        hal=hal, let_in_ms=155, set=lambda on, off: True, fail=lambda *fault: faults.append(fault)
    )
    bits = sorter_bit(0, SCRAPER), sorter_bit(0, KNOCK_OFF)
    mouth = Mouth(0, owner, bits, (back, home))
    mouth.happens("sort", 0)
    mouth.happens("refuse", 1000)
    for wait_ms, switch in ((KNOCK_MS, at_70_ms), (KNOCK_MS + later_ms, later)):
        hal.sorter_switches = lambda now=switch: back | (home if now else 0)
        if mouth.due <= 1000 + wait_ms:
            mouth.due = NEVER
            mouth.tick(1000 + wait_ms)
    assert faults == ([(codes.SORTER_STUCK, 0)] if is_stuck else [])


@pytest.mark.slow
def test_a_line_that_is_cut_within_a_build_stops_the_sorter_and_the_table(seed):
    table, sorter = building(seed)
    loop: Any = table.sim.app
    loop.board.cut()
    table.run(line.WORK_MS + 20)
    assert not sorter._mask
    table.run(2_000)
    assert [row["fault"] for row in table.named("fault")] == [codes.SORTER_STUCK]
    assert table.sim.world._mask == 0


@pytest.mark.parametrize("length", range(1, line.ANSWER_BYTES + 1))
def test_an_answer_that_is_too_short_is_none(length: int) -> None:
    table = SortingTable()
    node = table.line._nodes[1]
    table.run(100)
    before = (node.heard_ms, node.start, table.line._sorting[1].switches)
    table.line._hear(table.now_ms + 50, node, bytes([line.WORKED]) + b"\xff" * (length - 1))
    assert (node.heard_ms, node.start, table.line._sorting[1].switches) == before
