"""Results of deals: declared by a scorer, told by a table, ruled by a referee; corrected, voided, annulled.

What is declared is settled by the rules before it is written, and what cannot have happened is refused. But what stands
at the table is never refused: a referee records it with a reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import EventRefused
from ..journal.kinds import make_record
from ..journal.kinds.desk import (
    DealAnnulled,
    ResultCorrected,
    ResultRecorded,
    ResultsApproved,
    ResultsConfirmed,
    ResultVoided,
)
from ..naming import EventTable
from ..rules.core.game_rules import GameRules
from ..words import Listed, Seat, Words, plural, words
from . import guards
from .desk import Desk, need_reason
from .format import KEEP, REPLAY
from .lifecycle import FINAL
from .movement import check_turn, move_on
from .seat_findings import check_present_again
from .settling import Settled, settle, sums_to_zero
from .table_sheet import DECLARED, RULED, DealResult, TableSheet
from .texts import taken_values


@dataclass(frozen=True, slots=True)
class Preview:
    """What a declaration comes to before it is written. `irregular` are sentences about what a referee has to allow
    for a reason; `settled.unproved` are about what waits for one without: a referee's finding, an agreed value.

    It `replaces` the result that the deal has, or is its first one. `after` is the last entry that it follows from.
    """

    session: int
    table: int
    deal: int
    replaces: bool
    settled: Settled
    irregular: tuple[Words, ...]
    after: int


def preview(desk: Desk, session: int, table: int, record: Mapping[str, Any], corrects: int | None = None) -> Preview:
    """Settle a declared deal: `record` has dealer, events, end and hands as `wallwright rules settle` takes them.

    Without a dealer it is the one whose turn it is; "deal" may say which deal it is. With `corrects` it is to replace
    the result of that deal, and has its dealer. EventRefused says what cannot have happened; Doubtful asks what may
    have been mistyped.
    """
    if corrects is None:
        sheet = desk.sheet_in_play(session, table)
        next_deal, dealer, kept = sheet.next_deal, sheet.next_dealer, sheet.kept_before(sheet.next_deal)
        check_turn(desk.state, sheet, next_deal)
    else:
        sheet = desk.sheet(session, table)
        old = find_deal(desk, session, table, corrects)
        next_deal, dealer, kept = corrects, old.dealer, sheet.kept_before(corrects)
    deal = record.get("deal", next_deal)
    if type(deal) is not int or deal < 1:
        raise EventRefused(words("the deal is {deal}; it is a number from 1 on", deal=repr(deal)))
    if corrects not in (None, deal):
        problem = "deal {corrects} is to be corrected, and what is declared says deal {deal}"
        raise EventRefused(words(problem, corrects=corrects or 0, deal=deal))
    if corrects is None:
        guards.check_no_result(sheet, deal)
    declared = {key: taken_values(key, value) for key, value in record.items() if key != "deal"}
    settled = settle(desk.format, declared, dealer, kept, asks=True)
    irregular = settled.irregular if corrects is not None else tuple(_irregular(desk, sheet, deal, settled))
    return Preview(session, table, deal, corrects is not None, settled, irregular, desk.state.last)


def record_result(desk: Desk, shown: Preview, reason: str = "", *, approved: bool = True) -> int:
    """Write what was previewed; with a reason if it is irregular or replaces a result, which stays in the journal.

    Return the number of its entry. What needs a reason or is unproved waits for a referee unless it is `approved` by
    who enters it.
    """
    # Time may have been added after a deal with which the session seemed to end.
    move_on(desk, shown.session)
    again = shown
    if desk.state.last != shown.after:
        # Something was written since it was shown.
        record = {"deal": shown.deal, **shown.settled.declared}
        again = preview(desk, shown.session, shown.table, record, shown.deal if shown.replaces else None)
    if again.replaces:
        if not approved:
            check_open(desk, again.session)
        need_reason(reason, words("a correction says what was wrong"))
    elif again.irregular:
        need_reason(reason, Listed(again.irregular, "; "))
    body = settled_body(again.session, again.table, again.deal, again.settled)
    approved = approved or not (again.replaces or again.irregular or again.settled.unproved)
    cls = ResultCorrected if again.replaces else ResultRecorded
    entry = desk.write(make_record(cls, {**body, "reason": reason, "approved": approved}))
    move_on(desk, shown.session)
    return entry


def rule_result(
    desk: Desk,
    session: int,
    table: int,
    points: Sequence[int],
    reason: str,
    *,
    fines: Mapping[int, int] | None = None,
    winners: Sequence[int] = (),
    next_dealer: int | None = None,
) -> int:
    """Write a result by a referee's word: points of seats 0 to 3, as it stands at the table whatever the rules say.

    `fines` are points in them that nobody received, by seat.
    """
    sheet = desk.sheet_in_play(session, table)
    move_on(desk, session)
    check_turn(desk.state, sheet, sheet.next_deal)
    body = ruled(sheet, sheet.next_deal, points, reason, fines or {}, winners, next_dealer)
    entry = desk.write(make_record(ResultRecorded, body))
    move_on(desk, session)
    return entry


def confirm(desk: Desk, session: int, table: int, deals: Sequence[int] = ()) -> tuple[int, ...]:
    """Confirm what a table has told; all of it without a list. Return the deals that were confirmed."""
    chosen = _chosen(desk.sheet_in_play(session, table).unconfirmed, deals, words("to be confirmed"))
    if chosen:
        desk.write(ResultsConfirmed(session=session, table=table, deals=chosen))
    return chosen


def approve(
    desk: Desk, session: int, table: int, deals: Sequence[int] = (), looked_at: Mapping[int, int] | None = None
) -> tuple[int, ...]:
    """Approve, as a referee, what a scorer has entered; all of a table without a list. Return the deals.

    `looked_at` has by deal the entry of the result that the referee has seen. EventRefused when there is another one.
    """
    sheet = desk.sheet(session, table)
    for deal, entry in (looked_at or {}).items():
        if (now := find_deal(desk, session, table, deal)).entry != entry:
            problem = "deal {deal} of {table} has the result of entry {now} by now, not of {entry}; look at it again"
            raise EventRefused(words(problem, deal=deal, table=EventTable(table), now=now.entry, entry=entry))
    chosen = _chosen(sheet.unapproved, deals, words("to be approved"))
    if not chosen:
        problem = "nothing at {table} of session {session} waits to be approved"
        raise EventRefused(words(problem, table=EventTable(table), session=session))
    desk.write(ResultsApproved(session=session, table=table, deals=chosen))
    return chosen


def correct(
    desk: Desk,
    session: int,
    table: int,
    deal: int,
    record: Mapping[str, Any],
    reason: str,
    *,
    approved: bool = True,
) -> int:
    """Put another declaration in the place of a result; the old one stays in the journal."""
    return record_result(desk, preview(desk, session, table, record, deal), reason, approved=approved)


def correct_points(
    desk: Desk,
    session: int,
    table: int,
    deal: int,
    points: Sequence[int],
    reason: str,
    *,
    fines: Mapping[int, int] | None = None,
) -> int:
    """Put a referee's word in the place of a result; the old one stays in the journal."""
    old = find_deal(desk, session, table, deal)
    body = ruled(desk.sheet(session, table), deal, points, reason, fines or {}, old.winners, old.next_dealer)
    return desk.write(make_record(ResultCorrected, {**body, "dealer": old.dealer}))


def void(desk: Desk, session: int, table: int, deal: int, reason: str) -> int:
    """Let a deal count as played and give no points; the original stays in the journal."""
    need_reason(reason, words("a deal is voided for a reason"))
    if find_deal(desk, session, table, deal).status != "live":
        raise EventRefused(
            words("deal {deal} of {table} counts for nothing already", deal=deal, table=EventTable(table))
        )
    return desk.write(ResultVoided(session=session, table=table, deal=deal, reason=reason))


def annul(desk: Desk, session: int, table: int, reason: str) -> str:
    """End the deal in play, or take the last one away, after a fault of the machine; return the rule of the format.

    "replay": it is played again. "void": it counts as played, without points. "keep": what had been declared is scored
    as when time is up. The rule was chosen before the event.
    """
    need_reason(reason, words("a deal is annulled for a reason"))
    sheet = desk.sheet_in_play(session, table)
    rule = desk.format.machine_fault
    in_play = sheet.in_play
    if in_play is None and not sheet.deals:
        raise EventRefused(words("{table} has no deal to annul", table=EventTable(table)))
    deal = max(sheet.deals) if in_play is None else in_play.deal
    if rule != REPLAY and in_play is None:
        problem = "no deal is in play at {table}; void or correct deal {deal} instead"
        raise EventRefused(words(problem, table=EventTable(table), deal=deal))
    if in_play is None:
        check_present_again(desk.state, sheet, sheet.played - 1, desk.now())
    dealer = sheet.deals[deal].dealer if in_play is None else in_play.dealer
    ruling = ruled(sheet, deal, (0, 0, 0, 0), reason, {}, (), dealer)
    body: dict[str, Any] = {**ruling, "dealer": dealer}
    if rule == KEEP and in_play is not None:
        declared = {"dealer": dealer, "events": list(in_play.declared), "end": "time_up", "hands": []}
        settled = settle(desk.format, declared, dealer, None, asks=False)
        body = {**settled_body(session, table, deal, settled), "reason": reason}
    desk.write(make_record(DealAnnulled, {**body, "rule": rule}))
    move_on(desk, session)
    return rule


def check_open(desk: Desk, session: int) -> None:
    """Raise EventRefused when a session is final: only a referee opens it to appeals again."""
    if desk.session(session).state == FINAL:
        problem = (
            "session {session} is final; a referee or the director may correct it, which opens it to appeals again"
        )
        raise EventRefused(words(problem, session=session))


def find_deal(desk: Desk, session: int, table: int, deal: int) -> DealResult:
    """Return a result. EventRefused when there is none."""
    deals = desk.sheet(session, table).deals
    if deal not in deals:
        there = ", ".join(map(str, sorted(deals))) or words("none")
        problem = "{table} of session {session} has no result of deal {deal}; there are {there}"
        raise EventRefused(words(problem, table=EventTable(table), session=session, deal=deal, there=there))
    return deals[deal]


def unbalanced(desk: Desk) -> tuple[tuple[TableSheet, DealResult], ...]:
    """The zero-sum report: deals in which something was lost that nobody received, fines aside (SBR-6.7)."""
    return tuple(
        (sheet, deal)
        for session in desk.state.sessions.values()
        for sheet in session.tables
        for deal in sheet.counted()
        if not sheet.is_balanced(deal) and sums_to_zero(desk.format)
    )


def settled_body(session: int, table: int, deal: int, settled: Settled) -> dict[str, Any]:
    """Return the body of an entry with a result that was settled."""
    return {
        "session": session,
        "table": table,
        "deal": deal,
        "dealer": settled.dealer,
        "source": DECLARED,
        "record": dict(settled.declared),
        **settled.body,
    }


def _irregular(desk: Desk, sheet: TableSheet, deal: int, settled: Settled) -> Iterator[Words]:
    if deal != sheet.next_deal:
        yield words("deal {next} is the next one, not {deal}", next=sheet.next_deal, deal=deal)
    if settled.dealer != sheet.next_dealer:
        text = "{next} deals, not {dealer} (SBR-8.1)"
        if isinstance(desk.format.ruleset, GameRules):
            text = "{next} deals, not {dealer}"
        yield words(text, next=Seat(sheet.next_dealer), dealer=Seat(settled.dealer))
    if desk.format.deals and deal > desk.format.deals:
        yield words(
            plural("a session has {deals} deal (SBR-9.1)", "a session has {deals} deals (SBR-9.1)", "deals"),
            deals=desk.format.deals,
        )
    if sheet.is_over:
        yield words("the rounds of this table are played")
    yield from settled.irregular


def _chosen(waiting: Sequence[int], deals: Sequence[int], what: Words) -> tuple[int, ...]:
    if unknown := [deal for deal in deals if deal not in waiting]:
        listed = ", ".join(map(str, waiting)) or words("none")
        problem = "deals {deals} do not wait {what}; waiting are {waiting}"
        raise EventRefused(words(problem, deals=str(unknown), what=what, waiting=listed))
    return tuple(sorted(set(deals or waiting)))


def ruled(
    sheet: TableSheet,
    deal: int,
    points: Sequence[int],
    reason: str,
    fines: Mapping[int, int],
    winners: Sequence[int],
    next_dealer: int | None,
) -> dict[str, Any]:
    """Return the body of an entry with a referee's word on a deal, which needs a reason."""
    need_reason(reason, words("a referee's word has a reason"))
    seats = {*fines, *winners, *(() if next_dealer is None else (next_dealer,))}
    if len(points) != 4 or not seats <= {0, 1, 2, 3}:
        raise EventRefused(words("a ruling has the points of seats 0 to 3, and names no other seats"))
    why = f"ruled: {reason}"
    return {
        "session": sheet.session,
        "table": sheet.table,
        "deal": deal,
        "dealer": sheet.next_dealer,
        "source": RULED,
        "points": list(points),
        "penalties": [{"seat": seat, "points": fine, "why": why} for seat, fine in sorted(fines.items())],
        "winners": list(winners),
        "next_dealer": sheet.next_dealer if next_dealer is None else next_dealer,
        "reason": reason,
    }
