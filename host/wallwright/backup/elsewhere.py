"""Knowledge of a journal that is kept elsewhere: by its hall's witnesses and backups, and by what lies beside it.

A witness that is a server keeps what it is sent, and cannot be asked from here.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import BadConfig, BadInput, EventRefused, JournalError, WallwrightError
from ..fleet.config import HallConfig, load_hall
from ..journal import verify_journal
from ..journal.addresses import find_place, is_same
from ..journal.claims import Claim, chain_of_file
from ..journal.places import JournalPath
from ..journal.witness_places import WitnessFile, read_witness
from .archive import in_folder
from .kept import Kept
from .schedule import journal_name
from .unpacking import opened

NEWEST = 3
"""So many backups of a folder are looked at, the newest ones."""


def claims_elsewhere(
    path: JournalPath, against: Sequence[Path] = (), hall: Path | None = None
) -> tuple[list[Claim], list[str]]:
    """Return what is said of a journal by the backups, folders and copies in `against`, by what a hall's file names,
    and by what lies beside it; and a sentence for each that cannot be read.

    A hall's file beside the journal that names it is found. Raises BadConfig for a `hall` that is none, BadInput for
    something in `against` that nobody can read.
    """
    claims = [claim for one in against for claim in _named(one, path)]
    problems: list[str] = []
    folder = find_place(path).path
    beside = folder.absolute().parent if isinstance(folder, Path) else None
    halls = [load_hall(hall)] if hall is not None else [] if beside is None else list(_halls(beside, path))
    for one in halls:
        for source in _places(one, path):
            try:
                claims += _read(source, is_sure=True)
            except (WallwrightError, OSError) as error:
                problems.append(f"{source}: what it knows cannot be read ({error})")
    for source in () if beside is None else (*_newest(beside), *sorted(beside.glob("*.witness"))):
        try:
            claims += _read(source, is_sure=source.name.startswith(journal_name(path)))
        except (WallwrightError, OSError):
            # It may have nothing to do with this journal.
            continue
    return list(dict.fromkeys(claims)), problems


def _named(source: Path, path: JournalPath) -> Iterator[Claim]:
    if source.is_dir():
        found = _of_folder(source, path)
        if not found:
            raise BadInput(f"{source} has no backup of a journal called {journal_name(path)}; name the backup itself")
        source = found[0]
    try:
        yield from _read(source, is_sure=True)
    except EventRefused as error:
        raise BadInput(f"{source} is neither a backup nor a journal ({error})") from error
    except OSError as error:
        raise BadInput(f"{source} cannot be read ({error.strerror}); check the path") from error


def _read(source: Path, *, is_sure: bool) -> Iterator[Claim]:
    """Go through what a witness's file, a backup or a copy says. Raises OSError and errors of ours."""
    if source.suffix == ".witness":
        yield from (Claim.of(str(source), one, is_sure=is_sure) for one in read_witness(source))
        return
    if _is_journal(source):
        head = verify_journal(source).head
        yield Claim(str(source), head.id, head.hash, advice=f"go on with {source}, or find the journal that it is of")
        return
    with opened(source) as packed:
        hashes = in_folder(lambda folder: chain_of_file(packed.unpack(folder).journal), source.absolute().parent)
    if hashes:
        advice = f"restore {source}, or find the journal that it is of"
        yield Claim(str(source), len(hashes), hashes[-1], advice=advice, first=hashes[0], is_sure=is_sure)


def _is_journal(source: Path) -> bool:
    with source.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _halls(folder: Path, path: JournalPath) -> Iterator[HallConfig]:
    """Go through the halls whose files are in a folder and name the journal."""
    for file in sorted(folder.glob("*.toml")):
        try:
            hall = load_hall(file)
            if is_same(hall.journal, path):
                yield hall
        except (BadConfig, JournalError):
            continue


def _places(hall: HallConfig, path: JournalPath) -> Iterator[Path]:
    for witness in hall.witnesses:
        if isinstance(witness, WitnessFile) and Path(witness.name).exists():
            yield Path(witness.name)
    if hall.backup is not None:
        yield from _of_folder(hall.backup, path)


def _of_folder(folder: Path, path: JournalPath) -> list[Path]:
    """Return the newest backup of a journal in a folder, if there is one."""
    kept = Kept(folder, journal_name(path))
    try:
        newest_ms = kept.newest_ms()
    except OSError:
        return []
    return [] if newest_ms is None else [kept.path(newest_ms)]


def _newest(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.backup"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    return found[:NEWEST]
