"""The secret of a draw, from its commitment to its reveal: a file that this user alone can read.

The command line and the console keep it in the same place, so that each can reveal what the other has committed to:
beside the journal, or beside this user's key when the journal is in a database. A file bears its commitment in its
name, so no seed is overwritten by one whose commitment was then not written.
"""

import secrets
from contextlib import suppress
from pathlib import Path

from ..errors import BadPath, EventRefused
from ..journal import is_url, key_path
from ..system.disk import read_whole, write_new
from ..system.private import make_folder
from ..system.trusted import problem_with
from ..words import words
from . import guards
from .desk import Desk
from .draw import SEED_SIZE
from .seating_check import SeatingReport
from .setup import commit_draw, reveal_draw

NAMED = 16
"""Digits of a commitment that tell its file from others."""


def commit(desk: Desk, place: str, stage: str, *, byes: bool = False, stand_ins: bool = False, reason: str = "") -> str:
    """Commit to a new seed, kept for the journal at `place`; return the commitment. Raises what `commit_draw` does.

    Raises BadPath when the seed cannot be kept; nothing is committed to then, as long as `desk` is in its turn.
    """
    seed = secrets.token_bytes(SEED_SIZE)
    committed = commit_draw(desk, stage, seed, byes=byes, stand_ins=stand_ins, reason=reason)
    keep_seed(place, stage, committed, seed)
    return committed


def reveal(desk: Desk, place: str, stage: str) -> SeatingReport:
    """Reveal the seed that was committed to. Raises what `reveal_draw` does, and EventRefused without the seed."""
    guards.check_open_draw(desk.state, stage)
    guards.check_not_opened(desk.state, stage)
    return reveal_draw(desk, stage, kept_seed(place, stage, desk.state.draws[stage].commitment))


def kept_seed(place: str, stage: str, commitment: str) -> bytes:
    """Return the seed that was committed to. EventRefused when it is not where it was kept."""
    path = seed_path(place, stage, commitment)
    try:
        if (is_open := problem_with(path, is_own=True)) is not None:
            raise EventRefused(words("{path}: {problem}", path=str(path), problem=is_open))
        seed = read_whole(path)
    except OSError as error:
        problem = "the seed is not in {path} ({why}); commit where you reveal, or commit again for a reason"
        raise EventRefused(words(problem, path=str(path), why=str(error.strerror))) from error
    if len(seed) != SEED_SIZE:
        problem = "{path} is no seed any more; bring it back from a backup, or commit again for a reason"
        raise EventRefused(words(problem, path=str(path)))
    return seed


def forget(place: str, stage: str) -> None:
    """Remove the seeds of a stage, once the last one is revealed or withdrawn and that is in the journal."""
    one = seed_path(place, stage, "")
    for path in one.parent.glob("*"):
        if path.name.startswith(one.name):
            # It is in the journal by now, or of no use: a file that stays does no harm.
            with suppress(OSError):
                path.unlink()


def seed_path(place: str, stage: str, commitment: str) -> Path:
    """Return where the seed of a commitment is kept."""
    if is_url(place):
        folder, name = key_path().parent, place.rpartition("/")[2].partition("?")[0]
    else:
        folder, name = Path(place).absolute().parent, Path(place).name
    return folder / f"{name}.{stage}-seed-{commitment[:NAMED]}"


def keep_seed(place: str, stage: str, commitment: str, seed: bytes) -> None:
    """Write a seed so that it is on the disk, name and all, before the journal says that there is one."""
    path = seed_path(place, stage, commitment)
    try:
        make_folder(path.parent)
        write_new(path, seed)
    except OSError as error:
        problem = words("{path} cannot be written ({why}); check the folder", path=str(path), why=str(error.strerror))
        raise BadPath(problem) from error
