"""Acts of the desk: the entries of each, and which of them stay once they are done.

An act is what was done at once: a withdrawal with the seats that follow from it is one. What players and public have
seen, drawn or signed stays; `undo` undoes the last of the others. Both the desk and the fold ask `stays`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..journal.entry import Entry
from ..journal.kinds import desk as kinds
from ..journal.kinds import rulings
from ..journal.kinds.desk import OfDesk
from ..naming import EventTable
from ..words import Named, Words, words
from .lifecycle import FINAL, UNDER_APPEAL

if TYPE_CHECKING:
    from .state import EventState

STEPS = ("open", "put_back", "start", "stop", "resume")
"""The steps of a session that nobody outside the hall sees results by."""
_TAILS = (kinds.PlayerSubstituted, kinds.TableAdded, kinds.PlayerAdded)


@dataclass(frozen=True, slots=True)
class Act:
    """Something that was done at once: its entries in their order."""

    entries: tuple[Entry, ...]

    @property
    def number(self) -> int:
        """The number of its first entry."""
        return self.entries[0].id

    @property
    def said(self) -> tuple[OfDesk, ...]:
        """What its entries say."""
        return tuple(one.said for one in self.entries if isinstance(one.said, OfDesk))

    def line(self, state: "EventState") -> Words:
        """Return what was done in a sentence."""
        people = (one for one in self.said if not (isinstance(one, kinds.PlayerAdded) and one.stand_in))
        one = next(people, self.said[0])
        what, number = _name(state, one), self.number
        return words("Entry {number}, by {by}: {what}.", number=number, by=one.by or "?", what=what)


def last_act(state: "EventState") -> Act | None:
    """Return what was done last at the desk and was not undone, None when that is nothing."""
    newest = next((one for one in reversed(state.taken) if isinstance(one.said, OfDesk)), None)
    if newest is None or not isinstance(newest.said, OfDesk):
        return None
    first = newest.said.act or newest.id
    return Act(tuple(one for one in state.taken if one.id == first or _act_of(one) == first))


def stays(state: "EventState", act: Act) -> Words | None:
    """Return why an act stays whatever followed from it, and what to do instead; None if it may be undone."""
    first, *_ = act.said
    for said in act.said:
        instead = _stays(said, is_first=said is first)
        if instead is not None:
            return instead
    sessions = {one for said in act.said if (one := getattr(said, "session", None)) is not None}
    if isinstance(first, rulings.PenaltyGiven | rulings.PenaltyWithdrawn) and not sessions:
        sessions = set(state.sessions)
    if any(state.sessions[one].state in (UNDER_APPEAL, FINAL) for one in sessions if one in state.sessions):
        return words("Everybody has seen the results, so it stays: correct, swap or withdraw what was wrong.")
    if _is_torn(state, act):
        return words("An older version has written it as several acts, so it stays: do the contrary instead.")
    return None


def _act_of(entry: Entry) -> int | None:
    return entry.said.act if isinstance(entry.said, OfDesk) else None


def _is_torn(state: "EventState", act: Act) -> bool:
    """Say whether it may be the end of an act of a version that did not say which entries belong together."""
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
    kinds.DrawWithdrawn: _DRAWN,
    kinds.DealsCommitted: _DEALS,
    kinds.DealReplaced: _DEALS,
    kinds.DealsRevealed: _DEALS,
    kinds.WinnersMoved: words("Players have gone to other tables: correct the result, or swap their seats."),
    kinds.PlayerSigned: words("A player's signature stays; it ends when a result is corrected."),
    rulings.AppealFiled: words("An appeal stays: decide it."),
    rulings.AppealDecided: words("A ruling stays: file the appeal again, and decide that."),
}


def _name(state: "EventState", said: OfDesk) -> Words:
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
