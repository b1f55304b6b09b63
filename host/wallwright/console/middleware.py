"""What surrounds every answer: who is turned away before anything is looked at, the headers, the log."""

import ipaddress
import socket
import time
from typing import Any

import structlog
from fastapi import Request
from fastapi.responses import JSONResponse

from ..words import Words, words
from .addresses import home_of, host_of
from .connection_slots import KEPT
from .crash_log import tell_bug
from .guard import Site, device_of, language_of, token_of
from .lanes import Lane, Lanes
from .metrics import Metrics
from .problems import Crowded, answer_of, status_of
from .texts import translator

SECURITY = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""With every answer."""
BODY_LIMIT = 64 * 1024
"""Bytes of a request; nothing that the console takes is longer, but for lists of players and deals."""
LIST_LIMIT = 1024 * 1024
LISTS = ("/api/v1/event/players", "/api/v1/event/players/preview", "/api/v1/event/deals/reveal")
"""A spreadsheet of a thousand players has columns of all kinds, and a day's deals have some 600 bytes each."""
STRANGERS_LIMIT = 16 * 1024
"""Bytes of a request of somebody who is not signed in."""
DOORS = ("/api/v1/session", "/api/v1/first", "/api/v1/welcome", "/api/v1/account/password")
"""Where passwords are hashed."""
STOPS = ("/commands/stop", "/hall/stop")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
"""What is counted by name; there are as many others as somebody likes to make up, and each would take memory."""
log = structlog.get_logger("wallwright.console")


class _Refused(Exception):
    """A request is answered before anything looks at what it asks."""

    def __init__(self, status: int, text: Words, **headers: str) -> None:
        super().__init__(str(text))
        self.text = text
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Surroundings:
    """Turns strangers' host names, endless bodies and crowds away, puts the headers on, logs and counts requests."""

    def __init__(self, app: Any, metrics: Metrics, site: Site, places: int) -> None:
        self._app = app
        self._metrics = metrics
        self._site = site
        self._lanes = Lanes()
        strangers = places - places // KEPT
        self._streams = strangers - strangers // KEPT
        self._watching = 0
        self._names = {"localhost", socket.gethostname().lower(), *site.names}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start_s = time.perf_counter()
        status = [500]
        entered: list[Lane] = []

        async def send_more(event: Any) -> None:
            if event["type"] == "http.response.start":
                # What remains is up to who takes the answer, however slowly; nobody else waits for that.
                _leave(entered)
                status[0] = event["status"]
                headers = [*event.get("headers", ()), *SECURITY]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                event = {**event, "headers": headers}
            await send(event)

        watching = 0
        try:
            works = self._works_here(scope)
            length = self._check(scope, works=works)
            told = await _whole(receive, length)
            if told is None:
                return
            place = scope.get("state", {}).get("place")
            if place is not None:
                place.asks(works=works)
            watching = int(_watches(scope, works=works))
            self._watching += watching
            lane, goes_first = self._lane(scope, works=works)
            await lane.enter(home_of(_client(scope)), goes_first=goes_first)
            entered.append(lane)
            await self._app(scope, told, send_more)
        except _Refused as refusal:
            translate = translator(language_of(Request(scope)))
            answer = JSONResponse({"problem": refusal.text.said(translate)}, refusal.status, refusal.headers)
            await answer(scope, receive, send_more)
        except Crowded as crowded:
            translate = translator(language_of(Request(scope)))
            headers = {"Retry-After": str(crowded.wait_s), "Connection": "close"}
            await JSONResponse(answer_of(crowded, translate), status_of(crowded), headers)(scope, receive, send_more)
        except Exception:
            tell_bug(scope["path"])
            raise
        finally:
            _leave(entered)
            self._watching -= watching
            self._note(scope, status[0], time.perf_counter() - start_s)

    def _works_here(self, scope: Any) -> bool:
        """Say whether this seems to come from somebody who is signed in, without a look into any file."""
        return self._site.guest is not None or self._site.accounts.remembers(token_of(Request(scope)))

    def _check(self, scope: Any, *, works: bool) -> int:
        """Return how long the request's body is. Raises _Refused."""
        headers = dict(scope["headers"])
        if b"transfer-encoding" in headers:
            # Two who read it differently would see two requests in it; so nothing that follows is read.
            raise _Refused(400, words("say how long the request is, with Content-Length alone"), Connection="close")
        host = host_of(scope["headers"])
        if host is None:
            raise _Refused(400, words("this is no host name"), Connection="close")
        if not self._is_known(host):
            raise _Refused(421, words("this console is not called that; use its address, or the machine's name"))
        length = headers.get(b"content-length", b"0")
        limit = (LIST_LIMIT if scope["path"] in LISTS else BODY_LIMIT) if works else STRANGERS_LIMIT
        if not length.isdigit() or int(length) > limit:
            raise _Refused(413, words("the request is too long"), Connection="close")
        if self._watching >= self._streams and _watches(scope, works=works):
            raise _Refused(
                503,
                words("too many are looking; this is for those who are signed in"),
                Retry_After="30",
                Connection="close",
            )
        return int(length)

    def _lane(self, scope: Any, *, works: bool) -> tuple[Lane, bool]:
        """Return the lane of a request, and whether it goes before others there."""
        if scope["method"] == "POST" and scope["path"] in DOORS:
            return self._lanes.doors, works or self._site.accounts.remembers(device_of(Request(scope)))
        if not works:
            return self._lanes.strangers, False
        stops = scope["method"] == "POST" and scope["path"].endswith(STOPS)
        return (self._lanes.stops if stops else self._lanes.work), False

    def _is_known(self, host: str) -> bool:
        """Another name in the browser than the machine's own would be a way in for another site's scripts."""
        if host in self._names or host.removesuffix(".local") in self._names:
            return True
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True

    def _note(self, scope: Any, status: int, took_s: float) -> None:
        route = scope.get("route")
        path = "none" if route is None else route.path
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.answered(method, path, status, took_s)
        took_ms = round(took_s * 1000)
        log.info("request", method=scope["method"], path=path, status=status, ms=took_ms, client=_client(scope))


def _leave(entered: list[Lane]) -> None:
    while entered:
        entered.pop().leave()


def _watches(scope: Any, *, works: bool) -> bool:
    """Say whether this is a stream of somebody who is not signed in."""
    return not works and scope["path"].startswith("/live/")


def _client(scope: Any) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


async def _whole(receive: Any, length: int) -> Any:
    """Read a request's body, and return what gives it once more, or None when the other side has gone. A slow
    sender holds no lane meanwhile.
    """
    if not length:
        return receive
    first = [await receive()]
    while first[-1].get("more_body"):
        first.append(await receive())
    if first[-1]["type"] != "http.request":
        return None

    async def again() -> Any:
        return first.pop(0) if first else await receive()

    return again
