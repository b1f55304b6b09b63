"""The last act of the desk is undone while nothing has followed from it; the journal keeps it, and that it was undone.

An act is what was done at once: a withdrawal with the seats that follow from it is one. After it is undone the one
before it is the last. What players, public or tables have seen or done by it stays: that is corrected, not undone.
Whether a table has gone on from an act is found by reading the event without it: what tables told since has to come to
the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import EventRefused
from ..journal.entry import Entry
from ..journal.kinds import desk as kinds
from ..journal.kinds import rulings
from ..journal.kinds.desk import ActUndone, OfDesk
from ..naming import EventTable
from ..words import Listed, Named, Sayable, Words, words
from .desk import Desk, need_reason
from .disclosure import EVERYBODY, RESULTS, may_see
from .state import EventState

STEPS = ("open", "put_back", "start", "stop", "resume")
"""The steps of a session that nobody outside the hall sees results by."""
_TAILS = (kinds.PlayerSubstituted, kinds.TableAdded, kinds.PlayerAdded)


@dataclass(frozen=True, slots=True)
class Act:
    """What was done at once: its entries in their order."""

    entries: tuple[Entry, ...]

    @property
    def number(self) -> int:
        """The number of its first entry."""
        return self.entries[0].id

    @property
    def said(self) -> tuple[OfDesk, ...]:
        """What its entries say."""
        return tuple(one.said for one in self.entries if isinstance(one.said, OfDesk))

    def line(self, state: EventState) -> Words:
        """Return what was done in a sentence."""
        people = (one for one in self.said if not (isinstance(one, kinds.PlayerAdded) and one.stand_in))
        one = next(people, self.said[0])
        what, number = _name(state, one), self.number
        return words("Entry {number}, by {by}: {what}.", number=number, by=one.by or "?", what=what)


def last_act(state: EventState) -> Act | None:
    """Return what was done last at the desk and was not undone, None when that is nothing."""
    newest = next((one for one in reversed(state.taken) if isinstance(one.said, OfDesk)), None)
    if newest is None or not isinstance(newest.said, OfDesk):
        return None
    first = newest.said.act or newest.id
    return Act(tuple(one for one in state.taken if one.id == first or _act_of(one) == first))


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


def why_not(state: EventState, act: Act) -> Sayable | None:
    """Return why an act cannot be undone and what to do instead, None if it can be."""
    first, *_ = act.said
    for said in act.said:
        instead = _stays(said, is_first=said is first)
        if instead is not None:
            return instead
    sessions = {one for said in act.said if (one := getattr(said, "session", None)) is not None}
    if isinstance(first, rulings.PenaltyGiven | rulings.PenaltyWithdrawn) and not sessions:
        sessions = set(state.sessions)
    if any(may_see(state, EVERYBODY, RESULTS, one) for one in sessions):
        return words("Everybody has seen the results, so it stays: correct, swap or withdraw what was wrong.")
    if _is_torn(state, act):
        return words("An older version has written it as several acts, so it stays: do the contrary instead.")
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


def _act_of(entry: Entry) -> int | None:
    return entry.said.act if isinstance(entry.said, OfDesk) else None


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


def _is_torn(state: EventState, act: Act) -> bool:
    """Whether it may be the end of an act of a version that did not say which entries belong together."""
    [*_, last] = act.entries
    if len(act.entries) > 1 or not isinstance(last.said, _TAILS):
        return False
    before = next((one for one in reversed(state.taken) if one.id == last.id - 1), None)
    if before is None or not isinstance(before.said, OfDesk) or not isinstance(last.said, OfDesk):
        return False
    return (before.at_ms, before.said.by) == (last.at_ms, last.said.by) and before.said.act is None


def _stays(said: OfDesk, *, is_first: bool) -> Words | None:
    """Return why something of that kind is never undone, None if it may be."""
    if isinstance(said, kinds.SessionMoved):
        if said.trigger in STEPS or not is_first:
            return None if said.trigger != "sign_off" else _SIGNED
        return words("Results were signed or shown by it, so it stays: correct what was wrong.")
    if isinstance(said, kinds.TableSignedOff):
        if said.signed:
            return _SIGNED
        return words("Let the table sign again instead.") if is_first else None
    return _STAYS.get(type(said))


_SIGNED = words("A signature stays: take the table's signature back instead, with a reason.")
_DRAWN = words("A draw stays as everybody has seen it: commit to another seed instead, with a reason.")
_DEALS = words("What was said of the deals of all tables stays; a spoilt deal is replaced by a spare one.")
_STAYS: Mapping[type[OfDesk], Words] = {
    kinds.EventCreated: words("An event begins once: begin another journal."),
    kinds.DrawCommitted: _DRAWN,
    kinds.DrawContributed: _DRAWN,
    kinds.DrawRevealed: _DRAWN,
    kinds.SeatsPlanned: _DRAWN,
    kinds.DealsCommitted: _DEALS,
    kinds.DealReplaced: _DEALS,
    kinds.DealsRevealed: _DEALS,
    kinds.WinnersMoved: words("Players have gone to other tables: correct the result, or swap their seats."),
    kinds.PlayerSigned: words("A player's signature stays; it ends when a result is corrected."),
    rulings.AppealFiled: words("An appeal stays: decide it."),
    rulings.AppealDecided: words("A ruling stays: file the appeal again, and decide that."),
}


def _name(state: EventState, said: OfDesk) -> Words:
    if isinstance(said, kinds.PlayerAdded):
        return words("{player} has come", player=said.name)
    values: dict[str, Any] = {
        "player": state.name(getattr(said, "out", getattr(said, "player", 0))),
        "session": getattr(said, "session", None) or 0,
        "table": EventTable(getattr(said, "table", None) or 0),
        "deal": getattr(said, "deal", 0),
        "step": Named("step", getattr(said, "trigger", "")),
        "kind": said.KIND,
    }
    text = _NAMES.get(type(said), words("{kind}")).text
    return words(text, **{name: value for name, value in values.items() if f"{{{name}}}" in text})


_NAMES: Mapping[type[OfDesk], Words] = {
    kinds.PlayersImported: words("a list of players was taken"),
    kinds.PlayerRenamed: words("a name or club of {player} was corrected"),
    kinds.PlayerPrivacy: words("it was said whether the name of {player} is withheld"),
    kinds.PlayerWithdrawn: words("{player} has withdrawn"),
    kinds.PlayerReturned: words("{player} has returned"),
    kinds.PlayerSubstituted: words("somebody has the seat of {player} in session {session}"),
    kinds.PlayersSat: words("it was noted who sat where in session {session}"),
    kinds.TableAdded: words("session {session} has got a table"),
    kinds.TableBound: words("a board was given to {table} or taken away"),
    kinds.SessionMoved: words("session {session}: {step}"),
    kinds.ClockChanged: words("a clock of session {session} was changed"),
    kinds.ResultRecorded: words("the result of deal {deal} at {table} in session {session}"),
    kinds.ResultCorrected: words("a correction of deal {deal} at {table} in session {session}"),
    kinds.ResultVoided: words("deal {deal} at {table} in session {session} was voided"),
    kinds.ResultsConfirmed: words("results at {table} in session {session} were confirmed"),
    kinds.ResultsApproved: words("results at {table} in session {session} were approved"),
    kinds.DealAnnulled: words("deal {deal} at {table} in session {session} was annulled"),
    kinds.TableSignedOff: words("the signature of {table} in session {session}"),
    rulings.PenaltyGiven: words("a penalty of {player}"),
    rulings.PenaltyWithdrawn: words("a penalty was withdrawn"),
}
"""What was done, as a sentence goes on."""
