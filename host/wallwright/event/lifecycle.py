"""The life of a session: which step leads from which state to which, as data for a `transitions` machine."""

from collections.abc import Callable
from functools import cache
from typing import Final

from transitions import Machine, MachineError

from ..errors import EventRefused
from ..words import Listed, Named, Words, words

PLANNED, OPEN, RUNNING, AWAITING = "planned", "open", "running", "awaiting_sign_off"
PROVISIONAL, UNDER_APPEAL, FINAL = "provisional", "under_appeal", "final"
STATES: Final = (PLANNED, OPEN, RUNNING, AWAITING, PROVISIONAL, UNDER_APPEAL, FINAL)

TRANSITIONS: Final = (
    ("open", (PLANNED,), OPEN),
    ("put_back", (OPEN,), PLANNED),
    ("start", (OPEN,), RUNNING),
    ("stop", (RUNNING,), AWAITING),
    ("resume", (AWAITING,), RUNNING),
    ("sign_off", (AWAITING,), PROVISIONAL),
    ("publish", (PROVISIONAL,), UNDER_APPEAL),
    ("reopen", (PROVISIONAL, UNDER_APPEAL), AWAITING),
    ("finalise", (UNDER_APPEAL,), FINAL),
    ("revise", (FINAL,), UNDER_APPEAL),
)
"""(trigger, states it leads from, state it leads to). No two rows have a source and the trigger in common."""

MEANINGS: Final = {
    "open": "its seats are shown and players take them",
    "put_back": "it was opened by mistake",
    "start": "the hall's clock starts",
    "stop": "time is up, or all tables have played their deals",
    "resume": "it was stopped by mistake",
    "sign_off": "all tables have signed their results",
    "publish": "results are shown, and the time for appeals begins",
    "reopen": "a table has to play or score again",
    "finalise": "the time for appeals is over",
    "revise": "a result is corrected after all, and may be appealed",
}

PLAYING: Final = (RUNNING, AWAITING)
"""States in which tables may have deals to tell of."""
COUNTED: Final = (PROVISIONAL, UNDER_APPEAL, FINAL)
"""States in which all tables are done."""
PUBLIC: Final = (UNDER_APPEAL, FINAL)
"""States in which everybody may see the results."""


def advance(session: int, state: str, trigger: str) -> str:
    """Return the state after `trigger`. EventRefused says what can be done instead."""
    if trigger not in MEANINGS:
        raise EventRefused(
            words("{step!r} is no step of a session; there are {steps}", step=trigger, steps=_steps(tuple(MEANINGS)))
        )
    machine = _machine()
    model = _Model()
    machine.add_model(model, initial=state)
    try:
        model.trigger(trigger)
    except MachineError as error:
        possible = _steps(tuple(name for name, sources, _ in TRANSITIONS if state in sources))
        problem = "{session}, so {step} is not possible: {possible}"
        step = Named("step", trigger)
        raise EventRefused(words(problem, session=standing(session, state), step=step, possible=possible)) from error
    finally:
        machine.remove_model(model)
    return model.state


def state_words(state: str) -> str:
    """Return a state as people say it."""
    return state.replace("_", " ")


def standing(session: int, state: str) -> Words:
    """Return how a session stands: "session 1 is under appeal"."""
    return words(f"session {{session}} is {state_words(state)}", session=session)


def _steps(names: tuple[str, ...]) -> Listed:
    return Listed(tuple(Named("step", name) for name in names))


@cache
def _machine() -> Machine:
    return Machine(
        model=None,
        states=list(STATES),
        transitions=[[trigger, list(sources), target] for trigger, sources, target in TRANSITIONS],
        initial=PLANNED,
        auto_transitions=False,
    )


class _Model:
    """What the machine moves. It gives it these two, declared here for the type checker."""

    state: str
    trigger: Callable[[str], bool]
