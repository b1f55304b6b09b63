"""Recorded traffic of a link: a text file of JSON lines that can be shown, sent to somebody, and replayed.

The first line says what was recorded, every other one is a piece of traffic as the host has sent or received it:

    {"wallwright_trace": 1, "port": "sim://?seed=1", "clock": "table"}
    {"t_ms": 0, "dir": "->", "hex": "0301010de9..."}

- `t_ms` is the time on the port's clock in ms. `clock` is "table" where that is the table's own, which has run since
  power-up: a simulated port; else "host", and the time began when the port was opened.
- `dir` is "->" to the table, "<-" from it. `hex` are the bytes, with the 0x00 at the end of each frame.

- What tells of a tile's tag is masked before it is written (`masking.py`); a frame is written when its end is there.

A last line that is cut off, as a loss of power leaves it, counts as not written.
"""

import json
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from ..errors import BadInput
from ..system.disk import read_whole
from ..system.private import open_private
from ..system.strict_json import BadJson, read_json
from ..text_files import BadText, text_of
from .masking import Masker
from .trace import RECEIVED, SENT

VERSION = 1
LONGEST = 256 << 20
"""Bytes of a file at the most: several days of a busy link."""
TABLE_CLOCK = "table"
HOST_CLOCK = "host"


class Piece(NamedTuple):
    """Bytes that crossed the wire at once."""

    time_ms: int
    direction: str
    data: bytes


class Recording(NamedTuple):
    """A whole file. `clock` is TABLE_CLOCK or HOST_CLOCK."""

    port: str
    clock: str
    pieces: tuple[Piece, ...]


class Recorder:
    """Writes the file; `add` is a tap for `open_table`. Use it in a `with`; a file without traffic does not stay."""

    def __init__(self, path: Path, port: str) -> None:
        """Begin a new file for the traffic on `port`. BadInput when there is one, or it cannot be made."""
        try:
            self._file = open_private(path, "x", encoding="ascii", newline="\n")
        except FileExistsError:
            raise BadInput(f"{path}: there is such a file, and it is left alone; give another name") from None
        except OSError as error:
            raise BadInput(f"{path}: it cannot be written ({error.strerror}); give another name") from error
        self._path = path
        self._has_traffic = False
        self._maskers = {SENT: Masker(), RECEIVED: Masker()}
        self._last_ms = 0
        clock = TABLE_CLOCK if port.startswith("sim:") else HOST_CLOCK
        self._write({"wallwright_trace": VERSION, "port": port, "clock": clock})

    def __enter__(self) -> Self:
        """Return the recorder itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the file."""
        for direction, masker in self._maskers.items():
            rest = masker.end()
            if rest:
                self._write_piece(self._last_ms, direction, rest)
        self._file.close()
        if not self._has_traffic:
            self._path.unlink()

    def add(self, time_ms: int, direction: str, data: bytes) -> None:
        """Write a piece of traffic; it is with the operating system when this returns."""
        self._has_traffic = True
        self._last_ms = time_ms
        self._write_piece(time_ms, direction, self._maskers[direction].add(data))

    def _write_piece(self, time_ms: int, direction: str, data: bytes) -> None:
        self._write({"t_ms": time_ms, "dir": direction, "hex": data.hex()})

    def _write(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record) + "\n")
        self._file.flush()


def read_recording(path: Path) -> Recording:
    """Read a file. BadInput, with the number of the line, when it is no recording."""
    try:
        *lines, rest = text_of(read_whole(path, LONGEST)).split("\n")
    except BadText as error:
        raise BadInput(f"{path}: {error}; give the file of a recording") from error
    except OSError as error:
        raise BadInput(f"{path}: it cannot be read ({error.strerror}); give the file of a recording") from error
    if not lines:
        lines = [rest]
    head = _parsed(path, 1, lines[0])
    if head.get("wallwright_trace") != VERSION:
        made = "an older or newer Wallwright" if "wallwright_trace" in head else "`wallwright trace --record FILE`"
        raise BadInput(f"{path}: this is no recording that can be read here; it is one of {made}")
    port, clock = head.get("port"), head.get("clock")
    if not isinstance(port, str) or clock not in (TABLE_CLOCK, HOST_CLOCK):
        raise _bad_line(path, 1, "it lacks the port, or its clock is neither table nor host")
    return Recording(port, clock, tuple(_pieces(path, lines[1:])))


def _pieces(path: Path, lines: list[str]) -> list[Piece]:
    pieces: list[Piece] = []
    for number, line in enumerate(lines, 2):
        record = _parsed(path, number, line)
        time_ms, direction, text = record.get("t_ms"), record.get("dir"), record.get("hex")
        if type(time_ms) is not int or direction not in (SENT, RECEIVED) or not isinstance(text, str):
            raise _bad_line(path, number, 'a line has t_ms, a whole number, dir, "->" or "<-", and hex')
        if time_ms < 0 or (pieces and time_ms < pieces[-1].time_ms):
            raise _bad_line(path, number, f"its time, {time_ms} ms, is before that of the line above")
        try:
            pieces.append(Piece(time_ms, direction, bytes.fromhex(text)))
        except ValueError:
            raise _bad_line(path, number, "its hex is not hexadecimal") from None
    return pieces


def _parsed(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        record = read_json(line)
    except BadJson:
        record = None
    if not isinstance(record, dict):
        raise _bad_line(path, number, "it is not JSON of a recording")
    return record


def _bad_line(path: Path, number: int, problem: str) -> BadInput:
    return BadInput(f"{path}: line {number}: {problem}; give a file of `wallwright trace --record FILE`")
