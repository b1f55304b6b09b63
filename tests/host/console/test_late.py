"""Which tables are late: by what they wait for, and in a tournament by the clock of their session."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.host.console.hall import START_MS, Place
from tests.host.console.played import BY_KEY
from wallwright.console.hall.desk import Desk
from wallwright.console.hall.late import NOT_BEGUN_MS, OVER_MS, PLAYERS_MS, SILENT_MS, Late, TableClock, find_late
from wallwright.console.people.person import Person
from wallwright.console.texts import LATE, late_text, translator
from wallwright.console.tournament.book import Book
from wallwright.event import results, running, setup
from wallwright.journal import Journal
from wallwright.link.reports import Event

BEGIN = START_MS
MINUTE = 60_000
CLOCK = TableClock(is_on=True, started_ms=BEGIN, resumed_ms=BEGIN, as_of_ms=BEGIN, ends_ms=BEGIN + 60 * MINUTE)
BY = Person("dan", "director")
EARLIER = BEGIN - 9 * MINUTE


@pytest.mark.parametrize(
    ("state", "since_ms", "clock", "after_ms", "late"),
    [
        ("lid_open", BEGIN, None, PLAYERS_MS, None),
        ("lid_open", BEGIN, None, PLAYERS_MS + 1, Late("players", 2)),
        ("walls_up", BEGIN, None, 5 * MINUTE, Late("players", 5)),
        ("shuffling", BEGIN, None, 99 * MINUTE, None),
        ("ready", EARLIER, CLOCK, NOT_BEGUN_MS, None),
        ("ready", EARLIER, CLOCK, 4 * MINUTE, Late("not_begun", 4)),
        ("lid_open", EARLIER, CLOCK, 4 * MINUTE, Late("not_begun", 4)),
        ("ready", EARLIER, replace(CLOCK, told_ms=BEGIN + MINUTE), 5 * MINUTE, None),
        ("ready", EARLIER, replace(CLOCK, plays=True, told_ms=EARLIER), 5 * MINUTE, None),
        ("ready", BEGIN + MINUTE, CLOCK, 5 * MINUTE, None),
        ("lid_open", BEGIN + MINUTE, CLOCK, 4 * MINUTE, Late("players", 3)),
        ("ready", BEGIN + MINUTE, CLOCK, SILENT_MS + MINUTE, None),
        ("ready", BEGIN + MINUTE, CLOCK, SILENT_MS + 2 * MINUTE, Late("silent", 16)),
        ("ready", BEGIN + MINUTE, replace(CLOCK, told_ms=BEGIN + 9 * MINUTE), SILENT_MS + 2 * MINUTE, None),
        ("ready", BEGIN + MINUTE, replace(CLOCK, resumed_ms=BEGIN + 9 * MINUTE), SILENT_MS + 2 * MINUTE, None),
        ("ready", BEGIN + MINUTE, replace(CLOCK, plays=True), 60 * MINUTE + OVER_MS, None),
        ("ready", BEGIN + MINUTE, replace(CLOCK, plays=True), 65 * MINUTE, Late("over_time", 5)),
        ("lid_open", BEGIN + MINUTE, CLOCK, 65 * MINUTE, None),
        ("lid_open", BEGIN, replace(CLOCK, is_on=False), 99 * MINUTE, None),
    ],
)
def test_a_table_is_late_when_its_state_or_its_clock_says_so(state, since_ms, clock, after_ms, late) -> None:
    assert find_late(state, since_ms, clock, BEGIN + after_ms) == late


def test_each_way_of_being_late_is_a_sentence() -> None:
    for why in LATE:
        for language in ("en", "zh"):
            assert "7" in late_text(Late(why, 7), translator(language))  # type: ignore[arg-type]


class Session:
    """A tournament of four players at one table, whose board is that of A1; session 1 may begin."""

    def __init__(self, folder: Path) -> None:
        self.place = Place(folder)
        self.book: Book = self.place.begin_event(4)
        self.place.site.desk = self.place.desk = Desk(self.place.fleet, self.book, self.place.clock)
        self.do(lambda desk: setup.bind_table(desk, 1, "U-A1"))
        self.do(lambda desk: running.open_session(desk, 1))

    def do(self, action) -> None:
        self.book.do(BY, action)

    def turns(self, table: str, *states: str) -> None:
        """The table comes to these states, now."""
        for state in states:
            self.place.fleet.change(table, state=state)
            self.place.look()

    def told(self, deal: int) -> None:
        """The dice of a deal are rolled at the table."""
        with Journal(self.place.file.with_name("event.journal")) as journal:
            walls = Event(1, 1, 0, "walls_up", {"tile_set": 1, "deal": deal})
            dice = Event(2, 1, 0, "dice_rolled", {"seat": 0, "dice": (1, 2), "deal": deal, **BY_KEY})
            for event in (walls, dice):
                journal.append_event("U-A1", event, at_ms=self.place.clock.now_ms)
        self.book.look()

    def after(self, minutes: int) -> Late | None:
        """Why the table is late so many minutes later."""
        self.place.clock.now_ms += minutes * MINUTE
        self.place.look()
        return self.place.desk.view.tables[0].late


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def test_a_table_waits_for_the_start_of_its_session_as_long_as_that_takes(session: Session) -> None:
    session.turns("A1", "walls_up")
    session.turns("A2", "walls_up")
    assert session.after(30) is None
    assert session.place.desk.view.tables[1].late == Late("players", 30), "this one plays in no event"


def test_a_table_that_does_not_begin_is_late_until_it_does(session: Session) -> None:
    session.after(1)
    session.do(lambda desk: running.start_session(desk, 1))
    assert session.after(2) is None
    assert session.after(2) == Late("not_begun", 4)
    assert [(table.name, table.attention) for table in session.place.desk.view.attention] == [("A1", "late")]
    assert "Has not begun for 4 min" in session.place.signed_in("referee").get("/").text
    session.do(lambda desk: running.pause(desk, 1, "a fire alarm"))
    assert session.after(20) is None, "a pause"
    session.do(lambda desk: running.end_pause(desk, 1))
    assert session.after(1) == Late("not_begun", 5), "the pause does not count"
    session.turns("A1", "walls_up")
    assert session.after(0) is None


def test_a_deal_that_its_table_tells_of_is_heard_and_still_played_when_time_is_up(session: Session) -> None:
    session.do(lambda desk: running.start_session(desk, 1))
    session.after(40)
    session.told(7)
    assert session.after(1) is None
    assert session.after(22) == Late("over_time", 3)
    assert "Time is up for 3 min, still plays" in session.place.signed_in("referee").get("/tables/A1").text
    session.do(lambda desk: results.rule_result(desk, 1, 1, (8, -8, 0, 0), "seen by a referee"))
    assert session.after(9) is None


def test_time_that_a_referee_has_added_is_the_tables_own_and_counts(session: Session) -> None:
    session.do(lambda desk: running.start_session(desk, 1))
    session.do(lambda desk: running.add_time(desk, 1, 10, "the lid was stuck", 1))
    session.after(40)
    session.told(7)
    assert session.after(32) is None, "two minutes more than the hall's clock, and its own minutes"
    assert session.after(1) == Late("over_time", 3)


def test_a_table_of_which_nothing_is_heard_is_late_while_its_session_runs(session: Session) -> None:
    session.do(lambda desk: running.start_session(desk, 1))
    session.after(1)
    session.turns("A1", "building", "ready")
    assert session.after(10) is None
    assert session.after(10) == Late("silent", 20)
    session.do(lambda desk: results.rule_result(desk, 1, 1, (8, -8, 0, 0), "seen by a referee"))
    assert session.after(10) is None, "a result was entered"
    assert session.after(10) == Late("silent", 20)
    session.do(lambda desk: running.stop_session(desk, 1, "the hall closes"))
    assert session.after(10) is None
