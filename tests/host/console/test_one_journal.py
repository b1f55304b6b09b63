"""Hall and tournament in one journal: what tables tell counts, what people do is a turn among it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.host.console.hall import Place, opened
from tests.host.console.played import BY_KEY
from tests.host.console.test_event import ask, play
from tests.host.fleet.served import until
from tests.host.journal.deals import write_deals
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.errors import EventRefused, JournalFull
from wallwright.event import running, setup
from wallwright.event.desk import Desk
from wallwright.event.store import read_event
from wallwright.fleet import shared_journal
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.journal import read_journal, verify_journal
from wallwright.link.reports import Event
from wallwright.rules.sichuan.deal import Deal

UNIT = "U-A1"
DAN = Person("dan", "director")


class OneJournal:
    """A place whose hall has the event's journal open; table 1 is A1."""

    def __init__(self, place: Place) -> None:
        self.place = place
        place.begin_event()
        self.path = place.file.with_name("event.journal")
        self.journal = SharedJournal(self.path)
        self.book = place.site.book = Book(self.path, place.clock, self.journal.turn)
        place.site.deals = self.book.deals
        self.book.do(DAN, lambda desk: setup.bind_table(desk, 1, UNIT))
        self._seq = 0

    def roll(self, deal: int) -> None:
        """The board tells that a deal begins."""
        for name, fields in (("walls_up", {"tile_set": 1}), ("dice_rolled", {"seat": 0, "dice": (1, 2), **BY_KEY})):
            self._seq += 1
            event = Event(self._seq, 7, 0, name, {**fields, "deal": deal})
            assert self.journal.append_event(UNIT, event, at_ms=self.place.clock())

    def tell(self, count: int) -> list[Deal]:
        """The tracker notes so many deals, from the board's first on."""
        return self.journal.turn(lambda journal: write_deals(journal, count, 5, unit=UNIT, is_tracked=True))

    def start(self, director: TestClient) -> None:
        for step in ("open", "start"):
            assert ask(director, f"sessions/1/{step}")[0] == 200


@pytest.fixture
def one(tmp_path: Path) -> Iterator[OneJournal]:
    with opened(tmp_path) as place:
        found = OneJournal(place)
        yield found
        found.journal.close()


def test_what_a_table_tells_is_confirmed_signed_scored_and_stepped_through(one: OneJournal) -> None:
    place = one.place
    dan, sam, guest = place.signed_in("director"), place.signed_in("scorer"), place.client()
    one.start(dan)
    for deal in (1, 2):
        one.roll(deal)
    first, second = one.tell(2)
    view = one.book.look().session(1)
    assert view is not None
    assert (view.tables[0].unconfirmed, view.tables[0].in_play) == ((1, 2), None)
    total = tuple(a + b for a, b in zip(first.settle().points, second.settle().points, strict=True))
    assert view.tables[0].points == total
    page = sam.get("/event/sessions/1/tables/1").text
    [link] = re.findall(r'href="(/event/sessions/1/tables/1/deals/2)"', page)
    assert f"0 / {len(second.log) + 1}" in sam.get(link).text, "every move"
    assert guest.get(link).status_code == 404
    hall = re.findall(r'href="(/replays/\d+)"', sam.get("/tables/A1/deals").text)
    assert len(hall) == 2
    assert [guest.get(path).status_code for path in hall] == [404, 404]
    assert ask(sam, "sessions/1/tables/1/confirm", version=view.tables[0].version)[0] == 200
    play(place, 1, 1)
    place.clock.now_ms += 3_600_000
    ask(dan, "sessions/1/stop")
    now = one.book.look().session(1)
    assert now is not None
    for sheet in now.tables:
        assert ask(dan, f"sessions/1/tables/{sheet.table}/sign-off", version=sheet.version)[0] == 200
    assert ask(dan, "sessions/1/publish")[0] == 200
    assert f"0 / {len(second.log) + 1}" in guest.get(link).text
    assert one.journal.problem is None
    assert verify_journal(one.path).is_whole


def test_another_board_at_a_table_opens_no_deal_before_its_time(one: OneJournal) -> None:
    place = one.place
    dan, guest, screen = place.signed_in("director"), place.client(), place.signed_in("screen")
    one.start(dan)
    one.roll(1)
    one.tell(1)
    one.book.do(DAN, lambda desk: setup.bind_table(desk, 1, "SPARE", "its lift is stuck"))
    [told] = [entry.id for entry in read_journal(one.path) if entry.kind == "deal_result"]
    answers = [guest.get(f"/replays/{number}") for number in range(1, told + 20)]
    assert {(answer.status_code, answer.text) for answer in answers} == {(404, answers[-1].text)}
    assert screen.get(f"/replays/{told}").status_code == 404
    assert dan.get(f"/replays/{told}").status_code == 200
    # Nor does a board that nobody has bound yet: what it tells may be the table's all the same.
    with_spare = one.journal.turn(lambda journal: write_deals(journal, 1, 6, unit="U-A2", is_tracked=True))
    assert with_spare
    [_, free] = [entry.id for entry in read_journal(one.path) if entry.kind == "deal_result"]
    assert guest.get(f"/replays/{free}").status_code == 404
    for reason in ("stop", "resume", "stop"):
        assert ask(dan, f"sessions/1/{reason}", reason="a mistake")[0] == 200
        assert guest.get(f"/replays/{told}").status_code == 404
    one.book.do(DAN, lambda desk: [running.sign_off(desk, 1, table) for table in (1, 2)])
    assert guest.get(f"/replays/{told}").status_code == 404
    assert ask(dan, "sessions/1/publish")[0] == 200
    assert [guest.get(f"/replays/{number}").status_code for number in (told, free)] == [200, 200]


def test_why_a_deal_of_a_table_waits_is_said_in_the_language_of_who_reads_it(one: OneJournal) -> None:
    dan, ria = one.place.signed_in("director"), one.place.signed_in("referee")
    one.start(dan)
    one.place.clock.now_ms += 3_600_000
    one.roll(1)
    one.tell(1)
    one.book.look()
    for path in ("/event", "/event/sessions/1/tables/1"):
        assert "its table had no time or no deals left when it began" in ria.get(path).text
        chinese = ria.get(path, headers={"Accept-Language": "zh-CN"}).text
        assert "开局时该桌已没有剩余时间或局数" in chinese


def test_what_is_refused_is_not_kept_and_no_table_hears_of_it(one: OneJournal) -> None:
    before = [entry.id for entry in read_journal(one.path)]

    def regret(desk: Desk) -> None:
        running.open_session(desk, 1)
        one_desk.append(desk)
        raise EventRefused("a pity")

    one_desk: list[Desk] = []
    with pytest.raises(EventRefused, match="a pity"):
        one.book.do(DAN, regret)
    assert one_desk[0].state.sessions[1].state == "open", "it had been written"
    assert [entry.id for entry in read_journal(one.path)] == before
    assert one.journal.problem is None
    one.roll(1)
    one.book.do(DAN, lambda desk: running.open_session(desk, 1))
    kinds = [entry.kind for entry in read_journal(one.path, len(before))]
    assert kinds == ["walls_up", "dice_rolled", "session_moved"]
    assert read_event(str(one.path)).sessions[1].state == "open"


def test_a_full_disk_is_heard_of_by_who_asked_and_what_follows_is_whole(
    one: OneJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_journal, "RETRY_S", 0.02)
    dan = one.place.signed_in("director")

    def fill(desk: Desk) -> None:
        running.open_session(desk, 1)
        raise JournalFull(str(one.path), "the disk is full")

    with pytest.raises(JournalFull):
        one.book.do(DAN, fill)
    until(lambda: one.journal.problem is None)
    view = one.book.look().session(1)
    assert view is not None
    assert view.state == "planned"
    one.start(dan)
    assert ask(dan, "sessions/1/publish")[0] == 409
    assert read_event(str(one.path)).sessions[1].state == "running"
