"""Guards of a season: no entry may count a day twice, or draw the final's seats anew once it was played.

The desk asks `check` before it writes an entry, and the fold asks it of each entry that it reads; see `event.guards`.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import EventRefused
from ..journal.kinds import Record, desk
from ..journal.kinds.season import DayAdded, DayReplaced, DayWithdrawn, SeasonCreated

if TYPE_CHECKING:
    from .state import SeasonState


def check(state: "SeasonState", said: Record) -> None:
    """Raise EventRefused when an entry that says this would take away what the season has."""
    guard = _GUARDS.get(type(said))
    if guard is not None:
        guard(state, said)


def check_final_to_come(state: "SeasonState") -> None:
    """EventRefused once the final is in the season."""
    if state.final is not None:
        raise EventRefused("the final was played; its seats stay as they are")


def check_open_draw(state: "SeasonState") -> None:
    """EventRefused unless a commitment waits for its reveal."""
    if state.draw is None or state.draw.lots:
        raise EventRefused("there is no commitment that waits for its reveal; commit to a seed first")


def _begin(state: "SeasonState", _: SeasonCreated) -> None:
    if state.format is not None:
        raise EventRefused(f"this journal holds the season {state.format.name!r} already; take another journal")


def _add(state: "SeasonState", said: DayAdded) -> None:
    if said.day.day in state.days:
        raise EventRefused(f"{said.day.name} of {said.day.date} is in the season; replace it by a later extract")
    if said.is_final and state.final is not None:
        final = state.final.day
        raise EventRefused(f"the season has its final, {final.name} of {final.date}; withdraw that one first")


def _change(state: "SeasonState", said: DayReplaced | DayWithdrawn) -> None:
    day = said.day.day if isinstance(said, DayReplaced) else said.day
    if day not in state.days:
        raise EventRefused(f"day {day[:8]} is not in the season; see `wallwright season days`")


def _draw(state: "SeasonState", _: desk.DrawCommitted | desk.SeatsPlanned) -> None:
    check_final_to_come(state)


def _go_on_drawing(state: "SeasonState", _: desk.DrawContributed | desk.DrawRevealed) -> None:
    check_open_draw(state)
    check_final_to_come(state)


def _give_up(state: "SeasonState", _: desk.DrawWithdrawn) -> None:
    check_open_draw(state)


_GUARDS: Mapping[type[Record], Callable[["SeasonState", Any], None]] = {
    SeasonCreated: _begin,
    DayAdded: _add,
    DayReplaced: _change,
    DayWithdrawn: _change,
    desk.DrawCommitted: _draw,
    desk.DrawContributed: _go_on_drawing,
    desk.DrawRevealed: _go_on_drawing,
    desk.DrawWithdrawn: _give_up,
    desk.SeatsPlanned: _draw,
}
