"""Where a console answers; apart from the server, which takes longer to import."""

import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadInput, PortBusy
from ..system.disk import LONGEST
from ..system.trusted import problem_with

CONNECTIONS = 3200
"""More than a hall's people have, so that nobody fills the memory."""
BACKLOG = 16384
"""Connections that the system keeps until they are let in, if it has room for so many; others come a second later."""
UNSENT = 128 * 1024
"""Bytes that the system keeps for one who takes nothing, and some more; it would keep megabytes by itself."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the console answers: at `host` and `port` (0 for a free one), with TLS where there is a certificate, to so
    many `connections` at most. What `proxies` say of where a request comes from is believed, nobody else.
    """

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()
    connections: int = CONNECTIONS

    def check(self) -> None:
        """Raise PortBusy when the address cannot be had, BadInput for a certificate that cannot be used: before much is
        set up that would answer there.
        """
        if self.certificate is not None:
            try:
                for file in (self.certificate, self.key):
                    if file is not None and not (file.is_file() and file.stat().st_size <= LONGEST):
                        raise BadInput(f"{file}: this is no certificate and no key; give files in PEM")
                    if file is not None and (is_open := problem_with(file)) is not None:
                        raise BadInput(f"{file}: {is_open}")
                ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key)
            except (ssl.SSLError, OSError) as error:
                raise BadInput(f"certificate and key cannot be used: {error}") from error
        if self.port:
            listen(self.host, self.port).close()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is listened at. PortBusy when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    # Windows takes SO_REUSEADDR for leave to share a port with the program that has it.
    sharing = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    listener.setsockopt(socket.SOL_SOCKET, sharing, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
    listener.setblocking(False)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        problem = f"it cannot be listened at ({error.strerror}); give another --port or --host"
        raise PortBusy(f"{host}:{port}", problem) from error
    return listener
