"""Journals, trees, checkpoints, answers and extracts for cases of docs/proofs.md, made from that page alone."""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Json = Any
RESULTS = ("deal_result", "result_recorded", "result_corrected")


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def canonical(value: Json) -> str:
    """Python sorts texts by code points, and escapes only quotes, backslashes and what is below U+0020."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def base32(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=")


def base64_of(*parts: bytes) -> str:
    return base64.b64encode(b"".join(parts)).decode()


def largest_half(size: int) -> int:
    """The largest power of two below `size`."""
    half = 1
    while half * 2 < size:
        half *= 2
    return half


def root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    half = largest_half(len(leaves))
    return sha(b"\x01" + root(leaves[:half]) + root(leaves[half:]))


def inclusion(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """RFC 9162, 2.1.3.1."""
    if len(leaves) == 1:
        return []
    half = largest_half(len(leaves))
    if index < half:
        return [*inclusion(leaves[:half], index), root(leaves[half:])]
    return [*inclusion(leaves[half:], index - half), root(leaves[:half])]


def consistency(leaves: Sequence[bytes], old: int, is_whole: bool = True) -> list[bytes]:
    """RFC 9162, 2.1.4.1."""
    if old == len(leaves):
        return [] if is_whole else [root(leaves)]
    half = largest_half(len(leaves))
    if old <= half:
        return [*consistency(leaves[:half], old, is_whole), root(leaves[half:])]
    return [*consistency(leaves[half:], old - half, False), root(leaves[:half])]


def lacking(leaves: Sequence[bytes], known: set[int], first: int = 0) -> list[bytes]:
    """The roots of the largest parts without a known leaf, from left to right; `known` has indices of the whole."""
    if not known & set(range(first, first + len(leaves))):
        return [root(leaves)]
    if len(leaves) == 1:
        return []
    half = largest_half(len(leaves))
    return [*lacking(leaves[:half], known, first), *lacking(leaves[half:], known, first + half)]


def signed_checkpoint(size: int, tree: bytes, key: bytes, signature: bytes) -> str:
    return f"WALLWRIGHT2:{size}:{base32(tree)}:{base32(key)}:{base32(signature)}"


def statement(size: int, tree: bytes) -> bytes:
    return f"Wallwright checkpoint 2\n{size}\n{tree.hex()}\n".encode()


@dataclass(frozen=True)
class Entry:
    """An entry, and of a result the place and the points that its own text says; `raw` stands in place of that text."""

    kind: str
    body: Json
    unit: str | None = None
    told: tuple[int | None, int | None, int] | None = None
    points: tuple[int, ...] | None = None
    at_ms: int = 1_790_000_000_000
    raw: str | None = None


def seats(first: int, *sessions: Json) -> Entry:
    return Entry("seats_planned", {"first": first, "sessions": [{"tables": tables} for tables in sessions]})


def told(session: int, table: int, deal: int, *points: int, kind: str = "result_recorded") -> Entry:
    body = {"session": session, "table": table, "deal": deal, "points": list(points), "source": "declared"}
    return Entry(kind, body, None, (session, table, deal), points)


def board_told(unit: str, deal: int, *points: int) -> Entry:
    return Entry("deal_result", {"deal": deal, "points": list(points)}, unit, (None, None, deal), points)


class World:
    """A journal with its keys, its tree and its hall; entries are counted from 1."""

    def __init__(self, seed: int, entries: Sequence[Entry]) -> None:
        rng = Random(seed)
        self.hall = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
        self.other = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
        self.entries = list(entries)
        self._keys = [(rng.randbytes(32), rng.randbytes(32)) for _ in entries]
        self.leaves = [self.leaf(number) for number in range(1, len(entries) + 1)]

    @property
    def size(self) -> int:
        return len(self.entries)

    def key(self, number: int, kind: str) -> bytes:
        return self._keys[number - 1]["er".index(kind)]

    def entry_text(self, number: int) -> str:
        entry = self.entries[number - 1]
        if entry.raw is not None and entry.kind not in RESULTS:
            return entry.raw
        return compact([number, entry.at_ms, entry.unit, None, None, entry.kind, canonical(entry.body)])

    def result_text(self, number: int) -> str:
        entry = self.entries[number - 1]
        if entry.raw is not None:
            return entry.raw
        assert entry.told is not None
        assert entry.points is not None
        return compact([number, entry.kind, entry.unit, *entry.told, list(entry.points)])

    def commitment(self, number: int) -> bytes:
        return sha(self.key(number, "e") + self.entry_text(number).encode())

    def leaf(self, number: int) -> bytes:
        shown = b""
        if self.entries[number - 1].kind in RESULTS:
            shown = sha(self.key(number, "r") + self.result_text(number).encode())
        return sha(b"\x00" + self.commitment(number) + shown)

    def checkpoint(self, size: int = 0, key: Ed25519PrivateKey | None = None) -> str:
        size = size or self.size
        return self.stated(size, root(self.leaves[:size]), key)

    def stated(self, size: int, tree: bytes, key: Ed25519PrivateKey | None = None) -> str:
        """A checkpoint that says this, whether it is so or not."""
        key = key or self.hall
        return signed_checkpoint(size, tree, key.public_key().public_bytes_raw(), key.sign(statement(size, tree)))

    def proof(self, number: int, size: int = 0) -> list[str]:
        return [one.hex() for one in inclusion(self.leaves[: size or self.size], number - 1)]

    def result(self, number: int, seat: int, size: int = 0, table: int = 0, deal: int = 0) -> Json:
        """A result in an answer; of a board's own result the server says the table and the deal."""
        _, own_table, own_deal = self.entries[number - 1].told or (None, None, 0)
        return {
            "table": table or own_table,
            "deal": deal or own_deal,
            "seat": seat,
            "entry": number,
            "commitment": self.commitment(number).hex(),
            "key": self.key(number, "r").hex(),
            "result": self.result_text(number),
            "proof": self.proof(number, size),
        }

    def opened(self, number: int, size: int = 0) -> Json:
        return {
            "entry": number,
            "key": self.key(number, "e").hex(),
            "text": self.entry_text(number),
            "proof": self.proof(number, size),
        }

    def extract(
        self,
        whole: Sequence[int],
        results: Sequence[tuple[int, int, int, int]],
        stated: Sequence[tuple[int, Json]] = (),
        since: Sequence[int] = (),
        size: int = 0,
    ) -> Json:
        """An extract without its signature: numbers of whole entries; results with session, table and deal; entries
        with what is stated of their bodies; sizes of earlier checkpoints."""
        size = size or self.size
        known = {number - 1 for number in (*whole, *(one[0] for one in results), *(one[0] for one in stated))}

        def row(number: int, body: Json) -> Json:
            entry = self.entries[number - 1]
            return [number, entry.at_ms, entry.unit, entry.kind, body]

        return {
            "checkpoint": self.checkpoint(size),
            "since": [
                {"checkpoint": self.checkpoint(old), "proof": base64_of(*consistency(self.leaves[:size], old))}
                for old in since
            ],
            "entries": [row(number, self.entries[number - 1].body) for number in whole],
            "stated": [row(number, body) for number, body in stated],
            "results": [self._told(*one) for one in results],
            "keys": base64_of(*(self.key(number, "e") for number in whole)),
            "openings": base64_of(*(self.commitment(one[0]) + self.key(one[0], "r") for one in results)),
            "leaves": base64_of(*(self.leaf(one[0]) for one in stated)),
            "proof": base64_of(*lacking(self.leaves[:size], known)),
        }

    def _told(self, number: int, session: int, table: int, deal: int) -> Json:
        entry = self.entries[number - 1]
        return {
            "entry": number,
            "at_ms": entry.at_ms,
            "kind": entry.kind,
            "unit": entry.unit,
            "told": list(entry.told or ()),
            "session": session,
            "table": table,
            "deal": deal,
            "points": list(entry.points or ()),
            "dealer": 0,
            "winners": [0],
            "fines": 0,
            "next_dealer": 1,
            "reason": "",
        }

    def signed(self, extract: Json, key: Ed25519PrivateKey | None = None) -> Json:
        """The value of a file: the extract with its hall's signature."""
        return {"extract": extract, "signature": self._signature(canonical(extract), key)}

    def written(self, text: str) -> str:
        """A file with an extract's text as it is, canonical or not, and with the hall's signature over that."""
        return f'{{"extract":{text},"signature":"{self._signature(text)}"}}\n'

    def _signature(self, text: str, key: Ed25519PrivateKey | None = None) -> str:
        message = f"Wallwright extract 1\n{sha(text.encode()).hex()}\n"
        return (key or self.hall).sign(message.encode()).hex()

    def file(self, extract: Json, key: Ed25519PrivateKey | None = None) -> str:
        return canonical(self.signed(extract, key)) + "\n"


def printed_key(key: Ed25519PrivateKey) -> str:
    return base32(key.public_key().public_bytes_raw())
