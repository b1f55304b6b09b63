"""The dictionaries that this program has: its own, those of released firmware, and those that boards have handed out.

Files in `releases/` are the texts as SPEC.md, section 9, has them, one a release.
"""

from pathlib import Path

from wallwright_protocol.dictionary import Dictionary, read_text

from .binding import OWN, Binding

RELEASES = Path(__file__).with_name("releases")

_bound: dict[int, Binding] = {OWN.catalog: Binding(OWN)}
"""By the hash of the dictionary. A hall has few releases."""


def bound(catalog: int) -> Binding | None:
    """Return how the numbers of a dictionary with this hash become this program's, None when nobody has shown it."""
    if catalog not in _bound:
        path = RELEASES / f"{catalog:08x}.txt"
        if path.is_file():
            keep(read_text(path.read_bytes()))
    return _bound.get(catalog)


def keep(dictionary: Dictionary) -> Binding:
    """Keep a dictionary as long as the program runs, and return what binds it."""
    return _bound.setdefault(dictionary.catalog, Binding(dictionary))
