"""A stored record, field by field."""

import re
import struct
from collections.abc import Iterable
from zlib import crc32

from wallwright_firmware.counters import Counters
from wallwright_firmware.store import HEAD, LASTING_BYTES, STATE


def keys_of(names: Iterable[str]) -> bytes:
    """The keys of names, as a record has them: the low half of the CRC-32 of each."""
    return b"".join(crc32(name.encode()).to_bytes(4, "little")[:2] for name in names)


def parts(fields: bytes) -> tuple[bytes, Counters]:
    """Return the fields that a store is given: those that a record is written for, and the counters."""
    counted = Counters()
    counted.restore(fields[LASTING_BYTES:])
    return fields[:LASTING_BYTES], counted


def fields_of(record: bytes) -> dict[str, bytes]:
    """The bytes of each field of a record, in their order."""
    found = {}
    at = 0
    for fields, layout in ((HEAD.fields, HEAD.layout), (STATE.fields, STATE.layout)):
        for field, item in zip(fields, re.findall(r"\d*[a-zA-Z]", layout), strict=True):
            size = struct.calcsize("<" + item)
            name = {"settings": "setting_count", "faults": "fault_count", "drives": "drive_count"}.get(field, field)
            found[name.partition("[")[0]] = record[at : at + size]
            at += size
    settings, faults, drives = record[7:10]
    ends = {"settings": 2 * settings, "cleared_at": 4, "jams": 8, "told": 2 * faults, "ran": 4 * drives}
    ends |= {"setting_keys": 2 * settings, "fault_keys": 2 * faults, "drive_keys": 2 * drives, "crc": 4}
    for field, size in ends.items():
        found[field] = record[at : at + size]
        at += size
    assert at == len(record)
    return found
