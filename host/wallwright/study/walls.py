"""Runs a study of walls in batches, here or on the workers of a scheduler, and keeps each batch as it comes.

A study that was stopped goes on where it was: `folder` has its plan and its batches. The result is the same for any
number of workers, byte for byte.
"""

import io
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..system.disk import read_whole
from ..system.private import make_folder, open_private
from .cells import Cell, Plan
from .jobs import shared
from .measures import BATCH, MEASURES, Measured, batch
from .memory import PLAY_BATCH, Played, play_batch

PLAN = "study.json"
BATCHES = "batches"
BUILT, PLAYED = "", "play-"
"""Kinds of batches: walls that are measured, and walls that bots play. They begin the file's number."""
SIZES = {BUILT: BATCH, PLAYED: PLAY_BATCH}
NAMES = {BUILT: (*MEASURES, "map"), PLAYED: Played._fields}
"""Of each kind what its files hold."""
_LONGEST = 64 << 20
"""Bytes of a file, packed and unpacked."""

Task = tuple[Cell, str, int, int]
"""A batch: its cell, kind, index and number of walls."""
Arrays = dict[str, NDArray[Any]]


def tasks_of(plan: Plan) -> Iterator[Task]:
    """Every batch of a study."""
    for cell in plan.cells:
        for kind, walls in ((BUILT, plan.builds), (PLAYED, plan.play)):
            for index in range(-(-walls // SIZES[kind])):
                yield cell, kind, index, min(SIZES[kind], walls - index * SIZES[kind])


def open_study(folder: Path, plan: Plan) -> None:
    """Begin a study in a folder, or find the one there again. BadInput when another one is there."""
    path = folder / PLAN
    record = (json.dumps(plan.record(), indent=1) + "\n").encode()
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is no folder; choose another --out")
    if path.exists():
        with path.open("rb") as file:
            is_same = file.read(len(record) + 1) == record
        if not is_same:
            raise BadInput(
                f"{folder} has another study; give its very options to go on with it, or choose another --out"
            )
    elif folder.exists() and any(folder.iterdir()):
        raise BadInput(f"{folder} is there and is no study; choose another --out")
    else:
        make_folder(folder / BATCHES)
        _write(path, record)


def run(folder: Path, plan: Plan, jobs: str, done: Callable[[int, int], None]) -> None:
    """Make the batches that are missing; `done(batches, of)` is called whenever another one is kept.

    `jobs` is a number of processes of this machine, or the address of a scheduler. BadInput when that is gone.
    """
    tasks = list(tasks_of(plan))
    missing = [task for task in tasks if not _path(folder, task).exists()]
    kept = len(tasks) - len(missing)
    done(kept, len(tasks))
    if not missing:
        return
    for task, arrays in shared(partial(make, plan), missing, lambda task: task, jobs):
        _write(_path(folder, task), to_bytes(arrays))
        kept += 1
        done(kept, len(tasks))


def measured(folder: Path, plan: Plan, cell: Cell) -> Measured:
    """Return what was measured of all walls of a cell, in the order of their indexes."""
    parts = _parts(folder, plan, cell, BUILT)
    values = {name: np.concatenate([part[name] for part in parts]) for name in MEASURES}
    return Measured(values, sum((part["map"] for part in parts), start=np.zeros_like(parts[0]["map"])))


def played(folder: Path, plan: Plan, cell: Cell) -> Played | None:
    """Return what came of all walls of a cell that bots have played, None where they play none."""
    parts = _parts(folder, plan, cell, PLAYED)
    return Played(*(np.concatenate([part[name] for part in parts]) for name in Played._fields)) if parts else None


def make(plan: Plan, task: Task) -> Arrays:
    """Make one batch; what a worker does."""
    cell, kind, index, walls = task
    if kind == PLAYED:
        return play_batch(cell, plan.stacks, plan.seed, index, walls)._asdict()
    found = batch(cell, plan.stacks, plan.seed, index, walls)
    return {**found.values, "map": found.map}


def _parts(folder: Path, plan: Plan, cell: Cell, kind: str) -> list[Arrays]:
    return [_kept(_path(folder, task), kind) for task in tasks_of(plan) if task[:2] == (cell, kind)]


def _path(folder: Path, task: Task) -> Path:
    cell, kind, index, _ = task
    return folder / BATCHES / f"{cell.name}-{kind}{index:06d}.npz"


def _write(path: Path, data: bytes) -> None:
    """Write a file that is whole or not there."""
    part = path.with_name(f"{path.name}.part")
    try:
        with open_private(part, "wb") as file:
            file.write(data)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    part.replace(path)


def to_bytes(arrays: Arrays) -> bytes:
    """Return arrays as a file of numpy has them."""
    to = io.BytesIO()
    np.savez(to, allow_pickle=False, **arrays)
    return to.getvalue()


def _kept(path: Path, kind: str) -> Arrays:
    try:
        data = read_whole(path, _LONGEST)
        with ZipFile(io.BytesIO(data)) as members:
            if sum(one.file_size for one in members.infolist()) > _LONGEST:
                raise ValueError("it unpacks to more")
        with np.load(io.BytesIO(data)) as arrays:
            return {name: arrays[name] for name in NAMES[kind]}
    except (ValueError, KeyError, EOFError, BadZipFile, MemoryError, OSError) as error:
        raise BadInput(f"{path} is damaged; delete it, and the same command makes it again") from error
