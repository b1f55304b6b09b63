"""The watchdog is fed by the loop that polls the firmware and by measurements of fixed length, and by nothing else: a
driver that hangs resets the board.

The program is the one that the board starts, `firmware/main.py`, on a board made up here.
"""

import ast
import gc
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.usual import DEBOUNCE_MS
from wallwright_firmware.safety import Outputs
from wallwright_protocol.hardware import EMERGENCY_STOP

FIRMWARE = Path(__file__).parents[2] / "firmware"
LOOP_MS = 1
END_MS = 20_000
STOP_PRESSED_MS = 10_000


@pytest.fixture(autouse=True)
def small_heap() -> None:
    """The program collects garbage thousands of times: let it look at its own alone, not at what other tests left."""
    gc.collect()
    gc.freeze()


class Reset(BaseException):
    """The watchdog has bitten."""


class Enough(BaseException):
    """The test has seen enough."""


class Board(FakeBoard):
    """A board whose time passes in `wait`, and whose watchdog bites like the chip's."""

    unit = b"TEST"
    tiles = 108
    end_ms = 0
    watchdog_ms = 0

    def __init__(self, _: object) -> None:
        super().__init__()
        self.ms = 0
        self.fed: list[int] = []
        self.pumped_ms = 0
        self.polls = 0
        self.end: BaseException | None = None
        made.append(self)

    def now_ms(self) -> int:
        return self.ms

    def now_us(self) -> int:
        return self.ms * 1000

    def note_poll(self, began_us: int) -> None:
        assert began_us <= self.now_us()

    def poll_line(self, now_ms: int) -> bool:
        return False

    def read(self) -> bytes:
        return b""

    def has_edges(self) -> bool:
        return bool(self.edges)

    def write(self, data: bytes) -> None:
        self.polls += 1

    has_begun = True

    def begin(self) -> None:
        """All that a board of this test is made of is there."""

    def feed_watchdog(self) -> None:
        self.fed.append(self.ms)
        assert self.polls == len(self.fed), "fed without a poll"

    def feed_pump(self) -> None:
        self.pumped_ms = self.ms

    def wait(self) -> None:
        self.pass_time()

    def pass_time(self) -> None:
        """One turn of whatever loop is running."""
        self.ms += LOOP_MS
        if self.ms == STOP_PRESSED_MS:
            self.edge(self.ms, EMERGENCY_STOP, 1)
        if self.ms - (self.fed[-1] if self.fed else 0) > self.watchdog_ms:
            self.end = Reset()
        elif self.ms >= self.end_ms:
            self.end = Enough()
        if self.end:
            raise self.end


made: list[Board] = []


def reset() -> None:
    """What the program asks for after any end: here the test goes on with that end."""
    assert made[-1].end
    raise made[-1].end


def watchdog_ms() -> int:
    """The limit that the real board sets, read from its source; that cannot be imported here."""
    tree = ast.parse((FIRMWARE / "wallwright_firmware/boards/board.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WATCHDOG_MS":
            return int(ast.literal_eval(node.value))
    raise AssertionError("the board has no WATCHDOG_MS")


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Board]]:
    """The board that `main.py` will find."""
    module = ModuleType("wallwright_firmware.boards.board")
    module.Board = Board  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(sys.modules, "wallwright_firmware.boards.rp2", ModuleType("rp2"))
    monkeypatch.setattr(gc, "mem_free", lambda: 150_000, raising=False)
    monkeypatch.setitem(sys.modules, "machine", SimpleNamespace(reset=reset))
    monkeypatch.setitem(sys.modules, "micropython", SimpleNamespace(kbd_intr=lambda _: None))
    monkeypatch.setattr(Board, "watchdog_ms", watchdog_ms())
    monkeypatch.setattr(Board, "end_ms", END_MS)
    yield Board
    made.clear()


def start() -> Board:
    """Run the program until it ends; return its board."""
    try:
        runpy.run_path(str(FIRMWARE / "main.py"), run_name="__main__")
    except Enough:
        return made[-1]
    raise AssertionError("the program has returned")


def test_row_22_a_table_at_rest_without_a_host_feeds_its_watchdog(board: type[Board]) -> None:
    fed = start().fed
    longest = max(later - sooner for sooner, later in zip([0, *fed], fed, strict=False))
    assert longest < watchdog_ms() / 2
    assert fed[-1] > END_MS - watchdog_ms()
    assert made[-1].pumped_ms >= END_MS - LOOP_MS


def test_row_22_a_driver_that_hangs_is_ended_by_the_watchdog(
    board: type[Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(outputs: Outputs, now_ms: int, number: int, level: int) -> None:
        while True:
            made[-1].pass_time()

    monkeypatch.setattr(Outputs, "input_changed", hang)
    with pytest.raises(Reset):
        start()
    assert STOP_PRESSED_MS < made[-1].ms <= made[-1].fed[-1] + watchdog_ms() + LOOP_MS
    assert made[-1].fed[-1] <= STOP_PRESSED_MS + DEBOUNCE_MS
    assert made[-1].pumped_ms <= STOP_PRESSED_MS + DEBOUNCE_MS


@pytest.mark.slow
def test_row_22_nothing_else_on_the_board_feeds_the_watchdog() -> None:
    feeding = [
        f"{path.relative_to(FIRMWARE)}: {ast.unparse(node)}"
        for path in sorted(FIRMWARE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("feed", "feed_watchdog")
        and not node.args
    ]
    assert feeding == [
        "main.py: board.feed_watchdog()",
        "node.py: watchdog.feed()",  # a node's own
        "wallwright_firmware/boards/board.py: self._watchdog.feed()",
        *["wallwright_firmware/boards/measure.py: board.feed_watchdog()"] * 4,
    ]


def test_row_22_a_measurement_feeds_its_watchdog_a_fixed_number_of_times() -> None:
    module = ast.parse((FIRMWARE / "wallwright_firmware/boards/measure.py").read_text())
    fixed = {ast.unparse(node.targets[0]) for node in module.body if isinstance(node, ast.Assign)}
    inside = [node for loop in ast.walk(module) if isinstance(loop, ast.While) for node in ast.walk(loop)]
    assert "feed_watchdog" not in [node.attr for node in inside if isinstance(node, ast.Attribute)]
    for loop in ast.walk(module):
        if isinstance(loop, ast.For) and "feed_watchdog" in ast.unparse(loop):
            assert ast.unparse(loop.iter) in {f"range({name})" for name in fixed}
