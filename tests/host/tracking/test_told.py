"""From the journal of a table with readers alone: its deals come out as its players declared them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wallwright.cli.program import app
from wallwright.errors import BadDeal, BadEnrolment
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.replay import replay_entries
from wallwright.link.reports import Event
from wallwright.rules.core.followed import Rolled
from wallwright.rules.core.game import CUT
from wallwright.rules.sichuan.followed import Followed
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.rules.sichuan.wall import take_order, wall_plan
from wallwright.tiles.enrolment import Enrolment
from wallwright.tracking import ZoneEvent
from wallwright.tracking.moves import MOVES
from wallwright.tracking.reported_reads import tiles_in_play, track_journal, wall_in_taking_order, zone_event

from ..tiles.played import Played, play

RULES = Followed(load_ruleset("sichuan"))
DEALS = 3


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp("tracked"), 3, DEALS)


@pytest.fixture(scope="module")
def entries(session: Played) -> list[Entry]:
    return list(read_journal(session.journal))


def test_deals_of_a_simulated_table_are_tracked_from_its_journal(session: Played, entries: list[Entry]) -> None:
    results = {entry.body["deal"]: entry.body for entry in entries if entry.kind == "deal_result"}
    revealed = {entry.body["fields"]["deal"] for entry in entries if entry.kind == "wall_revealed"}
    assert revealed, "one of these walls should have been revealed, so that both ways are tried"
    for number in range(1, DEALS):
        outcome = track_journal(entries, number, RULES, session.enrolment())
        assert outcome.account is not None
        assert outcome.notices == ()
        settlement = outcome.account.settlement
        assert list(settlement.points) == results[number]["points"]
        assert settlement.next_dealer == results[number]["next_dealer"]
        assert outcome.account.deal.end == results[number]["end"]


def test_a_deal_that_is_not_over_is_still_sealed(session: Played, entries: list[Entry]) -> None:
    with pytest.raises(BadDeal, match="still sealed"):
        track_journal(entries, DEALS, RULES, session.enrolment())


def test_a_deal_that_never_was_is_refused(session: Played, entries: list[Entry]) -> None:
    with pytest.raises(BadDeal, match="no walls of SIM-3 went up"):
        track_journal(entries, 17, RULES, session.enrolment())
    with pytest.raises(BadDeal, match="no dice were rolled"):
        track_journal([entry for entry in entries if entry.kind != "dice_rolled"], 1, RULES, session.enrolment())


def test_a_set_that_is_not_enrolled_whole_cannot_be_played_by_its_tags(session: Played) -> None:
    whole = session.enrolment()
    tags = [bytes.fromhex(tag) for tag in whole.sets[1]]
    assert tiles_in_play(whole, tags[:20], RULES) == dict(zip(tags, sorted([*range(27)] * 4), strict=True))
    missing = Enrolment(whole.unit, whole.tiles, (whole.sets[0], dict(list(whole.sets[1].items())[1:])))
    with pytest.raises(BadEnrolment, match="set 1 of SIM-3 is not enrolled whole"):
        tiles_in_play(missing, tags[:20], RULES)
    winds = {tag: face.replace("9s", "1z") for tag, face in whole.sets[0].items()}
    with pytest.raises(BadEnrolment, match=r"set 0 .*"):
        tiles_in_play(replace(whole, sets=(winds, whole.sets[1])), [bytes.fromhex(tag) for tag in whole.sets[0]], RULES)


def test_a_wall_is_put_into_the_order_in_which_it_is_taken() -> None:
    plan = wall_plan(108, 2)
    places = [bytes([seat, stack, layer]) for seat in range(4) for stack in range(plan[seat]) for layer in range(2)]
    order = wall_in_taking_order(places, plan, RULES.order(plan, 2, [Rolled(CUT, 2, (6, 4))]))
    assert [tuple(place or b"") for place in order] == [tuple(place) for place in take_order(plan, 2, (6, 4))]


def test_events_of_a_table_become_those_of_the_tracker() -> None:
    tag = "e004000000000001"
    told = [
        zone_event("tag_appeared", {"reader": 4, "tag": tag}, 5),
        zone_event("tag_moved", {"from": 4, "to": 6, "tag": tag}, 6),
        zone_event("tag_left", {"reader": 6, "tag": tag}, 7),
        zone_event("claim", {"seat": 2}, 8),
        zone_event("claim", {"seat": None}, 9),
        zone_event("walls_up", {"deal": 1}, 10),
    ]
    raw = bytes.fromhex(tag)
    assert told == [
        ZoneEvent(5, "appeared", 4, raw),
        ZoneEvent(6, "moved", 6, raw, 4),
        ZoneEvent(7, "left", 6, raw),
        ZoneEvent(8, "claim", seat=2),
        None,
        None,
    ]


def run(session: Played, tmp_path: Path, *options: str, deal: int = 1) -> tuple[int, str]:
    """`wallwright track` on a copy of the journal."""
    copy = tmp_path / "copy.journal"
    if not copy.exists():
        copy.write_bytes(session.journal.read_bytes())
    tags = tmp_path / "tiles.json"
    tags.write_bytes(session.enrolment().to_bytes())
    arguments = ["track", str(copy), "--deal", str(deal), "--tiles", str(tags), *options]
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.output + (str(result.exception) if result.exception else "")


def test_a_deal_is_tracked_from_the_command_line_and_written(session: Played, tmp_path: Path) -> None:
    code, text = run(session, tmp_path)
    assert code == 0, text
    assert text.splitlines()[0] == "SIM-3"
    assert "Deal 1, rules sichuan" in text
    code, text = run(session, tmp_path, "--write", "--json")
    assert code == 0, text
    record = json.loads(text)
    assert (record["unit"], record["question"], record["problem"]) == ("SIM-3", None, "")
    kept = [entry for entry in read_journal(tmp_path / "copy.journal") if entry.kind == MOVES]
    assert [dict(entry.body) for entry in kept] == [record["moves"]]
    results = [entry for entry in read_journal(tmp_path / "copy.journal") if entry.kind == "deal_result"]
    assert len(results) == DEALS


def test_a_result_that_nobody_declared_is_written_too(session: Played, tmp_path: Path) -> None:
    results = {
        entry.body["deal"]: entry.body["points"]
        for entry in read_journal(session.journal)
        if entry.kind == "deal_result"
    }
    with Journal(tmp_path / "copy.journal") as journal:
        for entry in read_journal(session.journal):
            if entry.seq is not None:
                body = entry.body
                event = Event(entry.seq, entry.boot_id or 0, body["time_ms"], entry.kind, body["fields"])
                journal.append_event(entry.unit or "", event, at_ms=entry.at_ms)
            elif entry.kind == "deal_key":
                journal.append(entry.kind, entry.body, at_ms=entry.at_ms, unit=entry.unit)
    code, text = run(session, tmp_path, "--write", deal=2)
    assert code == 0, text
    (written,) = [entry for entry in read_journal(tmp_path / "copy.journal") if entry.kind == "deal_result"]
    assert written.body["points"] == results[2]
    assert replay_entries(read_journal(tmp_path / "copy.journal")).agrees


def test_what_cannot_be_tracked_is_said(session: Played, tmp_path: Path) -> None:
    assert "no walls went up for it" in run(session, tmp_path, deal=44)[1]
    assert "there is no question to answer" in run(session, tmp_path, "--answer", "1")[1]
    assert "no list of tags" in run(session, tmp_path, "--tiles", str(tmp_path / "none.json"))[1]
