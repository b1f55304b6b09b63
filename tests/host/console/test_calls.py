"""What waits for a referee: calls and deals to decide, who acts upon them, and what is left of it after a restart."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.host.console.hall import START_MS, Clock, Place
from wallwright.console.feed.channels import ApiChannel
from wallwright.console.pages.calls import CallsChannel
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.errors import BadConfig, BadDeal, BadName, JournalFull
from wallwright.event import results, running, setup
from wallwright.event.format_file import parse_format
from wallwright.event.store import open_event
from wallwright.fleet.state import Change, DealNoted, DealOpened
from wallwright.fleet.tracked import RESET
from wallwright.journal import Journal
from wallwright.journal.kinds import read_record
from wallwright.journal.kinds.deals import DealDisputed, DealQuestion, DealToDeclare
from wallwright.link.reports import Event
from wallwright.rules.sichuan.settlement import Settlement

RIA, DAN = Person("ria", "referee"), Person("dan", "director")
QUESTION = {
    "deal": 5,
    "text": 'What happened after "2 draw 5p", action 70?',
    "asks": "parting",
    "after": "2 draw 5p",
    "answers": [
        {"text": '"2 hu 5p", points ...', "action": "2 hu 5p", "points": [-1, -1, 3, -1]},
        {"text": "the deal was over, points ...", "action": None, "points": [-3, 0, 3, 0]},
    ],
    "boot_id": 1,
    "seq": 7,
}
DISPUTE = {"deal": 6, "text": "declared otherwise", "declared": [3, -1, -1, -1], "tracked": [0, 0, 0, 0]}
DECLARE = {"deal": 7, "text": f"deal 7 has to be declared: {RESET}", "why": RESET}


def tell(place: Place, kind: str, body: dict[str, Any], entry: int, table: str = "A1") -> None:
    unit = f"U-{table}"
    deal = DealNoted(unit, body["deal"]) if kind == "tracked" else opened(f"deal_{kind}", unit, entry, body)
    place.fleet.news.tell(Change(START_MS, table, kind, {**body, "entry": entry, "unit": unit}, deal=deal))


def opened(kind: str, unit: str, entry: int, body: Mapping[str, Any]) -> DealOpened:
    said = read_record(kind, body)
    assert isinstance(said, DealQuestion | DealDisputed | DealToDeclare)
    return DealOpened(unit, entry, said)


def key(text: str) -> dict[str, str]:
    return {"Idempotency-Key": text}


def test_a_call_is_open_until_who_has_gone_there_says_that_it_is_done(place: Place) -> None:
    place.fleet.tell("A1", "referee_called", seq=1, side=1)
    place.fleet.tell("A1", "referee_called", seq=2, side=1)
    place.look()
    [call] = place.desk.view.calls
    assert [table.name for table in place.desk.view.attention] == ["A1"]
    place.desk.referee.take_call(RIA, call.id)
    assert place.desk.referee.take_call(DAN, call.id).taken_by == "ria", "the first is on the way"
    place.clock.now_ms += 3_600_000
    place.look()
    assert [one.taken_by for one in place.desk.view.calls] == ["ria"]
    assert place.desk.view.attention == ()
    place.desk.referee.end_call(RIA, call.id, "which tile was discarded")
    place.look()
    assert place.desk.view.calls == ()
    assert [record for _, record in place.fleet.records] == [
        {"person": "ria", "role": "referee", "act": "take_call", "table": "A1", "call": call.id, "unit": "U-A1"},
        {"person": "ria", "role": "referee", "act": "end_call", "table": "A1", "call": call.id,
         "words": "which tile was discarded", "unit": "U-A1"},
    ]  # fmt: skip
    with pytest.raises(BadName, match="somebody else"):
        place.desk.referee.end_call(DAN, call.id, "")


def test_who_calls_again_while_somebody_is_on_the_way_gets_another_call(place: Place) -> None:
    place.fleet.tell("A1", "referee_called", seq=1, side=1)
    place.look()
    place.desk.referee.take_call(RIA, place.desk.view.calls[0].id)
    place.fleet.tell("A1", "referee_called", seq=2, side=2)
    place.look()
    [again] = place.desk.view.calls
    assert (again.side, again.taken_by) == (2, None)


def test_nothing_counts_that_the_journal_does_not_take(place: Place) -> None:
    place.fleet.tell("A1", "referee_called", seq=1, side=1)
    tell(place, "disputed", DISPUTE, 20)
    place.look()
    place.fleet.journal_problem = JournalFull("hall.journal", "the disk is full")
    ria = place.signed_in("referee", "ria")
    [call] = place.desk.view.calls
    for path, body in (
        (f"calls/{call.id}/take", None),
        (f"calls/{call.id}/end", {"words": ""}),
        ("deals/20/settle", {"words": "as declared"}),
    ):
        assert ria.post(f"/api/v1/{path}", json=body, headers=key(path.replace("/", "-"))).status_code == 503
    place.look()
    assert [one.taken_by for one in place.desk.view.calls] == [None]
    assert len(place.desk.view.deals) == 1


def test_a_question_is_answered_by_a_referee_who_sees_what_comes_of_it(place: Place) -> None:
    tell(place, "question", QUESTION, 20)
    place.look()
    ria = place.signed_in("referee", "ria")
    for path in ("/calls", "/tables/A1"):
        page = ria.get(path).text
        assert page.count('aria-label="5p"') == 2, "the tile that was drawn, and won on"
        for text in ("draws", "What happened after this?", "declares Hu", "The deal was over.", "+3"):
            assert text in page
    place.fleet.settlement = Settlement((-3, 0, 3, 0), (), (), (), 1, (), (), "wall")
    told = ria.post("/api/v1/deals/20/answer", json={"answer": 2}, headers=key("the-second-is-right"))
    assert (told.status_code, told.json()) == (200, {"deal": 5, "points": [-3, 0, 3, 0]})
    ria.post("/api/v1/deals/20/answer", json={"answer": 2}, headers=key("the-second-is-right"))
    assert place.fleet.answered == [("A1", 5, 2)]
    [(kind, act)] = place.fleet.records
    assert (kind, act["person"], act["act"], act["entry"], act["answer"]) == (
        "console_act", "ria", "answer_deal", 20, 2,
    )  # fmt: skip
    assert act["text"] == "the deal was over, points ..."
    tell(place, "tracked", {"deal": 5, "points": [-3, 0, 3, 0], "text": "noted"}, 22)
    place.look()
    assert place.desk.view.deals == ()
    late = ria.post("/api/v1/deals/20/answer", json={"answer": 1}, headers=key("the-first-is-right"))
    assert late.status_code == 404


def test_a_question_about_another_game_shows_chows_flowers_and_honours(place: Place) -> None:
    cards = [
        {"text": "x", "action": action, "points": [0, 0, 0, 0]} for action in ("1 chow 345m", "2 flower 8f", "3 hu 7z")
    ]
    tell(place, "question", {**QUESTION, "after": "0 replace 5z", "answers": cards}, 20)
    place.look()
    ria = place.signed_in("referee", "ria")
    page = ria.get("/calls").text
    for text in ("draws a replacement", "claims a chow", "lays out a flower", "declares Hu"):
        assert text in page
    shown = re.findall(r'<svg class="tile" role="img" aria-label="([^"]+)"', page)
    assert shown == ["white dragon", "3m", "4m", "5m", "flower 4, chrysanthemum", "red dragon"]
    assert "吃" in ria.get("/calls?lang=zh").text


@pytest.mark.parametrize(("asks", "said"), [("unread", "是这样结束的吗？"), ("pushed", "不合行牌的位置")])
def test_a_question_is_asked_in_the_readers_language(place: Place, asks: str, said: str) -> None:
    card = {"text": "x", "action": "1 void s", "points": [0, 0, 0, 0]}
    tell(place, "question", {**QUESTION, "asks": asks, "after": None, "answers": [card]}, 20)
    tell(place, "to_declare", DECLARE, 21)
    place.look()
    page = place.signed_in("referee").get("/calls?lang=zh").text
    assert all(text in page for text in (said, "定缺", "条", "本局结束前控制板重新启动了"))
    assert RESET not in page


def test_a_question_that_only_a_later_version_asks_is_shown_as_it_was_written(place: Place) -> None:
    tell(place, "question", {**QUESTION, "text": "did seat 2 win <i>?", "asks": "later"}, 20)
    place.look()
    assert "did West win &lt;i&gt;?" in place.signed_in("referee").get("/calls").text


def test_an_answer_that_there_is_not_and_one_that_comes_too_late_are_told(place: Place) -> None:
    tell(place, "question", QUESTION, 20)
    tell(place, "to_declare", DECLARE, 21)
    place.look()
    ria = place.signed_in("referee")
    place.fleet.settlement = BadDeal(5, "its question has been answered")
    for number, (entry, answer) in enumerate(((20, 1), (20, 3), (21, 1))):
        told = ria.post(f"/api/v1/deals/{entry}/answer", json={"answer": answer}, headers=key(f"answer-no-{number}"))
        assert told.status_code == 422
        assert "problem" in told.json()
    assert place.fleet.answered == [("A1", 5, 1)]


def test_a_deal_is_settled_with_words_once(place: Place) -> None:
    tell(place, "disputed", DISPUTE, 20, "A2")
    tell(place, "to_declare", DECLARE, 21)
    place.look()
    assert [(deal.table, deal.kind) for deal in place.desk.view.deals] == [("A2", "disputed"), ("A1", "to_declare")]
    ria = place.signed_in("referee", "ria")
    assert ria.post("/api/v1/deals/20/settle", json={"words": ""}, headers=key("no-words-at-all")).status_code == 422
    told = ria.post("/api/v1/deals/20/settle", json={"words": "as declared"}, headers=key("these-are-words"))
    assert (told.status_code, told.json()["declared"]) == (200, [3, -1, -1, -1])
    place.look()
    assert [deal.id for deal in place.desk.view.deals] == [21]
    [(_, act)] = place.fleet.records
    assert (act["act"], act["entry"], act["words"], act["unit"]) == ("settle_deal", 20, "as declared", "U-A2")
    again = ria.post("/api/v1/deals/20/settle", json={"words": "otherwise"}, headers=key("other-words-now"))
    assert again.status_code == 404


def test_a_dispute_takes_the_place_of_the_question_about_the_deal(place: Place) -> None:
    tell(place, "question", QUESTION, 20)
    tell(place, "disputed", {**DISPUTE, "deal": 5}, 22)
    tell(place, "disputed", {**DISPUTE, "deal": 5}, 22)
    place.look()
    assert [deal.id for deal in place.desk.view.deals] == [22]


def test_a_deal_leads_to_where_the_event_has_it_entered_or_corrected(place: Place) -> None:
    book = place.begin_event(4, "Player ")
    dan = place.signed_in("director", "dan")
    book.do(DAN, lambda desk: setup.bind_table(desk, 1, "U-A1"))
    book.do(DAN, lambda desk: running.open_session(desk, 1))
    book.do(DAN, lambda desk: running.start_session(desk, 1))
    with Journal(place.file.with_name("event.journal")) as journal:
        for deal in (5, 6):
            walls = Event(2 * deal, 1, 0, "walls_up", {"tile_set": 1, "deal": deal})
            rolled = {"seat": 0, "dice": (1, 2), "source": "key", "deal": deal, "roll": deal, "contributed": 0}
            seed = {"seed": "00" * 32, "contribution": "00" * 16}
            dice = Event(2 * deal + 1, 1, 0, "dice_rolled", rolled | seed)
            for event in (walls, dice):
                journal.append_event("U-A1", event, at_ms=place.clock.now_ms)
    book.look()
    book.do(DAN, lambda desk: results.rule_result(desk, 1, 1, (8, -8, 0, 0), "seen by a referee"))
    tell(place, "disputed", {**DISPUTE, "deal": 5}, 20)
    tell(place, "question", {**QUESTION, "deal": 6}, 21)
    tell(place, "to_declare", DECLARE, 22)
    place.look()
    page = dan.get("/calls").text
    assert "A result of it has been entered." not in page
    links = re.findall(r'<h3><a [^>]*>Table 1 · A1</a> · (Deal \d+)</h3>|href="(/event/sessions/1/[^"]*)"', page)
    assert ["".join(found) for found in links] == [
        "Deal 1", "/event/sessions/1/tables/1/declare?deal=1",
        "Deal 2", "/event/sessions/1/tables/1/declare",
        "Deal 7", "/event/sessions/1/tables/1/declare",
    ], "the event counts from 1; of deal 7 it has not heard"  # fmt: skip
    for link in ("declare?deal=1", "declare"):
        assert dan.get(f"/event/sessions/1/tables/1/{link}").status_code == 200
    book.do(DAN, lambda desk: results.rule_result(desk, 1, 1, (0, 0, 8, -8), "seen by a referee"))
    assert "A result of it has been entered." in dan.get("/calls").text
    assert len(re.findall(r"<li>\s*\w+ · <bdi>Player 1</bdi>\s*<b>", page)) == 4, (
        "each of four rows of points has the players' names"
    )


def test_who_may_not_answer_a_call_sees_no_button_for_it(place: Place) -> None:
    place.fleet.tell("A1", "referee_called", seq=1, side=1)
    tell(place, "question", QUESTION, 20)
    place.look()
    for path in ("/", "/tables/A1", "/calls"):
        assert "/take" in place.signed_in("referee").get(path).text, path
        assert "/take" not in place.signed_in("scorer").get(path).text, path


@pytest.mark.parametrize("words", ["<script>alert(1)</script>", "שולחן right to left", "x" * 10_000, "'; DROP TABLE--"])
def test_hostile_words_are_words(place: Place, words: str) -> None:
    tell(place, "to_declare", {**DECLARE, "text": words, "why": words}, 20)
    place.look()
    ria = place.signed_in("referee")
    for path in ("/calls", "/tables/A1"):
        assert "<script>alert" not in ria.get(path).text
    told = ria.post("/api/v1/deals/20/settle", json={"words": words}, headers=key("a-key-for-words"))
    assert told.status_code == (422 if len(words) > 500 else 200)


def test_how_long_a_call_waits_is_sent_without_the_page(place: Place) -> None:
    place.fleet.tell("A1", "referee_called", seq=1, side=1)
    place.look()
    channel = CallsChannel(lambda view: f"{len(view.calls)} calls")
    assert channel.whole(place.desk.view) == b"event: calls\ndata: 1 calls\n\n"
    assert b'event: since\ndata: {"00000001-1":"0:00"}' in channel.changes(place.desk.view, ())
    later = replace(place.desk.view, at_ms=place.desk.view.at_ms + 65_000)
    assert channel.changes(later, ()) == b'event: since\ndata: {"00000001-1":"1:05"}\n\n'
    assert channel.changes(replace(later, at_ms=later.at_ms + 1), ()) == b"", "once a second is enough"
    assert channel.changes(replace(later, calls=()), ()) == b"event: calls\ndata: 0 calls\n\n"


MINUTE_MS = 60_000


def test_a_call_that_nobody_takes_escalates_after_three_minutes_and_programs_are_told(place: Place) -> None:
    channel = ApiChannel()
    place.fleet.tell("A1", "referee_called", seq=1, side=1)
    place.fleet.tell("A2", "referee_called", seq=2, side=2)
    place.look()
    channel.changes(place.desk.view, ())
    place.desk.referee.take_call(RIA, place.desk.view.calls[0].id)
    place.clock.now_ms = START_MS + 3 * MINUTE_MS - 1
    place.look()
    channel.changes(place.desk.view, ())
    assert [call.overdue_min for call in place.desk.view.calls] == [None, None]
    assert "Nobody has gone there" not in place.signed_in("referee").get("/calls").text
    place.clock.now_ms += 1
    place.look()
    assert [call.overdue_min for call in place.desk.view.calls] == [None, 3], "somebody goes to A1"
    told = channel.changes(place.desk.view, ())
    assert told.startswith(b"event: table\n")
    assert told.count(b"event:") == 1
    assert b'"name":"A2"' in told
    assert b'"overdue_min":3' in told
    place.clock.now_ms += MINUTE_MS
    place.look()
    for path in ("/", "/calls", "/tables/A2"):
        page = place.signed_in("referee").get(path).text
        assert "Nobody has gone there for 4 min" in page, path
        assert 'class="calling overdue">2' not in page, "one of them is taken"
        assert 'class="calling overdue">1 · waiting for 4 min' in page, path
    assert "已 4 分钟无人前往" in place.signed_in("referee").get("/calls?lang=zh").text
    place.desk.referee.take_call(DAN, place.desk.view.calls[1].id)
    place.look()
    assert [call.overdue_min for call in place.desk.view.calls] == [None, None]


@pytest.mark.parametrize(("limit", "overdue"), [(0, None), (1, 2), (2, 2), (60, None)])
def test_the_event_says_when_a_call_escalates(tmp_path: Path, limit: int, overdue: int | None) -> None:
    clock, journal = Clock(), str(tmp_path / "event.journal")
    with open_event(journal, "dan", clock, new=True) as desk:
        setup.create(desk, parse_format(f'base = "mil-2025"\ncall_escalates_minutes = {limit}', "hall"))
    place = Place(tmp_path)
    place.desk._progress = Book(journal, clock)
    place.fleet.tell("A1", "referee_called", seq=1, side=1)
    place.look()
    place.clock.now_ms += 2 * MINUTE_MS
    place.look()
    assert [call.overdue_min for call in place.desk.view.calls] == [overdue]
    place.accounts.close()


@pytest.mark.parametrize("wrong", ["-1", "61", "2.5", '"3"', "true"])
def test_a_time_for_calls_that_cannot_be_meant_is_refused(wrong: str) -> None:
    with pytest.raises(BadConfig, match=r"call_escalates_minutes is .*, it must be a whole number from 0 to 60"):
        parse_format(f'base = "mil-2025"\ncall_escalates_minutes = {wrong}', "hall")


def test_calls_overdue_come_before_the_others(place: Place) -> None:
    place.fleet.tell("A2", "referee_called", seq=1, side=1)
    place.look()
    place.clock.now_ms += 3 * MINUTE_MS
    place.fleet.news.tell(
        Change(place.clock.now_ms, "A1", "event", event=Event(2, 1, 0, "referee_called", {"side": 0}))
    )
    place.look()
    assert [table.name for table in place.desk.view.attention] == ["A2", "A1"]
