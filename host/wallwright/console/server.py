"""The server: uvicorn, which would wait for event streams that never end by themselves."""

import logging
import signal
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from ..errors import BadInput, PortBusy
from ..open_files import allow_files
from .app import make_app
from .patience import Patience
from .site import Site

GRACE_S = 2
CONNECTIONS = 2000
"""More than a hall's people have; who comes beyond that is told to come again, so that nobody fills the memory."""
UNSENT = 128 * 1024
"""Bytes that the system keeps for one who takes nothing, and some more; it would keep megabytes by itself."""
TICKS_PER_LOOK = 10
"""uvicorn ticks ten times a second."""


class Server(uvicorn.Server):
    """Answers for `site` at `host` and `port` (0 for a free one, then `port` says which) until `should_exit` is set.

    Raises PortBusy when that cannot be had, and BadInput for a certificate that cannot be used.
    """

    def __init__(
        self, site: Site, host: str, port: int, certificate: Path | None = None, key: Path | None = None
    ) -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        places = allow_files(len(site.desk.view.tables), CONNECTIONS)
        super().__init__(
            uvicorn.Config(
                make_app(site, places),
                host=host,
                port=port,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE_S,
                limit_concurrency=places,
                http="h11",
                ssl_certfile=certificate,
                ssl_keyfile=key,
            )
        )
        self._site = site
        self._patience = Patience(time.monotonic)
        try:
            self.config.load()
        except (ssl.SSLError, OSError) as error:
            raise BadInput(f"certificate and key cannot be used: {error}") from error
        self._socket = _listen(host, port)
        self.port: int = self._socket.getsockname()[1]

    def serve_until_told(self) -> None:
        """Answer; returns after `should_exit`, Ctrl-C or SIGTERM, when everybody has been let go."""
        self.run(sockets=[self._socket])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM end it, and not raise them again afterwards: tables and journal are closed then."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, self.handle_exit) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)

    async def on_tick(self, counter: int) -> bool:
        """Let those go who keep it waiting; return whether it is to end."""
        if counter % TICKS_PER_LOOK == 0:
            self._patience.look(self.server_state.connections)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """Let those go who watch, then the others."""
        self._site.feed.close()
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        problem = f"it cannot be listened at ({error.strerror}); give another --port or --host"
        raise PortBusy(f"{host}:{port}", problem) from error
    return listener
