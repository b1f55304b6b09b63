"""Players sign the results of their own table themselves, where the format lets them: `player_signing`.

The journal has who signed which results and how. When all who play for themselves have signed, the table is signed off.
A result that is changed afterwards has to be signed anew.
"""

from ..errors import EventRefused
from ..journal.kinds.desk import PlayerSigned
from ..words import Words, words
from . import running
from .desk import Desk
from .disclosure import PLAYER, RESULTS, may_see
from .format import NO_SIGNING
from .state import EventState
from .table_sheet import TableSheet


def sheet_to_sign(state: EventState, player: int) -> TableSheet | None:
    """Return the table at which a player sits in the session that is played; None where there is none."""
    session = state.playing
    if session is None or state.players[player].stand_in or not may_see(state, PLAYER, RESULTS, session.number):
        return None
    return next((sheet for sheet in session.tables if player in sheet.players), None)


def why_not(desk: Desk, sheet: TableSheet) -> Words | None:
    """Return why players cannot sign at a table now; None if they can."""
    if desk.format.player_signing == NO_SIGNING:
        return words("in this event players do not sign here")
    if sheet.signed_off:
        return words("the table has been signed off")
    if sheet.in_play is not None or running.may_start_deal(desk.state, sheet, desk.now()):
        return words("the table plays on; its results are signed after the last deal")
    if not sheet.deals:
        return words("the table has no results")
    if sheet.unapproved:
        deals = ", ".join(map(str, sheet.unapproved))
        return words("deal {deals} waits for a referee", deals=deals)
    return None


def missing(state: EventState, sheet: TableSheet) -> tuple[int, ...]:
    """Return who has still to sign at a table; nobody signs for a stand-in."""
    return tuple(one for one in sheet.players if one not in sheet.signers and not state.players[one].stand_in)


def sign(desk: Desk, player: int, how: str) -> bool:
    """Take a player's signature under the results of their table; say whether the table is signed off by it.

    `how` says by what they were known: "pin". EventRefused says why it cannot be taken now.
    """
    sheet = sheet_to_sign(desk.state, player)
    if sheet is None:
        raise EventRefused(words("{name} sits at no table now", name=desk.state.name(player)))
    problem = why_not(desk, sheet)
    if problem is not None:
        raise EventRefused(problem)
    if player in sheet.signers:
        raise EventRefused(words("{name} has signed already", name=desk.state.name(player)))
    desk.write(PlayerSigned(session=sheet.session, table=sheet.table, player=player, how=how, results=sheet.results))
    if missing(desk.state, sheet):
        return False
    running.sign_off(desk, sheet.session, sheet.table)
    return True
