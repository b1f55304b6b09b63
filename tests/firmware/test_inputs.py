"""Debounce: what counts as a change, told by the times of the edges."""

from hypothesis import given
from hypothesis import strategies as st

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware.drivers.inputs import DEBOUNCE_MS, Inputs
from wallwright_firmware.settings import defaults
from wallwright_protocol.hardware import INPUTS
from wallwright_protocol.link import NEVER


def watched(board: FakeBoard) -> tuple[Inputs, list[tuple[int, int]]]:
    changes: list[tuple[int, int]] = []
    return Inputs(board, lambda number, level, _: changes.append((number, level)), defaults()), changes


def test_a_level_counts_after_five_steady_milliseconds() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    board.edge(100, 1, 1)
    inputs.take_edges()
    assert inputs.due == 100 + DEBOUNCE_MS
    inputs.poll(104)
    assert changes == []
    inputs.poll(105)
    assert changes == [(1, 1)]
    assert inputs.due == NEVER


def test_chatter_is_one_change() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    for at_ms, level in ((10, 1), (11, 0), (12, 1), (13, 0), (14, 1)):
        board.edge(at_ms, 4, level)
        inputs.take_edges()
        inputs.poll(at_ms)
    assert changes == []
    inputs.poll(19)
    assert changes == [(4, 1)]


def test_a_glitch_is_no_change() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    board.edge(10, 4, 1)
    board.edge(13, 4, 0)
    inputs.take_edges()
    inputs.poll(50)
    assert changes == []


def test_a_late_poll_loses_no_pulse() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    board.edge(10, 1, 1)
    board.edge(90, 1, 0)
    inputs.take_edges()
    inputs.poll(200)
    assert changes == [(1, 1), (1, 0)]


def test_one_poll_reports_one_change() -> None:
    board = FakeBoard(at_rest=False)
    inputs, changes = watched(board)
    for number in (7, 3, 5):
        board.edge(10, number, 1)
    inputs.take_edges()
    for reported in range(1, 4):
        assert inputs.due == 10 + DEBOUNCE_MS
        inputs.poll(15)
        assert len(changes) == reported
    assert (changes, inputs.due) == ([(7, 1), (3, 1), (5, 1)], NEVER)


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 2)), max_size=60), st.integers(1, 40))
def test_any_polling_rhythm_reports_the_same_changes(gaps: list[tuple[int, int]], rhythm: int) -> None:
    """Polling every ms, or seldom: the edges' own times decide, so the changes are the same for each input."""
    at_ms = 0
    edges = []
    level = [0] * 3
    for gap, number in gaps:
        at_ms += gap
        level[number] ^= 1
        edges.append((at_ms, number, level[number]))
    results = []
    for step in (1, rhythm):
        board = FakeBoard(at_rest=False)
        inputs, changes = watched(board)
        waiting = list(edges)
        for now in range(0, at_ms + 100, step):
            while waiting and waiting[0][0] <= now:
                board.edge(*waiting.pop(0))
            inputs.take_edges()
            while inputs.due <= now:
                inputs.poll(now)
        results.append([[change for change in changes if change[0] == number] for number in range(3)])
    assert results[0] == results[1]


def test_packed_puts_input_n_into_bit_n() -> None:
    board = FakeBoard(at_rest=False)
    board.levels[0] = board.levels[9] = board.levels[INPUTS - 1] = 1
    inputs, _ = watched(board)
    assert int.from_bytes(inputs.packed(), "little") == 1 | 1 << 9 | 1 << (INPUTS - 1)
