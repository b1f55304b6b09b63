"""Steps of `EventState` for the entries of draws; `state` applies them, after `guards` were asked."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..journal.entry import Entry
from ..journal.kinds import Record, desk
from .draw import Contribution
from .state_parts import begin_draw

if TYPE_CHECKING:
    from .state import EventState


def _committed(state: "EventState", _: Entry, said: desk.DrawCommitted) -> None:
    before, given_up = state.draws.get(said.stage), state.given_up.pop(said.stage, ())
    state.draws[said.stage] = begin_draw(before, given_up, said.commitment, said.players, said.reason)


def _withdrawn(state: "EventState", _: Entry, said: desk.DrawWithdrawn) -> None:
    draw = state.draws.pop(said.stage)
    if draw.before is None:
        state.given_up[said.stage] = draw.given_up(said.reason)
    else:
        state.draws[said.stage] = replace(draw.before, earlier=draw.given_up(said.reason))


def _contributed(state: "EventState", _: Entry, said: desk.DrawContributed) -> None:
    state.draws[said.stage].contributions.append(Contribution(said.of, said.text))


def _revealed(state: "EventState", _: Entry, said: desk.DrawRevealed) -> None:
    draw = state.draws[said.stage]
    draw.seed, draw.lots = said.seed, said.lots


STEPS: Mapping[type[Record], Callable[..., None]] = {
    desk.DrawCommitted: _committed,
    desk.DrawWithdrawn: _withdrawn,
    desk.DrawContributed: _contributed,
    desk.DrawRevealed: _revealed,
}
