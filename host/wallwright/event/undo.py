"""The last act of the desk is undone while nothing has followed from it; the journal keeps it, and that it was undone.

After it is undone the act before it is the last. Whether a table has gone on from an act is found by reading the event
without it: what tables told since has to come to the same.
"""

from collections.abc import Iterator

from ..errors import EventRefused
from ..journal.kinds.desk import ActUndone
from ..naming import EventTable
from ..words import Listed, Words, words
from .acts import Act, last_act, stays
from .desk import Desk, need_reason
from .state import EventState


def undo(desk: Desk, reason: str, number: int | None = None) -> Words:
    """Undo the last act, which is the one of `number` if that is given; return what it was in a sentence."""
    need_reason(reason, words("an act is undone for a reason"))
    act = last_act(desk.state)
    if act is None:
        raise EventRefused(words("nothing has been done yet that could be undone"))
    if number not in (None, act.number):
        raise EventRefused(words("something else was done meanwhile; look again at what was done last"))
    why = why_not(desk.state, act)
    if why is not None:
        raise EventRefused(words("{line} {why}", line=act.line(desk.state), why=why))
    line = act.line(desk.state)
    desk.write(ActUndone(entries=tuple(one.id for one in act.entries), reason=reason))
    return line


def why_not(state: EventState, act: Act) -> Words | None:
    """Return why an act cannot be undone and what to do instead, None if it can be."""
    instead = stays(state, act)
    if instead is not None:
        return instead
    told = _told_since(state, act)
    other = state.without([one.id for one in act.entries])
    if _told_since(other, act) != told or set(other.notes) - set(state.notes):
        tables = Listed(tuple(EventTable(one) for one in sorted({table for _, table, _ in told})))
        if tables.parts:
            text = "{tables} has gone on since, so it stays: correct, annul or swap what was wrong."
            if len(tables.parts) > 1:
                text = "{tables} have gone on since, so it stays: correct, annul or swap what was wrong."
            return words(text, tables=tables)
        return words("Tables have gone on since, so it stays: correct, annul or swap what was wrong.")
    return None


def _told_since(state: EventState, act: Act) -> dict[tuple[int, int, int], tuple[object, ...]]:
    """By session, table and deal: what tables have told of it since an act."""
    return dict(_deals_since(state, act.number))


def _deals_since(state: EventState, number: int) -> Iterator[tuple[tuple[int, int, int], tuple[object, ...]]]:
    for session in state.sessions.values():
        for sheet in session.tables:
            place = session.number, sheet.table
            for deal in (*sheet.past, *sheet.deals.values()):
                if deal.entry > number and deal.source == "tracked":
                    yield (*place, deal.deal), (deal.entry, deal.players, deal.dealer, deal.status, deal.approved)
            for begun in sheet.begun.values():
                if begun.entry > number:
                    yield (*place, begun.deal), (begun.entry, sheet.players_in(begun.deal), begun.dealer)
