"""The scorer's phone: every deal is declared to the console, as often as it takes, until the console confirms it.

It does what a careful person does: after an answer that did not come it sends the same again under the same key, and
where nobody knows whether that was done, it looks at the table first.
"""

import http.client
import json
import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..rules.sichuan.declarations import deal_record
from ..rules.sichuan.declared import DeclaredDeal
from ..rules.sichuan.doubts import doubts, say_of_hands
from .check import Declared

API = "/api/v1"
SESSION = 1
TIMEOUT_S = 4.0
PAUSE_S = 0.3
NAME, PASSWORD = "chaos", secrets.token_urlsafe(16)
REASON = "said at the table"
_OK, _SIGN_IN, _CONFLICT, _BUSY = 200, 401, 409, 503


@dataclass(slots=True)
class _Result:
    """A deal that waits to be declared at a table, from 1."""

    table: int
    record: dict[str, Any]
    points: tuple[int, ...]


class Scorer:
    """Declares what `declare` is told, in a thread of its own from `start` to `close`.

    `address()` is where the console answers now. `confirmed` are the results that it has said to have, `refused` what
    it would not take, with its words; `retries` counts what was sent again.
    """

    def __init__(self, address: Callable[[], tuple[str, int]]) -> None:
        self.confirmed: list[Declared] = []
        self.refused: list[str] = []
        self.retries = 0
        self._address = address
        self._headers: dict[str, str] = {}
        self._waiting: deque[_Result] = deque()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scorer", daemon=True)

    @property
    def is_done(self) -> bool:
        """Whether everything has been declared."""
        return not self._waiting

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def declare(self, table: int, deal: DeclaredDeal) -> None:
        """Declare this deal at a table, from 1, soon."""
        settlement = deal.settle()
        record = say_of_hands(deal_record(deal), doubts(deal, settlement))
        self._waiting.append(_Result(table, dict(record), tuple(settlement.points)))

    def close(self) -> None:
        """Give up what waits, and end the thread."""
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.wait(0.05):
            while self._waiting and not self._is_over.is_set():
                if self._declare(self._waiting[0]):
                    self._waiting.popleft()

    def _declare(self, result: _Result) -> bool:
        """Declare one; say whether it is done with. False when the rehearsal is over first."""
        path = f"{API}/event/sessions/{SESSION}/tables/{result.table}/results"
        key, body, before = "", {}, -1
        while not self._is_over.is_set():
            if not key:
                version, deals = self._look(result.table)
                if before not in (-1, deals):
                    self._confirm(result)
                    return True
                key, before = secrets.token_urlsafe(12), deals
                body = {"record": result.record, "version": version, "reason": REASON}
            status, answer = self._ask("POST", path, body, key)
            if status == _OK:
                self._confirm(result)
                return True
            if status == _CONFLICT and not answer.get("unanswered") and "look at it again" not in answer["problem"]:
                self.refused.append(f"table {result.table}: {answer['problem']}")
                return True
            if status in (_CONFLICT, _BUSY):
                # The journal had failed, or somebody else was first: nobody knows before the table was looked at.
                key = ""
            self.retries += 1
        return False

    def _confirm(self, result: _Result) -> None:
        self.confirmed.append(Declared(result.table, result.points))

    def _look(self, table: int) -> tuple[int, int]:
        """Return the version of a table's sheet, and how many results it has."""
        while not self._is_over.is_set():
            status, view = self._ask("GET", f"{API}/event")
            if status == _OK and view.get("problem") is None:
                sheet = view["sessions"][SESSION - 1]["tables"][table - 1]
                return sheet["version"], sheet["deals"]
        return 0, -1

    def _ask(self, method: str, path: str, body: object = None, key: str = "") -> tuple[int, dict[str, Any]]:
        """Return status and answer; 0 when nobody has answered, after a moment."""
        headers = dict(self._headers) | {"Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            status, answer, _ = self._send(method, path, body, headers)
        except (OSError, http.client.HTTPException, ValueError):
            self._is_over.wait(PAUSE_S)
            return 0, {}
        if status == _SIGN_IN:
            self._sign_in()
            return 0, {}
        if status not in (_OK, _CONFLICT):
            self._is_over.wait(PAUSE_S)
        return status, answer

    def _sign_in(self) -> None:
        try:
            who = {"name": NAME, "password": PASSWORD}
            headers = {"Content-Type": "application/json"}
            status, answer, cookie = self._send("POST", f"{API}/session", who, headers)
        except (OSError, http.client.HTTPException, ValueError):
            status = 0
        if status == _OK:
            self._headers = {"X-CSRF-Token": answer["csrf"], "Cookie": cookie}
        else:
            self._is_over.wait(PAUSE_S)

    def _send(self, method: str, path: str, body: object, headers: dict[str, str]) -> tuple[int, dict[str, Any], str]:
        host, port = self._address()
        connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            answer = json.loads(response.read() or b"{}")
            return response.status, answer, (response.getheader("Set-Cookie") or "").partition(";")[0]
        finally:
            connection.close()
