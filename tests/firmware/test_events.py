"""The event ring: order, links between events, what a full ring gives up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright_firmware.events import CAPACITY, EventRing
from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.messages import KEPT_EVENTS


def walk(ring: EventRing, start: int = 0) -> list[tuple[int, int, int]]:
    """Return (seq, seq before it, message) of every event above `start`."""
    found = []
    record = ring.after(start)
    while record is not None:
        found.append((record[0], record[1], record[3]))
        record = ring.after(record[0])
    return found


def test_events_are_numbered_from_one_and_linked() -> None:
    ring = EventRing()
    for _ in range(3):
        ring.add(5, "state_changed", 1)
    assert [(seq, previous) for seq, previous, _ in walk(ring)] == [(1, 0), (2, 1), (3, 2)]
    assert (ring.newest(), ring.stored(), ring.held()) == (3, 0, 3)


def test_forgetting_keeps_the_rest_linked_to_what_was_stored() -> None:
    ring = EventRing()
    for _ in range(5):
        ring.add(5, "state_changed", 1)
    ring.forget(3)
    assert [(seq, previous) for seq, previous, _ in walk(ring)] == [(4, 3), (5, 4)]
    ring.forget(2)
    assert ring.stored() == 3


def test_a_full_ring_gives_up_the_oldest_detail_and_keeps_faults_and_deals() -> None:
    ring = EventRing()
    ring.add(1, "fault", 1, 2, 26, 28)
    for _ in range(CAPACITY + 10):
        ring.add(2, "state_changed", 1)
    left = walk(ring)
    assert len(left) == CAPACITY
    assert left[0] == (1, 0, NUMBER_OF["fault"])
    lost = left[1][0] - left[0][0] - 1
    assert lost == 11
    assert left[1][1] == 1, "the gap shows: the event before number 13 that is still held is number 1"


def test_when_only_kept_events_are_left_the_oldest_goes_and_the_ring_stays_bounded() -> None:
    ring = EventRing()
    for _ in range(CAPACITY + 1):
        ring.add(1, "walls_up", 0, 1)
    assert ring.held() == CAPACITY
    assert walk(ring)[0][0] == 2


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(
            st.sampled_from(["walls_up", "state_changed"]),
            st.integers(0, 40),
        ),
        max_size=300,
    )
)
def test_whatever_happens_the_links_are_a_chain(steps: list[str | int]) -> None:
    ring = EventRing()
    for step in steps:
        if isinstance(step, str):
            ring.add(1, step, *((0, 1) if step == "walls_up" else (1,)))
        else:
            ring.forget(min(ring.newest(), ring.stored() + step))
    chain = walk(ring)
    assert len(chain) == ring.held() <= CAPACITY
    before = ring.stored()
    for seq, previous, _ in chain:
        assert previous == before < seq
        before = seq
    for start in range(ring.stored(), ring.newest() + 1):
        assert [seq for seq, _, _ in walk(ring, start)] == [seq for seq, _, _ in chain if seq > start]


def test_kept_events_exist() -> None:
    assert all(name in NUMBER_OF for name in KEPT_EVENTS)
