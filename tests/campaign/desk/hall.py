"""The two ways to the desk of one event: the command line, in this process, and the console's API with its roles.

Both work on one journal by one clock, which tests set. An error that is none of the program's own refusals passes
through: it ends whatever test asked.
"""

import io
import logging
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import structlog
from starlette.testclient import TestClient

from tests.campaign.desk.parts import Broken, Line
from tests.host.console.hall import START_MS, Clock, Place, opened
from wallwright import cli
from wallwright.console.people.access import PUBLIC, RULES
from wallwright.console.people.accounts import ROLES
from wallwright.console.tournament.book import Book
from wallwright.console.tournament.view import SheetView
from wallwright.journal import read_journal

EVENT_API = "/api/v1/event"
REFUSED = (2, 3, 4, 5, 6)
"""Exit codes of a command that was refused; 1 is what `check` and `verify` say of findings."""
EVERYBODY = (*ROLES, PUBLIC)
MINUTE_MS = 60_000
UNITS = ("A1", "A2", "A3", "A4", "A5")


@dataclass(frozen=True)
class Answer:
    """What somebody was told: whether it was done, the text, and the values of JSON in it."""

    done: bool
    text: str
    values: Any = None
    code: int = 0


class _Time:
    """The module `time` for the host's clocks, which say the time of a test's clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def time_ns(self) -> int:
        return self._clock.now_ms * 1_000_000

    def clock_gettime_ns(self, _: int) -> int:
        """The machine's own clocks run with that of the wall, as long as nobody sets it."""
        return self.time_ns()

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


class _Seeds:
    """The module `secrets` for draws: seeds that are the same in every run, so that a walk can be repeated."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin with the first seed again."""
        self._drawn = count(1)

    def token_bytes(self, size: int) -> bytes:
        return next(self._drawn).to_bytes(size, "big")


class Hall:
    """A hall whose event is in `journal`, in the folder of `place`."""

    def __init__(self, place: Place, folder: Path, seeds: _Seeds) -> None:
        self.place = place
        self._seeds = seeds
        self.folder = folder
        self.journal = folder / "event.journal"
        self.done: list[str] = []
        """Everything that was asked for, as a person would have typed it."""
        self._clients: dict[str, TestClient] = {}
        self._keys = count(1)

    def begin(self, walk: int) -> None:
        """Let another event begin, in a journal of its own."""
        self.journal = self.folder / f"event-{walk}.journal"
        self.done = []
        self.place.clock.now_ms = START_MS
        self._seeds.begin()

    def open_console(self) -> None:
        """Let the console serve the event, as after a restart: it knows what the journal says."""
        book = Book(str(self.journal), self.place.clock)
        self.place.site.book = self.place.desk._progress = book

    def run(self, *words: str) -> Answer:
        """Run `wallwright` with these words, in this process."""
        out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        code: Any = 0
        with patch.object(sys, "argv", ["wallwright", *words]), redirect_stdout(out), redirect_stderr(err):
            try:
                cli.main()
            except SystemExit as error:
                code = error.code or 0
        out.flush()
        err.flush()
        said = out.buffer.getvalue().decode()
        told = err.buffer.getvalue().decode()
        if code not in (0, 1, *REFUSED) or "Traceback" in told:
            raise Broken(f"{' '.join(words)} ended with {code}: {told}")
        if code in REFUSED and not told.strip():
            raise Broken(f"{' '.join(words)} was refused without a word")
        return Answer(code in (0, 1), said + told, code=code)

    def command(self, *words: str) -> Answer:
        """Run `wallwright event`, and note it. A command that changes something either does so or is refused."""
        self.done.append("wallwright event " + " ".join(repr(one) if " " in one or not one else one for one in words))
        answer = self.run("event", *words)
        self.done[-1] += f"   -> {answer.code}" + (f" {answer.text.strip().splitlines()[-1]}" if answer.text else "")
        return answer

    def ask(self, role: str, method: str, path: str, body: Mapping[str, Any] | None = None, key: str = "") -> Answer:
        """Ask the console's API as somebody with that role, and note it."""
        key = key or f"walk-key-{next(self._keys):06}"
        self.done.append(f"{role}: {method} {path} {str(dict(body or {}))[:200]}")
        answer = self._sent(role, method, path, body, key)
        if answer.status_code >= 500:
            raise Broken(f"{method} {path} was answered by {answer.status_code}: {answer.text}")
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        values = answer.json() if is_json else None
        if answer.status_code >= 400 and is_json and not answer.json().get("problem"):
            raise Broken(f"{method} {path} was refused without a word: {answer.text}")
        self.done[-1] += f"   -> {answer.status_code} {'' if answer.status_code < 400 else answer.text[:300]}"
        return Answer(answer.status_code < 400, answer.text, values, answer.status_code)

    def get(self, path: str, role: str = "director") -> Any:
        """Return what the API says. Broken when it says nothing."""
        answer = self._sent(role, "GET", f"{EVENT_API}{path}")
        if answer.status_code != 200:
            raise Broken(f"GET {path} was answered by {answer.status_code}: {answer.text}")
        return answer.json()

    def page(self, path: str, role: str = "director") -> tuple[int, str]:
        """Return the status and the text of a page."""
        answer = self._sent(role, "GET", path)
        if answer.status_code >= 500:
            raise Broken(f"{path} was answered by {answer.status_code}")
        return answer.status_code, answer.text

    def export(self) -> str:
        """Return the journal as JSON lines."""
        return self.run("log", "export", str(self.journal)).text

    def entries(self, after: int) -> list[Line]:
        """Return what `export` has of the entries after one, read alone, for a whole export takes its time."""
        found: list[Line] = []
        for entry in read_journal(self.journal, after):
            line = {
                "entry": entry.id,
                "at_ms": entry.at_ms,
                "table": entry.unit,
                "kind": entry.kind,
                "body": entry.body,
            }
            found.append({key: value for key, value in line.items() if value is not None})
        return found

    def follow(self) -> None:
        """Let the console read what was written beside it, as its thread does every second."""
        self.place.site.event.follow()

    def pin(self, player: int) -> str:
        """Return the PIN of a player, as the slip that a director prints has it."""
        from wallwright.console.people.pins import pins_of

        begun = self.place.site.event.ask(lambda desk: desk.state.begun_ms)
        return pins_of(self.place.accounts, str(begun), [player])[player]

    def sheets(self, session: int) -> tuple[SheetView, ...]:
        """Return the tables of a session as the console has them before somebody who looks."""
        found = self.place.site.event.view.session(session)
        return () if found is None else found.tables

    def _sent(self, role: str, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """Send a request; who was signed out by the time that has gone by signs in again."""
        headers = {"Idempotency-Key": key} if key else {}
        for again in (False, True):
            if again or role not in self._clients:
                self._clients[role] = self.place.signed_in(role)
            answer = self._clients[role].request(method, path, json=body, headers=headers)
            if answer.status_code != 401 and not (answer.status_code == 303 and role != PUBLIC):
                break
        return answer


def may_use(method: str, path: str) -> tuple[str, ...]:
    """Return the roles that may use an endpoint, those that may do most first."""
    return tuple(role for role in ("director", *EVERYBODY) if role in RULES[method, path])


@contextmanager
def hall(folder: Path) -> Iterator[Hall]:
    """A hall, its clocks and its draws in the hand of a test."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with opened(folder, *UNITS) as place:
        keys = patch.dict(os.environ, {"XDG_DATA_HOME": str(folder / "data"), "WALLWRIGHT_BY": "dan"})
        clocks = patch("wallwright.clocks.time", _Time(place.clock))
        seeds = _Seeds()
        with keys, clocks, patch("wallwright.event.seeds.secrets", seeds):
            yield Hall(place, folder, seeds)
