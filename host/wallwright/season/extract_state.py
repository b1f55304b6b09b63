"""The event that an extract tells of: its entries and results, taken by the code that takes those of a journal.

Whether they are proved is not looked at here; `extract_check` does that first.
"""

from dataclasses import replace
from typing import Any

from ..event.disclosure import EVERYBODY
from ..event.lifecycle import PLAYING
from ..event.standings import Standings, standings
from ..event.state import EventState
from ..journal.entry import Entry
from ..journal.kinds import Record, Unknown, desk, house, rulings
from ..journal.kinds.texts import problem_in_object, text_problem
from .errors import BadExtract
from .extract_file import Extract, Result, Said

SHOWN: tuple[type[Record], ...] = (
    desk.EventCreated,
    desk.PlayersImported,
    desk.PlayerAdded,
    desk.DrawCommitted,
    desk.DrawContributed,
    desk.DrawRevealed,
    desk.DrawWithdrawn,
    desk.SeatsPlanned,
    desk.TableAdded,
    desk.TableBound,
    desk.SessionMoved,
    desk.WinnersMoved,
    house.Checkpoint,
)
"""Kinds of entries that are shown whole, unless somebody has given a reason in one."""
STATED: tuple[type[Record], ...] = (
    desk.PlayerRenamed,
    desk.PlayerPrivacy,
    desk.PlayerWithdrawn,
    desk.PlayerReturned,
    desk.PlayerSubstituted,
    desk.PlayersSat,
    desk.ActUndone,
    desk.ResultVoided,
    desk.DealAnnulled,
    rulings.PenaltyGiven,
    rulings.PenaltyWithdrawn,
)
"""Kinds of entries that are told in part."""
_CORRECTED = desk.ResultCorrected.KIND
_RECORDED = desk.ResultRecorded.KIND


def public_standings(state: EventState) -> Standings:
    """Return the standings that everybody may see, of players by their numbers: some names may be withheld."""
    found = standings(state, EVERYBODY)
    return replace(found, rows=tuple(replace(row, name="") for row in found.rows))


def read_event_of(extract: Extract, name: str) -> EventState:
    """Return the event that the extract of the file `name` tells of. BadExtract for what no event can be."""
    said: dict[int, Said | Result] = {}
    for kinds, parts in ((SHOWN, extract.entries), (STATED + SHOWN, extract.stated), (None, extract.results)):
        for one in parts:
            if one.entry in said or (kinds is not None and one.kind not in {cls.KIND for cls in kinds}):
                raise BadExtract(name, f"entry {one.entry} ({one.kind}) has no place there; ask the hall for its file")
            said[one.entry] = one
    state = EventState()
    bound: set[tuple[str | None, int]] = set()
    for number in sorted(said):
        one = said[number]
        entry = _entry_of_result(state, one, bound, name) if isinstance(one, Result) else _entry(one, name)
        if isinstance(entry.said, desk.TableBound):
            bound.add((entry.said.unit, entry.said.table))
        state.apply_all((entry,))
    # The hall's own program has passed over the same entries, by the same guards.
    if state.format is None or len(state.notes) > len(state.passed_over):
        problem = state.notes[0] if state.notes else "there is no event in it"
        raise BadExtract(name, f"its parts do not fit each other: {problem}; ask the hall for its own file")
    return state


def _entry(said: Said, name: str) -> Entry:
    entry = Entry.of(said.entry, said.at_ms, said.unit, None, None, said.kind, said.body)
    if isinstance(entry.said, Unknown):
        raise BadExtract(name, f"entry {said.entry} ({said.kind}) cannot be read ({entry.said.why}); update Wallwright")
    whole = {"unit": said.unit or "", **said.body}
    if problem := text_problem(entry.said) or problem_in_object(whole):
        raise BadExtract(name, f"entry {said.entry} ({said.kind}), {problem}; ask the hall for an extract without it")
    return entry


def _entry_of_result(state: EventState, result: Result, bound: set[tuple[str | None, int]], name: str) -> Entry:
    """Return a result as a scorer would have entered it."""
    place = (result.session, result.table, result.deal)
    what = f"entry {result.entry}, deal {result.deal} of table {result.table} in session {result.session}"
    sheet = state.sheet(result.session, result.table)
    if sheet is None:
        raise BadExtract(name, f"{what}: there is no such table; ask the hall for its own file")
    if result.kind == "deal_result":
        # The board counts its own deals. What is proved of it is its unit and its time among the session's steps.
        is_there = (result.unit, result.table) in bound and state.sessions[result.session].state in PLAYING
        if not is_there or result.deal in sheet.deals:
            raise BadExtract(name, f"{what} was not told from there; ask the hall for its own file")
    elif result.told != place or (result.kind == _CORRECTED) != (result.deal in sheet.deals):
        raise BadExtract(name, f"{what} is not what its entry says; ask the hall for its own file")
    body: dict[str, Any] = {
        "session": result.session,
        "table": result.table,
        "deal": result.deal,
        "dealer": result.dealer,
        "points": list(result.points),
        "penalties": [{"seat": 0, "points": result.fines, "why": ""}] if result.fines else [],
        "winners": list(result.winners),
        "next_dealer": result.next_dealer,
        "reason": result.reason,
    }
    kind = _CORRECTED if result.kind == _CORRECTED else _RECORDED
    return _entry(Said(result.entry, result.at_ms, None, kind, body), name)
