"""By what a board's tables differ from this program's, as far as its hash can tell.

A board says no more of its tables than a hash of 32 bits. When they are this program's without one field, one message
or the last numbers of one list, which is how most releases differ, the hash shows which. What a board has beyond this
program has a name that is not known here, and two differences at once are too many to try.
"""

import re
from collections.abc import Iterator
from functools import cache

from wallwright_protocol.lists import LISTS
from wallwright_protocol.messages import MESSAGES, catalog_hash

Row = tuple[int, str, str, str, tuple[str, ...]]
"""(id, name, direction, format, fields) as in wallwright_protocol.messages."""


def lacking(catalog: int) -> str:
    """Return the message, field or numbers that a board with the hash `catalog` lacks; "" if that is not all."""
    return _what_is_left_out().get(catalog, "")


@cache
def _what_is_left_out() -> dict[int, str]:
    """By the hash of what remains: a hall may have many boards of one release."""
    found: dict[int, str] = {}
    for what, messages in _shorter(MESSAGES):
        found.setdefault(catalog_hash(messages), what)
    for what, lists in _shorter_lists():
        found.setdefault(catalog_hash(lists=lists), what)
    return found


def _shorter(messages: tuple[Row, ...]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """Yield what is left out, and the rest of the table."""
    for name in dict.fromkeys(row[1] for row in messages):
        yield f"the message {name}", tuple(row for row in messages if row[1] != name)
    # Rows with the same fields are one in the source, as a status and the answer to get_status are.
    for layout, fields in dict.fromkeys(row[3:] for row in messages):
        names = " and ".join(dict.fromkeys(row[1] for row in messages if row[3:] == (layout, fields)))
        items = re.findall(r"\d*[A-Za-z]", layout)
        for at, field in enumerate(fields):
            rest = ("<" + "".join(items[:at] + items[at + 1 :]), fields[:at] + fields[at + 1 :])
            yield (
                f"the field {field} of {names}",
                tuple((*row[:3], *rest) if row[3:] == (layout, fields) else row for row in messages),
            )


def _shorter_lists() -> Iterator[tuple[str, tuple[tuple[str, int, list[str]], ...]]]:
    """Yield what is left out, and the rest of the lists: new numbers go to the end of theirs."""
    for at, (heading, first, names) in enumerate(LISTS):
        for kept in range(len(names) - 1, -1, -1):
            what = f"{', '.join(names[kept:])} among the {heading}"
            yield what, (*LISTS[:at], (heading, first, names[:kept]), *LISTS[at + 1 :])
