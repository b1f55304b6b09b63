"""The host's view of a table's life cycle: which state may follow which, as data for a `transitions` machine.

The table decides; this view follows its events and is checked against its statuses. What does not fit is taken as the
truth and written down in `notes`, because it means that the host has missed something.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from transitions import Machine

from wallwright_protocol.names import STATES

RESTING: Final = ("idle", "ready", "lid_open", "walls_up", "stopped_raising", "stopped_lowering")
"""States in which a table without a fault stands still; where it wakes up, and where a cleared fault
or the end of a service leaves it."""

TRANSITIONS: Final = (
    ("find_idle", ("starting", "fault", "service"), "idle"),
    ("find_ready", ("starting", "fault", "service"), "ready"),
    ("find_lid_open", ("starting", "fault", "service"), "lid_open"),
    ("find_walls_up", ("starting", "fault", "service"), "walls_up"),
    ("find_raising_stopped", ("starting", "fault", "service"), "stopped_raising"),
    ("find_lowering_stopped", ("starting", "fault", "service"), "stopped_lowering"),
    ("start_building", ("idle", "shuffling", "holding", "asking"), "building"),
    ("go_on_building", ("lid_closing",), "building"),
    ("finish_building", ("building", "pausing"), "ready"),
    ("hold_building", ("building",), "holding"),
    ("ask_for_dealer", ("holding",), "asking"),
    ("pause_building", ("building",), "pausing"),
    ("open_lid", ("idle", "ready", "pausing", "holding", "asking"), "lid_opening"),
    ("rest_with_open_lid", ("lid_opening",), "lid_open"),
    ("close_lid", ("lid_open",), "lid_closing"),
    ("raise_lifts", ("lid_closing", "stopped_raising", "lowering"), "lifting"),
    ("rest_without_walls", ("lid_closing",), "idle"),
    ("hand_over_walls", ("lifting",), "walls_up"),
    ("lower_lifts", ("walls_up", "stopped_lowering"), "lowering"),
    ("bring_full_carriers_back", ("lifting",), "stopped_lowering"),
    ("shuffle", ("lowering",), "shuffling"),
    ("begin_service", ("idle", "ready", "lid_open", "walls_up"), "service"),
    ("fail", tuple(state for state in STATES if state != "fault"), "fault"),
)
"""(trigger, states it leads from, state it leads to). No two rows have a source and the target in common."""

_TRIGGERS: Final = {(source, target): trigger for trigger, sources, target in TRANSITIONS for source in sources}
NOTES: Final = 50


class Lifecycle:
    """Where one table is in its life cycle; `notes` holds the last NOTES contradictions as sentences."""

    def __init__(self) -> None:
        self.notes: deque[str] = deque(maxlen=NOTES)
        self._seq = 0
        self._awaited = 0
        self._is_known = False
        self._model = _Model()
        self._machine = Machine(
            model=self._model,
            states=list(STATES),
            transitions=[[trigger, list(sources), target] for trigger, sources, target in TRANSITIONS],
            initial=STATES[0],
            auto_transitions=False,
        )

    @property
    def state(self) -> str:
        """The table's state by name."""
        return self._model.state

    def can_become(self, state: str) -> bool:
        """Say whether `state` may be the next one."""
        return (self.state, state) in _TRIGGERS

    def event_seen(self, seq: int, state: str | None = None) -> None:
        """Event number `seq` has come; `state` is the table's new one if it says so."""
        if seq <= self._seq:
            return  # older than the status that this view was set by
        self._seq = seq
        if state is None or state == self.state:
            return
        trigger = _TRIGGERS.get((self.state, state))
        if trigger is None:
            self._accept(state, f"event {seq} says {state}, which cannot follow {self.state}")
        else:
            self._model.trigger(trigger)

    def status_seen(self, newest_event: int, state: str) -> None:
        """A status says that after event number `newest_event` the table is in `state`."""
        if not self._is_known:
            self._is_known = True
            self._seq = newest_event
            self._accept(state)
        elif newest_event == self._seq and state != self.state:
            self._accept(state, f"a status after event {newest_event} says {state}, this view was {self.state}")
        elif newest_event > self._seq and self._seq < self._awaited:
            self._accept(state, f"events up to {self._awaited} did not come; a status says {state}")
            self._seq = newest_event
        elif newest_event > self._seq:
            # The events are still on their way; a status later they should be here.
            self._awaited = newest_event

    def _accept(self, state: str, note: str = "") -> None:
        if note:
            self.notes.append(note)
        if state not in self._machine.states:
            # A number that this program has no name for. It is where the table is, all the same.
            self._machine.add_state(state)
        self._machine.set_state(state, self._model)


class _Model:
    """What the machine moves. It gives it these two, declared here for the type checker."""

    state: str
    trigger: Callable[[str], bool]
