"""The line of readers and displays: the board's end against nodes on a modelled wire, whatever happens to either."""

import ast
import random
import struct
from itertools import pairwise
from pathlib import Path

import pytest

import wallwright_firmware
from wallwright_firmware.line import MOST_WAITING, Line
from wallwright_firmware.line_node import reader_of
from wallwright_protocol import codes, line
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.hardware import CLAIM_KEY_0, READERS
from wallwright_protocol.names import FAULTS
from wallwright_simulator.line import ModelNode, Wire

BOARD_LOOP_US = 1000
FIRMWARE = Path(wallwright_firmware.__file__).parents[1]
NODE_PARTS = ("nodes/*.py", "boards/node*.py")
NODE_LINES = 230


def tag(number: int) -> bytes:
    return b"\xe0\x04" + struct.pack(">Q", number)[2:]


class Table:
    """A board's end of the line and nodes; `run` lets its loop turn once a ms, `told` collects all that it fetches."""

    def __init__(self, *nodes: ModelNode) -> None:
        self.nodes = list(nodes)
        self.wire = Wire(self.nodes)
        self.line = Line(self.wire)
        self.reads: list[tuple[int, int, bytes, bool]] = []
        self.edges: list[tuple[int, int, int]] = []
        self.faults: list[tuple[str, int]] = []

    @property
    def now_ms(self) -> int:
        return self.wire.now_us // 1000

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.wire.advance(self.wire.now_us + BOARD_LOOP_US)
            if self.line.poll(self.now_ms):
                self.fetch()

    def fetch(self) -> None:
        board = self.line
        while board.next_read():
            self.reads.append((board.read_ms, board.read_reader, board.read_tag, board.read_there))
        while board.next_edge():
            self.edges.append((board.edge_ms, board.edge_input, board.edge_level))
        while board.next_fault():
            self.faults.append((FAULTS[board.fault], board.fault_side))

    def seen(self) -> set[tuple[int, bytes]]:
        """What the board believes by all that it was told."""
        found: set[tuple[int, bytes]] = set()
        for _, reader, number, there in self.reads:
            (found.add if there else found.discard)((reader, number))
        return found


def four() -> Table:
    return Table(*[ModelNode(address) for address in range(4)])


def test_four_nodes_are_found_and_bring_all_sixteen_readers_within_a_tenth_of_a_second():
    table = four()
    table.run(100)
    assert table.line.readers == (1 << READERS) - 1
    assert table.faults == []


def test_every_reader_has_the_number_that_the_page_says():
    assert [reader_of(side, 0) for side in range(4)] == [0, 1, 2, 3]
    assert [reader_of(seat, kind) for seat in range(4) for kind in (1, 2, 3)] == list(range(4, 16))


def asked_at(table: Table, address: int) -> list[int]:
    return [at for at, who, data in table.wire.sent if who == address]


@pytest.mark.slow
def test_sixteen_antennas_are_asked_every_fifty_ms_while_all_of_them_see_tiles_come_and_go(seed):
    table = four()
    table.run(200)
    chance = random.Random(seed)
    lying: set[tuple[int, int, bytes]] = set()
    first = len(table.wire.sent)
    for moment in range(400):
        for node in table.nodes:
            place = (node.address, chance.randrange(4), tag(moment % 60 + 100 * node.address))
            node.see(place[1], place[2], place not in lying)
            lying ^= {place}
        table.run(20)
    table.run(2000)
    assert table.seen() == {(reader_of(address, antenna), number) for address, antenna, number in lying}
    answers = [row for row in table.wire.sent[first:] if row[1] >= 0]
    for address in range(4):
        times = [at for at, who, _ in answers if who == address]
        assert max(b - a for a, b in pairwise(times)) <= 40_000
    assert table.faults == []


def test_a_change_carries_the_time_at_which_it_was_seen_however_late_it_is_told():
    table = four()
    table.run(150)
    table.nodes[2].see(1, tag(7), True)
    at_ms = table.now_ms
    table.wire.noise = lambda _, data: data[:-2] + b"\xff\0"
    table.run(200)
    assert table.reads == []
    table.wire.noise = lambda _, data: data
    table.run(100)
    ((read_ms, reader, number, there),) = table.reads
    assert (reader, number, there) == (reader_of(2, 1), tag(7), True)
    assert abs(read_ms - at_ms) <= 3


def test_claim_keys_keep_the_order_in_which_they_were_pressed_though_nodes_are_asked_in_turn():
    for first in range(4):
        table = four()
        table.run(150)
        for n in range(4):
            table.nodes[(first + n) % 4].press(table.now_ms, True)
            table.run(4)
        table.run(60)
        pressed = [number - CLAIM_KEY_0 for _, number, level in sorted(table.edges) if level]
        assert pressed == [(first + n) % 4 for n in range(4)]
        for node in table.nodes:
            node.press(table.now_ms, False)
        table.run(60)
        assert list(table.line.keys) == [0, 0, 0, 0]


def test_a_panel_shows_what_it_was_told_last_and_again_after_the_node_has_begun_anew():
    table = four()
    table.run(150)
    table.line.show(1, "BUILD")
    table.line.lamps(0b11_10_01_00)
    table.run(60)
    assert [node.text.strip() for node in table.nodes] == ["", "BUILD", "", ""]
    assert [node.lamps for node in table.nodes] == [0, 1, 2, 3]
    table.nodes[1].restart()
    assert table.nodes[1].text == ""
    table.run(300)
    assert (table.nodes[1].text, table.nodes[1].lamps) == ("BUILD   ", 1)


def test_at_rest_question_and_answer_are_the_same_bytes_and_nothing_is_built():
    table = four()
    table.line.show(0, "START?")
    table.run(200)
    table.nodes[3].see(2, tag(9), True)
    table.run(200)
    before = len(table.wire.sent)
    frames = table.line._decoder.frames
    table.run(1000)
    said = {(who, data) for _, who, data in table.wire.sent[before:]}
    assert len(said) == 8
    assert table.line._decoder.frames == frames


def test_a_node_that_dies_is_named_what_it_saw_is_lost_and_it_is_taken_up_again():
    table = four()
    table.run(150)
    dying = table.nodes[2]
    dying.see(1, tag(1), True)
    dying.see(3, tag(2), True)
    dying.press(table.now_ms, True)
    table.nodes[1].see(1, tag(3), True)
    table.run(100)
    assert len(table.seen()) == 3
    dying.dead = True
    table.run(700)
    assert table.faults == [("node_silent", 2)]
    assert table.seen() == {(reader_of(1, 1), tag(3))}
    assert list(table.line.keys) == [0, 0, 0, 0]
    table.run(5000)
    assert table.faults == [("node_silent", 2)]
    dying.restart()
    table.run(600)
    assert table.seen() == {(reader_of(1, 1), tag(3)), (reader_of(2, 1), tag(1)), (reader_of(2, 3), tag(2))}
    dying.dead = True
    table.run(700)
    assert table.faults == [("node_silent", 2)] * 2


def test_a_dead_node_costs_the_others_nothing():
    table = four()
    table.run(150)
    table.nodes[0].dead = True
    table.run(1000)
    for address in (1, 2, 3):
        times = asked_at(table, address)
        assert max(b - a for a, b in pairwise(times)) <= 50_000


def test_a_node_that_begins_anew_within_half_a_second_is_no_fault_and_tells_all_again():
    table = four()
    table.run(150)
    table.nodes[0].see(0, tag(4), True)
    table.run(100)
    table.nodes[0].restart()
    table.run(300)
    assert table.seen() == {(0, tag(4))}
    assert [there for _, _, _, there in table.reads] == [True, False, True]
    assert table.faults == []


def test_a_node_that_comes_later_is_found():
    late = ModelNode(3)
    late.dead = True
    table = Table(ModelNode(0), late)
    table.run(2000)
    assert table.line.readers == 0b1110001
    assert table.faults == []
    late.restart()
    table.run(400)
    assert table.line.readers == 0b1110_0000_0111_1001


def test_a_board_without_a_line_asks_now_and_then_and_finds_nothing():
    table = Table()
    table.run(5000)
    assert table.line.readers == 0
    assert table.faults == []
    assert len(table.wire.sent) <= 4 * 21


def test_a_node_of_another_version_is_named_and_never_asked():
    table = four()
    real = table.nodes[1].firmware._answer

    def other_version(now_ms: int, body: bytes) -> bytes:
        answer = real(now_ms, body)
        return answer[:2] + b"\x63" + answer[3:] if answer[0] == line.HERE else answer

    table.nodes[1].firmware._answer = other_version  # type: ignore[method-assign]
    table.run(3000)
    assert table.faults == [("node_silent", 1)]
    said = Decoder().feed(b"".join(data for _, who, data in table.wire.sent if who == -1))
    assert {body[0] for body in said if body[1] == 1} == {line.CALL}
    assert {body[0] for body in said if body[1] == 0} == {line.CALL, line.ASK, line.SHOW}


def test_a_node_that_babbles_is_named_by_its_frames_and_forgiven_when_it_stops():
    table = four()
    table.run(150)
    babble = encode(struct.pack(line.ANSWER_LAYOUT, line.ANSWER, 3, 9, 9, 9, 15))
    for _ in range(400):
        table.wire.inject(babble)
        table.run(3)
    assert ("line_disturbed", 3) in table.faults
    assert [name for name, _ in table.faults].count("line_disturbed") == 1
    table.run(7000)
    table.nodes[0].see(0, tag(6), True)
    table.run(200)
    assert (0, tag(6)) in table.seen()


@pytest.mark.parametrize("fill", [b"\x00", b"\x55", b"\xff", b"\x5a\x00\x31"])
def test_a_transceiver_that_never_lets_go_is_a_disturbed_line_and_no_four_dead_nodes(fill):
    table = four()
    table.run(150)
    table.nodes[2].see(0, tag(8), True)
    table.run(100)
    for _ in range(1500):
        table.wire.inject(fill * (51 // len(fill)))
        table.run(1)
    assert table.faults == [("line_disturbed", codes.NO_SIDE)]
    assert table.seen() == set()
    table.run(1000)
    assert table.seen() == {(2, tag(8))}


def test_noise_on_the_line_loses_nothing_and_names_nobody(seed):
    table = four()
    table.run(150)
    chance = random.Random(seed)

    def noise(_: int, data: bytes) -> bytes:
        if chance.random() > 0.05:
            return data
        spoiled = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
        return bytes(spoiled[: chance.randint(1, len(spoiled))])

    table.wire.noise = noise
    told = []
    for number in range(300):
        node = chance.choice(table.nodes)
        node.see(2, tag(number), True)
        told.append((reader_of(node.address, 2), tag(number)))
        table.run(15)
    table.run(1000)
    assert [(reader, number) for _, reader, number, _ in sorted(table.reads)] == told
    assert table.faults == []


def test_a_front_end_that_fails_loses_what_it_saw_and_is_named():
    table = four()
    table.run(150)
    table.nodes[1].see(1, tag(1), True)
    table.nodes[1].see(2, tag(2), True)
    table.run(100)
    front_end = table.nodes[1].antennas[1]
    assert front_end is not None
    front_end.works = False
    table.run(100)
    assert table.seen() == {(reader_of(1, 2), tag(2))}
    assert table.faults == [("reader_silent", 1)]


def test_a_node_that_is_not_asked_for_minutes_tells_what_is_so_and_not_what_was():
    table = four()
    table.run(150)
    table.wire.noise = lambda _, data: b""
    for number in range(600):
        table.nodes[0].see(1, tag(number), True)
        if number >= 5:
            table.nodes[0].see(1, tag(number - 5), False)
        table.run(3)
    table.wire.noise = lambda _, data: data
    assert table.nodes[0].text == "--------" or table.now_ms < 2150
    table.run(1500)
    assert table.seen() == {(reader_of(0, 1), tag(number)) for number in range(595, 600)}


def test_a_poll_of_the_board_is_bounded_when_a_node_dies_that_saw_sixty_tiles():
    table = four()
    table.run(150)
    for number in range(60):
        table.nodes[0].see(number % 4, tag(number), True)
    table.run(1200)
    assert len(table.seen()) == 60
    table.nodes[0].dead = True
    table.run(700)
    assert table.seen() == set()


def test_a_board_that_fetches_nothing_is_told_no_more_than_it_has_room_for_and_the_rest_later():
    table = four()
    table.run(150)
    for number in range(200):
        table.nodes[number % 4].see(number // 4 % 4, tag(number), True)
    for _ in range(400):
        table.wire.advance(table.wire.now_us + BOARD_LOOP_US)
        table.line.poll(table.now_ms)
    table.fetch()
    assert MOST_WAITING < len(table.reads) <= MOST_WAITING + line.CHANGES
    table.run(400)
    assert len(table.seen()) == 200


def statements(source: str) -> int:
    """Lines with code: neither empty, nor a comment, nor part of a docstring."""
    tree = ast.parse(source)
    told = {
        number
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for number in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = enumerate(source.splitlines(), 1)
    return sum(bool(text.strip()) and text.strip()[0] != "#" and number not in told for number, text in lines)


def test_a_node_is_small():
    assert statements('"""A."""\n\nx = (\n    1\n)  # b\n# c\n') == 3
    files = [FIRMWARE / "node.py"]
    files += [path for part in NODE_PARTS for path in (FIRMWARE / "wallwright_firmware").glob(part)]
    parts = {path.name: statements(path.read_text()) for path in files}
    assert set(parts) == {"node.py", "__init__.py", "pn5180.py", "node_pins.py", "sorting.py", "parts.py"}
    assert sum(parts.values()) <= NODE_LINES, parts
