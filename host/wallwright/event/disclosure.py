"""Who may see what of an event, and when. Every page, stream, file, paper, figure and explanation asks here.

`may_see` is the rule: what an audience sees of a session follows from how far the session has come, and from nothing
else. Of which session a deal is that a board has told, `ToldDeals` says, whichever board stands where meanwhile.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from .format import FOR_STAFF
from .lifecycle import COUNTED, PLANNED, PLAYING, PUBLIC, STATES
from .state import EventState
from .state_parts import Penalty
from .table_sheet import DealResult

EVERYBODY, PLAYER, STAFF, LIVE = "everybody", "player", "staff", "live"
"""Who looks: anybody, also at a screen of the hall; a player with a PIN, at the own table; people who work at the
event; and those of them who want to see what is not complete yet."""
AUDIENCES: Final = (EVERYBODY, PLAYER, STAFF, LIVE)

PLACES, RESULTS, TOTALS, STANDINGS = "places", "results", "totals", "standings"
PENALTIES, APPEALS = "penalties", "appeals"
"""What there is to be seen of a session. RESULTS are its deals, with their moves, tiles and reasons, those that were
corrected, voided or annulled among them; TOTALS what the tables and players have so far."""

_OPENED = tuple(state for state in STATES if state != PLANNED)
MAY_SEE: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    PLACES: {EVERYBODY: _OPENED, PLAYER: _OPENED, STAFF: STATES, LIVE: STATES},
    RESULTS: {EVERYBODY: PUBLIC, PLAYER: (*PLAYING, *PUBLIC), STAFF: STATES, LIVE: STATES},
    TOTALS: {EVERYBODY: PUBLIC, PLAYER: (*PLAYING, *PUBLIC), STAFF: STATES, LIVE: STATES},
    STANDINGS: {EVERYBODY: PUBLIC, PLAYER: PUBLIC, STAFF: COUNTED, LIVE: (*PLAYING, *COUNTED)},
    PENALTIES: {EVERYBODY: PUBLIC, PLAYER: PUBLIC, STAFF: STATES, LIVE: STATES},
    APPEALS: {EVERYBODY: PUBLIC, PLAYER: PUBLIC, STAFF: STATES, LIVE: STATES},
}
"""By what is seen and by whom: the states of a session in which it is."""

WITHDRAWN = "withdrawn"
"""Stands for the reason of a withdrawal where that is not told."""


def may_see(state: EventState | None, audience: str, what: str, session: int | None) -> bool:
    """Say whether an audience may see that of a session.

    `session` is None for what is of no session: a penalty for the event as a whole, a deal that is over and was played
    outside the event. `state` is None where there is no event. Of a session that there is not nothing is seen.
    """
    if state is None or session is None:
        return True
    found = state.sessions.get(session)
    return found is not None and found.state in MAY_SEE[what][audience]


def when_over(state: EventState) -> Hashable | None:
    """Return what changes with every result and state once all sessions are published; None before."""
    assert state.format is not None
    if len(state.sessions) < state.format.sessions:
        return None
    is_public = all(may_see(state, EVERYBODY, TOTALS, number) for number in state.sessions)
    return state.changed if is_public else None


def shown_penalties(state: EventState, audience: str, player: int | None = None) -> tuple[Penalty, ...]:
    """Return the penalties of a player, or of all, that an audience may know of, those withdrawn among them.

    Their reasons are left out if the format keeps these for the staff.
    """
    return tuple(_shown(state, audience, player))


def shown_reason(state: EventState, audience: str, deal: DealResult) -> str:
    """Return why a result is as it is; a deal in which somebody was fined may have that for the staff alone."""
    return "" if deal.fines and _are_kept_back(state, audience) else deal.reason


def _shown(state: EventState, audience: str, player: int | None) -> Iterator[Penalty]:
    kept_back = _are_kept_back(state, audience)
    for one in state.penalties.values():
        if (player is None or one.player == player) and may_see(state, audience, PENALTIES, one.session):
            yield replace(one, reason="", withdrawn=one.withdrawn and WITHDRAWN) if kept_back else one


def _are_kept_back(state: EventState, audience: str) -> bool:
    assert state.format is not None
    return audience == EVERYBODY and state.format.penalty_reasons == FOR_STAFF
