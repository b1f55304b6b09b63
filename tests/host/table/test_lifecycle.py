"""The host's view of the life cycle, event by event; test_table.py has it at a table at work."""

import pytest

from wallwright.table.lifecycle import Lifecycle
from wallwright_protocol.names import STATES


def view(state: str = "idle", newest: int = 10) -> Lifecycle:
    lifecycle = Lifecycle()
    lifecycle.status_seen(newest, state)
    return lifecycle


def test_the_first_status_is_believed_without_a_note() -> None:
    for state in STATES:
        assert view(state).state == state
        assert not view(state).notes


def test_it_follows_a_whole_round() -> None:
    lifecycle = view()
    round_ = "building ready lid_opening lid_open lid_closing lifting walls_up lowering shuffling building fault ready"
    for seq, state in enumerate(round_.split(), 11):
        lifecycle.event_seen(seq, state)
        assert lifecycle.state == state
    assert not lifecycle.notes


def test_it_follows_full_carriers_up_again() -> None:
    lifecycle = view("walls_up")
    for seq, state in enumerate(["lowering", "lifting", "stopped_lowering", "lowering", "shuffling"], 11):
        lifecycle.event_seen(seq, state)
    assert not lifecycle.notes


@pytest.mark.parametrize("woken", ["idle", "ready", "lid_open", "walls_up", "stopped_raising", "stopped_lowering"])
def test_a_table_wakes_up_in_any_state_in_which_it_can_stand(woken: str) -> None:
    for before in ("starting", "fault", "service"):
        lifecycle = view(before)
        lifecycle.event_seen(11, woken)
        lifecycle.event_seen(12, "fault")
        assert not lifecycle.notes


def test_a_state_that_cannot_follow_is_believed_and_noted() -> None:
    lifecycle = view("idle")
    lifecycle.event_seen(11, "walls_up")
    assert lifecycle.state == "walls_up"
    assert list(lifecycle.notes) == ["event 11 says walls_up, which cannot follow idle"]


def test_an_event_older_than_the_status_changes_nothing() -> None:
    lifecycle = view("ready", newest=10)
    lifecycle.event_seen(9, "building")
    assert lifecycle.state == "ready"
    assert not lifecycle.notes


def test_a_status_that_contradicts_the_events_is_believed_and_noted() -> None:
    lifecycle = view("idle")
    lifecycle.event_seen(11, "building")
    lifecycle.status_seen(11, "ready")
    assert lifecycle.state == "ready"
    assert len(lifecycle.notes) == 1


def test_a_status_that_is_ahead_waits_for_its_events_once() -> None:
    lifecycle = view("idle")
    lifecycle.status_seen(12, "ready")
    assert lifecycle.state == "idle"
    lifecycle.event_seen(11, "building")
    lifecycle.event_seen(12, "ready")
    lifecycle.status_seen(12, "ready")
    assert not lifecycle.notes
    lifecycle.status_seen(14, "fault")
    lifecycle.status_seen(14, "fault")
    assert lifecycle.state == "fault"
    assert len(lifecycle.notes) == 1


def test_a_status_that_is_behind_changes_nothing() -> None:
    lifecycle = view("idle")
    lifecycle.event_seen(11, "building")
    lifecycle.status_seen(10, "idle")
    assert lifecycle.state == "building"
    assert not lifecycle.notes
