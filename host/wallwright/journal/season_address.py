"""Where a hall reports to: a season's server and the key that its organiser has told. Nothing is sent from here."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import SplitResult, urlsplit

from ..errors import BadInput
from .checkpoint import read_key


@dataclass(frozen=True, slots=True)
class SeasonAddress:
    """A season's server at `url`, known by its public `key`; `certificate` is trusted beside those of the system."""

    url: str
    key: bytes
    certificate: Path | None = None

    @classmethod
    def told(cls, url: str, key: str, certificate: Path | None = None) -> Self:
        """Take what somebody has typed. BadInput for what is no address; BadCheckpoint for a key that is not whole."""
        parts = parts_of(url)
        return cls(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", read_key(key), certificate)


def parts_of(url: str) -> SplitResult:
    """Return the parts of a server's address. BadInput for what is none."""
    parts = urlsplit(url)
    try:
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or "@" in parts.netloc or not url.isascii() or not url.isprintable() or " " in url:
        raise BadInput(f"{url!r} is no address of a season's server; write https://HOST")
    return parts
