"""The dictionaries that this program knows: its own, and those that boards have handed out."""

from wallwright_protocol.dictionary import Dictionary

from .binding import OWN, Binding

_bound: dict[int, Binding] = {OWN.catalog: Binding(OWN)}
"""By the hash of the dictionary. A hall has few releases."""


def bound(catalog: int) -> Binding | None:
    """Return the binding of the dictionary with this hash, None while no board has handed it out."""
    return _bound.get(catalog)


def keep(dictionary: Dictionary) -> Binding:
    """Keep a dictionary as long as the program runs, and return what binds it."""
    return _bound.setdefault(dictionary.catalog, Binding(dictionary))
