"""One of a thing, in English: every text is written for several, and here is what it says of one.

Languages without a plural, as Chinese, need nothing of this.
"""

from collections.abc import Mapping
from typing import Final

_ONE: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "count": (
        ("{count} times", "{count} time"),
        ("{count} minutes", "{count} minute"),
        ("{count} sit out", "{count} sits out"),
        ("{count} stand-ins, who are", "{count} stand-in, who is"),
        ("{count} tables stop", "{count} table stops"),
        ("there are {count} players", "there is {count} player"),
        ("{count} players are ranked", "{count} player is ranked"),
        ("{count} players do not", "{count} player does not"),
        ("{count} players have", "{count} player has"),
        ("{count} players sit", "{count} player sits"),
        ("{count} players", "{count} player"),
        ("{count} people who are", "{count} person who is"),
    ),
    "deals": (("{deals} deals", "{deals} deal"),),
    "found": (("{found} tiles", "{found} tile"),),
    "group": (("Of every {group} sessions", "Of every session"),),
    "left": (("{left} more minutes", "{left} more minute"),),
    "shown": (("{shown} kongs", "{shown} kong"),),
    "kongs": (("{kongs} kongs", "{kongs} kong"),),
    "lost": (("{lost} events", "{lost} event"),),
    "missed": (
        ("{missed} changes were not shown: they came faster than they were",
         "{missed} change was not shown: it came faster than it was"),
    ),
    "points": (("{points} points", "{points} point"),),
    "roots": (("{roots} roots", "{roots} root"),),
    "fans": (("{fans} fans", "{fans} fan"),),
    "sets": (("{sets} sets", "{sets} set"),),
    "stacks": (("{stacks} stacks", "{stacks} stack"),),
    "table_points": (("{table_points} table points", "{table_points} table point"),),
    "tables": (("{tables} tables", "{tables} table"), ("{tables} full tables", "{tables} full table")),
    "tiles": (("{tiles} tiles", "{tiles} tile"), ("{tiles} standing tiles", "{tiles} standing tile")),
    "tries": (("{tries} tries", "{tries} try"),),
}  # fmt: skip
"""By the name of a value: how texts go on after it, of several and of one."""
_ALONE: Final = {
    "tables": "table",
    "players": "player",
    "sessions": "session",
    "need somebody": "needs somebody",
}
"""Texts that stand beside a number that they do not have themselves; it is given as `count`."""


def counted(text: str, values: Mapping[str, object]) -> str:
    """Return an English text as it is for its `values`, before they are put in; 1, +1 and -1 are one."""
    for name, value in values.items():
        if str(value).lstrip("+-") == "1":
            text = _ALONE.get(text, text) if name == "count" else text
            for several, one in _ONE.get(name, ()):
                text = text.replace(several, one)
    return text
