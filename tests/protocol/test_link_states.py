"""Both ends of the link go through every state of their tables, over a wire that fails."""

import pytest

from tests.followed import check_all_states, follow, path_of
from tools.machine_page import LINK
from wallwright_protocol import codes, link

from .pair import BOOT_ID, SESSION, STOP, Pair, faithful
from .talk import silenced

RESPONDER, REQUESTER = LINK


def test_every_state_of_the_hosts_end_is_reached_and_left(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = follow(monkeypatch)
    pair = Pair()
    pair.up.fate = silenced
    pair.hello()
    assert pair.of("no_answer"), "nobody has heard it"
    pair.up.fate = faithful
    pair.hello(SESSION + 1)
    assert pair.ask(b"one") == ("reply", STOP, codes.OK, b"one")
    pair.down.fate = silenced
    assert pair.ask(b"two")[0] == "no_answer"
    pair.down.fate = faithful
    assert pair.ask(b"three") == ("reply", STOP, codes.OK, b"three"), "the session is held all the same"
    pair.start_board(BOOT_ID + 1)
    assert pair.ask(b"four") == ("reset", BOOT_ID + 1)
    pair.hello(SESSION + 2)
    pair.start_board(BOOT_ID + 2)
    pair.run(3_000)
    assert pair.happened[-1][1] == ("reset", BOOT_ID + 2), "what a heartbeat brings"
    check_all_states(REQUESTER, steps)
    greeted = ["greets", "open"]
    asked = ["asks", "open"]
    path = ["closed", "greets", "closed", *greeted, *asked, *asked, *asked, "asks", "closed", *greeted, "closed"]
    assert path_of(REQUESTER, steps) == path
    rows = {(before, event) for before, event, _ in steps[REQUESTER.machine]}
    never = {(before, event) for before, row in REQUESTER.machine.table.items() for event in row} - rows
    assert {event for _, event in never} == {"hello", "refused"}, "a session begun anew, and tables that differ"


def test_every_state_of_the_boards_end_is_reached_and_left(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = follow(monkeypatch)
    pair = Pair()
    pair.event()
    pair.run(1_000)
    assert not pair.down.sent, "nobody listens"
    pair.hello()
    pair.run(100)
    assert pair.seqs() == [1]
    pair.down.fate = silenced
    pair.event()
    pair.run(2_000)
    pair.down.fate = faithful
    pair.run(4_000)
    assert pair.seqs() == [1, 2], "it was sent until it was received"
    pair.up.fate = silenced
    pair.run(link.SILENCE_MS)
    assert not pair.board.is_open(), "its host has fallen silent"
    sent = len(pair.down.sent)
    pair.event()
    pair.run(link.SILENCE_MS)
    assert len(pair.down.sent) == sent
    pair.up.fate = faithful
    pair.hello(SESSION + 1)
    pair.run(100)
    assert pair.seqs() == [1, 2, 1, 2, 3], "nothing was stored: a new session gets it all"
    check_all_states(RESPONDER, steps)
    again = ["told", "tells"] * 3
    assert path_of(RESPONDER, steps)[:10] == ["silent", "told", "tells", *again, "told"]
    assert path_of(RESPONDER, steps)[-4:] == ["silent", "told", "tells", "told"]
