"""An event before play, at the console: players, seats and boards, and every refusal."""

from base64 import b64encode
from dataclasses import replace

import pytest

from tests.host.console.before_play import (
    EIGHT,
    NINE,
    ask,
    bind,
    board,
    commit,
    draw,
    journal,
    kinds,
    main_of,
    seeds_of,
    take,
    version,
)
from tests.host.console.hall import Place
from tests.host.console.test_pages import SHORT, check_harmless
from wallwright.console.tournament.setup_view import by_name
from wallwright.event import setup
from wallwright.event.draw import verify
from wallwright.event.store import read_event
from wallwright.fleet.state import SEARCHING
from wallwright.journal import read_journal
from wallwright.naming import seat_name
from wallwright.person_text import refusal


def test_a_director_comes_from_an_empty_event_to_seats(empty: Place) -> None:
    dan, guest = empty.signed_in("director", "dan"), empty.client()
    shown = dan.post("/api/v1/event/players/preview", json={"text": "\ufeff" + NINE}).json()
    assert (len(shown["players"]), shown["spare"], shown["problems"]) == (9, 1, [])
    assert (shown["clubs"], shown["apart"], shown["clashes"]) == ([["Chengdu", 4]], [["P7", "P8"]], 7)
    assert dan.get("/api/v1/event/players").json()["players"] == [], "a preview takes nothing"
    assert take(dan, NINE)[0] == 200
    page = dan.get("/setup").text
    assert "Chengdu" in page
    assert "P7</bdi> – <bdi>P8" in page
    status, body = commit(dan)
    assert status == 409
    assert "do not fill the tables" in body["problem"]
    status, committed = commit(dan, fill="byes")
    assert (status, committed["state"]) == (200, "open")
    assert ask(dan, "draws/main/parts", of="P3", text="4 2 6")[0] == 200
    status, drawn = ask(dan, "draws/main/reveal")
    assert (status, drawn["state"], drawn["problems"], drawn["commitment"]) == (
        200,
        "drawn",
        [],
        committed["commitment"],
    )
    record = guest.get("/api/v1/event/draws/main/transcript")
    assert record.headers["content-disposition"] == 'attachment; filename="draw-main.json"'
    assert verify(record.json()) == ()
    assert record.json()["contributions"] == [{"by": "P3", "text": "4 2 6"}]
    state = read_event(str(journal(empty)))
    assert setup.plans_agree(state, "main")
    assert {entry.body["by"] for entry in read_journal(journal(empty))} == {"dan", "dan (director)"}
    seats = dan.get("/api/v1/event/sessions/1/seats").json()
    assert [[number for number, _ in table] for table in seats["tables"]] == [
        list(four) for four in state.sessions[1].seats.tables
    ]
    assert len(seats["byes"]) == 1
    assert [one["name"] for one in seats["by_name"]] == [f"P{n}" for n in range(9)]


def test_stand_ins_fill_the_tables_and_are_among_the_players(empty: Place) -> None:
    dan = empty.signed_in("director")
    take(dan, NINE)
    assert commit(dan, fill="stand_ins")[0] == 200
    players = dan.get("/api/v1/event/players").json()["players"]
    assert [one["name"] for one in players if one["stand_in"]] == ["Stand-in 1", "Stand-in 2", "Stand-in 3"]
    assert dan.get("/setup").text.count(">stand-in<") == 3
    assert len(dan.get("/api/v1/event/draws/main").json()["players"]) == 12


WRONG = {
    "name,age\nA,3": ("there is 1 player;",),
    "club;age\nA;3\n": ("no column has the names",),
    "name\nA\nB\n\nA\n": ("line 5 has the name of line 2", "there are 3 players"),
    "name,club\n" + "\n" * 3 + ",".join("abc"): ("line 5 has more cells", "there is 1 player;"),
    "name,apart\nA,B\nC,\nD,\nE,\n": ("line 2 keeps apart from 'B'",),
    "name\n\x00\nB\nC\nD\n": ("line 2: character 1 is NULL (U+0000)",),
    "name,club\n" + "x,y,z\n" * 100: ("line 2 has more cells", "and 149 more"),
    "": ("there are 0 players",),
}


def test_what_is_wrong_with_a_list_is_said_before_it_is_taken(empty: Place) -> None:
    dan = empty.signed_in("director")
    for text, said in WRONG.items():
        shown = dan.post("/api/v1/event/players/preview", json={"text": text}).json()
        for line in said:
            assert any(line in problem for problem in shown["problems"]), shown["problems"]
        status, body = take(dan, text)
        assert status == 422
        assert said[0] in body["problem"]
    assert kinds(empty) == ["event_created"]


def test_a_file_of_a_spreadsheet_is_read_as_the_command_line_reads_it(empty: Place) -> None:
    dan = empty.signed_in("director")
    lines = ["序号\t姓名\t俱乐部", *(f"{n}\t选手{n}\t成都" for n in range(1, 9))]
    data = b64encode("\r\n".join(lines).encode("utf-16")).decode()
    shown = dan.post("/api/v1/event/players/preview", json={"data": data}).json()
    assert (shown["encoding"], shown["delimiter"], shown["has_header"]) == ("UTF-16", "tab", True)
    assert [(one["label"], one["role"]) for one in shown["columns"]] == [
        ("序号", "-"),
        ("姓名", "name"),
        ("俱乐部", "club"),
    ]
    assert ask(dan, "players", data=data, version=version(dan), columns=["-", "name", "-"])[0] == 200
    players = dan.get("/api/v1/event/players").json()["players"]
    assert [(one["name"], one["club"]) for one in players] == [(f"选手{n}", "") for n in range(1, 9)]
    garbled = {"data": data, "encoding": "utf-8"}
    assert "not UTF-8" in dan.post("/api/v1/event/players/preview", json=garbled).json()["problems"][0]


def test_a_long_list_is_taken_from_who_is_signed_in_alone(empty: Place) -> None:
    dan, guest = empty.signed_in("director"), empty.client()
    text = "name,club,notes\n" + "".join(f"Player {n},,{'n' * 200}\n" for n in range(1, 1001))
    assert len(text) > 200_000
    assert len(dan.post("/api/v1/event/players/preview", json={"text": text}).json()["players"]) == 1000
    assert take(dan, text)[0] == 200
    assert guest.post("/api/v1/event/players/preview", json={"text": text}).status_code == 413
    assert dan.post("/api/v1/event/players/preview", json={"text": text * 5}).status_code == 413
    assert ask(dan, "draws/main/parts", of="A", text=text)[0] == 413


def test_what_does_not_fit_is_refused_with_a_sentence(empty: Place) -> None:
    dan = empty.signed_in("director")
    old = version(dan)
    steps: list[tuple[int, str, tuple[int, dict]]] = [
        (409, "import a list", commit(dan)),
        (409, "commit to a seed first", ask(dan, "draws/main/reveal")),
        (409, "commit to a seed first", ask(dan, "draws/main/parts", of="A", text="4")),
        (409, "no final", ask(dan, "draws/final/commit", version=old)),
        (422, "stage", ask(dan, "draws/other/reveal")),
        (409, "there are tables 1 to 0", ask(dan, "boards/2", unit="U-A1", version=board(dan, 0))),
        (409, "no table lacks a board", ask(dan, "boards")),
        (200, "", take(dan, EIGHT)),
        (409, "changed by somebody else", ask(dan, "players", text=EIGHT, version=old)),
        (409, "changed by somebody else", ask(dan, "draws/main/commit", version=old)),
        (422, "fill", commit(dan, fill="dogs")),
        (200, "", commit(dan)),
        (409, "give a reason", commit(dan)),
        (409, "add single players", take(dan, NINE)),
        (409, "such as the faces of dice: it is empty", ask(dan, "draws/main/parts", of="A", text="")),
        (409, "whose part", ask(dan, "draws/main/parts", of="", text="4")),
        (422, "LINE FEED", ask(dan, "draws/main/parts", of="A\nB", text="4")),
        (422, "of", ask(dan, "draws/main/parts", of="A" * 65, text="4")),
        (422, "text", ask(dan, "draws/main/parts", of="A", text="4" * 257)),
    ]
    for status, words, (answered, body) in steps:
        assert answered == status, body
        assert words in body.get("problem", "")
    assert empty.client().get("/api/v1/event/draws/main/transcript").status_code == 409
    [path] = journal(empty).parent.glob("*-seed-*")
    path.rename(path.with_name("away"))
    status, body = ask(dan, "draws/main/reveal")
    assert status == 409
    assert "commit where you reveal, or commit again for a reason" in body["problem"]
    assert commit(dan, reason="the seed is lost")[0] == 200
    assert ask(dan, "draws/main/reveal")[0] == 200
    assert ask(dan, "sessions/1/open", reason="")[0] == 200
    status, body = commit(dan, reason="I do not like it")
    assert (status, "its seats stay" in body["problem"]) == (409, True)
    assert "Begin the draw again" not in dan.get("/draws/main").text


def test_seats_are_for_the_staff_until_their_session_is_open(empty: Place) -> None:
    dan, sam, guest = empty.signed_in("director"), empty.signed_in("scorer"), empty.client()
    assert sam.get("/seats/1").status_code == 404
    draw(dan)
    assert "P1" in main_of(sam.get("/seats/1").text)
    assert "for the staff" in sam.get("/seats/1").text
    for hidden in ("/seats/1", "/api/v1/event/sessions/1/seats", "/seats/77"):
        answer = guest.get(hidden)
        assert answer.status_code == 404
        assert "are not open yet" in answer.text
        assert empty.signed_in("screen").get(hidden).status_code == 404
    ask(dan, "sessions/1/open", reason="")
    page = guest.get("/seats/1").text
    assert "for the staff" not in page
    seats = guest.get("/api/v1/event/sessions/1/seats").json()
    for one in seats["by_name"]:
        name, table, seat = one["name"], one["table"], one["seat"]
        assert f"<li><bdi>{name}</bdi> <b>table {table}, {seat_name(seat)}</b></li>" in page
        assert seats["tables"][table - 1][seat][1] == name
    assert guest.get("/seats/2").status_code == 404
    assert 'href="/seats/1"' in guest.get("/draws/main").text
    assert 'href="/seats/2"' not in guest.get("/draws/main").text


def test_names_are_in_the_order_in_which_people_look_for_them() -> None:
    names = ["Zoë", "émile", "Eve", "Emil", "张伟", "李娜", "王小明", "陈静", "Bo", "bo"]
    assert sorted(names, key=by_name) == ["Bo", "bo", "Emil", "émile", "Eve", "Zoë", "陈静", "李娜", "王小明", "张伟"]


def test_boards_of_the_hall_are_given_to_tables(empty: Place) -> None:
    dan, sam = empty.signed_in("director"), empty.signed_in("scorer")
    draw(dan)
    assert "Without a board: 1, 2" in sam.get("/setup").text
    old = board(dan, 1)
    assert bind(dan, 1, "U-A2")[0] == 200
    status, body = ask(dan, "boards/1", unit="U-A1", version=old)
    assert (status, "another board meanwhile" in body["problem"]) == (409, True)
    status, body = bind(dan, 2, "U-A2")
    assert (status, "stands at table 1" in body["problem"]) == (409, True)
    assert "Without a board: 2" in sam.get("/setup").text
    shown = ask(dan, "boards")[1]
    assert [(one["table"], one["unit"], one["hall_table"]) for one in shown] == [(1, "U-A2", "A2"), (2, "U-A1", "A1")]
    assert ask(dan, "boards")[0] == 409
    assert "Every table has a board." in sam.get("/setup").text
    assert bind(dan, 2, "")[0] == 200
    assert bind(dan, 2, "SPARE-7")[0] == 200
    page = dan.get("/setup").text
    assert "SPARE-7 · not in this hall" in page
    assert read_event(str(journal(empty))).unit_of == {1: "U-A2", 2: "SPARE-7"}


def test_a_swap_in_the_middle_of_a_session_needs_a_reason(empty: Place) -> None:
    dan = empty.signed_in("director")
    draw(dan)
    bind(dan, 1, "U-A1")
    assert "Reason of the swap" not in dan.get("/setup").text
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}", reason="")
    assert "Reason of the swap at table 1" in dan.get("/setup").text
    status, body = bind(dan, 1, "U-A2")
    assert (status, "give a reason" in body["problem"]) == (409, True)
    assert bind(dan, 1, "U-A2", reason="the lid is stuck")[0] == 200
    last = list(read_journal(journal(empty)))[-1]
    assert (last.kind, last.body["unit"], last.body["reason"]) == ("table_bound", "U-A2", "the lid is stuck")


def test_a_table_of_the_hall_that_was_never_heard_is_named(empty: Place) -> None:
    empty.fleet.tables["A2"] = replace(empty.fleet.tables["A2"], link=SEARCHING, info=None, status=None)
    empty.look()
    dan = empty.signed_in("director")
    draw(dan)
    assert "their boards are not known: A2" in dan.get("/setup").text


@pytest.mark.parametrize("name", [one for one in SHORT if refusal(one) is None])
def test_names_parts_and_boards_may_be_called_anything(empty: Place, name: str) -> None:
    dan, guest = empty.signed_in("director"), empty.client()
    quoted = name.replace('"', '""')
    named = name if name.isprintable() else "x"
    listed = "name,club\n" + "".join(f'"{quoted}{n}","{quoted}"\n' for n in range(4))
    assert take(dan, listed if named == name else EIGHT)[0] == 200
    commit(dan)
    assert ask(dan, "draws/main/parts", of=named, text=name)[0] == 200
    assert ask(dan, "draws/main/reveal")[0] == 200
    assert bind(dan, 1, name)[0] == 200
    ask(dan, "sessions/1/open", reason="")
    for client in (dan, guest):
        assert name in check_harmless(client.get("/draws/main").text).text
        assert (f"{name}0" if named == name else "P1") in check_harmless(client.get("/seats/1").text).text
    assert name in check_harmless(dan.get("/setup").text).text


def test_the_pages_speak_chinese(empty: Place) -> None:
    dan = empty.signed_in("director")
    draw(dan)
    for path, word in (("/setup", "选手与控制板"), ("/draws/main", "座位抽签"), ("/seats/1", "按选手")):
        page = dan.get(path, headers={"Accept-Language": "zh-CN"}).text
        assert '<html lang="zh-Hans"' in page
        assert word in page


def test_a_director_acts_on_the_commitment_that_the_page_has_shown(empty: Place) -> None:
    dan, don = empty.signed_in("director", "dan"), empty.signed_in("director", "don")
    draw(dan)
    _, first = commit(dan, reason="the hall asked for it")
    assert f'name="commitment" value="{first["commitment"]}"' in dan.get("/draws/main").text
    _, second = commit(don, reason="dice were forgotten")
    before = kinds(empty)
    for act, more in (("reveal", {}), ("parts", {"of": "P1", "text": "4 2"}), ("withdraw", {"reason": "a mistake"})):
        status, body = ask(dan, f"draws/main/{act}", commitment=first["commitment"], **more)
        assert (status, "given up by somebody else meanwhile" in body["problem"]) == (409, True)
    assert kinds(empty) == before
    status, shown = ask(dan, "draws/main/withdraw", commitment=second["commitment"], reason="the first draw was right")
    assert (status, shown["state"]) == (200, "drawn"), "the draw before both stands"
    assert [reason for _, reason in shown["earlier"]] == ["dice were forgotten", "the first draw was right"]
    assert not seeds_of(empty)


def test_no_session_starts_while_a_draw_waits_and_the_page_withdraws_it(empty: Place) -> None:
    dan, sam = empty.signed_in("director", "dan"), empty.signed_in("scorer", "sam")
    draw(dan)
    commit(dan, reason="second thoughts")
    status, body = ask(dan, "sessions/1/open")
    assert (status, "reveal its seed, or withdraw it" in body["problem"]) == (409, True)
    assert "Withdraw the commitment" in dan.get("/draws/main").text
    assert "Withdraw the commitment" not in sam.get("/draws/main").text
    assert ask(sam, "draws/main/withdraw", reason="x")[0] == 403
    status, body = ask(dan, "draws/main/withdraw", reason=" ")
    assert (status, "for a reason" in body["problem"]) == (409, True)
    assert ask(dan, "draws/main/withdraw", reason="the first draw was right")[0] == 200
    assert ask(dan, "sessions/1/open")[0] == 200


def test_a_first_commitment_that_was_withdrawn_is_told_and_another_list_is_taken(empty: Place) -> None:
    dan, guest = empty.signed_in("director", "dan"), empty.client()
    take(dan, NINE)
    _, first = commit(dan, fill="stand_ins")
    assert ask(dan, "draws/main/withdraw", reason="three were forgotten")[1]["state"] == "ready"
    page = guest.get("/draws/main").text
    assert first["commitment"][:16] in page
    assert "three were forgotten" in page
    assert take(dan, EIGHT)[0] == 200
    assert len(dan.get("/api/v1/event/players").json()["players"]) == 8
    assert commit(dan)[0] == 200
