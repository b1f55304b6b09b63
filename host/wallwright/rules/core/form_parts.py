"""What the forms of games of 136 and 144 tiles have in common: keys, sets, and how a hand is given."""

from collections.abc import Mapping, Sequence

from wallwright.rules.core.form import ALWAYS, Condition, Part, SetShape, Value, part, when
from wallwright.rules.core.tiles import KINDS, NAMES, STANDING, SUITS, copies_of
from wallwright.words import Words, words

HU, END = when(way="hu"), when(way="end")
SHOWN = when(way="end", shown=True)
KONGS = ("concealed", "melded", "promoted")
SETS = {
    "chow": SetShape(kind="chow", type="", alike=1, run=3),
    "pung": SetShape(kind="pung", type="", alike=3, run=1, letters="mpsz"),
    **{type_: SetShape(kind="kong", type=type_, alike=4, run=1, letters="mpsz") for type_ in KONGS},
}
"""Sets laid down; a kong is of own tiles, of three and a discard, or a pung with its fourth tile."""
BY_OTHERS = ("discard", "robbed_kong")
DRAWN = ("self_drawn", "loose")
"""How a winning tile comes: from another player, or from the wall's head or tail."""
BY_LABELS = {
    "by.self_drawn": words("self-drawn"),
    "by.loose": words("drawn from the tail of the wall"),
    "by.discard": words("on a discard"),
    "by.robbed_kong": words("robbing a kong"),
}
WINDS: Sequence[tuple[Value, Words]] = (
    ("E", words("East")),
    ("S", words("South")),
    ("W", words("West")),
    ("N", words("North")),
)
_ONLY_BY = ("items", "zero", "sets", "false")


def keys(*, flowers: bool) -> tuple[tuple[tuple[str, int], ...], ...]:
    """The rows of keys: suits, honours, and flowers where there are any."""
    kinds = range(KINDS if flowers else STANDING)
    rows = (tuple((NAMES[kind], copies_of(kind)) for kind in kinds if NAMES[kind][1] == letter) for letter in SUITS)
    return tuple(row for row in rows if row)


def hand_parts(shown: Condition, *, at_end: bool) -> dict[str, Part]:
    """The parts by which a hand is given, by its tiles or by its points; `at_end`: losers show theirs as well."""
    ways = (*shown, SHOWN) if at_end else tuple(shown)
    by_tiles = tuple({**way, "given": ("tiles",)} for way in ways)
    return {
        "given": part(*ways, closed=dict.fromkeys(_ONLY_BY, ALWAYS)),
        "value": part(*({**way, "given": ("value",)} for way in ways), needs="which"),
        "hand": part(*by_tiles, needs="tiles"),
        "mode": part(*by_tiles, closed={"winning": (END,)}),
    }


def wind_notice(record: Mapping[str, object]) -> Words:
    """The wind of the round, as a sentence."""
    name = dict(WINDS).get(str(record.get("round_wind", "E")), WINDS[0][1])
    return words("Wind of the round: {wind}.", wind=name)
