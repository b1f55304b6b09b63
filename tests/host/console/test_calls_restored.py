"""Calls and deals to decide that are found again in the journal of a hall that was started again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.host.console.hall import START_MS, Place
from tests.host.console.test_calls import DECLARE, DISPUTE, QUESTION, tell
from wallwright.console.hall.calls import call_id, restore
from wallwright.console.hall.desk import Desk
from wallwright.console.hall.model import NoProgress
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.journal import Journal
from wallwright.link.reports import Event

MOVES: dict[str, Any] = {"deal": 5, "text": "", "times": [], "doubtful": [], "notices": []}


class Past:
    """A hall's journal, and the desk of a server that is started on it again and again."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "hall.journal"
        self.journal = SharedJournal(self.path)
        self._seq = 0
        for table in ("A1", "A2"):
            met = {"table": table, "meeting": "first_met", "port": "/dev/A", "unit": f"U-{table}", "boot_id": 1}
            self.record("first_met", {**met, "state": "ready", "lost": 0}, f"U-{table}")

    def record(self, kind: str, body: dict[str, Any], unit: str | None = None) -> int:
        return self.journal.append(kind, body, at_ms=START_MS, unit=unit)

    def call(self, table: str, side: int) -> str:
        self._seq += 1
        self.journal.append_event(
            f"U-{table}", Event(self._seq, 1, 0, "referee_called", {"side": side}), at_ms=START_MS
        )
        return call_id(1, self._seq)

    def act(self, act: str, **body: Any) -> None:
        self.record("console_act", {"person": "ria", "role": "referee", "act": act, **body})


@pytest.fixture
def past(tmp_path: Path) -> Iterator[Past]:
    found = Past(tmp_path)
    yield found
    found.journal.close()


def test_what_is_open_is_found_again_in_the_journal(past: Past) -> None:
    done, taken = past.call("A1", 0), past.call("A2", 3)
    past.act("take_call", table="A1", call=done)
    past.act("take_call", table="A2", call=taken)
    past.act("end_call", table="A1", call=done, words="")
    past.act("stop", table="A1", done=True)
    later = past.call("A1", 1)
    past.call("A1", 1)
    answered = past.record("deal_question", QUESTION, "U-A1")
    past.record("deal_moves", MOVES, "U-A1")
    again = past.record("deal_question", QUESTION, "U-A1")
    other = past.record("deal_question", QUESTION, "U-A2")
    settled = past.record("deal_disputed", DISPUTE, "U-A1")
    declare = past.record("deal_to_declare", DECLARE, "U-A2")
    past.act("settle_deal", table="A1", entry=settled, deal=6, words="as declared")
    past.act("end_call", table="A2", call=call_id(1, 99), words="while the journal was full")
    past.journal.append_event("U-A2", Event(99, 1, 0, "referee_called", {"side": 0}), at_ms=START_MS)
    waiting = restore(past.path)
    assert [(call.id, call.table, call.side, call.taken_by) for call in waiting.calls] == [
        (taken, "A2", 3, "ria"),
        (later, "A1", 1, None),
    ]
    assert [(deal.id, deal.table, deal.kind) for deal in waiting.deals] == [
        (again, "A1", "question"),
        (other, "A2", "question"),
        (declare, "A2", "to_declare"),
    ]
    assert answered < again
    assert waiting.deals[0].answers[1].points == (-3, 0, 3, 0)


def test_a_board_that_tells_again_what_is_known_opens_nothing(past: Past, tmp_path: Path) -> None:
    call = past.call("A1", 2)
    past.act("end_call", table="A1", call=call, words="")
    entry = past.record("deal_to_declare", DECLARE, "U-A1")
    past.act("settle_deal", table="A1", entry=entry, deal=7, words="declared")
    place = Place(tmp_path)
    place.desk = Desk(place.fleet, NoProgress(), place.clock, restore(past.path))
    place.fleet.tell("A1", "referee_called", seq=1, side=2)
    tell(place, "to_declare", DECLARE, entry)
    place.look()
    assert (place.desk.view.calls, place.desk.view.deals) == ((), ())
    place.accounts.close()


def test_the_tables_of_another_host_are_left_to_it(past: Past, tmp_path: Path) -> None:
    past.record("first_met", {"table": "Z9", "meeting": "first_met"}, "U-Z9")
    past.call("Z9", 0)
    place = Place(tmp_path)
    desk = Desk(place.fleet, NoProgress(), place.clock, restore(past.path))
    assert desk.view.calls == ()
    place.accounts.close()


def test_nothing_is_open_in_a_journal_that_says_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "new.journal"):
        pass
    waiting = restore(tmp_path / "new.journal")
    assert (waiting.calls, waiting.deals) == ((), ())
