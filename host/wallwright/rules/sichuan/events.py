"""What players declare in a deal, as frozen values: kongs, Hu, breaches, and the hands shown at the end.

These are all that settlement needs, whether every tile was tracked or only the declarations were noted. The values
are not checked here: `declared` does that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from wallwright.rules.sichuan.melds import Meld, MeldType

By = Literal["self_drawn", "discard", "robbed_kong"]
End = Literal["three_hu", "wall", "time_up"]

SELF_DRAWN_HU: By = "self_drawn"
DISCARD_HU: By = "discard"
ROBBED_KONG_HU: By = "robbed_kong"
THREE_HU: End = "three_hu"
WALL: End = "wall"
TIME_UP_END: End = "time_up"


@dataclass(frozen=True, slots=True)
class Kong:
    """A kong of `seat`; `from_` is the discarder of a melded one, None otherwise.

    `robbed`: another player declared Hu on the tile added. `chain`: made on the replacement of the kong before it, in
    one turn.
    """

    seat: int
    type: MeldType
    from_: int | None = None
    robbed: bool = False
    chain: bool = False


@dataclass(frozen=True, slots=True)
class Winner:
    """A player who declared Hu, and the hand shown: `standing` without the winning tile.

    `standing` is None when the hand is not given. Instead of it `items` are those of its own that the table agreed on,
    one as often as it counts, without what the event tells, or `value` is what it is worth. `false`: `referee` has
    found the Hu false. `holds_void`: it was seen that the hand holds its forbidden suit.
    """

    seat: int
    standing: tuple[int, ...] | None = None
    melds: tuple[Meld, ...] = ()
    winning: int | None = None
    void: int | None = None
    conditions: frozenset[str] = frozenset()
    value: int | None = None
    false: bool = False
    items: tuple[str, ...] | None = None
    referee: str = ""
    holds_void: bool = False


@dataclass(frozen=True, slots=True)
class Hu:
    """One or several Hu on one tile. `from_` is the discarder or the player robbed; None when self-drawn.

    `after_kong`: the tile was a replacement, or the discard (or kong) right after one.
    """

    by: By
    winners: tuple[Winner, ...]
    from_: int | None = None
    after_kong: bool = False


@dataclass(frozen=True, slots=True)
class Breach:
    """An active breach of the forbidden suit, which only some rulesets punish at once (SBR-11.2)."""

    seat: int


Event = Kong | Hu | Breach


def declared_kongs(events: Iterable[Event], seat: int) -> int:
    """Return how many kongs of `seat` stand in its hand: those declared and not robbed."""
    return sum(isinstance(event, Kong) and event.seat == seat and not event.robbed for event in events)


@dataclass(frozen=True, slots=True)
class FinalHand:
    """The hand of a player without Hu at the end. `value` is set when its worth was agreed on: 0 for not ready.

    `only_void_discards`: every discard of the player was of the forbidden suit (SBR-3.3). `standing` None: only the
    declared sets are known. `not_ready` and `holds_void`: it was seen that the hand is not ready, or holds its
    forbidden suit.
    """

    seat: int
    standing: tuple[int, ...] | None = None
    melds: tuple[Meld, ...] = ()
    void: int | None = None
    only_void_discards: bool = False
    value: int | None = None
    not_ready: bool = False
    holds_void: bool = False
