"""A session that is played on paper and published, and a console whose journal is signed."""

from random import Random

from tests.host.console.hall import Place
from tests.host.event.paper import declared
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.event import results, running
from wallwright.event.desk import Desk
from wallwright.journal.witness import Witnessing

DAN = Person("dan", "director")
HOUR_MS = 3_600_000
BY_KEY = {"source": "key", "roll": 1, "seed": "00" * 32, "contribution": "00" * 16, "contributed": 0}
"""What else a board tells of dice that a key has rolled, with a seed that nothing is checked against."""


def witnessed(place: Place) -> Witnessing:
    """Have the event's journal signed; the test says when it is looked at."""
    book = place.site.event
    place.site.witnessing = witnessing = Witnessing(book.place, book.turn, place.clock)
    witnessing.look()
    return witnessing


def play_out(place: Place, session: int, rng: Random) -> None:
    """Open and start a session, play a deal at every table, stop, and have everybody sign."""
    book = place.site.event
    for step in ("open", "start"):
        book.step(DAN, session, step, "")

    def play(desk: Desk) -> None:
        for sheet in desk.session(session).tables:
            record, _ = declared(desk.format.sichuan, sheet.next_dealer, rng)
            results.record_result(desk, results.preview(desk, session, sheet.table, record))

    book.do(DAN, play)
    place.clock.now_ms += HOUR_MS
    book.step(DAN, session, "stop", "an exercise")
    book.do(DAN, lambda desk: [running.sign_off(desk, session, one.table) for one in desk.session(session).tables])


def publish(place: Place, session: int, rng: Random) -> Book:
    """Play a session out, and let everybody see its results."""
    play_out(place, session, rng)
    book = place.site.event
    book.step(DAN, session, "publish", "")
    return book
