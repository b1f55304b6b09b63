"""What the console refuses before play, at its door and in its hall is said in the reader's language."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

import wallwright.console
from tests.host.console.before_play import EIGHT, NINE, ask, bind, commit, draw, take, version
from tests.host.console.hall import Place
from wallwright import errors
from wallwright.duplicate import announced, deals, drawing, json_form, open_deals, text
from wallwright.errors import JournalFull
from wallwright.event import players, seeds, setup
from wallwright.fleet.state import SEARCHING
from wallwright.rules.core import tiles
from wallwright.system import strict_json
from wallwright.words import words

FOLDER = Path(wallwright.console.__file__).parent
BEFORE_ALL = {"server.py", "program.py"}
"""They end before there is a page; who reads that has started the program."""
MODULES = (
    *sorted(one for one in FOLDER.rglob("*.py") if one.name not in BEFORE_ALL),
    *(Path(str(one.__file__)) for one in (errors, players, seeds, setup)),
    *(Path(str(one.__file__)) for one in (announced, deals, drawing, json_form, open_deals, strict_json, text, tiles)),
)
REFUSALS = {
    "AccountError",
    "BadDeal",
    "BadDeals",
    "BadJson",
    "BadName",
    "TileError",
    "BadPath",
    "BadPlayers",
    "EventRefused",
    "NotDone",
    "need_reason",
}
CHINESE = {"Accept-Language": "zh-CN"}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_nothing_is_refused_in_english_alone(module: Path) -> None:
    """A text without words has no Chinese: neither a plain one nor one with names put into it."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSALS:
            plain = [one for one in node.args if isinstance(one, ast.JoinedStr | ast.Constant)]
            assert plain == [], f"line {node.lineno}: {ast.unparse(node)}"


def latin(problem: str, *names: str) -> list[str]:
    """What is left of Latin letters without names."""
    for name in names:
        assert name in problem, f"{name} is not in {problem}"
        problem = problem.replace(name, "")
    return re.findall("[A-Za-z]+", problem)


def test_the_door_is_closed_in_the_readers_language(place: Place) -> None:
    guest, referee = place.client(), place.signed_in("referee")
    for client in (guest, referee):
        client.headers.update(CHINESE)
    key = {"Idempotency-Key": "a-key-of-its-own"}
    told = [
        (401, guest.post("/api/v1/hall/stop", headers=key)),
        (401, guest.post("/api/v1/session", json={"name": "nobody", "password": "of any kind"})),
        (403, referee.post("/api/v1/event/draws/main/commit", headers=key)),
        (403, referee.post("/api/v1/hall/stop", headers={**key, "X-CSRF-Token": "old"})),
        (404, referee.get("/api/v1/nowhere")),
        (413, guest.post("/api/v1/session", content=b"x" * 100_000)),
        (422, guest.post("/api/v1/first", json={"token": "x", "name": "dan", "password": "long enough for it"})),
    ]
    assert [answer.status_code for _, answer in told] == [status for status, _ in told]
    problems = [answer.json()["problem"] for _, answer in told if answer.headers["content-type"] == "application/json"]
    assert [latin(one.replace("`wallwright users invite`", "")) for one in problems] == [[]] * len(problems)
    assert guest.get("/api/v1/event").json() == {"problem": "请先登录"}
    assert guest.get("/api/v1/event", headers={"Accept-Language": "en"}).json() == {"problem": "sign in first"}


def test_what_comes_before_play_is_refused_in_the_readers_language(empty: Place) -> None:
    dan = empty.signed_in("director", "dan")
    dan.headers.update(CHINESE)
    bad = "name,club,apart\nA,,B\n,x,\nC,,C\na,,\nD,,,E\n" + "F\x07,,\n" + "G,,\n"
    preview = dan.post("/api/v1/event/players/preview", json={"text": bad}).json()["problems"]
    assert [latin(one) for one in preview] == [[], ["a"], ["E"], ["BELL", "U"], ["B"], ["C"]]
    assert latin(take(dan, bad)[1]["problem"], "players.csv", "a", "'B'", "C", "'E'", "BELL", "U+0007") == []
    refused = [
        ask(dan, "draws/main/reveal"),
        ask(dan, "draws/main/parts", of="P3", text="4 2 6"),
        ask(dan, "draws/main/commit", version=0),
        commit(dan),
    ]
    assert take(dan, NINE)[0] == 200
    refused.append(commit(dan))
    assert "轮空" in refused[-1][1]["problem"]
    refused.append(bind(dan, 9, "U-A1"))
    draw(dan, EIGHT)
    refused += [take(dan, EIGHT), commit(dan), ask(dan, "players", text=EIGHT, version=version(dan) + 1)]
    assert [status for status, _ in refused] == [409] * len(refused)
    assert [latin(body["problem"]) for _, body in refused] == [[]] * len(refused)


def test_a_command_that_was_not_done_is_answered_in_the_readers_language(place: Place) -> None:
    referee = place.signed_in("referee")
    referee.headers.update(CHINESE)
    key = "the-same-key-again"

    def command(name: str, table: str = "A1", key: str = "") -> tuple[int, str]:
        path = f"/api/v1/tables/{table}/commands/{name}"
        answer = referee.post(path, headers={"Idempotency-Key": key or f"key-of-{name}-{table}"})
        return answer.status_code, answer.json().get("problem", "")

    place.fleet.papers["A1"].refusal = errors.Refused("open_lid", "wrong_state", "building")
    status, problem = command("open_lid", key=key)
    assert (status, latin(problem, "open_lid", "wrong_state", "building")) == (409, [])
    assert command("open_lid", key=key) == (status, problem), "it is answered again as it was"
    place.fleet.tables["A2"] = replace(place.fleet.tables["A2"], link=SEARCHING)
    place.look()
    status, problem = command("open_lid", "A2")
    assert (status, latin(problem, "A2", "the cable is out")) == (409, [])
    status, problem = command("open_lid", "B7")
    assert (status, latin(problem, "B7")) == (404, [])
    place.fleet.journal_problem = JournalFull("hall.journal", "the disk is full")
    status, problem = command("stop")
    assert (status, latin(problem, "A1", "hall.journal", "the disk is full")) == (503, [])


def test_an_error_with_words_says_the_same_in_english_as_ever() -> None:
    told = errors.NotOnRecord(words("the stop of table {table}", table="A1"), JournalFull("x", "it is full"))
    assert str(told) == "the stop of table A1 is not on record (journal x: it is full); write down who did it and when"
    assert str(errors.BadDeal(3, words("its start is not here"))) == "deal 3: its start is not here"
    assert str(errors.BadPlayers("x.csv", (words("one"), words("two")))) == "x.csv: one; two"
