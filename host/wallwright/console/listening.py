"""Where a console answers; apart from the server, which takes longer to import."""

from dataclasses import dataclass
from pathlib import Path

CONNECTIONS = 3200
"""More than a hall's people have, so that nobody fills the memory."""


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
