"""What a program has checked of a long journal, kept beside it for the next program, which need not check it again.

It is a file of this user's own, and each part of it ends with an HMAC under a secret that follows from this machine's
key: nobody else can write one that is taken. It is taken while its last entry is in the journal, and a journal's file
that nobody writes has not been touched since. Otherwise all is read anew. It can be deleted at any time.

The file is a line and parts, each of up to `PART` entries: the lengths of its two halves (4 bytes each, big-endian), a
JSON object, numbers and hashes, and the HMAC-SHA256 of the HMAC before (of the line, for the first part) and all that.
"""

import hmac
import json
import os
import struct
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from ..errors import BadKey
from ..system.disk import write_whole
from .entry import HASH_SIZE
from .keys import own_secret
from .known import Known, OfSource, Resting, Source
from .merkle import Frontier
from .places import Place

EVERY: Final = 5_000
"""Entries after which more is noted."""
PART: Final = 200_000
LINE: Final = b"Wallwright checked journal 1\n"
_FOR: Final = b"Wallwright checked journal"
_LENGTHS = struct.Struct(">II")
_LONGEST = PART * 80 + (1 << 20)
"""Bytes of a part. Names of kinds and tables come to more than the last term in no journal that is worth a note."""


def recall(place: Place, known: Known) -> None:
    """Take over what an earlier program has noted of a place's journal. Whether that is there is the caller's to ask.

    Nothing is taken over from the first part on that is not as it was written.
    """
    path, secret = place.noted, _secret()
    if path is None or secret is None:
        return
    try:
        if not path.is_file():
            return
        with path.open("rb") as file:
            for said, numbers in _parts(file, secret, known):
                _take(known, said, numbers)
    except (OSError, ValueError, LookupError, TypeError):
        known.forget()


def note(place: Place, known: Known, resting: Resting | None) -> None:
    """Keep what is known for the next program, if it is much, and anything about it is new.

    `resting` is how the journal's file has rested since it was read, None if it does not.
    """
    path = place.noted
    with known.lock:
        if path is None or not known.is_long:
            return
        if resting is not None and resting != known.whole_at:
            return  # somebody has written since all of it was read, and may have written anything
        at = resting
        is_much = known.end - known.noted >= EVERY or known.tree.size - known.noted_tree >= EVERY
        if not is_much and (at is None or at == known.noted_at):
            return
        secret = _secret()
        # What cannot be kept is read anew by the next program.
        with suppress(OSError):
            if secret is not None and not _append(path, secret, known, at):
                known.noted, known.noted_mac = 0, hmac.digest(secret, LINE, "sha256")
                data = LINE + b"".join(_written(secret, known, at))
                write_whole(path, data)
                known.noted_bytes = len(data)


def forget_note(place: Place) -> None:
    """Take away what is noted of a place's journal."""
    if place.noted is not None:
        with suppress(OSError):
            place.noted.unlink(missing_ok=True)


def _append(path: Path, secret: bytes, known: Known, at: Resting | None) -> bool:
    """Write what is new behind what is there; say whether it is what this program has read or written."""
    if not known.noted:
        return False
    try:
        with path.open("r+b") as file:
            if file.seek(0, os.SEEK_END) != known.noted_bytes:
                return False
            for part in _written(secret, known, at):
                file.write(part)
                known.noted_bytes += len(part)
    except FileNotFoundError:
        return False
    return True


def _written(secret: bytes, known: Known, at: Resting | None) -> Iterator[bytes]:
    """Go through the parts for what has not been noted yet; each counts as noted when it is given."""
    while True:
        after, end = known.noted, min(known.noted + PART, known.end)
        is_last = end == known.end
        kinds = {kind: _between(numbers, numbers, after, end) for kind, numbers in known.kinds.items()}
        sources = {
            source: (_between(of.entries, of.entries, after, end), _between(of.entries, of.seqs, after, end))
            for source, of in known.sources.items()
        }
        said: dict[str, Any] = {
            "after": after,
            "end": end,
            "kinds": [(kind, len(numbers)) for kind, numbers in kinds.items() if numbers],
            "sources": [(*source, len(numbers)) for source, (numbers, _) in sources.items() if numbers],
            "tree": (known.tree.size, [peak.hex() for peak in known.tree.peaks]) if is_last else (0, ()),
            "resting": at if is_last else None,
        }
        columns = [*kinds.values(), *(column for two in sources.values() for column in two)]
        numbers = known.hashes(after, end) + b"".join(map(_little, columns))
        text = json.dumps(said, separators=(",", ":")).encode()
        told = _LENGTHS.pack(len(text), len(numbers)) + text + numbers
        known.noted_mac = hmac.digest(secret, known.noted_mac + told, "sha256")
        known.noted, known.noted_at, known.noted_tree = end, at if is_last else None, said["tree"][0]
        yield told + known.noted_mac
        if is_last:
            return


def _parts(file: BinaryIO, secret: bytes, known: Known) -> Iterator[tuple[Any, memoryview]]:
    """Go through the two halves of those parts that are as they were written, and note where they end."""
    if file.read(len(LINE)) != LINE:
        return
    at, mac = len(LINE), hmac.digest(secret, LINE, "sha256")
    while len(lengths := file.read(_LENGTHS.size)) == _LENGTHS.size:
        length = sum(_LENGTHS.unpack(lengths))
        told = lengths + file.read(min(length, _LONGEST))
        mac = hmac.digest(secret, mac + told, "sha256")
        if length > _LONGEST or len(told) != len(lengths) + length or not hmac.compare_digest(file.read(len(mac)), mac):
            return
        at += len(told) + len(mac)
        middle = _LENGTHS.size + _LENGTHS.unpack(lengths)[0]
        yield json.loads(told[_LENGTHS.size : middle]), memoryview(told)[middle:]
        known.noted_bytes, known.noted_mac = at, mac


def _take(known: Known, said: Mapping[str, Any], numbers: memoryview) -> None:
    count = said["end"] - said["after"]
    hashes, at = bytes(numbers[: count * HASH_SIZE]), count * HASH_SIZE

    def column(code: str, length: int) -> "array[int]":
        nonlocal at
        found = array(code)
        found.frombytes(numbers[at : at + length * found.itemsize])
        if sys.byteorder == "big":
            found.byteswap()
        at += length * found.itemsize
        return found

    kinds = {kind: column("I", length) for kind, length in said["kinds"]}
    sources: dict[Source, OfSource] = {
        (unit, boot_id): OfSource(column("I", length), column("q", length)) for unit, boot_id, length in said["sources"]
    }
    size, peaks = said["tree"]
    known.take(hashes, kinds, sources, Frontier(size, tuple(map(bytes.fromhex, peaks))))
    resting = said["resting"]
    known.noted, known.noted_at = said["end"], None if resting is None else tuple(resting)
    known.noted_tree = size


def _between(entries: "array[int]", column: "array[int]", after: int, end: int) -> "array[int]":
    return column[bisect_right(entries, after) : bisect_right(entries, end)]


def _little(column: "array[int]") -> bytes:
    if sys.byteorder == "big":
        column.byteswap()
    return column.tobytes()


def _secret() -> bytes | None:
    """Return what parts are written under; None when this machine has no key yet, or none that can be used."""
    try:
        return own_secret(_FOR)
    except BadKey:
        return None
