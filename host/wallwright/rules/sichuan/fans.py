"""What a complete hand is worth: its items, fans and points (SBR-5.3 to 5.6), and what a waiting hand is worth
(SBR-6.5).

Conditions are how the winning tile came: "self_drawn", "after_kong", "shoot_after_kong", "robbing_kong",
"under_the_sea".
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from wallwright.rules.core.errors import HandError
from wallwright.rules.core.packed import PAIRED, PAIRS, PUNGS, SETS, SUIT_BITS, SUIT_MASK, suit_table
from wallwright.rules.core.tile_words import Tiles
from wallwright.rules.sichuan.hands import REGULAR, SEVEN_PAIRS, kinds_of_mask, waits_packed
from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.packed import HIGH, ONE, OVER_FOUR, quads, size, unpack
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.words import Words, plural, words

SELF_DRAWN, AFTER_KONG, SHOOT_AFTER_KONG, ROBBING_KONG, UNDER_THE_SEA = 1, 2, 4, 8, 16
CONDITIONS: Mapping[str, int] = MappingProxyType(
    {
        "self_drawn": SELF_DRAWN,
        "after_kong": AFTER_KONG,
        "shoot_after_kong": SHOOT_AFTER_KONG,
        "robbing_kong": ROBBING_KONG,
        "under_the_sea": UNDER_THE_SEA,
    }
)
"""Condition -> its bit, as the packed functions take them."""

NO_CONDITIONS: frozenset[str] = frozenset()

_EXCLUSIVE = (
    (SELF_DRAWN, SHOOT_AFTER_KONG),
    (SELF_DRAWN, ROBBING_KONG),
    (AFTER_KONG, SHOOT_AFTER_KONG),
    (AFTER_KONG, ROBBING_KONG),
    (ROBBING_KONG, UNDER_THE_SEA),
)
"""Conditions that cannot hold for one tile (SBR-5.4). Shoot after Kong and robbing exclude each other except under
SBR-11.5.
"""

# A hand's features as one number, so that equal results are one shared value: kongs and roots, three bits each, and
# these.
_ALL_PUNGS, _GOLDEN_WAIT, _FULL_FLUSH, _SEVEN_PAIRS = 1 << 6, 1 << 7, 1 << 8, 1 << 9
_CONDITION_SHIFT = 10

HAND_ITEMS: Mapping[str, int] = MappingProxyType(
    {"root": 1, "all_pungs": 1, "golden_wait": 1, "full_flush": 2, "seven_pairs": 2}
)
"""What only the hand itself tells, with its fans; declared kongs and how the winning tile came give the others."""
_ITEM_BITS = {
    "all_pungs": _ALL_PUNGS,
    "golden_wait": _GOLDEN_WAIT,
    "full_flush": _FULL_FLUSH,
    "seven_pairs": _SEVEN_PAIRS,
}
_FLAG_ITEMS = {"win_after_kong": AFTER_KONG, "robbing_the_kong": ROBBING_KONG}
APART: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "seven_pairs": frozenset({"kong", "all_pungs", "golden_wait", "win_after_kong", "robbing_the_kong"}),
        "robbing_the_kong": frozenset({"all_pungs", "golden_wait"}),
        "root": frozenset({"all_pungs", "golden_wait"}),
    }
)
"""Items that no hand has together (SBR-5.4); what conditions of one tile exclude each other is said above."""


@dataclass(frozen=True, slots=True)
class HandScore:
    """A hand's worth. `items` maps each item to its fans, in the order of SBR-5.3; `value` is in points, after the
    fan limit and without
    the point for a self-drawn Hu. An incomplete hand has form "", no items and value 0.
    """

    complete: bool
    form: str
    items: Mapping[str, int] = field(hash=False)
    fans: int
    value: int


INCOMPLETE = HandScore(False, "", MappingProxyType({}), 0, 0)


def score_hand(
    standing: Sequence[int],
    winning: int,
    ruleset: Ruleset,
    melds: Sequence[Meld] = (),
    conditions: Collection[str] = NO_CONDITIONS,
    void: int | None = None,
) -> HandScore:
    """The best reading of a hand (SBR-5.5): standing kinds without the winning tile, the winning kind, declared sets.

    `void` is the forbidden suit 0..2, when it is known; a hand that holds it is not complete (SBR-3.2). HandError
    when the hand cannot exist: a fifth copy, a wrong number of tiles, or conditions that exclude each other or the
    hand.
    """
    flags = condition_flags(conditions if isinstance(conditions, frozenset) else frozenset(conditions), ruleset)
    hand = sum(map(ONE.__getitem__, standing)) + ONE[winning]
    check_tiles(hand, melds, 14)
    if flags & AFTER_KONG and not any(meld.is_kong for meld in melds):
        raise HandError(words("after_kong needs a declared kong in the hand"))
    if void is not None and holds_suit(hand, melds, void):
        return INCOMPLETE
    score = score_packed(hand, melds, flags, ruleset)
    if flags & ROBBING_KONG and score.complete and hand >> 8 * winning & 7 != 1:
        problem = "a robbed {tile} is the fourth copy, so the hand cannot hold another one"
        raise HandError(words(problem, tile=Tiles((winning,))))
    return score


def condition_flags(conditions: frozenset[str], ruleset: Ruleset) -> int:
    """Condition names -> bits. HandError for an unknown one and for two that exclude each other."""
    return _condition_flags(conditions, ruleset.chain_rob_shoots)


@lru_cache(maxsize=256)
def _condition_flags(conditions: frozenset[str], chain_rob_shoots: bool) -> int:
    flags = 0
    for name in conditions:
        if name not in CONDITIONS:
            raise HandError(f"unknown condition {name!r}: use {', '.join(CONDITIONS)}")
        flags |= CONDITIONS[name]
    pairs = _EXCLUSIVE if chain_rob_shoots else (*_EXCLUSIVE, (SHOOT_AFTER_KONG, ROBBING_KONG))
    for one, other in pairs:
        if flags & one and flags & other:
            names = [name for name, bit in CONDITIONS.items() if bit in (one, other)]
            raise HandError(f"{names[0]} and {names[1]} cannot both be true of one tile")
    return flags


def check_tiles(hand: int, melds: Sequence[Meld], wanted: int) -> None:
    """HandError unless standing tiles and sets (three tiles each) add up to `wanted` and no kind has a fifth copy."""
    found = size(hand) + 3 * len(melds)
    if found != wanted:
        problem = plural(
            "the hand has {found} tile (a kong counting three) where {wanted} are wanted",
            "the hand has {found} tiles (a kong counting three) where {wanted} are wanted",
            "found",
        )
        raise HandError(words(problem, found=found, wanted=wanted))
    whole = hand
    for meld in melds:
        whole += ONE[meld.tile] * (4 if meld.is_kong else 3)
    if whole + OVER_FOUR & HIGH:
        kind = next(kind for kind, count in enumerate(unpack(whole)) if count > 4)
        raise HandError(words("a fifth {tile}: a set has four copies of each tile", tile=Tiles((kind,))))


def holds_suit(hand: int, melds: Sequence[Meld], suit: int) -> bool:
    """Whether a suit occurs in the packed hand or its declared sets."""
    return bool(hand >> SUIT_BITS * suit & SUIT_MASK) or any(meld.tile // 9 == suit for meld in melds)


def score_items(items: Sequence[str], kongs: int, flags: int, ruleset: Ruleset) -> HandScore:
    """The worth of a hand of which the table agreed on `items`: HAND_ITEMS, "root" as often as there are roots.

    `kongs` are those it has declared, `flags` how the winning tile came. HandError for items that no hand has together
    (SBR-5.4).
    """
    if unknown := [name for name in items if name not in HAND_ITEMS]:
        raise HandError(f"unknown item {unknown[0]!r}: use {', '.join(HAND_ITEMS)}; the event tells all others")
    if twice := [name for name in HAND_ITEMS if name != "root" and items.count(name) > 1]:
        raise HandError(f"{twice[0]} counts once in a hand")
    roots = items.count("root")
    features = flags << _CONDITION_SHIFT | sum(bit for name, bit in _ITEM_BITS.items() if name in items)
    together = {name for name in HAND_ITEMS if name in items}
    together |= {"kong"} if kongs else set()
    together |= {name for name, bit in _FLAG_ITEMS.items() if flags & bit}
    for one, others in APART.items():
        for other in sorted(others & together if one in together else ()):
            problem = "a hand has no {one} together with {other} (SBR-5.4)"
            raise HandError(words(problem, one=_named(one), other=_named(other)))
    if "golden_wait" in together and "all_pungs" not in together:
        raise HandError(words("a golden wait has all pungs as well (SBR-5.3)"))
    if kongs == 4 and not {"all_pungs", "golden_wait"} <= together:
        raise HandError(words("four kongs are all pungs and a golden wait (SBR-5.3)"))
    if kongs > 4 or (roots and kongs + roots > 3):
        raise HandError(
            words(
                "a hand has four sets: no room for {kongs} and {roots}",
                kongs=words(plural("{count} kong", "{count} kongs"), count=kongs),
                roots=words(plural("{count} root", "{count} roots"), count=roots),
            )
        )
    return _shared(features | roots << 3 | kongs, ruleset)


def _named(item: str) -> Words:
    return Words(item.replace("_", " "))


def score_packed(hand: int, melds: Sequence[Meld], flags: int, ruleset: Ruleset, kongs_count: bool = True) -> HandScore:
    """`score_hand` of a packed hand that includes the winning tile, unchecked. `kongs_count` False leaves out the
    fans of kongs.
    """
    characters = hand & SUIT_MASK
    dots = hand >> SUIT_BITS & SUIT_MASK
    bamboo = hand >> 2 * SUIT_BITS
    suits = (1 if characters else 0) | (2 if dots else 0) | (4 if bamboo else 0)
    get = suit_table().get
    a, b, c = get(characters, 0), get(dots, 0), get(bamboo, 0)
    seven = not melds and a & b & c & PAIRS and hand % 255 == 14
    regular = (a & b & SETS and c & PAIRED) or (a & c & SETS and b & PAIRED) or (b & c & SETS and a & PAIRED)
    if not regular and not seven:
        return INCOMPLETE
    kongs = 0
    roots = quads(hand)
    for type_, tile in melds:
        suits |= 1 << tile // 9
        if type_ != "pung":
            kongs += 1
        elif hand >> 8 * tile & 7:
            roots += 1
    if suits == 7:
        return INCOMPLETE
    features = flags << _CONDITION_SHIFT
    if suits in (1, 2, 4):
        features |= _FULL_FLUSH
    if seven:
        features |= roots << 3
        best = _shared(features | _SEVEN_PAIRS, ruleset)
        if regular:
            # Equal worth after the limit counts as regular (SBR-5.5). Such a hand has chows, so roots count alike.
            plain = _shared(features, ruleset)
            return plain if plain.value == best.value else best
        return best
    if a & b & c & PUNGS:
        # No root: the fifth copy that a waiting hand may count on would make one (SBR-5.4, 6.6).
        features |= _ALL_PUNGS | (_GOLDEN_WAIT if len(melds) == 4 else 0)
    else:
        features |= roots << 3
    if kongs_count:
        features |= kongs
    return _shared(features, ruleset)


_scores: dict[tuple[int | None, int], HandScore] = {}


def _shared(features: int, ruleset: Ruleset) -> HandScore:
    """The value that a hand's features stand for, made once."""
    key = (ruleset.fan_limit, features)
    return _scores.get(key) or _scores.setdefault(key, _score(features, ruleset))


def _score(features: int, ruleset: Ruleset) -> HandScore:
    flags = features >> _CONDITION_SHIFT
    all_items = {
        "kong": features & 7,
        "root": features >> 3 & 7,
        "all_pungs": 1 if features & _ALL_PUNGS else 0,
        "golden_wait": 1 if features & _GOLDEN_WAIT else 0,
        "full_flush": 2 if features & _FULL_FLUSH else 0,
        "seven_pairs": 2 if features & _SEVEN_PAIRS else 0,
        "win_after_kong": 1 if flags & AFTER_KONG else 0,
        "shoot_after_kong": 1 if flags & SHOOT_AFTER_KONG else 0,
        "robbing_the_kong": 1 if flags & ROBBING_KONG else 0,
        "under_the_sea": 1 if flags & UNDER_THE_SEA else 0,
    }
    items = {name: fans for name, fans in all_items.items() if fans}
    fans = sum(items.values())
    form = SEVEN_PAIRS if features & _SEVEN_PAIRS else REGULAR
    return HandScore(True, form, MappingProxyType(items), fans, ruleset.value(fans))


def wait_values(
    standing: Sequence[int], ruleset: Ruleset, melds: Sequence[Meld] = (), void: int | None = None
) -> dict[int, int]:
    """Each kind that completes the hand -> what the hand is then worth at the wall's end (SBR-6.5, 6.6, 10.3), in
    points.

    Empty when the hand is not ready, and when it holds the forbidden suit (SBR-3.3). HandError as in `score_hand`.
    """
    hand = sum(map(ONE.__getitem__, standing))
    check_tiles(hand, melds, 13)
    return wait_values_packed(hand, melds, ruleset, void)


def wait_values_packed(hand: int, melds: Sequence[Meld], ruleset: Ruleset, void: int | None) -> dict[int, int]:
    """`wait_values` of a packed hand, unchecked."""
    if void is not None and holds_suit(hand, melds, void):
        return {}
    values = {}
    for kind in kinds_of_mask(waits_packed(hand)):
        score = score_packed(hand + ONE[kind], melds, 0, ruleset, ruleset.wall_end_kongs)
        if score.complete:
            values[kind] = 1 if ruleset.wall_end_value == "one" else score.value
    return values
