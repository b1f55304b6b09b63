"""Seats and tables are called as people do, on every page, in both languages; programs get their numbers."""

import re
from random import Random
from typing import Any

import pytest

from tests.host.console.hall import Place
from tests.host.console.test_calls import DECLARE, DISPUTE, QUESTION, tell
from tests.host.console.test_pages import Reader
from tests.host.console.test_texts import CATALOGS, entries
from tests.host.event.paper import declared
from wallwright.console import texts
from wallwright.console.people.person import Person
from wallwright.console.voice import TableNames, Voice
from wallwright.event import results, running, setup
from wallwright.event.desk import Desk
from wallwright.event.format_file import parse_format
from wallwright.naming import NUMBERS, WINDS, EventTable, HallTable, retold, seat_name, table_name
from wallwright.words import Seat, words

DAN = Person("dan", "director")
PAGES = (
    "/", "/tables/A1", "/tables/A1/deals", "/tables/A1/confirm/stop", "/confirm/stop-all", "/calls", "/event",
    "/event/sessions/1", "/event/sessions/1/tables/1", "/event/sessions/1/tables/1/declare",
    "/event/sessions/1/tables/1/declare?deal=1", "/event/sessions/1/tables/1/deals/1?step=9", "/event/appeals",
    "/event/papers", "/event/standings", "/setup", "/seats/1", "/screen", "/players",
    "/players/1", "/draws/main", "/event/sessions/1/score-sheets", "/event/sessions/1/slips", "/event/report",
)  # fmt: skip
NUMBERED = re.compile(r"\b(seat|side|Seat|Side) [0-3]\b|(?<![0-9]) ?0 号位")


def play(desk: Desk) -> None:
    """A deal at the first table, of all that a declared deal can hold."""

    setup.bind_table(desk, 1, "U-A1")
    running.open_session(desk, 1)
    running.start_session(desk, 1)
    told, _ = declared(desk.format.sichuan, desk.sheet(1, 1).next_dealer, Random(11))
    results.record_result(desk, results.preview(desk, 1, 1, told))


@pytest.fixture
def day(place: Place) -> Place:
    """A hall with a call, a fault with a side, deals to decide and a tournament in play."""
    book = place.begin_event(8)
    book.do(DAN, play)
    for entry, (kind, body) in enumerate((("question", QUESTION), ("disputed", DISPUTE), ("to_declare", DECLARE)), 20):
        tell(place, kind, body, entry)
    happened: tuple[tuple[str, dict[str, Any]], ...] = (
        ("referee_called", {"side": 0}),
        ("key_pressed", {"key": "referee", "side": 0}),
        ("side_done", {"side": 1, "stacks": 13}),
        ("command_accepted", {"message": "open_lid", "source": "side_0"}),
        ("claim", {"seat": 0, "time_ms": 1}),
    )
    for seq, (name, fields) in enumerate(happened, 1):
        place.fleet.tell("A1", name, seq=seq, **fields)
    place.fleet.change("A2", state="fault", fault="lane_jam", fault_side=0, drives=("disc", "conveyor_0"))
    place.look()
    return place


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_no_page_numbers_a_seat_from_nought(day: Place, path: str, language: str) -> None:
    client = day.signed_in("director", "dan")
    client.cookies.set("lang", language)
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    read = Reader(answer.text)
    labels = [value or "" for _, attributes in read.elements for name, value in attributes.items()
              if name in ("aria-label", "title", "placeholder", "alt")]  # fmt: skip
    found = [told[0] for text in (read.text, *labels) for told in NUMBERED.finditer(text)]
    assert found == []


def test_a_table_has_one_name_and_leads_from_hall_to_event_and_back(day: Place) -> None:
    client = day.signed_in("director", "dan")
    for path in (
        "/",
        "/tables/A1",
        "/calls",
        "/event",
        "/event/sessions/1/tables/1",
        "/seats/1",
        "/setup",
        "/event/sessions/1/score-sheets",
        "/event/sessions/1/slips",
    ):
        assert "able 1 · A1" in Reader(client.get(path).text).text, path
        assert "第 1 桌（A1）" in Reader(client.get(path, headers={"Accept-Language": "zh"}).text).text, path
    for path in ("/", "/tables/A1", "/calls"):
        assert 'href="/event/sessions/1/tables/1"' in client.get(path).text, path
    for path in ("/event", "/event/sessions/1/tables/1"):
        assert 'href="/tables/A1"' in client.get(path).text, path
    refused = client.post(
        "/api/v1/event/sessions/1/tables/1/sign-off", json={"version": 0}, headers={"Idempotency-Key": "too-late-1"}
    )
    assert refused.json()["problem"].startswith("table 1 · A1 was changed"), refused.text


def test_who_works_in_the_hall_alone_is_not_led_to_the_event(day: Place) -> None:
    assert "/event/sessions" not in day.signed_in("screen").get("/").text


def test_seats_are_numbered_from_one_where_the_event_says_so() -> None:
    assert [seat_name(seat) for seat in range(4)] == ["East", "South", "West", "North"]
    assert [seat_name(seat, NUMBERS) for seat in range(4)] == ["seat 1", "seat 2", "seat 3", "seat 4"]
    line = words("{seat} pays {payee}", seat=Seat(0, begins=True), payee=Seat(3))
    assert str(line) == "Seat 0 pays seat 3"
    assert line.said(Voice("en", NUMBERS)) == "Seat 1 pays seat 4"
    assert line.said(Voice("zh", NUMBERS).at("甲乙丙丁")) == "1 号位（甲） pays 4 号位（丁）"
    assert retold("Seat 0 claimed, seat 3 did not; seat 44", Voice("en")) == "East claimed, North did not; seat 44"


def test_a_table_is_called_by_what_is_known_of_it() -> None:
    voice = Voice("en", WINDS, TableNames({7: "B1", 8: "8"}, {"B1": 7, "8": 8}))
    assert table_name(None, "B1") == "B1"
    for value, said in ((EventTable(7), "table 7 · B1"), (EventTable(8), "table 8"), (EventTable(9), "table 9"),
                        (HallTable("B1"), "table 7 · B1"), (HallTable("C1"), "table C1")):  # fmt: skip
        assert words("{table}", table=value).said(voice) == said
    assert str(EventTable(7).said(texts.translator("en"))) == "table 7"


def test_a_format_says_what_seats_are_called() -> None:
    assert parse_format('base = "mil-2025"', "a.toml").seats == WINDS
    assert parse_format('base = "mil-2025"\nseats = "numbers"', "a.toml").seats == NUMBERS
    with pytest.raises(Exception, match="seats is 'east'"):
        parse_format('base = "mil-2025"\nseats = "east"', "a.toml")


def test_a_stop_of_the_session_is_asked_apart_from_the_pause(day: Place) -> None:
    page = day.signed_in("director", "dan").get("/event").text
    acts, _, rest = page.partition('<section class="apart"')
    assert 'id="pause-1"' in acts
    assert 'id="stop-1"' not in acts
    asked = rest.partition("</section>")[0]
    assert "every table signs what it has played" in asked
    assert 'id="sure-1" required' in asked


CJK = "\u4e00-\u9fff"
HALF_WIDTH = re.compile(rf"[{CJK}][,;:!?()]|[,;!?()][{CJK}]")
FORBIDDEN = ("和牌", "诈和", "对对和", "平和", "副露", "和家", "一手，或终局", "面子", "加杠")
"""What Sichuan players do not say: 胡, 碰杠 and 接炮 or 点炮 by who did what."""
SECOND = (
    "桌子",
    "桌分",
    "检查点",
    "角色",
    "禁胡",
    "罚分前",
    "种子承诺",
    "可显示字符",
    "打牌者",
    "须有理由",
    "说明原因",
)
"""Second words for what has one already."""
MACHINE = re.compile(r"three_hu|time_up|self_drawn|robbed_kong|0 至 3 号位")


def test_chinese_keeps_its_own_marks_and_words() -> None:
    for _, _, english, chinese in entries(CATALOGS[0]):
        plain = re.sub(r"`[^`]*`|{[^}]*}", "", chinese)
        assert not HALF_WIDTH.search(plain), (english, chinese)
        assert not [word for word in FORBIDDEN + SECOND if word in chinese], (english, chinese)
        assert not MACHINE.search(chinese), (english, chinese)
        if "stand-in" in english:
            assert "替补" not in chinese.replace("归替补所有", ""), (english, chinese)
