"""Appeals: what a player says against a session's results, and what is decided about it.

A decision changes no result; whoever upholds an appeal corrects, voids or withdraws what was wrong besides.
"""

from ..errors import EventRefused
from ..journal.kinds.rulings import AppealDecided, AppealFiled
from ..naming import EventTable
from ..words import words
from .desk import Desk, need_reason
from .lifecycle import PROVISIONAL, UNDER_APPEAL, standing
from .sanctions import has_part
from .state_parts import Appeal


def file_appeal(
    desk: Desk, session: int, player: int, text: str, *, table: int | None = None, deal: int | None = None
) -> int:
    """Put an appeal of `player` on record, about a session, one of its tables or a deal; return its number."""
    if not text.strip():
        raise EventRefused(words("an appeal says what it is about; write that down"))
    found = desk.session(session)
    if found.state not in (PROVISIONAL, UNDER_APPEAL):
        problem = "{session}; appeals are filed from the last signature until it is final"
        raise EventRefused(words(problem, session=standing(session, found.state)))
    if not has_part(found, player):
        raise EventRefused(
            words("{name} has no part in session {session}", name=desk.state.name(player), session=session)
        )
    if deal is not None and table is None:
        raise EventRefused(words("say at which table the deal was played"))
    if table is not None:
        sheet = desk.sheet(session, table)
        if deal is not None and deal not in sheet.deals:
            problem = "{table} of session {session} has no result of deal {deal}"
            raise EventRefused(words(problem, table=EventTable(table), session=session, deal=deal))
    return desk.write(AppealFiled(session=session, table=table, deal=deal, player=player, text=text))


def decide(desk: Desk, appeal: int, *, upheld: bool, ruling: str) -> None:
    """Uphold an appeal or dismiss it, with the words of the ruling."""
    need_reason(ruling, words("a ruling has words"))
    known = desk.state.appeals.get(appeal)
    if known is None or not known.is_open:
        listed = ", ".join(str(one.entry) for one in open_appeals(desk)) or words("none")
        raise EventRefused(words("there is no open appeal {appeal}; open are {open}", appeal=appeal, open=listed))
    desk.write(AppealDecided(appeal=appeal, upheld=upheld, ruling=ruling))


def open_appeals(desk: Desk) -> tuple[Appeal, ...]:
    """Return the appeals that wait for a decision, the oldest first."""
    return tuple(one for one in desk.state.appeals.values() if one.is_open)
