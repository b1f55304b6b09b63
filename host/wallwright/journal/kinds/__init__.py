"""Every kind of record that a journal has, once: its fields with their units, who writes it, since which version.

`read_record` makes the value of an entry's kind of what the entry says, once, as the entry is read; `plain` gives it
back as it is written. docs/journal-records.md and docs/journal-records.schema.json are made of these classes.
"""

from . import deals, desk, house, rulings, season, tables
from .record import KINDS, Record, Unknown, deal_of, decode_record, make_record, name_of, plain, read_record, stored

__all__ = [
    "KINDS",
    "Record",
    "Unknown",
    "deal_of",
    "deals",
    "decode_record",
    "desk",
    "house",
    "make_record",
    "name_of",
    "plain",
    "read_record",
    "rulings",
    "season",
    "stored",
    "tables",
]
