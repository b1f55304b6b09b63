"""A stored record, field by field."""

import re
import struct

from wallwright_firmware.store import HEAD, STATE


def fields_of(record: bytes) -> dict[str, bytes]:
    """The bytes of each field of a record, in their order."""
    found = {}
    at = 0
    for fields, layout in ((HEAD.fields, HEAD.layout), (STATE.fields, STATE.layout)):
        for field, item in zip(fields, re.findall(r"\d*[a-zA-Z]", layout), strict=True):
            size = struct.calcsize("<" + item)
            found[field.partition("[")[0] if field != "settings" else "count"] = record[at : at + size]
            at += size
    ends = {"settings": 2 * record[7], "cleared_at": 4, "jams": 8, "told": 2 * record[8], "ran": 96, "crc": 4}
    for field, size in ends.items():
        found[field] = record[at : at + size]
        at += size
    assert at == len(record)
    return found
