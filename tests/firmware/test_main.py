"""No way out of `main.py` leaves an output on, or ends without a reset of the chip."""

import gc
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import wallwright_firmware
from tests.firmware.fake_board import FakeBoard
from wallwright_firmware.app import App
from wallwright_firmware.guard import CrashLog
from wallwright_protocol.link import NEVER

CHIP = SimpleNamespace()
MAIN = Path(wallwright_firmware.__file__).parents[1] / "main.py"


class Reset(Exception):
    """The chip has been reset."""


class Failing(FakeBoard):
    """A board whose 50th look at its host ends in `error`; `done` tells what matters in its order."""

    unit = b"1"
    error: BaseException | None = None

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.turns = 0

    def now_ms(self) -> int:
        return self.turns

    def read(self) -> bytes:
        self.turns += 1
        if self.turns == 50 and self.error:
            raise self.error
        return b""

    def poll_line(self, now_ms: int) -> bool:
        return False

    def has_edges(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        assert data == b""

    def feed_watchdog(self) -> None:
        self.done.append("feed")

    def feed_pump(self) -> None:
        pass

    def now_us(self) -> int:
        return 1000 * self.turns

    def note_poll(self, began_us: int) -> None:
        assert began_us <= 1000 * self.turns

    has_begun = False
    start_error: BaseException | None = None

    def wait(self) -> None:
        if self.turns > 3000:
            raise Reset

    def begin(self) -> None:
        self.done.append("begin")
        if self.start_error:
            raise self.start_error
        self.has_begun = True

    def show_failure(self) -> None:
        self.done.append("show")

    def off(self) -> None:
        self.done.append("off")

    def save(self, slot: int, data: bytes) -> bool:
        self.done.append("save")
        return super().save(slot, data)


def run_main(monkeypatch: pytest.MonkeyPatch, make) -> list[str]:
    """Run main.py on the board that `make` gives until the chip is reset; return what was asked of the chip."""
    asked: list[str] = []

    def reset() -> None:
        asked.append("reset")
        raise Reset

    machine = SimpleNamespace(reset=reset)
    micropython = SimpleNamespace(kbd_intr=lambda byte: asked.append(f"kbd_intr {byte}"))
    monkeypatch.setattr(gc, "mem_free", lambda: 150_000, raising=False)
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setitem(sys.modules, "micropython", micropython)
    monkeypatch.setitem(sys.modules, "wallwright_firmware.boards.rp2", CHIP)
    monkeypatch.setitem(sys.modules, "wallwright_firmware.boards.board", SimpleNamespace(Board=make))
    with pytest.raises(Reset):
        runpy.run_path(str(MAIN))
    return asked


@pytest.mark.parametrize(
    "error", [ValueError("x"), KeyboardInterrupt(), MemoryError(), SystemExit(), OSError(5), RecursionError()]
)
def test_whatever_ends_the_loop_puts_outputs_off_keeps_the_reason_and_resets(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    board = Failing()
    board.error = error
    assert run_main(monkeypatch, lambda _: board) == ["kbd_intr -1", "reset"]
    last_feed = len(board.done) - 1 - board.done[::-1].index("feed")
    *first, last = board.done[last_feed + 1 :]
    assert set(first) == {"off"}
    assert last == "save"
    log = CrashLog(board)
    assert (log.times, log.untold, log.error) == (1, 1, type(error).__name__.encode())


def test_a_board_whose_memory_takes_nothing_is_reset_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    class Worn(Failing):
        def save(self, slot: int, data: bytes) -> bool:
            raise OSError(5)

    board = Worn()
    board.error = ValueError("x")
    assert run_main(monkeypatch, lambda _: board) == ["kbd_intr -1", "reset"]
    assert board.done[-1] == "off"


def test_a_board_that_cannot_be_set_up_is_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> FakeBoard:
        raise OSError(19)

    assert run_main(monkeypatch, broken) == ["kbd_intr -1", "reset"]


def test_a_board_that_cannot_begin_keeps_outputs_off_and_shows_it_and_the_next_start_tells_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = Failing()
    board.start_error = OSError(19)
    assert run_main(monkeypatch, lambda _: board) == ["kbd_intr -1", "reset"]
    assert board.done[0] == "begin"
    assert set(board.done[1:-2]) == {"off"}
    assert board.done[-2:] == ["save", "show"]
    app = App(board, b"unit")
    for now_ms in range(3):
        app.poll(now_ms, b"")
    log = CrashLog(board)
    assert (log.times, log.untold, log.error) == (1, 0, b"OSError")


@pytest.mark.slow
def test_a_table_at_rest_is_polled_for_its_watchdog_and_never_subtracts_from_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = Failing()
    run_main(monkeypatch, lambda _: board)
    assert "off" in board.done, "the end of this test is an exception as well"
    assert board.done.count("feed") >= 3000 / 500
    assert NEVER > 1 << 31, "a long integer on the chip"
