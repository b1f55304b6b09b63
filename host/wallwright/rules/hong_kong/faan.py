"""What a complete hand is worth: its items in faan, and the base that they make (HKO-5.2 to 6.3, 10.2, 10.3)."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from wallwright.rules.core.packed import HONOURS_SHIFT, SUIT_BITS, SUIT_MASK
from wallwright.rules.core.readings import ONE, Split, completing, joined, pack_tiles, splits
from wallwright.rules.core.sets import SetKind, SetType, TileSet
from wallwright.rules.core.tiles import FLOWERS, ORPHANS, SUITED, TERMINALS
from wallwright.rules.hong_kong.hands import (
    AFTER_KONG,
    DISCARD,
    DRAWN,
    EARTHLY,
    HEAVENLY,
    KONG_ON_KONG,
    LAST_DISCARD,
    LAST_TILE,
    LOOSE,
    REGULAR,
    ROBBED_KONG,
    SEVEN_PAIRS,
    THIRTEEN_ORPHANS,
    WINDS,
    Hand,
    Shape,
    irregular_shapes,
)
from wallwright.rules.hong_kong.ruleset import MODERN, Ruleset

LIMIT_HANDS: Mapping[str, int] = MappingProxyType(
    {
        "big_three_dragons": 8,
        "little_four_winds": 3,
        "big_four_winds": 13,
        "all_honors": 10,
        "all_terminals": 10,
        "nine_gates": 10,
        "four_concealed_pungs": 8,
        "four_kongs": 13,
        "thirteen_orphans": 13,
        "heavenly": 13,
        "earthly": 13,
    }
)
"""Limit hands of HKO-5.5, with their faan in the modern table (HKO-10.2)."""
_ALONE = frozenset(LIMIT_HANDS) - {"big_three_dragons", "little_four_winds", "four_concealed_pungs"}
"""In the modern table the dearest of these stands for all items of pattern (HKO-10.3)."""
FLOWER_ITEMS = ("no_flowers", "own_season", "own_flower", "all_seasons", "all_flowers")
_CHOW = SetKind.CHOW
_DOTS, _BAMBOO = SUIT_MASK << SUIT_BITS, SUIT_MASK << 2 * SUIT_BITS
_AFTER_KONGS = frozenset({AFTER_KONG, KONG_ON_KONG})
_INNER = sum(ONE[kind] * 255 for kind in range(SUITED) if kind not in TERMINALS)
"""A mask over packed hands: suited tiles that are no ends."""
_LITTLE_DRAGONS = {MODERN: 5}
_FULL_FLUSH = {MODERN: 7}


class Score(NamedTuple):
    """A hand's worth. `items` maps each item to its faan; `faan` is their sum up to the limit, `points` the base B.

    `allowed` tells whether it reaches the minimum. A hand that is not complete has no items and no points.
    """

    complete: bool
    allowed: bool
    items: Mapping[str, int]
    faan: int
    points: int
    read: "Shape | _Read | None" = None

    @property
    def shape(self) -> Shape | None:
        """The way in which the hand is read, None of a hand that is not complete."""
        if isinstance(self.read, _Read):
            sets, pair = joined(self.read.choice)
            return Shape(REGULAR, self.read.declared + sets, (pair,))
        return self.read


class _Read(NamedTuple):
    """A regular reading that nobody has asked for yet: sets laid down, and a split of each suit and the honours."""

    declared: tuple[TileSet, ...]
    choice: tuple[Split, ...]


INCOMPLETE = Score(False, False, MappingProxyType({}), 0, 0)
Items = dict[str, int]


class _Honours(NamedTuple):
    """The honours of a hand: is there any, pungs of dragons, of winds as bits, and what the pair is if it is one."""

    any: bool
    dragons: int
    wind_pungs: int
    winds: int
    is_pair: bool
    is_dragon_pair: bool


class _Facts(NamedTuple):
    """What a hand is worth by, whichever way it is read. Honours make pungs and pairs only, so they have one reading.

    `chows` and `kongs` are those laid down; `wind_pungs` has bit 0 for East; `suits` is how many there are.
    """

    hand: Hand
    ruleset: Ruleset
    chows: int
    kongs: int
    is_concealed: bool
    suits: int
    honours: _Honours
    has_ends_alone: bool
    is_nine_gates: bool


def score_hand(hand: Hand, ruleset: Ruleset) -> Score:
    """The reading worth most (HKO-5.2). The hand is one that `check_hand` lets pass."""
    packed = pack_tiles(hand.standing) + ONE[hand.winning]
    found = splits(packed)
    best: Items | None = None
    most = -1
    read: Shape | _Read | None = None
    if found:
        facts = _facts(hand, packed, ruleset)
        seen: tuple[int, ...] = ()
        for choice in product(*found):
            a, b, c, d = choice
            chows = facts.chows + a.chows + b.chows + c.chows + d.chows
            # Readings differ in worth only where all sets are chows, or all are pungs.
            sort = chows if chows in (0, 4) else 1
            if sort in seen:
                continue
            seen += (sort,)
            items = _items(facts, REGULAR, chows)
            faan = sum(items.values())
            if faan > most:
                best, most, read = items, faan, _Read(hand.sets, choice)
    if ruleset.seven_pairs or not found:
        for other in irregular_shapes(hand, ruleset):
            items = _items(_facts(hand, packed, ruleset), other.form, 0)
            faan = sum(items.values())
            if faan > most:
                best, most, read = items, faan, other
    if best is None:
        return INCOMPLETE
    counted = most
    if ruleset.flowers and not ruleset.flowers_for_minimum:
        counted = sum(n for name, n in best.items() if name not in FLOWER_ITEMS)
    limit = ruleset.limit_faan
    faan = most if most < limit else limit
    return Score(True, counted >= ruleset.min_faan, MappingProxyType(best), faan, ruleset.base(most), read)


def _facts(hand: Hand, packed: int, ruleset: Ruleset) -> _Facts:
    sets = hand.sets
    chows = kongs = 0
    is_concealed = True
    for one in sets:
        packed += _packed_set(one)
        chows += one.kind is _CHOW
        kongs += one.kind is SetKind.KONG
        is_concealed = is_concealed and one.type is SetType.CONCEALED
    honours = packed >> HONOURS_SHIFT
    suits = (packed & SUIT_MASK > 0) + (packed & _DOTS > 0) + (packed & _BAMBOO > 0)
    return _Facts(
        hand,
        ruleset,
        chows,
        kongs,
        is_concealed,
        suits,
        _honours(honours),
        not packed & _INNER,
        not honours and suits == 1 and not sets and packed in _nine_gates(),
    )


@cache
def _packed_set(one: TileSet) -> int:
    return pack_tiles(one.tiles)


@lru_cache(maxsize=1 << 13)
def _honours(packed: int) -> _Honours:
    held = tuple(packed.to_bytes(7, "little"))
    winds = sum((held[at] >= 3) << at for at in range(4))
    return _Honours(
        packed > 0, sum(n >= 3 for n in held[4:]), winds, winds.bit_count(), 2 in held, any(n == 2 for n in held[4:])
    )


@cache
def _nine_gates() -> frozenset[int]:
    """All complete hands of them, packed."""
    gates = [pack_tiles(9 * suit + rank for rank in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)) for suit in range(3)]
    return frozenset(whole + ONE[9 * suit + rank] for suit, whole in enumerate(gates) for rank in range(9))


def waits(standing: tuple[int, ...], hand_has_sets: bool, ruleset: Ruleset) -> tuple[int, ...]:
    """The kinds that complete standing tiles that lack one (HKO-5.1), sorted."""
    found = set(completing(pack_tiles(standing)))
    if not hand_has_sets:
        missing = set(ORPHANS) - set(standing)
        if set(standing) <= set(ORPHANS) and len(missing) <= 1:
            found |= missing or set(ORPHANS)
        odd = [kind for kind in set(standing) if standing.count(kind) % 2]
        if ruleset.seven_pairs and len(odd) == 1 and len(set(standing)) == 7:
            found |= set(odd)
    return tuple(sorted(found))


def _items(facts: _Facts, form: str, chows: int) -> Items:
    """What is counted of a hand with so many chows, by its form."""
    ruleset = facts.ruleset
    honours = facts.honours
    # Most hands are not worth a look for limit hands.
    may_be_limit = (
        not chows or honours.dragons == 3 or honours.winds > 2 or facts.is_nine_gates or facts.hand.conditions
    )
    limits = _limit_hands(facts, form, chows) if may_be_limit else []
    if ruleset.table != MODERN:
        if limits:
            # One stands alone (HKO-5.6).
            return {limits[0]: ruleset.limit_faan}
        items = _pattern(facts, form, chows)
    else:
        alone = [name for name in limits if name in _ALONE]
        if alone:
            dearest = max(alone, key=LIMIT_HANDS.__getitem__)
            items = {dearest: LIMIT_HANDS[dearest]}
        else:
            within = {"big_three_dragons": ("dragon",), "four_concealed_pungs": ("all_pungs", "concealed_hand")}
            left_out = {item for name in limits for item in within.get(name, ())}
            items = {name: n for name, n in _pattern(facts, form, chows).items() if name not in left_out}
            items |= {name: LIMIT_HANDS[name] for name in limits}
    hand = facts.hand
    if hand.by != DISCARD or hand.conditions:
        _add_way(items, hand, ruleset)
    if ruleset.flowers:
        items |= dict(_flowers(hand))
    return items


def _limit_hands(facts: _Facts, form: str, chows: int) -> list[str]:
    """In the order of HKO-5.5."""
    hand, honours = facts.hand, facts.honours
    is_all_pungs = form == REGULAR and not chows
    found = []
    if honours.dragons == 3:
        found.append("big_three_dragons")
    if honours.winds == 3 and honours.is_pair and not honours.is_dragon_pair:
        found.append("little_four_winds")
    if honours.winds == 4:
        found.append("big_four_winds")
    if not facts.suits:
        found.append("all_honors")
    if is_all_pungs and facts.has_ends_alone and not honours.any:
        found.append("all_terminals")
    if facts.is_nine_gates:
        found.append("nine_gates")
    if is_all_pungs and facts.is_concealed and hand.by in DRAWN:
        found.append("four_concealed_pungs")
    if facts.kongs == 4:
        found.append("four_kongs")
    if form == THIRTEEN_ORPHANS:
        found.append("thirteen_orphans")
    if hand.conditions:
        found += (name for name in (HEAVENLY, EARTHLY) if name in hand.conditions)
    return found


def _pattern(facts: _Facts, form: str, chows: int) -> Items:
    """What the tiles earn (HKO-5.4, 10.2)."""
    ruleset, honours = facts.ruleset, facts.honours
    is_all_pungs = form == REGULAR and not chows
    items = {}
    if form == SEVEN_PAIRS:
        items["seven_pairs"] = ruleset.seven_pairs
    if chows == 4 and (ruleset.all_chows_pair == "any" or not honours.is_pair):
        items["all_chows"] = 1
    if is_all_pungs:
        items["all_pungs"] = 3
    if facts.suits == 1:
        if honours.any:
            items["half_flush"] = 3
        else:
            items["full_flush"] = _FULL_FLUSH.get(ruleset.table, 6)
    if honours.dragons == 2 and honours.is_dragon_pair:
        items["little_three_dragons"] = _LITTLE_DRAGONS.get(ruleset.table, 4)
    elif honours.dragons:
        items["dragon"] = honours.dragons
    if honours.wind_pungs:
        for name, wind in (("seat_wind", facts.hand.seat_wind), ("round_wind", facts.hand.round_wind)):
            if honours.wind_pungs >> WINDS.index(wind) & 1:
                items[name] = 1
    if ruleset.concealed_hand and facts.is_concealed and not facts.kongs:
        items["concealed_hand"] = ruleset.concealed_hand
    if ruleset.mixed_terminals and is_all_pungs and honours.any and facts.suits and facts.has_ends_alone:
        items["mixed_terminals"] = ruleset.mixed_terminals
    return items


def _add_way(items: Items, hand: Hand, ruleset: Ruleset) -> None:
    """What the way of winning earns (HKO-5.4, 10.2)."""
    said = hand.conditions
    if hand.by in DRAWN and HEAVENLY not in said:
        items["self_drawn"] = 1
    if KONG_ON_KONG in said and ruleset.table == MODERN:
        items["kong_on_kong"] = 8
    elif hand.by == LOOSE or (said and said & _AFTER_KONGS):
        items["after_a_kong"] = 1
    if LAST_TILE in said:
        items["last_tile"] = 1
    if hand.by == ROBBED_KONG:
        items["robbing_the_kong"] = 1
    if LAST_DISCARD in said and ruleset.last_discard:
        items["last_discard"] = 1


def _flowers(hand: Hand) -> Iterator[tuple[str, int]]:
    """What flowers, or none, earn (HKO-5.8)."""
    if not hand.flowers:
        yield "no_flowers", 1
    own = WINDS.index(hand.seat_wind)
    for series, name in ((FLOWERS[:4], "season"), (FLOWERS[4:], "flower")):
        if set(series) <= set(hand.flowers):
            yield f"all_{name}s", 2
        elif series[own] in hand.flowers:
            yield f"own_{name}", 1
