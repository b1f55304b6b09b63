"""Standard input and output in one encoding wherever they lead: UTF-8, and nothing that is printed raises.

Windows gives files and pipes the code page of the country, which lacks letters of players' names. An encoding that the
user has chosen (PYTHONIOENCODING) is kept; characters that it lacks become escapes, which JSON reads again.

What is printed is shown: controls and what nobody sees become escapes, whoever has written them. Only what the program
itself draws is written as it is, by `write_own`.

A reader of the output that has gone, such as `head`, ends the program at the next line, without a word and with the
exit code CUT_OFF. No command can take it for a trouble of its port or journal, for it is no OSError any more.
"""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..shown_text import shown, shown_line

CHOSEN = "PYTHONIOENCODING"
CUT_OFF = 141
"""The exit code of a program whose output nobody reads any more, as shells give it."""
NOT_WRITTEN = 1
"""That of one whose output cannot be written, as on a full disk."""


def set_up_streams() -> None:
    """Set up those of this process. Lines end as the system has it; what is written as CSV brings its own ends."""
    chosen = bool(os.environ.get(CHOSEN))
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Tests and other programs may have put something else in their place.
        if isinstance(stream, io.TextIOWrapper):
            _set_up(stream, chosen)
    sys.stdout = _showing(sys.stdout, ends=True)
    sys.stderr = _showing(sys.stderr, ends=False)


class _Shown(io.TextIOWrapper):
    """A stream for people and programs, on which no text of somebody else's controls a terminal."""

    def write(self, text: str, /) -> int:
        return super().write(shown(text))


class _Output(io.BufferedWriter):
    """The standard output, which ends the program when it cannot be written.

    What the system has taken is counted before Python sees a Ctrl-C: else it would be written twice.
    """

    def __init__(self, raw: io.FileIO, *, at_once: bool) -> None:
        super().__init__(raw)
        self._at_once = at_once

    def write(self, data: Any) -> int:
        with self._or_end():
            count = super().write(data)
            if self._at_once:
                super().flush()
            return count

    def flush(self) -> None:
        with self._or_end():
            super().flush()

    @contextmanager
    def _or_end(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            # What is still buffered goes nowhere, so that the end of the program is quiet too.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
                raise SystemExit(CUT_OFF) from error
            print(f"error: the output cannot be written ({error.strerror})", file=sys.stderr)
            raise SystemExit(NOT_WRITTEN) from error


def _showing(stream: Any, *, ends: bool) -> Any:
    """Return a stream as one that shows what is printed; what is not a file of the system is left as it is."""
    raw = getattr(getattr(stream, "buffer", None), "raw", getattr(stream, "buffer", None))
    if type(raw) is not io.FileIO or not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    output = io.FileIO(raw.fileno(), "wb", closefd=False)
    binary: Any
    if ends:
        binary = _Output(output, at_once=stream.write_through)
    else:
        binary = output if stream.write_through else io.BufferedWriter(output)
    return _Shown(
        binary, stream.encoding, stream.errors, None, stream.line_buffering, write_through=stream.write_through
    )


def _set_up(stream: io.TextIOWrapper, chosen: bool) -> None:
    changes: dict[str, Any] = {}
    if not chosen and not stream.isatty() and not _is_unicode(stream.encoding):
        changes["encoding"] = "utf-8"
    if stream.writable() and stream.errors == "strict":
        changes["errors"] = "backslashreplace"
    if changes:
        stream.reconfigure(**changes)


def _is_unicode(encoding: str) -> bool:
    return encoding.lower().replace("_", "-").startswith("utf")


def write_own(stream: Any, text: str) -> int:
    """Write what the program itself draws, with what controls the terminal; the texts in it are shown already."""
    return io.TextIOWrapper.write(stream, text) if isinstance(stream, _Shown) else int(stream.write(text))


def say(*lines: str) -> None:
    """Print lines for a person. An end of a line in the text of one makes no other line of it."""
    for line in lines:
        print(shown_line(line))


def write_exactly(text: str) -> None:
    """Write text whose line ends are its own, such as CSV, to the standard output."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(newline="")
    sys.stdout.write(text)


def warn(text: str) -> None:
    """Write a line for a person, beside the output, while a program goes on."""
    print(f"warning: {text}", file=sys.stderr, flush=True)
