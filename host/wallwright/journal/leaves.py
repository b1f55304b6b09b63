"""What the Merkle tree over a journal has for an entry: a leaf that binds all of it and tells nothing of it.

Proofs show neighbouring leaves to everybody, and an entry has little in it that could not be guessed: a deal's points,
a time to the millisecond. So a leaf is a commitment under a key of its own, which follows one way from the hash of the
entry before. With the journal one can compute every leaf; without it nobody can test a guess against a leaf, since
hashes of entries are not published (see docs/witnesses.md).

    key    = SHA-256("Wallwright leaf 1" LF + what it is for, a byte, + hash of the entry before)
    leaf   = SHA-256(0 + SHA-256(key "e" + text of the entry) + SHA-256(key "r" + its result))

The second commitment is there when the entry is a deal's result, so that the points alone can be shown to the players,
and reasons, hands and names stay where they are.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any

from ..system.strict_json import BadJson, read_json
from .merkle import leaf_hash

RESULTS = ("deal_result", "result_recorded", "result_corrected")
"""Kinds of records that say the points of a deal."""
SHOWN_WHOLE = ("event_created", "seats_planned")
"""Kinds of records that players' pages are shown whole, behind one that is SALTED."""
SALTED = "witnessed"
_MARK = b"Wallwright leaf 1\n"
_SALT_BYTES = 32


def new_salt() -> str:
    """Return what a record `witnessed` has: nobody who has not the journal knows the keys of the leaves behind it."""
    return secrets.token_hex(_SALT_BYTES)


@dataclass(frozen=True, slots=True)
class Opening:
    """What shows a deal's points in a leaf: `result` is their text, `key` its key, `entry` the other commitment."""

    entry: bytes
    key: bytes
    result: str

    @property
    def leaf(self) -> bytes:
        """The leaf."""
        return leaf_hash(self.entry + hashlib.sha256(self.key + self.result.encode()).digest())


@dataclass(frozen=True, slots=True)
class WholeOpening:
    """What shows an entry in its leaf that is no result: `text` is all of what is hashed of it, `key` its key."""

    key: bytes
    text: bytes

    @property
    def leaf(self) -> bytes:
        """The leaf."""
        return leaf_hash(hashlib.sha256(self.key + self.text).digest())


def whole_opening(before: bytes, text: bytes) -> WholeOpening:
    """Return what shows an entry that is no result, behind the entry whose hash is `before`."""
    return WholeOpening(_key(b"e", before), text)


def leaf_of(before: bytes, row: Sequence[Any], text: bytes) -> bytes:
    """Return the leaf of the entry `row`, whose text is `text`, behind the entry whose hash is `before`."""
    if row[5] in RESULTS and row[4] is None and (opening := opening_of(before, row, text)):
        return opening.leaf
    return leaf_hash(_commitment(before, text))


def opening_of(before: bytes, row: Sequence[Any], text: bytes) -> Opening | None:
    """Return what shows the points of a result, None when the entry has none."""
    try:
        body = read_json(row[6])
    except BadJson:
        return None  # nothing that this program has written; the rest of the entry is in the leaf all the same
    points = body.get("points") if isinstance(body, dict) else None
    if not isinstance(points, list) or not points:
        return None
    where = [body.get(name) for name in ("session", "table", "deal")]
    if not all(type(one) in (int, NoneType) for one in (*where, *points)):
        return None
    result = result_text(row[0], row[5], row[2], where, points)
    return Opening(_commitment(before, text), _key(b"r", before), result)


def result_text(
    entry: int, kind: str, unit: str | None, where: Sequence[int | None], points: Sequence[int | None]
) -> str:
    """Return the text of a result that a leaf binds; `where` are session, table and deal as its entry says them."""
    return json.dumps([entry, kind, unit, *where, points], separators=(",", ":"), ensure_ascii=False)


def _commitment(before: bytes, text: bytes) -> bytes:
    return hashlib.sha256(_key(b"e", before) + text).digest()


def _key(what: bytes, before: bytes) -> bytes:
    return hashlib.sha256(_MARK + what + before).digest()
