"""What costs somebody points by mistyped tiles is asked before it is written; who says so is in the journal."""

from typing import Any

import pytest

from tests.host.event.paper import Paper
from wallwright.errors import EventRefused
from wallwright.event import results
from wallwright.event.doubtful import Doubtful
from wallwright.event.format_file import parse_format
from wallwright.event.score_origins import explain_deal
from wallwright.event.settling import settle
from wallwright.journal.kinds import make_record
from wallwright.journal.kinds.desk import ResultRecorded, TableBound

NO_HU = {"seat": 1, "standing": "1122334455669s", "winning": "1m"}
SAID = {"false": True, "referee": "Ann"}


def false_hu(**said: Any) -> dict[str, Any]:
    hands = [{"seat": seat, "value": 0} for seat in (0, 2, 3)]
    return {
        "events": [{"type": "hu", "by": "self_drawn", "winners": [{**NO_HU, **said}]}],
        "end": "wall",
        "hands": hands,
    }


def agreed(**hand: Any) -> dict[str, Any]:
    hands = [{"seat": seat, "value": 0} for seat in (0, 2, 3)]
    return {
        "events": [{"type": "hu", "by": "self_drawn", "winners": [{"seat": 1, **hand}]}],
        "end": "wall",
        "hands": hands,
    }


def begun(rule: str = "count") -> Paper:
    text = f'base = "chengdu-grand-prix"\nagreed_values = "{rule}"\n'
    return Paper(event_format=parse_format(text, "x.toml")).draw().start()


def test_a_hand_that_is_no_hu_is_refused_and_nothing_is_written() -> None:
    paper = begun()
    before = len(paper.log.lines)
    with pytest.raises(
        Doubtful, match=r'seat 1 has no Hu: the hand is not complete.*"false": true, "referee"'
    ) as caught:
        results.preview(paper.desk, 1, 1, false_hu())
    assert [(one.kind, one.seat, one.at) for one in caught.value.doubts] == [("false_hu", 1, 0)]
    with pytest.raises(Doubtful, match="none is named"):
        results.preview(paper.desk, 1, 1, false_hu(false=True))
    assert len(paper.log.lines) == before


def test_who_has_found_it_is_kept_folded_or_refused_by_the_character() -> None:
    paper = begun()
    shown = results.preview(paper.desk, 1, 1, false_hu(**SAID | {"referee": "\u3000Zoe\u0308 \u00a0Lee"}))
    entry = results.record_result(paper.desk, shown)
    assert paper.log.facts()[entry - 1].body["false_hu"] == [{"seat": 1, "referee": "Zoë Lee"}]
    with pytest.raises(EventRefused, match=r"referee: character 2 is RIGHT-TO-LEFT OVERRIDE \(U\+202E\)"):
        results.preview(paper.desk, 1, 1, false_hu(**SAID | {"referee": "A\u202eb"}))


def test_a_false_hu_is_marked_wherever_it_is_told() -> None:
    paper = begun()
    shown = results.preview(paper.desk, 1, 1, false_hu(**SAID))
    entry = results.record_result(paper.desk, shown)
    body = paper.log.facts()[entry - 1].body
    assert body["points"] == [8, -24, 8, 8]
    assert body["false_hu"] == [{"seat": 1, "referee": "Ann"}]
    assert body["record"]["events"][0]["winners"][0]["referee"] == "Ann"
    sheet = paper.again().sheet(1, 1)
    assert sheet is not None
    assert sheet.deals[1].false_hu == ((1, "Ann"),)
    lines = explain_deal(paper.state, paper.desk.sheet(1, 1), 1, paper.result)
    assert "  The Hu is false: the hand is not complete, found by the referee Ann (SBR-7.2)." in lines


def test_a_false_hu_that_a_scorer_enters_waits_for_a_referee() -> None:
    paper = begun()
    results.record_result(paper.desk, results.preview(paper.desk, 1, 1, false_hu(**SAID)), approved=False)
    assert paper.desk.sheet(1, 1).unapproved == (1,)
    results.record_result(paper.desk, results.preview(paper.desk, 1, 2, false_hu(**SAID)), approved=True)
    assert paper.desk.sheet(1, 2).unapproved == ()


@pytest.mark.parametrize("hand", [{"value": 4}, {"items": ["root", "all_pungs"][:1]}])
@pytest.mark.parametrize(("rule", "waiting"), [("count", ()), ("approve", (1,))])
def test_a_value_that_the_table_agreed_on_follows_the_events_rule(
    rule: str, waiting: tuple[int, ...], hand: Any
) -> None:
    paper = begun(rule)
    shown = results.preview(paper.desk, 1, 1, agreed(**hand))
    assert any("Agreed at the table, no tiles" in str(line) for line in shown.settled.explain())
    results.record_result(paper.desk, shown, approved=False)
    sheet = paper.desk.sheet(1, 1)
    assert (sheet.unapproved, sheet.deals[1].agreed) == (waiting, (1,))
    assert paper.again().sheet(1, 1) == sheet


def test_a_correction_asks_too_and_a_deal_kept_after_a_fault_does_not() -> None:
    keeps = parse_format('base = "chengdu-grand-prix"\nmachine_fault = "keep"\n', "x.toml")
    paper = Paper(event_format=keeps).draw().start()
    results.record_result(paper.desk, results.preview(paper.desk, 1, 1, agreed(value=4)))
    with pytest.raises(Doubtful):
        results.correct(paper.desk, 1, 1, 1, false_hu(), "another hand")
    paper.desk.write(TableBound(table=2, unit="U-2", reason=""))
    told = {"deal": 1, **false_hu()["events"][0]}
    paper.desk.append("deal_started", {"deal": 1, "dealer": 0, "ruleset": "sichuan"}, at_ms=paper.time_ms, unit="U-2")
    paper.desk.append("declared", told, at_ms=paper.time_ms, unit="U-2")
    assert results.annul(paper.desk, 1, 2, "lift 2 stays down") == "keep"
    assert paper.desk.sheet(1, 2).deals[1].points == (8, -24, 8, 8)


def test_a_journal_from_before_scores_as_it_did() -> None:
    """A false Hu that nobody had said, as releases wrote it that took it from the tiles."""
    paper = begun()
    record = {"dealer": 0, **false_hu()}
    old = results.settled_body(1, 1, 1, settle(paper.desk.format, record, 0, None, asks=False))
    for name in ("false_hu", "agreed"):
        old.pop(name)
    paper.desk.write(make_record(ResultRecorded, {**old, "reason": ""}))
    sheet = paper.again().sheet(1, 1)
    assert sheet is not None
    assert (sheet.points(), sheet.deals[1].false_hu) == ((8, -24, 8, 8), ())
    lines = explain_deal(paper.state, sheet, 1, paper.result)
    assert "  The Hu is false: the hand is not complete (SBR-7.2)." in lines
