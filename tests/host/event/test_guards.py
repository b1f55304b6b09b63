"""What no entry takes away, wherever it was written: every kind of entry comes twice, late, or at the wrong session."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.host.journal.golden import rows
from wallwright.errors import EventRefused
from wallwright.event import appeals, entries, results, running, sanctions, sat, setup
from wallwright.event.format_file import load_format
from wallwright.event.state import KINDS, EventState
from wallwright.event.state_parts import MAIN
from wallwright.event.store import EventJournal, open_event, read_event
from wallwright.event.undo import undo
from wallwright.journal import Entry, read_journal
from wallwright.journal.kinds.desk import ListedPlayer, OfDesk, PlayerList, PlayersImported, PlayerWithdrawn

from .paper import SEED, Paper

MAY_CHANGE: Mapping[str, set[str]] = {
    "appeal_filed": {"decided"},
    "penalty_given": {"withdrawn penalties", "states"},
    "result_corrected": {"results", "states"},
    "result_voided": {"states"},
    "player_withdrawn": {"withdrawn"},
    "table_bound": {"boards"},
    "player_renamed": {"players"},
}
"""What a second entry changes where it is another act: only a correction changes a result."""


def a_day() -> Paper:
    """A day at which almost everything was done that a desk can do; session 3 is open, 4 and 5 are planned."""
    paper = Paper(10)
    setup.commit_draw(paper.desk, MAIN, SEED, byes=True)
    setup.withdraw_draw(paper.desk, MAIN, "the hall was not ready")
    paper.draw(byes=True)
    desk = paper.desk
    setup.bind_table(desk, 1, "U1")
    paper.start(1)
    paper.play(1, 1, 2)
    paper.play(1, 2, 2)
    running.pause(desk, 1, "no light")
    running.end_pause(desk, 1)
    sat.swap_players(desk, 1, desk.sheet(1, 2).players[:2], "sat on each other's seats")
    running.add_time(desk, 1, 50, "a slip of the finger")
    undo(desk, "5 were meant")
    sanctions.substitute(desk, 1, desk.sheet(1, 1).players[0], "Zed", "is late")
    results.annul(desk, 1, 2, "a lift is stuck")
    paper.play(1, 2, 1)
    results.correct_points(desk, 1, 1, 1, (8, -8, 0, 0), "was misread")
    results.void(desk, 1, 1, 2, "the wall fell")
    paper.tick(60)
    running.stop_session(desk, 1)
    for table in (1, 2):
        running.sign_off(desk, 1, table)
    running.publish(desk, 1)
    player = desk.sheet(1, 1).players[1]
    appeals.decide(desk, appeals.file_appeal(desk, 1, player, "x", table=1, deal=1), upheld=False, ruling="no")
    given = sanctions.give_penalty(desk, player, "loss_of_session", "left the table", session=1)
    sanctions.withdraw_penalty(desk, given, "came back")
    paper.play_session(2)
    entries.add_player(desk, "Late", reason="came late")
    entries.rename_player(desk, 2, "Bo", "was misspelt")
    entries.set_privacy(desk, 3, private=True, reason="has asked for it")
    entries.withdraw_player(desk, 4, "is ill")
    entries.withdraw_player(desk, 5, "is ill")
    entries.return_player(desk, 5, "is well again")
    running.open_session(desk, 3)
    return paper


def told(state: EventState) -> dict[str, Any]:
    """All of an event that was played, drawn or decided."""
    return {
        "players": {number: one.name for number, one in state.players.items()},
        "withdrawn": sorted(state.withdrawn),
        "lots": {stage: draw.standing and draw.standing.lots for stage, draw in state.draws.items()},
        "states": [session.state for session in state.sessions.values()],
        "seats": {
            (session.number, sheet.table): (sheet.players, sheet.signed_off)
            for session in state.sessions.values()
            for sheet in session.tables
        },
        "results": {
            (sheet.session, sheet.table, number): (deal.points, deal.status, deal.players)
            for session in state.sessions.values()
            for sheet in session.tables
            for number, deal in sheet.deals.items()
        },
        "boards": dict(state.units),
        "decided": [(one.upheld, one.ruling) for one in state.appeals.values()],
        "withdrawn penalties": [one.withdrawn for one in state.penalties.values()],
        "deals": state.deals,
    }


def read_with(facts: list[Entry], more: Mapping[str, Any], kind: str) -> EventState:
    """What a host makes of these entries, and of one that somebody has written behind them."""
    last = facts[-1]
    return EventState().apply_all([*facts, Entry.of(last.id + 1, last.at_ms, None, None, None, kind, dict(more))])


def golden_day() -> list[Entry]:
    return [
        Entry.of(number, at_ms, unit, None, None, kind, json.loads(text))
        for number, at_ms, unit, _, _, kind, text in rows("golden-event")
    ]


def paper_day() -> list[Entry]:
    return a_day().log.facts()


@pytest.mark.parametrize("day", [golden_day, paper_day])
def test_an_entry_that_comes_twice_takes_nothing_away(day: Callable[[], list[Entry]]) -> None:
    facts = day()
    before = told(EventState().apply_all(facts))
    assert before["results"]
    for entry in facts:
        if entry.kind in KINDS:
            after = told(read_with(facts, entry.body, entry.kind))
            changed = {what for what, value in before.items() if after[what] != value}
            assert changed <= MAY_CHANGE.get(entry.kind, set()), f"entry {entry.id}, {entry.kind}"


def test_the_desk_refuses_what_the_fold_passes_over() -> None:
    paper = a_day()
    refused = 0
    for entry in paper.log.facts():
        if entry.kind in KINDS and read_with(paper.log.facts(), entry.body, entry.kind).notes:
            assert isinstance(entry.said, OfDesk)
            with pytest.raises(EventRefused):
                paper.desk.write(entry.said)
            refused += 1
    assert refused > 20


def test_of_records_that_belong_together_none_is_kept_when_the_second_is_refused(tmp_path: Path) -> None:
    place = str(tmp_path / "day.journal")
    four = PlayerList(
        players=tuple(ListedPlayer(number=n, name=f"P{n}", club="", stand_in=False) for n in range(1, 5)), apart=()
    )
    with open_event(place, "test", new=True) as desk:
        setup.create(desk, load_format("chengdu-grand-prix"))
        desk.write(PlayersImported(roster=four, source="x"))
    before = [entry.id for entry in read_journal(place)]
    twice = [PlayerWithdrawn(player=1, reason="ill"), PlayerWithdrawn(player=1, reason="ill again")]
    with EventJournal(place, "test") as journal:
        with pytest.raises(EventRefused, match="P1 has withdrawn already"), journal.turn() as desk:
            desk.write_all(twice)
        assert [entry.id for entry in read_journal(place)] == before
        with journal.turn() as desk:
            assert not desk.state.withdrawn
            desk.write_all(twice[:1])
    assert list(read_event(place).withdrawn) == [1]


def test_the_days_have_all_kinds_but_those_of_the_same_deals() -> None:
    there = {entry.kind for facts in (golden_day(), paper_day()) for entry in facts}
    assert set(KINDS) - there == {
        "deal_replaced",
        "deals_committed",
        "deals_revealed",
        "player_signed",
        "results_approved",
        "winners_moved",
    }


def test_who_sat_where_fits_what_is_known_wherever_it_was_written() -> None:
    paper = Paper(9).draw(byes=True).start()
    [resting] = paper.state.sessions[1].byes
    one, two = (sheet.players for sheet in paper.state.sessions[1].tables)

    def there(player: int, instead_of: int, table: int, seat: int) -> dict[str, int]:
        return {"player": player, "instead_of": instead_of, "table": table, "seat": seat}

    right = [there(one[0], two[3], 2, 3), there(two[3], one[0], 1, 0)]
    for seats in (
        right[:1],
        [there(one[0], two[2], 2, 3), there(two[2], one[0], 1, 0)],
        [there(99, one[0], 1, 0)],
        [there(one[1], one[0], 1, 0)],
        [there(one[0], two[3], 7, 3), right[1]],
        [{"player": one[0], "instead_of": one[1]}, there(resting, one[0], 1, 0)],
    ):
        body = {"session": 1, "from_deal": 1, "seats": seats, "reason": "x"}
        state = read_with(paper.log.facts(), body, "players_sat")
        assert told(state) == told(paper.state)
        assert len(state.notes) == 1
    swapped = read_with(paper.log.facts(), {"session": 1, "from_deal": 1, "seats": right, "reason": "x"}, "players_sat")
    assert swapped.sessions[1].tables[0].players == (two[3], *one[1:])


def test_only_the_last_act_is_undone_and_not_what_everybody_has_seen() -> None:
    paper = Paper(9).draw(byes=True).start()
    entries.withdraw_player(paper.desk, 3, "is ill")
    running.pause(paper.desk, 1, "no light")
    facts = paper.log.facts()
    heads = [entry for entry in facts if isinstance(entry.said, OfDesk) and entry.said.act is None]
    for entry in heads[:-1]:
        whole = [one.id for one in facts if one is entry or (isinstance(one.said, OfDesk) and one.said.act == entry.id)]
        state = read_with(facts, {"entries": whole, "reason": "x"}, "act_undone")
        assert told(state) == told(paper.state), entry.kind
        assert len(state.notes) == 1
    gone = read_with(facts, {"entries": [heads[-1].id], "reason": "x"}, "act_undone")
    assert (gone.notes, gone.sessions[1].clock.is_paused) == ([], False)
    withdrawn = [one for one in facts if one.id < heads[-1].id]
    half = read_with(withdrawn, {"entries": [heads[-2].id], "reason": "x"}, "act_undone")
    assert list(half.withdrawn) == [3], "an act is undone as a whole"
    drawn = Paper(8).draw()
    last = drawn.log.facts()[-1].id
    again = read_with(drawn.log.facts(), {"entries": [last - 1, last], "reason": "x"}, "act_undone")
    assert told(again) == told(drawn.state)
    assert "commit to another seed" in again.notes[0]
