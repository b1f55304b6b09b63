"""The search for a lost table on a made-up clock, and the words for what happened to it meanwhile."""

import inspect
import re

import pytest

from wallwright import errors
from wallwright.errors import LinkError, PortGone, PortNotFound, VersionMismatch, WrongUnit
from wallwright.link.reconnect import (
    CAP_MS,
    FIRST_MS,
    PERSON_MS,
    STEADY_MS,
    WORDS,
    Known,
    Reconnect,
    outage_name,
    tell_apart,
)

GONE = PortGone("/dev/ttyX", "the port is gone")
MISSING = PortNotFound("/dev/ttyX", "there is no such port")


def test_a_search_starts_at_once_and_slows_down_to_a_limit() -> None:
    search = Reconnect(1000)
    assert search.due == 1000
    waits = []
    for _ in range(8):
        now = search.due
        search.failed(now, MISSING)
        waits.append(search.due - now)
    assert waits == [500, 1000, 2000, 3000, 3000, 3000, 3000, 3000]
    assert (waits[0], waits[-1]) == (FIRST_MS, CAP_MS)


def test_a_good_connection_that_ends_is_looked_for_at_once() -> None:
    search = Reconnect(0)
    for _ in range(6):
        search.failed(search.due, MISSING)
    found = search.due
    search.connected(found)
    assert search.is_connected
    search.failed(found + STEADY_MS, GONE)
    assert not search.is_connected
    assert search.due == found + STEADY_MS
    search.failed(search.due, MISSING)
    assert search.due == found + STEADY_MS + FIRST_MS


def test_a_connection_that_breaks_again_and_again_does_not_hurry() -> None:
    search = Reconnect(0)
    tries = 0
    while search.due < 600_000:
        tries += 1
        now = search.due
        search.connected(now)
        search.failed(now + 100, GONE)
    assert tries < 600_000 / CAP_MS + 5


@pytest.mark.parametrize(
    "error", [VersionMismatch(1, 2), WrongUnit("/dev/ttyX", "T-1", "T-2")], ids=lambda e: type(e).__name__
)
def test_what_a_person_has_to_mend_is_not_asked_again_in_a_hurry(error: LinkError) -> None:
    search = Reconnect(0)
    search.failed(0, error)
    assert search.due == PERSON_MS
    search.failed(search.due, MISSING)
    assert search.due == PERSON_MS + CAP_MS


OLD = Known("T-1", 7, kept_event=40, newest_event=44)


@pytest.mark.parametrize(
    ("before", "now", "is_restart", "kind", "waiting", "lost"),
    [
        (None, Known("T-1", 7, 0, 12), False, "first_met", 12, 0),
        (None, Known("T-1", 7, 0, 12), True, "first_met", 12, 0),
        (Known("T-1", 7, 40, 40), Known("T-1", 7, 0, 60), True, "host_restarted", 20, 0),
        (OLD, Known("T-1", 7, 0, 51), False, "link_restored", 11, 0),
        (OLD, Known("T-1", 8, 0, 3), False, "board_reset", 3, 4),
        (Known("T-1", 7, 40, 40), Known("T-1", 8, 0, 3), True, "board_reset", 3, None),
        (OLD, Known("T-2", 9, 0, 5), False, "board_replaced", 5, 0),
        (Known("T-1", 7, 40, 40), Known("T-1", 7, 55, 60), True, "journal_behind", 5, 15),
        (Known("T-1", 7, 40, 40), Known("T-1", 7, 55, 60), False, "link_restored", 5, 0),
    ],
)
def test_what_happened_meanwhile_is_told_apart(
    before: Known | None, now: Known, is_restart: bool, kind: str, waiting: int, lost: int | None
) -> None:
    meeting = tell_apart(before, now, is_restart=is_restart)
    assert (meeting.kind, meeting.waiting, meeting.lost) == (kind, waiting, lost)
    assert now.unit in meeting.text
    assert meeting.text.isprintable()


@pytest.mark.parametrize(
    ("before", "now", "is_restart", "text"),
    [
        (OLD, Known("T-1", 7, 0, 40), False, "T-1 is back; it has run on meanwhile; no event comes now"),
        (OLD, Known("T-1", 7, 0, 41), False, "T-1 is back; it has run on meanwhile; 1 event comes now"),
        (Known("T-1", 7, 40, 40), Known("T-1", 7, 0, 60), True, "this host is back; T-1 .*; 20 events come now"),
        (OLD, Known("T-1", 8, 0, 3), False, "after a reset; it stands still, and at least 4 events went with it; 3 ev"),
        (Known("T-1", 7, 40, 40), Known("T-1", 8, 0, 3), False, "all that was heard of before is in the journal"),
        (Known("T-1", 7, 40, 40), Known("T-1", 8, 0, 3), True, "how much is not known"),
    ],
)
def test_what_was_lost_and_what_comes_is_said_in_numbers(
    before: Known, now: Known, is_restart: bool, text: str
) -> None:
    assert re.search(text, tell_apart(before, now, is_restart=is_restart).text)


def test_every_kind_of_meeting_has_other_words() -> None:
    assert len(set(WORDS.values())) == len(WORDS)


def test_every_error_of_the_link_has_a_name_of_its_own_for_programs() -> None:
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, LinkError)]
    names = {outage_name(kind.__new__(kind)) for kind in kinds}
    assert len(names) == len(kinds)
    assert {"port_gone", "not_a_table", "board_reset", "wrong_unit"} <= names
