"""Points that a table agreed on, and kongs that hands show, held against the rest of the same record
(CUM-5, BAL-4, BAL-5).
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from wallwright.rules.classical.balsall import ROWS
from wallwright.rules.classical.cumberland import FLOWER_POINTS, KONG_POINTS, PAIR_POINTS, WINNER_POINTS
from wallwright.rules.classical.declared import Declared, DeclaredKong
from wallwright.rules.classical.hand import DRAWN, LAST_DISCARD, LAST_TILE, LOOSE
from wallwright.rules.classical.mistakes import long_hands
from wallwright.rules.classical.ruleset import NO_LIMIT, Cumberland, Rules
from wallwright.rules.classical.settled import SEATS
from wallwright.rules.core.game import Record
from wallwright.rules.core.records import texts_of
from wallwright.rules.core.sets import ADDED, SetType
from wallwright.words import Seat, Words, plural, words

_SETS = 4
_FLOWERS = 8
_DEAREST_KONG = KONG_POINTS << 2
"""A concealed one of terminals or honours (CUM-5.3)."""
_SET_DOUBLES = 6
"""Three pungs of dragons, one of own wind that is the Wind of the round as well, and one suit beside (CUM-5.6, 5.7)."""
_FLOWER_DOUBLES = 6
"""Both full sets, and the own tile of each (CUM-5.6)."""
_OWN_ITEMS = 6
"""Three pungs of dragons, one of a wind that is both own and round, nothing claimed (BAL-5.5)."""
_FLOWER_ITEMS = 4
"""Both full sets, and the own tile of each (BAL-5.5)."""


class _Bounds(NamedTuple):
    """The least and the most that a hand can be worth, in points."""

    least: int
    most: int


def contradictions(record: Record, deal: Declared, rules: Rules) -> tuple[Words, ...]:
    """Return what a record says of one hand in two ways that cannot both be right, as sentences."""
    found: list[Words] = []
    given = record.get("hands")
    entries = given if isinstance(given, list) else [None] * len(SEATS)
    for seat in SEATS:
        entry, hand = entries[seat], deal.hands[seat]
        if hand is not None:
            shown = Counter(_sort(one.type) for one in hand.sets if one.is_kong)
            found += _shown(seat, shown, Counter(_sort(kong.type) for kong in _kongs(deal, seat)))
        elif isinstance(entry, dict) and "points" in entry:
            found += _agreed(seat, deal, rules, frozenset(texts_of(entry, "conditions")))
    return tuple(found)


def _kongs(deal: Declared, seat: int) -> list[DeclaredKong]:
    return [kong for kong in deal.kongs if kong.seat == seat and not kong.robbed]


def _sort(type_: SetType | None) -> SetType | None:
    """Both ways to add the fourth tile are one kong here (CLA-3.4)."""
    return SetType.PROMOTED if type_ in ADDED else type_


def _shown(seat: int, shown: Counter[SetType | None], declared: Counter[SetType | None]) -> Iterator[Words]:
    if shown != declared:
        text = "{seat} shows these kongs: {shown}; declared were: {declared} (CLA-3.4)"
        yield words(text, seat=Seat(seat), shown=_listed(shown), declared=_listed(declared))


def _listed(kongs: Counter[SetType | None]) -> str:
    return ", ".join(sorted(str(type_) for type_ in kongs.elements())) or "-"


def _agreed(seat: int, deal: Declared, rules: Rules, conditions: frozenset[str]) -> Iterator[Words]:
    points = deal.worth[seat]
    if isinstance(rules, Cumberland):
        if deal.winner is None or seat in (*deal.dead, *long_hands(deal)):
            return
        bounds, clause = _cumberland(seat, deal, rules), "CUM-5"
        if points % 2:
            text = "{seat}: {points} was agreed, and all scores are even (CUM-5.9)"
            yield words(text, seat=Seat(seat), points=points)
            return
    elif seat == deal.winner:
        bounds, clause = _balsall(deal, conditions), "BAL-5"
    else:
        return
    kongs = words(plural("{count} declared kong", "{count} declared kongs"), count=len(_kongs(deal, seat)))
    if points < bounds.least:
        text = "{seat}: {points} was agreed, but the way of winning and {kongs} make {least} at least ({clause})"
        if seat != deal.winner:
            text = "{seat}: {points} was agreed, but {kongs} make {least} at least ({clause})"
        yield words(text, seat=Seat(seat), points=points, kongs=kongs, least=bounds.least, clause=clause)
    elif points > bounds.most:
        text = "{seat}: {points} was agreed, but such a hand is worth {most} at most ({clause})"
        yield words(text, seat=Seat(seat), points=points, most=bounds.most, clause=clause)


def _cumberland(seat: int, deal: Declared, rules: Cumberland) -> _Bounds:
    """The tiles of a kong are not known, so it counts as one of 2 to 8; flowers, pairs and doubles may be none."""
    has_won = seat == deal.winner
    least = most = WINNER_POINTS * has_won
    for kong in _kongs(deal, seat):
        is_natural = kong.type is SetType.CONCEALED or (kong.type in ADDED and rules.promoted == "natural")
        least += KONG_POINTS << is_natural
    most += _DEAREST_KONG * _SETS + PAIR_POINTS + FLOWER_POINTS * _FLOWERS
    east = int(has_won and seat == deal.east)
    least, most = least << east, most << (east + _SET_DOUBLES + _FLOWER_DOUBLES)
    if rules.limit != NO_LIMIT and isinstance(rules.limit, int):
        return _Bounds(min(least, rules.limit), min(most, rules.limit))
    return _Bounds(least, most)


def _balsall(deal: Declared, conditions: frozenset[str]) -> _Bounds:
    """The winner's; four kongs are a row of their own (BAL-5.4)."""
    assert deal.winner is not None
    is_drawn = deal.by in DRAWN
    way = is_drawn + (deal.by == LOOSE or deal.after_kong)
    said = len(conditions & {LAST_TILE, LAST_DISCARD})
    row = ROWS["all_kongs"] if len(_kongs(deal, deal.winner)) == _SETS else 0
    most = max(ROWS.values()) + _OWN_ITEMS + way + 1 + _FLOWER_ITEMS
    return _Bounds(row + way + said, most)
