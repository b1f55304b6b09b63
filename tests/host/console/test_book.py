"""The tournament's book: while a disk takes its time over one person's act, everybody else goes on reading."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.host.console.hall import Place
from wallwright.console.channels import ValueChannel
from wallwright.console.hall.desk import Person
from wallwright.console.tournament.book import Book

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
