"""The director's station beside a served hall: it asks the console what each table builds next, signs that, sends it.

Deals and key stay on this machine. The console hands a prescription on to the board and keeps nothing of it.
"""

import base64
import json
import secrets
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from wallwright_protocol.prescription import digest

from ..budgets import FILE
from ..duplicate.deals import BadDeals, Deals
from ..duplicate.drawing import commitment
from ..errors import BadEnrolment, BadInput, ConsoleFailed
from ..journal.keys import public_bytes
from ..system.answers import asked, read_answer, trusting
from ..system.json_file import fitted
from ..system.strict_json import BadJson, read_json
from .enrolment import enrolment_path, load_enrolment
from .station import NextBuild, Released, prescribe, sign

T = TypeVar("T")

ANSWER_S = 30
LOOK_S = 1.0
"""Tables are looked at this often: walls stand for minutes before the next ones are begun."""
RETRY_S = 10.0
"""A table at which something was in the way is tried again after so long: each try is an entry of the journal."""
HAS_ONE = "prescribed_already"
"""The refusal of a board that was given a deal for its next build, before the console's journal tells of it."""
JUDGED_S = 30
"""How long a board may check a signature."""


class InTheWay(BadInput):
    """A deal cannot be released to a table: `what` names why, as the console's page of the deals does."""

    def __init__(self, what: str, problem: str) -> None:
        super().__init__(problem)
        self.what = what


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table of a hall: its name there, what it builds next, which drawn deal that is to be, None for none, and the
    commitment to the deals of the event, if there is one. `has` is the deal that it was given and has not had up yet,
    by whichever station; `withdrawn` are those that spare ones have replaced.
    """

    name: str
    next: NextBuild
    deal: int | None
    commitment: str | None
    has: int | None = None
    withdrawn: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A deal that nobody plays any more was taken back from a board, with what it had built of it."""

    unit: str
    deal: int


class _Session(Struct, frozen=True):
    csrf: str


class _Table(Struct, frozen=True):
    name: str


class _Hall(Struct, frozen=True):
    tables: tuple[_Table, ...]


class _Known(Struct, frozen=True):
    """As in HallTable."""

    deal: int | None
    commitment: str | None
    has: int | None
    withdrawn: tuple[int, ...]


class _Event(Struct, frozen=True):
    kind: str
    fields: dict[str, Any]


class ConsolePlace:
    """Where a console answers: at `url`; `certificate` is trusted beside those of the system.

    BadInput when that is no address, or no certificate: before anybody types a password.
    """

    def __init__(self, url: str, certificate: Path | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise BadInput(f"{url!r} is no address of a console; write https://HOST:PORT")
        self.root = f"{parts.scheme}://{parts.netloc}/api/v1"
        self.cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self.context: ssl.SSLContext | None = None
        if certificate is not None:
            self.context = trusting(certificate, is_private=True)


class Console:
    """The console at `place`, as a director who signs in there.

    Raises ConsoleFailed with the console's own sentence, or why there is no answer.
    """

    def __init__(self, place: ConsolePlace, name: str, password: str) -> None:
        self._root, self._place = place.root, place
        self._before: list[Any] = []
        self._csrf = ""
        self._csrf = self._fitted(self._post("/session", {"name": name, "password": password}), _Session).csrf

    def names(self) -> tuple[str, ...]:
        """Return the names of the hall's tables."""
        return tuple(table.name for table in self._fitted(self._ask("/hall"), _Hall).tables)

    def table(self, name: str) -> HallTable:
        """Return what a table builds next."""
        told = self._ask(f"{_path(name)}/sorter")
        following, known = self._fitted(told, NextBuild), self._fitted(told, _Known)
        return HallTable(name, following, known.deal, known.commitment, known.has, known.withdrawn)

    def prescribe(self, name: str, whole: bytes) -> None:
        """Hand a signed prescription to a table."""
        self._before = self._ask(f"{_path(name)}/events")
        self._post(f"{_path(name)}/prescription", {"data": base64.b64encode(whole).decode()})

    def tell(self, name: str, what: str | None) -> None:
        """Let the console show what is in the way at a table, None when nothing is any more."""
        self._post(f"{_path(name)}/in-the-way", {"what": what})

    def withdraw(self, name: str) -> None:
        """Take back what a table was given."""
        self._post(f"{_path(name)}/withdrawal", {})

    def judgement(self, name: str, prescription_hash: str) -> str:
        """Wait for what the board makes of the prescription handed to it last: "ok", or the name of a refusal.

        The same one may have been judged before, and taken back since.
        """
        until = time.monotonic() + JUDGED_S
        while time.monotonic() < until:
            told = self._ask(f"{_path(name)}/events")
            for one, event in zip(told, self._fitted(told, tuple[_Event, ...]), strict=True):
                is_judged = event.kind == "prescription_judged" and one not in self._before
                if is_judged and event.fields.get("prescription_hash") == prescription_hash:
                    return str(event.fields.get("refusal"))
            time.sleep(LOOK_S / 4)
        raise ConsoleFailed(f"{name} has not said in {JUDGED_S} s whether it builds the deal; look at the table")

    def _fitted(self, answer: Any, form: type[T]) -> T:
        try:
            return fitted(answer, form)
        except BadJson as error:
            raise self._no_console(error) from error

    def _no_console(self, error: BadJson) -> ConsoleFailed:
        return ConsoleFailed(f"what answers at {self._root} is no console of this release ({error}); check the address")

    def _ask(self, path: str) -> Any:
        return self._send(urllib.request.Request(self._root + path))

    def _post(self, path: str, body: dict[str, str | None]) -> Any:
        headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)}
        if self._csrf:
            headers["X-CSRF-Token"] = self._csrf
        return self._send(urllib.request.Request(self._root + path, json.dumps(body).encode(), headers))

    def _send(self, request: urllib.request.Request) -> Any:
        try:
            cookies, context = self._place.cookies, self._place.context
            with asked(request, ANSWER_S, 2 * ANSWER_S, cookies, context=context) as answer:
                return None if answer.status == HTTPStatus.NO_CONTENT else read_json(read_answer(answer, FILE.size))
        except urllib.error.HTTPError as error:
            with error:
                try:
                    problem = str(read_json(read_answer(error, FILE.size))["problem"])
                except (OSError, ValueError, KeyError, TypeError):
                    problem = f"the console answers with status {error.code}"
            raise ConsoleFailed(problem) from error
        except BadJson as error:
            raise self._no_console(error) from error
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise ConsoleFailed(
                f"the console does not answer at {self._root} ({reason}); check address and net"
            ) from error


class Station:
    """Releases drawn deals to the tables of a hall, each table what its next walls are for, and each build once.

    A deal that was replaced is taken back from every table that has been given it and has not had it up, before the
    spare one is released there. Which table has which deal the console says, so a station that is started again goes
    on where it was; it remembers only what this console may not have heard from a board yet, and what a board refused.
    """

    def __init__(self, console: Console, deals: Deals, key: Ed25519PrivateKey, mode: int) -> None:
        self._console = console
        self._deals = deals
        self._commitment = commitment(deals)
        self._key = key
        self._mode = mode
        self._done: set[tuple[str, int, int]] = set()
        self._problems: dict[str, str] = {}
        self._later: dict[str, float] = {}
        self.is_over = False

    def look(self, names: Sequence[str]) -> Iterator[tuple[str, Released | Withdrawn | str]]:
        """Look at these tables once, and release to each what it takes now; `is_over` when no deal is to come at any.

        Yields what was released, with `refusal` "ok" or why the board does not build it, or in a sentence why nothing
        could be: once, however often it is so. Yields first what was taken back. The other tables go on.
        """
        to_come = False
        for name in names:
            if time.monotonic() < self._later.get(name, 0.0):
                to_come = True
                continue
            try:
                table = self._console.table(name)
                to_come = to_come or table.deal is not None
                if table.has is not None and table.has in table.withdrawn:
                    yield name, self._withdraw(table, table.has)
                    continue
                if table.deal is None or table.has is not None or not table.next.takes or _build(table) in self._done:
                    continue
                released = self._release(table, table.deal)
            except (ConsoleFailed, BadInput) as error:
                to_come = True
                self._later[name] = time.monotonic() + RETRY_S
                if self._problems.get(name) != str(error):
                    self._problems[name] = str(error)
                    self._tell(name, error.what if isinstance(error, InTheWay) else "other")
                    yield name, str(error)
                continue
            self._problems.pop(name, None)
            self._done.add(_build(table))
            yield name, released
        self.is_over = not to_come

    def _withdraw(self, table: HallTable, deal: int) -> Withdrawn:
        self._console.withdraw(table.name)
        self._done.discard(_build(table))
        return Withdrawn(table.next.unit, deal)

    def _release(self, table: HallTable, deal: int) -> Released:
        unit, board = table.next.unit, table.next
        if table.commitment not in (None, self._commitment):
            problem = "these deals are not those that the event has committed to; take the file of those"
            raise InTheWay("no_such_deal", problem)
        if not board.sorter:
            raise InTheWay(
                "no_sorter", f"{table.name} has no wall sorter; choose the tables that have one with --table"
            )
        if board.director != public_bytes(self._key).hex():
            problem = f"{table.name} trusts another director; run `wallwright deals trust` at its port"
            raise InTheWay("other_director", problem)
        enrolment = load_enrolment(enrolment_path(unit))
        if enrolment is None or board.enrolment != enrolment.digest().hex():
            problem = f"the tags of {unit} are not enrolled here; copy the list of tags of {table.name}"
            raise InTheWay("no_tags", problem)
        try:
            data = prescribe(self._deals, deal, self._mode, unit, board.build, board.tile_set, enrolment)
        except BadEnrolment as error:
            raise InTheWay("no_tags", str(error)) from error
        except BadDeals as error:
            raise InTheWay("no_such_deal", str(error)) from error
        shown = digest(data).hex()
        try:
            self._console.prescribe(table.name, sign(data, self._key))
        except ConsoleFailed as error:
            if HAS_ONE in str(error):
                self._done.add(_build(table))
            raise
        return Released(unit, deal, board.build, shown, self._console.judgement(table.name, shown))

    def _tell(self, name: str, what: str) -> None:
        """Have the console show it; where that does not answer, its terminal says so itself."""
        with suppress(ConsoleFailed):
            self._console.tell(name, what)


def _build(table: HallTable) -> tuple[str, int, int]:
    return table.name, table.next.boot_id, table.next.build


def _path(table: str) -> str:
    return f"/tables/{quote(table.replace('~', '~0').replace('/', '~1'), safe='')}"
