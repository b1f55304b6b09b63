"""What a complete hand is worth: its items in faan, and the base that they make (HKO-5.2 to 6.3, 10.2, 10.3)."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from wallwright.rules.core.packed import HONOURS_SHIFT
from wallwright.rules.core.readings import HONOUR, INNER, MARKS, ONE, Part, completing, pack_tiles, parts, readings
from wallwright.rules.core.sets import SetKind, SetType, TileSet
from wallwright.rules.core.tiles import FLOWERS, ORPHANS
from wallwright.rules.hong_kong.hands import (
    AFTER_KONG,
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
_CHOW, _KONG, _CONCEALED = SetKind.CHOW, SetKind.KONG, SetType.CONCEALED
_ONE_SUIT = tuple(INNER | 1 << suit for suit in range(3))
"""The marks of a hand of one suit with tiles that are no ends."""
_SUITS = 7
_AFTER_KONGS = frozenset({AFTER_KONG, KONG_ON_KONG})
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
        return self.read.shape if isinstance(self.read, _Read) else self.read


class _Read(NamedTuple):
    """A regular reading that nobody has asked for yet: sets laid down, standing tiles packed, how many chows it has."""

    laid: tuple[TileSet, ...]
    standing: int
    chows: int

    @property
    def shape(self) -> Shape:
        """The first reading of its kind."""
        for sets, pair in readings(self.standing):
            whole = self.laid + sets
            if _sort(sum(one.kind is _CHOW for one in whole)) == self.chows:
                return Shape(REGULAR, whole, (pair,))
        raise AssertionError("a hand that was read has a reading")


def _sort(chows: int) -> int:
    """Readings differ in worth only where all sets are chows, or all are pungs (0); 1 stands for all others."""
    return chows if chows in (0, 4) else 1


INCOMPLETE = Score(False, False, MappingProxyType({}), 0, 0)
Items = dict[str, int]


class _Honours(NamedTuple):
    """The honours of a hand: pungs of dragons, of winds as bits, and what the pair is if it is one."""

    dragons: int
    wind_pungs: int
    winds: int
    is_pair: bool
    is_dragon_pair: bool


class _Facts(NamedTuple):
    """All that the worth of a reading follows from. Honours make pungs and pairs only, so they have one reading.

    `chows` is 4 or 0, or 1 for what is between; `marks` are those of all tiles, `honours` the packed honours with
    three for a kong.
    """

    ruleset: Ruleset
    form: str
    chows: int
    kongs: int
    is_concealed: bool
    marks: int
    honours: int
    is_nine_gates: bool
    by: str
    seat_wind: str
    round_wind: str
    flowers: tuple[int, ...]
    conditions: frozenset[str]

    @property
    def suits(self) -> int:
        """How many there are."""
        return (self.marks & _SUITS).bit_count()

    @property
    def has_ends_alone(self) -> bool:
        """Whether all suited tiles are ones and nines."""
        return not self.marks & INNER


class _Worth(NamedTuple):
    """What a reading comes to; `total` is the sum of its items, of which `faan` are counted."""

    allowed: bool
    items: Mapping[str, int]
    total: int
    faan: int
    points: int


def score_hand(hand: Hand, ruleset: Ruleset) -> Score:
    """The reading worth most (HKO-5.2). The hand is one that `check_hand` lets pass."""
    packed = pack_tiles(hand.standing) + ONE[hand.winning]
    found = parts(packed)
    best: _Worth | None = None
    read: Shape | _Read | None = None
    if found is not None:
        a, b, c, d = found
        marks = a.marks | b.marks | c.marks | d.marks
        honours = packed >> HONOURS_SHIFT
        laid, kongs, is_concealed = 0, 0, True
        for kind, tile, type_ in hand.sets:
            is_concealed = is_concealed and type_ is _CONCEALED
            if kind is _CHOW:
                laid += 1
                marks |= MARKS[tile] | INNER
            else:
                kongs += kind is _KONG
                marks |= MARKS[tile]
                honours += 3 * ONE[tile] >> HONOURS_SHIFT
        is_nine_gates = marks in _ONE_SUIT and not hand.sets and packed in _nine_gates()
        one_sort = (_sort(laid + a.chows + b.chows + c.chows),)
        for sort in _sorts(found, laid) if a.varies or b.varies or c.varies else one_sort:
            facts = _Facts(
                ruleset,
                REGULAR,
                sort,
                kongs,
                is_concealed,
                marks,
                honours,
                is_nine_gates,
                hand.by,
                hand.seat_wind,
                hand.round_wind,
                hand.flowers,
                hand.conditions,
            )
            worth = _worth(facts)
            if best is None or worth.total > best.total:
                best, read = worth, _Read(hand.sets, packed, sort)
    if ruleset.seven_pairs or found is None:
        for other in irregular_shapes(hand, ruleset):
            worth = _worth(_irregular(hand, ruleset, other.form, packed))
            if best is None or worth.total > best.total:
                best, read = worth, other
    if best is None:
        return INCOMPLETE
    return Score(True, best.allowed, best.items, best.faan, best.points, read)


def _sorts(found: tuple[Part, ...], laid: int) -> tuple[int, ...]:
    """Which sorts of readings there are beside so many chows laid down, in the order of the readings."""
    numbers = product(*(tuple(one.chows for one in part.splits) for part in found))
    return tuple(dict.fromkeys(_sort(laid + sum(chows)) for chows in numbers))


def _irregular(hand: Hand, ruleset: Ruleset, form: str, packed: int) -> _Facts:
    marks = 0
    for kind in hand.tiles:
        marks |= MARKS[kind]
    won = (hand.by, hand.seat_wind, hand.round_wind, hand.flowers, hand.conditions)
    return _Facts(ruleset, form, 0, 0, True, marks, packed >> HONOURS_SHIFT, False, *won)


@lru_cache(maxsize=1 << 14)
def _worth(facts: _Facts) -> _Worth:
    """Hands are many and the facts that count are few, so what they come to is kept."""
    ruleset = facts.ruleset
    items = _items(facts)
    total = sum(items.values())
    counted = total
    if ruleset.flowers and not ruleset.flowers_for_minimum:
        counted = sum(n for name, n in items.items() if name not in FLOWER_ITEMS)
    allowed = counted >= ruleset.min_faan
    return _Worth(allowed, MappingProxyType(items), total, min(total, ruleset.limit_faan), ruleset.base(total))


def _honours(packed: int) -> _Honours:
    held = tuple(packed.to_bytes(7, "little"))
    winds = sum((held[at] >= 3) << at for at in range(4))
    return _Honours(sum(n >= 3 for n in held[4:]), winds, winds.bit_count(), 2 in held, 2 in held[4:])


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


def _items(facts: _Facts) -> Items:
    """What is counted of a hand with these facts."""
    ruleset = facts.ruleset
    honours = _honours(facts.honours)
    limits = _limit_hands(facts, honours)
    if ruleset.table != MODERN:
        if limits:
            # One stands alone (HKO-5.6).
            return {limits[0]: ruleset.limit_faan}
        items = _pattern(facts, honours)
    else:
        alone = [name for name in limits if name in _ALONE]
        if alone:
            dearest = max(alone, key=LIMIT_HANDS.__getitem__)
            items = {dearest: LIMIT_HANDS[dearest]}
        else:
            within = {"big_three_dragons": ("dragon",), "four_concealed_pungs": ("all_pungs", "concealed_hand")}
            left_out = {item for name in limits for item in within.get(name, ())}
            items = {name: n for name, n in _pattern(facts, honours).items() if name not in left_out}
            items |= {name: LIMIT_HANDS[name] for name in limits}
    _add_way(items, facts)
    if ruleset.flowers:
        items |= dict(_flowers(facts))
    return items


def _limit_hands(facts: _Facts, honours: _Honours) -> list[str]:
    """In the order of HKO-5.5."""
    is_all_pungs = facts.form == REGULAR and not facts.chows
    found = []
    if honours.dragons == 3:
        found.append("big_three_dragons")
    if honours.winds == 3 and honours.is_pair and not honours.is_dragon_pair:
        found.append("little_four_winds")
    if honours.winds == 4:
        found.append("big_four_winds")
    if not facts.suits:
        found.append("all_honors")
    if is_all_pungs and facts.has_ends_alone and not facts.marks & HONOUR:
        found.append("all_terminals")
    if facts.is_nine_gates:
        found.append("nine_gates")
    if is_all_pungs and facts.is_concealed and facts.by in DRAWN:
        found.append("four_concealed_pungs")
    if facts.kongs == 4:
        found.append("four_kongs")
    if facts.form == THIRTEEN_ORPHANS:
        found.append("thirteen_orphans")
    found += (name for name in (HEAVENLY, EARTHLY) if name in facts.conditions)
    return found


def _pattern(facts: _Facts, honours: _Honours) -> Items:
    """What the tiles earn (HKO-5.4, 10.2)."""
    ruleset = facts.ruleset
    is_all_pungs = facts.form == REGULAR and not facts.chows
    has_honours = bool(facts.marks & HONOUR)
    items = {}
    if facts.form == SEVEN_PAIRS:
        items["seven_pairs"] = ruleset.seven_pairs
    if facts.chows == 4 and (ruleset.all_chows_pair == "any" or not honours.is_pair):
        items["all_chows"] = 1
    if is_all_pungs:
        items["all_pungs"] = 3
    if facts.suits == 1:
        if has_honours:
            items["half_flush"] = 3
        else:
            items["full_flush"] = _FULL_FLUSH.get(ruleset.table, 6)
    if honours.dragons == 2 and honours.is_dragon_pair:
        items["little_three_dragons"] = _LITTLE_DRAGONS.get(ruleset.table, 4)
    elif honours.dragons:
        items["dragon"] = honours.dragons
    if honours.wind_pungs:
        for name, wind in (("seat_wind", facts.seat_wind), ("round_wind", facts.round_wind)):
            if honours.wind_pungs >> WINDS.index(wind) & 1:
                items[name] = 1
    if ruleset.concealed_hand and facts.is_concealed and not facts.kongs:
        items["concealed_hand"] = ruleset.concealed_hand
    if ruleset.mixed_terminals and is_all_pungs and has_honours and facts.suits and facts.has_ends_alone:
        items["mixed_terminals"] = ruleset.mixed_terminals
    return items


def _add_way(items: Items, facts: _Facts) -> None:
    """What the way of winning earns (HKO-5.4, 10.2)."""
    ruleset, said = facts.ruleset, facts.conditions
    if facts.by in DRAWN and HEAVENLY not in said:
        items["self_drawn"] = 1
    if KONG_ON_KONG in said and ruleset.table == MODERN:
        items["kong_on_kong"] = 8
    elif facts.by == LOOSE or said & _AFTER_KONGS:
        items["after_a_kong"] = 1
    if LAST_TILE in said:
        items["last_tile"] = 1
    if facts.by == ROBBED_KONG:
        items["robbing_the_kong"] = 1
    if LAST_DISCARD in said and ruleset.last_discard:
        items["last_discard"] = 1


def _flowers(facts: _Facts) -> Iterator[tuple[str, int]]:
    """What flowers, or none, earn (HKO-5.8)."""
    if not facts.flowers:
        yield "no_flowers", 1
    own = WINDS.index(facts.seat_wind)
    for series, name in ((FLOWERS[:4], "season"), (FLOWERS[4:], "flower")):
        if set(series) <= set(facts.flowers):
            yield f"all_{name}s", 2
        elif series[own] in facts.flowers:
            yield f"own_{name}", 1
