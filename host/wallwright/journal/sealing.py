"""What readers tell of a running deal, encrypted before it is written to the journal; the key is disclosed at its end.

- Each table has one key at a time, made with the first event of a tag after a deal has ended. It lies in a file of this
  machine that only the host's user can read, never in the journal, so that a host that is started again, after a power
  loss too, goes on with the same deal.
- When the deal has ended the key is appended to the journal, as an entry of its own, and its file is removed once that
  is on the disk. From then on the journal alone is enough to read the deal, for everybody. Of deals that other tables
  have still to play, that is when all of them are shown, and their walls are sealed until then (`undisclosed`).
- A key that is lost before that leaves the deal's tags unreadable for good; everything else in the journal is there.

An event of a tag becomes an entry of kind `tag_sealed` that shows its time and nothing else: name, reader and tag are
inside, all of one length, ChaCha20-Poly1305 (RFC 8439). Its nonce is boot id and number of the event, which no two
events of a key share; unit, boot id and number are authenticated with it.
"""

import base64
import binascii
import hashlib
import json
import secrets
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Meta, Struct

from ..errors import BadKey
from ..link.reports import SEALED, WALL_SHOWN, Event
from ..system.disk import write_whole
from ..system.json_file import read_form, read_form_file
from ..system.private import make_folder
from ..system.strict_json import BadJson
from ..system.trusted import problem_with
from .entry import Entry
from .keys import key_path
from .kinds import plain
from .kinds.house import DealKey as Disclosed
from .kinds.tables import TagSealed

DEAL_KEY = Disclosed.KIND
DEAL_ENDS = "walls_up"
"""The event before which the deal of the set that is now below has ended."""
KEY_BYTES = 32
PLAIN_BYTES = 128
"""Every event is filled up to this length, so that its size does not tell its kind."""
FOLDER = "deal-keys"


@dataclass(frozen=True, slots=True)
class DealKey:
    """The key of one deal at one table; `name` tells it from others and nothing of it."""

    name: str
    key: bytes

    def disclosed(self) -> Disclosed:
        """Return what is disclosed."""
        return Disclosed(name=self.name, key=self.key.hex())


class _KeyFile(Struct, frozen=True):
    """The file of a deal's key."""

    name: str
    key: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="64 digits 0 to f")]


class _Opened(Struct, frozen=True):
    """An event of a tag as it was sealed."""

    kind: str
    fields: dict[str, Any]


class DealKeys:
    """The keys of the tables of one journal, each in a file of its own; `journal` is what that journal is called.

    The files lie in a folder beside the key that signs checkpoints.
    """

    def __init__(self, journal: str) -> None:
        self._journal = journal
        self._keys: dict[str, DealKey] = {}
        self._ending: list[Path] = []

    def seal(self, unit: str, event: Event, *, keeps: bool = False) -> Event:
        """Return the event as it may be written: a secret one encrypted, any other as it is. Raises BadKey.

        With `keeps` a part of a wall is encrypted too.
        """
        if not event.is_secret and not (keeps and event.name == WALL_SHOWN):
            return event
        key = self._key(unit)
        fields = {**event.fields, **event.secret}
        told = json.dumps({"kind": event.name, "fields": fields}).encode().ljust(PLAIN_BYTES)
        box = ChaCha20Poly1305(key.key).encrypt(_nonce(event), told, _context(unit, event))
        shown = {"key": key.name, "box": base64.b64encode(box).decode()}
        return replace(event, name=SEALED, fields=shown, secret={})

    def own(self, unit: str) -> dict[str, DealKey]:
        """Return the keys that this machine holds for a table, by name: that of the running deal. Raises BadKey."""
        found = (_read(path) for path in self._files(unit))
        return {key.name: key for key in found}

    def end_deal(self, unit: str) -> tuple[DealKey, ...]:
        """Return the keys to disclose, for the deal has ended; the next event of a tag gets a new one.

        Their files stay until `committed` says that the disclosure is on the disk.
        """
        files = self._files(unit)
        self._ending += files
        self._keys.pop(unit, None)
        return tuple(_read(path) for path in files)

    def committed(self) -> None:
        """What was disclosed is on the disk: nobody needs the files any more."""
        for path in self._ending:
            path.unlink(missing_ok=True)
        self._ending.clear()

    def rolled_back(self) -> None:
        """What was disclosed did not reach the disk: it will be again."""
        self._ending.clear()

    def _key(self, unit: str) -> DealKey:
        if unit not in self._keys:
            files = self._files(unit)
            self._keys[unit] = _read(files[-1]) if files else _make(_folder(), self._prefix(unit))
        return self._keys[unit]

    def _files(self, unit: str) -> list[Path]:
        """Return the files of a table's keys, the newest last; more than one only after a failure."""
        try:
            folder = _folder()
        except BadKey:
            return []  # a user who has no folder for keys has made none
        return sorted(folder.glob(f"{self._prefix(unit)}*.json"), key=lambda path: path.stat().st_mtime_ns)

    def _prefix(self, unit: str) -> str:
        return hashlib.sha256(f"{self._journal}\0{unit}".encode()).hexdigest()[:32] + "-"


def disclosed_keys(entries: Iterable[Entry]) -> dict[str, DealKey]:
    """Return the keys that a journal discloses, by name."""
    found = {}
    for entry in entries:
        said = entry.said
        if isinstance(said, Disclosed) and entry.seq is None:
            found[said.name] = DealKey(said.name, bytes.fromhex(said.key))
    return found


def unsealed(entries: Iterable[Entry], keys: Mapping[str, DealKey]) -> Iterator[Entry]:
    """Go through entries with those opened whose key is among `keys`; the others stay as they are."""
    for entry in entries:
        key = keys.get(entry.said.key) if isinstance(entry.said, TagSealed) and entry.seq is not None else None
        yield entry if key is None else open_entry(entry, key)


def open_entry(entry: Entry, key: DealKey) -> Entry:
    """Return a sealed entry as the event that it was. BadKey when it was not sealed with this key, or was changed."""
    assert entry.unit is not None
    assert entry.boot_id is not None
    assert entry.seq is not None
    event = Event(entry.seq, entry.boot_id, 0, SEALED)
    try:
        if not isinstance(entry.said, TagSealed):
            raise InvalidTag
        box = base64.b64decode(entry.said.box)
        told = ChaCha20Poly1305(key.key).decrypt(_nonce(event), box, _context(entry.unit, event))
    except (InvalidTag, binascii.Error) as error:
        problem = f"entry {entry.id} was not sealed with it, or was changed; run `wallwright log verify` on the journal"
        raise BadKey(key.name, problem) from error
    try:
        opened = read_form(told, _Opened)
    except BadJson as error:
        raise BadKey(key.name, f"entry {entry.id} has no event in it ({error}); ask whose journal it is") from error
    return Entry.of(*entry[:5], opened.kind, {**entry.body, "fields": opened.fields})


def _nonce(event: Event) -> bytes:
    return struct.pack("<IQ", event.boot_id, event.seq)


def _context(unit: str, event: Event) -> bytes:
    return f"{unit}/{event.boot_id}/{event.seq}".encode()


def _folder() -> Path:
    return key_path().parent / FOLDER


def _read(path: Path) -> DealKey:
    try:
        if (problem := problem_with(path, is_own=True)) is not None:
            raise BadKey(str(path), str(problem))
        found = read_form_file(path, _KeyFile)
        return DealKey(found.name, bytes.fromhex(found.key))
    except OSError as error:
        raise BadKey(str(path), f"it cannot be read ({error.strerror}); check the folder") from error
    except BadJson as error:
        raise BadKey(str(path), f"{error}: this is no key of a deal; move it away, and a new one is made") from error


def _make(folder: Path, prefix: str) -> DealKey:
    """Make a key; its file is whole, on the disk, and readable by its owner only before anything is sealed with it."""
    key = DealKey(secrets.token_hex(8), secrets.token_bytes(KEY_BYTES))
    try:
        make_folder(folder)
        write_whole(folder / f"{prefix}{key.name}.json", json.dumps(plain(key.disclosed())).encode())
    except OSError as error:
        raise BadKey(str(folder), f"no key can be made there ({error.strerror}); check the folder") from error
    return key
