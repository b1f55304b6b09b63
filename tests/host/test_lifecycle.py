"""The host's view of the life cycle, against the firmware's own table and against a table at work."""

from wallwright.lifecycle import RESTING, TRANSITIONS, Lifecycle
from wallwright_firmware.transitions import TRANSITIONS as FIRMWARE
from wallwright_protocol.names import STATES


def pairs() -> set[tuple[str, str]]:
    return {(source, target) for _, sources, target in TRANSITIONS for source in sources}


def test_it_has_every_transition_of_the_firmware_and_no_other() -> None:
    own = {(STATES[source], STATES[target]) for (source, _), (target, _) in FIRMWARE.items()}
    faults = {(state, "fault") for state in STATES if state != "fault"}
    found = {(state, rest) for state in ("starting", "fault", "service") for rest in RESTING}
    assert pairs() == own | faults | found


def test_no_two_rows_contradict_each_other() -> None:
    assert len(pairs()) == sum(len(sources) for _, sources, _ in TRANSITIONS)
    assert len({trigger for trigger, _, _ in TRANSITIONS}) == len(TRANSITIONS)


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
        assert lifecycle.can_become(state)
        lifecycle.event_seen(seq, state)
        assert lifecycle.state == state
    assert not lifecycle.notes


def test_it_follows_full_carriers_up_again() -> None:
    lifecycle = view("walls_up")
    for seq, state in enumerate(["lowering", "lifting", "stopped_lowering", "lowering", "shuffling"], 11):
        assert lifecycle.can_become(state)
        lifecycle.event_seen(seq, state)
    assert not lifecycle.notes


def test_a_state_that_cannot_follow_is_believed_and_noted() -> None:
    lifecycle = view("idle")
    assert not lifecycle.can_become("walls_up")
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
