"""Results as tables for people: CSV, and a workbook that has the payments too."""

import csv
import io
import random
from pathlib import Path

from openpyxl import load_workbook

from tests.host.journal.deals import write_deals
from wallwright.journal import Entry, Journal
from wallwright.journal.results import DEALS, PAYMENTS, results_csv, results_xlsx


def results(seed: int, tmp_path: Path) -> list[Entry]:
    rng = random.Random(seed)
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 5, seed)
        place = {"session": 1, "table": 2, "deal": 1}
        told = {**place, "dealer": 0, "winners": [2, 0], "next_dealer": 2, "points": [1, -9, 3, 0]}
        fines = [{"seat": 1, "points": 5, "why": "ruled: \x01late"}]
        journal.append("result_recorded", {**told, "penalties": fines, "reason": "=1+1"}, at_ms=rng.getrandbits(40))
        journal.append("result_voided", {"session": 1, "table": 2, "deal": 1, "reason": 'both, "agreed"'}, at_ms=9)
        journal.append("result_recorded", {**place, "points": "many"}, at_ms=10)
        return list(journal.entries())


def test_results_are_rows_of_a_table(tmp_path: Path, seed: int) -> None:
    entries = results(seed, tmp_path)
    rows = list(csv.DictReader(io.StringIO("\r\n".join(results_csv(entries)))))
    assert len(rows) == 8
    told = [entry for entry in entries if entry.kind == "deal_result"]
    for row, entry in zip(rows, told, strict=False):
        assert int(row["entry"]) == entry.id
        assert [int(row[f"seat {seat}"]) for seat in range(4)] == entry.body["points"]
        assert int(row["fines"]) == -sum(entry.body["points"])
        assert [int(seat) for seat in row["winners"].split()] == [hu["seat"] for hu in entry.body["hu"]]
        assert row["unit"] == "T-1"
        assert row["time"].startswith("2023-11-14T")
    assert [rows[5][name] for name in ("what", "session", "table", "fines", "winners", "reason")] == [
        "recorded",
        "1",
        "2",
        "5",
        "2 0",
        "'=1+1",
    ]
    assert (rows[6]["what"], rows[6]["time"], rows[6]["seat 0"]) == ("voided", "0.009 s", "")
    assert rows[7]["what"].startswith("recorded, cannot be read: ")


def test_a_workbook_has_the_same_and_the_payments(tmp_path: Path, seed: int) -> None:
    entries = results(seed, tmp_path)
    book = load_workbook(io.BytesIO(results_xlsx(entries)))
    deals, payments = (list(book[name].values) for name in ("deals", "payments"))
    assert (deals[0], payments[0]) == (DEALS, PAYMENTS)
    as_text = [["" if value is None else str(value) for value in row] for row in deals]
    assert as_text == list(csv.reader(io.StringIO("\r\n".join(results_csv(entries)))))
    assert book["deals"].cell(7, len(DEALS)).data_type == "s"
    for entry in entries:
        if entry.kind == "deal_result":
            points = [0] * 4
            for row in payments[1:]:
                if row[0] == entry.id:
                    payer, payee, amount = row[5:8]
                    assert isinstance(amount, int)
                    points[int(str(payer))] -= amount
                    if payee is not None:
                        points[int(str(payee))] += amount
            assert points == entry.body["points"]
