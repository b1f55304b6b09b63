"""What surrounds every answer: who is turned away before anything is looked at, the headers, the log."""

import asyncio
import ipaddress
import socket
import time
from typing import Any

import structlog
from fastapi import Request
from fastapi.responses import JSONResponse, PlainTextResponse

from .bugs import tell_bug
from .metrics import Metrics
from .pages import language_of
from .site import Site, known_person, token_of
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
"""Bytes of a request; nothing that the console takes is longer."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
"""What is counted by name; there are as many others as somebody likes to make up, and each would take memory."""
KEPT = 4
"""A part in so many of the places is kept for those who are signed in: strangers' streams cannot take all."""

log = structlog.get_logger("wallwright.console")


class Surroundings:
    """Turns strangers' host names, endless bodies and crowds away, puts the headers on, logs and counts requests."""

    def __init__(self, app: Any, metrics: Metrics, site: Site, places: int) -> None:
        self._app = app
        self._metrics = metrics
        self._site = site
        self._places = places - places // KEPT
        self._open = 0
        self._names = {"localhost", socket.gethostname().lower()}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start_s = time.perf_counter()
        status = [500]

        async def send_more(event: Any) -> None:
            if event["type"] == "http.response.start":
                status[0] = event["status"]
                headers = [*event.get("headers", ()), *SECURITY]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                event = {**event, "headers": headers}
            await send(event)

        headers = dict(scope["headers"])
        self._open += 1
        try:
            length = headers.get(b"content-length", b"0")
            if not self._is_known(headers.get(b"host", b"")):
                text = "this console is not called that; use its address, or the machine's name"
                await PlainTextResponse(text, 421)(scope, receive, send_more)
            elif not length.isdigit() or int(length) > BODY_LIMIT or b"transfer-encoding" in headers:
                translate = translator(language_of(Request(scope)))
                problem = translate("the request is too long")
                await JSONResponse({"problem": problem}, 413)(scope, receive, send_more)
            elif await self._is_crowded(scope):
                translate = translator(language_of(Request(scope)))
                problem = translate("too many are looking; this is for those who are signed in")
                await JSONResponse({"problem": problem}, 503)(scope, receive, send_more)
            else:
                await self._app(scope, receive, send_more)
        except Exception:
            tell_bug(scope["path"])
            raise
        finally:
            self._open -= 1
            self._note(scope, status[0], time.perf_counter() - start_s)

    async def _is_crowded(self, scope: Any) -> bool:
        """Say whether there is no place for another stream of somebody who is not signed in."""
        if self._open <= self._places or not scope["path"].startswith("/live/"):
            return False
        return await asyncio.to_thread(known_person, self._site, token_of(Request(scope))) is None

    def _is_known(self, host: bytes) -> bool:
        """Another name in the browser than the machine's own would be a way in for another site's scripts."""
        name = host.decode("latin-1").lower()
        bracketed, closed, _ = name.partition("]")
        name = bracketed[1:] if closed and bracketed.startswith("[") else name.partition(":")[0]
        if name in self._names or name.removesuffix(".local") in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _note(self, scope: Any, status: int, took_s: float) -> None:
        route = scope.get("route")
        path = "none" if route is None else route.path
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.requests.labels(method, path, str(status)).observe(took_s)
        client = scope["client"][0] if scope.get("client") else ""
        log.info("request", method=scope["method"], path=path, status=status, ms=round(took_s * 1000), client=client)
