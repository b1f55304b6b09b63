"""What is taken home from a tournament: standings with their reasons, papers, a backup; each only by whom it is for."""

import csv
import json
import re
from datetime import datetime
from fractions import Fraction
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest
from openpyxl import load_workbook
from starlette.testclient import TestClient

from tests.host.console.before_play import begin
from tests.host.console.hall import Place
from tests.host.console.test_pages import check_harmless
from tests.host.event.paper import declared
from tests.host.formulas import FORMULAS, is_formula, texts_of
from wallwright.backup.archive import restore
from wallwright.console.pages import exports
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.errors import JournalDamaged
from wallwright.event import appeals, results, running, sanctions
from wallwright.event.desk import Desk
from wallwright.event.entries import rename_player
from wallwright.event.sheets import PAPERS
from wallwright.event.store import read_event
from wallwright.journal import verify_journal

DAN = Person("dan", "director")
SESSIONS = 5


def play(desk: Desk, number: int) -> None:
    """A session from open to provisional, with two deals at its first table."""
    running.open_session(desk, number)
    running.start_session(desk, number)
    for deal in range(2):
        told, _ = declared(desk.format.sichuan, desk.sheet(number, 1).next_dealer, Random(10 * number + deal))
        results.record_result(desk, results.preview(desk, number, 1, told))
    running.stop_session(desk, number, "time")
    for sheet in desk.session(number).tables:
        running.sign_off(desk, number, sheet.table)


def publish(book: Book, number: int) -> None:
    book.do(DAN, lambda desk: running.publish(desk, number))


def play_to_the_end(number: int, desk: Desk) -> None:
    play(desk, number)
    running.publish(desk, number)
    running.finalise(desk, number, "nobody appeals")


@pytest.fixture
def book(place: Place) -> Book:
    """An event whose first session is published and whose second one waits for that."""
    book = place.begin_event(16)

    def act(desk: Desk) -> None:
        play(desk, 1)
        running.publish(desk, 1)
        play(desk, 2)

    book.do(DAN, act)
    return book


def shown(client: TestClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return check_harmless(answer.text).text


def test_standings_keep_the_embargo_until_a_session_is_published(book: Book, place: Place) -> None:
    guest, ann = place.client(), place.signed_in("scorer", "ann")
    page = shown(guest, "/event/standings")
    assert "after session 1" in page
    assert "Session 2" not in page
    assert "for the staff" not in page
    assert "Session 2" in shown(ann, "/event/standings")
    assert "Session 2" not in shown(ann, "/event/standings?public=true")
    assert "第 1 轮" in shown(guest, "/event/standings?lang=zh")
    publish(book, 2)
    assert "Session 2" in shown(guest, "/event/standings")
    assert "第 2 轮" in shown(guest, "/event/standings?lang=zh")


def test_nothing_is_shown_before_the_first_session_is_public(place: Place) -> None:
    book = place.begin_event(16)
    book.do(DAN, lambda desk: play(desk, 1))
    guest = place.client()
    assert "Results are shown when all tables are done." in shown(guest, "/event/standings")
    assert guest.get("/event/standings/1").status_code == 404
    assert guest.get("/event/standings/99").status_code == 404
    assert place.signed_in("referee").get("/event/standings/1").status_code == 200


def test_standings_are_final_when_the_last_session_is(place: Place) -> None:
    book = place.begin_event(4)
    for number in range(1, SESSIONS + 1):
        assert "Final standings" not in place.client().get("/event/standings").text
        book.do(DAN, partial(play_to_the_end, number))
    page = shown(place.client(), "/event/standings")
    assert "Final standings" in page
    rows = book.ranks.tables["everybody"].rows
    assert all(row.name in page for row in rows)
    assert page.index(rows[0].name) < page.index(rows[-1].name)


def test_a_total_is_explained_to_everybody_as_far_as_it_is_public(book: Book, place: Place) -> None:
    row = book.ranks.tables["everybody"].rows[0]
    late = book.do(
        DAN,
        lambda desk: sanctions.give_penalty(desk, row.player, "points", "secret", amount=Fraction(2), session=2),
    )
    guest, ria = place.client(), place.signed_in("referee", "ria")
    page, for_staff = (shown(one, f"/event/standings/{row.player}") for one in (guest, ria))
    assert f"{row.name} ({row.player}): {row.points} points, rank {row.rank}." in page
    assert "Deal 1: " in page
    assert "Session 2" not in page
    assert "secret" not in page
    assert f"Penalty {late} in session 2" in for_staff
    chinese = check_harmless(guest.get(f"/event/standings/{row.player}?lang=zh").text).text
    assert f"{row.name}（{row.player}）：{row.points} 分，第 1 名。" in chinese


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"))))


@pytest.mark.parametrize("paper", ["standings", "results", "penalties", "appeals"])
def test_a_paper_has_what_its_reader_may_see(book: Book, place: Place, paper: str) -> None:
    def act(desk: Desk) -> None:
        for session in (1, 2):
            sanctions.give_penalty(desk, 3, "points", "=late", amount=Fraction(2), session=session)
            appeals.file_appeal(desk, session, 3, "=why?")

    book.do(DAN, act)
    answer = place.client().get(f"/event/papers/{paper}.csv")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="{paper}.csv"'
    public, whole = rows_of(answer.text), rows_of(place.signed_in("scorer").get(f"/event/papers/{paper}.csv").text)
    if paper == "standings":
        assert "session_1" in public[0]
        assert "session_2" not in public[0]
        assert "session_2" in whole[0]
    else:
        assert {row["session"] for row in public} == {"1"}
        assert {row["session"] for row in whole} == {"1", "2"}
    assert "\n=" not in answer.text.replace(",=", "\n="), "a spreadsheet would take it for a formula"
    whole_book = place.client().get(f"/event/papers/{paper}.xlsx")
    assert whole_book.headers["content-disposition"] == f'attachment; filename="{paper}.xlsx"'
    cells = [
        ["" if one is None else str(one) for one in row]
        for row in load_workbook(BytesIO(whole_book.content))[paper].values
    ]
    assert cells == list(csv.reader(StringIO(answer.text.removeprefix("\ufeff"))))
    lines = place.client().get(f"/event/papers/{paper}.json").text.splitlines()
    assert len(lines) == len(public)
    assert list(json.loads(lines[0])) == list(public[0])


def test_no_paper_has_a_formula_whatever_people_are_called(book: Book, place: Place) -> None:
    def act(desk: Desk) -> None:
        for number, sign in enumerate(FORMULAS, 1):
            rename_player(desk, number, f"{sign}cmd|' /C calc'!A{number}", f"{sign}HYPERLINK(1)")
            sanctions.give_penalty(desk, number, "points", f"{sign}late", amount=Fraction(2), session=1)
            appeals.file_appeal(desk, 1, number, f"{sign}why?")

    book.do(DAN, act)
    for paper in PAPERS:
        for form in ("csv", "xlsx"):
            answer = place.signed_in("director").get(f"/event/papers/{paper}.{form}")
            assert answer.status_code == 200
            cells = texts_of(answer.content, form)
            assert any("cmd" in cell or "late" in cell or "why" in cell for cell in cells) or paper == "results"
            assert not list(filter(is_formula, cells)), paper


def test_the_seats_of_a_planned_session_are_the_staffs(book: Book, place: Place) -> None:
    public = rows_of(place.client().get("/event/papers/seats.csv").text)
    whole = rows_of(place.signed_in("operator").get("/event/papers/seats.csv").text)
    assert {row["session"] for row in public} == {"1", "2"}
    assert {row["session"] for row in whole} == {str(number) for number in range(1, SESSIONS + 1)}


def test_a_paper_that_there_is_not_is_told(place: Place) -> None:
    place.begin_event(4)
    for paper in ("standings", "standings.xls", "secrets.csv", "..%2Fhall.csv", ".csv"):
        answer = place.client().get(f"/event/papers/{paper}")
        assert (paper, answer.status_code) == (paper, 404)
        assert "content-disposition" not in answer.headers


@pytest.fixture
def drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the server makes its files."""
    folder = tmp_path / "drafts"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def test_a_backup_comes_whole_and_goes_on_elsewhere(book: Book, place: Place, tmp_path: Path, drafts: Path) -> None:
    ria = place.signed_in("referee", "ria")
    assert ria.get("/event/backup").status_code == 403
    assert "Download the backup" not in shown(ria, "/event/papers")
    dan = place.signed_in("director", "dan")
    assert "wallwright event restore" in shown(dan, "/event/papers")
    answer = dan.get("/event/backup")
    assert answer.status_code == 200
    assert len(answer.content) == int(answer.headers["content-length"])
    assert list(drafts.iterdir()) == []
    name = answer.headers["content-disposition"].partition("=")[2].strip('"')
    taken = datetime.fromtimestamp(place.clock() / 1000).astimezone()
    assert name == f"Chengdu Grand-Prix-{taken:%Y-%m-%d-%H%M}.backup"
    file, again = tmp_path / name, tmp_path / "again.journal"
    file.write_bytes(answer.content)
    made = restore(file, str(again))
    assert made.event == "Chengdu Grand-Prix"
    assert verify_journal(again).is_whole
    assert read_event(str(again)).sessions == read_event(book.place).sessions
    elsewhere = Book(str(again), place.clock)
    assert elsewhere.ranks.tables == book.ranks.tables


def test_a_backup_has_the_name_of_the_event_in_its_own_script(place: Place, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('base = "mil-2025"\nname = "成都/大奖赛: 春"\n', encoding="utf-8")
    begin(place, str(tmp_path / "own.toml"))
    told = place.signed_in("director").get("/event/backup").headers["content-disposition"]
    day = f"{datetime.fromtimestamp(place.clock() / 1000).astimezone():%Y-%m-%d-%H%M}"
    assert re.fullmatch(r'attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8\'\'[A-Za-z0-9%._-]+', told)
    assert unquote(told.rpartition("''")[2]) == f"成都-大奖赛- 春-{day}.backup"


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (OSError(28, "No space left on device"), 409, "No space left on device"),
        (JournalDamaged("day.journal", "entry 7 was changed"), 503, "entry 7 was changed"),
    ],
)
def test_a_backup_that_fails_says_why_and_leaves_nothing(
    place: Place, drafts: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, said: str
) -> None:
    place.begin_event(4)

    def fail(_: str, target: Path) -> None:
        target.write_bytes(b"half")
        raise error

    monkeypatch.setattr(exports, "back_up", fail)
    answer = place.signed_in("director").get("/event/backup")
    assert (answer.status_code, "content-disposition" in answer.headers) == (status, False)
    assert said in check_harmless(answer.text).text
    assert list(drafts.iterdir()) == []
