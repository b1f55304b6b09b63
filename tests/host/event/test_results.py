"""Results: what bots played comes out as the rules say, what cannot be is refused, and reality can be recorded."""

import re
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from wallwright.errors import EventRefused
from wallwright.event import results, running, setup
from wallwright.event.format import EventFormat
from wallwright.event.format_file import load_format
from wallwright.event.score_origins import explain_deal
from wallwright.naming import with_seats
from wallwright.rules.sichuan.records import settlement_record
from wallwright.words import english

from .paper import Paper, declared

WINDS = ("East", "South", "West", "North")


def playing(event_format: EventFormat | None = None) -> Paper:
    return Paper(8, event_format).draw().start()


def with_fault_rule(rule: str) -> EventFormat:
    return replace(load_format("chengdu-grand-prix"), machine_fault=rule)


def test_declared_deals_come_to_what_the_tracked_ones_came_to(seed: int) -> None:
    paper = playing()
    settled = paper.play(1, 1, 10, seed)
    sheet = paper.again().sessions[1].tables[0]
    assert [deal.points for deal in sheet.counted()] == [one.points for one in settled]
    assert [deal.next_dealer for deal in sheet.counted()] == [one.next_dealer for one in settled]
    assert sheet.points() == tuple(map(sum, zip(*(one.points for one in settled), strict=True)))
    assert [deal.fines for deal in sheet.counted()] == [sum(p.points for p in one.penalties) for one in settled]
    assert results.unbalanced(paper.desk) == ()


def test_a_preview_writes_nothing_and_says_who_pays_and_why() -> None:
    paper = playing()
    before = len(paper.log.lines)
    record: dict[str, Any] = {
        "events": [
            {"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 0, "value": 4}]},
            {"type": "hu", "by": "self_drawn", "winners": [{"seat": 2, "value": 2}]},
            {"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 3, "value": 1}]},
        ],
        "end": "three_hu",
        "hands": [],
    }
    shown = results.preview(paper.desk, 1, 2, record)
    assert len(paper.log.lines) == before
    # 4 from seat 1 to 0; then 2 + 1 from 1 and 3 to 2; then 1 from 1 to 3.
    assert shown.settled.points == (4, -8, 6, -2)
    assert any(
        "Seat 1 pays seat 0 4 points" in line and "SBR-6.1" in line for line in map(str, shown.settled.explain())
    )
    names = tuple(paper.state.name(player) for player in paper.state.sessions[1].tables[1].players)
    told = [line.said(with_seats(english, paper.desk.format.seats, names)) for line in shown.settled.explain()]
    assert any(f"South ({names[1]}) pays East ({names[0]}) 4 points: Hu of East" in line for line in told)
    entry = results.record_result(paper.desk, shown)
    assert paper.state.sessions[1].tables[1].deals[1].entry == entry
    with pytest.raises(EventRefused, match="correct that one"):
        results.record_result(paper.desk, shown)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"events": [], "end": "three_hu", "hands": []}, "0 players have declared Hu"),
        ({"events": [{"type": "hu", "by": "discard", "winners": [{"seat": 0, "value": 1}]}], "end": "wall"}, "from"),
        ({"events": [{"type": "kong", "seat": 1, "kind": "melded", "from": 1}], "end": "wall"}, "own discard"),
        ({"event": [], "end": "wall"}, "unknown key"),
        ({"ruleset": "mil-2025", "events": [], "end": "wall"}, "played by sichuan"),
        ({"fan_limit": 5, "events": [], "end": "wall"}, "played by sichuan"),
        ({"deal": 0}, "a number from 1 on"),
        ({"deal": "1"}, "a number from 1 on"),
        (
            {"events": [], "end": "wall", "hands": [{"seat": 0, "standing": "11111s", "melds": []}]},
            "cannot have happened",
        ),
    ],
)
def test_what_cannot_have_happened_is_refused(record: dict[str, Any], why: str) -> None:
    paper = playing()
    before = len(paper.log.lines)
    with pytest.raises(EventRefused, match=why):
        results.preview(paper.desk, 1, 1, record)
    assert len(paper.log.lines) == before


def test_what_was_shown_is_settled_anew_when_something_was_written_meanwhile() -> None:
    paper = playing(with_fault_rule("replay"))
    results.rule_result(paper.desk, 1, 1, (8, -8, 0, 0), "as it stands")
    shown = results.preview(paper.desk, 1, 1, declared(paper.desk.format.sichuan, 0, Random(5))[0])
    assert (shown.deal, shown.irregular) == (2, ())
    results.annul(paper.desk, 1, 1, "a lift was stuck")
    with pytest.raises(EventRefused, match="deal 1 is the next one"):
        results.record_result(paper.desk, shown)


def test_what_breaks_a_rule_needs_a_referees_reason() -> None:
    paper = playing()
    record, _ = declared(paper.desk.format.sichuan, 2, Random(5))
    shown = results.preview(paper.desk, 1, 1, {**record, "deal": 2})
    assert [("deal 1 is the next" in one, "seat 0 deals" in one) for one in map(str, shown.irregular)] == [
        (True, False),
        (False, True),
    ]
    with pytest.raises(EventRefused, match=r"SBR-8\.1"):
        results.record_result(paper.desk, shown)
    results.record_result(paper.desk, shown, "they changed the dealer by themselves")
    assert paper.again().sessions[1].tables[0].deals[2].reason == "they changed the dealer by themselves"
    paper.play(1, 2, 10)
    eleventh, _ = declared(paper.desk.format.sichuan, paper.desk.sheet(1, 2).next_dealer, Random(6))
    assert "SBR-9.1" in str(results.preview(paper.desk, 1, 2, eleventh).irregular[0])


def test_reality_is_never_refused_and_the_report_tells_what_does_not_sum_to_zero() -> None:
    paper = playing()
    with pytest.raises(EventRefused, match="has a reason"):
        results.rule_result(paper.desk, 1, 1, (5, -5, 0, 0), "")
    with pytest.raises(EventRefused, match="seats 0 to 3"):
        results.rule_result(paper.desk, 1, 1, (5, -5, 0), "x")
    with pytest.raises(EventRefused, match="seats 0 to 3"):
        results.rule_result(paper.desk, 1, 1, (5, -5, 0, 0), "x", winners=(4,))
    results.rule_result(paper.desk, 1, 1, (5, -5, 0, 0), "both agree", winners=(0,), next_dealer=0)
    results.rule_result(paper.desk, 1, 1, (0, 0, -48, 0), "void suit", fines={2: 48})
    assert results.unbalanced(paper.desk) == ()
    results.rule_result(paper.desk, 1, 1, (8, 0, 0, -7), "a chip is missing")
    assert [(sheet.table, deal.deal) for sheet, deal in results.unbalanced(paper.desk)] == [(1, 3)]
    assert paper.again().sessions[1].tables[0].points() == (13, -5, -48, -7)


def test_corrections_and_voids_keep_the_original() -> None:
    paper = playing()
    first = paper.play(1, 1, 2)[0]
    bodies = {fact.id: fact.body for fact in paper.log.facts()}
    record, settled = declared(paper.desk.format.sichuan, 0, Random(9))
    assert settled.points != first.points
    with pytest.raises(EventRefused, match="what was wrong"):
        results.correct(paper.desk, 1, 1, 1, record, "")
    results.correct(paper.desk, 1, 1, 1, record, "two hands were mixed up")
    deal = paper.desk.sheet(1, 1).deals[1]
    assert deal.points == settled.points
    assert [tuple(bodies[entry]["points"]) for entry in deal.before] == [first.points]
    results.correct_points(paper.desk, 1, 1, 1, (1, -1, 0, 0), "and again")
    assert len(paper.desk.sheet(1, 1).deals[1].before) == 2
    said = explain_deal(paper.state, paper.desk.sheet(1, 1), 1, paper.result)
    assert sum("corrected since" in line for line in said) == 2
    results.void(paper.desk, 1, 1, 2, "the set had 109 tiles")
    sheet = paper.again().sessions[1].tables[0]
    assert sheet.points() == (1, -1, 0, 0)
    assert (sheet.played, sheet.next_deal) == (2, 3)
    with pytest.raises(EventRefused, match="counts for nothing already"):
        results.void(paper.desk, 1, 1, 2, "again")
    with pytest.raises(EventRefused, match="no result of deal 7; there are 1, 2"):
        results.void(paper.desk, 1, 1, 7, "x")


class Tracked:
    """A table that tells its deals by itself, as a score sheet does."""

    def __init__(self, paper: Paper, unit: str) -> None:
        self.paper = paper
        self.unit = unit

    def tell(self, kind: str, /, **body: Any) -> None:
        self.paper.desk.append(kind, body, at_ms=self.paper.time_ms, unit=self.unit)

    def play(self, deal: int, seed: int = 1, *, ends: bool = True) -> Any:
        dealer = self.paper.desk.sheet(1, 1).next_dealer
        record, settled = declared(self.paper.desk.format.sichuan, dealer, Random(seed))
        self.tell("deal_started", deal=deal, dealer=dealer, ruleset="sichuan")
        for event in record["events"]:
            self.tell("declared", deal=deal, **event)
        if ends:
            self.tell("deal_result", deal=deal, end=record["end"], hands=[], **settlement_record(settled))
        return settled


def test_a_tracked_table_tells_and_the_scorer_confirms() -> None:
    paper = playing()
    setup.bind_table(paper.desk, 1, "SIM-1", "now")
    table = Tracked(paper, "SIM-1")
    settled = [table.play(1, 1), table.play(2, 2)]
    Tracked(paper, "SIM-77").tell("deal_result", deal=1, points=[0, 0, 0, 0])
    sheet = paper.again().sessions[1].tables[0]
    assert [deal.points for deal in sheet.counted()] == [one.points for one in settled]
    assert [deal.winners for deal in sheet.counted()] == [one.winners for one in settled]
    assert {(deal.source, deal.confirmed) for deal in sheet.counted()} == {("tracked", False)}
    said = explain_deal(paper.state, paper.desk.sheet(1, 1), 1, paper.result)
    paid = [re.match(r"(\w+) \(.*?\) pays (\w+) \(.*?\) (\d+): .* \(SBR-[\d.]+\)\.$", line) for line in said]
    gained = Counter[int]()
    for payment in filter(None, paid):
        payer, payee = (WINDS.index(wind) for wind in payment.groups()[:2])
        points = int(payment[3])
        gained.update({payer: -points, payee: points})
    fines = {fine.seat: fine.points for fine in settled[0].penalties}
    assert [gained[seat] - fines.get(seat, 0) for seat in range(4)] == list(settled[0].points)
    with pytest.raises(EventRefused, match=r"\[3\] do not wait"):
        results.confirm(paper.desk, 1, 1, (3,))
    assert results.confirm(paper.desk, 1, 1, (1,)) == (1,)
    table.play(3, ends=False)
    running.stop_session(paper.desk, 1, "all is well")
    with pytest.raises(EventRefused, match="in deal 3"):
        running.sign_off(paper.desk, 1, 1)
    results.annul(paper.desk, 1, 1, "the lift is broken")
    running.sign_off(paper.desk, 1, 1)
    assert all(deal.confirmed for deal in paper.again().sessions[1].tables[0].counted())


def test_a_deal_that_comes_twice_is_counted_once_and_noted() -> None:
    paper = playing()
    setup.bind_table(paper.desk, 1, "SIM-1")
    table = Tracked(paper, "SIM-1")
    first = table.play(1, 1)
    table.play(1, 2)
    state = paper.again()
    assert state.sessions[1].tables[0].points() == first.points
    assert "not counted twice" in state.notes[0]


def test_a_table_swapped_in_mid_session_keeps_its_deals() -> None:
    paper = playing()
    setup.bind_table(paper.desk, 1, "SIM-1")
    settled = [Tracked(paper, "SIM-1").play(1, 1)]
    setup.bind_table(paper.desk, 1, "SIM-2", "no light")
    Tracked(paper, "SIM-1").play(2, 7)  # in the workshop
    settled.append(Tracked(paper, "SIM-2").play(2, 3))
    deals = paper.again().sessions[1].tables[0].counted()
    assert [deal.points for deal in deals] == [one.points for one in settled]


@pytest.mark.parametrize("rule", ["replay", "void", "keep"])
def test_a_deal_that_the_machine_ends_is_dealt_with_by_the_rule_chosen_before(rule: str) -> None:
    paper = playing(with_fault_rule(rule))
    setup.bind_table(paper.desk, 1, "SIM-1")
    table = Tracked(paper, "SIM-1")
    first = table.play(1, 1)
    dealer = first.next_dealer
    table.tell("deal_started", deal=2, dealer=dealer, ruleset="sichuan")
    loser = (dealer + 1) % 4
    hu = {"type": "hu", "by": "discard", "from": loser, "winners": [{"seat": dealer, "value": 8}]}
    table.tell("declared", deal=2, **hu)
    assert results.annul(paper.desk, 1, 1, "jam at side 2") == rule
    sheet = paper.again().sessions[1].tables[0]
    kept = [0, 0, 0, 0]
    if rule == "keep":
        kept[dealer], kept[loser] = 8, -8
    assert sheet.points() == tuple(a + b for a, b in zip(first.points, kept, strict=True))
    assert sheet.next_deal == (2 if rule == "replay" else 3)
    if rule == "replay":
        again = table.play(2, 4)
        assert paper.again().sessions[1].tables[0].deals[2].points == again.points
        assert [deal.status for deal in paper.again().sessions[1].tables[0].past] == ["annulled"]


def test_annulling_the_last_deal_after_its_end() -> None:
    paper = playing()
    with pytest.raises(EventRefused, match="no deal to annul"):
        results.annul(paper.desk, 1, 1, "x")
    first = paper.play(1, 1, 2)[0]
    results.annul(paper.desk, 1, 1, "wrong set of tiles")
    sheet = paper.again().sessions[1].tables[0]
    assert (sheet.points(), sheet.next_deal, len(sheet.past)) == (first.points, 2, 2)
    void = playing(with_fault_rule("void"))
    void.play(1, 1, 1)
    with pytest.raises(EventRefused, match="void or correct deal 1"):
        results.annul(void.desk, 1, 1, "x")
