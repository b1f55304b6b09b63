"""Steps of `EventState` for results of deals, signatures and rulings."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ..journal.entry import Entry
from ..journal.kinds import Record, desk, rulings
from . import state_parts
from .format import REPLAY
from .state_parts import Appeal, Penalty, scored_result
from .table_sheet import ANNULLED, VOIDED

if TYPE_CHECKING:
    from .state import EventState


def _result_recorded(state: "EventState", entry: Entry, said: desk.ResultRecorded) -> None:
    sheet = state.sheet(said.session, said.table)
    assert sheet is not None
    result = scored_result(entry, sheet, said)
    sheet.deals[result.deal] = result
    sheet.begun.pop(result.deal, None)


def _result_corrected(state: "EventState", entry: Entry, said: desk.ResultCorrected) -> None:
    sheet = state.sheet(said.session, said.table)
    assert sheet is not None
    old = sheet.deals[said.deal]
    new = scored_result(entry, sheet, said)
    # Whoever sat there in that deal still did.
    new.players, new.before = old.players, (*old.before, old.entry)
    sheet.deals[new.deal] = new
    state.touch(sheet.session, entry)


def _result_voided(state: "EventState", entry: Entry, said: desk.ResultVoided) -> None:
    sheet = state.sheet(said.session, said.table)
    assert sheet is not None
    deal = sheet.deals[said.deal]
    deal.status, deal.reason, deal.approved = VOIDED, said.reason, True
    state.touch(sheet.session, entry)


def _results_approved(state: "EventState", _: Entry, said: desk.ResultsApproved) -> None:
    sheet = state.sheet(said.session, said.table)
    assert sheet is not None
    for deal in [sheet.deals[number] for number in said.deals]:
        deal.approved = True


def _results_confirmed(state: "EventState", _: Entry, said: desk.ResultsConfirmed) -> None:
    sheet = state.sheet(said.session, said.table)
    assert sheet is not None
    for deal in [sheet.deals[number] for number in said.deals]:
        deal.confirmed = True


def _deal_annulled(state: "EventState", entry: Entry, said: desk.DealAnnulled) -> None:
    sheet = state.sheet(said.session, said.table)
    assert sheet is not None
    result = scored_result(entry, sheet, said)
    sheet.begun.pop(result.deal, None)
    if said.rule == REPLAY:
        state.told.annulled(sheet, result.deal)
        sheet.play_again(result.deal)
        result.status, result.replayed = ANNULLED, True
        earlier = sheet.deals.pop(result.deal, None)
        if earlier is not None:
            earlier.status, earlier.replayed, earlier.reason = ANNULLED, True, result.reason
            sheet.past.append(earlier)
        sheet.past.append(result)
    else:
        sheet.deals[result.deal] = result


def _table_signed_off(state: "EventState", _: Entry, said: desk.TableSignedOff) -> None:
    sheet = state.sheet(said.session, said.table)
    assert sheet is not None
    sheet.signed_off = said.signed
    if not sheet.signed_off:
        sheet.agreed.clear()


def _player_signed(state: "EventState", _: Entry, said: desk.PlayerSigned) -> None:
    sheet = state.sheet(said.session, said.table)
    assert sheet is not None
    sheet.agreed[said.player] = said.results


def _penalty_given(state: "EventState", entry: Entry, said: rulings.PenaltyGiven) -> None:
    amount = Fraction(said.amount)
    state.penalties[entry.id] = Penalty(
        entry.id, entry.at_ms, said.session, said.player, said.name, amount, said.reason, said.by or ""
    )
    if said.session is not None:
        state.touch(said.session, entry)


def _penalty_withdrawn(state: "EventState", entry: Entry, said: rulings.PenaltyWithdrawn) -> None:
    penalty = state.penalties[said.penalty]
    # An extract keeps the reason back; the penalty is withdrawn all the same.
    penalty.withdrawn = said.reason or state_parts.WITHDRAWN
    if penalty.session is not None:
        state.touch(penalty.session, entry)


def _appeal_filed(state: "EventState", entry: Entry, said: rulings.AppealFiled) -> None:
    about = (said.session, said.table, said.deal, said.player, said.text)
    state.appeals[entry.id] = Appeal(entry.id, entry.at_ms, *about, said.by or "")


def _appeal_decided(state: "EventState", _: Entry, said: rulings.AppealDecided) -> None:
    appeal = state.appeals[said.appeal]
    appeal.upheld, appeal.ruling, appeal.decided_by = said.upheld, said.ruling, said.by or ""


STEPS: Mapping[type[Record], Callable[..., None]] = {
    desk.ResultRecorded: _result_recorded,
    desk.ResultCorrected: _result_corrected,
    desk.ResultVoided: _result_voided,
    desk.ResultsApproved: _results_approved,
    desk.ResultsConfirmed: _results_confirmed,
    desk.DealAnnulled: _deal_annulled,
    desk.TableSignedOff: _table_signed_off,
    desk.PlayerSigned: _player_signed,
    rulings.PenaltyGiven: _penalty_given,
    rulings.PenaltyWithdrawn: _penalty_withdrawn,
    rulings.AppealFiled: _appeal_filed,
    rulings.AppealDecided: _appeal_decided,
}
