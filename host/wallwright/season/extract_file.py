"""The file of an extract: its fields, its one canonical text, and the signature under it. Nothing here is believed.

An extract is a JSON object with sorted keys, without spaces, in UTF-8, and a line feed behind it:

    {"extract":{...},"signature":"..."}

The signature, Ed25519 by the key of the checkpoint, is over `Wallwright extract 1`, a line feed, and the SHA-256 of the
inner object's text. Hashes stand one behind the other in base64. docs/season.md says what each field proves.
"""

import base64
import hashlib
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from ..budgets import Budget
from ..journal.entry import to_json
from ..system.forms import convert
from ..system.signatures import SIGNATURE_BYTES, has_signed, of_hex
from ..system.strict_json import BadJson, read_json
from .errors import BadExtract

LONGEST = 16 << 20
"""Bytes of an extract at the most: four times what a day of a thousand players has."""
LARGEST = 2**53 - 1
"""Whole numbers beyond are not the same in all programs that read JSON (RFC 8259, section 6)."""
BUDGET = Budget(LONGEST, 2_000_000)
HASH = 32
_MARK = "Wallwright extract 1\n"

Place = tuple[int | None, int | None, int | None]
"""Session, table and deal."""
ResultKind = Literal["deal_result", "result_recorded", "result_corrected"]


class _Part(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    pass


class Said(_Part, array_like=True, frozen=True, forbid_unknown_fields=True, gc=False):
    """An entry of the journal: its number, the writer's clock in ms, its table, its kind, and what it says."""

    entry: int
    at_ms: int
    unit: str | None
    kind: str
    body: dict[str, Any]


class Result(_Part, frozen=True, forbid_unknown_fields=True, gc=False):
    """A result. `told` is the place as its entry has it, `session`, `table` and `deal` the one in the event.

    Kind, unit, `told` and points are proved by the leaf; the rest is what the hall signs.
    """

    entry: int
    at_ms: int
    kind: ResultKind
    unit: str | None
    told: Place
    session: int
    table: int
    deal: int
    points: tuple[int, int, int, int]
    dealer: int
    winners: tuple[int, ...]
    fines: int
    next_dealer: int
    reason: str


class Since(_Part, frozen=True, forbid_unknown_fields=True, gc=False):
    """An earlier checkpoint in its printed form, and the proof in base64 that the journal has grown from it."""

    checkpoint: str
    proof: str


class Extract(_Part, frozen=True, forbid_unknown_fields=True, gc=False):
    """All that an extract says. `entries` are shown whole, `stated` are told without what others may not read.

    `keys` open the entries, 32 bytes each; `openings` the results, 64 bytes each; `leaves` are those of what is stated,
    32 bytes each; `proof` is the multiproof of all of them under the checkpoint's root.
    """

    checkpoint: str
    since: tuple[Since, ...]
    entries: tuple[Said, ...]
    stated: tuple[Said, ...]
    results: tuple[Result, ...]
    keys: str
    openings: str
    leaves: str
    proof: str


class Signed(_Part, frozen=True, forbid_unknown_fields=True, gc=False):
    """An extract and its signature in hexadecimal."""

    extract: Extract
    signature: str


def sign(extract: Extract, key: Ed25519PrivateKey) -> bytes:
    """Return the bytes of an extract's file."""
    return text_of(Signed(extract, key.sign(_message(extract)).hex()))


def text_of(signed: Signed) -> bytes:
    """Return the bytes of a signed extract's file."""
    return b"".join(_text(signed))


def read(data: bytes, name: str) -> Signed:
    """Return what the bytes of the file `name` say. BadExtract when they are no extract, or not in its one form."""
    found = parse(data, name)
    at = 0
    for part in _text(found):
        # Part by part, for a second text of a long extract would be as large as the first.
        if data[at : at + len(part)] != part:
            break
        at += len(part)
    if at != len(data):
        problem = "its text is not the one that an extract has; ask for the file as the hall has made it"
        raise BadExtract(name, problem, "text")
    return found


def parse(data: bytes, name: str) -> Signed:
    """Return what a text says that has the fields of an extract, in whatever form. BadExtract when it has not."""
    try:
        # Depth and characters are looked at here.
        value = read_json(data, BUDGET)
        _refuse_numbers(value, name)
        found = convert(value, Signed)
    except BadJson as error:
        raise BadExtract(name, f"this is no extract: {error}; make one with `wallwright event extract`") from error
    except msgspec.ValidationError as error:
        problem = f"this is no extract ({error}); make one with `wallwright event extract`"
        raise BadExtract(name, problem) from error
    extract = found.extract
    counts = [one.entry for one in (*extract.entries, *extract.stated)]
    counts += [number for one in extract.results for number in (one.entry, one.session, one.table, one.deal)]
    if of_hex(found.signature, SIGNATURE_BYTES) is None:
        raise BadExtract(name, "this is no extract: its signature is not 128 small hexadecimal digits")
    if min(counts, default=1) < 1:
        raise BadExtract(name, "this is no extract: its entries, sessions, tables and deals count from 1")
    return found


def is_whole(value: object) -> bool:
    """Say whether a JSON value is a whole number that every program reads alike."""
    return type(value) is int and abs(value) <= LARGEST


def _refuse_numbers(value: Any, name: str) -> None:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            _refuse_numbers(one, name)
    elif isinstance(value, float) or (type(value) is int and not is_whole(value)):
        problem = (
            f"this is no extract: {value!r} is no whole number up to 2^53; make one with `wallwright event extract`"
        )
        raise BadExtract(name, problem)


def check_signature(signed: Signed, key: bytes, name: str) -> None:
    """Raise BadExtract unless that public key has signed the extract of the file `name`."""
    signature = of_hex(signed.signature, SIGNATURE_BYTES)
    if signature is None or not has_signed(key, signature, _message(signed.extract)):
        problem = "it was changed after the hall signed it; ask the hall for its own file"
        raise BadExtract(name, problem, "signature")


def pack(hashes: tuple[bytes, ...]) -> str:
    """Return hashes as they stand in an extract."""
    return base64.b64encode(b"".join(hashes)).decode()


def unpack(text: str, size: int, what: str, name: str) -> list[bytes]:
    """Return hashes of `size` bytes each. BadExtract when the text is none of whole ones, in its one form."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        data = b""
    if base64.b64encode(data).decode() != text:
        raise BadExtract(name, f"its {what} are no base64; ask the hall for its own file", "count")
    if len(data) % size:
        raise BadExtract(name, f"its {what} are cut; ask the hall for its own file", "count")
    return [data[at : at + size] for at in range(0, len(data), size)]


def _message(extract: Extract) -> bytes:
    inner = hashlib.sha256()
    for part in _inner(extract):
        inner.update(part)
    return (_MARK + inner.hexdigest() + "\n").encode()


def _text(signed: Signed) -> Iterator[bytes]:
    """Yield the one text of an extract's file in parts."""
    yield b'{"extract":'
    yield from _inner(signed.extract)
    yield f',"signature":{_quoted(signed.signature)}}}\n'.encode()


def _inner(extract: Extract) -> Iterator[bytes]:
    for number, name in enumerate(sorted(Extract.__struct_fields__)):
        yield f'{"," if number else "{"}"{name}":'.encode()
        value = getattr(extract, name)
        if isinstance(value, str):
            yield _quoted(value).encode()
            continue
        yield b"["
        for place, part in enumerate(value):
            yield f"{',' if place else ''}{to_json(msgspec.to_builtins(part))}".encode()
        yield b"]"
    yield b"}"


def _quoted(text: Any) -> str:
    return to_json(text)
