"""The files that pages load, all from here: nothing is fetched from anywhere else."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from .tile_pictures import tile_sheet

_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class File:
    """A file's content, its media type, and a tag that changes with the content."""

    content: bytes
    media_type: str
    tag: str


def _file(content: bytes, suffix: str) -> File:
    return File(content, _MEDIA_TYPES[suffix], f'"{hashlib.sha256(content).hexdigest()[:32]}"')


STATIC = {
    path.name: _file(path.read_bytes(), path.suffix)
    for path in sorted((Path(__file__).parent / "static").iterdir())
    if path.suffix in _MEDIA_TYPES
} | {"tiles.svg": _file(tile_sheet().encode(), ".svg")}
