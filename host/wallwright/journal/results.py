"""The results in a journal as tables for people: one row a deal for CSV, and XLSX with the payments on a second sheet.

Every result is there as it was written, those that were corrected later and their corrections too, in their order.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from ..link.reports import FIRST_DATE_MS
from ..system.spreadsheet import Sheet, csv_lines, workbook
from .entry import Entry

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
        if entry.kind not in KINDS or entry.seq is not None:
            continue
        head = (entry.id, entry.unit, *(entry.body.get(name) for name in ("session", "table", "deal")))
        for payment in entry.body.get("payments", ()):
            yield (*head, payment["from"], payment["to"], payment["points"], payment["clause"], payment["why"])
        for penalty in entry.body.get("penalties", ()):
            yield (*head, penalty["seat"], None, penalty["points"], penalty.get("clause"), penalty["why"])


def results_csv(entries: Iterable[Entry]) -> Iterator[str]:
    """Return the lines of a CSV file (RFC 4180), without their ends, the columns' names first."""
    return csv_lines(DEALS, deal_rows(entries))


def results_xlsx(entries: Iterable[Entry]) -> bytes:
    """Return a workbook with the sheets "deals" and "payments"."""
    kept = [entry for entry in entries if entry.kind in KINDS and entry.seq is None]
    return workbook([Sheet("deals", DEALS, deal_rows(kept)), Sheet("payments", PAYMENTS, payment_rows(kept))])


def _deal_row(entry: Entry) -> Row:
    body = entry.body
    points = body.get("points", (None,) * 4)
    fines = sum(penalty["points"] for penalty in body.get("penalties", ()))
    return (
        entry.id,
        _time(entry.at_ms),
        entry.unit,
        body.get("session"),
        body.get("table"),
        body["deal"],
        KINDS[entry.kind],
        body.get("end") or body.get("record", {}).get("end"),
        " ".join(map(str, _winners(body))),
        *points,
        fines,
        body.get("next_dealer"),
        body.get("reason"),
    )


def _winners(body: Any) -> list[int]:
    if "winners" in body:
        return list(body["winners"])
    return [hu["seat"] for hu in body.get("hu", ()) if not hu["false"]]


def _time(at_ms: int) -> str:
    if at_ms < FIRST_DATE_MS:
        return f"{at_ms / 1000:.3f} s"
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
