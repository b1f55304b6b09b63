"""The results in a journal as tables for people: one row a deal for CSV, and XLSX with the payments on a second sheet.

Every result is there as it was written, those that were corrected later and their corrections too, in their order. One
that this program cannot read has a row that says why.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from ..link.reports import FIRST_DATE_MS
from ..system.spreadsheet import Sheet, csv_lines, workbook
from .entry import Entry
from .kinds import Unknown
from .kinds.deals import DealResult
from .kinds.desk import ResultVoided, Scored

KINDS = {
    "deal_result": "told by the table",
    "result_recorded": "recorded",
    "result_corrected": "corrected",
    "result_voided": "voided",
    "deal_annulled": "annulled",
}
DEALS = (
    "entry",
    "time",
    "unit",
    "session",
    "table",
    "deal",
    "what",
    "end",
    "winners",
    "seat 0",
    "seat 1",
    "seat 2",
    "seat 3",
    "fines",
    "next dealer",
    "reason",
)
PAYMENTS = ("entry", "unit", "session", "table", "deal", "from", "to", "points", "clause", "why")

Row = tuple[str | int | None, ...]


def deal_rows(entries: Iterable[Entry]) -> Iterator[Row]:
    """Return a row of the columns DEALS for each result; points are those of seats 0 to 3."""
    for entry in entries:
        if entry.kind in KINDS and entry.seq is None:
            yield _deal_row(entry)


def payment_rows(entries: Iterable[Entry]) -> Iterator[Row]:
    """Return a row of the columns PAYMENTS for each payment, and for each penalty, which nobody receives."""
    for entry in entries:
        said = entry.said
        if entry.seq is not None or not isinstance(said, DealResult | Scored):
            continue
        head = (entry.id, entry.unit, *_place(said), said.deal)
        for payment in said.payments if isinstance(said, DealResult) else ():
            yield (*head, payment.from_, payment.to, payment.points, payment.clause, payment.why)
        for penalty in said.penalties:
            yield (*head, penalty.seat, None, penalty.points, penalty.clause, penalty.why)


def results_csv(entries: Iterable[Entry]) -> Iterator[str]:
    """Return the lines of a CSV file (RFC 4180), without their ends, the columns' names first."""
    return csv_lines(DEALS, deal_rows(entries))


def results_xlsx(entries: Iterable[Entry]) -> bytes:
    """Return a workbook with the sheets "deals" and "payments"."""
    kept = [entry for entry in entries if entry.kind in KINDS and entry.seq is None]
    return workbook([Sheet("deals", DEALS, deal_rows(kept)), Sheet("payments", PAYMENTS, payment_rows(kept))])


def _deal_row(entry: Entry) -> Row:
    said = entry.said
    row: Row = (entry.id, _time(entry.at_ms), entry.unit)
    what = KINDS[entry.kind]
    if isinstance(said, DealResult | Scored):
        ended = said.end if isinstance(said, DealResult) else (said.record or {}).get("end")
        fines = sum(penalty.points for penalty in said.penalties)
        reason = None if isinstance(said, DealResult) else said.reason
        winners = " ".join(map(str, said.winners))
        return (*row, *_place(said), said.deal, what, ended, winners, *said.points, fines, said.next_dealer, reason)
    nothing = (None,) * 4
    if isinstance(said, ResultVoided):
        return (*row, *_place(said), said.deal, what, None, "", *nothing, 0, None, said.reason)
    assert isinstance(said, Unknown), entry.kind
    return (*row, None, None, None, f"{what}, cannot be read: {said.why}", None, "", *nothing, None, None, None)


def _place(said: DealResult | Scored | ResultVoided) -> tuple[int | None, int | None]:
    """Return session and table of a result; a table by itself knows of neither."""
    return (None, None) if isinstance(said, DealResult) else (said.session, said.table)


def _time(at_ms: int) -> str:
    if at_ms < FIRST_DATE_MS:
        return f"{at_ms / 1000:.3f} s"
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
