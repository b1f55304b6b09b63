"""The API by which halls report, under /api/v1/season: for admitted halls alone, whose requests and answers are signed.

GET  /api/v1/season                       the season's name, its key, and what requests are to sign now; for everybody
GET  /api/v1/season/checkpoints/JOURNAL   what was seen of a journal during play
POST /api/v1/season/checkpoints/JOURNAL   a checkpoint, with its proofs
GET  /api/v1/season/extracts/SHA-256      what has become of an extract, or how many bytes have come
PUT  /api/v1/season/extracts/SHA-256?at=65536&total=700000
                                          bytes of it; with the last ones it is taken, or refused in one sentence

`season.report.signing` says how requests and answers are signed.
"""

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
from anyio import CapacityLimiter, to_thread
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from ...errors import BadCheckpoint, BadInput, EventRefused, JournalError, WallwrightError
from ...journal import printed_key, public_bytes
from ...season.errors import NotAdmitted, OldChallenge, TooMuch
from ...season.report.door import Door
from ...season.report.receiving import Reports
from ...season.report.signing import ANSWER, PREFIX, Asked, read_request, sign_answer
from ...season.seen import Reported
from ...system.forms import decoder_of
from ..crash_log import tell_bug

LOOK_S = 2.0
"""Halls that the organiser admits are let in after so long."""
PART_LIMIT = 256 << 10
"""Bytes of a request."""
THREADS = 40
"""Requests that are worked at together, beside those for pages."""
REFUSED = 400
UNSIGNED = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (OldChallenge, 401),
    (NotAdmitted, 403),
    (TooMuch, 429),
    (EventRefused, 409),
    (JournalError, 503),
    (OSError, 507),
    (WallwrightError, 422),
)
"""The first row that fits counts."""
_CHECKPOINTS = re.compile(rf"{PREFIX}/checkpoints/([0-9a-f]{{32}})")
_EXTRACTS = re.compile(rf"{PREFIX}/extracts/([0-9a-f]{{64}})(?:\?at=(\d{{1,9}})&total=(\d{{1,9}}))?")
Do = Callable[[bytes], dict[str, Any]]


class _Gone(Exception):
    """The other side has gone before its request was whole."""


class Desk:
    """Takes reports for a season, whose `key` signs the answers."""

    def __init__(self, reports: Reports, key: Ed25519PrivateKey) -> None:
        self._reports = reports
        self._key = key
        self._public = public_bytes(key)
        self._door = Door(self._public, time.monotonic)
        self._lock = threading.Lock()
        self._limiter = CapacityLimiter(THREADS)
        self._looked_s = time.monotonic()

    @property
    def printed(self) -> str:
        """The season's public key, as halls are told it."""
        return printed_key(self._public)

    async def greet(self) -> Response:
        """Say which season this is."""
        season = self._reports.state.format
        name = "" if season is None else season.name
        told = {"season": name, "key": self.printed, "challenge": self._door.challenge().hex()}
        return Response(_json(told), 200, UNSIGNED, "application/json")

    async def answer(self, request: Request) -> Response:
        """Do what a hall asks for, and sign the answer."""
        query = request.url.query
        target = request.url.path + (f"?{query}" if query else "")
        found = read_request(request.method, target, request.headers.get("authorization", ""))
        if found is None:
            problem = "halls report here with `wallwright season report`, which signs its requests"
            return Response(_json({"problem": problem}), 403, UNSIGNED, "application/json")
        asked, signature = found
        try:
            status, told = 200, await self._do(request, asked, signature)
        except _Gone:
            return Response(status_code=400)
        except (WallwrightError, OSError) as error:
            status = next(status for kind, status in STATUS if isinstance(error, kind))
            told = {"problem": _said(error)}
        except Exception:  # noqa: BLE001 (the hall tries again, and the pages go on)
            tell_bug(request.url.path)
            status, told = 500, {"problem": "a bug of the season's server, which has logged it"}
        body = _json(told)
        # What was not read of a request is none of the next one.
        close = {"connection": "close"} if status >= REFUSED else {}
        headers = UNSIGNED | close | {ANSWER: sign_answer(self._key, asked, status, body)}
        return Response(body, status, headers, "application/json")

    async def _do(self, request: Request, asked: Asked, signature: bytes) -> dict[str, Any]:
        await run_in_threadpool(self._look)
        printed = self._door.check(asked, signature, self._reports.state.halls)
        do = self._find(asked, printed)
        with self._door.inside(asked.key):
            body = await _read(request)
            if hashlib.sha256(body).digest() != asked.body_hash:
                raise NotAdmitted("the body of this request is not the one that was signed; nothing is done")
            # Threads of their own: a day that is looked at keeps no page waiting.
            return await to_thread.run_sync(do, body, limiter=self._limiter)

    def _find(self, asked: Asked, printed: str) -> Do:
        """Return what does what is asked for. BadInput when nothing does."""
        reports = self._reports
        if found := _CHECKPOINTS.fullmatch(asked.target):
            journal = found[1]
            if asked.method == "GET":
                return lambda _: reports.tell_journal(journal, asked.key)
            if asked.method == "POST":
                return lambda body: reports.take_checkpoint(journal, asked.key, _reported(body))
        if found := _EXTRACTS.fullmatch(asked.target):
            hash_, at, total = found.groups()
            if asked.method == "GET" and at is None:
                return lambda _: reports.tell_extract(hash_, printed)
            if asked.method == "PUT" and at is not None:
                return lambda body: reports.take_part(hash_, printed, int(total), int(at), body)
        raise BadInput("a season's server does not do this; update the older of the two programs")

    def _look(self) -> None:
        with self._lock:
            if time.monotonic() - self._looked_s > LOOK_S:
                self._looked_s = time.monotonic()
                self._reports.look()


def report_routes(desk: Desk) -> APIRouter:
    """Return the endpoints."""
    routes = APIRouter()
    routes.add_api_route(PREFIX, desk.greet, methods=["GET"])
    for what in ("checkpoints", "extracts"):
        routes.add_api_route(f"{PREFIX}/{what}/{{name}}", desk.answer, methods=["GET", "POST", "PUT"])
    return routes


async def _read(request: Request) -> bytes:
    body, has_more = b"", True
    while has_more:
        told = await request.receive()
        if told["type"] != "http.request":
            raise _Gone
        body += told.get("body", b"")
        has_more = told.get("more_body", False)
        if len(body) > PART_LIMIT:
            raise TooMuch(f"a request has {PART_LIMIT:,} bytes at the most")
    return body


def _reported(body: bytes) -> Reported:
    try:
        return decoder_of(Reported).decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise BadCheckpoint(f"this is no report of a checkpoint ({error}); update the older program") from error


def _said(error: Exception) -> str:
    if isinstance(error, OSError) and not isinstance(error, WallwrightError):
        return f"the season's server cannot keep it ({error.strerror}); tell the organiser"
    return str(error)


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
