"""The desk's last act undone: everything is as before it, told by the journal read from the beginning up to there."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from wallwright.errors import EventRefused
from wallwright.event import acts, entries, results, running, sanctions, sat, setup
from wallwright.event.acts import last_act
from wallwright.event.format_file import load_format
from wallwright.event.sheets import PAPERS
from wallwright.event.state import KINDS, EventState
from wallwright.event.undo import undo, why_not
from wallwright.journal.kinds import KINDS as ALL_KINDS
from wallwright.journal.kinds.desk import ActUndone, PlayerAdded

from .paper import Paper
from .test_told import Board, at_play

STEPS = 50
Facts = dict[str, Any]


def facts(state: EventState) -> Facts:
    """All that follows from an event, but for what was undone."""
    told = ("format", "roster", "players", "draws", "sessions", "units", "unit_of", "penalties", "appeals")
    found = {
        name: getattr(state, name) for name in (*told, "substitutions", "withdrawn", "changes", "notes", "playing")
    }
    return found | {name: paper(state, "live") for name, paper in PAPERS.items()}


def then(paper: Paper, lines: int) -> EventState:
    """The event as the first entries of its journal tell it."""
    return EventState().apply_all(paper.log.facts()[:lines])


def one_act(paper: Paper, chance: Random) -> Callable[[], object]:
    desk, why = paper.desk, "why not"
    player, other = chance.sample(sorted(paper.state.players), 2)
    session, table = chance.choice((1, 1, 1, 2)), chance.choice((1, 2))
    swing = chance.randint(0, 9)
    acts: tuple[Callable[[], object], ...] = (
        partial(entries.withdraw_player, desk, player, why),
        partial(entries.return_player, desk, player, why),
        partial(entries.rename_player, desk, player, f"N{chance.random()}", "", why),
        partial(sanctions.substitute, desk, session, player, chance.choice((str(other), f"S{swing}")), why),
        partial(sat.swap_players, desk, session, (player, other), why),
        partial(sat.swap_tables, desk, session, (1, 2), why),
        partial(results.rule_result, desk, session, table, (swing, -swing, 0, 0), why),
        partial(results.void, desk, session, table, 1, why),
        partial(results.correct_points, desk, session, table, 1, (swing, 0, -swing, 0), why),
        partial(results.annul, desk, session, table, why),
        partial(sanctions.give_penalty, desk, player, "warning", why, session=chance.choice((None, session))),
        partial(setup.bind_table, desk, table, f"T-{swing}", why),
        partial(running.pause, desk, session, why),
        partial(running.end_pause, desk, session),
        partial(running.add_time, desk, session, 5, why),
        *(partial(running.STEPS[step], desk, session, why) for step in ("open", "start", "stop", "resume", "publish")),
        *(partial(running.sign_off, desk, session, table) for _ in range(2)),
        partial(running.take_back_signature, desk, session, table, why),
    )
    return chance.choice(acts)


def test_everything_is_as_before_an_act_that_is_undone(seed: int) -> None:
    undone: Counter[str] = Counter()
    for run in range(9):
        chance = Random(f"undo {seed} {run}")
        paper = Paper(9, replace(load_format("chengdu-grand-prix"), deals=2)).draw(byes=True)
        if run % 3:
            paper.start()
        ends: list[int] = []
        for _ in range(STEPS):
            before = len(paper.log.lines)
            paper.tick(chance.choice((0, 1)))
            try:
                one_act(paper, chance)()
            except EventRefused:
                assert len(paper.log.lines) == before
                continue
            act = last_act(paper.state)
            assert act is not None
            ends.append(before)
            if chance.random() < 0.5:
                continue
            while ends and chance.random() < 0.7:
                act = last_act(paper.state)
                assert act is not None
                if why_not(paper.state, act) is not None:
                    refused(paper, "so it stays|instead|stays:|begins once")
                    break
                undo(paper.desk, "a slip of the finger")
                undone[act.entries[0].kind] += 1
                assert facts(paper.state) == facts(then(paper, act.number - 1)), act
                assert facts(paper.again()) == facts(paper.state), "a host that starts now knows the same"
                ends.pop()
    assert len(undone) >= 8, undone


def refused(paper: Paper, match: str) -> None:
    before = len(paper.log.lines)
    with pytest.raises(EventRefused, match=match):
        undo(paper.desk, "a slip of the finger")
    assert len(paper.log.lines) == before


def test_who_was_withdrawn_by_mistake_and_returned_has_all_seats_again() -> None:
    paper = Paper(9).draw(byes=True)
    before = len(paper.log.lines)
    entries.withdraw_player(paper.desk, 3, "a mistake")
    entries.return_player(paper.desk, 3, "at once")
    assert any(len(session.tables) == 3 for session in paper.state.sessions.values()), "at an extra table"
    assert str(undo(paper.desk, "not needed")).endswith("by Ref: P3 has returned.")
    assert str(undo(paper.desk, "it was P4")).endswith("by Ref: P3 has withdrawn.")
    assert facts(paper.state) == facts(then(paper, before))
    assert [one.kind for one in paper.state.all_changes] == ["withdrawn", "returned", "undone", "undone"]
    entries.withdraw_player(paper.desk, 4, "this one")
    assert set(paper.again().withdrawn) == {4}


def test_every_kind_of_entry_either_stays_or_has_a_name() -> None:
    kinds = {ALL_KINDS[name] for name in KINDS} - {ActUndone}
    assert kinds == {PlayerAdded, *acts._STAYS, *acts._NAMES}, "and who has come is named by their name"
    assert not set(acts._STAYS) & set(acts._NAMES)


def test_what_a_table_has_gone_on_from_stays() -> None:
    paper, board = at_play()
    player = paper.state.sessions[1].tables[0].players[2]
    sanctions.substitute(paper.desk, 1, player, "Zed", "ill")
    began = board.roll()
    refused(paper, r"table 1 has gone on since, so it stays: correct, annul or swap")
    board.tell(began)
    refused(paper, "table 1 has gone on")
    results.correct_points(paper.desk, 1, 1, 1, (8, -8, 0, 0), "misread")
    undo(paper.desk, "it was right")
    assert paper.state.sessions[1].tables[0].deals[1].source == "tracked"
    # What other tables have told since has nothing to do with it.
    elsewhere = paper.state.sessions[1].tables[1].players[0]
    sanctions.substitute(paper.desk, 1, elsewhere, "Ulf", "ill")
    board.tell(board.roll(), seed=3)
    assert "somebody has the seat" in str(undo(paper.desk, "it was somebody else"))
    assert len(paper.state.sessions[1].tables[0].deals) == 2
    assert facts(paper.again()) == facts(paper.state)


def test_a_session_in_which_a_deal_has_begun_stays_started() -> None:
    paper, board = at_play()
    board.roll()
    refused(paper, "has gone on")
    paper, board = at_play()
    undo(paper.desk, "too early")
    assert paper.state.sessions[1].state == "open"
    refused_before = Board(paper, board.unit, 7)
    refused_before.roll()
    assert paper.state.notes == [], "nobody plays yet"


def test_what_was_seen_signed_or_drawn_stays_and_it_is_said_what_to_do() -> None:
    paper = Paper(8)
    setup.commit_draw(paper.desk, "main", b"s" * 32)
    refused(paper, "commit to another seed")
    setup.reveal_draw(paper.desk, "main", b"s" * 32)
    refused(paper, "commit to another seed")
    paper.play_session(1)
    refused(paper, "take the table's signature back")
    running.publish(paper.desk, 1)
    refused(paper, "everybody has seen|Results were signed or shown")
    results.correct_points(paper.desk, 1, 1, 1, (8, -8, 0, 0), "misread")
    refused(paper, "Everybody has seen the results")
    sanctions.give_penalty(paper.desk, 1, "warning", "noise")
    refused(paper, "Everybody has seen the results")
    with pytest.raises(EventRefused, match="for a reason"):
        undo(paper.desk, " ")
    with pytest.raises(EventRefused, match="something else was done meanwhile"):
        undo(paper.desk, "why", number=1)


def test_an_act_that_an_older_version_wrote_as_several_is_not_torn_apart() -> None:
    paper = Paper(9).draw(byes=True)
    entries.withdraw_player(paper.desk, 3, "ill")
    old = Paper(9)
    old.log.lines = [line.replace(', "act": ', ', "was": ') for line in paper.log.lines]
    old.desk.state = old.again()
    refused(old, "An older version has written it as several acts")
