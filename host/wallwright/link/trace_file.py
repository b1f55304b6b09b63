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
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from ..errors import BadInput
from ..system.disk import open_foreign
from ..system.private import open_private
from ..system.strict_json import BadJson, read_json
from ..text_files import BadText, text_of
from .masking import Masker
from .trace import RECEIVED, SENT

VERSION = 1
_LONGEST_LINE = 1 << 20
"""Bytes; the longest that a port gives at once have some 100 kB."""
MOST_PIECES = 200_000
MOST_FRAMES = 400_000
"""Of a recording that is kept whole: some hours of a busy link."""
LATEST_MS = 2**53 - 1
"""No clock of a port gets there, and every program that reads JSON has the number exactly."""
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
        self._maskers[SENT].catalog = self._maskers[RECEIVED].catalog
        self._write_piece(time_ms, direction, self._maskers[direction].add(data))

    def _write_piece(self, time_ms: int, direction: str, data: bytes) -> None:
        self._write({"t_ms": time_ms, "dir": direction, "hex": data.hex()})

    def _write(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record) + "\n")
        self._file.flush()


def read_recording(path: Path) -> Recording:
    """Read a file whole. BadInput, with the number of the line, when it is no recording, or too long to be kept."""
    lines = _lines(path)
    port, clock = _head(path, lines)
    pieces: list[Piece] = []
    frames = 0
    for piece in _pieces(path, lines):
        pieces.append(piece)
        frames += piece.data.count(0)
        if len(pieces) > MOST_PIECES or frames > MOST_FRAMES:
            problem = f"it has more than {MOST_PIECES:,} pieces or {MOST_FRAMES:,} frames; give a shorter recording"
            raise BadInput(f"{path}: {problem}")
    return Recording(port, clock, tuple(pieces))


def pieces_in(path: Path) -> Iterator[Piece]:
    """Go through the pieces of a recording of any length. Raises what `read_recording` does for one that is none."""
    lines = _lines(path)
    _head(path, lines)
    return _pieces(path, lines)


def _head(path: Path, lines: Iterator[str]) -> tuple[str, str]:
    head = _parsed(path, 1, next(lines, ""))
    if head.get("wallwright_trace") != VERSION:
        made = "an older or newer Wallwright" if "wallwright_trace" in head else "`wallwright trace --record FILE`"
        raise BadInput(f"{path}: this is no recording that can be read here; it is one of {made}")
    port, clock = head.get("port"), head.get("clock")
    if not isinstance(port, str) or clock not in (TABLE_CLOCK, HOST_CLOCK):
        raise _bad_line(path, 1, "it lacks the port, or its clock is neither table nor host")
    return port, clock


def _lines(path: Path) -> Iterator[str]:
    try:
        with open_foreign(path) as file:
            for number, line in enumerate(iter(partial(file.readline, _LONGEST_LINE), b""), 1):
                if len(line) >= _LONGEST_LINE:
                    raise _bad_line(path, number, "it is too long")
                if number == 1 or line.endswith(b"\n"):
                    yield _text(path, number, line).removesuffix("\n")
    except OSError as error:
        raise BadInput(f"{path}: it cannot be read ({error.strerror}); give the file of a recording") from error


def _text(path: Path, number: int, line: bytes) -> str:
    try:
        return text_of(line)
    except BadText as error:
        if number == 1:
            raise BadInput(f"{path}: {error}; give the file of a recording") from error
        raise _bad_line(path, number, "it is no text") from error


def _pieces(path: Path, lines: Iterator[str]) -> Iterator[Piece]:
    before_ms = 0
    for number, line in enumerate(lines, 2):
        record = _parsed(path, number, line)
        time_ms, direction, text = record.get("t_ms"), record.get("dir"), record.get("hex")
        if type(time_ms) is not int or direction not in (SENT, RECEIVED) or not isinstance(text, str):
            raise _bad_line(path, number, 'a line has t_ms, a whole number, dir, "->" or "<-", and hex')
        if time_ms < before_ms:
            raise _bad_line(path, number, f"its time, {time_ms} ms, is before that of the line above")
        if time_ms > LATEST_MS:
            raise _bad_line(path, number, f"its time is more than {LATEST_MS} ms")
        before_ms = time_ms
        try:
            yield Piece(time_ms, direction, bytes.fromhex(text))
        except ValueError:
            raise _bad_line(path, number, "its hex is not hexadecimal") from None


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
