"""Checkpoints that a season has seen while days were played: of each journal the newest, and what did not extend it.

They stand in files beside the season and not in its journal, which everybody reads whole: a hall signs one every two
minutes. The newest says all that those before it say, for each is taken with the proof that the journal has grown to it
from the one before. When the day's extract comes, the season's journal keeps the newest in the entry of the day.

A journal is called by the first 32 hexadecimal digits of the leaf of the entry that begins its event: nobody knows it
who has not the journal, and an extract proves it.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from ..errors import EventRefused
from ..journal import Checkpoint, printed_key
from ..journal.kinds.desk import EventCreated
from ..journal.kinds.season import SeenInPlay
from ..journal.proofs import extends, multiproof_root
from ..system.disk import write_whole
from ..system.json_file import read_form_file
from ..system.private import make_folder
from ..system.strict_json import BadJson
from .errors import NotAdmitted, TooMuch
from .extract_check import Checked
from .judged import Judged
from .state import SeasonState

MOST_DAYS = 100
"""Journals of a hall of which checkpoints are kept."""
_DIGITS = 32
_HASH = 32
_ENDING = ".seen.json"


class Reported(Struct, frozen=True, forbid_unknown_fields=True):
    """What a hall sends: a checkpoint, printed; the number and the leaf of the entry that begins the event, and what
    proves that it is there; and that the journal has grown from the first `before` entries. Hashes in hexadecimal.
    """

    checkpoint: str
    entry: int
    leaf: str
    inclusion: tuple[str, ...]
    before: int
    proof: tuple[str, ...]


class Parted(Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint that does not extend what was seen before, and when it came."""

    checkpoint: str
    at_ms: int


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """The newest checkpoint of a journal, printed, signed by the hall's `key`, and when it came by the season's clock;
    `parted` is the last one that did not fit.
    """

    journal: str
    key: str
    checkpoint: str
    at_ms: int
    parted: Parted | None = None

    @property
    def entries(self) -> int:
        """How many entries it is about."""
        return Checkpoint.parse(self.checkpoint).entry


def journal_id(leaf: bytes) -> str:
    """Return what stands for a journal, by the leaf of the entry that begins its event."""
    return leaf.hex()[:_DIGITS]


def journal_of(checked: Checked) -> str:
    """Return what stands for the journal of an extract."""
    extract = checked.signed.extract
    begins = min(one.entry for one in (*extract.entries, *extract.stated) if one.kind == EventCreated.KIND)
    return journal_id(checked.leaves[begins])


class SeenFiles:
    """The files of a season's `folder`, by journal and hall's key; any thread may ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def all(self) -> tuple[Seen, ...]:
        """Return what was seen of every journal, the one that was heard of last first."""
        found = [self._read(path) for path in self._folder.glob(f"*{_ENDING}")]
        return tuple(sorted((one for one in found if one is not None), key=lambda one: (-one.at_ms, one.journal)))

    def of(self, journal: str, key: str) -> Seen | None:
        """Return what was seen of a journal that this key signs."""
        return self._read(self._path(journal, key))

    def take(self, reported: Reported, key: bytes, journal: str, now_ms: Callable[[], int]) -> Seen:
        """Keep a checkpoint of a hall's, and return what is kept then.

        Nothing changes where the hall does not know yet what is kept, whose number of entries is not its `before`.
        EventRefused names a fork and a journal that was cut; NotAdmitted says what does not hold, TooMuch.
        """
        checkpoint = _checked(reported, key, journal)
        printed = printed_key(key)
        with self._lock:
            old = self.of(journal, printed)
            if old is not None:
                if str(checkpoint) == old.checkpoint or reported.before != old.entries:
                    return old
                problem = _parting(Checkpoint.parse(old.checkpoint), checkpoint, reported)
                if problem:
                    parted = Parted(str(checkpoint), now_ms())
                    self._write(msgspec.structs.replace(old, parted=parted))
                    raise EventRefused(f"{problem}; the checkpoint is not kept, and the organiser sees that")
            elif sum(1 for one in self.all() if one.key == printed) >= MOST_DAYS:
                raise TooMuch(f"{MOST_DAYS} journals of this hall have reported; have the organiser clear them away")
            new = Seen(journal, printed, str(checkpoint), now_ms())
            self._write(new)
            return new

    def _path(self, journal: str, key: str) -> Path:
        return self._folder / f"{journal}-{hashlib.sha256(key.encode()).hexdigest()[:16]}{_ENDING}"

    def _read(self, path: Path) -> Seen | None:
        try:
            return read_form_file(path, Seen)
        except (FileNotFoundError, BadJson):
            return None

    def _write(self, seen: Seen) -> None:
        make_folder(self._folder)
        write_whole(self._path(seen.journal, seen.key), msgspec.json.encode(seen))


def in_play(seen: Iterable[Seen], state: SeasonState) -> tuple[Seen, ...]:
    """Return what was seen of journals whose extracts have not come."""
    return tuple(one for one in seen if one.journal not in state.journals)


def compare(judged: Judged, seen: tuple[Seen, ...], halls: Mapping[str, str]) -> tuple[str, SeenInPlay | None]:
    """Return where an extract parts from what its hall's journal was during play, in words, and what was seen.

    A hall with a new key is the same by its name. The words are "" where everything fits, or nothing was seen.
    """
    hall = halls.get(judged.facts.key)
    own = sorted(
        (one for one in seen if one.journal == judged.journal and halls.get(one.key) == hall),
        key=lambda one: one.entries,
    )
    problems = [(_problem(judged, one), one) for one in own]
    wrong = next(((problem, one) for problem, one in problems if problem), None)
    if not own:
        return "", None
    problem, one = wrong or problems[-1]
    return problem, SeenInPlay(checkpoint=one.checkpoint, at_ms=one.at_ms, fits=not problem)


def _problem(judged: Judged, seen: Seen) -> str:
    known = Checkpoint.parse(seen.checkpoint)
    size = judged.facts.entries
    roots = {**judged.since, size: judged.root}
    if known.entry > size:
        problem = f"it ends with entry {size}, and entry {known.entry} was seen during play"
        return f"{problem}: its journal was cut, or there is a newer extract"
    if known.entry not in roots:
        problem = f"it has no proof that its journal has grown from entry {known.entry}, which was seen during play"
        return f"{problem}; have the hall make one with `wallwright event extract --since {known}`"
    if roots[known.entry] != known.hash:
        return f"this is a fork: its first {known.entry} entries are not those that were seen during play"
    if seen.parted is not None:
        other = Checkpoint.parse(seen.parted.checkpoint)
        if roots.get(other.entry) != other.hash:
            return f"its hall has signed another history during play, of {other.entry} entries"
    return ""


def _checked(reported: Reported, key: bytes, journal: str) -> Checkpoint:
    """Return the checkpoint of a report. NotAdmitted when it is not proved to be of that hall and that journal."""
    checkpoint = Checkpoint.parse(reported.checkpoint)
    try:
        leaf, *inclusion = map(bytes.fromhex, (reported.leaf, *reported.inclusion))
        root = multiproof_root({reported.entry - 1: leaf}, checkpoint.entry, inclusion)
        is_whole = len(leaf) == _HASH and {len(one) for one in inclusion} <= {_HASH}
    except ValueError:
        is_whole = False
    if not is_whole or journal_id(leaf) != journal or root != checkpoint.hash or checkpoint.key != key:
        raise NotAdmitted("the checkpoint is not proved to be of this hall's journal; nothing is kept")
    return checkpoint


def _parting(old: Checkpoint, new: Checkpoint, reported: Reported) -> str:
    """Return why a journal of which `old` was seen cannot have come to `new`; "" when it has."""
    if new.entry < old.entry:
        return f"the journal was cut: it ends with entry {new.entry}, and entry {old.entry} was seen before"
    try:
        proof = [bytes.fromhex(one) for one in reported.proof]
    except ValueError:
        proof = [b""]
    if extends(old.entry, old.hash, new.entry, new.hash, proof):
        return ""
    return f"this is a fork: the journal has not grown from the first {old.entry} entries, which were seen before"
