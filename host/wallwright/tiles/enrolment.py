"""Which tag is in which tile of a table's two sets: a file of this machine for each table, and its hash on the board.

The file is JSON, {"wallwright_tiles": 1, "unit": "EAST-7", "tiles": 108, "sets": [{"e004...": "1m", ...}, {...}]}; the
hash is the SHA-256 of its bytes. Tags are their numbers in hexadecimal; faces are named in MPSZ, 1f to 8f are flowers
and 1j a joker.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import READERS
from wallwright_protocol.tile_sets import FACES

from ..errors import BadEnrolment
from ..journal.keys import key_path
from ..system.disk import is_device, write_whole
from ..system.private import make_folder
from ..system.strict_json import BadJson, read_json_file
from ..system.trusted import problem_with
from ..table.table import Table

VERSION = 1
FOLDER = "tiles"
_TAG = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The tags of one table: `sets[0]` and `sets[1]` map a tag to the face of its tile."""

    unit: str
    tiles: int
    sets: tuple[Mapping[str, str], Mapping[str, str]] = field(default_factory=lambda: ({}, {}))

    def find(self, tag: str) -> tuple[int, str] | None:
        """Return set and face of a tag, or None when it is in no tile of this table."""
        for number, tags in enumerate(self.sets):
            if tag in tags:
                return number, tags[tag]
        return None

    def gaps(self, number: int) -> tuple[str, ...]:
        """Return the faces of a set whose tiles have no tag yet, one for each tile, in the set's order."""
        left = Counter(self.sets[number].values())
        gaps = []
        for face in set_faces(self.tiles):
            if left[face]:
                left[face] -= 1
            else:
                gaps.append(face)
        return tuple(gaps)

    def with_tag(self, number: int, tag: str, face: str) -> Self:
        """Return the enrolment with one more tile."""
        sets = list(self.sets)
        sets[number] = {**sets[number], tag: face}
        return type(self)(self.unit, self.tiles, (sets[0], sets[1]))

    def to_bytes(self) -> bytes:
        """Return the file's content, the same for the same tags."""
        record = {"wallwright_tiles": VERSION, "unit": self.unit, "tiles": self.tiles, "sets": list(self.sets)}
        return (json.dumps(record, sort_keys=True, indent=0) + "\n").encode()

    def digest(self) -> bytes:
        """Return the hash that the board keeps, 32 bytes."""
        return hashlib.sha256(self.to_bytes()).digest()


@dataclass(frozen=True, slots=True)
class BoardReaders:
    """What a board says of its readers: their numbers, and the hash of the enrolment that was made last, or None."""

    readers: tuple[int, ...]
    digest: bytes | None


def set_faces(tiles: int) -> tuple[str, ...]:
    """Return the faces of a set of `tiles`, one for each tile. BadEnrolment for a set that is not known."""
    if tiles not in FACES:
        raise BadEnrolment(f"no set of {tiles} tiles is known")
    return FACES[tiles]


def read_readers(table: Table) -> BoardReaders:
    """Ask a table which readers it has and which enrolment it goes by."""
    mask, digest = REPLIES[NUMBER_OF["get_readers"]].unpack(table.request("get_readers"))
    known = bytes(digest)
    return BoardReaders(tuple(reader for reader in range(READERS) if mask >> reader & 1), known if any(known) else None)


def enrolment_path(unit: str) -> Path:
    """Return where the file of a table is, or would be."""
    is_name = re.fullmatch(r"\w[\w.-]*", unit) and not is_device(unit)
    name = unit if is_name else hashlib.sha256(unit.encode()).hexdigest()[:32]
    return key_path().parent / FOLDER / f"{name}.json"


def load_enrolment(path: Path) -> Enrolment | None:
    """Read a file; None when there is none. BadEnrolment names what is wrong with it."""
    try:
        if (is_open := problem_with(path)) is not None:
            raise BadEnrolment(f"{path}: {is_open}")
        record = read_json_file(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadEnrolment(f"{path}: it cannot be read ({error.strerror}); check its permissions") from error
    except BadJson as error:
        raise BadEnrolment(f"{path}: {error}; move it away and enrol the tiles again") from error
    try:
        return parse_enrolment(record)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = error if isinstance(error, BadEnrolment) else "this is no file of `wallwright tiles enrol`"
        raise BadEnrolment(f"{path}: {problem}; move it away and enrol the tiles again") from error


def save_enrolment(path: Path, enrolment: Enrolment) -> None:
    """Write the file, whole or not at all. BadEnrolment when it cannot be written."""
    try:
        make_folder(path.parent)
        write_whole(path, enrolment.to_bytes())
    except OSError as error:
        raise BadEnrolment(f"{path}: it cannot be written ({error.strerror}); check the folder") from error


def parse_enrolment(record: Any) -> Enrolment:
    """Return the list in the JSON of a file; ValueError, KeyError, TypeError or AttributeError when it is none."""
    if record["wallwright_tiles"] != VERSION:
        raise BadEnrolment("it is of another version of Wallwright")
    first, second = record["sets"]
    found = Enrolment(record["unit"], record["tiles"], (first, second))
    if type(found.unit) is not str or type(found.tiles) is not int:
        raise TypeError
    twice = first.keys() & second.keys()
    if twice:
        raise BadEnrolment(f"tag {min(twice)} is in both sets")
    for tags in found.sets:
        wrong = [tag for tag in tags if not _TAG.fullmatch(tag)]
        if wrong:
            raise BadEnrolment(f"{wrong[0]!r} is no tag of 16 hexadecimal digits")
        surplus = Counter(tags.values()) - Counter(set_faces(found.tiles))
        if surplus:
            raise BadEnrolment(f"there are too many tiles {min(surplus)}")
    return found
