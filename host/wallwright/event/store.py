"""An event in its journal: opened to be changed, read to be looked at, copied to be safe."""

import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from ..errors import BadPath, EventRefused, NoEvent
from ..journal import Journal, copy_journal, is_url, read_journal
from ..wall_clock import wall_ms
from .desk import Desk
from .state import DECLARATIONS, KINDS, TOLD_KINDS, EventState

_ENTRY = "event.journal"
_MANIFEST = "manifest.json"
_RESULTS = (*KINDS, *TOLD_KINDS)
_FORMAT = "wallwright event backup 1"


class EventTurns:
    """Turns at the desk of the event at `place`, one after the other, with whatever journal has it open.

    What is known of the event is kept from turn to turn, and each turn sees what everybody has written before it.
    """

    def __init__(self, place: str, now: Callable[[], int] = wall_ms) -> None:
        self._place = place
        self._now = now
        self._state = EventState()

    def catch_up(self) -> None:
        """Read what has been written since. Before a turn that is done while others may write, during it they wait."""
        self._state.apply_all(read_journal(self._place, self._state.last, (*_RESULTS, DECLARATIONS)))

    @contextmanager
    def at(self, journal: Journal, by: str, *, new: bool = False) -> Iterator[Desk]:
        """Give a desk whose changes are all kept, or none after an error. Nobody else changes the event meanwhile, so
        don't wait for people inside. NoEvent when there is none, unless a `new` one is to be begun.
        """
        before = self._state.last
        try:
            with journal.batch():
                self.catch_up()
                if self._state.format is None and not new:
                    raise NoEvent(self._place)
                before = self._state.last
                yield Desk(journal, self._state, self._now, by)
        except BaseException:
            if self._state.last != before:
                # It may have seen entries that were never kept.
                self._state = EventState()
            raise


class EventJournal:
    """The journal at `place`, a path or a URL, open for turns at the desk; use it in a `with`.

    Hosts of one server share an event. Raises what `Journal` does.
    """

    def __init__(self, place: str, by: str, now: Callable[[], int] = wall_ms) -> None:
        self._by = by
        self._journal = Journal(place)
        self._turns = EventTurns(place, now)

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the journal."""
        self._journal.close()

    @contextmanager
    def turn(self, *, new: bool = False) -> Iterator[Desk]:
        """Take a turn; see `EventTurns.at`."""
        self._turns.catch_up()
        with self._turns.at(self._journal, self._by, new=new) as desk:
            yield desk


@contextmanager
def open_event(place: str, by: str, now: Callable[[], int] = wall_ms, *, new: bool = False) -> Iterator[Desk]:
    """Take one turn at the desk of the event at `place`."""
    if not new and not is_url(place) and not Path(place).exists():
        raise NoEvent(place)
    with EventJournal(place, by, now) as journal, journal.turn(new=new) as desk:
        yield desk


def read_event(place: str) -> EventState:
    """Return the event in the journal at `place`, also while another program writes it.

    What was declared in deals that go on is left out, so that an event of a season is read in a second or two.
    """
    if not is_url(place) and not Path(place).exists():
        raise NoEvent(place)
    state = EventState().apply_all(read_journal(place, kinds=_RESULTS))
    if state.format is None:
        raise NoEvent(place)
    return state


def holds_event(place: str) -> bool:
    """Say whether there is a journal at `place` in which an event has begun. Raises JournalError, NotAJournal."""
    if not is_url(place) and not Path(place).exists():
        return False
    return next(iter(read_journal(place, kinds=("event_created",))), None) is not None


def read_body(place: str, number: int) -> Mapping[str, Any]:
    """Return the body of one entry."""
    entry = next(read_journal(place, number - 1))
    assert entry.id == number
    return entry.body


def back_up(place: str, target: Path) -> dict[str, Any]:
    """Copy the journal, checked entry by entry, into the new file `target`; return what is in it.

    Others may write meanwhile. Raises BadPath when `target` is there already, JournalDamaged when an entry is not what
    was written.
    """
    _refuse_existing(target)
    with TemporaryDirectory(dir=target.absolute().parent) as folder:
        copy = Path(folder) / _ENTRY
        head = copy_journal(place, copy)
        state = read_event(str(copy))
        assert state.format is not None
        manifest = {
            "format": _FORMAT,
            "event": state.format.name,
            "entries": head.id,
            "hash": head.hash.hex(),
            "sha256": sha256(copy.read_bytes()).hexdigest(),
        }
        draft = Path(folder) / "draft.zip"
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(copy, _ENTRY)
            archive.writestr(_MANIFEST, json.dumps(manifest, ensure_ascii=False))
        _keep(draft, target)
    return manifest


def restore(source: Path, target: str) -> dict[str, Any]:
    """Bring a backup back as the new journal `target`, a path or a URL; return what is in it.

    Raises BadPath when `target` is a file that is there already, JournalError when a database holds entries, and
    EventRefused when the backup is damaged or is none.
    """
    if not is_url(target):
        _refuse_existing(Path(target))
    try:
        with zipfile.ZipFile(source) as archive:
            manifest: dict[str, Any] = json.loads(archive.read(_MANIFEST))
            data = archive.read(_ENTRY)
    except OSError as error:
        raise BadPath(f"{source} cannot be read ({error.strerror}); check the path") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, ValueError) as error:
        raise EventRefused(f"{source} is no backup of an event ({error}); take another copy") from error
    if manifest.get("format") != _FORMAT or sha256(data).hexdigest() != manifest.get("sha256"):
        raise EventRefused(f"{source} is damaged: its journal is not the one that was saved; take another copy")
    with TemporaryDirectory() as folder:
        copy = Path(folder) / _ENTRY
        copy.write_bytes(data)
        copy_journal(copy, target)
    return manifest


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise BadPath(f"{path} is there already and was left alone; choose another path")
    if not path.absolute().parent.is_dir():
        raise BadPath(f"{path}: there is no such folder; make it first")


def _keep(draft: Path, target: Path) -> None:
    """Give a finished file its name, once it is on the disk, unless something has that name."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(draft, target)
    except FileExistsError as error:
        raise BadPath(f"{target} is there already and was left alone; choose another path") from error
