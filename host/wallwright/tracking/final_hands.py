"""Hands that are read once, when they are shown, for tables whose zones are not read all the time.

What was declared is known as at any table; only the tiles need not be typed. A hand that the readers did not get whole
stays for the scorer to type, and `problem` says which tiles are there.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..rules.events import Event, FinalHand, Hu, Kong, Winner
from ..rules.melds import Meld, pung
from ..rules.tiles import format_tiles, tile_name
from .zones import HANDS, MELDS, Tag

HAND = 13
"""Tiles of a hand, a kong counting three."""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """The tiles of a seat as they lie: `standing` kinds, and declared sets. `problem` is empty when it is a hand.

    A player who has won has the winning tile among the standing ones.
    """

    seat: int
    standing: tuple[int, ...]
    melds: tuple[Meld, ...]
    problem: str


def shown_hands(
    read: Mapping[int, Iterable[Tag]], tiles: Mapping[Tag, int], events: Sequence[Event]
) -> tuple[ShownHand, ...]:
    """Return the hands that lie in the zones at a deal's end.

    `read` has the tags by reader, `tiles` the kinds of tags; `events` were declared and tell the types of the kongs.
    """
    hands = [_shown(seat, read, tiles, events) for seat in range(4)]
    for event in events:
        if isinstance(event, Hu):
            _check_winning_tile(hands, event)
    return tuple(hands)


def with_hands(events: Sequence[Event], hands: Sequence[ShownHand]) -> tuple[Event, ...]:
    """Return the events with the hands of the winners filled in where none is given and the one read is whole."""
    return tuple(
        replace(event, winners=tuple(_filled(winner, hands[winner.seat]) for winner in event.winners))
        if isinstance(event, Hu)
        else event
        for event in events
    )


def final_hands(
    events: Sequence[Event],
    hands: Sequence[ShownHand],
    voids: Mapping[int, int],
    only_void_discards: Iterable[int] = (),
) -> tuple[FinalHand, ...]:
    """Return the hands of the players without Hu, for those that were read whole.

    `voids` are the forbidden suits by seat; `only_void_discards` the seats all of whose discards were of it (SBR-3.3).
    """
    won = {winner.seat for event in events if isinstance(event, Hu) for winner in event.winners}
    lenient = set(only_void_discards)
    return tuple(
        FinalHand(hand.seat, hand.standing, hand.melds, voids.get(hand.seat), hand.seat in lenient)
        for hand in hands
        if hand.seat not in won and not hand.problem
    )


def _shown(
    seat: int, read: Mapping[int, Iterable[Tag]], tiles: Mapping[Tag, int], events: Sequence[Event]
) -> ShownHand:
    standing = tuple(sorted(tiles[tag] for tag in set(read.get(HANDS[seat], ())) if tag in tiles))
    laid = Counter(tiles[tag] for tag in set(read.get(MELDS[seat], ())) if tag in tiles)
    kongs = [event.type for event in events if isinstance(event, Kong) and event.seat == seat and not event.robbed]
    melds = []
    problem = ""
    if sum(count == 4 for count in laid.values()) != len(kongs):
        problem = f"seat {seat} has declared {len(kongs)} kongs, and the readers see {format_tiles(laid.elements())}"
    for kind, count in sorted(laid.items()):
        if count == 4 and kongs:
            melds.append(Meld(kongs.pop(0), kind))
        elif count == 3:
            melds.append(pung(kind))
        else:
            problem = problem or f"seat {seat} shows {count} of {tile_name(kind)} as a set; type this hand"
    wanted = (HAND, HAND + 1) if _has_won(seat, events) else (HAND,)
    if not problem and len(standing) + 3 * len(melds) not in wanted:
        problem = f"seat {seat} has {len(standing)} standing tiles read ({format_tiles(standing)}); type this hand"
    return ShownHand(seat, standing, tuple(melds), problem)


def _has_won(seat: int, events: Sequence[Event]) -> bool:
    return any(isinstance(event, Hu) and seat in {winner.seat for winner in event.winners} for event in events)


def _check_winning_tile(hands: list[ShownHand], event: Hu) -> None:
    """One of those who won on a tile has it; when nobody has, a tile of theirs was not read, whosever it is."""
    seats = [winner.seat for winner in event.winners]
    whole = [seat for seat in seats if len(hands[seat].standing) + 3 * len(hands[seat].melds) > HAND]
    if len(whole) == 1:
        return
    for seat in seats:
        problem = hands[seat].problem or f"seat {seat} has won, and not all of its tiles were read; type this hand"
        hands[seat] = replace(hands[seat], problem=problem)


def _filled(winner: Winner, hand: ShownHand) -> Winner:
    if winner.standing is not None or winner.value is not None or winner.winning is None or hand.problem:
        return winner
    standing = list(hand.standing)
    if len(standing) + 3 * len(hand.melds) > HAND:
        if winner.winning not in standing:
            return winner
        standing.remove(winner.winning)
    return replace(winner, standing=tuple(standing), melds=hand.melds)
