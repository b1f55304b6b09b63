"""A session from planned to final, and its clocks."""

from fractions import Fraction
from pathlib import Path

import pytest

from wallwright.errors import EventRefused
from wallwright.event import lifecycle, results, running, sanctions
from wallwright.event.clock import Clock
from wallwright.event.format_file import load_format, parse_format

from .paper import MINUTE, Paper


def test_every_state_can_be_reached_and_every_step_has_a_meaning() -> None:
    reached = {lifecycle.PLANNED}
    for _ in lifecycle.TRANSITIONS:
        reached |= {to for _, sources, to in lifecycle.TRANSITIONS if reached & set(sources)}
    assert reached == set(lifecycle.STATES)
    assert set(lifecycle.MEANINGS) == {trigger for trigger, _, _ in lifecycle.TRANSITIONS}


def test_every_step_from_every_state_is_as_the_table_says() -> None:
    leads = {(source, trigger): to for trigger, sources, to in lifecycle.TRANSITIONS for source in sources}
    for state in lifecycle.STATES:
        for trigger in lifecycle.MEANINGS:
            if (state, trigger) in leads:
                assert lifecycle.advance(1, state, trigger) == leads[state, trigger]
            else:
                with pytest.raises(EventRefused, match=f"session 1 is {lifecycle.state_words(state)}"):
                    lifecycle.advance(1, state, trigger)
    with pytest.raises(EventRefused, match="there are open"):
        lifecycle.advance(1, lifecycle.PLANNED, "jump")


def test_a_session_goes_its_way_and_a_restart_changes_nothing() -> None:
    paper = Paper().draw()
    assert [one.state for one in paper.state.sessions.values()] == ["planned"] * 5
    paper.start()
    paper.play(1, 1, 10)
    paper.play(1, 2, 3)
    paper.tick(59)
    with pytest.raises(EventRefused, match="table 2 has time and deals left"):
        running.stop_session(paper.desk, 1)
    with pytest.raises(EventRefused, match="stop the session first"):
        running.sign_off(paper.desk, 1, 2)
    running.sign_off(paper.desk, 1, 1)
    paper.tick(1)
    running.stop_session(paper.desk, 1)
    assert paper.state.sessions[1].state == "awaiting_sign_off"
    with pytest.raises(EventRefused, match="session 1 is awaiting sign off"):
        running.publish(paper.desk, 1)
    running.sign_off(paper.desk, 1, 2)
    assert paper.state.sessions[1].state == "provisional"
    running.publish(paper.desk, 1)
    paper.tick(29.5)
    with pytest.raises(EventRefused, match="1 more minute"):
        running.finalise(paper.desk, 1)
    again = paper.again()
    assert again.sessions[1] == paper.state.sessions[1]
    paper.tick(0.5)
    running.finalise(paper.desk, 1)
    assert paper.again().sessions[1].state == "final"
    with pytest.raises(EventRefused, match="results come in while it runs"):
        paper.play(1, 1, 1)


def test_sessions_come_one_after_the_other() -> None:
    paper = Paper().draw()
    with pytest.raises(EventRefused, match="session 1 is planned; it comes before"):
        running.open_session(paper.desk, 2)
    paper.start(1)
    running.open_session(paper.desk, 2)
    with pytest.raises(EventRefused, match="session 1 is running"):
        running.start_session(paper.desk, 2)
    running.put_back(paper.desk, 2)
    assert paper.state.sessions[2].state == "planned"
    with pytest.raises(EventRefused, match="no seats yet"):
        running.open_session(paper.desk, 6)
    with pytest.raises(EventRefused, match="there is no 3"):
        paper.desk.sheet(1, 3)


def test_deals_or_time_whichever_comes_first() -> None:
    paper = Paper().draw().start()
    first, second = paper.state.sessions[1].tables
    paper.play(1, 1, 9)
    assert running.may_start_deal(paper.state, first, paper.time_ms)
    paper.play(1, 1, 1)
    assert not running.may_start_deal(paper.state, first, paper.time_ms)
    assert running.may_start_deal(paper.state, second, paper.time_ms + 60 * MINUTE - 1)
    assert not running.may_start_deal(paper.state, second, paper.time_ms + 60 * MINUTE)


def test_pauses_and_added_time_of_hall_and_table() -> None:
    paper = Paper().draw().start()
    first, second = paper.state.sessions[1].tables
    paper.tick(10)
    with pytest.raises(EventRefused, match="paused for a reason"):
        running.pause(paper.desk, 1, "")
    running.pause(paper.desk, 1, "fire alarm")
    with pytest.raises(EventRefused, match="paused already"):
        running.pause(paper.desk, 1, "again")
    paper.tick(5)
    running.pause(paper.desk, 1, "a jam", table=2)
    paper.tick(5)
    running.end_pause(paper.desk, 1)
    with pytest.raises(EventRefused, match="not paused"):
        running.end_pause(paper.desk, 1)
    paper.tick(3)
    running.end_pause(paper.desk, 1, table=2)
    with pytest.raises(EventRefused, match="give a reason"):
        running.add_time(paper.desk, 1, 4, " ", table=2)
    running.add_time(paper.desk, 1, 4, "the lid was stuck", table=2)
    running.add_time(paper.desk, 1, 1, "late tea")
    limit = paper.desk.format.limit_ms
    for state in (paper.state, paper.again()):
        clocks = [state.clock_of(sheet) for sheet in state.sessions[1].tables]
        # 23 minutes have passed. The hall stood still for 10 of them, table 2 for 13 in all.
        assert [clock.elapsed_ms(paper.time_ms) for clock in clocks] == [13 * MINUTE, 10 * MINUTE]
        assert [clock.left_ms(limit, paper.time_ms) for clock in clocks] == [48 * MINUTE, 55 * MINUTE]
    paper.tick(48)
    assert not running.may_start_deal(paper.state, first, paper.time_ms)
    assert running.may_start_deal(paper.state, second, paper.time_ms)


def test_a_stop_by_mistake_costs_no_time() -> None:
    paper = Paper().draw().start()
    paper.tick(20)
    running.stop_session(paper.desk, 1, "wrong button")
    paper.tick(7)
    with pytest.raises(EventRefused, match="clock does not run"):
        running.pause(paper.desk, 1, "tea")
    running.resume_session(paper.desk, 1, "it was the wrong button")
    paper.tick(3)
    assert paper.state.sessions[1].clock.elapsed_ms(paper.time_ms) == 23 * MINUTE


def test_warnings_come_at_their_times_and_wait_in_a_pause() -> None:
    paper = Paper(8, load_format("mil-2025")).draw()  # SBR-11.6
    session = paper.state.sessions[1]
    assert running.warnings_given(paper.state, session, paper.time_ms) == ()
    paper.start()

    def given() -> tuple[int, ...]:
        return running.warnings_given(paper.state, session, paper.time_ms)

    paper.tick(44.9)
    assert given() == ()
    running.pause(paper.desk, 1, "tea")
    paper.tick(9)
    assert given() == ()
    running.end_pause(paper.desk, 1)
    paper.tick(0.1)
    assert given() == (15,)
    paper.tick(5)
    assert given() == (15, 10)


def test_the_last_deal_is_played_out_or_broken_off_as_the_rules_say(tmp_path: Path) -> None:
    told = {"events": [], "end": "time_up", "hands": []}
    paper = Paper().draw().start()
    assert any("SBR-4.9" in str(one) for one in results.preview(paper.desk, 1, 1, told).irregular)
    (tmp_path / "stop.toml").write_text('time_up = "stop"')
    stopping = parse_format('base = "chengdu-grand-prix"\nruleset = "stop.toml"', "x", tmp_path)
    assert results.preview(Paper(8, stopping).draw().start().desk, 1, 1, told).irregular == ()


def test_a_signature_taken_back_opens_the_session_again() -> None:
    paper = Paper().draw()
    paper.play_session(1)
    with pytest.raises(EventRefused, match="give a reason"):
        running.take_back_signature(paper.desk, 1, 1, "")
    running.take_back_signature(paper.desk, 1, 1, "a deal is missing")
    assert paper.state.sessions[1].state == "awaiting_sign_off"
    paper.play(1, 1, 1)
    running.sign_off(paper.desk, 1, 1)
    assert paper.again().sessions[1].state == "provisional"


def test_what_is_final_can_be_appealed_again_after_a_correction() -> None:
    paper = Paper().draw()
    paper.play_session(1)
    running.publish(paper.desk, 1)
    paper.tick(30)
    running.finalise(paper.desk, 1)
    results.void(paper.desk, 1, 1, 1, "the wrong deal was noted")
    session = paper.state.sessions[1]
    assert (session.state, session.published_ms) == ("under_appeal", paper.time_ms)
    player = session.tables[0].players[0]
    paper.tick(20)
    sanctions.give_penalty(paper.desk, player, "points", "phone", amount=Fraction(2), session=1)
    with pytest.raises(EventRefused, match="30 more minutes"):
        running.finalise(paper.desk, 1)
    running.finalise(paper.desk, 1, "both sides agree")
    assert paper.again().sessions[1].state == "final"


@pytest.mark.parametrize("pauses", [((0, 5),), ((3, 9), (4, 7)), ((2, None),), ((8, 20),), ((0, 4), (2, 6), (12, 13))])
def test_a_clock_counts_like_a_person_with_a_list_of_milliseconds(pauses) -> None:
    clock = Clock(1, 11, pauses)
    for now in range(16):
        still = {ms for begin, end in pauses for ms in range(begin, 99 if end is None else end)}
        assert clock.elapsed_ms(now) == len(set(range(1, min(now, 11))) - still)
