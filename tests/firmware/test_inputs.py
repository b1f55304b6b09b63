"""Debounce: what counts as a change, told by the times of the edges."""

from hypothesis import given
from hypothesis import strategies as st

from tests.firmware.fake_board import FakeBoard
from tests.usual import DEBOUNCE_MS
from wallwright_firmware.drivers.inputs import AT_ONCE, Inputs
from wallwright_firmware.settings import defaults
from wallwright_protocol.hardware import INPUTS
from wallwright_protocol.link import NEVER


def watched(board: FakeBoard) -> tuple[Inputs, list[tuple[int, int]]]:
    changes: list[tuple[int, int]] = []
    return Inputs(board, lambda number, level, _: changes.append((number, level)), defaults()), changes


def poll(inputs: Inputs, now_ms: int) -> None:
    """As the app does: again and again while there is something to do."""
    while inputs.due <= now_ms:
        inputs.poll(now_ms)


def test_a_level_counts_after_five_steady_milliseconds() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    board.edge(100, 1, 1)
    inputs.take_edges(100)
    assert inputs.due == 100 + DEBOUNCE_MS
    poll(inputs, 104)
    assert changes == []
    poll(inputs, 105)
    assert changes == [(1, 1)]
    assert inputs.due == NEVER


def test_chatter_is_one_change() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    for at_ms, level in ((10, 1), (11, 0), (12, 1), (13, 0), (14, 1)):
        board.edge(at_ms, 4, level)
        inputs.take_edges(at_ms)
        poll(inputs, at_ms)
    assert changes == []
    poll(inputs, 19)
    assert changes == [(4, 1)]


def test_a_glitch_is_no_change() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    board.edge(10, 4, 1)
    board.edge(13, 4, 0)
    inputs.take_edges(50)
    poll(inputs, 50)
    assert changes == []


def test_a_late_poll_loses_no_pulse() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    board.edge(10, 1, 1)
    board.edge(90, 1, 0)
    inputs.take_edges(200)
    poll(inputs, 200)
    assert changes == [(1, 1), (1, 0)]


def test_no_level_is_taken_for_steady_while_edges_of_before_wait() -> None:
    board = FakeBoard()
    inputs, changes = watched(board)
    for at_ms in range(10, 10 + AT_ONCE + 1):
        board.edge(at_ms, 4, at_ms % 2 == 0)
    assert inputs.take_edges(40)
    assert inputs.taken_ms == 10 + AT_ONCE - 1
    assert len(board.edges) == 1
    assert inputs.due > inputs.taken_ms
    assert inputs.take_edges(40)
    assert inputs.taken_ms == 40
    poll(inputs, inputs.taken_ms)
    assert changes == [(4, AT_ONCE % 2 == 0)]


def test_one_call_finds_a_change_and_the_next_one_reports_it() -> None:
    board = FakeBoard(at_rest=False)
    inputs, changes = watched(board)
    for number in (7, 3, 5):
        board.edge(10, number, 1)
    inputs.take_edges(10)
    for reported in range(1, 4):
        assert inputs.due <= 10 + DEBOUNCE_MS
        inputs.poll(15)
        assert len(changes) == reported - 1, "found"
        inputs.poll(15)
        assert len(changes) == reported
    assert (changes, inputs.due) == ([(7, 1), (3, 1), (5, 1)], NEVER)


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 2)), max_size=60), st.integers(1, 40))
def test_any_polling_rhythm_reports_the_same_changes(gaps: list[tuple[int, int]], rhythm: int) -> None:
    """Polling every ms, or seldom, with edges that wait for the next call: their own times decide, so the changes are
    the same for each input."""
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
            while inputs.take_edges(now) or inputs.due <= inputs.taken_ms:
                poll(inputs, inputs.taken_ms)
        results.append([[change for change in changes if change[0] == number] for number in range(3)])
    assert results[0] == results[1]


def test_packed_puts_input_n_into_bit_n() -> None:
    board = FakeBoard(at_rest=False)
    board.levels[0] = board.levels[9] = board.levels[INPUTS - 1] = 1
    inputs, _ = watched(board)
    assert int.from_bytes(inputs.packed(), "little") == 1 | 1 << 9 | 1 << (INPUTS - 1)
