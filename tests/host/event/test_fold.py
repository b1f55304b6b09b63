"""The state is what the journal says, whatever was done in whatever order, and whatever was refused meanwhile."""

import re
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from wallwright.errors import EventRefused, NoEvent
from wallwright.event import appeals, results, running, sanctions, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.standings import standings
from wallwright.event.state import KINDS
from wallwright.event.store import EventJournal, open_event, read_event
from wallwright.journal import read_journal

from .paper import Paper, declared

STEPS = 400


def step(paper: Paper, chance: Random) -> None:
    """Do anything, sensible or not."""
    desk, number, table = paper.desk, chance.randint(1, 6), chance.randint(1, 3)
    waiting = [one.number for one in paper.state.sessions.values() if one.state in ("planned", "open")]
    if chance.random() < 0.8:
        number = min(waiting, default=1) if paper.state.playing is None else paper.state.playing.number
    why = chance.choice(["", "because", "because", "because"])
    deal, player = chance.randint(1, 4), chance.randint(1, 10)

    def declare() -> None:
        sheet = desk.sheet(number, table)
        record, _ = declared(desk.format.sichuan, sheet.next_dealer, chance)
        results.record_result(desk, results.preview(desk, number, table, record), why)

    def correct() -> None:
        record, _ = declared(desk.format.sichuan, results.find_deal(desk, number, table, deal).dealer, chance)
        results.correct(desk, number, table, deal, record, why, approved=chance.random() < 0.5)

    def appeal() -> None:
        if chance.random() < 0.5:
            appeals.file_appeal(desk, number, player, why, table=chance.choice([None, table]))
        else:
            known = chance.choice([0, *paper.state.appeals])
            appeals.decide(desk, known, upheld=chance.random() < 0.5, ruling=why)

    def bind() -> None:
        setup.bind_table(desk, table, chance.choice(["U1", "U2", None]), why)

    def tell() -> None:
        body = {"deal": chance.randint(1, 3), "dealer": 0}
        desk.append("deal_started", body, at_ms=paper.time_ms, unit=chance.choice(["U1", "U2", "U3"]))

    def move() -> None:
        todo = chance.choice([running.open_session, running.start_session, running.put_back, running.publish])
        todo(desk, number)

    def end() -> None:
        if chance.random() < 0.5:
            running.stop_session(desk, number, why)
        else:
            chance.choice([running.resume_session, running.finalise])(desk, number, why)

    def rest() -> None:
        where = chance.choice([None, table])
        if chance.random() < 0.5:
            running.pause(desk, number, why, where)
        else:
            running.end_pause(desk, number, where)

    actions = [
        *[declare] * 6,
        correct,
        appeal,
        bind,
        tell,
        *[move] * 5,
        end,
        rest,
        lambda: paper.tick(chance.choice([1, 5, 30])),
        lambda: running.add_time(desk, number, chance.randint(-3, 3), why, chance.choice([None, table])),
        lambda: running.sign_off(desk, number, table),
        lambda: running.take_back_signature(desk, number, table, why),
        lambda: results.rule_result(desk, number, table, (1, 0, 0, -1), why),
        lambda: results.void(desk, number, table, deal, why),
        lambda: results.annul(desk, number, table, why),
        lambda: results.confirm(desk, number, table),
        lambda: results.approve(desk, number, table),
        lambda: sanctions.give_penalty(desk, player, "points", why, amount=Fraction(deal), session=number),
        lambda: sanctions.withdraw_penalty(desk, chance.choice([0, *paper.state.penalties]), why),
        lambda: sanctions.substitute(desk, number, player, chance.choice(["9", "10", "Zed", "Ulf"]), why),
    ]
    chance.choice(actions)()


def test_whatever_is_done_the_journal_tells_it_again(seed: int) -> None:
    paper = Paper(10).draw(byes=True)
    chance = Random(seed)
    written = refused = 0
    for _ in range(STEPS):
        before = len(paper.log.lines)
        try:
            step(paper, chance)
        except EventRefused:
            refused += 1
            assert len(paper.log.lines) == before, "what is refused writes nothing"
        written += len(paper.log.lines) > before
    assert written > STEPS / 20
    assert refused > STEPS / 20
    again, state = paper.again(), paper.state
    assert again.sessions == state.sessions
    assert (again.penalties, again.appeals) == (state.penalties, state.appeals)
    assert (again.units, again.unit_of, again.substitutions) == (state.units, state.unit_of, state.substitutions)
    assert (again.notes, again.players, again.draws) == (state.notes, state.players, state.draws)
    assert standings(again) == standings(state)
    assert state.playing is None or state.playing.state in ("running", "awaiting_sign_off")
    assert {fact.kind for fact in paper.log.facts()} <= {*KINDS, "deal_started", "checkpoint"}


def test_every_kind_of_entry_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs" / "events.md").read_text()
    told = re.findall(r"^\| `(\w+_\w+)` \|", page.partition("## What the journal holds")[2], re.MULTILINE)
    assert sorted(told) == sorted(KINDS)


def import_and_begin_again(journal: EventJournal, roster: Roster) -> None:
    with journal.turn() as desk:
        setup.import_players(desk, roster, "a list")
        setup.create(desk, load_format("mil-2025"))


def test_a_turn_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    place = str(tmp_path / "day.journal")
    with pytest.raises(NoEvent), open_event(place, "test"):
        pass
    assert not Path(place).exists()
    roster = Roster(tuple(Player(number, f"P{number}") for number in range(1, 5)))
    with open_event(place, "test", new=True) as desk:
        setup.create(desk, load_format("chengdu-grand-prix"))
    with EventJournal(place, "test") as journal:
        with pytest.raises(EventRefused):
            import_and_begin_again(journal, roster)
        assert [entry.kind for entry in read_journal(place)] == ["event_created"]
        with journal.turn() as desk:
            assert not desk.state.players
            setup.import_players(desk, roster, "a list")
        with journal.turn() as desk:
            assert len(desk.state.players) == 4
    assert len(read_event(place).players) == 4
    assert [entry.body["by"] for entry in read_journal(place)] == ["test", "test"]
