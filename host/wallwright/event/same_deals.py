"""The deals that all tables play: committed to before the first session, replaced when one is spoilt, shown at last.

Before they are shown the journal has their commitment and who deals each of them, no tile.
"""

from typing import Any

from ..duplicate.announced import Announced, announced
from ..duplicate.deals import Deals, preset
from ..duplicate.drawing import check_drawn
from ..duplicate.json_form import deals_record
from ..duplicate.match_points import hundredths
from ..errors import EventRefused
from ..journal.kinds import make_record
from ..journal.kinds.desk import DealAnnulled, DealReplaced, DealsCommitted, DealsRevealed
from ..naming import EventTable
from ..words import words
from . import guards
from .desk import Desk, need_reason
from .format import OWN_DEALS, REPLAY
from .lifecycle import OPEN, PLANNED, PLAYING
from .pairs import of_deal, rooms
from .results import ruled
from .seat_findings import check_present_again
from .state import EventState
from .state_parts import CommittedDeals

_SAID_BEFORE = (
    ("ruleset", words("the ruleset")),
    ("draws", words("from where players draw")),
    ("spares", words("how many are spare")),
    ("dealers", words("who deals")),
)
"""What is announced beside the commitment, which nobody can check before the deals are shown."""


def has_same_deals(desk: Desk) -> bool:
    """Say whether all tables of the event play the same deals."""
    return desk.format.duplicate != OWN_DEALS


def commit_deals(desk: Desk, deals: Announced) -> None:
    """Write the commitment to `deals`, and who deals them. EventRefused when the event cannot be played with them."""
    event_format = desk.format
    if event_format.duplicate == OWN_DEALS:
        raise EventRefused(words("the tables of this format do not play the same deals; its duplicate is none"))
    commits = DealsCommitted(
        commitment=deals.commitment,
        ruleset=deals.ruleset,
        draws=deals.draws,
        spares=deals.spares,
        dealers=deals.dealers,
    )
    guards.check(desk.state, commits)
    wanted, there = event_format.sessions * event_format.deals, len(deals.dealers) - deals.spares
    if there < wanted:
        problem = "the file has {there} to play, and this event needs {wanted}; draw more"
        raise EventRefused(words(problem, there=there, wanted=wanted))
    tiles = [one.game.table(one.asked({})) for one in (preset(deals.ruleset), event_format.game)]
    if tiles[0] != tiles[1]:
        problem = "the deals are of {ruleset}, and this event is played by {played}"
        raise EventRefused(words(problem, ruleset=deals.ruleset, played=event_format.game.said_name))
    desk.write(commits)


def replace_deal(desk: Desk, session: int, deal: int, reason: str) -> int:
    """Let all tables play a spare deal in the place of a spoilt one; what was played of it counts for nothing."""
    need_reason(reason, words("a deal is replaced for a reason"))
    known = _known(desk.state)
    found = desk.session(session)
    if found.state not in PLAYING:
        raise EventRefused(words("session {session} is not being played", session=session))
    if not 1 <= deal <= desk.format.deals:
        raise EventRefused(words("a session has deals 1 to {last}", last=desk.format.deals))
    spare = known.next_spare()
    if spare is None:
        raise EventRefused(words("no spare deal is left; void the deal at each table instead"))
    facts: list[Any] = []
    for sheet in found.tables:
        if deal in sheet.deals or deal in sheet.begun:
            if sheet.signed_off:
                raise EventRefused(
                    words("{table} has signed; take its signature back first", table=EventTable(sheet.table))
                )
            check_present_again(desk.state, sheet, sheet.played - (deal in sheet.deals), desk.now())
            ruling = ruled(sheet, deal, (0, 0, 0, 0), reason, {}, (), None)
            facts.append(make_record(DealAnnulled, {**ruling, "rule": REPLAY}))
    facts.append(DealReplaced(session=session, deal=deal, spare=spare, reason=reason))
    desk.write_all(facts)
    return spare


def reveal_deals(desk: Desk, deals: Deals) -> None:
    """Show the deals to everybody, once nobody is to play them any more.

    EventRefused for other deals, and for those that were announced otherwise; BadDeals for such as cannot be.
    """
    known = _known(desk.state)
    shows = DealsRevealed(deals=deals_record(deals))
    guards.check(desk.state, shows)
    check_drawn(deals)
    shown = announced(deals)
    if shown.commitment != known.commitment:
        problem = "these are not the deals that were committed to: the commitment is another one"
        raise EventRefused(words(problem))
    for name, what in _SAID_BEFORE:
        if getattr(shown, name) != getattr(known, name):
            problem = "these deals are the ones that were committed to, and they were announced otherwise: {what}"
            raise EventRefused(words(problem, what=what))
    desk.write(shows)


def traveller_rows(state: EventState, session: int, deal: int) -> list[dict[str, Any]]:
    """Return what every table has made of a deal, a row a table. EventRefused before the deals are shown.

    `match_points_0` are those of East and West, `match_points_1` those of South and North; both are None of a no-play,
    and where nobody has partners.
    """
    known = _known(state)
    if known.shown is None:
        raise EventRefused(words("the deals are not shown yet; that comes after the last table has played"))
    found = state.sessions.get(session)
    if found is None or state.format is None:
        raise EventRefused(words("there is no session {session}", session=session))
    rows = []
    for group in rooms(state.format, found.tables):
        table_of = {sheet.deals[deal].entry: sheet.table for sheet in group if deal in sheet.deals}
        for result, given in of_deal(group, deal):
            row: dict[str, Any] = {"table": table_of[result.entry]}
            for seat, player in enumerate(result.players):
                row |= {f"player_{seat}": state.name(player), f"points_{seat}": result.points[seat]}
            given = given if state.format.by_partners else None
            for side in range(2):
                row[f"match_points_{side}"] = None if given is None else hundredths(given[side])
            rows.append(row)
    return rows


def walls_for(state: EventState, unit: str) -> int | None:
    """Return which of the drawn deals the next walls of the board `unit` are for, None when none is to come.

    While the walls of the next deal are up and are not lowered yet, these are those of the deal behind it.
    """
    known, table = state.deals, state.units.get(unit)
    if known is None or known.shown is not None or state.format is None or table is None:
        return None
    a_session, playing = state.format.deals, state.playing
    sheet = None if playing is None else state.sheet(playing.number, table)
    if playing is not None and sheet is not None and not sheet.signed_off:
        deal = sheet.next_number + state.told.has_next_up(unit)
        if deal <= a_session:
            return known.number(playing.number, deal, a_session)
    to_come = [number for number, one in sorted(state.sessions.items()) if one.state in (PLANNED, OPEN)]
    return known.number(to_come[0], 1, a_session) if to_come else None


def withdrawn_deals(state: EventState) -> tuple[int, ...]:
    """Return which of the drawn deals nobody plays any more, because a spare one has replaced them at all tables."""
    if state.deals is None or state.format is None:
        return ()
    return state.deals.withdrawn(state.format.deals)


def _known(state: EventState) -> CommittedDeals:
    if state.deals is None:
        problem = "no deals were committed to; a director does that on the page of the deals, or by {command}"
        raise EventRefused(words(problem, command="`wallwright event deals commit`"))
    return state.deals
