"""A laptop that dies: another one has what the backup had and the boards held, and says what is gone."""

import json
from collections.abc import Sequence

from tests.host.cli.test_program import run  # noqa: F401 (a fixture)
from wallwright.chaos.check import BoardRun, Happened
from wallwright.chaos.laptop_drill import Plan, Report, judge
from wallwright.journal import Entry
from wallwright.link.reconnect import BEHIND
from wallwright_protocol.codec import EVENTS, NUMBER_OF

NAME = "state_changed"
EVENT = Happened(500, NUMBER_OF[NAME], EVENTS[NUMBER_OF[NAME]].pack(0))
BODY = {"fields": {"state": "starting"}, "time_ms": 500}


def test_the_drill_keeps_every_promise(run) -> None:  # noqa: F811
    said = run("rehearse laptop --tables 1 --minutes 0.01 --pace 4 --json")
    report = json.loads(said.out)
    assert (said.code, report["problems"]) == (0, [])
    assert report["lost"] == report["told"] > 0
    assert report["in_backup"] > 0
    assert report["held"] > 0
    assert report["events"] == report["in_backup"] + report["held"] + report["lost"]
    assert 0 < report["restored_s"] <= report["back_s"]


def board(newest: int, acknowledged: int) -> BoardRun:
    numbers = range(1, newest + 1)
    return BoardRun("T-1", 7, dict.fromkeys(numbers, EVENT), frozenset(range(1, acknowledged + 1)))


def entry(number: int, seq: int) -> Entry:
    return Entry.of(number, 1, "T-1", 7, seq, NAME, BODY)


def behind(number: int, lost: int) -> Entry:
    met = {"table": "A1", "meeting": BEHIND, "port": "sim", "unit": "T-1", "boot_id": 7, "state": "idle", "lost": lost}
    return Entry.of(number, 1, "T-1", None, None, BEHIND, met)


def judged(entries: Sequence[Entry]) -> Report:
    """Five events, two of them in the backup; four had been taken when the laptop died, all five in the end."""
    report = Report(Plan(1, 1, 1.0, 1.0, 1.0))
    restored = [entry(1, 1), entry(2, 2)]
    judge(report, [board(4, 4)], [board(5, 5)], restored, [*restored, *entries])
    return report


def test_what_is_told_and_complete_is_well() -> None:
    report = judged([behind(3, 2), entry(4, 5)])
    assert (report.problems, report.in_backup, report.lost, report.told, report.held) == ([], 2, 2, 2, 1)


def test_whatever_is_not_so_is_found() -> None:
    assert judged([entry(3, 5)]).problems, "nobody says that two are gone"
    assert judged([behind(3, 1), entry(4, 5)]).problems, "it says that one is gone"
    assert judged([behind(3, 2)]).problems, "what the board still held is not there"
    assert judged([behind(3, 2), entry(4, 5), entry(5, 5)]).problems, "it is there twice"
    other = Entry.of(4, 1, "T-1", 7, 5, NAME, BODY | {"time_ms": 501})
    assert judged([behind(3, 2), other]).problems, "it is not what happened"
