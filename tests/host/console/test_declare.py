"""What the page for tapping a deal in starts with: the deal as it is on record, wherever it came from."""

import json
from collections.abc import Callable
from dataclasses import asdict
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest

from tests.host.console.hall import Place
from tests.host.console.tapping import mil_event
from tests.host.console.test_pages import SHORT, check_harmless
from tests.host.event.paper import declared
from tests.host.journal.deals import write_deals
from wallwright.console.people.person import Person
from wallwright.event import results, setup
from wallwright.journal import Journal
from wallwright.rules.sichuan.form import form_of
from wallwright.rules.sichuan.records import read_deal

DAN = Person("dan", "director")
ENTRY = "/event/sessions/1/tables/2/declare"


class Setup(HTMLParser):
    """What the page hands to its script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, Any] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs).get("data-setup")
        if told is not None:
            self.found = json.loads(told)


def begun(place: Place) -> None:
    book = place.begin_event()
    book.do(DAN, lambda desk: setup.bind_table(desk, 2, "U-A1"))
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")


def page_of(
    place: Place, deal: int | None = None, role: str = "scorer", language: str = "en"
) -> tuple[str, dict[str, Any]]:
    with place.signed_in(role) as client:
        answer = client.get(ENTRY, params={"lang": language, **({} if deal is None else {"deal": deal})})
    assert answer.status_code == 200
    return answer.text, Setup(answer.text).found


@pytest.mark.parametrize("is_tracked", [False, True])
def test_a_deal_that_its_table_has_told_is_there_as_it_was_told(place: Place, is_tracked: bool) -> None:
    begun(place)
    with Journal(place.file.with_name("event.journal")) as journal:
        first, second = write_deals(journal, 2, 5, unit="U-A1", is_tracked=is_tracked)
    book = place.site.event
    book.look()
    for number, deal in ((1, first), (2, second)):
        text, told = page_of(place, number)
        assert "The table told this deal." in text
        settled = read_deal({"dealer": deal.dealer, **told["start"]}, book.find_ruleset(None)).settle()
        assert (told["dealer"], settled.points) == (deal.dealer, deal.settle().points)
    _, told = page_of(place)
    assert (told["deal"], told["dealer"], told["start"]) == (3, second.settle().next_dealer, None)


def test_a_deal_that_was_entered_is_there_as_it_was_entered_last(place: Place) -> None:
    begun(place)
    book = place.site.event
    first, settlement = declared(book.find_ruleset(None), 0, Random(1))
    other = {"events": [], "end": "wall", "hands": [{"seat": seat, "value": 0} for seat in range(4)]}
    book.do(DAN, lambda desk: results.record_result(desk, results.preview(desk, 1, 2, other)))
    book.do(DAN, lambda desk: results.correct(desk, 1, 2, 1, first, "the wrong paper"))
    text, told = page_of(place, 1)
    assert "as it was entered" in text
    assert read_deal({"dealer": 0, **told["start"]}, book.find_ruleset(None)).settle() == settlement
    assert "修改" in page_of(place, 1, language="zh")[0]


@pytest.mark.parametrize(("begin", "ways"), [(begun, ["hu", "kong"]), (mil_event, ["hu", "kong", "breach"])])
def test_the_form_is_that_of_the_events_rules(place: Place, begin: Callable[[Place], object], ways: list[str]) -> None:
    begin(place)
    form = page_of(place)[1]["form"]
    ruleset = place.site.event.find_ruleset(None)
    assert form == json.loads(json.dumps(asdict(form_of(ruleset))))
    assert form["ways"] == [*ways, "end"]
    assert form["worth"][-1] == ruleset.value(99)


def test_the_script_that_draws_the_form_knows_no_item_and_no_end_of_a_game(place: Place) -> None:
    begun(place)
    with place.signed_in("scorer") as client:
        script = client.get("/static/declare_deal.js").text
    form = page_of(place)[1]["form"]
    assert [name for name in (*form["items"], form["over"], *form["hands_at"]) if f'"{name}"' in script] == []


def test_a_referees_word_has_points_alone(place: Place) -> None:
    begun(place)
    place.site.event.do(DAN, lambda desk: results.rule_result(desk, 1, 2, (3, -1, -1, -1), "the wall fell"))
    text, told = page_of(place, 1)
    assert "There are only points of this deal" in text
    assert told["start"] is None
    assert told["corrects"] == 1


@pytest.mark.parametrize(("role", "told"), [("scorer", "has to approve"), ("referee", "It counts at once")])
def test_who_enters_something_irregular_is_told_who_approves_it(place: Place, role: str, told: str) -> None:
    begun(place)
    assert told in page_of(place, role=role)[0]


def test_there_is_no_page_for_a_deal_that_is_not_there(place: Place) -> None:
    begun(place)
    with place.signed_in("scorer") as client:
        assert client.get(f"{ENTRY}?deal=1").status_code == 404
        assert client.get(ENTRY.replace("tables/2", "tables/9")).status_code == 404


@pytest.mark.parametrize("name", SHORT)
def test_a_player_may_be_called_anything(place: Place, name: str) -> None:
    book = place.begin_event(8, prefix=name)
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")
    text, told = page_of(place)
    check_harmless(text)
    assert sorted(told["players"]) == sorted(name for _, name in book.view.sessions[0].tables[1].players)
