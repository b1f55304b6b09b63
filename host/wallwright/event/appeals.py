"""Appeals: what a player says against a session's results, and what is decided about it.

A decision changes no result; whoever upholds an appeal corrects, voids or withdraws what was wrong besides.
"""

from ..errors import EventRefused
from .desk import Desk, need_reason
from .lifecycle import PROVISIONAL, UNDER_APPEAL, words
from .parts import Appeal
from .sanctions import has_part


def file_appeal(
    desk: Desk, session: int, player: int, text: str, *, table: int | None = None, deal: int | None = None
) -> int:
    """Put an appeal of `player` on record, about a session, one of its tables or a deal; return its number."""
    if not text.strip():
        raise EventRefused("an appeal says what it is about; write that down")
    found = desk.session(session)
    if found.state not in (PROVISIONAL, UNDER_APPEAL):
        raise EventRefused(
            f"session {session} is {words(found.state)}; appeals are filed from the last signature until it is final"
        )
    if not has_part(found, player):
        raise EventRefused(f"{desk.state.name(player)} has no part in session {session}")
    if deal is not None and table is None:
        raise EventRefused("say at which table the deal was played")
    if table is not None:
        sheet = desk.sheet(session, table)
        if deal is not None and deal not in sheet.deals:
            raise EventRefused(f"table {table} of session {session} has no result of deal {deal}")
    body = {"session": session, "table": table, "deal": deal, "player": player, "text": text}
    return desk.write("appeal_filed", body)


def decide(desk: Desk, appeal: int, *, upheld: bool, ruling: str) -> None:
    """Uphold an appeal or dismiss it, with the words of the ruling."""
    need_reason(ruling, "a ruling has words")
    known = desk.state.appeals.get(appeal)
    if known is None or not known.is_open:
        listed = ", ".join(str(one.entry) for one in open_appeals(desk)) or "none"
        raise EventRefused(f"there is no open appeal {appeal}; open are {listed}")
    desk.write("appeal_decided", {"appeal": appeal, "upheld": upheld, "ruling": ruling})


def open_appeals(desk: Desk) -> tuple[Appeal, ...]:
    """Return the appeals that wait for a decision, the oldest first."""
    return tuple(one for one in desk.state.appeals.values() if one.is_open)
