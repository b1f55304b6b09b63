"""Raw samples of a board's random source in a file, a byte a sample: in a row, or so many after each of its starts.

- The board stands in service, or in a fault, and is left as it was found. They are the samples that its health tests
  see, before anything is made of them.
- Beside FILE lies FILE.json, which says whose samples these are. A capture that was stopped goes on with the same
  call, and only with the same board and image.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from wallwright_protocol.codec import NUMBER_OF, REPLIES

from ..errors import BadPath, LinkError
from ..system.disk import read_whole, write_named_new
from ..table.table import Table
from .bench import Bench
from .chip_figures import Kind, board_of
from .limits import Unhealthy

AFTER_A_START = 1000
"""Samples of each start, SP 800-90B 3.1.4.1."""
PART = 200
GONE_MS = 400
"""A board has left by then: 200 ms after its reply."""
BACK_MS = 30_000

Progress = Callable[[int, int], None]
"""Hears how many samples of how many there are."""


class About(BaseModel):
    """Whose samples a file has, and whether they are rows of `AFTER_A_START`."""

    model_config = ConfigDict(strict=True)
    format: Literal[1] = 1
    kind: Kind
    unit: str
    firmware: str
    chip: str
    image: str
    restarts: bool


def capture(table: Table, port: str, out: Path, samples: int, progress: Progress) -> None:
    """Fill `out` up to so many samples. Raises BadPath, Refused when the table does not stand still, Unhealthy when
    the source does not deliver, LinkError; what was captured stays."""
    done = _begin(table, port, out, restarts=False)
    with _opened(out) as file, _standstill(table):
        while done < samples:
            progress(done, samples)
            file.write(_draw(table)[: samples - done])
            done = file.tell()
        progress(done, samples)


def capture_restarts(table: Table, port: str, out: Path, restarts: int, progress: Progress) -> None:
    """Fill `out` with the first samples of so many starts of the board, which are resets of its chip.

    Raises what `capture` does, and NotInTime when the board does not come back.
    """
    done = _begin(table, port, out, restarts=True) // AFTER_A_START
    with _opened(out) as file:
        file.truncate(done * AFTER_A_START)  # a row that was cut is not whole any more
        file.seek(0, os.SEEK_END)
        while done < restarts:
            progress(done * AFTER_A_START, restarts * AFTER_A_START)
            with _standstill(table):
                _restart(table)
            with _standstill(table):
                file.write(b"".join(_draw(table) for _ in range(AFTER_A_START // PART)))
            done += 1
        progress(done * AFTER_A_START, restarts * AFTER_A_START)


def _begin(table: Table, port: str, out: Path, *, restarts: bool) -> int:
    """Return how many samples the file has already; BadPath when they are not those of this board and of this kind."""
    path = out.with_name(f"{out.name}.json")
    kind, chip, image = board_of(table, port)
    info = table.info
    about = About(kind=kind, unit=info.unit, firmware=info.firmware, chip=chip, image=image, restarts=restarts)
    try:
        before = About.model_validate_json(read_whole(path))
    except FileNotFoundError:
        if os.path.lexists(out):
            raise BadPath(f"{out}: there is a file already, and no {path.name} beside it: give another name") from None
        write_named_new(path, (about.model_dump_json(indent=2) + "\n").encode())
        return 0
    except (OSError, ValidationError) as error:
        raise BadPath(f"{path} was not written by `wallwright entropy capture`: give --out another name") from error
    if before != about:
        what = "of a board's starts" if before.restarts else "in a row"
        raise BadPath(
            f"{out} has samples {what} of {before.unit}, image {before.image or 'not known'}, and does not go on with "
            "these: give another name"
        )
    try:
        return out.stat().st_size
    except FileNotFoundError:
        return 0


@contextmanager
def _opened(out: Path) -> Iterator[FileIO]:
    """Open a file whose bytes go to the disk as they are written; BadPath when it cannot be written."""
    try:
        with FileIO(out, "ab") as file:
            yield file
            os.fsync(file.fileno())
    except OSError as error:
        raise BadPath(f"{out}: {error.strerror or error}; make room, or give another name") from error


@contextmanager
def _standstill(table: Table) -> Iterator[None]:
    """Keep the table in service, or in its fault: nothing moves in either."""
    if table.status().fault is not None:
        yield
        return
    with Bench(table).in_service():
        yield


def _draw(table: Table) -> bytes:
    count, samples = REPLIES[NUMBER_OF["get_samples"]].unpack(table.request("get_samples"))
    if count < PART:
        raise Unhealthy(
            f"the random source gave {count} of {PART} samples: clear the fault, or have the board replaced"
        )
    return bytes(samples)


def _restart(table: Table) -> None:
    """Have the board start anew, and shake hands with it."""
    before = table.boot_id
    table.request("restart")
    until = table.now_ms() + BACK_MS
    with suppress(LinkError):
        table.pump(GONE_MS)
    while table.boot_id == before:
        try:
            table.reconnect()
        except LinkError:
            if table.now_ms() >= until:
                raise
        else:
            if table.boot_id == before and table.now_ms() >= until:
                raise table.late("booted", BACK_MS)
