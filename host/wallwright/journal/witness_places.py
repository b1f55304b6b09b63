"""Where checkpoints are kept away from the machine that signs them: files, and servers that take a POST.

Each place has a thread of its own, so that one that is away keeps nobody waiting. Of the checkpoints that could not be
delivered only the newest is tried again: it says everything that the others say.

A file has a line for each checkpoint: the printed form, a space, and the time (UTC) at which it was signed. A server
is sent the same line, as text/plain, and has kept it when it answers with a status from 200 to 299.
"""

import os
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from ..errors import BadCheckpoint, BadInput, WallwrightError
from ..system.answers import ANSWER_S, asked
from ..system.disk import open_foreign
from ..system.private import open_private
from ..text_files import BadText, lines_of
from ..words import words
from .checkpoint import MARK, Checkpoint

RETRY_S = 30.0
"""A place that has failed is tried again this often."""
PATIENCE_S = 10.0
"""A server has this long for each step of an answer."""
_LONGEST_LINE = 10_000
"""Bytes; a checkpoint and its time have some 250."""


class Witness(Protocol):
    """A place that keeps checkpoints."""

    name: str

    def keep(self, line: str) -> None:
        """Keep a line. OSError, HTTPException or WallwrightError when it could not."""


class WitnessFile:
    """A file, on another disk or in a folder of another machine; it is made when it is not there."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path

    def keep(self, line: str) -> None:
        """See Witness.keep; the line is on the disk then."""
        with open_private(self._path, "a+b") as file:
            # A line that was cut by a power failure is not to take the next one along.
            torn = file.seek(0, os.SEEK_END) and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n"
            file.write((b"\n" if torn else b"") + f"{line}\n".encode())
            file.flush()
            os.fsync(file.fileno())


class WitnessServer:
    """A server that takes a POST at `url`. A redirection is no answer: the line must not go elsewhere."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.name = f"{parts.scheme}://{parts.netloc}{parts.path}"
        self._url = url

    def keep(self, line: str) -> None:
        """See Witness.keep."""
        headers = {"Content-Type": "text/plain; charset=utf-8", "User-Agent": "wallwright"}
        request = urllib.request.Request(self._url, f"{line}\n".encode(), headers, method="POST")
        with asked(request, PATIENCE_S, ANSWER_S, _NoRedirection):
            pass


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Return nothing, so that the answer is an error with its status."""


def find_witness(place: str, folder: Path | None = None) -> Witness:
    """Return the witness of a URL or a path, which is relative to `folder`. BadInput when it can be neither."""
    scheme = place.partition("://")[0].lower() if "://" in place else ""
    if scheme not in ("", "http", "https"):
        raise BadInput(words("witness {place}: a witness is a file's path, or a URL with http or https", place=place))
    if not scheme:
        path = Path(folder or "", place)
        if not place.strip() or path.is_dir():
            raise BadInput(words("witness {place}: this is no file; give its whole path", place=repr(place)))
        return WitnessFile(path)
    try:
        host = urlsplit(place).hostname if urlsplit(place).port != 0 else None
    except ValueError:
        host = None
    if not host or "@" in urlsplit(place).netloc or not place.isascii() or not place.isprintable() or " " in place:
        raise BadInput(words("witness {place}: this is no URL; write https://HOST/PATH", place=repr(place)))
    return WitnessServer(place)


def witness_line(printed: str, at_ms: int) -> str:
    """Return the line that is kept."""
    return f"{printed} {datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def keep_at(witness: Witness, line: str) -> str:
    """Have a line kept, and return why it could not be; nothing when it is."""
    try:
        witness.keep(line)
    except urllib.error.HTTPError as error:
        error.close()
        return f"the server answers with status {error.code}"
    except (OSError, HTTPException, ValueError, WallwrightError) as error:
        reason = getattr(error, "reason", None) or error
        return getattr(reason, "strerror", None) or str(reason) or type(error).__name__
    return ""


def read_witness(path: Path) -> tuple[Checkpoint, ...]:
    """Return the checkpoints that a file has kept. BadCheckpoint names the first line that is none; BadInput."""
    try:
        return tuple(_read(path))
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}); check the path") from error
    except BadText as error:
        raise BadCheckpoint(f"{path} is no file of a witness: {error}; check the path") from error


def _read(path: Path) -> Iterator[Checkpoint]:
    with open_foreign(path) as file:
        for number, line in enumerate(lines_of(file, _LONGEST_LINE), 1):
            if isinstance(line, BadText):
                raise BadCheckpoint(f"{path}: {line}; take the line out")
            if not line.strip():
                continue
            printed = line.split()[0]
            if not printed.upper().startswith(MARK):
                raise BadCheckpoint(f"{path}, line {number}: a witness's line begins with {MARK}; take it out")
            try:
                yield Checkpoint.parse(printed)
            except BadCheckpoint as error:
                raise BadCheckpoint(f"{path}, line {number}: {error}; take the line out if it was cut") from error


class Sender:
    """Brings the newest line to a witness, in a thread of its own; `tell` hears of a failure, and of its end."""

    def __init__(self, witness: Witness, tell: Callable[[str], None], retry_s: float = RETRY_S) -> None:
        self.name = witness.name
        self.problem = ""
        """Why the last try failed."""
        self.kept_line = ""
        """What the witness has kept last."""
        self._witness = witness
        self._tell = tell
        self._retry_s = retry_s
        self._line = ""
        self._is_over = False
        self._wake = threading.Condition()
        # It may hang in a name that is looked up; nobody waits for that at the end.
        self._thread = threading.Thread(target=self._run, name=f"witness {witness.name}", daemon=True)
        self._thread.start()

    def send(self, line: str) -> None:
        """Have a line kept, as soon as the witness takes one."""
        with self._wake:
            self._line = line
            self._wake.notify()

    def close(self) -> None:
        """Try what waits once more, and wait for that a moment."""
        with self._wake:
            self._is_over = True
            self._wake.notify()
        self._thread.join(1.0)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._is_over or self._line != self.kept_line)
                line, is_last = self._line, self._is_over
            if line != self.kept_line:
                self._try(line)
            if is_last:
                return
            if self.problem:
                with self._wake:
                    self._wake.wait_for(lambda: self._is_over, self._retry_s)

    def _try(self, line: str) -> None:
        before, self.problem = self.problem, keep_at(self._witness, line)
        if not self.problem:
            self.kept_line = line
        if self.problem and not before:
            self._tell(f"witness {self.name} has not kept a checkpoint: {self.problem}; it is tried again")
        elif before and not self.problem:
            self._tell(f"witness {self.name} keeps checkpoints again")
