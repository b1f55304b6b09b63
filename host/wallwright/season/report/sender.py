"""The hall's side: it asks a season's server, and believes no answer but the season's own.

A connection that is lost is made anew and the file goes on with the first part that has not come. What the server
refuses, signed, is refused; whatever else comes back, such as a proxy's page, counts as no answer.
"""

import hashlib
import http.client
import secrets
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ...budgets import Budget
from ...errors import BadInput, EventRefused
from ...journal import printed_key, read_key
from ...journal.season_address import SeasonAddress, parts_of
from ...system.answers import ended_after, read_answer, trusting
from ...system.strict_json import BadJson, read_json
from ..errors import SeasonAway
from ..extract_file import LONGEST
from ..seen import Reported
from .receiving import PARTIAL, UNKNOWN
from .signing import ANSWER, NONCE_SIZE, PREFIX, is_answer, sign_request

PART = 64 << 10
"""Bytes that are sent at once: at 4 kB a second still within what a server waits for a request."""
ANSWER_S = 60.0
IDLE_S = 2.0
"""A connection that was silent for so long is made anew; a server ends one that is silent for longer."""
TRIES = 5
"""So often a part is tried, each time after twice as long, before the program gives up."""
FIRST_WAIT_S = 1.0
_ANSWER = Budget(1 << 20, 50_000)
_LATER = (429, 500, 502, 503, 504, 507)
"""The same may be asked again after a while."""
_OLD_CHALLENGE = 401


class SeasonServer:
    """The season's server at an address, whose answers the season's key signs; a hall's `key` asks.

    One thread asks at a time. BadInput for a certificate that cannot be read.
    """

    def __init__(
        self,
        address: SeasonAddress,
        key: Ed25519PrivateKey,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        parts = parts_of(address.url)
        host, port = str(parts.hostname), parts.port
        self.url = address.url
        self._root = parts.path
        self._season = address.key
        self._key = key
        self._pause = pause
        self._challenge = b""
        self._heard_s = 0.0
        self._connection = (
            http.client.HTTPConnection(host, port, timeout=ANSWER_S)
            if parts.scheme == "http"
            else http.client.HTTPSConnection(host, port, timeout=ANSWER_S, context=_context(address.certificate))
        )

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def tell_journal(self, journal: str) -> dict[str, Any]:
        """Return what the season has seen of a journal. Raises EventRefused, SeasonAway."""
        return self.ask("GET", f"/checkpoints/{journal}")

    def send_checkpoint(self, journal: str, reported: Reported) -> int:
        """Have a checkpoint kept; return how many entries the season has seen then. Raises EventRefused, SeasonAway."""
        told = self.ask("POST", f"/checkpoints/{journal}", msgspec.json.encode(reported))
        return _number(told, "entries")

    def send(self, data: bytes, say: Callable[[int, int], None] = lambda _have, _total: None) -> dict[str, Any]:
        """Send an extract, or what the server lacks of it; return what has become of it.

        `say` hears how many bytes are there, of how many. Raises EventRefused with the season's own sentence, and
        SeasonAway when the server does not answer in TRIES tries; what has come stays there.
        """
        total, target = len(data), f"/extracts/{hashlib.sha256(data).hexdigest()}"
        if total > LONGEST:
            raise BadInput(f"an extract has {LONGEST:,} bytes at the most, and this has {total:,}")
        tries = 0
        told: dict[str, Any] = {}
        while True:
            try:
                told = told or self.ask("GET", target)
                if told["state"] not in (PARTIAL, UNKNOWN):
                    return told
                have = _number(told, "have")
                say(have, total)
                told = self.ask("PUT", f"{target}?at={have}&total={total}", data[have : have + PART])
                tries = 0
            except SeasonAway:
                tries += 1
                if tries == TRIES:
                    raise
                told = {}
                self._pause(FIRST_WAIT_S * 2 ** (tries - 1))

    def ask(self, method: str, target: str, body: bytes = b"") -> dict[str, Any]:
        """Return what the server answers; `target` stands behind PREFIX. Raises EventRefused, SeasonAway."""
        for _ in range(2):
            if not self._challenge:
                self._challenge = self._greet()
            asked, header = sign_request(
                self._key,
                self._season,
                method,
                PREFIX + target,
                body,
                self._challenge,
                secrets.token_bytes(NONCE_SIZE),
            )
            status, answer, signature = self._send(method, PREFIX + target, body, {"Authorization": header})
            if not is_answer(self._season, asked, status, answer, signature):
                raise SeasonAway(f"{self.url}: the answer (status {status}) is not signed by the season; check the URL")
            told = _object(answer)
            if status == _OLD_CHALLENGE:
                self._challenge = b""
                continue
            if status in _LATER:
                raise SeasonAway(f"{self.url}: {told.get('problem', f'status {status}')}; it is tried again later")
            if status >= http.client.BAD_REQUEST:
                raise EventRefused(str(told.get("problem", f"the season answers with status {status}")))
            return told
        raise SeasonAway(f"{self.url}: its challenge changes too fast; check the URL")

    def _greet(self) -> bytes:
        """Return what is to be signed next. EventRefused when another season is there than the one that was named."""
        status, answer, _ = self._send("GET", PREFIX, b"", {})
        told = _object(answer) if status == http.client.OK else {}
        try:
            key, challenge = read_key(str(told["key"])), bytes.fromhex(str(told["challenge"]))
        except (KeyError, ValueError) as error:
            raise SeasonAway(f"{self.url}: no season answers there (status {status}); check the URL") from error
        if key != self._season:
            problem = f"the season at {self.url} has the key {printed_key(key)}, and not the one that was given"
            raise EventRefused(f"{problem}; ask the organiser which one is right, and send nothing before")
        return challenge

    def _send(self, method: str, target: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes, str]:
        """Return status, body and signature of an answer, whoever gives it. Raises SeasonAway."""
        if time.monotonic() - self._heard_s > IDLE_S:
            self._connection.close()
        try:
            with ended_after(2 * ANSWER_S, lambda: self._connection.sock):
                self._connection.request(method, self._root + target, body, {"User-Agent": "wallwright", **headers})
                answer = self._connection.getresponse()
                data = read_answer(answer, _ANSWER.size)
            self._heard_s = time.monotonic()
            return answer.status, data, answer.headers.get(ANSWER, "")
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise SeasonAway(f"{self.url} does not answer ({why}); check address and net") from error


def _context(certificate: Path | None) -> ssl.SSLContext:
    return ssl.create_default_context() if certificate is None else trusting(certificate)


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = read_json(data, _ANSWER)
    except BadJson:
        return {}
    return found if isinstance(found, dict) else {}


def _number(told: dict[str, Any], name: str) -> int:
    found = told.get(name)
    if type(found) is not int or found < 0:
        raise SeasonAway("the season's server is of another release; update the older of the two")
    return found
