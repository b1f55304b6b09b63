"""Lists of names that cross the wire as numbers. A name stands once, beside its constant; its place is its number.

    begin("keys")
    LIFT_KEY = number("lift")

A number, once released, keeps its meaning; new names go to the end of their list. The catalog hash covers all lists, so
host and board that work together know the same numbers. `names.py` has the names for whoever needs them by their list.
"""

from binascii import crc32

LISTS: "list[tuple[str, int, list[str]]]" = []
"""(heading in SPEC.md, number of the first name, names) of every list. A board forgets it: `messages.CATALOG_HASH`."""


def begin(heading: str, first: int = 0) -> "list[str]":
    """Begin a list, or go on with one from another number; return its names, which are still to come."""
    LISTS.append((heading, first, []))
    return LISTS[-1][2]


def number(name: str) -> int:
    """Return the number of the next name of the list that was begun last."""
    LISTS[-1][2].append(name)
    return end() - 1


def end() -> int:
    """Return the number behind the last one: of a list that begins with 0, how many names it has."""
    return LISTS[-1][1] + len(LISTS[-1][2])


def key_of(name: str) -> int:
    """Return 16 bits that stand for a name wherever a board keeps something of it beyond its own release."""
    return crc32(name.encode()) & 0xFFFF
