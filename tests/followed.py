"""The machines with tables as they go their ways in a test: `follow` watches, `check_all_states` judges."""

import threading
from collections import defaultdict

import pytest

from tools.machine_page import Shown, states_of
from wallwright_protocol.machine import Machine

Steps = dict[type[Machine], list[tuple[int, str, int]]]
"""Kind of machine -> what happened to all of that kind in its order: the state before, the event, the state after."""


def follow(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """Return what happens from now on, in any thread."""
    followed: Steps = defaultdict(list)
    happens = Machine.happens
    lock = threading.Lock()

    def watched(machine: Machine, event: str, now_ms: int) -> bool:
        before = machine.state
        due = machine.due
        row = machine.table[before].get(event)
        if row is None:
            assert not happens(machine, event, now_ms)
            assert (machine.state, machine.due) == (before, due), "what has no row changes nothing"
            return False
        with lock:
            # What an act sets off may lead further; where the event itself leads is what the table says.
            followed[type(machine)].append((before, event, row[0]))
        return happens(machine, event, now_ms)

    monkeypatch.setattr(Machine, "happens", watched)
    return followed


def path_of(shown: Shown, steps: Steps) -> list[str]:
    """Return the names of the states that one machine went through."""
    names = {state: words.name for state, words in states_of(shown.module).items()}
    first = next(iter(shown.machine.table))
    return [names[first], *(names[after] for before, _, after in steps[shown.machine] if after != before)]


def check_all_states(shown: Shown, steps: Steps) -> None:
    """Every state was reached, and left unless nothing leads out of it."""
    names = {state: words.name for state, words in states_of(shown.module).items()}
    followed = [step for kind, of in steps.items() if issubclass(kind, shown.machine) for step in of]
    changes = [(before, after) for before, _, after in followed if after != before]
    every = {names[state] for state in shown.machine.table}
    last = {names[state] for state, rows in shown.machine.table.items() if not rows}
    assert {names[before] for before, _ in changes} == every - last, "states that were left"
    assert {names[after] for _, after in changes} == every, "states that were reached"
