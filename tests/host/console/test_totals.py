"""One number, wherever it stands: what a session gave somebody is the same on every page and in every export.

The oracle adds up the papers of deals and penalties, and knows nothing of standings.
"""

import csv
import json
import re
from collections import defaultdict
from fractions import Fraction
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from openpyxl import load_workbook
from starlette.testclient import TestClient

from tests.host.console.before_play import EIGHT, ask, begin, commit, take
from tests.host.console.hall import Place
from tests.host.console.test_taken_home import DAN
from tests.host.event.test_event_cli import run  # noqa: F401 (a fixture)
from wallwright.event import results, running, sanctions, setup
from wallwright.event.desk import Desk

FORMAT = """base = "chengdu-grand-prix"
sessions = 1
best_of = []
final_players = 4
final_sessions = 1
final_carry = true
bye_points = 3
"""
SESSIONS = (1, 2)
Points = dict[tuple[int, str], int]
"""By session and player's name."""


class Tables(HTMLParser):
    """The cells of all tables of a page, row by row."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._is_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._is_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._is_cell = False

    def handle_data(self, data: str) -> None:
        if self._is_cell:
            self.rows[-1][-1] += data


def play_first(desk: Desk) -> None:
    """A session with all that changes a number: corrections, voids, replays, substitutes, penalties, a bye."""
    running.open_session(desk, 1)
    running.start_session(desk, 1)
    first, second = (desk.sheet(1, table).players for table in (1, 2))
    results.rule_result(desk, 1, 1, [8, -8, 4, -4], "as it stood")
    results.rule_result(desk, 1, 1, [1, 1, 1, -8], "as it stood", fines={3: 5})
    results.rule_result(desk, 1, 1, [2, -2, 0, 0], "as it stood")
    results.annul(desk, 1, 1, "a jam")
    sanctions.substitute(desk, 1, first[1], "Late Larry", "ill")
    results.rule_result(desk, 1, 1, [-6, 2, 2, 2], "as it stood")
    results.rule_result(desk, 1, 2, [24, -8, -8, -8], "as it stood")
    results.rule_result(desk, 1, 2, [16, 0, -8, -8], "as it stood")
    results.void(desk, 1, 2, 2, "a tile was missing")
    results.correct_points(desk, 1, 2, 1, [12, -4, -4, -4], "one fan less")
    running.stop_session(desk, 1, "time")
    for table in (1, 2):
        running.sign_off(desk, 1, table)
    bye = desk.session(1).byes[0]
    for player, name, amount, session in (
        (first[0], "points", 4, 1),
        (first[1], "points", 1, 1),
        (first[2], "points", 2, None),
        (second[0], "loss_of_session", None, 1),
        (second[1], "disqualification", None, None),
        (second[2], "loss_of_session", None, 1),
        (bye, "points", 1, 1),
    ):
        worth = None if amount is None else Fraction(amount)
        given = sanctions.give_penalty(desk, player, name, "why", amount=worth, session=session)
        if player == second[2]:
            sanctions.withdraw_penalty(desk, given, "not so")


def finish(desk: Desk, session: int) -> None:
    running.publish(desk, session)
    running.finalise(desk, session, "nobody appeals")


def play_final(desk: Desk) -> None:
    running.open_session(desk, 2)
    running.start_session(desk, 2)
    results.rule_result(desk, 2, 1, [10, -2, -4, -4], "as it stood")
    fined = desk.sheet(2, 1).players[1]
    sanctions.give_penalty(desk, fined, "points", "late", amount=Fraction(3), session=2)
    running.stop_session(desk, 2, "time")
    running.sign_off(desk, 2, 1)


@pytest.fixture
def played(place: Place, tmp_path: Path) -> Place:
    (tmp_path / "own.toml").write_text(FORMAT)
    begin(place, str(tmp_path / "own.toml"))
    director = place.signed_in("director")
    assert take(director, EIGHT + "P9\n")[0] == 200
    assert commit(director, fill="byes")[0] == 200
    assert ask(director, "draws/main/reveal")[0] == 200
    book = place.site.event
    book.do(DAN, play_first)
    book.do(DAN, lambda desk: finish(desk, 1))
    book.do(DAN, lambda desk: setup.commit_draw(desk, "final", bytes(32)))
    book.do(DAN, lambda desk: setup.reveal_draw(desk, "final", bytes(32)))
    book.do(DAN, play_final)
    book.do(DAN, lambda desk: finish(desk, 2))
    return place


def rows_of(client: TestClient, paper: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(client.get(f"/event/papers/{paper}.csv").text.removeprefix("\ufeff"))))


def summed(client: TestClient) -> Points:
    """The oracle."""
    points: Points = defaultdict(int)
    for row in rows_of(client, "results"):
        for seat in range(4):
            if row["status"] == "live":
                points[int(row["session"]), row[f"player_{seat}"]] += int(row[f"points_{seat}"])
    for row in rows_of(client, "seats"):
        if not row["table"]:
            points[int(row["session"]), row["name"]] += 3
    stand = [row for row in rows_of(client, "penalties") if row["session"] and not row["withdrawn"]]
    for row in stand:
        if row["kind"] == "points":
            points[int(row["session"]), row["name"]] -= int(row["amount"])
    for row in stand:
        if row["kind"] == "loss_of_session":
            key = int(row["session"]), row["name"]
            points[key] = min(points[key], 0)
    return dict(points)


def names_of(place: Place) -> dict[int, str]:
    return place.site.event.ask(lambda desk: {one.number: one.name for one in desk.state.players.values()})


def in_standings(rows: list[list[str]], names: set[str]) -> Points:
    found: Points = {}
    for row in rows:
        name = row[1].split()[0] if "Larry" not in row[1] else "Late Larry"
        if name in names:
            for session, text in zip(SESSIONS, row[5:], strict=True):
                if text != "–":
                    found[session, name] = int(text.strip("()"))
    return found


def test_a_number_is_the_same_wherever_it_stands(played: Place, run, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    client, guest = played.signed_in("referee"), played.client()
    oracle, names = summed(client), names_of(played)
    assert {session for session, _ in oracle} == set(SESSIONS)
    assert len(oracle) == 10 + 4
    everybody = set(names.values())
    page = Tables(guest.get("/event/standings").text)
    assert in_standings(page.rows, everybody) == oracle
    for form in ("csv", "json", "xlsx"):
        answer = guest.get(f"/event/papers/standings.{form}")
        if form == "csv":
            lines = rows_of(guest, "standings")
        elif form == "json":
            lines = [json.loads(line) for line in answer.text.splitlines()]
        else:
            head, *cells = load_workbook(BytesIO(answer.content))["standings"].values
            lines = [dict(zip(map(str, head), map(str, row), strict=True)) for row in cells]
        told = {(session, line["name"]): int(line[f"session_{session}"]) for line in lines for session in SESSIONS}
        assert {key: told[key] for key in oracle} == oracle, form
        assert not any(points for key, points in told.items() if key not in oracle), form
        # Penalties for the event as a whole are in the sum and in no session.
        for line in lines:
            fine = sum(int(one["amount"]) for one in rows_of(client, "penalties")
                       if one["name"] == line["name"] and not one["session"] and one["kind"] == "points")  # fmt: skip
            assert int(line["points"]) == sum(told[session, line["name"]] for session in SESSIONS) - fine, form
            [on_page] = [row for row in page.rows if row[1].startswith(line["name"])]
            assert (int(on_page[2]), int(on_page[3])) == (int(line["total"]), int(line["points"]))
    at_tables: Points = {}
    view = client.get("/api/v1/event").json()
    for session in view["sessions"]:
        listed = Tables(client.get(f"/event/sessions/{session['number']}").text).rows
        for sheet in session["tables"]:
            own = Tables(client.get(f"/event/sessions/{session['number']}/tables/{sheet['table']}").text).rows
            total = [int(cell) for cell in next(row for row in own if row[0] == "Total")[1:5]]
            assert total == sheet["points"]
            [on_list] = [row for row in listed if row[0] == f"Table {sheet['table']}"]
            assert [
                int(one)
                for one in re.findall(r"(?<= )[+-]?\d+(?=\s*(?:East|South|West|North|P|Late|$))", on_list[1] + " ")
            ] == total
            at_tables |= {
                (session["number"], name): points for (_, name), points in zip(sheet["players"], total, strict=True)
            }
            at_tables |= {(session["number"], name): points for name, points in sheet["left"]}
    byes = {(1, name) for name in view["sessions"][0]["byes"]}
    assert at_tables == {key: points for key, points in oracle.items() if key not in byes}
    journal = played.site.event.place
    capsys.readouterr()  # the server's log
    for session in SESSIONS:
        for line in run(f"sessions '{journal}' {session} --json").out.splitlines():
            for seat in range(4):
                name, _, points = json.loads(line)[f"seat_{seat}"].rpartition(" ")
                assert int(points) == oracle[session, name]
    for line in map(json.loads, run(f"standings '{journal}' --json --for everybody").out.splitlines()):
        assert all(line[f"session_{session}"] == oracle.get((session, line["name"]), 0) for session in SESSIONS)
    for number, name in names.items():
        explained = guest.get(f"/event/standings/{number}").text
        explained_as = {
            int(at): int(points)
            for at, points in re.findall(r"<bdi>Session (\d), [^:<]*: ([+-]\d+|0) points?", explained)
        }
        assert explained_as == {session: points for (session, who), points in oracle.items() if who == name}
        if name != "Late Larry":
            own = Tables(guest.get(f"/players/{number}").text).rows
            shown = {
                int(row[0].split()[0]): int(row[1]) for row in own if len(row) == 4 and row[1].strip("+-").isdecimal()
            }
            assert shown == {session: points for (session, who), points in oracle.items() if who == name}
