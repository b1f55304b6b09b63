"""Finished deals, step by step: what is shown is the deal that was played, and only to whom it may be shown."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.host.console.hall import Place
from tests.host.console.test_event import ask, play
from tests.host.console.test_pages import check_harmless
from tests.host.journal.deals import write_deals
from wallwright.console.people.person import Person
from wallwright.console.replays.deals import Deals
from wallwright.console.replays.replay import END, START, TrackedReplay
from wallwright.errors import BadDeal, BadName
from wallwright.event import results
from wallwright.journal import Journal, read_journal
from wallwright.link.reports import Event
from wallwright.naming import seat_name
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.declarations import event_record
from wallwright.rules.sichuan.melds import MeldType
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.rules.sichuan.tiles import tile_name
from wallwright.tracking.moves import Moves

UNIT = "U-A1"


def written(place: Place, *, is_tracked: bool, count: int = 2, ruleset: str = "sichuan") -> list[Deal]:
    """Deals at table A1 in the hall's journal, which the console shows."""
    path = place.file.with_name("hall.journal")
    with Journal(path) as journal:
        rules = load_ruleset(ruleset)
        deals = write_deals(journal, count, 5, ruleset=rules, unit=UNIT, is_tracked=is_tracked)
    place.site.deals = Deals(path)
    return deals


def tiles_in(page: str) -> list[str]:
    return re.findall(r'<svg class="tile" role="img" aria-label="(\d[mps])"', page)


@pytest.mark.parametrize("ruleset", ["sichuan", "mil-2025-duplicate"])
def test_every_step_of_a_tracked_deal_has_all_tiles_of_the_set_once(place: Place, ruleset: str) -> None:
    [deal] = written(place, is_tracked=True, count=1, ruleset=ruleset)
    assert place.site.deals is not None
    [found] = place.site.deals.of(UNIT)
    replay = place.site.deals.replay(found)
    assert [move.verb for move in replay.moves] == [START, *(action.verb for action in deal.log), END]
    drawn = 0
    again = deal.anew()
    for step, move in enumerate(replay.moves):
        position = replay.at(step)
        drawn += move.verb == "draw"
        assert position.wall_left == 55 - drawn
        assert position.points is not None
        assert sum(position.points) == -sum(one.points for one in position.penalties)
        held: Counter[str] = Counter()
        for seat in position.seats:
            assert seat.hand is not None
            held.update([*seat.hand, *(() if seat.latest is None else (seat.latest,))])
            held.update(kind for meld in seat.melds for kind in meld)
            held.update(seat.discards)
        if 0 < step <= len(deal.log):
            again.push(deal.log[step - 1])
        # Of a set that was claimed one tile is among the discards as well.
        claimed = Counter(
            tile_name(meld.tile) for seat in range(4) for meld in again.melds(seat) if meld.type != MeldType.CONCEALED
        )
        assert max((held - claimed).values()) <= 4
        assert held.total() - claimed.total() == 108 - position.wall_left
    last = replay.at(len(replay.moves) - 1)
    assert last.points == deal.settle().points
    assert any("Next dealer" in str(line) for line in last.lines)
    assert replay.at(0).seats[deal.dealer].hand == tuple(map(tile_name, sorted(deal.dealt[deal.dealer])))


def test_a_declared_deal_goes_through_what_was_declared(place: Place) -> None:
    _, deal = written(place, is_tracked=False)
    assert place.site.deals is not None
    found = place.site.deals.of(UNIT)[0]
    assert (found.deal, found.moves) == (2, None)
    replay = place.site.deals.replay(found)
    told = [event_record(event) for event in deal.events]
    assert len(replay.moves) == len(told) + 2
    for step, event in enumerate(told, 1):
        position = replay.at(step)
        if event["type"] == "hu":
            for winner in event["winners"]:  # type: ignore[attr-defined]
                shown = position.seats[winner["seat"]]
                assert shown.has_won
                assert shown.latest == winner["winning"]
                assert replay.at(step - 1).seats[winner["seat"]].hand is None, "no face before it was shown"
    assert replay.at(len(told) + 1).points == deal.settle().points


def test_a_guest_follows_the_links_from_the_first_step_to_the_last(place: Place) -> None:
    [deal] = written(place, is_tracked=True, count=1)
    staff, guest = place.signed_in("scorer"), place.client()
    listed = staff.get("/tables/A1/deals")
    check_harmless(listed.text)
    [link] = re.findall(r'href="(/replays/\d+)"', listed.text)
    page = guest.get(link)
    assert page.status_code == 200
    assert 'rel="prev"' not in page.text
    assert Counter(tiles_in(page.text)) == Counter(tile_name(kind) for hand in deal.dealt for kind in hand)
    steps = 0
    while (found := re.search(r'href="([^"]+)" rel="next"', page.text)) is not None:
        steps += 1
        assert found[1] == f"{link}?step={steps}"
        if steps % 20 and steps < len(deal.log) - 2:
            page = guest.get(f"{link}?step={steps}")
            continue
        page = guest.get(found[1])
        check_harmless(page.text)
        assert len(page.content) < 150_000
    assert steps == len(deal.log) + 1
    assert "Why these points" in page.text
    assert "West claimed late" in page.text
    assert guest.get(f"{link}?step=100000").text == page.text
    assert guest.get(f"{link}?step=-5").status_code == 200
    assert guest.get(f"{link}?step=x").status_code == 422
    chinese = guest.get(f"{link}?step=3", headers={"Accept-Language": "zh-CN"}).text
    assert "上一步" in chinese


def test_a_replay_says_for_how_long_its_walls_were_washed(place: Place) -> None:
    path = place.file.with_name("hall.journal")
    with Journal(path) as journal:

        def told(seq: int, name: str, fields: dict[str, Any]) -> None:
            journal.append_event(UNIT, Event(seq, 1, 1000 * seq, name, fields), at_ms=1000 * seq)

        built = {"tile_set": 0, "stacks": [14, 13, 14, 13], "duration_ms": 23_000}
        told(1, "build_done", {**built, "wash_s": 60})
        told(2, "walls_up", {"tile_set": 0, "deal": 1})
        # The next walls are built, washed for another time, while this deal is played.
        told(3, "build_done", {**built, "tile_set": 1, "wash_s": 7})
    written(place, is_tracked=False, count=1)
    assert place.site.deals is not None
    [found] = place.site.deals.of(UNIT)
    assert found.washed_s == 60
    guest = place.client()
    assert "These walls were washed for 60 s." in guest.get(f"/replays/{found.entry}").text
    chinese = guest.get(f"/replays/{found.entry}", headers={"Accept-Language": "zh-CN"}).text
    assert "这副牌墙的牌洗了 60 秒。" in chinese


def test_a_deal_that_goes_on_is_shown_to_nobody(place: Place) -> None:
    written(place, is_tracked=True, count=1)
    path = place.file.with_name("hall.journal")
    assert place.site.deals is not None
    before = place.site.deals.of(UNIT)
    with Journal(path) as journal:
        started = journal.append("deal_started", {"deal": 2, "dealer": 0, "ruleset": "sichuan"}, at_ms=9, unit=UNIT)
        hand = {"type": "kong", "seat": 1, "kind": "concealed", "deal": 2}
        journal.append("declared", hand, at_ms=10, unit=UNIT)
    assert place.site.deals.of(UNIT) == before
    director = place.signed_in("director")
    for entry in (started, started + 1, 999_999, before[0].entry - 1):
        assert director.get(f"/replays/{entry}").status_code == 404


def test_moves_that_stop_before_the_end_are_refused() -> None:
    hands = [[0] * 4 + [1] * 4 + [2] * 4 + [3, 3], [9] * 4 + [10] * 4 + [11] * 4 + [12], [18] * 13, [19] * 13]
    going_on = Deal(load_ruleset("sichuan"), 0, hands, 55)
    with pytest.raises(BadDeal, match="do not reach its end"):
        TrackedReplay(Moves(7, going_on, (), (), ()))


def test_the_same_number_again_is_another_deal(tmp_path: Path) -> None:
    path = tmp_path / "hall.journal"
    with Journal(path) as journal:
        first = write_deals(journal, 1, 1, unit=UNIT, is_tracked=True)[0]
        second = write_deals(journal, 1, 2, unit=UNIT, is_tracked=True)[0]
    deals = Deals(path)
    newest, oldest = deals.of(UNIT)
    assert (newest.deal, oldest.deal) == (1, 1)
    for found, deal in ((newest, second), (oldest, first)):
        replay = deals.replay(found)
        assert replay.at(len(replay.moves) - 1).points == deal.settle().points
        assert len(replay.moves) == len(deal.log) + 2
    assert deals.of("another") == ()
    with pytest.raises(BadName):
        deals.finished(1)


def test_an_event_shows_its_deals_to_others_only_when_the_session_is_published(place: Place) -> None:
    book = place.begin_event()
    dan, sam, guest = place.signed_in("director"), place.signed_in("scorer"), place.client()
    screen = place.signed_in("screen")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    play(place, 1, deals=2)
    path = "/event/sessions/1/tables/1/deals/2"
    page = sam.get(path)
    assert page.status_code == 200
    assert path in sam.get("/event/sessions/1/tables/1").text
    last = int(re.findall(r"0 / (\d+)", page.text)[0])
    view = book.view.session(1)
    assert view is not None
    names = [name for _, name in view.tables[0].players]
    end = sam.get(f"{path}?step={last}").text
    assert all(name in end for name in names)
    entry = [one for one in read_journal(place.file.with_name("event.journal")) if one.kind == "result_recorded"]
    told = next(one for one in entry if one.body["table"] == 1 and one.body["deal"] == 2)
    whose = enumerate(zip(names, told.body["points"], strict=True))
    points = ", ".join(f"{seat_name(seat)} ({name}) {value:+d}" for seat, (name, value) in whose)
    assert f"Points: {points}." in end
    assert [one.get(path).status_code for one in (guest, screen)] == [404, 404]
    assert "signs in" in guest.get(path).text
    place.clock.now_ms += 3_600_000
    ask(dan, "sessions/1/stop")
    now = book.look().session(1)
    assert now is not None
    for sheet in now.tables:
        ask(dan, f"sessions/1/tables/{sheet.table}/sign-off", version=sheet.version)
    assert guest.get(path).status_code == 404
    assert ask(dan, "sessions/1/publish")[0] == 200
    assert [one.get(path).status_code for one in (guest, screen)] == [200, 200]
    assert guest.get("/event/sessions/1/tables/1/deals/9").status_code == 404
    assert guest.get("/event/sessions/9/tables/1/deals/1").status_code == 404


def test_where_the_event_has_its_own_journal_all_that_tables_tell_waits(place: Place) -> None:
    written(place, is_tracked=True, count=1)
    place.begin_event()
    assert place.site.deals is not None
    link = f"/replays/{place.site.deals.of(UNIT)[0].entry}"
    guest, screen, dan = place.client(), place.signed_in("screen"), place.signed_in("director")
    assert guest.get(link).status_code == 200, "no session is open"
    # Whichever board it was told by, and whatever the clocks said then: nobody knows what was played for the session.
    assert ask(dan, "sessions/1/open")[0] == 200
    assert [one.get(link).status_code for one in (guest, screen, dan)] == [404, 404, 200]
    assert "once they are published" in screen.get("/tables/A1/deals").text
    assert link not in screen.get("/tables/A1/deals").text
    refused, missing = guest.get(link), guest.get("/replays/99999")
    assert (refused.status_code, refused.text) == (missing.status_code, missing.text)
    assert ask(dan, "sessions/1/put_back")[0] == 200
    assert guest.get(link).status_code == 200


def test_what_a_referee_ruled_has_no_steps_and_says_so(place: Place) -> None:
    book = place.begin_event()
    dan = place.signed_in("director")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    book.do(
        Person("ria", "referee"),
        lambda desk: results.rule_result(desk, 1, 1, (3, -1, -1, -1), "as it stands at the table"),
    )
    answer = dan.get("/event/sessions/1/tables/1/deals/1")
    assert answer.status_code == 422
    assert "has ruled on it" in answer.text
