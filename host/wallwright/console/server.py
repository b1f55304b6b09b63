"""The server: uvicorn, with an entrance of its own, where each connection gets one of so many places before anything
is read of it, TLS included. uvicorn would wait for event streams that never end by themselves.
"""

import asyncio
import gc
import logging
import socket
import ssl
import sys
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..errors import BadInput
from ..system.heartbeat import Heartbeat
from ..system.open_files import allow_files
from ..system.signals import handling
from .app import make_app
from .connection_slots import Place, Places
from .crash_log import tell_bug
from .guard import Site
from .listening import Listening, listen
from .slow_clients import PATIENCE_S, Patience

GRACE_S = 2
LETTING_IN_S = 0.002
"""The server lets connections in for this long before it serves the open ones again."""
AT_ONCE = 4
"""Connections of strangers that are set up before the open ones are served again."""
BREATH_S = 0.05
"""After so long it is tried again where the system lets no more files be open."""
SWITCH_S = 0.0005
"""After so long a thread that computes lets another one have its turn. The loop gives its turn away with every packet,
and by default would wait 5 ms for it as often.
"""
COLLECTING = (5000, 20, 50)
"""How often Python looks for what nobody uses any more, a fraction of what it would do; see `gc.set_threshold`."""
TICKS_PER_LOOK = 10
"""uvicorn ticks ten times a second."""


def brace() -> None:
    """Make this process ready for crowds, once everything is loaded and before it serves."""
    sys.setswitchinterval(SWITCH_S)
    # What is loaded stays; the collector would look through all of it in the middle of somebody's stop.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)


class Connection(H11Protocol):
    """A connection at its place."""

    def __init__(self, place: Place, **values: Any) -> None:
        super().__init__(**values)
        self._place = place

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Have the transport ended when the place is needed."""
        super().connection_made(transport)  # type: ignore[arg-type] # uvicorn says which transports there are
        self._place.end = self.transport.abort

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place up."""
        self._place.free()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next question."""
        self._place.is_answered()
        super().on_response_complete()


class Server(uvicorn.Server):
    """Answers for `site` until `should_exit` is set; `port` says where.

    Raises PortBusy when the address cannot be had, and BadInput for a certificate that cannot be used.
    """

    def __init__(self, site: Site, listening: Listening, heart: Heartbeat | None = None) -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        places = allow_files(len(site.desk.view.tables), listening.connections)
        super().__init__(
            uvicorn.Config(
                make_app(site, places),
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE_S,
                http=Connection,
                ws="none",
                proxy_headers=bool(listening.proxies),
                forwarded_allow_ips=list(listening.proxies),
                ssl_certfile=listening.certificate,
                ssl_keyfile=listening.key,
            )
        )
        self._places = Places(places, listening.proxies)
        self._come: tuple[deque[tuple[socket.socket, Place]], ...] = (deque(), deque())
        self._somebody = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._site = site
        self._heart = heart or Heartbeat()
        self._patience = Patience(time.monotonic)
        try:
            self.config.load()
        except (ssl.SSLError, OSError) as error:
            raise BadInput(f"certificate and key cannot be used: {error}") from error
        self._socket = listen(listening.host, listening.port)
        self.port: int = self._socket.getsockname()[1]

    def serve_until_told(self) -> None:
        """Answer; returns after `should_exit`, Ctrl-C or SIGTERM, when everybody has been let go."""
        self.run(sockets=[])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM end it, and not raise them again afterwards: tables and journal are closed then."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        with handling(self.handle_exit):
            yield

    async def on_tick(self, counter: int) -> bool:
        """Let those go who keep it waiting; return whether it is to end."""
        if counter % TICKS_PER_LOOK == 0:
            self._patience.look(self.server_state.connections)
            self._heart.beat()
        return await super().on_tick(counter)

    async def startup(self, sockets: list[Any] | None = None) -> None:
        """Open the entrance."""
        await super().startup(sockets)
        for work in (self._let_in, self._set_up):
            self._note(asyncio.create_task(_for_ever(work)))

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """Close the entrance, let those go who watch, then the others."""
        for task in self._tasks:
            task.cancel()
        self._socket.close()
        self._heart.end()
        for one, _ in (*self._come[0], *self._come[1]):
            one.close()
        self._site.feed.close()
        await super().shutdown(sockets)

    async def _let_in(self) -> None:
        """Give everybody who comes a place, in little time each, so that who is known need not wait for the others."""
        loop = asyncio.get_running_loop()
        look_s = loop.time() + LETTING_IN_S
        while True:
            try:
                one, address = await loop.sock_accept(self._socket)
            except OSError:
                # The system has no file for it, or it has gone already.
                self._places.make_room()
                await asyncio.sleep(BREATH_S)
                continue
            place = self._places.take(address[0], one.close)
            if place is None:
                one.close()
            else:
                self._come[place.rank].append((one, place))
                self._somebody.set()
            if loop.time() >= look_s:
                await asyncio.sleep(0)
                look_s = loop.time() + LETTING_IN_S

    async def _set_up(self) -> None:
        """Set up the connections that have been let in: all of those who are known, then some of the strangers."""
        while True:
            await self._somebody.wait()
            strangers, known = self._come
            for line, most in ((known, len(known)), (strangers, AT_ONCE)):
                for _ in range(min(most, len(line))):
                    one, place = line.popleft()
                    if one.fileno() >= 0:
                        self._note(asyncio.create_task(self._connect(one, place)))
            if not strangers:
                self._somebody.clear()
            await asyncio.sleep(0)

    async def _connect(self, one: socket.socket, place: Place) -> None:
        task = asyncio.current_task()
        assert task is not None
        place.end = task.cancel

        def make() -> Connection:
            state = {**self.lifespan.state, "place": place}
            return Connection(place, config=self.config, server_state=self.server_state, app_state=state)

        try:
            patience_s = PATIENCE_S if self.config.ssl else None
            await asyncio.get_running_loop().connect_accepted_socket(
                make, one, ssl=self.config.ssl, ssl_handshake_timeout=patience_s
            )
        except OSError:
            place.free()
        except asyncio.CancelledError:
            place.free()
            one.close()
            raise

    def _note(self, task: "asyncio.Task[None]") -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _for_ever(work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 (a console that lets nobody in any more would be worse)
            tell_bug("the entrance")
            await asyncio.sleep(BREATH_S)
