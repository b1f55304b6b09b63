"""The dictionaries that this program knows: its own, those of releases before it, and those that boards hand out."""

import binascii
from functools import cache
from pathlib import Path

from wallwright_protocol.dictionary import Dictionary, read_text

from .binding import OWN, Binding

_bound: dict[int, Binding] = {OWN.catalog: Binding(OWN)}
"""By the hash of the dictionary. A hall has few releases."""


def bound(catalog: int) -> Binding | None:
    """Return the binding of the dictionary with this hash, None while no board has handed it out."""
    found = _bound.get(catalog)
    if found is None and catalog in _released():
        return keep(read_text(_released()[catalog]))
    return found


def keep(dictionary: Dictionary) -> Binding:
    """Keep a dictionary as long as the program runs, and return what binds it."""
    return _bound.setdefault(dictionary.catalog, Binding(dictionary))


@cache
def _released() -> dict[int, bytes]:
    """Return the dictionaries that come with this program, by their hashes: no board of those releases is asked."""
    texts = [path.read_bytes() for path in Path(__file__).with_name("released").glob("*.txt")]
    return {binascii.crc32(text): text for text in texts}
