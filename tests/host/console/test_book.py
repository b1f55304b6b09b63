"""The tournament's book: while a disk takes its time over one person's act, everybody else goes on reading."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.host.console.hall import Place
from wallwright.console.feed.channels import ValueChannel
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.event import setup

LIMIT_S = 60
DAN = Person("dan", "director")


def test_nobody_waits_for_a_turn_that_is_being_written(tmp_path: Path) -> None:
    place = Place(tmp_path)
    plain = place.begin_event()
    found: list[Any] = []

    def read() -> list[Any]:
        return [
            book.ask(lambda desk: desk.format.name),
            book.of("A1", "U-A1"),
            book.sheet(1, 1),
            book.ranks,
            book.look().name,
        ]

    def use(action: Any) -> Any:
        readers = ThreadPoolExecutor(1)
        try:
            found.extend(readers.submit(read).result(LIMIT_S))
        finally:
            readers.shutdown(wait=False)
        return plain._open(action)

    book = Book(plain.place, place.clock, use)
    book.step(DAN, 1, "open", "")
    assert (found[0], found[-1], len(found)) == (book.view.name, book.view.name, 5)
    assert book.view.sessions[0].state == "open"
    place.accounts.close()


def test_a_value_is_looked_at_once_for_every_view(tmp_path: Path) -> None:
    place = Place(tmp_path)
    book = place.begin_event()
    looks = []

    def look() -> str:
        looks.append(book.view.sessions[0].state)
        return looks[-1]

    channel = ValueChannel("state", lambda: book.view, look, str)
    for _ in range(5):
        assert channel.changes(place.desk.view, ()) == b""
    assert looks == ["planned"]
    book.step(DAN, 1, "open", "")
    assert [channel.changes(place.desk.view, ()) for _ in range(3)] == [b"event: state\ndata: open\n\n", b"", b""]
    assert looks == ["planned", "open"]
    place.accounts.close()


def test_each_table_of_the_hall_plays_what_its_own_board_is_bound_to(tmp_path: Path) -> None:
    place = Place(tmp_path, "A1", "A2", "A3")
    book = place.begin_event(8)

    def seated() -> list[tuple[str, ...] | None]:
        place.look()
        return [None if table.play is None else table.play.names for table in place.desk.view.tables]

    book.do(DAN, lambda desk: setup.bind_table(desk, 1, "U-A2"))
    book.do(DAN, lambda desk: setup.bind_table(desk, 2, "U-A1"))
    assert seated() == [None] * 3, "nobody plays yet"
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")
    assert seated() == [book.players_at(1, 2), book.players_at(1, 1), None]
    assert [book.number_of(f"U-A{board}") for board in (1, 2, 3)] == [2, 1, None]
    place.accounts.close()
