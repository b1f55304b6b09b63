"""Deals that log themselves: what a hall makes of the events of a table with readers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.host.people import SICHUAN
from tests.host.postgresql import Server
from tests.host.tiles.played import Played, play
from wallwright.errors import BadDeal
from wallwright.fleet import tracked
from wallwright.fleet.finished_deals import OverDeal, deals_over
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.fleet.state import Change
from wallwright.fleet.tracked import TrackedDeals
from wallwright.journal import Entry, read_journal
from wallwright.journal.replay import replay_entries
from wallwright.link.reports import Event
from wallwright.rules.sichuan.actions import parse_action
from wallwright.rules.sichuan.followed import Followed
from wallwright.tiles.enrolment import enrolment_path, save_enrolment
from wallwright.tracking.outcome import PARTING

LIMIT_S = 100
SEED = 3
DEALS = 3
TOLD_BY_PLAYERS = ("deal_started", "declared", "deal_result")


@pytest.fixture(scope="module")
def clear(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A session in which the readers miss nothing."""
    return play(tmp_path_factory.mktemp("clear"), SEED, DEALS)


@pytest.fixture(scope="module")
def missed(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A session in which a question about deal 1 is answered by its wall."""
    return play(tmp_path_factory.mktemp("missed"), 8, DEALS, "readers miss 5%")


@pytest.fixture(scope="module")
def unclear(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A session in which the question about deal 1 is open even when its wall is known."""
    return play(tmp_path_factory.mktemp("unclear"), 20, DEALS, "readers miss 5%")


class Hall:
    """The tracking of one table, whose events come out of a session that was played before."""

    def __init__(self, session: Played, path: Path | str, keep: Callable[[Entry], bool]) -> None:
        self.unit = session.simulation.unit
        self.changes: list[tuple[str, dict[str, Any]]] = []
        self._entries = list(read_journal(session.journal))
        self._keep = keep
        self._next = 0
        self.path = path
        self.journal = SharedJournal(path)
        self._start()

    def _start(self) -> None:
        def tell(change: Change) -> None:
            self.changes.append((change.kind, dict(change.body)))

        self.deals = TrackedDeals(self.path, self.journal, tell, lambda _: Followed(SICHUAN))
        self.deals.start()

    def restart(self) -> None:
        """End the program, and start it again."""
        self.deals.stop()
        self.journal.close()
        self.journal = SharedJournal(self.path)
        self._start()

    def until_walls(self, number: int) -> None:
        """Let the table come to these walls."""
        self._feed(lambda entry: entry.kind == "walls_up" and entry.body["fields"]["deal"] == number)

    def until_revealed(self, number: int) -> None:
        """Let the table come to the last part of this wall."""
        self._feed(
            lambda entry: (
                entry.kind == "wall_part"
                and (entry.body["fields"]["deal"], entry.body["fields"]["first"]) == (number, 104)
            )
        )

    def _feed(self, is_last: Callable[[Entry], bool]) -> None:
        while True:
            entry = self._entries[self._next]
            self._next += 1
            if entry.seq is not None:
                event = Event(entry.seq, entry.boot_id or 0, entry.body["time_ms"], entry.kind, entry.body["fields"])
                self.journal.append_event(self.unit, event, at_ms=entry.at_ms)
                self.deals.see("A1", self.unit, event)
                if is_last(entry):
                    break
            elif entry.kind == "deal_key" or self._keep(entry):
                self.journal.append(entry.kind, entry.body, at_ms=entry.at_ms, unit=entry.unit)
        self.settle()

    def give_up(self, number: int) -> None:
        """Let the table say that this wall is lost."""
        before = self._entries[self._next - 1]
        fields = {"deal": number, "seal_loss": "nonce"}
        event = Event((before.seq or 0) + 1, before.boot_id or 0, 0, "wall_unverifiable", fields)
        self.journal.append_event(self.unit, event, at_ms=before.at_ms)
        self.deals.see("A1", self.unit, event)
        self.settle()

    def settle(self) -> None:
        """Wait until all that was seen is worked out: what is asked for afterwards is answered afterwards."""
        with pytest.raises(BadDeal):
            self.answer(999, 1)

    def answer(self, deal: int, number: int) -> Any:
        return self.deals.answer("A1", self.unit, deal, number).result(LIMIT_S)

    def kinds(self) -> list[tuple[str, int]]:
        """What was told, with the deal's number."""
        return [(kind, body["deal"]) for kind, body in self.changes]

    def records(self, kind: str) -> dict[int, Entry]:
        found = [entry for entry in read_journal(self.path) if entry.kind == kind]
        assert len({entry.body["deal"] for entry in found}) == len(found), "written twice"
        return {entry.body["deal"]: entry for entry in found}


@contextmanager
def hall(
    session: Played,
    place: Path | str,
    keep: Callable[[Entry], bool] = lambda entry: False,
    *,
    enrolled: bool = True,
) -> Iterator[Hall]:
    """The hall of a session, with its journal in the folder or the database at `place`."""
    path = enrolment_path(session.simulation.unit)
    path.unlink(missing_ok=True)
    if enrolled:
        save_enrolment(path, session.enrolment())
    found = Hall(session, place / "hall.journal" if isinstance(place, Path) else place, keep)
    try:
        yield found
    finally:
        found.deals.stop()
        found.journal.close()
        path.unlink(missing_ok=True)


def truth(session: Played) -> dict[int, list[int]]:
    """The points of every deal, as its players declared them."""
    return {
        entry.body["deal"]: entry.body["points"]
        for entry in read_journal(session.journal)
        if entry.kind == "deal_result"
    }


def test_deals_that_nobody_declared_are_written_with_their_moves(clear: Played, tmp_path: Path) -> None:
    with hall(clear, tmp_path) as table:
        table.until_walls(2)
        assert table.kinds() == [("tracked", 1)]
        assert set(table.records("deal_moves")) == {1}, "deal 2 goes on"
        table.until_walls(3)
        results = table.records("deal_result")
        assert {number: result.body["points"] for number, result in results.items()} == {
            number: points for number, points in truth(clear).items() if number < DEALS
        }
        assert {result.unit for result in results.values()} == {table.unit}
        assert set(table.records("deal_moves")) == {1, 2}
        assert table.kinds() == [("tracked", 1), ("tracked", 2)]
        assert "deal 1 is in the journal with its moves: seat 0 " in table.changes[0][1]["text"]
        assert replay_entries(read_journal(table.path)).agrees


def test_a_declared_result_that_agrees_gets_its_moves(clear: Played, tmp_path: Path) -> None:
    with hall(clear, tmp_path, lambda entry: entry.kind in TOLD_BY_PLAYERS) as table:
        table.until_walls(3)
        assert table.kinds() == [("tracked", 1), ("tracked", 2)]
        assert set(table.records("deal_moves")) == {1, 2}
        assert set(table.records("deal_result")) == {1, 2}, "none of them twice"


def test_a_declared_result_that_does_not_agree_is_disputed(clear: Played, tmp_path: Path) -> None:
    wrong = [3, -1, -1, -1]
    with hall(clear, tmp_path) as table:
        table.until_walls(1)
        nothing: dict[str, Any] = {name: [] for name in ("hands", "payments", "penalties", "hu", "kongs")}
        result = {"deal": 1, "end": "wall", "points": wrong, "next_dealer": 0, **nothing}
        table.journal.append("deal_result", result, at_ms=5, unit=table.unit)
        table.until_walls(2)
        assert table.kinds() == [], "the wall may still tell"
        table.until_revealed(1)
        assert table.kinds() == [("disputed", 1)]
        body = table.records("deal_disputed")[1].body
        assert (body["declared"], body["tracked"]) == (wrong, truth(clear)[1])
        assert "let a referee decide" in body["text"]
        table.until_walls(3)
        assert table.kinds() == [("disputed", 1), ("tracked", 2)]
        assert set(table.records("deal_moves")) == {2}


def test_a_question_waits_for_the_wall(missed: Played, tmp_path: Path) -> None:
    with hall(missed, tmp_path) as table:
        table.until_walls(2)
        assert table.kinds() == []
        table.until_revealed(1)
        assert table.kinds() == [("tracked", 1)], "its wall has answered"
        assert table.records("deal_result")[1].body["points"] == truth(missed)[1]


def test_a_question_is_asked_once_and_answered_after_a_restart(unclear: Played, tmp_path: Path) -> None:
    with hall(unclear, tmp_path) as table:
        table.until_walls(2)
        assert table.kinds() == []
        table.until_revealed(1)
        assert table.kinds() == [("question", 1)]
        question = table.records("deal_question")[1]
        asked = question.body
        assert table.changes[0][1] == {**asked, "entry": question.id, "unit": table.unit}
        assert asked["asks"] == PARTING
        assert f'"{parse_action(asked["after"])}"' in asked["text"]
        for one in asked["answers"]:
            assert one["text"].startswith(f'"{one["action"]}"' if one["action"] else "the deal was over")
        table.restart()
        table.until_walls(3)
        assert [(kind, deal) for kind, deal in table.kinds() if deal == 1] == [("question", 1)]
        points = [one["points"] for one in asked["answers"]]
        right = points.index(truth(unclear)[1]) + 1
        with pytest.raises(BadDeal, match=f"has {len(points)} answers; 9 is none of them"):
            table.answer(1, 9)
        assert list(table.answer(1, right).points) == truth(unclear)[1]
        assert table.records("deal_result")[1].body["points"] == truth(unclear)[1]
        assert 1 in table.records("deal_moves")
        with pytest.raises(BadDeal, match="has been answered"):
            table.answer(1, right)
        assert replay_entries(read_journal(table.path)).agrees


def test_deals_are_tracked_and_a_question_is_answered_on_a_server_too(
    clear: Played, unclear: Played, postgresql: Server
) -> None:
    with hall(clear, postgresql.database()) as table:
        table.until_walls(3)
        assert table.kinds() == [("tracked", 1), ("tracked", 2)]
        results = table.records("deal_result")
        assert {number: result.body["points"] for number, result in results.items()} == {
            number: points for number, points in truth(clear).items() if number < DEALS
        }
    with hall(unclear, postgresql.database()) as table:
        table.until_revealed(1)
        asked = table.records("deal_question")[1].body
        right = [one["points"] for one in asked["answers"]].index(truth(unclear)[1]) + 1
        table.restart()
        assert list(table.answer(1, right).points) == truth(unclear)[1]
        assert table.records("deal_result")[1].body["points"] == truth(unclear)[1]
        assert replay_entries(read_journal(table.path)).agrees


def test_a_question_that_nobody_can_answer_by_the_wall_is_asked_when_it_is_given_up(
    unclear: Played, tmp_path: Path
) -> None:
    with hall(unclear, tmp_path) as table:
        table.until_walls(2)
        table.give_up(1)
        assert table.kinds() == [("question", 1)]


def test_a_question_that_a_declared_result_answers_is_not_asked(missed: Played, tmp_path: Path) -> None:
    with hall(missed, tmp_path, lambda entry: entry.kind in TOLD_BY_PLAYERS) as table:
        table.until_walls(3)
        assert table.kinds() == [("tracked", 1), ("tracked", 2)]
        assert set(table.records("deal_moves")) == {1, 2}


def test_a_deal_that_ended_while_nobody_tracked_is_found_later(clear: Played, tmp_path: Path) -> None:
    with hall(clear, tmp_path) as table:
        table.until_walls(1)
        see, table.deals.see = table.deals.see, lambda *_: None  # type: ignore[method-assign]
        table.until_walls(2)
        assert table.kinds() == []
        table.deals.see = see  # type: ignore[method-assign]
        table.restart()
        table.until_walls(3)
        assert table.kinds() == [("tracked", 1), ("tracked", 2)]
        assert [result.body["points"] for result in table.records("deal_result").values()] == [
            truth(clear)[1],
            truth(clear)[2],
        ]


def test_a_deal_that_cannot_be_followed_is_to_be_declared(clear: Played, tmp_path: Path) -> None:
    with hall(clear, tmp_path) as table:
        path = enrolment_path(table.unit)
        whole = clear.enrolment()
        few = dict(list(whole.sets[0].items())[1:])
        save_enrolment(path, type(whole)(whole.unit, whole.tiles, (few, whole.sets[1])))
        table.until_walls(2)
        assert table.kinds() == []
        table.until_revealed(1)
        assert table.kinds() == [("to_declare", 1)]
        text = table.records("deal_to_declare")[1].body["text"]
        assert text.startswith("deal 1 has to be declared: set 0 of SIM-3 is not enrolled whole")


def test_a_table_without_a_list_of_tags_is_told_once(clear: Played, tmp_path: Path) -> None:
    with hall(clear, tmp_path, enrolled=False) as table:
        table.until_revealed(1)
        assert [kind for kind, _ in table.changes] == ["untracked"]
        assert "run `wallwright tiles enrol`" in table.changes[0][1]["text"]
        save_enrolment(enrolment_path(table.unit), clear.enrolment())
        table.until_walls(3)
        assert set(table.records("deal_moves")) == {1, 2}


def test_a_deal_in_which_the_board_was_reset_is_to_be_declared(clear: Played, tmp_path: Path) -> None:
    with hall(clear, tmp_path) as table:
        table.until_walls(2)
        table.until_revealed(1)
        after = Event(30, 5, 0, "walls_up", {"deal": 1})
        table.journal.append_event(table.unit, after, at_ms=1)
        table.deals.see("A1", table.unit, after)
        table.settle()
        assert table.kinds() == [("tracked", 1), ("to_declare", 2)]
        assert "the board was reset" in table.records("deal_to_declare")[2].body["text"]


def test_what_fails_at_one_table_is_told_and_the_next_is_tracked(
    clear: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_at_one(table: str, unit: str, entries: Sequence[Entry]) -> list[OverDeal]:
        assert unit != "BAD-1", "a mistake in the program"
        return deals_over(table, unit, entries)

    monkeypatch.setattr(tracked, "deals_over", fails_at_one)
    with hall(clear, tmp_path) as table:
        for seq in (1, 2, 3):
            walls = Event(seq, 7, 0, "walls_up", {"tile_set": seq % 2, "deal": seq})
            table.journal.append_event("BAD-1", walls, at_ms=1)
        table.deals.see("B1", "BAD-1", walls)
        table.until_walls(2)
        assert [kind for kind, _ in table.changes] == ["untracked", "tracked"]
        assert "this is a bug of this program" in table.changes[0][1]["text"]


def test_an_answer_that_comes_at_the_end_is_refused(clear: Played, tmp_path: Path) -> None:
    with hall(clear, tmp_path) as table:
        table.deals.stop()
        with pytest.raises(BadDeal, match="this program is ending"):
            table.answer(1, 1)
