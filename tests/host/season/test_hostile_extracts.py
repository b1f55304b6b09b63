"""Halls send extracts that are to fill a season's server, or to keep it busy: they are refused, and the pages go on."""

import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.host.season.halls import EAST, WEST, Run
from tests.host.season.serving import hall, kept, kinds, season_server
from wallwright.console.season import served
from wallwright.errors import EventRefused
from wallwright.season import judging
from wallwright.season.extract_file import LONGEST
from wallwright.season.report import sender
from wallwright.season.tables import bring_up
from wallwright.system.confined import run_confined

MB = 1 << 20
SIZE = LONGEST - 1000
BOMBS: dict[str, tuple[bytes, str]] = {
    "empty lists": (b"[" + b"[]," * (SIZE // 3) + b"0]", "it has more than 2,000,000 values and names"),
    "letters of four bytes": (
        '{"extract":"🐼'.encode() + b"a" * (SIZE - 99) + b'"}',
        "to check it takes more memory or time than a day of thousands does",
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_long_extract_is_judged_elsewhere_and_fills_no_server(
    season: Run, bomb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, why = BOMBS[bomb]
    monkeypatch.setattr(sender, "PART", 256 << 10)
    before = kinds()
    with season_server("year.season") as address:
        tracemalloc.start()
        with pytest.raises(EventRefused, match=why):
            hall(address, EAST).send(data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 4 * SIZE, f"{peak / MB:.0f} MB"
    assert kinds() == before
    assert kept() == []


def test_a_long_extract_that_holds_is_taken_as_a_short_one_is(
    season: Run, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "SMALL", 0)
    data = (made / "one.extract").read_bytes()
    changed = data.replace(b'"checkpoint":"W', b'"checkpoint":"V', 1)
    with season_server("year.season") as address:
        with pytest.raises(EventRefused, match="its checkpoint is not written as one is"):
            hall(address, EAST).send(changed)
        with pytest.raises(EventRefused, match="another hall has signed it"):
            hall(address, WEST).send(data)
        assert hall(address, EAST).send(data)["state"] == "added"
    assert kinds().count("season_day_added") == 1
    season("verify year.season")


def test_pages_and_checkpoints_are_answered_while_extracts_are_judged(
    season: Run, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_end = threading.Event(), threading.Event()

    def slow(module: str, data: bytes) -> bytes | None:
        # The extract itself stays in its file, and is not in the server's memory.
        assert len(data) < 1000
        asked.set()
        assert may_end.wait(60)
        return run_confined(module, data)

    monkeypatch.setattr(judging, "SMALL", 0)
    monkeypatch.setattr("wallwright.season.judging.run_confined", slow)
    with season_server("year.season") as address, ending(may_end), ExitStack() as sent:
        for key, name in ((EAST, "one"), (WEST, "two")):
            data = (made / f"{name}.extract").read_bytes()
            sent.enter_context(running(lambda key=key, data=data: hall(address, key).send(data)))  # type: ignore[misc]
        assert asked.wait(60)
        for _ in range(9):
            with urlopen(f"{address}/index.html", timeout=60) as answer:
                assert answer.status == 200
        assert hall(address, EAST).ask("GET", f"/checkpoints/{0:032x}")["entries"] == 0
        assert kinds().count("season_day_added") == 0
        may_end.set()
    assert kinds().count("season_day_added") == 2


def test_pages_show_the_season_as_it_was_while_a_day_is_taken_in(full: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "LOOK_S", -1)
    begun, may_end = threading.Event(), threading.Event()

    def slow(*told: object) -> object:
        if threading.current_thread().name == "season":
            begun.set()
            assert may_end.wait(60)
        return bring_up(*told)  # type: ignore[arg-type]

    monkeypatch.setattr("wallwright.season.asking.bring_up", slow)
    with season_server("year.season") as address, ending(may_end):
        full("withdraw year.season 2016-09-12 --reason 'the hall was closed'")
        for _ in range(9):
            with urlopen(f"{address}/index.html", timeout=60) as answer:
                assert "the hall was closed" not in answer.read().decode()
        assert begun.is_set()
        may_end.set()
        for _ in range(600):
            with urlopen(f"{address}/index.html", timeout=60) as answer:
                if "the hall was closed" in answer.read().decode():
                    return
    pytest.fail("the season was not shown anew")


@contextmanager
def ending(event: threading.Event) -> Iterator[None]:
    """Whatever fails, nobody waits for an event any more."""
    try:
        yield
    finally:
        event.set()


@contextmanager
def running(what: Callable[[], object]) -> Iterator[None]:
    thread = threading.Thread(target=what)
    thread.start()
    try:
        yield
    finally:
        thread.join()
