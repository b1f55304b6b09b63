"""The picture of a hall, and the stream of changes behind it."""

import dataclasses
import io
import threading

from rich.console import Console

from wallwright.fleet import state as fleet_state
from wallwright.fleet.screen import FRAME_LINES, NEWS_SHOWN, change_line, hall_picture, needs_somebody
from wallwright.fleet.state import CONNECTED, SEARCHING, Change, HallState, News, TableState
from wallwright.link.reports import Event, Status
from wallwright.table.table import open_table


def a_status() -> Status:
    with open_table("sim://?seed=3") as table:
        return table.last_status


def drawn(hall: HallState, news: list[Change], height: int) -> list[str]:
    console = Console(file=io.StringIO(), width=120, height=height, color_system=None)
    console.print(hall_picture(hall, news, height))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_tables_that_need_somebody_come_first_and_the_rest_is_counted() -> None:
    good = a_status()
    jammed = dataclasses.replace(good, state="fault", fault="jam", fault_side=2)
    tables = [TableState(f"A{n}", link=CONNECTED, status=good) for n in range(200)]
    tables[150] = TableState("A150", link=CONNECTED, status=jammed)
    tables[170] = TableState("A170", link=SEARCHING, outage="port_gone", problem="the cable is out")
    news = [Change(1_700_000_000_000, "A170", "searching", {"text": "the cable is out"})] * NEWS_SHOWN
    lines = drawn(HallState(tuple(tables), "the disk is full"), news, 40)
    assert len(lines) <= 40
    rows = [line for line in lines if " A" in line and "searching  the" not in line]
    assert "A150" in rows[0]
    assert "jam" in rows[0]
    assert "A170" in rows[1]
    assert "the cable is out" in rows[1]
    assert "A0 " in rows[2]
    shown = 40 - FRAME_LINES - NEWS_SHOWN
    text = "\n".join(lines)
    assert f"199 of 200 tables connected, {200 - shown} not shown" in text
    assert "the disk is full" in text


def test_who_needs_somebody() -> None:
    good = a_status()
    assert not needs_somebody(TableState("A1", link=CONNECTED, status=good))
    assert needs_somebody(TableState("A1", link=SEARCHING, status=good))
    assert needs_somebody(TableState("A1", link=CONNECTED, status=dataclasses.replace(good, fault="jam")))


def test_a_change_is_a_line() -> None:
    event = Event(7, 1, 900, "key_pressed", {"side": 0, "key": "lift"})
    assert change_line(Change(0, "A1", "event", event=event)).endswith(
        "A1        event      key_pressed side=0 key=lift"
    )
    assert change_line(Change(0, None, "journal", {"text": "full"})).endswith("-         journal    full")


def test_news_come_in_order_and_end() -> None:
    news = News()
    assert news.take(0) == []
    changes = [Change(n, None, "journal", {}) for n in range(3)]
    for change in changes:
        news.tell(change)
    news.end()
    assert news.take() == changes
    assert news.take() is None


def test_a_reader_that_falls_behind_is_told_how_far(monkeypatch) -> None:
    monkeypatch.setattr(fleet_state, "NEWS_LIMIT", 5)
    news = News()
    for number in range(12):
        news.tell(Change(number, None, "journal", {}))
    first = news.take(0)
    assert first is not None
    assert [change.at_ms for change in first] == [0, 1, 2, 3, 4]
    news.tell(Change(20, None, "journal", {}))
    second = news.take(0)
    assert second is not None
    assert [(change.kind, change.body.get("missed")) for change in second] == [("overrun", 7), ("journal", None)]


def test_the_end_wakes_a_reader_who_waits() -> None:
    news = News()
    taken: list[object] = []
    reader = threading.Thread(target=lambda: taken.append(news.take()))
    reader.start()
    news.end()
    reader.join(20)
    assert taken == [None]
