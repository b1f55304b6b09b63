"""The draw at the console: what everybody may follow, and a seed that nobody sees or loses."""

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import Request, Response

from tests.host.console.before_play import (
    EIGHT,
    NINE,
    ask,
    begin,
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
from tests.host.console.test_pages import check_harmless
from wallwright import cli
from wallwright.console.feed.channels import ValueChannel
from wallwright.console.feed.feed import Channel
from wallwright.console.pages import setup
from wallwright.console.people.access import PUBLIC, RULES
from wallwright.console.people.accounts import ROLES
from wallwright.console.tournament.book import Book
from wallwright.journal import read_journal


def test_the_seed_is_nowhere_before_it_is_revealed(empty: Place, capsys: pytest.CaptureFixture[str]) -> None:
    dan = empty.signed_in("director")
    take(dan, EIGHT)
    answers = [json.dumps(commit(dan))]
    [seed] = seeds_of(empty)
    words = [seed, seed.hex().encode(), seed.hex().upper().encode(), b64encode(seed)]
    answers += [json.dumps(commit(dan)), json.dumps(commit(dan, reason="again"))]
    answers.append(json.dumps(ask(dan, "draws/main/parts", of="A", text="4")))
    seen = [path for method, path in RULES if method == "GET" and "/live/" not in path and "stream" not in path]
    values = {"stage": "main", "table": "1", "session": "1", "player": "1", "deal": "1", "entry": "3", "name": "x"}
    values["act"] = "confirm"
    for role in (*ROLES, PUBLIC):
        client = empty.signed_in(role)
        for path in seen:
            filled = path.format(**{"command": "stop", "token": "x", "paper": "seats", **values})
            answers.append(client.get(filled).text)
    answers += capsys.readouterr()
    kept = [empty.file, *(path for path in journal(empty).parent.iterdir() if "-seed-" not in path.name)]
    found = [path.read_bytes() for path in kept if path.is_file()]
    for place in (*(answer.encode() for answer in answers), *found):
        assert not any(word in place for one in seeds_of(empty) for word in (one, *words)), place[:200]
    last = seeds_of(empty)
    assert len(last) == 2
    assert ask(dan, "draws/main/reveal")[0] == 200
    assert any(one.hex() in empty.client().get("/api/v1/event/draws/main/transcript").text for one in last)
    assert seeds_of(empty) == []


def run(monkeypatch: pytest.MonkeyPatch, *line: str) -> None:
    monkeypatch.setattr("sys.argv", ["wallwright", "event", *line])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code in (None, 0)


@pytest.mark.parametrize("first", ["console", "command line"])
def test_what_one_has_committed_to_the_other_reveals(empty: Place, monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    dan, path = empty.signed_in("director"), journal(empty)
    take(dan, EIGHT)
    if first == "console":
        commit(dan)
        monkeypatch.chdir(path.parent)
        run(monkeypatch, "draw", "reveal", path.name)
    else:
        run(monkeypatch, "draw", "commit", str(path))
        assert ask(dan, "draws/main/reveal")[0] == 200
    empty.site.event.look()
    assert dan.get("/api/v1/event/draws/main").json()["state"] == "drawn"
    assert "✓ Recomputed" in empty.client().get("/draws/main").text
    run(monkeypatch, "draw", "verify", str(path))


def test_a_server_that_died_after_the_commitment_loses_nothing(empty: Place) -> None:
    dan = empty.signed_in("director")
    take(dan, EIGHT)
    committed = commit(dan)[1]["commitment"]
    ask(dan, "draws/main/parts", of="A", text="4")
    empty.site.book = Book(str(journal(empty)), empty.clock)
    status, drawn = ask(dan, "draws/main/reveal")
    assert (status, drawn["commitment"], drawn["parts"]) == (200, committed, [{"of": "A", "text": "4"}])


def test_a_commitment_whose_answer_was_lost_is_made_once(empty: Place) -> None:
    dan = empty.signed_in("director")
    take(dan, EIGHT)
    body = {"version": version(dan)}
    one = ask(dan, "draws/main/commit", "the-same-key", **body)
    assert ask(dan, "draws/main/commit", "the-same-key", **body) == one
    assert kinds(empty).count("draw_committed") == 1


def test_everybody_follows_an_open_draw_and_nobody_else_acts(empty: Place) -> None:
    dan, sam, guest = empty.signed_in("director"), empty.signed_in("scorer"), empty.client()
    assert guest.get("/draws").headers["location"] == "/draws/main"
    assert "no list of players" in guest.get("/draws/main").text
    take(dan, EIGHT)
    assert "Commit to a seed" in dan.get("/draws/main").text
    first = commit(dan)[1]["commitment"]
    ask(dan, "draws/main/parts", of="Ann", text="3 1")
    for client in (sam, guest):
        page = client.get("/draws/main").text
        assert "open for parts" in page
        assert all(f"<span>{first[at : at + 4]}</span>" in page for at in range(0, 64, 4))
        assert "<b><bdi>Ann</bdi></b>: <bdi>3 1</bdi>" in page
        assert all(f"<bdi>P{n}</bdi>" in page for n in range(1, 9))
        assert "<form" not in main_of(page)
    assert "<form" in main_of(dan.get("/draws/main").text)
    assert commit(dan, reason="a <b>name</b> was wrong")[1]["earlier"] == [[first, "a <b>name</b> was wrong"]]
    page = guest.get("/draws/main").text
    assert first[:16] in page
    assert "a <b>name</b> was wrong" in check_harmless(page).text
    assert guest.get("/draws/final").status_code == 404
    assert guest.get("/setup").headers["location"] == "/sign-in?next=%2Fsetup"


def test_a_draw_that_does_not_follow_is_told_to_everybody(empty: Place) -> None:
    dan, guest = empty.signed_in("director"), empty.client()
    draw(dan)
    book = empty.site.event
    assert book.draws[0].problems == ()
    book._state.draws["main"].lots = book._state.draws["main"].lots[::-1]
    book.look()
    page = guest.get("/draws/main").text
    assert "✓ Recomputed" not in page
    assert "the lots do not follow" in page
    assert "the seats do not follow" in page
    again = Book(str(journal(empty)), empty.clock)
    assert again.draws[0].problems == ()


def test_the_report_of_the_seats_is_the_one_in_the_journal(empty: Place) -> None:
    dan = empty.signed_in("director")
    take(dan, NINE)
    commit(dan, fill="stand_ins")
    shown = ask(dan, "draws/main/reveal")[1]["report"]
    [kept] = [entry.body["report"] for entry in read_journal(journal(empty)) if entry.kind == "seats_planned"]
    assert shown == kept
    page = check_harmless(empty.client().get("/draws/main").text).text
    assert f"{kept['repeats']} times; no plan can have fewer than {kept['least_repeats']}" in page
    assert f"meet {kept['clashes']} times" in page


def test_a_final_is_drawn_for_the_best_when_all_else_is_final(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(
        'base = "chengdu-grand-prix"\nname = "Short"\nsessions = 1\nbest_of = []\nfinal_players = 4\n'
        "final_sessions = 2\nappeal_minutes = 0\n"
    )
    begin(place, str(file))
    dan, guest = place.signed_in("director"), place.client()
    draw(dan)
    assert "when all sessions before it are final" in guest.get("/draws/final").text
    status, body = ask(dan, "draws/final/commit", version=version(dan))
    assert (status, "are not final yet" in body["problem"]) == (409, True)
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}", reason="")
    ask(dan, "sessions/1/stop", reason="a short day")
    view = place.site.event.view.session(1)
    assert view is not None
    for sheet in view.tables:
        assert ask(dan, f"sessions/1/tables/{sheet.table}/sign-off", version=sheet.version)[0] == 200
    for step in ("publish", "finalise"):
        assert ask(dan, f"sessions/1/{step}", reason="nobody appeals")[0] == 200
    best = [row["player"] for row in guest.get("/api/v1/event/standings").json()][:4]
    assert [number for number, _ in guest.get("/api/v1/event/draws/final").json()["players"]] == best
    assert ask(dan, "penalties", player=best[0], name="disqualification", reason="two tiles up the sleeve")[0] == 200
    best = [row["player"] for row in guest.get("/api/v1/event/standings").json() if row["rank"] is not None][:4]
    assert [number for number, _ in guest.get("/api/v1/event/draws/final").json()["players"]] == best
    assert ask(dan, "draws/final/commit", version=version(dan))[0] == 200
    assert guest.get("/draws").headers["location"] == "/draws/final"
    status, drawn = ask(dan, "draws/final/reveal")
    assert (status, drawn["problems"], drawn["sessions"]) == (200, [], [2, 3])
    assert sorted(number for number, _ in drawn["lots"]) == sorted(best)


def test_who_watches_a_draw_gets_every_part_and_nothing_twice(empty: Place) -> None:
    dan, book = empty.signed_in("director"), empty.site.event
    take(dan, EIGHT)
    commit(dan)
    channel = ValueChannel("draw", lambda: book.view, lambda: book.draws[0], lambda draw: str(len(draw.parts)))
    hall = empty.desk.view
    assert (channel.changes(hall, ()), channel.whole(hall)) == (b"", b"event: draw\ndata: 0\n\n")
    book.look()
    assert channel.changes(hall, ()) == b""
    ask(dan, "draws/main/parts", of="A", text="4")
    assert channel.changes(hall, ()) == b"event: draw\ndata: 1\n\n"
    assert channel.changes(hall, ()) == b""


def test_a_page_of_the_draw_is_kept_up_to_date_as_its_role_sees_it(
    empty: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    dan, guest = empty.signed_in("director"), empty.client()
    take(dan, EIGHT)
    commit(dan)
    keys = set()

    def stream(request: Request, asking: object, key: tuple[str, ...], make: Callable[[], Channel]) -> Response:
        keys.add(key)
        return Response(make().whole(empty.desk.view))

    monkeypatch.setattr(setup, "stream", stream)
    for client in (dan, guest):
        told = client.get("/live/draws/main").text
        assert told.startswith("event: draw\ndata: ")
        body = "\n".join(line.removeprefix("data: ") for line in told.splitlines()[1:] if line)
        page = main_of(client.get("/draws/main").text)
        assert body.strip() in page
    assert len(keys) == 2, "what a director gets is not what a guest gets"
    assert guest.get("/live/draws/final").status_code == 404
