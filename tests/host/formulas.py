"""What a spreadsheet runs: how formulas begin, and the cells of an exported file as a spreadsheet reads them."""

import csv
from io import BytesIO, StringIO

from openpyxl import load_workbook

FORMULAS = ("=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}", "\N{FULLWIDTH HYPHEN-MINUS}",
            "\N{FULLWIDTH COMMERCIAL AT}")  # fmt: skip


def texts_of(data: bytes, form: str) -> list[str]:
    """The texts of a CSV or XLSX file. A CSV is cut at every sign at which some spreadsheet cuts it."""
    if form == "xlsx":
        book = load_workbook(BytesIO(data))
        cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
        assert all(cell.data_type != "f" for cell in cells)
        return [cell.value for cell in cells if isinstance(cell.value, str)]
    text = data.decode("utf-8-sig")
    found = [cell for sign in ",;\t" for row in csv.reader(StringIO(text, newline=""), delimiter=sign) for cell in row]
    return [cell for cell in found if not is_number(cell)]


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would run it. A row that begins with a number below zero, cut elsewhere, is none."""
    return cell.startswith((*FORMULAS, "\t", "\r")) and not is_number(cell.split(",")[0])
